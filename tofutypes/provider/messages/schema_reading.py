"""Reading parts of schemas from messages.

Messages come from a provider unchecked, so that every field may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from google.protobuf.message import Message

from tofutypes.errors import AttributeStep, TypeConstraintError
from tofutypes.provider.messages.conversion import convert_each, convert_named, step_into
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    Schema,
    StringKind,
)
from tofutypes.schema.document_codecs import MisfitError
from tofutypes.type_parsing import parse_type
from tofutypes.types import Type

M = TypeVar("M", bound=Message)
T = TypeVar("T")

# The numbers mean the same in blocks and nested types, and in both protocol versions.
_NESTING: Final[Mapping[int, NestingMode]] = MappingProxyType(
    {
        tfplugin6.Schema.NestedBlock.SINGLE: NestingMode.SINGLE,
        tfplugin6.Schema.NestedBlock.LIST: NestingMode.LIST,
        tfplugin6.Schema.NestedBlock.SET: NestingMode.SET,
        tfplugin6.Schema.NestedBlock.MAP: NestingMode.MAP,
        tfplugin6.Schema.NestedBlock.GROUP: NestingMode.GROUP,
    }
)


class SchemaReader:
    """Reads parts of schemas, in either protocol version: the fields have the same names.

    Equal parts become one object, as in documents. protobuf limits the nesting (100 messages).
    """

    def __init__(self) -> None:
        self._types: dict[bytes, Type] = {}
        self._attributes: dict[bytes, Attribute] = {}
        self._blocks: dict[bytes, Block] = {}

    def schemas(self, messages: Mapping[str, tfplugin6.Schema]) -> Mapping[str, Schema]:
        """Read schemas by type name.

        Raises:
            MisfitError: If a message is not a schema. The error has the path.
        """
        return convert_named(self.schema, messages.items())

    def schema(self, message: tfplugin6.Schema) -> Schema:
        """Read a schema. The version of its block has no meaning.

        Raises:
            MisfitError: If the message is not a schema. The error has the path.
        """
        if not message.HasField("block"):
            raise MisfitError("missing block")
        return Schema(step_into("block", self._block, message.block), _count(message, "version"))

    def _block(self, message: tfplugin6.Schema.Block) -> Block:
        return self._shared(self._blocks, message, self._make_block)

    def _make_block(self, message: tfplugin6.Schema.Block) -> Block:
        return Block(
            step_into("attributes", self._attributes_by_name, message.attributes),
            step_into("block_types", self._nested_blocks, message.block_types),
            description=message.description or None,
            description_kind=_string_kind(message.description_kind),
            deprecated=message.deprecated,
            deprecation_message=message.deprecation_message or None,
        )

    def _nested_blocks(
        self, messages: Iterable[tfplugin6.Schema.NestedBlock]
    ) -> Mapping[str, NestedBlock]:
        return convert_named(
            self._nested_block, ((message.type_name, message) for message in messages)
        )

    def _nested_block(self, message: tfplugin6.Schema.NestedBlock) -> NestedBlock:
        nesting = _nesting_mode(message.nesting)
        if not message.HasField("block"):
            raise MisfitError("missing block")
        return NestedBlock(
            step_into("block", self._block, message.block),
            nesting,
            min_items=_count(message, "min_items"),
            max_items=_count(message, "max_items"),
        )

    def _attributes_by_name(
        self, messages: Iterable[tfplugin6.Schema.Attribute]
    ) -> Mapping[str, Attribute]:
        return convert_named(self._attribute, ((message.name, message) for message in messages))

    def _attribute(self, message: tfplugin6.Schema.Attribute) -> Attribute:
        return self._shared(self._attributes, message, self._make_attribute)

    def _make_attribute(self, message: tfplugin6.Schema.Attribute) -> Attribute:
        # Protocol 5 has no such field.
        names = message.DESCRIPTOR.fields_by_name
        nested = "nested_type" in names and message.HasField("nested_type")
        return Attribute(
            None if nested and not message.type else self._type(message.type),
            step_into("nested_type", self._nested_type, message.nested_type) if nested else None,
            required=message.required,
            optional=message.optional,
            computed=message.computed,
            sensitive=message.sensitive,
            write_only=message.write_only,
            description=message.description or None,
            description_kind=_string_kind(message.description_kind),
            deprecated=message.deprecated,
            deprecation_message=message.deprecation_message or None,
        )

    def _nested_type(self, message: tfplugin6.Schema.Object) -> NestedAttributeType:
        return NestedAttributeType(
            step_into("attributes", self._attributes_by_name, message.attributes),
            _nesting_mode(message.nesting),
            min_items=_count(message, "min_items"),
            max_items=_count(message, "max_items"),
        )

    def _type(self, constraint: bytes) -> Type:
        type_ = self._types.get(constraint)
        if type_ is None:
            type_ = self._types[constraint] = step_into("type", _parse_type, constraint)
        return type_

    @staticmethod
    def _shared(seen: dict[bytes, T], message: M, make: Callable[[M], T]) -> T:
        key = message.SerializeToString(deterministic=True)
        part = seen.get(key)
        if part is None:
            part = seen[key] = make(message)
        return part

    def identities(
        self, messages: Mapping[str, tfplugin6.ResourceIdentitySchema]
    ) -> Mapping[str, IdentitySchema]:
        """Read the identity schemas of resources, by type name.

        Raises:
            MisfitError: If a message is not an identity schema. The error has the path.
        """
        return convert_named(self._identity, messages.items())

    def _identity(self, message: tfplugin6.ResourceIdentitySchema) -> IdentitySchema:
        attributes = step_into("attributes", self._identity_attributes, message.identity_attributes)
        return IdentitySchema(attributes, _count(message, "version"))

    def _identity_attributes(
        self, messages: Iterable[tfplugin6.ResourceIdentitySchema.IdentityAttribute]
    ) -> Mapping[str, IdentityAttribute]:
        return convert_named(
            self._identity_attribute, ((message.name, message) for message in messages)
        )

    def _identity_attribute(
        self, message: tfplugin6.ResourceIdentitySchema.IdentityAttribute
    ) -> IdentityAttribute:
        return IdentityAttribute(
            self._type(message.type),
            required_for_import=message.required_for_import,
            optional_for_import=message.optional_for_import,
            description=message.description or None,
        )

    def functions(self, messages: Mapping[str, tfplugin6.Function]) -> Mapping[str, Function]:
        """Read the signatures of functions, by name.

        Raises:
            MisfitError: If a message is not a signature. The error has the path.
        """
        return convert_named(self._function, messages.items())

    def _function(self, message: tfplugin6.Function) -> Function:
        # `return` is a keyword of Python.
        returned: tfplugin6.Function.Return = getattr(message, "return")
        variadic = message.HasField("variadic_parameter")
        return Function(
            step_into("return_type", _parse_type, returned.type),
            step_into("parameters", self._parameters, message.parameters),
            step_into("variadic_parameter", self._parameter, message.variadic_parameter)
            if variadic
            else None,
            summary=message.summary or None,
            description=message.description or None,
            description_kind=_markdown(message.description_kind),
            deprecation_message=message.deprecation_message or None,
        )

    def _parameters(
        self, messages: Iterable[tfplugin6.Function.Parameter]
    ) -> tuple[Parameter, ...]:
        return convert_each(self._parameter, messages)

    def _parameter(self, message: tfplugin6.Function.Parameter) -> Parameter:
        return Parameter(
            message.name,
            self._type(message.type),
            allow_null_value=message.allow_null_value,
            allow_unknown_values=message.allow_unknown_values,
            description=message.description or None,
            description_kind=_markdown(message.description_kind),
        )


def _parse_type(constraint: bytes) -> Type:
    if not constraint:
        raise MisfitError("missing type constraint")
    try:
        return parse_type(constraint)
    except TypeConstraintError as error:
        raise MisfitError(error.message, error.path.steps) from None


def _nesting_mode(number: int) -> NestingMode:
    nesting_mode = _NESTING.get(number)
    if nesting_mode is None:
        raise MisfitError(
            f"expected a nesting mode from 1 to 5, got {number}", [AttributeStep("nesting_mode")]
        )
    return nesting_mode


def _count(message: Message, field: str) -> int:
    count: int = getattr(message, field)
    if count < 0:
        raise MisfitError("expected a number that is not negative", [AttributeStep(field)])
    return count


def _string_kind(number: int) -> StringKind:
    # Core takes unknown kinds for plain text (observed).
    return StringKind.MARKDOWN if number == tfplugin6.MARKDOWN else StringKind.PLAIN


def _markdown(number: int) -> StringKind | None:
    # Documents do not have the kind of the texts of functions; None is plain text.
    return StringKind.MARKDOWN if number == tfplugin6.MARKDOWN else None
