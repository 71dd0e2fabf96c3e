"""`Mux` as an author writes it, and bytes on their way through it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from tests.counterparts import need
from tests.provider.live.terraform import is_running
from tests.provider.mux.fakes import CAPABLE, Fake
from tests.provider.server.boxes import Box, Boxes, Room, Toy
from tofutypes import Attr, Resource, SchemaError
from tofutypes.provider import (
    ApplyContext,
    Context,
    Executable,
    Mux,
    Provider,
    ProviderError,
    ResourceHandler,
)
from tofutypes.provider.client import host
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.mux.parts import Part
from tofutypes.provider.mux.service import MuxService
from tofutypes.provider.server.listening import listening
from tofutypes.provider.service import requests, responses
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.schema import Attribute, Block, NestedAttributeType, ProviderSchema, Schema


class Lamp(Resource, type_name="toy_lamp"):
    on: Attr[bool] = Attr(required=True)


class Lamps(ResourceHandler[Lamp]):
    def create(self, planned: Lamp, context: ApplyContext[Lamp]) -> Lamp:
        return planned

    def delete(self, state: Lamp, context: Context) -> None:
        pass


class Lights(Provider):
    address = "registry.opentofu.org/example/lights"
    resources = (Lamps,)


class SecondToy(Toy):
    resources = (Boxes,)
    data_sources = ()
    ephemeral_resources = ()


def test_providers_of_handlers() -> None:
    configured: list[Room] = []
    toy = Toy(configure=lambda config, _: configured.append(config))
    with host(Mux(Lights, toy)) as client:
        assert sorted(client.schema.resources) == ["toy_box", "toy_lamp"]
        assert list(client.schema.data_sources) == ["toy_shelf"]
        client.validate(Room(name="a"))
        client.configure(Room(name="a"))
        assert client.apply(client.plan(Lamp(on=True))).value == Lamp(on=True)
        assert client.apply(client.plan(Box(name="a"))).identity == {"id": "box-1"}
    assert configured == [Room(name="a")]


def test_two_handlers_for_a_resource() -> None:
    with host(Mux(Toy(), SecondToy())) as client, pytest.raises(ProviderError) as caught:
        _ = client.schema
    assert str(caught.value) == (
        "error: The parts of the provider do not fit together: "
        "toy_box: two parts have this resource: Toy and SecondToy"
    )


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (Mux, "Mux: expected at least one part"),
        (
            lambda: Mux(cast("Any", "./terraform-provider-nimbus")),
            "Mux: expected a provider, its class or an Executable, got a string",
        ),
        (lambda: Mux(cast("Any", Lamps)), "Mux: expected a provider, its class or an Executable"),
        (lambda: Mux(Executable("/opt/nimbus")), "Mux: no address; write"),
        (lambda: Executable("go/nimbus"), 'write `Path(__file__).parent / "go/nimbus"`'),
        (lambda: Executable("/n", without="a_b"), 'a list of names, such as ["a_b"]'),
    ],
)
def test_mistakes(make: Any, fault: str) -> None:
    with pytest.raises(SchemaError) as caught:
        make()
    assert fault in str(caught.value)


def test_addresses() -> None:
    go = Executable("/opt/nimbus")
    assert Mux(go, Lights, Toy).address == Lights.address
    assert Mux(go, address="registry.opentofu.org/a/b").address == "registry.opentofu.org/a/b"
    assert repr(go) == "Executable('/opt/nimbus')"


def test_a_broken_provider_of_handlers_leaves_no_executable(tmp_path: Path) -> None:
    class Nameless(Provider):
        address = ""

    original, mark = need("terraform-provider-random"), tmp_path / "pid"
    program = tmp_path / "terraform-provider-slow"
    program.write_text(f"#!/bin/sh\necho $$ > '{mark}'\nexec '{original}'\n")
    program.chmod(0o755)
    mux = Mux(Lights, Nameless, Executable(program))
    with pytest.raises(SchemaError, match="Nameless: no address"):
        mux.make_service()
    assert not is_running(int(mark.read_text()))


def test_an_executable_that_is_no_provider(tmp_path: Path) -> None:
    program = tmp_path / "terraform-provider-old"
    program.write_text("#!/bin/sh\necho 'cannot start: no licence' >&2\nexit 3\n")
    program.chmod(0o755)
    with host(Mux(Lights, Executable(program))) as client, pytest.raises(ProviderError) as caught:
        _ = client.schema
    assert str(caught.value) == (
        f"error: terraform-provider-old cannot answer: {program}: the provider ended "
        '(exit code 3); its last log line: "cannot start: no licence". It is a part of this '
        "provider, and is not started again."
    )


@contextmanager
def connected(service: ProviderService, major: int) -> Iterator[ProviderService]:
    """The service at the other end of a connection."""
    with listening(service, major, {}) as (server, handshake):
        connection = Connection(open_channel(handshake.listens_on), protocol_of(major))
        try:
            yield remote_service(connection)
        finally:
            connection.close()
            server.stop()


STRANGE = WireValue(b"\x81\xa1a\xc7\x03\x0c\x81\x01\xc2")  # an unknown value that is not null
OTHER = WireValue(json=b'{"a" : 1.50}')
PLAN = requests.PlanResourceChangeRequest(
    "x",
    STRANGE,
    OTHER,
    WireValue(b"\xc4\x01\xff"),
    b"\x00\xffprivate",
    STRANGE,
    OTHER,
    requests.ClientCapabilities(True, True),
)
PLANNED = responses.PlanResourceChangeResponse(
    OTHER, (), b"\xff\x00", (), True, None, planned_identity=STRANGE
)


@pytest.mark.parametrize("remote_major", [5, 6])
@pytest.mark.parametrize("major", [5, 6])
def test_bytes_pass_through_unchanged(major: int, remote_major: int) -> None:
    metadata = responses.MetadataResponse(CAPABLE, resources=("x",))
    fake = Fake(metadata, {"plan_resource_change": PLANNED})
    with ExitStack() as stack:
        remote = stack.enter_context(connected(cast("ProviderService", fake), remote_major))
        muxed = MuxService([Part("remote", remote)]).service
        client = stack.enter_context(connected(muxed, major))
        assert client.plan_resource_change(PLAN) == PLANNED
        assert ("plan_resource_change", PLAN) in fake.calls


def test_schemas_that_protocol_5_does_not_have() -> None:
    nested = Attribute(nested_type=NestedAttributeType({}), optional=True)
    schema = ProviderSchema(provider=Schema(Block()), resources={"x": Schema(Block({"a": nested}))})
    fake = Fake(
        responses.MetadataResponse(CAPABLE, resources=("x",)),
        {"get_provider_schema": responses.ProviderSchemaResponse(schema)},
    )
    muxed = MuxService([fake.part("new")]).service
    with connected(muxed, 6) as client:
        assert client.get_provider_schema().schema == schema
    with connected(muxed, 5) as client:
        answer = client.get_provider_schema()
    assert "protocol 5 has no nested types; use nested blocks, or protocol 6" in str(
        answer.diagnostics[0]
    )
    assert "resource_schemas.x" in str(answer.diagnostics[0])


def test_a_mux_is_quick_to_import() -> None:
    """What the client needs is imported after the handshake."""
    code = (
        "import sys; from tofutypes.provider import Executable, Mux, Provider, serve\n"
        "class A(Provider): address = 'a'\n"
        "Mux(A, Executable('/opt/nimbus'))\n"
        "sys.exit(any('provider.client' in name for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
