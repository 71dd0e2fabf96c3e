"""Mistakes of an author that are found when the provider starts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tofutypes import (
    Action,
    Attr,
    ListBlock,
    ListResource,
    NestedBlock,
    Resource,
    ResourceIdentity,
    SchemaError,
    present,
)
from tofutypes.provider import (
    ActionHandler,
    ApplyContext,
    Context,
    InvokeContext,
    ListContext,
    Listed,
    ListHandler,
    Provider,
    ProviderError,
    ResourceHandler,
    exactly_one_of,
)
from tofutypes.provider.client import host


class Wheel(NestedBlock):
    size: Attr[int] = Attr(required=True)
    kind: Attr[str | None] = Attr(optional=True, default="round")  # must be computed


class Kept(NestedBlock):
    note: Attr[str | None] = Attr(optional=True, default=None, keep=True)


class Bike(Resource, type_name="toy_bike"):
    name: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Counted(Bike):
    count: Attr[int | None] = Attr(optional=True, default=None)


class Wheeled(Bike):
    wheel: ListBlock[Wheel] = ListBlock(default=())


class Noted(Bike):
    kept: ListBlock[Kept] = ListBlock(default=())


class Bikes(ResourceHandler[Bike]):
    def create(self, planned: Bike, context: ApplyContext[Bike]) -> Bike:
        return planned

    def delete(self, state: Bike, context: Context) -> None:
        pass


class CountedBikes(Bikes):
    model = Counted


class WheeledBikes(Bikes):
    model = Wheeled


class NotedBikes(Bikes):
    model = Noted


class KeepsNothing(Bikes):
    keep = ("idd",)


class KeepsName(Bikes):
    keep = ("name",)


class KeepsText(Bikes):
    keep = "id"


class ReplacesNothing(Bikes):
    replace_on = ("colour",)


class ImportsByNothing(Bikes):
    import_by = "idd"


class ValidatesNothing(Bikes):
    validators = (exactly_one_of("name", "colour"),)


class Misspelt(Bikes):
    def upate(self, planned: Bike, prior: Bike, context: ApplyContext[Bike]) -> Bike:
        return planned


class WrongParameters(Bikes):
    def read(self, state: Bike) -> Bike:  # type: ignore[override]  # is wrong on purpose
        return state


class WithoutDelete(ResourceHandler[Bike]):
    def create(self, planned: Bike, context: ApplyContext[Bike]) -> Bike:
        return planned

    def delte(self, state: Bike, context: Context) -> None:
        pass


class BikeIdentity(ResourceIdentity, type_name="toy_bike"):
    id: Attr[str] = Attr(required_for_import=True)


class KnownBikes(Bikes):
    identity = BikeIdentity

    def identify(self, state: Bike) -> BikeIdentity:
        return BikeIdentity(id=present(state.id))


class OtherBike(Resource, type_name="toy_bike"):
    pass


class CarFilter(ListResource, type_name="toy_car"):
    pass


class ComputedFilter(ListResource, type_name="toy_bike"):
    found: Attr[int | None] = Attr(computed=True, default=None)


class Nameless(Resource):
    pass


class NoObjects(ListHandler[Bike]):
    def list_objects(self, config: ListResource, context: ListContext) -> list[Listed[Any]]:
        return []


class OtherBikes(ListHandler[OtherBike]):
    def list_objects(self, config: ListResource, context: ListContext) -> list[Listed[Any]]:
        return []


class ListedCars(ListHandler[Bike, Any, CarFilter]):
    def list_objects(self, config: CarFilter, context: ListContext) -> list[Listed[Any]]:
        return []


class ComputedList(ListHandler[Bike, Any, ComputedFilter]):
    def list_objects(self, config: ComputedFilter, context: ListContext) -> list[Listed[Any]]:
        return []


class NamelessList(ListHandler[Nameless]):
    def list_objects(self, config: ListResource, context: ListContext) -> list[Listed[Any]]:
        return []


class NothingListed(ListHandler):  # type: ignore[type-arg]  # is wrong on purpose
    def list_objects(self, config: ListResource, context: ListContext) -> list[Listed[Any]]:
        return []


class Ring(Action, type_name="toy_ring"):
    times: Attr[int | None] = Attr(optional=True, default=None)


class LoudRing(Action, type_name="toy_ring"):
    times: Attr[int | None] = Attr(optional=True, computed=True, default=None)


class LoudRings(ActionHandler[LoudRing]):
    def invoke(self, config: LoudRing, context: InvokeContext) -> None:
        pass


class YieldingRings(ActionHandler[Ring]):
    def invoke(self, config: Ring, context: InvokeContext) -> Any:
        yield "ringing"


class Uninvoked(ActionHandler[Ring]):
    def invoked(self, config: Ring, context: InvokeContext) -> None:
        pass


LINES = Path(__file__).read_text().splitlines()


def place(text: str) -> str:
    """Where a line with this text is in this file."""
    return f"({__file__}, line {next(at for at, line in enumerate(LINES, 1) if text in line)})"


@pytest.mark.parametrize(
    ("handler", "message", "line"),
    [
        (
            CountedBikes,
            "Counted.count: OpenTofu and Terraform take the argument `count` for themselves; "
            "choose another name",
            "count: Attr",
        ),
        (
            WheeledBikes,
            "Wheel.kind: an attribute with a default must be optional and computed; write "
            "`Attr(optional=True, computed=True, default=...)`",
            "kind: Attr",
        ),
        (
            NotedBikes,
            "Kept.note: `keep` is for computed attributes; add `computed=True`",
            "note: Attr",
        ),
        (
            KeepsNothing,
            'KeepsNothing.keep: toy_bike has no attribute or nested block idd; did you mean "id"?',
            'keep = ("idd"',
        ),
        (KeepsName, "KeepsName.keep: name is not computed", 'keep = ("name"'),
        (
            KeepsText,
            'KeepsText.keep: expected a tuple of names, as in `("id",)`',
            'keep = "id"',
        ),
        (
            ReplacesNothing,
            "ReplacesNothing.replace_on: toy_bike has no attribute or nested block colour",
            "replace_on = ",
        ),
        (
            ImportsByNothing,
            "ImportsByNothing.import_by: toy_bike has no attribute or nested block idd; did you "
            'mean "id"?',
            "import_by = ",
        ),
        (
            ValidatesNothing,
            "ValidatesNothing.validators: toy_bike has no attribute or nested block colour",
            "validators = ",
        ),
        (
            Misspelt,
            "Misspelt.upate: nothing calls this method; did you mean `update`?",
            "def upate",
        ),
        (
            WrongParameters,
            "WrongParameters.read: the parameters must be `read(self, state, context)`",
            "def read(self, state: Bike) ->",
        ),
        (
            WithoutDelete,
            "WithoutDelete: the method `delete` is missing; did you mean it by `delte`?",
            "class WithoutDelete",
        ),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_mistakes(handler: type[ResourceHandler[Any, Any]], message: str, line: str) -> None:
    ensure_mistake({"address": "a/b/toy", "resources": (handler,)}, message, line)


def ensure_mistake(members: dict[str, Any], message: str, line: str) -> None:
    """Check that a provider with these members is refused, with the place of the mistake."""
    provider = type("Toy", (Provider,), members)
    with pytest.raises((SchemaError, ProviderError)) as caught, host(provider) as client:
        _ = client.schema
    text = str(caught.value).removeprefix("error: The provider is at fault: ")
    assert text == f"{message} {place(line)}"


@pytest.mark.parametrize(
    ("resources", "handler", "message", "line"),
    [
        (
            (),
            NoObjects,
            "NoObjects: no resource toy_bike; list the handler of Bike in `resources`",
            "class NoObjects",
        ),
        (
            (Bikes,),
            NoObjects,
            "NoObjects: toy_bike has no identity; set `identity` in Bikes",
            "class NoObjects",
        ),
        (
            (KnownBikes,),
            OtherBikes,
            "OtherBikes: expected Bike, which KnownBikes has, got OtherBike",
            "class OtherBikes",
        ),
        (
            (KnownBikes,),
            ListedCars,
            "CarFilter: expected the type name of Bike; write "
            '`class CarFilter(ListResource, type_name="toy_bike")`',
            "class CarFilter",
        ),
        (
            (KnownBikes,),
            ComputedList,
            "ComputedFilter.found: nothing can be computed here; remove `computed=True`",
            "found: Attr",
        ),
        (
            (),
            NamelessList,
            'Nameless: no type name; write `class Nameless(Resource, type_name="nimbus_server")`',
            "class Nameless(",
        ),
        (
            (),
            NothingListed,
            "NothingListed: no model; write `class NothingListed(ListHandler[Server])`",
            "class NothingListed",
        ),
    ],
)
def test_mistakes_of_list_resources(
    resources: tuple[type[Any], ...], handler: type[Any], message: str, line: str
) -> None:
    members = {"address": "a/b/toy", "resources": resources, "list_resources": (handler,)}
    ensure_mistake(members, message, line)


@pytest.mark.parametrize(
    ("handler", "message", "line"),
    [
        (
            LoudRings,
            "LoudRing.times: nothing can be computed here; remove `computed=True`",
            "times: Attr[int | None] = Attr(optional=True, computed=True",
        ),
        (
            YieldingRings,
            "YieldingRings.invoke: expected a method without `yield`",
            "def invoke(self, config: Ring, context: InvokeContext) -> Any",
        ),
        (
            Uninvoked,
            "Uninvoked: the method `invoke` is missing; did you mean it by `invoked`?",
            "class Uninvoked",
        ),
    ],
)
def test_mistakes_of_actions(handler: type[Any], message: str, line: str) -> None:
    ensure_mistake({"address": "a/b/toy", "actions": (handler,)}, message, line)


def test_mistakes_in_the_wrong_place() -> None:
    with (
        pytest.raises(SchemaError, match=r"got YieldingRings; list it in `actions`"),
        host(type("Toy", (Provider,), {"address": "a/b/toy", "resources": (YieldingRings,)})),
    ):
        pass


def test_a_list_without_a_resource() -> None:
    message = "ByFilter: expected the managed resource first, as in `ListHandler[Server, Nimbus, "
    with pytest.raises(SchemaError, match=re.escape(message)):

        class ByFilter(ListHandler[CarFilter]):  # type: ignore[type-var]  # is wrong on purpose
            pass


def test_class_keywords() -> None:
    with pytest.raises(SchemaError, match=r"Fast: unknown class keyword speed \(.*test_mistakes"):

        class Fast(Bikes, speed=3):
            pass

    with pytest.raises(SchemaError, match=r"^Toy: unknown class keyword adress$"):
        type("Toy", (Provider,), {}, adress="a")


@pytest.mark.parametrize("keyword", ["typename", "versoin"])
def test_class_keywords_of_models(keyword: str) -> None:
    with pytest.raises(
        SchemaError, match=rf'Trike: unknown class keyword "{keyword}"; did you mean'
    ):
        type("Trike", (Resource,), {}, **{keyword: 1})


def test_fields_that_pydantic_needs() -> None:
    message = re.escape(
        "Trike.model_config: this name is pydantic's own; write `model_config_: ... = "
        'Attr(name="model_config")`'
    )
    with pytest.raises(SchemaError, match=message):

        class Trike(Resource, type_name="toy_trike"):
            model_config: Attr[str] = Attr(required=True)  # type: ignore[assignment, misc]
