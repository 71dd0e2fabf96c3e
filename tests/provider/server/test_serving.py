"""The process of a provider, and the server inside it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

import pytest

from tests.provider.server.boxes import Box, BoxIdentity, Toy, made
from tofutypes import Attr, ResourceIdentity, SchemaError, present
from tofutypes.provider import (
    ApplyContext,
    PluginError,
    Provider,
    ProviderError,
    ResourceHandler,
)
from tofutypes.provider.client import State, attach, connect, host
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.transport.certificates import make_certificate
from tofutypes.provider.transport.handshake import COOKIE, COOKIE_NAME, parse_handshake

ROOT = Path(__file__).parents[3]

SCRIPT = """
import sys
from tests.provider.server.boxes import Toy
from tofutypes.provider import serve

print("before the handshake", flush=True)
serve(Toy)
"""


@contextmanager
def started(
    *arguments: str, script: str = SCRIPT, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_provider_behind_a_shell_script_ends_with_the_core() -> None:
    """The core is a process that starts the script, and is the only reader of its pipes."""
    core = """
import subprocess, sys, time
shell = f'echo $$ >&2; "{sys.executable}" -c "$SCRIPT"; true'
provider = subprocess.Popen(["sh", "-c", shell], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
print(int(provider.stderr.readline()), provider.stdout.readline().decode(), flush=True)
time.sleep(600)
"""
    with started(script=core, SCRIPT=SCRIPT, **{COOKIE_NAME: COOKIE}) as process:
        assert process.stdout is not None
        shell, _, handshake = process.stdout.readline().partition(" ")
        folder = Path(parse_handshake(handshake).address).parent
        assert folder.exists()
    try:
        for _ in range(600):
            if not folder.exists():
                break
            time.sleep(0.1)
        assert not folder.exists()
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(shell), signal.SIGKILL)


def test_started_by_hand() -> None:
    with started() as process:
        said, complained = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "This program is a provider" in complained
    assert said == "before the handshake\n"


@pytest.mark.parametrize(("offered", "major"), [("5,6", 6), ("5", 5), ("4", 5), ("", 5)])
def test_the_handshake_comes_first_and_sigterm_ends_it(offered: str, major: int) -> None:
    environment = {COOKIE_NAME: COOKIE, "PLUGIN_PROTOCOL_VERSIONS": offered}
    with started(**environment) as process:
        assert process.stdout is not None
        handshake = parse_handshake(process.stdout.readline())
        assert (handshake.protocol, handshake.network) == (major, "unix")
        assert Path(handshake.address).is_socket()
        process.send_signal(signal.SIGINT)  # which the core handles
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not Path(handshake.address).parent.exists()


def test_programs_that_a_provider_starts_are_none() -> None:
    body = """
import subprocess
from tofutypes.provider import ProviderError, Provider

print("taken", flush=True)
inner = "from tofutypes.provider import Provider; print('left alone')"
ran = subprocess.run([sys.executable, "-c", inner], capture_output=True, text=True)
sys.stderr.write(ran.stdout)
"""
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys{body}"],
        env=os.environ | {"PYTHONPATH": str(ROOT), COOKIE_NAME: COOKIE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ran.stdout, ran.stderr) == ("", "taken\nleft alone\n")


def test_importing_the_client_changes_nothing_in_the_process() -> None:
    script = """
import logging, os, signal, sys, threading

def state():
    return (
        dict(os.environ),
        sys.excepthook,
        sys.stdout,
        os.fstat(1).st_ino,
        [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
        threading.enumerate(),
        logging.getLogger().handlers,
        logging.getLogger().level,
    )

before = state()
import tofutypes.provider.client
from tofutypes.provider import PluginError
assert state() == before
assert not [name for name in sys.modules if name.startswith("tofutypes.provider.server")]
print("printed", flush=True)
"""
    with started(script=script, **{COOKIE_NAME: COOKIE}) as process:
        output, errors = process.communicate(timeout=60)
    assert (output, errors) == ("printed\n", "")


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("PLUGIN_UNIX_SOCKET_DIR", "/no/such", "/no/such: cannot create a folder: No such file or"),
        ("PLUGIN_UNIX_SOCKET_GROUP", "no-such", "cannot share the socket: no such group"),
        ("PLUGIN_CLIENT_CERT", "garbage", "cannot read the certificate of the other side"),
    ],
)
def test_nowhere_to_listen(variable: str, value: str, message: str) -> None:
    with started(**{COOKIE_NAME: COOKIE, variable: value}) as process:
        said, complained = process.communicate(timeout=60)
    assert (process.returncode, said) == (1, "")
    assert message in complained
    assert "Traceback" not in complained


def test_a_core_that_is_killed_leaves_no_provider() -> None:
    # The core is a Python that starts the provider and tells its handshake.
    core = (
        "import subprocess, sys; provider = subprocess.Popen([sys.executable, '-c', sys.argv[1]],"
        "stdout=subprocess.PIPE, text=True); print(provider.pid, flush=True);"
        "print(provider.stdout.readline(), end='', flush=True); provider.wait()"
    )
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "",
        COOKIE_NAME: COOKIE,
        "PLUGIN_PROTOCOL_VERSIONS": "6",
    }
    with subprocess.Popen(
        [sys.executable, "-c", core, SCRIPT], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        provider = int(process.stdout.readline())
        folder = Path(parse_handshake(process.stdout.readline()).address).parent
        process.kill()
    for _ in range(600):
        if not folder.exists():
            break
        signal.sigtimedwait([], 0.1)
    assert not folder.exists(), f"the provider {provider} is still there"


STUCK = """
import sys, time
from tests.provider.server.boxes import Toy
from tofutypes.provider import serve

class Stuck(Toy):
    def __init__(self):
        sys.stderr.write("stuck\\n")
        sys.stderr.flush()
        time.sleep(120)

serve(Stuck)
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_provider_that_is_stuck_while_it_starts_can_be_ended(sent: signal.Signals) -> None:
    with started(script=STUCK, **{COOKIE_NAME: COOKIE}) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "stuck\n"
        process.send_signal(sent)
        assert process.wait(30) == -sent


def test_a_provider_that_is_stuck_while_it_starts_ends_with_core() -> None:
    core = (
        "import subprocess, sys; provider = subprocess.Popen([sys.executable, '-c', sys.argv[1]],"
        "stderr=subprocess.PIPE, text=True); provider.stderr.readline();"
        "print(provider.pid, flush=True); provider.wait()"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), COOKIE_NAME: COOKIE}
    with subprocess.Popen(
        [sys.executable, "-c", core, STUCK], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        provider = Path("/proc", process.stdout.readline().strip())
        assert provider.exists()
        process.kill()
    for _ in range(300):
        if not provider.exists() or " Z " in (provider / "stat").read_text():
            break
        signal.sigtimedwait([], 0.1)
    else:
        pytest.fail("the provider still runs")


def test_a_provider_without_file_descriptors_ends_with_one_line() -> None:
    script = """
import os, resource
from tests.provider.server.boxes import Toy
from tofutypes.provider import serve
from tofutypes.provider.transport import relay

start = relay.Relay.start

def start_without_descriptors(self):
    used = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used, used))  # enough to listen, not for a loop
    return start(self)

relay.Relay.start = start_without_descriptors
serve(Toy)
"""
    certificate = make_certificate().certificate_pem.decode()
    environment = {COOKIE_NAME: COOKIE, "PLUGIN_CLIENT_CERT": certificate}
    with started(script=script, **environment) as process:
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert re.search(r"cannot (start the TLS relay|listen on .*): .*Too many open files", errors)


def test_what_runs_is_waited_for_when_its_connection_is_gone() -> None:
    started, finished = threading.Event(), threading.Event()

    def code(planned: Box, context: ApplyContext[Box]) -> Box:
        started.set()
        assert context.stopping.wait(60)
        time.sleep(0.5)
        finished.set()
        return made(planned)

    with (
        listening(HandlerService(Toy(create=code)), 6, {}) as (server, handshake),
        ThreadPoolExecutor(1) as thread,
    ):
        client = connect(handshake.listens_on)
        running = thread.submit(client.apply, client.plan(Box(name="a")))
        assert started.wait(60)
        client.close()
        with pytest.raises(PluginError):
            running.result()
        assert server.stop(60)
        assert finished.is_set()


def test_silent_connections_hold_nobody_up() -> None:
    with started(**{COOKIE_NAME: COOKIE}) as process, socket.socket(socket.AF_UNIX) as silent:
        assert process.stdout is not None
        handshake = parse_handshake(process.stdout.readline())
        silent.connect(handshake.address)
        assert connect(handshake.listens_on, handshake.protocol).schema  # the other came before
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0  # gRPC itself would wait for 20 seconds


def test_debugging() -> None:
    with started("--debug") as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        line = next(each for each in lines if "TF_REATTACH_PROVIDERS" in each)
        reattach = line.partition("'")[2].rpartition("'")[0]
        assert json.loads(reattach)[Toy.address]["Pid"] == process.pid
        with attach(reattach, Toy.address) as provider:
            assert provider.apply(provider.plan(Box(name="a"))).value is not None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_hundred_calls_at_once() -> None:
    with host(Toy()) as provider, ThreadPoolExecutor(100) as threads:
        names = [f"box {number}" for number in range(300)]
        plans = threads.map(lambda name: provider.plan(Box(name=name)), names)
        assert [plan.planned and plan.planned.name for plan in plans] == names


def test_large_values() -> None:
    name = "x" * 50_000_000
    with host(Toy(read=lambda state, _: made(state))) as provider:
        state = provider.read(State(Box(name=name)))
    assert state.value is not None
    assert len(present(state.value.name)) == len(name)


class Nothing(Provider):
    pass


class Twice(Toy):
    resources = (*Toy.resources, *Toy.resources)


class NoModel(ResourceHandler):  # type: ignore[type-arg]  # is wrong on purpose
    def create(self, planned: Box, context: object) -> Box:
        return planned

    def delete(self, state: Box, context: object) -> None:
        pass


class Unnamed(Provider):
    address = "registry.opentofu.org/example/unnamed"
    resources = (NoModel,)


class NoIdentify(ResourceHandler[Box, Toy]):
    identity: ClassVar[type[ResourceIdentity] | None] = BoxIdentity

    def create(self, planned: Box, context: object) -> Box:
        return planned

    def delete(self, state: Box, context: object) -> None:
        pass


class Unflagged(ResourceIdentity, type_name="toy_box"):
    id: Attr[str] = Attr()


class NoImport(NoIdentify):
    identity = Unflagged

    def identify(self, state: Box) -> ResourceIdentity:
        return Unflagged(id="a")


def offering(**offered: object) -> type[Provider]:
    return type("Offering", (Provider,), {"address": "registry.opentofu.org/a/b", **offered})


@pytest.mark.parametrize(
    ("provider", "message"),
    [
        (Nothing, "Nothing: no address; write `address = "),
        (Twice, "toy_box: two handlers or functions have this name"),
        (
            offering(resources=Toy.resources[0]),
            r"\.resources: expected a tuple or a list, got Boxes",
        ),
        (
            offering(resources=(Box,)),
            r"\.resources: expected subclasses of ResourceHandler, got Box",
        ),
        (
            offering(data_sources=Toy.resources),
            r"\.data_sources: expected subclasses of DataSourceHandler, got Boxes; list it in `res",
        ),
        (
            offering(functions=(made,)),
            r"\.functions: expected functions decorated with `@function`, got a function",
        ),
        (
            offering(resources=(NoIdentify,)),
            "NoIdentify: a handler with an identity needs the method `identi",
        ),
        (
            offering(resources=(NoImport,)),
            r"NoImport\.identity: id must be required_for_import or optional_for_import",
        ),
        (Unnamed, r"NoModel: no model; write `class NoModel\(ResourceHandler\[Server\]\)`"),
    ],
)
def test_what_does_not_go_together(provider: type[Provider], message: str) -> None:
    with pytest.raises((SchemaError, ProviderError), match=message), host(provider) as client:
        _ = client.schema
