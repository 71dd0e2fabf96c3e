"""How much the library takes: limits that keep bad input from doing harm, and how to change them.

None of them says how many elements a list may claim to have: a claim is checked against the bytes
that are there.
"""

from __future__ import annotations

import copy
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, TypeVar

from tofutypes.errors import InvalidValueError

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Limits:
    """What is taken at most. What goes beyond is an error, as any other bad input.

    Attributes:
        size: the bytes of one value in MessagePack or JSON; 1,024 are always taken. The messages of
            the protocol are limited to these 256 MiB too.
        document_size: the bytes of a schema document, unpacked. The largest known have 60 MB.
        depth: how deep types, hence values, may nest. A higher one may need a higher
            `sys.setrecursionlimit`; until then Python's stack is the limit, and to read or
            write beyond it is an ordinary error too.
        digits: the digits of a number when it is written without an exponent; 40 are always taken.
            A float64 has at most 1,075; the reference keeps 155.
        exponent: the exponent of a number in text, below zero or above. `1e1000000000` would become
            a billion digits.
        refinement_size: the bytes of the refinements of one unknown value. The reference refuses
            more than these.
        unknown_elements: the length of a list that is made of unknown elements when only its length
            is known. A longer list stays one unknown value, which says the same.
    """

    size: int = 256 << 20
    document_size: int = 1 << 30
    depth: int = 100
    digits: int = 4000
    exponent: int = 1000
    refinement_size: int = 1024
    unknown_elements: int = 128


_CURRENT: Final = ContextVar("tofutypes limits", default=Limits())  # noqa: B039  # it is frozen

current_limits: Final = _CURRENT.get
"""The limits that hold here: as a function, for it is asked often."""


@contextmanager
def use_limits(limits: Limits) -> Generator[None]:
    """Other limits, inside a `with` statement.

    They hold in the thread or the task that enters it, and in tasks that start inside.

        with use_limits(Limits(digits=100_000)):
            pi = decode_json(text, NUMBER)
    """
    token = _CURRENT.set(limits)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def too_deep() -> InvalidValueError:
    """The error for a value that nests so deep that there is no more going into it."""
    return InvalidValueError(f"value is nested too deeply ({depth_limit()})")


def depth_limit() -> str:
    """The limit of depth, for a message."""
    return f"the limit is {current_limits().depth} levels"


def shown(value: object) -> str:
    """Its repr, for values that may be nested without end."""
    try:
        return repr(value)
    except RecursionError:
        return "(nested too deeply to be shown)"


def deep_copy(value: T, memo: dict[int, object]) -> T:
    """Its deep copy, for values that may be nested without end.

    Raises:
        InvalidValueError: it is nested too deeply.
    """
    try:
        return copy.deepcopy(value, memo)
    except RecursionError:
        raise too_deep() from None
