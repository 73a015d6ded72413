"""An invented researcher: the same publications, projects, talks and news as a site of Tenure and as one of Hugo."""

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

WORDS = """adaptive analysis approximation bandwidth benchmark cache causal cluster compiler consensus control
    dataset distributed dynamic efficient energy estimation fairness gradient graph hardware inference
    kernel language latency learning measurement memory network optimization parallel placement policy
    privacy replication runtime sampling scheduling security storage stream system tensor theory
    throughput training variance wireless""".split()
PEOPLE = r"""José García = Jos{\'e} Garc{\'\i}a
Søren Møller = S{\o}ren M{\o}ller
Łukasz Wójcik = {\L}ukasz W{\'o}jcik
Jürgen Müller = J{\"u}rgen M{\"u}ller
Wei Zhang = Wei Zhang
Anna Smith = Anna Smith
Hiroshi Tanaka = Hiroshi Tanaka
Chloé Lefèvre = Chlo{\'e} Lef{\`e}vre""".splitlines()
"""Authors, and their names in BibTeX."""

OWNER = "Ada Example"
VENUES = ("Journal of Systems", "Transactions on Networks", "Proceedings of Measurement", "Annals of Storage")
EDUCATION = (
    {"degree": "Ph.D. in Computing", "institution": "Example University", "start": "2020", "end": "2025"},
    {"degree": "B.S.", "institution": "Example College", "start": "2016", "end": "2020"},
)
NOTE_COUNTS = {"project": 30, "talk": 30, "news": 50}


@dataclass(frozen=True)
class Paper:
    """A publication: the fields of its BibTeX, its authors, and its date as year, month and day."""

    key: str
    fields: Mapping[str, str]
    authors: tuple[str, ...]
    date: str

    @property
    def bibtex(self) -> str:
        lines = "".join(f"  {name:<9} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@article{{{self.key},\n{lines}}}\n"


@dataclass(frozen=True)
class Researcher:
    """All content of the site; a note is a project, a talk or a news item."""

    papers: tuple[Paper, ...]
    notes: Mapping[str, tuple[Mapping[str, str], ...]]
    bio: str


def create_researcher(count: int) -> Researcher:
    """Return the researcher with a number of publications, which are the same on every machine."""
    dice = random.Random(2026)

    def choose_words(least: int, most: int) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))

    papers = []
    for number in range(count):
        people = [name.split(" = ") for name in dice.sample(PEOPLE, 5)]
        people.insert(dice.randint(0, 5), [OWNER, OWNER])
        year, month = 2025 - number * 25 // max(count, 1), dice.randint(1, 12)
        fields = {
            "title": f"{choose_words(6, 11).title()} {number}",
            "author": " and ".join(latex for _, latex in people),
            "journal": dice.choice(VENUES),
            "year": str(year),
            "month": str(month),
            "pages": f"{number + 1}--{number + 14}",
            "doi": f"10.5555/{number:06}",
            "url": f"https://example.org/papers/{number:05}.pdf",
            "abstract": f"{choose_words(100, 130).capitalize()}.",
            "keywords": ", ".join(WORDS[(number * step + step) % len(WORDS)] for step in (1, 7, 11)),
        }
        if number % 25 == 0:
            fields["selected"] = "true"
        key = f"example{year}{dice.choice(WORDS)}{number:05}"
        papers.append(Paper(key, fields, tuple(name for name, _ in people), f"{year}-{month:02}-01"))
    notes = {
        kind: tuple(
            {
                "id": f"{kind}-{n:02}",
                "title": choose_words(4, 7).title(),
                "date": f"{2025 - n // 12}-{12 - n % 12:02}-01",
                "text": f"{choose_words(30, 50)}.",
            }
            for n in range(number)
        )
        for kind, number in NOTE_COUNTS.items()
    }
    bio = f"I work on *{choose_words(3, 5)}* and **{choose_words(2, 3)}**.\n\n{choose_words(40, 60).capitalize()}."
    return Researcher(tuple(papers), notes, bio)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files by their paths in a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def format_json(value: object) -> str:
    """Return a value as JSON, which is also YAML."""
    return json.dumps(value, ensure_ascii=False)


def write_tenure_site(who: Researcher, folder: Path) -> Path:
    """Write the sources for Tenure; return the file in which a title is edited."""
    lists: dict[str, Sequence[Mapping[str, str]]] = {
        "education": EDUCATION,
        "projects": [{k.replace("text", "summary"): v for k, v in n.items()} for n in who.notes["project"]],
        "news": [{k: note[k] for k in ("date", "title", "text")} for note in who.notes["news"]],
        "talks": [
            {"title": note["title"], "date": note["date"], "event": "Seminar", "place": "Zürich"}
            for note in who.notes["talk"]
        ],
    }
    write_files(
        folder,
        {
            "site.yaml": "title: Ada Example\nurl: https://example.org\ndescription: A researcher who does not exist.\n",
            "content/profile.yaml": f"name: {OWNER}\nemail: ada@example.org\n",
            "content/about.md": who.bio + "\n",
            "bib/papers.bib": "\n".join(paper.bibtex for paper in who.papers),
            **{
                f"content/{name}.yaml": "".join(f"- {format_json(entry)}\n" for entry in entries)
                for name, entries in lists.items()
            },
        },
    )
    return folder / "bib" / "papers.bib"


def write_hugo_site(who: Researcher, folder: Path) -> Path:
    """
    Write a site for Hugo, with a file for each paper, as Hugo's academic themes have; return the file that is edited.

    It has all information of Tenure's pages and records, except the CV as PDF and the check of links.
    """
    shutil.copytree(Path(__file__).resolve().parent / "hugo_site", folder)
    pages: dict[str, tuple[dict[str, object], str]] = {
        "_index": ({"title": "Home", "description": OWNER}, who.bio),
        "cv": ({"title": "CV", "layout": "cv", "description": "CV"}, ""),
    }
    cascades: dict[str, object] = {
        "talks": [],
        "projects": [],
        "news": {"build": {"render": "never"}},
        "publications": [{"outputs": ["html", "bib"], "target": {"kind": "page"}}],
    }
    for name, cascade in cascades.items():
        title = name.title()
        pages[f"{name}/_index"] = ({"title": title, "description": title, "cascade": cascade}, "")
    for name, kind in (("projects", "project"), ("news", "news")):
        for note in who.notes[kind]:
            pages[f"{name}/{note['id']}"] = ({"title": note["title"], "date": note["date"]}, note["text"])
    for paper in who.papers:
        pages[f"publications/{paper.key}"] = (list_hugo_fields(paper), paper.fields["abstract"])
    write_files(
        folder,
        {
            "static/style.css": "body{max-width:50rem;margin:auto;font:16px/1.5 sans-serif}\n",
            "data/education.json": format_json(EDUCATION),
            "data/talks.json": format_json(who.notes["talk"]),
            **{
                f"content/{path}.md": f"{format_json(head)}\n\n{body}\n"
                for path, (head, body) in pages.items()
            },
        },
    )
    return folder / "content" / "publications" / f"{who.papers[len(who.papers) // 2].key}.md"


def list_hugo_fields(paper: Paper) -> dict[str, object]:
    """Return the front matter of a paper's file."""
    fields, names = paper.fields, [name.rpartition(" ") for name in paper.authors]
    first, _, last = fields["pages"].partition("--")
    return {
        "title": fields["title"],
        "date": paper.date,
        "authors": paper.authors,
        "venue": fields["journal"],
        "year": int(fields["year"]),
        "pages": f"{first}–{last}",
        "doi": fields["doi"],
        "pdf": fields["url"],
        "selected": "selected" in fields,
        "bibtex": paper.bibtex,
        "key": paper.key,
        "keywords": fields["keywords"].split(", "),
        "inverted": [f"{family}, {given}" for given, _, family in names],
        "csl": [{"family": family, "given": given} for given, _, family in names],
        "issued": paper.date[:7],
        "first": first,
        "last": last,
    }
