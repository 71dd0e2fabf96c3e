"""Data sources and ephemeral resources.

Source: the protocol, `ReadDataSource`, `OpenEphemeralResource` and what follows it.
"""

from __future__ import annotations

from typing import Any

from tofutypes.models import DataSource, EphemeralResource
from tofutypes.provider.server.context import Context, EphemeralContext
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.handlers import DataSourceHandler, EphemeralResourceHandler
from tofutypes.provider.server.provider_meta import provider_meta
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.service.requests import (
    EphemeralResourceRequest,
    OpenEphemeralResourceRequest,
    ReadDataSourceRequest,
)
from tofutypes.provider.service.responses import (
    DiagnosticsResponse,
    OpenEphemeralResourceResponse,
    ReadDataSourceResponse,
    RenewEphemeralResourceResponse,
)
from tofutypes.provider.service.wire_value import WireValue


class DataSourceEndpoint(Endpoint[DataSource]):
    """A data source of the provider.

    Attributes:
        handler: The author's handler.
    """

    def __init__(self, name: str, handler: DataSourceHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    def read(self, request: ReadDataSourceRequest) -> ReadDataSourceResponse:
        """Read the data source. A deferred one has the state of its configuration."""
        allowed = request.client_capabilities.deferral_allowed
        context = Context(stopping=self.stopping, deferral_allowed=allowed)
        state = WireValue()
        with reporting(f"reading of {self.name}", context, self.parts) as report:
            context.provider_meta = provider_meta(self.handler, request.provider_meta)
            config = self.decode(request.config, "configuration")
            returned = self.run(self.handler.read(config, context))
            state = WireValue.of(self.ensure_known(returned, "read"))
        if report.deferred:
            state = request.config
        return ReadDataSourceResponse(state, report.diagnostics, report.deferred)


class EphemeralResourceEndpoint(Endpoint[EphemeralResource]):
    """An ephemeral resource of the provider.

    Attributes:
        handler: The author's handler.
    """

    def __init__(self, name: str, handler: EphemeralResourceHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    def open(self, request: OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse:
        """Open the ephemeral resource."""
        allowed = request.client_capabilities.deferral_allowed
        context = EphemeralContext(stopping=self.stopping, deferral_allowed=allowed)
        response = OpenEphemeralResourceResponse()
        with reporting(f"opening of {self.name}", context, self.parts) as report:
            config = self.decode(request.config, "configuration")
            returned = self.run(self.handler.open(config, context))
            response = OpenEphemeralResourceResponse(
                WireValue.of(self.ensure_known(returned, "open")),
                renew_at=context.renew_at,
                private=context.private_data(),
            )
        return response._replace(diagnostics=report.diagnostics, deferred=report.deferred)

    def renew(self, request: EphemeralResourceRequest) -> RenewEphemeralResourceResponse:
        """Renew the ephemeral resource."""
        context = EphemeralContext(stopping=self.stopping, private=request.private or b"")
        response = RenewEphemeralResourceResponse(private=request.private)
        with reporting(f"renewal of {self.name}", context) as report:
            self.run(self.handler.renew(context))
            response = RenewEphemeralResourceResponse(
                renew_at=context.renew_at, private=context.private_data()
            )
        return response._replace(diagnostics=report.diagnostics)

    def close(self, request: EphemeralResourceRequest) -> DiagnosticsResponse:
        """Close the ephemeral resource."""
        context = EphemeralContext(stopping=self.stopping, private=request.private or b"")
        with reporting(f"closing of {self.name}", context) as report:
            self.run(self.handler.close(context))
        return DiagnosticsResponse(report.diagnostics)
