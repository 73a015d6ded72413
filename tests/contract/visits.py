"""A site in a theme, as the rules of tests/contract see it: it is built once, and each page is parsed once, as a browser does."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import html5lib
from conftest import write_files
from matrix import build_sample_site

from tenure.build import BuildResult, build_site
from tenure.model.entries import Entry, Publication
from tenure.model.site import Site
from tenure.publish import Artifact
from tenure.site_folder import BuildOptions

WHOLE = "whole"
"""The site of whole.txt, with every kind of content."""

ADDRESS = "https://example.edu/~me"
WITH_METADATA = ("turing", "systems-phd-2026", "masters", WHOLE)
"""The sites that are built for this address, and whose metadata are tested; others are built for their own."""

HTML = "{http://www.w3.org/1999/xhtml}"


class Page:
    """A page, parsed as a browser does."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        parser = html5lib.HTMLParser(strict=False)
        self.root: Any = parser.parse(text)
        self.errors = [(position, code) for position, code, _ in parser.errors]
        self.address = f"{ADDRESS}/{path.removesuffix('index.html')}"
        self.elements: dict[str, list[dict[str, str]]] = defaultdict(list)
        """The attributes of the elements, by tag."""
        for element in self.root.iter():
            self.elements[str(element.tag).removeprefix(HTML)].append(dict(element.attrib))

    def find_elements(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        wanted = {name.strip("_"): value for name, value in attributes.items()}.items()
        return [item for item in self.elements[tag] if wanted <= item.items()]

    def find_metas(self, name: str) -> list[str]:
        """Return the contents of the `<meta>` elements with a name or property."""
        return [m["content"] for m in self.elements["meta"] if m.get("name", m.get("property")) == name]

    def find_links(self, rel: str) -> list[dict[str, str]]:
        return self.find_elements("link", rel=rel)

    @cached_property
    def json_ld(self) -> dict[str, Any]:
        scripts = [e for e in self.root.iter(f"{HTML}script") if e.get("type") == "application/ld+json"]
        (item,) = scripts
        results: dict[str, Any] = json.loads(item.text)
        return results

    @cached_property
    def classes(self) -> set[str]:
        return {
            word for items in self.elements.values() for one in items for word in one.get("class", "").split()
        }

    @property
    def is_paper(self) -> bool:
        return re.fullmatch(r"publications/[^/]+/index\.html", self.path) is not None

    @property
    def is_missing(self) -> bool:
        return self.path == "404.html"


@dataclass(frozen=True)
class Visit:
    """A built site, and its pages in the main language; tests/golden has those of other languages."""

    site: Site
    artifacts: tuple[Artifact, ...]
    all_pages: tuple[Page, ...]
    """Also those of other languages."""

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """The files in the main language."""
        return {a.path: a.read() for a in self.artifacts if not a.path.startswith(self.other_folders)}

    @property
    def other_folders(self) -> tuple[str, ...]:
        return tuple(config.folder for config in self.site.settings.languages)

    @cached_property
    def pages(self) -> list[Page]:
        return [page for page in self.all_pages if page.path in self.files]

    def find_page(self, path: str) -> Page:
        return next(page for page in self.pages if page.path == path)

    @property
    def home(self) -> Page:
        return self.find_page("index.html")

    @cached_property
    def papers(self) -> list[tuple[Publication, Page]]:
        return [(p, self.find_page(f"publications/{p.id}/index.html")) for p in self.site.publications]

    @property
    def entries(self) -> Iterator[Entry]:
        for collection in self.site.collections.values():
            yield from collection.entries


def build_case(theme: str, site: str, folder: Path) -> BuildResult:
    """Build a site in a theme; the whole site is written to the folder."""
    if site != WHOLE:
        return build_sample_site(theme, site, ADDRESS if site in WITH_METADATA else "")
    text = Path(__file__).with_name("whole.txt").read_text(encoding="utf-8").partition("\n\n")[2]
    write_files(folder, text)
    return build_site(folder, options=BuildOptions(theme=theme, base_url=ADDRESS))


def visit_site(theme: str, site: str, folder: Path) -> Visit:
    """Return the site in the theme; it has no problem."""
    result = build_case(theme, site, folder)
    assert result.problems == ()
    assert result.site is not None
    files = [a for a in result.artifacts if a.path.endswith(".html")]
    return Visit(result.site, result.artifacts, tuple(Page(a.path, a.read().decode()) for a in files))


Checks = Iterator[tuple[str, object, object]]
"""What a rule looks at, what is there, and what should be there."""
