"""`tofutypes package`, with a copy of the launcher in the place of what PyInstaller builds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.codegen.command import files
from tofutypes_codegen import cli
from tofutypes_codegen.commands import project_options
from tofutypes_codegen.packaging import freezing, release
from tofutypes_codegen.packaging.program import Program
from tofutypes_codegen.packaging.versions import this_system

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="starts shell scripts: skipped")

ROOT = Path(__file__).parents[3]
PROJECT = """
[project]
name = "terraform-provider-first"
version = "1.0.0"

[project.scripts]
terraform-provider-first = "provider:main"
"""
START = "terraform-provider-first_1.0.0_"
ADDRESS = "registry.opentofu.org/example/first"


def freeze(program: Program, name: str, folder: Path, **_: object) -> Path:
    """A folder with an executable that starts the program where it is."""
    frozen = folder / "dist"
    frozen.mkdir()
    shutil.copy(program.write_launcher(folder), frozen / name)
    return frozen


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    text = (ROOT / "examples" / "first" / "provider.py").read_text()
    (folder / "provider.py").write_text(
        text.replace('if __name__ == "__main__":', "def main() -> None:")
    )
    (folder / "pyproject.toml").write_text(PROJECT)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(release, "freeze", freeze)
    monkeypatch.setattr(project_options, "find_spec", lambda _: True)
    return folder


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line that the command prints when it refuses its arguments."""
    assert cli.main(["package", *arguments]) == 2
    line = capsys.readouterr().err
    assert line.startswith("tofutypes: error: ")
    assert line.count("\n") == 1
    return line.removeprefix("tofutypes: error: ").strip()


def test_a_release(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = "registry.terraform.io/example/first"
    options = ["--mirror", "mirror", "--address", ADDRESS, "--address", other]
    assert cli.main(["package", *options]) == 0
    archive = f"{START}{this_system()}.zip"
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith(f"dist/{archive}: ")
    assert printed[1:] == [
        f"dist/{START}SHA256SUMS: {this_system()}",
        f"mirror: {ADDRESS} 1.0.0",
        f"mirror: {other} 1.0.0",
    ]
    assert files(project / "dist") == {archive, f"{START}SHA256SUMS", f"{START}manifest.json"}
    assert '"5.0"' in (project / "dist" / f"{START}manifest.json").read_text()
    assert files(project / "mirror") == {
        f"{address}/{name}"
        for address in (ADDRESS, other)
        for name in (archive, "index.json", "1.0.0.json")
    }


def test_archives_of_other_machines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dist = project / "dist"
    dist.mkdir()
    assert refused(capsys, "--no-build") == "dist: no archives of terraform-provider-first 1.0.0"
    for system in ("linux_arm64", "darwin_arm64"):
        with zipfile.ZipFile(dist / f"{START}{system}.zip", "w") as archive:
            archive.writestr("terraform-provider-first_v1.0.0", system)
    assert cli.main(["package", "--no-build"]) == 0
    printed = capsys.readouterr().out
    assert printed == f"dist/{START}SHA256SUMS: darwin_arm64, linux_arm64\n"
    assert len((dist / f"{START}SHA256SUMS").read_text().splitlines()) == 3


def test_nested_attributes_need_protocol_6(project: Path) -> None:
    provider = project / "provider.py"
    text = provider.read_text()
    text = text.replace("import Attr,", "import Attr, NestedObject,")
    owner = "class Owner(NestedObject):\n    name: Attr[str] = Attr(required=True)\n\n\n"
    text = text.replace("class File", f"{owner}class File", 1)
    text = text.replace(
        "    path:", "    owner: Attr[Owner | None] = Attr(optional=True)\n    path:", 1
    )
    provider.write_text(text)
    assert cli.main(["package"]) == 0
    manifest = (project / "dist" / f"{START}manifest.json").read_text()
    assert '"6.0"' in manifest
    assert '"5.0"' not in manifest


def test_a_schema_that_packaging_changed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def freeze_another(program: Program, name: str, folder: Path, **options: object) -> Path:
        provider = project / "provider.py"
        provider.write_text(provider.read_text().replace('"""A text file on this machine."""', ""))
        return freeze(program, name, folder, **options)

    monkeypatch.setattr(release, "freeze", freeze_another)
    assert refused(capsys) == (
        "the schema of the packaged provider differs from that of the program: "
        "resource_schemas.first_file.block.description"
    )
    assert not (project / "dist").exists()


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (("first =", "second ="), (), "the script must be called terraform-provider-first"),
        (("provider:main", "provider:absent"), (), "cannot import name 'absent'"),
        (("1.0.0", "one"), (), "version 'one': expected a version such as 1.2.0"),
        (None, ("--address", "first"), '--address "first": expected an address such as'),
        (None, ("--sign", "nobody"), "--sign: "),
        (None, ("--output", "provider.py"), "provider.py: cannot write the folder"),
    ],
)
def test_refused(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str] | None,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    if change:
        (project / "pyproject.toml").write_text(PROJECT.replace(*change))
    assert message in refused(capsys, *arguments)


def test_without_gpg(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert refused(capsys, "--sign", "KEY") == "--sign: gpg is not installed"


def test_a_signature(
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gpg = shutil.which("gpg")
    if gpg is None:
        pytest.skip("gpg is not installed: skipped")
    home = tmp_path_factory.mktemp("g")
    home.chmod(0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    name = "Releases <releases@example.com>"
    generate = [gpg, "--batch", "--passphrase", "", "--quick-generate-key", name, "ed25519"]
    subprocess.run(generate, check=True, capture_output=True)
    try:
        assert cli.main(["package", "--sign", "releases@example.com"]) == 0
        sums = f"dist/{START}SHA256SUMS"
        assert f"{sums}.sig: signed" in capsys.readouterr().out
        subprocess.run([gpg, "--verify", f"{sums}.sig", sums], check=True, capture_output=True)
        assert Path(f"{sums}.sig").read_bytes()[0] & 0x80, "not in binary form"
    finally:
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=False, capture_output=True)


@pytest.mark.parametrize(
    ("module", "options"), [("PyInstaller", ()), ("packaging", ("--no-build",))]
)
def test_without_the_extra(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: str,
    options: tuple[str, ...],
) -> None:
    monkeypatch.setattr(project_options, "find_spec", lambda name: None if name == module else True)
    message = "`tofutypes package` needs more: pip install 'tofutypes[package]'"
    assert refused(capsys, *options) == message


def test_a_pyinstaller_that_fails(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tool = tmp_path / "tool" / "PyInstaller"
    tool.mkdir(parents=True)
    (tool / "__init__.py").touch()
    (tool / "__main__.py").write_text("raise OSError(28, 'No space left on device')\n")
    monkeypatch.setenv("PYTHONPATH", f"{tool.parent}:{ROOT}")
    monkeypatch.setattr(release, "freeze", freezing.freeze)
    assert refused(capsys) == (
        "PyInstaller failed: OSError: [Errno 28] No space left on device; "
        "--verbose shows everything"
    )


def test_included_packages_that_are_none(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "freeze", freezing.freeze)
    assert refused(capsys, "--include", "absent") == "absent: no such package in ."


def test_a_folder_that_cannot_be_written_is_refused_before_the_build(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "file").write_text("")

    def no_build(*_: object, **__: object) -> Path:
        raise AssertionError("the provider was built")

    monkeypatch.setattr(release, "freeze", no_build)
    reason = f"{project / 'file'} is not a folder"
    for arguments in (["--output", "file"], ["--mirror", "file/mirror"]):
        message = f"{arguments[1]}: cannot write the folder: {reason}"
        assert refused(capsys, *arguments) == message
    monkeypatch.setattr("os.access", lambda *_: False)
    message = f"made/dist: cannot write the folder: Permission denied: {project}"
    assert refused(capsys, "--output", "made/dist") == message
    assert not (project / "made").exists()


def test_the_error_of_a_provider_has_its_severity_once(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (project / "provider.py").read_text()
    (project / "provider.py").write_text(text.replace("text: Attr[str]", "text: Attr[float]"))
    assert refused(capsys).startswith("The provider is at fault: File.text: expected Number or int")
