"""Where the schemas come from: a file, standard input, a configuration, or a provider."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tofutypes.errors import SchemaError
from tofutypes.schema.definitions import ProviderSchema
from tofutypes.schema.document import read_schemas
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.executables import ask_program, is_program
from tofutypes_codegen.tofu import TIMEOUT, run_providers_schema

STANDARD_INPUT: Final = "-"

_HOW_TO_WRITE_ONE: Final = "write one with `tofu providers schema -json`"


def load_schemas(
    source: str, *, address: str | None = None, timeout: float = TIMEOUT
) -> dict[str, ProviderSchema]:
    """The provider schemas of a source, by address.

    Args:
        source: a file, `-` for standard input, a folder with a configuration, or the program of a
            provider.
        address: the address of the provider, if the source is its program; by default what its
            place or name tells.
        timeout: how many seconds `tofu` may take in the folder, or the provider to start.

    Raises:
        GeneratorError: there is no schema in it.
        SchemaError: the document cannot be read, or breaks the rules.
    """
    if not source:
        raise GeneratorError("SOURCE is empty; name a schema file, `-`, a folder, or a provider")
    if is_program(Path(source)):
        return ask_program(Path(source), address, timeout)
    if address is not None:
        raise GeneratorError(f"--address: {source} is not the program of a provider")
    if source == STANDARD_INPUT:
        schemas = _read(_standard_input(), "standard input")
    elif Path(source).is_dir():
        folder = Path(source)
        schemas = _read(run_providers_schema(folder, timeout), f"the schemas of {folder}")
    else:
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
