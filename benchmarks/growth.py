"""How the time for a value grows with it: time per element, and the order of growth."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.table import Table
from benchmarks.timing import seconds
from tofutypes import Model, build_model, read_schemas

SIZES = (10, 100, 1_000, 10_000)
OPERATIONS = ("decode", "validate", "compare", "encode")
TABLE = Table("value", {**{f"{size:,}": "{:.2f} µs" for size in SIZES}, "order": "{:.2f}"})

_RULE = {
    "attributes": {
        "protocol": {"type": "string", "required": True},
        "port": {"type": "number", "required": True},
        "peers": {"type": ["set", "string"], "optional": True},
    }
}
_BLOCK = {
    "attributes": {
        "strings": {"type": ["set", "string"], "optional": True},
        "numbers": {"type": ["set", "number"], "optional": True},
        "labels": {"type": ["map", "string"], "optional": True},
        "rules": {
            "type": ["set", ["object", {"protocol": "string", "port": "number"}]],
            "optional": True,
        },
    },
    "block_types": {
        "set_block": {"nesting_mode": "set", "block": _RULE},
        "list_block": {"nesting_mode": "list", "block": _RULE},
    },
}


def report() -> Iterator[str]:
    """The lines of the table."""
    yield "microseconds for each element; order: of growth from 100 elements on, 1 is linear"
    yield TABLE.head()
    model = _model()
    for shape in ("set_block", "rules", "strings", "numbers", "list_block", "labels"):
        times = [_measured(model, shape, size) for size in SIZES]
        for operation, column in zip(OPERATIONS, zip(*times, strict=True), strict=True):
            each = [time / size * 1e6 for time, size in zip(column, SIZES, strict=True)]
            yield TABLE.row(f"{shape} {operation}", *each, order(SIZES[1:], column[1:]))


def order(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The exponent of the power of the size that fits the times best."""
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    along = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return along / sum((a - mean_x) ** 2 for a in x)


def _model() -> type[Model]:
    provider = {"resource_schemas": {"growing": {"version": 0, "block": _BLOCK}}}
    document = {"format_version": "1.0", "provider_schemas": {"acme/growing": provider}}
    [schemas] = read_schemas(json.dumps(document).encode()).values()
    return build_model(schemas.resources["growing"], name="growing")


def _measured(model: type[Model], shape: str, size: int) -> Sequence[float]:
    fields = {shape: _elements(shape, size)}
    one, other = model.model_validate(fields), model.model_validate(fields)
    return seconds(
        partial(model.from_msgpack, one.to_msgpack()),
        partial(model.model_validate, fields),
        partial(one.__eq__, other),
        one.to_msgpack,
    )


def _elements(shape: str, size: int) -> object:
    # Backwards, so that a set has something to put in order.
    numbers = range(size - 1, -1, -1)
    match shape:
        case "labels":
            return {f"key-{number:05}": f"value {number}" for number in numbers}
        case "strings":
            return [f"value {number:05}" for number in numbers]
        case "numbers":
            return list(numbers)
        case "rules":
            return [{"protocol": "tcp", "port": number} for number in numbers]
        case _:
            return [{"protocol": "tcp", "port": n, "peers": ["10.0.0.0/8"]} for n in numbers]
