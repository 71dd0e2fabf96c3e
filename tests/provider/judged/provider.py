"""A provider that plans and gives what a file of cases tells it to, and writes down what it got."""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from tests.provider.judged import things
from tofutypes import encode_msgpack, known, schema_of
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler, serve
from tofutypes.provider.server import service
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.service.requests import (
    ApplyResourceChangeRequest,
    PlanResourceChangeRequest,
)
from tofutypes.provider.service.responses import (
    ApplyResourceChangeResponse,
    PlanResourceChangeResponse,
)
from tofutypes.provider.service.wire_value import NULL, WireValue
from tofutypes.schema import implied_type

FOLDER = Path(os.environ.get("JUDGED", "."))
TYPE = implied_type(schema_of(things.Thing).block)


class Things(ResourceHandler[things.Thing]):
    def create(self, planned: things.Thing, context: ApplyContext[things.Thing]) -> things.Thing:
        raise NotImplementedError

    def delete(self, state: things.Thing, context: Context) -> None:
        raise NotImplementedError


class Judged(Provider):
    address = "registry.terraform.io/example/judged"
    resources = (Things,)


@cache
def cases() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = pickle.loads((FOLDER / "cases").read_bytes())
    return found


def case_of(config: bytes) -> dict[str, Any]:
    return cases()[known(things.Thing.from_msgpack(config).case)]


def plan(_: ResourceEndpoint, request: PlanResourceChangeRequest) -> PlanResourceChangeResponse:
    if request.config.is_null:
        return PlanResourceChangeResponse(NULL)
    case = case_of(request.config.msgpack)
    seen = FOLDER / "proposed" / case["name"]
    seen.write_bytes(request.proposed_new_state.msgpack)
    return PlanResourceChangeResponse(encoded(case["planned"]))


def apply(_: ResourceEndpoint, request: ApplyResourceChangeRequest) -> ApplyResourceChangeResponse:
    if request.config.is_null:
        return ApplyResourceChangeResponse(NULL)
    case = case_of(request.config.msgpack)
    return ApplyResourceChangeResponse(encoded(case["result"]))


def encoded(value: object) -> WireValue:
    return WireValue(encode_msgpack(value, TYPE))


if __name__ == "__main__":
    service.__dict__.update(plan=plan, apply=apply)
    serve(Judged)
