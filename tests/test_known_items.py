"""`known_items` and `present_items`."""

from __future__ import annotations

from typing import Any

import pytest

from tofutypes import UNKNOWN, TofuSet, known_items, present_items
from tofutypes.errors import NullValueError, UnknownValueError


def test_elements() -> None:
    assert known_items(["a", None]) == ["a", None]
    assert known_items(("a",)) == ["a"]
    assert known_items(TofuSet(["a"])) == ["a"]
    assert known_items({"k": None}) == {"k": None}
    assert present_items([1, 2]) == [1, 2]
    assert present_items({"k": "a"}) == {"k": "a"}


@pytest.mark.parametrize("function", [known_items, present_items])
@pytest.mark.parametrize(
    ("items", "path"), [(["a", UNKNOWN], "[1]"), ({"k": UNKNOWN}, '["k"]'), ((UNKNOWN,), "[0]")]
)
def test_unknown_elements(function: Any, items: object, path: str) -> None:
    with pytest.raises(UnknownValueError) as raised:
        function(items)
    assert str(raised.value) == f"{path}: expected a known value, got an unknown value"


def test_null_elements() -> None:
    with pytest.raises(NullValueError, match=r'^\["k"\]: expected a value, got null$'):
        present_items({"j": "a", "k": None})
