"""A program and its Python in one folder, by PyInstaller."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.program import Program
from tofutypes_codegen.packaging.sources import add_sources

CONTENTS: Final = "_internal"
"""The folder beside the executable with Python and all modules."""

_SEPARATE: Final = ("tofutypes.__main__", "tofutypes.seasonings.bridges", "tofutypes.testing")
"""What is packed only if the program imports it. PyInstaller cannot see what the other parts of
`tofutypes` import: they import their modules on first use."""

_UNWANTED: Final = ("grpc_tools", "hypothesis", "mypy", "rich")
"""Tools that pydantic and gRPC import if they are installed. A provider runs without them."""

_HOOK: Final = """\
import os, sys

for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
    if original := os.environ.pop(name + "_ORIG", None):
        os.environ[name] = original
    elif os.environ.get(name) == sys._MEIPASS:
        del os.environ[name]
"""
"""Programs that the provider starts must not load the libraries of the package."""

_SPEC: Final = """\
from PyInstaller.utils.hooks import collect_data_files, collect_submodules, copy_metadata

settings = {settings!r}
packages = settings["packages"]
analysis = Analysis(
    [settings["script"]],
    pathex=settings["paths"],
    hiddenimports=sum([collect_submodules(each) for each in packages], packages)
    + collect_submodules("tofutypes", lambda name: not name.startswith(settings["separate"])),
    datas=sum([collect_data_files(each) for each in packages], [])
    + sum([copy_metadata(each) for each in settings["distributions"]], []),
    excludes=settings["excludes"],
    runtime_hooks=[settings["hook"]],
    noarchive=True,
)
executable = EXE(
    PYZ(analysis.pure),
    analysis.scripts,
    exclude_binaries=True,
    name=settings["name"],
    contents_directory=settings["contents"],
    upx=False,
)
COLLECT(executable, analysis.binaries, analysis.datas, name=settings["name"], upx=False)
"""


def freeze(
    program: Program,
    name: str,
    folder: Path,
    *,
    include: Sequence[str] = (),
    verbose: bool = False,
) -> Path:
    """Build the executable of a program, with Python and everything that the program imports.

    Descriptions of schemas are read from sources, so the modules of all packages that use
    `tofutypes` keep their sources.

    Args:
        program: The program.
        name: The name of the executable.
        folder: An empty folder to work in.
        include: Packages and modules that the program imports by name.
        verbose: Whether PyInstaller prints what it does to standard error.

    Returns:
        The folder with the executable.

    Raises:
        GeneratorError: If PyInstaller fails.
    """
    paths = program.project.import_folders
    packages = [*([program.top_level] if program.top_level else []), *include]
    for package in packages:
        if PathFinder.find_spec(package.partition(".")[0], [*paths, *sys.path]) is None:
            raise GeneratorError(f"{package}: no such package in {program.project.folder}")
    hook = folder / "environment_hook.py"
    hook.write_text(_HOOK, encoding="utf-8")
    script = program.write_stub(folder / "start_provider.py", with_paths=False)
    settings = {
        "name": name,
        "script": str(script),
        "paths": paths,
        "packages": packages,
        "separate": _SEPARATE,
        "distributions": _distributions(program),
        "excludes": [tool for tool in _UNWANTED if tool not in include],
        "hook": str(hook),
        "contents": CONTENTS,
    }
    spec = folder / "provider.spec"
    spec.write_text(_SPEC.format(settings=settings), encoding="utf-8")
    _run_pyinstaller(spec, paths, verbose=verbose)
    frozen = folder / "dist" / name
    add_sources(frozen / CONTENTS, [*paths, *sys.path])
    if program.file is not None:
        target = frozen / CONTENTS / program.file.name
        target.write_bytes(program.file.read_bytes())
    return frozen


def _distributions(program: Program) -> list[str]:
    """The distribution of the project, whose version the program may ask for, if installed."""
    from importlib import metadata

    name = program.project.name
    try:
        return [] if name is None else [metadata.distribution(name).metadata["Name"]]
    except metadata.PackageNotFoundError:
        return []


def _run_pyinstaller(spec: Path, paths: Sequence[str], *, verbose: bool) -> None:
    folder = spec.parent
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm"]
    command += ["--distpath", str(folder / "dist"), "--workpath", str(folder / "build"), str(spec)]
    search = os.pathsep.join([*paths, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {
        **os.environ,
        "PYINSTALLER_CONFIG_DIR": str(folder / "cache"),
        "PYTHONHASHSEED": "0",  # the same bytecode in every build
        "PYTHONPATH": search,
        "SOURCE_DATE_EPOCH": "315532800",  # 1980-01-01, the first day of zip archives
    }
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None if verbose else subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        reason = f": {_reason(done.stderr)}" if done.stderr else ""
        raise GeneratorError(f"PyInstaller failed{reason}; --verbose shows everything")


def _reason(output: str) -> str:
    """The line that says best why PyInstaller failed: the last error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line.split(":")[0] or " ERROR: " in line]
    return (errors or lines or ["no reason given"])[-1]
