"""Secrets out of values before plugins get to see them.

A sensitive value becomes an unknown one, so that a policy finds it undecidable rather than absent.
A relay knows only what schemas call sensitive: Terraform Core strips the marks of a configuration
before it calls a provider. So strings that equal a sensitive value seen before are replaced too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgpack

from tofutypes.narrowing import is_dict, is_list
from tofutypes.schema import Attribute, Block, NestedAttributeType, NestedBlock, NestingMode
from tofutypes.types import CollectionType, MapType, ObjectType, TupleType, Type

Steps: TypeAlias = tuple[str | int, ...]

UNKNOWN_FORM: Final = msgpack.ExtType(0, b"\0")


class Redaction:
    """Replaces secrets; remembers them for a whole run."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()

    def redact(
        self, value: object, block: Block, type: Type
    ) -> tuple[object, list[list[str | int]]]:
        """A value without its secrets, and the paths of what was replaced.

        Args:
            value: the value as it is inside a message; it is changed.
            block: its schema.
            type: the type that the schema implies.
        """
        paths: list[Steps] = []
        if is_dict(value):
            self._in_block(value, block, (), paths)
            if self._secrets:
                value = self._equal(value, type, (), paths)
        return value, [list(path) for path in paths]

    def learn(self, value: object, block: Block) -> None:
        """Remember the secrets of a value that no plugin gets to see."""
        if is_dict(value):
            self._in_block(value, block, (), [])

    def _in_block(
        self, value: dict[object, object], block: Block, steps: Steps, paths: list[Steps]
    ) -> None:
        self._in_attributes(value, block.attributes, steps, paths)
        for name, nested in block.block_types.items():
            for content, place in _blocks(value.get(name), nested, (*steps, name)):
                self._in_block(content, nested.block, place, paths)

    def _in_attributes(
        self,
        value: dict[object, object],
        attributes: Mapping[str, Attribute],
        steps: Steps,
        paths: list[Steps],
    ) -> None:
        for name, attribute in attributes.items():
            content = value.get(name)
            if content is None:
                continue
            if attribute.sensitive or attribute.write_only:
                self._secrets.update(_strings(content))
                value[name] = UNKNOWN_FORM
                paths.append((*steps, name))
            elif attribute.nested_type is not None:
                nested = attribute.nested_type
                for inner, place in _objects(content, nested, (*steps, name)):
                    self._in_attributes(inner, nested.attributes, place, paths)

    def _equal(self, value: object, type: Type, steps: Steps, paths: list[Steps]) -> object:
        """Replace strings that equal a secret."""
        if isinstance(value, str):
            if value not in self._secrets:
                return value
        elif is_dict(value):
            if not (isinstance(type, MapType) and self._secrets.intersection(map(str, value))):
                for key, content in value.items():
                    inner = _type_at(type, key)
                    value[key] = self._equal(content, inner, (*steps, str(key)), paths)
                return value
        elif is_list(value):
            pair = len(value) == 2 and isinstance(value[0], bytes)  # a type and a value
            for index, content in enumerate(value):
                place = steps if pair else (*steps, index)
                value[index] = self._equal(content, _type_at(type, index), place, paths)
            return value
        else:
            return value
        paths.append(steps)
        return UNKNOWN_FORM


def holds_secrets(block: Block) -> bool:
    """Whether a schema calls anything sensitive or write-only."""
    return _any_secret(block.attributes) or any(
        holds_secrets(nested.block) for nested in block.block_types.values()
    )


def _any_secret(attributes: Mapping[str, Attribute]) -> bool:
    return any(
        attribute.sensitive
        or attribute.write_only
        or (attribute.nested_type is not None and _any_secret(attribute.nested_type.attributes))
        for attribute in attributes.values()
    )


def _type_at(type: Type, step: object) -> Type:
    match type:
        case ObjectType():
            return type.attributes.get(str(step), type)
        case CollectionType(element):
            return element
        case TupleType(elements) if isinstance(step, int) and step < len(elements):
            return elements[step]
        case _:
            return type


def _blocks(
    content: object, nested: NestedBlock, steps: Steps
) -> Iterator[tuple[dict[object, object], Steps]]:
    """The objects of nested blocks, each with its path."""
    if is_list(content) and len(content) == 2 and isinstance(content[0], bytes):
        content = content[1]  # blocks with dynamic attributes: a type and a value
    return _objects_in(content, nested.nesting, steps)


def _objects(
    content: object, nested: NestedAttributeType, steps: Steps
) -> Iterator[tuple[dict[object, object], Steps]]:
    return _objects_in(content, nested.nesting, steps)


def _objects_in(
    content: object, nesting: NestingMode, steps: Steps
) -> Iterator[tuple[dict[object, object], Steps]]:
    inside: Iterator[tuple[Any, object]] = iter(())
    if nesting in (NestingMode.SINGLE, NestingMode.GROUP):
        if is_dict(content):
            yield content, steps
        return
    if is_list(content):
        inside = enumerate(content)
    elif is_dict(content):
        inside = iter(content.items())
    for key, item in inside:
        if is_dict(item):
            yield item, (*steps, key)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif is_list(value):
        for item in value:
            yield from _strings(item)
    elif is_dict(value):
        for item in value.values():
            yield from _strings(item)
