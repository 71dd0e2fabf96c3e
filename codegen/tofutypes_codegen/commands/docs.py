"""`tofutypes docs SOURCE --output DIR`: write a provider's documentation for registries."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from tofutypes_codegen.commands.source_options import add_provider, add_source
from tofutypes_codegen.console import print_error, print_lines
from tofutypes_codegen.exit_codes import OK

_EPILOG: Final = """\
examples:
  tofutypes docs ./terraform-provider-nimbus --output docs
  tofutypes docs ./terraform-provider-nimbus --output docs --check

The project folder may hold `examples/` (resources/TYPE/resource.tf, import.sh, ...) and
`templates/` (index.md.j2, resources/NAME.md.j2, guides/NAME.md, subcategories.toml).
"""

_DIFFERENT: Final = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Write the documentation of a provider as the registries of OpenTofu and Terraform show it."
    )
    parser.epilog = _EPILOG
    add_source(parser)
    add_provider(parser.add_argument)
    parser.add_argument(
        "--output", metavar="DIR", default="docs", help="the folder of the pages (docs)"
    )
    parser.add_argument(
        "--project",
        metavar="DIR",
        default=".",
        help="the folder with `examples` and `templates` (the current folder)",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a page differs"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from importlib.util import find_spec

    if find_spec("jinja2") is None:
        return print_error("`tofutypes docs` needs more: pip install 'tofutypes[docs]'")
    from tofutypes_codegen.registry_docs.pages import Project, documentation_pages
    from tofutypes_codegen.registry_docs.project import read_subcategories
    from tofutypes_codegen.registry_docs.writing import update_pages
    from tofutypes_codegen.selection import Selection, select
    from tofutypes_codegen.sources import load_schemas

    schemas = load_schemas(arguments.source, address=arguments.address)
    chosen = select(schemas, Selection(arguments.provider))
    if len(chosen) != 1:
        names = ", ".join(sorted(chosen))
        return print_error(f"expected one provider, got {len(chosen)} ({names}): use --provider")
    ((address, provider),) = chosen.items()
    folder = Path(arguments.project)
    project = Project(folder, read_subcategories(folder))
    name = address.rpartition("/")[2]
    output = Path(arguments.output)
    pages = documentation_pages(name, provider, project)
    changes = update_pages(output, pages, check=arguments.check)
    if not arguments.check:
        written, removed = len(changes.written), len(changes.removed)
        print_lines([f"{output}: {written} pages written, {removed} removed"])
        return OK
    print_lines(f"{output / path}: differs" for path in changes.written)
    print_lines(f"{output / path}: the provider no longer has this" for path in changes.removed)
    return _DIFFERENT if changes else OK
