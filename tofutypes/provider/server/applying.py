"""Creation, change and deletion of objects.

Source: the protocol, `ApplyResourceChange`: the answer always holds what is to be stored, also
after an error, or the object would be forgotten.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from tofutypes.models import Resource
from tofutypes.provider.core.faults import Faults
from tofutypes.provider.core.planning import without_unknown
from tofutypes.provider.core.result_checks import result_faults, unknown_faults
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.values import NULL, is_null, write_value
from tofutypes.provider.proto.tfplugin6_pb2 import ApplyResourceChange, DynamicValue
from tofutypes.provider.server.context import ApplyContext, Context
from tofutypes.provider.server.resource import ServedResource
from tofutypes.provider.server.served import faults_of_provider
from tofutypes.provider.server.telling import telling
from tofutypes.values import is_wholly_known

Request: TypeAlias = ApplyResourceChange.Request
Response: TypeAlias = ApplyResourceChange.Response

_INCONSISTENT: Final = "The provider gave another result than it had planned"


def apply(served: ServedResource, request: Request) -> Response:
    """Do what was planned: create an object, change it, or delete it."""
    answer = Response(private=request.planned_private)
    if is_null(request.planned_state):
        _delete(served, request, answer)
    else:
        _change(served, request, answer)
    return answer


def _delete(served: ServedResource, request: Request, answer: Response) -> None:
    context = Context(served.stopping, private=request.planned_private)
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    with telling(answer, f"deletion of {served.name}", context, served.parts):
        context.identity = served.identity(request.planned_identity)
        prior = served.must_read(request.prior_state, "prior state")
        try:
            served.run(served.handler.delete(prior, context))
        finally:
            answer.private = context.private_data()
        if not context.failed:
            answer.new_state.CopyFrom(DynamicValue(msgpack=NULL))
            answer.ClearField("private")
            answer.ClearField("new_identity")


def _change(served: ServedResource, request: Request, answer: Response) -> None:
    context: ApplyContext[Any] = ApplyContext(served.stopping, private=request.planned_private)
    context.model, context.saved = served.model, None
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    create = is_null(request.prior_state)
    what = f"{'creation' if create else 'update'} of {served.name}"
    with telling(answer, what, context, served.parts):
        context.identity = served.identity(request.planned_identity)
        planned = served.must_read(request.planned_state, "planned state")
        context.config = served.must_read(request.config, "configuration")
        state = None
        try:
            given = _call(served, request, planned, context)
            state = _storable(served, given)
        except BaseException:
            if context.saved is not None:
                state = _storable(served, context.saved)
            raise
        finally:
            _store(served, state, context, answer)
        if not context.failed:
            # The author's code may have changed the object that it was given.
            promised = served.must_read(request.planned_state, "planned state")
            faults = [*unknown_faults(given), *_broken(served, promised, given)]
            if found := faults_of_provider(_INCONSISTENT, faults):
                raise ProviderError.of(found)


def _call(
    served: ServedResource, request: Request, planned: Resource, context: ApplyContext[Any]
) -> Resource:
    prior = served.may_read(request.prior_state)
    if prior is None:
        given = served.run(served.handler.create(planned, context))
        return served.ensure_own(given, "create")
    given = served.run(served.handler.update(planned, prior, context))
    return served.ensure_own(given, "update")


def _storable(served: ServedResource, given: Resource) -> Resource:
    """What can be stored of it: without what is write-only, and null for what is unknown."""
    state = served.storable(given)
    if not is_wholly_known(state):
        state = served.model.model_validate(without_unknown(state))
    state.to_json()  # the core stores JSON, which has no infinity
    return state


def _store(
    served: ServedResource, state: Resource | None, context: Context, answer: Response
) -> None:
    """Put what is to be stored into the answer."""
    if state is not None:
        answer.new_state.CopyFrom(write_value(state))
    answer.private = context.private_data()
    if state is not None and (identity := served.identify(state)) is not None:
        answer.new_identity.CopyFrom(identity)


def _broken(served: ServedResource, planned: Resource, state: Resource) -> Faults:
    """What the result does otherwise than planned, write-only attributes left aside."""
    return result_faults(served.parts, planned, served.storable(state))
