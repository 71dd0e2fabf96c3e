"""Functions and a small resource, in one plugin.

    tofutypes plugin provider --address registry.opentofu.org/acme/toolkit \
        --write-launcher bin -- python toolkit.py

Then `provider::toolkit::presigned_url("key", 60)` works in OpenTofu and Terraform, and so does the
resource `toolkit_note`.
"""

import hashlib
from pathlib import Path

from tofutypes import Attr, Resource, known
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler
from tofutypes.seasonings import ArgumentError, Plugin

plugin = Plugin("toolkit", version="1.0.0")


@plugin.function
def presigned_url(key: str, expires_in: int) -> str:
    """An address that a download works from for so many seconds."""
    if expires_in <= 0:
        raise ArgumentError("expected a number of seconds above 0", 1)
    signature = hashlib.sha256(f"{key}:{expires_in}".encode()).hexdigest()[:16]
    return f"https://files.example.com/{key}?expires={expires_in}&signature={signature}"


@plugin.function(summary="A name without what some systems refuse")
def slug(*words: str) -> str:
    """Join words by hyphens, in lower case."""
    return "-".join(word.lower() for word in words if word)


class Note(Resource, type_name="toolkit_note"):
    """A text in a file on this machine."""

    path: Attr[str] = Attr(required=True)
    text: Attr[str] = Attr(required=True)


class Notes(ResourceHandler[Note]):
    """What OpenTofu and Terraform may do with notes."""

    def create(self, planned: Note, context: ApplyContext[Note]) -> Note:
        """Write the file."""
        Path(known(planned.path)).write_text(known(planned.text))
        return planned

    def read(self, state: Note, context: Context) -> Note | None:
        """Read the file, unless it is gone."""
        path = Path(known(state.path))
        if not path.exists():
            return None
        state.text = path.read_text()
        return state

    def delete(self, state: Note, context: Context) -> None:
        """Remove the file."""
        Path(known(state.path)).unlink(missing_ok=True)


@plugin.provider
class Toolkit(Provider):
    """The resources of the plugin: the same classes could be served by `tofutypes.provider`."""

    address = "registry.opentofu.org/acme/toolkit"
    resources = (Notes,)


if __name__ == "__main__":
    plugin.run()
