"""Text: Unicode normalisation of strings and names, and the escapes of Go's JSON encoder."""

from __future__ import annotations

import unicodedata
from typing import Final

from tofutypes.errors import InvalidValueError, expected


def nfc(text: str) -> str:
    """The text in Unicode normalisation form C."""
    return str(text) if text.isascii() else unicodedata.normalize("NFC", text)


def has_unpaired_surrogate(text: str) -> bool:
    """Whether the text contains half of a surrogate pair. JSON can escape one; UTF-8 cannot."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def normalize_string(text: str) -> str:
    """The text as the type system holds it: in normalisation form C.

    Source: the wire format document; go-cty normalises every string, map key and attribute name.

    Raises:
        InvalidValueError: If the text contains an unpaired surrogate.
    """
    if text.isascii():
        return str(text)
    if has_unpaired_surrogate(text):
        raise InvalidValueError("invalid Unicode: unpaired surrogate")
    return unicodedata.normalize("NFC", text)


def attribute_name(key: object) -> str:
    """The key of a mapping as an attribute name or a map key: a normalised string.

    Raises:
        InvalidValueError: If the key is not a string.
    """
    if not isinstance(key, str):
        raise expected("a string as key", key)
    return normalize_string(str.__str__(key))


_GO_ESCAPES: Final = str.maketrans(
    {
        "<": "\\u003c",
        ">": "\\u003e",
        "&": "\\u0026",
        "\u2028": "\\u2028",
        "\u2029": "\\u2029",
    }
)


def escape_as_go(json_text: str) -> str:
    """JSON text with the escapes that Go's encoder, hence go-cty, writes inside strings.

    Outside of strings, JSON contains none of these characters.
    """
    return json_text.translate(_GO_ESCAPES)
