"""The proposed new state: the prior state merged with a configuration.

Source: `ProposedNew` in `internal/plans/objchange` of OpenTofu. The core computes it for every
plan; clients that plan without a core do the same.
"""

from __future__ import annotations

from tofutypes.provider.objchange.schema_parts import Part, Parts, parts_of
from tofutypes.provider.objchange.traversal import (
    MISSING,
    Steps,
    attributes_of,
    counterparts,
    elements_of,
    empty_object,
    is_given,
    objects_in,
    over_objects,
    same,
)
from tofutypes.schema import Block, NestingMode
from tofutypes.sets import TofuSet
from tofutypes.wire.set_order import in_set_order


def proposed_new_state(block: Block, prior: object, config: object) -> object:
    """Merge a configuration with the prior state, as Core does before it asks for a plan.

    Attributes that the configuration sets have its values; computed attributes that it does not set
    keep their prior values. Nothing becomes unknown: computed attributes of a new object are null.

    Args:
        block: The schema of both.
        prior: The prior state; None for a new object.
        config: The configuration; None if there is none.

    Returns:
        A mapping by the names on the wire; the prior state itself if there is no configuration.
    """
    if not is_given(config):
        return prior
    return _object(parts_of(block), prior if is_given(prior) else None, config)


def _object(parts: Parts, prior: object, config: object) -> dict[str, object]:
    """Merge one object of the configuration with its prior object, which may be null."""
    before = attributes_of(empty_object(parts) if prior is None else prior)
    configured = attributes_of(config)
    return {
        part.name: _part(part, before.get(part.name), configured.get(part.name)) for part in parts
    }


def _part(part: Part, prior: object, config: object) -> object:
    if part.computed and config is None:
        taken_away = part.optional and was_set(part, prior)
        return None if taken_away else prior
    if part.nesting is None or not is_given(config):
        return config
    if part.nesting is NestingMode.SET:
        return _set(part, prior, config)
    before = objects_in(part.nesting, prior)
    alone = part.nesting in (NestingMode.SINGLE, NestingMode.GROUP)

    def propose(at: Steps, element: object) -> object:
        prior_element = before.get(at)
        if is_given(prior_element) or alone:
            return _object(part.inner, prior_element, element)
        return element

    return over_objects(part.nesting, config, propose)


def was_set(part: Part, prior: object) -> bool:
    """Whether the prior value of a nested type has what a provider alone would not have set."""
    return part.nesting is not None and any(
        not inner.computed and attributes_of(prior_object).get(inner.name) is not None
        for prior_object in objects_in(part.nesting, prior).values()
        for inner in part.inner
    )


def _set(part: Part, prior: object, config: object) -> object:
    # Which prior element is taken for which depends on the order, where several would do.
    assert part.type is not None
    parts = part.inner
    proposed: list[object] = []
    for element, counterpart in counterparts(
        parts,
        in_set_order(filter(is_given, elements_of(prior)), part.type),
        in_set_order(elements_of(config), part.type),
        lambda prior_element, element: (
            is_given(element) and _may_stem_from(parts, prior_element, element)
        ),
    ):
        stems_from = None if counterpart is MISSING else counterpart
        proposed.append(_object(parts, stems_from, element) if is_given(element) else element)
    return TofuSet(proposed)


def _may_stem_from(parts: Parts, prior: object, config: object) -> bool:
    """Whether all that tells a prior element from a configured one was computed."""
    before, configured = attributes_of(prior), attributes_of(config)
    return all(_may_stem(part, before.get(part.name), configured.get(part.name)) for part in parts)


def _may_stem(part: Part, prior: object, config: object) -> bool:
    if (part.computed and config is None) or same(prior, config):
        return True
    if part.nesting in (None, NestingMode.SET) or not is_given(prior) or not is_given(config):
        return False  # the elements of a set cannot be told apart by what is inside them
    before, configured = objects_in(part.nesting, prior), objects_in(part.nesting, config)
    return before.keys() == configured.keys() and all(
        _may_stem_from(part.inner, before[at], configured_object)
        if is_given(configured_object)
        else same(before[at], configured_object)
        for at, configured_object in configured.items()
    )
