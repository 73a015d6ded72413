"""Problems: how they are stored, and how they are formatted for people, programs and GitHub."""

import re

import pytest

from tenure.problems import MAX_EXCERPT_WIDTH, PROBLEM_CODES, Place, Problem, Problems, format_problem


def create_problem(
    excerpt: str = "", column: int = 0, length: int = 0, hint: str = "", line: int = 3
) -> Problem:
    place = Place("content/talks.yaml", line, column, length)
    return Problem(place, "error", "unknown-key", "the key is wrong", hint, excerpt)


@pytest.mark.parametrize("before", [0, 17, 18, 49, 53, 200])
@pytest.mark.parametrize("after", [0, 5, 36, 200])
def test_a_long_line_is_cut_around_the_mistake(before: int, after: int) -> None:
    _, line, caret = format_problem(create_problem("a" * before + "@@@" + "z" * after, before + 1, 3)).split(
        "\n"
    )
    assert max(len(line), len(caret)) <= MAX_EXCERPT_WIDTH
    assert [i for i, sign in enumerate(caret) if sign == "^"] == [
        i for i, sign in enumerate(line) if sign == "@"
    ]
    assert line.count("@") == 3
    assert line.count("…") == ("a" * before not in line) + ("z" * after not in line)


def test_problems_are_sorted_by_place_without_duplicates() -> None:
    problems = Problems()
    for name, line in (("b.yaml", 1), ("a.yaml", 10), ("a.yaml", 9), ("b.yaml", 1)):
        problems.report("unknown-key", Place(name, line, 1), "wrong")
    assert [str(p.place) for p in problems.sorted_problems()] == ["a.yaml:9:1", "a.yaml:10:1", "b.yaml:1:1"]


def test_warnings_can_be_ignored_and_errors_cannot() -> None:
    problems = Problems()
    for code in ("bib-syntax", "bib-unknown", "unknown-key"):
        problems.report(code, Place("a"), "wrong")
    reported = problems.sorted_problems(ignore=["bib-syntax", "unknown-key"])
    assert sorted(p.code for p in reported) == ["bib-unknown", "unknown-key"]


def test_a_text_is_found_in_the_first_file_and_a_pattern_in_a_given_one() -> None:
    problems = Problems()
    problems.add_source("z.md", "b.png")
    problems.add_source("a.md", "abc\n![b.png](b.png)")
    assert problems.find_text("b.png") == Place("a.md", 2, 3, 5)
    assert problems.find_text("a.c") is None  # a text, no pattern
    assert [*problems.find_places("b.png", "z.md")] == [Place("z.md", 1, 1, 5)]
    assert not [*problems.find_places("b.png", "x.md")]


def test_codes_are_words_with_hyphens() -> None:
    assert [code for code in PROBLEM_CODES if not re.fullmatch("[a-z-]+", code)] == []
    assert [when for _, when in PROBLEM_CODES.values() if when != when.strip(" .")] == []
