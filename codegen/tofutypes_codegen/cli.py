"""The command line `tofutypes`: parses the arguments, runs a sub-command, prints its error.

Only the module of the sub-command is imported.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from tofutypes_codegen.commands.table import COMMANDS
from tofutypes_codegen.console import discard_output, print_error, print_lines
from tofutypes_codegen.exit_codes import BROKEN_PIPE, INTERRUPTED, OK, TERMINATED
from tofutypes_codegen.parsing import CommandParser, UsageError, make_parser

if TYPE_CHECKING:
    from tofutypes_codegen.generate import Renderer


def main(argv: Sequence[str] | None = None, renderer: Renderer | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments; by default those of the process.
        renderer: Renders the modules of `generate`; by default `tofutypes_codegen.package`.

    Returns:
        The exit code.
    """
    try:
        with _sigterm_raises():
            return _run(sys.argv[1:] if argv is None else argv, renderer)
    except BrokenPipeError:
        discard_output()
        return BROKEN_PIPE
    except _TerminatedError:
        return TERMINATED
    except KeyboardInterrupt:
        return print_error("interrupted", INTERRUPTED)


def _run(argv: Sequence[str], renderer: Renderer | None) -> int:
    name = next((argument for argument in argv if not argument.startswith("-")), "")
    if name and all(name != command.name for command in COMMANDS):
        return print_error(_unknown_command(name))
    parser = make_parser({name})
    parser.set_defaults(renderer=renderer, full_parser=_full_parser)
    try:
        arguments = parser.parse_args(argv)
    except UsageError as error:
        return print_error(str(error))
    except SystemExit as leave:  # --help, --version
        print_lines(())
        return OK if leave.code is None else int(leave.code)
    if arguments.command is None:
        print_lines([parser.format_help().rstrip()])
        return OK

    from tofutypes.errors import TofuTypesError

    try:
        with _document_size(getattr(arguments, "document_size", None)):
            code: int = arguments.run(arguments)
    except TofuTypesError as error:
        return print_error(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        path = f"{error.filename}: " if error.filename is not None else ""
        return print_error(f"{path}{error.strerror or error}")
    return code


@contextmanager
def _document_size(mebibytes: int | None) -> Generator[None, None, None]:
    """Read documents of this size, with as many values for each byte as by default."""
    from tofutypes.limits import current_limits, use_limits

    if mebibytes is None:
        yield
        return
    limits = current_limits()
    size = mebibytes << 20
    values = limits.document_values * size // limits.document_size
    with use_limits(replace(limits, document_size=size, document_values=values)):
        yield


def _unknown_command(name: str) -> str:
    import difflib

    similar = difflib.get_close_matches(name, [command.name for command in COMMANDS], n=1)
    hint = f'; did you mean "{similar[0]}"?' if similar else ""
    return f'unknown command "{ascii(name)[1:-1]}"{hint}; see tofutypes --help'


def _full_parser() -> CommandParser:
    """The parser with the options of all sub-commands, for completion."""
    return make_parser({command.name for command in COMMANDS})


class _TerminatedError(BaseException):
    """The process received SIGTERM."""


@contextmanager
def _sigterm_raises() -> Generator[None, None, None]:
    """Let SIGTERM unwind the stack, so that temporary files are removed and processes stopped."""

    def terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _TerminatedError

    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
