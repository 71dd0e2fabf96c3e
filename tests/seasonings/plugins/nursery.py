"""A plugin with every kind of resource."""

from tofutypes import Attr, DataSource, EphemeralResource, ProviderConfig, Resource, Unknown, known
from tofutypes.provider import (
    ApplyContext,
    ConfigureContext,
    Context,
    DataSourceHandler,
    EphemeralContext,
    EphemeralResourceHandler,
    Provider,
    ProviderError,
    ResourceHandler,
)
from tofutypes.seasonings import Plugin

plugin = Plugin("nursery", version="1")


class Config(ProviderConfig):
    soil: Attr[str | None] = Attr(default=None, optional=True)


class Tree(Resource, type_name="nursery_tree", version=1):
    kind: Attr[str] = Attr(required=True)
    height: Attr[int | Unknown | None] = Attr(default=None, computed=True)


class Weather(DataSource, type_name="nursery_weather"):
    place: Attr[str] = Attr(required=True)
    sunny: Attr[bool | None] = Attr(default=None, computed=True)


class Water(EphemeralResource, type_name="nursery_water"):
    litres: Attr[int] = Attr(required=True)
    drops: Attr[int | None] = Attr(default=None, computed=True)


class Trees(ResourceHandler[Tree]):
    replace_on = ("kind",)

    def create(self, planned: Tree, context: ApplyContext[Tree]) -> Tree:
        if planned.kind == "plastic":
            raise ProviderError("Plastic does not grow", path="kind")
        planned.height = 1
        return planned

    def update(self, planned: Tree, prior: Tree, context: ApplyContext[Tree]) -> Tree:
        return planned

    def delete(self, state: Tree, context: Context) -> None: ...

    def import_state(self, wanted: object, context: Context) -> Tree:
        return Tree(kind=str(wanted), height=7)


class Weathers(DataSourceHandler[Weather]):
    def read(self, config: Weather, context: Context) -> Weather:
        return Weather(place=config.place, sunny=known(config.place) != "Hamburg")


class Waters(EphemeralResourceHandler[Water]):
    def open(self, config: Water, context: EphemeralContext) -> Water:
        return Water(litres=config.litres, drops=known(config.litres) * 20000)


@plugin.provider
class Nursery(Provider[Config]):
    address = "registry.opentofu.org/tofutypes/nursery"
    resources = (Trees,)
    data_sources = (Weathers,)
    ephemeral_resources = (Waters,)

    def configure(self, config: Config, context: ConfigureContext) -> None:
        if config.soil == "concrete":
            raise ProviderError("Nothing grows on concrete", path="soil")


if __name__ == "__main__":
    plugin.run()
