"""Creation, change and deletion of objects.

Source: the protocol, `ApplyResourceChange`: the response always holds the state to store, also
with errors, or the object would be forgotten.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from tofutypes.comparison import is_wholly_known
from tofutypes.models import Resource
from tofutypes.provider.objchange.planning import without_unknown
from tofutypes.provider.objchange.result_checks import result_faults, unknown_faults
from tofutypes.provider.server.context import ApplyContext, Context
from tofutypes.provider.server.provider_bugs import inconsistencies
from tofutypes.provider.server.provider_meta import provider_meta
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.timeouts import run_in_time
from tofutypes.provider.service.requests import ApplyResourceChangeRequest as Request
from tofutypes.provider.service.responses import ApplyResourceChangeResponse as Response
from tofutypes.provider.service.wire_value import NULL, WireValue

_INCONSISTENT: Final = "The provider returned another result than it had planned"


def apply(endpoint: ResourceEndpoint, request: Request) -> Response:
    """Create, update or delete an object as planned."""
    if request.planned_state.is_null:
        return _delete(endpoint, request)
    return _change(endpoint, request)


def _unchanged(request: Request) -> Response:
    """What is stored as long as nothing was done."""
    return Response(
        request.prior_state, request.planned_private, new_identity=request.planned_identity
    )


def _delete(endpoint: ResourceEndpoint, request: Request) -> Response:
    context = Context(stopping=endpoint.stopping, private=request.planned_private)
    response = _unchanged(request)
    with reporting(f"deletion of {endpoint.name}", context, endpoint.parts) as report:
        context.identity = endpoint.identity(request.planned_identity)
        context.provider_meta = provider_meta(endpoint.handler, request.provider_meta)
        prior = endpoint.decode(request.prior_state, "prior state")
        try:
            delete = partial(endpoint.handler.delete, prior, context)
            run_in_time(endpoint, "delete", prior, context, delete)
        finally:
            response = response._replace(private=context.private_data())
        if not context.failed:
            response = Response(NULL)
    return response._replace(diagnostics=report.diagnostics)


def _change(endpoint: ResourceEndpoint, request: Request) -> Response:
    action = "creation" if request.prior_state.is_null else "update"
    response = _unchanged(request)
    with reporting(f"{action} of {endpoint.name}", None, endpoint.parts) as report:
        context = report.context = ApplyContext(
            endpoint.decode(request.config, "configuration"),
            stopping=endpoint.stopping,
            private=request.planned_private,
            identity=endpoint.identity(request.planned_identity),
            provider_meta=provider_meta(endpoint.handler, request.provider_meta),
        )
        state = None
        try:
            result = endpoint.respelled(request.planned_state, _call(endpoint, request, context))
            state = _storable(endpoint, result)
        except BaseException:
            if context.saved is not None:
                state = _storable(endpoint, context.saved)
            raise
        finally:
            if state is not None:
                response = response._replace(new_state=WireValue.of(state))
            response = response._replace(private=context.private_data())
            if state is not None and (identity := endpoint.identify(state)) is not None:
                response = response._replace(new_identity=identity)
        if not context.failed:
            _ensure_as_planned(endpoint, request, result)
    return response._replace(diagnostics=report.diagnostics)


def _ensure_as_planned(endpoint: ResourceEndpoint, request: Request, result: Resource) -> None:
    # The author's code may have changed the planned object that it received: decode it again.
    planned = endpoint.decode(request.planned_state, "planned state")
    faults = [
        *unknown_faults(result),
        *result_faults(endpoint.parts, planned, endpoint.storable(result)),
    ]
    if error := inconsistencies(_INCONSISTENT, faults):
        raise error


def _call(endpoint: ResourceEndpoint, request: Request, context: ApplyContext[Any]) -> Resource:
    handler = endpoint.handler
    planned = endpoint.decode(request.planned_state, "planned state")
    prior = endpoint.decode_optional(request.prior_state)
    if prior is None:
        returned = run_in_time(
            endpoint, "create", planned, context, lambda: handler.create(planned, context)
        )
        return endpoint.ensure_own(returned, "create")
    returned = run_in_time(
        endpoint, "update", planned, context, lambda: handler.update(planned, prior, context)
    )
    return endpoint.ensure_own(returned, "update")


def _storable(endpoint: ResourceEndpoint, result: Resource) -> Resource:
    """Return a result as it can be stored: null for write-only and for unknown values."""
    state = endpoint.storable(result)
    if not is_wholly_known(state):
        state = endpoint.model.model_validate(without_unknown(state))
    state.to_json()  # Core stores JSON, which has no infinity
    return state
