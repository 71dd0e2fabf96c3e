"""Changed payloads: bytes of any kind, and trees of MessagePack and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgpack

from tofutypes import TofuTypesError

_TOKENS: Final = [
    *(bytes([byte]) for byte in b"\xc0\xc1\xc2\xc3\x80\x81\x90\x91\x92\xa0\xa1\xd4\x00\x7f\xff"),
    *map(bytes.fromhex, [
        "dd ff ff ff ff", "df ff ff ff ff", "c6 ff ff ff ff", "dc ff ff", "de ff ff",
        "c9 00 00 ff ff 0c", "c8 04 01 0c", "d4 00 00", "d6 ff 00 00 00 00", "ca 3d cc cc cd",
        "c7 03 0c 81 01 c2", "c7 03 0c 81 01 c3", "cb 7f f0 00 00 00 00 00 00",
        "c7 0f 0c 83 01 c2 05 ce 3b 9a ca 00 06 ce 3b 9a ca 00", "cb 7f f8 00 00 00 00 00 00",
        "cf ff ff ff ff ff ff ff ff", "d3 80 00 00 00 00 00 00 00",
    ]),
    b"\xac1e1000000000", b"1e1000000000", b"1e400", b"-0", b"0.1", b"NaN", b"Infinity", b"null",
    b'"dynamic"', b'["list","dynamic"]', b'["object",{},[]]', b'{"type":"string","value":1}',
    b"[", b"]", b"{", b"}", b'"', b",", b":", b"\\ud800", b"\xed\xa0\x80", b"\\u0000", b"e\xcc\x81",
    b"[" * 300, b'{"a":' * 300, b"\x91" * 300, b"\x81\xa1a" * 300, b'["list",' * 120,
]  # fmt: skip

_LEAVES: Final[list[Any]] = [
    None, True, False, 0, -1, 2**63, 0.5, float("inf"), "", "a", "1", "true", "0.1", "1e400",
    "e\u0301", b"", b'"string"', b'["tuple",["string"]]', [], {}, [None], {"a": None},
    msgpack.ExtType(0, b"\0"), msgpack.ExtType(12, b"\x81\x01\xc2"), msgpack.ExtType(5, b"abc"),
    msgpack.ExtType(12, b"\x83\x01\xc2\x05\x02\x06\x02"), msgpack.ExtType(12, b"\x81\x02\xa1a"),
]  # fmt: skip


@dataclass
class Mutator:
    """Makes new inputs of the seeds of a target; the same ones for the same seed of chance."""

    target: str
    seeds: Sequence[bytes]
    random: Random
    head: Callable[[bytes], int] = field(init=False)

    def __post_init__(self) -> None:
        self.head = {
            "msgpack": lambda data: data.find(b"\n") + 1,
            "json": lambda data: data.find(b"\n") + 1,
            "models": lambda data: 3,
        }.get(self.target, lambda data: 0)

    def next_input(self) -> bytes:
        """A seed, changed."""
        return self.changed(self.random.choice(self.seeds))

    def changed(self, seed: bytes) -> bytes:
        """The input, changed in its tree or in its bytes, or both; the head mostly stays."""
        cut = self.head(seed) if self.random.random() < 0.95 else 0
        head, payload = seed[:cut], seed[cut:]
        chance = self.random.random()
        if chance < 0.5:
            payload = self._change_tree(payload)
        if chance > 0.4:
            for _ in range(self.random.choice((1, 1, 1, 2, 3, 8))):
                payload = self._change_bytes(payload)
        return head + payload

    def _change_bytes(self, data: bytes) -> bytes:
        random = self.random
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice((0, 1, 1, 2, 4, 16, 64)))
        match random.randrange(7):
            case 0:
                return data[:start] + random.choice(_TOKENS) + data[end:]
            case 1:
                return data[:start] + random.choice(_TOKENS) + data[start:]
            case 2:
                return data[:start] + data[end:]
            case 3:
                return data[:start]
            case 4:
                return data[:start] + data[start:end] * random.choice((2, 3, 40)) + data[end:]
            case 5 if start < len(data):
                changed = bytes([data[start] ^ 1 << random.randrange(8)])
                return data[:start] + changed + data[start + 1 :]
            case _:
                other = random.choice(self.seeds)
                at = random.randint(0, len(other))
                return data[:start] + other[at : at + random.randint(1, 60)] + data[end:]

    def _change_tree(self, payload: bytes) -> bytes:
        try:
            if payload[:1] in (b"{", b"[") or self.target in ("json", "schemas", "types"):
                return json.dumps(self._replaced(json.loads(payload))).encode()
            tree = msgpack.unpackb(payload, strict_map_key=False)
            packed: bytes = msgpack.packb(self._replaced(tree))
        except (ValueError, TypeError, RecursionError, OverflowError, msgpack.UnpackException):
            return payload
        return packed

    def _replaced(self, tree: Any) -> Any:
        """The tree with another subtree in one place."""
        random = self.random
        inner = list(tree) if isinstance(tree, dict) else range(len(tree)) if _is_list(tree) else ()
        if not inner or random.random() < 0.15:
            return self._another(tree)
        key = random.choice(inner)
        if random.random() < 0.05:
            if isinstance(tree, dict):
                del tree[key]
            else:
                tree.append(tree[key])
        else:
            tree[key] = self._replaced(tree[key])
        return tree

    def _another(self, tree: Any) -> Any:
        match self.random.randrange(4):
            case 0:
                return [tree]
            case 1:
                return {self.random.choice(("a", "k", "e\u0301", "type", "id")): tree}
            case 2 if isinstance(tree, int | float) and not isinstance(tree, bool):
                return str(tree)
            case _:
                leaf = self.random.choice(_LEAVES)
                plain = isinstance(leaf, bytes | msgpack.ExtType) and self.target in _TEXTS
                return None if plain else leaf


_TEXTS: Final = ("json", "schemas", "types")


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def outcome_of(check: Callable[[bytes], None], data: bytes) -> str:
    """What became of an input: a value, or an error of ours by its class; all else is raised."""
    try:
        check(data)
    except TofuTypesError as error:
        told = f"{error!s}{error!r}"  # must not fail either
        return type(error).__name__ if told else "an error that says nothing"
    return "value"
