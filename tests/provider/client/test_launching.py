"""Programs that start, and such that do not; and that nothing is left of them."""

import gc
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.provider.client.scripts import MISBEHAVIOUR, ROOT, WHOLE, write_script
from tofutypes import function
from tofutypes.provider.client import attach, launch
from tofutypes.provider.client.process import provider_name
from tofutypes.provider.service.diagnostics import PluginError

NAME = "terraform-provider-fake"


def becomes_true(check: Callable[[], bool]) -> bool:
    """Whether something becomes true before patience ends."""
    return any(check() or threading.Event().wait(0.05) for _ in range(400))


def children() -> set[str]:
    """The processes that this one started and that run; none where there is no /proc."""
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # a thread that ended
            found.update(task.read_text().split())
    return {pid for pid in found if runs(pid)}


def runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(autouse=True)
def nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Neither processes nor threads nor files."""
    tmp_path_factory.getbasetemp()  # which pytest would put into the folder below
    temporary = Path(tempfile.mkdtemp())  # short, for the paths of sockets are limited
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    threads, processes = set(threading.enumerate()), children()
    handler = signal.getsignal(signal.SIGTERM)
    yield
    gc.collect()  # warns of what was not closed
    assert becomes_true(lambda: children() <= processes)
    assert becomes_true(lambda: threads >= set(threading.enumerate())), threading.enumerate()
    temporary.rmdir()
    assert signal.getsignal(signal.SIGTERM) is handler


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_script(tmp_path_factory.mktemp("whole") / NAME, WHOLE)


@pytest.mark.parametrize("tls", [True, False])
@pytest.mark.parametrize("major", [5, 6])
def test_a_provider_is_started(whole: Path, major: int, tls: bool) -> None:
    with launch(whole, tls=tls, protocols=[major]) as provider:
        assert provider.protocol.major == major
        assert list(provider.schema.resources) == ["fake_thing"]
        assert provider.schema.resources["fake_thing"].version == 2
    provider.close()  # the second time does nothing


def test_the_newest_protocol_is_taken(whole: Path) -> None:
    with launch(whole) as provider:
        assert str(provider.protocol) == "protocol 6"


@pytest.mark.parametrize(("body", "message"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_misbehaviour(tmp_path: Path, body: str, message: str) -> None:
    script = write_script(tmp_path / NAME, body)
    timeout = 0.5 if "0.5" in message else 20
    with pytest.raises(PluginError) as refused:
        launch(script, timeout=timeout)
    assert str(refused.value).startswith(f"{script}: ") or "certificate" in message
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [
        (None, 0, "no such file"),
        (b"#!/bin/sh\n", 0o644, "permission denied: the file is not executable"),
        (
            b"\x7fELF\x02\x01\x01" + bytes(100),
            0o755,
            "not an executable for this kind of machine",
        ),
        (b"hello", 0o755, "not an executable for this kind of machine"),
        (b"#!/no/such/shell\n", 0o755, "no such file"),
    ],
    ids=["missing", "not executable", "of another machine", "no program", "no interpreter"],
)
def test_what_cannot_be_started(
    tmp_path: Path, content: bytes | None, mode: int, message: str
) -> None:
    program = tmp_path / NAME
    if content is not None:
        program.write_bytes(content)
        program.chmod(mode)
    with pytest.raises(PluginError) as refused:
        launch(program)
    assert str(refused.value) == f"{program}: {message}"


def test_a_folder_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="permission denied: the file is not executable"):
        launch(tmp_path)


def test_a_path_that_is_none() -> None:
    with pytest.raises(PluginError, match="cannot be started"):
        launch("a\0b")


@function()
def twice(of: str) -> str:
    raise NotImplementedError


def whole_but(path: Path, function: str) -> Path:
    """A whole provider, with another body of its function."""
    return write_script(path / NAME, WHOLE.replace("return of * 2", function))


def test_a_provider_that_dies_later(tmp_path: Path) -> None:
    script = whole_but(tmp_path, "sys.stderr.write('panic: out\\n'); os._exit(9)")
    ended = r'CallFunction: the provider ended \(exit code 9\); its last log line: "panic: out"$'
    with launch(script) as provider:
        for _ in range(2):
            with pytest.raises(PluginError, match=ended):
                provider.call(twice, "x")
    with pytest.raises(PluginError, match="the client is closed"):
        provider.call(twice, "x")


def test_a_provider_that_does_not_end(tmp_path: Path) -> None:
    script = whole_but(tmp_path, "return of")
    deaf = """
        from tofutypes.provider.server import server
        server.add_plugin_services = lambda *_: None
        serve(Fake)
    """
    script.write_text(script.read_text().replace("serve(Fake)", textwrap.dedent(deaf)))
    with launch(script) as provider:
        assert provider.call(twice, "x") == "x"


def test_much_output_holds_nobody_up(tmp_path: Path) -> None:
    script = whole_but(
        tmp_path, "sys.stderr.write('x' * 300_000 + '\\n' + 'y\\n' * 1000); return of"
    )
    with launch(script) as provider:
        assert provider.call(twice, "x") == "x"


def test_standard_output_is_drained(tmp_path: Path) -> None:
    done = tmp_path / "done"
    body = f"""
        sys.stdout.write('1|6|unix|{tmp_path}/none|grpc|\\n' + 'z' * 500_000)
        sys.stdout.flush()
        open({str(done)!r}, 'w').close()
        time.sleep(60)
    """
    with launch(write_script(tmp_path / NAME, body), tls=False):
        assert becomes_true(done.exists)


@pytest.mark.parametrize(
    ("name", "removed"), [("plugin1", True), ("other", False), ("plugin-old", False)]
)
def test_sockets_that_stay(tmp_path: Path, name: str, removed: bool) -> None:
    """A killed provider leaves its socket; other sockets stay, whatever the handshake says."""
    folder = Path(tempfile.mkdtemp())
    left = folder / name
    if name == "plugin-old":
        with socket.socket(socket.AF_UNIX) as older:
            older.bind(str(left))
        os.utime(left, (1, 1))
    body = f"""
        import socket
        if not os.path.exists({str(left)!r}):
            socket.socket(socket.AF_UNIX).bind({str(left)!r})
        sys.stdout.write('1|6|unix|{left}|grpc|\\n')
        sys.stdout.flush()
        time.sleep(60)
    """
    with launch(write_script(tmp_path / NAME, body), tls=False):
        assert left.exists()
    assert left.exists() == (not removed)
    shutil.rmtree(folder)


@pytest.mark.parametrize("path", ["/" + "x" * 5000, "plugin" * 1000, "/tmp/plugin\0x"])
def test_paths_that_are_no_sockets(tmp_path: Path, path: str) -> None:
    body = f"""
        sys.stdout.write('1|6|unix|' + {path!r} + '|grpc|\\n')
        sys.stdout.flush()
        time.sleep(60)
    """
    with pytest.raises(PluginError, match=r"path of the socket is too long|expected an address"):
        launch(write_script(tmp_path / NAME, body), tls=False)


def test_a_provider_that_is_stopped_holds_nobody_up(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = whole_but(tmp_path, f"open({str(pid_file)!r}, 'w').write(str(os.getpid())); return of")
    with launch(script, call_timeout=4) as provider:
        provider.call(twice, "x")
        os.kill(int(pid_file.read_text()), signal.SIGSTOP)
        with pytest.raises(PluginError, match=r"^StopProvider: no answer within 4 seconds$"):
            provider.stop()
        with pytest.raises(PluginError, match=r"^CallFunction: no answer within 4 seconds$"):
            provider.call(twice, "x")


def test_a_provider_cannot_forge_log_records(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    entry = json.dumps(
        {
            "@level": "info",
            "@message": "one\n2026-01-01 CRITICAL forged\r\x1b[2J",
            "key\nforged": "\u2028\u202e",
        }
    )
    body = f"""
        sys.stderr.buffer.write({(entry + chr(10)).encode()!r} + b'a\\x1b[31mb\\rc\\x85d\\n')
        sys.exit(1)
    """
    caplog.set_level(1, "tofutypes.provider.fake")
    with pytest.raises(PluginError):
        launch(write_script(tmp_path / NAME, body))
    assert [record.getMessage() for record in caplog.records] == [
        r"one\n2026-01-01 CRITICAL forged\r\x1b[2J key\nforged=\u2028\u202e",
        "a\\x1b[31mb\\rc�d",
    ]


LOUD = """
import tofutypes.provider.server.plugin as plugin
from tofutypes.provider.proto.plugin_pb2 import StdioData


def printed(_, __):
    for piece in (b"one\\ntw", b"o\\n", b"x" * 1000, b"\\n[WARN] three"):
        yield StdioData(channel=StdioData.STDOUT, data=piece).SerializeToString()


plugin._no_output = printed
"""


def test_what_a_provider_prints_is_read_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Plugins of go-plugin print over the connection, and wait when nobody reads."""
    program = write_script(tmp_path / NAME, LOUD + WHOLE)
    caplog.set_level(1, "tofutypes.provider.fake")
    with launch(program) as provider:
        _ = provider.schema
        assert becomes_true(lambda: len(caplog.records) == 4)
    assert [(each.levelno, each.getMessage()) for each in caplog.records] == [
        (logging.DEBUG, "one"),
        (logging.DEBUG, "two"),
        (logging.DEBUG, "x" * 1000),
        (logging.WARNING, "three"),
    ]


def test_logs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lines = [
        '{"@level":"warn","@message":"careful","disk":3,"@module":"m"}',
        '{"@level":"trace","@message":"here"}',
        "[ERROR] broken",
        "plain",
        '{"@level":"loud","@message":1}',
        '["a list"]',
        "panic: out",
        "goroutine 1",
    ]
    body = f"sys.stderr.write({chr(10).join(lines)!r}); sys.exit(1)"
    caplog.set_level(1, "tofutypes.provider.fake")
    with pytest.raises(PluginError):
        launch(write_script(tmp_path / f"{NAME}_v1.0.0", body))
    assert [(each.levelno, each.getMessage()) for each in caplog.records] == [
        (logging.WARNING, "careful disk=3"),
        (5, "here"),
        (logging.ERROR, "broken"),
        (logging.DEBUG, "plain"),
        (logging.DEBUG, '{"@level":"loud","@message":1}'),
        (logging.DEBUG, '["a list"]'),
        (logging.ERROR, "panic: out"),
        (logging.ERROR, "goroutine 1"),
    ]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("terraform-provider-null", "null"),
        ("terraform-provider-null_v2.1.2_x4", "null"),
        ("terraform-provider-google-beta_v7.9.0", "google-beta"),
        ("terraform-provider-null.exe", "null"),
        ("nimbus.py", "nimbus"),
    ],
)
def test_names(file: str, name: str) -> None:
    assert provider_name(Path("somewhere", file)) == name


def test_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told.json"
    body = f"import json; open({str(told)!r}, 'w').write(json.dumps(dict(os.environ)))"
    script = write_script(tmp_path / NAME, body)
    monkeypatch.setenv("PLUGIN_MULTIPLEX_GRPC", "true")
    monkeypatch.setenv("OTHER", "kept")
    for tls in ("", "1"):
        monkeypatch.setenv("TF_DISABLE_PLUGIN_TLS", tls)
        with pytest.raises(PluginError):
            launch(script)
        found = json.loads(told.read_text())
        assert found["PLUGIN_PROTOCOL_VERSIONS"] == "5,6"
        assert found["TF_PLUGIN_MAGIC_COOKIE"].startswith("d602bf8f470bc67c")
        assert (found["PLUGIN_MIN_PORT"], found["PLUGIN_MAX_PORT"]) == ("10000", "25000")
        assert found["OTHER"] == "kept"
        assert "PLUGIN_MULTIPLEX_GRPC" not in found
        assert ("PLUGIN_CLIENT_CERT" in found) == (not tls)


PROGRAM = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
sys.path.insert(0, {root!r})
from tofutypes.provider.client import launch
client = launch({script!r})
print("started", flush=True)
{then}
"""


# A signal that comes just before a sleep does not end that one.
SLEEP = "while True: time.sleep(0.1)"


@pytest.mark.parametrize(
    ("then", "sent", "code"),
    [
        ("sys.exit(7)", None, 7),
        ("raise ValueError", None, 1),
        (SLEEP, signal.SIGTERM, -signal.SIGTERM),
        (SLEEP, signal.SIGHUP, -signal.SIGHUP),
        (SLEEP, signal.SIGINT, -signal.SIGINT),
    ],
    ids=["forgotten", "an error", "SIGTERM", "SIGHUP", "SIGINT"],
)
def test_no_orphans(tmp_path: Path, then: str, sent: signal.Signals | None, code: int) -> None:
    pid_file = tmp_path / "pid"
    body = WHOLE.replace(
        "serve(Fake)", f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\nserve(Fake)"
    )
    script = write_script(tmp_path / NAME, body)
    program = PROGRAM.format(root=str(ROOT), script=str(script), then=then)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        if sent is not None:
            process.send_signal(sent)
        assert process.wait(60) == code
    # Killed already, but perhaps not yet gone.
    assert becomes_true(lambda: not Path("/proc", pid_file.read_text()).exists())


def test_an_interrupted_start(tmp_path: Path) -> None:
    script = write_script(tmp_path / NAME, "time.sleep(60)")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            launch(script)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def reattach(**changed: object) -> dict[str, object]:
    found = {
        "Protocol": "grpc",
        "ProtocolVersion": 6,
        "Pid": 1,
        "Test": True,
        "Addr": {"Network": "unix", "String": "/no/socket"},
    }
    return found | changed


@pytest.mark.parametrize(
    ("text", "address", "message"),
    [
        ("", None, "expected a JSON object"),
        ("[]", None, "expected a JSON object"),
        ("{}", None, "expected exactly one provider, got none"),
        ('{"a/b/c": {}, "a/b/d": {}}', None, "expected exactly one provider, got a/b/c, a/b/d"),
        ('{"a/b/c": {}}', "d", "expected one provider d, got a/b/c"),
        ('{"a/b/c": 1}', "c", "expected an object for each provider"),
        (json.dumps({"a/b/c": reattach(Protocol="")}), None, '"Protocol" must be "grpc"'),
        (json.dumps({"a/b/c": reattach(ProtocolVersion=4)}), None, '"ProtocolVersion" 5 or 6'),
        (json.dumps({"a/b/c": reattach(ProtocolVersion=[])}), None, '"ProtocolVersion" 5 or 6'),
        (json.dumps({"a/b/c": reattach(ProtocolVersion=[6])}), None, 'Version" 5 or 6'),
        (json.dumps({"a/b/c": reattach(ProtocolVersion="6")}), None, 'on" 5 or 6'),
        (json.dumps({"a/b/c": reattach(Addr=1)}), None, '"Addr" an object'),
        (json.dumps({"a/b/c": reattach(Addr={"Network": "pipe"})}), None, '"Addr" an object with'),
    ],
)
def test_reattach_variables_that_are_none(
    monkeypatch: pytest.MonkeyPatch, text: str, address: str | None, message: str
) -> None:
    monkeypatch.setenv("TF_REATTACH_PROVIDERS", text)
    with pytest.raises(PluginError, match=f"TF_REATTACH_PROVIDERS: .*{message}"):
        attach(address=address)


@pytest.mark.parametrize(("version", "major"), [(0, 5), (5, 5), (6, 6)])
@pytest.mark.parametrize("address", ["a/b/c", "b/c", "c", None])
def test_nobody_to_attach_to(version: int, major: int, address: str | None) -> None:
    with attach({"a/b/c": reattach(ProtocolVersion=version)}, address) as provider:
        assert provider.protocol.major == major
        with pytest.raises(PluginError, match="the provider cannot be reached, or has ended"):
            _ = provider.schema
