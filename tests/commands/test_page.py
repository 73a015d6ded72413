"""Each promise of the documentation has a test, whose name begins with the number of the promise."""

import re

from conftest import ROOT

PAGE = (ROOT / "docs/content/pages/promises.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([RS]\d+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
OTHER_TESTS = {
    "R1": "test_a_publication_that_is_killed_at_any_step_is_repaired_by_the_next",
    "S6": "test_twice_the_text_is_twice_the_work",
}
"""The tests of promises whose names have no number, because they hold more than the promise."""


def test_every_promise_has_a_sentence_and_a_test() -> None:
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    numbers = {
        f"{match[1].upper()}{int(match[2])}"
        for match in (re.match(r"test_([rs])(\d\d)_", name) for name in tests)
        if match
    }
    assert set(OTHER_TESTS.values()) <= tests
    assert [number for number, _ in ROWS] == [
        *(f"R{n}" for n in range(1, 15)),
        *(f"S{n}" for n in range(1, 15)),
    ]
    assert {number for number, _ in ROWS} == numbers | set(OTHER_TESTS)
    assert [number for number, promise in ROWS if not promise.strip().endswith(".")] == []
