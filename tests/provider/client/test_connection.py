"""Providers that answer amiss."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from tofutypes import Attr, DataSource, DecodeError, Resource, SchemaError, function
from tofutypes.provider.client import Client, Connection, State, UnsupportedCallError
from tofutypes.provider.client.connection import open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError, ProviderError
from tofutypes.provider.transport.addresses import new_address
from tofutypes.schema import ProviderSchema

ROOT = Path(__file__).parents[3]

Answers = dict[str, Callable[[grpc.ServicerContext], bytes | Message]]


class Thing(Resource, type_name="thing"):
    id: Attr[str | None] = Attr(computed=True, default=None)


class Look(DataSource, type_name="look"):
    id: Attr[str | None] = Attr(computed=True, default=None)


@function()
def name() -> str:
    raise NotImplementedError


def schemas() -> tfplugin6.GetProviderSchema.Response:
    message = tfplugin6.GetProviderSchema.Response()
    message.provider.block.SetInParent()
    message.resource_schemas["thing"].block.attributes.add(
        name="id", type=b'"string"', computed=True
    )
    return message


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Serves answers, and gives a client."""
    stops: list[Callable[[], object]] = []

    def start(timeout: float | None = None, **answers: Any) -> Client:
        all_answers: Answers = {"GetProviderSchema": lambda _: schemas(), **answers}

        def handler(name: str) -> grpc.RpcMethodHandler[bytes, bytes]:
            def answer(_: bytes, context: grpc.ServicerContext) -> bytes:
                found = all_answers[name](context)
                return found if isinstance(found, bytes) else found.SerializeToString()

            return grpc.unary_unary_rpc_method_handler(answer)

        server = grpc.server(ThreadPoolExecutor(2), options=[("grpc.max_send_message_length", -1)])
        service = grpc.method_handlers_generic_handler(
            "tfplugin6.Provider", {each: handler(each) for each in all_answers}
        )
        server.add_generic_rpc_handlers([service])
        address = new_address(tmp_path, "socket")
        server.add_insecure_port(address.target)
        server.start()
        connection = Connection(open_channel(address), protocol_of(6), timeout=timeout)
        client = Client(connection, connection.close)
        stops.extend([client.close, lambda: server.stop(None).wait()])
        return client

    yield start
    for stop in stops:
        stop()


def schemas_with(*metadata: tuple[str, str | bytes]) -> Callable[[grpc.ServicerContext], Message]:
    def answer(context: grpc.ServicerContext) -> Message:
        context.send_initial_metadata(metadata)
        return schemas()

    return answer


KEY = "tofutypes-provider-address"


@pytest.mark.parametrize(
    ("metadata", "address"),
    [
        ([], None),
        ([(KEY, "registry.opentofu.org/example/first")], "registry.opentofu.org/example/first"),
        ([(KEY, "localhost:8080/example/first")], "localhost:8080/example/first"),
        ([("other", "example.com/acme/fake")], None),
        ([(KEY, "")], None),
        ([(KEY, "example.com/fake")], None),
        ([(KEY, "example.com/acme/fake/more")], None),
        ([(KEY, "example.com/acme/..")], None),
        ([(KEY, "../acme/fake")], None),
        ([(KEY, "example.com/a b/fake")], None),
        ([(KEY, "example.com/acme/" + "a" * 300)], None),
        ([(KEY, "example.com/acme/fake"), (KEY, "example.com/other/fake")], None),
        ([(f"{KEY}-bin", b"example.com/acme/fake")], None),
    ],
)
def test_the_address_that_a_provider_tells(
    serve: Callable[..., Client], metadata: list[tuple[str, str | bytes]], address: str | None
) -> None:
    assert serve(GetProviderSchema=schemas_with(*metadata)).provider_address == address


def abort(code: grpc.StatusCode, details: str = "") -> Callable[[grpc.ServicerContext], bytes]:
    def do(context: grpc.ServicerContext) -> bytes:
        context.abort(code, details)
        raise AssertionError

    return do


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        (
            grpc.StatusCode.UNAVAILABLE,
            PluginError,
            "StopProvider: the provider cannot be reached, or has ended",
        ),
        (grpc.StatusCode.CANCELLED, PluginError, "StopProvider: the call was cancelled"),
        (
            grpc.StatusCode.UNIMPLEMENTED,
            UnsupportedCallError,
            "StopProvider: the provider does not support this call",
        ),
        (
            grpc.StatusCode.INTERNAL,
            PluginError,
            r"StopProvider: the call failed with INTERNAL: out\nof order",
        ),
    ],
)
def test_statuses(
    serve: Callable[..., Client], code: grpc.StatusCode, kind: type[PluginError], message: str
) -> None:
    client = serve(StopProvider=abort(code, "out\nof order"))
    with pytest.raises(PluginError) as refused:
        client.stop()
    assert (type(refused.value), str(refused.value)) == (kind, message)


def test_schemas_that_do_not_come(serve: Callable[..., Client]) -> None:
    asked, ended = threading.Event(), threading.Event()

    def wait(_: grpc.ServicerContext) -> bytes:
        asked.set()
        ended.wait(60)
        return b""

    provider = serve(timeout=0.5, GetProviderSchema=wait)
    try:
        with pytest.raises(PluginError) as refused:
            assert provider.schema
    finally:
        ended.set()
    assert asked.is_set()
    assert str(refused.value) == "GetProviderSchema: no answer within 0.5 seconds"


def test_calls_that_are_not_there(serve: Callable[..., Client]) -> None:
    with pytest.raises(UnsupportedCallError, match="ReadDataSource: the provider does not support"):
        serve().read_data(Look())


def test_identities_may_be_missing(serve: Callable[..., Client]) -> None:
    schema = serve().schema
    assert list(schema.resources) == ["thing"]
    assert schema.identities == {}


def test_identities_of_what_is_not_there(serve: Callable[..., Client]) -> None:
    identities = tfplugin6.GetResourceIdentitySchemas.Response()
    for each in ("thing", "ghost"):
        identities.identity_schemas[each].SetInParent()
    client = serve(GetResourceIdentitySchemas=lambda _: identities)
    assert list(client.schema.identities) == ["thing"]


def test_schemas_with_errors(serve: Callable[..., Client]) -> None:
    message = schemas()
    message.diagnostics.add(severity=1, summary="No licence")
    client = serve(GetProviderSchema=lambda _: message)
    with pytest.raises(ProviderError, match="error: No licence"):
        _ = client.schema


def test_schemas_that_are_none(serve: Callable[..., Client]) -> None:
    client = serve(GetProviderSchema=lambda _: tfplugin6.GetProviderSchema.Response())
    with pytest.raises(SchemaError, match="provider: missing schema"):
        _ = client.schema


def test_schemas_are_read_again_after_an_error(serve: Callable[..., Client]) -> None:
    answers = [schemas(), tfplugin6.GetProviderSchema.Response()]
    client = serve(GetProviderSchema=lambda _: answers.pop())
    with pytest.raises(SchemaError):
        _ = client.schema
    assert isinstance(client.schema, ProviderSchema)


def test_too_large_schemas(serve: Callable[..., Client]) -> None:
    message = schemas()
    message.provider.block.description = "x" * (64 << 20)
    client = serve(GetProviderSchema=lambda _: message)
    with pytest.raises(
        PluginError, match=r"the response is too large: .* at most 67,108,864 bytes"
    ):
        _ = client.schema


BOMB = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
import grpc
from tofutypes.provider import PluginError
from tofutypes.provider.client import Address, connect

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
try:
    connect(Address("unix", sys.argv[1])).schema
except PluginError as error:
    print(error)
(peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(peak) >> 10)
"""
"""Reads the schemas of a provider; prints the error, and the peak of memory in MiB. Linux only."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_schemas_over_the_limit_are_refused_as_they_arrive(
    tmp_path: Path, compression: grpc.Compression
) -> None:
    def bomb(_: bytes, __: grpc.ServicerContext) -> bytes:
        return bytes(300 << 20)

    server = grpc.server(
        ThreadPoolExecutor(1),
        options=[("grpc.max_send_message_length", -1)],
        compression=compression,
    )
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(bomb)
    service = grpc.method_handlers_generic_handler(
        "tfplugin6.Provider", {"GetProviderSchema": handler}
    )
    server.add_generic_rpc_handlers([service])
    address = new_address(tmp_path, "socket")
    server.add_insecure_port(address.target)
    server.start()
    ran = subprocess.run(
        [sys.executable, "-c", BOMB, address.text],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    message, memory = ran.stdout.splitlines()
    assert message.startswith("GetProviderSchema: the response is too large: ")
    assert int(memory) < 250  # 64 MiB of schemas, and Python with this library
    server.stop(None).wait()


@pytest.mark.parametrize("data", [b"\xff\xff\xff", b"\x0a\xff\xff\xff\x7f", b"\x0b" * 1000])
def test_answers_that_are_none(serve: Callable[..., Client], data: bytes) -> None:
    client = serve(GetProviderSchema=lambda _: data)
    with pytest.raises(PluginError, match="GetProviderSchema: the response is not a valid message"):
        _ = client.schema


def test_json_is_taken(serve: Callable[..., Client]) -> None:
    planned = tfplugin6.DynamicValue(json=b'{"id": "1"}')
    result = tfplugin6.DynamicValue(json=b'"Ada"')
    client = serve(
        PlanResourceChange=lambda _: tfplugin6.PlanResourceChange.Response(planned_state=planned),
        CallFunction=lambda _: tfplugin6.CallFunction.Response(result=result),
    )
    assert client.plan(Thing()).planned == Thing(id="1")
    assert client.call(name) == "Ada"


def test_what_is_not_there_is_null(serve: Callable[..., Client]) -> None:
    client = serve(
        PlanResourceChange=lambda _: b"",
        CallFunction=lambda _: b"",
        ReadDataSource=lambda _: b"",
    )
    assert client.plan(Thing()).planned is None
    with pytest.raises(DecodeError):
        client.call(name)
    with pytest.raises(PluginError, match="look: the provider returned no value"):
        client.read_data(Look())


def test_destruction_is_planned_by_who_can(serve: Callable[..., Client]) -> None:
    state = State(Thing(id="1"), b"private")
    plan = serve().plan(None, state)
    assert (plan.planned, plan.private) == (None, b"private")


def test_values_of_another_schema(serve: Callable[..., Client]) -> None:
    planned = tfplugin6.DynamicValue(msgpack=b"\x81\xa1x\xc0")
    client = serve(
        PlanResourceChange=lambda _: tfplugin6.PlanResourceChange.Response(planned_state=planned)
    )
    with pytest.raises(DecodeError):
        client.plan(Thing())
