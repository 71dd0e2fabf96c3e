"""The process of a provider: what the core starts, or a developer in debug mode.

Source: go-plugin, `server.go`.
"""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn

from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.logs import log_to_core
from tofutypes.provider.server.provider import FaultyProvider, Provider, provider_of
from tofutypes.provider.server.server import ProviderServer
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.handshake import (
    COOKIE,
    COOKIE_NAME,
    MULTIPLEX,
    SUPPORTED,
    Handshake,
    choose_protocol,
    offered_protocols,
)

log: Final = logging.getLogger("tofutypes.provider")

DEBUG_FLAG: Final = "--debug"

_GRACE: Final = 1.5
"""Seconds that running calls have when the core ends the plugin; after 2 it kills it."""

_LONG_GRACE: Final = 60.0
"""Seconds that they have when nobody waits: a change under way should come to its end."""

_ORPHAN_CHECK: Final = 1.0  # seconds

_FROM_CORE: Final = os.environ.pop(COOKIE_NAME, "") == COOKIE
"""Whether the core has started this program. It did not start the programs that this one starts."""

_NOT_BY_HAND: Final = f"""\
This program is a provider of OpenTofu or Terraform, which start it themselves.
To debug it, start it with {DEBUG_FLAG} and run them with the variable that it prints.
"""


def serve(
    provider: Provider[Any] | type[Provider[Any]], arguments: Sequence[str] | None = None
) -> NoReturn:
    """Serve a provider until the core has no more use for it: the whole `main` of a provider.

    What the provider prints goes to standard error, where the core takes it for log lines; the
    loggers of Python write there in the core's own form.

    Args:
        provider: the provider, or its class.
        arguments: the arguments of the process, by default those of `sys.argv`. With `--debug`
            among them it waits for a core that finds it by the variable that it prints.
    """
    sys.excepthook = sys.__excepthook__
    if DEBUG_FLAG in (sys.argv[1:] if arguments is None else arguments):
        _serve_debug(provider_of(provider))
    if not _FROM_CORE:
        sys.stderr.write(_NOT_BY_HAND)
        sys.exit(1)
    address: object = getattr(provider, "address", "")
    _serve_core(lambda: provider_of(provider), str(address).rpartition("/")[2])


def prepare_for_the_core() -> None:
    """Do what must be done before the program comes to `serve`, if it is the core that started it.

    What is printed must not come before the handshake. And of what ends the program, an import that
    fails or a class that cannot be, the core is told: it could only guess that the program is not
    for this machine.
    """
    if _FROM_CORE:
        sys.excepthook = _serve_fault
        with suppress(OSError):  # `serve` will say that there is no standard output
            _take_standard_output()


def _serve_fault(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    sys.excepthook = sys.__excepthook__
    if not isinstance(error, Exception):
        sys.__excepthook__(kind, error, traceback)
        return

    def provider() -> NoReturn:
        raise error

    _serve_core(provider)


def _serve_core(make: Callable[[], Provider[Any]], name: str = "") -> NoReturn:
    core = os.getppid()  # before the handshake: the core may be killed as soon as it has that
    say = _take_standard_output()
    log_to_core(name, sys.stderr)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the core has it too, and calls StopProvider
    graces: SimpleQueue[float] = SimpleQueue()
    _on_signal(signal.SIGTERM, graces, _LONG_GRACE)
    major = choose_protocol(SUPPORTED, offered_protocols(os.environ))
    with ExitStack() as stack:

        def listen(made: Provider[Any]) -> tuple[ProviderServer, Handshake]:
            found = listening(HandlerService(made), major, os.environ, lambda: graces.put(_GRACE))
            return stack.enter_context(found)

        try:
            server, handshake = listen(make())
        except PluginError as error:
            log.error("%s", error)
            sys.exit(1)
        except Exception as error:  # whatever the author's code raises
            log.error("The provider cannot start", exc_info=error)
            server, handshake = listen(FaultyProvider(error))
        say(handshake.line(multiplexing_asked=bool(os.environ.get(MULTIPLEX))))
        ended = server.stop(_wait_for_end(graces, core))
    _leave(ended)


def _serve_debug(provider: Provider[Any]) -> NoReturn:
    graces: SimpleQueue[float] = SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        _on_signal(number, graces, _GRACE)
    with listening(HandlerService(provider), max(SUPPORTED), {}) as (server, handshake):
        variable = reattach_variable(provider.address, handshake, os.getpid())
        sys.stdout.write(
            f"{provider.address} is running. Run OpenTofu or Terraform with\n\n"
            f"  TF_REATTACH_PROVIDERS='{variable}'\n\nCtrl-C ends it.\n"
        )
        sys.stdout.flush()
        ended = server.stop(graces.get())
    _leave(ended)


def _wait_for_end(graces: SimpleQueue[float], core: int) -> float:
    """Wait until the provider is to end; how many seconds running calls have then."""
    while os.getppid() == core:
        with suppress(Empty):
            return graces.get(timeout=_ORPHAN_CHECK)
    return _LONG_GRACE  # the core was killed, and nobody else would end this process


def reattach_variable(address: str, handshake: Handshake, process: int) -> str:
    """What `TF_REATTACH_PROVIDERS` has to be for a core to find a running provider.

    Source: the documents of OpenTofu and Terraform on debugging providers.

    Args:
        address: the provider's address.
        handshake: where it listens.
        process: its process id.
    """
    found = {
        "Protocol": "grpc",
        "ProtocolVersion": handshake.protocol,
        "Pid": process,
        "Test": True,  # or the core would take protocol 6 for 5, and end the provider
        "Addr": {"Network": handshake.network, "String": handshake.address},
    }
    return json.dumps({address: found})


@cache
def _take_standard_output() -> Callable[[str], None]:
    """Keep standard output for the handshake; what else is printed goes to standard error."""
    handshakes = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    stream: object = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(line_buffering=True)

    def say(line: str) -> None:
        handshakes.write(line)
        handshakes.flush()

    return say


def _on_signal(number: signal.Signals, graces: SimpleQueue[float], grace: float) -> None:
    def end(_: int, __: FrameType | None) -> None:
        graces.put(grace)  # what a handler may do at any moment

    signal.signal(number, end)


def _leave(ended: bool) -> NoReturn:
    if not ended:
        sys.stderr.flush()
        os._exit(0)  # a call that does not end would keep the process
    sys.exit(0)


prepare_for_the_core()
