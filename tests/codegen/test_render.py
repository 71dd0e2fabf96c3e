"""Classes as source."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tofutypes.models.class_plan import Base, Root, plan_models
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
    StringKind,
)
from tofutypes.type_parsing import parse_type
from tofutypes.types import NUMBER, STRING
from tofutypes_codegen.render import models_text, module_text

TEXT = Attribute(STRING, optional=True)
DISK = Block({"size": Attribute(NUMBER, required=True)})


def body(shape: Schema | IdentitySchema, base: Base = Base.RESOURCE) -> str:
    """The classes of a module, without what stands above them."""
    planned = plan_models([Root("Thing", base, shape, "cloud_thing")])
    text = models_text("registry.example/a/cloud", "Title.", planned)
    return re.split(r"\n\n\n(?=class|@)", text, maxsplit=1)[1]


CASES: dict[str, tuple[Schema, str]] = {
    "nothing": (
        Schema(Block()),
        '''
        class Thing(Resource, type_name="cloud_thing"):
            """Resource `cloud_thing`."""
        ''',
    ),
    "a description only": (
        Schema(Block(description="A thing."), 2),
        '''
        class Thing(Resource, type_name="cloud_thing", version=2):
            """A thing."""
        ''',
    ),
    "attributes": (
        Schema(
            Block(
                {"b": Attribute(STRING, required=True), "a": TEXT, "from": TEXT}, description="A."
            )
        ),
        '''
        class Thing(Resource, type_name="cloud_thing"):
            """A."""

            a: Attr[str | None] = OPTIONAL
            """Optional."""
            b: Attr[str] = Attr(required=True)
            """Required."""
            from_: Attr[str | None] = Attr(name="from", optional=True, default=None)
            """Optional."""
        ''',
    ),
    "descriptions": (
        Schema(
            Block(
                {
                    "a": Attribute(STRING, required=True, description="Of a."),
                    "b": Attribute(STRING, required=True, description=" Of b"),
                    "c": Attribute(STRING, required=True, description="Of c "),
                },
                description="Two\\nlines.",
                description_kind=StringKind.MARKDOWN,
            )
        ),
        '''
        class Thing(Resource, type_name="cloud_thing", description_kind=StringKind.MARKDOWN):
            """Two\\\\nlines."""

            a: Attr[str] = Attr(required=True)
            """Required. Of a."""

            b: Attr[str] = Attr(required=True)
            """Required.  Of b"""

            c: Attr[str] = Attr(required=True, description="Of c ")
            """Required. Of c"""
        ''',
    ),
    "everything said": (
        Schema(
            Block(
                {
                    "a": Attribute(
                        parse_type('["set","number"]'),
                        optional=True,
                        computed=True,
                        sensitive=True,
                        deprecated=True,
                        deprecation_message="No.",
                        description_kind=None,
                        extra={"new": [1]},
                    )
                },
                deprecated=True,
                extra={"new": None},
            ),
            absent=frozenset({"version"}),
            extra={"x": True},
        ),
        '''
        @deprecated("cloud_thing is deprecated")
        class Thing(
            Resource,
            type_name="cloud_thing",
            absent=frozenset({"version"}),
            attribute_description_kind=None,
            deprecated=True,
            block_extra={"new": None},
            schema_extra={"x": True},
        ):
            """Resource `cloud_thing`."""

            a: DeprecatedAttr[
                TofuSet[Nullable[Number]] | None,
                AnySet[AnyNumber] | None,
            ] = DeprecatedAttr(
                optional=True,
                computed=True,
                sensitive=True,
                deprecation_message="No.",
                extra={"new": [1]},
                default=None,
            )
            """Optional, computed, sensitive, deprecated."""
        ''',
    ),
    "blocks": (
        Schema(
            Block(
                block_types={
                    "group": NestedBlock(DISK, NestingMode.GROUP),
                    "list": NestedBlock(DISK, NestingMode.LIST, min_items=1, max_items=2),
                    "map": NestedBlock(DISK, NestingMode.MAP),
                    "maybe": NestedBlock(DISK, NestingMode.SINGLE),
                    "one": NestedBlock(DISK, NestingMode.SINGLE, min_items=1, max_items=1),
                    "set": NestedBlock(DISK, NestingMode.SET, extra={"x": 1}),
                }
            )
        ),
        '''
        class Group(NestedBlock):
            """Nested block."""

            size: NumberAttr = Attr(required=True)
            """Required."""


        class Thing(Resource, type_name="cloud_thing"):
            """Resource `cloud_thing`."""

            group: GroupBlock[Group] = GroupBlock(default=None)
            list_: ListBlock[Group] = ListBlock(name="list", min_items=1, max_items=2)
            map: MapBlock[Group] = MapBlock(default={})
            maybe: SingleBlock[Group | None] = SingleBlock(default=None)
            one: SingleBlock[Group] = SingleBlock(min_items=1, max_items=1)
            set_: SetBlock[Group] = SetBlock(name="set", extra={"x": 1}, default=())


        # Further names of classes that several blocks or objects share.
        List = Group
        Map = Group
        Maybe = Group
        One = Group
        Set = Group
        ''',
    ),
    "nested types": (
        Schema(
            Block(
                {
                    "login": Attribute(
                        nested_type=NestedAttributeType(
                            {"user": TEXT}, NestingMode.MAP, min_items=1, extra={"x": 1}
                        ),
                        required=True,
                    )
                }
            )
        ),
        '''
        class Login(NestedObject):
            """Nested object."""

            user: Attr[str | None] = OPTIONAL
            """Optional."""


        class Thing(Resource, type_name="cloud_thing"):
            """Resource `cloud_thing`."""

            login: MapAttr[Login] = Attr(required=True, min_items=1, nested_extra={"x": 1})
            """Required."""
        ''',
    ),
    "objects": (
        Schema(
            Block(
                {
                    "at": Attribute(
                        parse_type('["object",{"x":"number","y":"bool"},["y"]]'), computed=True
                    )
                }
            )
        ),
        '''
        class At(Object):
            """Object."""

            x: NumberAttr[None]
            y: Attr[bool | None] = OPTIONAL
            """Optional."""


        class Thing(Resource, type_name="cloud_thing"):
            """Resource `cloud_thing`."""

            at: Attr[At | None] = COMPUTED
            """Computed."""
        ''',
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_classes(what: str) -> None:
    schema, text = CASES[what]
    assert body(schema) == dedent(text).lstrip("\n")


def test_aliases_are_sorted() -> None:
    one, two = Block({"a": TEXT}), Block({"b": TEXT})
    blocks = {"a": one, "d": one, "b": two, "c": two}
    nested = {name: NestedBlock(each, NestingMode.SET) for name, each in blocks.items()}
    assert body(Schema(Block(block_types=nested))).endswith(" share.\nC = B\nD = A\n")


def test_identities() -> None:
    identity = IdentitySchema(
        {
            "id": IdentityAttribute(STRING, required_for_import=True, description="The id."),
            "zone": IdentityAttribute(STRING, optional_for_import=True),
        },
        version=1,
    )
    assert body(identity, Base.RESOURCE_IDENTITY) == dedent(
        '''
        class Thing(ResourceIdentity, type_name="cloud_thing", version=1):
            """Identity of the resource `cloud_thing`."""

            id: Attr[str] = Attr(required_for_import=True)
            """Required for import. The id."""

            zone: Attr[str | None] = Attr(optional_for_import=True, default=None)
            """Optional for import."""
        '''
    ).lstrip("\n")


def test_modules() -> None:
    assert module_text("a/b", "Title.", "") == (
        '# Generated by tofutypes from a/b. Do not edit: generate it again.\n"""Title."""\n'
    )
    odd = module_text("a-coding:1/b\nc", "Title.", "")
    assert odd.startswith("# Generated by tofutypes from a-coding :1/b\\nc. Do not")
    text = module_text("a/b", "T.", "X = 1\n", {"m": {"function", "Zed", "Attr", "MAX"}})
    assert text.endswith('"""T."""\n\nfrom m import MAX, Attr, Zed, function\n\nX = 1\n')
    wide = module_text("a/b", "T.", "class A:\n    pass\n", {"m": {"A" * 40, "B" * 40}})
    assert f"from m import (\n    {'A' * 40},\n    {'B' * 40},\n)\n\n\nclass A:" in wide
