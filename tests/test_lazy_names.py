"""Packages whose names are imported on first use."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = (
    "tofutypes",
    "tofutypes.models",
    "tofutypes.provider",
    "tofutypes.schema",
    "tofutypes.wire",
)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_there(name: str) -> None:
    package = import_module(name)
    listed = dir(package)
    assert [public for public in package.__all__ if not hasattr(package, public)] == []
    assert [public for public in package.__all__ if public not in listed] == []
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        _ = package.nothing


def test_a_model_needs_neither_codecs_nor_documents() -> None:
    """Nor does a provider until its first call."""
    script = """
import sys
from tofutypes import Attr, Resource
from tofutypes.provider import Context, Provider, ResourceHandler, serve

class Thing(Resource, type_name="small_thing"):
    name: Attr[str] = Attr(required=True)

print(*sorted(name for name in sys.modules if name.startswith("tofutypes")))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    imported = set(ran.stdout.split())
    assert "tofutypes.models.model" in imported
    for module in (
        *("tofutypes.wire.msgpack", "tofutypes.wire.json", "tofutypes.schema.document"),
        *("tofutypes.models.to_schema", "tofutypes.models.build", "tofutypes.type_parsing"),
        *("tofutypes.provider.objchange", "tofutypes.provider.server.service"),
    ):
        assert module not in imported
