"""The text of a PDF is the text of the sources, whatever characters it has."""

import json
import tempfile
from pathlib import Path

from conftest import write_files
from hypothesis import given, settings
from hypothesis import strategies as st
from pdfs import pdf_of, remove_spaces, words_of, write_font

from tenure.build import build_site
from tenure.markdown.html import plain_text

SIGNS = "*_#$@<>[]\\~\"'`/{}()-+=|^%&!?.,:;0123456789abcxyzABCÉéüßłŞ–—“”‘’…§¶"
CJK = "潘瑞陳志獎論文研究東京大学システム한국어연구"
WORD = st.text(alphabet=SIGNS + CJK, min_size=1, max_size=12)
TEXT = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
ESCAPED = {sign: f"\\{sign}" for sign in "\\`*_{}[]()#+-.!$"}
"""Characters of Markdown with the backslash that makes them ordinary text."""


def escape_markdown(text: str) -> str:
    """Return Markdown whose text is exactly this."""
    return "".join({"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(c) or ESCAPED.get(c, c) for c in text)


def build_cv_text(files: str) -> str:
    """Return the text of the CV of a site, with a theme that has a font for every letter of these tests."""
    with tempfile.TemporaryDirectory(prefix="tenure-") as folder:
        root = Path(folder)
        write_files(root, files)
        write_font(root / "themes/classic/fonts/squares.ttf", CJK)
        built = build_site(root)
        assert [p for p in built.problems if p.code.startswith("cv-")] == []
        return remove_spaces(words_of(pdf_of(built)))


@settings(max_examples=20)
@given(st.lists(TEXT, min_size=1, max_size=12))
def test_titles_and_notes_are_unchanged(texts: list[str]) -> None:
    entries = [{"title": escape_markdown(text), "note": escape_markdown(text[::-1])} for text in texts]
    talks = [{"title": escape_markdown(text), "place": "here"} for text in texts]
    cv_text = build_cv_text(
        f"-- content/profile.yaml --\nname: Ada\n-- content/awards.yaml --\n{json.dumps(entries)}\n"
        f"-- content/talks.yaml --\n{json.dumps(talks)}\n"
    )
    at = cv_text.index("Talks")
    for entry in entries:
        at = cv_text.index(remove_spaces(plain_text(entry["title"])), at)
    at = cv_text.index("Awards")
    for entry in entries:
        at = cv_text.index(remove_spaces(plain_text(entry["title"])), at)
        at = cv_text.index(remove_spaces(plain_text(entry["note"])), at)


NAME = st.lists(
    st.text(alphabet="*#$@<>[]\\~\"'`/_abcxyzABCÉéüßł" + CJK, min_size=1, max_size=8), min_size=1, max_size=3
).map(" ".join)


@settings(max_examples=20)
@given(NAME, st.lists(NAME, max_size=4))
def test_names_and_places_are_unchanged(name: str, places: list[str]) -> None:
    profile = json.dumps({"name": name, "office": escape_markdown(name)})
    entries = json.dumps(
        [
            {"institution": escape_markdown(place), "location": escape_markdown(place)}
            for place in [name, *places]
        ]
    )
    text = build_cv_text(f"-- content/profile.yaml --\n{profile}\n-- content/education.yaml --\n{entries}\n")
    assert text.startswith(remove_spaces(name))
    at = text.index("Education")
    for place in [name, *places]:
        for _ in range(2):
            at = text.index(remove_spaces(plain_text(escape_markdown(place))), at) + 1


def test_authors_and_their_marks_are_unchanged() -> None:
    people = r"Pan*, Rui and {1 Group [x] \$ team} and M{\"u}ller, J{\'o}zef and 陳, 志 and O'Hara, <b>Al</b>"
    text = build_cv_text(
        "-- content/profile.yaml --\nname: Rui Pan\n-- bib/papers.bib --\n"
        f"@article{{x, title = {{On *stars*, // slashes \\& `ticks`}}, author = {{{people}}}, journal = {{J}}, year = {{2024}}}}\n"
    )
    assert "RuiPan*,1Group[x]$team,JózefMüller,陳志,AlO'Hara." in text
    assert "//slashes&" in text
