"""A provider of several parts, behind the interface that every front calls.

Source: terraform-plugin-mux 0.23, `tf6muxserver`. Beyond it: a part without a provider
configuration can stand beside parts that have one, a part can leave out what another takes over,
and all parts are asked to stop and to end even if one of them fails.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, cast

from tofutypes.provider.client.connection import UnsupportedCallError
from tofutypes.provider.mux.kinds import KINDS, RESOURCES, STATE_STORES
from tofutypes.provider.mux.parts import Part
from tofutypes.provider.mux.routes import Routes
from tofutypes.provider.mux.schema_merging import merge_schemas
from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.unsupported import no_such_type
from tofutypes.provider.service.wire_value import WireValue

_EMPTY_OBJECT: Final = WireValue(b"\x80")

_ROUTED: Final = MappingProxyType(
    {
        "validate_resource_config": (RESOURCES, "type_name"),
        "apply_resource_change": (RESOURCES, "type_name"),
        "read_resource": (RESOURCES, "type_name"),
        "import_resource_state": (RESOURCES, "type_name"),
        "upgrade_resource_state": (RESOURCES, "type_name"),
        "upgrade_resource_identity": (RESOURCES, "type_name"),
        "move_resource_state": (RESOURCES, "target_type_name"),
        "generate_resource_config": (RESOURCES, "type_name"),
        "validate_data_resource_config": ("data_sources", "type_name"),
        "read_data_source": ("data_sources", "type_name"),
        "validate_ephemeral_resource_config": ("ephemeral_resources", "type_name"),
        "open_ephemeral_resource": ("ephemeral_resources", "type_name"),
        "renew_ephemeral_resource": ("ephemeral_resources", "type_name"),
        "close_ephemeral_resource": ("ephemeral_resources", "type_name"),
        "call_function": ("functions", "name"),
        "validate_list_resource_config": ("list_resources", "type_name"),
        "list_resource": ("list_resources", "type_name"),
        "validate_action_config": ("actions", "type_name"),
        "plan_action": ("actions", "action_type"),
        "invoke_action": ("actions", "action_type"),
        "validate_state_store_config": (STATE_STORES, "type_name"),
        "configure_state_store": (STATE_STORES, "type_name"),
        "read_state_bytes": (STATE_STORES, "type_name"),
        "lock_state": (STATE_STORES, "type_name"),
        "unlock_state": (STATE_STORES, "type_name"),
        "get_states": (STATE_STORES, "type_name"),
        "delete_state": (STATE_STORES, "type_name"),
    }
)
"""The calls that go to one part: the kind of what they are about, and the field with its name."""


class MuxService:
    """Answers each call with the part that has the type or the function; see `ProviderService`.

    The calls in `_ROUTED` are answered by `__getattr__`.

    Args:
        parts: The parts; at least one.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._known_routes: Routes | None = None

    @property
    def service(self) -> ProviderService:
        """This object, as what its methods make it."""
        return cast("ProviderService", self)

    def __getattr__(self, method: str) -> Any:
        if method not in _ROUTED:
            raise AttributeError(method)
        kind, field = _ROUTED[method]

        def answer(request: Any) -> Any:
            return self._ask(self._routes.part_with(kind, getattr(request, field)), method, request)

        setattr(self, method, answer)
        return answer

    @property
    def _routes(self) -> Routes:
        with self._lock:  # parts are asked once
            if self._known_routes is None:
                self._known_routes = Routes(self._parts)
            return self._known_routes

    @staticmethod
    def _ask(part: Part, method: str, request: object) -> Any:
        try:
            return part.call(method, request)
        except UnsupportedCallError as error:
            raise part.failure(error) from None

    def get_metadata(self) -> responses.MetadataResponse:
        """Return the names of everything that the parts have."""
        routes = self._routes
        names = {kind: tuple(routes.names(kind)) for kind in KINDS}
        return responses.MetadataResponse(self._capabilities(), routes.diagnostics, **names)

    def get_provider_schema(self) -> responses.ProviderSchemaResponse:
        """Return the schemas of all parts."""
        routes = self._routes
        answers = [(part, part.schema()) for part in self._parts]
        diagnostics = _merged(answer.diagnostics for _, answer in answers)
        schemas = [(part, answer.schema) for part, answer in answers if answer.schema is not None]
        whole = len(schemas) == len(answers)
        schema = merge_schemas(schemas, routes) if whole else None
        return responses.ProviderSchemaResponse(schema, self._capabilities(), diagnostics)

    def get_resource_identity_schemas(self) -> responses.IdentitySchemasResponse:
        """Return the schemas of the identities of resources."""
        answers = [(part, part.identities()) for part in self._parts]
        resources = self._routes.names(RESOURCES)
        identities = {
            name: schema
            for part, answer in answers
            for name, schema in answer.identity_schemas.items()
            if resources.get(name) is part
        }
        diagnostics = _merged(answer.diagnostics for _, answer in answers)
        return responses.IdentitySchemasResponse(identities, diagnostics)

    def get_functions(self) -> responses.FunctionsResponse:
        """Return the signatures of the functions."""
        routes = self._routes
        answers = [(part, part.functions()) for part in self._parts]
        functions = {
            name: function
            for part, answer in answers
            for name, function in answer.functions.items()
            if routes.names("functions").get(name) is part
        }
        diagnostics = _merged(answer.diagnostics for _, answer in answers)
        return responses.FunctionsResponse(functions, diagnostics)

    def validate_provider_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of the provider, with all parts."""
        return self._ask_all("validate_provider_config", request)

    def configure_provider(
        self, request: requests.ConfigureProviderRequest, /
    ) -> responses.DiagnosticsResponse:
        """Configure all parts, also those after a part that returns errors."""
        return self._ask_all("configure_provider", request)

    def plan_resource_change(
        self, request: requests.PlanResourceChangeRequest, /
    ) -> responses.PlanResourceChangeResponse:
        """Plan a creation, an update or a deletion.

        Core plans deletions itself for providers that cannot, but only if no part can.
        """
        part = self._routes.part_with(RESOURCES, request.type_name)
        if (
            request.proposed_new_state.is_null
            and not part.metadata.server_capabilities.plan_destroy
        ):
            return responses.PlanResourceChangeResponse(
                planned_state=request.proposed_new_state, planned_private=request.prior_private
            )
        planned: responses.PlanResourceChangeResponse = self._ask(
            part, "plan_resource_change", request
        )
        return planned

    def write_state_bytes(
        self, chunks: Iterator[state_requests.StateChunk], /
    ) -> responses.DiagnosticsResponse:
        """Write a state that arrives in chunks."""
        first = next(chunks, state_requests.StateChunk())
        name = first.meta.type_name if first.meta else ""
        if not name:
            no_such_type(name)
        part = self._routes.part_with(STATE_STORES, name)
        response: responses.DiagnosticsResponse = self._ask(
            part, "write_state_bytes", cast("object", chain([first], chunks))
        )
        return response

    def stop_provider(self) -> responses.StopProviderResponse:
        """Ask the calls of all parts to end early."""
        texts: list[str] = []
        for part in self._parts:
            try:
                response: responses.StopProviderResponse = part.call("stop_provider")
                texts.append(response.error)
            except (ProviderError, UnsupportedCallError) as error:
                texts.append(str(error))
        return responses.StopProviderResponse("\n".join(filter(None, dict.fromkeys(texts))))

    def close(self) -> None:
        """Close all parts, also after one of them failed."""
        with ExitStack() as stack:
            for part in self._parts:
                stack.callback(part.service.close)

    def _ask_all(self, method: str, request: Any) -> responses.DiagnosticsResponse:
        empty = request._replace(config=_EMPTY_OBJECT)
        return responses.DiagnosticsResponse(
            _merged(
                _diagnostics_of(part, method, request if part.takes_config else empty)
                for part in self._parts
            )
        )

    def _capabilities(self) -> responses.ServerCapabilities:
        """What the provider can do.

        Deletions and moves can be answered for the parts that cannot do them; configurations of
        states are made by Core, unless all parts can make them.
        """
        metadata = [part.metadata for part in self._parts]
        having = [each.server_capabilities for each in metadata]
        return responses.ServerCapabilities(
            plan_destroy=any(each.plan_destroy for each in having),
            get_provider_schema_optional=all(each.get_provider_schema_optional for each in having),
            move_resource_state=any(each.move_resource_state for each in having),
            generate_resource_config=all(
                each.server_capabilities.generate_resource_config
                for each in metadata
                if each.resources
            ),
        )


def _diagnostics_of(part: Part, method: str, request: object) -> tuple[Diagnostic, ...]:
    try:
        response: responses.DiagnosticsResponse = part.call(method, request)
    except UnsupportedCallError as error:
        return tuple(part.failure(error).diagnostics)
    except ProviderError as error:
        return tuple(error.diagnostics)
    return response.diagnostics


def _merged(groups: Iterable[tuple[Diagnostic, ...]]) -> tuple[Diagnostic, ...]:
    """The diagnostics of several parts; parts often find the same."""
    return tuple(dict.fromkeys(chain.from_iterable(groups)))
