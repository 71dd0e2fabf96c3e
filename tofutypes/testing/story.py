"""The story of a failure: the calls of one life, as a program to paste and run."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from tofutypes.dynamic import Dynamic
from tofutypes.models import Model
from tofutypes.narrowing import has_attributes, is_mapping, is_sequence
from tofutypes.sets import is_tofu_set
from tofutypes.unknown import Unknown

_LINE_LENGTH: Final = 88


class Story:
    """The calls to a provider so far, as lines of Python.

    Args:
        head: The imports and the `with` statement that starts the provider.
    """

    def __init__(self, head: Iterable[str]) -> None:
        self._head = list(head)
        self._lines: list[str] = []
        self._values: list[object] = []

    def add(self, line: str) -> None:
        """Add a call."""
        self._lines.append(line)

    def configuration(self, name: str, config: Model) -> None:
        """Add the configuration that the calls below use as a variable."""
        self._values.append(config)
        source = f"{name} = {instance_source(config)}"
        if len(source) <= _LINE_LENGTH:
            self.add(source)
            return
        self.add(f"{name} = {type(config).__name__}.model_validate({{")
        for attribute, value in config.__tofu_attributes__().items():
            if value is not None:
                self.add(f"    {attribute!r}: {value_source(value)},")
        self.add("})")

    def program(self) -> str:
        """The whole program."""
        imports = "\n".join(_imports(self._values))
        body = "\n".join(f"    {line}" for line in self._lines)
        return "\n".join([*([imports] if imports else []), *self._head, body])


def instance_source(instance: Model) -> str:
    """A Python expression for an instance of a model: attributes that are null are left out."""
    return f"{type(instance).__name__}.model_validate({value_source(instance)})"


def value_source(value: object) -> str:
    """A Python expression for a value: objects are dicts by the names on the wire, sets lists."""
    match value:
        case Unknown():
            return repr(value) if value.refinements else "UNKNOWN"
        case Dynamic():
            type_text = repr(str(value.type))
            return f"Dynamic({value_source(value.value)}, parse_type({type_text}))"
        case Decimal():
            return f'Decimal("{value}")'
        case _ if has_attributes(value):
            attributes = value.__tofu_attributes__().items()
            return _dict_source((name, inner) for name, inner in attributes if inner is not None)
        case _ if is_mapping(value):
            return _dict_source((str(name), inner) for name, inner in value.items())
        case _ if is_sequence(value) or is_tofu_set(value):
            elements = [value_source(element) for element in value]
            if isinstance(value, tuple):
                return f"({''.join(f'{element}, ' for element in elements)})"
            return f"[{', '.join(elements)}]"
        case _:
            return repr(value)


def _dict_source(items: Iterable[tuple[str, object]]) -> str:
    return f"{{{', '.join(f'{name!r}: {value_source(value)}' for name, value in items)}}}"


def _imports(values: Iterable[object]) -> list[str]:
    """The imports that the expressions of these values need."""
    text = " ".join(map(value_source, values))
    lines = ["from decimal import Decimal"] if "Decimal(" in text else []
    names = [name for name in ("Dynamic", "UNKNOWN", "Unknown", "parse_type") if name in text]
    return lines + ([f"from tofutypes import {', '.join(names)}"] if names else [])
