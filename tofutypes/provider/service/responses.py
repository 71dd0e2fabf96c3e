"""The responses of `ProviderService`, with the fields of protocol 6. See `requests`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from tofutypes.errors import Path
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic
from tofutypes.provider.service.requests import without_bytes
from tofutypes.provider.service.state_requests import StateRange, StateStoreCapabilities
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.schema import Function, IdentitySchema, ProviderSchema

_ABSENT = WireValue()


class ServerCapabilities(NamedTuple):
    """What the provider can do beyond the first version of the protocol.

    Attributes:
        plan_destroy: It wants to plan deletions.
        get_provider_schema_optional: It can be called without a call for its schemas before.
        move_resource_state: It can move objects from other types.
        generate_resource_config: It can make a configuration of a state.
    """

    plan_destroy: bool = False
    get_provider_schema_optional: bool = False
    move_resource_state: bool = False
    generate_resource_config: bool = False


class MetadataResponse(NamedTuple):
    """The names of everything that the provider has, without the schemas."""

    server_capabilities: ServerCapabilities = ServerCapabilities()
    diagnostics: tuple[Diagnostic, ...] = ()
    resources: tuple[str, ...] = ()
    data_sources: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    ephemeral_resources: tuple[str, ...] = ()
    list_resources: tuple[str, ...] = ()
    state_stores: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class ProviderSchemaResponse(NamedTuple):
    """The schemas of the provider.

    Attributes:
        schema: The schemas; None if the diagnostics have errors. Identities are not part of it.
        server_capabilities: What the provider can do.
        diagnostics: Errors and warnings.
    """

    schema: ProviderSchema | None
    server_capabilities: ServerCapabilities = ServerCapabilities()
    diagnostics: tuple[Diagnostic, ...] = ()


class IdentitySchemasResponse(NamedTuple):
    """The identity schemas of the resources that have one, by type name."""

    identity_schemas: Mapping[str, IdentitySchema]
    diagnostics: tuple[Diagnostic, ...] = ()


class FunctionsResponse(NamedTuple):
    """The signatures of the functions by name."""

    functions: Mapping[str, Function]
    diagnostics: tuple[Diagnostic, ...] = ()


class DiagnosticsResponse(NamedTuple):
    """The response of calls that return diagnostics alone: validations, configure, close."""

    diagnostics: tuple[Diagnostic, ...] = ()


class PlanResourceChangeResponse(NamedTuple):
    """A planned change.

    Attributes:
        planned_state: The planned state; null for a deletion.
        requires_replace: The attributes that cannot change in place.
        planned_private: What the provider wants back when the change is applied.
        diagnostics: Errors and warnings.
        legacy_type_system: Core tolerates some inconsistencies. True only for Go's old SDK.
        deferred: Why the change cannot be planned yet, if so.
        planned_identity: The identity of the object, if there is one.
    """

    planned_state: WireValue = _ABSENT
    requires_replace: tuple[Path, ...] = ()
    planned_private: bytes = b""
    diagnostics: tuple[Diagnostic, ...] = ()
    legacy_type_system: bool = False
    deferred: DeferredReason | None = None
    planned_identity: WireValue | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class ApplyResourceChangeResponse(NamedTuple):
    """An applied change.

    Attributes:
        new_state: The state to store, also when there are errors; null for a deleted object.
        private: What the provider stores beside it.
        diagnostics: Errors and warnings.
        legacy_type_system: Core tolerates some inconsistencies. True only for Go's old SDK.
        new_identity: The identity of the object, if there is one.
    """

    new_state: WireValue = _ABSENT
    private: bytes = b""
    diagnostics: tuple[Diagnostic, ...] = ()
    legacy_type_system: bool = False
    new_identity: WireValue | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class ReadResourceResponse(NamedTuple):
    """A refreshed state.

    Attributes:
        new_state: The current state; null if the object is gone.
        diagnostics: Errors and warnings.
        private: What the provider stores beside the state.
        deferred: Why the state cannot be read yet, if so.
        new_identity: The identity of the object, if there is one.
    """

    new_state: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()
    private: bytes = b""
    deferred: DeferredReason | None = None
    new_identity: WireValue | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class ImportedResource(NamedTuple):
    """An object that was imported, with what `ReadResource` needs of it."""

    type_name: str
    state: WireValue = _ABSENT
    private: bytes = b""
    identity: WireValue | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class ImportResourceStateResponse(NamedTuple):
    """Imported objects: usually one, of the resource that was asked for."""

    imported_resources: tuple[ImportedResource, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


class UpgradeResourceStateResponse(NamedTuple):
    """Stored state in the current schema version."""

    upgraded_state: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()


class UpgradeResourceIdentityResponse(NamedTuple):
    """A stored identity in the current version of its schema."""

    upgraded_identity: WireValue | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class MoveResourceStateResponse(NamedTuple):
    """The state of a moved object."""

    target_state: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()
    target_private: bytes = b""
    target_identity: WireValue | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class ReadDataSourceResponse(NamedTuple):
    """The values of a data source."""

    state: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


class OpenEphemeralResourceResponse(NamedTuple):
    """An opened ephemeral resource.

    Attributes:
        result: Its values.
        diagnostics: Errors and warnings.
        renew_at: When it is to be renewed, with a time zone; None for never.
        private: What the provider wants back to renew and close it.
        deferred: Why it cannot be opened yet, if so.
    """

    result: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()
    renew_at: datetime | None = None
    private: bytes | None = None
    deferred: DeferredReason | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class RenewEphemeralResourceResponse(NamedTuple):
    """A renewed ephemeral resource, with what `OpenEphemeralResourceResponse` says of it."""

    diagnostics: tuple[Diagnostic, ...] = ()
    renew_at: datetime | None = None
    private: bytes | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class FunctionError(NamedTuple):
    """Why a function failed, and the position of the argument if one is wrong."""

    text: str
    function_argument: int | None = None


class CallFunctionResponse(NamedTuple):
    """The result of a function, or its error."""

    result: WireValue = _ABSENT
    error: FunctionError | None = None


class GenerateResourceConfigResponse(NamedTuple):
    """The configuration of an object."""

    config: WireValue = _ABSENT
    diagnostics: tuple[Diagnostic, ...] = ()


class ListResourceEvent(NamedTuple):
    """An object of a list, or errors and warnings.

    Attributes:
        identity: The identity of the object; None if the event has errors and warnings alone.
        display_name: What to call the object.
        resource_object: The state of the object, if it was wanted.
        diagnostics: Errors and warnings.
    """

    identity: WireValue | None = None
    display_name: str = ""
    resource_object: WireValue | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class PlanActionResponse(NamedTuple):
    """A planned action.

    Attributes:
        diagnostics: Errors and warnings.
        deferred: Why the action cannot be planned yet, if so.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


class InvokeActionEvent(NamedTuple):
    """What happens while an action runs: either progress, or the end.

    Attributes:
        progress: What the action does now.
        completed: The end of the action, with errors and warnings. The last event, always sent.
    """

    progress: str | None = None
    completed: DiagnosticsResponse | None = None


class ConfigureStateStoreResponse(NamedTuple):
    """A configured state store.

    Attributes:
        diagnostics: Errors and warnings.
        capabilities: What the provider chose.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    capabilities: StateStoreCapabilities = StateStoreCapabilities()


class ReadStateChunk(NamedTuple):
    """A part of a state.

    Attributes:
        data: The bytes.
        total_length: The number of bytes of the entire state.
        range: The place of the bytes in the state.
        diagnostics: Errors and warnings.
    """

    data: bytes = b""
    total_length: int = 0
    range: StateRange = StateRange()
    diagnostics: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return without_bytes(self)


class LockStateResponse(NamedTuple):
    """A locked state.

    Attributes:
        lock_id: The id that unlocks the state.
        diagnostics: Errors and warnings.
    """

    lock_id: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


class GetStatesResponse(NamedTuple):
    """The states of a state store."""

    state_ids: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class StopProviderResponse(NamedTuple):
    """Why the provider cannot stop; empty if it can."""

    error: str = ""
