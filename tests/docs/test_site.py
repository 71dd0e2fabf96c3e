"""The documentation builds, every link in it leads somewhere, and the reference is complete."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import tofutypes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    result = subprocess.run(
        [*build, "--site-dir", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def test_the_site_builds(site: Path) -> None:
    assert (site / "index.html").is_file()


def test_the_reference_has_every_public_name(site: Path) -> None:
    described = _described(site)
    assert [name for name in tofutypes.__all__ if f"tofutypes.{name}" not in described] == []


def test_the_site_asks_nothing_of_other_servers(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert 'src="http' not in text, page
        assert "fonts.googleapis.com" not in text, page


def _described(site: Path) -> set[str]:
    """The names with an entry in the reference, from the inventory that Sphinx would read too."""
    _, _, _, _, entries = (site / "objects.inv").read_bytes().split(b"\n", 4)
    return {line.split()[0] for line in zlib.decompress(entries).decode().splitlines()}
