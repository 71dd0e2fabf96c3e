"""`tofutypes package [PROGRAM]`: make the release archives of a provider written in Python."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from tofutypes_codegen.commands.project_options import add_project, need_extra
from tofutypes_codegen.console import print_lines
from tofutypes_codegen.exit_codes import OK

_EPILOG: Final = """\
examples:
  tofutypes package
  tofutypes package --mirror mirror --sign KEY
  tofutypes package provider.py --version 1.2.0
  tofutypes package --no-build --sign KEY    (archives that other machines have built)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Make what registries want of a provider written in Python: the archive for this system "
        "(an executable with its Python), the manifest, checksums and a signature."
    )
    parser.epilog = _EPILOG
    parser.add_argument(
        "program",
        metavar="PROGRAM",
        nargs="?",
        help="a script in [project.scripts] of pyproject.toml or a Python file; by default the "
        "script terraform-provider-NAME",
    )
    add_project(parser)
    parser.add_argument(
        "--output", metavar="DIR", default="dist", help="the folder of the release (dist)"
    )
    parser.add_argument(
        "--version", metavar="VERSION", help="by default the version of the project"
    )
    parser.add_argument(
        "--include",
        metavar="PACKAGE",
        action="append",
        default=[],
        help="also pack this package, which the provider imports by name (may be repeated)",
    )
    parser.add_argument(
        "--no-build",
        dest="build",
        action="store_false",
        help="build no archive: use those in the folder of the release",
    )
    parser.add_argument("--sign", metavar="KEY", help="sign the checksums with this key of gpg")
    parser.add_argument(
        "--mirror",
        metavar="DIR",
        help="also put the archives into this folder, for filesystem_mirror and network_mirror",
    )
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="the address in the mirror (may be repeated); by default the provider's own",
    )
    parser.add_argument("--verbose", action="store_true", help="show what PyInstaller prints")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    need_extra("package", "PyInstaller" if arguments.build else "packaging", "package")
    from tofutypes_codegen.executables import check_address
    from tofutypes_codegen.packaging.program import find_program, read_project
    from tofutypes_codegen.packaging.release import Options, make_release
    from tofutypes_codegen.packaging.versions import release_version

    for address in arguments.address:
        check_address(address)
    project = read_project(Path(arguments.project))
    program = find_program(project, arguments.program)
    options = Options(
        version=release_version(project, arguments.version),
        output=Path(arguments.output),
        include=arguments.include,
        build=arguments.build,
        sign=arguments.sign,
        mirror=None if arguments.mirror is None else Path(arguments.mirror),
        addresses=arguments.address,
        verbose=arguments.verbose,
    )
    for line in make_release(program, options):
        print_lines([line])
    return OK
