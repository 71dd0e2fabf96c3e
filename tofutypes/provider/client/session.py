"""What all calls to one provider share: the connection, and what its schemas say."""

from __future__ import annotations

import threading
from typing import Any

from google.protobuf.message import Message

from tofutypes.errors import SchemaError
from tofutypes.models import Resource
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.client.connection import Connection, UnsupportedCallError
from tofutypes.provider.client.conversion import warnings_of
from tofutypes.provider.messages.schemas import provider_schema_of_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.schema import Block, IdentitySchema, ProviderSchema


class Session:
    """The connection to a provider, and its schemas, which are read when they are needed.

    Args:
        connection: the connection.
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
            ProviderError: the provider cannot tell them.
            SchemaError: they are not valid.
        """
        with self._lock:
            if self._schema is None:
                self._schema = self._read_schema()
            return self._schema

    @property
    def plans_destruction(self) -> bool:
        """Whether the provider wants to plan that an object is destroyed."""
        return bool(self.schema) and self._plans_destruction

    def block(self, model: type[Resource]) -> Block:
        """What a resource consists of, as the provider says.

        Raises:
            PluginError: the provider has no such resource.
        """
        name = type_name(model)
        schema = self.schema.resources.get(name)
        if schema is None:
            raise PluginError(f"the provider has no resource {name}")
        return schema.block

    def identity(self, model: type[Resource]) -> IdentitySchema | None:
        """What identifies a resource, if the provider says so."""
        return self.schema.identities.get(type_name(model))

    def _read_schema(self) -> ProviderSchema:
        # The class of the response is that of the major; both have these fields.
        response = self.call("GetProviderSchema", tfplugin6.GetProviderSchema.Request())
        warnings_of(response.diagnostics)
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
        warnings_of(response.diagnostics)
        # The core uses no others (observed).
        for name in response.identity_schemas.keys() - schemas.resource_schemas.keys():
            del response.identity_schemas[name]
        return response


def type_name(model: type[SchemaModel]) -> str:
    """The name by which a provider knows a class.

    Raises:
        SchemaError: it has none.
    """
    name = model.__tofu_info__.type_name
    if name is None:
        raise SchemaError(f"{model.__name__} has no type name; give it one with `type_name=`")
    return name
