"""What is fuzzed: each target takes any bytes and must end in a value or in an error of ours.

An input for values by type is a line with the type constraint, then the payload; one for models is
two bytes with the number of the model, a byte for the format, then the payload.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.conformance.cases import own_cases
from tests.fuzz import documents, messages, relay
from tofutypes import (
    Model,
    TofuTypesError,
    build_model,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    parse_type,
    read_schemas,
)
from tofutypes.schema import implied_type, write_schemas
from tofutypes.types import ObjectType, Type

Check: TypeAlias = Callable[[bytes], None]

ROOT: Final = Path(__file__).parents[2]
NIMBUS: Final = ROOT / "examples" / "nimbus" / "schema.json"
SHARED: Final = ROOT.parent / "shared"
KEPT: Final = Path(__file__).parent / "kept"
"""Inputs that once found something, by target."""

type_of = lru_cache(maxsize=4096)(parse_type)


def check_types(data: bytes) -> None:
    """A type constraint: its canonical text is the same type again."""
    type_ = parse_type(data)
    again = parse_type(type_.to_json())
    assert again == type_, "the canonical text is another type"
    assert hash(again) == hash(type_)
    assert again.to_json() == type_.to_json()
    assert parse_type(type_.to_object()) == type_
    assert str(type_), repr(type_)


def check_msgpack(data: bytes) -> None:
    """MessagePack by type."""
    line, _, payload = data.partition(b"\n")
    type_ = type_of(line)
    check_value(decode_msgpack(payload, type_), type_)


def check_json(data: bytes) -> None:
    """JSON by type."""
    line, _, payload = data.partition(b"\n")
    type_ = type_of(line)
    check_value(decode_json(payload, type_), type_)


def check_value(value: object, type_: Type) -> None:
    """What was read can be written, read again as the same, and shown."""
    written = encode_msgpack(value, type_)
    again = decode_msgpack(written, type_)
    assert again == value, "read again, it is another value"
    assert encode_msgpack(again, type_) == written, "written again, it is other bytes"
    assert repr(value)
    with suppress(TofuTypesError):  # of unknown values and infinities
        decode_json(encode_json(value, type_), type_)


def check_schemas(data: bytes) -> None:
    """A schema document: written, it is the same again, and has models."""
    for provider in (read := read_schemas(data)).values():
        for schema in provider.resources.values():
            with suppress(TofuTypesError):  # it may break rules
                build_model(schema, name="Fuzzed").model_json_schema()
    again = read_schemas(write_schemas(read))
    assert again == read, "written, it is another document"


def check_models(data: bytes) -> None:
    """A model, in either format."""
    known = models()
    model, _ = known[int.from_bytes(data[:2]) % len(known)]
    made = (model.from_json if data[2:3] == b"j" else model.from_msgpack)(data[3:])
    written = made.to_msgpack()
    again = model.from_msgpack(written)
    assert again == made, "read again, it is another value"
    assert again.to_msgpack() == written, "written again, it is other bytes"
    assert repr(made)
    with suppress(TofuTypesError):
        model.from_json(made.to_json())


TARGETS: Final[dict[str, Check]] = {
    "types": check_types,
    "msgpack": check_msgpack,
    "json": check_json,
    "schemas": check_schemas,
    "models": check_models,
    "plans": documents.check_plans,
    "states": documents.check_states,
    "plugin": messages.check_plugin,
    "host": messages.check_host,
    "relay": relay.check_relay,
}


def seeds(target: str) -> list[bytes]:
    """Where mutation starts: well-formed inputs, and those that were kept."""
    kept = [file.read_bytes() for file in sorted((KEPT / target).glob("*"))]
    return [*_SEEDS[target](), *kept]


def _type_seeds() -> Iterator[bytes]:
    yield from {case.type.to_json().encode() for case in own_cases()}
    yield b'["object",{"a":"string","b":["tuple",["number",["set","dynamic"]]]},["b"]]'
    yield from (_nested(kind, 40) for kind in ('["list",', '["tuple",[', '["object",{"a":'))


def _nested(opening: str, levels: int) -> bytes:
    closing = "".join({"[": "]", "{": "}"}[each] for each in reversed(opening) if each in "[{")
    return (opening * levels + '"string"' + closing * levels).encode()


def _value_seeds(format_: str) -> Iterator[bytes]:
    for case in own_cases():
        if case.format == format_:
            yield case.type.to_json().encode() + b"\n" + case.data


def _schema_seeds() -> Iterator[bytes]:
    """The example cloud in parts: whole, a mutation would seldom meet anything."""
    document = json.loads(NIMBUS.read_bytes())
    [(address, provider)] = document.pop("provider_schemas").items()
    for kind, schemas in provider.items():
        parts = [schemas] if kind == "provider" else [{name: schemas[name]} for name in schemas]
        for part in parts:
            yield json.dumps({**document, "provider_schemas": {address: {kind: part}}}).encode()


def _model_seeds() -> Iterator[bytes]:
    for number, (_, payloads) in enumerate(models()):
        yield from (number.to_bytes(2) + payload for payload in payloads)


_SEEDS: Final[dict[str, Callable[[], Iterator[bytes]]]] = {
    "types": _type_seeds,
    "msgpack": partial(_value_seeds, "msgpack"),
    "json": partial(_value_seeds, "json"),
    "schemas": _schema_seeds,
    "models": _model_seeds,
    "plans": documents.plan_seeds,
    "states": documents.state_seeds,
    "plugin": messages.plugin_seeds,
    "host": messages.host_seeds,
    "relay": relay.relay_seeds,
}


@cache
def models() -> list[tuple[type[Model], list[bytes]]]:
    """Models, each with payloads of it: the example cloud, and real providers if they are there."""
    found = [*_models_of(NIMBUS, None)]
    payloads = SHARED / "benchmarks" / "payloads.json"
    if payloads.is_file():
        for name, (type_json, data) in json.loads(payloads.read_bytes()).items():
            model: type[Model] = build_model(parse_type(type_json), name=name)
            found.append((model, [b"m" + base64.b64decode(data)]))
        files = sorted((SHARED / "schemas").glob("*.json*"))
        found += chain.from_iterable(_models_of(file, 60) for file in files)
    return found


def _models_of(document: Path, most: int | None) -> Iterator[tuple[type[Model], list[bytes]]]:
    """The models of a document's resources; of many, some that are spread over all."""
    for provider in read_schemas(document).values():
        resources = list(provider.resources.items())
        step = 1 if most is None else max(1, len(resources) // most)
        for name, schema in resources[::step]:
            type_ = implied_type(schema.block)
            value = _value_of(type_, 0)
            data, text = encode_msgpack(value, type_), encode_json(value, type_)
            yield build_model(schema, name=name), [b"m" + data, b"j" + text.encode()]


def _value_of(type_: Type, depth: int) -> Any:
    """A value of a type, in which everything is there once."""
    match type_.to_object():
        case "string":
            return "né"
        case "number":
            return 1.5
        case "bool":
            return True
        case ["list" | "set", *_]:
            return [_value_of(each, depth + 1) for each in type_.inner_types()]
        case ["map", *_]:
            [element] = type_.inner_types()
            return {"k": _value_of(element, depth + 1)}
        case ["tuple", *_]:
            return [_value_of(each, depth + 1) for each in type_.inner_types()]
        case _ if isinstance(type_, ObjectType) and depth < 8:
            return {name: _value_of(each, depth + 1) for name, each in type_.attributes.items()}
        case ["object", *_]:
            return None
        case _:
            return {"any": ["thing", 1]}
