"""The process of a provider, started by Core or by a developer in debug mode.

"Core" is Terraform Core or OpenTofu. Source: go-plugin, `server.go`.
"""

from __future__ import annotations

import io
import json
import logging
import os
import select
import signal
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.server.lazy_service import LazyService
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.logs import log_to_core
from tofutypes.provider.server.provider import FaultyProvider, Provider, provider_of
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.service.source import ServiceSource
from tofutypes.provider.transport.folders import remove_abandoned_folders
from tofutypes.provider.transport.handshake import (
    COOKIE,
    COOKIE_NAME,
    MULTIPLEX,
    SOCKET_FOLDER,
    Handshake,
    choose_protocol,
    offered_protocols,
)

if TYPE_CHECKING:
    from tofutypes.provider.service.service import ProviderService

log: Final = logging.getLogger("tofutypes.provider")

DEBUG_FLAG: Final = "--debug"

_GRACE: Final = 1.5
"""Seconds that running calls have when Core ends the plugin. Core kills it after 2 seconds."""

_LONG_GRACE: Final = 60.0
"""Seconds that running calls have when Core is gone: a change under way should be completed."""

_ORPHAN_CHECK: Final = 1.0  # seconds

_FROM_CORE: Final = os.environ.pop(COOKIE_NAME, "") == COOKIE
"""Whether Core started this program. The variable is removed for the programs that this one starts:
Core did not start those."""

_NOT_BY_HAND: Final = f"""\
This program is a provider. OpenTofu and Terraform start it themselves.
To debug it, start it with {DEBUG_FLAG}, and run them with the variable that it prints.
"""


def serve(
    provider: Provider[Any] | type[Provider[Any]] | ServiceSource,
    arguments: Sequence[str] | None = None,
) -> NoReturn:
    """Serve a provider until Core ends it: the whole `main` of a provider.

        if __name__ == "__main__":
            serve(Nimbus)

    What the provider prints goes to standard error, where Core reads it as log lines. Python's
    loggers write there in Core's own format.

    Args:
        provider: The provider, or its class, or a `Mux`.
        arguments: The arguments of the process; by default those of `sys.argv`. With `--debug`
            among them, the provider prints the variable by which Core finds it, and waits.
    """
    sys.excepthook = sys.__excepthook__
    if DEBUG_FLAG in (sys.argv[1:] if arguments is None else arguments):
        from tofutypes.provider.server.service_making import service_of

        _serve_debug(*service_of(provider))
    if not _FROM_CORE:
        sys.stderr.write(_NOT_BY_HAND)
        sys.exit(1)
    address: object = getattr(provider, "address", "")
    _serve_core(lambda: _maker(provider), str(address))


def serve_service(make: Callable[[], ProviderService], address: str) -> NoReturn:
    """Serve any provider service until Core ends it.

    If Core did not start this process, the variable by which Core finds the provider is printed.

    Args:
        make: Makes the service. What it raises is reported to Core as a diagnostic.
        address: The provider's address.
    """
    sys.excepthook = sys.__excepthook__
    if not _FROM_CORE:
        _serve_debug(make(), address)

    def make_or_report() -> ProviderService:
        try:
            return make()
        except Exception as error:  # noqa: BLE001  # Core would only see that the process ended
            return _service_of(_faulty(error))

    _serve_core(lambda: make_or_report, address)


def prepare() -> None:
    """Prepare a program that Core started, before it calls `serve`.

    Standard output is kept for the handshake, so that nothing is printed before it. If the program
    fails before it calls `serve` (an import, a class body), Core gets the error as a diagnostic;
    otherwise it could only guess that the program is for another machine.
    """
    if _FROM_CORE:
        sys.excepthook = _serve_fault
        with suppress(OSError):  # no standard output; `serve` reports it
            _take_standard_output()


def _serve_fault(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    sys.excepthook = sys.__excepthook__
    if not isinstance(error, Exception):
        sys.__excepthook__(kind, error, traceback)
        return

    def make() -> NoReturn:
        raise error

    _serve_core(make)


def _serve_core(make: Callable[[], Callable[[], ProviderService]], address: str = "") -> NoReturn:
    """Serve until Core ends this process.

    Args:
        make: Makes what makes the service: before the handshake, and after it.
        address: The provider's address.
    """
    core = os.getppid()  # before the handshake: Core may be killed right after it
    starting = _end_with(core)
    say = _take_standard_output()
    log_to_core(address.rpartition("/")[2], sys.stderr)
    graces: SimpleQueue[float] = SimpleQueue()
    major = choose_protocol(SUPPORTED, offered_protocols(os.environ))
    with ExitStack() as stack:
        try:
            make_service = make()
        except Exception as error:  # noqa: BLE001  # whatever the author's code raises
            make_service = _maker(_faulty(error))
        service = LazyService(make_service)
        try:
            server, handshake = stack.enter_context(
                listening(service.service, major, os.environ, lambda: graces.put(_GRACE), address)
            )
        except PluginError as error:
            log.error("%s", error)
            sys.exit(1)
        # Until here, signals do what they do by default: a provider that is stuck can be ended.
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Core gets it too, and calls StopProvider
        _on_signal(signal.SIGTERM, graces, _LONG_GRACE)
        starting.set()
        say(handshake.line(multiplexing_asked=bool(os.environ.get(MULTIPLEX))))
        service.load()  # while Core connects
        server.load()
        remove_abandoned_folders(os.environ.get(SOCKET_FOLDER) or None)
        ended = server.stop(_wait_for_end(graces, core))
    _leave(ended)


def _maker(
    provider: Provider[Any] | type[Provider[Any]] | ServiceSource,
) -> Callable[[], ProviderService]:
    made = provider if isinstance(provider, ServiceSource) else provider_of(provider)
    return lambda: _service_of(made)


def _service_of(provider: Provider[Any] | ServiceSource) -> ProviderService:
    """The service of a provider. If its parts contradict each other, every call returns why."""
    from tofutypes.provider.server.service_making import service_of

    try:
        return service_of(provider)[0]
    except Exception as error:  # noqa: BLE001  # whatever the author's code raises
        return _service_of(_faulty(error))


def _faulty(error: Exception) -> Provider[Any]:
    log.error("The provider cannot start", exc_info=error)
    return FaultyProvider(error)


def _end_with(core: int) -> threading.Event:
    """End this process if Core ends before the provider has started.

    Returns:
        An event to set when the provider has started.
    """
    started = threading.Event()

    def watch() -> None:
        while not started.wait(_ORPHAN_CHECK):
            if os.getppid() != core:
                os._exit(1)  # the main thread may be stuck in the author's code

    threading.Thread(target=watch, name="tofutypes start", daemon=True).start()
    return started


def _serve_debug(service: ProviderService, address: str) -> NoReturn:
    graces: SimpleQueue[float] = SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        _on_signal(number, graces, _GRACE)
    with listening(service, max(SUPPORTED), {}, provider_address=address) as (server, handshake):
        variable = reattach_variable(address, handshake, os.getpid())
        sys.stdout.write(
            f"{address} is running. Run OpenTofu or Terraform with\n\n"
            f"  TF_REATTACH_PROVIDERS='{variable}'\n\nPress Ctrl-C to end it.\n"
        )
        sys.stdout.flush()
        ended = server.stop(graces.get())
    _leave(ended)


def _wait_for_end(graces: SimpleQueue[float], core: int) -> float:
    """Wait until the provider must end; return the grace of running calls, in seconds."""
    while os.getppid() == core and not _standard_error_is_unread():
        with suppress(Empty):
            return graces.get(timeout=_ORPHAN_CHECK)
    return _LONG_GRACE  # Core was killed, and nobody else would end this process


def _standard_error_is_unread() -> bool:
    """Whether standard error is a pipe that nobody can read any more.

    Core reads that pipe as long as it runs. Where a shell script that does not `exec` is between
    Core and this process, only the pipe tells that Core was killed.
    """
    try:
        if not hasattr(select, "poll") or not stat.S_ISFIFO(os.fstat(2).st_mode):
            return False
        poll = select.poll()
        poll.register(2, 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except OSError:  # standard error is closed
        return False


def reattach_variable(address: str, handshake: Handshake, process: int) -> str:
    """Return the value of `TF_REATTACH_PROVIDERS` by which Core finds a running provider.

    Source: the documentation of OpenTofu and Terraform on debugging providers.

    Args:
        address: The provider's address.
        handshake: Where the provider listens.
        process: The id of its process.
    """
    entry = {
        "Protocol": "grpc",
        "ProtocolVersion": handshake.protocol,
        "Pid": process,
        "Test": True,  # otherwise Core takes protocol 6 for 5, and ends the provider
        "Addr": {"Network": handshake.network, "String": handshake.address},
    }
    return json.dumps({address: entry})


@cache
def _take_standard_output() -> Callable[[str], None]:
    """Keep standard output for the handshake, and send everything else to standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    stream: object = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(line_buffering=True)

    def say(line: str) -> None:
        output.write(line)
        output.flush()

    return say


def _on_signal(number: signal.Signals, graces: SimpleQueue[float], grace: float) -> None:
    def end(_: int, __: FrameType | None) -> None:
        graces.put(grace)  # safe in a signal handler

    signal.signal(number, end)


def _leave(ended: bool) -> NoReturn:
    if not ended:
        sys.stderr.flush()
        os._exit(0)  # a call that does not end would keep the process alive
    sys.exit(0)


prepare()
