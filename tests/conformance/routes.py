"""The ways in which judged payloads are read and written, and what goes wrong on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tests.conformance.cases import Case, in_any_order, tree
from tofutypes import build_model
from tofutypes.errors import TofuTypesError
from tofutypes.types import ObjectType, Type
from tofutypes.unknown import UNKNOWN
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack


class Route(Protocol):
    """A way to read and write the payloads that are judged."""

    def reads(self, case: Case) -> bool:
        """Whether the case can go this way."""
        ...

    def decode(self, case: Case) -> Any: ...
    def encode_msgpack(self, value: Any, type: Type) -> bytes: ...
    def encode_json(self, value: Any, type: Type) -> str: ...


@dataclass(frozen=True)
class ByType:
    """By type constraint, without a model."""

    def reads(self, case: Case) -> bool:
        return True

    def decode(self, case: Case) -> Any:
        decode: Any = decode_msgpack if case.format == "msgpack" else decode_json
        return decode(case.data, case.type)

    def encode_msgpack(self, value: Any, type: Type) -> bytes:
        return encode_msgpack(value, type)

    def encode_json(self, value: Any, type: Type) -> str:
        return encode_json(value, type)


@dataclass(frozen=True)
class ByModel:
    """By a model whose attributes are those of the object. (No model is null or unknown.)"""

    def reads(self, case: Case) -> bool:
        whole = case.must == "unknown" or (case.value is not None and "object" not in case.value)
        return isinstance(case.type, ObjectType) and not whole

    def decode(self, case: Case) -> Any:
        model = model_with(case.type)
        read = model.from_msgpack if case.format == "msgpack" else model.from_json
        return read(case.data)

    def encode_msgpack(self, value: Any, type: Type) -> Any:
        return value.to_msgpack()

    def encode_json(self, value: Any, type: Type) -> Any:
        return value.to_json()


@dataclass(frozen=True)
class ByAttribute:
    """By a model with one attribute, which holds the value."""

    def reads(self, case: Case) -> bool:
        return True

    def decode(self, case: Case) -> Any:
        model = model_with(ObjectType({"v": case.type}))
        if case.format == "msgpack":
            return model.from_msgpack(b"\x81\xa1v" + case.data).v
        return model.from_json(b'{"v":' + case.data + b"}").v

    def encode_msgpack(self, value: Any, type: Type) -> Any:
        model = model_with(ObjectType({"v": type}))
        return model(v=value).to_msgpack().removeprefix(b"\x81\xa1v")

    def encode_json(self, value: Any, type: Type) -> Any:
        model = model_with(ObjectType({"v": type}))
        return model(v=value).to_json().removeprefix('{"v":').removesuffix("}")


MODELS: dict[Type, Any] = {}


def model_with(type_: Type) -> Any:
    """The model of an object type, made once."""
    assert isinstance(type_, ObjectType)
    if type_ not in MODELS:
        MODELS[type_] = build_model(type_, name="Case")
    return MODELS[type_]


# Each case goes every way that can take it.
ROUTES: list[Route] = [ByType(), ByModel(), ByAttribute()]


def fault_of(route: Route, case: Case) -> str | None:
    """What is wrong with what becomes of the case; None if nothing is."""
    try:
        value = route.decode(case)
    except TofuTypesError as error:
        return None if case.must in ("refuse", "may") else f"refused: {error}"
    if case.must == "refuse":
        return "accepted"
    if case.must == "unknown":
        return None if value == UNKNOWN else "not read as unknown"
    if case.value is None or (case.must == "may" and case.msgpack is None):
        return None
    read = in_any_order(tree(value, case.type))
    if read != in_any_order(case.value):
        return f"read as {read}"
    return written_wrongly(route, case, value)


def written_wrongly(route: Route, case: Case, value: object) -> str | None:
    data = route.encode_msgpack(value, case.type)
    text = None if case.json is None else route.encode_json(value, case.type)
    if case.msgpack is not None and data != case.msgpack:
        return f"written as {data.hex(' ')}"
    return f"written as {text}" if text != case.json else None
