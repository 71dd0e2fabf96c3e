"""Unknown values: immutable, comparable, and never mistaken for a value."""

from __future__ import annotations

import copy
import pickle

import pydantic
import pytest
from hypothesis import given

from tests.strategies import unknown_values
from tofutypes.errors import NullValueError, RefinementError, UnknownValueError
from tofutypes.refinements import Refinements
from tofutypes.types import NUMBER, STRING
from tofutypes.unknown import UNKNOWN, Unknown, is_known, known, present

ARN = Unknown(prefix="arn:aws:", not_null=True)


@given(unknown_values(STRING), unknown_values(NUMBER))
def test_unknown_values_are_values_of_python(one: Unknown, other: Unknown) -> None:
    for copied in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert copied == one
        assert hash(copied) == hash(one)
    assert (one == other) == (one.refinements == other.refinements)
    assert one != "unknown"
    assert eval(repr(one), {"Unknown": Unknown}) == one


def test_nothing_known_is_the_one_unknown() -> None:
    assert Unknown() == UNKNOWN
    assert Unknown.of(Refinements()) is UNKNOWN
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert Unknown(not_null=True) != UNKNOWN


@pytest.mark.parametrize(
    "use",
    [
        "bool(u)", "not u", "u and 1", "len(u)", "list(u)", "sorted([u, u])", "'a' in u", "u[0]",
        "u()", "int(u)", "float(u)", "complex(u)", "round(u)", "abs(u)", "-u", "+u", "~u", "[1][u]",
        "u < 1", "1 >= u", "u + 1", "'a' + u", "u - 1", "1 - u", "u * 2", "2 / u", "u // 2",
        "u % 2", "u ** 2", "divmod(u, 2)", "u @ 1", "u & 1", "1 | u", "u ^ 1", "1 << u", "u >> 1",
        "f'{u}'", "format(u)",
    ],
)  # fmt: skip
def test_using_it_as_a_value_is_an_error(use: str) -> None:
    with pytest.raises(UnknownValueError, match=r"test is_known\(value\) before"):
        eval(use, {"u": ARN})


def test_it_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match=r"refine\(\) returns a new one"):
        ARN.refinements = Refinements()
    with pytest.raises(AttributeError, match="immutable"):
        del ARN.refinements


def test_it_can_be_known_better() -> None:
    assert UNKNOWN.refine(prefix="a") == Unknown(prefix="a")
    assert ARN.refine(prefix="arn:aws:s3:").refinements.prefix == "arn:aws:s3:"
    assert UNKNOWN.refine(lower=1, lower_inclusive=False, upper=5).could_be(3)
    assert ARN.narrow(Unknown(prefix="arn")) == ARN
    assert ARN.narrow(Refinements(prefix="arn")) == ARN
    with pytest.raises(RefinementError):
        ARN.refine(prefix="urn:")


def test_could_be() -> None:
    assert ARN.could_be("arn:aws:s3")
    assert not ARN.could_be(None)
    assert not ARN.could_be(Unknown(prefix="urn:"))


def test_known() -> None:
    assert known(None) is None
    assert known("a") == "a"
    with pytest.raises(UnknownValueError, match="expected a known value, got an unknown value"):
        known(ARN)


def test_present() -> None:
    assert present("a") == "a"
    with pytest.raises(UnknownValueError, match=r"^expected a known value, got an unknown value$"):
        present(ARN)
    with pytest.raises(NullValueError, match=r"^expected a value, got null$"):
        present(None)


def test_is_known() -> None:
    assert is_known(None)
    assert is_known([UNKNOWN])
    assert not is_known(ARN)


def test_pydantic_takes_it_as_it_is() -> None:
    adapter = pydantic.TypeAdapter[str | Unknown](str | Unknown)
    assert adapter.validate_python(ARN) is ARN
    with pytest.raises(pydantic.ValidationError):
        adapter.validate_python(1)
