"""Random types and payloads of them, in every spelling, right and wrong: questions for go-cty."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal, TypeAlias
from unicodedata import normalize

from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

Format: TypeAlias = Literal["msgpack", "json"]

_NAMES: Final = ("a", "b", "Name", "x_y", "é", "e\u0301", "0", "")
_STRINGS: Final = (
    *("", "a", "true", "1", "0.1", "é", "e\u0301", "日本語", "\0", '"\\', "<&>\u2028", "x" * 300),
)
_INTEGERS: Final = (
    *(0, 1, -1, 5, 127, 128, -32, -33, 255, 256, 2**16, -(2**15) - 1, 2**31, 2**32),
    *(2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1),
)
_FLOATS: Final = (0.0, -0.0, 0.1, 0.5, 1.0, -2.5, 1e15, 1e300, 5e-324, 1 / 3, 2.0**64, 2.0**70)
_DECIMALS: Final = (
    *("0", "1", "1.0", "1.50", "0.1", "-0.1", "1e3", "1E3", "1e-20", "1e300", "1e-30"),
    *("123456789012345678901234567890.123456789", "0.1000000000000000055511151231257827"),
    *("9007199254740993", "340282366920938463463374607431768211456", "0.30000000000000004"),
)
_ODD_NUMBERS: Final = (
    *("-0", "01", "+1", ".5", "1.", "1e1000", "Inf", "-Inf", "inf", "NaN", "0x10", "1_000", " 1"),
    *("1 ", "", "abc", "1/3", "0b1", "1e"),
)
_ACTUAL: Final = (
    STRING,
    NUMBER,
    BOOL,
    ListType(STRING),
    MapType(NUMBER),
    TupleType((BOOL, STRING)),
)
"""What elements of `dynamic` are."""

_UNKNOWN: Final = (b"\xd4\x00\x00", b"\xc7\x00\x00", b"\xd4\x0c\x80", b"\xc7\x01\x0c\x80")


@dataclass(frozen=True)
class Question:
    """A payload to be judged.

    Attributes:
        format: its format.
        type: the type constraint to read it by.
        data: the payload.
        odd: whether it is spelled in a way that nobody writes, or changed by chance: then it may be
            refused even if go-cty accepts it.
    """

    format: Format
    type: Type
    data: bytes
    odd: bool


def random_question(random: Random) -> Question:
    """Make a type, and a payload of it."""
    type_ = random_type(random)
    format_: Format = "json" if random.random() < 0.25 else "msgpack"
    writer = _Msgpack(random) if format_ == "msgpack" else _Json(random)
    data = writer.value(type_)
    if random.random() < 0.15:
        return Question(format_, type_, _mutated(random, data), odd=True)
    return Question(format_, type_, data, writer.odd)


def random_type(random: Random, depth: int = 3) -> Type:
    """Make a type."""
    if depth == 0 or random.random() < 0.35:
        return random.choice((STRING, STRING, NUMBER, NUMBER, BOOL, DYNAMIC))

    def inner() -> Type:
        return random_type(random, depth - 1)

    def named() -> dict[str, Type]:
        return {name: inner() for name in random.sample(_NAMES[:-3], random.randint(0, 4))}

    makers: Sequence[Callable[[], Type]] = (
        lambda: ListType(inner()),
        lambda: SetType(inner()),
        lambda: MapType(inner()),
        lambda: TupleType(tuple(inner() for _ in range(random.randint(0, 3)))),
        lambda: ObjectType(named()),
    )
    return random.choice(makers)()


def random_type_text(random: Random) -> str:
    """Make a type constraint in JSON, in any spelling, right or wrong."""
    described = json.dumps(
        _with_optional(random, random_type(random).to_object()),
        ensure_ascii=random.random() < 0.5,
        indent=random.choice((None, None, 1)),
        separators=random.choice((None, (",", ":"))),
    )
    if random.random() < 0.7:
        return described
    changed = [*described]
    for _ in range(random.choice((1, 1, 2))):
        at = random.randrange(len(changed) + 1)
        put = random.choice(("", "", *'[]{},:" ', "string", '"any"', '"é"', '"e\u0301"', "1"))
        changed[at : at + random.choice((0, 1, 1, 2))] = put
    return "".join(changed)


def _with_optional(random: Random, described: Any) -> Any:
    """The constraint with optional attributes in some objects."""
    match described:
        case ["object", attributes]:
            inner = {name: _with_optional(random, each) for name, each in attributes.items()}
            if random.random() < 0.7:
                return ["object", inner]
            names = random.sample([*inner], random.randint(0, len(inner)))
            return ["object", inner, [*names, "other"] if random.random() < 0.1 else names]
        case ["tuple", elements]:
            return ["tuple", [_with_optional(random, each) for each in elements]]
        case [kind, element]:
            return [kind, _with_optional(random, element)]
        case _:
            return described


def _mutated(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(5):
            case 0:
                changed[at:at] = random.randbytes(random.choice((1, 2)))
            case 1:
                del changed[at : at + 1]
            case 2:
                del changed[at:]
            case 3:
                changed += random.randbytes(1)
            case _:
                changed[at : at + 1] = random.randbytes(1)
    return bytes(changed)


class _Writer:
    """What writers of both formats have in common.

    Attributes:
        odd: whether something was spelled in a way that nobody writes.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.odd = False

    def happens(self, likely: float) -> bool:
        return self.random.random() < likely

    def oddly(self, likely: float = 0.02) -> bool:
        """Whether something is to be spelled oddly."""
        happens = self.happens(likely)
        self.odd = self.odd or happens
        return happens

    def decimal(self) -> str:
        return self.random.choice(_ODD_NUMBERS if self.oddly() else _DECIMALS)

    def keys(self) -> list[str]:
        """The keys of a map. (Of two that are equal, go-cty takes either by chance.)"""
        keys = [self.random.choice(_NAMES) for _ in range(self.random.choice((0, 1, 1, 2, 2, 3)))]
        return [*{normalize("NFC", key): key for key in keys}.values()]

    def other_name(self, names: Iterable[str]) -> str:
        """A name that is not among these."""
        free = [name for name in (*_NAMES, "other") if normalize("NFC", name) not in names]
        return self.random.choice(free)


class _Msgpack(_Writer):
    """Writes payloads in MessagePack, in any spelling."""

    def value(self, type_: Type) -> bytes:
        chance = self.random.random()
        if chance < 0.05:
            return b"\xc0"
        if chance < 0.12:
            return self.unknown(type_)
        if self.oddly():
            type_ = random_type(self.random, 1)  # which is not the one that is asked for
        match type_:
            case _ if type_ == STRING:
                return self.string(self.random.choice(_STRINGS))
            case _ if type_ == NUMBER:
                return self.number()
            case _ if type_ == BOOL:
                return self.random.choice((b"\xc2", b"\xc3"))
            case ListType(element=element) | SetType(element=element):
                return self.array(self.elements(element, self.length()))
            case MapType(element=element):
                keys = self.keys()
                return self.map([*zip(keys, self.elements(element, len(keys)), strict=True)])
            case TupleType(elements=elements):
                values = [self.value(element) for element in elements]
                return self.array(self.off_by_one(values, b"\xc0"))
            case ObjectType(attributes=attributes):
                pairs = [(name, self.value(each)) for name, each in attributes.items()]
                self.random.shuffle(pairs)
                return self.map(self.off_by_one(pairs, (self.other_name(attributes), b"\xc0")))
            case _:
                return self.dynamic(random_type(self.random, 1))

    def elements(self, type_: Type, count: int) -> list[bytes]:
        """The elements of a collection.

        Those of `dynamic` are all of one type. (Of a bare null beside others, go-cty makes a null
        of their type; we leave it as it came.)
        """
        if type_ != DYNAMIC:
            return [self.value(type_) for _ in range(count)]
        actual = self.random.choice(_ACTUAL)
        return [self.dynamic(actual) for _ in range(count)]

    def dynamic(self, actual: Type) -> bytes:
        described = actual.to_json().encode()
        if self.random.random() < 0.05:
            described = self.random.choice((b"1", b'"any"', b"", b'["list"]', b"null"))
        return self.array([self.binary(described), self.value(actual)])

    def length(self) -> int:
        return self.random.choice((0, 1, 1, 2, 2, 3))

    def off_by_one(self, values: list[Any], more: Any) -> list[Any]:
        if self.oddly(0.01):
            return values[:-1]
        return [*values, more] if self.oddly(0.01) else values

    def header(self, count: int, fixed: int, limit: int, codes: Sequence[int]) -> bytes:
        """The header of something with a length, in any spelling that has room for it."""
        forms = [bytes((fixed | count,))] if count <= limit else []
        formats = (">BB", ">BH", ">BI")[-len(codes) :]
        bits = (8, 16, 32)[-len(codes) :]
        forms += [
            struct.pack(form, code, count)
            for form, code, size in zip(formats, codes, bits, strict=True)
            if count < 2**size
        ]
        return self.random.choice((forms[0], self.random.choice(forms)))

    def array(self, values: Sequence[bytes]) -> bytes:
        return self.header(len(values), 0x90, 15, (0xDC, 0xDD)) + b"".join(values)

    def map(self, pairs: Sequence[tuple[str, bytes]]) -> bytes:
        written = b"".join(self.string(key) + value for key, value in pairs)
        return self.header(len(pairs), 0x80, 15, (0xDE, 0xDF)) + written

    def string(self, text: str) -> bytes:
        data = text.encode()
        if self.oddly(0.01):
            return self.binary(data)
        return self.header(len(data), 0xA0, 31, (0xD9, 0xDA, 0xDB)) + data

    def binary(self, data: bytes) -> bytes:
        if self.oddly(0.01):
            return self.header(len(data), 0xA0, 31, (0xD9, 0xDA, 0xDB)) + data
        return self.header(len(data), 0, -1, (0xC4, 0xC5, 0xC6)) + data

    def number(self) -> bytes:
        match self.random.randrange(3):
            case 0:
                return self.integer(self.random.choice(_INTEGERS))
            case 1:
                number = self.random.choice(_FLOATS)
                if self.random.random() < 0.25 and abs(number) < 1e30:
                    return struct.pack(">Bf", 0xCA, number)
                return struct.pack(">Bd", 0xCB, number)
            case _:
                return self.string(self.decimal())

    def integer(self, number: int) -> bytes:
        forms = [bytes((number & 0xFF,))] if -32 <= number < 128 else []
        for position, form in enumerate("BHIQ"):
            bits = 8 << position
            if 0 <= number < 2**bits:
                forms.append(struct.pack(f">B{form}", 0xCC + position, number))
            if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
                forms.append(struct.pack(f">B{form.lower()}", 0xD0 + position, number))
        return self.random.choice(forms)

    def unknown(self, type_: Type) -> bytes:
        if self.random.random() < 0.4:
            return self.random.choice(_UNKNOWN[:1])
        if self.oddly():
            return self.random.choice(_UNKNOWN)
        pairs: list[tuple[int, bytes]] = []
        if self.random.random() < 0.5:
            pairs.append((1, b"\xc2" if self.random.random() < 0.9 else b"\xc3"))
        if self.fits(type_ == STRING):
            pairs.append((2, self.string(self.random.choice(_STRINGS))))
        if self.fits(type_ == NUMBER):
            for key in self.random.sample((3, 4), self.random.randint(1, 2)):
                inclusive = self.random.choice((b"\xc2", b"\xc3"))
                pairs.append((key, self.array([self.number(), inclusive])))
        if self.fits(isinstance(type_, (ListType, SetType, MapType))):
            keys = self.random.sample((5, 6), self.random.randint(1, 2))
            lengths = (0, 1, 2, 3, 70)
            pairs += [(key, self.integer(self.random.choice(lengths))) for key in keys]
        self.random.shuffle(pairs)
        if self.random.random() < 0.05:  # last: go-cty loses what follows an unknown key
            pairs.append((self.random.choice((7, 99)), b"\xc0"))
        body = self.header(len(pairs), 0x80, 15, (0xDE, 0xDF))
        body += b"".join(self.integer(key) + value for key, value in pairs)
        sizes = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}
        if len(body) in sizes and self.random.random() < 0.5:
            return bytes((sizes[len(body)], 12)) + body
        if len(body) < 256 and self.random.random() < 0.8:
            return bytes((0xC7, len(body), 12)) + body
        return struct.pack(">BHB", 0xC8, len(body), 12) + body

    def fits(self, suited: bool) -> bool:
        return self.happens(0.7) if suited else self.oddly()


class _Json(_Writer):
    """Writes payloads in JSON."""

    def value(self, type_: Type) -> bytes:
        return self.text(type_).encode()

    def text(self, type_: Type) -> str:
        chance = self.random.random()
        if chance < 0.06:
            return "null"
        if self.oddly(0.03):
            type_ = random_type(self.random, 1)
        match type_:
            case _ if type_ == STRING:
                plain = self.random.random() < 0.5
                return json.dumps(self.random.choice(_STRINGS), ensure_ascii=plain)
            case _ if type_ == NUMBER:
                return json.dumps(self.decimal()) if self.oddly() else self.decimal()
            case _ if type_ == BOOL:
                odd = ('"true"', '"1"', "1", '"yes"')
                return self.random.choice(odd if self.oddly() else ("true", "false"))
            case ListType(element=element) | SetType(element=element):
                return self.array(self.elements(element, self.random.randint(0, 3)))
            case MapType(element=element):
                keys = self.keys()
                return self.object([*zip(keys, self.elements(element, len(keys)), strict=True)])
            case TupleType(elements=elements):
                return self.array([self.text(element) for element in elements])
            case ObjectType(attributes=attributes):
                pairs = [(name, self.text(each)) for name, each in attributes.items()]
                self.random.shuffle(pairs)
                if self.oddly():
                    pairs = [*pairs, (self.other_name(attributes), "null")]
                elif self.oddly():
                    pairs = pairs[:-1]
                return self.object(pairs)
            case _:
                return self.dynamic(random_type(self.random, 1))

    def elements(self, type_: Type, count: int) -> list[str]:
        """The elements of a collection; those of `dynamic` are all of one type."""
        if type_ != DYNAMIC:
            return [self.text(type_) for _ in range(count)]
        actual = self.random.choice(_ACTUAL)
        return [self.dynamic(actual) for _ in range(count)]

    def dynamic(self, actual: Type) -> str:
        pairs = [("value", self.text(actual)), ("type", actual.to_json())]
        self.random.shuffle(pairs)
        return self.object(pairs)

    def array(self, values: Sequence[str]) -> str:
        return f"[{self.comma().join(values)}]"

    def object(self, pairs: Sequence[tuple[str, str]]) -> str:
        return "{" + self.comma().join(f"{json.dumps(key)}:{value}" for key, value in pairs) + "}"

    def comma(self) -> str:
        return self.random.choice((",", ", ", " ,\n"))
