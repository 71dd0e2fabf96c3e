"""State of objects: reading it anew, importing, upgrading and moving it.

Source: the protocol, `ReadResource`, `ImportResourceState`, `UpgradeResourceState`,
`MoveResourceState` and `UpgradeResourceIdentity`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tofutypes.errors import DecodeError
from tofutypes.models import Model, Resource
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.dynamic_value import NULL, write_value
from tofutypes.provider.proto.tfplugin6_pb2 import (
    DynamicValue,
    ImportResourceState,
    MoveResourceState,
    ReadResource,
    ResourceIdentityData,
    UpgradeResourceIdentity,
    UpgradeResourceState,
)
from tofutypes.provider.server.context import Context, DeferralError
from tofutypes.provider.server.handlers import MovedState
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.stored_state import StoredState


def read(endpoint: ResourceEndpoint, request: ReadResource.Request) -> ReadResource.Response:
    """The state of an object as it is now."""
    answer = ReadResource.Response(private=request.private)
    context = Context(
        endpoint.stopping,
        private=request.private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    answer.new_identity.CopyFrom(request.current_identity)
    with reporting(answer, f"reading of {endpoint.name}", context, endpoint.parts):
        context.identity = endpoint.identity(request.current_identity)
        state = endpoint.must_read(request.current_state, "state")
        try:
            found = endpoint.run(endpoint.handler.read(state, context))
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
            found = state
        answer.private = context.private_data()
        if found is None:
            answer.new_state.CopyFrom(DynamicValue(msgpack=NULL))
            return answer
        kept = _known(endpoint, found, "read")
        answer.new_state.CopyFrom(write_value(kept))
        _identify(endpoint, kept, answer.new_identity)
    return answer


def import_state(
    endpoint: ResourceEndpoint, request: ImportResourceState.Request
) -> ImportResourceState.Response:
    """The state of an object that exists already."""
    answer = ImportResourceState.Response()
    context = Context(
        endpoint.stopping, deferral_allowed=request.client_capabilities.deferral_allowed
    )
    with reporting(answer, f"import of {endpoint.name}", context, endpoint.parts):
        context.identity = endpoint.identity(request.identity)
        wanted = request.id if context.identity is None else context.identity
        try:
            state = _known(
                endpoint,
                endpoint.run(endpoint.handler.import_state(wanted, context)),
                "import_state",
            )
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
            return answer
        imported = answer.imported_resources.add(
            type_name=endpoint.name, state=write_value(state), private=context.private_data()
        )
        _identify(endpoint, state, imported.identity)
    return answer


def upgrade(
    endpoint: ResourceEndpoint, request: UpgradeResourceState.Request
) -> UpgradeResourceState.Response:
    """State of the current schema version, of what was stored with any."""
    answer = UpgradeResourceState.Response()
    context = Context(endpoint.stopping)
    with reporting(answer, f"upgrade of {endpoint.name}", context, endpoint.parts):
        stored = StoredState(request.raw_state, request.version)
        with _reading(f"state of {endpoint.name}"):
            if request.version == endpoint.schema.version:
                state: Resource = stored.read(endpoint.model)
            else:
                given = endpoint.run(endpoint.handler.upgrade(stored, context))
                state = _known(endpoint, given, "upgrade")
        answer.upgraded_state.CopyFrom(write_value(endpoint.storable(state)))
    return answer


def upgrade_identity(
    endpoint: ResourceEndpoint, request: UpgradeResourceIdentity.Request
) -> UpgradeResourceIdentity.Response:
    """The identity of the current version: what was stored, as far as it fits."""
    answer = UpgradeResourceIdentity.Response()
    with reporting(answer, f"upgrade of the identity of {endpoint.name}"):
        model = endpoint.handler.identity
        if model is None:
            raise ProviderError(f"{endpoint.name} has no identity")
        with _reading(f"identity of {endpoint.name}"):
            found: Model = StoredState(request.raw_identity, request.version).read(model)
        answer.upgraded_identity.identity_data.CopyFrom(write_value(found))
    return answer


def move(
    endpoint: ResourceEndpoint, request: MoveResourceState.Request
) -> MoveResourceState.Response:
    """State of this type, of an object that was of another."""
    answer = MoveResourceState.Response()
    context = Context(endpoint.stopping)
    with reporting(answer, f"move to {endpoint.name}", context, endpoint.parts):
        source = MovedState(
            request.source_provider_address,
            request.source_type_name,
            StoredState(request.source_state, request.source_schema_version),
            request.source_private,
        )
        with _reading(f"state of {source.type_name}"):
            state = _known(endpoint, endpoint.run(endpoint.handler.move(source, context)), "move")
        answer.target_state.CopyFrom(write_value(state))
        answer.target_private = context.private_data()
        _identify(endpoint, state, answer.target_identity)
    return answer


@contextmanager
def _reading(what: str) -> Generator[None]:
    """Tell what of something stored does not fit; nobody knows whose fault that is."""
    try:
        yield
    except DecodeError as error:
        raise ProviderError(f"The stored {what} does not fit", str(error)) from None


def _known(endpoint: ResourceEndpoint, given: object, method: str) -> Resource:
    """What the author's code gave, as it can be stored."""
    return endpoint.storable(endpoint.ensure_known(given, method))


def _identify(endpoint: ResourceEndpoint, state: Resource, identity: ResourceIdentityData) -> None:
    if (found := endpoint.identify(state)) is not None:
        identity.CopyFrom(found)
