"""The table of errors: each line of it gets what it says."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tofutypes.provider.client
from tests.docs.test_examples import ROOT
from tofutypes import TofuTypesError

PAGE = (ROOT / "docs" / "guide" / "errors.md").read_text()
ROW = re.compile(
    r"^\| [^|]+ \| `(?P<code>[^|]+)` \| (?:`` )?`?(?P<error>[^|]+?)(?: ``|`) \|$", re.MULTILINE
)
ROWS = [(match["code"], match["error"]) for match in ROW.finditer(PAGE)]
TREE = re.compile(r"^[│├└─ ]*(\w+Error)\b", re.MULTILINE)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the first example of the page defines."""
    found: dict[str, Any] = {"__name__": "errors_page"}
    first = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert first
    exec(compile(first[1], "errors.md", "exec", dont_inherit=True), found)
    return found


@pytest.mark.parametrize(("code", "error"), ROWS)
def test_row(names: dict[str, Any], code: str, error: str) -> None:
    with pytest.raises(TofuTypesError) as raised:
        eval(code, names)
    assert f"{type(raised.value).__name__}: {raised.value}" == error


def test_every_exception_is_in_the_tree_and_in_the_table() -> None:
    errors = {name for name in tofutypes.__all__ if name.endswith("Error")}
    tree = PAGE[: PAGE.index("## Examples of messages")]
    of_providers = {*tofutypes.provider.__all__, *tofutypes.provider.client.__all__}
    assert set(TREE.findall(tree)) == errors | {
        name for name in of_providers if name.endswith("Error")
    }
    told = {error.partition(":")[0] for _, error in ROWS}
    # Two are bases, the third has an example of its own: its message has several lines.
    assert errors - told == {"TofuTypesError", "LocatedError", "InvalidSchemaError"}
