"""Every theme and every site that the tests combine: the examples, and sites in strings for unusual cases."""

import itertools
import pickle
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

from conftest import ROOT, SAMPLES_FOLDER, read_parts, select_daily, write_files

from tenure.atomic import lock_folder, write_file
from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.site_folder import BuildOptions

THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
FACTS = (path.stem for path in sorted((ROOT / "tests/golden/facts").glob("*.txt")))
EXAMPLES = {"turing": ROOT, **{name: ROOT / "examples" / name for name in FACTS}}
"""The demonstration site, and the examples whose facts are listed; other examples are only built without a problem."""


def read_site_texts() -> dict[str, str]:
    """Return the sites in sites.txt by their names; `@profile` stands for the first of them."""
    texts = read_parts("harness/sites.txt")
    return {name: text.replace("@profile\n", texts["profile"]) for name, text in texts.items()}


SITE_TEXTS = read_site_texts()
PROFILE, PORTRAIT = SITE_TEXTS.pop("profile"), SITE_TEXTS["portrait"]
NOUNS = "caches graphs proofs queues schedulers compilers sensors markets genomes galaxies".split()
VERBS = "Explaining Scheduling Bounding Learning Verifying Compressing Sampling Routing".split()


def many_papers(count: int = 500) -> str:
    """Return papers of several types and topics over twenty years, as a large research group publishes them."""
    entries = []
    for n in range(count):
        words = "inproceedings booktitle Symposium" if n % 3 else "article journal Journal"
        kind, where, venue = words.split()
        title = f"{VERBS[n % 8]} {NOUNS[n % 10]} by {NOUNS[(n // 10) % 10]}, part {n + 1}"
        people = ["Example, Ada", f"Gödel{n % 40}, Kurt", f"Ñandú{n % 25}, María"]
        people = people[1:] + people[:1] if n % 3 else people
        entries.append(
            f"@{kind}{{paper{n}, title = {{{title}}}, author = {{{' and '.join(people)}}}, year = {{{2025 - n // 25}}},\n"
            f"  {where} = {{{venue} of {NOUNS[n % 7].title()}}}, pages = {{{n + 1}--{n + 12}}},\n"
            f"  doi = {{10.1000/{n}}}, code = {{https://example.org/code/{n}}}, keywords = {{{NOUNS[n % 10]}, {VERBS[n % 8].lower()}}},\n"
            f"  abstract = {{We study {title.lower()}. The method is short, the proof is complete, and the figures of table {n + 1}"
            f" show a gain of {n % 90 + 2} per cent over what was known before.}}"
            + (", selected = {true}}" if n % 50 == 0 else "}")
        )
    pages = "-- site.yaml --\npages: [home, publications, cv]\n"
    return f"{pages}{PROFILE}-- bib/papers.bib --\n" + "\n".join(entries) + "\n"


def many_authors(count: int = 3000) -> str:
    """Return a site with one paper of many authors, with the owner in the middle of the list."""
    people = [f"Collaborator{n}, {chr(65 + n % 26)}." for n in range(count)]
    people[count // 2] = "Example, Ada"
    return (
        f"{PROFILE}-- bib/papers.bib --\n@article{{crowd, title = {{What all of us saw}}, year = {{2023}},\n"
        f"  journal = {{Physics Letters}}, author = {{{' and '.join(people)}}}}}\n"
    )


def read_sources(name: str) -> str:
    """Return the sources of a golden site; a comment comes first."""
    return (ROOT / "tests/golden" / name).read_text(encoding="utf-8").partition("\n\n")[2]


SEVERAL_LANGUAGES = read_sources("several.txt").partition("\n~~~~\n")[0]
"""A site in English, German and Arabic."""

EDGES = {
    **SITE_TEXTS,
    "many-papers": many_papers(120),
    "many-authors": many_authors(),
    "unicode": read_sources("unicode/sources.txt"),
    "every-field": read_sources("every-field/sources.txt"),
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
            store = CacheStore(folder / ".cache")
            result = build_site(
                source_folder, options=BuildOptions(theme=theme, base_url=base_url), store=store
            )
            write_file(path, pickle.dumps(result))
        built: BuildResult = pickle.loads(path.read_bytes())
    return built


@cache
def read_sample_pages(theme: str, site: str) -> Mapping[str, str]:
    """Return the HTML of every page by its path."""
    artifacts = build_sample_site(theme, site).artifacts
    return {a.path: a.read().decode() for a in artifacts if a.path.endswith(".html")}


def one_of_each_kind(html: Mapping[str, str]) -> list[str]:
    """Return the path of the longest page of each kind: one for each page at the top, and one for each folder like publications/x/."""
    kinds: dict[tuple[str, int], str] = {}
    for path in sorted(html):
        parts = path.split("/")
        kind = (parts[0], len(parts))
        if len(html[path]) > len(html.get(kinds.get(kind, ""), "")):
            kinds[kind] = path
    return list(kinds.values())
