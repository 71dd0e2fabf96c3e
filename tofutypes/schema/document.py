"""The document that `providers schema -json` prints, both ways, whole and in parts.

Nothing is lost on the way: a document that is read and written again is equal to the first. (What
Terraform and OpenTofu would never print is not kept: `null`, `false`, and 0 under known keys.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tofutypes.document_bytes import without_collector
from tofutypes.errors import AttributeStep, SchemaError, describe, shorten
from tofutypes.schema.definitions import ProviderSchema, ProviderSchemas
from tofutypes.schema.document_codecs import MisfitError, Reading, entries
from tofutypes.schema.document_keys import DOCUMENT, RECORDS, Part
from tofutypes.schema.record_codecs import Record
from tofutypes.schema.source import HOW_TO_WRITE_ONE, SchemaSource, load_document, name_of

P = TypeVar("P", bound=Part)
T = TypeVar("T")

LAST_MAJOR_VERSION: Final = 1
"""The newest version of the format that is read. A new minor version only tells of new keys, a new
major one of changes that a reader must know ("Providers Schema Representation")."""


def read_schemas(source: SchemaSource) -> ProviderSchemas:
    """Read the schema document that `tofu providers schema -json` prints.

    Args:
        source: a path, the bytes of a document (JSON, or JSON in gzip), or its parsed JSON.

    Returns:
        The schemas by provider address, such as `registry.opentofu.org/hashicorp/aws`.

    Raises:
        SchemaError: If the source cannot be read or is not a schema document. The message is one
            line: the file, the path in the document, what was expected there, and what to do.
    """
    return _read(source, _read_document, HOW_TO_WRITE_ONE)


def _read_document(document: object) -> ProviderSchemas:
    _check_format(document)
    return DOCUMENT.read(document, Reading())


def _read(source: SchemaSource, read: Callable[[object], T], hint: str = "") -> T:
    """Load a document and read it, with an error that has the name of the file."""
    try:
        with without_collector():
            return read(load_document(source))
    except MisfitError as misfit:
        message = f"{misfit.message}; {hint}" if hint else misfit.message
        raise SchemaError(message, misfit.path, name_of(source)) from None
    except SchemaError as error:
        raise SchemaError(error.message, error.path, name_of(source)) from None
    except MemoryError:
        pass  # raised below, where the traceback does not keep half of the document alive
    raise SchemaError("not enough memory to read the document", (), name_of(source))


def write_schemas(schemas: Mapping[str, ProviderSchema]) -> dict[str, object]:
    """Write a schema document, as the objects that a JSON parser would make of it."""
    if not isinstance(schemas, ProviderSchemas):
        schemas = ProviderSchemas(schemas)
    return DOCUMENT.write(schemas)


def read_part(kind: type[P], source: SchemaSource) -> P:
    """Read one part of a schema document: `read_part(Schema, {"version": 1, "block": {}})`.

    Args:
        kind: the class that holds the part, such as `Schema`, `Block` or `Attribute`.
        source: its JSON, from wherever `read_schemas` reads.

    Raises:
        SchemaError: If the source cannot be read or is not such a part.
    """
    record: Record[P] = RECORDS[kind]
    return _read(source, lambda document: record.read(document, Reading()))


def write_part(part: Part) -> dict[str, object]:
    """Write one part of a schema document, as the objects that a JSON parser would make of it."""
    return RECORDS[type(part)].write(part)


def _check_format(document: object) -> None:
    keys = dict(entries(document))
    version = keys.pop("format_version", None)
    if version is None:
        # Documents that people cut down for tests often do without.
        if keys.get("provider_schemas") is None:
            raise MisfitError('not a schema document: missing key "provider_schemas"')
        return
    parts = re.fullmatch(r"([0-9]{1,9})(\.[0-9]+)*", version) if isinstance(version, str) else None
    if parts is None:
        shown = f'"{shorten(version)}"' if isinstance(version, str) else describe(version)
        raise MisfitError(
            f'expected a version such as "1.0", got {shown}', [AttributeStep("format_version")]
        )
    if int(parts[1]) > LAST_MAJOR_VERSION:
        raise SchemaError(
            f"unsupported version {shorten(parts[0])}: this version of tofutypes reads "
            f"{LAST_MAJOR_VERSION}.x; upgrade tofutypes",
            [AttributeStep("format_version")],
        )
    # Plans and states have a format version too. A schema document without any provider has
    # nothing else.
    if keys and keys.get("provider_schemas") is None:
        raise MisfitError('not a schema document: missing key "provider_schemas"')
