"""`tofutypes show`: a plan or a state for people, without secrets."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.command import Run
from tests.documents.shown import change_of, parsed, plan_of, resource_change, shared_documents
from tests.documents.test_redaction import secrets
from tofutypes import UNKNOWN
from tofutypes_codegen.styled_text import render

SCHEMA = Path(__file__).parents[2] / "examples" / "nimbus" / "schema.json"


def a_plan() -> dict[str, Any]:
    server = {"name": "web", "password": "hunter2", "tags": {"a": "1"}, "ssh_keys": ["x", "y"]}
    return plan_of(
        resource_change(
            "nimbus_server.web",
            change_of(
                {**server, "size": "small"},
                {**server, "size": UNKNOWN, "tags": {"a": "1", "b": "2"}, "password": "hunter3"},
                "update",
                after_sensitive={"password": True},
            ),
        ),
        resource_change(
            "aws_db.new", change_of(None, {"id": UNKNOWN, "n": [1.5], "e": []}, "create")
        ),
        resource_change(
            "aws_db.old",
            change_of({"a": 1}, {"a": 2}, "delete", "create", replace_paths=[["a"]]),
            action_reason="replace_because_cannot_update",
        ),
        resource_change("aws_db.gone", change_of({"a": 1}, None, "delete"), deposed="0a"),
        resource_change("aws_db.same", change_of({"a": 1}, {"a": 1}, "no-op")),
        resource_change(
            "aws_db.moved",
            change_of({"a": 1}, {"a": 1}, "no-op", importing={"id": "i"}),
            previous_address="aws_db.before",
        ),
        output_changes={
            "url": change_of(None, UNKNOWN, "create"),
            "key": change_of("hunter2", "hunter3", "update", after_sensitive=True),
        },
        checks=[
            {
                "address": {"to_display": "check.health"},
                "status": "fail",
                "instances": [{"address": {}, "status": "fail", "problems": [{"message": "down"}]}],
            }
        ],
    )


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(a_plan()))
    return file


def test_a_plan(run: Run, plan: Path) -> None:
    code, lines, errors = run("show", str(plan))
    assert (code, errors) == (0, [])
    assert lines == [
        "  ~ nimbus_server.web  change",
        "      password: (sensitive)",
        '      tags.b: "2"',
        '      size: "small" → (known after apply)',
        "",
        "  + aws_db.new  create",
        "      n[0]: 1.5",
        "      id: (known after apply)",
        "",
        "-/+ aws_db.old  replace",
        "      a: 1 → 2  forces replacement",
        "",
        "  - aws_db.gone (deposed object 0a)  destroy",
        "",
        "    aws_db.moved  no change, moved from aws_db.before, imported",
        "",
        "Outputs:",
        "  + url: (known after apply)",
        "  ~ key: (sensitive)",
        "",
        "Check failed: check.health",
        "      down",
        "",
        "Plan: 1 to create, 1 to change, 1 to replace, 1 to destroy, 1 to import",
    ]


def test_copies_of_secrets_are_hidden_too(run: Run, tmp_path: Path) -> None:
    after = {"input": "hunter2-input", "output": ["hunter2-input"]}
    change = change_of(None, after, "create", after_sensitive={"input": True})
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan_of(resource_change("a.b", change))))
    assert run("show", str(file))[1][1:3] == [
        "      input: (sensitive)",
        "      output[0]: (sensitive)",
    ]


def test_a_part_of_a_plan(run: Run, plan: Path) -> None:
    _, lines, _ = run("show", str(plan), "--only", "nimbus_*", "--only", "aws_db.gone")
    assert [line for line in lines if line[:3].strip()] == [
        "  ~ nimbus_server.web  change",
        "  - aws_db.gone (deposed object 0a)  destroy",
        "Plan: 0 to create, 1 to change, 0 to replace, 1 to destroy",
    ]


def test_with_schemas_sets_are_sets(run: Run, tmp_path: Path) -> None:
    document = a_plan()
    document["resource_changes"][0]["change"]["after"]["ssh_keys"] = ["y", "x"]
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(document))
    assert any("ssh_keys" in line for line in run("show", str(file))[1])
    lines = run("show", str(file), "--schema", str(SCHEMA))[1]
    assert not any("ssh_keys" in line for line in lines)
    assert '      tags["b"]: "2"' in lines


def test_the_redacted_document(run: Run, plan: Path) -> None:
    code, [line], _ = run("show", str(plan), "--json")
    assert code == 0
    assert "hunter" not in line
    assert json.loads(line).keys() == a_plan().keys()


def test_from_standard_input(run: Run, plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = plan.read_text().encode("utf-16")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("show", "-")[1] == run("show", str(plan))[1]


def test_no_changes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"format_version": "1.2", "errored": True, "resource_changes": []}))
    assert run("show", str(file))[1] == [
        "Planning failed: this plan is not complete.",
        "",
        "No changes.",
    ]


def test_a_state(run: Run, tmp_path: Path) -> None:
    resource = {
        "mode": "managed",
        "type": "nimbus_server",
        "name": "web",
        "instances": [
            {
                "index_key": 0,
                "status": "tainted",
                "schema_version": 1,
                "attributes": {"name": "web"},
            },
            {"index_key": 1, "attributes": {"db_password": "hunter2", "tokens": ["hunter2"]}},
        ],
    }
    outputs = {"o": {"value": "hunter2", "type": "string", "sensitive": True}, "n": {"value": 1}}
    document = {"version": 4, "resources": [resource], "outputs": outputs}
    file = tmp_path / "terraform.tfstate"
    file.write_text(json.dumps(document))
    assert run("show", str(file)) == (
        0,
        [
            "    nimbus_server.web[0]  tainted",
            '      name: "web"',
            "",
            "    nimbus_server.web[1]",
            "      db_password: (sensitive)",
            "      tokens: (sensitive)",
            "",
            "Outputs:",
            "    o: (sensitive)",
            "    n: 1",
            "",
            "State: 2 resources",
        ],
        [],
    )
    assert "hunter2" not in run("show", str(file), "--json")[1][0]


def test_what_cannot_be_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tfplan"
    file.write_bytes(b"PK\x03\x04")
    code, lines, [error] = run("show", str(file))
    assert (code, lines) == (2, [])
    assert error.endswith(
        "tfplan: this is a binary plan file; write it with `tofu show -json PLANFILE > plan.json`"
    )
    assert run("show", str(file), "--json", "--only", "x")[0] == 2


def test_escapes_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    document = plan_of(
        resource_change('a.b["\\u001b[31m"]', change_of(None, {"x": "\x1b[31m\u202e"}, "create"))
    )
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(document))
    _, lines, _ = run("show", str(file))
    assert all(line.isprintable() for line in lines)


def test_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    line = [("+ ", "bold green"), ("a.b[red]", "")]
    assert list(render([line], Terminal())) == ["\x1b[1;32m+ \x1b[0ma.b[red]"]
    assert list(render([line], io.StringIO())) == ["+ a.b[red]"]
    monkeypatch.setenv("NO_COLOR", "1")
    assert list(render([line], Terminal())) == ["+ a.b[red]"]


def test_real_documents_show_no_secret(run: Run, shared: Path) -> None:
    for file in shared_documents(shared):
        code, lines, errors = run("show", str(file))
        assert (code, errors) == (0, []), file.name
        text = "\n".join(lines)
        for change in parsed(file).get("resource_changes", []):
            inner = change["change"]
            found = secrets(inner.get("after"), inner.get("after_sensitive"))
            assert not any(f'"{secret}"' in text for secret in found if len(secret) > 3), file.name
