"""What a template can do with a value: filters for text, dates, names and addresses."""

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
    Our filters by name, beside those of Jinja that a theme may use, for pages in the language of the site.

    `look` hears which part of the site one reads.
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
        "email": lambda value: Markup(veiled(str(value))),  # noqa: S704 - nothing but references to characters
        "tagged": lambda tag: tags.get(tag, ""),
        "slug": lambda value: text.slug(str(value)),
        "json": lambda value: Markup(script_json(value, ordered=True)),  # noqa: S704 - it ends no script element
        "head": lambda page: _head(head, page, look),
        "coins": lambda paper: Markup('<span class="Z3988" title="{}"></span>').format(coins(paper)),
        "downloads": head.downloads.on,
        "services": partial(services_on, site.settings),
    }


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts as HTML, with their citations; `silent` are the texts of publications, in which nothing is cited."""

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
        """Blocks, and the list of what they cite; only a text that is a page has a region for it."""
        words = str(value)
        if "@" not in words or self._silent(words):
            # Markdown's own output: what its author wrote, HTML included, is theirs to publish.
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
        """One run of words."""
        words = str(value)
        if "@" in words and not self._silent(words):
            words = self.library.cite(words).text
        return Markup(self._set(words, text.inline(words), _isolated))  # noqa: S704 - as above

    def plain(self, value: str) -> str:
        """The words alone."""
        words = str(value)
        if "@" in words and not self._silent(words):
            words = self.library.spoken(words)
        made = text.plain(words)
        return made.replace("“", self.quotes[0]).replace("”", self.quotes[1]) if '"' in words else made

    def _set(self, words: str, made: str, turn: Callable[[str, Direction], str]) -> str:
        """HTML with the quotes of the language for those that were typed, and turned if it runs the other way."""
        if "<img" in made:
            made = with_players(made, self.players)
        if '"' in words and self.quotes != ("“", "”"):
            made = text.quoted(made, *self.quotes)
        return made if self.direction == "ltr" and words.isascii() else turn(made, self.direction)

    def _silent(self, words: str) -> bool:
        """Whether nothing is cited in a text with an @; the publications tell."""
        self.look("publications")
        return words in self.silent


_BLOCK = re.compile(r"<(p|[uod]l|h[1-6]|blockquote|table|figure|div)(?=[ >])")


_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)


def _turned(made: str, page: Direction) -> str:
    """Blocks with the way that they run, where it is not that of the page: all of a text, or paragraphs of it."""
    if _runs(made) not in ("", page):
        return _BLOCK.sub(rf'<\1 dir="{_runs(made)}"', made)
    return _PARAGRAPH.sub(
        lambda one: one[0] if _runs(one[1]) in ("", page) else f'<p dir="{_runs(one[1])}">{one[1]}</p>', made
    )


def _runs(made: str) -> str:
    """The way that the words of HTML run."""
    return direction(re.sub(r"<[^>]*>", "", made))


def _isolated(made: str, page: Direction) -> str:
    """A run of words apart from those around it where it runs another way, so that its full stop stays at its end."""
    way = _runs(made)
    return made if way in ("", page) else f'<bdi dir="{way}">{made}</bdi>'


def _bdi(page: Direction, words: str) -> Markup:
    """Words as they are, such as a name, isolated where they run another way than the page."""
    made = Markup.escape(words)
    return made if page == "ltr" and words.isascii() else Markup(_isolated(made, page))  # noqa: S704 - escaped above


def _lang(page: Language, own: Language, always: bool = False) -> Markup:
    """The attributes of what is in a language; nothing for the page's own, unless `always`."""
    if not own or (own == page and not always):
        return Markup("")
    turned = Markup(' dir="{}"').format(own.direction) if always or own.direction != page.direction else ""
    return Markup(' lang="{}"{}').format(own, turned)


def _title(texts: Texts, page: Language, paper: Publication) -> Markup:
    """The title of a publication, in its own language."""
    own = paper.language
    if not own or own.base == page.base:
        return texts.inline(paper.title)
    turned = Markup(' dir="{}"').format(own.direction) if own.direction != page.direction else Markup("")
    made = replace(texts, direction=own.direction).inline(paper.title)
    return Markup('<span lang="{}"{}>{}</span>').format(own, turned, made)


def _collated(words: Words, values: Iterable[Any], family: str = "") -> list[Any]:
    """
    Words in the order of the alphabet, or what begins with one: pairs, groups.

    `family` begins the keys of the words that they are shown with, as "kind_" does.
    """

    def place(value: Any) -> tuple[tuple[int, int], ...]:
        name = value if isinstance(value, str) else str(value[0])
        return words.order(words.get(f"{family}{name}", name))

    return sorted(values, key=place)


def _marked_up(headings: Iterable[text.Heading]) -> tuple[text.Heading, ...]:
    """Headings whose words are shown as the HTML that they are; they are of a text that was made into HTML."""
    return tuple(
        replace(heading, words=Markup(heading.words), below=_marked_up(heading.below))  # noqa: S704 - as it says
        for heading in headings
    )


def _wording(words: Mapping[str, str]) -> Wording:
    """What the markup of texts needs of a site's words."""
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
    """The head of a page; that of home tells the whole career."""
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
