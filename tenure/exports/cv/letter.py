"""
A cover letter as the data of a CV: its head, and one section with the address, the text and the signature.
"""

from collections.abc import Iterator

from tenure.exports.cv.data import build_cv_data
from tenure.exports.cv.document import CvData, CvSection
from tenure.exports.cv.spans import LINE_BREAK, TextBlock, make_paragraph, mark_phrase
from tenure.exports.cv.tree_writer import TreeWriter
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import plain_text
from tenure.model.letters import Letter
from tenure.model.site import CvConfig, Site
from tenure.problems import Problems
from tenure.record import replace


def plan_letter(letter: Letter, cv: CvConfig) -> CvConfig:
    """A document with the look of a CV, and with the name of the letter; it has one page."""
    return replace(
        cv,
        name=letter.name,
        title=plain_text(letter.subject) or letter.name,
        photo=False,
        pages=1,
        words=0,
        characters=0,
        sections=(),
    )


def build_letter_data(
    site: Site, config: CvConfig, letter: Letter, problems: Problems, *, has_picture: bool
) -> CvData:
    """The letter as its formats write it, with the name and the contacts of the CV as its head."""
    head = build_cv_data(site, config, problems)
    blocks = _list_blocks(letter, TreeWriter(SiteTextConverter.for_site(site), {}, links=False), has_picture)
    section = CvSection(
        name="letter",
        kind="prose",
        title="",
        legend="",
        intro=(),
        text=tuple(blocks),
        contents_title="",
        contents=(),
        groups=(),
    )
    person = replace(head.person, tagline="", interests="")
    return replace(head, description="", person=person, sections=(section,), updated="")


def _list_blocks(letter: Letter, w: TreeWriter, has_picture: bool) -> Iterator[TextBlock]:
    """
    The blocks of the letter; a "part" has a wide gap before it. What the text cites follows the name.

    The text "Dear Ms Lee, … Sincerely," ends with the closing, which is a part.
    """
    site = w.converter.site
    t = site.active_theme.translations
    # a text of several lines is a line each: recipient: |
    lines = [line for text in letter.recipient for line in text.splitlines()]
    place_and_date = [w.markdown(letter.place, "name"), w.date(t, letter.date, "long")]
    subject = w.markdown(letter.subject)
    yield from make_paragraph(LINE_BREAK.join(map(w.markdown, lines)), "part")
    yield from make_paragraph(w.join(place_and_date, t["comma"]), "part")
    yield from make_paragraph(mark_phrase("strong", subject), "part")

    blocks, references = w.divide_body(letter.body)
    if blocks and blocks[-1].kind == "paragraph":
        blocks[-1] = blocks[-1]._replace(kind="part")
    yield from blocks
    if has_picture:
        yield TextBlock("signature", letter.signature)
    yield from make_paragraph(w.plain(site.profile.name), "fact" if has_picture else "part")
    if references:
        yield from (TextBlock("rule"), *references)
