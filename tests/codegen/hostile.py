"""Schemas that give trouble: to names, to string literals, to formatters, to type checkers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    Schema,
    StringKind,
)
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

SINGLE, GROUP, LIST, SET, MAP = NestingMode

LONG: Final = "a_name_that_is_longer_than_every_line_may_be_" * 3

NAMES: Final = (
    *("from", "class", "None", "True", "lambda", "async", "match", "type", "_", "__debug__"),
    *("self", "cls", "model", "model_config", "model_fields", "model_post_init", "copy", "json"),
    *(
        "schema",
        "validate",
        "dict",
        "construct",
        "to_json",
        "from_msgpack",
        "__init__",
        "__class__",
    ),
    *("__tofu_info__", "_abc_impl", "__pydantic_fields__", "name", "value", "field", "default"),
    *("Attr", "Attr_", "Resource", "NestedBlock", "Number", "Unknown", "Nullable", "Annotated"),
    *("list", "str", "int", "bool", "tuple", "set", "object", "property", "classmethod", "super"),
    *(
        "a-b",
        "a_b",
        "a b",
        "a.b",
        "A_b",
        "2fa",
        "é",
        "e\N{COMBINING ACUTE ACCENT}x",
        "日本",
        "ﬁ",
        "fi",
    ),
    *(
        "",
        " ",
        "\n",
        '"',
        "\\",
        "👩‍👧",
        "\u202e",
        "\0",
        LONG,
        f"{LONG}x",
        "Disk",
        "disk_",
        "µ",
        "μ",
    ),
    *(
        "description",
        "deprecated",
        "version",
        "type_name",
        "extra",
        "NotImplementedError",
        "function",
    ),
    *(
        "typing",
        "tofutypes",
        "ClassVar",
        "Any",
        "Optional",
        "Union",
        "Decimal",
        "Parameter",
        "x" * 300,
    ),
)
BLOCK_NAMES: Final = (
    *("model", "class", "import", "from", "none", "attr", "attribute", "resource", "nested_block"),
    *("object", "list", "self", "2d", "_", "__", "a__b", "a_c", "a_c_", "0", "number", "disk"),
    *("unknown", "dynamic", "nullable", "annotated", "string_kind", "tofu_set", "any_list"),
    "block_" * 20,
)
TEXTS: Final = (
    *(
        '"',
        '""',
        '"""',
        "'''",
        '""""""',
        'ends with "',
        'ends with ""',
        'ends with """',
        "\\",
        "\\\\",
    ),
    *(
        "ends with \\",
        'ends with \\"',
        '\\"""',
        "\\n",
        "\\N{DASH}",
        "\\u0041",
        "\\x",
        "{x} %s ${y}",
    ),
    *("", " ", "\n", "\t", " leading", "trailing ", "trailing\t", "two\nlines", "two\r\nlines"),
    *("old\rmac", "first\n\n  indented\nlast", "  first indented\nlast", "ends\n", "\nstarts"),
    *("tab\tinside", "\tindented", "line  \ntrailing", "\x00", "\x1b[31m", "\x7f", "\x85", "\xa0"),
    *("\u2028", "\u2029", "\u202e bidi \u202c", "\u200b", "\ufeff", "👩‍👧", "日本語", "*/", "-->"),
    *(
        "# type: ignore",
        "# noqa",
        "# fmt: off",
        "#",
        "x" * 200,
        f"{'word ' * 60}",
        "e\N{COMBINING ACUTE ACCENT}",
    ),
    *('r"raw', 'f"{x}"', "'''\n\"\"\"\n\\", "\f", "\v", "\\\n", '"\n"', "a\n\n\n\nb", "\ud7ff"),
)
EXTRA: Final[dict[str, object]] = {"future": {"k": [1, None, 'a "b"', True, {}]}}


def text(number: int) -> Attribute:
    return Attribute(STRING, optional=True, description=TEXTS[number % len(TEXTS)])


def attributes(names: Iterable[str], attribute: Attribute | None = None) -> dict[str, Attribute]:
    return dict.fromkeys(names, attribute or Attribute(STRING, optional=True))


def of(block: Block) -> Schema:
    return Schema(block, 1)


def nested(depth: int, nesting: NestingMode) -> Block:
    block = Block({"end": Attribute(NUMBER, required=True)})
    for level in range(depth):
        inner = NestedBlock(block, nesting)
        block = Block({f"level_{level}": Attribute(BOOL, optional=True)}, {"inner": inner})
    return block


def nested_type(depth: int, nesting: NestingMode) -> Attribute:
    attribute = Attribute(STRING, required=True)
    for _ in range(depth):
        inner = NestedAttributeType({"inner": attribute}, nesting)
        attribute = Attribute(nested_type=inner, optional=True)
    return attribute


def deep_type(depth: int) -> Type:
    type_: Type = ObjectType({"from": NUMBER, "2fa": DYNAMIC}, frozenset({"from"}))
    for level in range(depth):
        type_ = (ListType(type_), SetType(type_), MapType(type_), TupleType((type_, STRING)))[
            level % 4
        ]
    return type_


def said(number: int) -> dict[str, Any]:
    """What may be said of an attribute or a block."""
    return {
        "description": TEXTS[number % len(TEXTS)],
        "description_kind": (StringKind.PLAIN, StringKind.MARKDOWN, None)[number % 3],
        "deprecated": number % 2 == 0,
        "deprecation_message": TEXTS[(number + 7) % len(TEXTS)],
        "extra": EXTRA if number % 4 == 0 else {},
    }


TYPES: Final = {f"deep_{depth}": deep_type(depth) for depth in range(0, 13, 3)} | {
    "empty_object": ObjectType({}),
    "empty_tuple": TupleType(()),
    "wide_object": ObjectType(dict.fromkeys(NAMES[:40], STRING)),
    "wide_tuple": TupleType((NUMBER,) * 40),
    "objects": TupleType((ObjectType({"x": STRING}), ObjectType({"x": NUMBER}))),
    LONG: MapType(SetType(NUMBER)),
}

RESOURCES: Final = {
    "h_names": of(Block(attributes(NAMES))),
    "h_names_required": of(Block(attributes(NAMES, Attribute(NUMBER, required=True)))),
    "h_object_names": of(
        Block({"obj": Attribute(ObjectType(dict.fromkeys(NAMES, STRING)), optional=True)})
    ),
    "h_nested_names": of(
        Block(
            {
                "obj": Attribute(
                    nested_type=NestedAttributeType(attributes(NAMES), MAP), optional=True
                )
            }
        )
    ),
    "h_block_names": of(
        Block(
            block_types={
                name: NestedBlock(Block(attributes([f"x{number}", *BLOCK_NAMES])), mode)
                for number, name in enumerate(BLOCK_NAMES)
                for mode in [list(NestingMode)[number % 5]]
            }
        )
    ),
    "h_texts": of(Block({f"a{number}": text(number) for number in range(len(TEXTS))})),
    "h_said": of(
        Block(
            {f"a{n}": replace(text(n), **said(n)) for n in range(len(TEXTS))},
            {
                f"b{n}": NestedBlock(
                    Block({"x": text(n + 1)}, **said(n)), LIST, extra=said(n)["extra"]
                )
                for n in range(len(TEXTS))
            },
            **said(3),
        )
    ),
    "h_deep_blocks": of(
        Block(block_types={m.value: NestedBlock(nested(30, m), m) for m in NestingMode})
    ),
    "h_deep_objects": of(Block({m.value: nested_type(30, m) for m in (SINGLE, LIST, SET, MAP)})),
    "h_types": of(Block({name: Attribute(each, optional=True) for name, each in TYPES.items()})),
    "h_types_required": of(
        Block({name: Attribute(each, required=True) for name, each in TYPES.items()})
    ),
    "h_empty": of(Block()),
    "h_empty_parts": of(
        Block(
            {"obj": Attribute(nested_type=NestedAttributeType({}, SET), computed=True)},
            {mode.value: NestedBlock(Block(), mode) for mode in NestingMode},
        )
    ),
    "h_extra": Schema(
        Block(attributes("a"), extra=EXTRA), extra=EXTRA, absent=frozenset({"version"})
    ),
    "h_itself": of(
        Block(block_types={"h_itself": NestedBlock(Block(attributes(["HItself"])), SINGLE)})
    ),
    **{
        name: of(Block(attributes(["x"])))
        for name in ("", "class", "Import", "import", "a-b", "a_b", "2x")
    },
    **{
        name: of(Block(attributes(["x"])))
        for name in ("resource", "none", "registry", "__init__", "é")
    },
}
FUNCTIONS: Final = {
    name: Function(
        (STRING, deep_type(2), DYNAMIC)[number % 3],
        tuple(
            Parameter(
                each,
                list(TYPES.values())[(number + index) % len(TYPES)],
                allow_null_value=index % 2 == 0,
                allow_unknown_values=index % 3 == 0,
                description=TEXTS[(number + index) % len(TEXTS)],
            )
            for index, each in enumerate(NAMES[number : number + number % 5])
        ),
        Parameter("more", STRING) if number % 2 else None,
        summary=TEXTS[number % len(TEXTS)],
        description=TEXTS[(number + 1) % len(TEXTS)],
        description_kind=(None, StringKind.MARKDOWN)[number % 2],
    )
    for number, name in enumerate(NAMES)
}
PROVIDER: Final = ProviderSchema(
    provider=of(Block(attributes(NAMES[:10]), description='A "provider" \\')),
    provider_meta=of(Block(attributes(NAMES[10:20]))),
    resources=RESOURCES,
    data_sources=RESOURCES,
    ephemeral_resources={"h_empty": RESOURCES["h_empty"]},
    functions=FUNCTIONS,
    identities={
        name: IdentitySchema(
            {
                each: IdentityAttribute(STRING, optional_for_import=True, description=TEXTS[n % 50])
                for n, each in enumerate(NAMES)
            }
        )
        for name in ("h_names", "resource")
    },
)
