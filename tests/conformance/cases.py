"""Judged cases: what a type or a payload is, and what must become of it.

A payload must be accepted as a given value and then written as given bytes and text, or be
refused, or be read as a wholly unknown value. What `may` be is up to us: refused, or accepted as
the reference accepts it.

A value is written as a tree of one-entry tables, each tagged with what it is: `{string = "a"}`,
`{number = "0.1"}`, `{null = true}`, `{unknown = {prefix = "a"}}`, `{list = [...]}`,
`{dynamic = TYPE, value = ...}`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tofutypes.dynamic import Dynamic
from tofutypes.narrowing import HasAttributes
from tofutypes.numbers import number_to_text
from tofutypes.type_parsing import parse_type
from tofutypes.types import (
    BOOL,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import Unknown

Must: TypeAlias = Literal["accept", "refuse", "unknown", "may"]
Tree: TypeAlias = dict[str, Any]

VECTORS = Path(__file__).parent / "vectors"
GENERATED = VECTORS / "generated.jsonl"


@dataclass(frozen=True)
class Case:
    """One payload and the judgement on it.

    Attributes:
        name: its number or its place, and what it is about.
        format: `msgpack` or `json`.
        type: the type constraint to read it by.
        data: the payload.
        must: the judgement.
        value: the value, if it is one.
        msgpack: how MessagePack writes the value.
        json: how JSON writes the value; None if the value has no JSON.
    """

    name: str
    format: Literal["msgpack", "json"]
    type: Type
    data: bytes
    must: Must
    value: Tree | None = None
    msgpack: bytes | None = None
    json: str | None = None


def shared_cases(file: Path) -> Iterator[Case]:
    """The judged payloads of a file such as `values.jsonl`."""
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        if "data_hex" in entry:
            data = bytes.fromhex(entry["data_hex"])
        elif entry["format"] == "msgpack":
            data = bytes.fromhex(entry["data"])
        else:
            data = entry["data"].encode()
        yield Case(
            name=f"{entry['id']} {entry['note']}",
            format=entry["format"],
            type=parse_type(entry["type"]),
            data=data,
            must=entry["must"],
            value=entry.get("value"),
            msgpack=bytes.fromhex(entry["msgpack"]) if "msgpack" in entry else None,
            json=entry.get("json"),
        )


def own_cases() -> Iterator[Case]:
    """The cases of the folder `vectors`: each with a payload in one format, or in both.

    `msgpack` and `json` are the canonical forms; `data` is another MessagePack form, `text`
    another JSON form of the same. Without them, the canonical ones are the payloads.
    """
    for file in sorted(VECTORS.glob("*.toml")):
        for number, entry in enumerate(tomllib.loads(file.read_text())["cases"], 1):
            yield from _own_case(f"{file.stem} {number}: {entry['about']}", entry)


def _own_case(name: str, entry: Mapping[str, Any]) -> Iterator[Case]:
    must: Must = "refuse" if "refuse" in entry else "unknown" if "unknown" in entry else "accept"
    canonical = bytes.fromhex(entry["msgpack"]) if "msgpack" in entry else None
    rest: dict[str, Any] = {
        "type": parse_type(entry["type"]),
        "must": must,
        "value": entry.get("value"),
        "msgpack": canonical,
        "json": entry.get("json"),
    }
    if "data" in entry or "text" in entry:
        payloads = {"msgpack": entry.get("data"), "json": entry.get("text")}
    else:
        payloads = {"msgpack": entry.get("msgpack"), "json": entry.get("json")}
    if payloads["msgpack"] is not None:
        yield Case(name, "msgpack", data=bytes.fromhex(payloads["msgpack"]), **rest)
    if payloads["json"] is not None:
        yield Case(name, "json", data=payloads["json"].encode(), **rest)


def tree(value: Any, type_: Type) -> Tree:
    """The tree of a value of a type, as the cases write it."""
    match value:
        case None:
            return {"null": True}
        case Unknown():
            return {"unknown": _known(value)}
        case Dynamic():
            return {"dynamic": value.type.to_object(), "value": tree(value.value, value.type)}
        case HasAttributes():
            value = value.__tofu_attributes__()
        case _:
            pass
    match type_:
        case _ if type_ in (STRING, BOOL):
            return {type_.friendly_name: value}
        case _ if type_ == NUMBER:
            return {"number": _digits(value)}
        case ListType(element=element):
            return {"list": [tree(each, element) for each in value]}
        case SetType(element=element):
            return {"set": [tree(each, element) for each in value]}
        case MapType(element=element):
            return {"map": {key: tree(each, element) for key, each in value.items()}}
        case TupleType(elements=elements):
            return {"tuple": [tree(*each) for each in zip(value, elements, strict=True)]}
        case ObjectType(attributes=attributes):
            return {"object": {name: tree(value[name], each) for name, each in attributes.items()}}
        case _:
            raise AssertionError(type_)


def _known(unknown: Unknown) -> Tree:
    known = unknown.refinements
    lower = None if known.lower is None else [_digits(known.lower), known.lower_inclusive]
    upper = None if known.upper is None else [_digits(known.upper), known.upper_inclusive]
    told = {
        "not_null": known.not_null or None,
        "prefix": known.prefix,
        "min": lower,
        "max": upper,
        "length_min": known.min_length,
        "length_max": known.max_length,
    }
    return {name: each for name, each in told.items() if each is not None}


def _digits(number: int | Decimal) -> str:
    if isinstance(number, Decimal) and number.is_infinite():
        return "inf" if number > 0 else "-inf"
    return number_to_text(number)


def in_any_order(value: Any) -> Any:
    """The tree with the elements of every set in one order: sets have none."""
    if isinstance(value, dict):
        plain = {key: in_any_order(each) for key, each in value.items()}
        if isinstance(plain.get("set"), list):
            plain["set"].sort(key=lambda each: json.dumps(each, sort_keys=True))
        return plain
    return [in_any_order(each) for each in value] if isinstance(value, list) else value
