"""The base classes, one for each kind of schema.

Type checkers derive the `__init__` of a class from its fields. The base classes have one that
accepts any field, for `type[Resource]` of a registry or of `build_model`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import Unpack

from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.model import Model
from tofutypes.models.model_info import BlockKeywords, ObjectKeywords, SchemaKeywords


class NestedBlock(Model):
    """A nested block: the class of a `ListBlock`, a `SetBlock` and the like.

    class Disk(NestedBlock):
        size: NumberAttr = Attr(required=True)
    """

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...

    __tofu_is_block__ = True

    def __init_subclass__(cls, **keywords: Unpack[BlockKeywords]) -> None:
        cls._set_info(BlockKeywords, keywords)


class NestedObject(Model):
    """An object of a nested attribute (protocol 6), or an element of one."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...

    def __init_subclass__(cls, **keywords: Unpack[ObjectKeywords]) -> None:
        cls._set_info(ObjectKeywords, keywords)


class Object(Model):
    """An object of an object type: an attribute, or an element of one.

    Attributes with `Attr(optional=True)` are the optional attributes of the object type: they may
    be missing where a value is converted to the type.
    """

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...

    @classmethod
    def _optional_attributes(cls) -> frozenset[str]:
        specs = {name: FieldSpec.of(field) for name, field in cls.model_fields.items()}
        return frozenset(spec.wire_name(name) for name, spec in specs.items() if spec.optional)


class SchemaModel(Model):
    """The base of the classes that have a schema of their own."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...

    def __init_subclass__(
        cls, *, type_name: str | None = None, **keywords: Unpack[SchemaKeywords]
    ) -> None:
        cls._set_info(SchemaKeywords, keywords)
        if type_name is not None:
            cls.__tofu_info__ = replace(cls.__tofu_info__, type_name=type_name)


class Resource(SchemaModel):
    """A managed resource.

    class Server(Resource, type_name="nimbus_server", version=2):
        name: Attr[str] = Attr(required=True)
    """

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class DataSource(SchemaModel):
    """A data source: `class Image(DataSource, type_name="nimbus_image")`."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class EphemeralResource(SchemaModel):
    """An ephemeral resource: `class Token(EphemeralResource, type_name="nimbus_token")`."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class ListResource(SchemaModel):
    """What a list resource is asked for: `class Servers(ListResource, type_name="nimbus_server")`.

    Its type name is the type name of the managed resource that it lists.
    """

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class Action(SchemaModel):
    """The configuration of an action: `class Reboot(Action, type_name="nimbus_reboot")`."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class StateStore(SchemaModel):
    """The configuration of a state store: `class Bucket(StateStore, type_name="nimbus_bucket")`."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class ProviderConfig(SchemaModel):
    """The configuration of a provider; its type name is the local name of the provider."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class ProviderMeta(SchemaModel):
    """What a module may tell a provider: the block `provider_meta` in its `terraform` block."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...


class ResourceIdentity(SchemaModel):
    """The identity of a managed resource; its type name is the type name of the resource."""

    if TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None: ...
