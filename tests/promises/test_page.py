"""The page of promises names only existing tests."""

import re

from conftest import ROOT

PAGE = (ROOT / "docs/content/pages/promises.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([RS]\d+) \| ([^|]+) \| (.+) \|$", PAGE, re.MULTILINE)
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_every_promise_has_a_sentence_and_a_test_that_exists() -> None:
    assert [number for number, _, _ in ROWS] == [
        *(f"R{n}" for n in range(1, 15)),
        *(f"S{n}" for n in range(1, 15)),
    ]
    for number, promise, tests in ROWS:
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, number
        assert set(named) <= TESTS, f"{number}: {set(named) - TESTS}"
        assert promise.strip().endswith("."), number


def test_every_test_with_the_number_of_a_promise_is_on_the_page() -> None:
    numbers = {number for number, _, _ in ROWS}
    numbered = [re.match(r"test_([rs])(\d\d)_", name) for name in TESTS]
    assert {f"{match[1].upper()}{int(match[2])}" for match in numbered if match} <= numbers
