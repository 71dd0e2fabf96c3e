"""Random types and payloads, judged by go-cty at once; `python -m tests.conformance` tries more."""

from __future__ import annotations

import pytest

from tests.conformance.go_cty import differences, judged_payloads, type_differences
from tests.counterparts import need


def test_random_types() -> None:
    if faults := [*type_differences(need("go-cty"), seed=0, count=1000)]:
        pytest.fail("\n".join(faults), pytrace=False)


def test_random_payloads() -> None:
    judged = [*judged_payloads(need("go-cty"), seed=0, count=1000)]
    accepted = sum("value" in each.answer for each in judged)
    assert 600 < accepted < 950
    faults = [f"{fault}\n  {each}" for each in judged for fault in differences(each)]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)
