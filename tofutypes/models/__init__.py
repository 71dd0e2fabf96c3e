"""Models: base classes, field declarations, classes from schemas and schemas from classes."""

from typing import TYPE_CHECKING

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
    from tofutypes.dynamic import Dynamic
    from tofutypes.models.accepted_types import AnyDynamic, AnyList, AnyMap, AnySet, Nullable
    from tofutypes.models.bases import (
        Action,
        DataSource,
        EphemeralResource,
        ListResource,
        NestedBlock,
        NestedObject,
        Object,
        ProviderConfig,
        ProviderMeta,
        Resource,
        ResourceIdentity,
        StateStore,
    )
    from tofutypes.models.build import build_model
    from tofutypes.models.deprecation import deprecated
    from tofutypes.models.errors import ValidationError
    from tofutypes.models.fields import (
        COMPUTED,
        OPTIONAL,
        OPTIONAL_COMPUTED,
        Attr,
        DeprecatedAttr,
        DynamicAttr,
        GroupBlock,
        ListAttr,
        ListBlock,
        MapAttr,
        MapBlock,
        NumberAttr,
        SetAttr,
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
    "COMPUTED",
    "OPTIONAL",
    "OPTIONAL_COMPUTED",
    "Action",
    "AnyDynamic",
    "AnyList",
    "AnyMap",
    "AnyNumber",
    "AnySet",
    "Attr",
    "DataSource",
    "DeprecatedAttr",
    "Dynamic",
    "DynamicAttr",
    "EphemeralResource",
    "GroupBlock",
    "ListAttr",
    "ListBlock",
    "ListResource",
    "MapAttr",
    "MapBlock",
    "Model",
    "NestedBlock",
    "NestedObject",
    "Nullable",
    "Number",
    "NumberAttr",
    "Object",
    "Parameter",
    "ProviderConfig",
    "ProviderFunction",
    "ProviderMeta",
    "Registry",
    "Resource",
    "ResourceIdentity",
    "SetAttr",
    "SetBlock",
    "SingleBlock",
    "StateStore",
    "StringKind",
    "TofuSet",
    "Unknown",
    "ValidationError",
    "build_model",
    "deprecated",
    "function",
    "schema_of",
]

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.dynamic": ("Dynamic",),
            "tofutypes.models.accepted_types": (
                "AnyDynamic",
                "AnyList",
                "AnyMap",
                "AnySet",
                "Nullable",
            ),
            "tofutypes.models.bases": (
                "Action",
                "DataSource",
                "EphemeralResource",
                "ListResource",
                "NestedBlock",
                "NestedObject",
                "Object",
                "ProviderConfig",
                "ProviderMeta",
                "Resource",
                "ResourceIdentity",
                "StateStore",
            ),
            "tofutypes.models.build": ("build_model",),
            "tofutypes.models.deprecation": ("deprecated",),
            "tofutypes.models.errors": ("ValidationError",),
            "tofutypes.models.fields": (
                "COMPUTED",
                "OPTIONAL",
                "OPTIONAL_COMPUTED",
                "Attr",
                "DeprecatedAttr",
                "DynamicAttr",
                "GroupBlock",
                "ListAttr",
                "ListBlock",
                "MapAttr",
                "MapBlock",
                "NumberAttr",
                "SetAttr",
                "SetBlock",
                "SingleBlock",
            ),
            "tofutypes.models.functions": ("Parameter", "ProviderFunction", "function"),
            "tofutypes.models.model": ("Model",),
            "tofutypes.models.registry": ("Registry",),
            "tofutypes.models.to_schema": ("schema_of",),
            "tofutypes.numbers": ("AnyNumber", "Number"),
            "tofutypes.schema": ("StringKind",),
            "tofutypes.sets": ("TofuSet",),
            "tofutypes.unknown": ("Unknown",),
        },
    )
