"""Entries of a .bib file: values are joined, macros replaced, errors reported at their places without an effect on other entries."""

from tenure.problems import Problems
from tenure.sources.bibtex.reader import (
    SOURCE_KEY,
    ParsedBibFile,
    read_bibtex,
)


def read_bib_text(text: str) -> tuple[ParsedBibFile, list[str]]:
    """Return the bibliography, and its problems as "code line:column"; tests/cases/bibtex.txt has the messages."""
    problems = Problems()
    problems.add_source("x.bib", text)
    nodes = read_bibtex(text, "x.bib", problems)
    reported = [f"{p.code} {p.place.line}:{p.place.column}" for p in problems.sorted_problems()]
    return nodes, reported


def list_entry_fields(text: str) -> list[dict[str, str]]:
    """Return the fields of each entry, without internal keys."""
    return [
        {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
        for node in read_bib_text(text)[0].entries
    ]


def test_an_entry_keeps_its_own_text_and_place() -> None:
    first, second = "@misc{a,\n  title = {A}\n}", '@misc{b, title = "{B}" # sosp}'
    nodes, _ = read_bib_text(f"words\n{first}\n\n  {second}\n")
    assert [node.mapping[SOURCE_KEY].text for node in nodes.entries] == [first, second]
    assert [str(node.place) for node in nodes.entries] == ["x.bib:2:1", "x.bib:6:3"]


def test_the_same_key_in_two_files_is_two_entries() -> None:
    problems = Problems()
    for name in ("a.bib", "b.bib"):
        text = "@misc{k, title={A}}\n" * 2 if name == "b.bib" else "\n\n@misc{k, title={A}}"
        problems.add_source(name, text)
        read_bibtex(text, name, problems)
    assert [(str(p.place), p.message) for p in problems.sorted_problems()] == [
        ("b.bib:2:1", 'the key "k" is used twice, first in line 1')
    ]
