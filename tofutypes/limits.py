"""Limits that keep hostile or broken input from doing harm, and how to change them.

No limit says how many elements an array may claim to have: a claim is checked against the bytes
that are there.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, eq=False)
class Limits:
    """What the library accepts at most. Input beyond a limit is an error like any other bad input.

        >>> with use_limits(Limits(digits=100_000)):
        ...     pi = decode_json(text, parse_type("number"))

    Attributes:
        size: The bytes of one value in MessagePack or JSON. 1,024 are always accepted. 256 MiB is
            also the limit of a message of the provider protocol.
        document_size: The bytes of a schema, plan or state document, unpacked. The largest known
            schema documents have 60 MB.
        document_values: The values of such a document: its commas, brackets and braces. Real
            documents have one in 19 bytes or more; hostile ones have one in two, and each takes
            up to 150 bytes of memory.
        depth: The levels of nesting of types, hence of values. A higher limit may need a higher
            `sys.setrecursionlimit`; where Python's stack ends first, the error is the same.
        digits: The digits of a number, written without an exponent. 40 are always accepted. A
            float64 has at most 1,075; go-cty keeps 155.
        exponent: The absolute exponent of a number in text. `1e1000000000` would become a billion
            digits.
        refinement_size: The bytes of the refinements of one unknown value. go-cty refuses more
            than 1,024.
        unknown_elements: The length up to which an unknown list of a known length is decoded into
            a list of unknown elements, as go-cty does. A longer list stays one unknown value,
            which says the same.
    """

    size: int = 256 << 20
    document_size: int = 256 << 20
    document_values: int = 10_000_000
    depth: int = 100
    digits: int = 4000
    exponent: int = 1000
    refinement_size: int = 1024
    unknown_elements: int = 128


_CURRENT: Final = ContextVar("tofutypes limits", default=Limits())  # noqa: B039  # frozen

current_limits: Final = _CURRENT.get
"""Returns the limits that apply here."""


@contextmanager
def use_limits(limits: Limits) -> Generator[None]:
    """Use other limits inside a `with` statement.

    They apply to the thread or the task that enters the statement, and to tasks that start inside.

        >>> with use_limits(Limits(depth=300)):
        ...     value = decode_json(text, type)
    """
    token = _CURRENT.set(limits)
    try:
        yield
    finally:
        _CURRENT.reset(token)
