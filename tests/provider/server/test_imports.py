"""Imports: by an attribute alone, with a partial state, with an identity."""

from __future__ import annotations

import pytest

from tofutypes import (
    Attr,
    ListBlock,
    NestedBlock,
    Resource,
    ResourceIdentity,
    SchemaError,
    known,
    present,
)
from tofutypes.errors import InvalidValueError
from tofutypes.provider import (
    ApplyContext,
    Context,
    Provider,
    ProviderError,
    ResourceHandler,
    partial_state,
)
from tofutypes.provider.client import host


class Part(NestedBlock):
    name: Attr[str] = Attr(required=True)


class Car(Resource, type_name="toy_car"):
    name: Attr[str] = Attr(required=True)
    seats: Attr[int] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    secret: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    part: ListBlock[Part] = ListBlock(default=())


class CarIdentity(ResourceIdentity, type_name="toy_car"):
    id: Attr[str] = Attr(required_for_import=True)


class Cars(ResourceHandler[Car]):
    import_by = "id"
    identity = CarIdentity

    def create(self, planned: Car, context: ApplyContext[Car]) -> Car:
        raise NotImplementedError

    def read(self, state: Car, context: Context) -> Car | None:
        if state.id == "gone":
            return None
        return Car(name="Beetle", seats=4, id=present(state.id))

    def delete(self, state: Car, context: Context) -> None:
        raise NotImplementedError

    def identify(self, state: Car) -> CarIdentity:
        return CarIdentity(id=present(state.id))


class Toy(Provider):
    address = "registry.opentofu.org/example/toy"
    resources = (Cars,)


@pytest.mark.parametrize("wanted", ["c1", CarIdentity(id="c1")], ids=str)
def test_an_id_is_passed_through_to_read(wanted: str | CarIdentity) -> None:
    with host(Toy) as provider:
        [imported] = provider.import_state(Car, wanted)
        state = provider.read(imported)
    assert state.value == Car(name="Beetle", seats=4, id="c1")
    assert state.identity == {"id": "c1"}


def test_what_does_not_exist() -> None:
    with host(Toy) as provider:
        [imported] = provider.import_state(Car, "gone")
        assert provider.read(imported).value is None


def test_a_partial_state() -> None:
    car = partial_state(Car, id="c1", name="Beetle")
    assert (car.id, car.name, car.part) == ("c1", "Beetle", [])
    assert known(car.seats) is None


def test_a_partial_state_that_is_not_possible() -> None:
    with pytest.raises(SchemaError, match="Car has no attribute colour"):
        partial_state(Car, colour="red")
    with pytest.raises(InvalidValueError, match="expected a number, got a string"):
        partial_state(Car, seats="many")


def test_without_an_import() -> None:
    class Fixed(Cars):
        import_by = None  # type: ignore[assignment]  # as if it were not there

    provider = type("Other", (Toy,), {"resources": (Fixed,)})
    with host(provider) as client, pytest.raises(ProviderError, match="toy_car cannot be imported"):
        client.import_state(Car, "c1")
