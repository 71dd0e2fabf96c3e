"""What a dock is: the model of `harbor_dock`, with nested attributes of every mode (protocol 6)."""

from tofutypes import (
    AnyList,
    AnyMap,
    AnyNumber,
    AnySet,
    Attr,
    NestedObject,
    Nullable,
    Number,
    Object,
    Resource,
    TofuSet,
)


class Crane(NestedObject):
    """The crane of a dock."""

    reach: Attr[Number, AnyNumber] = Attr(required=True)
    """Meters."""

    serial: Attr[str | None] = Attr(computed=True, default=None)


class Lane(NestedObject):
    """A lane to the dock."""

    width: Attr[Number, AnyNumber] = Attr(required=True)
    """Meters."""

    buoy: Attr[str | None] = Attr(computed=True, default=None)


class Rule(NestedObject):
    """What may be handled here."""

    cargo: Attr[str] = Attr(required=True)
    allowed: Attr[bool | None] = Attr(optional=True, default=None)


class Slot(NestedObject):
    """A place for a ship."""

    length: Attr[Number, AnyNumber] = Attr(required=True)
    """Meters."""

    free: Attr[bool | None] = Attr(computed=True, default=None)


class Opening(Object):
    """When it opens on a day."""

    day: Attr[str]
    hour: Attr[int]


class Dock(Resource, type_name="harbor_dock"):
    """A dock, which takes its time to build."""

    name: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)

    build_seconds: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
    """How long it takes to build. No time if not set."""

    crane: Attr[Crane | None] = Attr(optional=True, default=None)
    lanes: Attr[list[Nullable[Lane]] | None, AnyList[Lane] | None] = Attr(
        optional=True, default=None
    )
    rules: Attr[TofuSet[Nullable[Rule]] | None, AnySet[Rule] | None] = Attr(
        optional=True, default=None
    )
    slots: Attr[dict[str, Nullable[Slot]] | None, AnyMap[Slot] | None] = Attr(
        optional=True, default=None
    )
    openings: Attr[TofuSet[Nullable[Opening]] | None, AnySet[Opening] | None] = Attr(
        optional=True, default=None
    )
