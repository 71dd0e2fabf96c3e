"""The names of methods and capabilities. Source: the RFC, which writes them in two ways."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

PROTOCOL_VERSION: Final = "1.0"

INIT: Final = "init"
PING: Final = "ping"
SHUTDOWN: Final = "shutdown"
LOG: Final = "log"
CANCEL: Final = "cancel"

FUNCTIONS: Final = "functions"
STORAGE: Final = "storage"
RESOURCES: Final = "resources"


class HookPoint(Enum):
    """When a hook of a resource is called; the value is the end of the method's name."""

    PRE_PLAN = "prePlan"
    POST_PLAN = "postPlan"
    PRE_APPLY = "preApply"
    POST_APPLY = "postApply"
    PRE_REFRESH = "preRefresh"
    POST_REFRESH = "postRefresh"

    @property
    def is_pre(self) -> bool:
        """Whether it is called before the operation, which it can prevent."""
        return self.value.startswith("pre")


class StagePoint(Enum):
    """When a hook of a whole command is called; the value is the end of the method's name."""

    INIT_START = "initStageStart"
    INIT_COMPLETE = "initStageComplete"
    INIT_FAIL = "initStageFail"
    PLAN_START = "planStageStart"
    PLAN_COMPLETE = "planStageComplete"
    PLAN_FAIL = "planStageFail"
    APPLY_START = "applyStageStart"
    APPLY_COMPLETE = "applyStageComplete"
    APPLY_FAIL = "applyStageFail"

    @property
    def is_pre(self) -> bool:
        """Whether it is called before the stage, which it can prevent."""
        return self.value.endswith("Start")


_SPELLINGS: Final = {"hooks": "middleware"}


def hook_method(point: HookPoint | StagePoint) -> str:
    """The method of a hook: `middleware/prePlan`."""
    return f"middleware/{point.value}"


def hook_capability(point: HookPoint | StagePoint) -> str:
    """The capability that declares a hook: `hooks.prePlan`."""
    return f"hooks.{point.value}"


def canonical_method(method: str) -> str:
    """A method's name as it is sent: `middleware/prePlan`, of `hooks.prePlan`."""
    group, separator, rest = method.replace(".", "/").partition("/")
    return f"{_SPELLINGS.get(group, group)}{separator}{rest}"


def canonical_capability(capability: str) -> str:
    """A capability as it is declared: `hooks.prePlan`, of `middleware/prePlan`."""
    group, separator, rest = capability.replace("/", ".").partition(".")
    return f"{'hooks' if group == 'middleware' else group}{separator}{rest}"


def major_of(version: object) -> int | None:
    """The major of a protocol version, `1` of `1.0`; None if it is no version."""
    head = version.partition(".")[0] if isinstance(version, str) else ""
    return int(head) if head.isascii() and head.isdigit() and len(head) < 10 else None


def hook_capabilities(capabilities: Sequence[str]) -> frozenset[str]:
    """The hooks among capabilities, by the ends of their methods' names."""
    return frozenset(name.partition(".")[2] for name in capabilities if name.startswith("hooks."))
