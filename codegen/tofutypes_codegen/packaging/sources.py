"""The sources in a packaged program.

PyInstaller ships bytecode. Python does not keep the docstrings below attributes there, and the
descriptions of schemas are read from them, so packages that use `tofutypes` keep their sources.
"""

from __future__ import annotations

import py_compile
import re
from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

_USES: Final = re.compile(rb"^\s*(from|import)\s+tofutypes\b", re.MULTILINE)
_BYTECODE: Final = ".pyc"


def add_sources(contents: Path, paths: Sequence[str]) -> None:
    """Give the modules of all packages that use `tofutypes` their sources.

    The bytecode moves to where Python looks for the bytecode of a source, without a time stamp to
    compare: nothing is compiled or written when the program runs.

    Args:
        contents: The folder of the packaged modules.
        paths: The folders that the modules were imported from.
    """
    for entry in sorted(contents.iterdir()):
        modules = sorted(entry.rglob(f"*{_BYTECODE}")) if entry.is_dir() else [entry]
        modules = [module for module in modules if module.suffix == _BYTECODE]
        sources = _sources_of(entry.name.removesuffix(_BYTECODE), contents, modules, paths)
        if any(_USES.search(source.read_bytes()) for source in sources.values()):
            for module, source in sources.items():
                _replace(module, source, contents)


def _sources_of(
    package: str, contents: Path, modules: Sequence[Path], paths: Sequence[str]
) -> dict[Path, Path]:
    """The sources of packaged modules, as far as there are sources."""
    spec = PathFinder.find_spec(package, paths) if modules else None
    if spec is None:
        return {}
    locations = spec.submodule_search_locations
    roots = [Path(place).parent for place in locations or ()]
    if not roots and spec.origin is not None:
        roots = [Path(spec.origin).parent]
    sources: dict[Path, Path] = {}
    for module in modules:
        path = module.relative_to(contents).with_suffix(".py")
        source = next((root / path for root in roots if (root / path).is_file()), None)
        if source is not None:
            sources[module] = source
    return sources


def _replace(module: Path, source: Path, contents: Path) -> None:
    """Put a source and its bytecode in the place of the bytecode alone."""
    copy = module.with_suffix(".py")
    copy.write_bytes(source.read_bytes())
    py_compile.compile(
        str(copy),
        cfile=cache_from_source(str(copy), optimization=""),
        dfile=copy.relative_to(contents).as_posix(),
        doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    module.unlink()
