"""What the golden package `nimbus` is generated from, and where it stands."""

from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from tofutypes.schema import ProviderSchema, ProviderSchemas, read_schemas
from tofutypes_codegen.package import package_modules
from tofutypes_codegen.registry_docs.pages import Project, documentation_pages

PAGES: Final = Path(__file__).parent / "registry_docs"
PAGES_SHOWN: Final = ("index.md", "resources/database.md", "functions/parse_id.md")
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


def pages() -> dict[PurePosixPath, str]:
    """Some pages of the registry documentation, by their paths."""
    project = Project(PAGES / "project", {})
    return {
        path: text
        for path, text in documentation_pages("nimbus", provider(), project)
        if str(path) in PAGES_SHOWN
    }
