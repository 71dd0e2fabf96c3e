"""Which part answers which call, and what the parts answer together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.provider.mux.fakes import CAPABLE, Fake, joined
from tofutypes.provider import Diagnostic, PluginError, ProviderError, Severity
from tofutypes.provider.client import UnsupportedCallError
from tofutypes.provider.mux.kinds import KINDS
from tofutypes.provider.mux.service import MuxService
from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.wire_value import NULL, WireValue
from tofutypes.schema import Block, Function, IdentitySchema, ProviderSchema, Schema
from tofutypes.types import STRING

TO_ALL = {
    "get_metadata",
    "get_provider_schema",
    "get_resource_identity_schemas",
    "get_functions",
    "validate_provider_config",
    "configure_provider",
    "stop_provider",
    "close",
}
TO_ONE = sorted({name for name in vars(ProviderService) if not name.startswith("_")} - TO_ALL)
END = "It is a part of this provider, and is not started again."
FIELDS = {
    "move_resource_state": "target_type_name",
    "call_function": "name",
    "plan_action": "action_type",
    "invoke_action": "action_type",
}
KIND_OF = {"data": "data_sources", "ephemeral": "ephemeral_resources", "list": "list_resources"}


def kind_of(method: str) -> str:
    for word, kind in {**KIND_OF, "action": "actions", "function": "functions"}.items():
        if word in method and method != "list_resources":
            return kind
    is_store = any(word in method for word in ("store", "bytes", "lock_", "get_states", "delete_"))
    return "state_stores" if is_store else "resources"


def having(kind: str, *names: str) -> responses.MetadataResponse:
    return with_names({kind: names})


def with_names(names: Mapping[str, Sequence[str]]) -> responses.MetadataResponse:
    kinds: dict[str, Any] = {kind: tuple(named) for kind, named in names.items()}
    return responses.MetadataResponse(CAPABLE, **kinds)


class Request:
    """A request about `x`, whatever the field with the name is called."""

    proposed_new_state = WireValue(b"\x80")

    def __init__(self, field: str) -> None:
        setattr(self, field, "x")


@pytest.mark.parametrize("method", TO_ONE)
def test_a_call_goes_to_the_part_that_has_the_name(method: str) -> None:
    """The other part has the same name of every other kind."""
    kind = kind_of(method)
    other = Fake(with_names({each: ["x"] for each in KINDS if each != kind}))
    owner = Fake(having(kind, "x"))
    service = joined(other, owner)
    if method == "write_state_bytes":
        chunks = [
            state_requests.StateChunk(state_requests.StateRequest("x")),
            state_requests.StateChunk(data=b"y"),
        ]
        written: object = service.write_state_bytes(iter(chunks))
        assert written == f"answer to {method}"
        assert list(owner.calls[-1][1]) == chunks
    else:
        request = Request(FIELDS.get(method, "type_name"))
        for _ in range(2):
            assert getattr(service, method)(request) == f"answer to {method}"
        assert owner.calls == [("get_metadata",), (method, request), (method, request)]
    assert [call[0] for call in other.calls] == ["get_metadata"]


@pytest.mark.parametrize("method", [each for each in TO_ONE if each != "write_state_bytes"])
def test_a_name_that_no_part_has(method: str) -> None:
    with pytest.raises(ProviderError, match="The provider has no x"):
        getattr(joined(Fake(), Fake()), method)(Request(FIELDS.get(method, "type_name")))


def test_a_state_without_a_name() -> None:
    with pytest.raises(ProviderError, match="no type without a name"):
        joined(Fake()).write_state_bytes(iter([state_requests.StateChunk()]))
    with pytest.raises(ProviderError, match="no type without a name"):
        joined(Fake()).write_state_bytes(iter([]))


def test_an_unknown_method() -> None:
    with pytest.raises(AttributeError):
        _ = joined(Fake()).unheard_of  # type: ignore[attr-defined]


def test_names_that_two_parts_have_are_told_at_once() -> None:
    both = with_names({"resources": ["toy_box"], "data_sources": ["toy_shelf"]})
    service = joined(Fake(both), Fake(both), Fake(having("resources", "toy_box")))
    with pytest.raises(ProviderError) as caught:
        service.get_provider_schema()
    assert str(caught.value) == (
        "error: The parts of the provider do not fit together: "
        "toy_box: 3 parts have this resource: A and B and C\n"
        "toy_shelf: two parts have this data source: A and B\n"
        "If one of them takes the place of the other, name it in `without` of the executable: "
        'without=["toy_box"]'
    )
    with pytest.raises(ProviderError, match="do not fit together"):
        service.read_resource(requests.ReadResourceRequest("toy_box"))


def test_what_another_part_takes_over() -> None:
    old = Fake(with_names({kind: ["x", "y"] for kind in KINDS}))
    new = Fake(with_names({kind: ["x"] for kind in KINDS}))
    without = [f"{prefix}x" for _, prefix in KINDS.values()]
    service = MuxService([new.part("New"), old.part("old", *without)]).service
    metadata = service.get_metadata()
    assert [getattr(metadata, kind) for kind in KINDS] == [("x", "y")] * len(KINDS)
    service.read_resource(requests.ReadResourceRequest("x"))
    service.read_data_source(requests.ReadDataSourceRequest("y"))
    assert [call[0] for call in new.calls] == ["get_metadata", "read_resource"]
    assert [call[0] for call in old.calls] == ["get_metadata", "read_data_source"]


def test_names_that_a_part_does_not_have() -> None:
    part = Fake(having("resources", "toy_box")).part("old", "toy_bux", "data.toy_box")
    with pytest.raises(ProviderError) as caught:
        MuxService([part]).get_metadata()
    assert str(caught.value) == (
        "error: The parts of the provider do not fit together: "
        'without: old has no data.toy_box; did you mean "toy_box"?\n'
        'without: old has no toy_bux; did you mean "toy_box"?'
    )


def test_schemas_functions_and_identities_are_merged() -> None:
    def fake(name: str) -> Fake:
        schema, function = Schema(Block(description=name)), Function(STRING, summary=name)
        kinds = {kind: {"x": schema, name: schema} for kind in KINDS if kind != "functions"}
        functions = {"x": function, name: function}
        identities = {"x": IdentitySchema(version=len(name)), name: IdentitySchema()}
        return Fake(
            with_names({kind: ["x", name] for kind in KINDS}),
            {
                "get_provider_schema": responses.ProviderSchemaResponse(
                    ProviderSchema(**kinds, functions=functions)  # type: ignore[arg-type]
                ),
                "get_functions": responses.FunctionsResponse(functions),
                "get_resource_identity_schemas": responses.IdentitySchemasResponse(identities),
            },
        )

    without = [f"{prefix}x" for _, prefix in KINDS.values()]
    service = MuxService([fake("new").part("New"), fake("older").part("old", *without)]).service
    schema = service.get_provider_schema().schema
    assert schema is not None
    for kind in KINDS:
        merged = getattr(schema, kind)
        assert sorted(merged) == ["new", "older", "x"]
        assert merged["x"] == merged["new"]
    functions = service.get_functions().functions
    assert (sorted(functions), functions["x"].summary) == (["new", "older", "x"], "new")
    identities = service.get_resource_identity_schemas().identity_schemas
    assert (sorted(identities), identities["x"].version) == (["new", "older", "x"], 3)


def test_a_part_that_cannot_tell_its_schema() -> None:
    problem = Diagnostic(Severity.ERROR, "broken")
    broken = Fake(
        answers={
            "get_provider_schema": responses.ProviderSchemaResponse(None, diagnostics=(problem,))
        }
    )
    answer = joined(Fake(), broken).get_provider_schema()
    assert (answer.schema, answer.diagnostics) == (None, (problem,))


def test_parts_without_the_late_calls() -> None:
    """Those that list names, functions and identities came with protocol 5.5, 5.9 and so on."""
    missing = UnsupportedCallError("no")
    schema = ProviderSchema(resources={"x": Schema(Block())}, functions={"f": Function(STRING)})
    old = Fake(
        answers={
            "get_metadata": missing,
            "get_functions": missing,
            "get_resource_identity_schemas": missing,
            "get_provider_schema": responses.ProviderSchemaResponse(schema),
        }
    )
    service = joined(old)
    assert service.get_metadata().resources == ("x",)
    assert list(service.get_functions().functions) == ["f"]
    assert service.get_resource_identity_schemas().identity_schemas == {}
    read: object = service.read_resource(requests.ReadResourceRequest("x"))
    called: object = service.call_function(requests.CallFunctionRequest("f"))
    assert (read, called) == ("answer to read_resource", "answer to call_function")


@pytest.mark.parametrize("method", ["validate_provider_config", "configure_provider"])
def test_the_configuration_goes_to_all_parts(method: str) -> None:
    same, other = Diagnostic(Severity.ERROR, "same"), Diagnostic(Severity.WARNING, "other")
    request = requests.ConfigureProviderRequest(WireValue(b"\x81\xa1a\xc0"), "1.2.3")
    first = Fake(answers={method: responses.DiagnosticsResponse((same,))})
    second = Fake(answers={method: responses.DiagnosticsResponse((other, same))})
    dead = Fake(answers={method: PluginError("gone")})
    service = MuxService(
        [first.part("A", takes_config=False), dead.part("B"), second.part("C")]
    ).service
    diagnostics = getattr(service, method)(request).diagnostics
    assert diagnostics == (
        same,
        Diagnostic(Severity.ERROR, "B cannot answer", f"gone. {END}"),
        other,
    )
    assert second.calls == dead.calls == [(method, request)]
    assert first.calls == [(method, request._replace(config=WireValue(b"\x80")))]


def test_all_parts_stop_and_end() -> None:
    failing = Fake(answers={"stop_provider": PluginError("gone"), "close": PluginError("gone")})
    refusing = Fake(answers={"stop_provider": responses.StopProviderResponse("not now")})
    last = Fake()
    service = joined(refusing, failing, last)
    assert service.stop_provider().error == f"not now\nerror: B cannot answer: gone. {END}"
    with pytest.raises(PluginError):
        service.close()
    for fake in (refusing, failing, last):
        assert [call[0] for call in fake.calls] == ["stop_provider", "close"]


@pytest.mark.parametrize(
    ("call", "failure"),
    [
        (UnsupportedCallError("ReadResource: no such call"), "ReadResource: no such call."),
        (PluginError("ReadResource: the provider ended"), "ReadResource: the provider ended."),
    ],
)
def test_a_part_that_cannot_answer(call: Exception, failure: str) -> None:
    service = joined(Fake(having("resources", "x"), {"read_resource": call}))
    with pytest.raises(ProviderError) as caught:
        service.read_resource(requests.ReadResourceRequest("x"))
    assert str(caught.value) == f"error: A cannot answer: {failure} {END}"


def test_a_stream_that_ends_early() -> None:
    class Stream:
        closed = False

        def __iter__(self) -> Stream:
            return self

        def __next__(self) -> responses.ListResourceEvent:
            raise PluginError("ListResource: the provider ended")

        def close(self) -> None:
            self.closed = True

    stream = Stream()
    service = joined(Fake(having("list_resources", "x"), {"list_resource": stream}))
    events: Any = service.list_resource(requests.ListResourceRequest("x"))
    with pytest.raises(ProviderError, match="A cannot answer: ListResource: the provider ended"):
        list(events)
    assert not stream.closed
    events.close()
    assert stream.closed


def test_deletions_are_planned_for_parts_that_cannot() -> None:
    """As Core does for providers that cannot."""
    unable = Fake(responses.MetadataResponse(resources=("x",)))
    service = joined(unable, Fake(having("resources", "y")))
    request = requests.PlanResourceChangeRequest("x", WireValue(b"\x80"), NULL, NULL, b"private")
    assert service.plan_resource_change(request) == responses.PlanResourceChangeResponse(
        planned_state=NULL, planned_private=b"private"
    )
    assert [call[0] for call in unable.calls] == ["get_metadata"]
    update = request._replace(proposed_new_state=WireValue(b"\x80"))
    for planned in (request._replace(type_name="y"), update):
        answer: object = service.plan_resource_change(planned)
        assert answer == "answer to plan_resource_change"


def test_capabilities() -> None:
    able, unable = having("resources", "x"), responses.MetadataResponse(resources=("y",))
    both = joined(Fake(able), Fake(unable)).get_metadata().server_capabilities
    assert both == responses.ServerCapabilities(plan_destroy=True, move_resource_state=True)
    assert joined(Fake(able), Fake()).get_metadata().server_capabilities == CAPABLE
    assert joined(Fake(able), Fake()).get_provider_schema().server_capabilities == CAPABLE
    without = responses.MetadataResponse(CAPABLE._replace(generate_resource_config=False))
    assert joined(Fake(able), Fake(without)).get_metadata().server_capabilities == CAPABLE


def test_errors_with_the_names_of_a_part() -> None:
    """A part that reports errors beside incomplete names says why a name is not there."""
    problem = Diagnostic(Severity.ERROR, "two resources have one name")
    service = joined(Fake(), Fake(responses.MetadataResponse(CAPABLE, (problem,))))
    assert service.get_metadata().diagnostics == (problem,)
    with pytest.raises(ProviderError, match="two resources have one name"):
        service.read_resource(requests.ReadResourceRequest("x"))
