"""Texts, dates and addresses of a site in the words of a document that stands by itself."""

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
    How values of the model are put into runs.

    `t` are the words of the theme; `numbers` has the anchor and number of a paper in the document by its key; rows of
    links are left out unless `links`, and the whole accounts of projects unless `accounts`.
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
        """The wording of a site for one document."""
        return cls(
            site, Texts.of(site, lambda _: None), Files(site.files), site.look.words, numbers, links, accounts
        )

    def inline(self, value: str) -> Runs:
        """A Markdown text as one run of words."""
        return runs_of(self.texts.inline(value), self.absolute) if value else []

    def blocks(self, value: str) -> list[Block]:
        """A Markdown text as blocks."""
        return blocks_of(self.texts.markdown(value, 3), self.absolute) if value else []

    def plain(self, value: str) -> Runs:
        """The words of a Markdown text alone."""
        words = self.texts.plain(value) if value else ""
        return [words] if words else []

    def absolute(self, url: str) -> str:
        """An address that leads somewhere from anywhere, or "" where the site does not know its own."""
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
        """Runs that lead to the first address that leads anywhere."""
        return linked(runs, next((full for url in urls if url and (full := self.absolute(url))), ""))

    def named(self, entry: Entry, runs: Runs) -> Runs:
        """Runs that lead to an entry: to its page, or to its address elsewhere, which is named where no runs do."""
        if not runs and entry.url:
            runs = [self.t["link_link"]]
        return self.led(runs, address(entry), entry.url)

    def date(self, value: Date | None, form: str = "short") -> Runs:
        """A date in the words of the theme."""
        return [value.written(self.t, form)] if value else []

    def period(self, value: Period | None, form: str = "short") -> Runs:
        """A period in the words of the theme."""
        written = value.written(self.t, form) if value else ""
        return [written] if written else []

    def told(self, label: str, value: Runs) -> Runs:
        """A fact with its label: "Topic: …"; nothing where there is no fact."""
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
        """Those of the parts that say something, with the commas of the language."""
        return parted(parts, self.t["comma"])

    def points(self, points: Iterable[Point], facts: Iterable[Runs] = ()) -> list[Block]:
        """Bullets with the bullets beneath them, and facts among them, as one list."""
        items = [paragraph(runs) for runs in facts if runs]
        items += [paragraph(self.inline(point.text)) + self.points(point.points) for point in points]
        return bullets(items)

    def about(self, entry: Entry, points: list[Block], *, note: bool = True, row: bool = True) -> list[Block]:
        """All that may follow the head of an entry, around its bullets."""
        papers = paragraph(self.papers(entry), "papers")
        if points and papers:
            points, papers = bullets([*points[0]["items"], papers]), []
        below = paragraph(self.inline(entry.summary), "summary") + points + papers
        if not address(entry):
            below += self.blocks(entry.body)
        below += paragraph(self.inline(entry.note), "note") if note else []
        return below + (self.row(entry) if row else [])

    def row(self, entry: Entry, more: Iterable[tuple[str, str]] = ()) -> list[Block]:
        """The row of links of an entry, where links are wished for: `more` are labels and addresses before its own."""
        pairs = [*more, *((link.label, link.url) for link in entry.links)]
        made = [self.led([self.t.called(label)], url) for label, url in pairs if self.absolute(url)]
        return paragraph(self.listed(made), "links") if self.links else []

    def papers(self, entry: Entry) -> Runs:
        """The publications that an entry names: by their number in the document, else by title."""
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
        """What a group of service is called."""
        return self.t.get(f"group_{slug(label)}", label[:1].upper() + label[1:].replace("_", " "))


def bullets(items: list[list[Block]]) -> list[Block]:
    """A list of these items, or nothing where there are none."""
    return [{"is": "list", "ordered": False, "start": 1, "items": items}] if items else []


def parted(parts: Iterable[Runs], between: str) -> Runs:
    """Those of the parts that say something, with words between them."""
    made: Runs = []
    for part in parts:
        if part:
            made += [between, *part] if made else part
    return made


def filled(pattern: str, parts: Mapping[str, Runs]) -> Runs:
    """A pattern of the theme's words, "{first} and {last}", with runs in its places."""
    made: Runs = []
    rest = pattern
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        made += [before, *parts.get(name, [])]
    return [run for run in (*made, rest) if run]
