"""BibTeX entries on the pages of publications."""

from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.sources.bibtex.source_text import format_public_bibtex


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        (
            '@InProceedings{k , title = {A  {B}\n  c}, author = "Ada Example and\n Bo Li",year=2024, month = may, pages={1--2}}',
            "@InProceedings{k,\n  title = {A {B} c},\n  author = {Ada Example and Bo Li},\n  year = 2024,\n  month = may,\n  pages = {1--2},\n}\n",
        ),
        (
            "@article{k, journal = {Trans. } # tocs # { on}, abstract={Long}, keywords={a}, file={x:y.pdf}, code={u}}",
            "@article{k,\n  journal = {Trans. ACM on},\n}\n",
        ),
        (
            "@article{k, journal = nosuch, year = {2024}}",
            "@article{k,\n  journal = nosuch,\n  year = {2024},\n}\n",
        ),
        ("@article{k, author = {Example*, Ada}}", "@article{k,\n  author = {Example, Ada},\n}\n"),
        ("@article(k, title = {T})", "@article(k, title = {T})\n"),
    ],
)
def test_entries_are_printed_with_one_field_a_line(raw: str, printed: str) -> None:
    macros = {"tocs": "ACM"} if "tocs" in raw else {}
    assert format_public_bibtex(raw, macros).printed == printed


def test_the_page_has_a_line_to_cite_and_shows_each_fact_once(site: Callable[[str], Sources]) -> None:
    fields = "title={One}, author={Example, Ada}, journal=j, abstract={Long words}, doi={10.1145/123}, eprint={2401.00001}, archiveprefix={arXiv}"
    bib = f"@string{{j = {{Journal}}}}\n@article{{a, {fields}, year=2024}}\n@article{{b, {fields}, year=2024, month=may}}\n"
    built = site(f"-- bib/p.bib --\n{bib}").build()
    text = built.read_words("/publications/a/")
    assert (
        "Cite as Ada Example. One. Journal, 2024. https://doi.org/10.1145/123 @article{a, title = {One},"
        in text
    )
    assert "journal = {Journal}," in text
    assert text.count("Long words") == 1
    assert "Published" not in text
    assert "Published May 2024" in built.read_words("/publications/b/")
