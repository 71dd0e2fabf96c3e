"""`tofutypes plugin …`: plugins on stdio, checked and used under OpenTofu and Terraform."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Final

from tofutypes_codegen.console import print_lines
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.exit_codes import OK

FAILED: Final = 1

_CHECK_TEXT: Final = """\
Drive a plugin through everything that it declares, and print a report.

examples:
  tofutypes plugin check -- python policy.py
  tofutypes plugin check --config policy.json -- node dist/policy.js

exit codes:
  0    no check failed
  1    a check failed"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands of the command."""
    parser.description = (
        "Plugins on stdio (OpenTofu's proposed plugin protocol, experimental): check them, and use "
        "them under the OpenTofu and Terraform of today."
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="plugin_command", required=True)
    check = commands.add_parser("check", help="check a plugin", description=_CHECK_TEXT)
    _add_plugin(check)
    check.set_defaults(run_plugin=_check)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    code: int = arguments.run_plugin(arguments)
    return code


def _add_plugin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="the plugin's configuration, as JSON")
    parser.add_argument(
        "plugin", metavar="-- CMD", nargs="+", help="the plugin: its program and its arguments"
    )


def _command(arguments: argparse.Namespace) -> Sequence[str]:
    """The command of the plugin; one string with spaces is split as a shell would."""
    from tofutypes.seasonings.host.launching import split_command

    words: list[str] = arguments.plugin
    return split_command(words[0]) if len(words) == 1 else words


def _config(arguments: argparse.Namespace) -> Mapping[str, object] | None:
    """The configuration in a file."""
    import json
    from decimal import Decimal
    from pathlib import Path

    from tofutypes.narrowing import is_dict

    if arguments.config is None:
        return None
    try:
        config: object = json.loads(Path(arguments.config).read_bytes(), parse_float=Decimal)
    except ValueError as error:
        raise GeneratorError(f"{arguments.config}: not JSON: {error}") from None
    if not is_dict(config):
        raise GeneratorError(f"{arguments.config}: expected a JSON object")
    return {str(name): value for name, value in config.items()}


def _check(arguments: argparse.Namespace) -> int:
    import asyncio

    from tofutypes.seasonings.check.checker import check_plugin

    report = asyncio.run(check_plugin(_command(arguments), _config(arguments)))
    print_lines(report.lines())
    return FAILED if report.failed else OK
