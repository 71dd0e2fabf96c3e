"""What all calls to one provider share: the connection and the schemas."""

from __future__ import annotations

import threading
from typing import Any

from google.protobuf.message import Message

from tofutypes.errors import SchemaError
from tofutypes.models import Resource
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.client.connection import Connection, UnsupportedCallError
from tofutypes.provider.client.conversion import raise_errors
from tofutypes.provider.messages.schemas import provider_schema_of_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.schema import Block, IdentitySchema, ProviderSchema


class Session:
    """The connection to a provider and its schemas, which are read on first use.

    Args:
        connection: The connection.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._lock = threading.Lock()
        self._schema: ProviderSchema | None = None
        self._plans_destruction = False

    def call(self, name: str, request: Message) -> Any:
        """Call the provider; see `Connection.call`."""
        return self.connection.call(name, request)

    @property
    def schema(self) -> ProviderSchema:
        """The schemas of the provider.

        Raises:
            ProviderError: If the provider returns errors.
            SchemaError: If the schemas are not valid. The message has the path.
        """
        with self._lock:
            if self._schema is None:
                self._schema = self._read_schema()
            return self._schema

    @property
    def plans_destruction(self) -> bool:
        """Whether the provider plans the destruction of objects (`plan_destroy`)."""
        return bool(self.schema) and self._plans_destruction

    def block(self, model: type[Resource]) -> Block:
        """The block of a resource in the provider's schema.

        Raises:
            PluginError: If the provider has no such resource.
        """
        name = type_name(model)
        schema = self.schema.resources.get(name)
        if schema is None:
            raise PluginError(f"the provider has no resource {name}")
        return schema.block

    def identity(self, model: type[Resource]) -> IdentitySchema | None:
        """The identity schema of a resource; None if it has none."""
        return self.schema.identities.get(type_name(model))

    def _read_schema(self) -> ProviderSchema:
        # The class of the response depends on the version; both have these fields.
        response = self.call("GetProviderSchema", tfplugin6.GetProviderSchema.Request())
        raise_errors(response.diagnostics)
        self._plans_destruction = response.server_capabilities.plan_destroy
        return provider_schema_of_message(response, self._read_identities(response))

    def _read_identities(self, schemas: Any) -> tfplugin6.GetResourceIdentitySchemas.Response:
        request = tfplugin6.GetResourceIdentitySchemas.Request()
        try:
            response: tfplugin6.GetResourceIdentitySchemas.Response = self.call(
                "GetResourceIdentitySchemas", request
            )
        except UnsupportedCallError:
            return tfplugin6.GetResourceIdentitySchemas.Response()
        raise_errors(response.diagnostics)
        # Core ignores identities without a resource (observed).
        for name in response.identity_schemas.keys() - schemas.resource_schemas.keys():
            del response.identity_schemas[name]
        return response


def type_name(model: type[SchemaModel]) -> str:
    """The type name of a model: `aws_instance`.

    Raises:
        SchemaError: If the model has no type name.
    """
    name = model.__tofu_info__.type_name
    if name is None:
        raise SchemaError(
            f"{model.__name__} has no type name; set `type_name=` in its class statement"
        )
    return name
