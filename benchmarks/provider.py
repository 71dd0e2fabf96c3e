"""What a provider's calls take with the blocks of an object: a set, with something computed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from time import perf_counter

from benchmarks.growth import order
from benchmarks.table import Table
from tofutypes import Attr, NestedBlock, Resource, SetBlock, is_known, known
from tofutypes.provider import ApplyContext, Context, Provider, ResourceHandler
from tofutypes.provider.client import Client, host

SIZES = (100, 1_000, 10_000)
TABLE = Table("call", {**{f"{size:,}": "{:.0f} µs" for size in SIZES}, "order": "{:.2f}"})


class Rule(NestedBlock):
    """A block, and what the provider sets in it."""

    port: Attr[int] = Attr(required=True)
    note: Attr[str | None] = Attr(optional=True, default=None)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Group(Resource, type_name="growing_group"):
    """Rules."""

    rule: SetBlock[Rule] = SetBlock(default=())


class Groups(ResourceHandler[Group]):
    """Gives every rule an id, and the rules in any order."""

    def create(self, planned: Group, context: ApplyContext[Group]) -> Group:
        return self.update(planned, planned, context)

    def update(self, planned: Group, prior: Group, context: ApplyContext[Group]) -> Group:
        rules = [known(rule) for rule in known(planned.rule)]
        for rule in rules:
            if not is_known(rule.id):
                rule.id = f"rule-{known(rule.port)}"
        Random(0).shuffle(rules)
        planned.rule = rules
        return planned

    def delete(self, state: Group, context: Context) -> None:
        pass


class Growing(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/growing"
    resources = (Groups,)


def report() -> Iterator[str]:
    """The lines of the table."""
    yield "microseconds for each block of a set, client and server together; 1 is linear"
    yield TABLE.head()
    with host(Growing) as provider:
        _measured(provider, 1)  # what comes once is not counted
        times = [_measured(provider, size) for size in SIZES]
    names = ("plan", "create", "plan of a change", "update")
    for name, column in zip(names, zip(*times, strict=True), strict=True):
        each = [time / size * 1e6 for time, size in zip(column, SIZES, strict=True)]
        yield TABLE.row(name, *each, order(SIZES, column))


def _measured(provider: Client, size: int) -> list[float]:
    moments = [perf_counter()]
    plan = provider.plan(Group(rule=[Rule(port=port) for port in range(size)]))
    moments.append(perf_counter())
    state = provider.apply(plan)
    moments.append(perf_counter())
    noted = [Rule(port=port, note="even" if port % 2 == 0 else None) for port in range(size)]
    plan = provider.plan(Group(rule=noted), state)
    moments.append(perf_counter())
    provider.apply(plan)
    moments.append(perf_counter())
    return [after - before for before, after in pairwise(moments)]
