"""Pages of the registry documentation: what they hold, and what authors may override."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tests.golden.nimbus_package import PAGES, pages, provider
from tofutypes import parse_type
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    Schema,
)
from tofutypes.types import NUMBER, STRING, ListType, ObjectType, Type
from tofutypes_codegen.registry_docs.functions import arguments, signature
from tofutypes_codegen.registry_docs.pages import (
    Project,
    TemplateError,
    documentation_pages,
)
from tofutypes_codegen.registry_docs.schema_section import schema_section, type_text


def page(folder: Path, path: str, schema: ProviderSchema | None = None) -> str:
    project = Project(folder, {"nimbus_server": "Compute"})
    documentation = documentation_pages("nimbus", schema or provider(), project)
    return dict(documentation)[PurePosixPath(path)]


def write(folder: Path, path: str, text: str) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_golden_pages() -> None:
    for path, text in pages().items():
        assert (PAGES / path).read_text(encoding="utf-8") == text, path


def test_every_type_has_a_page(tmp_path: Path) -> None:
    schema = provider()
    paths = {str(path) for path, _ in documentation_pages("nimbus", schema, Project(tmp_path, {}))}
    short = {name.removeprefix("nimbus_") for name in schema.resources}
    assert {f"resources/{name}.md" for name in short} <= paths
    count = len(schema.resources) + len(schema.data_sources) + len(schema.ephemeral_resources)
    assert len(paths) == 1 + count + len(schema.functions)


def test_links_lead_to_nested_schemas(tmp_path: Path) -> None:
    links = 0
    for path, text in documentation_pages("nimbus", provider(), Project(tmp_path, {})):
        anchors = re.findall(r'<a id="([^"]+)"></a>', text)
        targets = re.findall(r"\(#([^)]+)\)", text)
        assert sorted(targets) == sorted(anchors), path
        links += len(targets)
    assert links > 20


@pytest.mark.parametrize(
    ("attribute", "line"),
    [
        (Attribute(STRING, required=True), "- `a` (String)"),
        (Attribute(STRING, optional=True, sensitive=True), "- `a` (String, Sensitive)"),
        (
            Attribute(STRING, optional=True, deprecated=True, deprecation_message="Use b."),
            "- `a` (String, Deprecated) **Deprecated:** Use b.",
        ),
        (
            Attribute(ListType(ObjectType({"b": NUMBER})), computed=True, description="All. "),
            "- `a` (List of Object) All. (see [below for nested schema](#nestedatt--a))",
        ),
    ],
)
def test_lines_of_attributes(attribute: Attribute, line: str) -> None:
    assert line in schema_section(Block({"a": attribute})).splitlines()


@pytest.mark.parametrize(
    ("nested", "line"),
    [
        (
            NestedBlock(Block(), NestingMode.LIST, min_items=1, max_items=3),
            "(Block List, Min: 1, Max: 3)",
        ),
        (NestedBlock(Block(), NestingMode.SINGLE), "(Block, Optional)"),
        (NestedBlock(Block(deprecated=True), NestingMode.MAP), "(Block Map, Deprecated)"),
        (
            NestedBlock(Block({"b": Attribute(STRING, computed=True)}), NestingMode.SET),
            "### Read-Only",
        ),
    ],
)
def test_lines_of_blocks(nested: NestedBlock, line: str) -> None:
    assert line in schema_section(Block(block_types={"a": nested}))


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        ('["map",["list","bool"]]', "Map of List of Boolean"),
        ('["tuple",["string"]]', "Tuple"),
        ('["set","dynamic"]', "Set of Dynamic"),
    ],
)
def test_names_of_types(type_: str, text: str) -> None:
    parsed: Type = parse_type(type_)
    assert type_text(parsed) == text


def test_functions() -> None:
    function = Function(
        STRING,
        (Parameter("parts", ListType(STRING), description="What to join."),),
        Parameter("rest", NUMBER, allow_null_value=True),
    )
    assert signature("join", function) == (
        "```text\njoin(parts list of string, rest number...) string\n```"
    )
    assert arguments(function) == (
        "1. `parts` (List of String) What to join.\n1. `rest` (Variadic, Number, Nullable)"
    )


def test_examples_and_imports(tmp_path: Path) -> None:
    write(tmp_path, "examples/provider/provider.tf", 'provider "nimbus" {}')
    folder = "examples/resources/nimbus_server"
    write(tmp_path, f"{folder}/resource.tf", 'resource "nimbus_server" "web" {}')
    write(tmp_path, f"{folder}/resource_disks.tf", "# with disks")
    write(tmp_path, f"{folder}/import.sh", "tofu import nimbus_server.web 7")
    write(tmp_path, f"{folder}/import-by-identity.tf", "# by identity")
    identity = IdentitySchema({"zone": IdentityAttribute(STRING, required_for_import=True)})
    server = Schema(Block({"name": Attribute(STRING, required=True)}))
    schema = ProviderSchema(
        resources={"nimbus_server": server}, identities={"nimbus_server": identity}
    )
    text = page(tmp_path, "resources/server.md", schema)
    assert text.index("## Example Usage") < text.index("# with disks") < text.index("## Schema")
    assert "```shell\ntofu import nimbus_server.web 7\n```" in text
    assert "#### Required\n\n- `zone` (String)" in text
    assert 'provider "nimbus" {}' in page(tmp_path, "index.md")


def test_templates_and_subcategories(tmp_path: Path) -> None:
    assert 'subcategory: "Compute"' in page(tmp_path, "resources/server.md")
    write(tmp_path, "templates/resources.md.j2", "all: {{ name }}")
    write(tmp_path, "templates/resources/server.md.j2", "own: {{ schema }}")
    write(tmp_path, "templates/guides/upgrade.md", "# Upgrade")
    write(tmp_path, "templates/guides/start.md.j2", "# Start with {{ provider }}")
    assert page(tmp_path, "resources/server.md").startswith("own: ## Schema")
    assert page(tmp_path, "resources/bucket.md") == "all: nimbus_bucket\n"
    assert page(tmp_path, "guides/upgrade.md") == "# Upgrade"
    assert page(tmp_path, "guides/start.md") == "# Start with nimbus\n"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{% if %}", r"resources/server.md.j2, line 1: "),
        ("{{ nmae }}", r"resources/server.md.j2: 'nmae' is undefined"),
    ],
)
def test_bad_templates(tmp_path: Path, template: str, message: str) -> None:
    write(tmp_path, "templates/resources/server.md.j2", template)
    with pytest.raises(TemplateError, match=message):
        page(tmp_path, "resources/server.md")


def test_names_that_are_no_file_names(tmp_path: Path) -> None:
    schema = ProviderSchema(resources={"../x": Schema(Block())})
    with pytest.raises(Exception, match=r"expected letters, digits"):
        page(tmp_path, "resources/x.md", schema)
