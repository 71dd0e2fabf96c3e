"""The base class of all models: pydantic outside, the readers and writers of the wire inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import pydantic_core
from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema
from typing_extensions import Unpack

from tofutypes import wire
from tofutypes.errors import (
    DecodeError,
    InvalidValueError,
    Path,
    SchemaError,
    TofuTypesError,
    describe,
    did_you_mean,
)
from tofutypes.models.declaration_checks import check_declaration
from tofutypes.models.docstrings import describe_properties
from tofutypes.models.errors import convert_error
from tofutypes.models.field_spec import IMPLICIT, FieldSpec
from tofutypes.models.metaclass import ModelMeta
from tofutypes.models.model_info import ModelInfo, NoKeywords
from tofutypes.models.model_layout import make_layout, variant
from tofutypes.models.model_repr import shown_fields
from tofutypes.nesting import too_deep
from tofutypes.wire.layout import ObjectLayout

_PLAIN: Final = (False, False)
"""The layout of a class that is neither nullable nor a GROUP block: looked up at every call."""


class Model(BaseModel, metaclass=ModelMeta):
    """An object of the type system as a class: its attributes and nested blocks are fields.

    Every field accepts an [`Unknown`][tofutypes.unknown.Unknown] too. Instances are checked when
    they are created, assigned to and decoded; lists and dicts inside them are checked when they
    are encoded. Instances are equal if their values are equal.

        >>> server = Server(name="web", disk=[{"size": 20}])
        >>> Server.from_msgpack(server.to_msgpack()) == server
        True

    Raises:
        ValidationError: If values do not fit. The message has the path of each.
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

        # For `type[Model]`; see `bases`.
        def __init__(self, /, **data: Any) -> None: ...

    else:
        # Without annotations: pydantic would compile these again for every class.
        __tofu_info__ = ModelInfo()
        __tofu_layouts__ = MappingProxyType({})

        def __init__(self, /, **data: Any) -> None:
            try:
                self.__pydantic_validator__.validate_python(data, self_instance=self)
            except pydantic_core.ValidationError as error:
                raise convert_error(error, type(self)) from None

        # Tells pydantic that validation need not go through this `__init__`.
        __init__.__pydantic_base_init__ = True

    def __init_subclass__(cls, **keywords: Unpack[NoKeywords]) -> None:
        cls._set_info(NoKeywords, keywords)

    @classmethod
    def _set_info(cls, known: type, keywords: Any) -> None:
        """Put the keywords of the class statement into the info of the class.

        Args:
            known: The typed dict of the keywords that the class may have.
            keywords: Those that it has.

        Raises:
            SchemaError: If a keyword is not known.
        """
        if keywords:
            names = getattr(known, "__optional_keys__", ())
            for name in keywords:
                if name not in names:
                    hint = did_you_mean(name, sorted({*names, "type_name"}))
                    raise SchemaError(f'{cls.__name__}: unknown class keyword "{name}"{hint}')
            cls.__tofu_info__ = replace(cls.__tofu_info__, **keywords)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        cls.__tofu_layouts__ = MappingProxyType({})
        for name, field in cls.__pydantic_fields__.items():
            if not any(isinstance(entry, FieldSpec) for entry in field.metadata):
                field.metadata.append(IMPLICIT)
            try:
                check_declaration(field)
            except SchemaError as error:
                raise SchemaError(f"{cls.__name__}.{name}: {error}") from None

    @classmethod
    def __tofu_layout__(cls, *, nullable: bool = False, group: bool = False) -> ObjectLayout:
        layout = cls.__tofu_layouts__.get((nullable, group))
        if layout is None:
            if nullable or group:
                layout = variant(cls.__tofu_layout__(), nullable=nullable, group=group)
            else:
                layout = make_layout(cls, cls._optional_attributes())
            cls.__tofu_layouts__ = {**cls.__tofu_layouts__, (nullable, group): layout}
        return layout

    @classmethod
    def _optional_attributes(cls) -> frozenset[str]:
        """The attributes that may be missing where a value is converted to the object type."""
        return frozenset()

    def __tofu_attributes__(self) -> Mapping[str, object]:
        values, layout = self.__dict__, self.__tofu_layouts__.get(_PLAIN) or self.__tofu_layout__()
        return {field.name: values[field.python_name] for field in layout.fields}

    @classmethod
    def from_msgpack(cls, data: bytes | bytearray | memoryview) -> Self:
        """Decode an instance from MessagePack, the content of `DynamicValue.msgpack`.

        Raises:
            DecodeError: If the bytes are not MessagePack or do not fit the schema. The message has
                the path.
        """
        layout = cls.__tofu_layouts__.get(_PLAIN) or cls.__tofu_layout__()
        value = wire.msgpack.decode(data, layout)
        return value if value.__class__ is cls else cls._ensure_known(value)

    def to_msgpack(self) -> bytes:
        """Encode the instance as MessagePack, byte for byte as go-cty does.

        Raises:
            EncodeError: If a list or a dict inside was changed to something that does not fit.
        """
        return wire.msgpack.encode(
            self, self.__tofu_layouts__.get(_PLAIN) or self.__tofu_layout__()
        )

    @classmethod
    def from_json(cls, text: str | bytes | bytearray) -> Self:
        """Decode an instance from the JSON of the protocol or of stored state, as go-cty does.

        Missing attributes are null, and primitive values are converted: `"3"` is a number.

        Raises:
            DecodeError: If the text is not JSON or does not fit the schema. The message has the
                path.
        """
        return cls._ensure_known(wire.json.decode(text, cls.__tofu_layout__()))

    @classmethod
    def from_stored_json(cls, text: str | bytes | bytearray) -> tuple[Self, tuple[Path, ...]]:
        """Decode an instance from stored state, without attributes that the schema no longer has.

            >>> server, removed = Server.from_stored_json('{"name": "web", "color": "red"}')
            >>> print(server.name, *removed)
            web color

        Returns:
            The instance, and the paths of the attributes that were left out.

        Raises:
            DecodeError: If the text is not JSON or does not fit the schema. The message has the
                path.
        """
        removed: list[Path] = []
        instance = cls._ensure_known(wire.json.decode(text, cls.__tofu_layout__(), removed))
        return instance, tuple(removed)

    def to_json(self) -> str:
        """Encode the instance as the JSON of the protocol, byte for byte as go-cty does.

        Raises:
            EncodeError: If a value is unknown, for which JSON has no form, or does not fit.
        """
        return wire.json.encode(self, self.__tofu_layout__())

    @classmethod
    def _ensure_known(cls, value: object) -> Self:
        if isinstance(value, cls):
            return value
        raise DecodeError(f"expected an object, got {describe(value)}")

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """Create an instance from a mapping with Python names or names of the wire.

        Raises:
            ValidationError: If values do not fit. The message has the path of each.
        """
        try:
            return super().model_validate(obj, **options)
        except pydantic_core.ValidationError as error:
            raise convert_error(error, cls) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """Create an instance from JSON. Fields with a default may be missing; numbers are exact.

        Raises:
            ValidationError: If values do not fit. The message has the path of each.
            DecodeError: If the text is not JSON.
        """
        try:
            parsed = wire.json.parse(json_data)
        except InvalidValueError as error:
            raise DecodeError(error.message) from None
        return cls.model_validate(parsed, **options)

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """The JSON schema of known values, with descriptions; see `pydantic.BaseModel`.

        Raises:
            SchemaError: If a field has an annotation that is not a type of the type system.
        """
        cls.__tofu_layout__()  # before 2.14 pydantic returned an empty schema for such a class
        return super().model_json_schema(*args, **options)

    @classmethod
    def model_validate_strings(cls, obj: Any, **options: Any) -> Self:
        """See `pydantic.BaseModel`. Strings are not converted to numbers and bools."""
        try:
            return super().model_validate_strings(obj, **options)
        except pydantic_core.ValidationError as error:
            raise convert_error(error, cls) from None

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The values as a dict with Python names; see `pydantic.BaseModel`.

        Sets become lists. With `mode="json"` numbers become `int`, or `float` where that is exact,
        else strings. With `context={"unknown": MARKER}` the marker stands for unknown values.

        Raises:
            EncodeError: If a value is unknown, the mode is `json` and there is no marker.
        """
        try:
            return super().model_dump(**options)
        except PydanticSerializationError as error:
            raise self._dump_error(error) from None

    def model_dump_json(self, **options: Any) -> str:
        """The values as JSON with Python names; see `model_dump`.

        `to_json` writes the JSON of the protocol.

        Raises:
            EncodeError: If a value is unknown and there is no marker.
        """
        try:
            return super().model_dump_json(**options)
        except PydanticSerializationError as error:
            raise self._dump_error(error) from None

    def _dump_error(self, error: PydanticSerializationError) -> TofuTypesError:
        try:
            self.to_json()
        except TofuTypesError as with_path:
            return with_path
        return InvalidValueError(str(error))

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler, /
    ) -> CoreSchema:
        try:
            schema = handler(source)
        except SchemaError as error:
            raise SchemaError(f"{cls.__name__}.{error}") from None
        # Inside another model pydantic would report our errors with the input, secrets included.
        wrap = core_schema.no_info_wrap_validator_function
        if cls.__pydantic_decorators__.model_validators:
            return wrap(cls._convert_errors, schema)
        model_schema: Any = handler.resolve_ref_schema(schema)
        while model_schema["type"] != "model":
            model_schema = model_schema["schema"]
        model_schema["schema"] = wrap(cls._convert_errors, model_schema["schema"])
        return schema

    @classmethod
    def _convert_errors(cls, value: object, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except pydantic_core.ValidationError as error:
            raise convert_error(error, cls) from None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, source: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        schema = handler(source)
        describe_properties(handler.resolve_ref_schema(schema), cls, cls.__tofu_info__)
        return schema

    def __repr_str__(self, join_str: str) -> str:
        try:
            return super().__repr_str__(join_str)  # type: ignore[misc]  # borrowed by pydantic
        except RecursionError:
            return "nested too deeply to show"

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
        """The fields that are set; secrets are hidden."""
        return shown_fields(self)

    if not TYPE_CHECKING:
        # For type checkers the fields are the only attributes.

        def __setattr__(self, name: str, value: Any) -> None:
            try:
                super().__setattr__(name, value)
            except pydantic_core.ValidationError as error:
                raise convert_error(error, type(self)) from None

        def __getattr__(self, name: str) -> Any:
            # Decoding sets `__dict__` alone; the other state of pydantic is made on demand.
            if name == "__pydantic_fields_set__":
                value = set(type(self).model_fields)
            elif name in ("__pydantic_extra__", "__pydantic_private__"):
                value = None
            else:
                return super().__getattr__(name)
            object.__setattr__(self, name, value)
            return value
