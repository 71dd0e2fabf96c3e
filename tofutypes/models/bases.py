"""The base classes by what a schema describes."""

from __future__ import annotations

from dataclasses import replace

from typing_extensions import Unpack

from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.model import Model
from tofutypes.models.model_info import BlockKeywords, SchemaKeywords


class NestedBlock(Model):
    """A nested block."""

    __tofu_is_block__ = True

    def __init_subclass__(cls, **keywords: Unpack[BlockKeywords]) -> None:
        cls.__tofu_info__ = replace(cls.__tofu_info__, **keywords)


class NestedObject(Model):
    """An object with a schema: a nested attribute, or an element of one (protocol 6)."""


class Object(Model):
    """An object of an object type: an attribute, or an element of one.

    An attribute with `Attr(optional=True)` may be missing where a value is converted to the type.
    """

    @classmethod
    def _optional_attributes(cls) -> frozenset[str]:
        specs = {name: FieldSpec.of(field) for name, field in cls.model_fields.items()}
        return frozenset(spec.wire_name(name) for name, spec in specs.items() if spec.optional)


class SchemaModel(Model):
    """What has a schema of its own."""

    def __init_subclass__(
        cls, *, type_name: str | None = None, **keywords: Unpack[SchemaKeywords]
    ) -> None:
        info = replace(cls.__tofu_info__, **keywords)
        cls.__tofu_info__ = info if type_name is None else replace(info, type_name=type_name)


class Resource(SchemaModel):
    """A managed resource: `class Server(Resource, type_name="nimbus_server", version=2)`."""


class DataSource(SchemaModel):
    """A data source."""


class EphemeralResource(SchemaModel):
    """An ephemeral resource."""


class ProviderConfig(SchemaModel):
    """The configuration of a provider; its type name is the provider's local name."""


class ResourceIdentity(SchemaModel):
    """What identifies a managed resource; its type name is the resource's."""
