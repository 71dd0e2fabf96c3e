"""A storage plugin: states and their locks in one SQLite file.

    tofutypes plugin backend --port 8080 -- python sqlite_storage.py

The file is `states.sqlite3`, or what the environment variable STATES names. Several plugins may use
it at the same time: every check of a lock is in the transaction of what it allows.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict

from tofutypes.seasonings import LockedError, LockInfo, Plugin, Storage

plugin = Plugin("sqlite-storage", version="1.0.0")

TABLES = """
CREATE TABLE IF NOT EXISTS states (path TEXT PRIMARY KEY, state BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS locks (path TEXT PRIMARY KEY, id TEXT NOT NULL, info TEXT NOT NULL);
"""


@plugin.storage
class SqliteStorage(Storage):
    """Keeps states and locks in two tables."""

    def __init__(self) -> None:
        self.file = os.environ.get("STATES", "states.sqlite3")
        with closing(sqlite3.connect(self.file, timeout=30)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(TABLES)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction that nobody else's write can come between, on disk at its end."""
        with closing(sqlite3.connect(self.file, timeout=30, isolation_level=None)) as database:
            database.execute("PRAGMA synchronous = FULL")
            database.execute("BEGIN IMMEDIATE")
            with database:
                yield database

    def holder(self, database: sqlite3.Connection, path: str) -> LockInfo | None:
        row = database.execute("SELECT info FROM locks WHERE path = ?", [path]).fetchone()
        return None if row is None else LockInfo(**json.loads(row[0]))

    def check(self, database: sqlite3.Connection, path: str, lock_id: str | None) -> None:
        holder = self.holder(database, path)
        if lock_id != (None if holder is None else holder.id):
            raise LockedError(holder)

    def read(self, path: str) -> bytes | None:
        with self.transaction() as database:
            row = database.execute("SELECT state FROM states WHERE path = ?", [path]).fetchone()
        return None if row is None else bytes(row[0])

    def write(self, path: str, state: bytes, lock_id: str | None) -> None:
        with self.transaction() as database:
            self.check(database, path, lock_id)
            database.execute("INSERT OR REPLACE INTO states VALUES (?, ?)", [path, state])

    def delete(self, path: str, lock_id: str | None) -> None:
        with self.transaction() as database:
            self.check(database, path, lock_id)
            database.execute("DELETE FROM states WHERE path = ?", [path])

    def lock(self, path: str, info: LockInfo) -> str:
        with self.transaction() as database:
            if (holder := self.holder(database, path)) is not None:
                raise LockedError(holder)
            row = [path, info.id, json.dumps(asdict(info))]
            database.execute("INSERT INTO locks VALUES (?, ?, ?)", row)
        return info.id

    def unlock(self, path: str, lock_id: str | None) -> None:
        with self.transaction() as database:
            if lock_id is not None:
                self.check(database, path, lock_id)
            database.execute("DELETE FROM locks WHERE path = ?", [path])

    def list(self, prefix: str) -> list[str]:
        with self.transaction() as database:
            rows = database.execute("SELECT path FROM states ORDER BY path").fetchall()
        return [path for (path,) in rows if path.startswith(prefix)]


if __name__ == "__main__":
    plugin.run()
