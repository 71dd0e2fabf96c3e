"""The configuration that a plan was made of: modules, resources, expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from tofutypes.documents.addresses import ResourceAddress
from tofutypes.documents.records import (
    Member,
    Record,
    read_flag,
    read_integer,
    read_object,
    read_plain,
    read_required_text,
    read_text,
    read_texts,
    record,
    records,
    records_by_name,
)
from tofutypes.errors import AttributeStep, IndexStep, Path, Step
from tofutypes.narrowing import is_dict, is_list

_EXPRESSION: Final = frozenset({"constant_value", "references"})


class Expression(Record):
    """An expression: its value if it refers to nothing, else what it refers to.

    Attributes:
        constant_value: the plain value; None if there is none, or if it is null.
        references: what it refers to, in every length: `aws_vpc.main.id`, `aws_vpc.main`.
    """

    constant_value = Member(read_plain)
    references = Member(read_texts)

    @property
    def is_constant(self) -> bool:
        """Whether the document has its value."""
        return "constant_value" in self.members


def find_expressions(
    expressions: object, place: str, steps: tuple[Step, ...] = ()
) -> Iterator[tuple[Path, Expression]]:
    """The expressions of a block and of the blocks inside it, each with its path."""
    if is_dict(expressions):
        if steps and _is_expression(expressions):
            yield Path(steps), Expression(expressions, place)
            return
        for name, inner in expressions.items():
            step = AttributeStep(str(name))
            yield from find_expressions(inner, f"{place}.{name}", (*steps, step))
    elif is_list(expressions):
        for position, inner in enumerate(expressions):
            step_in = IndexStep(position)
            yield from find_expressions(inner, f"{place}[{position}]", (*steps, step_in))


def _is_expression(value: dict[object, object]) -> bool:
    # A block may have an attribute of one of these names: it holds an object then.
    references = value.get("references", [])
    texts = is_list(references) and all(isinstance(reference, str) for reference in references)
    return value.keys() <= _EXPRESSION and texts


class _WithExpressions(Record):
    @cached_property
    def expressions(self) -> Mapping[Path, Expression]:
        """The expressions by path: `{Path("ingress[0].from_port"): …}`."""
        place = self.place_of("expressions")
        return dict(find_expressions(read_object(self.members.get("expressions"), place), place))


class Provisioner(_WithExpressions):
    """A provisioner of a resource."""

    type = Member(read_text)
    member_names = frozenset({"expressions"})


class ConfigResource(_WithExpressions):
    """A resource block.

    Attributes:
        provider_config_key: the key of its provider configuration in `Configuration.providers`.
        schema_version: the version of the schema of its type.
        count_expression: the expression of `count`; None without it.
        for_each_expression: the expression of `for_each`; None without it.
        depends_on: the addresses that it depends on explicitly.
        provisioners: its provisioners.
    """

    member_names = frozenset({"expressions", "address", "mode", "type", "name"})
    provider_config_key = Member(read_text)
    schema_version = Member(read_integer)
    count_expression = record(Expression)
    for_each_expression = record(Expression)
    depends_on = Member(read_texts)
    provisioners = records(Provisioner)

    @property
    def address(self) -> ResourceAddress:
        """Where it is inside of its module."""
        return ResourceAddress(read_required_text(self.members.get("address"), self.place))


class ConfigVariable(Record):
    """The declaration of an input variable."""

    type = Member(read_plain)
    default = Member(read_plain)
    description = Member(read_text)
    required = Member(read_flag)
    sensitive = Member(read_flag)
    ephemeral = Member(read_flag)
    deprecated = Member(read_text)


class ConfigOutput(Record):
    """The declaration of an output."""

    expression = record(Expression)
    sensitive = Member(read_flag)
    ephemeral = Member(read_flag)
    description = Member(read_text)
    deprecated = Member(read_text)
    depends_on = Member(read_texts)


class ModuleCall(_WithExpressions):
    """A module block, with the module that it calls.

    Attributes:
        source: the address of the module's source.
        version_constraint: which versions are allowed.
        count_expression: the expression of `count`; None without it.
        for_each_expression: the expression of `for_each`; None without it.
        depends_on: the addresses that it depends on explicitly.
    """

    member_names = frozenset({"expressions", "module"})
    source = Member(read_text)
    version_constraint = Member(read_text)
    count_expression = record(Expression)
    for_each_expression = record(Expression)
    depends_on = Member(read_texts)

    @cached_property
    def module(self) -> ConfigModule:
        """The module that it calls."""
        return ConfigModule(self.members.get("module", {}), self.place_of("module"))


class ConfigModule(Record):
    """A module.

    Attributes:
        resources: its resource blocks, of all modes.
        variables: its input variables by name.
        outputs: its outputs by name.
        module_calls: its module blocks by name.
    """

    resources = records(ConfigResource)
    variables = records_by_name(ConfigVariable)
    outputs = records_by_name(ConfigOutput)
    module_calls = records_by_name(ModuleCall)

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], ConfigModule]]:
        """This module and all below it, each with the names of the calls that lead there."""
        yield path, self
        for name, call in self.module_calls.items():
            yield from call.module.walk((*path, name))


class ConfiguredProvider(_WithExpressions):
    """A provider configuration.

    Attributes:
        name: the local name.
        full_name: the address of the provider.
        alias: the alias; None for the default configuration.
        version_constraint: which versions are allowed.
        module_address: the module that has it; None for the root module.
    """

    member_names = frozenset({"expressions"})
    name = Member(read_text)
    full_name = Member(read_text)
    alias = Member(read_text)
    version_constraint = Member(read_text)
    module_address = Member(read_text)


class Configuration(Record):
    """The configuration that a plan was made of.

    Attributes:
        providers: the provider configurations by key.
    """

    providers = Member(records_by_name(ConfiguredProvider).read, "provider_config")
    member_names = frozenset({"root_module"})

    @cached_property
    def root_module(self) -> ConfigModule:
        """The root module."""
        return ConfigModule(self.members.get("root_module", {}), self.place_of("root_module"))

    def module(self, *names: str) -> ConfigModule | None:
        """The module that the calls of these names lead to; None if there is none."""
        module: ConfigModule = self.root_module
        for name in names:
            call = module.module_calls.get(name)
            if call is None:
                return None
            module = call.module
        return module
