"""Hypothesis strategies for objects of a schema and for instances of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, Literal, TypeVar, cast, get_args, get_origin, overload

from hypothesis import strategies as st

from tofutypes.errors import InvalidValueError
from tofutypes.models import Resource, schema_of
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.objchange.attribute_rules import Rules, rules_of
from tofutypes.provider.objchange.schema_parts import Names
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
    implied_type,
)
from tofutypes.sets import TofuSet
from tofutypes.testing.scalar_strategies import integers
from tofutypes.testing.type_strategies import (
    ValueChoice,
    known_values_of_type,
    unknown_values,
    values_of_type,
)
from tofutypes.types import BOOL, NUMBER, STRING, Type
from tofutypes.unknown import UNKNOWN
from tofutypes.wire import Value
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    PrimitiveLayout,
    layout_of_type,
)
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader

M = TypeVar("M", bound=SchemaModel)

_LARGEST_BLOCK_COUNT: Final = 2


@overload
def values(source: type[M], *, unknown: bool = True) -> st.SearchStrategy[M]: ...
@overload
def values(source: Type, *, unknown: bool = True) -> st.SearchStrategy[Value]: ...
@overload
def values(
    source: Schema | Block | IdentitySchema, *, unknown: bool = True
) -> st.SearchStrategy[dict[str, Value]]: ...
def values(
    source: type[M] | Type | Schema | Block | IdentitySchema, *, unknown: bool = True
) -> st.SearchStrategy[Any]:
    """Valid values of a model, a type constraint or a schema, boundary values among them.

        @given(values(AwsInstance))
        def test_round_trip(instance: AwsInstance) -> None:
            assert AwsInstance.from_msgpack(instance.to_msgpack()) == instance

    Args:
        source: A model (the strategy gives instances), a type constraint (values as
            `decode_msgpack` returns them) or a schema (dicts by the names on the wire).
        unknown: Include unknown values with refinements. Without them, every value is one that
            JSON can hold.
    """
    strategy = _ObjectStrategy(ValueChoice(unknown=unknown))
    match source:
        case Type():
            return values_of_type(source, ValueChoice(unknown=unknown))
        case Schema() | Block() | IdentitySchema():
            layout = layout_of_type(implied_type(source))
            return st.fixed_dictionaries(strategy.parts(source, layout))
        case _:
            return _instances(source, strategy)


def configurations(
    model: type[M],
    *,
    unknown: bool = False,
    attributes: Mapping[str, st.SearchStrategy[Any]] | None = None,
) -> st.SearchStrategy[M]:
    """Instances that hold only what a user may write into a configuration.

    Computed attributes that are not optional are null, required ones are set, strings and numbers
    are such as people write, and attributes of a `Literal` or an enum have one of its values.

        configurations(Ship, attributes={"port": st.sampled_from(["Oslo", "Kiel"])})

    Args:
        model: A resource, a data source, an ephemeral resource or a provider configuration.
        unknown: Include unknown values, which stand for attributes of objects that do not exist
            yet.
        attributes: Strategies for attributes and nested blocks at the top level, by their names in
            the schema. Each replaces the strategy that the schema gives.
    """
    choice = ValueChoice(unknown=unknown, plain=True, null=False)
    rules = rules_of(cast("type[Resource]", model))
    return _instances(model, _ObjectStrategy(choice, configured=True, rules=rules), attributes)


def _instances(
    model: type[M],
    strategy: _ObjectStrategy,
    attributes: Mapping[str, st.SearchStrategy[Any]] | None = None,
) -> st.SearchStrategy[M]:
    schema: Schema | IdentitySchema = schema_of(cast("type[Resource]", model))
    parts = strategy.parts(schema, model.__tofu_layout__())
    if attributes is not None:
        if strangers := attributes.keys() - parts.keys():
            raise ValueError(f"{model.__name__} has no attribute {', '.join(sorted(strangers))}")
        parts |= attributes
    return st.fixed_dictionaries(parts).map(model.model_validate)


@dataclass(frozen=True, slots=True)
class _ObjectStrategy:
    """Strategies for objects, by the names on the wire.

    The schema says what may be set; the layout what a class asks for beyond the schema, as whole
    numbers. The two are walked side by side.

    Attributes:
        choice: Which values to choose from.
        configured: Leave out what a user cannot set.
        rules: What annotations ask for beyond the layout.
        names: The names that lead to the object or the attribute.
    """

    choice: ValueChoice
    configured: bool = False
    rules: Rules = field(default_factory=dict[Names, Any])
    names: Names = ()

    def parts(
        self, schema: Schema | Block | IdentitySchema, layout: Layout
    ) -> dict[str, st.SearchStrategy[Any]]:
        """A strategy for each attribute and nested block."""
        inner = _field_layouts(layout)
        if isinstance(schema, IdentitySchema):
            return {
                name: self._identity_attribute(attribute, inner[name])
                for name, attribute in schema.attributes.items()
            }
        block = schema.block if isinstance(schema, Schema) else schema
        return {
            name: self._at(name)._attribute(attribute, inner[name])
            for name, attribute in block.attributes.items()
        } | {
            name: self._at(name)._blocks(nested, inner[name])
            for name, nested in block.block_types.items()
        }

    def _at(self, name: str) -> _ObjectStrategy:
        return replace(self, names=(*self.names, name))

    def _identity_attribute(
        self, attribute: IdentityAttribute, layout: Layout
    ) -> st.SearchStrategy[Any]:
        known = self._known(attribute.type, layout)
        return known if attribute.required_for_import else st.none() | known

    def _attribute(self, attribute: Attribute, layout: Layout) -> st.SearchStrategy[Any]:
        if self.configured and not (attribute.required or attribute.optional):
            return st.none()
        type_ = implied_type(attribute)
        if attribute.nested_type is not None:
            known = self._nested_attribute(attribute.nested_type, layout)
        else:
            known = self._known(type_, layout)
        if self.choice.unknown:
            known = _mostly(known, unknown_values(type_))
        return known if attribute.required else st.none() | known

    def _known(self, type_: Type, layout: Layout) -> st.SearchStrategy[Any]:
        """Known values of a plain attribute that its annotation accepts."""
        if (rules := self.rules.get(self.names)) and (options := _options(rules.values.annotation)):
            return st.sampled_from(options)
        if isinstance(layout, PrimitiveLayout) and layout.whole:
            return st.integers(0, 100) if self.choice.plain else integers()
        known = known_values_of_type(type_, self.choice)
        if type_ in (STRING, NUMBER, BOOL):
            return known
        read = reader(layout, PYTHON)

        def fits(value: object) -> bool:
            try:
                read(value)
            except InvalidValueError:
                return False
            return True

        return known.filter(fits)

    def _nested_attribute(
        self, nested: NestedAttributeType, layout: Layout
    ) -> st.SearchStrategy[Any]:
        inner = _field_layouts(layout)
        element: st.SearchStrategy[Any] = st.fixed_dictionaries(
            {
                name: self._at(name)._attribute(attribute, inner[name])
                for name, attribute in nested.attributes.items()
            }
        )
        if nested.nesting is not NestingMode.SINGLE and not self.configured:
            element = _mostly(element, st.none())
        # Elements of a collection have one type, which two `dynamic` attributes may not have.
        most = 1 if implied_type(nested).has_dynamic else _LARGEST_BLOCK_COUNT
        return self._collection(nested.nesting, element, 0, most)

    def _blocks(self, nested: NestedBlock, layout: Layout) -> st.SearchStrategy[Any]:
        block: st.SearchStrategy[Any] = st.fixed_dictionaries(self.parts(nested.block, layout))
        if self.choice.unknown and not self.configured:
            block = _mostly(block, unknown_values(implied_type(nested.block)))
        least = nested.min_items
        if nested.nesting is NestingMode.SINGLE:
            return block if least else st.none() | block
        most = max(least, _LARGEST_BLOCK_COUNT)
        most = min(most, nested.max_items) if nested.max_items else most
        blocks = self._collection(nested.nesting, block, least, most)
        if self.choice.unknown and nested.nesting is not NestingMode.GROUP:
            return _mostly(blocks, st.just(UNKNOWN))  # a dynamic block with an unknown `for_each`
        return blocks

    def _collection(
        self, nesting: NestingMode, element: st.SearchStrategy[Any], least: int, most: int
    ) -> st.SearchStrategy[Any]:
        match nesting:
            case NestingMode.SINGLE | NestingMode.GROUP:
                return element
            case NestingMode.LIST:
                return st.lists(element, min_size=least, max_size=most)
            case NestingMode.SET:
                # Equal elements are one, so that two generated ones may be fewer than `least`.
                sets = st.lists(element, min_size=least, max_size=most).map(TofuSet)
                return sets.filter(lambda elements: len(elements) >= least)
            case NestingMode.MAP:
                return st.dictionaries(self.choice.keys(), element, min_size=least, max_size=most)


def _options(annotation: Any) -> tuple[object, ...]:
    """The values of a `Literal` or an enum; none for other annotations."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(member.value for member in annotation)
    return ()


def _field_layouts(layout: Layout) -> Mapping[str, Layout]:
    """The layouts of the attributes and nested blocks of an object, or of the objects inside."""
    match layout:
        case ObjectLayout(fields=fields):
            return {field.name: field.layout for field in fields}
        case CollectionLayout(element=element):
            return _field_layouts(element)
        case DynamicBlocksLayout(blocks=blocks):
            return _field_layouts(blocks)
        case _:
            raise TypeError(f"a layout of objects is needed, got {type(layout).__name__}")


def _mostly(usual: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 9).flatmap(lambda dice: other if dice == 9 else usual)
