"""All calls, to a provider in this process and in both majors of the protocol."""

import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.provider.client.harbour import (
    RENEWAL,
    Harbour,
    HarbourConfig,
    Mooring,
    Permit,
    Ship,
    ShipIdentity,
    Tide,
    greet,
)
from tofutypes import (
    UNKNOWN,
    Attr,
    DecodeError,
    EncodeError,
    Resource,
    SchemaError,
    function,
    schema_of,
)
from tofutypes.errors import AttributeStep, IndexStep
from tofutypes.errors import Path as ValuePath
from tofutypes.provider import DeferredReason
from tofutypes.provider.client import ApplyError, Client, Imported, Opened, Plan, State, host
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError, ProviderError, Severity


@pytest.fixture(params=[5, 6])
def major(request: pytest.FixtureRequest) -> int:
    chosen: int = request.param
    return chosen


@pytest.fixture
def client(major: int) -> Iterator[Client]:
    with host(Harbour, major) as client:
        yield client


def summaries(diagnostics: object) -> list[str]:
    assert isinstance(diagnostics, tuple | list)
    return [each.summary for each in diagnostics if isinstance(each, Diagnostic)]


def created(client: Client, **said: object) -> State[Ship]:
    return client.apply(client.plan(Ship.model_validate({"name": "Ada", **said})))


def test_schema(client: Client) -> None:
    schema = client.schema
    assert client.schema is schema
    assert schema.provider == schema_of(HarbourConfig)
    assert schema.resources == {"harbour_ship": schema_of(Ship)}
    assert schema.identities == {"harbour_ship": schema_of(ShipIdentity)}
    assert schema.data_sources == {"harbour_tide": schema_of(Tide)}
    assert schema.ephemeral_resources == {"harbour_permit": schema_of(Permit)}
    assert schema.functions == {"greet": greet.schema}


def test_configure(client: Client) -> None:
    assert summaries(client.configure(HarbourConfig(flag="red")).diagnostics) == [
        "red under 1.13.0"
    ]
    assert summaries(client.configure().diagnostics) == ["None under 1.13.0"]


def test_validate(client: Client) -> None:
    assert client.validate(Ship(name="Ada")).diagnostics == ()
    assert client.validate(HarbourConfig()).diagnostics == ()
    assert client.validate(Tide(day="today")).diagnostics == ()
    assert client.validate(Permit(ship="Ada")).diagnostics == ()
    (warning,) = client.validate(Ship(name=UNKNOWN, length=0)).diagnostics
    assert str(warning) == "warning: A short ship (length)"
    with pytest.raises(ProviderError) as refused:
        client.validate(Ship(name=""))
    assert str(refused.value) == "error: No name (name)"


def test_the_life_of_an_object(client: Client) -> None:
    config = Ship(name="Ada", code="1234", mooring=[Mooring(place="A1")])
    plan = client.plan(config)
    assert (plan.config, plan.prior, plan.model) == (config, State(None), Ship)
    assert plan.planned == Ship(
        id=UNKNOWN, name="Ada", length=UNKNOWN, mooring=[Mooring(place="A1")]
    )
    assert (plan.private, plan.requires_replace, plan.deferred) == (b"planned", (), None)

    state = client.apply(plan)
    assert state.value == Ship(id="s1", name="Ada", length=10, mooring=[Mooring(place="A1")])
    assert (state.private, state.identity) == (b"1234", {"id": "s1"})

    state = client.read(state)
    assert (state.private, state.identity) == (b"1234+read", {"id": "s1"})

    plan = client.plan(Ship(name="Ada", length=11), state)
    assert plan.planned == Ship(id="s1", name="Ada", length=11)
    assert (plan.prior, plan.requires_replace) == (state, ())
    state = client.apply(plan)
    assert state.value == Ship(id="s1", name="Ada", length=11)

    plan = client.plan(None, state)
    assert (plan.config, plan.planned, plan.model) == (None, None, Ship)
    assert client.apply(plan).value is None


def test_what_nothing_changes_keeps_its_values(client: Client) -> None:
    """The proposed new state has the prior values of what the configuration does not set."""
    state = created(client)
    assert client.plan(Ship(name="Ada"), state).planned == state.value


def test_what_makes_a_new_object_necessary(client: Client) -> None:
    plan = client.plan(Ship(name="Grace"), created(client))
    assert plan.requires_replace == (ValuePath((AttributeStep("name"),)),)


def test_a_failed_apply_tells_what_there_is(client: Client) -> None:
    with pytest.raises(ApplyError) as failed:
        client.apply(client.plan(Ship(name="sinks")))
    for error in (failed.value, pickle.loads(pickle.dumps(failed.value))):
        assert str(error) == "error: It sank: Right after the launch."
        assert error.state.value == Ship(id="s1", name="sinks", length=10)


def test_deferral(major: int) -> None:
    with listening(HandlerService(Harbour()), major, {}) as (server, handshake):
        connection = Connection(open_channel(handshake.listens_on), protocol_of(major))
        with Client(connection, deferral_allowed=True) as client:
            plan = client.plan(Ship(name="later"))
        server.stop()
    assert plan.deferred is DeferredReason.ABSENT_PREREQUISITE


def test_hosts_leave_nothing(major: int) -> None:
    before = {each.name for each in threading.enumerate()}
    with host(Harbour(), major) as client:
        client.validate(Ship(name="Ada"))
    client.close()
    assert {each.name for each in threading.enumerate()} <= before


def test_an_object_that_is_gone(client: Client) -> None:
    state = client.read(State(Ship(id="1", name="gone", length=1)))
    assert state.value is None
    assert client.read(state) is state


def test_nothing_to_plan(client: Client) -> None:
    with pytest.raises(PluginError, match="expected a configuration or a prior state"):
        client.plan(None, State(None))


@pytest.mark.parametrize("wanted", ["s7", ShipIdentity(id="s7"), {"id": "s7"}])
def test_import(client: Client, wanted: str | ShipIdentity | dict[str, object]) -> None:
    (imported,) = client.import_state(Ship, wanted)
    assert imported.type_name == "harbour_ship"
    assert imported.value["name"] == "found"
    assert imported.identity == {"id": "s7"}
    assert summaries(imported.diagnostics) == ["Found in the books"]
    assert client.read(imported).value == Ship(id="s7", name="found", length=1)


def test_what_was_imported_as_another_type(client: Client) -> None:
    other = Imported(Ship, "harbour_boat", {})
    with pytest.raises(PluginError, match="expected an imported harbour_ship, got a harbour_boat"):
        client.read(other)


@pytest.mark.parametrize("stored", ['{"called": "Ada"}', b'{"called":"Ada"}', {"called": "Ada"}])
def test_upgrade(client: Client, stored: str | bytes | dict[str, object]) -> None:
    upgraded = client.upgrade(Ship, stored, 1)
    assert upgraded.value == Ship(id="s1", name="Ada of 1", length=1)
    assert summaries(upgraded.diagnostics) == ["An old book"]


def test_move(client: Client) -> None:
    state = client.move(Ship, {}, provider="a/b/c", type="c_boat", version=4, private=b"p")
    assert state.value == Ship(id="a/b/c", name="c_boat", length=4)
    assert (state.private, state.identity) == (b"p", {"id": "a/b/c"})


def test_data(client: Client) -> None:
    tide = client.read_data(Tide(day="today"))
    assert (tide.value.day, tide.value.height) == ("today", 3)
    assert summaries(tide.diagnostics) == ["Only a forecast"]


def test_ephemeral(client: Client) -> None:
    opened = client.open_ephemeral(Permit(ship="Ada"))
    assert opened.value == Permit(ship="Ada", token="secret")
    assert (opened.private, opened.renew_at) == (b"first", RENEWAL)
    with pytest.raises(ProviderError, match="Not renewed"):
        client.close_ephemeral(opened)
    renewed = client.renew_ephemeral(opened)
    assert renewed.value is opened.value
    assert (renewed.private, renewed.renew_at) == (b"first+second", None)
    assert summaries(client.close_ephemeral(renewed).diagnostics) == ["Closed"]


def test_functions(client: Client) -> None:
    assert client.call(greet, "Ada") == "hello, Ada"
    assert client.call(greet, None, "Grace") == "hello, you, Grace"
    with pytest.raises(ProviderError) as refused:
        client.call(greet, "Ada", "Grace", "nobody")
    (told,) = refused.value.diagnostics
    assert (told.summary, told.path) == ("There is nobody", ValuePath((IndexStep(2),)))
    with pytest.raises(EncodeError, match="expected a string"):
        client.call(greet, 3)  # type: ignore[arg-type]


def test_a_function_that_is_not_there(client: Client) -> None:
    @function()
    def leave() -> str:
        raise NotImplementedError

    with pytest.raises(ProviderError, match="There is no function leave"):
        client.call(leave)


def test_stop(client: Client) -> None:
    client.stop()
    assert created(client).value is not None


def test_classes_that_the_provider_does_not_have(client: Client) -> None:
    class Boat(Resource, type_name="harbour_boat"):
        id: Attr[str | None] = Attr(computed=True, default=None)

    class Nameless(Resource):
        id: Attr[str | None] = Attr(computed=True, default=None)

    with pytest.raises(PluginError, match="the provider has no resource harbour_boat"):
        client.plan(Boat())
    with pytest.raises(SchemaError, match="Nameless has no type name"):
        client.validate(Nameless())
    with pytest.raises(PluginError, match=r"^cannot validate a number$"):
        client.validate(3)  # type: ignore[arg-type]  # wrong on purpose


def test_classes_of_another_schema(client: Client) -> None:
    class OtherShip(Resource, type_name="harbour_ship"):
        id: Attr[str | None] = Attr(computed=True, default=None)
        name: Attr[str] = Attr(required=True)

    with pytest.raises((EncodeError, DecodeError, ProviderError)):
        client.plan(OtherShip(name="Ada"))


def test_many_threads(client: Client) -> None:
    start = threading.Barrier(20)

    def live(number: int) -> bool:
        start.wait()
        state = created(client, name=f"ship {number}", length=number)
        plan: Plan[Ship] = client.plan(None, state)
        return state.value is not None and client.apply(plan).value is None

    with ThreadPoolExecutor(20) as threads:
        assert all(threads.map(live, range(20)))


def test_private_bytes_and_raw_values_are_in_no_repr() -> None:
    ship = Ship(name="Ada", length=3)
    state = State(ship, b"canary")
    plan = Plan(Ship, ship, state, ship, private=b"canary")
    imported = Imported(Ship, "c_ship", {"name": "canary"}, b"canary")
    opened = Opened(Permit(ship="Ada"), b"canary")
    error = Diagnostic(Severity.ERROR, "No")
    for holder in (state, plan, imported, opened, ApplyError.after([error], state)):
        assert "canary" not in repr(holder)
        assert "canary" not in str(holder)
    assert ApplyError.after([error], state).state.private == b"canary"
