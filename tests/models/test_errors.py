"""Errors hold no values, and neither do reprs of secrets."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import msgpack
import pydantic
import pytest

from tests.models.samples import Disk, Login, Server
from tofutypes import (
    DecodeError,
    EncodeError,
    InvalidValueError,
    Resource,
    SchemaError,
    TofuTypesError,
    ValidationError,
    build_model,
)
from tofutypes.errors import AttributeStep, IndexStep, KeyStep
from tofutypes.models.errors import SeveralInvalidValuesError, validation_error
from tofutypes.schema import Block

CANARY = "s3cr3t-canary"
NAME: dict[str, Any] = {"name": "a"}

# A bad value, and a good one that is secret beside it.
BAD_VALUES: dict[str, dict[str, Any]] = {
    "a string for a number": {"price": CANARY},
    "a string for a list": {"names": CANARY},
    "a string for a block": {"root": CANARY},
    "in a list": {"points": [{"x": CANARY}]},
    "in a map": {"logins": {"k": {"user": "a", "password": [CANARY]}}},
    "in a block": {"disk": [{"size": CANARY}]},
    "in a tuple": {"place": [CANARY, CANARY]},
    "in a dynamic value": {"anything": {"a": CANARY, "b": object()}},
    "a name too many": {"nmae": CANARY},
    "a name too many in a block": {"disk": [{"size": 1, "nmae": CANARY}]},
    "something missing": {"logins": {"k": {"password": CANARY}}},
    "bytes": {"secret": CANARY.encode()},
    "half a character": {"secret": CANARY + "\ud800"},
    "another class": {"root": Login(user="a", password=CANARY)},
    "secrets beside it": {"secret": CANARY, "admin": {"user": "a", "password": CANARY}, "on": 3},
}


def texts_of(error: BaseException) -> str:
    """Everything that an error, and what it comes from, can be made to say."""
    said = [str(error), repr(error), *map(repr, error.args)]
    said += traceback.format_exception(error, chain=True)[-1:]
    if isinstance(error, pydantic.ValidationError):
        said += [repr(error.errors()), error.json(), error.title]
    for inner in (error.__cause__, error.__context__):
        if inner is not None and not error.__suppress_context__:
            said.append(texts_of(inner))
    return "\n".join(said)


def uses(given: dict[str, Any]) -> list[Callable[[], object]]:
    server = Server.model_construct(**(NAME | given))

    def assign() -> None:
        made = Server(name="a")
        for name, value in given.items():
            setattr(made, name, value)

    return [
        lambda: Server(**(NAME | given)),
        lambda: Server.model_validate(NAME | given),
        assign,
        lambda: (server.to_msgpack(), server.to_json()),
    ]


@pytest.mark.parametrize("what", BAD_VALUES)
def test_no_value_is_in_an_error(what: str) -> None:
    raised: list[TofuTypesError] = []
    for use in uses(BAD_VALUES[what]):
        try:
            use()
        except TofuTypesError as error:
            raised.append(error)
    assert len(raised) >= 3
    assert all(CANARY not in texts_of(error) for error in raised)


@pytest.mark.parametrize("what", BAD_VALUES)
def test_no_value_is_in_an_error_of_decoding(what: str) -> None:
    def plain(value: Any) -> Any:
        return CANARY if type(value) is object or isinstance(value, Login) else str(value)

    values = dict.fromkeys(Server.model_fields) | NAME | BAD_VALUES[what]
    wire = msgpack.packb(values, default=plain, unicode_errors="surrogatepass")
    with pytest.raises(DecodeError) as raised:
        Server.from_msgpack(wire)
    assert CANARY not in texts_of(raised.value)


@pytest.mark.parametrize("text", [f'{{"name": "{CANARY}', f'{{"name": "a", "price": "{CANARY}"}}'])
def test_no_value_is_in_an_error_of_json(text: str) -> None:
    for read in (Server.from_json, Server.model_validate_json):
        with pytest.raises(TofuTypesError) as raised:
            read(text)
        assert CANARY not in texts_of(raised.value)


def test_secrets_are_in_no_repr(caplog: pytest.LogCaptureFixture) -> None:
    server = Server(
        name="a",
        secret=CANARY,
        key=CANARY,
        admin=Login(user="a", password=CANARY),
        logins={"k": Login(user="a", password=CANARY)},
    )
    decoded = Server.from_msgpack(server.to_msgpack())
    for each in (server, decoded, copy.copy(server), pickle.loads(pickle.dumps(server))):
        for text in (repr(each), str(each), f"{each}", f"{[each]}", "%s" % each, f"{each!r:>9}"):  # noqa: UP031
            assert CANARY not in text
            assert text.count("(sensitive)") == 4
        logging.getLogger(__name__).warning("made %s", each)
    assert CANARY not in caplog.text
    assert CANARY not in str(Server.model_json_schema())
    assert repr(Login(user="a")) == "Login(user='a')"


def test_the_error_is_pydantics_too() -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        Disk.model_validate({"size": "a"})
    error = raised.value
    assert isinstance(error, ValidationError)
    assert isinstance(error, TofuTypesError)
    assert isinstance(error, ValueError)
    assert (error.title, error.error_count()) == ("Disk", 1)
    [each] = error.errors()
    assert each["loc"] == ("size",)
    assert each["msg"] == "expected a number, got a string"
    assert each["input"] is None


def test_errors_by_path() -> None:
    inner = [
        InvalidValueError("no {brace}", [AttributeStep("disk"), IndexStep(0)]),
        InvalidValueError("nothing", [KeyStep('a"b')]),
    ]
    one, two = validation_error("T", inner[:1]), validation_error("T", inner)
    assert str(one) == "disk[0]: no {brace}"
    assert str(two) == '2 values do not fit T:\ndisk[0]: no {brace}\n["a\\"b"]: nothing'


def test_several_errors_in_one() -> None:
    several = SeveralInvalidValuesError(
        [InvalidValueError("a", [AttributeStep("x")]), InvalidValueError("b")]
    )
    assert several.at(IndexStep(1)) is several
    assert [str(each) for each in several.errors] == ["[1].x: a", "[1]: b"]
    copied = pickle.loads(pickle.dumps(several))
    assert [str(each) for each in copied.errors] == ["[1].x: a", "[1]: b"]


@pytest.mark.parametrize(
    "error",
    [DecodeError("a", [KeyStep("k")]), EncodeError("a"), SchemaError("a")],
)
def test_errors_are_pickled(error: TofuTypesError) -> None:
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_validation_errors_are_pickled() -> None:
    with pytest.raises(ValidationError) as raised:
        Disk.model_validate({"size": "a"})
    copied = pickle.loads(pickle.dumps(raised.value))
    assert str(copied) == str(raised.value)
    assert isinstance(copied, ValidationError)


def test_bad_annotations_are_named() -> None:
    class Bad(Resource):
        size: complex

    with pytest.raises(SchemaError, match=r"^Bad\.size: <class 'complex'> is not a type"):
        Bad(size=1)


def test_classes_of_the_same_name() -> None:
    other: Any = build_model(Block(), name="disk")
    with pytest.raises(ValidationError) as raised:
        Server(name="a", disk=[other()])
    assert str(raised.value) == (
        "disk[0]: expected a Disk of tests.models.samples, got a Disk of tofutypes.built"
    )
