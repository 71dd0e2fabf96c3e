"""Whether a configuration asks for a change at all.

The core proposes a change in two cases in which there is none: it does not look for the
counterparts of sets inside sets, and it takes a computed nested attribute in which something stands
that a configuration could have set for one that a configuration did set. (Observed, Terraform
1.15.5: it takes the prior state for a plan in both.)
"""

from __future__ import annotations

from collections.abc import Collection

from tofutypes.provider.objchange.proposed import was_set
from tofutypes.provider.objchange.schema_parts import Names, Part, Parts
from tofutypes.provider.objchange.traversal import (
    MISSING,
    attributes_of,
    counterparts,
    elements_of,
    is_given,
    objects_in,
    same,
)
from tofutypes.schema import NestingMode


def is_unchanged(parts: Parts, prior: object, config: object, kept: Collection[Names] = ()) -> bool:
    """Whether the prior state is all that the configuration asks for.

    Args:
        parts: the schema of both.
        prior: the prior state.
        config: the configuration.
        kept: the computed attributes that keep their value, whoever has set it.
    """
    return _object_is(parts, prior, config, kept, ())


def _object_is(
    parts: Parts, prior: object, config: object, kept: Collection[Names], above: Names
) -> bool:
    before, configured = attributes_of(prior), attributes_of(config)
    return all(
        part.write_only
        or _part_is(
            part, before.get(part.name), configured.get(part.name), kept, (*above, part.name)
        )
        for part in parts
    )


def _part_is(
    part: Part, prior: object, config: object, kept: Collection[Names], names: Names
) -> bool:
    if part.computed and config is None:
        return names in kept or not (part.optional and was_set(part, prior))
    if part.nesting is None or not is_given(prior) or not is_given(config):
        return same(prior, config)
    if part.nesting is NestingMode.SET:
        return _set_is(part.inner, elements_of(prior), elements_of(config), kept, names)
    before, configured = objects_in(part.nesting, prior), objects_in(part.nesting, config)
    return before.keys() == configured.keys() and all(
        _element_is(part.inner, before[at], element, kept, names)
        for at, element in configured.items()
    )


def _element_is(
    parts: Parts, prior: object, config: object, kept: Collection[Names], names: Names
) -> bool:
    if not is_given(prior) or not is_given(config):
        return same(prior, config)
    return _object_is(parts, prior, config, kept, names)


def _set_is(
    parts: Parts,
    prior: list[object],
    config: list[object],
    kept: Collection[Names],
    names: Names,
) -> bool:
    """Whether every element of one set has a counterpart of its own in the other set."""
    if len(prior) != len(config):
        return False
    pairs = counterparts(
        parts, prior, config, lambda before, after: _element_is(parts, before, after, kept, names)
    )
    return all(counterpart is not MISSING for _, counterpart in pairs)
