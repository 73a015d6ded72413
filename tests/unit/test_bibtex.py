"""Entries of a .bib file: values are joined, macros replaced, errors reported at their places without an effect on other entries."""

import pytest

from tenure.problems import Problems
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    SOURCE_KEY,
    TYPE_KEY,
    ParsedBibFile,
    read_bibtex,
)


def read_bib_text(text: str) -> tuple[ParsedBibFile, list[str]]:
    """Return the bibliography, and its problems as "code line:column"; tests/problems/bibtex.txt has the messages."""
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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{A {B} C}", "A {B} C"),
        ('"A {"}B{"} C"', 'A {"}B{"} C'),
        (r'"G{\"o}del"', r"G{\"o}del"),
        (r"{50\% \{x\}}", r"50\% \{x\}"),
        ("{a\n  b}", "a\n  b"),
        ("2024", "2024"),
        ("2020-2021", "2020-2021"),
        ("{}", ""),
        # joined by #
        ('{A} # "B"', "AB"),
        ('"8~" # oct', "8~oct"),
        ("sosp # {~'24}", "Symposium on Operating Systems Principles~'24"),
        ("SOSP # sosp", "Symposium on Operating Systems Principles" * 2),
        ("20 # 24", "2024"),
        ("nested", "ACM Symposium on Operating Systems Principles"),
        # the name of a month is not replaced
        ("nov", "nov"),
        ("MAY", "may"),
        # characters that look like an end
        ("{a, b = {c}}", "a, b = {c}"),
        ("{a@b.org}", "a@b.org"),
        ("{a # b}", "a # b"),
        ("{100% sure}", "100% sure"),
    ],
)
def test_field_values_are_joined_and_expanded(value: str, expected: str) -> None:
    text = (
        "@string{sosp = {Symposium on Operating Systems Principles}}\n"
        '@string(nested = "ACM " # sosp)\n'
        f"@misc{{k, note = {value}, year = 1}}"
    )
    nodes, reported = read_bib_text(text)
    assert reported == []
    assert list_entry_fields(text) == [{"note": expected, "year": "1"}]
    assert nodes.entry_count == 1


@pytest.mark.parametrize(
    ("text", "kind", "key", "fields"),
    [
        ("@misc{k, title={A}}", "misc", "k", {"title": "A"}),
        ("@misc(k, title={A})", "misc", "k", {"title": "A"}),
        ("@MISC{ k ,\n TITLE = {A} ,\n}", "misc", "k", {"title": "A"}),
        ("  @Misc {k,title={A},}", "misc", "k", {"title": "A"}),
        ("@misc{a:b/c.d_e-f+g, title={A}}", "misc", "a:b/c.d_e-f+g", {"title": "A"}),
        ("@misc{k}", "misc", "k", {}),
        ("@misc{k, code-url={A}, x_y={B}, z.1={C}}", "misc", "k", {"code-url": "A", "x_y": "B", "z.1": "C"}),
        (
            '@comment{@misc{j, title={B}}}\n@preamble{"x"}\nwords\n@misc{k, title={A}}',
            "misc",
            "k",
            {"title": "A"},
        ),
    ],
)
def test_an_entry_has_type_key_and_fields(text: str, kind: str, key: str, fields: dict[str, str]) -> None:
    nodes, reported = read_bib_text(text)
    (node,) = nodes.entries
    assert (node.mapping[TYPE_KEY].text, node.mapping[CITATION_KEY].text) == (kind, key)
    assert list_entry_fields(text) == [fields]
    assert (nodes.entry_count, reported) == (1, [])


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


def test_a_redefined_macro_applies_to_later_entries() -> None:
    text = "@string{v={1}}\n@misc{a, note=v}\n@string{v={2}}\n@misc{b, note=v}"
    nodes, reported = read_bib_text(text)
    assert list_entry_fields(text) == [{"note": "1"}, {"note": "2"}]
    assert (nodes.entry_count, reported) == (2, [])


@pytest.mark.parametrize("comma", ["", ","])
def test_a_field_after_a_percent_sign_is_commented_out(comma: str) -> None:
    text = f"@misc{{a,\n  title = {{A}},\n  %note = {{B, c}}{comma}\n  year = 2020\n}}"
    assert list_entry_fields(text) == [{"title": "A", "year": "2020"}]


@pytest.mark.parametrize("text", ["", "\n", "% words", "---\n---\n", "@comment{x}"])
def test_a_file_without_text_has_no_entries(text: str) -> None:
    nodes, reported = read_bib_text(text)
    assert (nodes.entries, nodes.entry_count, reported) == ((), 0, [])
