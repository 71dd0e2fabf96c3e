"""Walks over values: attributes, elements, objects, and their counterparts in another value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from decimal import Context, Decimal
from typing import Final, TypeAlias, cast

from tofutypes.comparison import comparison_key
from tofutypes.dynamic import Dynamic
from tofutypes.errors import IndexStep, KeyStep, Step
from tofutypes.narrowing import has_attributes, is_mapping, is_number, is_sequence
from tofutypes.numbers import AnyNumber
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.schema import NestingMode
from tofutypes.sets import TofuSet, is_tofu_set
from tofutypes.unknown import UNKNOWN, Unknown

Steps: TypeAlias = tuple[Step, ...]
"""The way to a value from the top."""

_NOTHING: Final[Mapping[str, object]] = {}


def attributes_of(value: object) -> Mapping[str, object]:
    """The attributes and nested blocks of an object by their names on the wire; none of null."""
    if has_attributes(value):
        return value.__tofu_attributes__()
    return cast("Mapping[str, object]", value) if is_mapping(value) else _NOTHING


def is_given(value: object) -> bool:
    """Whether the value is neither null nor unknown."""
    return value is not None and not isinstance(value, Unknown)


def elements_of(value: object) -> list[object]:
    """The elements of a list, a tuple or a set; nothing for a null or unknown value."""
    inner = value.value if isinstance(value, Dynamic) else value
    return list(inner) if is_sequence(inner) or is_tofu_set(inner) else []


def items_of(value: object) -> Mapping[str, object]:
    """The elements of a map by key; nothing for a null or unknown value."""
    return attributes_of(value.value if isinstance(value, Dynamic) else value)


def same(one: object, other: object) -> bool:
    """Whether two values are equal. Refinements of unknown values do not count."""
    return key_of(one) == key_of(other)


def key_of(value: object) -> Hashable:
    """A key that is equal for two values if `same` is true for them."""
    return comparison_key(_unrefined(value))


def grouped(
    elements: Iterable[object], names: Iterable[str]
) -> tuple[list[Hashable], dict[Hashable, list[object]]]:
    """Tell the elements of a set apart by some of their attributes.

    Returns:
        A key for each element, and the elements of each key in their order.
    """
    keys: list[Hashable] = []
    groups: dict[Hashable, list[object]] = {}
    for element in elements:
        attributes = attributes_of(element)
        key = tuple(key_of(attributes.get(name)) for name in names)
        keys.append(key)
        groups.setdefault(key, []).append(element)
    return keys, groups


def _unrefined(value: object) -> object:
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, Dynamic):
        return Dynamic(_unrefined(value.value), value.type)
    if is_number(value):
        return _rounded(value)
    return over_elements(value, _unrefined)


_DIGITS: Final = Context(prec=150)
"""Fewer digits than the 512 bits to which Core rounds the numbers of plans."""


def _rounded(number: AnyNumber) -> AnyNumber:
    if isinstance(number, Decimal) or (isinstance(number, int) and number.bit_length() > 512):
        return _DIGITS.create_decimal(number)
    return number


MISSING: Final = object()
"""Stands for a missing counterpart, since None is a possible counterpart."""


def counterparts(
    parts: Parts,
    prior: Iterable[object],
    config: Iterable[object],
    fits: Callable[[object, object], bool],
) -> Iterator[tuple[object, object]]:
    """Pair the configured elements of a set with prior elements, each of which is used once.

    Args:
        parts: The schema of the elements.
        prior: The prior elements; the first one that fits is used.
        config: The configured elements.
        fits: Whether a prior element may be the counterpart of a configured one. Called only for
            elements that agree in all attributes that are not computed.
    """
    names = [part.name for part in parts if not part.computed and part.nesting is None]
    configured = list(config)
    keys, _ = grouped(configured, names)
    _, unused = grouped(prior, names)
    for element, key in zip(configured, keys, strict=True):
        left = unused.get(key, [])
        position = next(
            (at for at, prior_element in enumerate(left) if fits(prior_element, element)), None
        )
        yield element, MISSING if position is None else left.pop(position)


def over_elements(value: object, change: Callable[[object], object]) -> object:
    """The value with its elements or attributes changed; itself if it has none."""
    if is_tofu_set(value):
        return TofuSet(map(change, value))
    if is_sequence(value):
        return type(value)(map(change, value))
    if has_attributes(value) or is_mapping(value):
        return {name: change(inner) for name, inner in attributes_of(value).items()}
    return value


def objects_in(nesting: NestingMode, value: object) -> dict[Steps, object]:
    """The objects of a nested block or a nested type, each with the step to it; null ones too."""
    match nesting:
        case NestingMode.SINGLE | NestingMode.GROUP:
            return {(): value}
        case NestingMode.LIST | NestingMode.SET:
            return {(IndexStep(at),): element for at, element in enumerate(elements_of(value))}
        case NestingMode.MAP:
            return {(KeyStep(key),): element for key, element in items_of(value).items()}


def over_objects(
    nesting: NestingMode, value: object, change: Callable[[Steps, object], object]
) -> object:
    """The nested block or nested value with its objects changed; null and unknown ones stay."""
    objects = {
        steps: change(steps, inner) if is_given(inner) else inner
        for steps, inner in objects_in(nesting, value).items()
    }
    match nesting:
        case NestingMode.SINGLE | NestingMode.GROUP:
            return objects[()]
        case _ if not is_given(value):
            return value
        case NestingMode.LIST:
            return list(objects.values())
        case NestingMode.SET:
            return TofuSet(objects.values())
        case NestingMode.MAP:
            return dict(zip(items_of(value), objects.values(), strict=True))


def empty_object(parts: Parts) -> dict[str, object]:
    """The value of a block in which nothing is set. Source: `EmptyValue` of Core, observed."""
    return {part.name: empty_value(part) for part in parts}


def empty_value(part: Part) -> object:
    """The value of an attribute or a nested block that is not set."""
    if part.attribute is not None:
        return None
    match part.nesting:
        case NestingMode.GROUP:
            return empty_object(part.inner)
        case NestingMode.LIST:
            return []
        case NestingMode.SET:
            return TofuSet[object]()
        case NestingMode.MAP:
            return {}
        case _:
            return None
