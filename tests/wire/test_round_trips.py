"""What holds for every type and every value of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import spellings, typed_values
from tofutypes.comparison import structural_key
from tofutypes.types import Type
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack
from tofutypes.wire.layout import layout_of_type
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader


@given(typed_values())
def test_msgpack_gives_back_what_was_written(typed: tuple[Type, object]) -> None:
    type_, value = typed
    read = decode_msgpack(encode_msgpack(value, type_), type_)
    assert read == value
    assert structural_key(read) == structural_key(value)  # to Python, True == 1


@given(typed_values(known=True))
def test_json_gives_back_what_was_written(typed: tuple[Type, object]) -> None:
    type_, value = typed
    read = decode_json(encode_json(value, type_), type_)
    assert read == value
    assert structural_key(read) == structural_key(value)


@given(typed_values(known=True))
def test_msgpack_and_json_agree(typed: tuple[Type, object]) -> None:
    type_, value = typed
    from_msgpack = decode_msgpack(encode_msgpack(value, type_), type_)
    from_json = decode_json(encode_json(value, type_), type_)
    assert from_msgpack == from_json
    assert encode_json(from_msgpack, type_) == encode_json(from_json, type_)
    assert encode_msgpack(from_msgpack, type_) == encode_msgpack(from_json, type_)


@given(typed_values(), st.data())
def test_equal_values_are_written_alike(typed: tuple[Type, object], data: st.DataObject) -> None:
    type_, value = typed
    other = data.draw(spellings(value))
    assert encode_msgpack(other, type_) == encode_msgpack(value, type_)


@given(typed_values(known=True), st.data())
def test_equal_values_are_written_alike_in_json(
    typed: tuple[Type, object], data: st.DataObject
) -> None:
    type_, value = typed
    other = data.draw(spellings(value))
    assert encode_json(other, type_) == encode_json(value, type_)


@given(typed_values(), st.data())
def test_python_values_are_read_as_the_wire_is(
    typed: tuple[Type, object], data: st.DataObject
) -> None:
    type_, value = typed
    other = data.draw(spellings(value))
    assert reader(layout_of_type(type_), PYTHON)(other) == value


@given(typed_values())
def test_bytes_are_written_once_and_for_all(typed: tuple[Type, object]) -> None:
    type_, value = typed
    data = encode_msgpack(value, type_)
    assert encode_msgpack(decode_msgpack(data, type_), type_) == data
