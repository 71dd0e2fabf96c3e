"""Exact numbers: `int` where a number is an integer, `decimal.Decimal` where it is not.

The type system has one number type of great precision; Terraform's core computes with 512-bit
floats and sends a literal `0.1` as the text `"0.1"`, since no float64 equals it. Reading it as a
Python `float` would change the value and make the core refuse the answer. So a number is read
exactly, and a Python `float` that a user passes means its shortest decimal (`0.1`), never the
binary fraction behind it.
"""

from __future__ import annotations

import math
import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeAlias

from tofutypes.errors import NumberError
from tofutypes.limits import current_limits

Number: TypeAlias = int | Decimal
"""A number as this library hands it out."""

AnyNumber: TypeAlias = int | float | Decimal
"""A number as this library takes it."""

INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1
_DECIMAL_TEXT: Final = re.compile(
    r"[+-]?(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?"
)
FEW_DIGITS: Final = 40
"""The digits of a number that no limit forbids."""
_NEGATIVE_ZERO: Final = Decimal("-0")
_PYTHON_DIGITS: Final = 640
"""Python converts so many digits from and to text, however low its own limit is set."""


class Float64(Decimal):
    """A number that arrived as a MessagePack float64: exactly that binary fraction.

    It is the exact value in every respect but one: as JSON it is written with the shortest digits
    that mean this float64 (`0.1`), as the reference does. (Observed, go-cty 1.18.1: a float64
    keeps 53 bits of precision inside the reference and prints accordingly.)
    """

    __slots__ = ()


def parse_number(text: str) -> Number:
    """Read a number from decimal text, as numbers arrive in MessagePack strings and in JSON.

    Raises:
        NumberError: the text is not a decimal number (hexadecimal, `_`, spaces and `NaN` are
            refused as the reference refuses them), or has too many digits.
    """
    whole, _, fraction = text.partition(".")
    few = len(text) <= FEW_DIGITS and text.isascii()
    if few and whole.isdecimal() and fraction.isdecimal() and fraction[-1] != "0":
        return Decimal(text)  # the usual fraction; all else takes a closer look
    match = _DECIMAL_TEXT.fullmatch(text)
    if match is None:
        if text in ("inf", "Inf", "+inf", "+Inf", "-inf", "-Inf"):
            return Decimal(text)
        raise NumberError("expected a number, got other text")
    whole, fraction, bare_fraction, exponent = match.groups()
    if fraction is None and bare_fraction is None and exponent is None:
        if len(text) > current_limits().digits:
            raise _too_many_digits()
        value = int(text) if len(text) <= _PYTHON_DIGITS else int(Decimal(text))
        return value if value or text[0] != "-" else _NEGATIVE_ZERO
    limits = current_limits()
    if exponent is None and fraction and fraction[-1] != "0" and len(text) < limits.digits:
        return Decimal(text)
    # An exponent of more digits than this is beyond every limit; to read it would take long, too.
    power = 0 if exponent is None else int(exponent) if len(exponent) < 20 else sys.maxsize
    if abs(power) > limits.exponent:
        raise NumberError(f"the exponent is out of range: the limit is {limits.exponent}")
    fraction = fraction or bare_fraction or ""
    if len(whole or "") + len(fraction) + abs(power) > limits.digits:
        raise _too_many_digits()
    zeros = power - len(fraction)
    if zeros > 0 and len(text) <= _PYTHON_DIGITS:  # as Decimal does it, but in a tenth of the time
        value = int((whole or "") + fraction) * 10**zeros
        negative = text[0] == "-"
        return (-value if negative else value) if value else _NEGATIVE_ZERO if negative else 0
    return _integer_if_whole(Decimal(text))


def normalize_number(value: AnyNumber) -> Number:
    """The exact number that a Python number means: 3.0 is 3, a float is its shortest decimal.

    Raises:
        NumberError: NaN, or too many digits.
    """
    if isinstance(value, float):
        if math.isnan(value):
            raise NumberError("expected a number, got NaN")
        return _integer_if_whole(Decimal(repr(float(value))))
    if isinstance(value, int):
        # Three bits are less than a digit: nearly all numbers pass without a closer look.
        most = current_limits().digits
        if value.bit_length() > 3 * most and abs(value) >= 10**most:
            raise _too_many_digits()
        return int(value)
    if value.is_nan():
        raise NumberError("expected a number, got NaN")
    return _integer_if_whole(value)


def number_from_float64(value: float) -> Number:
    """The number that a float64 of the wire means: exactly its binary fraction.

    A whole number beyond int64 is the one with the shortest digits: the reference writes such a
    float64 back with zeros behind them (observed, go-cty 1.18.1).

    Raises:
        NumberError: NaN.
    """
    if not math.isfinite(value):
        if math.isnan(value):
            raise NumberError("expected a number, got NaN")
        return Decimal(value)
    if value.is_integer():
        if value == 0 and math.copysign(1, value) < 0:
            return _NEGATIVE_ZERO
        if INT64_MIN <= value <= INT64_MAX:
            return int(value)
        return int(Decimal(repr(value)))
    return Float64(value)


def number_to_wire(value: Number) -> int | float | str:
    """The number as MessagePack writes it: an int64, an exact float64, or else decimal text.

    Source: the wire format document, "Primitive types"; which of the three is what the reference
    chooses (observed, go-cty 1.18.1): whole numbers are never float64.
    """
    if isinstance(value, int):
        return value if INT64_MIN <= value <= INT64_MAX else number_to_text(value)
    if not value.is_finite():
        return math.inf if value > 0 else -math.inf
    if not value:
        return 0
    # float() of a Decimal too large gives infinity, which equals no finite Decimal.
    nearest = float(value)
    return nearest if nearest == value else number_to_text(value)


def number_to_text(value: Number) -> str:
    """The digits of a finite number, without an exponent and without trailing zeros."""
    if isinstance(value, int):
        short = value.bit_length() <= 3 * _PYTHON_DIGITS
        return str(value) if short else format(Decimal(value), "f")
    if isinstance(value, Float64):
        value = _shortest(float(value))
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _shortest(value: float) -> Decimal:
    """The decimal of the fewest digits that a precision of 53 bits tells from its neighbours.

    That is Python's own choice but for subnormal numbers, which have fewer bits in a float64 while
    the reference counts 53 all the same (observed: 4940656458412465e-339 for 5e-324).
    """
    if abs(value) >= sys.float_info.min:
        return Decimal(repr(value))
    exact = Fraction(value)
    half_step = Fraction(2) ** (math.frexp(value)[1] - 54)
    for digits in range(1, 17):
        rounded = Decimal(f"{Decimal(value):.{digits - 1}e}")
        if abs(Fraction(rounded) - exact) < half_step:
            return rounded
    return Decimal(f"{Decimal(value):.16e}")


def _too_many_digits() -> NumberError:
    return NumberError(f"number is too long: the limit is {current_limits().digits} digits")


def _integer_if_whole(value: Decimal) -> Number:
    """`value`, or the int it equals; bounded in digits either way."""
    if not value.is_finite():
        return value
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    if not value:
        return _NEGATIVE_ZERO if sign else 0
    most = current_limits().digits
    if exponent > 0:
        if len(digits) + exponent > most:
            raise _too_many_digits()
        return int(value)
    if max(len(digits), -exponent) > most:
        raise _too_many_digits()
    if exponent == 0 or not any(digits[exponent:]):
        return int(value)
    return value
