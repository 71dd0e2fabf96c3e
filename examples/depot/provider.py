#!/usr/bin/env python3
"""A provider with a state store: states are files in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from json import dumps, loads
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote

from tofutypes import Attr, StateStore, known
from tofutypes.provider import (
    Context,
    LockedError,
    LockInfo,
    Provider,
    StateReader,
    StateStoreContext,
    StateStoreHandler,
    serve,
)


class Folder(StateStore, type_name="depot_folder"):
    """Keeps states in a folder of this machine."""

    path: Attr[str] = Attr(required=True, description="The folder. It is made if it is not there.")

    def file(self, state_id: str, kind: str) -> Path:
        """Return the file of a state: its id may have any characters."""
        return Path(known(self.path), f"{quote(state_id, safe='')}.{kind}")


def holder_in(file: Path) -> LockInfo | None:
    """Return who holds a lock."""
    return LockInfo(**loads(file.read_text())) if file.exists() else None


class Folders(StateStoreHandler[Folder, "Depot"]):
    """What Terraform may do with states."""

    def configure(self, config: Folder, context: Context) -> None:
        Path(known(config.path)).mkdir(parents=True, exist_ok=True)

    def read(self, state_id: str, context: StateStoreContext[Folder]) -> BinaryIO | None:
        try:
            return context.config.file(state_id, "tfstate").open("rb")
        except FileNotFoundError:
            return None

    def write(self, state_id: str, state: StateReader, context: StateStoreContext[Folder]) -> None:
        state.save(context.config.file(state_id, "tfstate"))

    def delete(self, state_id: str, context: StateStoreContext[Folder]) -> None:
        context.config.file(state_id, "tfstate").unlink(missing_ok=True)

    def lock(self, state_id: str, info: LockInfo, context: StateStoreContext[Folder]) -> str:
        file, part = (context.config.file(state_id, kind) for kind in ("lock", info.id))
        part.write_text(dumps(asdict(info)))
        try:
            file.hardlink_to(part)  # fails if the file is there
        except FileExistsError:
            raise LockedError(holder_in(file)) from None
        finally:
            part.unlink()
        return info.id

    def unlock(self, state_id: str, lock_id: str, context: StateStoreContext[Folder]) -> None:
        file = context.config.file(state_id, "lock")
        holder = holder_in(file)
        if holder is None or holder.id != lock_id:
            raise LockedError(holder)
        file.unlink()

    def states(self, context: StateStoreContext[Folder]) -> Iterable[str]:
        files = Path(known(context.config.path)).glob("*.tfstate")
        return sorted(unquote(file.stem) for file in files)


class Depot(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/depot"
    state_stores = (Folders,)


if __name__ == "__main__":
    serve(Depot)
