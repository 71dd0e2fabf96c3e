"""Log lines as the core reads them."""

from __future__ import annotations

import io
import json
import logging
import re

import pytest

from tofutypes.provider import mask_log_fields, mask_log_values
from tofutypes.provider.server import logs
from tofutypes.provider.server.logs import CoreFormatter, wanted_level


def line_of(level: int, message: str, **extra: object) -> dict[str, object]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(CoreFormatter())
    logger = logging.Logger("toy.boxes", logging.DEBUG)
    logger.addHandler(handler)
    logger.log(level, message, extra=extra)
    (line,) = stream.getvalue().splitlines()
    found: dict[str, object] = json.loads(line)
    return found


@pytest.mark.parametrize(
    ("level", "name"),
    [(5, "debug"), (10, "debug"), (20, "info"), (30, "warn"), (40, "error"), (50, "error")],
)
def test_lines(level: int, name: str) -> None:
    line = line_of(max(level, 10), "made\nit", box="b", count=3)
    if level >= 10:
        assert line["@level"] == name
    assert (line["@message"], line["@module"]) == ("made\nit", "toy.boxes")
    assert (line["box"], line["count"]) == ("b", 3)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", str(line["@timestamp"]))


def test_nothing_said_can_break_the_core() -> None:
    line = line_of(logging.INFO, "a" * 100_000, **{"@level": 3, "thing": object()})
    assert line["@level"] == "info"  # of another type it would end Terraform
    assert len(str(line["@message"])) < 40_000
    assert str(line["thing"]).startswith("<object object")


@pytest.mark.parametrize(
    ("environment", "level"),
    [
        ({}, logging.WARNING),
        ({"TF_LOG": "INFO"}, logging.INFO),
        ({"TF_LOG": "JSON"}, logging.DEBUG),
        ({"TF_LOG": "ERROR", "TF_LOG_PROVIDER": "trace"}, logging.DEBUG),
        ({"TF_LOG_PROVIDER": "DEBUG", "TF_LOG_PROVIDER_MY_TOY": "ERROR"}, logging.ERROR),
        ({"TF_LOG_PROVIDER_OTHER": "DEBUG", "TF_LOG": "off"}, logging.CRITICAL + 1),
        ({"TF_LOG": "nonsense"}, logging.DEBUG),
    ],
    ids=str,
)
def test_the_level(environment: dict[str, str], level: int) -> None:
    assert wanted_level("my-toy", environment) == level


def test_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_masked_fields", set())
    monkeypatch.setattr(logs, "_masked_values", set())
    mask_log_fields("password")
    mask_log_values("hunter2", "")
    line = line_of(
        20,
        "token hunter2",
        password="swordfish",
        nested={"password": 1, "hunter2": ["a hunter2"]},
        count=3,
    )
    assert line["@message"] == "token ***"
    assert line["password"] == "***"
    assert line["nested"] == {"password": "***", "***": ["a ***"]}
    assert line["count"] == 3
