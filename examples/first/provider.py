#!/usr/bin/env python3
"""The smallest provider of use: a file with a text in it."""

from pathlib import Path

from tofutypes import Attr, Resource, known
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler, serve


class File(Resource, type_name="first_file"):
    """A text file on this machine."""

    path: Attr[str] = Attr(required=True)
    text: Attr[str] = Attr(required=True)


class Files(ResourceHandler[File]):
    """What OpenTofu and Terraform may do with files."""

    def create(self, planned: File, context: ApplyContext[File]) -> File:
        Path(known(planned.path)).write_text(known(planned.text))
        return planned

    def delete(self, state: File, context: Context) -> None:
        Path(known(state.path)).unlink(missing_ok=True)


class First(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/first"
    resources = (Files,)


if __name__ == "__main__":
    serve(First)
