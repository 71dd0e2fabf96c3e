"""The calls `resources/…`, answered by the handlers of a provider in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tofutypes.errors import TofuTypesError
from tofutypes.provider.server.provider import Provider
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service import requests, responses
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.service import ProviderService
from tofutypes.schema.document import write_part
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.values import text_param, write_path
from tofutypes.seasonings.resources.conversion import (
    read_bytes,
    read_value,
    write_deferred,
    write_diagnostics,
    write_value,
)
from tofutypes.seasonings.rpc.handlers import Call
from tofutypes.seasonings.rpc.messages import Params

Answer = Mapping[str, object]


def service_of(provider: object) -> ProviderService:
    """The service of a provider, or of its class.

    Raises:
        TypeError: If it is no provider.
    """
    instance: object = provider() if isinstance(provider, type) else provider
    if not isinstance(instance, Provider):
        raise TypeError(f"expected a Provider, got {type(instance).__name__}")
    return HandlerService(instance)  # pyright: ignore[reportUnknownArgumentType]  # of any config


class ResourceCalls:
    """Answers the calls about resources, data sources and ephemeral resources.

    Args:
        service: what answers them.
    """

    def __init__(self, service: ProviderService) -> None:
        self._service = service

    @property
    def methods(self) -> Mapping[str, Callable[[Params, Call], Answer]]:
        """What answers each method."""
        functions: Mapping[str, Callable[[Params], Answer]] = {
            "getSchema": self._get_schema,
            "validateConfig": self._validate,
            "configure": self._configure,
            "planChange": self._plan,
            "applyChange": self._apply,
            "read": self._read,
            "import": self._import,
            "upgradeState": self._upgrade,
            "readData": self._read_data,
            "openEphemeral": self._open,
            "renewEphemeral": self._renew,
            "closeEphemeral": self._close,
        }
        return {f"resources/{name}": _guarded(function) for name, function in functions.items()}

    def _get_schema(self, _params: Params) -> Answer:
        response = self._service.get_provider_schema()
        if response.schema is None:
            raise ProviderError.of(response.diagnostics)
        document = write_part(response.schema)
        return {
            name: document.get(name, {})
            for name in (
                "provider",
                "resource_schemas",
                "data_source_schemas",
                "ephemeral_resource_schemas",
            )
        }

    def _validate(self, params: Params) -> Answer:
        validators = {
            "provider": self._service.validate_provider_config,
            "managed": self._service.validate_resource_config,
            "data": self._service.validate_data_resource_config,
            "ephemeral": self._service.validate_ephemeral_resource_config,
        }
        validate = validators.get(text_param(params, "mode"))
        if validate is None:
            listed = ", ".join(validators)
            raise CallError(ErrorCode.INVALID_PARAMS, f"mode: expected one of {listed}")
        name = "" if params.get("type_name") is None else text_param(params, "type_name")
        request = requests.ValidateConfigRequest(read_value(params.get("config")), name)
        return {"diagnostics": write_diagnostics(validate(request).diagnostics)}

    def _configure(self, params: Params) -> Answer:
        request = requests.ConfigureProviderRequest(read_value(params.get("config")))
        response = self._service.configure_provider(request)
        return {"diagnostics": write_diagnostics(response.diagnostics)}

    def _plan(self, params: Params) -> Answer:
        response = self._service.plan_resource_change(
            requests.PlanResourceChangeRequest(
                text_param(params, "type_name"),
                read_value(params.get("prior_state")),
                read_value(params.get("proposed_new_state")),
                read_value(params.get("config")),
                read_bytes(params.get("private")),
            )
        )
        return {
            "planned_state": write_value(response.planned_state),
            "requires_replace": list(map(write_path, response.requires_replace)),
            "private": response.planned_private,
            "deferred": write_deferred(response.deferred),
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _apply(self, params: Params) -> Answer:
        response = self._service.apply_resource_change(
            requests.ApplyResourceChangeRequest(
                text_param(params, "type_name"),
                read_value(params.get("prior_state")),
                read_value(params.get("planned_state")),
                read_value(params.get("config")),
                read_bytes(params.get("private")),
            )
        )
        return {
            "new_state": write_value(response.new_state),
            "private": response.private,
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _read(self, params: Params) -> Answer:
        response = self._service.read_resource(
            requests.ReadResourceRequest(
                text_param(params, "type_name"),
                read_value(params.get("current_state")),
                read_bytes(params.get("private")),
            )
        )
        return {
            "new_state": write_value(response.new_state),
            "private": response.private,
            "deferred": write_deferred(response.deferred),
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _import(self, params: Params) -> Answer:
        response = self._service.import_resource_state(
            requests.ImportResourceStateRequest(
                text_param(params, "type_name"), text_param(params, "id")
            )
        )
        return {
            "resources": [
                {
                    "type_name": imported.type_name,
                    "state": write_value(imported.state),
                    "private": imported.private,
                }
                for imported in response.imported_resources
            ],
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _upgrade(self, params: Params) -> Answer:
        version = params.get("version")
        if not isinstance(version, int):
            raise CallError(ErrorCode.INVALID_PARAMS, "version: expected an integer")
        state = requests.RawState(text_param(params, "state").encode())
        response = self._service.upgrade_resource_state(
            requests.UpgradeResourceStateRequest(text_param(params, "type_name"), version, state)
        )
        return {
            "state": write_value(response.upgraded_state),
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _read_data(self, params: Params) -> Answer:
        response = self._service.read_data_source(
            requests.ReadDataSourceRequest(
                text_param(params, "type_name"), read_value(params.get("config"))
            )
        )
        return {
            "state": write_value(response.state),
            "deferred": write_deferred(response.deferred),
            "diagnostics": write_diagnostics(response.diagnostics),
        }

    def _open(self, params: Params) -> Answer:
        response = self._service.open_ephemeral_resource(
            requests.OpenEphemeralResourceRequest(
                text_param(params, "type_name"), read_value(params.get("config"))
            )
        )
        return {
            "result": write_value(response.result),
            "deferred": write_deferred(response.deferred),
            **_lease(response),
        }

    def _renew(self, params: Params) -> Answer:
        return _lease(self._service.renew_ephemeral_resource(_open_resource(params)))

    def _close(self, params: Params) -> Answer:
        response = self._service.close_ephemeral_resource(_open_resource(params))
        return {"diagnostics": write_diagnostics(response.diagnostics)}


def _open_resource(params: Params) -> requests.EphemeralResourceRequest:
    private = params.get("private")
    return requests.EphemeralResourceRequest(
        text_param(params, "type_name"), None if private is None else read_bytes(private)
    )


def _lease(
    response: responses.OpenEphemeralResourceResponse | responses.RenewEphemeralResourceResponse,
) -> dict[str, object]:
    return {
        "renew_at": None if response.renew_at is None else response.renew_at.isoformat(),
        "private": response.private,
        "diagnostics": write_diagnostics(response.diagnostics),
    }


def _guarded(function: Callable[[Params], Answer]) -> Callable[[Params, Call], Answer]:
    """A handler whose errors are diagnostics, where the host expects them."""

    def answer(params: Params, _call: Call) -> Answer:
        try:
            return function(params)
        except CallError:
            raise
        except ProviderError as error:
            return {"diagnostics": write_diagnostics(error.diagnostics)}
        except TofuTypesError as error:
            raise CallError(ErrorCode.INVALID_PARAMS, str(error)) from None

    return answer
