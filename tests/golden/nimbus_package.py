"""What the golden package `nimbus` is generated from, and where it stands."""

from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from tofutypes.schema import ProviderSchema, ProviderSchemas, read_schemas
from tofutypes_codegen.package import package_modules

FOLDER: Final = Path(__file__).parent / "nimbus"
SCHEMA: Final = Path(__file__).parents[2] / "examples" / "nimbus" / "schema.json"
ADDRESS: Final = "registry.opentofu.org/example/nimbus"


@cache
def document() -> ProviderSchemas:
    return read_schemas(SCHEMA)


def provider() -> ProviderSchema:
    return document()[ADDRESS]


def modules() -> dict[PurePosixPath, str]:
    """The texts of the modules by their paths in the package."""
    return {module.path: module.text for module in package_modules(document(), "nimbus")}
