"""Signatures by gpg."""

from __future__ import annotations

import shutil
import subprocess

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.archives import Release


def sign(release: Release, key: str) -> None:
    """Sign the checksums of a release with a key of gpg: a detached signature in binary form.

    Raises:
        GeneratorError: If gpg is not installed, or cannot sign.
    """
    gpg = shutil.which("gpg")
    if gpg is None:
        raise GeneratorError("--sign: gpg is not installed")
    command = [gpg, "--batch", "--yes", "--local-user", key]
    command += ["--output", str(release.signature), "--detach-sign", str(release.sums)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = lines[-1].removeprefix("gpg: ") if lines else f"exit code {done.returncode}"
        raise GeneratorError(f"--sign: {reason}")
