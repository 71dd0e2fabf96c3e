"""The schemas of a provider, read when a hook needs them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from google.protobuf.message import DecodeError as MessageError

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.schema_reading import SchemaReader
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.schema import Block, implied_type
from tofutypes.schema.document_codecs import MisfitError
from tofutypes.seasonings.protocol.values import write_type
from tofutypes.types import CollectionType, MapType, ObjectType, SetType, TupleType, Type


class ResourceSchema(NamedTuple):
    """What a relay needs to know about a resource.

    Attributes:
        block: its schema.
        type: the type that the schema implies.
        type_form: the type as a message holds it.
    """

    block: Block
    type: Type
    type_form: object


class _Schemas(Protocol):
    """The response of either protocol version."""

    provider: tfplugin6.Schema

    @property
    def resource_schemas(self) -> dict[str, tfplugin6.Schema]: ...

    @property
    def data_source_schemas(self) -> dict[str, tfplugin6.Schema]: ...


class ProviderSchemas:
    """The schemas of one provider.

    Args:
        response: of `GetProviderSchema`, as bytes.
        major: the protocol version.
    """

    def __init__(self, response: bytes, major: int) -> None:
        self._reader = SchemaReader()
        self._resources: dict[tuple[str, str], ResourceSchema | None] = {}
        self._message: _Schemas | None = None
        try:
            call = protocol_of(major).calls["GetProviderSchema"]
            self._message = call.response.FromString(response)  # type: ignore[assignment]  # by name
        except MessageError:
            self._message = None

    def resource(self, type_name: str, mode: str = "managed") -> ResourceSchema | None:
        """The schema of a resource or a data source; None if there is none that can be read."""
        key = (type_name, mode)
        if key not in self._resources:
            message = None
            if self._message is not None:
                response = self._message
                data = mode == "data"
                schemas = response.data_source_schemas if data else response.resource_schemas
                message = schemas[type_name] if type_name in schemas else None  # noqa: SIM401  # protobuf's maps
            self._resources[key] = self._read(message)
        return self._resources[key]

    def configuration(self) -> ResourceSchema | None:
        """The schema of the provider's own configuration."""
        return self._read(None if self._message is None else self._message.provider)

    def _read(self, message: tfplugin6.Schema | None) -> ResourceSchema | None:
        if message is None:
            return None
        try:
            block = self._reader.schema(message).block
        except MisfitError:
            return None
        type_ = implied_type(block)
        return ResourceSchema(block, type_, write_type(type_))


def typed_path(path: Path, type: Type) -> Path:
    """A path with the kinds of its steps, as far as it leads into values of a type.

    Elements of sets have no path in the protocol: the path ends before them.
    """
    steps: list[Step] = []
    for name in (step[0] for step in path.steps):
        match type:
            case ObjectType() if name in type.attributes:
                steps.append(AttributeStep(str(name)))
                type = type.attributes[str(name)]
            case MapType(element):
                steps.append(KeyStep(str(name)))
                type = element
            case SetType():
                break
            case CollectionType(element) if isinstance(name, int):
                steps.append(IndexStep(name))
                type = element
            case TupleType(elements) if isinstance(name, int) and name < len(elements):
                steps.append(IndexStep(name))
                type = elements[name]
            case _:
                break
    return Path(tuple(steps))
