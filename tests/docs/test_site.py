"""The documentation builds, and every link in it leads somewhere."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_site_builds(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    result = subprocess.run(
        [*build, "--site-dir", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "index.html").is_file()
