"""What modules tell a provider: `provider_meta`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provider.server.boxes import Box, Boxes, BoxIdentity, Shelf
from tests.provider.server.boxes import Toy as PlainToy
from tofutypes import Attr, ProviderMeta, ResourceIdentity, schema_of
from tofutypes.provider import Context, PlanContext, ProviderError, StoredState
from tofutypes.provider.client import Client, host
from tofutypes.provider.server.handlers import Result
from tofutypes.provider.service.deferral import DeferredReason


class ToyMeta(ProviderMeta, type_name="toy"):
    """What a module says."""

    team: Attr[str | None] = Attr(optional=True, default=None)


class Toy(PlainToy):
    """Notes what modules said.

    Attributes:
        heard: The calls, and what they heard.
    """

    provider_meta = ToyMeta

    def __init__(self) -> None:
        self.heard: list[tuple[str, ToyMeta | None]] = []
        super().__init__()

    def run(self, call: str, *given: Any, default: Any = lambda *_: None) -> Any:
        if isinstance(given[-1], Context):
            self.heard.append((call, given[-1].provider_meta))
        if call == "read_data":
            return Shelf(name="a", boxes=["b"])
        return super().run(call, *given, default=default)


def live(provider: Client) -> None:
    """All calls that hear what a module says."""
    state = provider.apply(provider.plan(Box(name="a")))
    provider.apply(provider.plan(Box(name="a", secret="s"), state))
    provider.read(state)
    provider.apply(provider.plan(None, state))
    provider.read_data(Shelf(name="a"))


CALLS = ["plan", "create", "plan", "update", "read", "plan_delete", "delete", "read_data"]


@pytest.mark.parametrize("major", [5, 6])
@pytest.mark.parametrize("meta", [ToyMeta(team="blue"), ToyMeta(), None], ids=["a", "b", "none"])
def test_who_hears_it(meta: ToyMeta | None, major: int) -> None:
    toy = Toy()
    with host(toy, major) as provider:
        provider.provider_meta = meta
        live(provider)
    assert toy.heard == [(call, meta) for call in CALLS]


def test_its_schema() -> None:
    with host(Toy()) as provider:
        assert provider.schema.provider_meta == schema_of(ToyMeta)
    with host(PlainToy()) as provider:
        assert provider.schema.provider_meta is None
        provider.provider_meta = ToyMeta(team="blue")  # which is not sent
        live_plan = provider.plan(Box(name="a"))
        assert live_plan.diagnostics == ()


def test_values_that_do_not_fit() -> None:
    class Other(ProviderMeta, type_name="toy"):
        size: Attr[int] = Attr(required=True)

    with host(Toy()) as provider:
        provider.provider_meta = Other(size=1)
        with pytest.raises(ProviderError, match="The block provider_meta does not fit"):
            provider.plan(Box(name="a"))


def test_a_class_that_is_none() -> None:
    class Wrong(PlainToy):
        provider_meta = Box  # type: ignore[assignment]  # the mistake

    with (
        host(Wrong()) as provider,
        pytest.raises(ProviderError, match="provider_meta: expected a subclass of ProviderMeta"),
    ):
        _ = provider.schema


def test_the_type_of_the_context() -> None:
    class Typed(Boxes):
        def plan(self, planned: Box, context: PlanContext[Box, ToyMeta]) -> Result[Box]:
            assert context.provider_meta is not None
            planned.color = context.provider_meta.team
            return planned

    box = Typed(Toy()).plan(Box(name="a"), PlanContext(Box(name="a"), provider_meta=ToyMeta()))
    assert isinstance(box, Box)


class OldIdentity(ResourceIdentity, type_name="toy_box"):
    number: Attr[int] = Attr(required_for_import=True)


def test_identities_of_older_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    def upgrade(_: Boxes, identity: StoredState, context: Context) -> Any:
        assert identity.version == 7
        context.warn("Old")
        old = identity.read(OldIdentity)
        return BoxIdentity(id=f"box-{old.number}")

    with host(PlainToy()) as provider:
        assert provider.upgrade_identity(Box, {"id": "box-1", "old": 1}, 0) == {"id": "box-1"}
        assert provider.upgrade_identity(Box, {"id": "box-1", "old": 1}, 7) == {"id": "box-1"}
        with pytest.raises(ProviderError, match="The stored identity of toy_box does not fit"):
            provider.upgrade_identity(Box, {"number": 5}, 7)
    monkeypatch.setattr(Boxes, "upgrade_identity", upgrade)
    with host(PlainToy()) as provider:
        assert provider.upgrade_identity(Box, {"number": 5}, 7) == {"id": "box-5"}
        assert provider.upgrade_identity(Box, {"id": "box-1"}, 0) == {"id": "box-1"}
    monkeypatch.setattr(Boxes, "upgrade_identity", lambda *_: "box-5")
    with host(PlainToy()) as provider, pytest.raises(ProviderError) as caught:
        provider.upgrade_identity(Box, {"number": 5}, 7)
    assert str(caught.value) == (
        "error: The provider is at fault: Boxes.upgrade_identity must return BoxIdentity, but "
        "returned a string."
    )


def test_clients_that_allow_to_defer() -> None:
    def plan(_: Box, context: PlanContext[Box]) -> Box:
        context.defer(DeferredReason.RESOURCE_CONFIG_UNKNOWN)

    with host(PlainToy(plan=plan), deferral_allowed=True) as provider:
        assert provider.plan(Box(name="a")).deferred is DeferredReason.RESOURCE_CONFIG_UNKNOWN
    with host(PlainToy(plan=plan)) as provider, pytest.raises(ProviderError, match="cannot be"):
        provider.plan(Box(name="a"))
