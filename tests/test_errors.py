"""Errors: where, what kind, never what."""

from __future__ import annotations

import pickle

import pytest

from tofutypes import errors
from tofutypes.dynamic import Dynamic
from tofutypes.errors import (
    AttributeStep,
    DecodeError,
    EncodeError,
    IndexStep,
    InvalidSchemaError,
    InvalidValueError,
    KeyStep,
    LocatedError,
    NullValueError,
    NumberError,
    Path,
    RefinementError,
    SchemaError,
    SchemaProblem,
    Step,
    TofuTypesError,
    TypeConstraintError,
    UnknownValueError,
    describe,
    expected,
    unknown_attribute,
)
from tofutypes.schema.document_codecs import MisfitError
from tofutypes.sets import TofuSet
from tofutypes.unknown import UNKNOWN

A, B = AttributeStep("a"), AttributeStep("b_c")


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((), ""),
        ((A,), "a"),
        ((A, IndexStep(0), B), "a[0].b_c"),
        ((A, KeyStep("Name")), 'a["Name"]'),
        ((KeyStep('say "x"\\'), A), '["say \\"x\\"\\\\"].a'),
        ((IndexStep(2), A), "[2].a"),
        ((AttributeStep("é"),), "é"),
        ((KeyStep("\ud800"),), '["\\ud800"]'),
        ((AttributeStep("a\x1b[31m\n"),), "a\\x1b[31m\\n"),
    ],
)
def test_a_path_reads_as_a_configuration_would_write_it(steps: tuple[Step, ...], text: str) -> None:
    path = Path(steps)
    assert str(path) == text
    assert bool(path) == bool(steps)


def test_paths_are_joined() -> None:
    assert Path((A,)) + Path((IndexStep(1),)) == Path((A, IndexStep(1)))


def test_an_error_gathers_its_path_on_the_way_out() -> None:
    error = InvalidValueError("expected a number, got a string").at(IndexStep(0)).at(A)
    assert error.path == Path((A, IndexStep(0)))
    assert str(error) == "a[0]: expected a number, got a string"
    assert str(InvalidValueError("no")) == "no"


def test_an_error_of_a_type_tells_where() -> None:
    error = TypeConstraintError("not a type", Path((IndexStep(1), A)))
    assert str(error) == "type constraint at [1].a: not a type"
    assert str(TypeConstraintError("not a type")) == "type constraint: not a type"


def test_all_problems_of_a_schema_are_told() -> None:
    one, two = SchemaProblem(Path((A,)), "is wrong"), SchemaProblem(Path(), "is odd")
    assert str(InvalidSchemaError([one])) == "the schema breaks 1 rule:\n  a: is wrong"
    assert str(InvalidSchemaError([one, two])) == (
        "the schema breaks 2 rules:\n  a: is wrong\n  is odd"
    )
    many = str(InvalidSchemaError([one] * 1234))
    assert many.startswith("the schema breaks 1234 rules:\n  a: is wrong\n")
    assert many.endswith("\n  a: is wrong\n  and 1,184 more")


@pytest.mark.parametrize(
    "error",
    [
        DecodeError("wrong", (A, IndexStep(0))),
        EncodeError("wrong", (KeyStep("k"),)),
        TypeConstraintError("wrong", Path((A,))),
        InvalidSchemaError([SchemaProblem(Path((A,)), "is wrong")]),
        NumberError("wrong"),
        SchemaError("wrong", (A,), "schema.json"),
        MisfitError("wrong", (A,)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: TofuTypesError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert getattr(copy, "source", None) == getattr(error, "source", None)
    assert getattr(copy, "path", None) == getattr(error, "path", None)
    assert getattr(copy, "problems", None) == getattr(error, "problems", None)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (TypeConstraintError, ValueError),
        (NumberError, ValueError),
        (RefinementError, ValueError),
        (UnknownValueError, TypeError),
        (NullValueError, TypeError),
        (NumberError, InvalidValueError),
        (InvalidValueError, LocatedError),
        (TypeConstraintError, LocatedError),
        (SchemaError, LocatedError),
        (SchemaError, ValueError),
        (InvalidSchemaError, SchemaError),
        (InvalidValueError, ValueError),
        (DecodeError, InvalidValueError),
        (EncodeError, InvalidValueError),
    ],
)
def test_errors_are_what_python_calls_them_too(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
    assert issubclass(error, TofuTypesError)


def test_every_exception_is_of_the_one_tree() -> None:
    named = [each for each in vars(errors).values() if isinstance(each, type)]
    assert {each for each in named if issubclass(each, BaseException)} == {
        each for each in named if issubclass(each, TofuTypesError)
    }


class Apple:
    pass


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        ("secret", "a string"),
        (True, "a bool"),
        (1, "a number"),
        (0.5, "a number"),
        ([], "a list"),
        ({}, "a map or an object"),
        (TofuSet(), "a set"),
        (UNKNOWN, "an unknown value"),
        (Dynamic("secret"), "a dynamic value"),
        (b"secret", "bytes"),
        (Apple(), "an Apple"),
        (range(3), "a range"),
    ],
)
def test_a_value_is_described_by_its_kind(value: object, kind: str) -> None:
    assert describe(value) == kind
    assert str(expected("a widget", value)) == f"expected a widget, got {kind}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nmae", 'nmae: unknown attribute or nested block; did you mean "name"?'),
        ("xyz", "xyz: unknown attribute or nested block"),
        ("x" * 1000, f"{'x' * 59}…: unknown attribute or nested block"),
        ("na\nme", r'na\nme: unknown attribute or nested block; did you mean "name"?'),
    ],
)
def test_an_unknown_attribute_is_cut_escaped_and_compared_with_names(
    name: str, message: str
) -> None:
    assert str(unknown_attribute(name, ["name", "size"])) == message
