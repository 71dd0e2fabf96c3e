"""Paths as the protocol carries them: `AttributePath`."""

from __future__ import annotations

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.provider.proto.tfplugin6_pb2 import AttributePath


def path_to_message(path: Path) -> AttributePath:
    """Convert a path to its message."""
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
    """Convert a message to a path. Steps without a selector are left out, as Core does."""
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
