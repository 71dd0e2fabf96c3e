"""A provider that PyInstaller has packaged, installed by `init` from a mirror.

The environment has nothing of this checkout: no Python, no `PYTHONPATH`, another home.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.counterparts import need
from tests.provider.live.terraform import is_running, wait_for
from tofutypes_codegen import cli

ROOT = Path(__file__).parents[3]
HARBOR = ROOT / "examples" / "harbor"
ADDRESS = "registry.opentofu.org/example/harbor"

MAIN = """
terraform {
  required_providers {
    harbor = { source = "registry.opentofu.org/example/harbor" }
  }
}
provider "harbor" {
  folder = "FOLDER"
}
resource "harbor_dock" "fast" { name = "fast" }
resource "harbor_dock" "slow" {
  name          = "slow"
  build_seconds = SECONDS
}
"""


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirror with a release of the harbor: the one build of the tests."""
    need("tofu")
    if find_spec("PyInstaller") is None:
        pytest.skip("PyInstaller is not installed: pip install 'tofutypes[package]'")
    if sys.platform != "linux":
        pytest.skip("looks for processes in /proc: skipped")
    import fcntl

    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    mirror, output = shared / "mirror", shared / "dist"
    command = ["package", "--project", str(HARBOR), "--output", str(output)]
    with (shared / "mirror.lock").open("w") as lock:  # of the workers, one builds
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mirror.exists():
            assert cli.main([*command, "--mirror", str(mirror)]) == 0
    return mirror


class Folder:
    """A working directory, and a core that knows only the mirror."""

    def __init__(self, path: Path, core: Path, mirror: Path) -> None:
        self.path = path
        self.core = core
        self.temporary = Path(tempfile.mkdtemp(prefix="package-"))
        (path / "rc").write_text(
            f'provider_installation {{\n filesystem_mirror {{\n path = "{mirror}"\n }}\n}}\n'
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.core, *arguments, "-no-color"],
            cwd=self.path,
            env={
                "HOME": str(self.path),
                "TMPDIR": str(self.temporary),
                "TF_CLI_CONFIG_FILE": str(self.path / "rc"),
                "CHECKPOINT_DISABLE": "1",
                "LD_LIBRARY_PATH": "/nowhere",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str) -> str:
        with self.start(*arguments) as process:
            printed, _ = process.communicate(timeout=120)
        assert process.returncode == 0, printed
        return printed

    def configure(self, seconds: float) -> None:
        text = MAIN.replace("FOLDER", str(self.path / "cloud")).replace("SECONDS", str(seconds))
        (self.path / "main.tf").write_text(text)

    @property
    def processes(self) -> list[int]:
        """The processes whose executable is in the working directory."""
        running: list[int] = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                executable = (entry / "exe").readlink()
            except OSError:
                continue
            if executable.is_relative_to(self.path.resolve()) and is_running(int(entry.name)):
                running.append(int(entry.name))
        return running


@pytest.fixture(params=["tofu", "terraform"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, mirror: Path) -> Iterator[Folder]:
    path = tmp_path / "work"
    path.mkdir()
    folder = Folder(path, need(request.param), mirror)
    folder.configure(0.1)
    assert "example/harbor v1.0.0" in folder.run("init")
    try:
        yield folder
        assert not list(folder.temporary.iterdir()), "temporary files are left"
    finally:
        for process in folder.processes:
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(folder.temporary)


def test_the_life_of_objects(folder: Folder) -> None:
    assert "2 added" in folder.run("apply", "-auto-approve")
    assert "No changes" in folder.run("plan")
    assert "2 destroyed" in folder.run("destroy", "-auto-approve")


def test_no_provider_outlives_a_core_that_was_killed(folder: Folder) -> None:
    folder.configure(600)
    with folder.start("apply", "-auto-approve") as core:
        docks = folder.path / "cloud" / "dock"
        wait_for("no dock is built", lambda: len(list(docks.glob("*.json"))) == 2)
        assert folder.processes
        core.kill()
    wait_for("an orphan is running", lambda: not folder.processes)


def test_core_and_mirror_agree_on_the_content(folder: Folder, mirror: Path) -> None:
    """The hash in the lock file is that in the mirror, and nothing is written when it runs."""
    versions = json.loads((mirror / ADDRESS / "1.0.0.json").read_text())
    [archive] = versions["archives"].values()
    folder.run("plan")
    folder.run("init")
    assert archive["hashes"][0] in (folder.path / ".terraform.lock.hcl").read_text()


def test_the_schema_is_that_of_the_program(
    mirror: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [archive] = (mirror / ADDRESS).glob("*.zip")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    packaged = tmp_path / "terraform-provider-harbor_v1.0.0"
    packaged.chmod(0o755)
    program = tmp_path / "terraform-provider-harbor"
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH='{ROOT}:{HARBOR}' exec '{sys.executable}' -m harbor \"$@\"\n"
    )
    program.chmod(0o755)
    printed = []
    for executable in (packaged, program):
        assert cli.main(["schema", str(executable)]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "Knots that it goes at most" in printed[0], "the docstring below an attribute"


@pytest.mark.parametrize("name", ["tofu", "terraform"])
def test_a_network_mirror(name: str, tmp_path: Path, mirror: Path) -> None:
    """Over HTTPS, with the hashes that the mirror tells."""
    core = need(name)
    certificate = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    handler = partial(SimpleHTTPRequestHandler, directory=str(mirror))
    (tmp_path / "main.tf").write_text(MAIN.replace("FOLDER", "cloud").replace("SECONDS", "0"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        (tmp_path / "rc").write_text(
            "provider_installation {\n  network_mirror {\n"
            f'    url = "https://localhost:{server.server_port}/"\n  }}\n}}\n'
        )
        done = subprocess.run(
            [core, "init", "-no-color"],
            cwd=tmp_path,
            env={
                "HOME": str(tmp_path),
                "TF_CLI_CONFIG_FILE": str(tmp_path / "rc"),
                "SSL_CERT_FILE": str(certificate),
                "CHECKPOINT_DISABLE": "1",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        server.shutdown()
    assert done.returncode == 0, done.stdout + done.stderr
    [archive] = json.loads((mirror / ADDRESS / "1.0.0.json").read_text())["archives"].values()
    lock = (tmp_path / ".terraform.lock.hcl").read_text()
    assert archive["hashes"][0] in lock


def self_signed(folder: Path) -> Path:
    """A file with a certificate for `localhost` and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return file
