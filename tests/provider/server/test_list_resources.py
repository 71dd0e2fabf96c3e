"""List resources: what is yielded, limits, warnings, and callers that go away."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest

from tests.provider.server.boxes import Box, BoxFilter, BoxIdentity, Code, Toy, Workshop
from tofutypes import UNKNOWN, ListResource
from tofutypes.provider import ListContext, Listed, ListHandler, ProviderError, ValidateListContext
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.requests import (
    ListResourceRequest,
    ValidateListResourceConfigRequest,
)
from tofutypes.provider.service.responses import ListResourceEvent
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.wire_value import WireValue

Make = Callable[..., ProviderService]

PATIENCE = 10.0

ASK = ListResourceRequest("toy_box", WireValue.of(BoxFilter()))


@pytest.fixture(params=["here", 5, 6])
def service(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes the service of a provider: in this process, and over both versions of the protocol."""
    with ExitStack() as stack:

        def make(**code: Code) -> ProviderService:
            own = HandlerService(Workshop(**code))
            if request.param == "here":
                stack.callback(own.close)
                return own
            server, handshake = stack.enter_context(listening(own, request.param, {}))
            stack.callback(server.stop, PATIENCE)
            connection = Connection(open_channel(handshake.listens_on), protocol_of(request.param))
            stack.callback(connection.close)
            return remote_service(connection)

        yield make


def box(number: int) -> Box:
    return Box(name=f"box {number}", id=f"box-{number}", serial=7, color="red")


def identity(number: int) -> BoxIdentity:
    return BoxIdentity(id=f"box-{number}")


def told(event: ListResourceEvent) -> list[str]:
    return list(map(str, event.diagnostics))


def test_it_is_in_the_schema(service: Make) -> None:
    provider = service()
    schema = provider.get_provider_schema().schema
    assert schema is not None
    assert list(schema.list_resources) == ["toy_box"]
    assert list(schema.list_resources["toy_box"].block.attributes) == ["prefix"]
    assert provider.get_metadata().list_resources == ("toy_box",)


def test_identities(service: Make) -> None:
    def found(config: BoxFilter, _: ListContext) -> Iterator[Listed[Box]]:
        yield Listed(f"{config.prefix} 1", identity(1))
        yield Listed("two", resource=box(2))

    config = WireValue.of(BoxFilter(prefix="a"))
    events = list(service(list=found).list_resource(ASK._replace(config=config)))
    assert events == [
        ListResourceEvent(WireValue.of(identity(1)), "a 1"),
        ListResourceEvent(WireValue.of(identity(2)), "two"),
    ]


def test_objects_that_are_wanted(service: Make) -> None:
    def found(_: BoxFilter, context: ListContext) -> Iterator[Listed[Box]]:
        secret = box(1)
        secret.once = "swordfish"
        yield Listed(str(context.include_resource), resource=secret)
        yield Listed("two", identity(2))

    ask = ASK._replace(include_resource_object=True)
    one, two = service(list=found).list_resource(ask)
    assert one == ListResourceEvent(WireValue.of(identity(1)), "True", WireValue.of(box(1)))
    assert (two.identity, two.resource_object) == (WireValue.of(identity(2)), None)
    assert told(two) == ["warning: The object itself is missing: BoxList listed its identity only."]


def some(*_: object) -> list[Listed[Box]]:
    return [Listed(f"box {number}", identity(number)) for number in range(3)]


async def some_later(*_: object) -> list[Listed[Box]]:
    return some()


async def some_by_and_by(*_: object) -> AsyncIterator[Listed[Box]]:
    for listed in some():
        yield listed


@pytest.mark.parametrize("code", [some, some_later, some_by_and_by])
@pytest.mark.parametrize(("limit", "count"), [(0, 3), (2, 2), (3, 3), (4, 3)])
def test_limits(service: Make, code: Code, limit: int, count: int) -> None:
    events = list(service(list=code).list_resource(ASK._replace(limit=limit)))
    assert [event.display_name for event in events] == ["box 0", "box 1", "box 2"][:count]


def test_a_limit_as_the_handler_sees_it(service: Make) -> None:
    limits: list[int | None] = []

    def found(_: BoxFilter, context: ListContext) -> list[Listed[Box]]:
        limits.append(context.limit)
        return []

    provider = service(list=found)
    assert not list(provider.list_resource(ASK))
    assert not list(provider.list_resource(ASK._replace(limit=5)))
    assert limits == [None, 5]


@pytest.mark.parametrize("later", [False, True])
def test_what_is_behind_the_limit_is_not_made(service: Make, later: bool) -> None:
    seen: list[str] = []

    def endless(*_: object) -> Iterator[Listed[Box]]:
        try:
            while True:
                seen.append("made")
                yield Listed("box", identity(1))
        finally:
            seen.append("closed")

    async def endless_later(*_: object) -> AsyncIterator[Listed[Box]]:
        try:
            while True:
                seen.append("made")
                yield Listed("box", identity(1))
        finally:
            seen.append("closed")

    code: Code = endless_later if later else endless
    assert len(list(service(list=code).list_resource(ASK._replace(limit=2)))) == 2
    assert seen == ["made", "made", "closed"]


def test_warnings_go_with_the_next_object(service: Make) -> None:
    def found(_: BoxFilter, context: ListContext) -> Iterator[Listed[Box]]:
        yield Listed("one", identity(1))
        context.warn("A page is slow")
        yield Listed("two", identity(2))
        context.warn("A page is missing")

    one, two, end = service(list=found).list_resource(ASK)
    assert told(one) == []
    assert (two.display_name, told(two)) == ("two", ["warning: A page is slow"])
    assert (end.identity, told(end)) == (None, ["warning: A page is missing"])


@pytest.mark.parametrize("later", [False, True])
def test_an_error_ends_the_list(service: Make, later: bool) -> None:
    def found(*_: object) -> Iterator[Listed[Box]]:
        yield Listed("one", identity(1))
        raise ProviderError("The page is gone", path="prefix")

    async def found_later(*_: object) -> AsyncIterator[Listed[Box]]:
        yield Listed("one", identity(1))
        raise ProviderError("The page is gone", path="prefix")

    one, end = service(list=found_later if later else found).list_resource(ASK)
    assert one.display_name == "one"
    assert told(end) == ["error: The page is gone (prefix)"]


WRONG: Any = BoxFilter()
BUG = "error: The provider is at fault: BoxList.list_objects "


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "must return an iterable of Listed, but returned null."),
        (["box"], "must yield Listed, but yielded a string."),
        ([None], "must yield Listed, but yielded null."),
        ([Listed("box")], "yielded neither an identity nor a resource."),
        ([Listed("box", WRONG)], "must identify by BoxIdentity, got a BoxFilter."),
        ([Listed("box", BoxIdentity(id=UNKNOWN))], "yielded BoxIdentity with unknown values."),
        ([Listed("box", resource=WRONG)], "must list Box, but listed a BoxFilter."),
        ([Listed("box", identity(1), Box(name=UNKNOWN))], "yielded Box with unknown values."),
        ([Listed(cast("str", 1), identity(1))], "expects display names, got a number."),
    ],
)
def test_mistakes_of_the_author(service: Make, returned: object, message: str) -> None:
    (end,) = service(list=lambda *_: returned).list_resource(ASK)
    assert told(end) == [BUG + message]
    assert end.identity is None


def test_a_failure(service: Make) -> None:
    def found(*_: object) -> Iterator[Listed[Box]]:
        yield Listed("one", identity(1))
        raise ValueError("swordfish")

    _, end = service(list=found).list_resource(ASK)
    assert "ValueError in the listing of toy_box" in str(end.diagnostics)
    assert "swordfish" not in str(end.diagnostics)


def test_a_cleanup_that_fails(service: Make, caplog: pytest.LogCaptureFixture) -> None:
    def found(*_: object) -> Iterator[Listed[Box]]:
        try:
            yield Listed("one", identity(1))
        finally:
            raise ProviderError("The connection cannot be closed")

    (one,) = service(list=found).list_resource(ASK._replace(limit=1))
    assert told(one) == []
    assert "The connection cannot be closed" in caplog.text


def test_configurations(service: Make) -> None:
    configs: list[BoxFilter] = []

    def found(config: BoxFilter, _: ListContext) -> list[Listed[Box]]:
        configs.append(config)
        return []

    provider = service(list=found)
    # Terraform sends null if there is no `config` block.
    assert not list(provider.list_resource(ListResourceRequest("toy_box")))
    assert configs == [BoxFilter()]
    unknown = WireValue.of(BoxFilter(prefix=UNKNOWN))
    (end,) = provider.list_resource(ListResourceRequest("toy_box", unknown))
    assert told(end) == ["error: The configuration of toy_box has unknown values"]


def test_a_list_without_settings() -> None:
    class AllBoxes(ListHandler[Box, Toy]):
        def list_objects(self, config: ListResource, context: ListContext) -> list[Listed[Box]]:
            return [Listed(type(config).__name__, identity(1))]

    class Hall(Toy):
        list_resources = (AllBoxes,)

    service = HandlerService(Hall())
    schema = service.get_provider_schema().schema
    assert schema is not None
    assert not schema.list_resources["toy_box"].block.attributes
    assert schema.list_resources["toy_box"].block.description == "Lists objects of toy_box."
    for nothing in (WireValue(), WireValue(b"\x80")):
        (event,) = service.list_resource(ASK._replace(config=nothing))
        assert event.identity == WireValue.of(identity(1))


def test_validation(service: Make) -> None:
    seen: list[object] = []

    def validate(config: BoxFilter, context: ValidateListContext) -> None:
        seen.append((config.prefix, context.limit, context.include_resource))
        if config.prefix == "":
            context.error("The prefix is empty", path="prefix")

    provider = service(validate_list=validate)

    def found(config: WireValue, **more: WireValue) -> list[str]:
        request = ValidateListResourceConfigRequest("toy_box", config, **more)
        try:
            diagnostics = provider.validate_list_resource_config(request).diagnostics
        except ProviderError as error:  # what stands before a service makes a response of it
            diagnostics = tuple(error.diagnostics)
        return list(map(str, diagnostics))

    assert found(WireValue.of(BoxFilter(prefix=""))) == ["error: The prefix is empty (prefix)"]
    assert found(WireValue()) == []
    assert (
        found(WireValue(), limit=WireValue(b"\x05"), include_resource_object=WireValue(b"\xc3"))
        == []
    )
    assert found(WireValue(), limit=WireValue(b"\xd4\x00\x00")) == []
    assert seen == [("", None, None), (None, None, None), (None, 5, True), (None, UNKNOWN, None)]
    assert found(WireValue(), limit=WireValue(json=b'"x"'))[0].startswith("error: Invalid value")
    assert found(WireValue(), limit=WireValue(json=b"1.5"))[0].startswith("error: Invalid value")


def test_nothing_is_made_that_nobody_reads(service: Make) -> None:
    made: list[int] = []
    ended = threading.Event()

    def endless(_: BoxFilter, context: ListContext) -> Iterator[Listed[Box]]:
        try:
            while not context.stopping.is_set():
                made.append(len(made))
                yield Listed("x" * 100_000, identity(1))
        finally:
            ended.set()

    events = service(list=endless).list_resource(ASK)
    next(events)
    time.sleep(0.3)  # time to make thousands
    assert len(made) < 200
    events.close()  # type: ignore[attr-defined]  # streams have it
    if isinstance(events, Iterator):
        del events
    assert ended.wait(PATIENCE)


def test_the_user_interrupts(service: Make) -> None:
    def slow(_: BoxFilter, context: ListContext) -> Iterator[Listed[Box]]:
        yield Listed("one", identity(1))
        assert context.stopping.wait(PATIENCE)
        raise ProviderError("Interrupted")

    provider = service(list=slow)
    events = provider.list_resource(ASK)
    assert next(events).display_name == "one"
    provider.stop_provider()
    assert [told(event) for event in events] == [["error: Interrupted"]]
