"""Functions of providers as Python functions with typed signatures.

    @function(summary="The price of a server that runs a number of hours")
    def monthly_price(size: str, hours: Number) -> Number | None:
        raise NotImplementedError

The declaration has the types of the parameters and of the result. A provider passes a Python
function with the same signature to `call`; a caller uses `arguments` and `result`.
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
        name: The name in the schema, if it differs from the Python name.
        description: The description of the parameter.
        description_kind: How the description is to be read.
        extra: Keys of the schema document that this version of the library does not know.
    """

    name: str | None = None
    description: str | None = None
    description_kind: StringKind | None = None
    extra: Extra = field(default=EMPTY, hash=False)


_PLAIN: Final = Parameter()


@dataclass(frozen=True, slots=True)
class _Argument:
    """A parameter of the declaration: its schema and its layout."""

    schema: ParameterSchema
    layout: Layout
    variadic: bool


class ProviderFunction(Generic[P, R]):
    """A function of a provider, created by [`function`][tofutypes.models.functions.function].

        >>> arguments = monthly_price.arguments("small", 730)
        >>> monthly_price.result(call_provider("monthly_price", arguments))
        Decimal('7.3')

    Attributes:
        name: The name in the schema.
        schema: The signature and the descriptions.
    """

    def __init__(
        self, declaration: Callable[P, R], name: str | None, texts: Mapping[str, Any]
    ) -> None:
        self._declaration = declaration
        self._texts = texts
        self.name: Final = declaration.__name__ if name is None else name
        self.__doc__ = declaration.__doc__
        self.__module__ = declaration.__module__
        self.__qualname__ = declaration.__qualname__
        self.__wrapped__ = declaration

    def __repr__(self) -> str:
        return f"<provider function {self.name}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the declaration itself; a generated one raises `NotImplementedError`."""
        return self._declaration(*args, **kwargs)

    def arguments(self, *args: P.args, **kwargs: P.kwargs) -> list[bytes]:
        """Encode the arguments of a call, in order, as MessagePack.

        Raises:
            EncodeError: If an argument does not fit its type, or the number of arguments is wrong.
        """
        try:
            bound = inspect.signature(self._declaration).bind(*args, **kwargs)
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
        """Decode the result of a call from MessagePack.

        Raises:
            DecodeError: If the result does not fit its type.
        """
        value: R = msgpack.decode(data, self._result)
        return value

    def call(self, implementation: Callable[P, R], arguments: Sequence[bytes]) -> bytes:
        """Call an implementation; arguments and result are MessagePack.

        Raises:
            DecodeError: If an argument does not fit its type, or the number of arguments is wrong.
            EncodeError: If the result does not fit its type.
        """
        values: list[object] = []
        expected = self._repeated(len(arguments))
        if len(expected) != len(arguments):
            variadic = any(argument.variadic for argument in self._arguments)
            plural = "" if len(expected) == 1 else "s"
            raise DecodeError(
                f"expected {'at least ' if variadic else ''}{len(expected)} argument{plural}, "
                f"got {len(arguments)}"
            )
        try:
            for data, argument in zip(arguments, expected, strict=True):
                values.append(msgpack.decode(data, argument.layout))
        except InvalidValueError as error:
            raise error.at(IndexStep(len(values))) from None
        untyped: Callable[..., R] = implementation
        return _encode(untyped(*values), self._result)

    @cached_property
    def schema(self) -> Function:
        texts = dict(self._texts)
        if texts.get("description") is None and self.__doc__:
            texts["description"] = text_of(self.__doc__)
        variadic = [argument.schema for argument in self._arguments if argument.variadic]
        return Function(
            self._result.type,
            tuple(argument.schema for argument in self._arguments if not argument.variadic),
            variadic[0] if variadic else None,
            **texts,
        )

    def _repeated(self, count: int) -> list[_Argument]:
        """The parameters for a number of arguments: the variadic one is repeated."""
        fixed = [argument for argument in self._arguments if not argument.variadic]
        variadic = [argument for argument in self._arguments if argument.variadic]
        return fixed + variadic * max(0, count - len(fixed))

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        try:
            return get_type_hints(self._declaration, include_extras=True)
        except (NameError, TypeError, AttributeError) as error:
            raise SchemaError(f"{self.name}: {error}") from None

    @cached_property
    def _result(self) -> Layout:
        if "return" not in self._hints:
            raise SchemaError(f"{self.name}: the result has no annotation")
        return _layout(self._hints["return"], self.name)

    @cached_property
    def _arguments(self) -> tuple[_Argument, ...]:
        parameters = inspect.signature(self._declaration).parameters.values()
        return tuple(map(self._argument, parameters))

    def _argument(self, parameter: inspect.Parameter) -> _Argument:
        if parameter.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
            raise SchemaError(
                f"{self.name}({parameter.name}): keyword-only parameters are not supported; "
                "arguments of provider functions have no names"
            )
        if parameter.name not in self._hints:
            raise SchemaError(f"{self.name}({parameter.name}): the parameter has no annotation")
        hint = self._hints[parameter.name]
        details, members = _PLAIN, [hint]
        if get_origin(hint) is Annotated:
            hint, *metadata = get_args(hint)
            details = next((entry for entry in metadata if isinstance(entry, Parameter)), _PLAIN)
        if get_origin(hint) in (Union, types.UnionType):
            members = list(get_args(hint))
        layout = _layout(hint, f"{self.name}({parameter.name})")
        schema = ParameterSchema(
            parameter.name if details.name is None else details.name,
            layout.type,
            allow_null_value=layout.nullable,
            allow_unknown_values=Unknown in members,
            description=details.description,
            description_kind=details.description_kind,
            extra=details.extra,
        )
        return _Argument(schema, layout, parameter.kind is inspect.Parameter.VAR_POSITIONAL)


def _layout(hint: object, where: str) -> Layout:
    try:
        return layout_of(hint)
    except SchemaError as error:
        raise SchemaError(f"{where}: {error}") from None


def _encode(value: object, layout: Layout) -> bytes:
    # Writers accept null everywhere: required attributes of an absent GROUP block are null.
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
    """Declare a function of a provider by the signature of a Python function.

    A parameter that may be null has `None` in its annotation, one that may be unknown `Unknown`.

    Args:
        name: The name in the schema, if it differs from the Python name.
        description: The description, if the docstring is not the description.
        summary: The description in one line.
        description_kind: How the description is to be read.
        deprecation_message: What to use instead, if the function is deprecated.
        extra: Keys of the schema document that this version of the library does not know.
    """
    texts = {
        "summary": summary,
        "description": description,
        "description_kind": description_kind,
        "deprecation_message": deprecation_message,
        "extra": extra,
    }
    return lambda declaration: ProviderFunction(declaration, name, texts)
