"""What a method of a handler receives beside the values, and how it reports more than a value."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from threading import Condition, Event
from typing import Any, Final, Generic, NoReturn, cast

from typing_extensions import TypeVar

from tofutypes.errors import describe
from tofutypes.models import Model, ProviderMeta, ResourceIdentity, StateStore
from tofutypes.provider.server.provider_bugs import provider_bug
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.provider.service.paths import PathLike, to_path
from tofutypes.unknown import Unknown

M = TypeVar("M", bound=Model)
PM = TypeVar("PM", bound=ProviderMeta, default=Any)
S = TypeVar("S", bound=StateStore)

KEPT_MESSAGES: Final = 1000
"""How many messages of `InvokeContext.progress` wait for a caller that does not read them."""


class DeferralError(Exception):
    """Ends a call that is deferred. Raised by `Context.defer`, caught by the library."""

    def __init__(self, reason: DeferredReason) -> None:
        self.reason = reason
        super().__init__(reason.name)


@dataclass(kw_only=True, repr=False, eq=False)
class Context(Generic[PM]):
    """One call of Terraform Core or OpenTofu. Unit tests make contexts of their own: `Context()`.

    Attributes:
        private: Bytes that Core stores beside the state for the provider alone. Bytes assigned
            here come back with the next call for the object.
        identity: The identity of the object, if Core has one.
        stopping: Set when the user interrupts. Long work should end early then, and still return
            the true state.
        deferral_allowed: Whether `defer` may be called. OpenTofu does not allow it.
        provider_meta: What the module tells the provider (`Provider.provider_meta`), in plans,
            applies and reads; None if it says nothing. `Context[NimbusMeta]` gives it a type.
        diagnostics: The warnings and errors reported so far.
    """

    private: bytes = b""
    identity: ResourceIdentity | None = None
    stopping: Event = field(default_factory=Event)
    deferral_allowed: bool = False
    provider_meta: PM | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def warn(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        """Report a warning. The call goes on.

        Args:
            summary: What to know, in one line.
            detail: Why, and what to do.
            path: The attribute it is about, such as `disk[0].size`.
        """
        self.diagnostics.append(Diagnostic(Severity.WARNING, summary, detail, to_path(path)))

    def error(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        """Report an error and go on, to find more. To stop at once, raise `ProviderError`.

        Args:
            summary: What is wrong, in one line.
            detail: Why, and what to do.
            path: The attribute it is about, such as `disk[0].size`.
        """
        self.diagnostics.append(Diagnostic(Severity.ERROR, summary, detail, to_path(path)))

    def private_data(self) -> bytes:
        """Return `private` after the call.

        Raises:
            ProviderError: If the provider assigned something else than bytes.
        """
        private = cast("object", self.private)  # whatever the author assigned
        if isinstance(private, bytes):
            return private
        raise provider_bug(
            f"context.private: expected bytes, got an instance of {type(private).__name__}."
        )

    @property
    def failed(self) -> bool:
        """Whether an error was reported."""
        return any(each.severity is Severity.ERROR for each in self.diagnostics)

    def defer(self, reason: DeferredReason) -> NoReturn:
        """End the call: it cannot be answered in this round, but perhaps in the next.

        Raises:
            ProviderError: If Core does not allow it.
        """
        if not self.deferral_allowed:
            why = reason.name.lower().replace("_", " ")
            raise ProviderError("This cannot be done yet", f"It would have to be deferred: {why}.")
        raise DeferralError(reason)


class ValidateContext(Context):
    """The validation of a configuration, in which anything may still be unknown."""


@dataclass(kw_only=True, repr=False, eq=False)
class ValidateListContext(ValidateContext):
    """The validation of the configuration of a list resource.

    Terraform 1.15 sends neither attribute.

    Attributes:
        limit: How many objects are wanted at most; None if that is not said.
        include_resource: Whether the objects themselves are wanted; None if that is not said.
    """

    limit: int | Unknown | None = None
    include_resource: bool | Unknown | None = None


@dataclass(kw_only=True, repr=False, eq=False)
class ConfigureContext(Context):
    """The configuration of the provider.

    Attributes:
        core_version: The version of Terraform, or the one that OpenTofu claims to be.
    """

    core_version: str = ""


@dataclass(repr=False, eq=False)
class PlanContext(Context[PM], Generic[M, PM]):
    """The plan of a new or a changed object.

        Servers(provider).plan(planned, PlanContext(config, prior))

    Attributes:
        config: What the user wrote; attributes that are not set are null. Write-only attributes
            have their values here alone.
        prior: The state before; None for a new object.
        replace: The paths passed to `require_replace` so far.
    """

    config: M
    prior: M | None = None
    replace: list[PathLike] = field(default_factory=list[PathLike], kw_only=True)

    def require_replace(self, path: PathLike) -> None:
        """Plan to replace the object, because the value at a path cannot change in place.

        A path whose value does not change in the end is ignored.
        """
        self.replace.append(path)


@dataclass(repr=False, eq=False)
class ApplyContext(Context[PM], Generic[M, PM]):
    """The creation or the change of an object.

    Attributes:
        config: What the user wrote. Write-only attributes have their values here alone.
        saved: What is stored if the call fails.
    """

    config: M
    saved: M | None = field(default=None, kw_only=True)

    def save(self, state: M) -> None:
        """Have a state stored if the call fails later, so that the object is not forgotten.

        Raises:
            EncodeError: If something inside does not fit the schema.
            ProviderError: If it is not a state of this resource.
        """
        model = type(self.config)
        if not isinstance(state, model):
            raise provider_bug(f"context.save: expected {model.__name__}, got {describe(state)}.")
        self.saved = model.from_msgpack(state.to_msgpack())  # as it is now


@dataclass(repr=False, eq=False)
class StateStoreContext(Context, Generic[S]):
    """A call of a state store.

    Attributes:
        config: The configuration of the state store.
    """

    config: S


@dataclass(kw_only=True, repr=False, eq=False)
class EphemeralContext(Context):
    """The opening, renewal or closing of an ephemeral resource.

    Attributes:
        renew_at: When Core should call `renew`. A time without a zone is UTC.
    """

    renew_at: datetime | None = None


def _messages() -> deque[str]:
    return deque(maxlen=KEPT_MESSAGES)


@dataclass(kw_only=True, repr=False, eq=False)
class InvokeContext(Context):
    """The invocation of an action.

    Attributes:
        messages: What `progress` reported and was not sent yet; the newest 1,000.
        changed: Notified when there is a message.
    """

    messages: deque[str] = field(default_factory=_messages)
    changed: Condition = field(default_factory=Condition)

    def progress(self, message: str) -> None:
        """Tell the user what the action does now. Returns at once, also if nobody listens.

            context.progress("waiting for the server")

        Raises:
            ProviderError: If the message is not text.
        """
        text = cast("object", message)  # whatever the author passes
        if not isinstance(text, str):
            raise provider_bug(f"context.progress: expected a string, got {describe(text)}.")
        with self.changed:
            self.messages.append(text)
            self.changed.notify_all()


@dataclass(kw_only=True, repr=False, eq=False)
class ListContext(Context):
    """The objects that a list resource is asked for.

    Attributes:
        limit: How many objects are wanted at most; None for all. The library stops there.
        include_resource: Whether the objects themselves are wanted beside their identities.
    """

    limit: int | None = None
    include_resource: bool = False
