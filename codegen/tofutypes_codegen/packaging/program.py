"""The program of a provider in a Python project, as `pyproject.toml` names it."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tofutypes.narrowing import is_mapping
from tofutypes_codegen.errors import GeneratorError

PREFIX: Final = "terraform-provider-"
"""The names of all provider executables begin like this."""

_PROJECT_FILE: Final = "pyproject.toml"
_ENTRY: Final = re.compile(r"\s*([\w.]+)\s*:\s*([\w.]+)\s*(\[.*\])?\s*")
_STUB: Final = """\
import sys

sys.path[:0] = {paths!r}

from {module} import {name}

sys.exit({function}())
"""


@dataclass(frozen=True, slots=True)
class Project:
    """What `pyproject.toml` says about a project.

    Attributes:
        folder: The folder of the project.
        name: The name of the distribution; None if there is no `pyproject.toml`.
        version: The version as it is written there; None if it is dynamic.
        scripts: The entry points (`first.__main__:main`) of `[project.scripts]`, by name.
    """

    folder: Path
    name: str | None
    version: str | None
    scripts: Mapping[str, str]

    @property
    def import_folders(self) -> list[str]:
        """The folders that modules of the project are imported from, if it is not installed."""
        folder = self.folder.absolute()
        return [str(path) for path in (folder / "src", folder) if path.is_dir()]


@dataclass(frozen=True, slots=True)
class Program:
    """How a provider starts: a function of a module, or a Python file.

    Attributes:
        label: The name for messages: that of the script, or the path of the file.
        project: The project.
        module: The module of the function; empty if the program is a file.
        function: The function, which takes no arguments.
        file: The Python file; None if the program is a function.
    """

    label: str
    project: Project
    module: str = ""
    function: str = ""
    file: Path | None = None

    @property
    def top_level(self) -> str:
        """The top-level package of the function; empty if the program is a file."""
        return self.module.partition(".")[0]

    def write_stub(self, file: Path, *, with_paths: bool) -> Path:
        """Return the Python file that starts the provider, written if there is none yet.

        Args:
            file: Where to write it.
            with_paths: Whether the stub makes the modules of the project importable.
        """
        if self.file is not None:
            return self.file.absolute()
        paths = self.project.import_folders if with_paths else []
        text = _STUB.format(
            paths=paths,
            module=self.module,
            name=self.function.partition(".")[0],
            function=self.function,
        )
        file.write_text(text, encoding="utf-8")
        return file

    def write_launcher(self, folder: Path) -> Path:
        """Write an executable that starts the provider with this Python, without packaging it."""
        stub = self.write_stub(folder / "start_provider.py", with_paths=True)
        launcher = folder / (f"{PREFIX}{self.file.stem}" if self.file is not None else self.label)
        if sys.platform == "win32":
            launcher = launcher.with_suffix(".bat")
            launcher.write_text(f'@"{sys.executable}" "{stub}" %*\n', encoding="utf-8")
            return launcher
        command = shlex.join([sys.executable, str(stub)])
        launcher.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        launcher.chmod(0o755)
        return launcher


def read_project(folder: Path) -> Project:
    """Read the `pyproject.toml` of a folder, if the folder has one.

    Raises:
        GeneratorError: If the file is not valid.
    """
    file = folder / _PROJECT_FILE
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Project(folder, None, None, {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GeneratorError(f"{file}: not valid TOML: {error}") from None
    table: object = document.get("project", {})
    project: Mapping[object, object] = table if is_mapping(table) else {}
    scripts = project.get("scripts")
    return Project(
        folder,
        _text(project.get("name")),
        _text(project.get("version")),
        {str(name): str(entry) for name, entry in scripts.items()} if is_mapping(scripts) else {},
    )


def find_program(project: Project, named: str | None) -> Program:
    """Find the program of a provider.

    Args:
        project: The project.
        named: The name of a script of the project or the path of a Python file; by default the one
            script whose name begins with `terraform-provider-`.

    Raises:
        GeneratorError: If there is no such program, or `pyproject.toml` has several.
    """
    if named is None:
        return _from_script(project, _only_script(project))
    if named in project.scripts:
        return _from_script(project, named)
    file = Path(named)
    if file.suffix == ".py" and file.is_file():
        return Program(named, project, file=file)
    names = ", ".join(project.scripts) or "none"
    raise GeneratorError(
        f"{named}: neither a Python file nor a script of {project.folder / _PROJECT_FILE} "
        f"(scripts: {names})"
    )


def _only_script(project: Project) -> str:
    names = [name for name in project.scripts if name.startswith(PREFIX)]
    if len(names) == 1:
        return names[0]
    file = project.folder / _PROJECT_FILE
    if project.name is None:
        raise GeneratorError(f"{file}: no such file; name the program of the provider")
    if names:
        raise GeneratorError(f"{file}: several providers ({', '.join(names)}): name one of them")
    raise GeneratorError(
        f"{file}: [project.scripts] has no script {PREFIX}NAME; add one, or name the program"
    )


def _from_script(project: Project, name: str) -> Program:
    match = _ENTRY.fullmatch(project.scripts[name])
    if match is None:
        file = project.folder / _PROJECT_FILE
        raise GeneratorError(f"{file}: project.scripts.{name}: expected MODULE:FUNCTION")
    return Program(name, project, module=match[1], function=match[2])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
