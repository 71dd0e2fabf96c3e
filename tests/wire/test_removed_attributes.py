"""Stored state that holds what its schema has no more."""

from __future__ import annotations

import pytest

from tofutypes.errors import DecodeError, Path
from tofutypes.type_parsing import parse_type
from tofutypes.wire import json
from tofutypes.wire.layout import layout_of_type

AB = '["object",{"a":"string","b":"number"}]'

CASES = [
    (AB, '{"a":"x","b":1}', [], '{"a":"x","b":1}'),
    (AB, '{"a":"x","b":1,"c":2,"d":{"e":1}}', ["c", "d"], '{"a":"x","b":1}'),
    (AB, '{"old":1}', ["old"], '{"a":null,"b":null}'),
    (f'["list",{AB}]', '[{"a":"x","old":1},{"b":2}]', ["[0].old"],
     '[{"a":"x","b":null},{"a":null,"b":2}]'),
    (f'["set",{AB}]', '[{"a":"x","b":1,"old":1}]', ["[0].old"], '[{"a":"x","b":1}]'),
    (f'["map",{AB}]', '{"k":{"a":"x","b":1,"old":1}}', ['["k"].old'], '{"k":{"a":"x","b":1}}'),
    (f'["tuple",["string",{AB}]]', '["x",{"a":"x","b":1,"old":1}]', ["[1].old"],
     '["x",{"a":"x","b":1}]'),
    (f'["object",{{"in":{AB}}}]', '{"in":{"a":"x","b":1,"old":1}}', ["in.old"],
     '{"in":{"a":"x","b":1}}'),
    ('["map","string"]', '{"old":"x"}', [], '{"old":"x"}'),
    ('"dynamic"', '{"type":["object",{"old":"string"}],"value":{"old":"x"}}', [],
     '{"value":{"old":"x"},"type":["object",{"old":"string"}]}'),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "stored", "gone", "kept"), CASES)
def test_what_is_gone_is_dropped_and_told(
    type_: str, stored: str, gone: list[str], kept: str
) -> None:
    layout = layout_of_type(parse_type(type_))
    dropped: list[Path] = []
    assert json.encode(json.decode(stored, layout, dropped), layout) == kept
    assert list(map(str, dropped)) == gone


@pytest.mark.parametrize(("type_", "stored"), [case[:2] for case in CASES if case[2]])
def test_else_it_is_refused(type_: str, stored: str) -> None:
    message = "unknown attribute or nested block$"
    with pytest.raises(DecodeError, match=message):
        json.decode(stored, layout_of_type(parse_type(type_)))


@pytest.mark.parametrize("stored", ['{"a":[]}', "[]", "3", '{"a":"x","b":{"c":1}}'])
def test_what_does_not_fit_is_refused_all_the_same(stored: str) -> None:
    with pytest.raises(DecodeError):
        json.decode(stored, layout_of_type(parse_type(AB)), [])
