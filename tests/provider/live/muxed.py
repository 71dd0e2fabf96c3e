"""HashiCorp's `random` with two resources in Python: `muxed.py EXECUTABLE WITHOUT…`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from provider import Ids, Pets  # type: ignore[import-not-found]  # examples/random

from tofutypes import Attr, Resource, known
from tofutypes.provider import (
    ApplyContext,
    Context,
    Executable,
    Mux,
    Provider,
    ResourceHandler,
    serve,
)


class Greeting(Resource, type_name="random_greeting"):
    """A resource that the executable does not have."""

    name: Attr[str] = Attr(required=True)
    seconds: Attr[int | None] = Attr(optional=True, default=None)
    text: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class Greetings(ResourceHandler[Greeting]):
    """Greets, as slowly as it is asked to."""

    def create(self, planned: Greeting, context: ApplyContext[Greeting]) -> Greeting:
        if seconds := known(planned.seconds):
            Path(os.environ["GREETING"]).touch()
            time.sleep(seconds)
        planned.text = f"Hello {known(planned.name)}"
        return planned

    def delete(self, state: Greeting, context: Context) -> None:
        pass


class Moved(Provider):
    """What is in Python already."""

    address = "registry.opentofu.org/example/random"
    resources = (Ids, Pets, Greetings)


if __name__ == "__main__":
    names = [name for name in sys.argv[2:] if not name.startswith("--")]
    serve(Mux(Moved, Executable(sys.argv[1], without=names)))
