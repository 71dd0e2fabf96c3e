"""Writing parts of schemas as messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, cast

from tofutypes.provider.messages.conversion import convert_named, step_into
from tofutypes.provider.messages.protocol import Protocol
from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    Schema,
    StringKind,
)
from tofutypes.schema.document_codecs import MisfitError
from tofutypes.types import Type


@dataclass(frozen=True, slots=True)
class _Classes:
    """The message classes that differ between the protocol versions."""

    schema: type[tfplugin6.Schema]
    function: type[tfplugin6.Function]


# The classes and fields of protocol 5 have the same names; only `nested_type` is missing.
_CLASSES: Final = {
    5: _Classes(
        cast("type[tfplugin6.Schema]", tfplugin5.Schema),
        cast("type[tfplugin6.Function]", tfplugin5.Function),
    ),
    6: _Classes(tfplugin6.Schema, tfplugin6.Function),
}

_BLOCK_NESTING: Final[Mapping[NestingMode, tfplugin6.Schema.NestedBlock.NestingMode]] = (
    MappingProxyType(
        {
            NestingMode.SINGLE: tfplugin6.Schema.NestedBlock.SINGLE,
            NestingMode.LIST: tfplugin6.Schema.NestedBlock.LIST,
            NestingMode.SET: tfplugin6.Schema.NestedBlock.SET,
            NestingMode.MAP: tfplugin6.Schema.NestedBlock.MAP,
            NestingMode.GROUP: tfplugin6.Schema.NestedBlock.GROUP,
        }
    )
)
_OBJECT_NESTING: Final[Mapping[NestingMode, tfplugin6.Schema.Object.NestingMode]] = (
    MappingProxyType(
        {
            NestingMode.SINGLE: tfplugin6.Schema.Object.SINGLE,
            NestingMode.LIST: tfplugin6.Schema.Object.LIST,
            NestingMode.SET: tfplugin6.Schema.Object.SET,
            NestingMode.MAP: tfplugin6.Schema.Object.MAP,
        }
    )
)


class SchemaWriter:
    """Writes parts of schemas as messages of one protocol version.

    The classes of protocol 5 are typed as those of protocol 6, which have the same names.
    """

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._classes = _CLASSES[protocol.major]

    def schemas(self, schemas: Mapping[str, Schema]) -> Mapping[str, tfplugin6.Schema]:
        """Write schemas by type name.

        Raises:
            MisfitError: If the protocol version cannot express a schema. The error has the path.
        """
        return convert_named(self.schema, schemas.items())

    def schema(self, schema: Schema) -> tfplugin6.Schema:
        """Write a schema.

        Raises:
            MisfitError: If the protocol version cannot express it. The error has the path.
        """
        block = step_into("block", self._block, schema.block)
        return self._classes.schema(version=schema.version, block=block)

    def _block(self, block: Block) -> tfplugin6.Schema.Block:
        return self._classes.schema.Block(
            attributes=step_into("attributes", self._attributes, block.attributes),
            block_types=step_into("block_types", self._nested_blocks, block.block_types),
            description=block.description,
            description_kind=_string_kind(block.description_kind),
            deprecated=block.deprecated,
            deprecation_message=block.deprecation_message,
        )

    def _nested_blocks(
        self, blocks: Mapping[str, NestedBlock]
    ) -> Iterable[tfplugin6.Schema.NestedBlock]:
        messages = convert_named(self._nested_block, blocks.items())
        for name, message in messages.items():
            message.type_name = name
        return messages.values()

    def _nested_block(self, nested: NestedBlock) -> tfplugin6.Schema.NestedBlock:
        return self._classes.schema.NestedBlock(
            block=step_into("block", self._block, nested.block),
            nesting=_BLOCK_NESTING[nested.nesting],
            min_items=nested.min_items,
            max_items=nested.max_items,
        )

    def _attributes(
        self, attributes: Mapping[str, Attribute]
    ) -> Iterable[tfplugin6.Schema.Attribute]:
        messages = convert_named(self._attribute, attributes.items())
        for name, message in messages.items():
            message.name = name
        return messages.values()

    def _attribute(self, attribute: Attribute) -> tfplugin6.Schema.Attribute:
        message = self._classes.schema.Attribute(
            type=b"" if attribute.type is None else type_to_message(attribute.type),
            required=attribute.required,
            optional=attribute.optional,
            computed=attribute.computed,
            sensitive=attribute.sensitive,
            write_only=attribute.write_only,
            description=attribute.description,
            description_kind=_string_kind(attribute.description_kind),
            deprecated=attribute.deprecated,
            deprecation_message=attribute.deprecation_message,
        )
        if attribute.nested_type is not None:
            nested = step_into("nested_type", self._nested_type, attribute.nested_type)
            message.nested_type.CopyFrom(nested)
        return message

    def _nested_type(self, nested: NestedAttributeType) -> tfplugin6.Schema.Object:
        if self._protocol.major == 5:
            raise MisfitError("protocol 5 has no nested types; use nested blocks, or protocol 6")
        nesting = _OBJECT_NESTING.get(nested.nesting)
        if nesting is None:
            raise MisfitError("a nested type cannot be a group")
        return tfplugin6.Schema.Object(
            attributes=step_into("attributes", self._attributes, nested.attributes),
            nesting=nesting,
            min_items=nested.min_items,
            max_items=nested.max_items,
        )

    def function(self, function: Function) -> tfplugin6.Function:
        """Write the signature of a function."""
        message = self._classes.function(
            parameters=[self._parameter(parameter) for parameter in function.parameters],
            summary=function.summary,
            description=function.description,
            description_kind=_string_kind(function.description_kind),
            deprecation_message=function.deprecation_message,
        )
        if function.variadic_parameter is not None:
            message.variadic_parameter.CopyFrom(self._parameter(function.variadic_parameter))
        # `return` is a keyword of Python.
        returned: tfplugin6.Function.Return = getattr(message, "return")
        returned.type = type_to_message(function.return_type)
        return message

    def _parameter(self, parameter: Parameter) -> tfplugin6.Function.Parameter:
        return self._classes.function.Parameter(
            name=parameter.name,
            type=type_to_message(parameter.type),
            allow_null_value=parameter.allow_null_value,
            allow_unknown_values=parameter.allow_unknown_values,
            description=parameter.description,
            description_kind=_string_kind(parameter.description_kind),
        )


def identity_to_message(identity: IdentitySchema) -> tfplugin6.ResourceIdentitySchema:
    """Write the identity schema of a resource. It is the same in both protocol versions."""
    return tfplugin6.ResourceIdentitySchema(
        version=identity.version,
        identity_attributes=[
            tfplugin6.ResourceIdentitySchema.IdentityAttribute(
                name=name,
                type=type_to_message(attribute.type),
                required_for_import=attribute.required_for_import,
                optional_for_import=attribute.optional_for_import,
                description=attribute.description,
            )
            for name, attribute in identity.attributes.items()
        ],
    )


def type_to_message(type_: Type) -> bytes:
    """Write a type constraint."""
    return type_.to_json().encode()


def _string_kind(kind: StringKind | None) -> tfplugin6.StringKind:
    return tfplugin6.MARKDOWN if kind is StringKind.MARKDOWN else tfplugin6.PLAIN
