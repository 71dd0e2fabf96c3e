"""The schemas of a provider, from messages and to messages.

The protocol cannot express unknown keys of documents, nor the difference between an empty and an
absent text. Source: the protocol, `Schema`; observed, Terraform 1.15.5.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar, cast

from google.protobuf.message import DecodeError as MessageError
from google.protobuf.message import Message

from tofutypes.errors import AttributeStep, SchemaError
from tofutypes.provider.messages.conversion import convert_named, step_into
from tofutypes.provider.messages.protocol import Protocol, protocol_of
from tofutypes.provider.messages.schema_reading import SchemaReader
from tofutypes.provider.messages.schema_writing import SchemaWriter, identity_to_message
from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.schema import (
    Block,
    Function,
    IdentitySchema,
    ProviderSchema,
    Schema,
)
from tofutypes.schema.document_codecs import MisfitError

M = TypeVar("M", bound=Message)

SchemaResponse: TypeAlias = (
    tfplugin5.GetProviderSchema.Response | tfplugin6.GetProviderSchema.Response
)
"""The response with all schemas. Each protocol version has a class of its own."""


_PLACES: Final = {
    "resource_schemas": "resources",
    "data_source_schemas": "data_sources",
    "ephemeral_resource_schemas": "ephemeral_resources",
    "list_resource_schemas": "list_resources",
    "state_store_schemas": "state_stores",
}
"""Where messages have schemas, and the fields of `ProviderSchema`; 5 has no state stores."""


def provider_schema_to_message(schema: ProviderSchema, protocol: Protocol) -> SchemaResponse:
    """Write the schemas of a provider, without the identities, as the `GetProviderSchema` response.

    A provider without a configuration gets an empty one, because Core requires one.

    Raises:
        SchemaError: If the protocol version cannot express a schema, such as nested types in
            protocol 5. The message has the path.
    """
    writer = SchemaWriter(protocol)
    response = cast(
        "tfplugin6.GetProviderSchema.Response", protocol.calls["GetProviderSchema"].response()
    )
    configuration = schema.provider or Schema(Block())
    try:
        response.provider.CopyFrom(step_into("provider", writer.schema, configuration))
        if schema.provider_meta is not None:
            meta = step_into("provider_meta", writer.schema, schema.provider_meta)
            response.provider_meta.CopyFrom(meta)
        for place, field in _PLACES.items():
            schemas: Mapping[str, Schema] = getattr(schema, field)
            if schemas and place not in response.DESCRIPTOR.fields_by_name:
                raise MisfitError(
                    "not supported in protocol 5; use protocol 6", [AttributeStep(place)]
                )
            if schemas:
                _fill(getattr(response, place), step_into(place, writer.schemas, schemas))
        for name, message in step_into("action_schemas", writer.schemas, schema.actions).items():
            response.action_schemas[name].schema.MergeFrom(message)
    except MisfitError as error:
        raise SchemaError(error.message, error.path) from None
    except (MessageError, RecursionError):
        raise SchemaError("blocks are nested too deeply (messages have about 48 levels)") from None
    _fill(response.functions, convert_named(writer.function, schema.functions.items()))
    return response


def provider_schema_of_message(
    response: SchemaResponse,
    identities: tfplugin6.GetResourceIdentitySchemas.Response | None = None,
) -> ProviderSchema:
    """Read the schemas of a provider from its responses.

    Args:
        response: The response to `GetProviderSchema`, in either protocol version.
        identities: The response to `GetResourceIdentitySchemas`, if the provider has that call.

    Raises:
        SchemaError: If the responses are not valid schemas. The message has the path, with the
            names that documents use.
    """
    message = cast("tfplugin6.GetProviderSchema.Response", response)
    reader = SchemaReader()
    try:
        if not message.HasField("provider"):
            raise MisfitError("provider: missing schema")
        return ProviderSchema(
            provider=step_into("provider", reader.schema, message.provider),
            provider_meta=_read_meta(reader, message),
            **{
                field: step_into(place, reader.schemas, getattr(message, place))
                for place, field in _PLACES.items()
                if place in message.DESCRIPTOR.fields_by_name
            },
            actions=_read_actions(reader, message),
            functions=step_into("functions", reader.functions, message.functions),
            identities={} if identities is None else identities_of_message(identities),
        )
    except MisfitError as error:
        raise SchemaError(error.message, error.path) from None


def identities_to_message(
    identities: Mapping[str, IdentitySchema],
) -> tfplugin6.GetResourceIdentitySchemas.Response:
    """Write identity schemas, by type name, as the `GetResourceIdentitySchemas` response."""
    response = tfplugin6.GetResourceIdentitySchemas.Response()
    _fill(response.identity_schemas, convert_named(identity_to_message, identities.items()))
    return response


def identities_of_message(
    response: tfplugin6.GetResourceIdentitySchemas.Response,
) -> Mapping[str, IdentitySchema]:
    """The identity schemas of resources, by type name, from their message.

    Raises:
        SchemaError: they are no schemas; with the place, named as in documents.
    """
    try:
        return step_into(
            "resource_identity_schemas", SchemaReader().identities, response.identity_schemas
        )
    except MisfitError as error:
        raise SchemaError(str(error)) from None


def functions_of_message(response: tfplugin6.GetFunctions.Response) -> Mapping[str, Function]:
    """The functions by name from their message.

    Raises:
        SchemaError: they are no functions; with the place, named as in documents.
    """
    try:
        return step_into("functions", SchemaReader().functions, response.functions)
    except MisfitError as error:
        raise SchemaError(str(error)) from None


def functions_to_message(functions: Mapping[str, Function]) -> tfplugin6.GetFunctions.Response:
    """Write the signatures of functions, by name, as the `GetFunctions` response."""
    response = tfplugin6.GetFunctions.Response()
    writer = SchemaWriter(protocol_of(6))  # the bytes are the same in both versions
    _fill(response.functions, convert_named(writer.function, functions.items()))
    return response


def _read_meta(
    reader: SchemaReader, message: tfplugin6.GetProviderSchema.Response
) -> Schema | None:
    if not message.HasField("provider_meta"):
        return None
    return step_into("provider_meta", reader.schema, message.provider_meta)


def _read_actions(
    reader: SchemaReader, message: tfplugin6.GetProviderSchema.Response
) -> Mapping[str, Schema]:
    messages = {name: action.schema for name, action in message.action_schemas.items()}
    schemas = step_into("action_schemas", reader.schemas, messages)
    return {  # as in documents, which do not have their version
        name: replace(schema, version=0, absent=frozenset({"version"}))
        for name, schema in schemas.items()
    }


def _fill(place: MutableMapping[str, M], messages: Mapping[str, M]) -> None:
    for name, message in messages.items():
        place[name].MergeFrom(message)  # maps of messages do not support assignment
