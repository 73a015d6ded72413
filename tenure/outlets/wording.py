"""Converts values of the model to text runs with absolute links, for a PDF."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from tenure.frozen import dataclass
from tenure.model.dates import Date, Period
from tenure.model.files import Files
from tenure.model.links import is_local, scheme_of
from tenure.model.scholar import Entry, Point, Publication
from tenure.model.site import Site
from tenure.model.words import Words
from tenure.outlets.runs import Block, Run, blocks_of, linked, paragraph, runs_of, words_of
from tenure.text import slug
from tenure.web.filters import Texts
from tenure.web.pages import address

Runs = list[Run]


@dataclass(frozen=True, slots=True)
class Wording:
    """
    Converts values of the model to runs and blocks.

    `t` are the translations of the theme. `numbers` has anchor and number of a publication in the document by key.
    Rows of links are omitted unless `with_links`, full texts of projects unless `full_projects`.
    """

    site: Site
    texts: Texts
    files: Files
    t: Words
    numbers: Mapping[str, tuple[str, int]]
    links: bool
    accounts: bool

    @classmethod
    def of(
        cls, site: Site, numbers: Mapping[str, tuple[str, int]], *, links: bool, accounts: bool
    ) -> "Wording":
        """The builder for one document of a site."""
        return cls(
            site, Texts.of(site, lambda _: None), Files(site.files), site.look.words, numbers, links, accounts
        )

    def inline(self, value: str) -> Runs:
        """A Markdown text as inline runs."""
        return runs_of(self.texts.inline(value), self.absolute) if value else []

    def blocks(self, value: str) -> list[Block]:
        """A Markdown text as blocks."""
        return blocks_of(self.texts.markdown(value, 3), self.absolute) if value else []

    def plain(self, value: str) -> Runs:
        """A Markdown text as a run of plain text."""
        words = self.texts.plain(value) if value else ""
        return [words] if words else []

    def absolute(self, url: str) -> str:
        """An absolute URL, or "" if the site has no URL."""
        if scheme_of(url) or url.startswith("//"):
            return url
        root = self.site.settings.url.rstrip("/")
        if not root or url.startswith(("#", "?")) or not url:
            return ""
        if is_local(url):
            found = self.files.find(unquote(url))
            return f"{root}/{found[0]}" if len(found) == 1 else ""
        return f"{root}{url}"

    def led(self, runs: Runs, *urls: str) -> Runs:
        """Link the runs to the first URL that can be made absolute."""
        return linked(runs, next((full for url in urls if url and (full := self.absolute(url))), ""))

    def named(self, entry: Entry, runs: Runs) -> Runs:
        """Link the runs to the page or the URL of an entry; without runs, a label is the link to the URL."""
        if not runs and entry.url:
            runs = [self.t["link_link"]]
        return self.led(runs, address(entry), entry.url)

    def date(self, value: Date | None, form: str = "short") -> Runs:
        """A date in the site's language."""
        return [value.written(self.t, form)] if value else []

    def period(self, value: Period | None, form: str = "short") -> Runs:
        """A period in the site's language."""
        written = value.written(self.t, form) if value else ""
        return [written] if written else []

    def told(self, label: str, value: Runs) -> Runs:
        """A fact with its label, "Topic: …"; [] without a value."""
        return [{"is": "term", "runs": [self.t["label"].format(label=label)]}, " ", *value] if value else []

    def names(self, values: Sequence[str]) -> Runs:
        """Markdown texts as a list in a sentence: "A and B", "A, B, and C"."""
        shown = [self.inline(value) for value in values]
        if len(shown) < 2:
            return [run for runs in shown for run in runs]
        first = parted(shown[:-1], self.t["list_comma"])
        return filled(
            self.t["and_two" if len(shown) == 2 else "and_many"], {"first": first, "last": shown[-1]}
        )

    def listed(self, parts: Iterable[Runs]) -> Runs:
        """Join the non-empty parts with the commas of the language."""
        return parted(parts, self.t["comma"])

    def points(self, points: Iterable[Point], facts: Iterable[Runs] = ()) -> list[Block]:
        """Facts and bullets with their nested bullets, as one list."""
        items = [paragraph(runs) for runs in facts if runs]
        items += [paragraph(self.inline(point.text)) + self.points(point.points) for point in points]
        return bullets(items)

    def about(self, entry: Entry, points: list[Block], *, note: bool = True, row: bool = True) -> list[Block]:
        """The blocks below the head of an entry, including its bullets."""
        papers = paragraph(self.papers(entry), "papers")
        if points and papers:
            points, papers = bullets([*points[0]["items"], papers]), []
        below = paragraph(self.inline(entry.summary), "summary") + points + papers
        if not address(entry):
            below += self.blocks(entry.body)
        below += paragraph(self.inline(entry.note), "note") if note else []
        return below + (self.row(entry) if row else [])

    def row(self, entry: Entry, more: Iterable[tuple[str, str]] = ()) -> list[Block]:
        """The row of links of an entry, or [] without `with_links`; `extra_links` are labels and URLs before its own."""
        pairs = [*more, *((link.label, link.url) for link in entry.links)]
        made = [self.led([self.t.called(label)], url) for label, url in pairs if self.absolute(url)]
        return paragraph(self.listed(made), "links") if self.links else []

    def papers(self, entry: Entry) -> Runs:
        """The publications of an entry: by number in the document, or by title."""
        if not entry.publications:
            return []
        shown = [self._paper(paper) for paper in self.site.publications if paper.key in entry.publications]
        bare = all(paper in self.numbers for paper in entry.publications)
        label = self.t["papers" if len(entry.publications) > 1 else "paper"]
        return self.told(label, parted(shown, self.t["comma" if bare else "semicolon"]))

    def _paper(self, paper: Publication) -> Runs:
        if paper.key in self.numbers:
            anchor, number = self.numbers[paper.key]
            return [{"is": "reference", "id": anchor, "text": f"[{number}]"}]
        title = self.named(paper, self.inline(paper.title))
        short = words_of(self.plain(paper.venue.short))
        return [*title, f" ({short})"] if short else title

    def group(self, label: str) -> str:
        """Label of a group of service."""
        return self.t.get(f"group_{slug(label)}", label[:1].upper() + label[1:].replace("_", " "))


def bullets(items: list[list[Block]]) -> list[Block]:
    """A bullet list as a list of one block, or [] without items."""
    return [{"is": "list", "ordered": False, "start": 1, "items": items}] if items else []


def parted(parts: Iterable[Runs], between: str) -> Runs:
    """Join the non-empty parts with a separator."""
    made: Runs = []
    for part in parts:
        if part:
            made += [between, *part] if made else part
    return made


def filled(pattern: str, parts: Mapping[str, Runs]) -> Runs:
    """Replace the fields of a translated pattern, "{first} and {last}", with runs."""
    made: Runs = []
    rest = pattern
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        made += [before, *parts.get(name, [])]
    return [run for run in (*made, rest) if run]
