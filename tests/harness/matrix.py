"""Every theme and every site that the tests combine: the examples, and sites in strings for unusual cases."""

import itertools
import pickle
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

from conftest import ROOT, SAMPLES_FOLDER, select_daily, write_files

from tenure.atomic import lock_folder, write_file
from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore

THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
EXAMPLES = {
    "turing": ROOT,
    **{
        path.stem: ROOT / "examples" / path.stem
        for path in sorted((ROOT / "tests/golden/facts").glob("*.txt"))
    },
}
"""
The demonstration site, and the examples whose facts are listed; tests only build the other examples without a
problem.
"""

PROFILE = """\
-- content/profile.yaml --
name: Ada Example
aliases: [A. Example]
role: Professor of Computing
affiliation: {name: Example University, url: https://example.edu/}
email: name@example.edu
location: Springfield
"""

NO_PUBLICATIONS = f"""{PROFILE}\
-- content/about.md --
I teach, and I have not published yet.
-- content/education.yaml --
- {{institution: Example University, degree: B.A. in Computing, start: 2020-09, end: 2024-06}}
-- content/awards.yaml --
- {{title: A prize with a name so long that it cannot stand on one line of a telephone beside its date, date: 2024}}
"""

PORTRAIT = f"""\
-- site.yaml --
title: The pages of Ada Example
url: https://example.edu/~ada/
updated: 2026-02
{PROFILE}photo: ada.svg
pronouns: she/her
tagline: Machines that explain themselves
interests: [proofs, programs]
links: {{github: ada, orcid: 0000-0002-1825-0097}}
-- content/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="400" height="500"><rect width="400" height="500" fill="#886"/></svg>
-- content/about.md --
I work on **proofs** and [programs](https://example.org/).
-- content/news.yaml --
- {{date: 2026-01, text: "A *second* [prize](https://example.org/prize)."}}
- {{date: 2025-06, text: A first prize.}}
-- content/talks.yaml --
- {{title: Programs that explain themselves, event: Summer School, place: Paris, date: 2025-07-03, kind: invited,
   host: B. Host, slides: https://example.org/slides.pdf, video: https://example.org/video}}
-- content/teaching.yaml --
- {{course: Introduction to Proof, role: Lecturer, institution: Example University, term: [Fall 2024, Fall 2025]}}
-- content/service.yaml --
- {{role: Reviewer, journals: [Journal of Examples, Annals of Examples]}}
- {{role: Programme committee, conferences: [POPL 2025], workshops: [PLMW 2025]}}
-- content/posts/shapes.md --
---
title: Every shape of prose
date: 2025-05-04
updated: 2025-06-01
tags: [writing]
---
An opening paragraph with `code`, $e^{{i\\pi}} = -1$, ~~struck out~~ words and a footnote.[^1]

Write to <name@example.edu> or [me](mailto:name@example.edu), as in the same footnote.[^1]

## A part

1. one
2. two
    - nested

> A quotation.

| case | result |
|------|-------:|
| the first of the many cases | 1 |
| the second of the many cases, with words that make it wide | 2 |

```python
def widest_line_of_code_on_this_page(argument: int, another: int) -> int: return argument + another  # and on it goes
```

$$\\sum_{{k=1}}^{{n}} k = \\frac{{n(n+1)}}{{2}} = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + \\dots + (n - 1) + n$$

Term
:   What it means.

> [!NOTE] To remember
> An admonition.

### A part of the part

> [!WARNING]
> As GitHub writes it.
>
> ```diff
> - gone
> + here
> ```

> [!THEOREM] Cantor
> There is no surjection from $X$ to $2^X$.

## Pictures

![Ada at her desk](ada.svg "Ada, in *oils*.")

## Tasks

- [x] done
- [ ] to do

## Tables

|        | first | second |
|:-------|:-----:|-------:|
| corner |   1   |      2 |

https://example.org/an/address/that/is/so/long/that/it/cannot/be/broken/at/any/space/because/it/has/none/at/all

[^1]: Its text, with code:

    ```sh
    make all
    ```
"""

LONG_WORDS = """characterisation approximation verification counterrevolutionaries electroencephalography reproduction of
an uninterruptible deoxyribonucleic standardisation"""
LONG_TITLE = "On the " + " and the ".join([" ".join(LONG_WORDS.split())] * 5)
"""A title of sixty-five words, many of them long."""

ONE_PAPER = f"""{PROFILE}\
-- site.yaml --
checks: {{ignore: [cv-letters]}}
-- bib/papers.bib --
@article{{one, title = {{{LONG_TITLE}}}, author = {{Example, Ada and 李, 明 and כהן, יעל}}, journal = {{Journal of Examples}},
  year = {{2024}}, volume = {{12}}, number = {{3}}, pages = {{1--19}}, doi = {{10.1000/one}},
  abstract = {{What was done, and why.}}}}
"""

JAPANESE = """\
-- site.yaml --
language: ja
checks: {ignore: [cv-letters]}
-- content/profile.yaml --
name: 山田 花子
aliases: ["山田, 花子"]
affiliation: 東京大学
email: name@example.edu
-- content/about.md --
計算機科学の研究をしています。研究の関心は、分散システム、機械学習、および形式手法です。長い段落でも折り返しが必要です。
-- content/talks.yaml --
- {title: 分散システムの検証, event: 情報処理学会全国大会, place: 京都, date: 2025-03}
-- bib/papers.bib --
@inproceedings{yamada2024, title = {分散合意アルゴリズムの形式検証に関する研究}, author = {山田, 花子 and 李, 明 and 김, 철수},
  booktitle = {情報処理学会論文誌}, year = {2024}}
@article{li2023, title = {Consensus in {山田} Networks}, author = {李, 明 and 山田, 花子}, journal = {计算机学报}, year = {2023}}
"""

ARABIC = """\
-- site.yaml --
language: ar
pages: [home, publications, statistics, cv]
-- content/profile.yaml --
name: ليلى المثال
aliases: ["المثال, ليلى"]
affiliation: جامعة القاهرة
email: name@example.edu
-- content/about.md --
I work with **יעל כהן** on الحوسبة الموزعة (distributed computing).
-- content/awards.yaml --
- {title: جائزة الدولة التشجيعية, date: 2023}
-- content/coauthors.yaml --
- {name: Ben Other, url: https://example.org/ben}
-- bib/papers.bib --
@article{layla2024, title = {خوارزميات الاتفاق في الشبكات غير المتزامنة}, author = {المثال, ليلى and כהן, יעל and Other, Ben},
  journal = {مجلة الحوسبة}, year = {2024}, pages = {12--19}}
@inproceedings{yael2023, title = {Agreement without clocks: הסכמה ללא שעונים}, author = {כהן, יעל and المثال, ليلى},
  booktitle = {Symposium on Examples}, year = {2023}}
"""


NOUNS = "caches graphs proofs queues schedulers compilers sensors markets genomes galaxies"
VERBS = "Explaining Scheduling Bounding Learning Verifying Compressing Sampling Routing"


def many_papers(count: int = 500) -> str:
    """Return papers of several types and topics over twenty years, as a large research group publishes them."""
    nouns, verbs = NOUNS.split(), VERBS.split()
    kinds = [("article", "journal"), ("inproceedings", "booktitle"), ("inproceedings", "booktitle")]
    entries = []
    for n in range(count):
        kind, where = kinds[n % 3]
        title = f"{verbs[n % 8]} {nouns[n % 10]} by {nouns[(n // 10) % 10]}, part {n + 1}"
        people = ["Example, Ada", f"Gödel{n % 40}, Kurt", f"Ñandú{n % 25}, María"]
        if n % 3:
            people = people[1:] + people[:1]
        entries.append(
            f"@{kind}{{paper{n}, title = {{{title}}}, author = {{{' and '.join(people)}}}, year = {{{2025 - n // 25}}},\n"
            f"  {where} = {{{'Journal' if kind == 'article' else 'Symposium'} of {nouns[n % 7].title()}}}, pages = {{{n + 1}--{n + 12}}},\n"
            f"  doi = {{10.1000/{n}}}, code = {{https://example.org/code/{n}}}, keywords = {{{nouns[n % 10]}, {verbs[n % 8].lower()}}},\n"
            f"  abstract = {{We study {title.lower()}. The method is short, the proof is complete, and the figures of table {n + 1}"
            f" show a gain of {n % 90 + 2} per cent over what was known before.}}"
            + (", selected = {true}}" if n % 50 == 0 else "}")
        )
    pages = "-- site.yaml --\npages: [home, publications, statistics, cv]\n"
    return f"{pages}{PROFILE}-- bib/papers.bib --\n" + "\n".join(entries) + "\n"


def many_authors(count: int = 3000) -> str:
    """Return a site with one paper of many authors, with the owner in the middle of the list."""
    people = [f"Collaborator{n}, {chr(65 + n % 26)}." for n in range(count)]
    people[count // 2] = "Example, Ada"
    return (
        f"{PROFILE}-- bib/papers.bib --\n@article{{crowd, title = {{What all of us saw}}, year = {{2023}},\n"
        f"  journal = {{Physics Letters}}, author = {{{' and '.join(people)}}}}}\n"
    )


HUES = ("#7a4b2a", "#3d6b52", "#41588c", "#8a4a5e")
MEMBERS = [
    "Mira Okafor",
    "Jonas Lindqvist",
    "Aiko Tanabe",
    "Ravi Menon",
    "Elena Petrova",
    "Tomás Herrera",
    "Lucía Fernández",
    "Sam Whitfield",
    "Noor Haddad",
    "Wei Zhang",
    "Ingrid Solberg",
    "Paulo Andrade",
    "Katarzyna Wiśniewska",
    "Oluwaseun Adeyemi-Fitzgerald",
    "Chen",
]
FORMULA = (
    r"\nabla_X\nabla_Y Z - \nabla_Y\nabla_X Z = R(X,Y)Z + \nabla_{[X,Y]}Z,\quad g(X,Y)+\nu\nabla^2 Y = 0,\quad"
    r" \frac{\partial X}{\partial t} = f(X,Y)+\mu\nabla^2 X"
)


def draw_portrait(number: int) -> str:
    """Return a drawing of a head and shoulders."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="480"><rect width="400" height="480" fill="{HUES[number % 4]}"/>'
        '<path d="M40 480c10-110 80-150 160-150s150 40 160 150z" fill="#f2efe8"/><ellipse cx="200" cy="200" rx="92" ry="118" fill="#c99870"/></svg>'
    )


def draw_figure(number: int) -> str:
    """Return a drawing of a curve."""
    points = " ".join(f"{40 + 28 * x},{200 - (x * 7 + number * 5) % 11 * 14}" for x in range(20))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#f4f1ea"/>'
        f'<polyline points="{points}" fill="none" stroke="{HUES[number % 4]}" stroke-width="8"/></svg>'
    )


def group_site() -> str:
    """
    Return the site of a group.

    It has fifteen people with and without a photo, projects and publications with images, a wide formula and
    wide code.
    """
    roles = ("Postdoc", "Ph.D. student", "Research engineer")
    people = [
        f"- {{title: {name}, role: {roles[n % 3]}"
        + (f", image: p{n}.svg" if n % 4 != 2 else "")
        + (", organization: Example University, summary: Types and proofs." if n % 5 == 0 else "")
        + (
            f", links: {{Website: https://example.org/{n}, Code: https://example.org/code/{n}}}"
            if n % 2 == 0
            else ""
        )
        + "}\n"
        for n, name in enumerate(MEMBERS)
    ]
    papers = [
        f"@article{{p{n}, title = {{Proofs in $\\lambda$-calculus, part {n}}}, author = {{{'Example, Ada' if n % 2 else 'Okafor, Mira and Example, Ada'}}},\n"
        f"  journal = {{Proceedings of the London Mathematical Society}}, volume = {{s3-{n}}}, number = {{1}}, year = {{{2026 - n}}},\n"
        f"  doi = {{10.1000/{n}}}, award = {{Best paper}}"
        + (f", preview = {{p{n}.svg}}}}" if n % 3 == 0 else "}")
        for n in range(9)
    ]
    projects = [
        f"-- content/projects/tool{n}.md --\n---\ntitle: Tool {n}\nsummary: What it is good for.\ntagline: A line\ndate: {2026 - n}\nimage: p{n}.svg\n"
        f"image_alt: A head\n---\nA text about $\\lambda$-calculus.\n\n<details><summary>More</summary>All.</details>\n\n$$ {FORMULA} $$\n\n```python\n{'a_long_name = ' * 12}0\n```\n"
        for n in range(4)
    ]
    links = ", ".join(f"https://example.org/service-{n}/ada" for n in range(9))
    return "".join([
        "-- site.yaml --\nurl: https://example.edu/~ada/\npages:\n- {name: home, path: /, title: Home, sections: [about, news, projects: {brief: true}]}\n",
        "- people\n- publications\n- {name: projects, sections: [projects: {view: cards}]}\n- cv\nchecks: {ignore: [missing-alt]}\n",
        f"theme: {{name: classic, publications_view: thumbnails}}\n{PROFILE}photo: p0.svg\nlinks: [{links}]\n",
        "-- content/about.md --\nWe study programs.\n-- content/news.yaml --\n- {date: 2026-01-12, text: A prize.}\n",
        "-- content/people.yaml --\n", *people, *projects,
        *(f"-- content/p{n}.svg --\n{draw_portrait(n) if n else draw_figure(n)}\n" for n in range(15)),
        *(f"-- content/projects/p{n}.svg --\n{draw_figure(n)}\n" for n in range(4)),
        "-- bib/papers.bib --\n", "\n".join(papers), "\n",
    ])  # fmt: skip


def read_sources(folder: str) -> str:
    """Return the sources of a golden site; a comment comes first."""
    return (ROOT / "tests/golden" / folder / "sources.txt").read_text(encoding="utf-8").partition("\n\n")[2]


SEVERAL_LANGUAGES = (
    (ROOT / "tests/golden/several.txt")
    .read_text(encoding="utf-8")
    .partition("\n\n")[2]
    .partition("\n~~~~\n")[0]
)
"""A site in English, German and Arabic."""

EDGES = {
    "no-publications": NO_PUBLICATIONS,
    "portrait": PORTRAIT,
    "one-paper": ONE_PAPER,
    "many-papers": many_papers(120),
    "many-authors": many_authors(),
    "group": group_site(),
    "japanese": JAPANESE,
    "arabic": ARABIC,
    "unicode": read_sources("unicode"),
    "every-field": read_sources("every-field"),
    "several-languages": SEVERAL_LANGUAGES,
}
LAB = "lab"
"""The example of a group in two languages, for browsers and the Nu validator: it limits lists and joins copies, so that not every fact is shown."""

SITES = (*EXAMPLES, *EDGES, LAB)

WITH_BASE_TEMPLATES = {"margin", "plate", "stage"}
"""Themes that only add a style sheet to the templates of base; the other themes test these templates with every site."""
CASES = select_daily(
    itertools.product(THEMES, (*EXAMPLES, *EDGES)),
    lambda case: (
        case[0] not in WITH_BASE_TEMPLATES
        or case[1] in ("turing", "masters", "portrait")
        or case == ("stage", "one-paper")
    ),
)
THEMES_WITH_TEMPLATES = select_daily(THEMES, lambda theme: theme not in {*WITH_BASE_TEMPLATES, "base"})
"""The themes for tests of templates and scripts; each day without those that take them from base."""
BROWSER_CASES = select_daily(itertools.product(THEMES, SITES), lambda case: case == ("classic", "turing"))
"""The cases for the browser; each day one site in one theme."""


UNPICTURED = "unpictured"
"""The demonstration site without the images of its publications."""


@cache
def find_sample_site(site: str) -> Path:
    """Return the folder with the sources of a site; a site in a string is written by the first process that needs it."""
    if site == "turing":
        return ROOT
    if site not in EDGES and site != UNPICTURED:
        return ROOT / "examples" / ("group" if site == LAB else site)
    folder = SAMPLES_FOLDER / site / "sources"
    with lock_sample(site):
        if folder.is_dir():
            return folder
        unfinished = folder.with_name("unfinished")
        if site == UNPICTURED:
            ignored = shutil.ignore_patterns("publications.yaml")
            for name in ("bib", "content"):
                shutil.copytree(ROOT / name, unfinished / name, ignore=ignored)
            shutil.copy(ROOT / "site.yaml", unfinished)
        else:
            write_files(unfinished, EDGES[site])
        unfinished.rename(folder)
    return folder


@contextmanager
def lock_sample(site: str) -> Iterator[None]:
    """Wait until no other process writes or builds a sample site."""
    (SAMPLES_FOLDER / site).mkdir(parents=True, exist_ok=True)
    with lock_folder(SAMPLES_FOLDER / site):
        yield


@cache
def build_sample_site(theme: str, site: str, base_url: str = "") -> BuildResult:
    """Return a site built in a theme, by default its own; the processes of a run build it once."""
    source_folder, folder = find_sample_site(site), SAMPLES_FOLDER / site
    path = folder / f"{theme}-{quote(base_url, safe='')}.pickle"
    with lock_sample(site):
        if not path.is_file():
            result = build_site(
                source_folder, theme=theme, base_url=base_url, store=CacheStore(folder / ".cache")
            )
            write_file(path, pickle.dumps(result))
        built: BuildResult = pickle.loads(path.read_bytes())
    return built


@cache
def read_sample_pages(theme: str, site: str) -> Mapping[str, str]:
    """Return the HTML of every page by its path."""
    return {
        a.path: a.read().decode()
        for a in build_sample_site(theme, site).artifacts
        if a.path.endswith(".html")
    }


def one_of_each_kind(html: Mapping[str, str]) -> list[str]:
    """Return the path of the longest page of each kind: one for each page at the top, and one for each folder like publications/x/."""
    kinds: dict[tuple[str, int], str] = {}
    for path in sorted(html):
        parts = path.split("/")
        kind = (parts[0], len(parts))
        if len(html[path]) > len(html.get(kinds.get(kind, ""), "")):
            kinds[kind] = path
    return list(kinds.values())
