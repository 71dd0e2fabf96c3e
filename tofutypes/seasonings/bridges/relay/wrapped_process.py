"""The process of a command that is run with something around it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from tofutypes.errors import one_line
from tofutypes.seasonings.errors import SeasoningsError

_POLL: Final = 0.05  # seconds


async def run_process(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command with the standard streams of this process.

    The command decides what Ctrl-C does: it gets SIGINT from the terminal, and this process goes
    on. SIGTERM is passed on to the command.

    Returns:
        The exit code of the command; 128 and the number of the signal that ended it.

    Raises:
        SeasoningsError: If the command cannot be started.
    """
    started: list[asyncio.subprocess.Process] = []
    with suppress(NotImplementedError):  # before the start: a signal may come at once
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        loop.add_signal_handler(signal.SIGTERM, _terminator(started))
    try:
        process = await asyncio.create_subprocess_exec(*words, env=environment)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise SeasoningsError(f"{one_line(words[0])}: {reason}") from None
    started.append(process)
    code = await process.wait()
    return code if code >= 0 else 128 - code


def _terminator(started: Sequence[asyncio.subprocess.Process]) -> Callable[[], None]:
    def terminate() -> None:
        if not started:  # the start is under way
            asyncio.get_running_loop().call_later(_POLL, terminate)
        for process in started:
            with suppress(ProcessLookupError):
                process.terminate()

    return terminate
