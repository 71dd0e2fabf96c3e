"""The checks that Core makes of a plan, so that a provider can report its faults first.

Source: `AssertPlanValid` in `internal/plans/objchange` of OpenTofu.
"""

from __future__ import annotations

from tofutypes.comparison import is_wholly_known
from tofutypes.errors import AttributeStep, describe
from tofutypes.provider.objchange.faults import Faults, count, fault, presence
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    elements_of,
    is_given,
    objects_in,
    same,
)
from tofutypes.schema import NestingMode
from tofutypes.unknown import Unknown


def plan_faults(parts: Parts, prior: object, config: object, planned: object) -> Faults:
    """Find what Core would refuse in a planned new state.

    Args:
        parts: The schema of all three.
        prior: The prior state; None for a new object.
        config: The configuration.
        planned: The planned state.
    """
    return _plan_object(parts, prior, config, planned, ())


def _plan_object(parts: Parts, prior: object, config: object, planned: object, at: Steps) -> Faults:
    if (config is None) != (planned is None):
        yield fault(
            at, f"is {presence(config)} in the configuration, but is planned as {presence(planned)}"
        )
        return
    before, configured, after = map(attributes_of, (prior, config, planned))
    for part in parts:
        name = part.name
        check = _plan_attribute if part.attribute is not None else _plan_blocks
        yield from check(
            part,
            before.get(name),
            configured.get(name),
            after.get(name),
            (*at, AttributeStep(name)),
        )


def _plan_attribute(
    part: Part, prior: object, config: object, planned: object, at: Steps
) -> Faults:
    attribute = part.attribute
    assert attribute is not None
    kept = prior is not None and config is not None and same(planned, prior)
    if same(planned, config) or kept:
        return
    if attribute.computed and (config is None or not attribute.optional):
        return
    if config is None:
        yield fault(at, f"is not set and cannot be computed, but is planned as {describe(planned)}")
    elif planned is None and attribute.write_only:
        return
    elif part.nesting is not None:
        yield from _plan_nested(part, prior, config, planned, at)
    elif isinstance(planned, Unknown):
        yield fault(at, "is set in the configuration, but is planned as unknown")
    else:
        yield fault(at, "is planned as another value than the configuration has")


def _plan_nested(part: Part, prior: object, config: object, planned: object, at: Steps) -> Faults:
    """The objects of a nested type."""
    assert part.nesting is not None
    if not is_given(planned):
        yield fault(at, f"is set in the configuration, but is planned as {describe(planned)}")
        return
    if isinstance(config, Unknown):
        yield fault(at, "is unknown in the configuration, but is planned as a known value")
        return
    if part.nesting is not NestingMode.SET:
        yield from _plan_elements(part, prior, config, planned, at)
    elif not _lengths(planned) & _lengths(config):
        yield fault(at, "is planned with another number of elements than the configuration has")


def _lengths(elements: object) -> frozenset[int]:
    """The possible lengths of a set: an unknown element may turn out equal to another one."""
    distinct = elements_of(elements)
    least = len(distinct) if is_wholly_known(elements) else min(1, len(distinct))
    return frozenset(range(least, len(distinct) + 1))


def _plan_blocks(part: Part, prior: object, config: object, planned: object, at: Steps) -> Faults:
    assert part.nesting is not None
    if same(planned, config):
        return
    if isinstance(config, Unknown):
        yield fault(at, "is unknown in the configuration, but is planned otherwise")
    elif isinstance(planned, Unknown):
        yield fault(at, "is planned as unknown, but the configuration tells how many there are")
    elif part.nesting in (NestingMode.SINGLE, NestingMode.GROUP):
        yield from _plan_object(part.inner, prior, config, planned, at)
    elif planned is None:
        yield fault(at, "is planned as null; no blocks are an empty collection")
    elif part.nesting is NestingMode.SET:
        if any(isinstance(block, Unknown) for block in elements_of(planned)):
            yield fault(at, "has a block that is planned as unknown")
    else:
        yield from _plan_elements(part, prior, config, planned, at)


def _plan_elements(part: Part, prior: object, config: object, planned: object, at: Steps) -> Faults:
    assert part.nesting is not None
    before = objects_in(part.nesting, prior)
    configured, after = objects_in(part.nesting, config), objects_in(part.nesting, planned)
    if configured.keys() != after.keys():
        yield fault(
            at, f"has {count(configured)} in the configuration, but is planned with {count(after)}"
        )
        return
    for steps, configured_object in configured.items():
        here = (*at, *steps)
        if isinstance(configured_object, Unknown):
            if not isinstance(after[steps], Unknown):
                yield fault(here, "is unknown in the configuration, but is planned otherwise")
        elif isinstance(after[steps], Unknown):
            yield fault(here, "is planned as unknown, but the configuration has it")
        else:
            yield from _plan_object(
                part.inner, before.get(steps), configured_object, after[steps], here
            )
