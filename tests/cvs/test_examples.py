"""The examples as PDF: every fact of the original documents, in their order, on as many pages."""

import re
from functools import cache

import pytest
from conftest import ROOT, visible
from matrix import EXAMPLES, built
from pdfs import bare, links_of, pages_of, pdf_of, tags_of, words_of

from tenure.build import BuildResult, build_site

FACTS = ROOT / "tests" / "facts"
PAGES = {"systems-phd-2026": 2, "systems-phd-2024": 1, "masters": 1, "undergraduate": 1}
"""The examples that are CVs, and their pages."""

ORDERED = ("systems-phd-2026", "systems-phd-2024")
"""Those whose facts are listed in the order of a CV with the degree below its school."""


@cache
def example(name: str) -> BuildResult:
    made = build_site(ROOT / "examples" / name)
    assert made.problems == ()
    return made


@cache
def text(name: str) -> str:
    return bare(words_of(pdf_of(example(name))))


def groups(name: str) -> list[list[str]]:
    """The facts of an original under its headings."""
    parts = re.split(r"^# .*$", (FACTS / f"{name}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [[bare(line) for line in part.splitlines() if line.strip()] for part in parts]
    return [group for group in found if group]


def test_projects_are_printed_with_their_texts() -> None:
    """The original is a page of projects, with its table of contents."""
    made = example("projects-page")
    words = bare(words_of(pdf_of(made, "projects.pdf")))
    facts = [fact for group in groups("projects-page") for fact in group]
    assert [fact for fact in facts if fact not in words] == []
    assert words.index("Contents") < words.index("ILP-guided")


@pytest.mark.parametrize(("name", "count"), PAGES.items())
def test_pages(name: str, count: int) -> None:
    assert pages_of(pdf_of(example(name))) == count


@pytest.mark.parametrize("name", PAGES)
def test_every_fact_is_there(name: str) -> None:
    facts = [fact for group in groups(name) for fact in group]
    assert len(facts) >= 50
    assert [fact for fact in facts if fact not in text(name)] == []


@pytest.mark.parametrize("name", ORDERED)
def test_facts_are_read_in_their_order(name: str) -> None:
    """Each fact stands between where its group begins and where the next one does."""
    words, at = text(name), 0
    starts = []
    for group in groups(name):
        at = words.index(group[0], at)
        starts.append(at)
    for group, start, end in zip(groups(name), starts, [*starts[1:], len(words)], strict=True):
        near = words[max(0, start - 120) : end + 120]
        assert [fact for fact in group if fact not in near] == []


def test_numbers_hang_and_run_on() -> None:
    numbers = re.findall(r"\[(\d+)\](?=[A-Z])", text("systems-phd-2026"))
    assert numbers[:11] == ["5", "4", "3", "2", "1", "11", "10", "9", "8", "7", "6"]


def test_no_word_is_hyphenated() -> None:
    for name in PAGES:
        assert "\u00ad" not in text(name)
        words = words_of(pdf_of(example(name)))
        assert set(re.findall(r"\w+", words)) >= {"Netravali", "Karakus"} or name not in ORDERED


def test_links_are_live() -> None:
    links = links_of(pdf_of(example("systems-phd-2026")))
    assert "mailto:name@example.edu" in links
    assert "https://github.com/ruipeterpan" in links
    assert "https://ruipan.xyz/publications/pan2025marconi/" in links
    assert "#" in links, "an entry refers to the number of its paper"
    assert all(link == "#" or re.match(r"https?://|mailto:", link) for link in links)


def test_those_who_hear_it_find_headings_lists_and_links() -> None:
    body = pdf_of(example("systems-phd-2026"))
    tags = tags_of(body)
    assert tags.count("H1") == 1
    assert tags.count("H2") == 9
    assert tags.count("L") >= 10
    assert {"LI", "Lbl", "LBody", "Link", "P"} <= set(tags)
    assert b"<pdfuaid:part>1</pdfuaid:part>" in body
    assert b"/Lang(en" in body.replace(b" ", b"")
    assert b"/CreationDate" not in body


@pytest.mark.parametrize("look", ["base", "compact", "classic"])
@pytest.mark.parametrize("name", PAGES)
def test_every_look_shows_every_fact(name: str, look: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    import shutil

    folder = tmp_path_factory.mktemp(name) / "site"
    shutil.copytree(ROOT / "examples" / name, folder, ignore=shutil.ignore_patterns("output", ".cache"))
    wishes = (folder / "site.yaml").read_text(encoding="utf-8").partition("cvs:")[0]
    (folder / "site.yaml").write_text(f"{wishes}cvs: {{cv: {{look: {look}}}}}\n", encoding="utf-8")
    made = build_site(folder)
    assert made.problems == ()
    words = bare(words_of(pdf_of(made)))
    assert [fact for group in groups(name) for fact in group if fact not in words] == []


PRINTED = [site for site in EXAMPLES if site != "projects-page"] + [
    "no-publications",
    "portrait",
    "many-papers",
]


@pytest.mark.parametrize(("theme", "site"), [("classic", site) for site in PRINTED])
def test_the_page_and_the_document_say_the_same(theme: str, site: str) -> None:
    """Every word of the page `cv`, but for rows of links and topics, is in the PDF, and hardly another."""
    made = built(theme, site)
    page = next(a.read().decode() for a in made.artifacts if a.path == "cv/index.html")
    main = re.search(r"<main.*?</main>", page, re.DOTALL)
    assert main
    kept = re.sub(
        r'<(p|div|dl|li) class="(?:no-print|links|pub-links|facts)[^"]*".*?</\1>',
        " ",
        main[0],
        flags=re.DOTALL,
    )
    shown = set(re.findall(r"\w+", visible(f"<body>{kept}")))
    printed = set(re.findall(r"\w+", words_of(pdf_of(made))))
    assert len(shown) > 30
    assert shown - printed == set()
    url = made.site.settings.url if made.site else ""
    also = set(re.findall(r"\w+", f"{visible(page)} {url}")) | {"Last", "updated"}
    assert printed - also == set()
