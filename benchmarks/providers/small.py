"""A provider with one resource, for the time of its start."""

from tofutypes import Attr, Number, Resource
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler, serve


class Thing(Resource, type_name="small_thing"):
    """A model as large as that of the floor."""

    name: Attr[str] = Attr(required=True)
    size: Attr[Number | None] = Attr(optional=True, default=None)


class Things(ResourceHandler[Thing]):
    """Things that exist nowhere."""

    def create(self, planned: Thing, context: ApplyContext[Thing]) -> Thing:
        return planned

    def delete(self, state: Thing, context: Context) -> None:
        pass


class Small(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/small"
    resources = (Things,)


if __name__ == "__main__":
    serve(Small)
