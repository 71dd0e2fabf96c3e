"""Plans of managed resources. Source: the protocol, `PlanResourceChange`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tofutypes.errors import Path
from tofutypes.models import Resource
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.planning import changed_paths, mark_computed, part_at
from tofutypes.provider.objchange.replacement import necessary
from tofutypes.provider.objchange.traversal import same
from tofutypes.provider.objchange.unchanged import is_unchanged
from tofutypes.provider.server.context import Context, PlanContext
from tofutypes.provider.server.provider_bugs import inconsistencies, provider_bug
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
            deferral_allowed=request.client_capabilities.deferral_allowed,
        )
        proposed = endpoint.decode(request.proposed_new_state, "proposed new state")
        default = _default_plan(endpoint, context, proposed)
        # What a deferred call answers with.
        response = response._replace(planned_state=WireValue.of(endpoint.storable(default)))
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
    endpoint: ResourceEndpoint, context: PlanContext[Any], proposed: Resource
) -> Resource:
    """Return what is planned before the author's code changes it."""
    storable, prior = endpoint.storable(proposed), context.prior
    if prior is not None:
        if same(storable, prior):
            return storable
        if is_unchanged(endpoint.parts, prior, context.config, endpoint.kept):
            return endpoint.ensure_own(prior, "plan")
    marked = mark_computed(endpoint.parts, storable, context.config, endpoint.kept, prior)
    return endpoint.model.model_validate(marked)


def _authors_plan(
    endpoint: ResourceEndpoint, request: Request, context: PlanContext[Any], default: Resource
) -> Resource:
    """Let the author's code change the plan, and check it as Core does."""
    planned = default
    if context.prior is None or not same(planned, context.prior):
        returned = endpoint.run(endpoint.handler.plan(planned, context))
        planned = endpoint.storable(endpoint.ensure_own(returned, "plan"))
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
    for names in endpoint.replaced:
        yield from changed_paths(endpoint.parts, names, context.prior, context.config, planned)
    for path in map(to_path, context.replace):
        if part_at(endpoint.parts, path) is None:
            raise provider_bug(
                f"{endpoint.author}: context.require_replace({str(path)!r}): no such attribute."
            )
        yield reachable(path, endpoint.parts)
