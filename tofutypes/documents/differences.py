"""What differs between two values of one resource, place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tofutypes.comparison import comparison_key
from tofutypes.documents.paths import layout_at, step_into
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.models.secrets import SECRET, has_marks, mark_at
from tofutypes.narrowing import is_dict, is_list
from tofutypes.sets import TofuSet
from tofutypes.types import MapType, SetType
from tofutypes.unknown import Unknown
from tofutypes.wire.layout import CollectionLayout, DynamicBlocksLayout, Layout


@dataclass(frozen=True, slots=True)
class Difference:
    """A place whose value differs before and after.

    Attributes:
        path: the place inside of the resource.
        before: the plain value before; None if there is none.
        after: the plain value after; an `Unknown` if it is decided at apply.
        sensitive: whether the values may not be shown; the repr does not show them.
    """

    path: Path
    before: object
    after: object
    sensitive: bool = False

    def __repr__(self) -> str:
        before, after = (SECRET, SECRET) if self.sensitive else (self.before, self.after)
        return f"Difference({str(self.path)!r}, before={before!r}, after={after!r})"


@dataclass(frozen=True, slots=True)
class _Side:
    value: object
    marks: object

    def at(self, step: Step) -> _Side:
        return _Side(step_into(self.value, step), mark_at(self.marks, step[0]))


def find_differences(
    before: object,
    after: object,
    layout: Layout | None,
    before_marks: object = None,
    after_marks: object = None,
) -> list[Difference]:
    """The differences between two plain values.

    Objects, maps and lists are compared part by part, also with null. Sets are compared as a whole,
    and so is what is sensitive.

    Args:
        before: the value before; None counts as an empty object.
        after: the value after; likewise.
        layout: what is known of both; without it, sets are compared as lists.
        before_marks: which parts of `before` are sensitive.
        after_marks: which parts of `after` are sensitive.
    """
    one = _Side({} if before is None else before, before_marks)
    other = _Side({} if after is None else after, after_marks)
    return list(_differences(one, other, layout, ()))


def _differences(
    one: _Side, other: _Side, layout: Layout | None, steps: tuple[Step, ...]
) -> Iterator[Difference]:
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    before, after = one.value, other.value
    # The keys inside of a sensitive value may be secrets: it is compared as a whole.
    whole = one.marks is True or other.marks is True or _is_set(layout)
    if not whole and _are(is_dict, before, after):
        in_map = isinstance(layout, CollectionLayout) and isinstance(layout.type, MapType)
        named = {**_members(before), **_members(after)}
        for name in named:
            step = KeyStep(str(name)) if in_map else AttributeStep(str(name))
            inner = layout_at(layout, step)
            yield from _differences(one.at(step), other.at(step), inner, (*steps, step))
    elif not whole and _are(is_list, before, after):
        for position in range(max(len(_elements(before)), len(_elements(after)))):
            step_in = IndexStep(position)
            inner = layout_at(layout, step_in)
            yield from _differences(one.at(step_in), other.at(step_in), inner, (*steps, step_in))
    elif _differ(before, after, layout):
        hidden = has_marks(one.marks) or has_marks(other.marks)
        yield Difference(Path(steps), before, after, hidden)


def _are(is_kind: Callable[[object], bool], before: object, after: object) -> bool:
    """Whether two values can be compared part by part: none of them, or a missing one."""
    filled = [value for value in (before, after) if value is not None]
    return bool(filled) and all(map(is_kind, filled)) and any(filled)


def _members(value: object) -> dict[object, object]:
    return value if is_dict(value) else {}


def _elements(value: object) -> list[object]:
    return value if is_list(value) else []


def _is_set(layout: Layout | None) -> bool:
    return isinstance(layout, CollectionLayout) and isinstance(layout.type, SetType)


def _differ(before: object, after: object, layout: Layout | None) -> bool:
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return True
    if _is_set(layout) and is_list(before) and is_list(after):
        return TofuSet(before) != TofuSet(after)
    return comparison_key(before) != comparison_key(after)
