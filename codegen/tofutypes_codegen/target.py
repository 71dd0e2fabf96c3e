"""The folder and the import name of a package."""

from __future__ import annotations

import keyword
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tofutypes_codegen.errors import GeneratorError

# A package with one of these names would shadow a module that it imports.
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
    """The target of the generator.

    Attributes:
        folder: The folder of the package.
        package: The import name, with dots.
    """

    folder: Path
    package: str


def choose_target(output: str, package: str | None = None) -> Target:
    """The package for `--output` and `--package`.

    Without `--package` the output folder is the package, and its name is the import name. With
    `--package` the package is put into the folder, unless the folder ends with the path of the
    package.

    Raises:
        GeneratorError: If the name cannot be imported.
    """
    if not output or "\0" in output:
        raise GeneratorError("--output is empty; name the folder of the package")
    folder = Path(output)
    parts = folder.absolute().parts
    if package is None:
        name = folder.resolve().name if folder.name in {"", ".."} else folder.name
        _check(name, f'--output "{output}"', "name another folder, or the package with --package")
        return Target(folder, name)
    _check(package, f'--package "{package}"', "use a dotted name such as acme.infra")
    names = tuple(package.split("."))
    inside = folder if parts[-len(names) :] == names else folder.joinpath(*names)
    return Target(inside, package)


def _check(package: str, option: str, advice: str) -> None:
    names = package.split(".")
    for name in names:
        is_normal = unicodedata.normalize("NFKC", name) == name  # Python normalizes imports
        if not name.isidentifier() or keyword.iskeyword(name) or not is_normal:
            raise GeneratorError(f'{option}: "{name}" is not a valid import name; {advice}')
    if names[0] in _TAKEN:
        raise GeneratorError(
            f"{option}: {names[0]} is the import name of a module that the package needs; {advice}"
        )
