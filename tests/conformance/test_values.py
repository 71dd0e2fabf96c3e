"""Judged payloads: our own in the folder `vectors`, and the shared ones where they are at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.conformance.cases import GENERATED, Case, own_cases, shared_cases
from tests.conformance.routes import ROUTES, ByType, Route, fault_of

EXACT = "go-cty rounds to 512 bits, we keep every digit"
NEGATIVE_ZERO = "go-cty sorts sets of sets by a text with the sign of -0, which is written as 0"
TWO_KEYS = "two keys of a map are equal in NFC: go-cty takes either by chance, we the last"

# Where we differ from the judgement, by the number of the case; with the reason.
DEVIATIONS = {
    244: EXACT,
    245: EXACT,
    313: TWO_KEYS,
    2105: TWO_KEYS,
    2868: NEGATIVE_ZERO,
    3307: TWO_KEYS,
    4529: TWO_KEYS,
    6209: TWO_KEYS,
}


Record: TypeAlias = Callable[[str, object], None]
"""Pytest's `record_property`; `tests/conftest.py` prints what is recorded as `conformance`."""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: type(route).__name__)
def test_own_vectors(route: Route, record_property: Record) -> None:
    report(route, own_cases(), record_property)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: type(route).__name__)
def test_generated_payloads(route: Route, record_property: Record) -> None:
    report(route, shared_cases(GENERATED), record_property)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: type(route).__name__)
def test_shared_payloads(route: Route, shared: Path, record_property: Record) -> None:
    report(route, shared_cases(shared / "conformance" / "values.jsonl"), record_property)


def test_deviations_are_needed(shared: Path) -> None:
    cases = shared_cases(shared / "conformance" / "values.jsonl")
    numbered = {int(case.name.split()[0]): case for case in cases}
    for number in DEVIATIONS:
        assert fault_of(ByType(), numbered[number]), number


def report(route: Route, cases: Iterable[Case], record: Record) -> None:
    """Fail with every fault; tell how many cases of each kind there were."""
    judged = [case for case in cases if route.reads(case)]
    assert judged
    counts = Counter(case.must for case in judged)
    deviations = sum(map(deviates, judged))
    told = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("accept", "refuse", "unknown", "may"))
    record("conformance", told + (f"; {deviations} differ, by DEVIATIONS" if deviations else ""))
    faults = [
        f"{case.name}: {fault}"
        for case in judged
        if not deviates(case) and (fault := fault_of(route, case))
    ]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def deviates(case: Case) -> bool:
    number = case.name.split()[0]
    return number.isdecimal() and int(number) in DEVIATIONS
