"""What is known about values that are not known."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import refinements_of, values
from tofutypes.errors import RefinementError
from tofutypes.refinements import Refinements
from tofutypes.sets import TofuSet
from tofutypes.types import BOOL, NUMBER, STRING, ListType, Type
from tofutypes.unknown import UNKNOWN, Unknown

R = Refinements


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (R(), R(), R()),
        (R(not_null=True), R(), R(not_null=True)),
        (R(prefix="a"), R(prefix="ab"), R(prefix="ab")),
        (R(not_null=True), R(prefix="a"), R(not_null=True, prefix="a")),
        (R(lower=1), R(lower=2), R(lower=2)),
        (R(lower=1), R(lower=1, lower_inclusive=False), R(lower=1, lower_inclusive=False)),
        (R(lower=1, lower_inclusive=False), R(lower=2), R(lower=2)),
        (R(upper=1), R(upper=2), R(upper=1)),
        (R(upper=1, upper_inclusive=False), R(upper=1), R(upper=1, upper_inclusive=False)),
        (R(lower=1), R(upper=2), R(lower=1, upper=2)),
        (R(lower=0.1), R(lower=Decimal("0.1")), R(lower=Decimal("0.1"))),
        (R(min_length=1), R(min_length=2, max_length=5), R(min_length=2, max_length=5)),
        (R(max_length=3), R(max_length=5), R(max_length=3)),
    ],
)
def test_narrow(one: Refinements, other: Refinements, both: Refinements) -> None:
    assert one.narrow(other) == both
    assert other.narrow(one) == both


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (R(prefix="a"), R(prefix="b"), "prefixes contradict"),
        (R(prefix="ab"), R(prefix="ac"), "prefixes contradict"),
        (R(lower=3), R(upper=2), "the lower bound is above the upper bound"),
        (R(min_length=3), R(max_length=2), "the minimum length is above the maximum"),
        (R(prefix="a"), R(lower=1), "a string prefix excludes"),
        (R(prefix="a"), R(max_length=1), "a string prefix excludes"),
        (R(lower=1), R(max_length=1), "number bounds exclude lengths"),
    ],
)
def test_contradictions_are_refused(one: Refinements, other: Refinements, message: str) -> None:
    for first, second in ((one, other), (other, one)):
        with pytest.raises(RefinementError, match=message):
            first.narrow(second)
        assert not first.could_be(Unknown.of(second))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prefix": 1}, "prefix: expected a string, got a number"),
        ({"prefix": "\ud800"}, "prefix: invalid Unicode"),
        ({"lower": "1"}, "lower: expected a number, got a string"),
        ({"lower": True}, "lower: expected a number, got a bool"),
        ({"upper": float("nan")}, "upper: expected a number, got NaN"),
        ({"upper": Decimal("1e9999")}, "upper: number is too long"),
        ({"lower": (1, True, 2)}, "lower: expected a number, got a tuple"),
        ({"lower": 2, "upper": 1}, "the lower bound is above"),
        ({"min_length": "1"}, "min_length: expected an integer, got a string"),
        ({"max_length": True}, "max_length: expected an integer, got a bool"),
        ({"min_length": -1}, "min_length: expected an integer from 0 to"),
        ({"min_length": 2**63}, "min_length: expected an integer from 0 to 9223372036854775807"),
        ({"min_length": 2, "max_length": 1}, "the minimum length is above"),
        ({"prefix": "a", "lower": 1}, "a string prefix excludes"),
    ],
)
def test_what_is_no_refinement_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RefinementError, match=message):
        Refinements(**arguments)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (R(prefix=""), R()),
        (R(min_length=0), R()),
        (R(lower_inclusive=False), R()),
        (R(prefix="e\u0301"), R(prefix="é")),
        (R(upper=Decimal("3.0")), R(upper=3)),
        (R(lower=0.1), R(lower=Decimal("0.1"))),
    ],
)
def test_what_says_the_same_is_the_same(said: Refinements, meant: Refinements) -> None:
    assert said == meant
    assert hash(said) == hash(meant)
    assert bool(said) == (meant != R())


@pytest.mark.parametrize(
    ("known", "yes", "no"),
    [
        (R(), ["", None, 0, True, [], {}, (), UNKNOWN], []),
        (R(not_null=True), ["", 0, False, []], [None]),
        (R(prefix="ab"), [None, "ab", "abc"], ["a", "b", 1, True, []]),
        (R(prefix="é"), ["e\u0301t"], ["e"]),
        (R(lower=1), [1, 1.0, Decimal("1.5"), None], [0, 0.5, "1", True, [1]]),
        (R(lower=1, lower_inclusive=False), [2, 1.1], [1, Decimal("1.0")]),
        (R(upper=1), [1, -5], [Decimal("1.1"), float("nan")]),
        (R(upper=1, upper_inclusive=False), [0.9], [1]),
        (R(min_length=1, max_length=2), [[1], {"a": 1}, ("a", "b"), TofuSet("a")], [[], [1, 2, 3]]),
        # Unknown elements of a set may come to be equal, to one another and to known ones.
        (R(max_length=1), [TofuSet([UNKNOWN, UNKNOWN]), TofuSet([1, UNKNOWN])], [TofuSet("ab")]),
        (R(max_length=1), [TofuSet([UNKNOWN])], [TofuSet([1, 2, UNKNOWN]), [UNKNOWN, UNKNOWN]]),
        (R(min_length=2), [TofuSet([UNKNOWN, UNKNOWN])], [TofuSet([UNKNOWN]), TofuSet()]),
        (R(max_length=1), [None, []], ["", 0, False, object()]),
        (R(min_length=2), [Unknown(not_null=True), Unknown(max_length=2)], [Unknown(max_length=1)]),
    ],
)
def test_could_be(known: Refinements, yes: list[object], no: list[object]) -> None:
    assert [value for value in yes if not known.could_be(value)] == []
    assert [value for value in no if known.could_be(value)] == []


typed = st.sampled_from([STRING, NUMBER, BOOL, ListType(STRING)])


def pair(type_: Type) -> st.SearchStrategy[tuple[Refinements, Refinements]]:
    return st.tuples(refinements_of(type_), refinements_of(type_))


def both_or_none(one: Refinements | None, other: Refinements | None) -> Refinements | None:
    if one is None or other is None:
        return None
    try:
        return one.narrow(other)
    except RefinementError:
        return None


@given(typed.flatmap(lambda type_: st.lists(refinements_of(type_), min_size=3, max_size=3)))
def test_narrowing_knows_no_order(three: list[Refinements]) -> None:
    one, two, three_ = three
    assert both_or_none(one, two) == both_or_none(two, one)
    left = both_or_none(both_or_none(one, two), three_)
    right = both_or_none(one, both_or_none(two, three_))
    assert left == right
    assert one.narrow(one) == one
    assert one.narrow(Refinements()) == one


@given(typed.flatmap(lambda type_: st.tuples(pair(type_), values(type_))))
def test_a_value_fits_both_if_it_fits_each(
    given: tuple[tuple[Refinements, Refinements], object],
) -> None:
    (one, two), value = given
    both = both_or_none(one, two)
    fits = one.could_be(value) and two.could_be(value)
    if both is not None and not isinstance(value, Unknown):
        assert both.could_be(value) == fits
    elif both is None and value is not None and not isinstance(value, Unknown):
        assert not fits
    assert one.could_be(Unknown.of(two)) == (both is not None)


def test_what_is_shown_is_what_is_known() -> None:
    assert str(R()) == ""
    assert str(R(True, prefix="a")) == "not_null=True, prefix='a'"
    assert str(R(lower=1, lower_inclusive=False)) == "lower=1, lower_inclusive=False"
