"""Descriptions: docstrings of classes and fields, wherever the source of a class is, or is not."""

from __future__ import annotations

import linecache
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.models.samples import Disk, Server, ServerIdentity
from tofutypes import Attr, NestedBlock, Resource, build_model, schema_of
from tofutypes.models.docstrings import text_of
from tofutypes.schema import Block, Schema

HAND_WRITTEN = r'''
"""The module has one too."""
from typing import ClassVar
from tofutypes import Attr, Resource

class Base(Resource, type_name="base"):
    """The base.

        Indented.
    Not.
    """

    name: Attr[str] = Attr(required=True)
    """The name.\x20\x20

    Two paragraphs.
    """
    other: Attr[str | None] = Attr(default=None, description="Said here.")
    """Not this one."""
    plain: str | None = None
    "In single quotes."
    bare: Attr[str | None] = Attr(default=None)
    CONSTANT: ClassVar[int] = 3
    """Of no field."""
    last: Attr[str | None] = Attr(default=None)

    class Inner(Resource):
        """Inside."""
        x: Attr[str]
        """Of the inner one."""

class Derived(Base):
    more: Attr[str | None] = Attr(default=None)
    """Of the derived one."""
    name: Attr[str] = Attr(required=True)
    """Another name."""

class Own(Base, description="Said of the class."):
    """Not this."""

def make():
    class Local(Resource):
        """In a function."""
        x: Attr[str]
        """Of the local one."""
    return Local
'''


@pytest.fixture
def by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "by_hand.py").write_text(HAND_WRITTEN)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "by_hand", raising=False)
    linecache.clearcache()
    return import_module("by_hand")


def described(model: type[Resource]) -> dict[str, str | None]:
    """The descriptions of a class and its fields; its own under ""."""
    block = schema_of(model).block
    fields = {name: each.description for name, each in block.attributes.items()}
    return {"": block.description} | fields


BASE = {
    "": "The base.\n\n    Indented.\nNot.",
    "name": "The name.\n\nTwo paragraphs.",
    "other": "Said here.",
    "plain": "In single quotes.",
    "bare": None,
    "last": None,
}


def test_docstrings(by_hand: Any) -> None:
    assert described(by_hand.Base) == BASE
    assert described(by_hand.Base.Inner) == {"": "Inside.", "x": "Of the inner one."}
    assert described(by_hand.make()) == {"": "In a function.", "x": "Of the local one."}


def test_subclasses_inherit_descriptions(by_hand: Any) -> None:
    assert described(by_hand.Derived) == BASE | {
        "more": "Of the derived one.",
        "name": "Another name.",
    }
    assert described(by_hand.Own) == BASE | {"": "Said of the class."}


def test_descriptions_of_the_library_itself_are_of_no_class() -> None:
    class Bare(Resource):
        name: Attr[str]

    assert described(Bare) == {"": None, "name": None}
    assert "description" not in Bare.model_json_schema()


def test_a_class_without_source() -> None:
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec(compile(HAND_WRITTEN, "<nowhere>", "exec", dont_inherit=True), names)
    # Python keeps the docstrings of classes; those of fields are in the source only.
    assert described(names["Base"]) == BASE | {"name": None, "plain": None}


def test_a_class_of_a_module_that_is_gone(by_hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "by_hand")
    assert described(by_hand.Base)[""] == BASE[""]
    assert described(by_hand.Base)["other"] == "Said here."


def test_a_file_that_is_no_python_any_more(by_hand: Any) -> None:
    assert by_hand.__file__
    Path(by_hand.__file__).write_text("class (")
    linecache.clearcache()
    assert described(by_hand.Base)["other"] == "Said here."


def test_built_classes_have_their_descriptions_with_them() -> None:
    text = 'A "text"\n\n  with \\ all sorts.\t\n'
    schema = Schema(Block(schema_of(Server).block.attributes, description=text))
    model = build_model(schema, name="cloud_server")
    assert schema_of(model) == schema
    assert model.model_json_schema()["description"] == text


def test_samples() -> None:
    block = schema_of(Disk)
    assert block.description == "A disk."
    assert block.attributes["size"].description == "How large it is.\n\nIn *gigabytes*."
    assert schema_of(ServerIdentity).attributes["name"].description == "Its name."


class _Nested(NestedBlock):
    """Nested."""

    x: Attr[str]
    """Of the nested one."""


def test_text_of_docstrings() -> None:
    assert text_of("One line.") == "One line."
    assert (
        text_of("First.\n\n        Second.\n          Third.  \n        ")
        == "First.\n\nSecond.\n  Third."
    )
    assert text_of("") == text_of("  \n ") == ""
    assert schema_of(_Nested).attributes["x"].description == "Of the nested one."
