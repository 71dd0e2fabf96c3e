"""Where a package is written, and the name it is imported by."""

from __future__ import annotations

import keyword
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tofutypes_codegen.errors import GeneratorError

# A package of this name would stand in front of what it needs itself.
_TAKEN: Final = sys.stdlib_module_names | {
    "annotated_types",
    "msgpack",
    "orjson",
    "pydantic",
    "pydantic_core",
    "tofutypes",
    "tofutypes_codegen",
    "typing_extensions",
    "typing_inspection",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A package to be.

    Attributes:
        folder: its folder.
        package: its import name, with dots.
    """

    folder: Path
    package: str


def choose_target(output: str, package: str | None = None) -> Target:
    """The package that `--output` and `--package` ask for.

    Without a package, the folder is the package and gives it its name. With one, it is the folder
    to put the package into, unless it ends with the package's path already.

    Raises:
        GeneratorError: the name cannot be imported.
    """
    if not output or "\0" in output:
        raise GeneratorError("--output is empty; name the folder of the package")
    folder = Path(output)
    parts = folder.absolute().parts
    if package is None:
        name = folder.resolve().name if folder.name in {"", ".."} else folder.name
        _check(name, f'--output "{output}"', "name another folder, or the package with --package")
        return Target(folder, name)
    _check(package, f'--package "{package}"', "give a dotted name, as acme.infra")
    names = tuple(package.split("."))
    inside = folder if parts[-len(names) :] == names else folder.joinpath(*names)
    return Target(inside, package)


def _check(package: str, what: str, advice: str) -> None:
    names = package.split(".")
    for name in names:
        same = unicodedata.normalize("NFKC", name) == name  # as Python looks for it
        if not name.isidentifier() or keyword.iskeyword(name) or not same:
            raise GeneratorError(f'{what}: "{name}" cannot be imported by Python; {advice}')
    if names[0] in _TAKEN:
        raise GeneratorError(
            f"{what}: {names[0]} is the import name of something else that Python needs; {advice}"
        )
