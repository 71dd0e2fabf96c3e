"""Places of exceptions in messages: those in the code of the author."""

from __future__ import annotations

import traceback

import pytest

from tofutypes.provider.server import reporting

SITE = "/venv/lib/python3.13/site-packages"


def test_the_library_is_not_the_authors_code_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reporting, "_PYTHON", "/venv/lib/python3.13")
    monkeypatch.setattr(reporting, "_LIBRARY", f"{SITE}/tofutypes/")
    stack = [
        (f"{SITE}/tofutypes/provider/server/calls.py", 1, "call", None),
        (f"{SITE}/ferry/handlers.py", 2, "create", None),
        ("/venv/lib/python3.13/pathlib.py", 3, "open", None),
        (f"{SITE}/tofutypes/models/model.py", 4, "load", None),
    ]
    of_author = traceback.StackSummary.from_list(stack)
    assert reporting.author_place(of_author) == f" ({SITE}/ferry/handlers.py, line 2)"
    of_library = traceback.StackSummary.from_list(stack[:1] + stack[2:])
    assert reporting.author_place(of_library) == ""
