"""Exact numbers."""

from __future__ import annotations

import copy
import math
import pickle
import struct
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import numbers
from tofutypes.errors import NumberError
from tofutypes.limits import Limits
from tofutypes.numbers import (
    AnyNumber,
    Float64,
    Number,
    exact_value,
    normalize_number,
    number_from_float64,
    number_to_text,
    number_to_wire,
    parse_number,
)
from tofutypes.types import NUMBER
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack

TENTH = Decimal("0.1000000000000000055511151231257827021181583404541015625")  # float64 0.1


MAX_DIGITS = Limits().digits


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-12", -12),
        ("+7", 7),
        ("00012", 12),
        ("3.0", 3),
        ("5.", 5),
        (".5", Decimal("0.5")),
        ("-12.50", Decimal("-12.5")),
        ("1e3", 1000),
        ("-1.25e3", -1250),
        ("+.5e1", 5),
        ("-0e5", Decimal("-0")),
        ("1e1000", 10**1000),
        ("1E-7", Decimal("0.0000001")),
        ("10e-1", 1),
        ("0e5", 0),
        ("0.30000000000000004", Decimal("0.30000000000000004")),
        ("18446744073709551616", 2**64),
        ("1" + "0" * (MAX_DIGITS - 1), 10 ** (MAX_DIGITS - 1)),
        ("Inf", Decimal("Infinity")),
        ("-inf", Decimal("-Infinity")),
    ],
)
def test_text_is_read(text: str, number: Number) -> None:
    read = parse_number(text)
    assert read == number
    assert type(read) is type(number)


@pytest.mark.parametrize(
    "text",
    ["", "a", "NaN", "0x10", "1_000", " 1", "1 ", "1e", "e1", ".", "-", "+-1", "١", "1\n", "1,5",
     "infinity", "1" * (MAX_DIGITS + 1), "1e1001", "1e-1001", "1e" + "9" * 30, "1." + "1" * 4000,
     "\u0661.\u0663"],
)  # fmt: skip
def test_other_text_is_refused(text: str) -> None:
    told = (
        "^(expected a number, got other text|number is too long: the limit is 4000 digits"
        "|the exponent is out of range: the limit is 1000)$"
    )
    with pytest.raises(NumberError, match=told):
        parse_number(text)


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (3, 3),
        (3.0, 3),
        (Decimal("3.00"), 3),
        (0.1, Decimal("0.1")),
        (Decimal("0.1"), Decimal("0.1")),
        (1e22, 10**22),
        (5e-324, Decimal("5e-324")),
        (math.inf, Decimal("Infinity")),
        (-(10**30), -(10**30)),
    ],
)
def test_a_python_number_means_its_shortest_decimal(given: AnyNumber, number: Number) -> None:
    read = normalize_number(given)
    assert read == number
    assert type(read) is type(number)


@pytest.mark.parametrize(
    "value",
    [math.nan, Decimal("NaN"), Decimal("sNaN"), 10**MAX_DIGITS, -(10**MAX_DIGITS),
     Decimal("1e4000"), Decimal("1e-4001"), Decimal("1e999999")],
    ids=repr,
)  # fmt: skip
def test_some_python_numbers_are_refused(value: AnyNumber) -> None:
    with pytest.raises(NumberError):
        normalize_number(value)


def test_the_greatest_integers_are_taken() -> None:
    assert normalize_number(10**MAX_DIGITS - 1) == 10**MAX_DIGITS - 1


def test_a_float64_of_the_wire_is_its_shortest_decimal_and_is_written_back_as_float64() -> None:
    number = number_from_float64(0.1)
    assert number == Decimal("0.1")
    assert hash(number) == hash(Decimal("0.1"))
    assert number != TENTH
    assert number_to_wire(number) == 0.1
    assert number_to_wire(Decimal("0.1")) == "0.1"
    assert number_to_text(number) == "0.1"


def test_a_float64_is_ordered_by_its_exact_value() -> None:
    number = number_from_float64(0.1)
    assert exact_value(number) == TENTH
    assert exact_value(number) > exact_value(Decimal("0.1"))
    assert exact_value(3) == 3


def test_a_whole_float64_beyond_int64_is_exact_and_written_with_zeros() -> None:
    number = number_from_float64(1e300)
    assert number == int(1e300) != 10**300
    for same in (number, copy.deepcopy(number), normalize_number(number)):
        assert number_to_wire(same) == "1" + "0" * 300
        assert number_to_text(same) == "1" + "0" * 300
    assert number_to_text(int(1e300)) == str(int(1e300))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3.0, 3),
        (-(2.0**63), -(2**63)),
        (1e23, int(1e23)),
        (0.5, Decimal("0.5")),
        (math.inf, Decimal("Infinity")),
    ],
)
def test_whole_float64_are_integers(value: float, number: Number) -> None:
    assert number_from_float64(value) == number


def test_nan_of_the_wire_is_refused() -> None:
    with pytest.raises(NumberError, match="got NaN"):
        number_from_float64(math.nan)


def test_minus_zero_keeps_its_sign_in_text_only() -> None:
    for zero in (number_from_float64(-0.0), parse_number("-0"), parse_number("-0.0")):
        assert zero == 0
        assert number_to_text(zero) == "-0"
        assert number_to_wire(zero) == 0
        assert isinstance(number_to_wire(zero), int)


@pytest.mark.parametrize(
    ("number", "wire"),
    [
        (2**63 - 1, 2**63 - 1),
        (-(2**63), -(2**63)),
        (2**63, "9223372036854775808"),
        (-(2**63) - 1, "-9223372036854775809"),
        (Decimal("0.5"), 0.5),
        (Decimal("0.1"), "0.1"),
        (TENTH, 0.1),
        (Decimal("1E-7"), "0.0000001"),
        (Decimal("0.10"), "0.1"),
        (Decimal("Infinity"), math.inf),
        (Decimal("-Infinity"), -math.inf),
    ],
)
def test_the_form_on_the_wire_is_exact(number: Number, wire: int | float | str) -> None:
    written = number_to_wire(number)
    assert written == wire
    assert type(written) is type(wire)


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        (0x0000000000000001, "4940656458412465e-339"),  # subnormal: the reference counts 53 bits
        (0x0010000000000000, "2.2250738585072014e-308"),
        (0x3FB999999999999A, "0.1"),
        (0x3FD3333333333334, "0.30000000000000004"),
        (0x43F0000000000000, "18446744073709550000"),  # 2**64: its neighbours are not alike
        (0x72F0000000000000, "4369949938732141e230"),
    ],
)
def test_the_text_of_a_float64_is_the_reference_s(bits: int, text: str) -> None:
    (value,) = struct.unpack(">d", bits.to_bytes(8, "big"))
    assert number_to_text(number_from_float64(value)) == format(Decimal(text), "f")


def test_a_float64_stays_one_when_copied() -> None:
    number = number_from_float64(0.1)
    for other in (copy.copy(number), copy.deepcopy(number), pickle.loads(pickle.dumps(number))):
        assert type(other) is Float64
        assert other == number


@given(numbers(infinite=False))
def test_the_text_of_a_number_is_the_number(number: Number) -> None:
    assert parse_number(number_to_text(number)) == number


@given(st.floats(allow_nan=False))
def test_every_float64_survives_the_wire(value: float) -> None:
    wire = number_to_wire(number_from_float64(value))
    assert float(wire) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_python_float_is_read_as_it_is_printed(value: float) -> None:
    assert normalize_number(value) == Decimal(repr(value))


def test_the_limit_of_python_does_not_matter() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)  # the lowest that it can be
    try:
        number = parse_number("7" * 2000)
        assert number_to_text(number) == "7" * 2000
        assert parse_number("7" * 1000 + "e1000") == parse_number("7" * 1000 + "0" * 1000)
        assert decode_json(encode_json(number, NUMBER), NUMBER) == number
        assert decode_msgpack(encode_msgpack(number, NUMBER), NUMBER) == number
    finally:
        sys.set_int_max_str_digits(before)
