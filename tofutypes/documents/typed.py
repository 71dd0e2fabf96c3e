"""Which class the values of a resource are read as, and how."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TypeAlias, TypeVar, cast

from tofutypes.documents.addresses import ResourceMode
from tofutypes.documents.paths import visible
from tofutypes.errors import DocumentError, InvalidValueError, Path, describe
from tofutypes.models import (
    DataSource,
    EphemeralResource,
    Model,
    Registry,
    Resource,
    build_model,
)
from tofutypes.models.bases import SchemaModel
from tofutypes.models.secrets import attach_marks, has_marks
from tofutypes.narrowing import is_mapping
from tofutypes.nesting import too_deep
from tofutypes.schema import ProviderSchema, ProviderSchemas, Schema, SchemaSource, read_schemas
from tofutypes.wire.format import Reading
from tofutypes.wire.reading import reader
from tofutypes.wire.removed_attributes import drop_removed

M = TypeVar("M", bound=Model)

ModelClass: TypeAlias = type[Model]
"""A class of models."""

_OneSource: TypeAlias = ModuleType | Mapping[str, Any] | ProviderSchema | SchemaSource
ModelSource: TypeAlias = _OneSource | Iterable[_OneSource] | None
"""Where the models of a document come from:

- a generated package, or its module `registry` (modules of resources are imported when they are
  needed);
- a `Registry`, or a dict of models by type name;
- provider schemas as `read_schemas` gives them, or what it reads: a path, bytes, parsed JSON
  (models are built when they are needed);
- several of these;
- None for no models.
"""

BASES: Final[Mapping[str, type[SchemaModel]]] = {
    ResourceMode.MANAGED: Resource,
    ResourceMode.DATA: DataSource,
    ResourceMode.EPHEMERAL: EphemeralResource,
}
_REGISTRIES: Final = ("RESOURCES", "DATA_SOURCES", "EPHEMERAL_RESOURCES")


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader of values should know: why they have no model, or what the model leaves out.

    Attributes:
        path: the place inside of the resource.
        message: what is the matter.
    """

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class Models:
    """The models of a document, by mode, type name and provider; made when they are needed.

    Raises:
        DocumentError: If `source` holds no models.
        SchemaError: If it is a schema document that cannot be read.
    """

    def __init__(self, source: ModelSource = None) -> None:
        self._classes: list[Mapping[str, Any]] = []
        self._schemas: list[tuple[str, ProviderSchema]] = []
        self._found: dict[tuple[str, str, str], type[Model] | None] = {}
        self._add(source)

    def model_for(self, mode: str, type_name: str, provider: str) -> type[Model] | None:
        """The class for a resource; None if there is none.

        Args:
            mode: `managed`, `data` or `ephemeral`.
            type_name: the type name.
            provider: the address of the provider, also a short one; empty if it is not known.
        """
        key = mode, type_name, provider
        if key not in self._found:
            self._found[key] = self._find(*key)
        return self._found[key]

    def _find(self, mode: str, type_name: str, provider: str) -> type[Model] | None:
        base = BASES.get(mode)
        if base is None:
            return None
        for classes in self._classes:
            model = classes[type_name] if type_name in classes else None  # noqa: SIM401  # imports
            if isinstance(model, type) and issubclass(model, base):
                return model
        candidates = [
            (address, schema)
            for address, provider_schema in self._schemas
            if (schema := _schemas_of(provider_schema, base).get(type_name)) is not None
        ]
        if not candidates:
            return None
        _, schema = max(candidates, key=lambda each: _likeness(each[0], provider))
        return build_model(schema, name=type_name, base=base)

    def _add(self, source: object) -> None:
        match source:
            case None:
                pass
            case ModuleType():
                self._classes += _registries(source)
            case Registry():
                self._classes.append(cast("Mapping[str, Any]", source))
            case ProviderSchema():
                self._schemas.append(("", source))
            case ProviderSchemas():
                self._schemas += source.items()
            case str() | bytes() | bytearray() | os.PathLike():
                self._schemas += read_schemas(cast("SchemaSource", source)).items()
            case _ if is_mapping(source):
                self._add_mapping(source)
            case Iterable():
                for part in cast("Iterable[object]", source):
                    self._add(part)
            case _:
                raise DocumentError(
                    "models: expected a generated package, a registry or provider schemas, got "
                    f"{describe(source)}"
                )

    def _add_mapping(self, source: Mapping[Any, Any]) -> None:
        values = list(source.values())
        if all(isinstance(value, ProviderSchema) for value in values):
            self._schemas += source.items()
        elif all(isinstance(value, type) and issubclass(value, Model) for value in values):
            self._classes.append(source)
        else:
            self._schemas += read_schemas(source).items()


def _schemas_of(provider: ProviderSchema, base: type[SchemaModel]) -> Mapping[str, Schema]:
    if base is Resource:
        return provider.resources
    return provider.data_sources if base is DataSource else provider.ephemeral_resources


def _likeness(address: str, provider: str) -> int:
    """How many parts of two provider addresses agree, from their ends: `aws`, `hashicorp/aws`."""
    agreeing = 0
    for one, other in zip(
        reversed(address.split("/")), reversed(provider.split("/")), strict=False
    ):
        if one != other:
            break
        agreeing += 1
    return agreeing


def _registries(module: ModuleType) -> list[Mapping[str, Any]]:
    """The registries of a module, or of the packages below it."""
    registries = list(_registries_in(module))
    if not registries:
        raise DocumentError(
            f"models: expected a generated package or its registry, got the module "
            f"{module.__name__}"
        )
    return registries


def _registries_in(module: ModuleType) -> Iterator[Mapping[str, Any]]:
    if hasattr(module, _REGISTRIES[0]):
        yield from (getattr(module, name, {}) for name in _REGISTRIES)
        return
    for inside in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if inside.name == "registry":
            yield from _registries_in(import_module(f"{module.__name__}.registry"))
        elif inside.ispkg:
            yield from _registries_in(import_module(f"{module.__name__}.{inside.name}"))


def read_model(
    model: type[M], make: Callable[[], object], reading: Reading, marks: object
) -> tuple[M | None, tuple[Note, ...]]:
    """Read the values of a resource as a model.

    Attributes that the model does not have are left out, with a note. Values that do not fit
    otherwise have no model, with a note.

    Args:
        model: the class.
        make: makes the parsed JSON, anew each time: reading takes it apart.
        reading: how values are written there.
        marks: which of them are sensitive.
    """
    notes: tuple[Note, ...] = ()
    try:
        layout = model.__tofu_layout__()
        read = reader(layout, reading)
        try:
            instance = read(make())
        except InvalidValueError as error:
            value = make()
            removed = drop_removed(value, layout)
            if not removed:
                raise error from None
            instance = read(value)
            message = f"not in {model.__name__}: left out"
            notes = tuple(Note(visible(path, marks), message) for path in removed)
    except InvalidValueError as error:
        return None, (Note(visible(error.path, marks), error.message),)
    except RecursionError:
        return None, (Note(Path(), too_deep().message),)
    if not isinstance(instance, model):
        return None, (Note(Path(), f"expected an object, got {describe(instance)}"),)
    if has_marks(marks):
        attach_marks(instance, marks)
    return instance, notes
