"""Hosts and plugins that nobody here wrote: Neovim, and JavaScript on `@msgpack/msgpack`."""

import json
import os
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from tests.seasonings.test_plugin import COMMAND, hook_params
from tofutypes.seasonings import CallError, HookPoint, StagePoint, launch
from tofutypes_codegen.cli import main

ROOT = Path(__file__).parents[2]


def test_neovim_as_a_host() -> None:
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("no nvim: make counterparts")
    script = Path(__file__).parent / "neovim.lua"
    done = subprocess.run(
        [neovim, "--headless", "-u", "NONE", "-c", f"luafile {script}", "-c", "qa!"],
        env={**os.environ, "PLUGIN": json.dumps(COMMAND)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    answers = list(map(json.loads, done.stderr.splitlines()))
    assert answers[0][1]["plugin"] == {"name": "toolkit", "version": "1.2.3"}
    assert answers[1:] == [
        [True, {"status": "ok"}],
        [True, {"result": "ababab"}],
        [False, "unknown error"],  # Neovim itself has errors of two elements only
        [True, {"state": None}],
        [True, answers[5][1]],
    ]


@pytest.fixture
def javascript(tmp_path: Path) -> list[str]:
    """The plugin of the examples, beside the package from npm."""
    node, package = shutil.which("node"), ROOT / ".counterparts" / "node_modules"
    if node is None or not (package / "@msgpack" / "msgpack").exists():
        pytest.skip("no node or no @msgpack/msgpack: make counterparts")
    shutil.copy(ROOT / "examples" / "seasonings" / "cost.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(package.resolve())
    return [node, str(tmp_path / "cost.mjs")]


def test_javascript_passes_the_check(
    javascript: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugin", "check", "--", *javascript]) == 0, capsys.readouterr().out


def test_javascript_as_a_plugin(javascript: list[str]) -> None:
    with launch(javascript) as plugin:
        assert plugin.call_function("monthly_cost", Decimal("0.1")) == 73
        with pytest.raises(CallError, match="plugin cost: expected a number") as raised:
            plugin.call("functions/call", {"name": "monthly_cost", "arguments": [[]]})
        assert raised.value.data == {"argument": 0}
        params = hook_params(after={"size": "small"})
        assert plugin.hook(HookPoint.POST_PLAN, params).metadata == {"monthly": 36.5}
        assert plugin.hook(StagePoint.PLAN_COMPLETE, {}).metadata == {"total": 36.5}
