"""Judged payloads: our own in the folder `vectors`, and the shared ones where they are at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import pytest

from tests.conformance.cases import (
    Case,
    in_any_order,
    own_cases,
    shared_cases,
    tree,
)
from tofutypes import build_model
from tofutypes.errors import TofuTypesError
from tofutypes.types import ObjectType, Type
from tofutypes.unknown import UNKNOWN
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack

EXACT = "the reference rounds to 512 bits, we keep every digit"
TWO_KEYS = "two keys of a map are equal in NFC: the reference takes either by chance, we the last"
NEGATIVE_ZERO = "the reference sorts sets by a text in which zero has a sign, we have one zero"

# Where we differ from the judgement, by the number of the case; with the reason.
DEVIATIONS = {
    244: EXACT,
    245: EXACT,
    313: TWO_KEYS,
    2105: TWO_KEYS,
    2868: NEGATIVE_ZERO,
    3307: TWO_KEYS,
    4529: TWO_KEYS,
    6209: TWO_KEYS,
}


Record: TypeAlias = Callable[[str, object], None]
"""Pytest's `record_property`; `tests/conftest.py` prints what is recorded as `conformance`."""


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


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: type(route).__name__)
def test_own_vectors(route: Route, record_property: Record) -> None:
    report(route, own_cases(), record_property)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: type(route).__name__)
def test_shared_payloads(route: Route, shared: Path, record_property: Record) -> None:
    report(route, shared_cases(shared / "conformance" / "values.jsonl"), record_property)


def test_deviations_are_needed(shared: Path) -> None:
    cases = shared_cases(shared / "conformance" / "values.jsonl")
    numbered = {int(case.name.split()[0]): case for case in cases}
    for number in DEVIATIONS:
        assert fault_of(ByType(), numbered[number]), number


def report(route: Route, cases: Iterable[Case], record: Record) -> None:
    """Fail with every fault; tell how many cases of each kind there were."""
    judged = [case for case in cases if route.reads(case)]
    assert judged
    counts = Counter(case.must for case in judged)
    deviations = sum(map(deviates, judged))
    told = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("accept", "refuse", "unknown", "may"))
    record("conformance", told + (f"; {deviations} differ, by DEVIATIONS" if deviations else ""))
    faults = [
        f"{case.name}: {fault}"
        for case in judged
        if not deviates(case) and (fault := fault_of(route, case))
    ]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def deviates(case: Case) -> bool:
    number = case.name.split()[0]
    return number.isdecimal() and int(number) in DEVIATIONS


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
