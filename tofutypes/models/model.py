"""The base class of all models: pydantic outside, the wire's readers and writers inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import pydantic
import pydantic_core
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticSerializationError
from typing_extensions import dataclass_transform

from tofutypes.errors import (
    DecodeError,
    InvalidValueError,
    Path,
    SchemaError,
    TofuTypesError,
    describe,
)
from tofutypes.models.docstrings import describe_properties
from tofutypes.models.errors import SeveralInvalidValuesError, invalid_values, validation_error
from tofutypes.models.field_layouts import empty_attributes
from tofutypes.models.field_spec import IMPLICIT, FieldSpec
from tofutypes.models.fields import Attr, GroupBlock, ListBlock, MapBlock, SetBlock, SingleBlock
from tofutypes.models.model_info import ModelInfo
from tofutypes.models.secrets import MARKS, SECRET, masked
from tofutypes.nesting import too_deep
from tofutypes.sets import TofuSet
from tofutypes.types import ObjectType
from tofutypes.wire import json, msgpack
from tofutypes.wire.layout import FieldLayout, ModelHooks, ObjectLayout

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


_MAKING: ContextVar[frozenset[type]] = ContextVar("_MAKING", default=frozenset())
"""The classes whose layouts are being made."""

_PLAIN: Final = (False, False)
"""The layout of a class that is neither nullable nor a GROUP block: asked for at every call."""

_DUMPS_BUILT_ONLY: Final = tuple(map(int, pydantic.VERSION.split(".")[:2])) < (2, 14)
"""Whether pydantic cannot dump instances of classes that it has not built yet."""


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(Attr, SingleBlock, GroupBlock, ListBlock, SetBlock, MapBlock),
)
class ModelMeta(ModelMetaclass):
    """Tells type checkers what the fields of a model look like."""


class Model(BaseModel, metaclass=ModelMeta):
    """An object of the type system as a class: its attributes and nested blocks are fields.

    Every field takes an [`Unknown`][tofutypes.unknown.Unknown] too. Instances are checked when they
    are made, when they are assigned to, and when they are decoded; lists and dicts inside them are
    checked when they are encoded. Instances are equal if their values are.

    Raises:
        ValidationError: values do not fit; each with its path.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        defer_build=True,
        extra="forbid",
        hide_input_in_errors=True,
        protected_namespaces=(),
        validate_assignment=True,
        validate_by_alias=True,
        validate_by_name=True,
    )

    if TYPE_CHECKING:
        __tofu_info__: ClassVar[ModelInfo]
        __tofu_layouts__: ClassVar[Mapping[tuple[bool, bool], ObjectLayout]]
    else:
        # Without annotations: pydantic would compile these again for every class.
        __tofu_info__ = ModelInfo()
        __tofu_layouts__ = MappingProxyType({})

    def __init__(self, /, **data: Any) -> None:
        try:
            self.__pydantic_validator__.validate_python(data, self_instance=self)
        except pydantic_core.ValidationError as error:
            raise _our_error(error) from None

    # Tells pydantic that validation need not go through this `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # a function has none

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        cls.__tofu_layouts__ = MappingProxyType({})
        for field in cls.__pydantic_fields__.values():
            if not any(isinstance(each, FieldSpec) for each in field.metadata):
                field.metadata.append(IMPLICIT)

    @classmethod
    def __tofu_layout__(cls, *, nullable: bool = False, group: bool = False) -> ObjectLayout:
        layout = cls.__tofu_layouts__.get((nullable, group))
        if layout is None:
            layout = cls._make_layout(nullable=nullable, group=group)
            cls.__tofu_layouts__ = {**cls.__tofu_layouts__, (nullable, group): layout}
        return layout

    @classmethod
    def _make_layout(cls, *, nullable: bool, group: bool) -> ObjectLayout:
        if nullable or group:
            base = cls.__tofu_layout__()
            empty = partial(cls._make_empty, base.fields) if group else None
            return replace(base, nullable=nullable, empty=empty, compiled={})
        fields = cls._make_fields()
        if _DUMPS_BUILT_ONLY and not cls.__pydantic_complete__:
            cls.model_rebuild()
        return ObjectLayout(
            type=ObjectType(
                {field.name: field.layout.type for field in fields}, cls._optional_attributes()
            ),
            fields=fields,
            model=ModelHooks(cls, cls._from_mapping, cls._constructor()),
            nullable=False,
        )

    @classmethod
    def _make_fields(cls) -> tuple[FieldLayout, ...]:
        making = _MAKING.get()
        if cls in making:
            raise SchemaError(f"{cls.__name__} holds itself, and its values would have no end")
        if not cls.__pydantic_fields_complete__:  # a class that it names came later
            cls.model_rebuild()
        fields: list[FieldLayout] = []
        before = _MAKING.set(making | {cls})
        try:
            for name, field in cls.model_fields.items():
                spec = FieldSpec.of(field)
                try:
                    layout = spec.layout(field.annotation)
                except SchemaError as error:
                    raise SchemaError(f"{cls.__name__}.{name}: {error}") from None
                fields.append(FieldLayout(spec.wire_name(name), name, layout, spec.secret))
        finally:
            _MAKING.reset(before)
        return tuple(sorted(fields, key=lambda field: field.name))

    @classmethod
    def _optional_attributes(cls) -> frozenset[str]:
        """The attributes that conversion to the object type may find missing."""
        return frozenset()

    @classmethod
    def _constructor(cls) -> Any:
        """What makes instances of decoded values, if more is to be done than to hold them."""
        decorators = cls.__pydantic_decorators__
        validates = (
            decorators.validators
            or decorators.field_validators
            or decorators.root_validators
            or decorators.model_validators
        )
        own = validates or cls.__private_attributes__ or cls.__pydantic_post_init__
        return cls._from_mapping if own else None

    @classmethod
    def _from_mapping(cls, value: Mapping[str, object]) -> Self:
        try:
            made: Self = cls.__pydantic_validator__.validate_python(dict(value))
        except pydantic_core.ValidationError as error:
            errors = invalid_values(error)
            raise errors[0] if len(errors) == 1 else SeveralInvalidValuesError(errors) from None
        return made

    @classmethod
    def _make_empty(cls, fields: tuple[FieldLayout, ...]) -> Self:
        instance = cls.__new__(cls)
        object.__setattr__(instance, "__dict__", empty_attributes(fields))
        return instance

    def __tofu_attributes__(self) -> Mapping[str, object]:
        values, layout = self.__dict__, self.__tofu_layouts__.get(_PLAIN) or self.__tofu_layout__()
        return {field.name: values[field.python_name] for field in layout.fields}

    @classmethod
    def from_msgpack(cls, data: bytes | bytearray | memoryview) -> Self:
        """Read an instance from MessagePack, as `DynamicValue.msgpack` carries it.

        Raises:
            DecodeError: the bytes are not MessagePack, or not an object of this schema.
        """
        layout = cls.__tofu_layouts__.get(_PLAIN) or cls.__tofu_layout__()
        value = msgpack.decode(data, layout)
        return value if value.__class__ is cls else cls._ensure_known(value)

    def to_msgpack(self) -> bytes:
        """This object as MessagePack, in exactly the bytes that the reference writes.

        Raises:
            EncodeError: something inside was changed to what does not fit the schema.
        """
        return msgpack.encode(self, self.__tofu_layouts__.get(_PLAIN) or self.__tofu_layout__())

    @classmethod
    def from_json(cls, text: str | bytes | bytearray, *, dropped: list[Path] | None = None) -> Self:
        """Read an instance from the JSON of the protocol or of stored state, as the reference does.

        What is missing is null, and primitive values are converted: `"3"` is a number.

        Args:
            text: the JSON.
            dropped: a list that takes the places of attributes that the schema does not have,
                as stored state may hold some that are gone; without it, they are an error.

        Raises:
            DecodeError: the text is not JSON, or not an object of this schema.
        """
        return cls._ensure_known(json.decode(text, cls.__tofu_layout__(), dropped))

    def to_json(self) -> str:
        """This object as the JSON of the protocol, in exactly the text that the reference writes.

        Raises:
            EncodeError: something inside is unknown, which JSON cannot say, or does not fit.
        """
        return json.encode(self, self.__tofu_layout__())

    @classmethod
    def _ensure_known(cls, value: object) -> Self:
        if isinstance(value, cls):
            return value
        raise DecodeError(f"expected an object, got {describe(value)}")

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """Make an instance of a mapping, by Python names or names on the wire; pydantic's way in.

        Raises:
            ValidationError: values do not fit; each with its path.
        """
        try:
            return super().model_validate(obj, **options)
        except pydantic_core.ValidationError as error:
            raise _our_error(error) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """Make an instance of JSON, where what has a default may be missing. Numbers are exact.

        Raises:
            ValidationError: values do not fit; each with its path.
            DecodeError: it is not JSON.
        """
        try:
            parsed = json.parse(json_data)
        except InvalidValueError as error:
            raise DecodeError(error.message) from None
        return cls.model_validate(parsed, **options)

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """The JSON schema of known values, with descriptions; see `pydantic.BaseModel`.

        Raises:
            SchemaError: a field has an annotation that stands for no type of the type system.
        """
        cls.__tofu_layout__()  # before 2.14 pydantic had a schema of nothing for such a class
        return super().model_json_schema(*args, **options)

    @classmethod
    def model_validate_strings(cls, obj: Any, **options: Any) -> Self:
        """See `pydantic.BaseModel`. Numbers and bools are not made of strings."""
        try:
            return super().model_validate_strings(obj, **options)
        except pydantic_core.ValidationError as error:
            raise _our_error(error) from None

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The values as a dict, by Python names; see `pydantic.BaseModel`.

        Sets become lists. With `mode="json"` numbers become `int`, or `float` where that loses no
        digit, else strings; unknown values are an error then.

        Raises:
            EncodeError: an unknown value, and `mode="json"`.
        """
        try:
            return super().model_dump(**options)
        except PydanticSerializationError as error:
            raise self._dump_error(error) from None

    def model_dump_json(self, **options: Any) -> str:
        """The values as JSON, by Python names; see `model_dump`. (`to_json` is the protocol's.)

        Raises:
            EncodeError: an unknown value.
        """
        try:
            return super().model_dump_json(**options)
        except PydanticSerializationError as error:
            raise self._dump_error(error) from None

    def _dump_error(self, error: PydanticSerializationError) -> TofuTypesError:
        try:
            self.to_json()
        except TofuTypesError as ours:
            return ours
        return InvalidValueError(str(error))

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler, /
    ) -> CoreSchema:
        try:
            return handler(source)
        except SchemaError as error:
            raise SchemaError(f"{cls.__name__}.{error}") from None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        describe_properties(handler.resolve_ref_schema(schema), cls, cls.__tofu_info__)
        return schema

    def __repr_str__(self, join_str: str) -> str:
        try:
            return super().__repr_str__(join_str)  # type: ignore[misc]  # borrowed by pydantic
        except RecursionError:
            return "nested too deeply to be shown"

    def __eq__(self, other: object) -> bool:
        try:
            return super().__eq__(other)
        except RecursionError:
            raise too_deep() from None

    __hash__ = None  # type: ignore[assignment]  # instances can be changed

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        try:
            return super().__deepcopy__(memo)
        except RecursionError:
            raise too_deep() from None

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """The fields that say something; of secrets only that they are there."""
        marks: Any = self.__dict__.get(MARKS)
        for name, field in type(self).model_fields.items():
            spec, value = FieldSpec.of(field), self.__dict__.get(name)
            if value is None or (spec.block_nesting is not None and _says_nothing(value)):
                continue
            mark = marks and marks.get(spec.wire_name(name))
            yield name, SECRET if spec.secret else masked(value, mark)

    if not TYPE_CHECKING:
        # For type checkers there are no attributes but the fields.

        def __setattr__(self, name: str, value: Any) -> None:
            try:
                super().__setattr__(name, value)
            except pydantic_core.ValidationError as error:
                raise _our_error(error) from None

        def __getattr__(self, name: str) -> Any:
            # Decoding sets `__dict__` only; what else pydantic holds is made when it is asked for.
            if name == "__pydantic_fields_set__":
                value = set(type(self).model_fields)
            elif name in ("__pydantic_extra__", "__pydantic_private__"):
                value = None
            else:
                return super().__getattr__(name)
            object.__setattr__(self, name, value)
            return value


def _says_nothing(blocks: object) -> bool:
    """Whether there are no blocks, or one in which nothing is set."""
    if isinstance(blocks, Model):
        return not any(True for _ in blocks.__repr_args__())
    return isinstance(blocks, list | dict | TofuSet) and not blocks


def _our_error(error: pydantic_core.ValidationError) -> TofuTypesError:
    return validation_error(error.title, invalid_values(error))
