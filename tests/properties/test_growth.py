"""The time of converting a text is proportional to its size: twice as much of any syntax takes twice as long."""

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from conftest import Make
from pieces import read_pieces

from tenure.exports.cv.tree_writer import MAX_LEVELS, convert_blocks
from tenure.exports.cv.typst_data import write_blocks
from tenure.html.link_check import check_links
from tenure.html.source_places import SourcePlaces
from tenure.html.urls import FinishedPage
from tenure.markdown.blocks import ENGLISH_LABELS
from tenure.markdown.converter import convert_markdown
from tenure.markdown.html import make_slug, plain_text, render_markdown
from tenure.model.files import FileIndex
from tenure.problems import Problems, find_similar_word
from tenure.publish import Artifact
from tenure.sources.bibtex.reader import read_bibtex


def count_lines(function: Callable[[], object]) -> int:
    """Return the number of lines of Python that a call executes."""
    steps = 0

    def count_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        del frame, argument
        steps += event == "line"
        return count_line

    sys.settrace(count_line)
    try:
        function()
    finally:
        sys.settrace(None)
    return steps


def count_steps(text: str) -> int:
    """Return the number of lines of Python that converting a text executes."""

    def convert_page_text() -> None:
        convert_markdown(text, "page", ENGLISH_LABELS, make_slug)

    convert_page_text()
    return count_lines(convert_page_text)


@pytest.mark.parametrize("repeated", read_pieces("growth: repeated"))
def test_twice_the_text_is_twice_the_work(repeated: str) -> None:
    count = 300 // len(repeated)
    assert count_steps(repeated * 2 * count) < 2.3 * count_steps(repeated * count) + 1000


@pytest.mark.parametrize("count", [40, 80])
def test_many_abbreviations_and_footnotes_take_the_same_work_each(count: int) -> None:
    def format_abbreviations(number: int) -> str:
        return "".join(map("*[A{0}x]: b\n\nA{0}x[^{0}]\n\n[^{0}]: c\n\n".format, range(number)))

    assert count_steps(format_abbreviations(2 * count)) < 2.3 * count_steps(format_abbreviations(count))


def check_wrong_links(count: int) -> int:
    """Return the number of lines executed by a check of a page with many broken links, ids and images, each in its own source."""
    problems = Problems()
    for number in range(count):
        text = f'[a](a{number}.pdf) ![](i{number}.png) <img src="j{number}.png"> <b id="x{number}"> <b id="x{number}"> [b](/publications/p{number}/)'
        problems.add_source(f"content/pages/{number}.md", text)
    urls = [url for n in range(count) for url in (f"../a{n}.pdf", f"../publications/p{n}/")]
    images = [f'<img src="{name}{n}.png">' for n in range(count) for name in "ij"]
    ids = [f"x{n // 2}" for n in range(2 * count)]
    page = FinishedPage(Artifact("x/index.html", b""), tuple(urls), frozenset(), tuple(ids), tuple(images))
    paths = [path for n in range(count) for path in (f"files/paper{n}.pdf", f"talks/talk{n}/index.html")]
    artifacts = [page.artifact, *(Artifact(path, b"") for path in paths)]
    arguments = [page], artifacts, FileIndex(paths), problems, SourcePlaces(problems, None)
    lines = count_lines(lambda: check_links(*arguments))
    reported = {(p.code, p.place.line) for p in problems.sorted_problems()}
    assert reported == {("broken-link", 1), ("missing-alt", 1), ("duplicate-anchor", 1)}
    assert len(problems.sorted_problems()) == 5 * count
    return lines


def test_twice_as_many_wrong_links_take_twice_the_work() -> None:
    check_wrong_links(1)
    assert check_wrong_links(320) < 2.8 * check_wrong_links(160)


def test_a_similar_word_is_found_among_many() -> None:
    paths = [*(f"files/paper{n}.pdf" for n in range(20_000)), "files/dissertation.pdf", "Files/Poster.PDF"]
    assert find_similar_word("files/disertation.pdf", paths) == "files/dissertation.pdf"
    assert find_similar_word("files/postr.pdf", paths) == "Files/Poster.PDF"
    assert find_similar_word("files/diss", paths) == "files/dissertation.pdf"
    assert find_similar_word("weather", paths) == ""


def test_twice_as_many_missing_commas_take_twice_the_work() -> None:
    def count_fields(count: int) -> int:
        lines = "".join(f"field{number} = {{a}}\n" for number in range(count))
        problems = Problems()
        text = f"@misc{{key, title = {{T}}\n{lines}}}\n"
        steps = count_lines(lambda: read_bibtex(text, "bib/a.bib", problems))
        assert problems.count() >= 1
        return steps

    count_fields(100)
    assert count_fields(400) < 2.3 * count_fields(200)


WRONG_REFERENCES = {
    "citations": ("about.md", "See [@unknown{}].\n", "unknown-citation"),
    "almost citations": ("about.md", "See @keyy{}.\n", "doubtful-citation"),
    "LaTeX citations": ("about.md", "See \\cite{{nokey}}.\n", "latex-citation"),
    "keys": ("publications.yaml", "- {{key: nokey{}, award: x}}\n", "unknown-publication"),
    "formulas": ("about.md", "See $\\frac{{a{}$.\n", "bad-formula"),
    "crossref": ("../bib/more.bib", "@misc{{more{0}, title = {{Of {0}}}, crossref = {{nokey{0}}}}}\n", "bib-missing-entry"),
    "files": ("../bib/more.bib", "@misc{{more{0}, title = {{Of {0}}}, pdf = {{none{0}.pdf}}}}\n", "missing-file"),
}  # fmt: skip
"""A file with many errors of one kind, and the code of each kind."""


@pytest.mark.parametrize("name", WRONG_REFERENCES)
def test_twice_as_many_wrong_references_take_twice_the_work(name: str, site: Make) -> None:
    file, line, code = WRONG_REFERENCES[name]

    def count_problems(count: int) -> int:
        entries = "".join(f"@misc{{key{number}, title = {{Title {number}}}}}\n" for number in range(count))
        wrong = "".join(line.format(number) for number in range(count))
        sources = site(f"-- bib/papers.bib --\n{entries}-- content/{file} --\n{wrong}")
        assert sources.build().codes.count(code) >= count * 0.9
        return count_lines(sources.build)

    assert count_problems(80) < 2.8 * count_problems(40)


def measure_depth(markup: str) -> int:
    """The depth of the brackets outside of strings."""
    depth = deepest = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*"', "", markup):
        depth += (sign == "[") - (sign == "]")
        deepest = max(deepest, depth)
    return deepest


DEEP = [
    *("\n".join("  " * level + "- a" for level in range(400)), "> " * 4000 + "a", "- " * 4000 + "a"),
    *("> - " * 2000 + "a", "\n".join("    " * level + ": a" for level in range(300)), "[^1]: " * 2000 + "a"),
    *("[" * 500 + "a" + "](b)" * 500, "![" * 500 + "a" + "](b)" * 500, "<b>" * 3000 + "a"),
]
DEEP_KINDS = "lists quotations items both definitions footnotes links images HTML".split()


@pytest.mark.parametrize("text", DEEP, ids=DEEP_KINDS)
def test_a_text_of_any_depth_is_shown(text: str) -> None:
    assert "last words" in plain_text(f"{text}\n\nlast words")
    assert "a" in render_markdown(text)
    markup = write_blocks(convert_blocks(render_markdown(f"{text}\n\nlast words", 3), str))
    assert "last words" in markup
    assert measure_depth(markup) <= MAX_LEVELS + 1


CHECKED_TEXTS = {
    "footnotes": ("content/about.md", "", "[^", ""),
    "images": ("content/about.md", "", "![", ""),
    "spaces in an image": ("content/about.md", "![](/absent.png)\n\n![](", " ", ""),
    "hyphens in YAML": ("content/talks.yaml", "title: x\n", "-  ", ""),
    "hyphens in front matter": ("content/posts/a.md", "---\ntitle: x\n", "-  ", "\n---"),
    "scripts": ("content/about.md", "a ", "<script> b\n", ""),
    "styles in YAML": ("content/news.yaml", "- date: 2024-01-01\n  text: '", "<style>", "'"),
    "code": ("content/about.md", "", "<code> b\n", ""),
    "comments in YAML": ("content/talks.yaml", "- {title: T, place: '<img src=\"https://a.example/x.png\">", "<!--", "'}"),
}  # fmt: skip
"""A file, its start, a text that is repeated, and the end: a search from each of its places to the end was slow."""


@pytest.mark.scheduled
@pytest.mark.parametrize("name", CHECKED_TEXTS)
def test_a_text_of_megabytes_is_checked_to_its_end(name: str, site: Make) -> None:
    """With a search from each place to the end, this takes hours."""
    file, start, repeated, end = CHECKED_TEXTS[name]
    built = site(f"-- {file} --\n{start}{repeated * 100_000}{end}\n").build()
    assert built.build.has_errors or "Ada Example" in built.read_page("/")


def test_macros_expand_to_a_limited_text() -> None:
    macros = "".join(f"@string{{k{n + 1} = k{n} # k{n}}}\n" for n in range(12))
    entries = "".join(f"@misc{{e{n}, title = {{Title {n}}}, abstract = k12}}\n" for n in range(2000))
    problems = Problems()
    text = f'@string{{k0 = "words of "}}\n{macros}{entries}'
    entries_read = read_bibtex(text, "bib/a.bib", problems).entries
    assert len(entries_read) == 2000
    assert sum(len(entry.mapping["abstract"].text) for entry in entries_read) < 2_200_000
    assert [problem.code for problem in problems.sorted_problems()] == ["bib-syntax"]
    assert "expand to more than 2,000,000 characters" in problems.sorted_problems()[0].message


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("about.md", "[@aa; @bb]\n\n"),
        ("about.md", "\\cite{{aa}} and [@aa{0}]\n\n"),
        ("news.yaml", '- {{date: 2024, text: "[@aa; @bb]"}}\n'),
    ],
)
def test_twice_as_many_unknown_citations_take_twice_the_work(file: str, line: str, site: Make) -> None:
    def count_build(count: int) -> int:
        lines = "".join(line.format(number) for number in range(count))
        sources = site(f"-- content/{file} --\n{lines}")
        assert "unknown-citation" in sources.build().codes
        return count_lines(sources.build)

    assert count_build(400) < 2.3 * count_build(200)
