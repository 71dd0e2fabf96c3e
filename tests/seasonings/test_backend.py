"""Storage plugins behind the `http` backend: its requests, real programs, and plugins that die."""

import base64
import hashlib
import json
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Generator
from http.client import HTTPException, HTTPSConnection
from pathlib import Path

import pytest

from tests.counterparts import find
from tests.seasonings.backends import ROOT, Backend, serving
from tests.seasonings.rivals import check, compete
from tofutypes.provider.transport.certificates import make_certificate
from tofutypes_codegen.cli import main

PATH = "/live/network"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Generator[Backend]:
    with serving(tmp_path_factory.mktemp("backend")) as backend:
        yield backend


def test_states(backend: Backend) -> None:
    assert backend.request("GET", "/a/b")[0] == 404
    assert backend.request("POST", "/a/b", b"\x00state")[0] == 200
    assert backend.request("GET", "/a/b") == (200, b"\x00state")
    assert backend.request("GET", "/a%2Fb") == (200, b"\x00state")
    assert backend.request("DELETE", "/a/b")[0] == 200
    assert backend.request("GET", "/a/b")[0] == 404


def test_locks(backend: Backend) -> None:
    assert backend.lock(PATH, "one")[0] == 200
    assert backend.lock(PATH, "one")[0] == 200  # asked again, as the answer was lost
    status, body = backend.lock(PATH, "two")
    holder = {"ID": "one", "Operation": "op", "Who": "me", "Version": "", "Info": ""}
    assert (status, json.loads(body)) == (423, {**holder, "Created": "2026-01-01T00:00:00Z"})
    assert backend.request("POST", PATH, b"lost")[0] == 423
    assert backend.request("POST", f"{PATH}?ID=two", b"lost")[0] == 423
    assert backend.request("DELETE", f"{PATH}?ID=two")[0] == 423
    assert backend.request("POST", f"{PATH}?ID=one", b"kept")[0] == 200
    assert backend.request("GET", PATH) == (200, b"kept")
    assert backend.unlock(PATH, "two") == 423
    assert backend.unlock(PATH, "one") == 200
    assert backend.unlock(PATH, "one") == 200  # asked again
    assert backend.request("POST", f"{PATH}?ID=one", b"lost")[0] == 409
    assert backend.lock(PATH, "three")[0] == 200
    assert backend.unlock(PATH, None) == 200
    assert backend.request("GET", PATH) == (200, b"kept")


def test_damaged_states_are_refused(backend: Backend) -> None:
    good = base64.b64encode(hashlib.md5(b"state").digest()).decode()
    assert backend.request("POST", "/md5", b"state", {"Content-MD5": good})[0] == 200
    assert backend.request("POST", "/md5", b"stat", {"Content-MD5": good})[0] == 400
    assert backend.request("GET", "/md5") == (200, b"state")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/", b"", 400),
        ("GET", "/a/../b", b"", 400),
        ("GET", "/a//b", b"", 400),
        ("POST", "/", b"x", 400),
        ("LOCK", "/a", b"", 400),
        ("LOCK", "/a", b"{", 400),
        ("LOCK", "/a", b"[]", 400),
        ("LOCK", "/a", b"{}", 400),
        ("LOCK", "/a", b'{"ID": 3}', 400),
        ("UNLOCK", "/a", b"{", 400),
        ("PATCH", "/a", b"", 405),
        ("POST", "/large", b"\0" * (64 << 20), 413),
    ],
)
def test_requests_that_are_refused(
    backend: Backend, method: str, path: str, body: bytes, status: int
) -> None:
    assert backend.request(method, path, body)[0] == status


def test_web_pages_are_refused(backend: Backend) -> None:
    assert backend.request("POST", "/x", b"y", {"Origin": "https://evil.example"})[0] == 403
    assert backend.request("GET", "/x")[0] == 404


def basic(user: str, password: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


def test_credentials(tmp_path: Path) -> None:
    users = tmp_path / "users"
    users.write_text("ann:pa:ss\n\nbob:other\n")
    with serving(tmp_path, "--credentials", str(users)) as backend:
        for headers, status in [
            ({}, 401),
            (basic("ann", "wrong"), 401),
            (basic("eve", "pa:ss"), 401),
            ({"Authorization": "Basic ÿ"}, 401),
            ({"Authorization": "Bearer x"}, 401),
            (basic("ann", "pa:ss"), 404),
            (basic("bob", "other"), 404),
        ]:
            assert backend.request("GET", "/a", headers=headers)[0] == status


def test_a_plugin_that_is_killed_is_started_again(backend: Backend) -> None:
    assert backend.request("POST", "/killed", b"kept")[0] == 200
    assert len(backend.plugins()) == 1
    backend.kill_plugin()
    assert backend.request("GET", "/killed") == (200, b"kept")


def test_two_rivals_lose_nothing_while_plugins_are_killed(tmp_path: Path) -> None:
    lines, outcomes, kills = compete(tmp_path, 6)
    check(lines, outcomes)
    assert kills
    assert all(outcome.confirmed for outcome in outcomes)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with serving(tmp_path) as backend:
        plugins = backend.plugins()
    assert backend.process.returncode == 0
    assert plugins
    assert not any(Path(f"/proc/{process}").exists() for process in plugins)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0"], "0.0.0.0: everybody in the network could read the states"),
        (["--port", "99999"], "cannot listen on 127.0.0.1:99999: "),
        (["--tls-certificate", "/no/file"], "/no/file: cannot be used for TLS"),
        (["--tls-key", "/no/file"], "/no/file: a key without --tls-certificate"),
        (["--credentials", "/no/file"], "/no/file: No such file or directory"),
    ],
)
def test_servers_that_cannot_start(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("STATES", str(tmp_path / "states"))
    plugin = [sys.executable, str(ROOT / "examples" / "seasonings" / "sqlite_storage.py")]
    assert main(["plugin", "backend", *options, "--", *plugin]) == 2
    assert message in capsys.readouterr().err


def test_a_plugin_without_storage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plugin = tmp_path / "plugin.py"
    plugin.write_text("from tofutypes.seasonings import Plugin\nPlugin('none').run()\n")
    assert main(["plugin", "backend", "--", sys.executable, str(plugin)]) == 2
    assert "plugin none: does not declare the capability storage" in capsys.readouterr().err


def tls_options(folder: Path) -> tuple[list[str], Path]:
    """Options with a certificate for `localhost`, and its file."""
    certificate = make_certificate()
    chain, key = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(certificate.certificate_pem)
    key.write_bytes(certificate.key_pem)
    return ["--tls-certificate", str(chain), "--tls-key", str(key)], chain


def test_https(tmp_path: Path) -> None:
    options, chain = tls_options(tmp_path)
    with serving(tmp_path, *options) as backend:
        assert backend.url.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=chain)
        tls = HTTPSConnection("localhost", backend.port, context=trusting, timeout=30)
        tls.request("POST", PATH, b"state")
        assert tls.getresponse().read() == b""
        tls.request("GET", PATH)
        assert tls.getresponse().read() == b"state"
        tls.close()
        with pytest.raises((OSError, HTTPException)):
            backend.request("GET", PATH)  # not TLS
        stranger = HTTPSConnection("localhost", backend.port, timeout=30)
        with pytest.raises(ssl.SSLCertVerificationError):
            stranger.request("GET", PATH)


@pytest.mark.parametrize("program", ["tofu", "terraform"])
def test_https_of_the_real_programs(program: str, tmp_path: Path) -> None:
    core = find(program)
    if core is None:
        pytest.skip(f"{program} is not installed")
    options, chain = tls_options(tmp_path)
    with serving(tmp_path, *options) as backend:
        url = f"https://localhost:{backend.port}{PATH}"
        (tmp_path / "main.tf").write_text(CONFIGURATION.format(url=url))
        environment = {**os.environ, "CHECKPOINT_DISABLE": "1"}
        trusting = {**environment, "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM": chain.read_text()}
        for words, variables, code in (
            (["init"], environment, 1),
            (["init"], trusting, 0),
            (["apply", "-auto-approve"], trusting, 0),
        ):
            done = subprocess.run(
                [core, f"-chdir={tmp_path}", *words, "-no-color"],
                env=variables,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == code, done.stdout + done.stderr
        assert "certificate" not in done.stderr
        assert not (tmp_path / "terraform.tfstate").exists()


CONFIGURATION = """
terraform {{
  backend "http" {{
    address        = "{url}"
    lock_address   = "{url}"
    unlock_address = "{url}"
  }}
}}
resource "terraform_data" "it" {{
  input = "value"
}}
"""


@pytest.mark.parametrize("program", ["terraform", "tofu"])
def test_the_real_programs(program: str, tmp_path: Path) -> None:
    here = ROOT / ".counterparts" / "bin" / program
    executable = str(here) if here.exists() else shutil.which(program)
    if executable is None:
        pytest.skip(f"no {program}: make counterparts")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [executable, *arguments, "-no-color"],
            cwd=tmp_path,
            env={**os.environ, "CHECKPOINT_DISABLE": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.stdout + done.stderr

    with serving(tmp_path) as backend:
        url = f"{backend.url}/live"
        (tmp_path / "main.tf").write_text(CONFIGURATION.format(url=url))
        assert "successfully initialized" in run("init")
        assert "1 added" in run("apply", "-auto-approve")
        assert json.loads(backend.request("GET", "/live")[1])["resources"]
        assert backend.lock("/live", "other")[0] == 200
        held = run("plan")
        assert "already locked" in held
        assert "other" in held
        assert "unlocked" in run("force-unlock", "-force", "other")
        backend.kill_plugin()
        assert "1 destroyed" in run("destroy", "-auto-approve")
