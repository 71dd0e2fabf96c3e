"""A provider whose objects say with which configuration they were made; one name crashes it."""

import os
import sys

from tofutypes import Attr, DataSource, ProviderConfig, Resource, known
from tofutypes.provider import (
    ApplyContext,
    ConfigureContext,
    Context,
    DataSourceHandler,
    Provider,
    ResourceHandler,
    serve,
)


class Config(ProviderConfig):
    """The configuration."""

    prefix: Attr[str] = Attr(required=True)


class Account(Provider[Config]):
    """What handlers know of the provider."""

    prefix = ""

    def configure(self, config: Config, context: ConfigureContext) -> None:
        self.prefix = known(config.prefix)


class Thing(Resource, type_name="prefixed_thing"):
    """An object that nothing but the state keeps."""

    name: Attr[str] = Attr(required=True)
    label: Attr[str | None] = Attr(computed=True, default=None)


class Question(DataSource, type_name="prefixed_question"):
    """An answer that is the prefix."""

    text: Attr[str] = Attr(required=True)
    secret: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    answer: Attr[str | None] = Attr(computed=True, default=None)


class Things(ResourceHandler[Thing, Account]):
    """What happens to objects."""

    def create(self, planned: Thing, context: ApplyContext[Thing]) -> Thing:
        if planned.name == "crash":
            sys.stderr.write("panic: out of order\n")
            sys.stderr.flush()
            os._exit(7)
        planned.label = f"{self.provider.prefix}-{known(planned.name)[:20]}"
        return planned

    def read(self, state: Thing, context: Context) -> Thing:
        return state

    def delete(self, state: Thing, context: Context) -> None:
        pass


class Questions(DataSourceHandler[Question, Account]):
    """What answers questions."""

    def read(self, config: Question, context: Context) -> Question:
        config.answer = f"{self.provider.prefix}?"
        return config


class Prefixed(Account):
    """The provider."""

    address = "registry.opentofu.org/hashicorp/prefixed"
    resources = (Things,)
    data_sources = (Questions,)


serve(Prefixed)
