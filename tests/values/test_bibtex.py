"""Files in bib/: their encoding, places, macros, fields, and texts with HTML; tests/values/bibtex.txt has values."""

from pathlib import Path

import pytest

from tenure.markdown.html import render_inline, render_markdown
from tenure.problems import Problems
from tenure.sources.bibtex.bib_fields import find_use
from tenure.sources.bibtex.bib_text import MAX_JOINED_LENGTH
from tenure.sources.bibtex.reader import SOURCE_KEY, ParsedBibFile, read_bib_files, read_bibtex
from tenure.sources.latex.conversion import latex_to_markdown
from tenure.sources.reading.files import read_source_text

ENTRY = "@misc{k, title = {Über Größe}}\n"


def read_bib_text(text: str, problems: Problems, name: str = "x.bib") -> ParsedBibFile:
    problems.add_source(name, text)
    return read_bibtex(text, name, problems)


@pytest.mark.parametrize(
    ("data", "is_read", "codes"),
    [
        (ENTRY.encode(), True, []),
        (ENTRY.encode("utf-8-sig"), True, []),
        (ENTRY.replace("\n", "\r\n").encode(), True, []),
        (b"% Encoding: Cp1252\n" + ENTRY.encode(), True, []),
        (b"% Encoding: ISO8859_1\n" + ENTRY.encode("latin-1"), True, ["bib-syntax"]),
        (ENTRY.encode("cp1252"), True, ["bib-syntax"]),
        (ENTRY.encode("utf-16"), False, ["encoding"]),
        ("@misc{k, title = {日本}}\n".encode("iso2022_jp"), False, ["encoding"]),
    ],
)
def test_a_file_is_utf8_or_windows_1252(tmp_path: Path, data: bytes, is_read: bool, codes: list[str]) -> None:
    file = tmp_path / "a.bib"
    file.write_bytes(data)
    problems = Problems()
    text = read_source_text(file, "bib/a.bib", problems)
    assert ("Über Größe" in text and "\r" not in text) if text is not None else not is_read
    assert [problem.code for problem in problems.sorted_problems()] == codes


def test_an_entry_keeps_its_own_text_and_place() -> None:
    first, second = "@misc{a,\n  title = {A}\n}", '@misc{b, title = "{B}" # sosp}'
    nodes = read_bib_text(f"words\n{first}\n\n  {second}\n", Problems())
    assert [node.mapping[SOURCE_KEY].text for node in nodes.entries] == [first, second]
    assert [str(node.place) for node in nodes.entries] == ["x.bib:2:1", "x.bib:6:3"]


def test_the_same_key_in_two_files_is_two_entries() -> None:
    problems = Problems()
    read_bib_text("\n\n@misc{k, title={A}}", problems, "a.bib")
    read_bib_text("@misc{k, title={A}}\n" * 2, problems, "b.bib")
    reported = [f"{p.place}: {p.message}" for p in problems.sorted_problems()]
    assert reported == ['b.bib:2:1: the key "k" is used twice, first in line 1']


def test_macros_that_double_are_cut() -> None:
    macros = "".join(f"@string{{k{n} = k{n - 1} # k{n - 1}}}\n" for n in range(1, 40))
    problems = Problems()
    (node,) = read_bib_text(f"@string{{k0 = {{words}}}}\n{macros}@misc{{k, note = k39}}", problems).entries
    assert {problem.code for problem in problems.sorted_problems()} == {"bib-syntax"}
    assert len(node.mapping["note"].text) <= MAX_JOINED_LENGTH


def test_a_macro_of_a_month_is_the_same_in_each_file() -> None:
    texts = {"a.bib": "@string{M = JAN}\n@misc{a, month = m}", "b.bib": "@misc{b, month = m}"}
    parsed = read_bib_files(texts, Problems())
    assert [file.entries[0].mapping["month"].text for file in parsed.values()] == ["jan", "jan"]


def test_paragraphs_and_urls_in_texts() -> None:
    abstract = "<p>One <i>two</i>.</p><p>See https://x.example/a_b?c=1\\&d=2, or (http://y.example).</p>"
    page = render_markdown(latex_to_markdown(abstract, True).text)
    assert page.count("<p") == 2
    assert 'href="https://x.example/a_b?c=1&amp;d=2"' in page
    assert 'href="http://y.example"' in page
    link = latex_to_markdown("\\href{https://x.example}{https://x.example}", True).text
    assert render_inline(link).count("<a ") == 1


PRINTING_FIELDS = frozenset(
    """authortype bookpagination crossref editoratype editorbtype editorctype editortype entryset entrysubtype
    eprintclass execute file gender ids indexsorttitle indextitle keywords label langid langidopts options pagination
    presort related relatedoptions relatedstring relatedtype shortauthor shorteditor shorthand shorthandintro
    shortseries sortkey sortname sortshorthand sorttitle sortyear xdata xref""".split()
)
"""Fields that control how LaTeX sorts, abbreviates and connects entries, or that are shown in another way."""

DATA_FIELDS = """abstract addendum afterword annotator author bookauthor booksubtitle booktitle booktitleaddon chapter
    commentator date doi edition editor editora editorb editorc eid eprint eventdate eventtitle eventtitleaddon foreword holder
    howpublished institution introduction isan isbn ismn isrn issn issue issuesubtitle issuetitle issuetitleaddon iswc journalsubtitle
    journaltitle journaltitleaddon language library location mainsubtitle maintitle maintitleaddon month nameaddon note number
    organization origdate origlanguage origlocation origpublisher origtitle pages pagetotal part publisher pubstate reprinttitle school
    series shortjournal shorttitle subtitle title titleaddon translator type url urldate venue version volume volumes year""".split()
"""The data fields of biblatex 3.20 (manual, section 2.2.2) that are not PRINTING_FIELDS."""


def test_every_field_of_biblatex_has_a_place() -> None:
    assert [name for name in DATA_FIELDS if find_use(name, "x") not in ("shown", "link")] == []
    assert [name for name in PRINTING_FIELDS if find_use(name, "x") == "unused"] == []
