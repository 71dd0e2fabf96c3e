"""`tofutypes dev -- tofu plan`: run a command with the provider of this project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from tofutypes_codegen.commands.project_options import add_project, need_extra

_EPILOG: Final = """\
examples:
  tofutypes dev -- tofu plan
  tofutypes dev -- terraform -chdir=examples apply
  tofutypes dev --provider provider.py -- tofu init

exit codes:
  that of the command; 2 if the provider or the command cannot be started
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Run a command of OpenTofu or Terraform with the provider of this project as its sources "
        "are now. The provider is not installed, and no file is changed: `init` does not look for "
        "it in a registry, and the lock file does not name it."
    )
    parser.epilog = _EPILOG
    parser.add_argument(
        "--provider",
        metavar="PROGRAM",
        help="a script in [project.scripts] of pyproject.toml, a Python file, or the executable of "
        "a provider; by default the script terraform-provider-NAME",
    )
    add_project(parser)
    parser.add_argument(
        "--address", metavar="ADDRESS", help="by default what the provider says itself"
    )
    parser.add_argument(
        "command_line", metavar="-- tofu", nargs="+", help="a command of OpenTofu or Terraform"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    need_extra("dev", "hpack", "dev")
    import asyncio

    from tofutypes.provider.transport.folders import (
        CLIENT_PREFIX,
        private_folder,
        remove_abandoned_folders,
    )
    from tofutypes_codegen.development import run_with_provider
    from tofutypes_codegen.executables import check_address
    from tofutypes_codegen.packaging.comparison import describe

    if arguments.address is not None:
        check_address(arguments.address)
    remove_abandoned_folders()
    with private_folder(CLIENT_PREFIX) as folder:
        executable, label = _executable(arguments, folder)
        address = arguments.address or describe(executable, label, "use --address").address
        return asyncio.run(run_with_provider(arguments.command_line, executable, address))


def _executable(arguments: argparse.Namespace, folder: Path) -> tuple[Path, str]:
    """The executable of the provider, and its name for messages."""
    from tofutypes_codegen.executables import is_program
    from tofutypes_codegen.packaging.program import find_program, read_project

    named: str | None = arguments.provider
    project = read_project(Path(arguments.project))
    if named is not None and named not in project.scripts:
        path = Path(named)
        if path.suffix != ".py" and is_program(path):
            return path.absolute(), named
    program = find_program(project, named)
    return program.write_launcher(folder), program.label
