"""An invented researcher: the same publications, projects, talks and news for every program."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

WORDS = """adaptive analysis approximation bandwidth benchmark cache causal cluster compiler consensus control
    dataset distributed dynamic efficient energy estimation fairness gradient graph hardware inference
    kernel language latency learning measurement memory network optimization parallel placement policy
    privacy replication runtime sampling scheduling security storage stream system tensor theory
    throughput training variance wireless""".split()
PEOPLE = [
    ("José", "García", "Jos{\\'e} Garc{\\'\\i}a"),
    ("Søren", "Møller", "S{\\o}ren M{\\o}ller"),
    ("Łukasz", "Wójcik", "{\\L}ukasz W{\\'o}jcik"),
    ("Jürgen", "Müller", 'J{\\"u}rgen M{\\"u}ller'),
    ("Wei", "Zhang", "Wei Zhang"),
    ("Anna", "Smith", "Anna Smith"),
    ("Hiroshi", "Tanaka", "Hiroshi Tanaka"),
    ("Chloé", "Lefèvre", "Chlo{\\'e} Lef{\\`e}vre"),
]
OWNER = "Ada Example"
VENUES = [
    "Journal of Systems",
    "Transactions on Networking",
    "Proceedings of Measurement",
    "Annals of Storage",
]
EDUCATION = [
    ("Ph.D. in Computer Science", "Example University", "2020", "2025"),
    ("B.S.", "Example College", "2016", "2020"),
]
TALKS, PROJECTS, NEWS = 30, 30, 50


@dataclass(frozen=True)
class Paper:
    """A publication: its texts, its authors, and its BibTeX."""

    key: str
    title: str
    authors: tuple[str, ...]
    latex: tuple[str, ...]
    venue: str
    year: int
    month: int
    pages: str
    doi: str
    url: str
    abstract: str
    keywords: tuple[str, ...]
    selected: bool

    @property
    def date(self) -> str:
        return f"{self.year}-{self.month:02}-01"

    @property
    def bibtex(self) -> str:
        fields = {
            "title": self.title,
            "author": " and ".join(self.latex),
            "journal": self.venue,
            "year": str(self.year),
            "month": str(self.month),
            "pages": self.pages,
            "doi": self.doi,
            "url": self.url,
            "abstract": self.abstract,
            "keywords": ", ".join(self.keywords),
        }
        if self.selected:
            fields["selected"] = "true"
        lines = "".join(f"  {name:<9} = {{{value}}},\n" for name, value in fields.items())
        return f"@article{{{self.key},\n{lines}}}\n"


@dataclass(frozen=True)
class Note:
    """A project, a talk or a news item: its name, its date, and a text."""

    slug: str
    title: str
    date: str
    text: str


@dataclass(frozen=True)
class Researcher:
    """All content of the site."""

    papers: tuple[Paper, ...]
    projects: tuple[Note, ...]
    talks: tuple[Note, ...]
    news: tuple[Note, ...]
    bio: str


def create_researcher(count: int) -> Researcher:
    """Return the researcher with a number of publications, which are the same on every machine."""
    dice = random.Random(2026)

    def choose_words(least: int, most: int) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))

    papers = []
    for number in range(count):
        others = dice.sample(PEOPLE, 5)
        place = dice.randint(0, 5)
        names = [f"{given} {family}" for given, family, _ in others]
        latex = [spelling for *_, spelling in others]
        names.insert(place, OWNER)
        latex.insert(place, OWNER)
        year = 2025 - number * 25 // max(count, 1)
        papers.append(
            Paper(
                key=f"example{year}{dice.choice(WORDS)}{number:05}",
                title=f"{choose_words(6, 11).title()} {number}",
                authors=tuple(names),
                latex=tuple(latex),
                venue=dice.choice(VENUES),
                year=year,
                month=dice.randint(1, 12),
                pages=f"{number + 1}--{number + 14}",
                doi=f"10.5555/{number:06}",
                url=f"https://example.org/papers/{number:05}.pdf",
                abstract=f"{choose_words(100, 130).capitalize()}.",
                keywords=tuple(WORDS[(number * step + step) % len(WORDS)] for step in (1, 7, 11)),
                selected=number % 25 == 0,
            )
        )
    notes = {
        kind: tuple(
            Note(
                f"{kind}-{n:02}",
                choose_words(4, 7).title(),
                f"{2025 - n // 12}-{12 - n % 12:02}-01",
                f"{choose_words(30, 50)}.",
            )
            for n in range(many)
        )
        for kind, many in (("project", PROJECTS), ("talk", TALKS), ("news", NEWS))
    }
    bio = f"I work on *{choose_words(3, 5)}* and **{choose_words(2, 3)}**.\n\n{choose_words(40, 60).capitalize()}."
    return Researcher(tuple(papers), notes["project"], notes["talk"], notes["news"], bio)


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files by their paths in a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def quote_text(text: str) -> str:
    """Return a text as JSON, which is also YAML and TOML."""
    return json.dumps(text, ensure_ascii=False)


def write_tenure_site(who: Researcher, folder: Path) -> Path:
    """Write the sources for Tenure; return the file in which a title is edited."""
    write_files(
        folder,
        {
            "site.yaml": "title: Ada Example\nurl: https://example.org\ndescription: A researcher who does not exist.\n",
            "content/profile.yaml": f"name: {OWNER}\nemail: ada@example.org\n",
            "content/about.md": who.bio + "\n",
            "content/education.yaml": "".join(
                f"- degree: {degree}\n  institution: {school}\n  start: {start}\n  end: {end}\n"
                for degree, school, start, end in EDUCATION
            ),
            "content/talks.yaml": "".join(
                f"- title: {quote_text(t.title)}\n  event: Seminar\n  date: {t.date}\n  place: Zürich\n"
                for t in who.talks
            ),
            "content/projects.yaml": "".join(
                f"- id: {p.slug}\n  title: {quote_text(p.title)}\n  date: {p.date}\n  summary: {quote_text(p.text)}\n"
                for p in who.projects
            ),
            "content/news.yaml": "".join(
                f"- date: {n.date}\n  title: {quote_text(n.title)}\n  text: {quote_text(n.text)}\n"
                for n in who.news
            ),
            "bib/papers.bib": "\n".join(paper.bibtex for paper in who.papers),
        },
    )
    return folder / "bib" / "papers.bib"
