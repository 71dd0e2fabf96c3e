"""Models: the base classes, the declarations of fields, models of schemas and schemas of models."""

from tofutypes.dynamic import Dynamic
from tofutypes.models.accepted_types import AnyDynamic, AnyList, AnyMap, AnySet, Nullable
from tofutypes.models.bases import (
    DataSource,
    EphemeralResource,
    NestedBlock,
    NestedObject,
    Object,
    ProviderConfig,
    Resource,
    ResourceIdentity,
)
from tofutypes.models.build import build_model
from tofutypes.models.errors import ValidationError
from tofutypes.models.fields import (
    Attr,
    GroupBlock,
    ListBlock,
    MapBlock,
    SetBlock,
    SingleBlock,
)
from tofutypes.models.functions import Parameter, ProviderFunction, function
from tofutypes.models.model import Model
from tofutypes.models.registry import Registry
from tofutypes.models.to_schema import schema_of
from tofutypes.numbers import AnyNumber, Number
from tofutypes.schema import StringKind
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

__all__ = [
    "AnyDynamic",
    "AnyList",
    "AnyMap",
    "AnyNumber",
    "AnySet",
    "Attr",
    "DataSource",
    "Dynamic",
    "EphemeralResource",
    "GroupBlock",
    "ListBlock",
    "MapBlock",
    "Model",
    "NestedBlock",
    "NestedObject",
    "Nullable",
    "Number",
    "Object",
    "Parameter",
    "ProviderConfig",
    "ProviderFunction",
    "Registry",
    "Resource",
    "ResourceIdentity",
    "SetBlock",
    "SingleBlock",
    "StringKind",
    "TofuSet",
    "Unknown",
    "ValidationError",
    "build_model",
    "function",
    "schema_of",
]
