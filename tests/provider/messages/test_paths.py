import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import names
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, TofuTypesError
from tofutypes.provider.messages.paths import (
    parse_path,
    path_of_message,
    path_to_message,
    to_path,
)
from tofutypes.provider.proto.tfplugin6_pb2 import AttributePath

DISK = Path((AttributeStep("disk"), IndexStep(0), AttributeStep("size")))

STEPS = names().map(AttributeStep) | names().map(KeyStep) | st.integers(0, 2**63 - 1).map(IndexStep)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", Path()),
        ("disk[0].size", DISK),
        ('tags["Name"]', Path((AttributeStep("tags"), KeyStep("Name")))),
        (r'tags["a\"\\]"]', Path((AttributeStep("tags"), KeyStep('a"\\]')))),
        ('tags[""]', Path((AttributeStep("tags"), KeyStep("")))),
        ("[12]", Path((IndexStep(12),))),
        ("from", Path((AttributeStep("from"),))),
        ("a-b.0n", Path((AttributeStep("a-b"), AttributeStep("0n")))),
    ],
)
def test_texts(text: str, path: Path) -> None:
    assert parse_path(text) == to_path(text) == to_path(path) == path
    assert str(path) == text


@pytest.mark.parametrize("text", [".a", "a.", "a..b", "a[", "a[x]", "a[-1]", 'a["x]', "a[0]b", '"'])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(TofuTypesError, match="a path is required, as `disk"):
        parse_path(text)


@given(st.lists(STEPS, max_size=5).map(tuple).map(Path))
def test_messages(path: Path) -> None:
    message = AttributePath.FromString(path_to_message(path).SerializeToString())
    assert path_of_message(message) == path


def test_steps_that_say_nothing_are_left_out() -> None:
    message = path_to_message(DISK)
    message.steps.add()
    assert path_of_message(message) == DISK
