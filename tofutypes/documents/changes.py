"""Changes of resources, typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from tofutypes.documents.actions import Actions, WithActions
from tofutypes.documents.addresses import InstanceKey, ModuleAddress, ResourceAddress, ResourceMode
from tofutypes.documents.change import Change, Importing
from tofutypes.documents.differences import Difference, find_differences
from tofutypes.documents.lazy import UnparsedChange
from tofutypes.documents.marks import with_schema_marks
from tofutypes.documents.paths import (
    PathLike,
    is_schema_sensitive,
    path_of,
    to_path,
)
from tofutypes.documents.records import (
    Member,
    Record,
    bounded,
    read_list,
    read_text,
    wrong,
)
from tofutypes.documents.typed import ModelClass, Models, Note, read_model
from tofutypes.documents.values import PLAN, Values, as_it_is, values_of
from tofutypes.errors import DocumentError, Path
from tofutypes.models import Model
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.layout import Layout, ObjectLayout

M_co = TypeVar("M_co", bound="Model | Values", covariant=True, default="Model | Values")


class ChangeContext:
    """What the changes of a plan share.

    Args:
        relevant: the attributes of a resource that changes may come from.
    """

    def __init__(self, relevant: Callable[[str], tuple[Path, ...]] = lambda _: ()) -> None:
        self._relevant = relevant
        self._last: tuple[object, Change, dict[str, object]] | None = None

    def relevant(self, address: ResourceAddress) -> tuple[Path, ...]:
        """The attributes of an instance that changes may come from."""
        return self._relevant(address.resource) or self._relevant(address)

    def take(self, owner: ResourceChange[Any], side: str) -> Change:
        """The parsed change of a resource, whose values on one side the caller may change.

        Both sides are mostly asked for one after the other: they are parsed once.
        """
        last, claim = self._last, object()
        # `setdefault` is atomic: of two threads, one has the side.
        if last is None or last[0] is not owner or last[2].setdefault(side, claim) is not claim:
            last = self._last = owner, owner.change, {side: claim}
        return last[1]


class ResourceChange(Record, WithActions, Generic[M_co]):
    """What a plan does to one instance of a resource, or to a deposed object of it.

    Attributes:
        provider_name: the address of its provider; a short name in documents of Terraform 0.12.
        deposed: the key of the deposed object that it is about; None for the current one.
        action_reason: why these actions, `replace_because_tainted`; None if there is no reason.
    """

    member_names = frozenset(
        {"address", "previous_address", "module_address", "mode", "type", "name", "index", "change"}
    )
    provider_name = Member(read_text)
    deposed = Member(read_text)
    action_reason = Member(read_text)

    def __init__(
        self,
        json: object,
        place: str,
        models: Models,
        context: ChangeContext | None = None,
        promised: ModelClass | None = None,
    ) -> None:
        self._unparsed = json if isinstance(json, UnparsedChange) else None
        super().__init__(json.head if isinstance(json, UnparsedChange) else json, place)
        self._models = models
        self._context = context or ChangeContext()
        self._promised = promised
        self._sides: dict[str, tuple[Model | Values | None, tuple[Note, ...]]] = {}

    @cached_property
    def address(self) -> ResourceAddress:
        """Where it is."""
        return address_of(self)

    @property
    def previous_address(self) -> ResourceAddress | None:
        """Where it was before it was moved; None if it was not."""
        text = read_text(self.members.get("previous_address"), self.place_of("previous_address"))
        return None if text is None else ResourceAddress(text)

    @property
    def mode(self) -> ResourceMode:
        """Managed, data or ephemeral."""
        return self.address.mode

    @property
    def type(self) -> str:
        """The type name."""
        return self.address.type

    @property
    def json(self) -> Mapping[str, Any]:
        return self.members if self._unparsed is None else self._unparsed.whole()

    def is_of(self, mode: str, type_name: str) -> bool:
        """Whether it is of a resource of this mode and type."""
        own = self.members.get("type")
        if isinstance(own, str) and own != type_name:
            return False  # without a look at the address
        return self.address.type == type_name and self.address.mode == mode

    @property
    def change(self) -> Change:
        """The part of the document with the values."""
        if self._unparsed is None:
            return Change(self.members.get("change"), self.place_of("change"))
        # Parsed anew each time, so it need not be copied.
        return Change(self._unparsed.change(), self.place_of("change"), as_it_is)

    @cached_property
    def _shape(self) -> Change:
        """The change without its values: what is unknown and what is sensitive."""
        members = {n: v for n, v in self.change.members.items() if n not in ("before", "after")}
        return Change(members, self.place_of("change"))

    @property
    def actions(self) -> Actions:
        return Change(self.members.get("change"), self.place_of("change")).actions

    @property
    def importing(self) -> Importing | None:
        """The import that is part of it; None if there is none."""
        return self._shape.importing

    @cached_property
    def model(self) -> ModelClass | None:
        """The class of `before` and `after`; None if no model is known."""
        if self._promised is not None:
            return self._promised
        address = self.address
        return self._models.model_for(address.mode, address.type, self.provider_name or "")

    @property
    def before(self) -> M_co | None:
        """The values before; None if the object does not exist yet.

        A model, or `Values` if no model is known or the values do not fit it: `notes` says why.

        Raises:
            DocumentError: If it comes from `changes_of`, which promises a model, and does not fit.
        """
        return self._side("before")

    @property
    def after(self) -> M_co | None:
        """The values after, with `Unknown` for what is decided at apply; None if it is destroyed.

        A model, or `Values` if no model is known or the values do not fit it: `notes` says why.

        Raises:
            DocumentError: If it comes from `changes_of`, which promises a model, and does not fit.
        """
        return self._side("after")

    @cached_property
    def before_values(self) -> Values | None:
        """The plain values before: all that the document has, whether a model has it or not."""
        return self._values(*self._plain("before"))

    @cached_property
    def after_values(self) -> Values | None:
        """The plain values after: all that the document has, whether a model has it or not."""
        return self._values(*self._plain("after"))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the models leave out, or why there are none."""
        if self.model is None:
            return (Note(Path(), f"no model of {self.mode.value} {self.type}"),)
        for side in ("before", "after"):
            self._read(side)
        notes = [note for side in ("before", "after") for note in self._sides[side][1]]
        return tuple(dict.fromkeys(notes))

    @property
    def replace_paths(self) -> tuple[Path, ...]:
        """The places whose changes are the reason to replace it."""
        place = self._shape.place_of("replace_paths")
        paths = read_list(self._shape.members.get("replace_paths"), place)
        return tuple(path_of(path, self.layout, place) for path in paths)

    @property
    def relevant_attributes(self) -> tuple[Path, ...]:
        """The attributes of this resource that changes of others may come from."""
        return self._context.relevant(self.address)

    def is_unknown(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is decided at apply only.

        A value of which only parts are unknown is known.

            change.is_unknown("disk[0].size")
        """
        return self._shape.is_unknown(path)

    def is_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive: by the schema or by marks, before or after.

        A value of which only parts are sensitive is not; see `holds_sensitive`.
        """
        where = to_path(path)
        return self._shape.is_sensitive(where) or is_schema_sensitive(self.layout, where)

    def holds_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive or has a part that is marked so."""
        return self.is_sensitive(path) or self._shape.holds_sensitive(path)

    def difference(self) -> list[Difference]:
        """The places whose values differ, with the plain values before and after.

        Objects, maps and lists are compared part by part. Sets are compared as a whole (without a
        model they are not known as sets), and so is what is sensitive.
        """
        (before, marks), (after, after_marks) = self._plain("before"), self._plain("after")
        layout = self.layout
        with bounded(self.place):
            return find_differences(
                before,
                after,
                layout,
                with_schema_marks(before, marks, layout),
                with_schema_marks(after, after_marks, layout),
            )

    @property
    def layout(self) -> ObjectLayout | None:
        """The layout of the model; None without one."""
        return None if self.model is None else self.model.__tofu_layout__()

    def _side(self, side: str) -> M_co | None:
        value, notes = self._read(side)
        if self._promised is not None and isinstance(value, Values):
            raise DocumentError(
                f"{self.address}: {side}: {notes[0]}; the plain values are in {side}_values"
            )
        return cast("M_co | None", value)

    def _read(self, side: str) -> tuple[Model | Values | None, tuple[Note, ...]]:
        if side not in self._sides:
            self._sides[side] = self._make_side(side)
        return self._sides[side]

    def _make_side(self, side: str) -> tuple[Model | Values | None, tuple[Note, ...]]:
        value, marks = self._plain(side)
        if value is None:
            return None, ()
        if self.model is None:
            return self._values(value, marks), ()
        first, layout = [value], self.layout

        def make() -> object:
            return _spread(first.pop() if first else self._plain(side)[0], layout)

        model, notes = read_model(self.model, make, PLAN, marks)
        if model is None:
            return self.before_values if side == "before" else self.after_values, notes
        return model, notes

    def _plain(self, side: str) -> tuple[object, object]:
        """The plain value of a side, anew, and its marks."""
        if self.members.get("change") is None:
            return None, None
        change = self.change if self._unparsed is None else self._context.take(self, side)
        if side == "before":
            return change.plain_before(), change.before_marks
        return change.plain_after(), change.after_marks

    def _values(self, value: object, marks: object) -> Values | None:
        if value is None:
            return None
        attributes = _spread(value, self.layout)
        if not isinstance(attributes, dict):
            raise wrong(self.place_of("change"), "an object", attributes)
        named = cast("dict[str, Any]", attributes)
        return values_of(named, with_schema_marks(named, marks, self.layout))

    def __repr__(self) -> str:
        return f"<ResourceChange {self.address}: {', '.join(self.actions)}>"


def _spread(value: object, layout: Layout | None) -> object:
    """An object; of an unknown one, the object of unknown attributes."""
    if not isinstance(value, Unknown):
        return value
    fields = layout.fields if isinstance(layout, ObjectLayout) else ()
    return {field.name: UNKNOWN for field in fields}


def address_of(resource: Record) -> ResourceAddress:
    """The address of a resource, also where a document has only its parts."""
    json = resource.members
    text = read_text(json.get("address"), resource.place_of("address"))
    try:
        if text is not None:
            return ResourceAddress(text)
        parts = [json.get(name) for name in ("type", "name", "mode", "module_address", "index")]
        type_name, name, mode, module, key = parts
        return ResourceAddress.of(
            str(type_name),
            str(name),
            cast("InstanceKey", key),
            ResourceMode(str(mode or "managed")),
            ModuleAddress(str(module or "")),
        )
    except (DocumentError, ValueError) as error:
        raise DocumentError(f"{resource.place_of('address')}: {error}") from None
