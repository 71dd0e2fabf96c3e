"""The command line: `tofutypes generate SOURCE --output DIR`, `tofutypes schema SOURCE`.

Only what the arguments need is imported here; the rest when it is needed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

if TYPE_CHECKING:
    from tofutypes_codegen.generate import Mode, Renderer

OK: Final = 0
STALE: Final = 1
REFUSED: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
TERMINATED: Final = 143

_EXIT_CODES: Final = """\
exit codes:
  0    done; with --check: the package is up to date
  1    with --check: the package is stale
  2    the arguments, the source or the output folder cannot be used; nothing was changed
  130  interrupted (143: terminated, 141: nobody reads the output)
The output folder is always left whole: as it was, or with all of the new package."""

_EXAMPLES: Final = """\
examples:
  tofu providers schema -json > schema.json
  tofutypes generate schema.json --output infra
  tofu providers schema -json | tofutypes generate - --output infra --include 'aws_s3_*'
  tofutypes generate schema.json --output infra --used-in live --used-in modules
  tofutypes generate . --output src --package acme.infra --provider hashicorp/aws
  tofutypes generate ./terraform-provider-null --output infra
"""

_SCHEMA_EXAMPLES: Final = """\
examples:
  tofutypes schema ./terraform-provider-null > schema.json
  tofutypes schema . --provider aws | jq '.provider_schemas[].resource_schemas | keys'
"""


def main(argv: Sequence[str] | None = None, renderer: Renderer | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; by default those of the process.
        renderer: what turns schemas into modules; by default ours.

    Returns:
        The exit code.
    """
    try:
        with _termination_raised():
            return _run(argv, renderer)
    except BrokenPipeError:
        _forget_standard_output()
        return BROKEN_PIPE
    except _TerminatedError:
        return TERMINATED
    except KeyboardInterrupt:
        return _refuse("interrupted", INTERRUPTED)


def _run(argv: Sequence[str] | None, renderer: Renderer | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except _UsageError as error:
        return _refuse(str(error))
    except SystemExit as leave:  # --help, --version
        _print(())
        return OK if leave.code is None else int(leave.code)

    from tofutypes.errors import TofuTypesError

    try:
        if arguments.command == "schema":
            return _print_schemas(arguments)
        return _generate(arguments, renderer)
    except TofuTypesError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        return _refuse(f"{where}{error.strerror or error}")


def _generate(arguments: argparse.Namespace, renderer: Renderer | None) -> int:
    from tofutypes_codegen.configuration import read_mentions
    from tofutypes_codegen.generate import Mode, Request, generate
    from tofutypes_codegen.progress import choose_progress
    from tofutypes_codegen.report import report
    from tofutypes_codegen.selection import Selection

    if renderer is None:
        from tofutypes_codegen import package

        renderer = package

    mode: Mode = Mode(arguments.mode)
    request = Request(
        source=arguments.source,
        output=arguments.output,
        package=arguments.package,
        selection=Selection(
            arguments.provider,
            arguments.include,
            arguments.exclude,
            {folder: read_mentions(folder) for folder in arguments.used_in},
        ),
        mode=mode,
        address=arguments.address,
    )
    outcome = generate(request, renderer, choose_progress(quiet=arguments.quiet))
    if not arguments.quiet:
        _print(report(outcome, mode))
    return STALE if mode is Mode.CHECK and outcome.changes else OK


def _print_schemas(arguments: argparse.Namespace) -> int:
    from tofutypes_codegen.printing import print_schemas
    from tofutypes_codegen.selection import Selection, select
    from tofutypes_codegen.sources import load_schemas

    everything = load_schemas(arguments.source, address=arguments.address)
    _print([print_schemas(select(everything, Selection(arguments.provider)))])
    return OK


def _print(lines: Iterable[str]) -> None:
    """Write lines to standard output, and see that they arrive."""
    try:
        for line in lines:
            _write(sys.stdout, f"{line}\n")
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_standard_output()
        raise OSError(error.errno, error.strerror, "standard output") from error


def _refuse(message: str, code: int = REFUSED) -> int:
    with suppress(OSError):  # there may be nobody to tell
        _write(sys.stderr, f"tofutypes: error: {message}\n")
    return code


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        # A file's name need not be text, nor the stream able to show it.
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _forget_standard_output() -> None:
    """Standard output leads nowhere from now on, so that Python does not complain at its end."""
    with suppress(OSError, ValueError):  # it need not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _TerminatedError(BaseException):
    """The process was asked to end (SIGTERM)."""


@contextmanager
def _termination_raised() -> Generator[None, None, None]:
    """Let SIGTERM unwind the stack, so that temporary files go and programs end."""

    def terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise _TerminatedError

    free = threading.current_thread() is threading.main_thread()
    if not free or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


class _UsageError(Exception):
    """Arguments that cannot be understood."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{' '.join(message.split())}; see {self.prog} --help")


class _Version(argparse.Action):
    """`--version`, which imports the library only when it is asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from tofutypes import __version__

        _print([f"tofutypes {__version__}"])
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="tofutypes",
        description="Typed Python models from the schemas of OpenTofu and Terraform providers.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    generate = commands.add_parser(
        "generate",
        help="generate a package of typed models",
        description="Generate a package of typed models from provider schemas.",
        epilog=f"{_EXIT_CODES}\n\n{_EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_source(generate)
    _add_what(generate)
    _add_where(generate)
    schema = commands.add_parser(
        "schema",
        help="print schemas as JSON",
        description="Print provider schemas as JSON, as `tofu providers schema -json` does.",
        epilog=_SCHEMA_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_source(schema)
    _add_provider(schema.add_argument)
    return parser


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a file with what `tofu providers schema -json` prints (may be gzipped), `-` for "
        "standard input, a folder with a configuration, where tofu or terraform is run, or the "
        "program of a provider, which is started and asked",
    )
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        help="the address of the provider, if SOURCE is its program: by default what the folders "
        "of a mirror or a cache tell, else registry.terraform.io/hashicorp/NAME",
    )


def _add_provider(add: Callable[..., object]) -> None:
    add(
        "--provider",
        metavar="NAME",
        action="append",
        default=[],
        help="only this provider: aws, hashicorp/aws, or its full address",
    )


def _add_what(parser: argparse.ArgumentParser) -> None:
    repeated = parser.add_argument_group("what to generate (each may be repeated)")
    _add_provider(repeated.add_argument)
    repeated.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        help="only types and functions whose names match, as 'aws_s3_*'",
    )
    repeated.add_argument(
        "--used-in",
        metavar="DIR",
        action="append",
        default=[],
        help="only what the configuration in DIR and below it uses (.tf, .tofu, .tf.json, "
        ".tofu.json), and what --include names",
    )
    repeated.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        help="no types and functions whose names match, included, used or not",
    )


def _add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        metavar="DIR",
        required=True,
        help="the folder of the package, which gives it its name; with --package, the folder to "
        "put it into. Generated files there that are not generated any more are removed; other "
        "files are never touched",
    )
    parser.add_argument(
        "--package", metavar="NAME", help="the import name of the package, as acme.infra"
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--check",
        dest="mode",
        action="store_const",
        const="check",
        help="write nothing; exit 1 and tell the differences if the package is stale",
    )
    modes.add_argument(
        "--dry-run",
        dest="mode",
        action="store_const",
        const="dry run",
        help="write nothing; list what would be written and removed",
    )
    parser.set_defaults(mode="write")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
