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
STARTS_PROGRAMS = ("serve", "launch", "attach", "connect")
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


@pytest.mark.parametrize(("links", "code"), ROWS)
def test_example(
    names: dict[str, Any], links: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SCHEMA, tmp_path)
    monkeypatch.chdir(tmp_path)
    compiled = compile(code, "names.md", "exec", dont_inherit=True)
    if code.startswith(STARTS_PROGRAMS):
        return
    error = re.match(r"\[`(\w+Error)`\]\[tofutypes\.\w+\]$", links)
    if error and error[1] != code:
        with pytest.raises(getattr(tofutypes, error[1])):
            exec(compiled, dict(names))
    else:
        exec(compiled, dict(names))


def test_every_public_name_is_there() -> None:
    listed = {name for links, _ in ROWS for name in re.findall(r"\[`(\w+)`\]", links)}
    for module in (tofutypes, tofutypes.provider, tofutypes.provider.client):
        assert set(module.__all__) - listed == set(), module.__name__
