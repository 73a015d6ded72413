"""Publications that are similar to a publication, and pages that mention it."""

import re
from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.plan.related import MAX_SHARED, MAX_SIMILAR, find_similar

Make = Callable[[str], Sources]


def format_bib_entries(*entries: tuple[str, str, str]) -> str:
    """Return entries of (key, authors besides the owner, topics), newest first."""
    return "-- bib/papers.bib --\n" + "".join(
        f"@article{{{key}, title={{Paper {key}}}, year={2030 - n}, journal={{J}},"
        f" author={{Example, Ada{''.join(f' and {name}' for name in names.split())}}}, keywords={{{topics}}}}}\n"
        for n, (key, names, topics) in enumerate(entries)
    )


def find_nearest(sources: Sources) -> dict[str, str]:
    similar = find_similar(sources.build().site)
    return {key: "".join(paper.key for paper in papers) for key, papers in similar.items() if papers}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        # one topic, in any case, is enough; the owner is not compared
        ([("a", "", "Graphs"), ("b", "", "graphs, logic"), ("c", "", "")], {"a": "b", "b": "a"}),
        # two co-authors are enough, one is not
        ([("a", "Bob Cleo", ""), ("b", "Cleo Bob", ""), ("c", "Bob", "")], {"a": "b", "b": "a"}),
        # two topics before one, and the newest first among equals
        (
            [("a", "", "x, y"), ("b", "", "x"), ("c", "", "x"), ("d", "", "y, x")],
            {"a": "dbc", "b": "acd", "c": "abd", "d": "abc"},
        ),
        # a topic with a co-author before the topic alone
        ([("a", "Bob", "x"), ("b", "", "x"), ("c", "Bob", "x")], {"a": "cb", "b": "ac", "c": "ab"}),
    ],
)
def test_similar_publications(
    site: Make, entries: list[tuple[str, str, str]], expected: dict[str, str]
) -> None:
    assert find_nearest(site(format_bib_entries(*entries))) == expected


def test_only_the_most_similar_are_listed(site: Make) -> None:
    similar = find_nearest(site(format_bib_entries(*((key, "", "x") for key in "abcdefgh"))))
    assert {len(keys) for keys in similar.values()} == {MAX_SIMILAR}
    assert similar["h"] == "abcd"


def test_frequent_properties_have_no_weight(site: Make) -> None:
    assert find_nearest(site(format_bib_entries(*((f"k{n}", "", "x") for n in range(MAX_SHARED + 1))))) == {}


def test_a_publication_page_links_to_similar_and_mentioning_pages(site: Make) -> None:
    files = format_bib_entries(("a", "", "x"), ("b", "", "x")) + (
        "-- content/talks.yaml --\n- title: Said\n  publications: [a]\n  date: May 2024\n"
        "-- content/projects.yaml --\n- title: Done\n  publications: [a]\n- title: Also\n  publications: [a]\n"
    )
    built = site(files).build()
    assert built.problems == []
    page = built.read_page("/publications/a/")
    assert re.findall(
        r"<dt>(Projects|Talks)</dt><dd>(.*?)</dd>", re.sub(r"</?(?:a|time)\b[^>]*>", "", page)
    ) == [
        ("Projects", "Done; Also"),
        ("Talks", "Said (May 2024)"),
    ]
    assert "Related publications Paper b 2029" in built.read_words("/publications/a/")
    assert "Mentioned in" not in built.read_words("/publications/b/")
