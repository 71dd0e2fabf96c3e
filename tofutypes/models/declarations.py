"""The declarations of a planned class: base, keywords, fields and the keywords of the fields.

`build_model` creates classes from these declarations, the generator renders them as source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from tofutypes.models.class_plan import ObjectAttribute, PlannedClass, PlannedField
from tofutypes.models.field_spec import FieldSpec, Inherited
from tofutypes.models.model_info import ModelInfo
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
    StringKind,
)

SPECIFIERS: Final[Mapping[NestingMode, str]] = {
    NestingMode.SINGLE: "SingleBlock",
    NestingMode.GROUP: "GroupBlock",
    NestingMode.LIST: "ListBlock",
    NestingMode.SET: "SetBlock",
    NestingMode.MAP: "MapBlock",
}

_DEFAULT_SPEC: Final = FieldSpec()
_DEFAULT_INFO: Final = ModelInfo()


def specifier(field: PlannedField) -> str:
    """The name of what declares a field: `Attr`, `DeprecatedAttr`, or the kind of nested block."""
    match field.part:
        case NestedBlock(nesting=nesting):
            return SPECIFIERS[nesting]
        case Attribute(deprecated=True):
            return "DeprecatedAttr"
        case _:
            return "Attr"


def is_nullable(field: PlannedField) -> bool:
    """Whether a field may be null."""
    match field.part:
        case Attribute(required=required, write_only=write_only):
            return not required or write_only  # null in plans and state
        case IdentityAttribute(required_for_import=required):
            return not required
        case NestedBlock(nesting=nesting, min_items=min_items):
            return nesting is NestingMode.SINGLE and not min_items
        case ObjectAttribute():
            return True


def field_keywords(field: PlannedField, planned: PlannedClass) -> dict[str, object]:
    """The keywords of the declaration of a field, in the order of `FieldSpec`, then `default`."""
    part = field.part
    values: dict[str, object] = {
        spec.name: getattr(part, spec.name)
        for spec in fields(FieldSpec)
        if hasattr(part, spec.name)
    }
    values["name"] = field.name if field.name != field.python_name else None
    if isinstance(part, Attribute):
        if part.description_kind == attribute_description_kind(planned):
            values["description_kind"] = Inherited.FROM_CLASS
        if part.nested_type is not None:
            values["min_items"] = part.nested_type.min_items
            values["max_items"] = part.nested_type.max_items
            values["nested_extra"] = part.nested_type.extra
    if specifier(field) == "DeprecatedAttr":
        del values["deprecated"]
    keywords = _differing(values, _DEFAULT_SPEC)
    if _has_default(field):
        keywords["default"] = _default(field)
    return keywords


def _differing(values: Mapping[str, object], defaults: FieldSpec | ModelInfo) -> dict[str, object]:
    """The values that differ from the defaults, in the order of the fields of the defaults."""
    names = [field.name for field in fields(defaults)]
    return {
        name: values[name]
        for name in names
        if name in values and values[name] != getattr(defaults, name)
    }


def _default(field: PlannedField) -> object:
    match field.part:
        case NestedBlock(nesting=NestingMode.LIST | NestingMode.SET):
            return ()
        case NestedBlock(nesting=NestingMode.MAP):
            return {}
        case _:
            return None


def _has_default(field: PlannedField) -> bool:
    """Whether a field may be left out."""
    match field.part:
        case NestedBlock(min_items=min_items):
            return not min_items
        case ObjectAttribute(optional=optional):
            return optional
        case Attribute(required=required):
            return not required
        case _:
            return is_nullable(field)


def class_keywords(planned: PlannedClass) -> dict[str, object]:
    """The keywords of a class statement, in the order of `ModelInfo`."""
    values: dict[str, object] = {
        "type_name": planned.type_name,
        "attribute_description_kind": attribute_description_kind(planned),
    }
    match planned.shape:
        case Schema(block=block) as schema:
            values |= {"version": schema.version, "absent": schema.absent}
            values["schema_extra"] = schema.extra
            values |= _block_keywords(block)
        case Block() as block:
            values |= _block_keywords(block)
        case IdentitySchema() as identity:
            values |= {"version": identity.version, "absent": identity.absent}
            values["schema_extra"] = identity.extra
        case _:
            pass
    return _differing(values, _DEFAULT_INFO)


def attribute_description_kind(planned: PlannedClass) -> StringKind | None:
    """The most frequent kind of the descriptions of the attributes of a class."""
    kinds = Counter(
        field.part.description_kind for field in planned.fields if isinstance(field.part, Attribute)
    )
    if not kinds:
        return StringKind.PLAIN
    return max(kinds, key=lambda kind: (kinds[kind], kind is StringKind.PLAIN, str(kind)))


def _block_keywords(block: Block) -> dict[str, object]:
    return {
        "description": block.description,
        "description_kind": block.description_kind,
        "deprecated": block.deprecated,
        "deprecation_message": block.deprecation_message,
        "block_extra": block.extra,
    }


def nested_type(field: PlannedField) -> NestedAttributeType | None:
    """The nested type of an attribute; None for a plain type or a nested block."""
    return field.part.nested_type if isinstance(field.part, Attribute) else None
