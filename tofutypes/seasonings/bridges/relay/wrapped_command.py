"""The command line of OpenTofu or Terraform that a run wraps, and the hooks of its stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint

_RELAYED: Final = frozenset(
    {"plan", "apply", "destroy", "refresh", "import", "test", "console", "query"}
)
"""The commands that call providers about resources."""


class StageHooks(NamedTuple):
    """The hooks of a stage.

    Attributes:
        start, complete, fail: before, after, and after a failure.
        resources: the hook whose resources the last two get to see.
    """

    start: StagePoint
    complete: StagePoint
    fail: StagePoint
    resources: HookPoint | None


_STAGES: Final[Mapping[str, StageHooks]] = {
    "init": StageHooks(StagePoint.INIT_START, StagePoint.INIT_COMPLETE, StagePoint.INIT_FAIL, None),
    "plan": StageHooks(
        StagePoint.PLAN_START,
        StagePoint.PLAN_COMPLETE,
        StagePoint.PLAN_FAIL,
        HookPoint.POST_PLAN,
    ),
    "apply": StageHooks(
        StagePoint.APPLY_START,
        StagePoint.APPLY_COMPLETE,
        StagePoint.APPLY_FAIL,
        HookPoint.POST_APPLY,
    ),
}

_SAME_STAGE: Final = {"destroy": "apply", "refresh": "apply"}


class WrappedCommand:
    """The command line of OpenTofu or Terraform.

    Attributes:
        words: the command line.
        subcommand: `apply`; empty if there is none.
        folder: the working directory.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.subcommand = next((word for word in words[1:] if not word.startswith("-")), "")
        self.folder = Path()
        for word in words[1:]:
            if not word.startswith("-"):
                break
            option, _, value = word.lstrip("-").partition("=")
            if option == "chdir" and value:
                self.folder = Path(value)

    @property
    def stage(self) -> StageHooks | None:
        """The hooks of the stage that the command is; None if it is none."""
        return _STAGES.get(_SAME_STAGE.get(self.subcommand, self.subcommand))

    @property
    def calls_providers(self) -> bool:
        """Whether the command calls providers about resources."""
        return self.subcommand in _RELAYED

    def is_success(self, code: int) -> bool:
        """Whether an exit code of the command tells of success."""
        return code == 0 or (code == 2 and "-detailed-exitcode" in self.words)

    @property
    def plan_file(self) -> Path | None:
        """The file that the plan is written to."""
        for word, after in zip(self.words, [*self.words[1:], ""], strict=True):
            option, equals, value = word.lstrip("-").partition("=")
            if word.startswith("-") and option == "out":
                return self.folder / (value if equals else after)
        return None
