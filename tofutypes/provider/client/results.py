"""Results of calls to a provider. Each has the warnings of its call in `diagnostics`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

from tofutypes.errors import Path
from tofutypes.models import DataSource, EphemeralResource, Resource
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError
from tofutypes.wire import Value

R_co = TypeVar("R_co", bound=Resource, covariant=True)
D_co = TypeVar("D_co", bound=DataSource, covariant=True)
E_co = TypeVar("E_co", bound=EphemeralResource, covariant=True)

Identity: TypeAlias = Mapping[str, Value]
"""The identity of an object: values by their names in the schema."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call that returns nothing but warnings.

    Attributes:
        diagnostics: The warnings.
    """

    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class State(Generic[R_co]):
    """An object as Terraform Core or OpenTofu stores it, or no object.

    Attributes:
        value: The object; None if it does not exist (any more).
        private: The provider's private state. It is not part of the repr.
        identity: The identity of the object, if the resource has one.
        diagnostics: The warnings of the call.
        deferred: Why the provider deferred the call; None if it did not.
    """

    value: R_co | None
    private: bytes = field(default=b"", repr=False)
    identity: Identity | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


@dataclass(frozen=True, slots=True)
class Plan(Generic[R_co]):
    """A planned change of an object.

    Attributes:
        model: The class of the object.
        config: The configuration; None to destroy the object.
        prior: The prior state.
        planned: The planned new state, with unknown values for what is decided at apply; None if
            the object is to be destroyed.
        requires_replace: The changed attributes that cannot be changed in place. If there are any,
            the object has to be destroyed, and a new one planned and created.
        private: The provider's planned private state. It is not part of the repr.
        identity: The planned identity, if the resource has one.
        diagnostics: The warnings of the call.
        deferred: Why the provider deferred the plan; a deferred plan cannot be applied.
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
    """An imported object, perhaps with little more than its id. `Client.read` completes it.

    Attributes:
        model: The class that was asked for.
        type_name: The resource type of the object.
        value: The values by their names in the schema. They are not part of the repr: they have no
            model that hides sensitive ones.
        private: The provider's private state. It is not part of the repr.
        identity: The identity of the object, if the resource has one.
        diagnostics: The warnings of the call.
    """

    model: type[R_co]
    type_name: str
    value: Mapping[str, Value] = field(repr=False)
    private: bytes = field(default=b"", repr=False)
    identity: Identity | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Data(Generic[D_co]):
    """A data source that was read.

    Attributes:
        value: The data source with its computed attributes.
        diagnostics: The warnings of the call.
    """

    value: D_co
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened(Generic[E_co]):
    """An open ephemeral resource.

    Attributes:
        value: The ephemeral resource with its computed attributes.
        private: The provider's private data, sent back at renew and close. It is not part of the
            repr.
        renew_at: When to renew the resource, in UTC; None for never.
        diagnostics: The warnings of the last call.
    """

    value: E_co
    private: bytes | None = field(default=None, repr=False)
    renew_at: datetime | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """A planned action.

    Attributes:
        diagnostics: The warnings of the call.
        deferred: Why the provider deferred the action; None if it did not.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    deferred: DeferredReason | None = None


@dataclass(frozen=True, slots=True)
class ListedObject(Generic[R_co]):
    """An object that a provider listed.

    Attributes:
        identity: The identity of the object. `Client.import_state` takes it.
        display_name: What the provider calls the object, for people.
        resource: The object; None if it was not wanted, or the provider did not send it.
        diagnostics: The warnings that came with it.
    """

    identity: Identity
    display_name: str
    resource: R_co | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class ApplyError(ProviderError):
    """A plan that could not be applied, or only in part.

    Attributes:
        state: The object after the failed apply. Terraform Core and OpenTofu store it.
    """

    state: State[Resource] = State(None)

    @classmethod
    def after(cls, diagnostics: Iterable[Diagnostic], state: State[Resource]) -> ApplyError:
        """Return the error for diagnostics with at least one error."""
        error = cls.of(diagnostics)
        error.state = state
        return error

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self).after, (self.diagnostics, self.state)
