"""A storage plugin for teams: states and their locks in PostgreSQL.

    pip install "psycopg[binary]"
    DATABASE=postgresql://states@db.example.com/states \
        tofutypes plugin backend --port 8080 -- python postgres_storage.py

Any number of plugins may use the database at the same time. Each change of a path is a transaction
that holds an advisory lock of the path, so nothing comes between the check of a lock and what it
allows. The locks of OpenTofu and Terraform themselves are rows: they outlive plugins.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import psycopg

from tofutypes.seasonings import LockedError, LockInfo, Plugin, Storage

plugin = Plugin("postgres-storage", version="1.0.0")

TABLES = """
CREATE TABLE IF NOT EXISTS states (path text PRIMARY KEY, state bytea NOT NULL);
CREATE TABLE IF NOT EXISTS locks (path text PRIMARY KEY, info text NOT NULL);
"""
TABLES_LOCK = 7_461_766  # two plugins that start at once would both create the tables


@plugin.storage
class PostgresStorage(Storage):
    """Keeps states and locks in two tables."""

    def __init__(self) -> None:
        self.database = os.environ.get("DATABASE", "")
        self.ready = False

    @contextmanager
    def transaction(self, path: str = "") -> Iterator[psycopg.Cursor]:
        """One transaction, alone with its path, and on disk at its end."""
        with (
            psycopg.connect(self.database, connect_timeout=10) as connection,
            connection.cursor() as cursor,
        ):
            if not self.ready:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TABLES_LOCK])
                cursor.execute(TABLES)
                self.ready = True
            if path:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [path])
            yield cursor

    def holder(self, cursor: psycopg.Cursor, path: str) -> LockInfo | None:
        """Who holds the lock of a path."""
        row = cursor.execute("SELECT info FROM locks WHERE path = %s", [path]).fetchone()
        return None if row is None else LockInfo(**json.loads(row[0]))

    def check(self, cursor: psycopg.Cursor, path: str, lock_id: str | None) -> None:
        """Refuse whoever does not hold the lock of a path."""
        holder = self.holder(cursor, path)
        if lock_id != (None if holder is None else holder.id):
            raise LockedError(holder)

    def read(self, path: str) -> bytes | None:
        """Read a state."""
        with self.transaction() as cursor:
            row = cursor.execute("SELECT state FROM states WHERE path = %s", [path]).fetchone()
        return None if row is None else bytes(row[0])

    def write(self, path: str, state: bytes, lock_id: str | None) -> None:
        """Store a state."""
        with self.transaction(path) as cursor:
            self.check(cursor, path, lock_id)
            cursor.execute(
                "INSERT INTO states VALUES (%s, %s) "
                "ON CONFLICT (path) DO UPDATE SET state = excluded.state",
                [path, state],
            )

    def delete(self, path: str, lock_id: str | None) -> None:
        """Delete a state."""
        with self.transaction(path) as cursor:
            self.check(cursor, path, lock_id)
            cursor.execute("DELETE FROM states WHERE path = %s", [path])

    def lock(self, path: str, info: LockInfo) -> str:
        """Lock a state."""
        with self.transaction(path) as cursor:
            if (holder := self.holder(cursor, path)) is not None:
                raise LockedError(holder)
            cursor.execute("INSERT INTO locks VALUES (%s, %s)", [path, json.dumps(asdict(info))])
        return info.id

    def unlock(self, path: str, lock_id: str | None) -> None:
        """Remove a lock."""
        with self.transaction(path) as cursor:
            if lock_id is not None:
                self.check(cursor, path, lock_id)
            cursor.execute("DELETE FROM locks WHERE path = %s", [path])

    def list(self, prefix: str) -> list[str]:
        """List the paths of states."""
        with self.transaction() as cursor:
            rows = cursor.execute("SELECT path FROM states ORDER BY path").fetchall()
        return [path for (path,) in rows if path.startswith(prefix)]


if __name__ == "__main__":
    plugin.run()
