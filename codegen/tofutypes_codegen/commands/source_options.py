"""Options that several commands share: where the schemas come from."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add `SOURCE` and `--address`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a file with the output of `tofu providers schema -json` (may be gzipped), `-` for "
        "standard input, a folder with a configuration, in which tofu or terraform is run, or the "
        "executable of a provider, which is started and asked for its schema",
    )
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        help="the address of the provider, if SOURCE is an executable; by default what a "
        "provider written with tofutypes says itself, else taken from the folders of a mirror or a "
        "cache, else registry.terraform.io/hashicorp/NAME",
    )
    add_document_size(parser)


def add_document_size(parser: argparse.ArgumentParser) -> None:
    """Add `--document-size`."""
    parser.add_argument(
        "--document-size",
        metavar="MIB",
        type=positive_integer,
        help="the largest document that is read, unpacked, in MiB (default: 256)",
    )


def positive_integer(text: str) -> int:
    """The argument of an option that takes a positive integer."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a positive integer, got {text!a}")
    return int(text)


def add_provider(add_argument: Callable[..., object]) -> None:
    """Add `--provider`."""
    add_argument(
        "--provider",
        metavar="NAME",
        action="append",
        default=[],
        help="only this provider: aws, hashicorp/aws, or its full address",
    )
