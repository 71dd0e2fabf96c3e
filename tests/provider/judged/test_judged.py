"""What this library computes and checks for a core is what the cores themselves do.

Random cases go to both. `JUDGED_SEED` tries others.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.counterparts.cores import Core, for_each_core, need_core
from tests.provider.judged.cases import PARTS, Case, random_case, settled_case
from tests.provider.judged.core import judge, proposed
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.result_checks import result_faults
from tofutypes.provider.objchange.traversal import same
from tofutypes.provider.objchange.unchanged import is_unchanged

SEED = int(os.environ.get("JUDGED_SEED", "0"))
CASES = 200

pytestmark = for_each_core


@pytest.fixture(autouse=True)
def _core_is_there(core: Core) -> None:
    need_core(core)


def _cases(*, unknown: bool) -> list[Case]:
    random = Random(SEED)
    return [random_case(random, f"c{number}", unknown=unknown) for number in range(CASES)]


def _tell(case: Case, ours: list[str], theirs: list[str]) -> str:
    return f"{case}\n\nours: {ours}\n\nthe core's: {theirs}"


def test_plans_are_judged_as_the_core_judges_them(core: Core, tmp_path: Path) -> None:
    cases = _cases(unknown=True)
    said = judge(core, cases, tmp_path, ["plan", "-refresh=false"])
    assert said.keys() == {case.name for case in cases}  # nothing else went wrong
    for case in cases:
        assert same(case.proposed, proposed(case, tmp_path)), case
        faults = plan_faults(PARTS, case.prior, case.config, case.planned)
        ours = [str(each) for each in faults]
        assert bool(ours) == bool(said[case.name]), _tell(case, ours, said[case.name])
    assert 50 < sum(map(bool, said.values())) < CASES - 50


def test_the_core_takes_the_prior_state_for_a_plan_where_nothing_changes(
    core: Core, tmp_path: Path
) -> None:
    random = Random(SEED)
    cases = [settled_case(random, f"c{number}") for number in range(CASES)]
    said = judge(core, cases, tmp_path, ["plan", "-refresh=false"])
    settled = [case for case in cases if is_unchanged(PARTS, case.prior, case.config)]
    assert [case for case in settled if said[case.name]] == []
    assert sum(not same(case.proposed, case.prior) for case in settled) > 10
    assert len(settled) > CASES // 2


def test_results_are_judged_as_the_core_judges_them(core: Core, tmp_path: Path) -> None:
    cases = _cases(unknown=False)
    said = judge(core, cases, tmp_path, ["apply", "-auto-approve", "-refresh=false"])
    assert said.keys() == {case.name for case in cases}
    for case in cases:
        ours = [str(each) for each in result_faults(PARTS, case.planned, case.result)]
        assert bool(ours) == bool(said[case.name]), _tell(case, ours, said[case.name])
    assert 50 < sum(map(bool, said.values())) < CASES - 50
