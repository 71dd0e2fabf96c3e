"""Providers written in Go: their programs, and packages that are generated from them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.counterparts import need
from tofutypes.provider.client import launch
from tofutypes_codegen import cli

ADDRESSES = {
    "time": "registry.opentofu.org/hashicorp/time",
    "tls": "registry.opentofu.org/hashicorp/tls",
    "random": "registry.opentofu.org/hashicorp/random",
    "local": "registry.opentofu.org/hashicorp/local",
    "http": "registry.opentofu.org/hashicorp/http",
    "framework": "registry.opentofu.org/example/framework",
}


def program_of(name: str) -> Path:
    """The program of a provider; the test is skipped without it."""
    return need(f"terraform-provider-{name}")


@contextmanager
def started(name: str) -> Iterator[Any]:
    """A client of a provider. (What it returns has types that are known only at run time.)"""
    with launch(program_of(name)) as client:
        yield client


@contextmanager
def generated(name: str, folder: Path) -> Iterator[Callable[[str], Any]]:
    """Generate a package from the program of a provider; yields what imports its modules.

    Args:
        name: the name of the provider.
        folder: an empty folder.
    """
    package = f"infra_{name}"
    generate = ["generate", str(program_of(name)), "--output", str(folder / package)]
    assert cli.main(generate) == 0
    assert cli.main([*generate, "--check"]) == 0
    sys.path.insert(0, str(folder))
    try:
        yield lambda module: importlib.import_module(f"{package}.{name}.{module}")
    finally:
        sys.path.remove(str(folder))
        for module in [each for each in sys.modules if each.split(".")[0] == package]:
            del sys.modules[module]
