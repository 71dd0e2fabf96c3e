"""Plans of managed resources. Source: the protocol, `PlanResourceChange`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

from tofutypes.errors import Path
from tofutypes.models import Resource
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.dynamic_value import NULL, is_null, write_value
from tofutypes.provider.messages.paths import path_to_message, to_path
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.planning import changed_paths, mark_computed, part_at
from tofutypes.provider.objchange.replacement import necessary
from tofutypes.provider.objchange.traversal import same
from tofutypes.provider.objchange.unchanged import is_unchanged
from tofutypes.provider.proto.tfplugin6_pb2 import DynamicValue, PlanResourceChange
from tofutypes.provider.server.context import Context, DeferralError, PlanContext
from tofutypes.provider.server.endpoint import fault_of_provider, faults_of_provider
from tofutypes.provider.server.reporting import reachable, reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint

Request: TypeAlias = PlanResourceChange.Request
Response: TypeAlias = PlanResourceChange.Response

_INVALID: Final = "The provider made an invalid plan"


def plan(endpoint: ResourceEndpoint, request: Request) -> Response:
    """Plan a change: of a new object, of one that exists, or its deletion."""
    answer = Response(planned_private=request.prior_private)
    if is_null(request.proposed_new_state):
        _plan_delete(endpoint, request, answer)
    else:
        _plan_change(endpoint, request, answer)
    return answer


def _plan_delete(endpoint: ResourceEndpoint, request: Request, answer: Response) -> None:
    context = Context(endpoint.stopping, private=request.prior_private)
    with reporting(answer, f"plan of {endpoint.name}", context, endpoint.parts):
        context.identity = endpoint.identity(request.prior_identity)
        prior = endpoint.must_read(request.prior_state, "prior state")
        endpoint.run(endpoint.handler.plan_delete(prior, context))
        answer.planned_state.CopyFrom(DynamicValue(msgpack=NULL))
        answer.planned_private = context.private_data()


def _plan_change(endpoint: ResourceEndpoint, request: Request, answer: Response) -> None:
    context: PlanContext[Any] = PlanContext(
        endpoint.stopping,
        private=request.prior_private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    with reporting(answer, f"plan of {endpoint.name}", context, endpoint.parts):
        context.identity = endpoint.identity(request.prior_identity)
        context.prior = endpoint.may_read(request.prior_state)
        context.config = endpoint.must_read(request.config, "configuration")
        context.replace = []
        proposed = endpoint.must_read(request.proposed_new_state, "proposed new state")
        planned = _default_plan(endpoint, context, proposed)
        answer.planned_identity.CopyFrom(request.prior_identity)
        try:
            if context.prior is None or not same(planned, context.prior):
                given = endpoint.run(endpoint.handler.plan(planned, context))
                planned = endpoint.ensure_own(given, "plan")
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
        planned = endpoint.storable(planned)
        prior, config = context.prior, context.config
        if endpoint.has("plan"):  # the author's code may have changed what it was given
            prior = endpoint.may_read(request.prior_state)
            config = endpoint.must_read(request.config, "configuration")
        faults = plan_faults(endpoint.parts, prior, config, planned)
        if found := faults_of_provider(_INVALID, faults):
            raise ProviderError.of(found)
        paths = tuple(dict.fromkeys(_replacements(endpoint, context, planned)))
        if necessary(paths, endpoint.parts, context.prior, planned):
            # The core asks for no plan of the deletion that comes first.
            endpoint.run(endpoint.handler.plan_delete(context.prior, context))
        answer.planned_state.CopyFrom(write_value(planned))
        answer.planned_private = context.private_data()
        answer.requires_replace.extend(map(path_to_message, paths))


def _default_plan(
    endpoint: ResourceEndpoint, context: PlanContext[Any], proposed: Resource
) -> Resource:
    """What is planned unless the author's code says more."""
    storable, prior = endpoint.storable(proposed), cast("Resource | None", context.prior)
    if prior is not None:
        if same(storable, prior):
            return storable
        if is_unchanged(endpoint.parts, prior, context.config, endpoint.kept):
            return prior
    marked = mark_computed(endpoint.parts, storable, context.config, endpoint.kept, prior)
    return endpoint.model.model_validate(marked)


def _replacements(
    endpoint: ResourceEndpoint, context: PlanContext[Any], planned: Resource
) -> Iterator[Path]:
    """The paths whose change needs a new object."""
    if context.prior is None:
        return
    for names in endpoint.replaced:
        yield from changed_paths(endpoint.parts, names, context.prior, context.config, planned)
    for path in map(to_path, context.replace):
        if part_at(endpoint.parts, path) is None:
            raise fault_of_provider(
                f"{endpoint.author} cannot replace for {path}: it is not there."
            )
        yield reachable(path, endpoint.parts)
