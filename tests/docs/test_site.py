"""The site builds, its links lead somewhere, and its reference is complete."""

import re
import shutil
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import tofutypes

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONFIG = ROOT / "zensical.toml"
SOURCES = ("tofutypes", "codegen")


class Page(HTMLParser):
    """The links of a page of the site, and what they can point to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src", "data"):
                self.links.append(value)
            elif value and name in ("id", "name"):
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. A build writes beside its configuration, so that is copied."""
    folder = tmp_path_factory.mktemp("site")
    for path in (CONFIG, ROOT / "CHANGELOG.md"):
        shutil.copy(path, folder)
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    for name in SOURCES:
        (folder / name).symlink_to(ROOT / name)
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    result = subprocess.run(build, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, re.sub("\x1b\\[[0-9;]*m", "", result.stdout + result.stderr)
    return folder / "site"


def test_every_page_is_in_the_navigation() -> None:
    navigation = tomllib.loads(CONFIG.read_text())["project"]["nav"]
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert set(_pages_of(navigation)) == pages


def test_what_is_copied_has_no_prompts() -> None:
    """Commands stand in `sh` blocks without prompts; what they print is in `text` blocks."""
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        text = page.read_text()
        assert "```console" not in text, page
        assert not re.search(r"^```sh\n(?:(?!```).*\n)*?\$ ", text, re.MULTILINE), page


def test_every_link_leads_to_a_file_and_an_anchor(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    broken = [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        if path.name != "404.html"  # its links are those of the root, wherever it is shown
        for link in page.links
        if not re.match(r"[a-z]+:", link) and not _leads_somewhere(link, path, pages)
    ]
    assert not broken
    assert any(page.links for page in pages.values())


def test_the_reference_has_every_public_name(site: Path) -> None:
    described = _described(site)
    assert [name for name in tofutypes.__all__ if f"tofutypes.{name}" not in described] == []


def test_the_site_loads_nothing_from_other_servers(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text()
        loaded = re.findall(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"?http[^>]*>", text)
        assert not [tag for tag in loaded if 'rel="canonical"' not in tag], page
        # A link with this mark has a script ask GitHub about the repository.
        assert 'data-md-component="source"' not in text, page


def _pages_of(navigation: object) -> Iterator[str]:
    match navigation:
        case str():
            yield navigation
        case list():
            for entry in navigation:
                yield from _pages_of(entry)
        case dict():
            yield from _pages_of(list(navigation.values()))
        case _:
            raise TypeError(navigation)


def _leads_somewhere(link: str, path: Path, pages: dict[Path, Page]) -> bool:
    place, anchor = urldefrag(unquote(link))
    target = (path.parent / place).resolve() if place else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return False
    return not anchor or target not in pages or anchor in pages[target].anchors


def _described(site: Path) -> set[str]:
    """The names with an entry in the reference, from the inventory that Sphinx would read too."""
    _, _, _, _, entries = (site / "objects.inv").read_bytes().split(b"\n", 4)
    return {line.split()[0] for line in zlib.decompress(entries).decode().splitlines()}
