"""What type checkers know of the fields of models, and what a class body may not assign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typing_extensions import dataclass_transform

from tofutypes.errors import SchemaError
from tofutypes.models.fields import (
    Attr,
    DeprecatedAttr,
    GroupBlock,
    ListBlock,
    MapBlock,
    SetBlock,
    SingleBlock,
)

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class _ClassBody(dict[str, object]):
    """The names that a class body has assigned so far."""

    def __init__(self, class_name: str) -> None:
        super().__init__()
        self._class_name = class_name

    def __setitem__(self, name: str, value: object) -> None:
        if name == "model_config" and isinstance(value, FieldInfo):
            raise SchemaError(
                f"{self._class_name}.{name}: this name is pydantic's own; write "
                f'`{name}_: ... = Attr(name="{name}")`'
            )
        super().__setitem__(name, value)


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(
        Attr,
        DeprecatedAttr,
        SingleBlock,
        GroupBlock,
        ListBlock,
        SetBlock,
        MapBlock,
    ),
)
class ModelMeta(ModelMetaclass):
    """Tells type checkers what the fields of a model look like."""

    if not TYPE_CHECKING:
        # Not `__new__`: pydantic looks up local classes in the frame that calls its own `__new__`.
        @classmethod
        def __prepare__(cls, name, bases, **keywords):
            return _ClassBody(name)
