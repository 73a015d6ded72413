"""The Jinja filters of Tenure: Markdown, dates, names and URLs."""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from tenure import text
from tenure.blocks import ADMONITIONS, Wording, veiled
from tenure.frozen import dataclass
from tenure.model.dates import Date, Period
from tenure.model.languages import Direction, Language, direction
from tenure.model.names import Authors, Shortened
from tenure.model.scholar import Entry, Publication
from tenure.model.site import Site
from tenure.model.words import Words
from tenure.web.citations import Library, texts_of
from tenure.web.citing import coins
from tenure.web.head import Head
from tenure.web.linked_data import script_json
from tenure.web.pages import Page, address
from tenure.web.services import services_on
from tenure.web.tags import paths_of
from tenure.web.videos import with_players


def filters(site: Site, head: Head, look: Callable[[str], None]) -> dict[str, Any]:
    """
    Return the filters of Tenure by template name, for pages in the language of the site.

    Filters call `record_access` with the name of the part of the site that they read.
    """
    texts = Texts.of(site, look)
    words, language, tags = site.look.words, site.settings.language, paths_of(site)
    return {
        "markdown": texts.markdown,
        "headings": lambda made: _marked_up(text.headings(made)),
        "inline": texts.inline,
        "plain": texts.plain,
        "title": partial(_title, texts, language),
        "bdi": partial(_bdi, language.direction),
        "lang": partial(_lang, language),
        "label": lambda link: words.called(link.label),
        "collated": partial(_collated, words),
        "date": partial(_date, words),
        "period": partial(_period, words),
        "authors": _authors,
        "url": lambda value: address(value) if isinstance(value, Entry) else str(value),
        "email": lambda value: Markup(veiled(str(value))),  # noqa: S704 - it contains only character references
        "tagged": lambda tag: tags.get(tag, ""),
        "slug": lambda value: text.slug(str(value)),
        "json": lambda value: Markup(script_json(value, ordered=True)),  # noqa: S704 - it cannot end a script element
        "head": lambda page: _head(head, page, look),
        "coins": lambda paper: Markup('<span class="Z3988" title="{}"></span>').format(coins(paper)),
        "downloads": head.downloads.on,
        "services": partial(services_on, site.settings),
    }


@dataclass(frozen=True, slots=True)
class Texts:
    """
    Renders Markdown with its citations as HTML or plain text.

    `uncited_texts` are the texts of publications; an @ in them is not a citation.
    """

    library: Library
    silent: frozenset[str]
    wording: Wording
    quotes: tuple[str, str]
    direction: Direction
    players: frozenset[str]
    look: Callable[[str], None]

    @classmethod
    def of(cls, site: Site, look: Callable[[str], None]) -> "Texts":
        entries = [entry for collection in site.collections.values() for entry in collection.entries]
        papers = [entry for entry in entries if isinstance(entry, Publication)]
        silent = {words for paper in papers for words in texts_of(paper) if "@" in words}
        silent |= {text.plain(words) for words in silent}
        before, _, after = site.look.words["quote"].partition("{text}")
        return cls(
            library=Library.of(site, address),
            silent=frozenset(silent),
            wording=_wording(site.look.words),
            quotes=(before, after),
            direction=site.settings.language.direction,
            players=frozenset(key for key in ("youtube", "vimeo") if getattr(site.settings.services, key)),
            look=look,
        )

    def markdown(self, value: str, level: int = 2) -> Markup:
        """Render Markdown blocks, and the list of the publications cited: a <section> up to level 2, below that a <div>."""
        words = str(value)
        if "@" not in words or self._silent(words):
            # The output of Markdown; its author may write any HTML.
            return Markup(self._set(words, text.to_html(words, level, self.wording), _turned))  # noqa: S704
        cited = self.library.cite(words)
        made = self._set(words, text.to_html(cited.text, level, self.wording), _turned)
        if cited.publications:
            lines = "".join(
                f"<li>{text.inline(self.library.reference(p))}</li>\n" for p in cited.publications
            )
            label = html.escape(self.library.words["references"])
            opening, closing = ("<section", "</section>") if level <= 2 else ('<div role="group"', "</div>")
            made += f'\n{opening} class="references" aria-label="{label}">\n<ol>\n{lines}</ol>\n{closing}'
        return Markup(made)  # noqa: S704 - as above

    def inline(self, value: str) -> Markup:
        """Render inline Markdown without a paragraph around it."""
        words = str(value)
        if "@" in words and not self._silent(words):
            words = self.library.cite(words).text
        return Markup(self._set(words, text.inline(words), _isolated))  # noqa: S704 - as above

    def plain(self, value: str) -> str:
        """Return the text without markup."""
        words = str(value)
        if "@" in words and not self._silent(words):
            words = self.library.spoken(words)
        made = text.plain(words)
        return made.replace("“", self.quotes[0]).replace("”", self.quotes[1]) if '"' in words else made

    def _set(self, words: str, made: str, turn: Callable[[str, Direction], str]) -> str:
        """Add video players, the quotation marks of the language and, if it differs from the page, the text direction."""
        if "<img" in made:
            made = with_players(made, self.players)
        if '"' in words and self.quotes != ("“", "”"):
            made = text.quoted(made, *self.quotes)
        return made if self.direction == "ltr" and words.isascii() else turn(made, self.direction)

    def _silent(self, words: str) -> bool:
        """Whether an @ in the text is not a citation; reads the publications of the site."""
        self.look("publications")
        return words in self.silent


_BLOCK = re.compile(r"<(p|[uod]l|h[1-6]|blockquote|table|figure|div)(?=[ >])")


_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)


def _turned(made: str, page: Direction) -> str:
    """Add `dir` to the blocks of a text, or to single paragraphs, that run in another direction than the page."""
    if _runs(made) not in ("", page):
        return _BLOCK.sub(rf'<\1 dir="{_runs(made)}"', made)
    return _PARAGRAPH.sub(
        lambda one: one[0] if _runs(one[1]) in ("", page) else f'<p dir="{_runs(one[1])}">{one[1]}</p>', made
    )


def _runs(made: str) -> str:
    """The direction of the text in HTML."""
    return direction(re.sub(r"<[^>]*>", "", made))


def _isolated(made: str, page: Direction) -> str:
    """Wrap inline HTML in <bdi> if its direction differs from the page, so that its final full stop stays at its end."""
    way = _runs(made)
    return made if way in ("", page) else f'<bdi dir="{way}">{made}</bdi>'


def _bdi(page: Direction, words: str) -> Markup:
    """Escape a text such as a name, and isolate it if its direction differs from the page."""
    made = Markup.escape(words)
    return made if page == "ltr" and words.isascii() else Markup(_isolated(made, page))  # noqa: S704 - escaped above


def _lang(page: Language, own: Language, always: bool = False) -> Markup:
    """The `lang` and `dir` attributes of an element; empty for the language of the page, unless `always`."""
    if not own or (own == page and not always):
        return Markup("")
    turned = Markup(' dir="{}"').format(own.direction) if always or own.direction != page.direction else ""
    return Markup(' lang="{}"{}').format(own, turned)


def _title(texts: Texts, page: Language, paper: Publication) -> Markup:
    """Render the title of a publication with the language of the publication."""
    own = paper.language
    if not own or own.base == page.base:
        return texts.inline(paper.title)
    turned = Markup(' dir="{}"').format(own.direction) if own.direction != page.direction else Markup("")
    made = replace(texts, direction=own.direction).inline(paper.title)
    return Markup('<span lang="{}"{}>{}</span>').format(own, turned, made)


def _collated(words: Words, values: Iterable[Any], family: str = "") -> list[Any]:
    """
    Sort strings, or sequences whose first element is a string, alphabetically by their translations.

    `key_prefix` is the start of the translation keys, such as "kind_".
    """

    def place(value: Any) -> tuple[tuple[int, int], ...]:
        name = value if isinstance(value, str) else str(value[0])
        return words.order(words.get(f"{family}{name}", name))

    return sorted(values, key=place)


def _marked_up(headings: Iterable[text.Heading]) -> tuple[text.Heading, ...]:
    """Headings with their text marked as safe HTML; they were extracted from rendered HTML."""
    return tuple(
        replace(heading, words=Markup(heading.words), below=_marked_up(heading.below))  # noqa: S704 - from rendered HTML
        for heading in headings
    )


def _wording(words: Mapping[str, str]) -> Wording:
    """The labels that the Markdown renderer needs, from the translations of a site."""
    return Wording(
        table=words["text_table"],
        footnotes=words["text_footnotes"],
        back=words["text_back"],
        done=words["task_done"],
        undone=words["task_undone"],
        contents=words["contents"],
        admonitions=tuple((kind, words[f"admonition_{kind}"]) for kind in ADMONITIONS),
    )


def _head(head: Head, page: Page, look: Callable[[str], None]) -> Markup:
    """Render the head of a page; the JSON-LD of the home page reads all collections."""
    if page.kind == "home":
        look("collections")
    return Markup(head.html(page))  # noqa: S704 - every value in it is escaped


def _date(words: Mapping[str, str], value: Date | None, form: str = "short") -> Markup:
    if value is None:
        return Markup("")
    shown = value.written(words, form)
    if not value.iso:
        return Markup.escape(shown)
    return Markup('<time datetime="{}">{}</time>').format(value.iso, shown)


def _period(words: Mapping[str, str], value: Period | None, form: str = "short") -> Markup:
    if value is None:
        return Markup("")
    start = _date(words, value.start, form)
    end = Markup.escape(words["present"]) if value.ongoing else _date(words, value.end, form)
    if start and end:
        return Markup.escape(words["date_period"]).format(start=start, end=end)
    return start or (Markup.escape(words["date_until"]).format(date=end) if end else Markup(""))


def _authors(value: Authors, most: int = 0) -> Shortened:
    return value.shortened(most)
