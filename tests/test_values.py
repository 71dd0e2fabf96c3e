"""Sets, dynamically typed values, and what makes two values equal."""

from __future__ import annotations

import copy
import pickle
from collections import UserDict
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import typed_values
from tofutypes.comparison import is_wholly_known, structural_key
from tofutypes.dynamic import Dynamic, infer_type
from tofutypes.errors import InvalidValueError
from tofutypes.numbers import number_from_float64
from tofutypes.sets import TofuSet, set_of_parsed
from tofutypes.text import normalize_string
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import UNKNOWN, Unknown

TENTH = Decimal("0.1000000000000000055511151231257827021181583404541015625")  # float64 0.1
ARN = Unknown(prefix="arn:")


class Instance:
    """Stands for an instance of a model."""

    def __init__(self, **attributes: object) -> None:
        self.attributes = attributes

    def __tofu_attributes__(self) -> Mapping[str, object]:
        return self.attributes


@pytest.mark.parametrize(
    ("given", "elements"),
    [
        ([], []),
        (["b", "a", "b"], ["a", "b"]),
        ([10, 2, 2.0, Decimal("2.00")], [2, 10]),
        ([Decimal("0.1"), 0.1], [Decimal("0.1")]),
        ([True, False], [False, True]),
        ([number_from_float64(0.1), Decimal("0.1")], [Decimal("0.1")]),
        ([number_from_float64(0.3), Decimal("0.3")], [Decimal("0.3")]),
        ([number_from_float64(0.1), TENTH], [Decimal("0.1"), TENTH]),
        ([0, Decimal("-0"), 0, -0.0], [0, 0]),
        ([[0], [Decimal("-0")], [0]], [[0], [0]]),
        (["e\u0301", "é"], ["e\u0301"]),
        (["b", None, UNKNOWN, "a", ARN, UNKNOWN], ["a", "b", UNKNOWN, UNKNOWN, ARN, None]),
        ([None, None], [None]),
        ([["b"], ["a"], ["b"]], [["b"], ["a"]]),
        ([{"x": 1, "y": 2}, {"y": 2, "x": 1}], [{"x": 1, "y": 2}]),
        ([[UNKNOWN], [UNKNOWN]], [[UNKNOWN], [UNKNOWN]]),
        (["b", 1, True, "a"], [True, 1, "a", "b"]),  # no set of the type system, and no error yet
    ],
)
def test_the_elements_of_a_set(given: list[object], elements: list[object]) -> None:
    for made in (TofuSet(given), set_of_parsed(given.copy())):
        assert list(made) == elements
        assert len(made) == len(elements)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (TofuSet("ab"), TofuSet("ba"), True),
        (TofuSet("ab"), {"b", "a"}, True),
        (TofuSet("ab"), frozenset("ba"), True),
        (TofuSet("ab"), TofuSet("a"), False),
        (TofuSet("ab"), TofuSet("ac"), False),
        (TofuSet("ab"), ["a", "b"], False),
        (TofuSet([True]), TofuSet([1]), False),
        (TofuSet([0.1]), TofuSet([Decimal("0.1")]), True),
        (TofuSet([number_from_float64(0.1)]), TofuSet([Decimal("0.1")]), True),
        (TofuSet([0]), TofuSet([Decimal("-0")]), False),
        (Dynamic([0]), Dynamic([Decimal("-0")]), True),
        (TofuSet([["a"], []]), TofuSet([[], ["a"]]), True),
        (TofuSet([TofuSet("ab")]), TofuSet([TofuSet("ba")]), True),
        (TofuSet([{"a": TofuSet("xy")}]), TofuSet([{"a": TofuSet("yx")}]), True),
        (TofuSet([UNKNOWN]), TofuSet([UNKNOWN]), True),
        (TofuSet([UNKNOWN]), TofuSet([UNKNOWN, UNKNOWN]), False),
        (TofuSet([UNKNOWN]), TofuSet([ARN]), False),
        (TofuSet([TofuSet([UNKNOWN])]), TofuSet([TofuSet([UNKNOWN, UNKNOWN])]), False),
        (TofuSet([Instance(a=1)]), TofuSet([{"a": 1}]), True),
        (TofuSet([Dynamic("a")]), TofuSet([Dynamic("a")]), True),
    ],
)
def test_equality_of_sets(one: object, other: object, equal: bool) -> None:
    assert (one == other) is equal
    assert (other == one) is equal


def test_a_set_is_a_collection() -> None:
    made = TofuSet(["b", "a"])
    assert "a" in made
    assert "c" not in made
    assert 1 not in TofuSet([True])
    assert ["x"] in TofuSet([["x"]])
    assert repr(made) == "TofuSet(['a', 'b'])"
    assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(TypeError):
        hash(made)


def test_what_no_set_can_hold() -> None:
    for nan in (float("nan"), Decimal("NaN"), Decimal("sNaN")):
        with pytest.raises(InvalidValueError, match="got NaN"):
            TofuSet([nan])
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(InvalidValueError, match="nested too deeply"):
        TofuSet([endless])


@given(typed_values())
def test_a_copy_of_a_value_has_its_key(typed: tuple[Type, object]) -> None:
    _, value = typed
    copied = pickle.loads(pickle.dumps(value))
    assert copied == value
    assert structural_key(copied) == structural_key(value)
    assert hash(structural_key(copied)) == hash(structural_key(value))


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (None, True),
        ("", True),
        (0, True),
        (0.5, True),
        (UNKNOWN, False),
        ([1, [UNKNOWN]], False),
        ({"a": [ARN]}, False),
        (TofuSet([UNKNOWN]), False),
        ((1, "a"), True),
        (Dynamic(UNKNOWN, STRING), False),
        (Dynamic(["a"]), True),
        (Instance(a=UNKNOWN), False),
        (Instance(a=TofuSet([1])), True),
    ],
)
def test_is_wholly_known(value: object, known: bool) -> None:
    assert is_wholly_known(value) is known


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (None, DYNAMIC),
        (UNKNOWN, DYNAMIC),
        ("a", STRING),
        (True, BOOL),
        (1, NUMBER),
        (0.5, NUMBER),
        (Decimal(1), NUMBER),
        (["a", 1], TupleType((STRING, NUMBER))),
        ((), TupleType()),
        ({"b": 1, "a": "x"}, ObjectType({"a": STRING, "b": NUMBER})),
        (UserDict({"a": "x"}), ObjectType({"a": STRING})),
        ({"e\u0301": 1}, ObjectType({"é": NUMBER})),
        (Instance(a=[1]), ObjectType({"a": TupleType((NUMBER,))})),
        ({1, 2}, SetType(NUMBER)),
        (TofuSet(), SetType(DYNAMIC)),
        ([None, Dynamic([], ListType(BOOL))], TupleType((DYNAMIC, ListType(BOOL)))),
    ],
)
def test_a_value_tells_its_type(value: object, type_: Type) -> None:
    assert infer_type(value) == type_


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "expected a string, a number, a bool, a collection or null, got an object"),
        (b"x", "got bytes"),
        ({1: "x"}, "expected a string as key, got a number"),
        ({"\ud800": "x"}, "unpaired surrogate"),
        ({"a", 1}, "expected elements of one type in a set"),
    ],
)
def test_what_tells_no_type(value: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        infer_type(value)


def test_a_dynamic_value_knows_its_type() -> None:
    assert Dynamic("x").type is STRING
    assert Dynamic(["x"]).type == TupleType((STRING,))
    assert Dynamic(["x"], ListType(STRING)) != Dynamic(["x"])
    assert Dynamic(None, STRING) == Dynamic(None, STRING)
    assert Dynamic(Dynamic("x")) == Dynamic("x")
    assert Dynamic(Dynamic(1, NUMBER), STRING).type is NUMBER
    assert Dynamic(0.1) == Dynamic(Decimal("0.1"))
    assert Dynamic("x") != "x"
    assert hash(Dynamic(["x"])) == hash(Dynamic(["x"]))
    assert repr(Dynamic("x")) == "Dynamic('x', parse_type('\"string\"'))"


def test_a_dynamic_value_is_immutable_and_can_be_copied() -> None:
    made = Dynamic(["x"])
    assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(AttributeError, match="immutable"):
        made.value = 1
    with pytest.raises(AttributeError, match="immutable"):
        del made.type


@pytest.mark.parametrize("value", [None, UNKNOWN])
def test_what_does_not_tell_its_type_needs_one(value: object) -> None:
    with pytest.raises(InvalidValueError, match="cannot infer the type"):
        Dynamic(value)


def test_endless_values_are_refused() -> None:
    deep = Dynamic(["x"])
    for _ in range(99):
        deep = Dynamic([deep])
    with pytest.raises(InvalidValueError, match="nested too deeply"):
        Dynamic([deep])
    endless: dict[str, Any] = {}
    endless["a"] = [endless]
    with pytest.raises(InvalidValueError, match="nested too deeply"):
        Dynamic(endless)


@pytest.mark.parametrize(
    ("given", "normal"),
    [("", ""), ("abc", "abc"), ("e\u0301", "é"), ("\u212b", "Å"), ("👩‍👧", "👩‍👧")],
)
def test_strings_are_normalised(given: str, normal: str) -> None:
    assert normalize_string(given) == normal


def test_half_of_a_character_is_no_string() -> None:
    with pytest.raises(InvalidValueError, match="unpaired surrogate"):
        normalize_string("secret\ud800")
