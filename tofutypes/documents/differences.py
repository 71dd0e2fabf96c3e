"""What differs between two values of one resource, place by place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tofutypes.comparison import comparison_key
from tofutypes.documents.paths import layout_at, step_into
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.models.secrets import SECRET, has_marks, mark_at
from tofutypes.narrowing import is_dict, is_list
from tofutypes.sets import TofuSet
from tofutypes.types import MapType, SetType
from tofutypes.unknown import Unknown
from tofutypes.wire.layout import CollectionLayout, DynamicBlocksLayout, Layout, ObjectLayout


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

    Objects, maps and lists are compared part by part, sets as a whole.

    Args:
        before: the value before; None counts as an empty object.
        after: the value after; likewise.
        layout: what is known of both; without it, sets are compared as lists.
        before_marks: which parts of `before` are sensitive.
        after_marks: which parts of `after` are sensitive.
    """
    one = _Side({} if before is None else before, before_marks)
    other = _Side({} if after is None else after, after_marks)
    return list(_differences(one, other, layout, (), secret=False))


def _differences(
    one: _Side, other: _Side, layout: Layout | None, steps: tuple[Step, ...], *, secret: bool
) -> Iterator[Difference]:
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    before, after = one.value, other.value
    # The keys inside of a sensitive value may be secrets: it is compared as a whole.
    whole = secret or one.marks is True or other.marks is True
    if not whole and is_dict(before) and is_dict(after):
        in_map = isinstance(layout, CollectionLayout) and isinstance(layout.type, MapType)
        for name in [*before, *(name for name in after if name not in before)]:
            step = KeyStep(str(name)) if in_map else AttributeStep(str(name))
            yield from _inside(one, other, layout, steps, step)
    elif not whole and is_list(before) and is_list(after) and not _is_set(layout):
        for position in range(max(len(before), len(after))):
            yield from _inside(one, other, layout, steps, IndexStep(position))
    elif _differ(before, after, layout):
        hidden = whole or has_marks(one.marks) or has_marks(other.marks)
        yield Difference(Path(steps), before, after, hidden)


def _inside(
    one: _Side, other: _Side, layout: Layout | None, steps: tuple[Step, ...], step: Step
) -> Iterator[Difference]:
    secret = isinstance(layout, ObjectLayout) and any(
        field.sensitive for field in layout.fields if field.name == step[0]
    )
    inner = layout_at(layout, step)
    yield from _differences(one.at(step), other.at(step), inner, (*steps, step), secret=secret)


def _is_set(layout: Layout | None) -> bool:
    return isinstance(layout, CollectionLayout) and isinstance(layout.type, SetType)


def _differ(before: object, after: object, layout: Layout | None) -> bool:
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return True
    if _is_set(layout) and is_list(before) and is_list(after):
        return TofuSet(before) != TofuSet(after)
    return comparison_key(before) != comparison_key(after)
