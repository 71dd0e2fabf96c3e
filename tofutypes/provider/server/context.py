"""What the code of a provider is told beyond the values, and how it says more than a value."""

from __future__ import annotations

from datetime import datetime
from threading import Event
from typing import Generic, NoReturn, TypeVar

from tofutypes.errors import describe
from tofutypes.models import Model, ResourceIdentity
from tofutypes.provider.messages.deferral import DeferredReason
from tofutypes.provider.messages.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.provider.messages.paths import PathLike, to_path

M = TypeVar("M", bound=Model)


class DeferralError(Exception):
    """Ends a call that is deferred; raised by `Context.defer`, and caught by the library."""

    def __init__(self, reason: DeferredReason) -> None:
        self.reason = reason
        super().__init__(reason.name)


class Context:
    """One call of the core.

    Attributes:
        private: bytes that are kept beside the object's state, for the provider alone. What is
            assigned here comes back with the next call for the object.
        identity: what identifies the object, if the core has it and the resource has identities.
        stopping: set when the user interrupts; long work should end early then, and still return
            what is true.
        deferral_allowed: whether `defer` is. OpenTofu does not allow it.
        diagnostics: what was said so far.
    """

    def __init__(
        self,
        stopping: Event,
        *,
        private: bytes = b"",
        identity: ResourceIdentity | None = None,
        deferral_allowed: bool = False,
    ) -> None:
        self.private = private
        self.identity = identity
        self.stopping = stopping
        self.deferral_allowed = deferral_allowed
        self.diagnostics: list[Diagnostic] = []

    def warn(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        """Warn the user. The call goes on.

        Args:
            summary: what to know, in one line.
            detail: why, and what to do.
            path: the attribute it is about, as `disk[0].size`.
        """
        self.diagnostics.append(Diagnostic(Severity.WARNING, summary, detail, to_path(path)))

    def error(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        """Tell the user of an error, and go on to look for more. (To stop, raise `ProviderError`.)

        Args:
            summary: what is wrong, in one line.
            detail: why, and what to do.
            path: the attribute it is about, as `disk[0].size`.
        """
        self.diagnostics.append(Diagnostic(Severity.ERROR, summary, detail, to_path(path)))

    def private_data(self) -> bytes:
        """What `private` is in the end.

        Raises:
            ProviderError: it is not bytes.
        """
        return _bytes(self.private)

    @property
    def failed(self) -> bool:
        """Whether an error was told of."""
        return any(each.severity is Severity.ERROR for each in self.diagnostics)

    def defer(self, reason: DeferredReason) -> NoReturn:
        """End the call: it cannot be done in this round, but perhaps in the next.

        Raises:
            ProviderError: the core does not allow it.
        """
        if not self.deferral_allowed:
            why = reason.name.lower().replace("_", " ")
            raise ProviderError("This cannot be done yet", f"It would have to be deferred: {why}.")
        raise DeferralError(reason)


def _bytes(given: object) -> bytes:
    if isinstance(given, bytes):
        return given
    came = f"context.private must be bytes, and is an instance of {type(given).__name__}."
    raise ProviderError("The provider is at fault", came)


class ValidateContext(Context):
    """The validation of a configuration, in which anything may still be unknown."""


class ConfigureContext(Context):
    """The configuration of the provider.

    Attributes:
        core_version: the version of Terraform, or the one that OpenTofu claims to be.
    """

    core_version: str = ""


class PlanContext(Context, Generic[M]):
    """The plan of a new or a changed object.

    Attributes:
        config: what the user wrote, where null is what is not set. Write-only attributes have
            their values here alone.
        prior: the state before; None for a new object.
        replace: the paths whose change needs a new object, found so far.
    """

    config: M
    prior: M | None
    replace: list[PathLike]

    def require_replace(self, path: PathLike) -> None:
        """Plan to replace the object, because the value at this path cannot be changed in place."""
        self.replace.append(path)


class ApplyContext(Context, Generic[M]):
    """The creation or the change of an object.

    Attributes:
        config: what the user wrote; write-only attributes have their values here alone.
        saved: what is stored if the call fails.
        model: the class of the resource.
    """

    config: M
    saved: M | None
    model: type[M]

    def save(self, state: M) -> None:
        """Have this stored if the call fails later: what exists already should not be forgotten.

        Raises:
            EncodeError: something inside does not fit the schema.
            ProviderError: it is no state of this resource.
        """
        if not isinstance(state, self.model):
            came = f"context.save takes a {self.model.__name__}, and got {describe(state)}."
            raise ProviderError("The provider is at fault", came)
        self.saved = self.model.from_msgpack(state.to_msgpack())  # as it is now


class EphemeralContext(Context):
    """The opening, renewal or closing of an ephemeral resource.

    Attributes:
        renew_at: assign it to be asked for a renewal then. A time without a zone is UTC.
    """

    renew_at: datetime | None = None
