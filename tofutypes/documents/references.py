"""Who refers to whom: followed through input variables and outputs of modules.

Source: the references of expressions in the configuration of a plan. The document does not have the
expressions of local values: a reference to one ends there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tofutypes.documents.addresses import (
    ModuleAddress,
    ModuleStep,
    ResourceAddress,
    split_module,
    split_resource,
)
from tofutypes.documents.configuration import (
    ConfigModule,
    ConfigOutput,
    ConfigResource,
    Configuration,
    find_expressions,
)
from tofutypes.documents.paths import to_path
from tofutypes.documents.records import read_object
from tofutypes.errors import AttributeStep, DocumentError, Path

_Call = tuple[str, ...]
"""The names of the calls that lead to a module."""

_LOCAL_TO_BLOCK: Final = ("each", "count", "self", "path", "terraform", "tofu")


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of a value.

    Addresses are those of the configuration, without keys of instances.

    Attributes:
        source: what refers: the address of a resource, or `output.NAME` of the root module.
        source_path: the argument that refers: `ingress[0].cidr_blocks`, `count`, `depends_on`.
        target: what is referred to: the address of a resource; `var.NAME` of the root module;
            `local.NAME`, whose expression the document does not have.
        target_path: the place inside of the target; empty for all of it.
        through: the variables and outputs of modules in between, from the source on.
    """

    source: str
    source_path: Path
    target: str
    target_path: Path
    through: tuple[str, ...] = ()

    def __str__(self) -> str:
        source = ".".join(filter(None, [self.source, str(self.source_path)]))
        return f"{source} → {'.'.join(filter(None, [self.target, str(self.target_path)]))}"


class ReferenceGraph:
    """The references of a configuration."""

    def __init__(self, configuration: Configuration | None) -> None:
        self._modules: dict[_Call, ConfigModule] = {}
        if configuration is not None:
            self._modules = dict(configuration.root_module.walk())

    def references(self, address: ResourceAddress) -> tuple[Reference, ...]:
        """What a resource refers to."""
        return self._by_source.get(address.without_keys, ())

    def referrers(self, address: str) -> tuple[Reference, ...]:
        """What refers to a resource, a variable of the root module or a local value."""
        try:
            wanted: str = ResourceAddress(address).without_keys
        except DocumentError:
            wanted = address
        return tuple(
            reference
            for references in self._by_source.values()
            for reference in references
            if reference.target == wanted
        )

    @cached_property
    def _by_source(self) -> dict[str, tuple[Reference, ...]]:
        by_source: dict[str, tuple[Reference, ...]] = {}
        for call, module in self._modules.items():
            inside = _module_address(call)
            for resource in module.resources:
                own = resource.address
                address = ResourceAddress.of(own.type, own.name, None, own.mode, inside)
                by_source[address] = tuple(
                    dict.fromkeys(self._of_resource(address, resource, call))
                )
        root = self._modules.get(())
        outputs: Mapping[str, ConfigOutput] = {} if root is None else root.outputs
        for name, output in outputs.items():
            texts = output.expression.references if output.expression is not None else ()
            source = f"output.{name}"
            by_source[source] = tuple(dict.fromkeys(self._of_texts(source, Path(), texts, ())))
        return by_source

    def _of_resource(
        self, source: str, resource: ConfigResource, call: _Call
    ) -> Iterator[Reference]:
        for path, expression in resource.expressions.items():
            yield from self._of_texts(source, path, expression.references, call)
        for name in ("count", "for_each"):
            repetition = getattr(resource, f"{name}_expression")
            if repetition is not None:
                yield from self._of_texts(source, _argument(name), repetition.references, call)
        yield from self._of_texts(source, _argument("depends_on"), resource.depends_on, call)

    def _of_texts(
        self, source: str, path: Path, texts: tuple[str, ...], call: _Call
    ) -> Iterator[Reference]:
        for text in _longest(texts):
            for target, inside, through in self._targets(text, call, (), frozenset()):
                yield Reference(source, path, target, inside, through)

    def _targets(
        self, text: str, call: _Call, through: tuple[str, ...], seen: frozenset[tuple[_Call, str]]
    ) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
        """What a reference in a module leads to in the end."""
        if (call, text) in seen:
            return
        seen |= {(call, text)}
        kind, _, rest = text.partition(".")
        name = rest.partition(".")[0].partition("[")[0]
        if kind == "var" and call:
            through = (*through, _inside(call, f"var.{name}"))
            for inner in _longest(self._argument_of_call(call, name)):
                yield from self._targets(inner, call[:-1], through, seen)
        elif kind in ("var", "local"):
            yield _inside(call, f"{kind}.{name}"), _rest_of(rest[len(name) :]), through
        elif kind == "module":
            yield from self._through_outputs(text, call, through, seen)
        elif kind.partition("[")[0] not in _LOCAL_TO_BLOCK:
            resource = split_resource(text)
            if resource is not None:
                own, inside = resource
                module = _module_address(call)
                address = ResourceAddress.of(own.type, own.name, None, own.mode, module)
                yield address, _rest_of(inside), through

    def _through_outputs(
        self, text: str, call: _Call, through: tuple[str, ...], seen: frozenset[tuple[_Call, str]]
    ) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
        """What the outputs of a module lead to; all of them if the module itself is meant."""
        module_name, output_name = _split_module(text)
        inner_call = (*call, module_name)
        module = self._modules.get(inner_call)
        if module is None:
            return
        names = [output_name] if output_name else list(module.outputs)
        for name in names:
            output = module.outputs.get(name)
            if output is None:
                continue
            passed = (*through, _inside(inner_call, f"output.{name}"))
            texts = output.expression.references if output.expression is not None else ()
            for inner in _longest(texts):
                yield from self._targets(inner, inner_call, passed, seen)

    def _argument_of_call(self, call: _Call, name: str) -> tuple[str, ...]:
        parent = self._modules.get(call[:-1])
        module_call = None if parent is None else parent.module_calls.get(call[-1])
        if module_call is None:
            return ()
        place = module_call.place_of("expressions")
        argument = read_object(module_call.members.get("expressions"), place).get(name)
        expressions = find_expressions({name: argument}, place)
        return tuple(text for _, expression in expressions for text in expression.references)


def _longest(texts: tuple[str, ...]) -> list[str]:
    """The references without those that only are the beginning of others: `a.b.c` of `a.b`."""
    distinct = dict.fromkeys(texts)
    beginnings: set[str] = set()
    for text in distinct:
        beginnings.update(text[:end] for end, character in enumerate(text) if character in ".[")
    return [text for text in distinct if text not in beginnings]


def _module_address(call: _Call) -> ModuleAddress:
    return ModuleAddress.of([ModuleStep(name) for name in call])


def _inside(call: _Call, text: str) -> str:
    return f"{_module_address(call)}.{text}" if call else text


def _argument(name: str) -> Path:
    return Path((AttributeStep(name),))


def _rest_of(text: str) -> Path:
    try:
        return to_path(text.removeprefix("."))
    except DocumentError:
        return Path()


def _split_module(text: str) -> tuple[str, str]:
    """The name of the call and of the output: `module.net["a"].id` is `net` and `id`."""
    name, rest = split_module(text)
    return name, rest.removeprefix(".").partition(".")[0].partition("[")[0]
