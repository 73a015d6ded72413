"""
The writer of texts in one format, and the blocks of an entry.

The objects: a Writer makes Phrases, such as links and emphasized texts, of one format (HTML, Typst or plain
text); a Block is a part of an entry below its head.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from tenure.model.dates import Date
from tenure.model.entries import Entry, Point, Publication
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path

DateForm = Literal["short", "long"]


Phrase = str
"""A line or a part of one, in the format of its writer. One that is empty shows nothing."""


_PLACEHOLDER = re.compile(r"\{(\w*)\}")
"""{first} in "{first} and {last}"."""


class Writer(ABC):
    """
    Writes texts in one format.

    The role of a text is its meaning, such as "owner", "venue" or "term"; a format that does not know it
    shows the text alone. `detail` is the machine-readable form of a date, or the explanation of a mark.
    """

    tilde_space = ""
    """
    A space more between the dash of a period and the "~" of an approximate end: "Sep 2022 –  ~May 2027".

    Formats that are looked at have a thin one; plain text, which is searched, has none.
    """

    def __init__(self) -> None:
        # names and venues are in many entries
        self._write_plain = cache(
            lambda text, role, url, detail: self.wrap(self.escape(text, role), role, url, detail)
        )
        self._write_markdown = cache(lambda text, role, url: self.wrap(self.convert(text, role), role, url))

    def plain(self, text: str, role: str = "", url: str = "", detail: str = "") -> Phrase:
        """A plain text."""
        return self._write_plain(text, role, url, detail) if text else ""

    def markdown(self, text: str, role: str = "", url: str = "") -> Phrase:
        """An inline Markdown text."""
        return self._write_markdown(text, role, url) if text else ""

    def nest(self, content: Phrase, role: str = "", url: str = "") -> Phrase:
        """A content with a role."""
        return self.wrap(content, role, url) if content else ""

    def link(self, content: Phrase, url: str) -> Phrase:
        """A content as a link; unchanged without a URL."""
        return self.nest(content, "", url) if url else content

    def join(self, parts: Iterable[Phrase], separator: str) -> Phrase:
        """The parts that are not empty, with a separator between them."""
        return self.plain(separator).join([part for part in parts if part])

    def fill(self, pattern: str, parts: Mapping[str, Phrase]) -> Phrase:
        """A translated pattern, "{first} and {last}", with its fields replaced; empty if all of them are."""
        if not any(parts.values()):
            return ""
        pieces = _PLACEHOLDER.split(pattern)
        return "".join(parts.get(p, "") if i % 2 else self.plain(p) for i, p in enumerate(pieces))

    def title(self, paper: Publication) -> Phrase:
        """The title of a publication; a format may override this to mark the language."""
        return self.markdown(paper.title)

    def name_paper(self, paper: Publication, title: Phrase, venue: Phrase) -> Phrase:
        """A publication that another entry names, by its title and the short name of its venue."""
        del paper
        return f"{title}{venue}"

    def date(self, t: Translations, date: Date | None, form: DateForm = "short") -> Phrase:
        """A date in the language of the translations."""
        if date is None:
            return ""
        return self.plain(date.format_text(t, form), "date" if date.iso else "", detail=date.iso)

    def label(self, t: Translations, label: str, value: Phrase) -> Phrase:
        """A value with its label, "Topic: …"; empty without a value."""
        if not value:
            return ""
        term = self.plain(t["label"].format(label=label), "term")
        return f"{term}{self.plain(' ')}{value}"

    def list_names(self, t: Translations, names: Sequence[Phrase]) -> Phrase:
        """Names as a list in a sentence: "A and B", "A, B, and C"."""
        names = [name for name in names if name]
        if len(names) < 2:
            return names[0] if names else ""
        first = self.join(names[:-1], t["list_comma"])
        pattern = t["and_two" if len(names) == 2 else "and_many"]
        return self.fill(pattern, {"first": first, "last": names[-1]})

    def end_sentence(self, content: Phrase) -> Phrase:
        """Add a period unless the content is empty or ends with a punctuation mark."""
        is_ended = not content or ends_sentence(self.to_text(content))
        return content if is_ended else f"{content}{self.plain('.')}"

    @abstractmethod
    def escape(self, text: str, role: str) -> Phrase:
        """A plain text in the format."""

    @abstractmethod
    def convert(self, text: str, role: str) -> Phrase:
        """A Markdown text in the format."""

    @abstractmethod
    def wrap(self, content: Phrase, role: str, url: str = "", detail: str = "") -> Phrase:
        """A content, which is not empty, with the markup of its role and a link."""

    @abstractmethod
    def to_text(self, content: Phrase) -> str:
        """The plain text of a content."""


SENTENCE_ENDS = "?!.？！。؟"
"""Punctuation marks after which a sentence needs no period."""


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a punctuation mark, so that no period follows; also if it is empty."""
    return text.rstrip()[-1:] in SENTENCE_ENDS


BlockRole = Literal[
    "summary",
    "text",
    "bullets",
    "features",
    "papers",
    "body",
    "picture",
    "note",
    "fact",
    "technologies",
    "links",
    "tags",
]


class Bullet(NamedTuple):
    """A bullet point with its nested bullet points."""

    text: Phrase
    bullets: tuple["Bullet", ...] = ()


class TextLink(NamedTuple):
    """A link in the row of links of an entry."""

    text: str
    url: str


class Block(NamedTuple):
    """
    A part of an entry below its head.

    `label` and `items` are those of a fact, of technologies or of papers, `links` those of a row of links;
    `body` is Markdown with blocks of its own. Only HTML shows the picture and the tags, which it takes from
    the entry.
    """

    role: BlockRole
    text: Phrase = ""
    bullets: tuple[Bullet, ...] = ()
    body: str = ""
    label: str = ""
    items: tuple[Phrase, ...] = ()
    links: tuple[TextLink, ...] = ()


def present_bullets(w: Writer, points: Iterable[Point]) -> tuple[Bullet, ...]:
    """Bullet points with their nested ones."""
    return tuple(Bullet(w.markdown(point.text), present_bullets(w, point.points)) for point in points)


def keep_filled(entry: Entry, blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks of an entry that show something."""
    taken = {"picture": entry.shown_media or entry.compare, "tags": entry.tags}
    return tuple(
        b for b in blocks if b.text or b.bullets or b.body or any(b.items) or b.links or taken.get(b.role)
    )


def list_papers(
    w: Writer,
    t: Translations,
    publications: Iterable[Publication],
    keys: Sequence[str],
    has_pages: bool = True,
) -> Block:
    """The publications with some keys by their titles, linked to their pages if the document `has_pages`."""
    items = []
    # most entries name no publication, and need not look at all of them
    candidates = publications if keys else ()
    for paper in candidates:
        if paper.key in keys:
            page = entry_page_path(paper) if has_pages else ""
            title = w.link(w.title(paper), page or paper.url)
            venue = w.markdown(paper.venue.short, "name")
            items.append(w.name_paper(paper, title, w.fill(" ({venue})", {"venue": venue})))
    return Block("papers", label=t["papers" if len(keys) > 1 else "paper"], items=tuple(items))
