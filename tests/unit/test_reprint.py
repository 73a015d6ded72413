"""BibTeX entries as the pages of publications print them."""

import pytest

from tenure.sources.bibtex.reprint import reprint_entry


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
    assert reprint_entry(raw, {"tocs": "ACM"} if "tocs" in raw else {}) == printed
