"""The page of all public names has them all, and its examples run."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import tofutypes
import tofutypes.provider
import tofutypes.provider.client
from tests.docs.test_examples import ROOT, SCHEMA

PAGE = (ROOT / "docs" / "reference" / "names.md").read_text()
ROWS = re.findall(r"^\| (\[`.+?\]) \| .+ \| `([^|]+)` \|$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the first block of the page defines."""
    folder = tmp_path_factory.mktemp("names")
    shutil.copy(SCHEMA, folder)
    block = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert block
    code = block[1].replace("schema.json", str(Path(folder, "schema.json")))
    namespace: dict[str, Any] = {"__name__": "names_page"}
    exec(compile(code, "names.md", "exec", dont_inherit=True), namespace)
    return namespace


@pytest.mark.parametrize("code", [code for _, code in ROWS])
def test_example_runs(names: dict[str, Any], code: str, tmp_path: Path, monkeypatch: Any) -> None:
    shutil.copy(SCHEMA, tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "names.md", "exec", dont_inherit=True), dict(names))


def test_every_public_name_is_there() -> None:
    listed = {name for links, _ in ROWS for name in re.findall(r"\[`(\w+)`\]", links)}
    for module in (tofutypes, tofutypes.provider, tofutypes.provider.client):
        assert set(module.__all__) - listed == set(), module.__name__
