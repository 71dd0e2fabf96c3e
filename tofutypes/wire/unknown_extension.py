"""Unknown values on the wire: MessagePack extensions, and which refinements fit which type.

Source: the wire format document, "Unknown value refinements"; which refinements decide
a value is as go-cty does it (observed, 1.18.1).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import msgpack

from tofutypes.errors import InvalidValueError, NumberError, RefinementError, describe
from tofutypes.limits import Limits, current_limits
from tofutypes.narrowing import is_dict, is_sequence
from tofutypes.numbers import Number, number_from_float64, number_to_wire, parse_number
from tofutypes.refinements import Refinements
from tofutypes.sets import TofuSet
from tofutypes.types import (
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    SetType,
    Type,
)
from tofutypes.unknown import UNKNOWN, Unknown

MAX_PAYLOAD: Final = 1024
"""The bytes of refinements that are written: of more, go-cty refuses the value."""

MAX_PREFIX: Final = 256
"""The bytes of a string prefix that writers keep."""

_REFINED: Final = 12
_NOT_NULL, _PREFIX, _LOWER, _UPPER, _MIN_LENGTH, _MAX_LENGTH = range(1, 7)

_ZERO_WIDTH_JOINER: Final = "\u200d"
_UNREFINED_FORM: Final = msgpack.ExtType(0, b"\x00")


class _KnownNull(Unknown):
    """An unknown value that is refined to be null; what that means depends on the type."""

    __slots__ = ()


_KNOWN_NULL: Final = _KnownNull()


def extension_to_unknown(code: int, payload: bytes) -> Unknown:
    """What a MessagePack extension means: every one is an unknown value (the document).

    Raises:
        InvalidValueError: If the refinements are malformed or contradict each other.
    """
    if code != _REFINED or len(payload) <= 1:
        return UNKNOWN
    # Plans repeat few refinements, such as that a value is not null, many times.
    limits = current_limits()
    if len(payload) > (most := limits.refinement_size):
        raise InvalidValueError(f"refinements are too large: the limit is {most} bytes")
    return _read_short(payload, limits) if len(payload) <= _SHORT else _read_payload(payload)


def _read_payload(payload: bytes, _: Limits | None = None) -> Unknown:
    # Bytes behind the map are ignored, as go-cty does.
    try:
        if len(payload) > _SHORT:  # make no room for elements that are not there
            _unpacker(payload).skip()
        entries = _unpacker(payload).unpack()
    except (ValueError, TypeError, msgpack.UnpackException):  # TypeError: an array as a key
        raise InvalidValueError("malformed refinements of an unknown value") from None
    if not is_dict(entries):
        return UNKNOWN
    try:
        if _flag(entries.get(_NOT_NULL)) is True:
            return _KNOWN_NULL
        return Unknown.of(_read_refinements(entries))
    except RefinementError as error:
        raise InvalidValueError(f"invalid refinements of an unknown value: {error}") from None


_SHORT: Final = 32
# Remembered by the current limits too, since other limits may refuse what these accept.
_read_short: Final = lru_cache(maxsize=1024)(_read_payload)


def _unpacker(payload: bytes) -> msgpack.Unpacker:
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=len(payload))
    unpacker.feed(payload)
    return unpacker


def unknown_to_extension(unknown: Unknown) -> msgpack.ExtType:
    """The extension that go-cty writes for an unknown value.

    Bounds of so many digits that no reader would take the extension are left out: less is told,
    and all of it is true.
    """
    return _UNREFINED_FORM if unknown is UNKNOWN else _extension(unknown.refinements)


@lru_cache(maxsize=128)  # a value repeats few refinements, as plans do
def _extension(known: Refinements) -> msgpack.ExtType:
    entries: dict[int, object] = {}
    if known.not_null:
        entries[_NOT_NULL] = False
    if known.prefix is not None and (prefix := cut_prefix(known.prefix)):
        entries[_PREFIX] = prefix
    if known.lower is not None:
        entries[_LOWER] = [number_to_wire(known.lower), known.lower_inclusive]
    if known.upper is not None:
        entries[_UPPER] = [number_to_wire(known.upper), known.upper_inclusive]
    if known.min_length is not None:
        entries[_MIN_LENGTH] = known.min_length
    if known.max_length is not None:
        entries[_MAX_LENGTH] = known.max_length
    if not entries:
        return _UNREFINED_FORM
    payload = msgpack.packb(entries)
    if len(payload) > MAX_PAYLOAD:
        return _extension(Refinements(not_null=known.not_null))
    return msgpack.ExtType(_REFINED, payload)


def cut_prefix(prefix: str) -> str:
    """The prefix, cut so that it takes at most 256 bytes and no grapheme is split.

    The last character before the cut goes too, with all that it joins: what follows the cut could
    join it. (Observed: of 300 letters `x` go-cty keeps 254.)
    """
    encoded = prefix.encode()
    if len(encoded) <= MAX_PREFIX:
        return prefix
    kept = encoded[: MAX_PREFIX - 1].decode("utf-8", "ignore")
    end = len(kept) - 1
    while end > 0 and _joins(kept[end - 1], kept[end]):
        end -= 1
    return kept[:end]


def _joins(before: str, character: str) -> bool:
    """Whether two characters may belong to one grapheme; errs towards yes."""
    return (
        _ZERO_WIDTH_JOINER in (before, character)
        or unicodedata.category(character) in ("Mn", "Mc", "Me", "Sk")
        or "\u1100" <= character <= "\u11ff"
        or "\U0001f1e6" <= character <= "\U0001f1ff"
    )


def settle_unknown(unknown: Unknown, type_: Type) -> object:
    """What an unknown value of a type is: itself, or the value that its refinements decide.

    Raises:
        InvalidValueError: If a refinement does not fit the type.
    """
    if type_ is DYNAMIC:
        return UNKNOWN
    if isinstance(unknown, _KnownNull):
        return None
    known = unknown.refinements
    if not known:
        return UNKNOWN
    if known.prefix is not None and type_ is not STRING:
        raise InvalidValueError(f"a string prefix cannot refine an unknown {type_}")
    if (known.lower is not None or known.upper is not None) and type_ is not NUMBER:
        raise InvalidValueError(f"number bounds cannot refine an unknown {type_}")
    has_length = known.min_length is not None or known.max_length is not None
    if has_length and not isinstance(type_, CollectionType):
        raise InvalidValueError(f"a length cannot refine an unknown {type_}")
    return _decided(unknown, known, type_) if known.not_null else unknown


def _decided(unknown: Unknown, known: Refinements, type_: Type) -> object:
    inclusive = known.lower_inclusive and known.upper_inclusive
    if known.lower is not None and known.lower == known.upper and inclusive:
        return known.lower
    if known.max_length is not None and (known.min_length or 0) == known.max_length:
        match type_:
            case ListType() if known.max_length <= current_limits().unknown_elements:
                return [UNKNOWN] * known.max_length
            case SetType() if known.max_length <= 1:  # observed, go-cty 1.19.0
                return TofuSet([UNKNOWN] * known.max_length)
            case MapType() if known.max_length == 0:
                return {}
            case _:
                pass
    return unknown


def _read_refinements(entries: dict[object, object]) -> Refinements:
    lower, lower_inclusive = _read_bound(entries.get(_LOWER))
    upper, upper_inclusive = _read_bound(entries.get(_UPPER))
    return Refinements(
        not_null=_flag(entries.get(_NOT_NULL)) is False,
        prefix=_read_prefix(entries.get(_PREFIX)),
        lower=lower,
        lower_inclusive=lower_inclusive,
        upper=upper,
        upper_inclusive=upper_inclusive,
        min_length=_read_length(entries.get(_MIN_LENGTH)),
        max_length=_read_length(entries.get(_MAX_LENGTH)),
    )


def _flag(entry: object) -> bool | None:
    if entry is not None and not isinstance(entry, bool):
        raise RefinementError(f"nullness: expected a bool, got {describe(entry)}")
    return entry


def _read_prefix(entry: object) -> str | None:
    if entry is not None and not isinstance(entry, str):
        raise RefinementError(f"prefix: expected a string, got {describe(entry)}")
    return entry


def _read_length(entry: object) -> int | None:
    if entry is not None and (not isinstance(entry, int) or isinstance(entry, bool)):
        raise RefinementError(f"length: expected an integer, got {describe(entry)}")
    return entry


def _read_bound(entry: object) -> tuple[Number | None, bool]:
    if entry is None:
        return None, True
    if is_sequence(entry) and len(entry) == 2:
        number, inclusive = entry
        if isinstance(inclusive, bool):
            return _read_bound_number(number), inclusive
    raise RefinementError("bound: expected a pair of a number and a bool")


def _read_bound_number(number: object) -> Number:
    try:
        if isinstance(number, str):
            return parse_number(number)
        if isinstance(number, float):
            return number_from_float64(number)
    except NumberError as error:
        raise RefinementError(str(error)) from None
    if not isinstance(number, int) or isinstance(number, bool):
        raise RefinementError(f"bound: expected a number, got {describe(number)}")
    return number
