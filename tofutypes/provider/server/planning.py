"""Plans of managed resources. Source: the protocol, `PlanResourceChange`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tofutypes.errors import AttributeStep, Path, UnknownValueError
from tofutypes.models import Resource
from tofutypes.models.field_behavior import RequiresReplace
from tofutypes.provider.objchange.effective import effective_config
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.planning import (
    changed_paths,
    mark_computed,
    part_at,
    unset_write_only,
)
from tofutypes.provider.objchange.proposed import proposed_new_state
from tofutypes.provider.objchange.replacement import necessary, value_at
from tofutypes.provider.objchange.traversal import same
from tofutypes.provider.objchange.unchanged import is_unchanged
from tofutypes.provider.server.context import Context, PlanContext
from tofutypes.provider.server.provider_bugs import inconsistencies, provider_bug
from tofutypes.provider.server.provider_meta import provider_meta
from tofutypes.provider.server.reporting import reachable, reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.service.paths import to_path
from tofutypes.provider.service.requests import PlanResourceChangeRequest as Request
from tofutypes.provider.service.responses import PlanResourceChangeResponse as Response
from tofutypes.provider.service.wire_value import NULL, WireValue

_INVALID: Final = "The provider made an invalid plan"


def plan(endpoint: ResourceEndpoint, request: Request) -> Response:
    """Plan a creation, an update or a deletion."""
    if request.proposed_new_state.is_null:
        return _plan_delete(endpoint, request)
    return _plan_change(endpoint, request)


def _plan_delete(endpoint: ResourceEndpoint, request: Request) -> Response:
    context = Context(
        stopping=endpoint.stopping,
        private=request.prior_private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    response = Response(planned_private=request.prior_private)
    with reporting(f"plan of {endpoint.name}", context, endpoint.parts) as report:
        context.identity = endpoint.identity(request.prior_identity)
        context.provider_meta = provider_meta(endpoint.handler, request.provider_meta)
        prior = endpoint.decode(request.prior_state, "prior state")
        endpoint.run(endpoint.handler.plan_delete(prior, context))
        response = Response(NULL, planned_private=context.private_data())
    if report.deferred:
        response = response._replace(planned_state=NULL)
    return response._replace(diagnostics=report.diagnostics, deferred=report.deferred)


def _plan_change(endpoint: ResourceEndpoint, request: Request) -> Response:
    response = Response(
        planned_private=request.prior_private, planned_identity=request.prior_identity
    )
    with reporting(f"plan of {endpoint.name}", None, endpoint.parts) as report:
        context = report.context = PlanContext(
            endpoint.decode(request.config, "configuration"),
            endpoint.decode_optional(request.prior_state),
            stopping=endpoint.stopping,
            private=request.prior_private,
            identity=endpoint.identity(request.prior_identity),
            provider_meta=provider_meta(endpoint.handler, request.provider_meta),
            deferral_allowed=request.client_capabilities.deferral_allowed,
        )
        default = _default_plan(endpoint, request, context)
        # What a deferred call answers with.
        response = response._replace(planned_state=WireValue.of(default))
        planned = _authors_plan(endpoint, request, context, default)
        paths = tuple(dict.fromkeys(_replacements(endpoint, context, planned)))
        if necessary(paths, endpoint.parts, context.prior, planned):
            # Core asks for no plan of the deletion that comes first.
            endpoint.run(endpoint.handler.plan_delete(context.prior, context))
        response = response._replace(
            planned_state=WireValue.of(planned),
            planned_private=context.private_data(),
            requires_replace=paths,
        )
    return response._replace(diagnostics=report.diagnostics, deferred=report.deferred)


def _default_plan(
    endpoint: ResourceEndpoint, request: Request, context: PlanContext[Any]
) -> Resource:
    """Return what is planned before the author's code changes it.

    The order is that of terraform-plugin-framework: defaults, comparison with the prior state,
    then everything computed is marked unknown if there is a difference.
    """
    prior = context.prior
    config = effective_config(endpoint.parts, endpoint.rules, prior, context.config)
    proposed: object
    if config is context.config:
        proposed = endpoint.decode(request.proposed_new_state, "proposed new state")
    else:
        proposed = proposed_new_state(endpoint.schema.block, prior, config)
    proposed = unset_write_only(endpoint.parts, proposed)
    if prior is not None and (
        same(proposed, prior) or is_unchanged(endpoint.parts, prior, config, endpoint.kept)
    ):
        return endpoint.decode(request.prior_state, "prior state")
    marked = mark_computed(endpoint.parts, proposed, config, endpoint.kept, prior)
    return endpoint.model.model_validate(marked)


def _authors_plan(
    endpoint: ResourceEndpoint, request: Request, context: PlanContext[Any], default: Resource
) -> Resource:
    """Let the author's code change the plan, and check it as Core does."""
    returned = endpoint.run(endpoint.handler.plan(default, context))
    planned = endpoint.storable(endpoint.ensure_own(returned, "plan"))
    planned = endpoint.respelled(request.prior_state, planned, whole=True)
    prior, config = context.prior, context.config
    if endpoint.has("plan"):  # the author's code may have changed what it received
        prior = endpoint.decode_optional(request.prior_state)
        config = endpoint.decode(request.config, "configuration")
    if error := inconsistencies(_INVALID, plan_faults(endpoint.parts, prior, config, planned)):
        raise error
    return planned


def _replacements(
    endpoint: ResourceEndpoint, context: PlanContext[Any], planned: Resource
) -> Iterator[Path]:
    """The paths whose change replaces the object."""
    if context.prior is None:
        return
    for names, when in endpoint.replaced.items():
        for path in changed_paths(endpoint.parts, names, context.prior, context.config, planned):
            if _replaces(when, path, len(names), context, planned):
                yield path
    for path in map(to_path, context.replace):
        if part_at(endpoint.parts, path) is None:
            raise provider_bug(
                f"{endpoint.author}: context.require_replace({str(path)!r}): no such attribute."
            )
        yield reachable(path, endpoint.parts)


def _replaces(
    when: RequiresReplace, path: Path, depth: int, context: PlanContext[Any], planned: Resource
) -> bool:
    """Whether a change at a path replaces the object."""
    if isinstance(when, bool):
        return when
    names = [step for step in path.steps if isinstance(step, AttributeStep)]
    if len(names) < depth:  # a collection on the way has other elements
        return False
    if when == "if_configured":
        return value_at(context.config, path) is not None
    try:
        return bool(when(value_at(context.prior, path), value_at(planned, path)))
    except UnknownValueError:  # whether the object is replaced depends on what is decided at apply
        return True
