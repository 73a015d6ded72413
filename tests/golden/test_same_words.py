"""The CV page, its PDF, its Markdown and its plain text have the same words for every entry."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from shutil import copytree
from typing import Any

import html5lib
import pytest
from conftest import write_files
from matrix import EXAMPLES, find_sample_site

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.exports.cv.markdown import MarkdownWriter, TextWriter, make_document, render_markdown, render_text
from tenure.exports.cv.pdf import build_cv_data
from tenure.exports.cv.typst_math import quote_text
from tenure.exports.cv.typst_writer import read_text
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.site import CvConfig, SectionConfig
from tenure.plan.kinds import default_cv_sections
from tenure.plan.pages import Plan, plan_pages
from tenure.plan.sections import Section
from tenure.problems import Problems

SITES = (*EXAMPLES, "unicode", "arabic", "japanese", "every-field")


def count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


@pytest.fixture(scope="module", params=SITES)
def one_page_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    """Build a site with one page, its CV, which has all lists."""
    root = tmp_path_factory.mktemp("words") / request.param
    for name in ("content", "bib"):
        if (find_sample_site(request.param) / name).is_dir():
            copytree(find_sample_site(request.param) / name, root / name)
    settings = find_sample_site(request.param) / "site.yaml"
    language = re.findall(r"(?m)^language: .*$", settings.read_text("utf-8") if settings.is_file() else "")
    files = "\n".join(["-- site.yaml --", *language, "url: https://example.org/\npages: [home, cv]\n"])
    # With an entry of another kind, a CV of projects does not have their whole texts.
    write_files(root, f"{files}-- content/patents.yaml --\n- title: A patent\n")
    return build_site(root, store=CacheStore())


def plan_of(built: BuildResult) -> Plan:
    assert built.site is not None
    return plan_pages(built.site, Problems())


def html_words(built: BuildResult) -> dict[str, Counter[str]]:
    """Return the words of each section of the page, without tags and the number of hidden authors."""
    page = next(artifact for artifact in built.artifacts if artifact.path == "cv/index.html").read().decode()
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    return {
        element.get("data-section"): count_words("".join(_visible_text(element)))
        for element in tree.iter()
        if element.get("data-section")
    }


INLINE_ELEMENTS = frozenset("a abbr b bdi cite code del em i small span strong sub sup time".split())


def _visible_text(element: Any) -> Iterator[str]:
    namespace, _, tag = element.tag.rpartition("}") if isinstance(element.tag, str) else ("", "", "")
    if tag and tag not in ("script", "summary") and element.get("class") != "f-tags":
        separator = "" if namespace or tag in INLINE_ELEMENTS else " "
        yield separator
        yield element.text or ""
        for child in element:
            yield from _visible_text(child)
            yield child.tail or ""
        yield separator


def pdf_words(built: BuildResult) -> dict[str, Counter[str]]:
    """Return the words of each section of the PDF, with titles in place of the numbers of publications."""
    assert built.site is not None
    sections = tuple(SectionConfig(name=config.name) for config in default_cv_sections(built.site))
    data = build_cv_data(built.site, CvConfig(sections=sections, links=True), Problems())
    titles = {
        item.id: f"{plain_text(item.entry.title)} {plain_text(item.entry.venue.short)}"
        for page in plan_of(built)
        for section in page.sections
        for item in section.items
        if page.kind == "cv" and isinstance(item.entry, Publication)
    }
    sections = data["sections"]
    return {part["name"]: count_words("".join(_list_texts(part, titles))) for part in sections}


def _list_texts(value: Any, titles: Mapping[str, str]) -> Iterator[str]:
    if isinstance(value, str):
        yield read_text(_write_as_text(value, titles))
    elif isinstance(value, list | tuple):
        for child in value:
            yield from _list_texts(child, titles)
    elif isinstance(value, dict):
        number = value.get("number")
        yield f" {number} " if number else ""
        for key, child in value.items():
            if key not in ("name", "kind", "id", "form", "contents"):
                yield " "
                yield from _list_texts(child, titles)


def _write_as_text(markup: str, titles: Mapping[str, str]) -> str:
    """Markup with titles in place of references, the signs of formulas, and spaces between blocks."""
    markup = re.sub(
        r'#reference\("([^"]*)"\)\[#"(?:[^"\\]|\\.)*"\]',
        lambda match: f"#{quote_text(titles[match[1]])} ",
        markup,
    )
    markup = re.sub(
        r'#formula\(("(?:[^"\\]|\\.)*"), block: \w+\)\[#"(?:[^"\\]|\\.)*"\]',
        lambda match: f"#{quote_text(''.join(_formula_texts(json.loads(read_text('#' + match[1])))))}",
        markup,
    )
    return re.sub(r"(?=#(?:paragraph|subheading|code-block|cells)\b)|(?<=\])(?=,)", " ", markup)


def _formula_texts(tree: Any) -> Iterator[str]:
    if isinstance(tree[2], str):
        yield tree[2]
    else:
        for child in tree[2]:
            yield from _formula_texts(child)


def document_words(built: BuildResult, form: str) -> dict[str, Counter[str]]:
    """Return the words of each section in Markdown or in plain text."""
    assert built.site is not None
    converter = SiteTextConverter.for_site(built.site)
    (page,) = (page for page in plan_of(built) if page.kind == "cv")
    return {section.name: count_words(_section_text(converter, section, form)) for section in page.sections}


def _section_text(converter: SiteTextConverter, section: Section, form: str) -> str:
    if form == "text":
        text = render_text(make_document(TextWriter(converter)), [""], [section])
        return re.sub(r" \((?:https?|mailto):[^\s()]*\)", "", text)
    text = render_markdown(make_document(MarkdownWriter(converter)), [], [section])
    blocks = re.split(r"\n\s*\n|\n(?= *- )", text)
    return "\n".join(plain_text(re.sub(r"^\s*(?:#+|-)\s", "", block)) for block in blocks)


def test_all_forms_of_a_cv_have_the_same_words(one_page_site: BuildResult) -> None:
    pages, pdf = html_words(one_page_site), pdf_words(one_page_site)
    markdown, text = document_words(one_page_site, "markdown"), document_words(one_page_site, "text")
    assert pages.keys() == pdf.keys() == markdown.keys() == text.keys() != set()
    for name, section_words in pages.items():
        for form, other in (("PDF", pdf), ("Markdown", markdown), ("text", text)):
            missing, additional = section_words - other[name], other[name] - section_words
            assert not missing, (form, name)
            assert not additional, (form, name)
