"""The CV page, its PDF, Word, LaTeX and plain text have the same words for every entry."""

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
from office import words_of_latex, words_of_word

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.exports.cv.data import build_cv_data
from tenure.exports.cv.document import CvData
from tenure.exports.cv.latex import make_latex_cv
from tenure.exports.cv.layout import Layout
from tenure.exports.cv.spans import Span, TextBlock, read_phrase
from tenure.exports.cv.text import TextWriter, make_document, render_text
from tenure.exports.cv.word import make_word_cv
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.site import CvConfig, SectionConfig
from tenure.plan.kinds import default_cv_sections
from tenure.plan.pages import Plan, plan_pages
from tenure.problems import Problems
from tenure.record import Record, field_names

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


def describe_cv(built: BuildResult) -> CvData:
    """Return the CV with all lists."""
    assert built.site is not None
    sections = tuple(SectionConfig(name=config.name) for config in default_cv_sections(built.site))
    return build_cv_data(built.site, CvConfig(sections=sections, links=True), Problems())


def pdf_words(built: BuildResult) -> dict[str, Counter[str]]:
    """Return the words of each section of the PDF, with titles in place of the numbers of publications."""
    data = describe_cv(built)
    titles = {
        item.id: f"{plain_text(item.entry.title)} {plain_text(item.entry.venue.short)}"
        for page in plan_of(built)
        for section in page.sections
        for item in section.items
        if page.kind == "cv" and isinstance(item.entry, Publication)
    }
    return {part.name: count_words("".join(_list_texts(part, titles))) for part in data.sections}


def _list_texts(value: Any, titles: Mapping[str, str]) -> Iterator[str]:
    """The texts of a part of a CV, with spaces between blocks and cells."""
    if isinstance(value, str):
        yield from (_read_part(part, titles) for part in read_phrase(value))
        yield " "
    elif isinstance(value, TextBlock):
        yield from _list_texts((value.text, value.items, value.rows), titles)
    elif isinstance(value, tuple):
        for child in value:
            yield from _list_texts(child, titles)
    elif isinstance(value, Record):
        yield f" {getattr(value, 'number', None) or ''} "
        for name in field_names(type(value)):
            if name not in ("name", "kind", "id", "contents", "contents_title"):
                yield from _list_texts(getattr(value, name), titles)


def _read_part(part: Span | str, titles: Mapping[str, str]) -> str:
    """The text of a part of a line, with the title in place of a reference, and the signs of a formula."""
    if isinstance(part, str):
        return part
    if part.kind == "reference" and titles:
        return f"{titles[part.value]} "
    if part.kind in ("formula", "display"):
        return "".join(_formula_texts(json.loads(part.value)))
    return "".join(_read_part(child, titles) for child in part.parts)


def _formula_texts(tree: Any) -> Iterator[str]:
    if isinstance(tree[2], str):
        yield tree[2]
    else:
        for child in tree[2]:
            yield from _formula_texts(child)


def text_words(built: BuildResult) -> dict[str, Counter[str]]:
    """Return the words of each section in plain text."""
    assert built.site is not None
    document = make_document(TextWriter(SiteTextConverter.for_site(built.site)))
    (page,) = (page for page in plan_of(built) if page.kind == "cv")
    texts = {section.name: render_text(document, [""], [section]) for section in page.sections}
    return {
        name: count_words(re.sub(r" \((?:https?|mailto):[^\s()]*\)", "", text))
        for name, text in texts.items()
    }


def test_all_forms_of_a_cv_have_the_same_words(one_page_site: BuildResult) -> None:
    pages, pdf, text = html_words(one_page_site), pdf_words(one_page_site), text_words(one_page_site)
    assert pages.keys() == pdf.keys() == text.keys() != set()
    for name, section_words in pages.items():
        for form, other in (("PDF", pdf), ("text", text)):
            missing, additional = section_words - other[name], other[name] - section_words
            assert not missing, (form, name)
            assert not additional, (form, name)


def test_word_and_latex_have_every_word_of_the_pdf(one_page_site: BuildResult) -> None:
    assert one_page_site.site is not None
    data = describe_cv(one_page_site)
    words = count_words("".join(_list_texts((data.person, data.sections, data.updated), {})))
    folders = one_page_site.site.active_theme.folders
    layout = Layout("Cambria", "#000000", (50, 50), 10, 1)
    source, _ = make_latex_cv(data, layout, folders)
    forms = {"Word": words_of_word(make_word_cv(data, layout, folders, {})), "LaTeX": words_of_latex(source)}
    for form, text in forms.items():
        assert words - count_words(text) == Counter(), form
