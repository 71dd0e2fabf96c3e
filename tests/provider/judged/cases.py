"""Random cases: a prior state, a configuration, what a provider plans and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.provider.judged.things import Thing
from tofutypes import UNKNOWN, Dynamic, TofuSet, Unknown, schema_of
from tofutypes.provider.objchange.planning import mark_computed, unset_write_only
from tofutypes.provider.objchange.proposed import proposed_new_state
from tofutypes.provider.objchange.schema_parts import Part, Parts, parts_of
from tofutypes.schema import NestingMode
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, MapType, SetType, Type

BLOCK = schema_of(Thing).block
PARTS = parts_of(BLOCK)

Tree = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        name: its name in the configuration.
        prior: the prior state; None for a new object.
        config: the configuration.
        proposed: what this library proposes.
        planned: what the provider plans.
        result: what it gives.
    """

    name: str
    prior: Tree | None
    config: Tree
    proposed: object
    planned: Any
    result: Any


def random_case(random: Random, name: str, *, unknown: bool) -> Case:
    """A case.

    Args:
        random: where chance comes from.
        name: its name.
        unknown: whether the configuration may have unknown values; the plan is changed then, and
            the result otherwise.
    """
    config = _config(random, PARTS, unknown) | {"case": name}
    prior = None
    if random.random() < 0.6:
        prior = _state(random, PARTS, config if random.random() < 0.7 else None) | {"case": name}
    proposed = proposed_new_state(BLOCK, prior, config)
    planned: Any = mark_computed(PARTS, unset_write_only(PARTS, proposed), config)
    if unknown:
        for _ in range(random.choice((0, 1, 1, 2))):
            planned = _changed(random, PARTS, planned)
    else:
        planned = _refined(random, planned)
    result = _filled(random, PARTS, planned)
    for _ in range(random.choice((0, 1, 1, 2))):
        result = _changed(random, PARTS, result, unknown=False)
    return Case(name, prior, config, proposed, planned, result | {"case": name})


def settled_case(random: Random, name: str) -> Case:
    """A case in which the configuration was applied already, and the plan is to change nothing."""
    config = _config(random, PARTS, unknown=False) | {"case": name}
    made: Any = mark_computed(PARTS, unset_write_only(PARTS, config), config)
    prior = _filled(random, PARTS, made) | {"case": name}
    return Case(name, prior, config, proposed_new_state(BLOCK, prior, config), prior, prior)


def _config(random: Random, parts: Parts, unknown: bool) -> Tree:
    made: Tree = {}
    for part in parts:
        attribute = part.attribute
        if attribute is not None and (not part.optional or random.random() < 0.5):
            made[part.name] = None
        elif part.nesting is not None:
            made[part.name] = _objects(random, part, lambda inner: _config(random, inner, unknown))
        else:
            assert attribute is not None
            assert attribute.type is not None
            made[part.name] = _plain(random, attribute.type, unknown)
    return made


def _state(random: Random, parts: Parts, config: Tree | None) -> Tree:
    """A state: of what a configuration sets, or of anything."""
    made: Tree = {}
    for part in parts:
        given = (config or {}).get(part.name)
        attribute = part.attribute
        if part.write_only:
            made[part.name] = None
        elif config is not None and given is not None and random.random() < 0.9:
            made[part.name] = _known(random, part, given)
        elif part.nesting is not None:
            made[part.name] = (
                None
                if attribute is not None and random.random() < 0.5
                else _objects(random, part, lambda inner: _state(random, inner, None))
            )
        else:
            assert attribute is not None
            assert attribute.type is not None
            empty = random.random() < 0.4
            made[part.name] = None if empty else _plain(random, attribute.type, False)
    return made


def _known(random: Random, part: Part, given: Any) -> Any:
    """A configured value as state has it."""
    if part.nesting is None:
        return _made(given)
    if isinstance(given, Unknown):
        return None
    of_element = lambda each: _state(random, part.inner, each)  # noqa: E731
    return _over(part, given, of_element)


def _made(value: Any) -> Any:
    match value:
        case Unknown():
            return "made"
        case list():
            return [_made(each) for each in value]
        case dict():
            return {key: _made(each) for key, each in value.items()}
        case _:
            return value


def _over(part: Part, value: Any, change: Any) -> Any:
    if value is None or isinstance(value, Unknown):
        return value
    match part.nesting:
        case NestingMode.LIST:
            return [change(each) for each in value]
        case NestingMode.SET:
            return TofuSet([change(each) for each in value])
        case NestingMode.MAP:
            return {key: change(each) for key, each in value.items()}
        case _:
            return change(value)


def _objects(random: Random, part: Part, make: Any) -> Any:
    count = random.choice((0, 1, 2))
    match part.nesting:
        case NestingMode.LIST:
            return [make(part.inner) for _ in range(count)]
        case NestingMode.SET:
            return TofuSet([make(part.inner) for _ in range(count)])
        case NestingMode.MAP:
            return {key: make(part.inner) for key in ("k", "l")[:count]}
        case NestingMode.GROUP:
            return make(part.inner)
        case _:
            return make(part.inner) if count or part.attribute is not None else None


def _plain(random: Random, type_: Type, unknown: bool) -> Any:
    if unknown and type_ == STRING and random.random() < 0.2:
        return UNKNOWN
    match type_:
        case ListType(element=element):
            return [_plain(random, element, unknown) for _ in range(random.choice((0, 1, 2)))]
        case SetType(element=element):
            return TofuSet(
                [_plain(random, element, False) for _ in range(random.choice((0, 1, 2)))]
            )
        case MapType(element=element):
            keys = ("k", "l")[: random.choice((0, 1, 2))]
            return {key: _plain(random, element, unknown) for key in keys}
        case _ if type_ == NUMBER:
            return random.choice((1, 2))
        case _ if type_ == BOOL:
            return random.choice((True, False))
        case _ if type_ == DYNAMIC:
            return random.choice((Dynamic("a"), Dynamic(1), Dynamic(["a", 1])))
        case _:
            return random.choice("ab")


def _changed(random: Random, parts: Parts, value: Tree, *, unknown: bool = True) -> Tree:
    """The object with one part of it another."""
    part = random.choice([each for each in parts if each.name != "case" and not each.write_only])
    held = value.get(part.name)
    inside = part.nesting is not None and held is not None and not isinstance(held, Unknown)
    if inside and random.random() < 0.7:
        new = _over(part, held, lambda each: _changed_element(random, part, each, unknown))
    else:
        new = _another(random, part, unknown)
    return {**value, part.name: new}


def _changed_element(random: Random, part: Part, element: Any, unknown: bool) -> Any:
    if not isinstance(element, dict) or random.random() < 0.3:
        return element
    return _changed(random, part.inner, element, unknown=unknown)


def _another(random: Random, part: Part, unknown: bool) -> Any:
    attribute = part.attribute
    if attribute is not None:
        if unknown and random.random() < 0.25:
            return UNKNOWN
        if random.random() < 0.25:
            return None
    if part.nesting is not None:
        return _objects(random, part, lambda inner: _state(random, inner, None))
    assert attribute is not None
    assert attribute.type is not None
    return _plain(random, attribute.type, False)


def _refined(random: Random, planned: Tree) -> Tree:
    """Some of what is unknown, refined."""
    refined = dict(planned)
    for name, each in planned.items():
        if isinstance(each, Unknown) and name in ("id", "either"):
            refined[name] = random.choice(
                (UNKNOWN, Unknown(not_null=True), Unknown(prefix="a", not_null=True))
            )
    return refined


def _filled(random: Random, parts: Parts, planned: Tree) -> Tree:
    """The object with values for what is unknown."""
    filled: Tree = {}
    for part in parts:
        held = planned.get(part.name)
        if isinstance(held, Unknown):
            filled[part.name] = _another(random, part, False)
        elif part.nesting is not None:
            filled[part.name] = _over(
                part,
                held,
                lambda each, part=part: (
                    _filled(random, part.inner, each) if isinstance(each, dict) else each
                ),
            )
        else:
            filled[part.name] = held
    return filled
