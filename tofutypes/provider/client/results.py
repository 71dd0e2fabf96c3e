"""What a provider answers, as typed Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

from tofutypes.errors import Path
from tofutypes.models import EphemeralResource, Resource
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError
from tofutypes.wire import Value

R_co = TypeVar("R_co", bound=Resource, covariant=True)
E_co = TypeVar("E_co", bound=EphemeralResource, covariant=True)

Identity: TypeAlias = Mapping[str, Value]
"""What identifies an object: values by the names on the wire."""


@dataclass(frozen=True, slots=True)
class State(Generic[R_co]):
    """An object as it is stored, or none.

    Attributes:
        value: the object; None if it does not exist (any more).
        private: what the provider keeps beside it.
        identity: what identifies it, if the provider says so.
        diagnostics: the warnings of the call that it is from.
        deferred: why the provider put the call off, if it did.
    """

    value: R_co | None
    private: bytes = field(default=b"", repr=False)
    identity: Identity | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


@dataclass(frozen=True, slots=True)
class Plan(Generic[R_co]):
    """What a provider is going to do, if it is asked to apply it.

    Attributes:
        model: the class of the object.
        config: the configuration; None to destroy.
        prior: what there was before.
        planned: what there is to be, with unknown values for what is decided at apply; None if
            the object is to be destroyed.
        requires_replace: what has changed and cannot be changed in place: the object has to be
            destroyed, and another one planned and created.
        private: what the provider wants to have again at apply.
        identity: what is going to identify the object, if the provider says so.
        diagnostics: the warnings.
        deferred: why the provider put the plan off, if it did; it cannot be applied then.
    """

    model: type[R_co]
    config: R_co | None
    prior: State[R_co]
    planned: R_co | None
    requires_replace: tuple[Path, ...] = ()
    private: bytes = field(default=b"", repr=False)
    identity: Identity | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


@dataclass(frozen=True, slots=True)
class Imported(Generic[R_co]):
    """An object that was found, perhaps with little more than what tells it from others.

    `Client.read` makes it whole: only then it is sure to be an instance of its class.

    Attributes:
        model: the class of what was asked for.
        type_name: the type of the object.
        value: its values by the names on the wire.
        private: what the provider keeps beside it.
        identity: what identifies it, if the provider says so.
        diagnostics: the warnings of the call.
    """

    model: type[R_co]
    type_name: str
    value: Mapping[str, Value] = field(repr=False)
    private: bytes = field(default=b"", repr=False)
    identity: Identity | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened(Generic[E_co]):
    """An ephemeral resource that is open.

    Attributes:
        value: its values.
        private: what the provider wants to have again when it is renewed or closed.
        renew_at: when it wants to be renewed, in UTC; None if never.
        diagnostics: the warnings of the last call.
    """

    value: E_co
    private: bytes | None = field(default=None, repr=False)
    renew_at: datetime | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class ApplyError(ProviderError):
    """A plan that could not be applied, or not all of it.

    Attributes:
        state: what there is nevertheless; the core stores it.
    """

    state: State[Resource] = State(None)

    @classmethod
    def after(cls, diagnostics: Iterable[Diagnostic], state: State[Resource]) -> ApplyError:
        """The error that stands for these diagnostics, of which one is an error."""
        made = cls.of(diagnostics)
        made.state = state
        return made

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self).after, (self.diagnostics, self.state)
