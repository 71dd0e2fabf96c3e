"""Depth: what is nested without end is an error of ours, or is shown in short."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.models.samples import Server
from tofutypes import (
    UNKNOWN,
    Dynamic,
    Limits,
    TofuSet,
    TofuTypesError,
    build_model,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    parse_type,
    read_schemas,
    schema_of,
    use_limits,
)
from tofutypes.sets import set_of_parsed
from tofutypes.types import DYNAMIC, STRING, ListType, ObjectType

DEPTH = Limits().depth


def deep_list() -> object:
    value: object = "x"
    for _ in range(50_000):
        value = [value]
    return value


def deep_dict() -> object:
    value: object = "x"
    for _ in range(50_000):
        value = {"k": value}
    return value


def endless_list() -> object:
    value: list[object] = []
    value.append(value)
    return value


def endless_dict() -> object:
    value: dict[str, object] = {}
    value["k"] = value
    return value


MAKERS = (deep_list, deep_dict, endless_list, endless_dict)


def dynamic(make: Callable[[], object]) -> Dynamic:
    return Dynamic(make(), ListType(STRING))  # with its type, a value is not looked at


def server(make: Callable[[], object]) -> Any:
    made: Any = Server(name="a")
    made.__dict__.update(names=make(), anything=dynamic(make))  # behind its back
    return made


USES: dict[str, Callable[[Callable[[], object]], object]] = {
    "attribute": lambda make: Server(name="a", anything=make()),  # type: ignore[arg-type]
    "list": lambda make: Server(name="a", names=[make()]),  # type: ignore[list-item]
    "block": lambda make: Server.model_validate({"name": "a", "disk": [make()]}),
    "instance": lambda make: Server.model_validate(make()),
    "assigned": lambda make: setattr(Server(name="a"), "anything", make()),
    "encoded": lambda make: server(make).to_msgpack(),
    "encoded as JSON": lambda make: server(make).to_json(),
    "dumped": lambda make: server(make).model_dump(),
    "dumped as JSON": lambda make: server(make).model_dump_json(),
    "equal": lambda make: server(make) == server(make),
    "unequal": lambda make: server(make) != server(make),
    "deep copy": lambda make: copy.deepcopy(server(make)),
    "model copy": lambda make: server(make).model_copy(deep=True),
    "shown": lambda make: (repr(server(make)), str(server(make))),
    "Dynamic": lambda make: Dynamic(make()),
    "Dynamic encoded": lambda make: encode_msgpack(dynamic(make), DYNAMIC),
    "Dynamic equal": lambda make: dynamic(make) == dynamic(make),
    "Dynamic hash": lambda make: hash(dynamic(make)),
    "Dynamic shown": lambda make: (repr(dynamic(make)), str(dynamic(make))),
    "Dynamic copy": lambda make: copy.copy(dynamic(make)),
    "Dynamic deep copy": lambda make: copy.deepcopy(dynamic(make)),
    "set": lambda make: TofuSet([make()]),
    "set read": lambda make: len(set_of_parsed([make(), make()])),
    "set equal": lambda make: set_of_parsed([make()]) == set_of_parsed([make()]),
    "set shown": lambda make: repr(set_of_parsed([make()])),
    "set deep copy": lambda make: copy.deepcopy(set_of_parsed([make()])),
    "in a set": lambda make: make() in TofuSet(["a"]),
    "refinements": lambda make: UNKNOWN.could_be(make()),
    "type": lambda make: parse_type(make()),  # type: ignore[arg-type]
    "schema document": lambda make: read_schemas({"provider_schemas": {"a": make()}}),
    "type in a schema": lambda make: read_schemas(document(make())),
}


def document(type_: object) -> dict[str, object]:
    block = {"attributes": {"a": {"type": type_, "optional": True}}}
    return {
        "format_version": "1.0",
        "provider_schemas": {"a": {"resource_schemas": {"r": {"version": 0, "block": block}}}},
    }


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: str(make.__name__))
@pytest.mark.parametrize("use", USES)
def test_nested_without_end(use: str, make: Callable[[], object]) -> None:
    error = raised_by(lambda: USES[use](make))
    assert len(str(error)) < 300
    assert repr(error)


def raised_by(use: Callable[[], object]) -> TofuTypesError | None:
    try:
        use()
    except TofuTypesError as error:
        return error
    return None


def test_what_is_nested_too_deeply_is_shown_in_short() -> None:
    assert repr(dynamic(deep_list)) == (
        """Dynamic((nested too deeply to be shown), parse_type('["list","string"]'))"""
    )
    assert str(server(deep_list)) == repr(server(deep_list))[len("Server(") : -1]


def nested(opening: str, levels: int) -> str:
    closing = "".join({"[": "]", "{": "}"}[each] for each in reversed(opening) if each in "[{")
    return opening * levels + '"string"' + closing * levels


TYPES = {"list": '["list",', "tuple": '["tuple",[', "map": '["map",', "object": '["object",{"a":'}


@pytest.mark.parametrize("kind", TYPES)
def test_as_deep_as_types_may_be(kind: str) -> None:
    # One less: the attribute of the model is a level too.
    type_, value = parse_type(nested(TYPES[kind], DEPTH - 1)), "x"
    for _ in range(DEPTH - 1):
        value = [value] if kind in ("list", "tuple") else {"a": value}  # type: ignore[assignment]
    model: Any = build_model(ObjectType({"v": type_}), name="Deep")
    made = model(v=value)
    assert model.from_msgpack(made.to_msgpack()) == made == copy.deepcopy(made)
    assert model.from_json(made.to_json()) == made
    assert schema_of(model) is not None
    assert "x" in repr(made)
    assert made.model_dump()
    assert model.model_json_schema()["properties"].keys() == {"v"}
    with pytest.raises(TofuTypesError, match=r"^v"):
        model(v=3)
    given = Dynamic(value, type_)
    read = decode_msgpack(encode_msgpack(given, DYNAMIC), DYNAMIC)
    assert decode_json(encode_json(given, DYNAMIC), DYNAMIC) == read


@pytest.mark.parametrize("levels", [DEPTH + 1, 1000, 100_000])
@pytest.mark.parametrize("opening", TYPES.values())
def test_deeper_text(opening: str, levels: int) -> None:
    with pytest.raises(TofuTypesError, match="deep"):
        parse_type(nested(opening, levels))
    with pytest.raises(TofuTypesError):
        decode_json('{"type":' + nested(opening, levels) + ',"value":null}', DYNAMIC)
    with pytest.raises(TofuTypesError):
        read_schemas(document(nested(opening, levels)))


@pytest.mark.parametrize("levels", [DEPTH + 1, 1000, 100_000])
@pytest.mark.parametrize("data", [b"\x91", b"\x81\xa1a", b"\x92\xc4\x09" + b'"dynamic"'])
def test_deeper_messagepack(data: bytes, levels: int) -> None:
    for type_ in (DYNAMIC, ListType(STRING), parse_type('["set","dynamic"]')):
        with pytest.raises(TofuTypesError):
            decode_msgpack(data * levels + b"\xc3", type_)
    with pytest.raises(TofuTypesError):
        Server.from_msgpack(data * levels + b"\xc0")


def test_more_depth_than_pythons_stack_has() -> None:
    with use_limits(Limits(depth=10 * sys.getrecursionlimit())):
        for make in MAKERS:
            with pytest.raises(TofuTypesError):
                encode_msgpack(make(), DYNAMIC)
        with pytest.raises(TofuTypesError):
            parse_type(nested('["list",', 2000))
