"""The check of a whole plugin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tofutypes.seasonings.check.function_checks import check_functions
from tofutypes.seasonings.check.hook_checks import check_hooks
from tofutypes.seasonings.check.protocol_checks import check_protocol
from tofutypes.seasonings.check.report import Report
from tofutypes.seasonings.check.resource_checks import check_resources
from tofutypes.seasonings.check.session import Session
from tofutypes.seasonings.check.storage_checks import check_storage
from tofutypes.seasonings.protocol.methods import FUNCTIONS, RESOURCES, STORAGE


async def check_plugin(
    command: Sequence[str], config: Mapping[str, object] | None = None
) -> Report:
    """Drive a plugin through everything that it declares.

    Args:
        command: the program and its arguments.
        config: the configuration of the plugin.
    """
    report = Report()
    session = Session(command, config, report)
    try:
        if not await check_protocol(session):
            return report
        capabilities = (await session.client()).info.capabilities
        await check_hooks(session)
        if FUNCTIONS in capabilities:
            await check_functions(session)
        if RESOURCES in capabilities:
            await check_resources(session)
        if STORAGE in capabilities:
            await check_storage(session)
    finally:
        await session.close()
    return report
