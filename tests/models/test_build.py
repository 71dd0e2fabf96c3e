"""`build_model` makes the class that the generator writes."""

from __future__ import annotations

import gc
import linecache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus_package import provider
from tests.models.checks import schemas_of
from tests.models.samples import Disk
from tofutypes import (
    DataSource,
    EphemeralResource,
    InvalidSchemaError,
    Model,
    NestedBlock,
    Object,
    ProviderConfig,
    Resource,
    ResourceIdentity,
    SchemaError,
    build_model,
    schema_of,
)
from tofutypes.models.field_spec import FieldSpec
from tofutypes.schema import Attribute, Block, IdentitySchema, Schema
from tofutypes.type_parsing import parse_type
from tofutypes.types import STRING, ObjectType

BASES = {
    "RESOURCES": Resource,
    "DATA_SOURCES": DataSource,
    "EPHEMERAL_RESOURCES": EphemeralResource,
}
NIMBUS = list(schemas_of(provider()))


def models_in(annotation: Any) -> list[type[Model]]:
    """The models in an annotation, in the order in which they stand."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for each in get_args(annotation) for model in models_in(each)]


def shown(annotation: Any) -> object:
    """An annotation as something to compare, with models by name."""
    annotation = getattr(annotation, "__tofu_annotation__", annotation)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation.__name__
    arguments = tuple(map(shown, get_args(annotation)))
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        return (Union, frozenset(arguments))
    return (origin, arguments) if arguments else annotation


def check_alike(built: type[Model], generated: type[Model]) -> None:
    assert built.__name__ == generated.__name__
    assert built.__bases__ == generated.__bases__
    assert list(built.model_fields) == list(generated.model_fields)
    for name, field in built.model_fields.items():
        other = generated.model_fields[name]
        assert shown(field.annotation) == shown(other.annotation)
        assert field.is_required() == other.is_required()
        assert field.default == other.default
        assert field.validation_alias == other.validation_alias
        spec, other_spec = FieldSpec.of(field), FieldSpec.of(other)
        for attribute in FieldSpec.__slots__:
            # The description of a generated class is in its docstrings.
            if attribute != "description":
                assert getattr(spec, attribute) == getattr(other_spec, attribute), (name, attribute)
        inner = zip(models_in(field.annotation), models_in(other.annotation), strict=True)
        for mine_inside, its_inside in inner:
            check_alike(mine_inside, its_inside)


@pytest.mark.parametrize(("kind", "name", "schema"), NIMBUS, ids=[f"{k}-{n}" for k, n, _ in NIMBUS])
def test_built_and_generated_classes_are_alike(kind: str, name: str, schema: Any) -> None:
    generated: type[Model] = getattr(registry, kind)[name]
    base = BASES.get(kind)
    built: type[Model] = build_model(schema, name=name, **({"base": base} if base else {}))
    if kind == "IDENTITIES":
        built.__name__ += "Identity"  # there are two classes in the module of a resource
    check_alike(built, generated)
    assert built.model_json_schema() == generated.model_json_schema() or kind == "IDENTITIES"


@pytest.mark.parametrize("base", [Resource, DataSource, EphemeralResource, ProviderConfig])
def test_bases(base: Any) -> None:
    schema = Schema(Block({"name": Attribute(STRING, required=True)}), 4)
    built = build_model(schema, name="cloud_server", base=base)
    assert built.__bases__ == (base,)
    assert built.__name__ == "CloudServer"
    assert built.__tofu_info__.type_name == "cloud_server"
    assert schema_of(built) == schema


class Own(Resource):
    """A base of the user's own."""


@pytest.mark.parametrize("base", [Own, NestedBlock, ResourceIdentity])
def test_bases_that_are_none(base: Any) -> None:
    message = (
        "^expected a base class out of Resource, DataSource, EphemeralResource, "
        "ListResource, Action, StateStore, ProviderConfig, ProviderMeta"
    )
    with pytest.raises(SchemaError, match=f"{message}, got {base.__name__}$"):
        build_model(Schema(Block()), base=base)


def test_other_parts() -> None:
    block = schema_of(Disk)
    assert issubclass(build_model(block, name="disk"), NestedBlock)
    assert schema_of(build_model(block, name="disk")) == block
    assert issubclass(build_model(ObjectType({}), name="thing"), Object)
    assert issubclass(build_model(IdentitySchema(), name="thing"), ResourceIdentity)
    assert build_model(Schema(block)).__name__ == "Model"


def test_classes_inside_are_in_the_annotations() -> None:
    point = parse_type('["list",["object",{"x":"number"}]]')
    built = build_model(Schema(Block({"points": Attribute(point, optional=True)})), name="shape")
    [model] = models_in(built.model_fields["points"].annotation)
    instance = built.model_validate({"points": [{"x": 1}, model(x=2)]})
    assert instance.to_json() == '{"points":[{"x":1},{"x":2}]}'


@pytest.mark.parametrize("given", [None, 3, "a", {}, Disk])
def test_what_is_no_schema(given: Any) -> None:
    with pytest.raises(
        SchemaError, match=r"^expected a Schema, a Block, an IdentitySchema or an object type"
    ):
        build_model(given)


def test_what_breaks_the_rules() -> None:
    with pytest.raises(InvalidSchemaError, match=r"^the schema breaks 1 rule:\n  a: an attribute"):
        build_model(Schema(Block({"a": Attribute(STRING)})))


def test_what_is_compiled_goes_with_the_class() -> None:
    def sources() -> int:
        gc.collect()
        return sum(name.startswith("<tofutypes") for name in linecache.cache)

    before = sources()
    built = build_model(Schema(Block({"name": Attribute(STRING, required=True)})))
    built.from_msgpack(built.model_validate({"name": "a"}).to_msgpack())
    assert sources() > before
    del built
    assert sources() == before


def test_json_schemas_by_names_of_python() -> None:
    said = Attribute(STRING, required=True, description="Said.")
    built = build_model(Schema(Block({"from": said, "from_": said, "to": said})))
    for by_alias, names in ((True, ["from", "from_", "to"]), (False, ["from_", "from__", "to"])):
        properties = built.model_json_schema(by_alias=by_alias)["properties"]
        assert sorted(properties) == names
        assert all(each["description"] == "Said." for each in properties.values())
