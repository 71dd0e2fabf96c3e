"""What is found in configurations, tricky ones included."""

import os
from pathlib import Path

import pytest

from tofutypes_codegen.configuration import read_mentions
from tofutypes_codegen.errors import GeneratorError

PLAIN = 'resource "found" "it" {}\n'
FOUND = {("resource", "found")}


def mentions(tmp_path: Path, text: str, name: str = "main.tf") -> set[tuple[str, str]]:
    (tmp_path / name).write_bytes(text.encode())
    return set(read_mentions(str(tmp_path)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set[tuple[str, str]]()),
        ('resource "a" "b" {}', {("resource", "a")}),
        ('resource"a""b"{}', {("resource", "a")}),
        ("resource a b {}", {("resource", "a")}),
        ('resource /* the */ "a" "b" // {', set[tuple[str, str]]()),
        ('\ufeffdata "a" "b" {\r\n}\r\n', {("data", "a")}),
        ('ephemeral "a" "b" {}', {("ephemeral", "a")}),
        ('check "c" {\n  data "a" "b" {}\n}', {("data", "a")}),
        ('variable "resource" {}\nmodule "data" {}\nlocals { data = "a" }', set[tuple[str, str]]()),
        ('resource "a" {}\nresource "a" "b" "c" {}', set[tuple[str, str]]()),
        ("x = { data = 1, resource = { a = b } }", set[tuple[str, str]]()),
        ("x = provider::cloud::arn_parse(1)", {("function", "arn_parse")}),
        ('x = "a ${provider::cloud::f("}")} b"', {("function", "f")}),
        ("x = <<E\n%{ if provider::cloud::f(1) }\n%{ endif }\nE\n", {("function", "f")}),
        ("x = core::f(1)\ny = provider::cloud::f::g(1)", set[tuple[str, str]]()),
        ('x = "provider::cloud::f(1)" # provider::cloud::f(1)', set[tuple[str, str]]()),
    ],
)
def test_mentions(tmp_path: Path, text: str, found: set[tuple[str, str]]) -> None:
    assert mentions(tmp_path, text) == found


@pytest.mark.parametrize(
    "text",
    [
        '# resource "a" "b" {',
        '// resource "a" "b" {',
        '/* resource "a" "b" {\n resource "c" "d" { */',
        '/* " */ # /*',
        "/* ${ <<E */",
        r'x = "resource \"a\" \"b\" {"',
        r'x = "\\"',
        'x = "# // /* <<E"',
        'x = "$${ not code"',
        'x = "%%{ not code"',
        'x = "100% of $5 is $"',
        'x = "${f("${g("}")}")}"',
        'x = "${ { a = "}" } }"',
        'x = "%{ if a }${b}%{ else }%{ endif }"',
        'x = "${ /* } */ a }"',
        'x = <<EOT\nresource "a" "b" {\n"\n/*\nEOT',
        'x = <<-EOT\n  resource "a" "b" {\n  EOT',
        'x = <<A-b_1\nA-b_\nA-b_1x\n x A-b_1\nresource "a" "b" {\nA-b_1',
        'x = <<EOT\r\nresource "a" "b" {\r\nEOT\r',
        "x = <<EOT\nEOT",
        "x = f(<<A, <<B)\nA",
        'x = <<A\n${f(<<B\n"\nB\n)} A\n"\nA',
        'x = <<A\n$${ %%{ \\" \\\nA',
        "x = <<A\n${f(\nA\n)}\nA",
        "x = a << b",
        "x = 5 / 2 // 1",
        "}}}",
        "{" * 100_000 + "}" * 100_000,
        'x = "' + "${f(" * 10_000 + ")}" * 10_000 + '"',
        "x = [\n'a'\n]",
        "größe = { 名前 = 1 }",
    ],
)
def test_what_is_no_header_hides_none(tmp_path: Path, text: str) -> None:
    assert mentions(tmp_path, f"{PLAIN}{text}") == FOUND
    assert mentions(tmp_path, f"{text}\n{PLAIN}") == FOUND


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('x = "a', "2: the string"),
        ('x = "a\nb"', "2: the string"),
        ('x = "a\\', "2: the string"),
        ('x = "${"\n', "2: the string"),
        ("x = <<A\n a", "2: the string"),
        ("\nx = /* ", "3: the comment"),
        ("x = {\n y = {}", "2: the brace"),
        ('x = "${a', "2: the brace"),
    ],
)
def test_what_does_not_end(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(GeneratorError) as refused:
        mentions(tmp_path, f"{PLAIN}{text}")
    assert str(refused.value) == (
        f"{tmp_path}/main.tf:{what} that begins here does not end; run `tofu validate` for details"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{}", set[tuple[str, str]]()),
        ("[1, null]", set[tuple[str, str]]()),
        ('{"resource": null, "data": 1, "ephemeral": "x"}', set[tuple[str, str]]()),
        ('{"resource": {"a": {"b": {}}, "//": "c"}}', {("resource", "a")}),
        ('{"data": [{"a": {"b": {}}}, {"c": []}]}', {("data", "a"), ("data", "c")}),
        ('[{"ephemeral": {"a": {}}}]', {("ephemeral", "a")}),
        ('{"check": {"c": {"data": {"a": {"b": {}}}}}}', {("data", "a")}),
        ('{"check": [{"c": [{"data": [{"a": {}}]}]}]}', {("data", "a")}),
        ('{"locals": {"x": "${provider::cloud::f(1)}"}}', {("function", "f")}),
    ],
)
def test_json(tmp_path: Path, text: str, found: set[tuple[str, str]]) -> None:
    assert mentions(tmp_path, text, "main.tf.json") == found
    assert mentions(tmp_path, text, "main.tofu.json") == found


def test_which_files(tmp_path: Path) -> None:
    for name in (
        "a.tf",
        "b.tofu",
        "modules/.hidden/c.tf",
        "d.tfquery.hcl",
        ".terraform/modules/no_1.tf",
        "modules/.terraform/no_2.tf",
        ".no_3.tf",
        "#no_4.tf",
        "no_5.tf~",
        "no_6.tfvars",
        "no_7.tftest.hcl",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        label = path.name.strip(".#").partition(".")[0]
        path.write_text(f'resource "{label}" "x" {{}}')
    assert read_mentions(str(tmp_path)) == {("resource", name) for name in "abcd"}


def test_folders_and_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    for name, message in (
        ("none", "no such folder"),
        ("file", "no such folder"),
        (
            "empty",
            "the folder has no configuration: no file *.tf, *.tofu, *.tfquery.hcl, *.tf.json, "
            "*.tofu.json, *.tfquery.json",
        ),
    ):
        folder = str(tmp_path / name)
        with pytest.raises(GeneratorError) as refused:
            read_mentions(folder)
        assert str(refused.value) == f'--used-in "{folder}": {message}'


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("main.tf", b"\xff", "expected UTF-8 text"),
        ("main.tf.json", b"{", "invalid JSON: "),
        ("main.tf.json", b"[" * 5000, "invalid JSON: "),
    ],
)
def test_files_that_are_not_text_or_json(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(GeneratorError) as refused:
        read_mentions(str(tmp_path))
    assert str(refused.value).startswith(f"{tmp_path / name}: {message}")


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 0)() == 0, reason="this user may read everything: skipped"
)
def test_folders_that_are_locked(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0)
    with pytest.raises(PermissionError) as refused:
        read_mentions(str(tmp_path))
    assert refused.value.filename == str(tmp_path / "locked")
