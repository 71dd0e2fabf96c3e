"""Paths into values: as text, and as the protocol's `AttributePath`."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step, TofuTypesError
from tofutypes.provider.proto.tfplugin6_pb2 import AttributePath

PathLike: TypeAlias = Path | str
"""A path, or its text: `disk[0].size`, `tags["Name"]`, by the names on the wire."""

_STEP: Final = re.compile(
    r"""(?P<dot>\.)?(?P<name>[^.\[\]"]+)|\[(?P<index>\d{1,18})\]|\["(?P<key>(?:[^"\\]|\\.)*)"\]"""
)


def parse_path(text: str) -> Path:
    """The path that is printed so; the empty text is the path to the whole value.

    Raises:
        TofuTypesError: no path is printed so.
    """
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None or (found["name"] is not None and bool(found["dot"]) != bool(steps)):
            raise _no_path(text)
        steps.append(_step(found))
        position = found.end()
    return Path(tuple(steps))


def _no_path(given: object) -> TofuTypesError:
    return TofuTypesError(f"a path is required, as `disk[0].size`; got {given!r}")


def _step(found: re.Match[str]) -> Step:
    if found["name"] is not None:
        return AttributeStep(found["name"])
    if found["index"] is not None:
        return IndexStep(int(found["index"]))
    return KeyStep(re.sub(r"\\(.)", r"\1", found["key"]))


def to_path(path: object) -> Path:
    """The path, if it is text.

    Raises:
        TofuTypesError: it is no path.
    """
    if isinstance(path, Path):
        return path
    if isinstance(path, str):
        return parse_path(path)
    raise _no_path(path)


def path_to_message(path: Path) -> AttributePath:
    """The path as the protocol carries it."""
    steps: list[AttributePath.Step] = []
    for step in path.steps:
        match step:
            case AttributeStep(name):
                steps.append(AttributePath.Step(attribute_name=name))
            case KeyStep(key):
                steps.append(AttributePath.Step(element_key_string=key))
            case IndexStep(position):
                steps.append(AttributePath.Step(element_key_int=position))
    return AttributePath(steps=steps)


def path_of_message(message: AttributePath) -> Path:
    """The path that the protocol carried; steps that say nothing are left out, as Core does."""
    steps: list[Step] = []
    for step in message.steps:
        match step.WhichOneof("selector"):
            case "attribute_name":
                steps.append(AttributeStep(step.attribute_name))
            case "element_key_string":
                steps.append(KeyStep(step.element_key_string))
            case "element_key_int":
                steps.append(IndexStep(step.element_key_int))
            case _:
                pass
    return Path(tuple(steps))
