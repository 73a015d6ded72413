"""The examples as PDF: every fact of the original documents, in the same order, on as many pages."""

import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT, visible_text
from matrix import EXAMPLES, build_sample_site
from pdfs import links_of, looseness_of, pages_of, pdf_of, remove_spaces, tags_of, words_of

from tenure.build import BuildResult, build_site

FACTS = ROOT / "tests" / "golden" / "facts"
PAGES = {"systems-phd-2026": 2, "systems-phd-2024": 1, "masters": 1, "undergraduate": 1}
"""The examples that are CVs, and the number of their pages."""

ORDERED = ("systems-phd-2026", "systems-phd-2024")
"""The examples whose facts are listed in the order of a CV with the degree below its school."""


@cache
def build_example(name: str) -> BuildResult:
    result = build_sample_site("", name)
    assert result.problems == ()
    return result


@cache
def read_cv_text(name: str) -> str:
    return remove_spaces(words_of(pdf_of(build_example(name))))


def read_fact_groups(name: str) -> list[list[str]]:
    """Return the facts of an original document, grouped by heading."""
    parts = re.split(r"^# .*$", (FACTS / f"{name}.txt").read_text("utf-8"), flags=re.MULTILINE)
    results = [[remove_spaces(line) for line in part.splitlines() if line.strip()] for part in parts]
    return [group for group in results if group]


def test_projects_have_their_texts_in_the_pdf() -> None:
    """The original document is a page of projects with a table of contents."""
    result = build_example("projects-page")
    text = remove_spaces(words_of(pdf_of(result, "projects.pdf")))
    facts = [fact for group in read_fact_groups("projects-page") for fact in group]
    assert [fact for fact in facts if fact not in text] == []
    assert text.index("Contents") < text.index("ILP-guided")


@pytest.mark.parametrize(("name", "count"), PAGES.items())
def test_the_number_of_pages_is_as_expected(name: str, count: int) -> None:
    assert pages_of(pdf_of(build_example(name))) == count


@pytest.mark.parametrize("name", PAGES)
def test_every_fact_is_in_the_pdf(name: str) -> None:
    facts = [fact for group in read_fact_groups(name) for fact in group]
    assert len(facts) >= 50
    assert [fact for fact in facts if fact not in read_cv_text(name)] == []


@pytest.mark.parametrize("name", ORDERED)
def test_facts_are_in_reading_order(name: str) -> None:
    """Each fact is between the first fact of its group and the first fact of the next group."""
    pdf_text, at = read_cv_text(name), 0
    starts = []
    for group in read_fact_groups(name):
        at = pdf_text.index(group[0], at)
        starts.append(at)
    for group, start, end in zip(read_fact_groups(name), starts, [*starts[1:], len(pdf_text)], strict=True):
        near = pdf_text[max(0, start - 120) : end + 120]
        assert [fact for fact in group if fact not in near] == []


def test_publication_numbers_continue_in_the_margin() -> None:
    numbers = re.findall(r"\[(\d+)\](?=[A-Z])", read_cv_text("systems-phd-2026"))
    assert numbers[:11] == ["5", "4", "3", "2", "1", "11", "10", "9", "8", "7", "6"]


def test_no_word_is_hyphenated() -> None:
    for name in PAGES:
        assert "\u00ad" not in read_cv_text(name)
        pdf_text = words_of(pdf_of(build_example(name)))
        assert set(re.findall(r"\w+", pdf_text)) >= {"Netravali", "Karakus"} or name not in ORDERED


def test_links_can_be_clicked() -> None:
    links = links_of(pdf_of(build_example("systems-phd-2026")))
    assert "mailto:name@example.edu" in links
    assert "https://github.com/ruipeterpan" in links
    assert "https://ruipan.xyz/publications/pan2025marconi/" in links
    assert "#" in links, "an entry refers to the number of its paper"
    assert all(link == "#" or re.match(r"https?://|mailto:", link) for link in links)


def test_screen_readers_find_headings_lists_and_links() -> None:
    body = pdf_of(build_example("systems-phd-2026"))
    tags = tags_of(body)
    assert tags.count("H1") == 1
    assert tags.count("H2") == 9
    assert tags.count("L") >= 10
    assert {"LI", "Lbl", "LBody", "Link", "P"} <= set(tags)
    assert b"<pdfuaid:part>1</pdfuaid:part>" in body
    assert b"/Lang(en" in body.replace(b" ", b"")
    assert b"/CreationDate" not in body


LOOKS = ("base", "classic", "compact", "modern", "banking", "engineering")


@pytest.mark.parametrize("name", PAGES)
def test_every_look_shows_every_fact_on_even_lines(name: str, tmp_path: Path) -> None:
    """Each look has as many pages as the original: `build_site` reports a CV with more pages."""
    made = shutil.ignore_patterns("output", ".cache")
    shutil.copytree(ROOT / "examples" / name, tmp_path / name, ignore=made)
    settings = tmp_path / name / "site.yaml"
    other_settings, _, cvs = settings.read_text("utf-8").partition("cvs:\n")
    options = re.search(r"cv: \{(.*)\}", cvs)
    assert options
    look_cvs = "".join(f"  {look}: {{look: {look}, {options[1]}}}\n" for look in LOOKS)
    settings.write_text(f"{other_settings}cvs:\n{look_cvs}", "utf-8")
    result = build_site(tmp_path / name)
    assert result.problems == ()
    facts = [fact.replace("-", "") for group in read_fact_groups(name) for fact in group]
    for look in LOOKS:
        body = pdf_of(result, f"{look}.pdf")
        text = remove_spaces(words_of(body)).replace("-", "")
        assert [fact for fact in facts if fact not in text] == [], look
        assert looseness_of(body) <= 2, look
        assert len(body) <= 170 * 1024, look
        assert {"H1", "H2", "P", "Link"} <= set(tags_of(body)), look


PRINTED = [
    *(site for site in EXAMPLES if site != "projects-page"),
    "no-publications",
    "portrait",
    "many-papers",
]


@pytest.mark.parametrize(("theme", "site"), [("classic", site) for site in PRINTED])
def test_the_cv_page_and_the_pdf_have_the_same_text(theme: str, site: str) -> None:
    """
    Every word of the page `cv` is in the PDF, except rows of links and topics.

    Nearly every word of the PDF is on the page; only printed URLs, the tagline and the interests are not, which the home page has.
    """
    result = build_sample_site(theme, site)
    page = next(a.read().decode() for a in result.artifacts if a.path == "cv/index.html")
    main = re.search(r"<main.*?</main>", page, re.DOTALL)
    assert main
    rows = r'(?s)<(p|div|dl|li|ul) class="(?:no-print|buttons|links|pub-links|facts)[^"]*".*?</\1>'
    remaining_html = re.sub(rows, " ", main[0])
    page_words = set(re.findall(r"\w+", visible_text(f"<body>{remaining_html}").casefold()))
    printed = set(re.findall(r"\w+", words_of(pdf_of(result)).casefold()))
    assert len(page_words) > 30
    assert page_words - printed - {"website"} == set()
    assert result.site
    profile = result.site.profile
    urls = [result.site.settings.url, *(link.url for link in profile.links)]
    texts = " ".join([*urls, profile.tagline, *profile.interests, "last updated"])
    label = result.site.active_theme.translations["interests"]
    also = set(re.findall(r"\w+", f"{visible_text(page)} {label} {texts}".casefold()))
    assert printed - also == set()
