"""Local files: `harbor_file`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from tofutypes import Attr, Resource, is_known, known
from tofutypes.provider import (
    ApplyContext,
    Context,
    PlanContext,
    ProviderError,
    ResourceHandler,
    ValidateContext,
)

from .account import Account


class File(Resource, type_name="harbor_file"):
    """A file on this machine."""

    path: Attr[str] = Attr(required=True)
    """Where it is."""

    content: Attr[str] = Attr(required=True)
    """What is in it."""

    sha256: Attr[str | None] = Attr(computed=True, default=None)
    """Checksum of the content, in hexadecimal digits."""


class Files(ResourceHandler[File, Account]):
    """Another path is another file; another content is written into the same."""

    replace_on = ("path",)

    def validate(self, config: File, context: ValidateContext) -> None:
        if is_known(config.path) and not Path(config.path).is_absolute():
            context.error("The path is not absolute", "It begins with a slash.", "path")

    def plan(self, planned: File, context: PlanContext[File]) -> File:
        # What follows from the configuration need not wait for apply.
        if is_known(planned.content):
            planned.sha256 = checksum(planned.content)
        return planned

    def create(self, planned: File, context: ApplyContext[File]) -> File:
        Path(known(planned.path)).write_text(known(planned.content), encoding="utf-8")
        planned.sha256 = checksum(known(planned.content))
        return planned

    def read(self, state: File, context: Context) -> File | None:
        return self._found(known(state.path))

    def update(self, planned: File, prior: File, context: ApplyContext[File]) -> File:
        return self.create(planned, context)

    def delete(self, state: File, context: Context) -> None:
        Path(known(state.path)).unlink(missing_ok=True)

    def import_state(self, wanted: object, context: Context) -> File:
        found = self._found(str(wanted))
        if found is None:
            raise ProviderError("There is no such file", f"{wanted} does not exist.")
        return found

    def _found(self, path: str) -> File | None:
        try:
            content = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        return File(path=path, content=content, sha256=checksum(content))


def checksum(content: str) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    return sha256(content.encode()).hexdigest()
