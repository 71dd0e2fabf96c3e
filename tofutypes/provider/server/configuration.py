"""Validation of configurations: of providers, resources, data sources and the like.

Source: observed, Terraform 1.15.5: Core checks neither that a required attribute is not null nor
that computed attributes are not set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from tofutypes.errors import AttributeStep, Path
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.objchange.faults import Faults, fault
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.objchange.traversal import Steps, attributes_of, is_given, objects_in
from tofutypes.provider.server.config_validators import ConfigValidator
from tofutypes.provider.server.context import ValidateContext
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.value_checks import constraint_faults
from tofutypes.provider.service.requests import ValidateConfigRequest
from tofutypes.provider.service.responses import DiagnosticsResponse
from tofutypes.schema import NestingMode
from tofutypes.unknown import Unknown

M = TypeVar("M", bound=SchemaModel)


class Validating(Protocol):
    """A handler or a provider: both check configurations."""

    validators: ClassVar[Sequence[ConfigValidator]]

    def validate(self, config: Any, context: Any) -> Any:
        """Check a configuration beyond its schema."""
        ...


def check_configuration(
    endpoint: Endpoint[M],
    request: ValidateConfigRequest,
    author: Validating,
    context: ValidateContext | None = None,
) -> DiagnosticsResponse:
    """Validate a configuration: against its schema, then with the author's code.

    Args:
        endpoint: What is configured.
        request: The configuration.
        author: The handler or the provider, which checks more than the schema says.
        context: The context of the author's code, if it is a special one.
    """
    if context is None:
        context = ValidateContext(stopping=endpoint.stopping)
    write_only_allowed = (
        not isinstance(endpoint, ResourceEndpoint)
        or request.client_capabilities.write_only_attributes_allowed
    )
    with reporting(f"validation of {endpoint.name}", context, endpoint.parts) as report:
        config = endpoint.decode(request.config, "configuration")
        for each in config_faults(endpoint.parts, config, write_only_allowed=write_only_allowed):
            context.error("Invalid value", f"{each}.", each.path)
        for each in constraint_faults(endpoint.parts, endpoint.rules, config):
            context.error("Invalid value", f"{each.path}: {each.message}.", each.path)
        block = endpoint.schema.block
        if block.deprecated:
            context.warn(f"{endpoint.name} is deprecated", block.deprecation_message or "")
        for steps, part in _deprecated(endpoint.parts, config, ()):
            kind = "Block" if part.attribute is None else "Argument"
            context.warn(f"{kind} is deprecated", part.deprecation or "", Path(steps))
        for validator in author.validators:
            validator.validate(endpoint.parts, config, context)
        if not context.failed:
            endpoint.run(author.validate(config, context))
    return DiagnosticsResponse(report.diagnostics)


def config_faults(parts: Parts, config: object, *, write_only_allowed: bool = True) -> Faults:
    """What a configuration sets that it must not."""
    return _object(parts, config, (), write_only_allowed)


def _object(parts: Parts, config: object, above: Steps, write_only_allowed: bool) -> Faults:
    values = attributes_of(config)
    for part in parts:
        value, here = values.get(part.name), (*above, AttributeStep(part.name))
        if value is None:
            # Models take null here, for plans and state have it.
            if part.write_only and not part.optional:
                yield fault(here, "is required")
            continue
        if part.computed and not part.optional:
            yield fault(here, "is decided by the provider and cannot be set")
        elif part.write_only and not write_only_allowed:
            yield fault(here, "is write-only, which needs Terraform 1.11, or OpenTofu 1.11")
        elif part.nesting is not None:
            yield from _inside(part, value, here, write_only_allowed)


def _inside(part: Part, value: object, here: Steps, write_only_allowed: bool) -> Faults:
    assert part.nesting is not None
    for steps, each in objects_in(part.nesting, value).items():
        if part.nesting is not NestingMode.GROUP or _sets_something(part.inner, each):
            yield from _object(part.inner, each, (*here, *steps), write_only_allowed)


def _deprecated(parts: Parts, config: object, above: Steps) -> Iterator[tuple[Steps, Part]]:
    """What is set although it is deprecated. Source: terraform-plugin-framework warns of the same.

    Neither Terraform nor OpenTofu does: Terraform 1.15 warns of references to what is deprecated.
    """
    values = attributes_of(config)
    for part in parts:
        value, here = values.get(part.name), (*above, AttributeStep(part.name))
        if not is_given(value) or not _is_set(part, value):
            continue
        if part.deprecation is not None:
            yield here, part
        if part.nesting is not None:
            for steps, inner in objects_in(part.nesting, value).items():
                yield from _deprecated(part.inner, inner, (*here, *steps))


def _sets_something(parts: Parts, value: object) -> bool:
    values = attributes_of(value)
    return any(_is_set(part, values.get(part.name)) for part in parts)


def _is_set(part: Part, value: object) -> bool:
    if part.attribute is not None or isinstance(value, Unknown):
        return value is not None
    assert part.nesting is not None
    blocks = objects_in(part.nesting, value).values()
    if part.nesting is NestingMode.GROUP:
        return any(_sets_something(part.inner, each) for each in blocks)
    return any(each is not None for each in blocks)
