"""Where the schemas come from: a file, standard input, or a folder with a configuration."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tofutypes.errors import SchemaError
from tofutypes.schema.document import read_schemas
from tofutypes.schema.model import ProviderSchema
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.tofu import TIMEOUT, print_schemas

STANDARD_INPUT: Final = "-"

_HOW_TO_WRITE_ONE: Final = "write one with `tofu providers schema -json`"

# How executable files begin: ELF, Windows, Mach-O (32 and 64 bit, universal), scripts.
_PROGRAM_MARKS: Final = (
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"#!",
)


def load_schemas(source: str, *, timeout: float = TIMEOUT) -> dict[str, ProviderSchema]:
    """The provider schemas of a source, by address.

    Args:
        source: a file, `-` for standard input, or a folder with a configuration.
        timeout: how many seconds `tofu` may take in the folder.

    Raises:
        GeneratorError: there is no schema in it.
        SchemaError: the document cannot be read, or breaks the rules.
    """
    if not source:
        raise GeneratorError("SOURCE is empty; name a schema file, `-`, or a folder")
    if source == STANDARD_INPUT:
        schemas = _read(_standard_input(), "standard input")
    elif Path(source).is_dir():
        folder = Path(source)
        schemas = _read(print_schemas(folder, timeout), f"the schemas of {folder}")
    else:
        _refuse_program(Path(source))
        schemas = read_schemas(source)
    if not schemas:
        raise GeneratorError(
            f"{_name(source)}: there are no provider schemas in it; "
            "`providers schema -json` prints them in a folder whose configuration uses providers"
        )
    return schemas


def _name(source: str) -> str:
    return "standard input" if source == STANDARD_INPUT else source


def _read(document: bytes, name: str) -> dict[str, ProviderSchema]:
    try:
        return read_schemas(document)
    except SchemaError as error:
        raise GeneratorError(f"{name}: {error}") from error


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise GeneratorError(f"standard input is closed; {_HOW_TO_WRITE_ONE}")
    return sys.stdin.buffer.read()


def _refuse_program(path: Path) -> None:
    # A pipe is not looked into: what was read of it is gone.
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            start = file.read(4)
    except (OSError, ValueError):
        return  # who reads it tells why it cannot be read
    if start.startswith(_PROGRAM_MARKS):
        raise GeneratorError(
            f"{path}: this is a program, and not a schema document; {_HOW_TO_WRITE_ONE}"
        )
