"""Calls about managed resources: planned, applied, read, imported, upgraded and moved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar

from tofutypes.errors import DecodeError
from tofutypes.models import Resource, ResourceIdentity
from tofutypes.provider.client.conversion import (
    has_errors,
    read_deferred,
    read_diagnostics,
    read_identity,
    read_object,
    warnings_of,
    write_by_type,
    write_identity,
)
from tofutypes.provider.client.results import ApplyError, Imported, Plan, State
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
        session: the connection.
        deferral_allowed: whether the provider may put calls off.
    """

    def __init__(self, session: Session, *, deferral_allowed: bool = False) -> None:
        self._session = session
        self._capable = tfplugin6.ClientCapabilities(
            write_only_attributes_allowed=True, deferral_allowed=deferral_allowed
        )

    def plan(self, config: R | None, prior: State[R] | None = None) -> Plan[R]:
        """Plan to create, to change or to destroy an object.

        Args:
            config: what it is to be like, where null is what is not set; None to destroy it.
            prior: what there is now; None or a state without a value to create one.
        """
        before: State[R] = State(None) if prior is None else prior
        given = config if config is not None else before.value
        if given is None:
            raise PluginError("there is nothing to plan: neither a configuration nor a state")
        model = type(given)
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
            client_capabilities=self._capable,
        )
        answer: tfplugin6.PlanResourceChange.Response = self._session.call(
            "PlanResourceChange", request
        )
        warnings = warnings_of(answer.diagnostics)
        planned = read_value(model, answer.planned_state)
        paths = map(path_of_message, answer.requires_replace)
        return Plan(
            model,
            config,
            before,
            planned,
            necessary(paths, parts_of(block), before.value, planned),
            answer.planned_private,
            read_identity(answer.planned_identity, identity),
            warnings,
            read_deferred(answer),
        )

    def apply(self, plan: Plan[R]) -> State[R]:
        """Do what was planned.

        Returns:
            What there is now.

        Raises:
            ApplyError: it failed; what there is nevertheless is in the error.
        """
        identity = self._session.identity(plan.model)
        request = tfplugin6.ApplyResourceChange.Request(
            type_name=type_name(plan.model),
            prior_state=write_value(plan.prior.value),
            planned_state=write_value(plan.planned),
            config=write_value(plan.config),
            planned_private=plan.private,
            planned_identity=write_identity(plan.identity, identity),
        )
        answer: tfplugin6.ApplyResourceChange.Response = self._session.call(
            "ApplyResourceChange", request
        )
        diagnostics = read_diagnostics(answer.diagnostics)
        if has_errors(diagnostics):
            raise ApplyError.after(diagnostics, _what_there_is(plan, answer))
        return State(
            read_value(plan.model, answer.new_state),
            answer.private,
            read_identity(answer.new_identity, identity),
            diagnostics,
        )

    def read(self, state: State[R] | Imported[R]) -> State[R]:
        """The object as it is now.

        Args:
            state: what is known of it.

        Returns:
            What there is; a state without a value if it is gone.
        """
        if isinstance(state, Imported):
            model = state.model
            if state.type_name != type_name(model):
                raise PluginError(
                    f"a {type_name(model)} is required, and a {state.type_name} was imported"
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
            client_capabilities=self._capable,
        )
        answer: tfplugin6.ReadResource.Response = self._session.call("ReadResource", request)
        warnings = warnings_of(answer.diagnostics)
        return State(
            read_value(model, answer.new_state),
            answer.private,
            read_identity(answer.new_identity, identity),
            warnings,
            read_deferred(answer),
        )

    def import_state(
        self, model: type[R], wanted: str | ResourceIdentity | Mapping[str, object]
    ) -> list[Imported[R]]:
        """Find an object that exists.

        Args:
            model: the class of what is wanted.
            wanted: what the user calls it, or its identity.

        Returns:
            What was found: mostly one object, of which little may be known. `read` tells the rest.
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
        answer: tfplugin6.ImportResourceState.Response = self._session.call(
            "ImportResourceState", request
        )
        warnings = warnings_of(answer.diagnostics)
        return [self._imported(model, each, warnings) for each in answer.imported_resources]

    def _imported(
        self,
        model: type[R],
        found: tfplugin6.ImportResourceState.ImportedResource,
        warnings: tuple[Diagnostic, ...],
    ) -> Imported[R]:
        schema = self._session.schema
        its = schema.resources.get(found.type_name)
        if its is None:
            raise PluginError(f"the provider has no resource {found.type_name}, but imported one")
        return Imported(
            model,
            found.type_name,
            read_object(found.state, implied_type(its)),
            found.private,
            read_identity(found.identity, schema.identities.get(found.type_name)),
            warnings,
        )

    def upgrade(
        self,
        model: type[R],
        stored: str | bytes | Mapping[str, object],
        version: int,
        *,
        warnings: list[Diagnostic] | None = None,
    ) -> R | None:
        """The object that was stored with an older schema.

        Args:
            model: its class.
            stored: its attributes as the state has them, as JSON or parsed.
            version: the version of the schema that it was stored with.
            warnings: a list that takes the warnings.
        """
        request = tfplugin6.UpgradeResourceState.Request(
            type_name=type_name(model), version=version, raw_state=_raw(stored)
        )
        answer: tfplugin6.UpgradeResourceState.Response = self._session.call(
            "UpgradeResourceState", request
        )
        said = warnings_of(answer.diagnostics)
        if warnings is not None:
            warnings += said
        return read_value(model, answer.upgraded_state)

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
        """The object that was one of another type, as after a `moved` block.

        Args:
            model: its class from now on.
            stored: its attributes as the state has them, as JSON or parsed.
            provider: the address of the provider that it is from.
            type: the type that it had.
            version: the version of the schema that it was stored with.
            private: what that provider kept beside it.
        """
        request = tfplugin6.MoveResourceState.Request(
            source_provider_address=provider,
            source_type_name=type,
            source_schema_version=version,
            source_state=_raw(stored),
            source_private=private,
            target_type_name=type_name(model),
        )
        answer: tfplugin6.MoveResourceState.Response = self._session.call(
            "MoveResourceState", request
        )
        warnings = warnings_of(answer.diagnostics)
        identity = self._session.identity(model)
        return State(
            read_value(model, answer.target_state),
            answer.target_private,
            read_identity(answer.target_identity, identity),
            warnings,
        )


def _what_there_is(
    plan: Plan[R], answer: tfplugin6.ApplyResourceChange.Response
) -> State[Resource]:
    """What a provider that failed left; what was there before if it does not say."""
    try:
        value = read_value(plan.model, answer.new_state)
    except DecodeError:
        value = None
    return State(plan.prior.value if value is None else value, answer.private)


def _raw(stored: str | bytes | Mapping[str, object]) -> tfplugin6.RawState:
    if isinstance(stored, Mapping):
        stored = json.dumps(stored)
    return tfplugin6.RawState(json=stored.encode() if isinstance(stored, str) else stored)
