"""Run by `peers` in an environment that has them, and not us: measures, and prints JSON."""

from __future__ import annotations

import base64
import json
import sys
import timeit
from collections.abc import Callable
from importlib import import_module
from typing import Any

ROUNDS = 5


def main() -> None:
    """Read a type and bytes, print seconds."""
    request = json.load(sys.stdin)
    data = base64.b64decode(request["data"])
    constraint = json.loads(request["type"])
    codec, parser = import_module("pyvider.cty.codec"), import_module("pyvider.cty.parser")
    msgpack = import_module("msgspec").msgpack
    cty = parser.parse_tf_type_to_ctytype(constraint)
    value = codec.cty_from_msgpack(data, cty)
    decoder, encoder = msgpack.Decoder(struct(constraint, "Value")), msgpack.Encoder()
    plain = decoder.decode(data)
    figures = {
        "cty_read": best(lambda: codec.cty_from_msgpack(data, cty)),
        "cty_write": best(lambda: codec.cty_to_msgpack(value, cty)),
        "msgspec_read": best(lambda: decoder.decode(data)),
        "msgspec_write": best(lambda: encoder.encode(plain)),
    }
    sys.stdout.write(json.dumps(figures))


def best(action: Callable[[], object]) -> float:
    """The seconds it takes, at best."""
    timer = timeit.Timer(action)
    count = max(1, timer.autorange()[0] // 10)
    return min(timer.repeat(ROUNDS, count)) / count


def struct(constraint: Any, name: str) -> Any:
    """A type of msgspec that is like a type constraint, null and unknown values included."""
    msgspec = import_module("msgspec")
    plain: dict[str, Any] = {"string": str, "bool": bool, "number": int | float | str}
    many: dict[str, Any] = {"list": list, "set": list, "map": dict}
    match constraint:
        case "string" | "bool" | "number":
            known = plain[constraint]
        case ["list" | "set" as kind, inner]:
            known = many[kind][struct(inner, name)]
        case ["map", inner]:
            known = many["map"][str, struct(inner, name)]
        case ["object", attributes, *_]:
            fields = [(key, struct(inner, f"{name}_{key}")) for key, inner in attributes.items()]
            known = msgspec.defstruct(name, fields)
        case _:
            return Any
    return known | msgspec.msgpack.Ext | None


main()
