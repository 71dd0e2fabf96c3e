"""Two processes compete for a state while its plugin is killed: nothing may be lost.

    python -m tests.seasonings.rivals --seconds 240

Each rival adds lines to the state, under the lock. In the end the state must hold every line whose
write was confirmed, once and in order, and no write without the lock may have been confirmed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path

from tests.seasonings.backends import ROOT, Backend, serving

PATH = "/rivals"


@dataclass
class Outcome:
    """What a rival has seen.

    Attributes:
        confirmed: the lines whose write was confirmed.
        unsure: the lines whose write was answered with an error.
        refused: how many writes without the lock were refused.
        stolen: writes without the lock that were confirmed.
        troubles: requests that were answered with an error, as the plugin was gone.
    """

    confirmed: list[str] = field(default_factory=list[str])
    unsure: list[str] = field(default_factory=list[str])
    refused: int = 0
    stolen: list[str] = field(default_factory=list[str])
    troubles: int = 0


class Rival:
    """One of the processes."""

    def __init__(self, backend: Backend, name: str, seconds: float) -> None:
        self.backend = backend
        self.name = name
        self.end = time.monotonic() + seconds
        self.outcome = Outcome()

    def run(self) -> Outcome:
        turn = 0
        while time.monotonic() < self.end:
            turn += 1
            lock_id = f"{self.name}-{turn}"
            if self.send("LOCK", PATH, lock_id) == 200:
                self.add(lock_id)
                self.release(lock_id)
            else:
                self.steal(f"{lock_id}-thief")
                time.sleep(random.uniform(0, 0.02))
        return self.outcome

    def release(self, lock_id: str) -> None:
        """Unlock, however often that takes."""
        while self.send("UNLOCK", PATH, lock_id) not in (200, 409, 423):
            time.sleep(0.01)

    def send(self, method: str, path: str, lock_id: str) -> int:
        """Send a request about a lock; the status."""
        try:
            if method == "LOCK":
                return self.backend.lock(path, lock_id)[0]
            return self.backend.unlock(path, lock_id)
        except (OSError, HTTPException):
            self.outcome.troubles += 1
            return 0

    def add(self, line: str) -> None:
        """Add a line to the state, whose lock is ours."""
        try:
            status, state = self.backend.request("GET", PATH)
            if status not in (200, 404):
                self.outcome.troubles += 1
                return
            lines = state if status == 200 else b""
            time.sleep(random.uniform(0, 0.01))
            body = lines + f"{line}\n".encode()
            written, _ = self.backend.request("POST", f"{PATH}?ID={line}", body)
        except (OSError, HTTPException):
            written = 0
        if written == 200:
            self.outcome.confirmed.append(line)
        else:
            self.outcome.troubles += 1
            self.outcome.unsure.append(line)

    def steal(self, lock_id: str) -> None:
        """Write with a lock that is not held."""
        try:
            status, _ = self.backend.request("POST", f"{PATH}?ID={lock_id}", b"stolen\n")
        except (OSError, HTTPException):
            self.outcome.troubles += 1
            return
        if status == 200:
            self.outcome.stolen.append(lock_id)
        elif status in (409, 423):
            self.outcome.refused += 1


def compete(folder: Path, seconds: float) -> tuple[list[str], list[Outcome], int]:
    """Let two rivals compete; the lines of the state, what they have seen, and the kills."""
    kills = 0
    with serving(folder) as backend:
        command = [sys.executable, "-m", "tests.seasonings.rivals", "--seconds", str(seconds)]
        command += ["--url", backend.url, "--rival"]
        rivals = [
            subprocess.Popen([*command, name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
            for name in ("one", "two")
        ]
        while any(rival.poll() is None for rival in rivals):
            time.sleep(random.uniform(0.2, 1.0))
            backend.kill_plugin()
            kills += 1
        outcomes = [Outcome(**json.loads(rival.communicate()[0])) for rival in rivals]
        while (answer := backend.request("GET", PATH))[0] != 200:
            time.sleep(0.1)
    return answer[1].decode().splitlines(), outcomes, kills


def check(lines: list[str], outcomes: list[Outcome]) -> None:
    """Whether nothing was lost.

    Raises:
        AssertionError: If something was.
    """
    assert len(lines) == len(set(lines)), "a line is there twice"
    allowed = {line for outcome in outcomes for line in (*outcome.confirmed, *outcome.unsure)}
    assert set(lines) <= allowed, f"nobody wrote {sorted(set(lines) - allowed)}"
    for outcome in outcomes:
        confirmed = set(outcome.confirmed)
        kept = [line for line in lines if line in confirmed]
        assert kept == outcome.confirmed, "a write that was confirmed is lost, or moved"
        assert outcome.stolen == [], "a write without the lock was confirmed"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.seasonings.rivals", description=__doc__)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--rival", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rival:
        backend = Backend(subprocess.Popen(["true"], text=True), options.url)
        print(json.dumps(asdict(Rival(backend, options.rival, options.seconds).run())))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        lines, outcomes, kills = compete(Path(folder), options.seconds)
    check(lines, outcomes)
    confirmed = sum(len(outcome.confirmed) for outcome in outcomes)
    refused = sum(outcome.refused for outcome in outcomes)
    troubles = sum(outcome.troubles for outcome in outcomes)
    print(
        f"{confirmed:,} writes confirmed, {len(lines):,} in the state, {kills:,} kills, "
        f"{troubles:,} requests failed, {refused:,} writes without the lock refused; nothing lost"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
