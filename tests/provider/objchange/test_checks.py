"""What the core would refuse of plans and results, in words. (Whether it would: `judged`.)"""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.provider.judged.things import Disk, Inner, Thing
from tofutypes import UNKNOWN, Dynamic, Unknown, schema_of
from tofutypes.numbers import exact_value, number_from_float64
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.result_checks import result_faults
from tofutypes.provider.objchange.schema_parts import parts_of

PARTS = parts_of(schema_of(Thing).block)

Values = dict[str, object]


def thing(values: Values) -> Thing:
    return Thing.model_validate({"case": "c", **values})


@pytest.mark.parametrize(
    ("config", "planned", "faults"),
    [
        ({}, {"id": UNKNOWN, "either": "made"}, []),
        ({"text": "a"}, {"text": "a"}, []),
        ({"once": "a"}, {}, []),
        ({"text": UNKNOWN}, {"text": Unknown(prefix="a")}, []),
        (
            {"text": "a"},
            {"text": "b"},
            ["text is planned as another value than the configuration has"],
        ),
        (
            {"text": "a"},
            {"text": UNKNOWN},
            ["text is set in the configuration, but is planned as unknown"],
        ),
        ({}, {"text": "a"}, ["text is not set and cannot be computed, but is planned as a string"]),
        (
            {"many": [Inner(), Inner()]},
            {"many": [Inner()]},
            ["many has 2 elements in the configuration, but is planned with 1 element"],
        ),
        (
            {"named": {"k": Inner(set_="a")}},
            {"named": {"k": Inner(set_="b")}},
            ['named["k"].set is planned as another value than the configuration has'],
        ),
        (
            {"one": Inner()},
            {"one": UNKNOWN},
            ["one is set in the configuration, but is planned as an unknown value"],
        ),
        (
            {"several": [Inner(set_="a")]},
            {"several": [Inner(set_="b"), Inner()]},
            ["several is planned with another number of elements than the configuration has"],
        ),
        (
            {"several": [Inner(set_=UNKNOWN), Inner(set_="a")]},  # which may be one in the end
            {"several": [Inner(set_="a")]},
            [],
        ),
        (
            {"list_block": [Disk()]},
            {"list_block": UNKNOWN},
            ["list_block is planned as unknown, but the configuration tells how many there are"],
        ),
        (
            {"list_block": UNKNOWN},
            {"list_block": []},
            ["list_block is unknown in the configuration, but is planned otherwise"],
        ),
        (
            {"map_block": {"k": Disk()}},
            {"map_block": {"k": UNKNOWN}},
            ['map_block["k"] is planned as unknown, but the configuration has it'],
        ),
        (
            {"set_block": [Disk()]},
            {"set_block": [UNKNOWN]},
            ["set_block has a block that is planned as unknown"],
        ),
        (
            {"single_block": Disk()},
            {},
            ["single_block is an object in the configuration, but is planned as null"],
        ),
    ],
)
def test_plans(config: Values, planned: Values, faults: list[str]) -> None:
    found = plan_faults(PARTS, None, thing(config), thing(planned))
    assert [str(each) for each in found] == faults


def test_a_plan_may_keep_the_prior_value() -> None:
    prior = thing({"text": "A"})
    assert not list(plan_faults(PARTS, prior, thing({"text": "a"}), thing({"text": "A"})))


@pytest.mark.parametrize(
    ("planned", "result", "faults"),
    [
        ({"id": UNKNOWN}, {"id": "a"}, []),
        ({"any": None}, {"any": Dynamic(1)}, []),
        ({"any": Dynamic(UNKNOWN, Dynamic("").type)}, {"any": Dynamic("a")}, []),
        (
            {"id": Unknown(prefix="a")},
            {"id": "b"},
            ["id is outside the refinements of the planned unknown value"],
        ),
        (
            {"id": Unknown(not_null=True)},
            {},
            ["id is outside the refinements of the planned unknown value"],
        ),
        ({"number": Decimal("0." + "3" * 160)}, {"number": Decimal("0." + "3" * 155)}, []),
        ({"number": 10**200 + 1}, {"number": 10**200}, []),
        ({"number": Decimal("0.1")}, {"number": number_from_float64(0.1)}, []),
        ({"number": number_from_float64(0.1)}, {"number": Decimal("0.1")}, []),
        (
            {"number": number_from_float64(0.1)},
            {"number": exact_value(number_from_float64(0.1))},
            ["number was planned as another value"],
        ),
        ({"number": 10**100 + 1}, {"number": 10**100}, ["number was planned as another value"]),
        ({"id": None}, {"id": "a"}, ["id was planned as null, but is a string"]),
        ({"text": "a"}, {"text": "b"}, ["text was planned as another value"]),
        ({"secret": "a"}, {"secret": "b"}, ["secret is not what was planned"]),
        (
            {"any": Dynamic(1)},
            {"any": Dynamic("a")},
            ["any was planned as number, but is string"],
        ),
        (
            {"words": ["a"]},
            {"words": ["a", "b"]},
            ["words was planned with 1 element, but has 2 elements"],
        ),
        ({"words": ["a"]}, {"words": ["b"]}, ["words[0] was planned as another value"]),
        ({"tags": {"k": "a"}}, {"tags": {"k": "b"}}, ['tags["k"] was planned as another value']),
        ({"names": ["a"]}, {"names": ["b"]}, ["names is not the set that was planned"]),
        (
            {"set_block": [Disk(set_="a", given=UNKNOWN)]},
            {"set_block": [Disk(set_="a", given="1")]},
            [],
        ),
        (
            {"set_block": [Disk(set_="a", given=UNKNOWN)]},
            {"set_block": [Disk(set_="b", given="1")]},
            ["set_block lacks an element that was planned"],
        ),
        (
            {"set_block": [Disk(set_="a", given=UNKNOWN)]},
            {"set_block": [Disk(set_="a", given="1"), Disk(set_="a", given="2")]},
            ["set_block was planned with 1 element, but has 2 elements"],
        ),
        (
            {"set_block": [Disk(set_=set_, given=UNKNOWN) for set_ in "abc"]},
            {"set_block": [Disk(set_=set_, given=set_) for set_ in "bca"]},
            [],
        ),
        (
            {"set_block": [Disk(set_=set_, given=UNKNOWN) for set_ in "aab"]},
            {"set_block": [Disk(set_=set_, given=set_) for set_ in "abc"]},
            ["set_block has an element that was not planned"],
        ),
        (
            {"set_block": [Disk(set_="a", given=Unknown(prefix="x")), Disk(set_="b")]},
            {"set_block": [Disk(set_="a", given="y"), Disk(set_="b")]},
            ["set_block lacks an element that was planned"],
        ),
        (
            {"set_block": [UNKNOWN, Disk(set_="a", given=UNKNOWN)]},
            {"set_block": [Disk(set_="z", given="1"), Disk(set_="a", given="2")]},
            [],
        ),
        (
            {"several": [Inner(set_="a", given=UNKNOWN), None]},
            {"several": [None, Inner(set_="a", given="1")]},
            [],
        ),
        ({"names": ["a", UNKNOWN]}, {"names": ["b", "a"]}, []),
        (
            {"names": ["a", UNKNOWN]},
            {"names": ["b", "c"]},
            ["names lacks an element that was planned"],
        ),
        (
            {"single_block": Disk()},
            {},
            ["single_block was planned as an object, but is null"],
        ),
        (
            {"map_block": {"k": Disk()}},
            {"map_block": {}},
            ["map_block was planned with 1 element, but has 0 elements"],
        ),
    ],
)
def test_results(planned: Values, result: Values, faults: list[str]) -> None:
    found = result_faults(PARTS, thing(planned), thing(result))
    assert [str(each) for each in found] == faults
