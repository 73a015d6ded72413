"""A repair that is called certain cures its problem, and brings no other: tried on every case of the catalogue."""

import pytest
from test_catalogue import CASES, Case, Make, built

from tenure.problems import Problem
from tenure.sources.edits import plan_changes


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}-{case.title}" for case in CASES])
def test_certain_repairs_remove_the_problem(case: Case, site: Make) -> None:
    sources = site(case.sources)
    result = built(case, lambda _: sources).build
    repairable = [problem for problem in (*result.problems, *result.notes) if problem.edits]
    changes, _ = plan_changes(sources.root, [problem.edits for problem in repairable])
    if not changes:
        return
    for change in changes:
        change.path.write_bytes(change.new_bytes)
    after = sources.build().build
    left = [same(problem) for problem in (*after.problems, *after.notes)]
    assert not {same(problem) for problem in repairable} & {*left}, [
        problem.message for problem in after.problems
    ]
    assert len(after.problems) + len(after.notes) <= len(result.problems) + len(result.notes)


def same(problem: Problem) -> tuple[str, str, str]:
    """What a problem is, wherever it is."""
    return problem.place.file, problem.code, problem.message
