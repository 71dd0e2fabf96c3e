from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import names
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path
from tofutypes.provider.messages.paths import path_of_message, path_to_message
from tofutypes.provider.proto.tfplugin6_pb2 import AttributePath

DISK = Path((AttributeStep("disk"), IndexStep(0), AttributeStep("size")))

STEPS = names().map(AttributeStep) | names().map(KeyStep) | st.integers(0, 2**63 - 1).map(IndexStep)


@given(st.lists(STEPS, max_size=5).map(tuple).map(Path))
def test_messages(path: Path) -> None:
    message = AttributePath.FromString(path_to_message(path).SerializeToString())
    assert path_of_message(message) == path


def test_steps_that_say_nothing_are_left_out() -> None:
    message = path_to_message(DISK)
    message.steps.add()
    assert path_of_message(message) == DISK
