"""Names of the wire as names of Python: of fields, of classes, of modules.

A name that Python, pydantic or this library needs for itself gets a trailing underscore. What no
identifier can hold becomes an underscore. Names that fall together get underscores until they
differ; a name that can stay as it is always does.
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
from_json from_msgpack to_json to_msgpack
"""
_OF_MODULES: Final = """
Annotated AnyDynamic AnyList AnyMap AnyNumber AnySet Attr DataSource Dynamic EphemeralResource
GroupBlock ListBlock MapBlock NestedBlock NestedObject Nullable Number Object Parameter
ProviderConfig Registry Resource ResourceIdentity SetBlock SingleBlock StringKind TofuSet Unknown
function
"""

RESERVED_IN_MODULES: Final = frozenset((_BUILTINS + _OF_MODULES).split())
"""What generated modules import, and what their annotations need."""

_OF_BODIES: Final = frozenset({"NotImplementedError"})
"""What the bodies of generated functions need."""

RESERVED_IN_CLASSES: Final = RESERVED_IN_MODULES | frozenset((_OF_PYDANTIC + _OF_MODELS).split())
"""These, and what every model has: a list of our own, which no new version of pydantic changes."""


def field_names(names: Iterable[str]) -> dict[str, str]:
    """The Python names of the attributes and nested blocks of a class, by name on the wire."""
    return _distinct({name: _identifier(name, "field", RESERVED_IN_CLASSES) for name in names})


def function_names(names: Iterable[str]) -> dict[str, str]:
    """The Python names of functions, by name in the schema."""
    return _distinct({name: _identifier(name, "function", RESERVED_IN_MODULES) for name in names})


def parameter_names(names: Iterable[str]) -> list[str]:
    """The Python names of the parameters of a function, in order; in a schema they may repeat."""
    given: list[str] = []
    for name in names:
        chosen = _identifier(name, "parameter", _OF_BODIES)
        while chosen in given:
            chosen += "_"
        given.append(chosen)
    return given


def module_names(names: Iterable[str]) -> dict[str, str]:
    """The names of the modules for these type names; distinct in any case of letters."""
    return _distinct(
        {name: _identifier(name, "module", frozenset()) for name in names}, fold=str.casefold
    )


def class_name(name: str) -> str:
    """The class name for a name of the wire: `root_block_device` gives `RootBlockDevice`."""
    words = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name))
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    if not camel[:1].isidentifier():
        camel = f"Class{camel}"
    return _identifier(camel, "Class", RESERVED_IN_MODULES)


def _identifier(name: str, prefix: str, reserved: Collection[str]) -> str:
    # Python itself reads identifiers in NFKC.
    plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
    stripped = plain.lstrip("_")
    if not stripped:
        plain = prefix
    elif stripped != plain:
        # pydantic has no fields with a leading underscore.
        plain = f"{stripped}_"
    if not plain[0].isidentifier():
        plain = f"{prefix}_{plain}"
    plain = "".join(char if f"_{char}".isidentifier() else "_" for char in plain)
    while keyword.iskeyword(plain) or plain in reserved:
        plain += "_"
    return plain


def _distinct(wanted: Mapping[str, str], fold: Callable[[str], str] = str) -> dict[str, str]:
    """The wanted name of each, with underscores for those that another has a better right to."""
    taken: set[str] = set()
    given: dict[str, str] = {}
    for name in sorted(wanted, key=lambda name: (wanted[name] != name, name)):
        chosen = wanted[name]
        while fold(chosen) in taken:
            chosen += "_"
        taken.add(fold(chosen))
        given[name] = chosen
    return {name: given[name] for name in wanted}
