"""The calls about resources, with hooks around them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack
from google.protobuf.message import DecodeError as MessageError
from google.protobuf.message import Message

from tofutypes.errors import TofuTypesError
from tofutypes.provider.messages.diagnostics import diagnostic_to_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic as ProviderDiagnostic
from tofutypes.provider.service.diagnostics import Severity as ProviderSeverity
from tofutypes.seasonings.bridges.relay.chain import Chain, ChainResult
from tofutypes.seasonings.bridges.relay.redaction import Redaction
from tofutypes.seasonings.bridges.relay.schemas import ProviderSchemas, ResourceSchema, typed_path
from tofutypes.seasonings.protocol.diagnostics import Diagnostic, Severity
from tofutypes.seasonings.protocol.methods import HookPoint
from tofutypes.wire import decode_json, encode_msgpack

Forward: TypeAlias = Callable[[bytes], Awaitable[bytes]]
"""Calls the real provider."""

_NULL: Final = b"\xc0"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A call with hooks, and the names of the fields that hold its values.

    Attributes:
        pre, post: the hooks before and after.
        request, response: the messages.
        state, proposed: fields of the request: the state before, and what is to become of it.
        result: the field of the response that holds what has become of it.
        private: the private state in the request, and in the response.
    """

    pre: HookPoint
    post: HookPoint
    request: type[Message]
    response: type[Message]
    state: str
    proposed: str
    result: str
    private: tuple[str, str]

    @property
    def is_read(self) -> bool:
        """Whether nothing is to change."""
        return self.pre is HookPoint.PRE_REFRESH

    def refuse(self, request: Any) -> bytes:
        """The response to a request that nobody has carried out: all is as it was."""
        theirs, ours = self.private
        fields = {self.result: getattr(request, self.state), ours: getattr(request, theirs)}
        return self.response(**fields).SerializeToString()


HOOKED: Final[Mapping[str, _Kind]] = {
    "PlanResourceChange": _Kind(
        HookPoint.PRE_PLAN,
        HookPoint.POST_PLAN,
        tfplugin6.PlanResourceChange.Request,
        tfplugin6.PlanResourceChange.Response,
        "prior_state",
        "proposed_new_state",
        "planned_state",
        ("prior_private", "planned_private"),
    ),
    "ApplyResourceChange": _Kind(
        HookPoint.PRE_APPLY,
        HookPoint.POST_APPLY,
        tfplugin6.ApplyResourceChange.Request,
        tfplugin6.ApplyResourceChange.Response,
        "prior_state",
        "planned_state",
        "new_state",
        ("planned_private", "private"),
    ),
    "ReadResource": _Kind(
        HookPoint.PRE_REFRESH,
        HookPoint.POST_REFRESH,
        tfplugin6.ReadResource.Request,
        tfplugin6.ReadResource.Response,
        "current_state",
        "current_state",
        "new_state",
        ("private", "private"),
    ),
}
"""The calls with hooks."""


class Record:
    """What was seen in a run, for the hooks of stages and the metadata file."""

    def __init__(self) -> None:
        self.resources: dict[HookPoint, list[Mapping[str, object]]] = {
            point: [] for point in HookPoint
        }
        self.metadata: list[Mapping[str, object]] = []

    def note(self, point: HookPoint, params: Mapping[str, object], result: ChainResult) -> None:
        """Keep the params of a hook, and what the hooks have left."""
        self.resources[point].append(params)
        if result.metadata:
            self.metadata.append(
                {
                    "hook": point.value,
                    "provider": params["provider"],
                    "resource_type": params["resource_type"],
                    "planned_action": params["planned_action"],
                    "metadata": result.metadata,
                }
            )


class ResourceCalls:
    """Calls hooks around the calls of one provider about resources.

    Args:
        provider: the address of the provider.
        chain: the plugins.
        redaction: takes secrets out; None if plugins may see them.
        record: keeps what was seen.
    """

    def __init__(
        self, provider: str, chain: Chain, redaction: Redaction | None, record: Record
    ) -> None:
        self._provider = provider
        self._chain = chain
        self._redaction = redaction
        self._record = record

    def configured(self, request: bytes, schemas: ProviderSchemas) -> None:
        """Learn the secrets in the provider's own configuration."""
        if self._redaction is None:
            return
        schema = schemas.configuration()
        try:
            message = tfplugin6.ConfigureProvider.Request.FromString(request)
        except MessageError:
            return
        if schema is not None:
            value = _msgpack(message.config, schema)
            self._redaction.learn(msgpack.unpackb(value), schema.block)

    async def call(
        self, name: str, request: bytes, schemas: ProviderSchemas, forward: Forward
    ) -> bytes:
        """Answer a call: hooks before, the real provider, hooks after."""
        kind = HOOKED[name]
        message: Any = kind.request.FromString(request)
        schema = schemas.resource(message.type_name)
        if schema is None:  # a provider that violates the protocol: Terraform Core says so
            return await forward(request)
        metadata: Mapping[str, object] = {}
        warnings = b""
        if self._chain.wants(kind.pre):
            params = self._params(kind, message, getattr(message, kind.proposed), schema)
            result = await self._chain.call(kind.pre, params)
            self._record.note(kind.pre, params, result)
            warnings = _diagnostics(result, schema, kind)
            if result.failed:
                return kind.refuse(message) + warnings
            metadata = result.metadata
        response = await forward(request)
        if not self._chain.wants(kind.post):
            return response + warnings
        answer: Any = kind.response.FromString(response)
        if any(each.severity == tfplugin6.Diagnostic.ERROR for each in answer.diagnostics):
            return response + warnings
        replace = bool(getattr(answer, "requires_replace", ()))
        params = self._params(kind, message, getattr(answer, kind.result), schema, replace=replace)
        result = await self._chain.call(kind.post, params, metadata)
        self._record.note(kind.post, params, result)
        # Fields of a message that come again are added to it.
        return response + warnings + _diagnostics(result, schema, kind)

    def _params(
        self,
        kind: _Kind,
        request: Any,
        after: tfplugin6.DynamicValue,
        schema: ResourceSchema,
        *,
        replace: bool = False,
    ) -> dict[str, object]:
        values = {
            "before": _msgpack(getattr(request, kind.state), schema),
            "after": _msgpack(after, schema),
            "config": _NULL if kind.is_read else _msgpack(request.config, schema),
        }
        action = _action(values["before"], values["after"], replace=replace)
        params: dict[str, object] = {
            "address": None,
            "provider": self._provider,
            "resource_mode": "managed",
            "resource_type": request.type_name,
            "resource_name": None,
            "planned_action": "read" if kind.is_read else action,
            "type": schema.type_form,
        }
        redacted: list[list[str | int]] = []
        for name, data in values.items():
            value: object = msgpack.unpackb(data)
            if self._redaction is not None:
                value, paths = self._redaction.redact(value, schema.block, schema.type)
                redacted += [path for path in paths if path not in redacted]
            params[name] = value
        params["redacted"] = redacted
        return params


def _action(before: bytes, after: bytes, *, replace: bool) -> str:
    if before == _NULL:
        return "no-op" if after == _NULL else "create"
    if after == _NULL:
        return "delete"
    if replace:
        return "replace"
    return "no-op" if before == after else "update"


def _msgpack(value: tfplugin6.DynamicValue, schema: ResourceSchema) -> bytes:
    """A value in MessagePack, which a provider may have sent as JSON; null if it is absent."""
    if value.msgpack:
        return value.msgpack
    if not value.json:
        return _NULL
    try:
        return encode_msgpack(decode_json(value.json, schema.type), schema.type)
    except TofuTypesError:  # Terraform Core says what is wrong with it
        return _NULL


def _diagnostics(result: ChainResult, schema: ResourceSchema, kind: _Kind) -> bytes:
    """Diagnostics as the end of a response."""
    if not result.diagnostics:
        return b""
    messages = [_message(diagnostic, schema) for diagnostic in result.diagnostics]
    return kind.response(diagnostics=messages).SerializeToString()


def _message(diagnostic: Diagnostic, schema: ResourceSchema) -> tfplugin6.Diagnostic:
    error = diagnostic.severity is Severity.ERROR
    return diagnostic_to_message(
        ProviderDiagnostic(
            ProviderSeverity.ERROR if error else ProviderSeverity.WARNING,
            diagnostic.summary,
            diagnostic.detail,
            typed_path(diagnostic.path, schema.type),
        )
    )
