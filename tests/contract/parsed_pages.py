"""The sites whose metadata is tested: three existing sites, and one with every kind of content."""

import atexit
import itertools
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import html5lib
from conftest import ROOT, select_daily, write_files
from matrix import WITH_BASE_TEMPLATES, build_sample_site

from tenure.build import BuildResult, build_site
from tenure.model.entries import Publication
from tenure.model.site import Site

WHOLE = """\
-- site.yaml --
url: https://example.edu/~me/
updated: 2026-02
pages: [home, publications, projects, talks, posts, news, statistics, {path: /both/, sections: [publications, talks]}, cv]
-- content/profile.yaml --
name: Ada de la Example
role: Professor
affiliation: {name: Example University, url: https://example.edu/, ror: 027m9bs27}
email: name@example.edu
links: {orcid: 0000-0002-1825-0097, github: ada, mastodon: https://social.example/@ada}
-- content/about.md --
Hello.
-- content/coauthors.yaml --
- {name: Jo Berg, url: https://orcid.org/0000-0001-5109-3700}
- {name: Kai Li, url: https://example.org/kai}
-- content/news.yaml --
- {date: 2026-01, text: A prize.}
-- content/talks.yaml --
- {title: A talk, event: School, place: Paris, date: 2025-07-03}
- {event: Seminar, date: 2024}
-- content/posts/one.md --
---
title: A post
date: 2025-05-04
tags: [writing]
---
Words.
-- content/projects/tool.md --
---
title: A tool
date: 2024
links: {code: https://github.com/example/tool}
---
What it does.
-- bib/article.pdf --
%PDF-1.4
-- bib/papers.bib --
@article{article, title = {On {"signs"} \\& <tags>}, author = {de la Example, Ada and van der Berg, Jo Ann and Berg, Jo and Li, Kai
  and {The Group of A, B and C}}, journal = {Journal of X}, volume = {3}, number = {4}, pages = {12--34}, year = {2025},
  month = may, day = {6}, doi = {10.1000/x(1)<2>}, pdf = {article.pdf}, keywords = {a, b c}, abstract = {What was done.}}
@inproceedings{paper, title = {A paper}, author = {Li, Kai and de la Example, Ada}, booktitle = {Proceedings of Y}, year = {2024},
  series = {LNCS}, pages = {1--9}, pdf = {https://example.org/elsewhere.pdf}}
@incollection{chapter, title = {A chapter}, author = {de la Example, Ada}, booktitle = {Handbook}, publisher = {Press}, year = {2023}}
@phdthesis{thesis, title = {A thesis}, author = {de la Example, Ada}, school = {Example University}, year = {2020}}
@techreport{report, title = {A report}, author = {de la Example, Ada}, institution = {House}, number = {TR-1}, year = {2021}}
@book{book, title = {A book}, author = {de la Example, Ada and Berg, Jo}, publisher = {Press}, year = {2022}}
@misc{preprint, title = {A preprint}, author = {de la Example, Ada}, eprint = {2401.00001}, archiveprefix = {arXiv}, year = {2024}}
"""


@cache
def write_whole_site() -> Path:
    """Return the folder with the sources of the site with every kind of content."""
    temporary_folder = tempfile.TemporaryDirectory(prefix="tenure-")
    atexit.register(temporary_folder.cleanup)
    write_files(Path(temporary_folder.name), WHOLE)
    return Path(temporary_folder.name)


THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
SITES = {
    "turing": "turing",
    "phd": "systems-phd-2026",
    "masters": "masters",
    "whole": "",
}
"""The sites, and their names in tests/harness/matrix.py; the whole site is written here."""

ADDRESS = "https://example.edu/~me"
CASES = select_daily(
    itertools.product(THEMES, SITES), lambda case: case[0] not in WITH_BASE_TEMPLATES or case[1] == "turing"
)
HTML = "{http://www.w3.org/1999/xhtml}"


@cache
def build_parsed_site(theme: str, name: str) -> BuildResult:
    result = (
        build_site(write_whole_site(), theme=theme, base_url=ADDRESS)
        if name == "whole"
        else build_sample_site(theme, SITES[name], ADDRESS)
    )
    assert result.problems == ()
    return result


def site_of(theme: str, name: str) -> Site:
    site = build_parsed_site(theme, name).site
    assert site is not None
    return site


@cache
def read_files(theme: str, name: str) -> Mapping[str, bytes]:
    """Return the files in the main language; tests/golden has those of other languages."""
    folders = other_languages(theme, name)
    return {
        a.path: a.read() for a in build_parsed_site(theme, name).artifacts if not a.path.startswith(folders)
    }


def other_languages(theme: str, name: str) -> tuple[str, ...]:
    """Return the folders of the further languages of a site."""
    return tuple(config.folder for config in site_of(theme, name).settings.languages)


class Page:
    """A page, parsed as a browser does."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.root: Any = html5lib.parse(text)
        self.address = f"{ADDRESS}/{path.removesuffix('index.html')}"

    def find_elements(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        results = [dict(element.attrib) for element in self.root.iter(f"{HTML}{tag}")]
        return [item for item in results if all(item.get(k.strip("_")) == v for k, v in attributes.items())]

    def find_meta_contents(self, name: str) -> list[str]:
        return [m["content"] for m in self.find_elements("meta") if m.get("name", m.get("property")) == name]

    def find_links(self, rel: str) -> list[dict[str, str]]:
        return self.find_elements("link", rel=rel)

    def read_json_ld(self) -> dict[str, Any]:
        scripts = [e for e in self.root.iter(f"{HTML}script") if e.get("type") == "application/ld+json"]
        (item,) = scripts
        results: dict[str, Any] = json.loads(item.text)
        return results

    @property
    def classes(self) -> set[str]:
        return {word for element in self.root.iter() for word in (element.get("class") or "").split()}


@cache
def parse_pages(theme: str, name: str) -> list[Page]:
    return [Page(p, body.decode()) for p, body in read_files(theme, name).items() if p.endswith(".html")]


def parse_page(theme: str, name: str, path: str) -> Page:
    return next(html_page for html_page in parse_pages(theme, name) if html_page.path == path)


def list_papers(theme: str, name: str) -> Iterator[tuple[Publication, Page]]:
    for paper in site_of(theme, name).publications:
        yield paper, parse_page(theme, name, f"publications/{paper.id}/index.html")


def is_paper(path: str) -> bool:
    return re.fullmatch(r"publications/[^/]+/index\.html", path) is not None
