"""The pages of a site with their paths, the menu, and the links between pages."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from tenure.frozen import dataclass
from tenure.model.languages import Language
from tenure.model.scholar import Entry, Markdown, Post, Project, Prose, Publication
from tenure.model.site import Collection, CvWish, PageWish, SectionWish, Site
from tenure.problems import Place, Problems
from tenure.text import plain, slug
from tenure.web.citations import Library, check_citations
from tenure.web.outline import COLLECTION_PAGES, cv_wishes, home_wishes, usual_cvs, usual_pages
from tenure.web.proofs import check_texts
from tenure.web.related import Line, mentions, near
from tenure.web.sections import STATISTICS, Item, Section, instead, make_section, was_read
from tenure.web.tags import tags_of, wishes

MOST_TOPICS = 24
"""Maximum number of topics in the filter of a list; a longer filter is hard to use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """
    A page of the site: the decision that something exists at a URL.

    `path` begins and ends with a slash ("/", "/talks/") or names a file ("/404.html"). `kind` selects the template.
    `entry` is set if the page shows one entry; `mentions` then link to the pages that name it, and `related` to
    similar publications. `pdf_links` are the PDFs of a CV page. `previous` and `next` are the neighbours in the
    menu. `language` is the site's language unless the page has its own.
    """

    path: str
    kind: str
    title: str
    description: str = ""
    intro: Markdown = Markdown("")
    sections: tuple[Section, ...] = ()
    entry: Entry | None = None
    contents: tuple[Line, ...] = ()
    mentions: tuple[Line, ...] = ()
    related: tuple[Line, ...] = ()
    documents: tuple[Line, ...] = ()
    previous: Line | None = None
    next: Line | None = None
    language: Language = Language("en")
    source: str = ""

    @property
    def topics(self) -> tuple[tuple[str, int], ...]:
        """The MAX_TOPICS most common topics with their counts, by name; topics of one publication are omitted."""
        papers = {item.entry.id: item.entry for section in self.sections for item in section.items}
        found = Counter(tag.casefold() for entry in papers.values() for tag in dict.fromkeys(entry.tags))
        common = [(topic, count) for topic, count in found.most_common(MOST_TOPICS) if count > 1]
        spelled = {tag.casefold(): tag for entry in reversed(papers.values()) for tag in entry.tags}
        return tuple(sorted((spelled[topic], count) for topic, count in common))

    @property
    def file(self) -> str:
        """Path of the output file: "talks/index.html"."""
        return f"{self.path[1:]}index.html" if self.path.endswith("/") else self.path[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuItem:
    """
    An item of the menu, in the language of its page; the item of the home page is in the site's language.

    A group has an empty `path`; `items` are its pages.
    """

    title: str
    path: str
    language: Language = Language("en")
    items: tuple["MenuItem", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All pages of a site, the menu, the CVs to typeset, and the links to their PDFs."""

    pages: tuple[Page, ...]
    menu: tuple[MenuItem, ...]
    cvs: tuple[CvWish, ...] = ()
    documents: tuple[Line, ...] = ()

    def __iter__(self) -> Iterator[Page]:
        return iter(self.pages)

    @property
    def texts(self) -> dict[str, str]:
        """Page paths by Markdown file of content/: "projects/tape.md" has the page "/projects/tape/"."""
        sources = ((page.source.split(":")[0], page) for page in self.pages if page.entry is not None)
        return {s.removeprefix("content/"): page.path for s, page in sources if s.endswith(".md")}

    def page(self, path: str) -> Page:
        """The page with this path; raises KeyError for an unknown path."""
        return next((page for page in self.pages if page.path == path), None) or _no_page(path)


def _no_page(path: str) -> Page:
    raise KeyError(path)


def address(entry: Entry) -> str:
    """Path of the entry's own page, or "" if it has none."""
    if isinstance(entry, Publication):
        return f"/publications/{entry.id}/" if entry.page else ""
    if isinstance(entry, Project) and entry.body:
        return f"/projects/{entry.id}/"
    return f"/posts/{entry.id}/" if isinstance(entry, Post) else ""


def _report_own_cv(site: Site, pages: Sequence[Page], cvs: Sequence[CvWish], problems: Problems) -> None:
    """Report content/cv.pdf if it prevents the generated CV and the profile does not name it."""
    is_silent = "cv.pdf" in site.files and not site.profile.cv and site.settings.cvs is None
    if is_silent and not cvs and any(page.kind == "cv" for page in pages):
        message = "this file is published at /cv.pdf, and Tenure generates no CV"
        hint = "to link to it, write cv: cv.pdf in content/profile.yaml; to have a CV generated, delete it"
        problems.tell("own-cv", Place("content/cv.pdf"), message, hint)


def plan(site: Site, problems: Problems, *, printable: bool = False) -> Plan:
    """Plan all pages of a site and report pages that cannot be made. CVs are typeset if `pdf_available`."""
    wished = site.settings.pages
    entries = [_Entry.of(site, wish, problems) for wish in (usual_pages(site) if wished is None else wished)]
    if not any(page.path == "/" for entry in entries for page in entry.pages):
        home = PageWish(name="home", path="/", menu=not any(entry.pages for entry in entries))
        page = _page(site, home, home_wishes(site), problems)
        entries = [_Entry((page,), (_menu_item(site, page),) if home.menu else ()), *entries]
    menu = tuple(item for entry in entries for item in entry.menu)
    top = [page for entry in entries for page in entry.pages]
    own = [*_entry_pages(site), *_left_pages(site, top, problems), *_tag_pages(site, problems)]
    cvs = usual_cvs(site)
    _report_own_cv(site, top, cvs, problems)
    documents = tuple(Line(title=Markdown(cv.title), path=f"/{cv.name}.pdf") for cv in cvs if printable)
    top = [replace(page, documents=documents) if page.kind == "cv" else page for page in top]
    pages = [*_with_neighbours(top, menu), *own, _not_found(site)]
    places = {
        (item.entry.source, item.entry.id): f"{page.path}#{item.id}"
        for page, item in reversed(list(_shown(top)))
    }
    places |= {(page.entry.source, page.entry.id): page.path for page in pages if page.entry}
    library = Library.of(site, address)
    check_citations(site, library, problems)
    check_texts(site, problems)
    mentioned, related = mentions(site, places, library, address), near(site)
    told = tuple(_with_ways(page, mentioned, related) for page in pages)
    return Plan(pages=told, menu=menu, cvs=cvs, documents=documents)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The pages and menu items of one entry of `pages` in site.yaml, which is a page or a group."""

    pages: tuple[Page, ...]
    menu: tuple[MenuItem, ...]

    @classmethod
    def of(cls, site: Site, wish: PageWish, problems: Problems) -> "_Entry":
        """Plan a page or a group; report what cannot be made."""
        if wish.pages is None:
            wish, page = _listed(site, wish, problems)
            if page is None:
                return cls((), ())
            return cls((page,), (_menu_item(site, page),) if wish.menu else ())
        _report_wrong_group(wish, problems)
        entries = [cls.of(site, child, problems) for child in wish.pages if child.pages is None]
        items = tuple(item for entry in entries for item in entry.menu)
        title = wish.title or _spoken(wish.name)
        group = MenuItem(title=title, path="", language=site.settings.language, items=items)
        return cls(
            tuple(p for entry in entries for p in entry.pages), (group,) if items and wish.menu else ()
        )


def _report_wrong_group(group: PageWish, problems: Problems) -> None:
    """Report what a group of the menu cannot have: a path, contents, or another group."""
    where = Place.at(group.source)
    called = group.title or group.name
    if not called:
        problems.tell("unknown-page", where, "a group of pages has no title", "add title: …")
    extra = {"path": group.path, "intro": group.intro, "sections": group.sections}
    for key in (key for key, value in extra.items() if value):
        message = f'the group "{called}" has "{key}", but a group is no page of its own'
        problems.tell("unknown-page", where, message, f"move {key} to a page in its pages")
    for inner in (page for page in group.pages or () if page.pages is not None):
        message = f'the group "{inner.title or inner.name}" is within another group'
        problems.tell("unknown-page", Place.at(inner.source), message, "list its pages in the outer group")


def _with_neighbours(pages: Sequence[Page], menu: Sequence[MenuItem]) -> list[Page]:
    """The pages with links to the previous and the next page of the menu."""
    items = [item for entry in menu for item in (entry.items or (entry,))]
    order = {item.path: number for number, item in enumerate(items)}

    def neighbour(path: str, step: int) -> Line | None:
        number = order[path] + step if path in order else -1
        if not 0 <= number < len(items):
            return None
        return Line(title=Markdown(items[number].title), path=items[number].path)

    return [replace(page, previous=neighbour(page.path, -1), next=neighbour(page.path, 1)) for page in pages]


def _menu_item(site: Site, page: Page) -> MenuItem:
    if page.path == "/":
        title, language = site.look.words["page_home"], site.settings.language
        return MenuItem(title=title, path=page.path, language=language)
    return MenuItem(title=page.title, path=page.path, language=page.language)


def _listed(site: Site, wish: PageWish, problems: Problems) -> tuple[PageWish, Page | None]:
    """Plan the page of one entry of `pages`; None if the page is empty or the entry was reported."""
    if told_path(wish.path, wish.source, problems):
        return wish, None
    name = wish.path.strip("/")
    wish = _with_known_name(site, wish, problems)
    if not wish.name and wish.sections is None and (name in site.collections or name in COLLECTION_PAGES):
        wish = replace(wish, name=name)
    wish = replace(wish, path=path_of(wish.path or ("/" if wish.name == "home" else f"/{wish.name}/")))
    if wish.sections is not None:
        page = _page(site, wish, wish.sections, problems)
        return wish, page if page.sections or page.intro or page.path == "/" else None
    if wish.path == "/" or wish.name == "home":
        return wish, _page(site, replace(wish, path="/"), home_wishes(site), problems)
    if wish.name == "cv":
        page = _page(site, wish, cv_wishes(site), problems)
        return wish, page if page.sections else None
    text = _text(site, wish.name)
    if text is not None:
        return replace(wish, menu=wish.menu and text.menu), _text_page(site, wish, text)
    if wish.name in site.collections or wish.name in (*COLLECTION_PAGES, STATISTICS):
        page = _page(
            site, wish, (SectionWish(name=wish.name, title=Markdown(""), source=wish.source),), problems
        )
        return wish, page if page.sections else None
    _tell_unknown(site, wish, problems)
    return wish, None


def _with_known_name(site: Site, wish: PageWish, problems: Problems) -> PageWish:
    """Replace another name of a page ("CV", "Blog", or a label beside its path) with the program's name."""
    known = {"home", "cv", *site.collections, *COLLECTION_PAGES, STATISTICS, *_texts(site)}
    if not wish.name or wish.name in known or wish.sections is not None:
        return wish
    other = _OTHER_PAGES.get(wish.name.casefold(), wish.name.casefold())
    path = wish.path.strip("/")
    name = next((name for name in sorted(known) if name.casefold() == other), "")
    title = wish.title
    if path in known and wish.path:
        name, title = path, wish.title or Markdown(wish.name)
    if not name:
        return wish
    message = f'"{wish.name}" in pages is read as the page "{name}"'
    problems.tell("alias", Place.at(wish.source, len(wish.name)), message, f'write "{name}"')
    return replace(wish, name=name, title=title)


_OTHER_PAGES: Mapping[str, str] = {
    "blog": "posts",
    "resume": "cv",
    "résumé": "cv",
    "curriculum vitae": "cv",
    "papers": "publications",
    "start": "home",
    "index": "home",
    "main": "home",
    "courses": "teaching",
    "presentations": "talks",
}
"""The program's names of pages by other common names."""


def _tell_unknown(site: Site, wish: PageWish, problems: Problems) -> None:
    """Report a page without content, unless its source file exists: an invalid file is reported already."""
    where = Place.at(wish.source, len(wish.name))
    known = {"home", "cv", *site.collections, *COLLECTION_PAGES, STATISTICS, *_texts(site)}
    if not wish.name:
        named = wish.path.strip("/")
        hint = f"add sections: [{named if named in known else 'about'}]"
        problems.tell("unknown-page", where, f"the page {wish.path} has no sections", hint)
    elif not was_read(wish.name, problems) and not any(w.name == wish.name for w in site.settings.from_bib):
        by_path = f"write - path: {wish.name}, and its sections below"
        hint = by_path if "/" in wish.name else instead(wish.name, known)
        problems.tell("unknown-page", where, f'there is no page "{wish.name}"', hint)


def is_path(written: str) -> bool:
    """Whether the value can be a path on this site."""
    return ".." not in written and re.fullmatch(r"/?(?:[^\s/\\?#%:*\"<>|]+(?:/|$))*", written) is not None


def told_path(written: str, source: str, problems: Problems, hint: str = "") -> bool:
    """Report a value of site.yaml that cannot be a path on this site; True if it was reported."""
    if is_path(written):
        return False
    path = urlsplit(written).path if "://" in written else written
    if "://" in written:
        hint = (
            hint
            or "the menu has pages of this site only; write the address under links: in content/profile.yaml"
        )
    better = "/".join(slug(part) for part in path.split("/") if slug(part))
    place = problems.where(written, "site.yaml") or Place.at(source)
    message = f"“{written}” cannot be a path of this site"
    problems.tell(
        "bad-path", place, message, hint or (f"write /{better}/" if better else "write it like /talks/")
    )
    return True


def path_of(written: str) -> str:
    """Add the missing slashes: "talks" becomes "/talks/", "talks.html" becomes "/talks.html"."""
    path = written if written.startswith("/") else f"/{written}"
    return path if path.endswith(("/", ".html")) else f"{path}/"


def _page(site: Site, wish: PageWish, sections: Iterable[SectionWish], problems: Problems) -> Page:
    """Make a page with its sections; omit empty sections."""
    site = site.in_language(wish.language or site.settings.language)
    name = wish.name or wish.path.strip("/")
    kind = "home" if wish.path == "/" else name if name in ("cv", *COLLECTION_PAGES) else "page"
    made: list[Section] = []
    for section in sections:
        one = make_section(site, section, kind, made, problems)
        if one is not None:
            made.append(one)
    contents = _contents(made) if kind == "projects" else ()
    collection = site.collections.get(name)
    return Page(
        path=wish.path,
        kind=kind,
        title=wish.title or (site.title if kind == "home" else _title(site, name, collection)),
        description=_description(site, wish, name, kind),
        intro=wish.intro,
        sections=_linked(tuple(made), kind),
        contents=contents,
        language=site.settings.language,
        source=wish.source,
    )


def _linked(sections: tuple[Section, ...], kind: str) -> tuple[Section, ...]:
    """Remove links to the full list, except on the home page and on pages of the kind "page"."""
    return tuple(replace(s, more="") for s in sections) if kind not in ("home", "page") else sections


def _title(site: Site, name: str, collection: Collection | None) -> str:
    if collection and collection.title:
        return collection.title
    return site.look.words.get(f"page_{name}") or site.look.words.get(f"section_{name}") or _spoken(name)


def _spoken(name: str) -> str:
    words = name.rpartition("/")[2].replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _description(site: Site, wish: PageWish, name: str, kind: str) -> str:
    """Description of a page for search engines, one sentence."""
    if wish.intro:
        return _said(site, wish.intro)
    who = site.profile
    if kind == "home":
        place = ", ".join(a.name for a in who.affiliation)
        role = plain(who.role)
        return site.settings.description or ", ".join(part for part in (who.name, role, place) if part)
    return f"{wish.title or _title(site, name, site.collections.get(name))} – {who.name}"


def _said(site: Site, text: str, *, cites: bool = True) -> str:
    """The beginning of a text, without links; citations are removed if `cites`."""
    library = Library.of(site, address) if cites and "@" in text else None
    return _clipped(plain(library.spoken(text) if library else text))


def _clipped(text: str, most: int = 160) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + "…"


def _contents(sections: Sequence[Section]) -> tuple[Line, ...]:
    return tuple(
        Line(title=Markdown(item.entry.name), path=f"#{item.id}", when=item.entry.when)
        for section in sections
        if section.kind == "projects"
        for listing in section.listings
        for item in listing.items
        if item.id
    )


def _texts(site: Site) -> dict[str, Prose]:
    """All texts that can have a page, by name; content/pages/ takes precedence over content/."""
    pages = site.collections.get("pages")
    texts = {
        e.id: e
        for c in site.collections.values()
        if c.kind == "prose"
        for e in c.entries
        if isinstance(e, Prose)
    }
    return {**texts, **{e.id: e for e in (pages.entries if pages else ()) if isinstance(e, Prose)}}


def _text(site: Site, name: str) -> Prose | None:
    return _texts(site).get(name)


def _text_page(site: Site, wish: PageWish, text: Prose) -> Page:
    return Page(
        path=wish.path,
        kind="page",
        title=wish.title or plain(text.title) or _spoken(text.id),
        description=_said(site, text.summary or text.body) or f"{plain(text.title)} – {site.profile.name}",
        intro=wish.intro,
        entry=text,
        language=wish.language or text.language or site.settings.language,
        source=text.source,
    )


def _left_pages(site: Site, top: Sequence[Page], problems: Problems) -> Iterator[Page]:
    """Plan the files of content/pages/ that `pages` does not list; they are published, but not in the menu."""
    pages = site.collections.get("pages")
    named = {page.entry.source for page in top if page.entry}
    for text in pages.entries if pages else ():
        if text.source not in named:
            page = _listed(site, PageWish(name=text.id, source=text.source), problems)[1]
            if page is not None:
                yield page


def _entry_pages(site: Site) -> Iterator[Page]:
    """Plan the pages of single entries."""
    for collection in site.collections.values():
        titles = Counter(plain(entry.name) for entry in collection.entries)
        for entry in collection.entries:
            path = address(entry)
            if path:
                title = plain(entry.name)
                if titles[title] > 1:
                    title = (
                        f"{title} ({entry.when.start.year if entry.when and entry.when.start else entry.id})"
                    )
                about = (
                    getattr(entry, "abstract", "")
                    or entry.summary
                    or getattr(entry, "tagline", "")
                    or entry.body
                )
                yield Page(
                    path=path,
                    kind={"publications": "publication", "projects": "project"}.get(collection.kind, "post"),
                    title=title,
                    description=_said(site, about, cites=collection.kind != "publications")
                    or f"{title} – {site.profile.name}",
                    entry=entry,
                    language=_language(site, collection, entry),
                    source=entry.source,
                )


def _language(site: Site, collection: Collection, entry: Entry) -> Language:
    """Language of an entry's page; the page of a publication is always in the site's language."""
    own = "" if isinstance(entry, Publication) else entry.language or collection.language
    return Language(own) or site.settings.language


def _not_found(site: Site) -> Page:
    return Page(
        path="/404.html",
        kind="404",
        title=site.look.words["page_404"],
        description=site.title,
        language=site.settings.language,
    )


def _shown(pages: Iterable[Page]) -> Iterator[tuple[Page, Item]]:
    for page in pages:
        for section in page.sections:
            for listing in section.listings:
                for item in listing.items:
                    if item.id:
                        yield page, item


def _tag_pages(site: Site, problems: Problems) -> Iterator[Page]:
    """Plan a page for each tag of posts and news."""
    for tag in tags_of(site):
        title = site.look.words["page_tag"].format(tag=tag.name)
        yield _page(site, PageWish(path=tag.path, title=title), wishes(site, tag), problems)


def _with_ways(
    page: Page, mentioned: Mapping[str, list[Line]], related: Mapping[str, tuple[Publication, ...]]
) -> Page:
    """Add links to mentions and related publications to the page of a publication."""
    if not isinstance(page.entry, Publication):
        return page
    found = tuple(mentioned.get(page.entry.key, ()))
    ways = tuple(
        Line(title=paper.title, path=address(paper), when=paper.when, kind=paper.venue.short)
        for paper in related.get(page.entry.id, ())
    )
    return replace(page, mentions=found, related=ways)
