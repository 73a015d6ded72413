"""The filter of publications has each label once, also if several entry types have the same label."""

import re
from collections.abc import Callable

from conftest import Sources

BIB = "-- bib/papers.bib --\n" + "".join(
    f"@{entry_type}{{k{number}, title = {{Title {number}}}, author = {{Ada Example}}, year = {{2020}}, journal = {{J}}, school = {{U}}}}\n"
    for number, entry_type in enumerate(("phdthesis", "thesis", "article", "articlebold", "misc") * 3)
)


def test_entry_types_with_one_label_are_one_choice(site: Callable[[str], Sources]) -> None:
    page = site(BIB).build().read_page("/publications/")
    choices = re.findall(r'name="kind" value="([^"]*)"><span>([^<]*) <small>(\d+)', page)
    assert sorted(choices) == [
        ("article", "Journal articles", "3"),
        ("articlebold misc", "Preprints and others", "6"),
        ("phdthesis thesis", "Theses", "6"),
    ]
