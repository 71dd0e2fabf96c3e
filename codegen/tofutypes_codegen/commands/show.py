"""`tofutypes show FILE`: show a plan or a state to people, without secrets."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from tofutypes.limits import current_limits
from tofutypes_codegen.commands.source_options import add_document_size
from tofutypes_codegen.console import print_lines
from tofutypes_codegen.exit_codes import OK

_EPILOG: Final = """\
examples:
  tofu show -json tfplan > plan.json && tofutypes show plan.json
  tofu show -json tfplan | tofutypes show - --only 'aws_s3_*'
  tofutypes show terraform.tfstate --json > shareable.json

Sensitive values are never printed. Documents of Terraform before 0.15 do not say what is sensitive:
attributes with names such as password are hidden then, and what the schemas (--schema) say."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Show what a plan changes, or what a state holds."
    parser.epilog = _EPILOG
    parser.add_argument(
        "file",
        metavar="FILE",
        help="what `tofu show -json` prints of a plan or a state, or a state file (may be "
        "gzipped), or `-` for standard input",
    )
    add_document_size(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--json",
        action="store_true",
        help="print the document as JSON, with sensitive values replaced",
    )
    what.add_argument(
        "--only",
        metavar="GLOB",
        action="append",
        default=[],
        help="only resources whose type or address matches, as 'aws_s3_*' or 'module.net.*' (may "
        "be repeated)",
    )
    parser.add_argument(
        "--schema",
        metavar="FILE",
        help="the output of `tofu providers schema -json`: sets are compared as sets, and what the "
        "schemas call sensitive is hidden",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from tofutypes.documents import read_document
    from tofutypes_codegen.document_lines import document_lines
    from tofutypes_codegen.styled_text import render

    source = (
        sys.stdin.buffer.read(current_limits().document_size + 1)
        if arguments.file == "-"
        else _as_path(arguments.file)
    )
    document = read_document(source, arguments.schema)
    if arguments.json:
        print_lines([document.redacted().to_json().rstrip("\n")])
    else:
        print_lines(render(document_lines(document, arguments.only), sys.stdout))
    return OK


def _as_path(name: str) -> Path:

    return Path(name)  # a `str` could be taken for the text of a document
