"""A provider that plans and gives what a file of cases tells it to, and writes down what it got."""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from tests.provider.judged import things
from tofutypes import encode_msgpack, implied_type, known, schema_of
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler, serve
from tofutypes.provider.messages.dynamic_value import NULL, is_null
from tofutypes.provider.proto.tfplugin6_pb2 import (
    ApplyResourceChange,
    DynamicValue,
    PlanResourceChange,
)
from tofutypes.provider.server import service
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint

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


def plan(_: ResourceEndpoint, request: PlanResourceChange.Request) -> PlanResourceChange.Response:
    if is_null(request.config):
        return PlanResourceChange.Response(planned_state=DynamicValue(msgpack=NULL))
    case = case_of(request.config.msgpack)
    seen = FOLDER / "proposed" / case["name"]
    seen.write_bytes(request.proposed_new_state.msgpack)
    return PlanResourceChange.Response(planned_state=packed(case["planned"]))


def apply(
    _: ResourceEndpoint, request: ApplyResourceChange.Request
) -> ApplyResourceChange.Response:
    if is_null(request.config):
        return ApplyResourceChange.Response(new_state=DynamicValue(msgpack=NULL))
    case = case_of(request.config.msgpack)
    return ApplyResourceChange.Response(new_state=packed(case["result"]))


def packed(value: object) -> DynamicValue:
    return DynamicValue(msgpack=encode_msgpack(value, TYPE))


if __name__ == "__main__":
    service.__dict__.update(plan=plan, apply=apply)
    serve(Judged)
