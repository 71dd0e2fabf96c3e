"""From the proposed new state to the planned state, as every provider plans.

Source: the protocol, `PlanResourceChange`; what providers of HashiCorp's own framework do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from tofutypes.comparison import is_wholly_known
from tofutypes.dynamic import Dynamic
from tofutypes.errors import AttributeStep, Path
from tofutypes.provider.objchange.schema_parts import Names, Part, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    is_given,
    objects_in,
    over_elements,
    over_objects,
    same,
)
from tofutypes.schema import NestingMode
from tofutypes.unknown import UNKNOWN, Unknown


def find_part(parts: Parts, names: Names) -> Part | None:
    """The attribute or nested block of a schema at the end of these names."""
    part = next((part for part in parts if part.name == names[0]), None)
    return part if part is None or len(names) == 1 else find_part(part.inner, names[1:])


def part_at(parts: Parts, path: Path) -> Part | None:
    """The attribute or nested block that a path leads to, whichever elements it goes through."""
    names = tuple(step.name for step in path.steps if isinstance(step, AttributeStep))
    return find_part(parts, names) if names else None


def unset_write_only(parts: Parts, value: object) -> object:
    """The object with null in all write-only attributes, which plans and state never hold."""
    if not is_given(value) or not _any_write_only(parts):
        return value
    changed = dict(attributes_of(value))
    for part in parts:
        held = changed.get(part.name)
        if part.write_only:
            changed[part.name] = None
        elif part.nesting is not None:
            changed[part.name] = over_objects(part.nesting, held, _unset_in(part.inner))
    return changed


def _unset_in(parts: Parts) -> Callable[[Steps, object], object]:
    return lambda _, inner: unset_write_only(parts, inner)


def _any_write_only(parts: Parts) -> bool:
    return any(part.write_only or _any_write_only(part.inner) for part in parts)


def mark_computed(
    parts: Parts,
    proposed: object,
    config: object,
    kept: Collection[Names] = (),
    prior: object = None,
) -> object:
    """The object with everything unknown that the provider sets only at apply.

    That is every computed attribute which the configuration does not set, except the kept ones
    that have a value.

    Args:
        parts: the schema of both.
        proposed: The proposed new state.
        config: the configuration.
        kept: the attributes that keep their value once they have one.
        prior: the prior state; None for a new object.
    """
    return _marked(parts, (proposed, config, prior), kept, ())


def _marked(
    parts: Parts, objects: tuple[object, object, object], kept: Collection[Names], above: Names
) -> object:
    proposed, config, prior = objects
    values, configured = dict(attributes_of(proposed)), attributes_of(config)
    before = attributes_of(prior)
    if any(_lacks(part, values) for part in parts):
        return proposed  # a GROUP block of which nothing is set
    for part in parts:
        value, names = values.get(part.name), (*above, part.name)
        if part.computed and configured.get(part.name) is None:
            # The core may take a value for one that the configuration had set, and drop it.
            had = before.get(part.name) if value is None else value
            values[part.name] = had if names in kept and had is not None else UNKNOWN
        elif part.nesting is not None:
            inside = value, configured.get(part.name), before.get(part.name)
            values[part.name] = _marked_inside(part, inside, kept, names)
    return values


def _lacks(part: Part, values: Mapping[str, object]) -> bool:
    required = part.attribute is not None and part.attribute.required and not part.write_only
    return required and values.get(part.name) is None


def _marked_inside(
    part: Part, values: tuple[object, object, object], kept: Collection[Names], names: Names
) -> object:
    value, config, prior = values
    assert part.nesting is not None
    if part.nesting is NestingMode.SET:
        # Elements have no counterparts in the configuration: what has no value was not set there,
        # and what only the provider can set was not either.
        return over_objects(
            part.nesting,
            value,
            lambda _, element: _marked(
                part.inner, (element, _settable(part.inner, element), None), kept, names
            ),
        )
    configured, before = objects_in(part.nesting, config), objects_in(part.nesting, prior)
    return over_objects(
        part.nesting,
        value,
        lambda at, inner: _marked(
            part.inner, (inner, configured.get(at), before.get(at)), kept, names
        ),
    )


def _settable(parts: Parts, value: object) -> object:
    """The attributes of a set element that a configuration may have set."""
    values = dict(attributes_of(value))
    for part in parts:
        if part.attribute is not None and part.computed and not part.attribute.optional:
            values[part.name] = None
    return values


def changed_paths(
    parts: Parts, names: Names, prior: object, config: object, planned: object
) -> Iterator[Path]:
    """Return where the attribute of these names changes: in each element of a collection.

    A computed attribute that the configuration does not set counts only if its planned value is
    known, as a default is: it is planned as unknown whenever anything changes. No path leads into
    a set, because Core could not follow it; the set itself is the place then.
    """
    for steps in _changed(parts, names, (prior, config, planned), ()):
        yield Path(steps)


def _changed(
    parts: Parts, names: Names, values: tuple[object, object, object], above: Steps
) -> Iterator[Steps]:
    part = next(part for part in parts if part.name == names[0])
    before, configured, after = (attributes_of(value).get(part.name) for value in values)
    here = (*above, AttributeStep(part.name))
    if same(before, after):
        return
    if part.computed and configured is None and not is_wholly_known(after):
        return
    rest = names[1:]
    if not rest or part.nesting is None or part.nesting is NestingMode.SET:
        yield here
        return
    old, set_, new = (objects_in(part.nesting, value) for value in (before, configured, after))
    if old.keys() != new.keys() or not all(map(is_given, [*old.values(), *new.values()])):
        yield here
        return
    for at, inner in new.items():
        yield from _changed(part.inner, rest, (old[at], set_.get(at), inner), (*here, *at))


def without_unknown(value: object) -> object:
    """The value with null in place of unknown values."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Dynamic):
        return Dynamic(without_unknown(value.value), value.type)
    return over_elements(value, without_unknown)
