"""`python -m tests.typing` writes the golden texts of the type checkers anew."""

from tests.typing.checkers import GOLDEN_TEXTS, HERE

for name, make in GOLDEN_TEXTS.items():
    (HERE / name).write_text(make(), encoding="utf-8")
