"""The calls about resources, with hooks around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgpack

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.seasonings.bridges.relay.call_kinds import KINDS, CallKind, type_name_of
from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.record import Record
from tofutypes.seasonings.bridges.relay.redaction import Redaction, holds_secrets
from tofutypes.seasonings.bridges.relay.session import Forward
from tofutypes.seasonings.protocol.methods import HookPoint

if TYPE_CHECKING:
    from tofutypes.seasonings.bridges.relay.call_messages import CallMessages
    from tofutypes.seasonings.bridges.relay.schemas import ProviderSchemas, ResourceSchema

_NULL: Final = b"\xc0"


class ResourceCalls:
    """Calls hooks around the calls of one provider about resources.

    Protobuf is imported with the first call that a hook wants to see.

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
        self._response: tuple[bytes, int] | None = None
        self._read: ProviderSchemas | None = None
        self._configurations: list[bytes] = []
        self._secretive: dict[tuple[str, str], bool] = {}
        self.names: Final = frozenset(
            name
            for name, kind in KINDS.items()
            if redaction is not None or chain.wants(kind.pre) or chain.wants(kind.post)
        )

    def wants(self, name: str, request: bytes) -> bool:
        """Whether somebody wants to see a call: hooks, those of the stage, or the redaction."""
        kind, type_name = KINDS[name], type_name_of(request)
        return (
            type_name is None
            or self._sees(kind.pre, type_name)
            or self._sees(kind.post, type_name)
            or (self._redaction is not None and self._is_secretive(type_name, kind.mode))
        )

    def _is_secretive(self, type_name: str, mode: str) -> bool:
        """Whether resources of a type hold secrets, which must not reach hooks about others."""
        secretive = self._secretive.get((type_name, mode))
        if secretive is None:
            schema = self._schemas().resource(type_name, mode) if self._response else None
            secretive = schema is not None and holds_secrets(schema.block)
            self._secretive[type_name, mode] = secretive
        return secretive

    def _sees(self, point: HookPoint, type_name: str | None) -> bool:
        if point in self._record.resources:
            type_name = None
        return self._chain.wants(point, type_name)

    def schema_read(self, response: bytes, major: int) -> None:
        """Take the response of `GetProviderSchema`."""
        if self._response is None:
            self._response = response, major

    def configured(self, request: bytes) -> None:
        """Take the provider's own configuration, which may hold secrets."""
        if self._redaction is not None and request not in self._configurations:
            self._configurations.append(request)

    def _schemas(self) -> ProviderSchemas:
        from tofutypes.seasonings.bridges.relay.call_messages import (
            MessageError,
            ProviderSchemas,
            provider_configuration,
        )

        if self._read is None:
            if self._response is None:
                raise PluginError(f"{self._provider}: the schemas are not known")
            self._read = ProviderSchemas(*self._response)
        schema = self._read.configuration() if self._configurations else None
        while self._configurations:
            request = self._configurations.pop()
            if schema is None or self._redaction is None:
                continue
            try:
                configuration = provider_configuration(request, schema)
            except MessageError:  # Terraform Core never sends such a thing
                continue
            self._redaction.learn(configuration, schema.block)
        return self._read

    async def call(self, name: str, request: bytes, forward: Forward) -> bytes:
        """Answer a call: hooks before, the real provider, hooks after.

        Raises:
            PluginError: If the schemas of the provider are not known.
        """
        from tofutypes.seasonings.bridges.relay.call_messages import CallMessages, MessageError

        kind = KINDS[name]
        try:
            messages = CallMessages(kind, request)
        except MessageError:
            return await forward(request)
        schema = self._schemas().resource(messages.type_name, kind.mode)
        if schema is None:  # a provider that violates the protocol: Terraform Core says so
            return await forward(request)
        self._learn(schema, *(messages.requested(field, schema) for field in kind.values))
        metadata: Mapping[str, object] = {}
        added = b""
        if self._sees(kind.pre, messages.type_name):
            after = messages.requested(kind.proposed, schema)
            params = self._params(kind, messages, after, schema)
            result = await self._chain.call(kind.pre, params)
            self._record.note(kind.pre, params, result)
            added = messages.diagnostics(result.diagnostics, schema)
            if result.failed:
                return messages.refused() + added
            metadata = result.metadata
        response = await forward(request)
        try:
            answer = messages.read_response(response)
        except MessageError:
            return response + added
        after = messages.result(answer, schema)
        self._learn(schema, after)
        if not self._sees(kind.post, messages.type_name) or messages.has_errors(answer):
            return response + added
        replace = bool(getattr(answer, "requires_replace", ()))
        params = self._params(kind, messages, after, schema, replace=replace)
        result = await self._chain.call(kind.post, params, metadata)
        self._record.note(kind.post, params, result)
        return response + added + messages.diagnostics(result.diagnostics, schema)

    def _learn(self, schema: ResourceSchema, *values: bytes) -> None:
        """Remember the secrets of values."""
        if self._redaction is not None and holds_secrets(schema.block):
            for value in values:
                self._redaction.learn(msgpack.unpackb(value), schema.block)

    def _params(
        self,
        kind: CallKind,
        messages: CallMessages,
        after: bytes,
        schema: ResourceSchema,
        *,
        replace: bool = False,
    ) -> dict[str, object]:
        values = {
            "before": messages.requested(kind.state, schema),
            "after": after,
            "config": messages.requested("config" if kind.config else "", schema),
        }
        action = _action(values["before"], values["after"], replace=replace)
        params: dict[str, object] = {
            "address": None,
            "provider": self._provider,
            "resource_mode": kind.mode,
            "resource_type": messages.type_name,
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
