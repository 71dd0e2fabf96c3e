"""Threads for handlers that are not `async`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue


class Workers:
    """Daemon threads that run jobs, started when all others are busy.

    A job that never ends must not keep the process alive, which threads of the standard library's
    executor do.

    Args:
        most: the number of threads; further jobs wait.
    """

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._open = 0
        """The jobs that wait or run."""

    def submit(self, job: Callable[[], object]) -> None:
        """Run a job, which must not raise."""
        with self._lock:
            self._open += 1
            if self._open > self._threads and self._threads < self._most:
                self._threads += 1
                name = f"tofutypes worker {self._threads}"
                threading.Thread(target=self._work, name=name, daemon=True).start()
        self._jobs.put(job)

    def stop(self) -> None:
        """Let the threads end when their jobs have."""
        for _ in range(self._threads):
            self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            finally:
                del job  # which may hold a large message
                with self._lock:
                    self._open -= 1
