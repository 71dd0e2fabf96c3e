"""Functions of providers, as functions of Python with typed signatures.

    @function(summary="What a server of a size costs if it runs so many hours")
    def monthly_price(size: str, hours: Number) -> Number | None:
        raise NotImplementedError

The declaration says what the arguments and the result are; who implements the function gives a
Python function of the same signature to `call`, who calls it uses `arguments` and `result`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tofutypes.errors import DecodeError, EncodeError, IndexStep, InvalidValueError, SchemaError
from tofutypes.models.docstrings import text_of
from tofutypes.models.field_layouts import layout_of
from tofutypes.schema import Function, StringKind
from tofutypes.schema import Parameter as ParameterSchema
from tofutypes.schema.definitions import Extra
from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.unknown import Unknown
from tofutypes.wire import msgpack
from tofutypes.wire.layout import Layout

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the schema says of a parameter beyond its type: `Annotated[str, Parameter(...)]`.

    Attributes:
        name: its name in the schema, if Python needs another.
        description, description_kind, extra: as in
            [`Parameter`][tofutypes.schema.definitions.Parameter].
    """

    name: str | None = None
    description: str | None = None
    description_kind: StringKind | None = None
    extra: Extra = field(default=EMPTY, hash=False)


_PLAIN: Final = Parameter()


@dataclass(frozen=True, slots=True)
class _Argument:
    """A parameter as its annotation tells it."""

    schema: ParameterSchema
    layout: Layout
    variadic: bool


class ProviderFunction(Generic[P, R]):
    """A function of a provider. Made by [`function`][tofutypes.models.functions.function].

    Attributes:
        name: its name in the schema.
        schema: its signature and descriptions.
    """

    def __init__(self, declared: Callable[P, R], name: str | None, said: Mapping[str, Any]) -> None:
        self._declared = declared
        self._said = said
        self.name: Final = declared.__name__ if name is None else name
        self.__doc__ = declared.__doc__
        self.__module__ = declared.__module__
        self.__qualname__ = declared.__qualname__
        self.__wrapped__ = declared

    def __repr__(self) -> str:
        return f"<provider function {self.name}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the declaration itself, which implements nothing unless somebody wrote it so."""
        return self._declared(*args, **kwargs)

    def arguments(self, *args: P.args, **kwargs: P.kwargs) -> list[bytes]:
        """The arguments of a call as MessagePack, in order, as the protocol carries them.

        Raises:
            EncodeError: an argument is not of its type, or there are too few or too many.
        """
        try:
            bound = inspect.signature(self._declared).bind(*args, **kwargs)
        except TypeError as error:
            raise EncodeError(f"{self.name}: {error}") from None
        bound.apply_defaults()
        encoded: list[bytes] = []
        try:
            for value, argument in zip(bound.args, self._repeated(len(bound.args)), strict=True):
                encoded.append(_encode(value, argument.layout))
        except EncodeError as error:
            raise error.at(IndexStep(len(encoded))) from None
        return encoded

    def result(self, data: bytes) -> R:
        """The result of a call, from MessagePack.

        Raises:
            DecodeError: it is not of its type.
        """
        value: R = msgpack.decode(data, self._result)
        return value

    def call(self, implementation: Callable[P, R], arguments: Sequence[bytes]) -> bytes:
        """Call an implementation with arguments in MessagePack; its result in MessagePack.

        Raises:
            DecodeError: an argument is not of its type, or there are too few or too many.
            EncodeError: the result is not of its type.
        """
        values: list[object] = []
        expected = self._repeated(len(arguments))
        if len(expected) != len(arguments):
            least = "at least " if any(each.variadic for each in self._arguments) else ""
            wanted = "1 argument is" if len(expected) == 1 else f"{len(expected)} arguments are"
            raise DecodeError(f"{least}{wanted} required, got {len(arguments)}")
        try:
            for data, argument in zip(arguments, expected, strict=True):
                values.append(msgpack.decode(data, argument.layout))
        except InvalidValueError as error:
            raise error.at(IndexStep(len(values))) from None
        called: Callable[..., R] = implementation
        return _encode(called(*values), self._result)

    @cached_property
    def schema(self) -> Function:
        said = dict(self._said)
        if said.get("description") is None and self.__doc__:
            said["description"] = text_of(self.__doc__)
        variadic = [each.schema for each in self._arguments if each.variadic]
        return Function(
            self._result.type,
            tuple(each.schema for each in self._arguments if not each.variadic),
            variadic[0] if variadic else None,
            **said,
        )

    def _repeated(self, count: int) -> list[_Argument]:
        """What is expected of this many arguments."""
        fixed = [each for each in self._arguments if not each.variadic]
        variadic = [each for each in self._arguments if each.variadic]
        return fixed + variadic * max(0, count - len(fixed))

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        try:
            return get_type_hints(self._declared, include_extras=True)
        except (NameError, TypeError, AttributeError) as error:
            raise SchemaError(f"{self.name}: {error}") from None

    @cached_property
    def _result(self) -> Layout:
        if "return" not in self._hints:
            raise SchemaError(f"{self.name}: the result needs an annotation")
        return _layout(self._hints["return"], self.name)

    @cached_property
    def _arguments(self) -> tuple[_Argument, ...]:
        parameters = inspect.signature(self._declared).parameters.values()
        return tuple(self._argument(each) for each in parameters)

    def _argument(self, parameter: inspect.Parameter) -> _Argument:
        if parameter.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
            raise SchemaError(f"{self.name}({parameter.name}): arguments have no names on the wire")
        if parameter.name not in self._hints:
            raise SchemaError(f"{self.name}({parameter.name}): a parameter needs an annotation")
        hint = self._hints[parameter.name]
        said, members = _PLAIN, [hint]
        if get_origin(hint) is Annotated:
            hint, *metadata = get_args(hint)
            said = next((each for each in metadata if isinstance(each, Parameter)), _PLAIN)
        if get_origin(hint) in (Union, types.UnionType):
            members = list(get_args(hint))
        layout = _layout(hint, f"{self.name}({parameter.name})")
        schema = ParameterSchema(
            parameter.name if said.name is None else said.name,
            layout.type,
            allow_null_value=layout.nullable,
            allow_unknown_values=Unknown in members,
            description=said.description,
            description_kind=said.description_kind,
            extra=said.extra,
        )
        return _Argument(schema, layout, parameter.kind is inspect.Parameter.VAR_POSITIONAL)


def _layout(hint: object, where: str) -> Layout:
    try:
        return layout_of(hint)
    except SchemaError as error:
        raise SchemaError(f"{where}: {error}") from None


def _encode(value: object, layout: Layout) -> bytes:
    # Writers take null everywhere: it stands for what is required in a GROUP block that is absent.
    if value is None and not layout.nullable:
        raise EncodeError("expected a value, got null")
    return msgpack.encode(value, layout)


def function(
    *,
    name: str | None = None,
    summary: str | None = None,
    description: str | None = None,
    description_kind: StringKind | None = None,
    deprecation_message: str | None = None,
    extra: Extra = EMPTY,
) -> Callable[[Callable[P, R]], ProviderFunction[P, R]]:
    """Declare a function of a provider: its parameters and its result are those below.

    A parameter that may be null has `None` in its annotation, one that may be unknown `Unknown`.

    Args:
        name: its name in the schema, if Python needs another.
        description: its description, if the docstring is not it.
        summary: its description in one line.
        description_kind: how the description is to be read.
        deprecation_message: what to use instead, if it should not be used any more.
        extra: keys of the schema document that this library does not know.
    """
    said = {
        "summary": summary,
        "description": description,
        "description_kind": description_kind,
        "deprecation_message": deprecation_message,
        "extra": extra,
    }
    return lambda declared: ProviderFunction(declared, name, said)
