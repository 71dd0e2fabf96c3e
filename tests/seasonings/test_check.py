"""`tofutypes plugin check`: what is right passes, and every fault is found and told."""

import json
import sys
from pathlib import Path

import pytest

from tests.seasonings.peers import run
from tofutypes import TofuTypesError
from tofutypes.seasonings.check import checker, resource_checks, session
from tofutypes.seasonings.check.report import Finding, Report, Status
from tofutypes_codegen.cli import main

PLUGINS = Path(__file__).parent / "plugins"
RAW = [sys.executable, str(PLUGINS / "raw.py")]


def check(command: list[str]) -> Report:
    reports: list[Report] = []

    async def main() -> None:
        reports.append(await checker.check_plugin(command))

    run(main())
    return reports[0]


def faults(report: Report) -> dict[str, Finding]:
    return {
        finding.check: finding for finding in report.findings if finding.status is not Status.OK
    }


def test_a_plugin_in_raw_messagepack_passes() -> None:
    assert list(faults(check(RAW))) == ["storage: kept"]


def test_a_plugin_of_ours_passes() -> None:
    report = check([sys.executable, str(PLUGINS / "toolkit.py")])
    assert not report.failed
    assert set(faults(report)) == {"function wrong", "storage: kept"}


def test_resources_are_planned_and_not_created(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PLUGINS.parents[2]))
    report = check([sys.executable, "-m", "tests.seasonings.plugins.nursery"])
    assert faults(report) == {}
    checked = {finding.check for finding in report.findings}
    assert {"managed nursery_tree: planChange", "data nursery_weather: schema"} <= checked


def test_schemas_that_break_the_rules() -> None:
    attribute = {"type": "string"}  # neither required nor optional nor computed
    with pytest.raises(TofuTypesError, match="1 "):
        resource_checks.read_checked_schema({"block": {"attributes": {"name": attribute}}})


@pytest.mark.parametrize(
    ("fault", "where", "message"),
    [
        ("print", "init", "expected a message on its standard output, got text: 'loading"),
        ("version", "init", "speaks protocol 3.0, expected 1.0"),
        ("ping", "ping", "wrong answer"),
        ("unknown", "unknown method", "expected an error, got a result"),
        ("notification", "unknown notification", "exited with code 3"),
        ("order", "before init", "a call was answered before init"),
        ("kind", "message of an unknown kind", "was answered with a result"),
        ("twice", "", "answer to a call that was never sent, or twice"),
        ("shutdown", "shutdown", "did not exit within 1 seconds"),
        ("notified", "shutdown notification", "did not exit within 1 seconds"),
        ("end", "end of standard input", "exit code 4, expected 0"),
        ("pieces", "messages in pieces", "no answer within 1 seconds"),
        ("hook", "hook postPlan: known values", "raised"),
        ("status", "hook planStageComplete", 'expected "success", "warning" or "fail"'),
        ("declared", "hook postPlan: known values", "no such method"),
        ("declared", "functions/getSchema", "no such method"),
        ("type", "function upper", "the result is not of its type: expected a string"),
        ("no result", "function upper", 'no "result" in the answer'),
        ("impure", "function upper", "two calls with the same arguments differ"),
        ("crash", "function upper", "exited with code 7"),
        ("list", "storage/list", "a path that was written is not listed"),
        ("undead", "storage/delete", "a state that was deleted is still there"),
        ("lost", "storage/write: 8 MiB", "what is read is not what was written"),
        ("lock", "storage/write: without a lock", "expected an error, got a result"),
        ("two locks", "storage/lock: held", "expected an error, got a result"),
        ("two locks", "storage/lock: 10 at once", "10 of them got the lock, expected 1"),
        ("holder", "storage/lock: held", "the error does not say by whom"),
    ],
)
def test_faults(fault: str, where: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1.0)
    report = check([*RAW, fault])
    assert report.failed
    found = faults(report)
    finding = found[where] if where else next(iter(found.values()))
    assert finding.status is Status.FAILED
    assert message in finding.message


@pytest.mark.parametrize(
    ("fault", "where", "message"),
    [
        ("array", "params in an array", "refused"),
        ("code", "unknown method", "error code -32000, expected -32601"),
        ("capability", "init", "unknown capability 'magic'"),
        ("argument", "function upper: argument 0: wrong type", "does not say which argument"),
    ],
)
def test_warnings(fault: str, where: str, message: str) -> None:
    report = check([*RAW, fault])
    assert not report.failed
    assert message in faults(report)[where].message


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["plugin", "check", "--", *RAW]) == 0
    assert capsys.readouterr().out.endswith("ok, 1 warnings, 0 failed\n")
    assert main(["plugin", "check", "--", *RAW, "type"]) == 1
    out = capsys.readouterr().out
    assert "FAILED  function upper: the result is not of its type" in out
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"region": 3}))
    toolkit = f"{sys.executable} {PLUGINS / 'toolkit.py'}"
    assert main(["plugin", "check", "--config", str(config), "--", toolkit]) == 1
    assert "FAILED  init: plugin toolkit.py: config: " in capsys.readouterr().out


@pytest.mark.parametrize("text", ["[]", "{", None])
def test_configurations_that_cannot_be_read(
    text: str | None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    if text is not None:
        config.write_text(text)
    assert main(["plugin", "check", "--config", str(config), "--", "true"]) == 2
    assert capsys.readouterr().err.startswith(f"tofutypes: error: {config}: ")


def test_a_program_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugin", "check", "--", "no-such-program"]) == 1
    assert "FAILED  init: no-such-program: command not found" in capsys.readouterr().out
