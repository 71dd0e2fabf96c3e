"""The property kit: a provider without faults passes, and each planted fault is found."""

from __future__ import annotations

import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st

from tofutypes import Attr, Resource, Unknown, UnknownValueError, is_known, known, present
from tofutypes.provider import (
    ApplyContext,
    Context,
    PlanContext,
    Provider,
    ProviderError,
    ResourceHandler,
    ValidateContext,
)
from tofutypes.testing import PropertyError, check_provider

ROOT = Path(__file__).parents[2]


class Box(Resource, type_name="store_box"):
    """A box in a store."""

    label: Attr[str] = Attr(required=True)
    size: Attr[int | None] = Attr(optional=True, default=None)
    shelf: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)
    note: Attr[str | None] = Attr(optional=True, computed=True, default=None)


class Boxes(ResourceHandler[Box, "Store"]):
    """A handler without faults."""

    keep = ("id",)
    replace_on = ("shelf",)

    def plan(self, planned: Box, context: PlanContext[Box]) -> Box:
        if not is_known(planned.id):
            planned.id = Unknown(prefix="box-", not_null=True)
        return planned

    def create(self, planned: Box, context: ApplyContext[Box]) -> Box:
        with self.provider.lock:
            self.provider.count += 1
            planned.id = f"box-{self.provider.count}"
        return self.put(planned)

    def read(self, state: Box, context: Context) -> Box | None:
        stored = self.provider.boxes.get(present(state.id))
        return None if stored is None else Box.from_json(stored)

    def update(self, planned: Box, prior: Box, context: ApplyContext[Box]) -> Box:
        return self.put(planned)

    def delete(self, state: Box, context: Context) -> None:
        self.provider.boxes.pop(present(state.id), None)

    def import_state(self, wanted: object, context: Context) -> Box:
        stored = self.provider.boxes.get(str(wanted))
        if stored is None:
            raise ProviderError("There is no such box")
        return Box.from_json(stored)

    def put(self, box: Box) -> Box:
        if not is_known(box.note):
            box.note = "fragile"
        self.provider.boxes[present(box.id)] = box.to_json()
        return box


class Store(Provider):
    """A store that exists in memory."""

    address = "registry.opentofu.org/example/store"
    resources: ClassVar[Any] = (Boxes,)

    def __init__(self) -> None:
        self.boxes: dict[str, str] = {}
        self.count = 0
        self.lock = threading.Lock()


class ResultDiffers(Boxes):
    def update(self, planned: Box, prior: Box, context: ApplyContext[Box]) -> Box:
        planned.size = prior.size
        return self.put(planned)


class ReadDiffers(Boxes):
    def read(self, state: Box, context: Context) -> Box | None:
        box = super_read(self, state, context)
        if box is not None:
            box.size = None
        return box


class ReadFindsNothing(Boxes):
    def read(self, state: Box, context: Context) -> Box | None:
        return None


class DeleteDoesNothing(Boxes):
    def delete(self, state: Box, context: Context) -> None:
        return


class DeleteTwiceFails(Boxes):
    def delete(self, state: Box, context: Context) -> None:
        del self.provider.boxes[present(state.id)]


class DeleteRefusesTheSecondTime(Boxes):
    def delete(self, state: Box, context: Context) -> None:
        if self.provider.boxes.pop(present(state.id), None) is None:
            raise ProviderError("There is no such box")


class UpdateRaises(Boxes):
    def update(self, planned: Box, prior: Box, context: ApplyContext[Box]) -> Box:
        raise KeyError(planned.label)


class ImportFindsAnother(Boxes):
    def import_state(self, wanted: object, context: Context) -> Box:
        return Box(label="another", shelf="a", id=str(wanted), note="fragile")

    def read(self, state: Box, context: Context) -> Box | None:
        return state if state.label == "another" else super_read(self, state, context)


class PlanNeedsKnownValues(Boxes):
    def plan(self, planned: Box, context: PlanContext[Box]) -> Box:
        known(planned.label)
        return planned


class ValidateNeedsKnownValues(Boxes):
    def validate(self, config: Box, context: ValidateContext) -> None:
        if config.size is not None and not is_known(config.size):
            raise UnknownValueError("size is unknown")


class SharesAVariable(Boxes):
    def create(self, planned: Box, context: ApplyContext[Box]) -> Box:
        self.provider.count += 1
        time.sleep(0.01)
        planned.id = f"box-{self.provider.count}"
        if planned.id in self.provider.boxes:
            raise ProviderError("There is such a box already")
        return self.put(planned)


class LeavesUnknownValues(Boxes):
    def put(self, box: Box) -> Box:
        self.provider.boxes[present(box.id)] = box.to_json() if is_known(box.note) else ""
        return box


def super_read(handler: Boxes, state: Box, context: Context) -> Box | None:
    return Boxes.read(handler, state, context)


FAULTS: dict[type[Boxes], str] = {
    ResultDiffers: "size",
    ReadDiffers: "size: a read right after apply differs",
    ReadFindsNothing: "the object is gone after it was applied",
    DeleteDoesNothing: "read returns an object that was destroyed",
    DeleteTwiceFails: "KeyError",
    DeleteRefusesTheSecondTime: "There is no such box",
    UpdateRaises: "KeyError",
    ImportFindsAnother: "import, then read, then plan shows a change",
    PlanNeedsKnownValues: "unknown",
    ValidateNeedsKnownValues: "unknown",
    SharesAVariable: "at the same time",
    LeavesUnknownValues: "unknown",
}


def test_a_provider_without_faults() -> None:
    report = check_provider(Store)
    assert report.resources["store_box"].lives >= 25
    assert "store_box: " in str(report)


@pytest.mark.parametrize("handler", FAULTS, ids=lambda handler: handler.__name__)
def test_each_fault_is_found(handler: type[Boxes]) -> None:
    class Faulty(Store):
        resources = (handler,)

    with pytest.raises(PropertyError) as caught:
        check_provider(Faulty)
    assert FAULTS[handler] in caught.value.fault
    assert caught.value.type_name == "store_box"


def test_the_story_is_short_and_runs(tmp_path: Path) -> None:
    class Faulty(Store):
        resources = (DeleteTwiceFails,)

    with pytest.raises(PropertyError) as caught:
        check_provider(Faulty)
    program = caught.value.program
    assert "Box.model_validate({'label': '0', 'shelf': '0'})" in program
    assert program.splitlines()[-3:-1] == ["    provider.apply(plan)", "    provider.apply(plan)"]
    lines = [line for line in program.splitlines() if "import Faulty" not in line]
    names: dict[str, Any] = {"Faulty": Faulty}
    with pytest.raises(ProviderError, match="KeyError"):
        exec("\n".join(lines), names)


def test_only_some_resources_and_some_configurations() -> None:
    report = check_provider(
        Store,
        resources=["store_box"],
        configurations={"store_box": {"label": st.just("web")}},
        lives=5,
    )
    assert report.resources["store_box"].lives >= 5


def test_a_resource_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="the provider has no resource store_bx"):
        check_provider(Store, resources=["store_bx"])


def test_every_configuration_is_refused() -> None:
    class Strict(Boxes):
        def validate(self, config: Box, context: ValidateContext) -> None:
            raise ProviderError("The label is too long")

    class StrictStore(Store):
        resources = (Strict,)

    with pytest.raises(ValueError, match=r"every configuration was refused.*too long"):
        check_provider(StrictStore)


def test_harbor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "harbor"))
    harbor: Any = import_module("harbor.provider")
    account: Any = import_module("harbor.account")
    report = check_provider(
        harbor.Harbor,
        config=account.HarborConfig(folder=str(tmp_path / "cloud")),
        configurations={
            "harbor_dock": {"build_seconds": st.none()},
            "harbor_ship": {"protected": st.none()},
            "harbor_file": {"path": st.uuids().map(lambda name: str(tmp_path / str(name)))},
        },
        lives=10,
    )
    assert all(resource.lives >= 10 for resource in report.resources.values()), str(report)
    assert not list((tmp_path / "cloud").glob("*/*.json"))
