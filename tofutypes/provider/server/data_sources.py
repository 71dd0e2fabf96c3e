"""Data sources and ephemeral resources.

Source: the protocol, `ReadDataSource`, `OpenEphemeralResource` and what follows it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from tofutypes.models import DataSource, EphemeralResource
from tofutypes.provider.messages.dynamic_value import write_value
from tofutypes.provider.proto.tfplugin6_pb2 import (
    CloseEphemeralResource,
    OpenEphemeralResource,
    ReadDataSource,
    RenewEphemeralResource,
)
from tofutypes.provider.server.context import Context, DeferralError, EphemeralContext
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.handlers import DataSourceHandler, EphemeralResourceHandler
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.runner import Runner


class DataSourceEndpoint(Endpoint[DataSource]):
    """A data source that the provider serves.

    Attributes:
        handler: the author's handler.
    """

    def __init__(self, name: str, handler: DataSourceHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    def read(self, request: ReadDataSource.Request) -> ReadDataSource.Response:
        """The values of a data source."""
        answer = ReadDataSource.Response()
        allowed = request.client_capabilities.deferral_allowed
        context = Context(self.stopping, deferral_allowed=allowed)
        with reporting(answer, f"reading of {self.name}", context, self.parts):
            config = self.must_read(request.config, "configuration")
            try:
                found = self.ensure_known(self.run(self.handler.read(config, context)), "read")
            except DeferralError as deferral:
                answer.deferred.CopyFrom(deferral.reason.to_message())
                found = config
            answer.state.CopyFrom(write_value(found))
        return answer


class EphemeralResourceEndpoint(Endpoint[EphemeralResource]):
    """An ephemeral resource that the provider serves.

    Attributes:
        handler: the author's handler.
    """

    def __init__(self, name: str, handler: EphemeralResourceHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    def open(self, request: OpenEphemeralResource.Request) -> OpenEphemeralResource.Response:
        """Open it."""
        answer = OpenEphemeralResource.Response()
        allowed = request.client_capabilities.deferral_allowed
        context = EphemeralContext(self.stopping, deferral_allowed=allowed)
        with reporting(answer, f"opening of {self.name}", context, self.parts):
            config = self.must_read(request.config, "configuration")
            try:
                found = self.ensure_known(self.run(self.handler.open(config, context)), "open")
            except DeferralError as deferral:
                answer.deferred.CopyFrom(deferral.reason.to_message())
                return answer
            answer.result.CopyFrom(write_value(found))
            answer.private = context.private_data()
            _set_renewal(answer, context)
        return answer

    def renew(self, request: RenewEphemeralResource.Request) -> RenewEphemeralResource.Response:
        """Make it last longer."""
        answer = RenewEphemeralResource.Response(private=request.private)
        context = EphemeralContext(self.stopping, private=request.private)
        with reporting(answer, f"renewal of {self.name}", context):
            self.run(self.handler.renew(context))
            answer.private = context.private_data()
            _set_renewal(answer, context)
        return answer

    def close(self, request: CloseEphemeralResource.Request) -> CloseEphemeralResource.Response:
        """End it."""
        answer = CloseEphemeralResource.Response()
        context = EphemeralContext(self.stopping, private=request.private)
        with reporting(answer, f"closing of {self.name}", context):
            self.run(self.handler.close(context))
        return answer


def _set_renewal(
    answer: OpenEphemeralResource.Response | RenewEphemeralResource.Response,
    context: EphemeralContext,
) -> None:
    if context.renew_at is None:
        return
    when = context.renew_at
    moment = Timestamp()
    moment.FromDatetime(_utc(when))
    answer.renew_at.CopyFrom(moment)


def _utc(when: datetime) -> datetime:
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
