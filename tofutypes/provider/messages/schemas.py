"""The schemas of a provider as the protocol carries them, both ways.

What the protocol cannot say stays behind: keys of documents that this library does not know, and
whether a text is empty or not there. Source: the protocol, `Schema`; observed, Terraform 1.15.5.
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
"""What holds the schemas of a provider: each major has a class of its own."""


_PLACES: Final = {
    "resource_schemas": "resources",
    "data_source_schemas": "data_sources",
    "ephemeral_resource_schemas": "ephemeral_resources",
    "list_resource_schemas": "list_resources",
    "state_store_schemas": "state_stores",
}
"""Where messages have schemas, and the fields of `ProviderSchema`; 5 has no state stores."""


def provider_schema_to_message(schema: ProviderSchema, protocol: Protocol) -> SchemaResponse:
    """The schemas of a provider as the answer to `GetProviderSchema`: all but the identities.

    A provider without a configuration gets one without arguments, for the core insists on one.

    Raises:
        SchemaError: the protocol cannot say it, as nested types in protocol 5; with the place.
    """
    writer = SchemaWriter(protocol)
    made = protocol.calls["GetProviderSchema"].response()
    response = cast("tfplugin6.GetProviderSchema.Response", made)
    configuration = schema.provider or Schema(Block())
    try:
        response.provider.CopyFrom(step_into("provider", writer.schema, configuration))
        for place, field in _PLACES.items():
            schemas: Mapping[str, Schema] = getattr(schema, field)
            if schemas and place not in response.DESCRIPTOR.fields_by_name:
                raise MisfitError("protocol 5 has none; use protocol 6", [AttributeStep(place)])
            if schemas:
                _fill(getattr(response, place), step_into(place, writer.schemas, schemas))
        for name, message in step_into("action_schemas", writer.schemas, schema.actions).items():
            response.action_schemas[name].schema.MergeFrom(message)
    except MisfitError as error:
        raise SchemaError(str(error)) from None
    except (MessageError, RecursionError):
        raise SchemaError("blocks nest deeper than messages can: about 48 levels") from None
    _fill(response.functions, convert_named(writer.function, schema.functions.items()))
    return response


def provider_schema_of_message(
    response: SchemaResponse,
    identities: tfplugin6.GetResourceIdentitySchemas.Response | None = None,
) -> ProviderSchema:
    """The schemas of a provider from its answers.

    Args:
        response: the answer to `GetProviderSchema`, in either major.
        identities: the answer to `GetResourceIdentitySchemas`, if the provider has one.

    Raises:
        SchemaError: they are no schemas; with the place, named as in documents.
    """
    message = cast("tfplugin6.GetProviderSchema.Response", response)
    reader = SchemaReader()
    try:
        if not message.HasField("provider"):
            raise MisfitError("provider: the schema is missing")
        return ProviderSchema(
            provider=step_into("provider", reader.schema, message.provider),
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
        raise SchemaError(str(error)) from None


def identities_to_message(
    identities: Mapping[str, IdentitySchema],
) -> tfplugin6.GetResourceIdentitySchemas.Response:
    """What identifies resources, by type name, as the answer to `GetResourceIdentitySchemas`."""
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
    """Functions by name as the answer to `GetFunctions`."""
    response = tfplugin6.GetFunctions.Response()
    writer = SchemaWriter(protocol_of(6))  # both majors have this message in the same bytes
    _fill(response.functions, convert_named(writer.function, functions.items()))
    return response


def _read_actions(
    reader: SchemaReader, message: tfplugin6.GetProviderSchema.Response
) -> Mapping[str, Schema]:
    messages = {name: action.schema for name, action in message.action_schemas.items()}
    schemas = step_into("action_schemas", reader.schemas, messages)
    return {  # as in documents, which do not tell their version
        name: replace(schema, version=0, absent=frozenset({"version"}))
        for name, schema in schemas.items()
    }


def _fill(place: MutableMapping[str, M], messages: Mapping[str, M]) -> None:
    for name, message in messages.items():
        place[name].MergeFrom(message)  # a map of messages cannot be assigned to
