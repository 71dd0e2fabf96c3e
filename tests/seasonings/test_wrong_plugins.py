"""Plugins that declare what they do not serve, answer what they must not, and control terminals."""

import sys
from pathlib import Path

import pytest

from tofutypes.provider.service import requests
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.seasonings import CallError, PluginClient, launch
from tofutypes.seasonings.protocol.diagnostics import read_hook_result
from tofutypes.seasonings.resources.remote import PluginService

ANSWERS = """
import os, msgpack
unpacker = msgpack.Unpacker()
function = {"parameters": [{"name": "text", "type": "string"}], "return_type": "string"}
answers = {
    "init": {"plugin": {"name": "wrong"}, "capabilities": ["functions", "storage", "resources"]},
    "functions/getSchema": {"functions": {"up": function}},
    "functions/call": {"result": 7},
    "shutdown": {},
}
while data := os.read(0, 1 << 16):
    unpacker.feed(data)
    for _, id, method, _ in unpacker:
        error = None if method in answers else {"code": -32601, "message": "no such method"}
        os.write(1, msgpack.packb([1, id, error, answers.get(method)]))
"""


@pytest.fixture
def wrong(tmp_path: Path) -> PluginClient:
    file = tmp_path / "wrong.py"
    file.write_text(ANSWERS)
    return launch([sys.executable, str(file)], grace=0.5)


def test_capabilities_that_are_not_served(wrong: PluginClient) -> None:
    with wrong, pytest.raises(CallError) as raised:
        wrong.read_state("path")
    assert str(raised.value) == "plugin wrong: storage/read: no such method"


def test_results_of_wrong_types_name_the_plugin(wrong: PluginClient) -> None:
    with wrong:
        service = PluginService(wrong)
        service.__dict__["_schema"] = type("Schema", (), {"functions": wrong.functions()})
        request = requests.CallFunctionRequest("up", (WireValue(b"\xa1a"),))
        error = service.call_function(request).error
    assert error is not None
    assert error.text == "plugin wrong: wrong result of up: expected a string, got a number"
    assert error.function_argument is None


def test_diagnostics_do_not_control_a_terminal() -> None:
    diagnostic = {"severity": "error", "summary": "a\nb\x1b[31m", "detail": "one\ntwo\x07"}
    (read,) = read_hook_result({"status": "fail", "diagnostics": [diagnostic]}).diagnostics
    assert (read.summary, read.detail) == (r"a\nb\x1b[31m", "one\ntwo\\x07")
    (read,) = read_hook_result({"status": "fail", "message": "x\r\x1b"}).diagnostics
    assert read.summary == r"x\r\x1b"
