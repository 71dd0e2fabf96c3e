"""From what is proposed to what is planned."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provider.judged.things import Disk, Inner, Leaf, Thing
from tofutypes import UNKNOWN, Unknown, schema_of
from tofutypes.provider.objchange.planning import (
    changed_paths,
    find_part,
    mark_computed,
    unset_write_only,
    without_unknown,
)
from tofutypes.provider.objchange.proposed import proposed_new_state
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.objchange.unchanged import is_unchanged

SCHEMA = schema_of(Thing)
PARTS = parts_of(SCHEMA.block)
PRIOR = Thing(case="c", id="i", text="a", either="e", all_tags={"k": "v"})


def thing(value: object) -> Thing:
    return Thing.model_validate(value)


@pytest.mark.parametrize(
    ("prior", "config", "proposed"),
    [
        (None, Thing(case="c", text="a"), Thing(case="c", text="a")),
        (PRIOR, Thing(case="c"), Thing(case="c", id="i", either="e", all_tags={"k": "v"})),
        (
            PRIOR,
            Thing(case="c", either="f"),
            PRIOR.model_copy(update={"either": "f", "text": None}),
        ),
        (
            Thing(case="c", one=Inner(set_="a", given="g", either="e")),
            Thing(case="c", one=Inner(set_="b")),
            Thing(case="c", one=Inner(set_="b", given="g", either="e")),
        ),
        (
            Thing(case="c", one_either=Inner(set_="a", given="g")),
            Thing(case="c"),
            Thing(case="c"),
        ),
        (
            Thing(case="c", one_either=Inner(given="g")),
            Thing(case="c"),
            Thing(case="c", one_either=Inner(given="g")),
        ),
        (
            Thing(case="c", list_block=[Disk(given="1"), Disk(given="2")]),
            Thing(case="c", list_block=[Disk(set_="a")]),
            Thing(case="c", list_block=[Disk(set_="a", given="1")]),
        ),
        (
            Thing(case="c", list_block=[Disk(given="1")]),
            Thing(case="c", list_block=[Disk(), Disk(set_="b")]),
            Thing(case="c", list_block=[Disk(given="1"), Disk(set_="b")]),
        ),
        (
            Thing(case="c", map_block={"k": Disk(given="1"), "l": Disk(given="2")}),
            Thing(case="c", map_block={"l": Disk(), "m": Disk()}),
            Thing(case="c", map_block={"l": Disk(given="2"), "m": Disk()}),
        ),
        (
            Thing(case="c", set_block=[Disk(set_="a", given="1"), Disk(set_="b", given="2")]),
            Thing(case="c", set_block=[Disk(set_="b"), Disk(set_="c")]),
            Thing(case="c", set_block=[Disk(set_="b", given="2"), Disk(set_="c")]),
        ),
        (
            Thing(case="c", several=[Inner(set_="a", given="1")]),
            Thing(case="c", several=UNKNOWN),
            Thing(case="c", several=UNKNOWN),
        ),
        (
            Thing(case="c", group_block=Disk(given="1")),
            Thing(case="c"),
            Thing(case="c", group_block=Disk(given="1")),
        ),
        (Thing(case="c", single_block=Disk(given="1")), Thing(case="c"), Thing(case="c")),
    ],
)
def test_proposed_new_state(prior: Thing | None, config: Thing, proposed: Thing) -> None:
    assert thing(proposed_new_state(SCHEMA.block, prior, config)) == proposed


def test_without_a_configuration_the_prior_state_is_proposed() -> None:
    assert proposed_new_state(SCHEMA.block, PRIOR, None) is PRIOR


MARKED: dict[str, Any] = dict.fromkeys(("id", "either", "all_tags", "one_either"), UNKNOWN)
GROUP = Disk(given=UNKNOWN, either=UNKNOWN)


@pytest.mark.parametrize(
    ("proposed", "config", "planned"),
    [
        (
            Thing(case="c", text="a"),
            Thing(case="c", text="a"),
            Thing(case="c", text="a", group_block=GROUP, **MARKED),
        ),
        (
            PRIOR,
            Thing(case="c", text="a", either="e"),
            Thing(case="c", text="a", group_block=GROUP, **{**MARKED, "id": "i", "either": "e"}),
        ),
        (
            Thing(case="c", many=[Inner(set_="a")], named={"k": Inner(either="e")}),
            Thing(case="c", many=[Inner(set_="a")], named={"k": Inner(either="e")}),
            Thing(
                case="c",
                many=[Inner(set_="a", given=UNKNOWN, either=UNKNOWN)],
                named={"k": Inner(either="e", given=UNKNOWN)},
                group_block=GROUP,
                **MARKED,
            ),
        ),
        (
            Thing(case="c", set_block=[Disk(set_="a", given="1", either="e"), Disk()]),
            Thing(case="c", set_block=[Disk(set_="a"), Disk()]),
            Thing(
                case="c",
                set_block=[
                    Disk(set_="a", given=UNKNOWN, either="e"),
                    Disk(given=UNKNOWN, either=UNKNOWN),
                ],
                group_block=GROUP,
                **MARKED,
            ),
        ),
        (
            Thing(case="c", list_block=UNKNOWN, single_block=Disk(set_="a", given="1")),
            Thing(case="c", list_block=UNKNOWN, single_block=Disk(set_="a")),
            Thing(
                case="c",
                list_block=UNKNOWN,
                single_block=Disk(set_="a", given="1", either=UNKNOWN),
                group_block=GROUP,
                **MARKED,
            ),
        ),
    ],
)
def test_what_the_provider_sets_is_marked(proposed: Thing, config: Thing, planned: Thing) -> None:
    kept = [("id",), ("single_block", "given")]
    assert thing(mark_computed(PARTS, proposed, config, kept)) == planned


def test_write_only_attributes_are_unset() -> None:
    assert unset_write_only(PARTS, Thing(case="c", text="a", once="w")) == {
        **Thing(case="c", text="a").__tofu_attributes__()
    }
    inner = parts_of(schema_of(Disk))
    disk = Disk(set_="a")
    assert unset_write_only(inner, disk) is disk


@pytest.mark.parametrize(
    ("names", "prior", "config", "planned", "paths"),
    [
        ("text", {"text": "a"}, {"text": "a"}, {"text": "a"}, []),
        ("text", {"text": "a"}, {"text": "b"}, {"text": "b"}, ["text"]),
        ("text", {"text": "a"}, {"text": UNKNOWN}, {"text": UNKNOWN}, ["text"]),
        ("either", {"either": "a"}, {}, {"either": UNKNOWN}, []),
        ("either", {"either": "a"}, {"either": "b"}, {"either": "b"}, ["either"]),
        (
            "list_block.set",
            {"list_block": [Disk(set_="a"), Disk(set_="b")]},
            {"list_block": [Disk(set_="a"), Disk(set_="c")]},
            {"list_block": [Disk(set_="a"), Disk(set_="c")]},
            ["list_block[1].set"],
        ),
        (
            "list_block.set",
            {"list_block": [Disk(set_="a")]},
            {"list_block": [Disk(set_="a"), Disk()]},
            {"list_block": [Disk(set_="a"), Disk()]},
            ["list_block"],
        ),
        (
            "named.set",
            {"named": {"k": Inner(set_="a")}},
            {"named": {"k": Inner(set_="b")}},
            {"named": {"k": Inner(set_="b")}},
            ['named["k"].set'],
        ),
        (
            "set_block.set",
            {"set_block": [Disk(set_="a")]},
            {"set_block": [Disk(set_="b")]},
            {"set_block": [Disk(set_="b")]},
            ["set_block"],
        ),
        ("one.set", {"one": None}, {"one": Inner()}, {"one": Inner()}, ["one"]),
        ("tags", {"tags": {"a": "1"}}, {"tags": {"a": "2"}}, {"tags": {"a": "2"}}, ["tags"]),
    ],
)
def test_where_an_attribute_changes(
    names: str,
    prior: dict[str, object],
    config: dict[str, object],
    planned: dict[str, object],
    paths: list[str],
) -> None:
    values = [thing({"case": "c", **each}) for each in (prior, config, planned)]
    assert [str(p) for p in changed_paths(PARTS, tuple(names.split(".")), *values)] == paths


def test_find_part() -> None:
    found = find_part(PARTS, ("list_block", "set"))
    assert found is not None
    assert found.name == "set"
    assert find_part(PARTS, ("list_block", "size")) is None
    assert find_part(PARTS, ("text", "size")) is None


def test_without_unknown() -> None:
    planned = Thing(
        case="c", id=Unknown(prefix="a"), words=["a", UNKNOWN], several=[Inner(given=UNKNOWN)]
    )
    assert thing(without_unknown(planned)) == Thing(case="c", words=["a", None], several=[Inner()])


TWO = [Disk(set_="a", leaf=[Leaf(set_="x")]), Disk(set_="b", leaf=[Leaf(), Leaf(set_="y")])]
MADE = [
    Disk(set_="b", given="1", leaf=[Leaf(set_="y", given="2"), Leaf(given="3")]),
    Disk(set_="a", given="4", leaf=[Leaf(set_="x", given="5")]),
]


@pytest.mark.parametrize(
    ("prior", "config", "unchanged"),
    [
        ({"id": "i", "either": "e", "text": "a"}, {"text": "a"}, True),
        ({"text": "a"}, {"text": "b"}, False),
        ({"text": "a"}, {}, False),
        ({"text": "a"}, {"text": UNKNOWN}, False),
        ({}, {"once": "secret"}, True),
        ({"set_block": MADE}, {"set_block": TWO}, True),
        ({"set_block": MADE[1:]}, {"set_block": TWO}, False),
        ({"set_block": [MADE[0], MADE[0]]}, {"set_block": TWO}, False),
        ({"set_block": MADE}, {"set_block": [TWO[0], Disk(set_="b", leaf=[Leaf()])]}, False),
        (  # both would have the same counterpart
            {"set_block": [Disk(set_="a", either="e"), Disk(set_="a", leaf=[Leaf()])]},
            {"set_block": [Disk(set_="a", either="e"), Disk(set_="a")]},
            False,
        ),
        ({"list_block": MADE[::-1]}, {"list_block": TWO}, True),
        ({"list_block": MADE}, {"list_block": TWO}, False),
        ({"map_block": {"k": MADE[1]}}, {"map_block": {"k": TWO[0]}}, True),
        ({"map_block": {"k": MADE[1]}}, {"map_block": {"l": TWO[0]}}, False),
        ({"one_either": Inner(given="g")}, {}, True),
        ({"one_either": Inner(set_="s")}, {}, False),  # the configuration had it before
        ({"one": Inner(set_="s", either="e")}, {"one": Inner(set_="s")}, True),
        ({"one": None}, {"one": Inner()}, False),
    ],
)
def test_what_asks_for_no_change(
    prior: dict[str, object], config: dict[str, object], unchanged: bool
) -> None:
    before, given = thing({"case": "c", **prior}), thing({"case": "c", **config})
    assert is_unchanged(PARTS, before, given) == unchanged


def test_what_is_kept_asks_for_no_change() -> None:
    prior = Thing(case="c", one_either=Inner(set_="s"))
    kept = [("one_either",)]
    assert is_unchanged(PARTS, prior, Thing(case="c"), kept)
    proposed = proposed_new_state(SCHEMA.block, prior, Thing(case="c", text="new"))
    planned = thing(mark_computed(PARTS, proposed, Thing(case="c", text="new"), kept, prior))
    assert planned.one_either == Inner(set_="s")
    assert planned.id == UNKNOWN
