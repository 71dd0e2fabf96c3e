"""Mistakes of an author that can be found when a provider starts: one message for each."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from types import FunctionType
from typing import Any, Final, cast, get_args

from tofutypes.errors import SchemaError
from tofutypes.models import (
    Action,
    DataSource,
    EphemeralResource,
    ListResource,
    Model,
    ProviderConfig,
    Resource,
    StateStore,
)
from tofutypes.narrowing import is_sequence
from tofutypes.provider.objchange.planning import find_part
from tofutypes.provider.objchange.schema_parts import Names, Part, Parts
from tofutypes.provider.server.config_validators import ConfigValidator
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.handlers import Handler
from tofutypes.provider.server.provider import Provider
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.source_places import place_in, place_of_field

_META_ARGUMENTS: Final[Mapping[type[Model], frozenset[str]]] = {
    Resource: frozenset(
        ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]
    ),
    DataSource: frozenset(["count", "depends_on", "for_each", "lifecycle", "provider"]),
    EphemeralResource: frozenset(["count", "depends_on", "for_each", "lifecycle", "provider"]),
    ProviderConfig: frozenset(["alias", "version"]),
    StateStore: frozenset(["provider"]),
}
"""Arguments of blocks that OpenTofu and Terraform take for themselves."""

_CLOSE: Final = 0.82
"""How alike a misspelt method and the right one are."""


def check_endpoint(endpoint: Endpoint[Any], author: Handler[Any] | Provider[Any]) -> None:
    """Check what a handler or a provider declares.

    Raises:
        SchemaError: If there are mistakes: a line for each, with the file and the line.
    """
    mistakes = [
        *_meta_arguments(endpoint),
        *_attributes(endpoint),
        *_computed(endpoint),
        *_methods(type(author)),
        *_validators(endpoint, author),
    ]
    if isinstance(endpoint, ResourceEndpoint):
        mistakes += _names(endpoint)
    if mistakes:
        raise SchemaError("\n".join(dict.fromkeys(mistakes)))


def _meta_arguments(endpoint: Endpoint[Any]) -> Iterator[str]:
    model: type[Model] = endpoint.model
    kinds = (names for base, names in _META_ARGUMENTS.items() if issubclass(model, base))
    reserved = next(kinds, frozenset[str]())
    for part in endpoint.parts:
        if part.name in reserved:
            yield (
                f"{model.__name__}.{part.name}: OpenTofu and Terraform take the argument "
                f"`{part.name}` for themselves; choose another name"
                f"{place_of_field(model, part.name)}"
            )


def _attributes(endpoint: Endpoint[Any]) -> Iterator[str]:
    """Defaults and kept values of attributes that a provider cannot plan."""
    models = _models_by_place(endpoint.model)
    for names, rule in endpoint.rules.items():
        part = find_part(endpoint.parts, names)
        attribute = None if part is None else part.attribute
        if attribute is None:
            continue
        class_name, _, field = rule.place.partition(".")
        where = place_of_field(models.get(class_name, endpoint.model), field)
        if rule.has_default and not isinstance(endpoint, ResourceEndpoint):
            yield f"{rule.place}: only resources have defaults; use `default=None`{where}"
        elif rule.has_default and not (attribute.optional and attribute.computed):
            yield (
                f"{rule.place}: an attribute with a default must be optional and computed; write "
                f"`Attr(optional=True, computed=True, default=...)`{where}"
            )
        if rule.behavior.keep and not attribute.computed:
            yield f"{rule.place}: `keep` is for computed attributes; add `computed=True`{where}"


def _computed(endpoint: Endpoint[Any]) -> Iterator[str]:
    """Computed attributes of what only has a configuration."""
    model: type[Model] = endpoint.model
    if not issubclass(model, Action | ListResource):
        return
    for names in _all_names(endpoint.parts):
        part = find_part(endpoint.parts, names)
        if part is not None and part.computed:
            yield (
                f"{model.__name__}.{'.'.join(names)}: nothing can be computed here; remove "
                f"`computed=True`{place_of_field(model, names[0])}"
            )


def _models_by_place(model: type[Model]) -> Mapping[str, type[Model]]:
    models: dict[str, type[Model]] = {}

    def add(cls: type[Model]) -> None:
        models[cls.__name__] = cls
        for info in cls.model_fields.values():
            for nested in _models_in(info.annotation):
                add(nested)

    add(model)
    return models


def _models_in(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _methods(author: type) -> Iterator[str]:
    """Methods that nobody would call, or that cannot be called as they are."""
    base = next(each for each in author.__mro__ if each.__module__.startswith(_OURS))
    expected = _methods_of(base)
    for cls in author.__mro__[: author.__mro__.index(base)]:
        for name, value in vars(cls).items():
            method = inspect.unwrap(value) if callable(value) else None
            if name.startswith("_") or not inspect.isfunction(method):
                continue
            where = f" ({method.__code__.co_filename}, line {method.__code__.co_firstlineno})"
            if name in expected:
                if name != "list_objects" and _yields(method):
                    yield f"{cls.__name__}.{name}: expected a method without `yield`{where}"
                yield from _parameters(cls, name, method, expected[name], where)
                continue
            near = get_close_matches(name, expected, 1, _CLOSE)
            if near and near[0] not in vars(author):
                yield (
                    f"{cls.__name__}.{name}: nothing calls this method; did you mean "
                    f"`{near[0]}`?{where}"
                )


def _yields(method: FunctionType) -> bool:
    return inspect.isgeneratorfunction(method) or inspect.isasyncgenfunction(method)


_OURS: Final = "tofutypes.provider."


@cache
def _methods_of(base: type) -> Mapping[str, FunctionType]:
    return {
        name: method
        for name, method in inspect.getmembers(base, inspect.isfunction)
        if not name.startswith("_")
    }


def _parameters(
    cls: type, name: str, method: FunctionType, expected: FunctionType, where: str
) -> Iterator[str]:
    code, wanted = method.__code__, expected.__code__
    if code.co_argcount == wanted.co_argcount and not code.co_kwonlyargcount:
        return  # almost always, and much faster than a signature
    parameters = list(inspect.signature(expected).parameters)
    try:
        inspect.signature(method).bind(*parameters)
    except TypeError:
        listed = ", ".join(parameters)
        yield f"{cls.__name__}.{name}: the parameters must be `{name}({listed})`{where}"


def _validators(endpoint: Endpoint[Any], author: Handler[Any] | Provider[Any]) -> Iterator[str]:
    cls, where = type(author), place_in(type(author), "validators")
    validators = cast("object", cls.validators)  # whatever the author assigned
    if not is_sequence(validators):
        yield f"{cls.__name__}.validators: expected a tuple{where}"
        return
    for validator in validators:
        if not isinstance(validator, ConfigValidator):
            yield f"{cls.__name__}.validators: expected validators such as exactly_one_of(){where}"
            return
        for name in validator.names:
            if find_part(endpoint.parts, tuple(name.split("."))) is None:
                yield f"{cls.__name__}.validators: {_no_attribute(endpoint, name)}{where}"


def _names(endpoint: ResourceEndpoint) -> Iterator[str]:
    """Names in `keep`, `replace_on` and `import_by`."""
    cls = type(endpoint.handler)
    for where in ("keep", "replace_on"):
        names: Iterable[object] | None = getattr(cls, where)
        place = place_in(cls, where)
        if isinstance(names, str) or not isinstance(names, Iterable):
            yield f'{cls.__name__}.{where}: expected a tuple of names, as in `("id",)`{place}'
            continue
        for name in names:
            part = find_part(endpoint.parts, tuple(str(name).split(".")))
            if part is None:
                yield f"{cls.__name__}.{where}: {_no_attribute(endpoint, str(name))}{place}"
            elif where == "keep" and not part.computed:
                yield f"{cls.__name__}.keep: {name} is not computed{place}"
    imported = cls.import_by
    if imported is not None and imported not in endpoint.model.model_fields:
        place = place_in(cls, "import_by")
        yield f"{cls.__name__}.import_by: {_no_attribute(endpoint, imported)}{place}"


def _no_attribute(endpoint: Endpoint[Any], name: str) -> str:
    near = get_close_matches(name, (".".join(each) for each in _all_names(endpoint.parts)), 1)
    guess = f'; did you mean "{near[0]}"?' if near else ""
    return f"{endpoint.name} has no attribute or nested block {name}{guess}"


def _all_names(parts: Sequence[Part] | Parts, above: Names = ()) -> Iterator[Names]:
    for part in parts:
        yield (*above, part.name)
        yield from _all_names(part.inner, (*above, part.name))
