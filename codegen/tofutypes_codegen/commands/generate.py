"""`tofutypes generate SOURCE --output DIR`: write a package of typed models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from tofutypes_codegen.commands.source_options import add_provider, add_source
from tofutypes_codegen.console import print_lines
from tofutypes_codegen.exit_codes import OK, STALE

if TYPE_CHECKING:
    from tofutypes_codegen.generate import Renderer

_EPILOG: Final = """\
exit codes:
  0    success; with --check: the package is up to date
  1    with --check: the package is stale
  2    invalid arguments, source or output folder; nothing was changed
  130  interrupted (143: terminated, 141: standard output was closed)
The output folder always holds a complete package: the old one or the new one.

examples:
  tofu providers schema -json > schema.json
  tofutypes generate schema.json --output infra
  tofu providers schema -json | tofutypes generate - --output infra --include 'aws_s3_*'
  tofutypes generate schema.json --output infra --used-in live --used-in modules
  tofutypes generate . --output src --package acme.infra --provider hashicorp/aws
  tofutypes generate ./terraform-provider-null --output infra
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Generate a package of typed models from provider schemas."
    parser.epilog = _EPILOG
    add_source(parser)
    _add_selection(parser)
    _add_target(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from tofutypes_codegen.configuration import read_mentions
    from tofutypes_codegen.generate import Mode, Request, generate
    from tofutypes_codegen.progress import choose_progress
    from tofutypes_codegen.report import report
    from tofutypes_codegen.selection import Selection

    mode = Mode(arguments.mode)
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
    renderer = _default_renderer() if arguments.renderer is None else arguments.renderer
    outcome = generate(request, renderer, choose_progress(quiet=arguments.quiet))
    if not arguments.quiet:
        print_lines(report(outcome, mode))
    return STALE if mode is Mode.CHECK and outcome.changes else OK


def _default_renderer() -> Renderer:
    from tofutypes_codegen import package

    return package


def _add_selection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("selection (each option may be repeated)")
    add_provider(group.add_argument)
    group.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        default=[],
        help="only types and functions with matching names, such as 'aws_s3_*'",
    )
    group.add_argument(
        "--used-in",
        metavar="DIR",
        action="append",
        default=[],
        help="only what the configuration in DIR and its subfolders uses (.tf, .tofu, .tfquery.hcl "
        "and their JSON forms), and what --include names",
    )
    group.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        help="no types and functions with matching names, even if they are included or used",
    )


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        metavar="DIR",
        required=True,
        help="the folder of the package, whose name is the name of the package; with --package, "
        "the folder that the package is put into. Stale generated files in it are removed; other "
        "files are never touched",
    )
    parser.add_argument(
        "--package", metavar="NAME", help="the import name of the package, such as acme.infra"
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--check",
        dest="mode",
        action="store_const",
        const="check",
        help="write nothing; print the differences and exit with 1 if the package is stale",
    )
    modes.add_argument(
        "--dry-run",
        dest="mode",
        action="store_const",
        const="dry run",
        help="write nothing; list the files that would be written and removed",
    )
    parser.set_defaults(mode="write")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
