"""The calls with hooks: when hooks are called, and where the values are in the messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tofutypes.seasonings.protocol.methods import HookPoint

_TYPE_NAME: Final = 0x0A
"""How the first field of a message begins, which is the type of the resource in all requests."""


@dataclass(frozen=True, slots=True)
class CallKind:
    """A call with hooks, and the names of the fields that hold its values.

    Attributes:
        name: of the call, as in protocol 6.
        pre, post: the hooks before and after.
        state, proposed: fields of the request: the state before, and what is to become of it; empty
            if there is none.
        result: the field of the response that holds what has become of it.
        private: the private state in the request, and in the response.
        config: whether the request holds the configuration.
        mode: `managed` or `data`.
    """

    name: str
    pre: HookPoint
    post: HookPoint
    state: str
    proposed: str
    result: str
    private: tuple[str, str] | None
    config: bool = True
    mode: str = "managed"

    @property
    def is_read(self) -> bool:
        """Whether nothing is to change."""
        return self.pre is HookPoint.PRE_REFRESH

    @property
    def values(self) -> Sequence[str]:
        """The fields of the request that hold values."""
        fields = (self.state, self.proposed, "config" if self.config else "")
        return [field for field in dict.fromkeys(fields) if field]


KINDS: Final[Mapping[str, CallKind]] = {
    kind.name: kind
    for kind in (
        CallKind(
            "PlanResourceChange",
            HookPoint.PRE_PLAN,
            HookPoint.POST_PLAN,
            "prior_state",
            "proposed_new_state",
            "planned_state",
            ("prior_private", "planned_private"),
        ),
        CallKind(
            "ApplyResourceChange",
            HookPoint.PRE_APPLY,
            HookPoint.POST_APPLY,
            "prior_state",
            "planned_state",
            "new_state",
            ("planned_private", "private"),
        ),
        CallKind(
            "ReadResource",
            HookPoint.PRE_REFRESH,
            HookPoint.POST_REFRESH,
            "current_state",
            "current_state",
            "new_state",
            ("private", "private"),
            config=False,
        ),
        CallKind(
            "ReadDataSource",
            HookPoint.PRE_REFRESH,
            HookPoint.POST_REFRESH,
            "",
            "",
            "state",
            None,
            mode="data",
        ),
    )
}
"""The calls with hooks, by name."""


def type_name_of(request: bytes) -> str | None:
    """The type of the resource in a request, without reading the rest; None if it is not first."""
    if len(request) < 2 or request[0] != _TYPE_NAME or request[1] >= 0x80:
        return None
    return request[2 : 2 + request[1]].decode("utf-8", "replace")
