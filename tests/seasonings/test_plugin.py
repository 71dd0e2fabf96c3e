"""Plugins in Python, through a host of ours and through raw messages."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgpack
import pytest

from tofutypes import UNKNOWN, EncodeError, SchemaError
from tofutypes.seasonings import (
    CallError,
    CallTimeoutError,
    Change,
    ErrorCode,
    HookPoint,
    LockInfo,
    MessageLimits,
    PeerError,
    Plugin,
    PluginClient,
    SeasoningsError,
    Severity,
    StagePoint,
    launch,
)

TOOLKIT = Path(__file__).parent / "plugins" / "toolkit.py"
COMMAND = [sys.executable, str(TOOLKIT)]
BUCKET = ["object", {"name": "string", "acl": "string", "size": "number"}]


@pytest.fixture(scope="module")
def client() -> Generator[PluginClient]:
    with launch(COMMAND, timeout=20) as client:
        yield client


def raw(*messages: object, arguments: list[str] | None = None) -> tuple[int, list[Any], str]:
    """What the plugin answers to messages on its standard input; exit code and standard error."""
    done = subprocess.run(
        [*COMMAND, *(arguments or [])],
        input=b"".join(map(msgpack.packb, messages)),
        capture_output=True,
        timeout=30,
        check=False,
    )
    unpacker = msgpack.Unpacker()
    unpacker.feed(done.stdout)
    return done.returncode, list(unpacker), done.stderr.decode()


INIT = [0, 0, "init", {"protocol_version": "1.0", "host": {"name": "test", "version": "1"}}]


def test_who_the_plugin_is(client: PluginClient) -> None:
    info = client.info
    assert (info.name, info.version, info.protocol_version) == ("toolkit", "1.2.3", "1.0")
    assert info.capabilities == {
        "cancel",
        "functions",
        "hooks.planStageComplete",
        "hooks.postPlan",
        "hooks.preApply",
        "storage",
    }
    assert info.config_schema is not None
    assert set(info.config_schema.attributes) == {"region", "retries"}
    assert info.declares(HookPoint.POST_PLAN)
    assert not info.declares(HookPoint.PRE_PLAN)
    client.ping()


def test_hooks_say_which_types_they_are_about() -> None:
    code = "from tofutypes.seasonings import Plugin; p = Plugin('p'); f = lambda change: None; "
    code += "p.pre_plan('a_*')(f); p.pre_plan('b')(f); p.post_plan('a')(f); p.post_plan(f); p.run()"
    with launch(script(code)) as client:
        info = client.info
    assert info.resource_types == {"prePlan": ("a_*", "b")}
    assert info.wants(HookPoint.PRE_PLAN, "a_x")
    assert info.wants(HookPoint.PRE_PLAN, "b")
    assert not info.wants(HookPoint.PRE_PLAN, "c")
    assert info.wants(HookPoint.POST_PLAN, "c")
    assert not info.wants(HookPoint.PRE_APPLY, "a_x")


@pytest.mark.parametrize("hooks", [3, {"postPlan": 3}, {"postPlan": {"resource_types": [3]}}])
def test_hooks_whose_types_cannot_be_read_are_about_all(hooks: object) -> None:
    answer = {"plugin": {"name": "p"}, "capabilities": ["hooks.postPlan"], "hooks": hooks}
    with launch(answering(answer), grace=0.2) as client:
        assert client.info.wants(HookPoint.POST_PLAN, "any")


def test_functions(client: PluginClient) -> None:
    schemas = client.functions()
    assert schemas["repeat"].description == "Repeat a text."
    assert schemas["total"].variadic_parameter is not None
    assert client.call_function("repeat", "ab", 2) == "abab"
    assert client.call_function("total", 1, 2, Decimal("0.5")) == Decimal("3.5")
    assert client.call_function("describe", None) == "null"
    assert client.call_function("describe", UNKNOWN) == "unknown"
    assert client.call_function("region") == "eu"


@pytest.mark.parametrize(
    ("call", "code", "message", "data"),
    [
        (["repeat", "x", -1], -32602, "expected a number of at least 0", {"argument": 1}),
        (["wrong"], -32603, "function wrong: wrong result: ", None),
        (
            ["crash", "raise"],
            -32603,
            "function crash: raised RuntimeError (toolkit.py, line ",
            None,
        ),
        (["crash", "name"], -32603, "): name 'x' is not defined", None),
        (["crash", "exit"], -32603, "function crash: raised SystemExit (toolkit.py, line ", None),
        (["none"], -32602, "unknown function 'none'", None),
    ],
)
def test_functions_that_refuse(
    client: PluginClient, call: list[Any], code: int, message: str, data: object
) -> None:
    with pytest.raises(CallError) as raised:
        client.call_function(*call)
    assert str(raised.value).startswith("plugin toolkit: ")
    assert message in str(raised.value)
    assert "secret" not in str(raised.value)
    assert (raised.value.code, raised.value.data) == (code, data)


def test_arguments_that_do_not_fit(client: PluginClient) -> None:
    with pytest.raises(EncodeError, match=r"repeat: expected 2 arguments, got 1"):
        client.call_function("repeat", "x")
    with pytest.raises(EncodeError, match=r"\[1\]: "):
        client.call_function("repeat", "x", "y")
    with pytest.raises(CallError) as raised:
        client.call("functions/call", {"name": "repeat", "arguments": ["x", "y"]})
    assert raised.value.data == {"argument": 1, "path": []}
    assert raised.value.code == ErrorCode.INVALID_PARAMS


def hook_params(**members: object) -> dict[str, object]:
    return {
        "address": "test_bucket.a",
        "resource_type": "test_bucket",
        "planned_action": "create",
        "type": BUCKET,
        "before": None,
        "after": {"name": "n", "acl": "public-read", "size": msgpack.ExtType(0, b"\0")},
        **members,
    }


def test_a_hook_of_a_model_fails_at_a_path(client: PluginClient) -> None:
    result = client.hook(HookPoint.POST_PLAN, hook_params())
    assert [str(each) for each in result.diagnostics] == [
        "error: public bucket (acl): Set it to private."
    ]
    assert result.failed
    assert result.metadata == {"seen": "test_bucket", "before": []}


def test_hooks_see_metadata_of_those_before(client: PluginClient) -> None:
    result = client.hook(
        HookPoint.POST_PLAN, hook_params(after=None, metadata={"other": {}, "one": 1})
    )
    assert result.diagnostics == []
    assert result.metadata == {"seen": "test_bucket", "before": ["one", "other"]}


def test_hooks_warn_and_are_asked_about_their_types_alone(client: PluginClient) -> None:
    result = client.hook(
        HookPoint.POST_PLAN,
        hook_params(planned_action="delete", resource_type="other", after={"odd": 1}),
    )
    assert [(each.severity, each.summary) for each in result.diagnostics] == [
        (Severity.WARNING, "test_bucket.a goes")
    ]
    assert result.metadata is None


def test_a_failed_hook_before_the_operation_stops_the_others(client: PluginClient) -> None:
    result = client.hook(HookPoint.PRE_APPLY, hook_params())
    assert [each.summary for each in result.diagnostics] == ["never"]


def test_values_that_do_not_fit_the_model(client: PluginClient) -> None:
    with pytest.raises(CallError, match=r"after of test_bucket\.a does not fit Bucket: acl: "):
        client.hook(HookPoint.POST_PLAN, hook_params(after={"name": "n", "acl": 3, "size": None}))


def test_stages_with_typed_changes(client: PluginClient) -> None:
    bucket = hook_params(after={"name": "n", "acl": None, "size": 5})
    params = {"command": ["tofu", "plan"], "resources": [bucket, hook_params(resource_type="x")]}
    result = client.hook(StagePoint.PLAN_COMPLETE, params)
    assert result.metadata == {"sizes": [5], "command": ["tofu", "plan"]}


def test_hooks_that_were_not_declared(client: PluginClient) -> None:
    with pytest.raises(CallError, match="no such method") as raised:
        client.hook(HookPoint.PRE_REFRESH, hook_params())
    assert raised.value.code == ErrorCode.NO_SUCH_METHOD


def test_storage(client: PluginClient) -> None:
    info = LockInfo("l1", "OperationTypeApply", "me@here", "1.9", "now", "")
    assert client.read_state("a") is None
    client.write_state("a", b"\x00\xff")
    assert client.read_state("a") == b"\x00\xff"
    assert client.lock_state("a", info) == "l1"
    with pytest.raises(CallError, match="the state is locked by me@here") as raised:
        client.lock_state("a", LockInfo("l2"))
    assert raised.value.code == ErrorCode.LOCKED
    assert isinstance(raised.value.data, dict)
    assert raised.value.data["id"] == "l1"
    for wrong in (None, "l2"):
        with pytest.raises(CallError, match="locked"):
            client.write_state("a", b"lost", wrong)
    client.write_state("a", b"new", "l1")
    client.write_state("b", b"")
    assert client.list_states() == ["a", "b"]
    assert client.list_states("b") == ["b"]
    with pytest.raises(CallError, match="locked"):
        client.unlock_state("a", "l2")
    client.unlock_state("a", None)
    client.delete_state("a")
    assert client.read_state("a") is None
    client.delete_state("a")


def test_params_that_do_not_fit(client: PluginClient) -> None:
    cases: list[tuple[str, dict[str, object], str]] = [
        ("storage/read", {}, "path: expected a string"),
        ("storage/write", {"path": "a", "state": 3}, "state: expected bytes"),
        ("storage/lock", {"path": "a", "info": {"id": 3}}, r"info\.id: expected a string"),
        ("functions/call", {"name": "repeat"}, "arguments: expected a list"),
        ("middleware/postPlan", {"address": 3}, "address: expected a string"),
        ("middleware/postPlan", hook_params(type=None, resource_type="x"), ""),
        ("middleware/postPlan", hook_params(type=["list"]), ""),
    ]
    for method, params, message in cases:
        with suppress(CallError) if not message else pytest.raises(CallError, match=message):
            client.call(method, params)


def test_configuration() -> None:
    with launch(COMMAND, config={"region": "us"}) as client:
        assert client.call_function("region") == "us"
    with pytest.raises(CallError, match=r"plugin toolkit\.py: config: .*region"):
        launch(COMMAND, config={"region": ["us"]})
    with pytest.raises(CallError, match=r"plugin toolkit\.py: config: .*wrong"):
        launch(COMMAND, config={"wrong": "us"})


@pytest.mark.parametrize("form", ["functions.call", "functions/call"])
def test_raw_messages_then_the_end_of_the_stream(form: str) -> None:
    call = {"name": "repeat", "arguments": ["a", 3]}
    code, answers, errors = raw(
        [0, 9, "ping", []],
        [0, 1, form, call],
        INIT,
        [0, 1, form, [call]],
        [2, "unknown", {}],
    )
    assert (code, errors) == (0, "toolkit: INFO: ignored the notification 'unknown'\n")
    assert answers[0] == [1, 9, None, {"status": "ok"}]
    assert answers[1][2]["code"] == ErrorCode.NOT_INITIALIZED
    answers.sort(key=lambda answer: int(answer[1]))
    assert answers[0][3]["plugin"] == {"name": "toolkit", "version": "1.2.3"}
    assert [1, 1, None, {"result": "aaa"}] in answers


@pytest.mark.parametrize("shutdown", [[0, 5, "shutdown", {}], [2, "shutdown", {}]])
def test_calls_are_refused_after_shutdown(shutdown: list[Any]) -> None:
    code, answers, _ = raw(INIT, [0, 1, "init", {}], shutdown, [0, 6, "functions/call", {}])
    assert code == 0
    messages = [answer[2]["message"] for answer in answers if answer[2]]
    assert messages[0] == "init: was called before"
    assert messages[1:] == ["functions/call: the plugin is ending"]


def test_a_stream_that_breaks_the_protocol() -> None:
    code, answers, errors = raw(INIT, [7])
    assert code == 1
    assert errors.startswith("toolkit: host: protocol error: expected [0, id, method, params]")
    assert answers[-1][:2] == [1, None]
    assert len(errors.splitlines()) == 1


def test_prints_do_no_harm_and_logs_arrive(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with launch(COMMAND) as client:
        assert client.call_function("crash", "nothing") == "nothing"
        with pytest.raises(CallError):
            client.call_function("crash", "raise")
    assert "plugin toolkit.py: about to nothing" in caplog.text
    assert "plugin toolkit: function crash raised an exception" in caplog.text


def test_a_plugin_that_dies_fails_all_calls_in_flight() -> None:
    errors: list[BaseException] = []

    def hang(client: PluginClient) -> None:
        try:
            client.call_function("crash", "hang")
        except PeerError as error:
            errors.append(error)

    with launch(COMMAND) as client:
        threads = [threading.Thread(target=hang, args=[client]) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        text = r"plugin toolkit: exited with code 3; its last line: 'the last words'"
        with pytest.raises(PeerError, match=text):
            client.call_function("crash", "die")
        for thread in threads:
            thread.join(20)
        with pytest.raises(PeerError, match=text):
            client.ping()
    assert [str(error) for error in errors] == [
        "plugin toolkit: exited with code 3; its last line: 'the last words'"
    ] * 3


def test_a_plugin_that_writes_to_its_protocol() -> None:
    with launch(COMMAND) as client, pytest.raises(PeerError) as raised:
        client.call_function("crash", "garbage")
    assert str(raised.value) == (
        "plugin toolkit: expected a message on its standard output, got text: "
        "'Traceback (most recent call last):'"
    )


def test_a_plugin_that_hangs() -> None:
    with launch(COMMAND, timeout=0.5, grace=0.2) as client:
        with pytest.raises(CallTimeoutError, match=r"no answer within 0\.5 seconds"):
            client.call_function("crash", "hang")
        client.ping()


def script(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-program"], "no-such-program: command not found"),
        ([str(TOOLKIT)], "permission denied: the file is not executable"),
        ([], "plugin: expected a command"),
        ([""], "plugin: expected a command"),
        ("unclosed 'quote", "no closing quotation"),
        (script("print('hello')"), "on its standard output, got text: 'hello'"),
        (script(""), "exited with code 0"),
        (
            script("import sys; sys.exit('no licence')"),
            "exited with code 1; its last line: 'no lic",
        ),
        (script("import os; os.kill(os.getpid(), 9)"), "was ended by SIGKILL"),
        (["cat"], "plugin cat: no such method: 'init'"),
        (["sleep", "60"], r"plugin sleep: init: no answer within 0\.5 seconds"),
    ],
)
def test_programs_that_are_no_plugins(command: Any, message: str) -> None:
    with pytest.raises((PeerError, CallError), match=message) as raised:
        launch(command, start_timeout=0.5 if "sleep" in command else 20, grace=0.2)
    assert len(str(raised.value).splitlines()) == 1


def answering(answer: object) -> list[str]:
    data = msgpack.packb([1, 1, None, answer])
    return script(f"import os, sys; os.read(0, 999); os.write(1, {data!r}); sys.stdin.read()")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"plugin": {"name": "p"}, "protocol_version": "2.1"}, "speaks protocol 2.1, expected 1.0"),
        ({"plugin": {"name": "p"}, "protocol_version": 2}, "speaks protocol an unknown version"),
        ({"plugin": {}}, r"init: wrong answer: plugin\.name: expected a string"),
        ({"plugin": {"name": "p"}}, "init: wrong answer: capabilities: expected a list of str"),
        (3, "init: wrong answer: expected a map"),
        (
            {"plugin": {"name": "p"}, "capabilities": [], "config_schema": {"attributes": 3}},
            "init: wrong answer: config_schema: ",
        ),
    ],
)
def test_wrong_answers_to_init(answer: object, message: str) -> None:
    with pytest.raises(PeerError, match=message):
        launch(answering(answer), grace=0.2)


def test_the_successors_words_are_understood() -> None:
    answer = {
        "provider_info": {"name": "p", "version": "1"},
        "supported_capabilities": ["middleware/postPlan"],
    }
    with launch(answering(answer), grace=0.2) as client:
        assert client.info.name == "p"
        assert client.info.declares(HookPoint.POST_PLAN)


def test_no_process_is_left_behind() -> None:
    code = "import subprocess, sys; print(subprocess.Popen(['sleep', '77']).pid, file=sys.stderr)"
    with pytest.raises(PeerError) as raised:
        launch(script(f"{code}; print('x')"), grace=0.2)
    assert "standard output" in str(raised.value)
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 77" not in listed.stdout


def test_ctrl_c_and_terminate() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgpack.packb(INIT))
    process.stdin.flush()
    assert os.read(process.stdout.fileno(), 9999)
    process.send_signal(signal.SIGINT)
    process.stdin.write(msgpack.packb([0, 4, "ping", {}]))
    process.stdin.flush()
    assert msgpack.unpackb(os.read(process.stdout.fileno(), 9999)) == [1, 4, None, {"status": "ok"}]
    process.terminate()
    assert process.wait(20) == 0
    process.stdin.close()
    process.stdout.close()


def test_messages_of_the_largest_size() -> None:
    size = 8 << 20
    with launch(COMMAND, limits=MessageLimits(size=size + 100)) as client:
        state = os.urandom(size)
        client.write_state("large", state)
        assert client.read_state("large") == state
        with pytest.raises(CallError, match="message is too large: "):
            client.write_state("large", state + b"\0" * 100)


def test_declarations_that_do_not_do() -> None:
    plugin = Plugin("p")

    @plugin.function
    def one() -> str:
        return ""

    with pytest.raises(SchemaError, match="two functions one"):
        plugin.function(one)
    with pytest.raises(SchemaError, match="annotation"):
        plugin.function(lambda x: x)
    with pytest.raises(RuntimeError, match="plugin p is not configured"):
        _ = plugin.config
    change: Change[Any] = Change({})
    with pytest.raises(SeasoningsError, match="expected a path such as"):
        change.fail("x", path="a..b")


def test_metadata_of_any_kind() -> None:
    change: Change[Any] = Change({})
    change.add_metadata(
        unknown=UNKNOWN, half=Decimal("0.5"), two=Decimal(2), path=Path("x"), nested=[{"a": (1,)}]
    )
    assert change.result.metadata == {
        "unknown": None,
        "half": 0.5,
        "two": 2,
        "path": "x",
        "nested": [{"a": [1]}],
    }
