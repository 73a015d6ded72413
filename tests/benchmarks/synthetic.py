"""
An invented researcher: the same publications, projects, talks and news as a site of Tenure and as one of Hugo.

A site is named by the number of its publications, such as `1000`, or as in `SITES`.
"""

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

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

GIVEN_NAMES = ("Ana", "Ben", "Cai", "Dora", "Emil", "Fay", "Gil", "Hana", "Ivo", "Jun")
FAMILY_NAMES = ("Abel", "Berg", "Costa", "Dahl", "Engel", "Fuchs", "Gray", "Holm", "Ito", "Jansen")
ROLES = ("PhD student", "PhD student", "Master student", "Postdoc", "Research engineer")
"""The people of a group."""

SITES = {
    "pictures": (50, 300, 0),
    "group": (50, 0, 60),
}
"""Sites with a name: publications, pictures in galleries of the projects, and people with pages."""

PICTURE_SIZE = (1200, 900)

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
    """All content of the site; a note is a project, a talk, a news item or a person of the group."""

    papers: tuple[Paper, ...]
    notes: Mapping[str, tuple[Mapping[str, str], ...]]
    bio: str
    pictures: int

    @property
    def summary(self) -> str:
        counts = {
            "publications": len(self.papers),
            "pictures": self.pictures,
            "people": len(self.notes["people"]),
        }
        return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)

    @property
    def edited(self) -> Paper:
        """The paper whose title is edited."""
        return self.papers[len(self.papers) // 2]

    def list_pictures(self, project: str) -> list[str]:
        """The files of a project's pictures: project-01 -> ["picture-001.jpg", "picture-031.jpg", …]."""
        first = int(project.removeprefix("project-"))
        return [f"picture-{n:03}.jpg" for n in range(first, self.pictures, NOTE_COUNTS["project"])]


def choose_words(dice: random.Random, least: int, most: int) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))


def create_researcher(site: str) -> Researcher:
    """Return the content of a site, which is the same on every machine."""
    paper_count, pictures, people = SITES.get(site) or (int(site), 0, 0)
    dice = random.Random(2026)
    members = [f"{GIVEN_NAMES[n % 10]} {FAMILY_NAMES[n // 10]}" for n in range(people)]

    authors = [name.split(" = ") for name in PEOPLE] if not members else [[name, name] for name in members]
    papers = tuple(create_paper(dice, n, paper_count, authors) for n in range(paper_count))
    notes = {
        kind: tuple(create_note(dice, kind, n) for n in range(number)) for kind, number in NOTE_COUNTS.items()
    }
    bio = f"I work on *{choose_words(dice, 3, 5)}* and **{choose_words(dice, 2, 3)}**.\n\n"
    bio += f"{choose_words(dice, 40, 60).capitalize()}."

    notes["people"] = tuple(
        {
            "id": name.lower().replace(" ", "-"),
            "name": name,
            "role": ROLES[n % len(ROLES)],
            "start": str(2025 - n % 6),
            "text": f"{choose_words(dice, 30, 50)}.",
        }
        for n, name in enumerate(members)
    )
    return Researcher(papers, notes, bio, pictures)


def create_paper(dice: random.Random, number: int, count: int, authors: Sequence[Sequence[str]]) -> Paper:
    """Return one of a number of papers, by the owner and five others; authors are names and their BibTeX."""
    people = dice.sample(authors, 5)
    people.insert(dice.randint(0, 5), [OWNER, OWNER])
    year, month = 2025 - number * 25 // count, dice.randint(1, 12)
    fields = {
        "title": f"{choose_words(dice, 6, 11).title()} {number}",
        "author": " and ".join(latex for _, latex in people),
        "journal": dice.choice(VENUES),
        "year": str(year),
        "month": str(month),
        "pages": f"{number + 1}--{number + 14}",
        "doi": f"10.5555/{number:06}",
        "url": f"https://example.org/papers/{number:05}.pdf",
        "abstract": f"{choose_words(dice, 100, 130).capitalize()}.",
        "keywords": ", ".join(WORDS[(number * step + step) % len(WORDS)] for step in (1, 7, 11)),
    }
    if number % 25 == 0:
        fields["selected"] = "true"
    key = f"example{year}{dice.choice(WORDS)}{number:05}"
    return Paper(key, fields, tuple(name for name, _ in people), f"{year}-{month:02}-01")


def create_note(dice: random.Random, kind: str, number: int) -> dict[str, str]:
    """Return a project, a talk or a news item; a higher number is an earlier month."""
    return {
        "id": f"{kind}-{number:02}",
        "title": choose_words(dice, 4, 7).title(),
        "date": f"{2025 - number // 12}-{12 - number % 12:02}-01",
        "text": f"{choose_words(dice, 30, 50)}.",
    }


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files by their paths in a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def write_pictures(folder: Path, count: int) -> None:
    """Write photos of colours that run into each other, with 100 KB each."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(count):
        colors = random.Random(n).randbytes(64 * 48 * 3)
        Image.frombytes("RGB", (64, 48), colors).resize(PICTURE_SIZE).save(folder / f"picture-{n:03}.jpg")


def format_page(head: Mapping[str, object], text: str) -> str:
    """Return a Markdown file; its front matter in JSON is YAML for Tenure."""
    return f"---\n{format_json(head)}\n---\n\n{text}\n"


def format_json(value: object) -> str:
    """Return a value as JSON, which is also YAML."""
    return json.dumps(value, ensure_ascii=False)


def write_tenure_site(who: Researcher, folder: Path) -> Path:
    """Write the sources for Tenure; return the file in which a title is edited."""
    lists: dict[str, Sequence[Mapping[str, str]]] = {
        "education": EDUCATION,
        "news": [{k: note[k] for k in ("date", "title", "text")} for note in who.notes["news"]],
        "talks": [
            {"title": note["title"], "date": note["date"], "event": "Seminar", "place": "Zürich"}
            for note in who.notes["talk"]
        ],
    }
    pages = {
        f"people/{note['id']}": format_page({k: note[k] for k in ("name", "role", "start")}, note["text"])
        for note in who.notes["people"]
    }
    if who.pictures:
        for note in who.notes["project"]:
            media = [{"file": file, "alt": file} for file in who.list_pictures(note["id"])]
            head = {"title": note["title"], "date": note["date"], "media": media}
            pages[f"projects/{note['id']}"] = format_page(head, note["text"])
    else:
        lists["projects"] = [
            {k.replace("text", "summary"): v for k, v in n.items()} for n in who.notes["project"]
        ]
    write_pictures(folder / "content", who.pictures)
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
            **{f"content/{path}.md": text for path, text in pages.items()},
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
    no_pages = {"build": {"render": "never"}, "target": {"kind": "page"}}
    cascades: dict[str, object] = {
        "talks": [],
        "projects": [] if who.pictures else [no_pages],
        "news": [no_pages],
        "publications": [{"outputs": ["html", "bib"], "target": {"kind": "page"}}],
    }
    for name, cascade in cascades.items():
        title = name.title()
        pages[f"{name}/_index"] = ({"title": title, "description": title, "cascade": cascade}, "")

    fields: dict[str, object]
    for note in who.notes["news"]:
        pages[f"news/{note['id']}"] = ({"title": note["title"], "date": note["date"]}, note["text"])
    for note in who.notes["project"]:
        fields = {"title": note["title"], "date": note["date"], "pictures": who.list_pictures(note["id"])}
        pages[f"projects/{note['id']}"] = (fields, note["text"])
    if who.notes["people"]:
        pages["people/_index"] = ({"title": "People", "menus": {"main": {"weight": 1}}}, "")
    for note in who.notes["people"]:
        fields = {"title": note["name"], "role": note["role"], "start": note["start"]}
        pages[f"people/{note['id']}"] = (fields, note["text"])

    ids = {note["name"]: note["id"] for note in who.notes["people"]}
    for paper in who.papers:
        fields = list_hugo_fields(paper)
        fields["author_ids"] = [ids.get(name, "") for name in paper.authors]
        pages[f"publications/{paper.key}"] = (fields, paper.fields["abstract"])
    write_pictures(folder / "static", who.pictures)
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
    return folder / "content" / "publications" / f"{who.edited.key}.md"


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
