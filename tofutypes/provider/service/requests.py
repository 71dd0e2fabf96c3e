"""The requests of `ProviderService`, with the fields of protocol 6.

They are named tuples: frozen, and quick to define, which counts at every start of a provider.
Their text (`repr`) shows no bytes, for those may hold secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tofutypes.provider.service.wire_value import WireValue

_ABSENT = WireValue()


def without_bytes(record: tuple[object, ...]) -> str:
    """Return the `repr` of a named tuple with the sizes of byte strings in place of them."""
    fields: tuple[str, ...] = getattr(record, "_fields", ())
    shown = (
        f"{name}=<{len(value)} bytes>" if isinstance(value, bytes) else f"{name}={value!r}"
        for name, value in zip(fields, record, strict=True)
    )
    return f"{type(record).__name__}({', '.join(shown)})"


class ClientCapabilities(NamedTuple):
    """What the caller can handle.

    Attributes:
        deferral_allowed: A response may say that the call is deferred.
        write_only_attributes_allowed: Configurations may set write-only attributes.
    """

    deferral_allowed: bool = False
    write_only_attributes_allowed: bool = False


_NO_CAPABILITIES = ClientCapabilities()


class RawState(NamedTuple):
    """State as it was stored, possibly with an older schema version.

    Attributes:
        json: The state in JSON; empty before Terraform 0.12.
        flatmap: The flat form of older state.
    """

    json: bytes = b""
    flatmap: Mapping[str, str] = {}  # never changed

    def __repr__(self) -> str:
        return f"<RawState, {len(self.json)} bytes, {len(self.flatmap)} keys>"


class ValidateConfigRequest(NamedTuple):
    """The configuration of a provider, resource, data source or ephemeral resource to validate.

    Attributes:
        config: The configuration, in which anything may be unknown.
        type_name: The type of the resource; empty for the provider.
        client_capabilities: What the caller can handle; only resources need it.
    """

    config: WireValue
    type_name: str = ""
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES


class ConfigureProviderRequest(NamedTuple):
    """The configuration of a provider.

    Attributes:
        config: The configuration; values may be unknown during a plan.
        terraform_version: The version of Terraform, or the one that OpenTofu claims.
        client_capabilities: What the caller can handle.
    """

    config: WireValue
    terraform_version: str = ""
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES


class PlanResourceChangeRequest(NamedTuple):
    """A change of a managed resource to plan.

    Attributes:
        type_name: The resource.
        prior_state: The state before; null for a new object.
        proposed_new_state: The configuration merged with the prior state; null for a deletion.
        config: The configuration; null for a deletion.
        prior_private: What the provider stored beside the prior state.
        prior_identity: The identity of the object, if there is one.
        provider_meta: The `provider_meta` block of the module.
        client_capabilities: What the caller can handle.
    """

    type_name: str
    prior_state: WireValue = _ABSENT
    proposed_new_state: WireValue = _ABSENT
    config: WireValue = _ABSENT
    prior_private: bytes = b""
    prior_identity: WireValue | None = None
    provider_meta: WireValue = _ABSENT
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES

    def __repr__(self) -> str:
        return without_bytes(self)


class ApplyResourceChangeRequest(NamedTuple):
    """A planned change of a managed resource to apply.

    Attributes:
        type_name: The resource.
        prior_state: The state before; null for a new object.
        planned_state: The planned state; null for a deletion.
        config: The configuration; null for a deletion.
        planned_private: The `planned_private` of the plan.
        planned_identity: The identity of the object, if there is one.
        provider_meta: The `provider_meta` block of the module.
    """

    type_name: str
    prior_state: WireValue = _ABSENT
    planned_state: WireValue = _ABSENT
    config: WireValue = _ABSENT
    planned_private: bytes = b""
    planned_identity: WireValue | None = None
    provider_meta: WireValue = _ABSENT

    def __repr__(self) -> str:
        return without_bytes(self)


class ReadResourceRequest(NamedTuple):
    """An object whose state is to be refreshed.

    Attributes:
        type_name: The resource.
        current_state: The state that is stored.
        private: What the provider stored beside it.
        current_identity: The identity of the object, if there is one.
        provider_meta: The `provider_meta` block of the module.
        client_capabilities: What the caller can handle.
    """

    type_name: str
    current_state: WireValue = _ABSENT
    private: bytes = b""
    current_identity: WireValue | None = None
    provider_meta: WireValue = _ABSENT
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES

    def __repr__(self) -> str:
        return without_bytes(self)


class ImportResourceStateRequest(NamedTuple):
    """An existing object to import.

    Attributes:
        type_name: The resource.
        id: The id that the user wrote; empty if there is an identity.
        identity: The identity that the user wrote.
        client_capabilities: What the caller can handle.
    """

    type_name: str
    id: str = ""
    identity: WireValue | None = None
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES


class UpgradeResourceStateRequest(NamedTuple):
    """Stored state to bring to the current schema version.

    Attributes:
        type_name: The resource.
        version: The schema version of the stored state.
        raw_state: The stored state.
    """

    type_name: str
    version: int = 0
    raw_state: RawState = RawState()


class UpgradeResourceIdentityRequest(NamedTuple):
    """A stored identity to bring to the current version of its schema.

    Attributes:
        type_name: The resource.
        version: The version of the stored identity.
        raw_identity: The stored identity.
    """

    type_name: str
    version: int = 0
    raw_identity: RawState = RawState()


class MoveResourceStateRequest(NamedTuple):
    """An object of another type, or of another provider, that becomes one of a resource.

    Attributes:
        target_type_name: The resource.
        source_provider_address: The provider that the object comes from.
        source_type_name: The type that the object has there.
        source_schema_version: The schema version of its state.
        source_state: Its state.
        source_private: What its provider stored beside the state.
        source_identity: Its identity.
        source_identity_schema_version: The version of the schema of its identity.
    """

    target_type_name: str
    source_provider_address: str = ""
    source_type_name: str = ""
    source_schema_version: int = 0
    source_state: RawState = RawState()
    source_private: bytes = b""
    source_identity: RawState = RawState()
    source_identity_schema_version: int = 0

    def __repr__(self) -> str:
        return without_bytes(self)


class ReadDataSourceRequest(NamedTuple):
    """A data source to read.

    Attributes:
        type_name: The data source.
        config: The configuration.
        provider_meta: The `provider_meta` block of the module.
        client_capabilities: What the caller can handle.
    """

    type_name: str
    config: WireValue = _ABSENT
    provider_meta: WireValue = _ABSENT
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES


class OpenEphemeralResourceRequest(NamedTuple):
    """An ephemeral resource to open.

    Attributes:
        type_name: The ephemeral resource.
        config: The configuration.
        client_capabilities: What the caller can handle.
    """

    type_name: str
    config: WireValue = _ABSENT
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES


class EphemeralResourceRequest(NamedTuple):
    """An open ephemeral resource to renew or to close.

    Attributes:
        type_name: The ephemeral resource.
        private: What the provider returned when it was opened or renewed last.
    """

    type_name: str
    private: bytes | None = None

    def __repr__(self) -> str:
        return without_bytes(self)


class CallFunctionRequest(NamedTuple):
    """A call of a function.

    Attributes:
        name: The function.
        arguments: Its arguments in order, the variadic ones last.
    """

    name: str
    arguments: tuple[WireValue, ...] = ()


class GenerateResourceConfigRequest(NamedTuple):
    """The state of an object for which a configuration is to be made.

    Attributes:
        type_name: The resource.
        state: The state.
    """

    type_name: str
    state: WireValue = _ABSENT


class ValidateListResourceConfigRequest(NamedTuple):
    """The configuration of a list resource to validate, in which anything may be unknown.

    Attributes:
        type_name: The resource that is listed.
        config: The configuration.
        include_resource_object: Whether the objects themselves are wanted; a boolean.
        limit: How many objects are wanted at most; a number.
    """

    type_name: str
    config: WireValue = _ABSENT
    include_resource_object: WireValue = _ABSENT
    limit: WireValue = _ABSENT


class ListResourceRequest(NamedTuple):
    """Objects to list.

    Attributes:
        type_name: The resource that is listed.
        config: The configuration.
        include_resource_object: Whether the objects themselves are wanted beside their identities.
        limit: How many objects are wanted at most.
    """

    type_name: str
    config: WireValue = _ABSENT
    include_resource_object: bool = False
    limit: int = 0


class ActionRequest(NamedTuple):
    """An action to plan or to invoke.

    Attributes:
        action_type: The action.
        config: The configuration; values may be unknown in a plan.
        client_capabilities: What the caller can handle.
    """

    action_type: str
    config: WireValue = _ABSENT
    client_capabilities: ClientCapabilities = _NO_CAPABILITIES
