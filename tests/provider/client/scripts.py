"""Providers as scripts, whole ones and such that misbehave."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[3]

WHOLE = """
from typing import Any

from tofutypes import Attr, DataSource, Number, ProviderConfig, Resource, function
from tofutypes.provider import DataSourceHandler, Provider, ResourceHandler, serve


class Config(ProviderConfig, type_name="fake"):
    region: Attr[str | None] = Attr(optional=True, default=None)


class Thing(Resource, type_name="fake_thing", version=2):
    '''A thing.'''

    id: Attr[str | None] = Attr(computed=True, default=None)
    size: Attr[Number] = Attr(required=True)


class Things(ResourceHandler[Thing]):
    def create(self, planned, context):
        return Thing(id="1", size=planned.size)

    def delete(self, state, context):
        pass


@function()
def twice(of: str) -> str:
    return of * 2


class Fake(Provider[Config]):
    address = "registry.opentofu.org/example/fake"
    resources = [Things]
    functions = [twice]


serve(Fake)
"""
"""A whole provider, with one resource and one function."""


def write_script(path: Path, body: str) -> Path:
    """An executable script of Python; one that misbehaves needs nothing but Python itself."""
    head = f"#!{sys.executable}\nimport os, sys, time\nsys.path.insert(0, {str(ROOT)!r})\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + textwrap.dedent(body))
    path.chmod(0o755)
    return path


MISBEHAVIOUR: Mapping[str, tuple[str, str]] = {
    "ends at once": ("sys.exit(3)", "the provider ended (exit code 3)"),
    "ends with a word": (
        "sys.stderr.write('first\\nno license\\n'); sys.exit(1)",
        'the provider ended (exit code 1); its last log line: "no license"',
    ),
    "panics": (
        "sys.stderr.write('panic: nil\\n\\ngoroutine 1:\\n  main.go:1\\n'); sys.exit(2)",
        'the provider ended (exit code 2); its last log line: "panic: nil"',
    ),
    "logs and ends": (
        """sys.stderr.write('{"@level":"debug","@message":"hello"}\\n'); sys.exit(0)""",
        "the provider ended (exit code 0)",
    ),
    "logs an error": (
        """sys.stderr.write('{"@level":"error","@message":"no","why":1}\\n'); sys.exit(0)""",
        'the provider ended (exit code 0); its last log line: "no why=1"',
    ),
    "is killed": ("os.kill(os.getpid(), 9)", "the provider ended (killed by SIGKILL)"),
    "is silent": ("time.sleep(60)", "no handshake within 0.5 seconds"),
    "stops in the middle": (
        "sys.stdout.write('1|6|unix|/tmp'); sys.stdout.flush(); time.sleep(60)",
        "no handshake within 0.5 seconds",
    ),
    "ends in the middle": (
        "sys.stdout.write('1|6|unix'); sys.stdout.flush()",
        'got "1|6|unix"',
    ),
    "prints garbage": (
        "sys.stdout.buffer.write(b'\\xff\\0\\x1b[31mhello\\n'); sys.stdout.flush(); time.sleep(60)",
        "expected a handshake line `1|6|unix|ADDRESS|grpc|CERTIFICATE`, got ",
    ),
    "prints no line end": (
        "sys.stdout.write('x' * 200_000); sys.stdout.flush(); time.sleep(60)",
        'got "' + "x" * 60 + '…"',
    ),
    "is too old": (
        "sys.stdout.write('1|4|unix|/tmp/x\\n'); sys.stdout.flush(); time.sleep(60)",
        'unsupported protocol version "4": 5 and 6 are supported; the provider is for Terraform '
        "0.11 and older",
    ),
    "was not asked to": (
        "sys.stdout.write('1|7|unix|/tmp/x|grpc|\\n'); sys.stdout.flush(); time.sleep(60)",
        'unsupported protocol version "7": 5 and 6 are supported',
    ),
    "does no TLS": (
        "sys.stdout.write('1|6|unix|/tmp/x|grpc|\\n'); sys.stdout.flush(); time.sleep(60)",
        "the provider does not support TLS; use `tls=False`",
    ),
    "has no certificate": (
        "sys.stdout.write('1|6|unix|/tmp/x|grpc|' + 'A' * 80 + '\\n'); sys.stdout.flush()\n"
        "time.sleep(60)",
        "cannot read the certificate of the other side",
    ),
}
"""What scripts do wrong, and what a client says of it."""
