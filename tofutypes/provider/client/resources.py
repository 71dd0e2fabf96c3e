"""Calls about managed resources: plan, apply, read, import, upgrade and move."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar

from tofutypes.errors import DecodeError
from tofutypes.models import ProviderMeta, Resource, ResourceIdentity
from tofutypes.provider.client.conversion import (
    has_errors,
    raise_errors,
    read_deferred,
    read_diagnostics,
    read_identity,
    read_object,
    write_by_type,
    write_identity,
)
from tofutypes.provider.client.results import ApplyError, Identity, Imported, Plan, State
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.messages.dynamic_value import read_value, write_value
from tofutypes.provider.messages.paths import path_of_message
from tofutypes.provider.objchange.proposed import proposed_new_state
from tofutypes.provider.objchange.replacement import necessary
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError
from tofutypes.schema import implied_type

R = TypeVar("R", bound=Resource)


class ResourceCalls:
    """The calls of a [`Client`][tofutypes.provider.client.client.Client] about managed resources.

    Args:
        session: The connection and the schemas.
        deferral_allowed: Whether the provider may defer calls.

    Attributes:
        provider_meta: What the block `provider_meta` of a module says, which goes with all plans,
            applies and reads; None for no such block.
    """

    def __init__(self, session: Session, *, deferral_allowed: bool = False) -> None:
        self._session = session
        self.provider_meta: ProviderMeta | None = None
        self._capable = tfplugin6.ClientCapabilities(
            write_only_attributes_allowed=True, deferral_allowed=deferral_allowed
        )

    def plan(self, config: R | None, prior: State[R] | None = None) -> Plan[R]:
        """Plan to create, update or destroy an object.

            created = provider.plan(Server(name="web"))
            updated = provider.plan(Server(name="api"), state)
            destroyed = provider.plan(None, state)

        Args:
            config: The configuration, with null for attributes that are not set; None to destroy
                the object.
            prior: The prior state; None, or a state without a value, to create an object.
        """
        before: State[R] = State(None) if prior is None else prior
        current = config if config is not None else before.value
        if current is None:
            raise PluginError("nothing to plan: expected a configuration or a prior state")
        model = type(current)
        if config is None and not self._session.plans_destruction:
            return Plan(model, None, before, None, private=before.private)
        block, identity = self._session.block(model), self._session.identity(model)
        proposed = None
        if config is not None:
            proposed = proposed_new_state(block, before.value, config)
        request = tfplugin6.PlanResourceChange.Request(
            type_name=type_name(model),
            prior_state=write_value(before.value),
            proposed_new_state=write_by_type(proposed, implied_type(block)),
            config=write_value(config),
            prior_private=before.private,
            prior_identity=write_identity(before.identity, identity),
            provider_meta=self._meta(),
            client_capabilities=self._capable,
        )
        response: tfplugin6.PlanResourceChange.Response = self._session.call(
            "PlanResourceChange", request
        )
        warnings = raise_errors(response.diagnostics)
        planned = read_value(model, response.planned_state)
        paths = map(path_of_message, response.requires_replace)
        return Plan(
            model,
            config,
            before,
            planned,
            necessary(paths, parts_of(block), before.value, planned),
            response.planned_private,
            read_identity(response.planned_identity, identity),
            warnings,
            read_deferred(response),
        )

    def apply(self, plan: Plan[R]) -> State[R]:
        """Apply a plan.

        Returns:
            The new state.

        Raises:
            ApplyError: If the provider returns errors. The error has the state after the failure.
        """
        identity = self._session.identity(plan.model)
        request = tfplugin6.ApplyResourceChange.Request(
            type_name=type_name(plan.model),
            prior_state=write_value(plan.prior.value),
            planned_state=write_value(plan.planned),
            config=write_value(plan.config),
            planned_private=plan.private,
            planned_identity=write_identity(plan.identity, identity),
            provider_meta=self._meta(),
        )
        response: tfplugin6.ApplyResourceChange.Response = self._session.call(
            "ApplyResourceChange", request
        )
        diagnostics = read_diagnostics(response.diagnostics)
        if has_errors(diagnostics):
            raise ApplyError.after(diagnostics, _state_after_failure(plan, response))
        return State(
            read_value(plan.model, response.new_state),
            response.private,
            read_identity(response.new_identity, identity),
            diagnostics,
        )

    def read(self, state: State[R] | Imported[R]) -> State[R]:
        """Read an object again (refresh).

        Args:
            state: The state, or an imported object.

        Returns:
            The new state; without a value if the object is gone.
        """
        if isinstance(state, Imported):
            model = state.model
            if state.type_name != type_name(model):
                raise PluginError(
                    f"expected an imported {type_name(model)}, got a {state.type_name}"
                )
            current = write_by_type(state.value, implied_type(self._session.block(model)))
        elif state.value is None:
            return state
        else:
            model, current = type(state.value), write_value(state.value)
        identity = self._session.identity(model)
        request = tfplugin6.ReadResource.Request(
            type_name=type_name(model),
            current_state=current,
            private=state.private,
            current_identity=write_identity(state.identity, identity),
            provider_meta=self._meta(),
            client_capabilities=self._capable,
        )
        response: tfplugin6.ReadResource.Response = self._session.call("ReadResource", request)
        warnings = raise_errors(response.diagnostics)
        return State(
            read_value(model, response.new_state),
            response.private,
            read_identity(response.new_identity, identity),
            warnings,
            read_deferred(response),
        )

    def import_state(
        self, model: type[R], wanted: str | ResourceIdentity | Mapping[str, object]
    ) -> list[Imported[R]]:
        """Import an existing object.

        Args:
            model: The class of the object.
            wanted: The import id, or the identity of the object.

        Returns:
            The imported objects, mostly one. `read` completes them.
        """
        request = tfplugin6.ImportResourceState.Request(
            type_name=type_name(model), client_capabilities=self._capable
        )
        if isinstance(wanted, str):
            request.id = wanted
        else:
            identity = write_identity(wanted, self._session.identity(model))
            if identity is None:
                raise PluginError(f"{type_name(model)} has no identity; import it by its id")
            request.identity.CopyFrom(identity)
        response: tfplugin6.ImportResourceState.Response = self._session.call(
            "ImportResourceState", request
        )
        warnings = raise_errors(response.diagnostics)
        return [
            self._imported(model, imported, warnings) for imported in response.imported_resources
        ]

    def _meta(self) -> tfplugin6.DynamicValue | None:
        """What the module says, if the provider has such a block; null as in Core if nothing."""
        if self._session.schema.provider_meta is None:
            return None
        return write_value(self.provider_meta)

    def _imported(
        self,
        model: type[R],
        imported: tfplugin6.ImportResourceState.ImportedResource,
        warnings: tuple[Diagnostic, ...],
    ) -> Imported[R]:
        schema = self._session.schema
        resource_schema = schema.resources.get(imported.type_name)
        if resource_schema is None:
            raise PluginError(
                f"the provider imported a {imported.type_name}, which is not in its schema"
            )
        return Imported(
            model,
            imported.type_name,
            read_object(imported.state, implied_type(resource_schema)),
            imported.private,
            read_identity(imported.identity, schema.identities.get(imported.type_name)),
            warnings,
        )

    def upgrade(
        self, model: type[R], stored: str | bytes | Mapping[str, object], version: int
    ) -> State[R]:
        """Upgrade an object that was stored with an older version of the schema.

        Args:
            model: The class of the object.
            stored: The attributes in the stored state, as JSON or parsed.
            version: The version of the schema that the object was stored with.
        """
        request = tfplugin6.UpgradeResourceState.Request(
            type_name=type_name(model), version=version, raw_state=_raw(stored)
        )
        response: tfplugin6.UpgradeResourceState.Response = self._session.call(
            "UpgradeResourceState", request
        )
        warnings = raise_errors(response.diagnostics)
        return State(read_value(model, response.upgraded_state), diagnostics=warnings)

    def generate_config(self, state: State[R]) -> R:
        """Make the configuration of an object, as `plan -generate-config-out` does.

        Raises:
            UnsupportedCallError: If the provider cannot do so.
        """
        if state.value is None:
            raise PluginError("nothing to configure: expected a state")
        model = type(state.value)
        request = tfplugin6.GenerateResourceConfig.Request(
            type_name=type_name(model), state=write_value(state.value)
        )
        response: tfplugin6.GenerateResourceConfig.Response = self._session.call(
            "GenerateResourceConfig", request
        )
        raise_errors(response.diagnostics)
        config = read_value(model, response.config)
        if config is None:
            raise PluginError(f"{type_name(model)}: the provider returned no configuration")
        return config

    def upgrade_identity(
        self, model: type[R], stored: str | bytes | Mapping[str, object], version: int
    ) -> Identity:
        """Upgrade an identity that was stored with an older version of its schema.

        Args:
            model: The class of the object.
            stored: The attributes of the stored identity, as JSON or parsed.
            version: The version of the schema that the identity was stored with.
        """
        request = tfplugin6.UpgradeResourceIdentity.Request(
            type_name=type_name(model), version=version, raw_identity=_raw(stored)
        )
        response: tfplugin6.UpgradeResourceIdentity.Response = self._session.call(
            "UpgradeResourceIdentity", request
        )
        raise_errors(response.diagnostics)
        return read_identity(response.upgraded_identity, self._session.identity(model)) or {}

    def move(
        self,
        model: type[R],
        stored: str | bytes | Mapping[str, object],
        *,
        provider: str,
        type: str,
        version: int = 0,
        private: bytes = b"",
    ) -> State[R]:
        """Move an object of another resource type, as a `moved` block does.

        Args:
            model: The new class of the object.
            stored: The attributes in the stored state, as JSON or parsed.
            provider: The address of the provider that the object is from.
            type: The resource type that the object had.
            version: The version of the schema that the object was stored with.
            private: The private state of that provider.
        """
        request = tfplugin6.MoveResourceState.Request(
            source_provider_address=provider,
            source_type_name=type,
            source_schema_version=version,
            source_state=_raw(stored),
            source_private=private,
            target_type_name=type_name(model),
        )
        response: tfplugin6.MoveResourceState.Response = self._session.call(
            "MoveResourceState", request
        )
        warnings = raise_errors(response.diagnostics)
        identity = self._session.identity(model)
        return State(
            read_value(model, response.target_state),
            response.target_private,
            read_identity(response.target_identity, identity),
            warnings,
        )


def _state_after_failure(
    plan: Plan[R], response: tfplugin6.ApplyResourceChange.Response
) -> State[Resource]:
    """The state in a failed response; the prior state if the response has none."""
    try:
        value = read_value(plan.model, response.new_state)
    except DecodeError:
        value = None
    return State(plan.prior.value if value is None else value, response.private)


def _raw(stored: str | bytes | Mapping[str, object]) -> tfplugin6.RawState:
    if isinstance(stored, Mapping):
        stored = json.dumps(stored)
    return tfplugin6.RawState(json=stored.encode() if isinstance(stored, str) else stored)
