"""A provider that notes what modules tell it, and whose resource has a default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tofutypes import Attr, DataSource, ProviderMeta, Resource
from tofutypes.provider import (
    ApplyContext,
    Context,
    DataSourceHandler,
    PlanContext,
    Provider,
    ResourceHandler,
    serve,
)


class ListeningMeta(ProviderMeta, type_name="listening"):
    """What a module says."""

    team: Attr[str | None] = Attr(optional=True, default=None)


class Thing(Resource, type_name="listening_thing"):
    name: Attr[str] = Attr(required=True)
    color: Attr[str | None] = Attr(optional=True, computed=True, default="red")
    serial: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class Note(DataSource, type_name="listening_note"):
    name: Attr[str] = Attr(required=True)
    old: Attr[str | None] = Attr(
        optional=True, deprecated=True, deprecation_message="Write a name.", default=None
    )


def hear(call: str, context: Context[ListeningMeta]) -> None:
    said = "nothing" if context.provider_meta is None else context.provider_meta.team
    with Path(os.environ["LISTENING"]).open("a") as file:
        file.write(f"{call} {said}\n")


class Things(ResourceHandler[Thing]):
    import_by = "name"

    def plan(self, planned: Thing, context: PlanContext[Thing, ListeningMeta]) -> Thing:
        hear("plan", context)
        return planned

    def create(self, planned: Thing, context: ApplyContext[Thing, ListeningMeta]) -> Thing:
        hear("create", context)
        planned.serial = "1"
        return planned

    def read(self, state: Thing, context: Context[ListeningMeta]) -> Thing:
        hear("read", context)
        state.color, state.serial = state.color or "red", "1"
        return state

    def delete(self, state: Thing, context: Context[ListeningMeta]) -> None:
        hear("delete", context)


class Notes(DataSourceHandler[Note]):
    def read(self, config: Note, context: Context[ListeningMeta]) -> Note:
        hear("data", context)
        return config


class Listening(Provider[Any]):
    address = "registry.opentofu.org/example/listening"
    provider_meta = ListeningMeta
    resources = (Things,)
    data_sources = (Notes,)


if __name__ == "__main__":
    serve(Listening)
