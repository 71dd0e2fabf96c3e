"""What is stored of what the author's code gives, and what it is told of."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from tests.provider.server.boxes import Box, Slot, Toy, made
from tofutypes import UNKNOWN, Unknown, known, present
from tofutypes.provider import ProviderError
from tofutypes.provider.client import ApplyError, Client, State, host

BEFORE = State(Box(name="a", id="box-1", serial=7, color="red"), b"kept")


def create(provider: Client, box: Box) -> State[Box]:
    return provider.apply(provider.plan(box))


def test_a_new_object() -> None:
    def code(planned: Box, context: Any) -> Box:
        assert planned.once is None
        assert context.config.once == "w"
        context.private = b"noted"
        context.warn("Handle with care")
        return made(planned)

    with host(Toy(create=code)) as provider:
        state = create(provider, Box(name="a", once="w", slot=[Slot(size=1)]))
    assert state.value == Box(name="a", id="box-1", serial=7, color="red", slot=[Slot(size=1)])
    assert (state.private, state.identity) == (b"noted", {"id": "box-1"})
    assert [each.summary for each in state.diagnostics] == ["Handle with care"]


def test_what_is_write_only_is_not_stored() -> None:
    def code(planned: Box, context: Any) -> Box:
        box = made(planned)
        box.once = context.config.once
        return box

    with host(Toy(create=code)) as provider:
        state = create(provider, Box(name="a", once="w"))
    assert state.value is not None
    assert state.value.once is None


def test_async_code() -> None:
    async def code(planned: Box, _: object) -> Box:
        await asyncio.sleep(0)
        return made(planned)

    with host(Toy(create=code)) as provider:
        assert create(provider, Box(name="a")).value is not None


def test_an_interruption() -> None:
    started = threading.Event()

    def code(planned: Box, context: Any) -> Box:
        started.set()
        assert context.stopping.wait(60)
        raise ProviderError("Interrupted")

    with host(Toy(create=code)) as provider, ThreadPoolExecutor(1) as thread:
        running = thread.submit(create, provider, Box(name="a"))
        assert started.wait(60)
        provider.stop()
        with pytest.raises(ApplyError, match="Interrupted"):
            running.result(60)


def test_deletion() -> None:
    deleted: list[Box] = []
    with host(Toy(delete=lambda box, _: deleted.append(box))) as provider:
        state = provider.apply(provider.plan(None, BEFORE))
    assert (state.value, state.private, state.identity) == (None, b"", None)
    assert deleted == [BEFORE.value]


def fails(*_: object) -> Any:
    raise ProviderError("The cloud is full", "Try again tomorrow.", "name")


def saves_and_breaks(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    planned.slot.append("no slot")  # type: ignore[arg-type, union-attr]  # wrong on purpose
    return planned


def saves_and_changes(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    planned.slot.append("no slot")  # type: ignore[arg-type, union-attr]  # wrong on purpose
    raise ProviderError("Half of it")


def saves_text(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    context.save("text")
    return planned


def overflows(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    planned.serial = Decimal("inf")
    return planned


def saves(planned: Box, context: Any) -> Any:
    context.save(made(planned))
    raise ProviderError("Half of it")


def bugs(planned: Box, _: object) -> Any:
    raise KeyError("hunter2")


def renames(planned: Box, _: object) -> Box:
    planned.name = "another"
    return made(planned)


def forgets(planned: Box, _: object) -> Box:
    box = made(planned)
    box.serial = UNKNOWN
    return box


def misfits(planned: Box, _: object) -> Box:
    planned.serial = "seven"  # type: ignore[assignment]  # is wrong on purpose
    return planned


def breaks_its_word(planned: Box, _: object) -> Box:
    box = made(planned)
    box.secret = "other"
    box.id = "crate-1"
    return box


CONSISTENT = "error: The provider returned another result than it had planned"


@pytest.mark.parametrize(
    ("code", "messages", "stored"),
    [
        (fails, ["error: The cloud is full (name): Try again tomorrow."], None),
        (saves, ["error: Half of it"], "box-1"),
        (
            bugs,
            [
                "error: The provider failed: KeyError in the creation of toy_box "
                f"({__file__}, line {bugs.__code__.co_firstlineno + 1}). This is a fault "
                "of the provider; with TF_LOG_PROVIDER=ERROR its log has the traceback."
            ],
            None,
        ),
        (
            lambda *_: None,
            ["error: The provider is at fault: Boxes.create must return Box, but returned None."],
            None,
        ),
        (
            misfits,
            [
                "error: The provider is at fault: serial: expected a number, got a string "
                f"({__file__}, line 135)"
            ],
            None,
        ),
        (
            renames,
            [
                f"{CONSISTENT} (name): name was planned as another value. This is a fault of the "
                "provider."
            ],
            "box-1",
        ),
        (
            forgets,
            [
                f"{CONSISTENT} (serial): serial is still unknown after apply. This is a fault of "
                "the provider."
            ],
            "box-1",
        ),
        (saves_and_changes, ["error: Half of it"], "box-1"),
        (
            saves_and_breaks,
            ["error: The provider is at fault: slot[0]: expected an object, got a string"],
            "box-1",
        ),
        (
            saves_text,
            ["error: The provider is at fault: context.save: expected Box, got a string."],
            "box-1",
        ),
        (
            overflows,
            ["error: The provider is at fault: serial: JSON cannot represent infinity"],
            "box-1",
        ),
        (
            breaks_its_word,
            [
                f"{CONSISTENT} (id): id is outside the refinements of the planned unknown "
                "value. This is a fault of the provider.",
                f"{CONSISTENT} (secret): secret is not what was planned. This is a fault of the "
                "provider.",
            ],
            "crate-1",
        ),
    ],
)
def test_what_fails(code: Any, messages: list[str], stored: str | None) -> None:
    def plan(planned: Box, _: object) -> Box:
        planned.id = Unknown(prefix="box-", not_null=True)
        return planned

    with host(Toy(plan=plan, create=code)) as provider, pytest.raises(ApplyError) as caught:
        create(provider, Box(name="a", secret="s3cret"))
    assert [str(each) for each in caught.value.diagnostics] == messages
    left = caught.value.state.value
    assert (left.id if isinstance(left, Box) else None) == stored


def says(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    context.error("bad name", "file \udcff")
    return made(planned)


def says_no_text(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    raise ProviderError(5, OSError("full"))  # type: ignore[arg-type]  # wrong on purpose


def says_of_no_place(planned: Box, context: Any) -> Box:
    context.save(made(planned))
    raise ProviderError("Full", path=5)  # type: ignore[arg-type]  # wrong on purpose


def notes_text(planned: Box, context: Any) -> Box:
    context.private = "text"
    return made(planned)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (says, "error: bad name: file \\udcff"),
        (says_no_text, "error: 5: full"),
        (
            says_of_no_place,
            "error: The provider is at fault: expected a path such as `disk[0].size`, got 5 "
            f"({__file__}, line 245)",
        ),
        (
            notes_text,
            "error: The provider is at fault: context.private: expected bytes, got an instance "
            "of str.",
        ),
    ],
)
def test_what_is_said_wrongly_loses_no_object(code: Any, message: str) -> None:
    with host(Toy(create=code)) as provider, pytest.raises(ApplyError) as caught:
        create(provider, Box(name="a"))
    assert [str(each) for each in caught.value.diagnostics] == [message]
    left = caught.value.state.value
    assert isinstance(left, Box)
    assert left.id == "box-1"


@pytest.mark.parametrize("call", ["update", "delete"])
def test_what_fails_leaves_the_prior_state(call: str) -> None:
    config = None if call == "delete" else Box(name="a", color="blue")
    with host(Toy(**{call: fails})) as provider, pytest.raises(ApplyError) as caught:
        provider.apply(provider.plan(config, BEFORE))
    assert caught.value.state.value == BEFORE.value
    assert caught.value.state.private == b"kept"


def test_no_secret_is_told(caplog: pytest.LogCaptureFixture) -> None:
    def raises(planned: Box, _: object) -> Any:
        raise ValueError(planned.secret)

    caplog.set_level(logging.CRITICAL)
    with host(Toy(create=raises)) as provider, pytest.raises(ApplyError) as caught:
        create(provider, Box(name="a", secret="hunter2", once="hunter2"))
    assert "hunter2" not in repr(caught.value) + str(caught.value)


def test_where_something_is_still_unknown() -> None:
    def code(planned: Box, _: object) -> Box:
        box = made(planned)
        box.slot = [Slot(size=1, id="a"), Slot(size=2, id=UNKNOWN)]
        box.bag = [Slot(size=3, id=UNKNOWN)]
        return box

    box = Box(name="a", slot=[Slot(size=1), Slot(size=2)], bag=[Slot(size=3)])
    with host(Toy(create=code)) as provider, pytest.raises(ApplyError) as caught:
        create(provider, box)
    assert [str(each) for each in caught.value.diagnostics] == [
        f"{CONSISTENT} ({place}): {place} is still unknown after apply. This is a fault of the "
        "provider."
        for place in ("bag", "slot[1].id")
    ]


def test_a_task_that_ends_the_event_loop_holds_nobody_up() -> None:
    async def leave() -> None:
        raise SystemExit

    async def code(planned: Box, _: object) -> Box:
        leaving = asyncio.ensure_future(leave())
        await asyncio.wait([leaving])
        assert isinstance(leaving.exception(), SystemExit)
        return made(planned)

    with host(Toy(create=code)) as provider:
        assert create(provider, Box(name="a")).value is not None
        assert create(provider, Box(name="a")).value is not None


@pytest.mark.parametrize(
    "code",
    [
        lambda box, _: present(box.secret),
        lambda box, _: f"https://{box.serial}",
        lambda box, _: known(box.serial) + 1,
    ],
    ids=["present", "an f-string", "known"],
)
def test_a_missing_value_is_named_with_its_line(code: Any) -> None:
    with host(Toy(create=code)) as provider, pytest.raises(ApplyError) as caught:
        create(provider, Box(name="a"))
    [message] = map(str, caught.value.diagnostics)
    assert f"({__file__}, line " in message
    assert ": `lambda box, _: " in message
