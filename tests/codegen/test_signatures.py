"""Functions of providers as source."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tofutypes.schema import Function, Parameter, StringKind
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, ObjectType, Type
from tofutypes_codegen.signatures import functions_text

POINT = ObjectType({"x": NUMBER})


def deep(depth: int) -> Type:
    type_: Type = STRING
    for _ in range(depth):
        type_ = ListType(type_)
    return type_


def text_of(**functions: Function) -> str:
    """The module, without its first line and its docstring."""
    text = functions_text("a/b", "Title.", functions)
    return text[text.index('"""Title."""\n') + len('"""Title."""\n\n') :]


CASES: dict[str, tuple[Function, str]] = {
    "no parameters": (
        Function(STRING),
        """
        from tofutypes.models import function


        @function()
        def call() -> str | None:
            raise NotImplementedError
        """,
    ),
    "what may be null or unknown": (
        Function(
            BOOL,
            (
                Parameter("a", STRING),
                Parameter("b", STRING, allow_null_value=True),
                Parameter("c", NUMBER, allow_unknown_values=True),
                Parameter("d", DYNAMIC, allow_null_value=True, allow_unknown_values=True),
            ),
        ),
        """
        from tofutypes.models import Dynamic, Number, Unknown, function


        @function()
        def call(
            a: str,
            b: str | None,
            c: Number | Unknown,
            d: Dynamic | Unknown | None,
        ) -> bool | None:
            raise NotImplementedError
        """,
    ),
    "a variadic parameter": (
        Function(STRING, (Parameter("a", STRING),), Parameter("a", ListType(STRING))),
        """
        from typing import Annotated

        from tofutypes.models import Nullable, Parameter, function


        @function()
        def call(
            a: str,
            *a_: Annotated[list[Nullable[str]], Parameter(name="a")],
        ) -> str | None:
            raise NotImplementedError
        """,
    ),
    "what is said": (
        Function(
            STRING,
            (Parameter("class", STRING, description="A class.", extra={"x": 1}),),
            summary="Calls.",
            description="Calls it.\n\nOnce.",
            description_kind=StringKind.MARKDOWN,
            deprecation_message="No.",
            extra={"y": 2},
        ),
        '''
        from typing import Annotated

        from tofutypes.models import Parameter, StringKind, function


        @function(
            summary="Calls.",
            description_kind=StringKind.MARKDOWN,
            deprecation_message="No.",
            extra={"y": 2},
        )
        def call(
            class_: Annotated[
                str,
                Parameter(name="class", description="A class.", extra={"x": 1}),
            ],
        ) -> str | None:
            """Calls it.

            Once.
            """
            raise NotImplementedError
        ''',
    ),
    "empty texts": (
        Function(STRING, summary="", description=""),
        """
        from tofutypes.models import function


        @function(summary="", description="")
        def call() -> str | None:
            raise NotImplementedError
        """,
    ),
    "objects": (
        Function(POINT, (Parameter("point", POINT), Parameter("other", ObjectType({})))),
        '''
        from tofutypes.models import NumberAttr, Object, function


        class CallResult(Object):
            """Object."""

            x: NumberAttr[None]


        class CallOther(Object):
            """Object."""


        # Further names of classes that several blocks or objects share.
        CallPoint = CallResult


        @function()
        def call(point: CallResult, other: CallOther) -> CallResult | None:
            raise NotImplementedError
        ''',
    ),
    "long types": (
        Function(deep(4), (Parameter("a" * 20, deep(4), allow_null_value=True),)),
        """
        from tofutypes.models import Nullable, function


        @function()
        def call(
            aaaaaaaaaaaaaaaaaaaa: list[
                Nullable[list[Nullable[list[Nullable[list[Nullable[str]]]]]]]
            ]
            | None,
        ) -> list[Nullable[list[Nullable[list[Nullable[list[Nullable[str]]]]]]]] | None:
            raise NotImplementedError
        """,
    ),
    "long results": (
        Function(deep(5)),
        """
        from tofutypes.models import Nullable, function


        @function()
        def call() -> (
            list[Nullable[list[Nullable[list[Nullable[list[Nullable[list[Nullable[str]]]]]]]]]]
            | None
        ):
            raise NotImplementedError
        """,
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_functions(what: str) -> None:
    function, text = CASES[what]
    assert text_of(call=function) == dedent(text).lstrip("\n")


def test_names() -> None:
    text = text_of(**{"from": Function(STRING), "b": Function(STRING), "to-x": Function(STRING)})
    assert text.index("def b(") < text.index("def from_(") < text.index("def to_x(")
    assert '@function(name="from")\ndef from_(' in text
    assert '@function(name="to-x")\ndef to_x(' in text


def test_a_class_makes_way_for_a_function() -> None:
    text = text_of(call=Function(POINT), CallResult=Function(STRING))
    assert "class CallResult2(Object)" in text
    assert "def CallResult()" in text
    assert "def call() -> CallResult2 | None:" in text
