"""Creation, change and deletion of objects.

Source: the protocol, `ApplyResourceChange`: the answer always holds what is to be stored, also
after an error, or the object would be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from tofutypes.errors import AttributeStep
from tofutypes.models import Resource
from tofutypes.provider.core.faults import Fault, fault
from tofutypes.provider.core.planning import without_unknown
from tofutypes.provider.core.result_checks import result_faults
from tofutypes.provider.core.values import attributes_of
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.values import NULL, is_null, read_value, write_value
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
    context = Context(
        served.stopping,
        private=request.planned_private,
        identity=served.identity(request.planned_identity),
    )
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    with telling(answer, f"deletion of {served.name}", context, served.parts):
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
    context: ApplyContext[Any] = ApplyContext(
        served.stopping,
        private=request.planned_private,
        identity=served.identity(request.planned_identity),
    )
    context.saved = None
    answer.new_state.CopyFrom(request.prior_state)
    answer.new_identity.CopyFrom(request.planned_identity)
    create = is_null(request.prior_state)
    what = f"{'creation' if create else 'update'} of {served.name}"
    with telling(answer, what, context, served.parts):
        planned = served.must_read(request.planned_state, "planned state")
        context.config = served.must_read(request.config, "configuration")
        try:
            context.saved = _call(served, request, planned, context)
        finally:
            _store(served, context, answer)
        if not context.failed:
            # The author's code may have changed the object that it was given.
            promised = served.must_read(request.planned_state, "planned state")
            faults = [*_unknown(served, context.saved), *_broken(served, promised, context.saved)]
            if found := faults_of_provider(_INCONSISTENT, faults):
                raise ProviderError.of(found)


def _call(
    served: ServedResource, request: Request, planned: Resource, context: ApplyContext[Any]
) -> Resource:
    prior = read_value(served.model, request.prior_state)
    if prior is None:
        given = served.run(served.handler.create(planned, context))
        return served.ensure_own(given, "create")
    given = served.run(served.handler.update(planned, prior, context))
    return served.ensure_own(given, "update")


def _store(served: ServedResource, context: ApplyContext[Any], answer: Response) -> None:
    """Put what is to be stored into the answer."""
    if context.saved is not None:
        state = served.storable(context.saved)
        if not is_wholly_known(state):
            state = served.model.model_validate(without_unknown(state))
        answer.new_state.CopyFrom(write_value(state))
        if (identity := served.identify(state)) is not None:
            answer.new_identity.CopyFrom(identity)
    answer.private = context.private_data()


def _unknown(served: ServedResource, state: Resource) -> Iterator[Fault]:
    for part in served.parts:
        if not is_wholly_known(attributes_of(state).get(part.name)):
            yield fault((AttributeStep(part.name),), "is still unknown after apply")


def _broken(served: ServedResource, planned: Resource, state: Resource) -> Iterator[Fault]:
    """What the result does otherwise than planned, write-only attributes left aside."""
    return result_faults(served.parts, planned, served.storable(state))
