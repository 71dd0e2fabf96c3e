"""The JSON schema of values and fields, for `model_json_schema`."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

from tofutypes.types import BOOL, NUMBER, STRING, ListType, MapType, SetType, Type
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
)


def json_schema(layout: Layout, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """The JSON schema of the known values of a layout."""
    schema = _not_null(layout, handler)
    return {"anyOf": [schema, {"type": "null"}]} if layout.nullable and schema else schema


def _not_null(layout: Layout, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    match layout:
        case DynamicBlocksLayout(blocks=blocks):
            return _not_null(blocks, handler)
        case CollectionLayout(type=MapType(), element=element, blocks=blocks):
            limits = _limits("Properties", blocks)
            return {
                "type": "object",
                "additionalProperties": json_schema(element, handler),
                **limits,
            }
        case CollectionLayout(type=ListType() | SetType() as type_, element=element, blocks=blocks):
            unique = {"uniqueItems": True} if isinstance(type_, SetType) else {}
            limits = _limits("Items", blocks)
            return {"type": "array", "items": json_schema(element, handler), **unique, **limits}
        case TupleLayout(elements=elements):
            return {
                "type": "array",
                "prefixItems": [json_schema(element, handler) for element in elements],
                "minItems": len(elements),
                "maxItems": len(elements),
            }
        case ObjectLayout(model=model) if model is not None:
            return _reference(model.cls, handler)
        case _:
            return {**_PRIMITIVES.get(layout.type, {})}


_PRIMITIVES: Final[Mapping[Type, JsonSchemaValue]] = {
    STRING: {"type": "string"},
    NUMBER: {"type": "number"},
    BOOL: {"type": "boolean"},
}


def _limits(of: str, blocks: BlockCount | None) -> dict[str, int]:
    if blocks is None:
        return {}
    limits = {f"min{of}": blocks.least, f"max{of}": blocks.most}
    return {name: limit for name, limit in limits.items() if limit}


def _reference(cls: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """A reference to the JSON schema of a model, which is one of the definitions."""
    # The handler makes no definitions for schemas that it did not create; its generator does.
    # Without the generator every use of a class would repeat its schema.
    generator: Any = getattr(handler, "generate_json_schema", None)
    if generator is None:
        return handler(_core_schema(cls))
    # Inner models first: a recursion into deeply nested models would overflow the stack.
    generated_models: set[object] = getattr(generator, _GENERATED, set[object]())
    setattr(generator, _GENERATED, generated_models)
    if cls not in generated_models:
        models = _models_in(cls.__tofu_layout__())
        generated_models.update(models)
        for model in reversed(models):
            generator.generate_inner(_core_schema(model))
    generated: JsonSchemaValue = generator.generate_inner(_core_schema(cls))
    return generated


_GENERATED: Final = "_tofu_models"


def _core_schema(cls: Any) -> Any:
    cls.model_rebuild()
    return {
        **cls.__pydantic_core_schema__,
        "ref": f"{cls.__module__}.{cls.__qualname__}:{id(cls)}",
    }


def _models_in(layout: Layout) -> list[Any]:
    """The models of a layout, outer ones before inner ones."""
    models: dict[Any, None] = {}
    queue: deque[Layout] = deque([layout])
    while queue:
        match queue.popleft():
            case DynamicBlocksLayout(blocks=blocks):
                queue.append(blocks)
            case CollectionLayout(element=element):
                queue.append(element)
            case TupleLayout(elements=elements):
                queue.extend(elements)
            case ObjectLayout(fields=fields, model=model) if model and model.cls not in models:
                models[model.cls] = None
                queue.extend(field.layout for field in fields)
            case _:
                pass
    return list(models)
