"""The steps of `tofutypes package`: build, compare, pack, sum up, sign, mirror."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.archives import (
    Release,
    check_folder,
    write_archive,
    write_manifest,
    write_sums,
)
from tofutypes_codegen.packaging.comparison import (
    Description,
    describe,
    protocols_of,
    require_equal,
)
from tofutypes_codegen.packaging.freezing import freeze
from tofutypes_codegen.packaging.mirror import write_mirror
from tofutypes_codegen.packaging.program import PREFIX, Program
from tofutypes_codegen.packaging.signing import sign
from tofutypes_codegen.packaging.versions import this_system


@dataclass(frozen=True, slots=True)
class Options:
    """How a release is made.

    Attributes:
        version: The version: `1.2.0`.
        output: The folder of the files.
        include: Packages that the program imports by name.
        build: Whether to build the archive of this system; otherwise those in the folder are used.
        sign: The key of gpg to sign with; None for no signature.
        mirror: The folder of a mirror; None for no mirror.
        addresses: The addresses in the mirror; by default the provider's own.
        verbose: Whether to show what PyInstaller prints.
    """

    version: str
    output: Path
    include: Sequence[str] = ()
    build: bool = True
    sign: str | None = None
    mirror: Path | None = None
    addresses: Sequence[str] = ()
    verbose: bool = False


def make_release(program: Program, options: Options) -> Iterator[str]:
    """Make the files of a release; yields what was written, line by line.

    Raises:
        GeneratorError: If a step fails. The message is one line.
        PluginError: If there is no place for temporary files.
    """
    for target in (options.output, options.mirror):  # before the build, which takes long
        if target is not None:
            check_folder(target)
    with private_folder(CLIENT_PREFIX) as folder:
        launcher = program.write_launcher(folder)
        described = describe(launcher, program.label)
        release = Release(_name(program, described), options.version, options.output)
        if options.build:
            archive = release.archive(this_system())
            _build(program, described, release, archive, folder, options)
            yield f"{archive}: {archive.stat().st_size / 1e6:.1f} MB"
        archives = release.archives()
        if not archives:
            raise GeneratorError(
                f"{options.output}: no archives of {PREFIX}{release.name} {release.version}"
            )
        write_manifest(release, protocols_of(launcher))
    write_sums(release)
    yield f"{release.sums}: {', '.join(archives)}"
    if options.sign is not None:
        sign(release, options.sign)
        yield f"{release.signature}: signed"
    if options.mirror is not None:
        for address in options.addresses or [described.address]:
            write_mirror(options.mirror, address, release)
            yield f"{options.mirror}: {address} {release.version}"


def _name(program: Program, described: Description) -> str:
    name = described.address.rpartition("/")[2]
    if program.file is None and program.label != f"{PREFIX}{name}":
        raise GeneratorError(
            f"{program.label}: the address of the provider is {described.address}, so the script "
            f"must be called {PREFIX}{name}"
        )
    return name


def _build(
    program: Program,
    described: Description,
    release: Release,
    archive: Path,
    folder: Path,
    options: Options,
) -> None:
    work = folder / "work"
    work.mkdir()
    frozen = freeze(
        program, release.executable, work, include=options.include, verbose=options.verbose
    )
    suffix = ".exe" if archive.name.startswith(f"{PREFIX}{release.name}_windows") else ""
    executable = frozen / f"{release.executable}{suffix}"
    require_equal(describe(executable, f"the packaged {program.label}"), described)
    write_archive(frozen, archive)
