"""Documents as JSON text again, with exact numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import orjson

from tofutypes.documents.records import bounded
from tofutypes.errors import DocumentError
from tofutypes.narrowing import is_dict, is_list
from tofutypes.numbers import INT64_MAX, INT64_MIN, number_to_text
from tofutypes.text import escape_as_go

_INDENTED: Final = orjson.OPT_INDENT_2


def dump(document: object, *, indent: bool = False) -> str:
    """The text of a document, with the escapes that OpenTofu and Terraform write.

    Raises:
        DocumentError: If it is nested too deeply, or has text that UTF-8 cannot carry.
    """
    with bounded("document"):
        try:
            return _dump(document, indent=indent)
        except orjson.JSONEncodeError:
            pass  # of integers beyond 64 bits, among others
        try:
            return _dump(_with_long_integers(document), indent=indent)
        except orjson.JSONEncodeError as error:
            raise DocumentError(f"the document cannot be written as JSON: {error}") from None


def _dump(document: object, *, indent: bool) -> str:
    option = _INDENTED if indent else None
    return escape_as_go(orjson.dumps(document, default=_fragment, option=option).decode())


def _fragment(value: object) -> orjson.Fragment:
    if isinstance(value, Decimal) and value.is_finite():
        return orjson.Fragment(number_to_text(value))
    raise TypeError(f"a {type(value).__name__} is not part of a document")


def _with_long_integers(value: object) -> object:
    if is_dict(value):
        return {key: _with_long_integers(inner) for key, inner in value.items()}
    if is_list(value):
        return [_with_long_integers(inner) for inner in value]
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        return orjson.Fragment(number_to_text(value))
    return value
