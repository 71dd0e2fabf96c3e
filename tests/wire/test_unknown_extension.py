"""Refinements on the wire: how much of them is written, and what they decide."""

from __future__ import annotations

from decimal import Decimal

import msgpack
import pytest

from tofutypes.errors import InvalidValueError
from tofutypes.limits import Limits
from tofutypes.sets import TofuSet
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, MapType, SetType, Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.unknown_extension import (
    MAX_PAYLOAD,
    MAX_PREFIX,
    cut_prefix,
    extension_to_unknown,
    settle_unknown,
    unknown_to_extension,
)

FAMILY = "\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("prefix", "kept"),
    [
        ("x" * 256, "x" * 256),
        ("x" * 300, "x" * 254),  # observed: the last that fits goes too, what follows could join it
        ("é" * 128, "é" * 128),
        ("é" * 129, "é" * 126),
        ("x" * 254 + "é" + "y", "x" * 253),
        ("x" * 240 + "e\u0323\u0301" * 10, "x" * 240 + "e\u0323\u0301" * 2),
        ("x" * 240 + FAMILY * 3, "x" * 240 + FAMILY),
        ("x" * 247 + FAMILY, "x" * 247),
        ("x" * 250 + "\U0001f1e6\U0001f1f9" * 4, "x" * 249),
        ("\u0301" * 200, ""),
    ],
)
def test_long_prefixes_are_cut_between_graphemes(prefix: str, kept: str) -> None:
    assert cut_prefix(prefix) == kept
    assert len(kept.encode()) <= MAX_PREFIX


def test_a_prefix_of_which_nothing_is_left_is_not_written() -> None:
    marks = Unknown(prefix="\u0301" * 200)
    assert unknown_to_extension(marks) == msgpack.ExtType(0, b"\0")
    assert unknown_to_extension(Unknown(not_null=True)).data == b"\x81\x01\xc2"


def test_bounds_that_no_reader_takes_are_left_out() -> None:
    digits = Decimal("0." + "1" * 1100)
    assert unknown_to_extension(Unknown(lower=digits)) == msgpack.ExtType(0, b"\0")
    assert unknown_to_extension(Unknown(lower=digits, not_null=True)).data == b"\x81\x01\xc2"
    shorter = unknown_to_extension(Unknown(lower=Decimal("0." + "1" * 900)))
    assert len(shorter.data) < MAX_PAYLOAD


@pytest.mark.parametrize(
    "unknown",
    [
        UNKNOWN,
        Unknown(not_null=True),
        Unknown(prefix="ab", not_null=True),
        Unknown(lower=0.1, lower_inclusive=False, upper=2**70),
        Unknown(lower=Decimal("-Infinity"), upper=Decimal("Infinity")),
        Unknown(min_length=1, max_length=2**63 - 1),
    ],
    ids=str,
)
def test_what_is_written_is_read(unknown: Unknown) -> None:
    extension = unknown_to_extension(unknown)
    assert extension_to_unknown(extension.code, extension.data) == unknown


LISTS, SETS, MAPS = ListType(BOOL), SetType(BOOL), MapType(BOOL)
FULL = Unknown(not_null=True, min_length=2, max_length=2)
EMPTY = Unknown(not_null=True, max_length=0)
MANY = Limits().unknown_elements


@pytest.mark.parametrize(
    ("unknown", "type_", "settled"),
    [
        (UNKNOWN, STRING, UNKNOWN),
        (Unknown(prefix="a"), DYNAMIC, UNKNOWN),
        (Unknown(not_null=True, lower=5, upper=5.0), NUMBER, 5),
        (Unknown(lower=5, upper=5), NUMBER, Unknown(lower=5, upper=5)),
        (Unknown(not_null=True, lower=5, upper=5, upper_inclusive=False), NUMBER, ...),
        (FULL, LISTS, [UNKNOWN, UNKNOWN]),
        (FULL, SETS, ...),
        (FULL, MAPS, ...),
        (EMPTY, LISTS, []),
        (EMPTY, SETS, TofuSet()),
        (EMPTY, MAPS, {}),
        (Unknown(max_length=0), LISTS, ...),
        (Unknown(not_null=True, min_length=MANY, max_length=MANY), LISTS, [UNKNOWN] * MANY),
        (Unknown(not_null=True, min_length=MANY + 1, max_length=MANY + 1), LISTS, ...),
    ],
)
def test_some_refinements_decide_the_value(unknown: Unknown, type_: Type, settled: object) -> None:
    expected = unknown if settled is ... else settled
    assert settle_unknown(unknown, type_) == expected


def test_null_is_known_by_its_refinement() -> None:
    null = extension_to_unknown(12, b"\x81\x01\xc3")
    assert settle_unknown(null, STRING) is None
    assert settle_unknown(null, DYNAMIC) is UNKNOWN


@pytest.mark.parametrize(
    ("unknown", "type_"),
    [
        (Unknown(prefix="a"), NUMBER),
        (Unknown(prefix="a"), LISTS),
        (Unknown(lower=1), STRING),
        (Unknown(upper=1), MAPS),
        (Unknown(min_length=1), STRING),
        (Unknown(max_length=1), BOOL),
    ],
)
def test_refinements_must_fit_the_type(unknown: Unknown, type_: Type) -> None:
    with pytest.raises(InvalidValueError, match="refine an unknown"):
        settle_unknown(unknown, type_)


@pytest.mark.parametrize(
    ("code", "payload"),
    [
        (0, b"\0"),
        (0, b""),
        (1, b"\0"),
        (5, b"\x81\x01\xc2"),
        (127, b"xyz"),
        (12, b""),
        (12, b"\x80"),
        (12, b"\xc0\xc0"),
        (12, b"\x91\x01"),
    ],
)
def test_every_other_extension_says_nothing(code: int, payload: bytes) -> None:
    assert extension_to_unknown(code, payload) is UNKNOWN
