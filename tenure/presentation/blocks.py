"""The parts of an entry below its head, and its labelled facts."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from tenure.model.entries import Point, Publication
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.presentation.phrases import Phrase, link_phrase, markdown_phrase, nest_phrase, plain_phrase

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
