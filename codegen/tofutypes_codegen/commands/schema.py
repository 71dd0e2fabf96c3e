"""`tofutypes schema SOURCE`: print schemas as `tofu providers schema -json` does."""

from __future__ import annotations

import argparse
from typing import Final

from tofutypes_codegen.commands.source_options import add_provider, add_source
from tofutypes_codegen.console import print_lines
from tofutypes_codegen.exit_codes import OK

_EPILOG: Final = """\
examples:
  tofutypes schema ./terraform-provider-null > schema.json
  tofutypes schema . --provider aws | jq '.provider_schemas[].resource_schemas | keys'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Print provider schemas as JSON, in the format of `tofu providers schema -json`."
    )
    parser.epilog = _EPILOG
    add_source(parser)
    add_provider(parser.add_argument)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from tofutypes_codegen.schema_document import document_text
    from tofutypes_codegen.selection import Selection, select
    from tofutypes_codegen.sources import load_schemas

    schemas = load_schemas(arguments.source, address=arguments.address)
    print_lines([document_text(select(schemas, Selection(arguments.provider)))])
    return OK
