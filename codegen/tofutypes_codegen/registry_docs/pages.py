"""The pages of a provider's documentation, in the layout that registries read.

    index.md
    resources/server.md           and data-sources, ephemeral-resources, functions
    guides/upgrade.md             the project's own, from templates/guides

Source of the layout: the registries' documentation ("Provider Documentation"); examples are looked
for where terraform-plugin-docs looks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import jinja2

from tofutypes.errors import TofuTypesError
from tofutypes.schema import Block, Function, ProviderSchema, Schema
from tofutypes_codegen.registry_docs.functions import arguments, signature
from tofutypes_codegen.registry_docs.schema_section import identity_section, schema_section

_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP: Final = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)|^#+ +", re.MULTILINE)
_ADMONITION: Final = "This {} is deprecated."


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page.

    Attributes:
        title: What the page calls the thing.
        folder: The folder of the pages, and of their templates.
        examples: The folder of the examples.
        example: The name of the example file, without its ending.
    """

    title: str
    folder: str
    examples: str
    example: str


RESOURCE: Final = Kind("Resource", "resources", "resources", "resource")
DATA_SOURCE: Final = Kind("Data Source", "data-sources", "data-sources", "data-source")
EPHEMERAL: Final = Kind(
    "Ephemeral Resource", "ephemeral-resources", "ephemeral-resources", "ephemeral-resource"
)
LIST: Final = Kind("List Resource", "list-resources", "list-resources", "list-resource")
ACTION: Final = Kind("Action", "actions", "actions", "action")
FUNCTION: Final = Kind("function", "functions", "functions", "function")


class TemplateError(TofuTypesError):
    """A template of the project cannot be rendered."""


@dataclass(frozen=True, slots=True)
class Project:
    """Where a project keeps what its authors write.

    Attributes:
        folder: The folder of the project, with `templates` and `examples`.
        subcategories: The subcategory of resources and other types, by type name.
    """

    folder: Path
    subcategories: Mapping[str, str]


def documentation_pages(
    name: str, provider: ProviderSchema, project: Project
) -> Iterator[tuple[PurePosixPath, str]]:
    """Render all pages of a provider.

    Args:
        name: The short name of the provider, `nimbus`.
        provider: Its schemas.
        project: The project with the templates and examples.

    Yields:
        The path below the documentation folder, and the text of the page.

    Raises:
        TemplateError: If a template cannot be rendered; the message names file and line.
    """
    writer = _Writer(name, provider, project)
    yield PurePosixPath("index.md"), writer.index()
    kinds: tuple[tuple[Kind, Mapping[str, Schema]], ...] = (
        (RESOURCE, provider.resources),
        (DATA_SOURCE, provider.data_sources),
        (EPHEMERAL, provider.ephemeral_resources),
        (LIST, provider.list_resources),
        (ACTION, provider.actions),
    )
    for kind, schemas in kinds:
        for type_name, schema in sorted(schemas.items()):
            yield writer.path(kind, type_name), writer.page(kind, type_name, schema)
    for function_name, function in sorted(provider.functions.items()):
        yield (
            writer.path(FUNCTION, function_name),
            writer.function_page(function_name, function),
        )
    yield from writer.guides()


class _Writer:
    """Renders the pages of one provider."""

    def __init__(self, name: str, provider: ProviderSchema, project: Project) -> None:
        self._name = name
        self._provider = provider
        self._project = project
        own = jinja2.FileSystemLoader(project.folder / "templates")
        ours = jinja2.PackageLoader("tofutypes_codegen", "registry_docs/templates")
        self._templates = jinja2.Environment(
            loader=jinja2.ChoiceLoader([own, ours]),
            autoescape=False,  # the pages are Markdown, not HTML
            keep_trailing_newline=True,
            undefined=jinja2.StrictUndefined,
        )

    def path(self, kind: Kind, name: str) -> PurePosixPath:
        return PurePosixPath(kind.folder, f"{self._short(name)}.md")

    def index(self) -> str:
        schema = self._provider.provider
        block = Block() if schema is None else schema.block
        return self._render(
            ["index.md.j2"],
            provider=self._name,
            **_descriptions(block),
            schema=schema_section(block),
            examples=self._examples("provider", "provider"),
        )

    def page(self, kind: Kind, name: str, schema: Schema) -> str:
        block, examples = schema.block, f"{kind.examples}/{name}"
        identity = self._provider.identities.get(name) if kind is RESOURCE else None
        deprecation = block.deprecation_message
        if block.deprecated and not deprecation:
            deprecation = _ADMONITION.format(kind.title.lower())
        return self._render(
            self._templates_of(kind, name, "resource"),
            provider=self._name,
            name=name,
            kind=kind.title,
            subcategory=self._project.subcategories.get(name, ""),
            **_descriptions(block),
            deprecated=deprecation,
            schema=schema_section(block),
            examples=self._examples(examples, kind.example),
            import_command=self._example(f"{examples}/import.sh"),
            import_block=self._example(f"{examples}/import-by-string-id.tf"),
            import_identity=self._example(f"{examples}/import-by-identity.tf"),
            identity_schema="" if identity is None else identity_section(identity),
        )

    def function_page(self, name: str, function: Function) -> str:
        summary = function.summary or function.description
        return self._render(
            self._templates_of(FUNCTION, name, "function"),
            provider=self._name,
            name=name,
            subcategory=self._project.subcategories.get(name, ""),
            summary=_front_matter(summary),
            description=(function.description or function.summary or "").strip(),
            deprecated=function.deprecation_message,
            signature=signature(name, function),
            arguments=arguments(function),
            examples=self._examples(f"functions/{name}", "function"),
        )

    def guides(self) -> Iterator[tuple[PurePosixPath, str]]:
        """The guides of the project: copied, or rendered if their names end in `.j2`."""
        folder = self._project.folder / "templates" / "guides"
        for file in sorted(folder.glob("*.md*")):
            path = PurePosixPath("guides", file.name.removesuffix(".j2"))
            if file.suffix == ".j2":
                yield path, self._render([f"guides/{file.name}"], provider=self._name)
            elif file.suffix == ".md":
                yield path, file.read_text(encoding="utf-8")

    def _templates_of(self, kind: Kind, name: str, fallback: str) -> list[str]:
        """The templates that may render a page, the most special one first."""
        short = self._short(name)
        return [f"{kind.folder}/{short}.md.j2", f"{kind.folder}.md.j2", f"{fallback}.md.j2"]

    def _render(self, templates: list[str], **values: object) -> str:
        try:
            text = self._templates.select_template(templates).render(values)
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(f"{error.name}, line {error.lineno}: {error.message}") from None
        except jinja2.TemplateError as error:
            raise TemplateError(f"{templates[0]}: {error.message}") from None
        return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"

    def _examples(self, folder: str, name: str) -> list[str]:
        """The text of `NAME.tf` and of further examples `NAME_*.tf`."""
        place = self._project.folder / "examples" / folder
        files = [place / f"{name}.tf", *sorted(place.glob(f"{name}_*.tf"))]
        return [text for file in files if (text := _text_of(file))]

    def _example(self, path: str) -> str:
        return _text_of(self._project.folder / "examples" / path)

    def _short(self, name: str) -> str:
        """The name without that of the provider: `server` of `nimbus_server`."""
        if _NAME.fullmatch(name) is None:
            raise TofuTypesError(f"{name!r}: expected letters, digits, `_` and `-` in a name")
        return name.removeprefix(f"{self._name}_")


def _descriptions(block: Block) -> dict[str, str]:
    return {
        "summary": _front_matter(block.description),
        "description": (block.description or "").strip(),
    }


def _front_matter(text: str | None) -> str:
    """A description as the indented text of a YAML block: without links and marks of Markdown."""
    plain = _MARKUP.sub("", _LINK.sub(r"\1", (text or "").strip()))
    lines = [line.strip() for line in plain.splitlines()]
    return "\n".join(f"  {line}" for line in lines if line) or "  "


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
