"""Plans of managed resources. Source: the protocol, `PlanResourceChange`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

from tofutypes.errors import Path
from tofutypes.models import Resource
from tofutypes.provider.core.plan_checks import plan_faults
from tofutypes.provider.core.planning import changed_paths, mark_computed, part_at
from tofutypes.provider.core.replacing import necessary
from tofutypes.provider.core.unchanged import is_unchanged
from tofutypes.provider.core.values import same
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.paths import path_to_message, to_path
from tofutypes.provider.messages.values import NULL, is_null, write_value
from tofutypes.provider.proto.tfplugin6_pb2 import DynamicValue, PlanResourceChange
from tofutypes.provider.server.context import Context, DeferralError, PlanContext
from tofutypes.provider.server.resource import ServedResource
from tofutypes.provider.server.served import fault_of_provider, faults_of_provider
from tofutypes.provider.server.telling import reachable, telling

Request: TypeAlias = PlanResourceChange.Request
Response: TypeAlias = PlanResourceChange.Response

_INVALID: Final = "The provider made an invalid plan"


def plan(served: ServedResource, request: Request) -> Response:
    """Plan a change: of a new object, of one that exists, or its deletion."""
    answer = Response(planned_private=request.prior_private)
    if is_null(request.proposed_new_state):
        _plan_delete(served, request, answer)
    else:
        _plan_change(served, request, answer)
    return answer


def _plan_delete(served: ServedResource, request: Request, answer: Response) -> None:
    context = Context(served.stopping, private=request.prior_private)
    with telling(answer, f"plan of {served.name}", context, served.parts):
        context.identity = served.identity(request.prior_identity)
        prior = served.must_read(request.prior_state, "prior state")
        served.run(served.handler.plan_delete(prior, context))
        answer.planned_state.CopyFrom(DynamicValue(msgpack=NULL))
        answer.planned_private = context.private_data()


def _plan_change(served: ServedResource, request: Request, answer: Response) -> None:
    context: PlanContext[Any] = PlanContext(
        served.stopping,
        private=request.prior_private,
        deferral_allowed=request.client_capabilities.deferral_allowed,
    )
    with telling(answer, f"plan of {served.name}", context, served.parts):
        context.identity = served.identity(request.prior_identity)
        context.prior = served.may_read(request.prior_state)
        context.config = served.must_read(request.config, "configuration")
        context.replace = []
        proposed = served.must_read(request.proposed_new_state, "proposed new state")
        planned = _default_plan(served, context, proposed)
        answer.planned_identity.CopyFrom(request.prior_identity)
        try:
            if context.prior is None or not same(planned, context.prior):
                given = served.run(served.handler.plan(planned, context))
                planned = served.ensure_own(given, "plan")
        except DeferralError as deferral:
            answer.deferred.CopyFrom(deferral.reason.to_message())
        planned = served.storable(planned)
        prior, config = context.prior, context.config
        if served.has("plan"):  # the author's code may have changed what it was given
            prior = served.may_read(request.prior_state)
            config = served.must_read(request.config, "configuration")
        faults = plan_faults(served.parts, prior, config, planned)
        if found := faults_of_provider(_INVALID, faults):
            raise ProviderError.of(found)
        paths = tuple(dict.fromkeys(_replacements(served, context, planned)))
        if necessary(paths, served.parts, context.prior, planned):
            # The core asks for no plan of the deletion that comes first.
            served.run(served.handler.plan_delete(context.prior, context))
        answer.planned_state.CopyFrom(write_value(planned))
        answer.planned_private = context.private_data()
        answer.requires_replace.extend(map(path_to_message, paths))


def _default_plan(
    served: ServedResource, context: PlanContext[Any], proposed: Resource
) -> Resource:
    """What is planned unless the author's code says more."""
    storable, prior = served.storable(proposed), cast("Resource | None", context.prior)
    if prior is not None:
        if same(storable, prior):
            return storable
        if is_unchanged(served.parts, prior, context.config, served.kept):
            return prior
    marked = mark_computed(served.parts, storable, context.config, served.kept, prior)
    return served.model.model_validate(marked)


def _replacements(
    served: ServedResource, context: PlanContext[Any], planned: Resource
) -> Iterator[Path]:
    """The paths whose change needs a new object."""
    if context.prior is None:
        return
    for names in served.replaced:
        yield from changed_paths(served.parts, names, context.prior, context.config, planned)
    for path in map(to_path, context.replace):
        if part_at(served.parts, path) is None:
            raise fault_of_provider(f"{served.author} cannot replace for {path}: it is not there.")
        yield reachable(path, served.parts)
