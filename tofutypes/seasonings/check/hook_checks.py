"""Checks of hooks: every kind of value, and answers that hosts understand."""

from __future__ import annotations

from tofutypes.seasonings.check.samples import EVERYTHING, objects
from tofutypes.seasonings.check.session import Session
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint
from tofutypes.seasonings.protocol.values import to_inline, write_type


def _params(value: object) -> dict[str, object]:
    return {
        "address": 'tofutypes_check.sample["a.b"]',
        "provider": "registry.opentofu.org/tofutypes/check",
        "resource_mode": "managed",
        "resource_type": "tofutypes_check",
        "resource_name": "sample",
        "planned_action": "update",
        "type": write_type(EVERYTHING),
        "before": value,
        "after": value,
        "config": value,
        "redacted": [["text"], ["disks", 0, "size"]],
        "metadata": {"another plugin": {"count": 1}},
    }


async def check_hooks(session: Session) -> None:
    """Check all hooks that the plugin declares."""
    info = (await session.client()).info
    for point in HookPoint:
        if info.declares(point):
            for what, value in objects():
                check = f"hook {point.value}: {what}"
                await _check_hook(session, check, point, _params(to_inline(value)))
            check = f"hook {point.value}: a resource that is created and deleted"
            deleted = {**_params(None), "planned_action": "delete", "address": None}
            await _check_hook(session, check, point, deleted)
    for stage in StagePoint:
        if info.declares(stage):
            resources = [_params(to_inline(value)) for _, value in objects()]
            params: dict[str, object] = {"command": ["tofu", "plan"], "resources": resources}
            await _check_hook(session, f"hook {stage.value}", stage, params)


async def _check_hook(
    session: Session, check: str, point: HookPoint | StagePoint, params: dict[str, object]
) -> None:
    async with session.checking(check):
        try:
            result = await (await session.client()).hook(point, params)
        except CallError as error:
            advice = 'A hook that refuses answers {"status": "fail", "message": …}, not an error.'
            if error.code == ErrorCode.NO_SUCH_METHOD:
                advice = "Declare only hooks that the plugin serves."
            session.report.fail(check, str(error), advice)
            return
        said = "; ".join(map(str, result.diagnostics))
        session.report.ok(check, said)
