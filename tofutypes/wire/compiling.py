"""What the compilers of readers and writers share.

Tests for leaves that are fit as they are, and the step from source lines to a function.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Collection, Sequence
from itertools import count
from typing import Any, Final

from tofutypes.numbers import INT64_MAX, INT64_MIN
from tofutypes.types import BOOL, NUMBER, STRING, Type
from tofutypes.wire.layout import Compiled, Layout, PrimitiveLayout

READ_UNLESS: Final[dict[Type, str]] = {
    STRING: "{0}.__class__ is not str or not {0}.isascii()",
    NUMBER: "{0}.__class__ is not int",
    BOOL: "{0} is not True and {0} is not False",
}
"""By type of a leaf: the Python expression that is false for a value that is fit to be read."""

WRITE_UNLESS: Final[dict[Type, str]] = {
    **READ_UNLESS,
    NUMBER: f"{{0}}.__class__ is not int or not {INT64_MIN} <= {{0}} <= {INT64_MAX}",
}
"""The same for writing."""


def all_strings(values: Collection[Any]) -> bool:
    """Whether all are strings of ASCII, which need no normalising. (One pass in C.)"""
    try:
        return "".join(values).isascii()
    except TypeError:
        return False


def all_integers(values: Collection[Any]) -> bool:
    """Whether all are integers, none of them a bool."""
    return set(map(type, values)) <= {int}


def all_int64(values: Collection[Any]) -> bool:
    """Whether all are integers of 64 bits."""
    return all_integers(values) and (
        not values or (min(values) >= INT64_MIN and max(values) <= INT64_MAX)
    )


def all_bools(values: Collection[Any]) -> bool:
    """Whether all are bools."""
    return set(map(type, values)) <= {bool}


_READ_FIT: Final = {STRING: all_strings, NUMBER: all_integers, BOOL: all_bools}
_WRITE_FIT: Final = {**_READ_FIT, NUMBER: all_int64}


def fit_check(
    element: Layout, *, writing: bool = False
) -> Callable[[Collection[Any]], bool] | None:
    """A quick test whether all elements are fit as they are; None if there is none."""
    if not isinstance(element, PrimitiveLayout):
        return None
    return (_WRITE_FIT if writing else _READ_FIT).get(element.type)


_numbers: Final = count(1)


def compile_function(
    name: str, lines: Sequence[str], known: dict[str, Any], title: str
) -> Compiled:
    """The function of that name that these lines define, over these globals.

    Its source is known to tracebacks and debuggers as long as there is the function.
    """
    source = "\n".join([*lines, ""])
    filename = f"<tofutypes: {title} #{next(_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), known)  # our own lines, names are repr()s
    function: Compiled = known[name]
    weakref.finalize(function, linecache.cache.pop, filename, None).atexit = False
    return function


def deferred(known: dict[str, Any], name: str, make: Callable[[], Compiled]) -> Compiled:
    """A stand-in for a function of compiled code that is made at its first call.

    The largest resources have hundreds of nested classes; a value has few of them.
    """

    def first_call(value: Any) -> object:
        function = known[name] = make()
        return function(value)

    return first_call
