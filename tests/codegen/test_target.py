"""Where a package goes, and what it is called."""

from pathlib import Path

import pytest

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.target import choose_target


@pytest.mark.parametrize(
    ("output", "package", "folder", "name"),
    [
        ("infra", None, "infra", "infra"),
        ("some/where/infra/", None, "some/where/infra", "infra"),
        (".", None, ".", "here"),
        ("below/..", None, "below/..", "here"),
        ("src", "acme.infra", "src/acme/infra", "acme.infra"),
        ("src/acme/infra", "acme.infra", "src/acme/infra", "acme.infra"),
        ("src/infra", "acme.infra", "src/infra/acme/infra", "acme.infra"),
        (".", "infra", "infra", "infra"),
        (".", "here", ".", "here"),
        ("src", "acme.json", "src/acme/json", "acme.json"),
    ],
)
def test_targets(
    output: str,
    package: str | None,
    folder: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    target = choose_target(output, package)
    assert (target.folder, target.package) == (Path(folder), name)


@pytest.mark.parametrize(
    ("output", "package", "message"),
    [
        ("", None, "--output is empty"),
        ("a\0b", None, "--output is empty"),
        ("/", None, '--output "/": "" is not a valid import name'),
        ("my-infra", None, '--output "my-infra": "my-infra" is not a valid import name'),
        ("class", None, '"class" is not a valid import name'),
        ("µ", None, '"µ" is not a valid import name'),
        ("json", None, "json is the import name of a module"),
        ("tofutypes", None, "tofutypes is the import name of a module"),
        ("src", "", '"" is not a valid import name'),
        ("src", "acme..infra", '"" is not a valid import name'),
        ("src", "acme/infra", '"acme/infra" is not a valid import name'),
        ("src", ".infra", '"" is not a valid import name'),
        ("src", "pydantic.infra", "pydantic is the import name of a module"),
    ],
)
def test_names_that_cannot_be_imported(output: str, package: str | None, message: str) -> None:
    with pytest.raises(GeneratorError) as refused:
        choose_target(output, package)
    assert message in str(refused.value)
