"""The demo runs, and shows what it is there to show."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SHOWN = [
    "class NimbusServer(Resource",
    "→ NimbusServer(addresses=Unknown(min_length=1)",
    "password=(sensitive)",
    "size_gb=Decimal('0.5')",
    "bytes: de 00 15 a9",
    "→ 0.1",
    "→ ValidationError: network_interface[0].ingres: unknown attribute",
    "→ DecodeError",
    "→ UnknownValueError",
]


@pytest.fixture(scope="module")
def shown() -> str:
    demo = [sys.executable, str(ROOT / "examples" / "demo.py")]
    result = subprocess.run(demo, capture_output=True, text=True, check=False, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("text", SHOWN)
def test_the_demo_shows(shown: str, text: str) -> None:
    assert text in shown


def test_the_demo_shows_no_secret(shown: str) -> None:
    # It stands there once, where it is set.
    assert shown.count("correct horse battery staple") == 1


def test_the_demo_comes_back_to_where_it_began(shown: str) -> None:
    # The MessagePack, then the schema.
    assert shown.count("\n→ True\n") == 2
