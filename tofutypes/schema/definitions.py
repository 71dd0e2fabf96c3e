"""What a schema says, as plain immutable objects: no JSON, no protobuf.

The names are those of the provider protocol's messages (`Schema`, `Block`, `Attribute`,
`NestedBlock`, `Function`) and of the document that `providers schema -json` prints. The objects
hold what the document holds, so that reading and writing it loses nothing:

* `None` means that the document does not have the key (Terraform leaves out what is empty);
* `extra` holds the keys that this library does not know, of newer formats.

Names are normalised. Equality is by content; the order of names does not matter. Every part can
be pickled, and hashed by its content (without `extra`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import TypeAlias

from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.schema.names import by_name
from tofutypes.types import Type

Extra: TypeAlias = Mapping[str, object]
"""Keys of the document that this library does not know, with their JSON values."""


class StringKind(StrEnum):
    """How a description is to be read (protocol: `StringKind`)."""

    PLAIN = "plain"
    MARKDOWN = "markdown"


class NestingMode(StrEnum):
    """How often a nested block or object may stand, and what holds several of it."""

    SINGLE = "single"
    GROUP = "group"
    LIST = "list"
    SET = "set"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a block or of a nested object (protocol: `Schema.Attribute`).

    Attributes:
        type: its type constraint; None if it has a nested type instead.
        nested_type: its attributes and how they nest (protocol 6 only).
        required: the configuration must set it.
        optional: the configuration may set it.
        computed: the provider sets it, if `optional` is set too only when nobody else does.
        sensitive: its value must not be shown.
        write_only: its value is given to the provider but never stored.
        description: text for people.
        description_kind: how to read it; None if the document does not say.
        deprecated: it should not be used any more.
        deprecation_message: what to use instead.
        extra: keys of the document that this library does not know.
    """

    type: Type | None = None
    nested_type: NestedAttributeType | None = None
    _: KW_ONLY
    required: bool = False
    optional: bool = False
    computed: bool = False
    sensitive: bool = False
    write_only: bool = False
    description: str | None = None
    description_kind: StringKind | None = StringKind.PLAIN
    deprecated: bool = False
    deprecation_message: str | None = None
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True)
class NestedAttributeType:
    """An object type with a schema, or a collection of it (protocol 6: `Schema.Object`).

    Attributes:
        attributes: its attributes by name.
        nesting: SINGLE is one object; LIST, SET and MAP are collections of it.
        min_items: no longer used by the protocol, and not checked.
        max_items: likewise.
        extra: keys of the document that this library does not know.
    """

    attributes: Mapping[str, Attribute] = EMPTY
    nesting: NestingMode = NestingMode.SINGLE
    _: KW_ONLY
    min_items: int = 0
    max_items: int = 0
    extra: Extra = field(default=EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", by_name(self.attributes))


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its attributes and the blocks inside it (protocol: `Schema.Block`).

    Attributes:
        attributes: its attributes by name.
        block_types: its nested blocks by name.
        description, description_kind, deprecated, deprecation_message, extra:
            as in [`Attribute`][tofutypes.schema.definitions.Attribute].
    """

    attributes: Mapping[str, Attribute] = EMPTY
    block_types: Mapping[str, NestedBlock] = EMPTY
    _: KW_ONLY
    description: str | None = None
    description_kind: StringKind | None = StringKind.PLAIN
    deprecated: bool = False
    deprecation_message: str | None = None
    extra: Extra = field(default=EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", by_name(self.attributes))
        object.__setattr__(self, "block_types", by_name(self.block_types))


@dataclass(frozen=True, slots=True)
class NestedBlock:
    """A block inside a block (protocol: `Schema.NestedBlock`).

    Attributes:
        block: what it consists of.
        nesting: how often it may stand. SINGLE and GROUP: once, GROUP is never null; LIST, SET
            and MAP: any number of times, MAP with a label that is the key.
        min_items: how many there must be at least.
        max_items: how many there may be at most; 0 means any number.
        extra: keys of the document that this library does not know.
    """

    block: Block
    nesting: NestingMode
    _: KW_ONLY
    min_items: int = 0
    max_items: int = 0
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a resource, a data source, a provider configuration… (protocol: `Schema`).

    Attributes:
        block: what it consists of.
        version: the version that stored state is upgraded to.
        absent: which of "block" and "version" the document does not have, although Terraform
            writes them: a provider without a schema has no "block".
        extra: keys of the document that this library does not know.
    """

    block: Block
    version: int = 0
    _: KW_ONLY
    absent: frozenset[str] = frozenset()
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True)
class IdentityAttribute:
    """An attribute of a resource identity (protocol: `IdentityAttribute`)."""

    type: Type
    _: KW_ONLY
    required_for_import: bool = False
    optional_for_import: bool = False
    description: str | None = None
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True)
class IdentitySchema:
    """What identifies a resource (protocol: `ResourceIdentitySchema`).

    Attributes:
        attributes: its attributes by name.
        version: the version that a stored identity is upgraded to.
        absent: {"version"} if the document does not have it, although Terraform writes it.
        extra: keys of the document that this library does not know.
    """

    attributes: Mapping[str, IdentityAttribute] = EMPTY
    version: int = 0
    _: KW_ONLY
    absent: frozenset[str] = frozenset()
    extra: Extra = field(default=EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", by_name(self.attributes))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function (protocol: `Function.Parameter`).

    Attributes:
        name: for documentation only; arguments go by position.
        type: what the argument is converted to.
        allow_null_value: the argument may be null (the document calls it `is_nullable`).
        allow_unknown_values: the function is called even if the argument is not known. No
            document has it, only the protocol.
        description: text for people.
        description_kind: how to read it. No document has it, only the protocol.
        extra: keys of the document that this library does not know.
    """

    name: str
    type: Type
    _: KW_ONLY
    allow_null_value: bool = False
    allow_unknown_values: bool = False
    description: str | None = None
    description_kind: StringKind | None = None
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a provider offers to configurations (protocol: `Function`).

    Attributes:
        return_type: the type of its result.
        parameters: its parameters, in order.
        variadic_parameter: what further arguments must be, if it takes any.
        summary: text for people, one line.
        description: text for people.
        description_kind: how to read it. No document has it, only the protocol.
        deprecation_message: what to use instead, if it should not be used any more.
        extra: keys of the document that this library does not know.
    """

    return_type: Type
    parameters: tuple[Parameter, ...] = ()
    variadic_parameter: Parameter | None = None
    _: KW_ONLY
    summary: str | None = None
    description: str | None = None
    description_kind: StringKind | None = None
    deprecation_message: str | None = None
    extra: Extra = field(default=EMPTY, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSchema:
    """All schemas of one provider.

    Attributes:
        provider: the schema of its configuration; None if the document has none.
        provider_meta: the schema of the block `provider_meta` of modules; None if the provider has
            none. No document has it, only the protocol.
        resources: the schemas of managed resources by type name.
        data_sources: the schemas of data sources by type name.
        ephemeral_resources: the schemas of ephemeral resources by type name.
        list_resources: the schemas of list resources by type name: what `terraform query` lists.
        actions: the schemas of actions by type name. Documents do not tell their version.
        state_stores: the schemas of state stores by type name.
        functions: its functions by name.
        identities: the identity schemas of managed resources by type name.
        extra: keys of the document that this library does not know.
    """

    provider: Schema | None = None
    resources: Mapping[str, Schema] = EMPTY
    data_sources: Mapping[str, Schema] = EMPTY
    ephemeral_resources: Mapping[str, Schema] = EMPTY
    list_resources: Mapping[str, Schema] = EMPTY
    actions: Mapping[str, Schema] = EMPTY
    state_stores: Mapping[str, Schema] = EMPTY
    functions: Mapping[str, Function] = EMPTY
    identities: Mapping[str, IdentitySchema] = EMPTY
    provider_meta: Schema | None = None
    extra: Extra = field(default=EMPTY, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resources", by_name(self.resources))
        object.__setattr__(self, "data_sources", by_name(self.data_sources))
        object.__setattr__(self, "ephemeral_resources", by_name(self.ephemeral_resources))
        object.__setattr__(self, "list_resources", by_name(self.list_resources))
        object.__setattr__(self, "actions", by_name(self.actions))
        object.__setattr__(self, "state_stores", by_name(self.state_stores))
        object.__setattr__(self, "functions", by_name(self.functions))
        object.__setattr__(self, "identities", by_name(self.identities))


class ProviderSchemas(dict[str, ProviderSchema]):
    """The schemas of some providers by address: what a schema document holds.

    Attributes:
        format_version: the version of the document's format; None if it does not say. Terraform
            and OpenTofu print 1.0.
        extra: keys of the document that this library does not know.
    """

    def __init__(
        self,
        schemas: Mapping[str, ProviderSchema] = EMPTY,
        *,
        format_version: str | None = "1.0",
        extra: Extra = EMPTY,
    ) -> None:
        super().__init__(schemas)
        self.format_version = format_version
        self.extra = extra

    @property
    def schemas(self) -> Mapping[str, ProviderSchema]:
        """The mapping itself."""
        return self
