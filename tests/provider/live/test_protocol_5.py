"""Protocol 5, which Terraform's core takes only from providers that offer no other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import msgpack

from tests.provider.live.terraform import PATIENCE, ROOT, SOURCES
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.transport.handshake import COOKIE, COOKIE_NAME


@contextmanager
def provider(name: str, folder: Path) -> Iterator[Any]:
    """A provider that was asked for protocol 5, as a function that calls it."""
    path, start = SOURCES[name]
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{path}",
        "TMPDIR": str(folder),
        "PLUGIN_PROTOCOL_VERSIONS": "5",
        COOKIE_NAME: COOKIE,
    }
    command = [sys.executable, *start]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            _, major, network, address, kind, *_ = process.stdout.readline().strip().split("|")
            assert (major, network, kind) == ("5", "unix", "grpc")
            with grpc.insecure_channel(f"unix:{address}") as channel:
                yield lambda call, request: ask(channel, call, request)
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0


def ask(channel: grpc.Channel, name: str, request: Any) -> Any:
    call = protocol_of(5).calls[name]
    stub: Any = channel.unary_unary(call.path, response_deserializer=call.response.FromString)
    return stub(request.SerializeToString(), timeout=PATIENCE)


def packed(value: object) -> Any:
    return tfplugin6.DynamicValue(msgpack=msgpack.packb(value))


def test_a_life(tmp_path: Path) -> None:
    config = {"path": str(tmp_path / "note"), "text": "hello"}
    null = packed(None)
    with provider("first", tmp_path) as call:
        schema = call("GetProviderSchema", tfplugin5.GetProviderSchema.Request())
        assert not schema.diagnostics
        assert set(schema.resource_schemas) == {"first_file"}

        prepared = tfplugin5.PrepareProviderConfig.Request(config=tfplugin5.DynamicValue())
        prepared.config.msgpack = packed({}).msgpack
        assert not call("ValidateProviderConfig", prepared).diagnostics

        plan = call(
            "PlanResourceChange",
            tfplugin6.PlanResourceChange.Request(
                type_name="first_file",
                prior_state=null,
                proposed_new_state=packed(config),
                config=packed(config),
            ),
        )
        assert not plan.diagnostics
        applied = call(
            "ApplyResourceChange",
            tfplugin6.ApplyResourceChange.Request(
                type_name="first_file",
                prior_state=null,
                planned_state=plan.planned_state,
                config=packed(config),
            ),
        )
        assert msgpack.unpackb(applied.new_state.msgpack) == config
        assert (tmp_path / "note").read_text() == "hello"


def test_nested_attributes_are_refused(tmp_path: Path) -> None:
    with provider("harbor", tmp_path) as call:
        schema = call("GetProviderSchema", tfplugin5.GetProviderSchema.Request())
    (error,) = schema.diagnostics
    assert error.severity == tfplugin5.Diagnostic.ERROR
    assert "harbor_dock.block.attributes.crane" in error.detail
    assert "protocol 5 has no nested types" in error.detail
