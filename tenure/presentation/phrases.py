"""Phrases, pieces of text with their roles, and the blocks of an entry; each output format marks them up in its own way."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from tenure.markdown.html import plain_text
from tenure.model.dates import Date
from tenure.model.entries import Point, Publication
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path

DateForm = Literal["short", "long"]

SENTENCE_ENDS = "?!.？！。؟"
"""Punctuation marks after which a sentence needs no period."""


class Span(NamedTuple):
    """
    A piece of a line: plain text, inline Markdown, or nested spans.

    `role` is its meaning, such as "owner", "venue" or "term"; "" is text without a meaning of its own, such as a comma.
    `detail` is the machine-readable form of a date, or the explanation of a mark. A format that does not know a role
    shows the text alone.
    """

    text: str = ""
    role: str = ""
    url: str = ""
    is_markdown: bool = False
    spans: tuple["Span", ...] = ()
    detail: str = ""


Phrase = tuple[Span, ...]
"""A line or a part of one; an empty phrase shows nothing."""


def plain_phrase(text: str, role: str = "", url: str = "", detail: str = "") -> Phrase:
    """A plain text as a phrase; () without text."""
    return (Span(text, role, url, detail=detail),) if text else ()


def markdown_phrase(text: str, role: str = "", url: str = "") -> Phrase:
    """Inline Markdown as a phrase; () without text."""
    return (Span(text, role, url, is_markdown=True),) if text else ()


def nest_phrase(phrase: Phrase, role: str = "", url: str = "") -> Phrase:
    """A phrase as one span with a role; () if it is empty."""
    return (Span(role=role, url=url, spans=phrase),) if phrase else ()


def link_phrase(phrase: Phrase, url: str) -> Phrase:
    """A phrase as a link; unchanged without a URL."""
    return nest_phrase(phrase, url=url) if url else phrase


def join_phrases(phrases: Iterable[Phrase], separator: str) -> Phrase:
    """Join the non-empty phrases with a separator."""
    joined: list[Span] = []
    for phrase in phrases:
        if phrase:
            if joined and separator:
                joined.append(Span(separator))
            joined += phrase
    return tuple(joined)


def fill_pattern(pattern: str, parts: Mapping[str, Phrase]) -> Phrase:
    """Replace the fields of a translated pattern, "{first} and {last}", with phrases."""
    spans: list[Span] = []
    remainder = pattern
    while "{" in remainder:
        literal, _, remainder = remainder.partition("{")
        name, _, remainder = remainder.partition("}")
        spans += [*plain_phrase(literal), *parts.get(name, ())]
    return (*spans, *plain_phrase(remainder))


def date_phrase(t: Translations, date: Date | None, form: DateForm = "short") -> Phrase:
    """A date in the language of the translations."""
    if date is None:
        return ()
    return plain_phrase(date.format_text(t, form), "date" if date.iso else "", detail=date.iso)


def label_fact(t: Translations, label: str, value: Phrase) -> Phrase:
    """A fact with its label, "Topic: …"; () without a value."""
    return (Span(t["label"].format(label=label), "term"), Span(" "), *value) if value else ()


def format_name_list(t: Translations, names: Sequence[Phrase]) -> Phrase:
    """Names as a list in a sentence: "A and B", "A, B, and C"."""
    names = [name for name in names if name]
    if len(names) < 2:
        return names[0] if names else ()
    first = join_phrases(names[:-1], t["list_comma"])
    return fill_pattern(t["and_two" if len(names) == 2 else "and_many"], {"first": first, "last": names[-1]})


def phrase_to_text(phrase: Phrase) -> str:
    """The plain text of a phrase; citations in it are not resolved."""
    return "".join(
        phrase_to_text(span.spans)
        if span.spans
        else (plain_text(span.text) if span.is_markdown else span.text)
        for span in phrase
    )


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a punctuation mark, so that no period follows; also if it is empty."""
    return text.rstrip()[-1:] in SENTENCE_ENDS


BlockRole = Literal[
    "summary", "text", "bullets", "features", "papers", "body", "picture", "note", "fact", "links", "tags"
]


class Bullet(NamedTuple):
    """A bullet point with its nested bullet points."""

    text: Phrase
    bullets: tuple["Bullet", ...] = ()


class Block(NamedTuple):
    """
    A part of an entry below its head.

    `label` and `items` are those of a fact, of papers or of links; `body` is Markdown with blocks of its own. Only HTML
    shows the picture and the tags, which it takes from the entry.
    """

    role: BlockRole
    text: Phrase = ()
    bullets: tuple[Bullet, ...] = ()
    body: str = ""
    name: str = ""
    label: str = ""
    items: tuple[Phrase, ...] = ()


def present_bullets(points: Iterable[Point]) -> tuple[Bullet, ...]:
    """Bullet points with their nested ones."""
    return tuple(Bullet(markdown_phrase(point.text), present_bullets(point.points)) for point in points)


def text_block(role: BlockRole, text: str) -> tuple[Block, ...]:
    """A text of one paragraph; () without text."""
    return (Block(role, markdown_phrase(text)),) if text else ()


def body_block(body: str) -> tuple[Block, ...]:
    """A Markdown text; () without text."""
    return (Block("body", body=body),) if body else ()


def bullet_block(bullets: Sequence[Bullet]) -> tuple[Block, ...]:
    """A list of bullets; () without bullets."""
    return (Block("bullets", bullets=tuple(bullets)),) if bullets else ()


def fact_bullets(facts: Iterable[Phrase]) -> tuple[Bullet, ...]:
    """The facts that have a value, as bullets."""
    return tuple(Bullet(fact) for fact in facts if fact)


def fact_block(name: str, label: str, *values: Phrase) -> tuple[Block, ...]:
    """A fact with its label; () without a value."""
    items = tuple(value for value in values if value)
    return (Block("fact", name=name, label=label, items=items),) if items else ()


def paper_block(
    t: Translations, publications: Iterable[Publication], keys: Sequence[str], *, links_to_pages: bool = True
) -> tuple[Block, ...]:
    """Publications by their titles; the role of each is "paper", its detail the citation key."""
    if not keys:
        return ()
    items = tuple(_present_paper(paper, links_to_pages) for paper in publications if paper.key in keys)
    return (Block("papers", name="papers", label=t["papers" if len(keys) > 1 else "paper"], items=items),)


def _present_paper(paper: Publication, links_to_pages: bool) -> Phrase:
    short = markdown_phrase(paper.venue.short, "name")
    path = entry_page_path(paper) if links_to_pages else ""
    venue = (*plain_phrase(" ("), *short, *plain_phrase(")")) if short else ()
    phrase = nest_phrase((*link_phrase(title_phrase(paper), path or paper.url), *venue), "paper")
    return tuple(span._replace(detail=paper.key) for span in phrase)


def title_phrase(paper: Publication) -> Phrase:
    """The title of a publication; the detail of its span is its language."""
    title = nest_phrase(markdown_phrase(paper.title), "title")
    return tuple(span._replace(detail=paper.language) for span in title)
