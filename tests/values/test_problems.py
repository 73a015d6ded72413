"""Problems: how they are stored, and how they are formatted for people, programs and GitHub."""

import re

import pytest

from tenure.problems import (
    MAX_EXCERPT_WIDTH,
    PROBLEM_CODES,
    Place,
    Problem,
    Problems,
    find_similar_word,
    format_annotation,
    format_problem,
    format_suggestion,
)


def create_problem(
    excerpt: str = "", column: int = 0, length: int = 0, hint: str = "", line: int = 3
) -> Problem:
    place = Place("content/talks.yaml", line, column, length)
    return Problem(place, "error", "unknown-key", "the key is wrong", hint, excerpt)


@pytest.mark.parametrize(
    ("reported", "lines"),
    [
        (create_problem(hint="do this"), ["     do this"]),
        (create_problem("", 5, 1, "do this"), ["     do this"]),
        (create_problem("   ", 2, 1), []),
        (create_problem("a: b", 1), ["   3 | a: b", "     | ^"]),
        (create_problem("  titel: A", 3, 5, "title"), ["   3 |   titel: A", "     |   ^^^^^ title"]),
        # a tab is one character wide, as its column counts it
        (create_problem("\ta:\tb", 2, 1, line=1234), ["1234 |  a: b", "     |  ^"]),
        # a place past the end of its line
        (create_problem("a:", 9, 4), ["   3 | a:", "     |   ^"]),
    ],
)
def test_formatting(reported: Problem, lines: list[str]) -> None:
    first, *others = format_problem(reported).split("\n")
    assert (first, others) == (f"{reported.place}: error: the key is wrong", lines)


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


def test_wide_letters_have_a_caret_of_their_width() -> None:
    _, _, caret = format_problem(create_problem("标题: 错误", 1, 2)).split("\n")
    assert caret == "     | ^^^^"
    _, _, caret = format_problem(create_problem("标题: 错误", 5, 2)).split("\n")
    assert caret == "     |       ^^^^"


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


@pytest.mark.parametrize(
    ("word", "near"),
    [("titel", "title"), ("TITLE", "Title"), ("start_dat", "start"), ("xyzzy", ""), ("", "")],
)
def test_did_you_mean(word: str, near: str) -> None:
    known = ["Title", "organization", "start", "end"]
    assert find_similar_word(word, known).casefold() == near.casefold()


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("titel", ["title", "end"], 'did you mean "title"?'),
        ("xyzzy", ["title", "end"], "known here: end, title"),
        ("xyzzy", [], ""),
        ("xyzzy", [f"a{n}" for n in range(40)], ""),
    ],
)
def test_suggestion(word: str, known: list[str], hint: str) -> None:
    assert format_suggestion(word, known) == hint


@pytest.mark.parametrize(
    ("reported", "line"),
    [
        (
            create_problem("x", 2, 1, "do this"),
            "::error file=content/talks.yaml,line=3,col=2,title=unknown-key::the key is wrong (do this)",
        ),
        (
            Problem(Place("a.bib"), "warning", "bib-unknown", "wrong"),
            "::warning file=a.bib,title=bib-unknown::wrong",
        ),
        (
            Problem(Place("a:b,c%\n.md", 1), "error", "encoding", "50% of\r\n: a, b"),
            "::error file=a%3Ab%2Cc%25%0A.md,line=1,title=encoding::50%25 of%0D%0A: a, b",
        ),
    ],
)
def test_as_annotation(reported: Problem, line: str) -> None:
    assert format_annotation(reported) == line


def test_codes_are_words_with_hyphens() -> None:
    assert [code for code in PROBLEM_CODES if not re.fullmatch("[a-z-]+", code)] == []
    assert [when for _, when in PROBLEM_CODES.values() if when != when.strip(" .")] == []
