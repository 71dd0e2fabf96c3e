"""State of objects: refresh, import, upgrade and move.

Source: the protocol, `ReadResource`, `ImportResourceState`, `UpgradeResourceState`,
`MoveResourceState` and `UpgradeResourceIdentity`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial

from tofutypes.errors import DecodeError, describe
from tofutypes.models import Resource, schema_of
from tofutypes.provider.server.context import Context
from tofutypes.provider.server.handlers import MovedState
from tofutypes.provider.server.partial_state import (
    decode_partial,
    encode_partial,
    is_partial,
)
from tofutypes.provider.server.provider_bugs import provider_bug
from tofutypes.provider.server.provider_meta import provider_meta
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.stored_state import StoredState
from tofutypes.provider.server.timeouts import run_in_time
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.requests import (
    GenerateResourceConfigRequest,
    ImportResourceStateRequest,
    MoveResourceStateRequest,
    ReadResourceRequest,
    UpgradeResourceIdentityRequest,
    UpgradeResourceStateRequest,
)
from tofutypes.provider.service.responses import (
    GenerateResourceConfigResponse,
    ImportedResource,
    ImportResourceStateResponse,
    MoveResourceStateResponse,
    ReadResourceResponse,
    UpgradeResourceIdentityResponse,
    UpgradeResourceStateResponse,
)
from tofutypes.provider.service.wire_value import NULL, WireValue


def read(endpoint: ResourceEndpoint, request: ReadResourceRequest) -> ReadResourceResponse:
    """Refresh the state of an object. A deferred one keeps its state."""
    context = Context(
        stopping=endpoint.stopping,
        private=request.private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    response = ReadResourceResponse(private=request.private, new_identity=request.current_identity)
    with reporting(f"reading of {endpoint.name}", context, endpoint.parts) as report:
        context.identity = endpoint.identity(request.current_identity)
        context.provider_meta = provider_meta(endpoint.handler, request.provider_meta)
        state = _decode_state(endpoint, request.current_state)
        read_state = partial(endpoint.handler.read, state, context)
        returned = run_in_time(endpoint, "read", state, context, read_state)
        response = response._replace(private=context.private_data())
        if returned is None:
            response = response._replace(new_state=NULL)
        else:
            current = _storable(endpoint, returned, "read")
            current = endpoint.respelled(request.current_state, current)
            response = response._replace(
                new_state=WireValue.of(current),
                new_identity=endpoint.identify(current) or request.current_identity,
            )
    if report.deferred:
        response = response._replace(
            new_state=request.current_state, private=context.private_data()
        )
    return response._replace(diagnostics=report.diagnostics, deferred=report.deferred)


def import_state(
    endpoint: ResourceEndpoint, request: ImportResourceStateRequest
) -> ImportResourceStateResponse:
    """Import an object that exists already."""
    context = Context(
        stopping=endpoint.stopping, deferral_allowed=request.client_capabilities.deferral_allowed
    )
    imported: tuple[ImportedResource, ...] = ()
    with reporting(f"import of {endpoint.name}", context, endpoint.parts) as report:
        context.identity = endpoint.identity(request.identity)
        wanted = request.id if context.identity is None else context.identity
        returned = endpoint.run(endpoint.handler.import_state(wanted, context))
        state = endpoint.ensure_known(returned, "import_state")
        if is_partial(state):
            value, identity = encode_partial(state), request.identity
        else:
            state = endpoint.storable(state)
            value, identity = WireValue.of(state), endpoint.identify(state)
        imported = (ImportedResource(endpoint.name, value, context.private_data(), identity),)
    return ImportResourceStateResponse(imported, report.diagnostics, report.deferred)


def upgrade(
    endpoint: ResourceEndpoint, request: UpgradeResourceStateRequest
) -> UpgradeResourceStateResponse:
    """Bring stored state to the current schema version."""
    context = Context(stopping=endpoint.stopping)
    upgraded = WireValue()
    with reporting(f"upgrade of {endpoint.name}", context, endpoint.parts) as report:
        stored = StoredState(request.raw_state, request.version)
        with _reading(f"state of {endpoint.name}"):
            if request.version == endpoint.schema.version:
                state: Resource = endpoint.storable(stored.read(endpoint.model))
            else:
                returned = endpoint.run(endpoint.handler.upgrade(stored, context))
                state = _storable(endpoint, returned, "upgrade")
        upgraded = WireValue.of(state)
    return UpgradeResourceStateResponse(upgraded, report.diagnostics)


def upgrade_identity(
    endpoint: ResourceEndpoint, request: UpgradeResourceIdentityRequest
) -> UpgradeResourceIdentityResponse:
    """Bring a stored identity to the current version."""
    context = Context(stopping=endpoint.stopping)
    upgraded: WireValue | None = None
    with reporting(f"upgrade of the identity of {endpoint.name}", context) as report:
        model = endpoint.handler.identity
        if model is None:
            raise ProviderError(f"{endpoint.name} has no identity")
        with _reading(f"identity of {endpoint.name}"):
            stored = StoredState(request.raw_identity, request.version)
            if request.version == schema_of(model).version:
                identity: object = stored.read(model)
            else:
                identity = endpoint.run(endpoint.handler.upgrade_identity(stored, context))
        if not isinstance(identity, model):
            raise provider_bug(
                f"{endpoint.author}.upgrade_identity must return {model.__name__}, but returned "
                f"{describe(identity)}."
            )
        upgraded = WireValue.of(identity)
    return UpgradeResourceIdentityResponse(upgraded, report.diagnostics)


def generate_config(
    endpoint: ResourceEndpoint, request: GenerateResourceConfigRequest
) -> GenerateResourceConfigResponse:
    """Make a configuration of the state of an object."""
    context = Context(stopping=endpoint.stopping)
    config = WireValue()
    with reporting(f"configuration of a {endpoint.name}", context, endpoint.parts) as report:
        state = endpoint.decode(request.state, "state")
        returned = endpoint.run(endpoint.handler.generate_config(state, context))
        config = WireValue.of(endpoint.ensure_known(returned, "generate_config"))
    return GenerateResourceConfigResponse(config, report.diagnostics)


def move(
    endpoint: ResourceEndpoint, request: MoveResourceStateRequest
) -> MoveResourceStateResponse:
    """Make the state of another type one of this resource."""
    context = Context(stopping=endpoint.stopping)
    response = MoveResourceStateResponse()
    with reporting(f"move to {endpoint.name}", context, endpoint.parts) as report:
        source = MovedState(
            request.source_provider_address,
            request.source_type_name,
            StoredState(request.source_state, request.source_schema_version),
            request.source_private,
        )
        with _reading(f"state of {source.type_name}"):
            returned = endpoint.run(endpoint.handler.move(source, context))
            state = _storable(endpoint, returned, "move")
        response = MoveResourceStateResponse(
            WireValue.of(state),
            target_private=context.private_data(),
            target_identity=endpoint.identify(state),
        )
    return response._replace(diagnostics=report.diagnostics)


def _decode_state(endpoint: ResourceEndpoint, value: WireValue) -> Resource:
    """Decode a state to refresh, which is partial right after an import."""
    try:
        return endpoint.decode(value, "state")
    except ProviderError:
        with suppress(DecodeError):
            return decode_partial(endpoint.model, value)
        raise


@contextmanager
def _reading(what: str) -> Generator[None]:
    """Report stored data that does not fit; who is to blame is not known."""
    try:
        yield
    except DecodeError as error:
        raise ProviderError(f"The stored {what} does not fit", str(error)) from None


def _storable(endpoint: ResourceEndpoint, returned: object, method: str) -> Resource:
    """Return what a method of the author returned as it can be stored."""
    return endpoint.storable(endpoint.ensure_known(returned, method))
