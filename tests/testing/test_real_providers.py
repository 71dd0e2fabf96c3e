"""The property kit on providers that others wrote, in Go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.counterparts import need
from tofutypes.provider import Executable, Mux
from tofutypes.testing import check_provider

LENGTHS = {"length": st.integers(1, 20)}

# What their schemas do not say of valid configurations, and what an import cannot find.
PROVIDERS: Mapping[str, Mapping[str, Any]] = {
    "random": {
        "resources": ["random_id", "random_pet", "random_bytes", "random_uuid"],
        "configurations": {
            "random_bytes": LENGTHS,
            "random_id": {"byte_length": st.integers(1, 20)},
            "random_pet": LENGTHS,
        },
        "import_ids": dict.fromkeys(["random_bytes", "random_id", "random_pet"], lambda _: None),
        "ignore_after_import": {"random_uuid": ["keepers"]},
    },
    "framework": {  # ours, with all that Go's framework has
        "resources": ["framework_thing"],
        "configurations": {
            "framework_thing": {
                "name": st.text("abc", min_size=1, max_size=3),
                "small": st.integers(-5, 5),
                "whole": st.integers(-(2**40), 2**40),
                "single": st.sampled_from([0.5, 0.25, 1]),
                "double": st.sampled_from([0.5, 1e300, -2.25]),
                "text": st.sampled_from([None, "a", "b"]),  # others are refused, or gone
                "protected": st.none(),
                "postpone": st.none(),
            }
        },
        "import_ids": {"framework_thing": lambda _: None},
    },
    "time": {
        "resources": ["time_static"],
        "configurations": {"time_static": {"rfc3339": st.just("2026-01-02T03:04:05Z")}},
        # An import sets `triggers` to an empty map, so that the next plan replaces the object
        # (observed, hashicorp/time 0.14.2).
        "import_ids": {"time_static": lambda _: None},
    },
}


@pytest.mark.parametrize("name", PROVIDERS)
def test_providers_in_go(name: str) -> None:
    program = need(f"terraform-provider-{name}")
    report = check_provider(program, lives=8, **PROVIDERS[name])
    assert report.resources.keys() == set(PROVIDERS[name]["resources"])
    assert all(resource.lives >= 8 for resource in report.resources.values()), str(report)


def test_a_provider_in_go_as_a_part_of_another() -> None:
    mux = Mux(Executable(need("terraform-provider-framework")), address="a.example/b/framework")
    report = check_provider(mux, lives=8, **PROVIDERS["framework"])
    assert report.resources["framework_thing"].lives >= 8, str(report)
