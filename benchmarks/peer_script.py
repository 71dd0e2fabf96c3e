"""Run by `peers` in an environment that has them, and not us: measures, and prints JSON."""

from __future__ import annotations

import base64
import json
import sys
import timeit
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

ROUNDS = 15

Pair = tuple[Callable[[], object], Callable[[], object]]
"""What reads the bytes, and what writes the value that was read."""


def main() -> None:
    """Read a type and bytes, print seconds."""
    request = json.load(sys.stdin)
    data, constraint = base64.b64decode(request["data"]), json.loads(request["type"])
    pairs = {"cty": cty, "pydantic": pydantic, "tf": tf, "msgspec": msgspec}
    figures = {name: list(map(best, pair(data, constraint))) for name, pair in pairs.items()}
    sys.stdout.write(json.dumps(figures))


def best(action: Callable[[], object]) -> float:
    """The seconds it takes, at best."""
    timer = timeit.Timer(action)
    count = max(1, timer.autorange()[0] // 10)
    return min(timer.repeat(ROUNDS, count)) / count


def cty(data: bytes, constraint: Any) -> Pair:
    """pyvider-cty, which does what we do."""
    codec, parser = import_module("pyvider.cty.codec"), import_module("pyvider.cty.parser")
    type_ = parser.parse_tf_type_to_ctytype(constraint)
    value = codec.cty_from_msgpack(data, type_)
    return lambda: codec.cty_from_msgpack(data, type_), lambda: codec.cty_to_msgpack(value, type_)


def pydantic(data: bytes, constraint: Any) -> Pair:
    """Plain models: an unknown value is null to them, a set a list."""
    msgpack, create = import_module("msgpack"), import_module("pydantic").create_model

    def model(name: str, fields: Mapping[str, Any]) -> Any:
        return create(name, **{key: (type_, ...) for key, type_ in fields.items()})

    def read() -> Any:
        return made.model_validate(msgpack.unpackb(data, ext_hook=lambda *_: None))

    made = annotation(constraint, "Value", model, None)
    value = read()
    return read, lambda: msgpack.packb(value.model_dump())


def tf(data: bytes, _: Any) -> Pair:
    """The values of the SDK `tf`: dicts without types, where an unknown value is a constant."""
    utils, messages = import_module("tf.utils"), import_module("tf.gen.tfplugin_pb2")
    message = messages.DynamicValue(msgpack=data)
    value = utils.read_dynamic_value(message)
    return lambda: utils.read_dynamic_value(message), lambda: utils.to_dynamic_value(value)


def msgspec(data: bytes, constraint: Any) -> Pair:
    """Typed structs that are read by compiled code."""
    library = import_module("msgspec")

    def struct(name: str, fields: Mapping[str, Any]) -> Any:
        return library.defstruct(name, list(fields.items()))

    made = annotation(constraint, "Value", struct, library.msgpack.Ext)
    decoder, encoder = library.msgpack.Decoder(made), library.msgpack.Encoder()
    value = decoder.decode(data)
    return lambda: decoder.decode(data), lambda: encoder.encode(value)


def annotation(
    constraint: Any, name: str, class_of: Callable[[str, Mapping[str, Any]], Any], unknown: Any
) -> Any:
    """What stands for a type constraint, with null, and with what unknown values are."""
    plain: dict[str, Any] = {"string": str, "bool": bool, "number": int | float | str}
    many: dict[str, Any] = {"list": list, "set": list, "map": dict}
    match constraint:
        case "string" | "bool" | "number":
            known = plain[constraint]
        case ["list" | "set" as kind, inner]:
            known = many[kind][annotation(inner, name, class_of, unknown) | None]
        case ["map", inner]:
            known = many["map"][str, annotation(inner, name, class_of, unknown) | None]
        case ["object", attributes, *_]:
            fields = {
                key: annotation(inner, f"{name}_{key}", class_of, unknown) | None
                for key, inner in attributes.items()
            }
            known = class_of(name, fields)
        case _:
            return Any
    return known if unknown is None else known | unknown


main()
