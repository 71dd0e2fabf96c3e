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
from tofutypes.provider.messages.values import NULL, write_value
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
from tofutypes.provider.server.resource import ServedResource
from tofutypes.provider.server.stored import StoredState
from tofutypes.provider.server.telling import telling


def read(served: ServedResource, request: ReadResource.Request) -> ReadResource.Response:
    """The state of an object as it is now."""
    answer = ReadResource.Response(private=request.private)
    context = Context(
        served.stopping,
        private=request.private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    answer.new_identity.CopyFrom(request.current_identity)
    with telling(answer, f"reading of {served.name}", context, served.parts):
        context.identity = served.identity(request.current_identity)
        state = served.must_read(request.current_state, "state")
        try:
            found = served.run(served.handler.read(state, context))
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
            found = state
        answer.private = context.private_data()
        if found is None:
            answer.new_state.CopyFrom(DynamicValue(msgpack=NULL))
            return answer
        kept = _known(served, found, "read")
        answer.new_state.CopyFrom(write_value(kept))
        _identify(served, kept, answer.new_identity)
    return answer


def import_state(
    served: ServedResource, request: ImportResourceState.Request
) -> ImportResourceState.Response:
    """The state of an object that exists already."""
    answer = ImportResourceState.Response()
    context = Context(
        served.stopping, deferral_allowed=request.client_capabilities.deferral_allowed
    )
    with telling(answer, f"import of {served.name}", context, served.parts):
        context.identity = served.identity(request.identity)
        wanted = request.id if context.identity is None else context.identity
        try:
            state = _known(
                served, served.run(served.handler.import_state(wanted, context)), "import_state"
            )
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
            return answer
        imported = answer.imported_resources.add(
            type_name=served.name, state=write_value(state), private=context.private_data()
        )
        _identify(served, state, imported.identity)
    return answer


def upgrade(
    served: ServedResource, request: UpgradeResourceState.Request
) -> UpgradeResourceState.Response:
    """State of the current schema version, of what was stored with any."""
    answer = UpgradeResourceState.Response()
    context = Context(served.stopping)
    with telling(answer, f"upgrade of {served.name}", context, served.parts):
        stored = StoredState(request.raw_state, request.version)
        with _reading(f"state of {served.name}"):
            if request.version == served.schema.version:
                state: Resource = stored.read(served.model)
            else:
                given = served.run(served.handler.upgrade(stored, context))
                state = _known(served, given, "upgrade")
        answer.upgraded_state.CopyFrom(write_value(served.storable(state)))
    return answer


def upgrade_identity(
    served: ServedResource, request: UpgradeResourceIdentity.Request
) -> UpgradeResourceIdentity.Response:
    """The identity of the current version: what was stored, as far as it fits."""
    answer = UpgradeResourceIdentity.Response()
    with telling(answer, f"upgrade of the identity of {served.name}"):
        model = served.handler.identity
        if model is None:
            raise ProviderError(f"{served.name} has no identity")
        with _reading(f"identity of {served.name}"):
            found: Model = StoredState(request.raw_identity, request.version).read(model)
        answer.upgraded_identity.identity_data.CopyFrom(write_value(found))
    return answer


def move(served: ServedResource, request: MoveResourceState.Request) -> MoveResourceState.Response:
    """State of this type, of an object that was of another."""
    answer = MoveResourceState.Response()
    context = Context(served.stopping)
    with telling(answer, f"move to {served.name}", context, served.parts):
        source = MovedState(
            request.source_provider_address,
            request.source_type_name,
            StoredState(request.source_state, request.source_schema_version),
            request.source_private,
        )
        with _reading(f"state of {source.type_name}"):
            state = _known(served, served.run(served.handler.move(source, context)), "move")
        answer.target_state.CopyFrom(write_value(state))
        answer.target_private = context.private_data()
        _identify(served, state, answer.target_identity)
    return answer


@contextmanager
def _reading(what: str) -> Generator[None]:
    """Tell what of something stored does not fit; nobody knows whose fault that is."""
    try:
        yield
    except DecodeError as error:
        raise ProviderError(f"The stored {what} does not fit", str(error)) from None


def _known(served: ServedResource, given: object, method: str) -> Resource:
    """What the author's code gave, as it can be stored."""
    return served.storable(served.ensure_known(given, method))


def _identify(served: ServedResource, state: Resource, identity: ResourceIdentityData) -> None:
    if (found := served.identify(state)) is not None:
        identity.CopyFrom(found)
