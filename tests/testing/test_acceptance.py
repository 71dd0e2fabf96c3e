"""Acceptance tests of a provider under a real core, and what they report when a step is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from tests.counterparts import find, need
from tests.testing.test_property_kit import Box, Boxes, Store
from tofutypes import present
from tofutypes.documents import Plan, State
from tofutypes.provider import Context, Executable, Mux
from tofutypes.runner import RunError
from tofutypes.testing import AcceptanceError, Step, run_steps

pytest_plugins = ["tofutypes.testing.pytest_plugin"]

BOX = 'resource "store_box" "a" {{\n  label = "{label}"\n  shelf = "{shelf}"\n}}\n'
NAME = "store_box.a"


def config(label: str = "books", shelf: str = "top") -> str:
    return BOX.format(label=label, shelf=shelf)


class Shared(Store):
    """A store whose boxes a test can look at."""

    kept: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        super().__init__()
        Shared.kept = self.boxes


@pytest.fixture(params=["tofu", "terraform"])
def core(request: pytest.FixtureRequest) -> str:
    return str(need(request.param))


def test_a_life_in_steps(tmp_path: Path, core: str) -> None:
    seen: list[str] = []

    def first(state: State) -> None:
        (box,) = state.resources_of(Box)
        assert box.values is not None
        assert box.values.note == "fragile"
        seen.append(present(box.values.id))

    def planned(plan: Plan) -> None:
        (change,) = plan.changes_of(Box)
        assert change.after is not None
        assert change.after.label == "glasses"

    run_steps(
        Shared,
        Step(config=config(), actions={NAME: "create"}, check=first, import_id={NAME: "box-1"}),
        Step(config=config("glasses"), actions={NAME: "update"}, check_plan=planned),
        Step(config=config("glasses", "floor"), actions={NAME: "replace"}),
        Step(config=config("glasses", "floor"), actions={}),
        Step(config="resource {", error="resource"),
        Step(config="", actions={NAME: "delete"}),
        folder=tmp_path,
        core=core,
        check_destroyed=lambda: seen.append(f"{len(Shared.kept)} left"),
    )
    assert seen == ["box-1", "0 left"]


class ForgetsTheNote(Boxes):
    def read(self, state: Box, context: Context) -> Box | None:
        box = Boxes.read(self, state, context)
        if box is not None:
            box.label = "another"
        return box


class KeepsEverything(Boxes):
    def import_state(self, wanted: object, context: Context) -> Box:
        return Box(label="another", shelf="top", id=str(wanted), note="fragile")

    def read(self, state: Box, context: Context) -> Box | None:
        return state


class Drifting(Store):
    resources = (ForgetsTheNote,)


class Importing(Store):
    resources = (KeepsEverything,)


@pytest.mark.parametrize(
    ("provider", "step", "message"),
    [
        (Store, Step(config=config(), actions={}), f"step 1: {NAME}: expected the action no-op"),
        (Store, Step(config=config(), error="no"), "expected an error that matches 'no', got none"),
        (Store, Step(config="resource {", error="z7"), "expected an error that matches 'z7', got:"),
        (Drifting, Step(config=config()), rf"the plan after apply is not empty: {NAME} \(update\)"),
        (
            Importing,
            Step(config=config(), import_id={NAME: "box-1"}),
            f"{NAME}.label: the import has another value",
        ),
    ],
)
def test_a_step_that_is_wrong(
    tmp_path: Path, provider: type[Store], step: Step, message: str
) -> None:
    core = find("tofu") or need("terraform")
    with pytest.raises(AcceptanceError, match=message):
        run_steps(provider, step, folder=tmp_path, core=str(core))


def test_an_error_that_nobody_expects(tmp_path: Path) -> None:
    core = find("tofu") or need("terraform")
    with pytest.raises(RunError, match=r"tofu|terraform"):
        run_steps(Store, Step(config="resource {"), folder=tmp_path, core=str(core))


def test_the_executable_of_another_provider(tmp_path: Path) -> None:
    core = find("tofu") or need("terraform")
    program = need("terraform-provider-random")
    step = Step(
        config='resource "random_pet" "a" {\n  length = 3\n}\n',
        actions={"random_pet.a": "create"},
    )
    address = "registry.terraform.io/hashicorp/random"
    run_steps(program, step, folder=tmp_path, core=str(core), address=address)


def test_a_mux(tmp_path: Path, core: str) -> None:
    mux = Mux(Store, Executable(need("terraform-provider-random")))
    pet = 'resource "random_pet" "a" {\n  provider = store\n}\n'
    step = Step(config=config() + pet, actions={NAME: "create", "random_pet.a": "create"})
    run_steps(mux, step, folder=tmp_path, core=core)


def test_without_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TOFUTYPES_CORE", raising=False)
    with pytest.raises(ValueError, match="tofu and terraform are not on the PATH"):
        run_steps(Store, folder=tmp_path)
