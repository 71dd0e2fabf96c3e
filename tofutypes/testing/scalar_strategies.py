"""Hypothesis strategies for strings, numbers and names.

Boundary values come up often: strings that NFC changes or that JSON escapes, integers at the limits
of the MessagePack formats, numbers that no float64 can hold.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import Final

from hypothesis import strategies as st

_SPECIAL_STRINGS: Final = (
    *("é", "Å", "ẛ̣", "한글", "日本語", "👩‍👧"),  # NFC, wide characters, a grapheme of three
    *("\u2028", "<&>", '"\\', "\0"),  # escaped in JSON
)
_FORMAT_LIMITS: Final = (7, 8, 15, 16, 31, 32, 53, 63, 64)
"""Exponents of 2 at which MessagePack changes the format of an integer, or float64 loses digits."""

_PLAIN_CHARACTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789-_."


def strings() -> st.SearchStrategy[str]:
    """Strings in NFC, as decoders return strings."""
    characters = st.characters(exclude_categories=["Cs"])
    return (st.text(characters, max_size=8) | st.sampled_from(_SPECIAL_STRINGS)).map(_nfc)


def plain_strings() -> st.SearchStrategy[str]:
    """Strings as people write them in configurations: short, not empty, without control characters.

    Mostly lower-case ASCII; sometimes accented or Japanese letters or an emoji.
    """
    plain = st.text(_PLAIN_CHARACTERS, min_size=1, max_size=12)
    return plain | st.sampled_from(("é", "日本語", "A b", "👩‍👧"))


def names() -> st.SearchStrategy[str]:
    """Names of attributes and keys of maps: mostly plain ones."""
    return st.sampled_from(["a", "b", "from", "id", "0n", "Zed", "é"]) | strings()


def integers() -> st.SearchStrategy[int]:
    """Integers, often at the limits of the MessagePack formats."""
    return (
        st.integers()
        | st.integers(min_value=-(10**40), max_value=10**40)
        | st.builds(
            _near_limit,
            st.sampled_from([1, -1]),
            st.sampled_from(_FORMAT_LIMITS),
            st.sampled_from([-1, 0, 1]),
        )
    )


def fractions() -> st.SearchStrategy[Decimal]:
    """Numbers that are not integers."""
    decimals = st.decimals(allow_nan=False, allow_infinity=False, places=6) | st.floats(
        allow_nan=False, allow_infinity=False, min_value=-1e40, max_value=1e40
    ).map(lambda value: Decimal(repr(value)))
    return decimals.filter(lambda value: abs(value) < 10**20 and value % 1 != 0)


def numbers(*, infinite: bool = True) -> st.SearchStrategy[int | Decimal]:
    """Exact numbers.

    Args:
        infinite: Include the two infinities, which JSON cannot hold.
    """
    finite = integers() | fractions()
    return finite | st.sampled_from([Decimal("inf"), Decimal("-inf")]) if infinite else finite


def plain_numbers() -> st.SearchStrategy[int]:
    """Numbers as people write them in configurations: small and whole.

    Most attributes that are numbers refuse fractions, which no schema says.
    """
    return st.integers(0, 20) | st.integers(-10, 1000)


def _near_limit(sign: int, bits: int, offset: int) -> int:
    return sign * (1 << bits) + offset


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
