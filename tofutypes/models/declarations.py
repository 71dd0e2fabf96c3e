"""What the declaration of a planned class says: base, keywords, fields and their keywords.

Shared by `build_model`, which makes the declarations, and the generator, which writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from tofutypes.models.class_plan import ObjectAttribute, PlannedClass, PlannedField
from tofutypes.models.field_spec import FieldSpec
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
)

SPECIFIERS: Final[Mapping[NestingMode, str]] = {
    NestingMode.SINGLE: "SingleBlock",
    NestingMode.GROUP: "GroupBlock",
    NestingMode.LIST: "ListBlock",
    NestingMode.SET: "SetBlock",
    NestingMode.MAP: "MapBlock",
}


def specifier(of: PlannedField) -> str:
    """The name of what declares a field: `Attr`, or the kind of nested block."""
    return SPECIFIERS[of.part.nesting] if isinstance(of.part, NestedBlock) else "Attr"


def is_nullable(of: PlannedField) -> bool:
    """Whether a field may be null."""
    match of.part:
        case Attribute(required=required, write_only=write_only):
            return not required or write_only  # plans and state have null there
        case IdentityAttribute(required_for_import=required):
            return not required
        case NestedBlock(nesting=nesting, min_items=least):
            return nesting is NestingMode.SINGLE and not least
        case ObjectAttribute():
            return True


def field_keywords(of: PlannedField) -> dict[str, object]:
    """The keywords of a field's declaration, in the order of `FieldSpec`, then `default`."""
    part = of.part
    said: dict[str, object] = {
        each.name: getattr(part, each.name)
        for each in fields(FieldSpec)
        if hasattr(part, each.name)
    }
    said["name"] = of.name if of.name != of.python_name else None
    if isinstance(part, Attribute) and part.nested_type is not None:
        said["min_items"] = part.nested_type.min_items
        said["max_items"] = part.nested_type.max_items
        said["nested_extra"] = part.nested_type.extra
    plain = {each.name: getattr(_PLAIN_FIELD, each.name) for each in fields(FieldSpec)}
    keywords = {name: said[name] for name in plain if name in said and said[name] != plain[name]}
    if _has_default(of):
        keywords["default"] = _default(of)
    return keywords


_PLAIN_FIELD: Final = FieldSpec()
_PLAIN_CLASS: Final = ModelInfo()


def _default(of: PlannedField) -> object:
    match of.part:
        case NestedBlock(nesting=NestingMode.LIST | NestingMode.SET):
            return ()
        case NestedBlock(nesting=NestingMode.MAP):
            return {}
        case _:
            return None


def _has_default(of: PlannedField) -> bool:
    """Whether a field may be left out."""
    match of.part:
        case NestedBlock(min_items=least):
            return not least
        case ObjectAttribute(optional=optional):
            return optional
        case Attribute(required=required):
            return not required
        case _:
            return is_nullable(of)


def class_keywords(of: PlannedClass) -> dict[str, object]:
    """The keywords of a class statement, in the order of `ModelInfo`."""
    said: dict[str, object] = {"type_name": of.type_name}
    match of.shape:
        case Schema(block=block) as schema:
            said |= {"version": schema.version, "absent": schema.absent}
            said["schema_extra"] = schema.extra
            said |= _block_keywords(block)
        case Block() as block:
            said |= _block_keywords(block)
        case IdentitySchema() as identity:
            said |= {"version": identity.version, "absent": identity.absent}
            said["schema_extra"] = identity.extra
        case _:
            pass
    plain = {each.name: getattr(_PLAIN_CLASS, each.name) for each in fields(ModelInfo)}
    return {name: said[name] for name in plain if name in said and said[name] != plain[name]}


def _block_keywords(block: Block) -> dict[str, object]:
    return {
        "description": block.description,
        "description_kind": block.description_kind,
        "deprecated": block.deprecated,
        "deprecation_message": block.deprecation_message,
        "block_extra": block.extra,
    }


def nested_type(of: PlannedField) -> NestedAttributeType | None:
    """The nested type of a field; None if it has a plain type, or is a nested block."""
    return of.part.nested_type if isinstance(of.part, Attribute) else None
