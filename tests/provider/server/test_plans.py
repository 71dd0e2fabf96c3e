"""Plans: what the author's code is given, and what becomes of what it gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provider.server.boxes import Box, Slot, Toy
from tofutypes import UNKNOWN, Unknown
from tofutypes.provider import DeferredReason, ProviderError
from tofutypes.provider.client import State, host

STATE = State(
    Box(name="a", id="box-1", serial=7, color="red", slot=[Slot(size=1), Slot(size=2)]), b"kept"
)


def test_a_new_object() -> None:
    with host(Toy()) as provider:
        plan = provider.plan(Box(name="a", once="w", slot=[Slot(size=1)]))
    assert plan.planned == Box(
        name="a", id=UNKNOWN, serial=UNKNOWN, color=UNKNOWN, slot=[Slot(size=1, id=UNKNOWN)]
    )
    assert plan.requires_replace == ()


@pytest.mark.parametrize(
    ("changes", "planned", "replaced"),
    [
        ({}, {}, []),
        ({"once": "other"}, {}, []),
        ({"color": "blue"}, {"color": "blue"}, []),
        ({"color": None}, {}, []),
        ({"name": "b"}, {"name": "b"}, ["name"]),
        ({"name": UNKNOWN}, {"name": UNKNOWN}, ["name"]),
        (
            {"slot": [Slot(size=1), Slot(size=3)]},
            {"slot": [Slot(size=1, id=UNKNOWN), Slot(size=3, id=UNKNOWN)]},
            ["slot[1].size"],
        ),
        (
            {"slot": [Slot(size=1)]},
            {"slot": [Slot(size=1, id=UNKNOWN)]},
            ["slot"],
        ),
    ],
    ids=str,
)
def test_a_change(changes: dict[str, Any], planned: dict[str, Any], replaced: list[str]) -> None:
    before = State(
        Box(name="a", id="box-1", serial=7, color="red", slot=[Slot(size=1), Slot(size=2)]),
        b"kept",
    )
    config = Box(name="a", color="red", slot=[Slot(size=1), Slot(size=2)])
    with host(Toy()) as provider:
        plan = provider.plan(config.model_copy(update=changes), before)
    unset = {"serial": UNKNOWN, "slot": [Slot(size=1, id=UNKNOWN), Slot(size=2, id=UNKNOWN)]}
    assert before.value is not None
    assert plan.planned == before.value.model_copy(update=planned and unset | planned)
    assert [str(path) for path in plan.requires_replace] == replaced
    assert plan.private == b"kept"


def test_the_code_refines_and_decides() -> None:
    def plan(planned: Box, context: Any) -> Box:
        assert context.prior is None
        assert context.config == Box(name="a", once="w")
        planned.id = Unknown(prefix="box-", not_null=True)
        planned.color = "green"
        context.private = b"noted"
        context.warn("Green it is", "No color was given.", "color")
        return planned

    with host(Toy(plan=plan)) as provider:
        made = provider.plan(Box(name="a", once="w"))
    assert made.planned is not None
    assert (made.planned.id, made.planned.color) == (Unknown(prefix="box-", not_null=True), "green")
    assert made.private == b"noted"
    assert list(map(str, made.diagnostics)) == ["warning: Green it is (color): No color was given."]


def test_what_is_write_only_is_not_planned() -> None:
    def plan(planned: Box, context: Any) -> Box:
        planned.once = context.config.once
        return planned

    with host(Toy(plan=plan)) as provider:
        made = provider.plan(Box(name="a", once="w"))
    assert made.planned is not None
    assert made.planned.once is None


def test_the_code_can_ask_for_a_new_object() -> None:
    def plan(planned: Box, context: Any) -> Box:
        context.require_replace("bag[0].size")
        return planned

    before = State(Box(name="a", id="box-1", serial=7, color="red", bag=[Slot(size=1)]))
    with host(Toy(plan=plan)) as provider:
        made = provider.plan(Box(name="a", bag=[Slot(size=2)]), before)
    assert [str(path) for path in made.requires_replace] == ["bag"]  # no path leads into a set


def replace_for_nothing(planned: Box, context: Any) -> Box:
    context.require_replace("slot[0].colour")
    return planned


def set_all_names(planned: Box, context: Any) -> Box:
    planned.name = context.config.name = "another"
    return planned


def set_name(planned: Box, _: object) -> Box:
    planned.name = "another"
    return planned


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            set_name,
            "error: The provider made an invalid plan (name): name is planned as another value "
            "than the configuration has. This is a fault of the provider.",
        ),
        (
            set_all_names,
            "error: The provider made an invalid plan (name): name is planned as another value "
            "than the configuration has. This is a fault of the provider.",
        ),
        (
            lambda *_: None,
            "error: The provider is at fault: Boxes.plan must return Box, but returned None.",
        ),
        (
            lambda *_: {"name": "a"},
            "error: The provider is at fault: Boxes.plan must return Box, but returned an instance "
            "of dict.",
        ),
        (
            lambda _, context: context.defer(DeferredReason.ABSENT_PREREQUISITE),
            "error: This cannot be done yet: It would have to be deferred: absent prerequisite.",
        ),
    ],
    ids=["another value", "another configuration", "nothing", "a dict", "deferred"],
)
def test_faults(code: Any, message: str) -> None:
    with host(Toy(plan=code)) as provider, pytest.raises(ProviderError) as caught:
        provider.plan(Box(name="a"))
    assert str(caught.value) == message


def test_a_replacement_for_what_is_not_there() -> None:
    before = State(Box(name="a", id="box-1", serial=7, color="red"))
    with host(Toy(plan=replace_for_nothing)) as provider, pytest.raises(ProviderError) as caught:
        provider.plan(Box(name="b"), before)
    assert str(caught.value) == (
        "error: The provider is at fault: Boxes: context.require_replace('slot[0].colour'): "
        "no such attribute."
    )


@pytest.mark.parametrize(("name", "refused"), [("a", False), ("b", True)])
def test_a_replacement_can_be_refused_as_a_deletion(name: str, refused: bool) -> None:
    def refuse(state: Box, context: Any) -> None:
        assert state.name == "a"
        context.error("It is full")

    before = State(Box(name="a", id="box-1", serial=7, color="red"))
    with host(Toy(plan_delete=refuse)) as provider:
        if refused:
            with pytest.raises(ProviderError, match="It is full"):
                provider.plan(Box(name=name, color="blue"), before)
        else:
            assert provider.plan(Box(name=name, color="blue"), before).requires_replace == ()


def test_a_deletion_can_be_refused() -> None:
    def refuse(state: Box, context: Any) -> None:
        raise ProviderError("It is full", path="slot")

    before = State(Box(name="a", id="box-1", serial=7, color="red"), b"kept")
    refused = pytest.raises(ProviderError, match=r"It is full \(slot\)")
    with host(Toy(plan_delete=refuse)) as provider, refused:
        provider.plan(None, before)
    with host(Toy()) as provider:
        plan = provider.plan(None, before)
    assert plan.planned is None
    assert plan.private == b"kept"
