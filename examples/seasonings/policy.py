"""A policy plugin: what may not be planned.

tofutypes plugin run --plugin "python policy.py" -- tofu plan
"""

from typing import Any

from tofutypes import is_known
from tofutypes.seasonings import Change, Plugin

plugin = Plugin("policy", version="1.0.0")


@plugin.post_plan("random_*")
def lengths(change: Change[dict[str, Any]]) -> None:
    """Names of random resources must be long enough to be unique."""
    if change.after is None:
        return
    length = change.after.get("length") or change.after.get("byte_length")
    if not is_known(length) or length is None:
        return
    if length < 4:
        change.fail(
            f"{change.resource_type} is too short",
            path="length",
            detail="Use at least 4 characters.",
        )
    elif length < 8:
        change.warn(f"{change.resource_type} is short", path="length")


@plugin.post_plan
def count(change: Change[dict[str, Any]]) -> None:
    """Leave the action for the metadata file."""
    change.add_metadata(action=change.action)


if __name__ == "__main__":
    plugin.run()
