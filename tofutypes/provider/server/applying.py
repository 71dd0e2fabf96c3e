"""Creation, change and deletion of objects.

Source: the protocol, `ApplyResourceChange`: the answer always holds what is to be stored, also
after an error, or the object would be forgotten.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from tofutypes.models import Resource
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.dynamic_value import NULL, is_null, write_value
from tofutypes.provider.objchange.faults import Faults
from tofutypes.provider.objchange.planning import without_unknown
from tofutypes.provider.objchange.result_checks import result_faults, unknown_faults
from tofutypes.provider.proto.tfplugin6_pb2 import ApplyResourceChange, DynamicValue
from tofutypes.provider.server.context import ApplyContext, Context
from tofutypes.provider.server.endpoint import faults_of_provider
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.values import is_wholly_known

Request: TypeAlias = ApplyResourceChange.Request
Response: TypeAlias = ApplyResourceChange.Response

_INCONSISTENT: Final = "The provider gave another result than it had planned"


def apply(endpoint: ResourceEndpoint, request: Request) -> Response:
    """Do what was planned: create an object, change it, or delete it."""
    answer = Response(private=request.planned_private)
    if is_null(request.planned_state):
        _delete(endpoint, request, answer)
    else:
        _change(endpoint, request, answer)
    return answer


def _delete(endpoint: ResourceEndpoint, request: Request, answer: Response) -> None:
    context = Context(endpoint.stopping, private=request.planned_private)
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    with reporting(answer, f"deletion of {endpoint.name}", context, endpoint.parts):
        context.identity = endpoint.identity(request.planned_identity)
        prior = endpoint.must_read(request.prior_state, "prior state")
        try:
            endpoint.run(endpoint.handler.delete(prior, context))
        finally:
            answer.private = context.private_data()
        if not context.failed:
            answer.new_state.CopyFrom(DynamicValue(msgpack=NULL))
            answer.ClearField("private")
            answer.ClearField("new_identity")


def _change(endpoint: ResourceEndpoint, request: Request, answer: Response) -> None:
    context: ApplyContext[Any] = ApplyContext(endpoint.stopping, private=request.planned_private)
    context.model, context.saved = endpoint.model, None
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    create = is_null(request.prior_state)
    what = f"{'creation' if create else 'update'} of {endpoint.name}"
    with reporting(answer, what, context, endpoint.parts):
        context.identity = endpoint.identity(request.planned_identity)
        planned = endpoint.must_read(request.planned_state, "planned state")
        context.config = endpoint.must_read(request.config, "configuration")
        state = None
        try:
            given = _call(endpoint, request, planned, context)
            state = _storable(endpoint, given)
        except BaseException:
            if context.saved is not None:
                state = _storable(endpoint, context.saved)
            raise
        finally:
            _store(endpoint, state, context, answer)
        if not context.failed:
            # The author's code may have changed the object that it was given.
            promised = endpoint.must_read(request.planned_state, "planned state")
            faults = [*unknown_faults(given), *_broken(endpoint, promised, given)]
            if found := faults_of_provider(_INCONSISTENT, faults):
                raise ProviderError.of(found)


def _call(
    endpoint: ResourceEndpoint, request: Request, planned: Resource, context: ApplyContext[Any]
) -> Resource:
    prior = endpoint.may_read(request.prior_state)
    if prior is None:
        given = endpoint.run(endpoint.handler.create(planned, context))
        return endpoint.ensure_own(given, "create")
    given = endpoint.run(endpoint.handler.update(planned, prior, context))
    return endpoint.ensure_own(given, "update")


def _storable(endpoint: ResourceEndpoint, given: Resource) -> Resource:
    """What can be stored of it: without what is write-only, and null for what is unknown."""
    state = endpoint.storable(given)
    if not is_wholly_known(state):
        state = endpoint.model.model_validate(without_unknown(state))
    state.to_json()  # the core stores JSON, which has no infinity
    return state


def _store(
    endpoint: ResourceEndpoint, state: Resource | None, context: Context, answer: Response
) -> None:
    """Put what is to be stored into the answer."""
    if state is not None:
        answer.new_state.CopyFrom(write_value(state))
    answer.private = context.private_data()
    if state is not None and (identity := endpoint.identify(state)) is not None:
        answer.new_identity.CopyFrom(identity)


def _broken(endpoint: ResourceEndpoint, planned: Resource, state: Resource) -> Faults:
    """What the result does otherwise than planned, write-only attributes left aside."""
    return result_faults(endpoint.parts, planned, endpoint.storable(state))
