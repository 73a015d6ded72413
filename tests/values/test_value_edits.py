"""A form changes one value of a source, and no other byte."""

import random
from collections.abc import Iterator
from os.path import commonprefix
from typing import Any

import pytest
from conftest import ROOT

from tenure.sources.bibtex.bib_text import split_entries
from tenure.sources.editing.bib_edits import read_entry, set_entry_field
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.form_calls import FORM_EDITS, read_address, set_field
from tenure.sources.editing.forms import read_form
from tenure.sources.editing.rebase import rebase_edit
from tenure.sources.editing.value_edits import (
    Source,
    SourceParts,
    change_data,
    find_value,
    move_item,
    replace_source_part,
)


def test_an_item_is_moved_and_the_comments_stay() -> None:
    assert move_item("- a\n# later\n- b: 1\n- c\n", (0,), 2) == "- b: 1\n# later\n- c\n- a\n"


def test_front_matter_is_changed_and_added() -> None:
    text = "---\ntitle: Caching # short\n---\n\nThe text: *unchanged*.\n"
    assert set_field(Source("a.md", text), ("title",), "Cache") == text.replace("Caching", "Cache")
    assert set_field(Source("a.md", "Text.\n"), ("title",), "A") == "---\ntitle: A\n---\n\nText.\n"


def test_a_form_knows_the_field_of_each_key() -> None:
    form = read_form("content/education.yaml", "entries:\n- school: ETH\n  shoe_size: 9\n- MIT\n")
    assert form["schema"], form["at"] == ("education", ["entries"])
    assert form["entries"][0]["fields"] == {
        "institution": {"key": "school", "value": "ETH", "text": "ETH", "line": 2, "column": 3, "end": 2}
    }
    assert [other["key"] for other in form["entries"][0]["others"]] == ["shoe_size"]
    assert form["entries"][1]["fields"] == {
        "institution": {"key": None, "value": "MIT", "line": 4, "column": 3, "end": 4}
    }


def test_an_entry_of_one_line_becomes_fields_with_the_same_meaning() -> None:
    people = Source("content/people.yaml", "- Bo Lee, postdoc 2015–2020  # or 2021\n- Eva Doe\n")
    fields = read_form(people.file, people.text)["entries"][0]["fields"]
    assert {name: field["value"] for name, field in fields.items()} == {
        "title": "Bo Lee", "role": "postdoc", "date": "2015–2020",
    }  # fmt: skip
    edited = FORM_EDITS["setItemField"](people, [0], "then", "Acme")
    assert (
        edited == "- name: Bo Lee\n  role: postdoc\n  date: 2015–2020\n  then: Acme  # or 2021\n- Eva Doe\n"
    )


def test_a_record_in_a_value_is_an_entry_of_its_own() -> None:
    text = "pages:\n- home\n- talks: {menu: false}\n- path: /x/\n  sections: [news]\ncvs: {resume: {photo: true}}\n"
    fields = read_form("site.yaml", text)["entries"][0]["fields"]
    shown = [
        (
            record["path"],
            record.get("name"),
            {name: field["value"] for name, field in record["fields"].items()},
        )
        for record in (*fields["pages"]["records"], *fields["cvs"]["records"])
    ]
    assert shown == [
        (["pages", 0], None, {"name": "home"}),
        (["pages", 1, "talks"], "talks", {"menu": "false"}),
        (["pages", 2], None, {"path": "/x/", "sections": ["news"]}),
        (["cvs", "resume"], "resume", {"photo": "true"}),
    ]
    assert fields["pages"]["records"][2]["fields"]["sections"]["records"][0]["path"] == [
        "pages",
        2,
        "sections",
        0,
    ]


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("github.com/ada", "github GitHub https://github.com/ada"),
        ("https://ada.example.org/x", "ada.example.org Ada.example.org https://ada.example.org/x"),
        (" scholar.google.de/citations?user=a ", "scholar Google Scholar https://scholar.google.de/citations?user=a"),
        ("ada", ""),
        ("two words.org", ""),
        ("javascript:alert(1)", ""),
        ("https://[", ""),
    ],
)  # fmt: skip
def test_a_pasted_address_says_its_service(address: str, found: str) -> None:
    if not found:
        with pytest.raises(UneditableError, match="not an address"):
            read_address(address)
    else:
        assert " ".join(read_address(address).values()) == found


def test_what_a_form_cannot_show_has_its_text() -> None:
    form = read_form("content/people.yaml", "Students:\n  - Eva Doe\nPostdocs:\n  - Bo Lee\n")
    assert [(entry["reason"], entry["text"]) for entry in form["entries"]] == [
        ("written below “Students”", "- Eva Doe"),
        ("written below “Postdocs”", "- Bo Lee"),
    ]
    profile = Source(
        "content/profile.yaml", "name: Ada\naffiliation:\n  name: ETH  # since May\n  url: https://ethz.ch\n"
    )
    field = read_form(profile.file, profile.text)["entries"][0]["fields"]["affiliation"]
    assert field["text"] == "name: ETH  # since May\nurl: https://ethz.ch"
    edited = FORM_EDITS["setPart"](profile, ["affiliation"], field["text"].replace("ETH", "EPFL"))
    assert edited == profile.text.replace("ETH", "EPFL")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a\n- b: [1\n", "line 2 is not valid YAML"),
        ("a: &a [x, x]\nb: &b [*a, *a]\n" + "".join(f"c{n}: &c{n} [*{'b' if n == 0 else f'c{n - 1}'}, *b]\n" for n in range(3)), ""),
        ("".join(f"a{n}: &a{n} [{f'*a{n - 1}, *a{n - 1}' if n else 'x'}]\n" for n in range(20)), "line"),
    ],
    ids=["broken", "aliases", "bomb"],
)  # fmt: skip
def test_a_file_without_a_form_says_why(text: str, reason: str) -> None:
    if not reason:
        assert read_form("content/talks.yaml", text)
        return
    with pytest.raises(UneditableError, match=reason):
        read_form("content/talks.yaml", text)


BIB = """% My papers
@string{sosp = "Proc. SOSP"}
@article{lee2025,
  title = {On {W}ool and \\"Uber},   % a remark
  author = "Lee, Bo and Doe, Eva",
  journal = "The " # sosp,
  month = jan, year = 2025,
  note = {year = {2020}}
}

@misc{doe, title={A}, year=2020}
"""


@pytest.mark.parametrize(
    ("key", "field", "value", "old", "new"),
    [
        ("lee2025", "title", "On wool", '{On {W}ool and \\"Uber}', "{On wool}"),
        ("lee2025", "author", "Lee, Bo", '"Lee, Bo and Doe, Eva"', '"Lee, Bo"'),
        ("lee2025", "author", 'L"ee', '"Lee, Bo and Doe, Eva"', '{L"ee}'),
        ("lee2025", "journal", '"A " # sosp', '"The " # sosp', '"A " # sosp'),
        ("lee2025", "month", "feb", "jan,", "feb,"),
        ("lee2025", "month", "May 3", "jan,", "{May 3},"),
        ("lee2025", "year", "2026", "year = 2025", "year = 2026"),
        ("lee2025", "year", "", " year = 2025,", ""),
        ("lee2025", "author", "", '  author = "Lee, Bo and Doe, Eva",\n', ""),
        ("lee2025", "doi", "10.1/x", "{2020}}\n", "{2020}},\n  doi = {10.1/x}\n"),
        ("doe", "YEAR", "2021", "year=2020", "year=2021"),
        ("doe", "note", "B", "year=2020}", "year=2020, note = {B}}"),
        ("doe", "year", "", " year=2020", ""),
    ],
)  # fmt: skip
def test_a_field_of_a_bib_entry_is_changed_alone(
    key: str, field: str, value: str, old: str, new: str
) -> None:
    assert BIB.count(old) == 1
    for text in (BIB, BIB.replace("\n", "\r\n")):
        end = "\r\n" if "\r\n" in text else "\n"
        edited = FORM_EDITS["setPaperField"](Source("bib/a.bib", text), key, field, value)
        assert edited == BIB.replace(old, new).replace("\n", end)


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("lee2025", "title", "On {wool"), ("lee2025", "title", "a}, note = {b"), ("none", "title", "A"),
        ("lee2025", "ti tle", "A"), ("lee2025", "title", "A\\"), ("doe", "", "A"),
    ],
)  # fmt: skip
def test_an_edit_that_would_change_other_fields_is_refused(key: str, field: str, value: str) -> None:
    with pytest.raises(UneditableError):
        FORM_EDITS["setPaperField"](Source("bib/a.bib", BIB), key, field, value)


NEW_PAPER = "@inproceedings{roe2024, title = {Looms}, doi = {10.1145/3297858.3304013}}"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (NEW_PAPER.replace("roe2024", "doe"), "the key"),
        (NEW_PAPER.replace("Looms", "On Wool and {\\\"U}ber"), "this paper already"),
        (f"{NEW_PAPER} {NEW_PAPER}", "the key"), (f"{NEW_PAPER} and more", "not a whole BibTeX entry of a paper: and more"),
        (f"<html>{NEW_PAPER}</html>", "begins with @"), ("", "begins with @"),
        ('@string{a = "b"}', "not a whole BibTeX entry"), ("@comment{x}", "not a whole BibTeX entry"),
        ("@misc{roe2024, title = {A}", "not a whole BibTeX entry"), ("@misc{roe2024, year = 2024}", "no title"),
        (NEW_PAPER.replace("Looms", "L" * 100_000), "longer"),
    ],
)  # fmt: skip
def test_a_pasted_entry_is_read_before_it_is_written(entry: str, reason: str) -> None:
    with pytest.raises(UneditableError, match=reason):
        FORM_EDITS["addPaper"](Source("bib/a.bib", BIB), entry)
    added = FORM_EDITS["addPaper"](Source("bib/a.bib", BIB), f"  {NEW_PAPER}\n\n")
    assert added == f"{BIB}\n{NEW_PAPER}\n"
    other = "@misc{poe2023, title = {Yarn}}"
    added_both = FORM_EDITS["addPaper"](Source("bib/a.bib", BIB), f"{NEW_PAPER} {other}")
    assert added_both == f"{BIB}\n{NEW_PAPER}\n\n{other}\n"
    assert FORM_EDITS["removePaper"](Source("bib/a.bib", added), "doe").endswith(f"}}\n\n{NEW_PAPER}\n")


def test_an_edit_of_a_text_that_has_changed_goes_to_the_same_entry() -> None:
    def rebase(name: str, new: str, *values: Any, old: str = "- {a: 1}\n- {a: 2}\n") -> object:
        try:
            return rebase_edit(name, Source("a.yaml", old), Source("a.yaml", new), values)
        except UneditableError:
            return "refused"

    assert rebase("setValue", "- {a: 0}\n- {a: 1}\n- {a: 2}\n", [1, "a"], "3") == [[2, "a"], "3"]
    assert rebase("setValue", "- {a: 1}\n- {a: 2, b: 3}\n", [1, "a"], "3") == [[1, "a"], "3"]
    assert rebase("setValue", "- {a: 1}\n- {a: 4}\n", [1, "a"], "3") == "refused"
    assert rebase("setValue", "- {a: 4}\n- {a: 5}\n", [1, "b"], "3") == "refused"
    assert rebase("setValue", "- {a: 2}\n- {a: 2}\n", [0, "a"], "3") == "refused"
    assert rebase("setValue", "- {a: 1}\n", [2], {"a": "3"}) == [[1], {"a": "3"}]
    assert rebase("moveItem", "- {a: 1}\n", [1], 0) == "refused"
    bibs = BIB, BIB.replace("year=2020", "year=2021")
    assert rebase("setPaperField", bibs[1], "doe", "title", "B", old=bibs[0]) == ("doe", "title", "B")
    assert rebase("setPaperField", bibs[1], "doe", "year", "B", old=bibs[0]) == "refused"


def test_the_text_of_a_markdown_file_is_changed_alone() -> None:
    for head, tail in (
        ("---\r\ntitle: A\r\n---\r\n", "\r\n"),
        ("\ufeff---\ntitle: A\n---\n\n\n", "\n\n"),
        ("", ""),
    ):
        end = "\r\n" if "\r" in head else "\n"
        edited = FORM_EDITS["setBody"](Source("a.md", f"{head}Old.{tail}"), "New.\n\nText.")
        assert edited == f"{head}New.{end}{end}Text.{tail}"
    with pytest.raises(UneditableError, match="lines end"):
        FORM_EDITS["setBody"](Source("a.md", "a\r\nb\n"), "c")


EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/site.yaml"))
NEW_TEXTS = """Postdoc|a: b|it's "q"|two\nlines|#1, [x]|Zürich – 中|2024-05|- dash|yes|{braces} %""".split(
    "|"
)


def list_sources() -> Iterator[Source]:
    """The YAML, Markdown and .bib sources of all examples."""
    for folder in EXAMPLES:
        for path in [
            folder / "site.yaml",
            *sorted(folder.glob("content/**/*")),
            *sorted(folder.glob("bib/*.bib")),
        ]:
            if path.suffix in (".yaml", ".md", ".bib"):
                yield Source(path.relative_to(folder).as_posix(), path.read_text("utf-8"))


def list_values(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of each scalar."""
    if isinstance(data, str):
        yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from list_values(value, (*path, key))


def split_change(text: str, edited: str) -> str:
    """The part of a text that another one does not have."""
    start = len(commonprefix([text, edited]))
    length = len(text) - start - len(commonprefix([text[start:][::-1], edited[start:][::-1]]))
    return text[start : start + length].strip(" \n'\"|->{}")


def test_300_random_edits_of_the_examples_change_the_value_alone() -> None:
    """What differs between the two texts is within the lines of the old value; a shared list (&cv) is refused."""
    choice = random.Random(7)
    sources = [source for source in list_sources() if source.text.strip()]
    edited_count = refused_count = 0
    while edited_count < 300:
        source, new = choice.choice(sources), choice.choice(NEW_TEXTS)
        is_paper = source.file.endswith(".bib")
        data = read_papers(source) if is_paper else source.read_data()
        paths = [*list_values(data)]
        if not paths:
            continue
        path = choice.choice(paths)
        old = find_value(data, path)
        values = (path[0], path[1], new) if is_paper else (path, new)
        try:
            if is_paper:
                edited = set_entry_field(source.text, *values)
            else:
                edited = FORM_EDITS["setValue"](source, *values)
        except UneditableError:
            assert "&" in source.text or not old, (source.file, path)
            refused_count += 1
            continue
        removed = split_change(source.text, edited)
        assert " ".join(removed.split()) in " ".join(old.replace("'", "''").split()) or removed in old, path
        after = Source(source.file, edited)
        assert (read_papers(after) if is_paper else after.read_data()) == change_data(
            data, path, f"{new}\n" if old.endswith("\n") else new
        )
        edited_count += 1
    assert refused_count < 30


def read_papers(source: Source) -> dict[str, dict[str, str]]:
    """The fields of all entries of a .bib file by their key."""
    return {entry.key: read_entry(source.text, entry.key) for entry in split_entries(source.text)}


def test_each_part_of_a_source_can_be_written_back() -> None:
    choice = random.Random(8)
    for source in list_sources():
        if source.file.endswith(".yaml") and "&" not in source.text:
            paths = {
                path[:depth] for path in list_values(source.read_data()) for depth in range(1, len(path))
            }
            for path in choice.sample(sorted(paths, key=str), min(1, len(paths))):
                parts = SourceParts(source.text)
                part = parts.read_part(parts.find_node(path))
                assert replace_source_part(source.text, path, part) == source.text, (source.file, path)


def test_every_source_of_the_examples_has_a_form() -> None:
    for source in list_sources():
        if source.file.endswith((".yaml", ".md")):
            for entry in read_form(source.file, source.text)["entries"]:
                assert entry["fields"] or entry.get("text") or source.file.endswith(".md"), source.file
