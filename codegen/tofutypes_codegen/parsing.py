"""The argument parser of the command line: one parser for each sub-command."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import Final, NoReturn

from tofutypes_codegen.commands.table import COMMANDS
from tofutypes_codegen.console import print_lines

_DESCRIPTION: Final = "Typed Python for OpenTofu and Terraform: schemas, providers, plans, plugins."

_EPILOG: Final = "Run `tofutypes COMMAND --help` for the options of a command."


class UsageError(Exception):
    """Arguments that cannot be parsed."""


class CommandParser(argparse.ArgumentParser):
    """A parser that keeps line breaks of its texts and raises one-line errors."""

    def __init__(self, **options: object) -> None:
        settings: dict[str, object] = {
            "formatter_class": argparse.RawDescriptionHelpFormatter,
            "allow_abbrev": False,
        }
        super().__init__(**settings | options)  # type: ignore[arg-type]  # handed on unchanged

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{' '.join(message.split())}; see {self.prog} --help")


class _Version(argparse.Action):
    """`--version`: imports the library only when it is used."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from tofutypes import __version__

        print_lines([f"tofutypes {__version__}"])
        parser.exit()


def make_parser(complete: Collection[str]) -> CommandParser:
    """Make the parser.

    Args:
        complete: The sub-commands whose options the parser needs. Only their modules are imported.
    """
    parser = CommandParser(prog="tofutypes", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument(
        "-V", "--version", action=_Version, nargs=0, help="print the version and exit"
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    for command in COMMANDS:
        subparser = commands.add_parser(command.name, help=command.help)
        if command.name in complete:
            module = command.load()
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return parser
