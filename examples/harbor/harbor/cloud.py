"""The cloud: every object is a JSON document in a folder, as others have it behind an API."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cloud:
    """A cloud in a folder; several processes may use it at once.

    Attributes:
        folder: where it keeps its objects.
    """

    folder: Path

    def create(self, kind: str) -> str:
        """The key of a new object, which has no document yet."""
        return f"{kind}-{secrets.token_hex(4)}"

    def get(self, kind: str, key: str) -> str | None:
        """The document of an object; None if there is none."""
        try:
            return self._path(kind, key).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def put(self, kind: str, key: str, document: str) -> None:
        """Store the document of an object."""
        path = self._path(kind, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(document, encoding="utf-8")
        new.replace(path)  # nobody ever reads half a document

    def delete(self, kind: str, key: str) -> None:
        """Delete an object, if it is there."""
        self._path(kind, key).unlink(missing_ok=True)

    def documents(self, kind: str) -> Iterator[str]:
        """The documents of all objects of a kind, by key."""
        for path in sorted((self.folder / kind).glob("*.json")):
            yield path.read_text(encoding="utf-8")

    def _path(self, kind: str, key: str) -> Path:
        # A key may be what a user typed, and no key leads out of the folder.
        return self.folder / kind / f"{Path(key).name}.json"
