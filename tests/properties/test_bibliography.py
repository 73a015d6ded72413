"""An error in one entry affects no other entry; any bytes can be read; TeX commands for letters become these letters."""

import re
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from conftest import scale_examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pieces import read_pieces

from tenure.model.entries import Publication
from tenure.problems import Problem, Problems, format_problem
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, inherit_fields, read_bibtex
from tenure.sources.publications.publication import build_publication
from tenure.sources.reading.files import read_source_text
from tenure.sources.reading.node import Node

quick = settings(max_examples=scale_examples(200))


@dataclass(frozen=True)
class Read:
    """The result for a text: its entries, their number, the publications and the problems."""

    entries: tuple[Node, ...]
    found: int
    papers: tuple[Publication, ...]
    reported: tuple[Problem, ...]

    @property
    def left_out(self) -> int:
        """Return how many entries are reported as left out."""
        ends = ("is left out", "this is not a BibTeX entry")
        return sum(problem.message.endswith(ends) for problem in self.reported)


def read_bib_text(text: str) -> Read:
    """Read a .bib file's text: its entries, publications and problems."""
    problems = Problems()
    problems.add_source("x.bib", text)
    bibliography = read_bibtex(text, "x.bib", problems)
    nodes = inherit_fields(bibliography.entries, problems)
    papers = tuple(build_publication(node, (), problems) for node in nodes)
    return Read(bibliography.entries, bibliography.entry_count, papers, problems.sorted_problems())


def list_written_fields(node: Node) -> dict[str, str]:
    """Return an entry's type, key and fields as they were written."""
    plain = {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
    return {"@": node.mapping[TYPE_KEY].text, "key": node.mapping[CITATION_KEY].text, **plain}


KINDS = st.sampled_from(["article", "inproceedings", "misc", "book", "software"])
WORDS = st.sampled_from([*read_pieces("bibliography: words"), *read_pieces("bibliography: words 2")])
VALUES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
NAMES = ["author", "year", "journal", "note", "url", "abstract", "author+an", "bdsk-url-1"]


@dataclass(frozen=True)
class Healthy:
    """A valid entry as text, and the fields that must be read from it."""

    text: str
    fields: dict[str, str]


@st.composite
def draw_entry(draw: st.DrawFn, key: str) -> Healthy:
    """Draw a valid entry in one of the layouts that people and exporters write."""
    kind = draw(KINDS)
    names = ["title", *draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))]
    values = {name: draw(VALUES) for name in names}
    parted = draw(st.sampled_from([",\n  ", ",\n\t", ", ", ",", "\n , "]))
    equals = draw(st.sampled_from([" = ", "=", "= "]))
    before, after = draw(st.sampled_from([('"', '"'), ("{", "}")]))
    parts = [f"{name}{equals}{before}{value}{after}" for name, value in values.items()]
    end = draw(st.sampled_from(["}", "\n}", ",\n}", " }"]))
    text = f"@{kind}{{{parted.join([key, *parts])}{end}"
    return Healthy(text, {"@": kind, "key": key, **values})


KEYS = ("alpha2019", "beta", "gamma:x", "DELTA", "eps-5")
BIBLIOGRAPHIES = st.integers(1, len(KEYS)).flatmap(lambda n: st.tuples(*map(draw_entry, KEYS[:n])))
SIGNS = st.sampled_from('{}",#\n@\\=%( ') | st.characters(exclude_categories=["Cs"])


def join_entries(bibliography: tuple[Healthy, ...]) -> str:
    return "\n\n".join(entry.text for entry in bibliography) + "\n"


@quick
@given(BIBLIOGRAPHIES)
def test_a_healthy_bibliography_is_read_as_it_is_written(bibliography: tuple[Healthy, ...]) -> None:
    received = read_bib_text(join_entries(bibliography))
    fields = [list_written_fields(node) for node in received.entries]
    assert fields == [entry.fields for entry in bibliography]
    assert received.found == len(bibliography)
    assert [problem for problem in received.reported if problem.code in ("bib-syntax", "bib-syntax")] == []


def mutate_text(draw: st.DrawFn, text: str, start: int) -> str:
    """Draw a text with one change after a position: a character is deleted, repeated, replaced or inserted, or the text is cut."""
    at = draw(st.integers(start, len(text) - 1))
    signs = [i for i, sign in enumerate(text) if sign in '{}",#@\\=' and i >= start]
    at = draw(st.sampled_from(signs)) if draw(st.booleans()) else at
    way = draw(st.sampled_from(["delete", "twice", "put in", "replace", "cut"]))
    if way == "delete":
        return text[:at] + text[at + 1 :]
    if way == "twice":
        return text[:at] + text[at] + text[at:]
    if way == "cut":
        return text[: at + 1]
    return text[:at] + draw(SIGNS) + text[at + (way == "replace") :]


@st.composite
def draw_damaged_text(draw: st.DrawFn, *, head: bool) -> tuple[tuple[Healthy, ...], str, tuple[Healthy, ...]]:
    """
    Draw a bibliography with a damaged entry: the entries before it, the whole text, and the entries after it.

    Only with `head`, the damage can be in the type of the entry.
    """
    bibliography = draw(BIBLIOGRAPHIES)
    damaged_index = draw(st.integers(0, len(bibliography) - 1))
    before, after = bibliography[:damaged_index], bibliography[damaged_index + 1 :]
    whole = bibliography[damaged_index].text
    text = mutate_text(draw, whole, 0 if head else whole.index("{") + 1)
    return before, "\n\n".join([*(e.text for e in before), text, *(e.text for e in after)]) + "\n", after


@settings(quick, max_examples=scale_examples(500))
@given(draw_damaged_text(head=True))
def test_an_error_affects_no_other_entry(case: tuple[tuple[Healthy, ...], str, tuple[Healthy, ...]]) -> None:
    before, text, after = case
    received = read_bib_text(text)
    whole = [list_written_fields(node) for node in received.entries]
    assert whole[: len(before)] == [entry.fields for entry in before]
    assert whole[len(whole) - len(after) :] == [entry.fields for entry in after]
    assert received.found == len(received.entries) + received.left_out
    assert all(format_problem(problem) for problem in received.reported)


@settings(quick, max_examples=scale_examples(500))
@given(draw_damaged_text(head=False))
def test_no_entry_is_dropped_silently(case: tuple[tuple[Healthy, ...], str, tuple[Healthy, ...]]) -> None:
    before, text, after = case
    received = read_bib_text(text)
    assert len(received.entries) > len(before) + len(after) or received.left_out


TOKENS = rb"""@misc{ @article{k, @string{a{=_ @comment{ @ { } " , # \ title{=_{T} author={ year=2020 date={2020- crossref={k}
    xdata={k} month=jan url={ doi={10.1/ pages={1--""".replace(b"{=_", b" = ").split()
OTHER_BYTES = b"\n|\r| and |\xef\xbb\xbf|\xff\xfe|\xe9|\0|<<<<<<< a\n|>>>>>>> b\n".split(b"|")
BYTES = st.lists(st.binary(max_size=6) | st.sampled_from([*TOKENS, *OTHER_BYTES]), max_size=14).map(b"".join)


@quick
@given(BYTES)
@example(b"@{@0{@{@0{")
def test_any_bytes_can_be_read(data: bytes) -> None:
    problems = Problems()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.bib")
        path.write_bytes(data)
        text = read_source_text(path, "x.bib", problems)
    if text is None:
        assert problems.sorted_problems()
        return
    received = read_bib_text(text)
    assert received.found == len(received.entries) + received.left_out
    assert all(
        format_problem(problem) and problem.place.line <= text.count("\n") + 1
        for problem in received.reported
    )


COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a", "k": "\u0328",
}  # fmt: skip
LETTERS = dict(zip("ss o O l L ae AE oe aa AA".split(), "ß ø Ø ł Ł æ Æ œ å Å".split(), strict=True))
ON_A_LETTER = read_pieces("bibliography: on a letter")


@st.composite
def draw_tex_letter(draw: st.DrawFn, *, spaced: bool) -> tuple[str, str]:
    """Draw a letter as a TeX command, and the letter itself; in a name, BibTeX would split the word at a space."""
    way = draw(st.integers(0, 5))
    if way == 0:
        name = draw(st.sampled_from(sorted(LETTERS)))
        return draw(st.sampled_from([f"{{\\{name}}}", f"\\{name}{{}}"])), LETTERS[name]
    if way == 1:
        sign = draw(st.sampled_from(sorted("`'^\"")))
        spelled = [f"\\{sign}{{\\i}}", f"{{\\{sign}\\i}}", f"{{\\{sign}{{\\i}}}}", f"\\{sign}\\i{{}}"]
        return draw(st.sampled_from(spelled)), unicodedata.normalize("NFC", f"i{COMBINING[sign]}")
    accent, letter = tuple(draw(st.sampled_from(ON_A_LETTER)))
    meant = unicodedata.normalize("NFC", letter + COMBINING[accent])
    command = f"\\{accent}{{{letter}}}"
    spelled = [command, f"{{{command}}}", meant, unicodedata.normalize("NFD", meant)]
    if accent.isalpha():
        spelled += [f"{{\\{accent} {letter}}}", *([f"\\{accent} {letter}"] if spaced else [])]
    else:
        spelled += [f"\\{accent}{letter}", f"{{\\{accent}{letter}}}"]
    return draw(st.sampled_from(spelled)), meant


PLAIN = st.sampled_from([("a", "a"), ("{B}", "B"), ("go", "go")])


@st.composite
def spelt_words(draw: st.DrawFn, *, spaced: bool = False) -> tuple[str, str]:
    """Draw a word with a capital and accents, in TeX's notation and as plain text."""
    parts = [(draw(st.sampled_from("BGPSX")),) * 2]
    parts += draw(st.lists(draw_tex_letter(spaced=spaced) | PLAIN, min_size=1, max_size=4))
    return "".join(part[0] for part in parts), "".join(part[1] for part in parts)


@settings(quick, max_examples=scale_examples(400))
@given(st.lists(spelt_words(spaced=True), min_size=1, max_size=4), st.booleans())
def test_titles_in_tex_notation(spellings: list[tuple[str, str]], quoted: bool) -> None:
    spelled = " ".join(word[0] for word in spellings)
    value = f'"{spelled}"' if quoted and '"' not in re.sub(r"\{[^{}]*\}", "", spelled) else f"{{{spelled}}}"
    (paper,) = read_bib_text(f"@misc{{k, title = {value}, year = 2020}}").papers
    assert paper.title == " ".join(word[1] for word in spellings)


@settings(quick, max_examples=scale_examples(400))
@given(st.lists(st.tuples(spelt_words(), spelt_words(), st.booleans()), min_size=1, max_size=4))
def test_authors_in_tex_notation(people: list[tuple[tuple[str, str], tuple[str, str], bool]]) -> None:
    spelled = " and ".join(
        f"{family[0]}, {first[0]}" if inverted else f"{first[0]} {family[0]}"
        for first, family, inverted in people
    )
    received = read_bib_text(f"@misc{{k, title = {{T}}, author = {{{spelled}}}, year = 2020}}")
    names = [(author.name.given, author.name.family) for author in received.papers[0].authors.people]
    assert names == [(first[1], family[1]) for first, family, _ in people]
    assert received.reported == ()
