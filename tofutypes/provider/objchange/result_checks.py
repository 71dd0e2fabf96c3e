"""The checks that Core makes of a new state, so that a provider can report its faults first.

Source: `AssertObjectCompatible` in `internal/plans/objchange` of OpenTofu.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tofutypes.comparison import is_wholly_known
from tofutypes.dynamic import Dynamic
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Step, describe
from tofutypes.narrowing import has_attributes, is_sequence
from tofutypes.provider.objchange.faults import Faults, count, fault, presence
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    elements_of,
    grouped,
    is_given,
    objects_in,
    same,
)
from tofutypes.schema import NestingMode
from tofutypes.sets import TofuSet, is_tofu_set
from tofutypes.types import DYNAMIC
from tofutypes.unknown import Unknown


def result_faults(parts: Parts, planned: object, result: object) -> Faults:
    """Find what Core would refuse in a new state.

    Args:
        parts: The schema of both.
        planned: The planned state.
        result: The new state; or the plan that Core asks for again during apply, which must agree
            with the first plan.
    """
    return _result_object(parts, planned, result, ())


def unknown_faults(result: object) -> Faults:
    """Find unknown values in a new state. No path leads into a set: the set itself is reported."""
    yield from _unknown_inside(result, ())


def _unknown_inside(value: object, at: Steps) -> Faults:
    if is_wholly_known(value):
        return
    inner = value.value if isinstance(value, Dynamic) else value
    inside: Mapping[Step, object] = {}
    if has_attributes(inner):
        inside = {
            AttributeStep(name): attribute for name, attribute in attributes_of(inner).items()
        }
    elif is_sequence(inner):
        inside = _by_position(inner)
    else:
        inside = _by_key(attributes_of(inner))
    if not inside:
        yield fault(at, "is still unknown after apply")
    for step, element in inside.items():
        yield from _unknown_inside(element, (*at, step))


def _result_object(parts: Parts, planned: object, result: object, at: Steps) -> Faults:
    if (planned is None) != (result is None):
        yield fault(at, f"was planned as {presence(planned)}, but is {presence(result)}")
        return
    before, after = attributes_of(planned), attributes_of(result)
    for part in parts:
        one, other, here = (
            before.get(part.name),
            after.get(part.name),
            (*at, AttributeStep(part.name)),
        )
        if part.attribute is None:
            yield from _result_blocks(part, one, other, here)
        elif one is not None or part.attribute.type is not DYNAMIC:
            faults = _value_faults(one, other, here)
            yield from _in_secret(faults, here) if part.secret else faults


def _in_secret(faults: Faults, at: Steps) -> Faults:
    if next(faults, None) is not None:
        yield fault(at, "is not what was planned")


def _result_blocks(part: Part, planned: object, result: object, at: Steps) -> Faults:
    assert part.nesting is not None
    if part.nesting in (NestingMode.SINGLE, NestingMode.GROUP):
        if not isinstance(planned, Unknown):
            yield from _result_object(part.inner, planned, result, at)
        return
    if not is_given(planned) or not is_given(result):
        return
    if part.nesting is NestingMode.SET:
        yield from _set_faults(elements_of(planned), elements_of(result), at, part.inner)
        return
    before, after = objects_in(part.nesting, planned), objects_in(part.nesting, result)
    if before.keys() != after.keys():
        yield fault(at, f"was planned with {count(before)}, but has {count(after)}")
        return
    for steps, planned_object in before.items():
        if not isinstance(planned_object, Unknown):
            yield from _result_object(part.inner, planned_object, after[steps], (*at, *steps))


def _value_faults(planned: object, result: object, at: Steps) -> Faults:
    if isinstance(planned, Unknown):
        if not planned.could_be(result):
            yield fault(at, "is outside the refinements of the planned unknown value")
    elif isinstance(result, Unknown):
        yield fault(at, "was planned as a known value, but is unknown")
    elif planned is None or result is None:
        if planned is not None or result is not None:
            yield fault(at, f"was planned as {describe(planned)}, but is {describe(result)}")
    elif isinstance(planned, Dynamic) or isinstance(result, Dynamic):
        yield from _dynamic_faults(planned, result, at)
    elif is_tofu_set(planned) and is_tofu_set(result):
        yield from _set_faults(list(planned), list(result), at, None)
    elif is_sequence(planned) and is_sequence(result):
        yield from _inside(_by_position(planned), _by_position(result), at)
    elif attributes_of(planned) or attributes_of(result):
        yield from _inside(_by_key(attributes_of(planned)), _by_key(attributes_of(result)), at)
    elif not same(planned, result):
        yield fault(at, "was planned as another value")


def _dynamic_faults(planned: object, result: object, at: Steps) -> Faults:
    if not isinstance(planned, Dynamic) or not isinstance(result, Dynamic):
        yield fault(at, f"was planned as {describe(planned)}, but is {describe(result)}")
    elif planned.type != result.type:
        yield fault(at, f"was planned as {planned.type}, but is {result.type}")
    else:
        yield from _value_faults(planned.value, result.value, at)


def _inside(planned: Mapping[Step, object], result: Mapping[Step, object], at: Steps) -> Faults:
    if planned.keys() != result.keys():
        yield fault(at, f"was planned with {count(planned)}, but has {count(result)}")
        return
    for step, element in planned.items():
        yield from _value_faults(element, result[step], (*at, step))


def _by_position(elements: Iterable[object]) -> dict[Step, object]:
    return {IndexStep(position): element for position, element in enumerate(elements)}


def _by_key(values: Mapping[str, object]) -> dict[Step, object]:
    return {KeyStep(key): value for key, value in values.items()}


def _set_faults(
    planned: list[object], result: list[object], at: Steps, parts: Parts | None
) -> Faults:
    def agree(one: object, other: object) -> bool:
        if isinstance(one, Unknown) and parts is not None:
            return True
        faults = (
            _value_faults(one, other, at)
            if parts is None
            else _result_object(parts, one, other, at)
        )
        return next(faults, None) is None

    if is_wholly_known(planned):
        # Nothing is left to be decided, so that it is enough to compare.
        if len(planned) != len(result) or not same(TofuSet(planned), TofuSet(result)):
            yield fault(at, "is not the set that was planned")
        return
    if len(result) > len(planned):
        yield fault(at, f"was planned with {count(planned)}, but has {count(result)}")
        return
    # Two elements can only agree if they have equal values in the attributes that are known in all
    # planned elements. Comparing within groups of such elements keeps this step linear.
    names = _known_names(planned, parts)
    keys, planned_by = grouped(planned, names)
    keys_after, result_by = grouped(result, names)
    if not all(
        any(agree(one, other) for other in result_by.get(key, ()))
        for one, key in zip(planned, keys, strict=True)
    ):
        yield fault(at, "lacks an element that was planned")
    elif not all(
        any(agree(one, other) for one in planned_by.get(key, ()))
        for other, key in zip(result, keys_after, strict=True)
    ):
        yield fault(at, "has an element that was not planned")


def _known_names(planned: list[object], parts: Parts | None) -> list[str]:
    """The attributes that are known in every element of a set."""
    names = set(attributes_of(planned[0]))
    if parts is not None:
        # Blocks have rules of their own, and null of type `dynamic` agrees with every value.
        names &= {
            part.name for part in parts if part.attribute and part.attribute.type is not DYNAMIC
        }
    for element in planned:
        attributes = attributes_of(element)
        names = {name for name in names if name in attributes and is_wholly_known(attributes[name])}
    return sorted(names)
