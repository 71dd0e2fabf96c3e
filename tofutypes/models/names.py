"""Names of the wire as Python names of fields, classes and modules.

A name that Python, pydantic or this library needs gets a trailing underscore. A character that no
identifier can have becomes an underscore. Names that become equal get underscores until they
differ; a name that needs no change always stays as it is.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

_BUILTINS: Final = """
NotImplementedError bool bytes dict float frozenset int list object set str tuple
"""
_OF_PYDANTIC: Final = """
Config construct copy dict from_orm json model_computed_fields model_config model_construct
model_copy model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema
model_parametrized_name model_post_init model_rebuild model_validate model_validate_json
model_validate_strings mro parse_file parse_obj parse_raw register schema schema_json
update_forward_refs validate
"""
_OF_MODELS: Final = """
from_json from_msgpack from_stored_json to_json to_msgpack
"""
_OF_MODULES: Final = """
Action Annotated AnyDynamic AnyList AnyMap AnyNumber AnySet Attr COMPUTED DataSource
DeprecatedAttr Dynamic DynamicAttr EphemeralResource GroupBlock ListAttr ListBlock ListResource
MapAttr MapBlock NestedBlock NestedObject Nullable Number NumberAttr OPTIONAL OPTIONAL_COMPUTED
Object Parameter ProviderConfig ProviderMeta Registry Resource ResourceIdentity SetAttr SetBlock
SingleBlock StateStore StringKind TofuSet Unknown function
"""

RESERVED_IN_MODULES: Final = frozenset((_BUILTINS + _OF_MODULES).split())
"""Names that generated modules import or use in annotations."""

_OF_BODIES: Final = frozenset({"NotImplementedError"})
"""Names that the bodies of generated functions use."""

RESERVED_IN_CLASSES: Final = RESERVED_IN_MODULES | frozenset((_OF_PYDANTIC + _OF_MODELS).split())
"""These, and the names that every model has. No new version of pydantic changes the list."""


def field_names(names: Iterable[str]) -> dict[str, str]:
    """The Python names of the attributes and nested blocks of a class, by name on the wire."""
    return _distinct({name: _identifier(name, "field", RESERVED_IN_CLASSES) for name in names})


def function_names(names: Iterable[str]) -> dict[str, str]:
    """The Python names of functions, by name in the schema."""
    return _distinct({name: _identifier(name, "function", RESERVED_IN_MODULES) for name in names})


def parameter_names(names: Iterable[str]) -> list[str]:
    """The Python names of the parameters of a function, in order; in a schema they may repeat."""
    python_names: list[str] = []
    for name in names:
        python_name = _identifier(name, "parameter", _OF_BODIES)
        while python_name in python_names:
            python_name += "_"
        python_names.append(python_name)
    return python_names


def module_names(names: Iterable[str]) -> dict[str, str]:
    """The names of the modules for type names, distinct even if case is ignored."""
    return _distinct({name: _module_name(name) for name in names}, fold=str.casefold)


def _module_name(name: str) -> str:
    module = _identifier(name, "module", frozenset())
    return f"{module}_" if module.casefold() in _DEVICES else module


_DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
"""Names that Windows takes for devices, whatever the extension of the file.

Source: Microsoft, "Naming Files, Paths, and Namespaces".
"""


def class_name(name: str) -> str:
    """The class name for a name of the wire: `RootBlockDevice` for `root_block_device`."""
    words = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name))
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    if not camel[:1].isidentifier():
        camel = f"Class{camel}"
    return _identifier(camel, "Class", RESERVED_IN_MODULES)


def _identifier(name: str, prefix: str, reserved: Collection[str]) -> str:
    # Python normalizes identifiers to NFKC.
    plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
    stripped = plain.lstrip("_")
    if not stripped:
        plain = prefix
    elif stripped != plain:
        # In pydantic a name with a leading underscore is not a field.
        plain = f"{stripped}_"
    if not plain[0].isidentifier():
        plain = f"{prefix}_{plain}"
    plain = "".join(char if f"_{char}".isidentifier() else "_" for char in plain)
    while keyword.iskeyword(plain) or plain in reserved:
        plain += "_"
    return plain


def _distinct(wanted: Mapping[str, str], fold: Callable[[str], str] = str) -> dict[str, str]:
    """The wanted names, with underscores where two names want the same.

    The name that equals the wanted name has precedence, then the first in alphabetical order.
    """
    taken: set[str] = set()
    chosen: dict[str, str] = {}
    for name in sorted(wanted, key=lambda name: (wanted[name] != name, name)):
        python_name = wanted[name]
        while fold(python_name) in taken:
            python_name += "_"
        taken.add(fold(python_name))
        chosen[name] = python_name
    return {name: chosen[name] for name in wanted}
