"""A provider that does everything wrong that a provider can do."""

import logging
import sys
from typing import Any

from tofutypes import UNKNOWN, Attr, ListBlock, NestedBlock, Resource, Unknown, known
from tofutypes.provider import (
    ApplyContext,
    Context,
    DeferredReason,
    PlanContext,
    Provider,
    ResourceHandler,
    serve,
)


class Part(NestedBlock):
    """A part."""

    size: Attr[int] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Thing(Resource, type_name="faulty_thing"):
    """A thing that goes wrong in the way that it names."""

    way: Attr[str] = Attr(required=True)
    text: Attr[str | None] = Attr(optional=True, default=None)
    secret: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    id: Attr[str | None] = Attr(computed=True, default=None)
    part: ListBlock[Part] = ListBlock(default=())


class Things(ResourceHandler[Thing]):
    """Goes wrong."""

    def plan(self, planned: Thing, context: PlanContext[Thing]) -> Any:
        match planned.way:
            case "plan another value":
                planned.text = "another"
            case "plan another element":
                planned.part = [Part(size=7), *known(planned.part)[1:]]
            case "plan nothing":
                return None
            case "defer":
                context.defer(DeferredReason.ABSENT_PREREQUISITE)
            case "plan a refinement":
                planned.id = Unknown(prefix="thing-", not_null=True)
        return planned

    def create(self, planned: Thing, context: ApplyContext[Thing]) -> Any:
        logging.getLogger("faulty").info("created", extra={"way": str(planned.way)})
        print("printed", planned.way)
        planned.id = "1"
        for part in known(planned.part):
            known(part).id = "2"
        match planned.way:
            case "give another value":
                planned.text = "another"
            case "give another secret":
                planned.secret = "swordfish"
            case "give another element":
                planned.part = [Part(size=1, id="1"), Part(size=7, id="2")]
            case "leave unknown":
                planned.id = UNKNOWN
            case "give nothing":
                return None
            case "give a dict":
                return {"way": "x"}
            case "raise":
                raise ValueError("swordfish")
            case "exit":
                sys.exit(3)
            case "save, then raise":
                context.save(planned)
                raise ValueError("swordfish")
        return planned

    def delete(self, state: Thing, context: Context) -> None:
        pass


class Faulty(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/faulty"
    resources = (Things,)


if __name__ == "__main__":
    serve(Faulty)
