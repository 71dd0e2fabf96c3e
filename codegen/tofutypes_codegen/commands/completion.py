"""`tofutypes completion SHELL`: print a completion script, made by shtab."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from tofutypes.narrowing import is_mapping
from tofutypes_codegen.console import print_lines
from tofutypes_codegen.exit_codes import OK

_SHELLS: Final = ("bash", "zsh", "fish", "tcsh")

_EPILOG: Final = """\
examples:
  tofutypes completion bash > ~/.local/share/bash-completion/completions/tofutypes
  tofutypes completion zsh > ~/.zfunc/_tofutypes
  tofutypes completion fish > ~/.config/fish/completions/tofutypes.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Print a script that completes commands and options of `tofutypes`."
    parser.epilog = _EPILOG
    parser.add_argument("shell", choices=_SHELLS, help="the shell that the script is for")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if find_spec("shtab") is None:
        from tofutypes_codegen.errors import GeneratorError

        raise GeneratorError("completion needs shtab: pip install 'tofutypes[codegen]'")
    import shtab

    parser = arguments.full_parser()
    _complete_paths(parser, {"SOURCE": shtab.FILE, "FILE": shtab.FILE, "DIR": shtab.DIRECTORY})
    print_lines([shtab.complete(parser, shell=arguments.shell)])
    return OK


def _complete_paths(parser: argparse.ArgumentParser, kinds: Mapping[str, object]) -> None:
    """Mark arguments as paths, by metavar, where shtab looks for the mark."""
    for action in parser._actions:  # argparse has no public way to walk its arguments
        if is_mapping(action.choices):  # those of sub-commands
            for subparser in action.choices.values():
                if isinstance(subparser, argparse.ArgumentParser):
                    _complete_paths(subparser, kinds)
        elif action.metavar in kinds:
            action.complete = kinds[str(action.metavar)]  # type: ignore[attr-defined]  # by shtab
