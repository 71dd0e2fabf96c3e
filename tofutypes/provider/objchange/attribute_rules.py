"""What models say of attributes for the provider alone, found by the names that lead to them."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import TypeAdapter

from tofutypes.models import Model, NestedBlock, NestedObject
from tofutypes.models.field_behavior import NO_BEHAVIOR, FieldBehavior
from tofutypes.models.field_layouts import layout_of
from tofutypes.models.field_spec import FieldSpec
from tofutypes.provider.objchange.schema_parts import Names
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader


@dataclass(frozen=True, slots=True)
class SemanticEquality:
    """Says when two values of a string attribute mean the same.

        HostName = Annotated[str, SemanticEquality(str.casefold)]

    Terraform Core then sees the spelling that it has already: a plan, a result or a read that only
    spells the value differently is no change.

    Args:
        canonical: Returns the same for values that mean the same. It raises `ValueError` for
            text that is not valid; validation reports it.
        expected: What the text must be, for the error: "a duration such as 1h30m".
    """

    canonical: Callable[[str], Hashable]
    expected: str = "a valid value"

    def same(self, one: object, other: object) -> bool:
        """Whether two values mean the same."""
        if not isinstance(one, str) or not isinstance(other, str):
            return False
        try:
            return self.canonical(one) == self.canonical(other)
        except ValueError:
            return False


@dataclass(frozen=True)
class ValueRules:
    """What an annotation says of a value beyond its type.

    Attributes:
        annotation: The annotation of a value that is neither null nor unknown, if it says more
            than the type: constraints of pydantic, a `Literal`, an enum.
        equality: When two values mean the same.
        element: The rules for the elements of a collection.
        attributes: The rules for the attributes of an object type.
    """

    annotation: Any = None
    equality: SemanticEquality | None = None
    element: ValueRules | None = None
    attributes: Mapping[str, ValueRules] = field(default_factory=dict[str, "ValueRules"])

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """What checks the constraints of the annotation."""
        return TypeAdapter(self.annotation)

    @property
    def has_equality(self) -> bool:
        """Whether values inside can mean the same without being equal."""
        inner = [*self.attributes.values(), *([self.element] if self.element else ())]
        return self.equality is not None or any(rules.has_equality for rules in inner)

    def __bool__(self) -> bool:
        return self.annotation is not None or self.has_equality or self._inner

    @property
    def _inner(self) -> bool:
        return bool(self.element) or any(self.attributes.values())


@dataclass(frozen=True, slots=True)
class AttributeRules:
    """What a model says of an attribute for the provider alone.

    Attributes:
        place: The field, for messages: `Server.region`.
        default: The default that is not None, as values of the model have it; None without.
        behavior: The default factory, replacement and whether it keeps its value.
        values: What the annotation says beyond the type.
    """

    place: str
    default: object = None
    behavior: FieldBehavior = NO_BEHAVIOR
    values: ValueRules = ValueRules()

    @property
    def has_default(self) -> bool:
        """Whether there is a default."""
        return self.default is not None or self.behavior.default_factory is not None


Rules: TypeAlias = Mapping[Names, AttributeRules]
"""The attributes of a model of which there is something to say."""


def rules_of(model: type[Model]) -> Rules:
    """Return what a model says of its attributes, at any depth."""
    return dict(_rules(model, ()))


def _rules(model: type[Model], above: Names) -> Iterator[tuple[Names, AttributeRules]]:
    for name, info in model.model_fields.items():
        spec = FieldSpec.of(info)
        names = (*above, spec.wire_name(name))
        nested = next(_schema_models(info.annotation), None)
        values = ValueRules() if nested is not None else _value_rules(info.annotation)
        default = None if spec.block_nesting is not None or info.is_required() else info.default
        if default is not None:
            default = reader(layout_of(info.annotation), PYTHON)(default)
        rules = AttributeRules(f"{model.__name__}.{name}", default, FieldBehavior.of(info), values)
        if rules.has_default or rules.behavior is not NO_BEHAVIOR or rules.values:
            yield names, rules
        if nested is not None:
            yield from _rules(nested, names)


def _schema_models(annotation: object) -> Iterator[type[Model]]:
    """The class of nested blocks or nested attributes that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, NestedBlock | NestedObject):
        yield annotation
    for argument in get_args(annotation):
        yield from _schema_models(argument)


def _value_rules(annotation: Any) -> ValueRules:
    """The rules of an annotation; of a union, those of its one member that is a type."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        members = [member for member in arguments if member not in (types.NoneType, Unknown)]
        of_members = (_value_rules(member) for member in members)
        return next((each for each in of_members if each), ValueRules())
    if origin is Annotated:
        inner = _value_rules(arguments[0])
        equalities = [extra for extra in arguments[1:] if isinstance(extra, SemanticEquality)]
        constraints = tuple(extra for extra in arguments[1:] if extra not in equalities)
        equality = equalities[0] if equalities else None
        # pydantic knows no sets of ours: their constraints are checked without the type.
        checked = Any if _is_container(get_origin(arguments[0])) else arguments[0]
        return ValueRules(
            Annotated[(checked, *constraints)] if constraints else inner.annotation,
            equality or inner.equality,
            inner.element,
            inner.attributes,
        )
    if origin is Literal or (isinstance(annotation, type) and issubclass(annotation, Enum)):
        return ValueRules(annotation)
    if _is_container(origin):
        element = _value_rules(arguments[-1])
        return ValueRules(element=element) if element else ValueRules()
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return ValueRules(
            attributes={
                FieldSpec.of(info).wire_name(name): rules
                for name, info in annotation.model_fields.items()
                if (rules := _value_rules(info.annotation))
            }
        )
    return ValueRules()


def _is_container(origin: object) -> bool:
    containers = (list, dict, TofuSet, Sequence, Mapping)
    return isinstance(origin, type) and origin is not tuple and issubclass(origin, containers)
