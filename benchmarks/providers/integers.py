"""`random_integer` of HashiCorp's provider `random`, in Python."""

import random
from collections.abc import Mapping

from tofutypes import Attr, Number, Resource, known
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler, serve


class Integer(Resource, type_name="random_integer"):
    """A random integer, which stays as long as nothing else changes."""

    id: Attr[str | None] = Attr(computed=True, default=None)
    keepers: Attr[Mapping[str, str] | None] = Attr(optional=True, default=None)
    max: Attr[Number] = Attr(required=True)
    min: Attr[Number] = Attr(required=True)
    result: Attr[Number | None] = Attr(computed=True, default=None)
    seed: Attr[str | None] = Attr(optional=True, default=None)


class Integers(ResourceHandler[Integer]):
    """Numbers that nothing but the state keeps."""

    replace_on = ("keepers", "max", "min", "seed")

    def create(self, planned: Integer, context: ApplyContext[Integer]) -> Integer:
        result = random.randint(int(known(planned.min)), int(known(planned.max)))
        planned.result, planned.id = result, str(result)
        return planned

    def read(self, state: Integer, context: Context) -> Integer:
        return state

    def delete(self, state: Integer, context: Context) -> None:
        pass


class Random(Provider):
    """The provider."""

    address = "registry.opentofu.org/hashicorp/random"
    resources = (Integers,)


serve(Random)
