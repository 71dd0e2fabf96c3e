"""Exact numbers: `int` for integers, `decimal.Decimal` for fractions.

The type system has one number type of great precision. Terraform Core and OpenTofu compute with
512-bit floats and send a literal `0.1` as the text `"0.1"`, since no float64 equals it. A Python
`float` would lose digits of longer fractions. So numbers are read exactly, and a Python `float` in
a model means its shortest decimal (`0.1`).

Two numbers are equal if both are integers of the same value, or if go-cty writes the same JSON for
both. A float64 0.1 from the wire equals the text `"0.1"`: here both are `Decimal("0.1")`, and the
float64 also remembers that it is written as a float64. (Observed, go-cty 1.18.1, `rawNumberEqual`.)
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
"""A number as this library returns it."""

AnyNumber: TypeAlias = int | float | Decimal
"""A number as this library accepts it."""

INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1
_DECIMAL_TEXT: Final = re.compile(
    r"[+-]?(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?"
)
FEW_DIGITS: Final = 40
"""The digits of a number that are accepted whatever the limits."""
_NEGATIVE_ZERO: Final = Decimal("-0")
_PYTHON_DIGITS: Final = 640
"""The digits that Python converts from and to text, however low its own limit is set."""


class Float64(Decimal):
    """A fraction that arrived as a MessagePack float64: the shortest decimal for that float64.

    It equals every other `Decimal` of the same digits. It is written back as a float64, and
    ordered by the exact value of the float64.
    """

    __slots__ = ()


class WholeFloat64(int):
    """An integer beyond 64 bits that arrived as a MessagePack float64: its exact value.

    It is written back with the shortest digits for the float64 and zeros behind them, as go-cty
    does: 1e300 arrives as 10000000000000000525047602552…, and is written as 1000000000000000000….
    """

    __slots__ = ()


def parse_number(text: str) -> Number:
    """Parse decimal text, as numbers arrive in MessagePack strings and in JSON.

    Raises:
        NumberError: If the text is not a decimal number or has too many digits. Hexadecimal, `_`,
            spaces and `NaN` are refused, as go-cty refuses them.
    """
    whole, _, fraction = text.partition(".")
    few = len(text) <= FEW_DIGITS and text.isascii()
    if few and whole.isdecimal() and fraction.isdecimal() and fraction[-1] != "0":
        return Decimal(text)  # most fractions
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
    # An exponent of 20 digits is beyond every limit, and would take long to read.
    power = 0 if exponent is None else int(exponent) if len(exponent) < 20 else sys.maxsize
    if abs(power) > limits.exponent:
        raise NumberError(f"the exponent is out of range: the limit is {limits.exponent}")
    fraction = fraction or bare_fraction or ""
    if len(whole or "") + len(fraction) + abs(power) > limits.digits:
        raise _too_many_digits()
    zeros = power - len(fraction)
    if zeros > 0 and len(text) <= _PYTHON_DIGITS:  # ten times as fast as Decimal
        value = int((whole or "") + fraction) * 10**zeros
        negative = text[0] == "-"
        return (-value if negative else value) if value else _NEGATIVE_ZERO if negative else 0
    return _integer_if_whole(Decimal(text))


def normalize_number(value: AnyNumber) -> Number:
    """The number that a Python number means: 3.0 is 3, a float is its shortest decimal.

    Raises:
        NumberError: If the number is NaN or has too many digits.
    """
    if isinstance(value, float):
        if math.isnan(value):
            raise NumberError("expected a number, got NaN")
        return _integer_if_whole(Decimal(repr(float(value))))
    if isinstance(value, int):
        # Three bits are less than a digit, which spares nearly all numbers the second test.
        most = current_limits().digits
        if value.bit_length() > 3 * most and abs(value) >= 10**most:
            raise _too_many_digits()
        return value if isinstance(value, WholeFloat64) else int(value)
    if value.is_nan():
        raise NumberError("expected a number, got NaN")
    return _integer_if_whole(value)


def number_from_float64(value: float) -> Number:
    """The number that a float64 of the wire means.

        >>> number_from_float64(0.1) == Decimal("0.1")
        True

    Raises:
        NumberError: If the float64 is NaN.
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
        return WholeFloat64(value)
    # Of a power of two, the digits of go-cty would mean its neighbour to Python: it keeps its own.
    return Float64(repr(value) if abs(value) >= sys.float_info.min else _shortest(value))


def exact_value(number: Number) -> Number:
    """The value by which a number is ordered: of a float64 its exact binary fraction.

    go-cty finds a float64 0.1 equal to the decimal 0.1, and greater too (observed, go-cty 1.18.1).
    """
    return Decimal(float(number)) if isinstance(number, Float64) else number


def is_negative_zero(number: Number) -> bool:
    """Whether the number is -0, which equals 0 but is another element of a set (as in go-cty)."""
    return isinstance(number, Decimal) and not number and number.is_signed()


def number_to_wire(value: Number) -> int | float | str:
    """The number as MessagePack writes it: an int64, an exact float64, or else decimal text.

    Source: the wire format document, "Primitive types"; the choice between the three is go-cty's
    (observed, go-cty 1.18.1): integers are never float64.
    """
    if isinstance(value, int):
        return value if INT64_MIN <= value <= INT64_MAX else number_to_text(value)
    if not value.is_finite():
        return math.inf if value > 0 else -math.inf
    if not value:
        return 0
    nearest = float(value)  # infinity, which equals no finite Decimal, for one that is too large
    exact = isinstance(value, Float64) or nearest == value
    return nearest if exact else number_to_text(value)


def number_to_text(value: Number) -> str:
    """The digits of a finite number, without an exponent and without trailing zeros."""
    if isinstance(value, WholeFloat64):
        return format(Decimal(_shortest(float(value))), "f")
    if isinstance(value, int):
        short = value.bit_length() <= 3 * _PYTHON_DIGITS
        return str(value) if short else format(Decimal(value), "f")
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _shortest(value: float) -> str:
    """The fewest digits that 53 bits of precision distinguish from the neighbours of a float64.

    Mostly that is its `repr`. Two kinds differ, since go-cty counts 53 bits and steps of one size
    (observed, go-cty 1.19.0): subnormal numbers have fewer bits (4940656458412465e-339 for 5e-324),
    and powers of two have a neighbour at half the distance (1844674407370955e4 for 2**64).
    """
    mantissa, exponent = math.frexp(value)
    if abs(mantissa) != 0.5 and abs(value) >= sys.float_info.min:
        return repr(value)
    exact = Fraction(value)
    half_step = Fraction(2) ** (exponent - 54)
    for digits in range(1, 17):
        rounded = f"{Decimal(value):.{digits - 1}e}"
        if abs(Fraction(rounded) - exact) <= half_step:
            return rounded
    return f"{Decimal(value):.16e}"


def _too_many_digits() -> NumberError:
    return NumberError(f"number is too long: the limit is {current_limits().digits} digits")


def _integer_if_whole(value: Decimal) -> Number:
    """The number, as an int if it is whole; checked against the limit of digits."""
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
