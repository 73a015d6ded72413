"""Imports the home page of a Hugo site, widget files or blocks in _index.md, to sections in the same order."""

import re
from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.importers.entries import collection_of
from tenure.importers.gathering import Gathering, words_of
from tenure.importers.hugo_config import Hugo
from tenure.importers.hugo_people import Person, put_entry, put_skills
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.proses import paragraph
from tenure.importers.samples import is_sample
from tenure.importers.yaml_text import Data, scalar
from tenure.sources.tree import Node
from tenure.text import slug

LISTS: Mapping[str, str] = {
    "publications": "publications", "publications_featured": "publications", "featured": "publications", "talks": "talks",
    "talks_featured": "talks", "projects": "projects", "portfolio": "projects", "posts": "posts", "experience": "experience",
    "accomplishments": "awards", "resume-experience": "experience", "resume-awards": "awards", "awards": "awards",
    "resume-skills": "skills", "skills": "skills", "resume-languages": "languages", "languages": "languages",
    "featurette": "skills", "features": "skills", "events": "talks",
}  # fmt: skip
FOLDERS: Mapping[str, str] = {
    "publication": "publications", "publications": "publications", "project": "projects", "projects": "projects",
    "talk": "talks", "event": "talks", "events": "talks", "post": "posts", "blog": "posts", "news": "posts",
}  # fmt: skip
ABOUT = frozenset(
    {
        "about",
        "about.biography",
        "about.avatar",
        "resume-biography",
        "resume-biography-3",
        "biography",
        "v1/about",
        "about-avatar",
    }
)
SILENT = frozenset(
    {"tag_cloud", "contact", "contact-info", "search", "cat_tag_cloud", "slider", "people", "dev-ia"}
)


@dataclass(frozen=True, slots=True)
class Widget:
    """A widget or block of the home page: kind, name, front matter, text, and location in the source."""

    kind: str
    name: str
    front: Node
    text: str
    place: str

    def words(self, *keys: str) -> str:
        """Return the first non-empty text of these keys, at the top level or within `content`, or ""."""
        for node in (self.front, self.front.entries.get("content")):
            for key in keys:
                if node is not None and key in node.entries and words_of(node.entries[key]):
                    return words_of(node.entries[key])
        return ""

    def node(self, key: str) -> Node | None:
        """Return the value of a key, at the top level or within `content`, or None."""
        content = self.front.entries.get("content")
        return self.front.entries.get(key) or (content.entries.get(key) if content is not None else None)


def put_home(texts: HugoTexts, site: Hugo, owner: Person | None) -> list[Data]:
    """Import the content of the home page. Returns its sections in order."""
    gathering = texts.gathering
    sections: list[Data] = []
    for widget in _widgets(gathering, site):
        for section in _put(texts, widget):
            if not any(_called(section) == _called(other) and section == other for other in sections):
                sections.append(section)
    if sections and "about" not in sections and owner is not None and "content/about.md" in gathering.files:
        sections.insert(0, "about")
    return [section for section in sections if _is_there(gathering, _called(section))]


def _called(section: Data) -> str:
    return (
        section if isinstance(section, str) else next(iter(section)) if isinstance(section, Mapping) else ""
    )


def _is_there(gathering: Gathering, name: str) -> bool:
    works = name == "publications" and gathering.has_works
    return (
        works
        or gathering.has(name)
        or f"content/{name}.md" in gathering.files
        or gathering.has_file(f"content/{name}/")
    )


def _widgets(gathering: Gathering, site: Hugo) -> list[Widget]:
    """Return the active widgets by weight, then the blocks; disabled widgets are reported as skipped."""
    found: list[tuple[float, Widget]] = []
    for path in gathering.below(f"{site.content}/home", ".md", ".markdown"):
        prose = gathering.prose(path)
        name = gathering.name_of(path)
        if prose is None:
            continue
        front = prose.front.entries
        given = {key: words_of(front[key]) for key in ("widget", "active", "weight") if key in front}
        if path.stem == "index" and "widget" not in front:
            continue
        if given.get("active", "true").casefold() == "false":
            gathering.left(name, "a disabled part of the home page")
            continue
        weight = given.get("weight", "")
        rank = float(weight) if re.fullmatch(r"-?\d+(?:\.\d+)?", weight) else 1000.0
        found.append(
            (
                rank,
                Widget(
                    given.get("widget", "blank") or "blank",
                    path.stem,
                    prose.front,
                    prose.body,
                    f"{name}:{prose.line}",
                ),
            )
        )
    ordered = [widget for _, widget in sorted(found, key=lambda one: one[0])]
    top = gathering.path(f"{site.content}/_index.md", f"{site.content}/home/_index.md", "content/_index.md")
    prose = gathering.prose(top) if top is not None else None
    if top is None or prose is None:
        return ordered
    name = gathering.name_of(top)
    blocks = prose.front.entries.get("sections")
    for i, node in enumerate(blocks.items if blocks is not None else ()):
        kind = words_of(node.entries["block"]) if "block" in node.entries else "markdown"
        anchor = words_of(node.entries["id"]) if "id" in node.entries else f"part-{i + 1}"
        ordered.append(Widget(kind, anchor, node, "", f"{name}:{node.place.line}"))
    if prose.body.strip():
        ordered.append(Widget("blank", "introduction", prose.front, prose.body, f"{name}:{prose.line}"))
    return ordered


def _put(texts: HugoTexts, widget: Widget) -> list[Data]:
    """Import one widget: its entries to collections, its text to a file. Returns its sections."""
    gathering = texts.gathering
    title = texts.line(widget.words("title"), widget.place).replace("\u00ad", "")
    if widget.kind in ABOUT:
        return ["about"]
    for key, collection in (("experience", "experience"), ("item", "awards"), ("items", "awards")):
        node = widget.node(key)
        if node is not None and widget.kind in ("experience", "accomplishments"):
            for item in node.items:
                put_entry(texts, collection, item)
    if widget.kind in ("featurette", "features", "skills"):
        _put_features(gathering, widget, title)
    name = _list(widget)
    if name == "experience" and gathering.has("education"):
        return [_wish("education", ""), _wish("experience", title)]
    if name:
        return [_wish(name, title, *_filters(widget))]
    if widget.kind in SILENT:
        words = widget.words("text", "subtitle") or widget.text
        if words.strip() and not is_sample(words):
            gathering.left(widget.place, f"{widget.kind}: {paragraph(texts.body(words, widget.place))[:90]}")
        return []
    return _put_text(texts, widget, title)


def _put_features(gathering: Gathering, widget: Widget, title: str) -> None:
    node = (
        widget.node("feature") or widget.node("features") or widget.node("items") or widget.node("categories")
    )
    for item in node.items if node is not None else ():
        if is_sample(words_of(item)) or (
            re.search(r"Photography|Statistics", words_of(item)) and re.search(r"\b100 ?%", words_of(item))
        ):
            gathering.left(f"{item.place.file}:{item.place.line}", "sample content of the template: a skill")
        else:
            put_skills(gathering, "skills", title or "Skills", item)


def _list(widget: Widget) -> str:
    """Return the collection that a widget lists, or ""."""
    if widget.kind in ("pages", "collection", "custom", "carousel", "") or widget.kind in (
        "portfolio",
        "featured",
    ):
        filters = widget.node("filters")
        folders = (
            [words_of(node) for node in filters.entries["folders"].items]
            if filters is not None and "folders" in filters.entries
            else []
        )
        kinds = [
            *folders,
            widget.words("page_type"),
            filters.entries["page_type"].words
            if filters is not None and "page_type" in filters.entries
            else "",
        ]
        for kind in kinds:
            if kind:
                return FOLDERS.get(kind.rpartition("/")[2], "")
    return LISTS.get(widget.kind, "")


def _filters(widget: Widget) -> tuple[str, str]:
    """Return the values of `show` and `limit` for a list, each "" if not set."""
    filters = widget.node("filters")
    inner = filters.entries if filters is not None else {}
    featured = widget.kind in ("featured", "publications_featured") or any(
        key in inner and words_of(inner[key]).casefold() == "true" for key in ("featured_only",)
    )
    count = widget.words("count")
    return ("selected" if featured else "", count if count.isdecimal() and int(count) else "")


def _wish(name: str, title: str, show: str = "", limit: str = "") -> Data:
    wish = {"title": title} if title and collection_of(title) != name and slug(title) != name else {}
    wish |= {"show": show} if show and name == "publications" else {}
    wish |= {"limit": limit} if limit else {}
    return {name: wish} if wish else name


def _put_text(texts: HugoTexts, widget: Widget, title: str) -> list[Data]:
    """Import a widget with free text to a file of content/. Returns its section."""
    gathering = texts.gathering
    written = "\n\n".join(part for part in (widget.words("text"), widget.text) if part.strip())
    if not written.strip() or is_sample(written) or is_sample(title):
        if written.strip() or widget.kind not in ("blank", "markdown"):
            sample = (
                "sample content of the template: "
                if is_sample(f"{written} {title}")
                else "a part of the home page: "
            )
            gathering.left(widget.place, f"{sample}{title or widget.kind}")
        return []
    body = texts.body(written, widget.place)
    if not body:
        return []
    if "content/about.md" not in gathering.files and not title:
        gathering.write("content/about.md", f"{body}\n")
        gathering.came(widget.place, "introduction")
        return ["about"]
    name = slug(title) or slug(widget.name) or "more"
    taken = gathering.has(name) or name in (
        "publications",
        "projects",
        "talks",
        "news",
        "posts",
        "education",
        "experience",
        "awards",
        "teaching",
        "service",
        "pages",
        "profile",
        "coauthors",
        "files",
        "skills",
        "languages",
    )
    name = f"{name}-text" if taken else name
    front = f"---\ntitle: {scalar(title)}\n---\n" if title else ""
    made = gathering.write(f"content/{name}.md", f"{front}{body}\n")
    gathering.came(widget.place, made)
    return [made.removeprefix("content/").removesuffix(".md")]
