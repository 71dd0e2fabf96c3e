import pytest

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, TofuTypesError
from tofutypes.provider.service.paths import parse_path, to_path

DISK = Path((AttributeStep("disk"), IndexStep(0), AttributeStep("size")))


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
    with pytest.raises(TofuTypesError, match="expected a path such as `disk"):
        parse_path(text)
