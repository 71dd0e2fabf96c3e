"""The server of the `http` backend as a process, and requests to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SQLITE = ROOT / "examples" / "seasonings" / "sqlite_storage.py"


class Backend:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url
        self.port = int(url.rpartition(":")[2])

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def lock(self, path: str, id: str) -> tuple[int, bytes]:
        info = {"ID": id, "Operation": "op", "Who": "me", "Created": "2026-01-01T00:00:00Z"}
        return self.request("LOCK", path, json.dumps(info).encode())

    def unlock(self, path: str, id: str | None) -> int:
        body = b"" if id is None else json.dumps({"ID": id}).encode()
        return self.request("UNLOCK", path, body)[0]

    def plugins(self) -> list[int]:
        """The processes of the plugin."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        return list(map(int, listed.stdout.split()))

    def kill_plugin(self) -> None:
        for process in self.plugins():
            os.kill(process, signal.SIGKILL)


@contextmanager
def serving(
    folder: Path, *options: str, plugin: tuple[str, ...] = (str(SQLITE),)
) -> Generator[Backend]:
    """The server with the SQLite plugin of the examples."""
    command = [sys.executable, "-m", "tofutypes_codegen", "plugin", "backend", *options]
    search = os.pathsep.join([str(ROOT), str(ROOT / "codegen")])
    process = subprocess.Popen(
        [*command, "--", sys.executable, *plugin],
        env={**os.environ, "STATES": str(folder / "states"), "PYTHONPATH": search},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield Backend(process, process.stdout.readline().strip())
    finally:
        process.terminate()
        try:
            process.wait(30)
        finally:
            process.kill()
            process.communicate()
