"""Sources of schemas: a file, standard input, a configuration, or a provider executable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tofutypes.errors import SchemaError
from tofutypes.limits import current_limits
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
    """The provider schemas of a source, by provider address.

    Args:
        source: A file, `-` for standard input, a folder with a configuration, or the executable of
            a provider.
        address: The address of the provider, if the source is an executable; by default taken from
            its path.
        timeout: The seconds that `tofu` may take in the folder, or the provider to start.

    Raises:
        GeneratorError: If the source has no schemas.
        SchemaError: If the document cannot be read or breaks the rules.
    """
    if not source:
        raise GeneratorError("SOURCE is empty; name a schema file, `-`, a folder, or a provider")
    if is_program(Path(source)):
        return ask_program(Path(source), address, timeout)
    if address is not None:
        raise GeneratorError(f"--address: {source} is not the executable of a provider")
    if source == STANDARD_INPUT:
        schemas = _read(_standard_input(), "standard input")
    elif Path(source).is_dir():
        folder = Path(source)
        schemas = _read(run_providers_schema(folder, timeout), f"the schemas of {folder}")
    else:
        schemas = read_schemas(source)
    if not schemas:
        raise GeneratorError(
            f"{_name(source)}: the document has no provider schemas; run "
            "`tofu providers schema -json` in a folder whose configuration uses providers"
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
    return sys.stdin.buffer.read(current_limits().document_size + 1)
