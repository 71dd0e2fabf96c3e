"""The table of sub-commands.

To add a command, write a module with the two functions of
[`CommandModule`][tofutypes_codegen.commands.table.CommandModule] and add a row to `COMMANDS`:

    Command("show", "show a plan or a state", "tofutypes_codegen.commands.show")

The module is imported only when its command runs.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Protocol, cast


class CommandModule(Protocol):
    """What the module of a sub-command defines."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options, the description and the epilog to the parser of the command.

        A command with commands of its own calls `parser.add_subparsers`.
        """
        ...

    def run(self, arguments: Namespace) -> int:
        """Run the command and return its exit code.

        Raises:
            TofuTypesError: If the command fails. The message is printed, the exit code is 2.
            OSError: If a file cannot be read or written. Printed in the same way.
        """
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command: its name, its line in the help of `tofutypes`, the name of its module."""

    name: str
    help: str
    module: str

    def load(self) -> CommandModule:
        return cast("CommandModule", import_module(self.module))


_PACKAGE: Final = "tofutypes_codegen.commands"

COMMANDS: Final = (
    Command("generate", "generate a package of typed models", f"{_PACKAGE}.generate"),
    Command("schema", "print schemas as JSON", f"{_PACKAGE}.schema"),
    Command("docs", "write a provider's documentation for registries", f"{_PACKAGE}.docs"),
    Command("dev", "run a command with the provider of this project", f"{_PACKAGE}.dev"),
    Command("package", "make the release archives of a provider", f"{_PACKAGE}.package"),
    Command("plugin", "check and use plugins on stdio", f"{_PACKAGE}.plugin"),
    Command("show", "show a plan or a state, without secrets", f"{_PACKAGE}.show"),
    Command("completion", "print a script for completion in a shell", f"{_PACKAGE}.completion"),
)
"""All sub-commands, in the order of the help."""
