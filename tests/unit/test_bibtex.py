"""A .bib file's entries: values joined, macros replaced, mistakes told at their places and harming no neighbour."""

import pytest

from tenure.problems import Problems
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    SOURCE_KEY,
    TYPE_KEY,
    ParsedBibFile,
    find_field_place,
    read_bibtex,
)


def read(text: str) -> tuple[ParsedBibFile, list[str]]:
    """The bibliography, and its problems as "code line:column"; their words stand in tests/problems/bibtex.txt."""
    problems = Problems()
    problems.add_source("x.bib", text)
    found = read_bibtex(text, "x.bib", problems)
    told = [f"{p.code} {p.place.line}:{p.place.column}" for p in problems.sorted_problems()]
    return found, told


def entries(text: str) -> list[dict[str, str]]:
    """The fields of each entry, without those of no field's name."""
    return [
        {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
        for node in read(text)[0].entries
    ]


def keys(text: str) -> list[str]:
    return [node.mapping[CITATION_KEY].text for node in read(text)[0].entries]


@pytest.mark.parametrize(
    ("value", "words"),
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
        # months stand for themselves
        ("nov", "nov"),
        ("MAY", "may"),
        # signs that look like the end of something
        ("{a, b = {c}}", "a, b = {c}"),
        ("{a@b.org}", "a@b.org"),
        ("{a # b}", "a # b"),
        ("{100% sure}", "100% sure"),
    ],
)
def test_values(value: str, words: str) -> None:
    text = (
        "@string{sosp = {Symposium on Operating Systems Principles}}\n"
        '@string(nested = "ACM " # sosp)\n'
        f"@misc{{k, note = {value}, year = 1}}"
    )
    found, told = read(text)
    assert told == []
    assert entries(text) == [{"note": words, "year": "1"}]
    assert found.entry_count == 1


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
def test_an_entry(text: str, kind: str, key: str, fields: dict[str, str]) -> None:
    found, told = read(text)
    (node,) = found.entries
    assert (node.mapping[TYPE_KEY].text, node.mapping[CITATION_KEY].text) == (kind, key)
    assert entries(text) == [fields]
    assert (found.entry_count, told) == (1, [])


def test_an_entry_keeps_its_own_text_and_place() -> None:
    first, second = "@misc{a,\n  title = {A}\n}", '@misc{b, title = "{B}" # sosp}'
    found, _ = read(f"words\n{first}\n\n  {second}\n")
    assert [node.mapping[SOURCE_KEY].text for node in found.entries] == [first, second]
    assert [str(node.place) for node in found.entries] == ["x.bib:2:1", "x.bib:6:3"]


@pytest.mark.parametrize(
    ("field", "place"),
    [
        ("date", "x.bib:3:11"),  # in the line where the entry begins
        ("year", "x.bib:4:3"),  # not in "myyear"
        ("YEAR", "x.bib:4:3"),
        ("note", "x.bib:3:3"),  # not there: the entry
    ],
)
def test_field_place(field: str, place: str) -> None:
    (node,) = read("\n\n  @misc{k,date={},myyear={2},\n  year = 1}")[0].entries
    assert str(find_field_place(node.place, node.mapping[SOURCE_KEY].text, field)) == place


@pytest.mark.parametrize(
    ("text", "fields", "told"),
    [
        (
            "@misc{k,\n  title = {A}\n  year = {2020}\n}",
            {"title": "A", "year": "2020"},
            ["bib-syntax 3:3"],
        ),
        (
            "@misc{k,\n  title = {A}\n  year = 2020\n  month = may,\n  note = {n}}",
            {"title": "A", "year": "2020", "month": "may", "note": "n"},
            [
                "bib-syntax 3:3",
                "bib-syntax 4:3",
            ],
        ),
        (
            '@misc{k, title = "A" year = "2020"}',
            {"title": "A", "year": "2020"},
            ["bib-syntax 1:22"],
        ),
        (
            "@misc{k, title = {A} junk, year = 1}",
            {"title": "A", "year": "1"},
            ["bib-syntax 1:10"],
        ),
    ],
)
def test_a_missing_comma_is_mended_and_told(text: str, fields: dict[str, str], told: list[str]) -> None:
    assert entries(text) == [fields]
    assert read(text)[1] == told


def test_two_entries_of_one_key_are_both_kept() -> None:
    text = "@misc{a, title={A}}\n\n@book{ b, title={B}}\n@misc{a, title={C}, title={D}}\n@book{b , title={E}}"
    assert entries(text) == [{"title": words} for words in "ABCE"]
    assert read(text)[1] == [
        "bib-duplicate-key 4:1",
        "bib-duplicate-field 4:21",
        "bib-duplicate-key 5:1",
    ]


def test_one_key_in_two_files_is_each_files_own() -> None:
    problems = Problems()
    for name in ("a.bib", "b.bib"):
        text = "@misc{k, title={A}}\n" * 2 if name == "b.bib" else "\n\n@misc{k, title={A}}"
        problems.add_source(name, text)
        read_bibtex(text, name, problems)
    assert [(str(p.place), p.message) for p in problems.sorted_problems()] == [
        ("b.bib:2:1", 'the key "k" is used twice, first in line 1')
    ]


def test_the_first_of_two_fields_is_shown() -> None:
    text = "@misc{k,\n  note = {A},\n  Note = {B}}"
    assert entries(text) == [{"note": "A"}]
    assert read(text)[1] == ["bib-duplicate-field 3:3"]


def test_a_field_repeated_word_for_word_is_nobodys_concern() -> None:
    assert read("@misc{k, note = {A}, note = {A}}")[1] == []


def test_the_later_of_two_definitions_counts_from_there_on() -> None:
    text = "@string{v={1}}\n@misc{a, note=v}\n@string{v={2}}\n@misc{b, note=v}"
    found, told = read(text)
    assert entries(text) == [{"note": "1"}, {"note": "2"}]
    assert (found.entry_count, told) == (2, [])


def test_a_macro_that_no_string_defines_is_shown_as_written() -> None:
    text = "@misc{k,\n  journal = tods # { A}}"
    assert entries(text) == [{"journal": "tods A"}]
    assert read(text)[1] == ["bib-undefined-string 2:13"]


@pytest.mark.parametrize(
    ("text", "kept", "told"),
    [
        ("@misc{a, title={A}\n@misc{b, title={B}}", ["a", "b"], "bib-syntax 1"),
        (
            "@misc{x, title={X}}\n@misc{a, title={A, year=1}\n@misc{b, title={B}}",
            ["x", "a", "b"],
            "bib-syntax 2",
        ),
        ("@misc{b, title={B}}\n\n  @misc{a, title={A", ["b", "a"], "bib-syntax 3"),
        ('@misc{a, title="A}\n@misc{b, title={B}}', ["a", "b"], "bib-syntax 1"),
        ("@misc{title={A}}\n@misc{b, title={B}}", ["", "b"], "bib-missing-key 1"),
        ("@misc{a, author={A}\n@misc{b, title={B}}", ["b"], "bib-syntax 1"),
    ],
)
def test_a_broken_entry_is_told_and_harms_no_neighbour(text: str, kept: list[str], told: str) -> None:
    found, problems = read(text)
    assert keys(text) == kept
    assert [words.partition(":")[0] for words in problems] == [told]
    assert found.entry_count == text.count("@misc")


def test_a_string_that_is_not_closed_is_told_and_no_entry() -> None:
    found, told = read("@string{v = {A}\n@misc{b, title={B}}")
    assert (found.entry_count, len(found.entries)) == (1, 1)
    assert told == ["bib-syntax 1:1"]


def test_an_entry_without_a_key_is_kept_and_told() -> None:
    text = "@misc{, title={A}}\n@misc{, title={B}}"
    assert entries(text) == [{"title": "A"}, {"title": "B"}]
    assert read(text)[1] == [f"bib-missing-key {line}:1" for line in (1, 2)]


@pytest.mark.parametrize("text", ["", "\n", "words", "@", "@misc", "100% @home", "@comment{x}"])
def test_no_entry(text: str) -> None:
    found, told = read(text)
    assert (found.entries, found.entry_count, told) == ((), 0, [])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (r"{1 Road \\ 2 Town\\}", r"1 Road \\ 2 Town\\"),
        (r"{1 {Road}\\}", r"1 {Road}\\"),
        (r"{1 {Road} \}", "1 {Road} \\"),
        ("{1 Road\\}", "1 Road\\"),
        (r'"1 Road\\"', r"1 Road\\"),
        (r'"1 {"Road"}\"', '1 {"Road"}\\'),
    ],
)
@pytest.mark.parametrize("end", ["}", ",\n}\n% a remark", "}\n\n@book{b, title = {C}, year = 2020}"])
def test_a_backslash_keeps_no_value_open(value: str, words: str, end: str) -> None:
    """BibTeX counts a brace whatever stands before it."""
    text = f"@misc{{a,\n  title = {{B}},\n  address = {value}{end}"
    found, told = read(text)
    assert told == []
    assert entries(text)[0] == {"title": "B", "address": words}
    assert (
        found.entries[0].mapping[SOURCE_KEY].text
        == text[: text.index("}", text.index(value) + len(value)) + 1]
    )
    assert keys(text)[1:] == (["b"] if "@book" in end else [])


def test_what_bibtex_finds_unsound_is_told() -> None:
    for text in (
        r"@misc{a, title = {B \}",
        r"@misc{a, title = {B}, note = {C\\} D}",
        r'@misc{a, title = "B\", =',
    ):
        assert [code.partition(" ")[0] for code in read(text)[1]] == ["bib-syntax"]
