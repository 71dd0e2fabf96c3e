"""Models, against the plain MessagePack library on the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgpack

from benchmarks.payloads import payloads
from benchmarks.table import Table
from benchmarks.timing import seconds

TABLE = Table(
    "payload",
    {"bytes": "{:.0f}"}
    | dict.fromkeys(("decode", "encode", "validate", "construct", "equality"), "{:.1f}×"),
)


def report() -> Iterator[str]:
    """The lines of the table.

    Decoding makes a model of bytes, and validating one of a dict. Constructing gives the values of
    a model, nested models among them, to a new one. Equality is between two equal models.
    """
    yield "encode: msgpack.packb of the equal dict = 1; all others: msgpack.unpackb = 1"
    yield TABLE.head()
    for name, model, _, data in payloads():
        value, other = model.from_msgpack(data), model.from_msgpack(data)
        plain, fields = msgpack.unpackb(data), dict(value)
        unpack, pack, decode, encode, validate, construct, equality = seconds(
            partial(msgpack.unpackb, data),
            partial(msgpack.packb, plain),
            partial(model.from_msgpack, data),
            value.to_msgpack,
            partial(model.model_validate, value.model_dump()),
            partial(model, **fields),
            partial(value.__eq__, other),
        )
        read = (time / unpack for time in (validate, construct, equality))
        yield TABLE.row(name, len(data), decode / unpack, encode / pack, *read)
    yield from TABLE.medians(*list(TABLE.columns)[1:])
