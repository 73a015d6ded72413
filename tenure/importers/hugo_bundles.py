"""Texts of a Hugo site that stand in a folder with their files, or in a file alone: values, text, links and addresses."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tenure.frozen import dataclass
from tenure.importers.entries import address_of
from tenure.importers.gathering import Gathering, Taken, words_of
from tenure.importers.hugo_config import Hugo
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.proses import other_links
from tenure.importers.samples import is_sample, is_sample_address, is_sample_paper
from tenure.importers.socials import label_of
from tenure.sources.files import Prose

LOOKS = (
    "image", "math", "mathjax", "draft", "projects", "slides", "share", "profile", "commentable", "comments", "toc",
    "show_date", "reading_time", "pager", "header", "gallery_item", "gallery", "highlight", "diagram", "design", "cms_exclude",
    "add_badge", "equivalent", "headless", "weight", "type", "layout", "view", "editable", "show_breadcrumb", "lightbox",
    "publishDate", "publishdate", "publish_date", "expiryDate", "lastmod", "lastMod", "markup", "active", "menu", "linktitle",
    "date_format", "url_slides", "featured", "author_notes", "permalink", "url", "slug", "aliases", "hugoblox", "content_meta",
    "isCJKLanguage", "authors", "author", "cascade", "showDate", "showAuthor", "invertPagination", "showTableOfContents",
    "profile_alignment", "math_renderer", "rmd_hash", "output", "keywords", "bibliography", "link-citations", "csl",
    "continue_link", "header_image", "subtitle", "external_link", "all_day", "time_start", "time_end", "disable_comments",
)  # fmt: skip
"""Front matter that steers the theme, or that has been looked at by then."""

TYPES = {
    "url_pdf": "pdf", "url_preprint": "Preprint", "url_code": "code", "url_dataset": "Dataset", "url_poster": "poster",
    "url_project": "website", "url_slides": "slides", "url_source": "Source", "url_video": "video", "url_custom": "url",
    "external_link": "url", "site": "website", "project": "website", "preprint": "Preprint", "dataset": "Dataset",
    "source": "Source", "arxiv": "Preprint", "paper": "pdf", "full text": "pdf", "website": "website", "code": "code",
    "slides": "slides", "video": "video", "poster": "poster", "pdf": "pdf", "doi": "doi", "url": "url",
}  # fmt: skip
"""What keys and types of links are called in bib/, or as the label of a link."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A text: its section and name, its file and values, and the translator that knows the files beside it."""

    section: str
    name: str
    path: Path
    prose: Prose
    taken: Taken
    texts: HugoTexts

    @property
    def place(self) -> str:
        """Where its text begins."""
        return f"{self.texts.gathering.name_of(self.path)}:{self.prose.line}"

    def body(self) -> str:
        """Its text as Markdown."""
        return self.texts.body(self.prose.body, self.place)


def bundles(texts: HugoTexts, site: Hugo, sections: Sequence[str]) -> Iterator[Bundle]:
    """The texts of some sections of the site; samples, and lists that Hugo makes, are noted or passed over."""
    gathering = texts.gathering
    for section in sections:
        folder = f"{site.content}/{section}"
        for path in gathering.below(folder, ".md", ".markdown", ".rmd", ".rmarkdown", ".org", ".html"):
            bundle = _bundle(texts, site, folder, path)
            if bundle is not None:
                yield bundle


def _bundle(texts: HugoTexts, site: Hugo, folder: str, path: Path) -> Bundle | None:
    gathering = texts.gathering
    name = gathering.name_of(path)
    stem, _, language = path.stem.partition(".")
    if (
        language and re.fullmatch(r"[a-z]{2}(?:-\w+)?", language) and language != (site.language or "en")
    ) or path.suffix.casefold() == ".org":
        gathering.left(name, "a text in another language" if language else "an Org file, which is not read")
        gathering.pass_over(name)
        return None
    if path.suffix.casefold() in (".rmd", ".rmarkdown") and path.with_suffix(".md").is_file():
        gathering.pass_over(name)
        return None
    prose = gathering.prose(path)
    if prose is None:
        return None
    title = words_of(prose.front.entries["title"]) if "title" in prose.front.entries else ""
    where = path.parent if stem in ("index", "_index") else path.parent / stem
    front = " ".join(words_of(node) for node in prose.front.entries.values())
    if stem == "_index":
        if prose.body.strip() and not is_sample(prose.body) and gathering.name_of(path.parent) != folder:
            gathering.left(name, f"the introduction of a list: {' '.join(prose.body.split())[:90]}")
        return None
    if (
        is_sample_paper(title)
        or re.search(r"Wowchemy Conference|Lorem ipsum", front)
        or (is_sample(front) and is_sample(prose.body))
    ):
        gathering.left(name, f"sample content of the template: {title}")
        return None
    here = gathering.name_of(path.parent)
    section = folder.removeprefix(site.content).strip("/")
    return Bundle(section, where.name, path, prose, Taken(prose.front, gathering), texts.at(here))


def links_of(texts: HugoTexts, taken: Taken, gathering: Gathering) -> dict[str, str]:
    """Every link of a text: fields of bib/ by their name, others by their label; those to nothing are noted."""
    found: dict[str, str] = {}
    for key in [key for key in taken.node.entries if key.startswith("url_") or key == "external_link"]:
        _add(
            texts, found, TYPES.get(key, key.removeprefix("url_").capitalize()), taken.words(key), taken.place
        )
    for node in taken.list("links"):
        one = Taken(node, gathering)
        sort, label = one.words("type"), one.words("name", "label", "title")
        url = one.words("url", "link", "href")
        if one.words("provider") == "arxiv" and not url:
            url = f"https://arxiv.org/abs/{one.words('id')}"
        one.drop("icon", "icon_pack", "id", "provider")
        one.finish()
        _add(
            texts,
            found,
            TYPES.get((sort or label).casefold(), "") or label or label_of(url, sort),
            url,
            one.place,
        )
    for label, address in other_links(texts, taken).items():
        found.setdefault(
            "url" if label.casefold() in ("external", "externalurl", "site") else label, str(address)
        )
    return found


def _add(texts: HugoTexts, found: dict[str, str], label: str, url: str, place: str) -> None:
    if (
        not url
        or url == "#"
        or re.search(r"https?://(?:www\.)?example\.(?:org|com)|twitter\.com/georgecushen", url, re.IGNORECASE)
    ):
        return
    if is_sample_address(url):
        texts.gathering.left(place, f"sample content of the template: {url}")
        return
    address = texts.address(url, place)
    if address:
        free = (
            label
            if found.get(label, address) == address
            else label_of(address, "Link")
            if address_of(address)
            else f"{label} 2"
        )
        found.setdefault(free, address)


def picture_of(texts: HugoTexts, taken: Taken, path: Path) -> str:
    """The featured picture of a text: the one that its folder has, or that it names."""
    gathering = texts.gathering
    node = taken.node_of("image", "header")
    named = ""
    if node is not None:
        named = node.words or next(
            (words_of(node.entries[key]) for key in ("filename", "src", "image") if key in node.entries), ""
        )
    if named and "://" not in named:
        found = texts.file(named)
        if not found:
            gathering.left(taken.place, f"an image that is not in the source: {named[:90]}")
        return found
    if path.stem.partition(".")[0] != "index":
        return ""
    beside = [
        one
        for one in gathering.below(gathering.name_of(path.parent))
        if one.parent == path.parent and "featured" in one.stem
    ]
    shown = next(
        (
            one
            for one in beside
            if one.suffix.casefold() in (".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg")
        ),
        None,
    )
    return gathering.copy(gathering.name_of(shown)) if shown is not None else ""


def old_addresses(site: Hugo, bundle: Bundle) -> list[str]:
    """Where the page of a text stood, and what led there."""
    front = bundle.prose.front.entries
    given = words_of(front["url"]) if "url" in front else ""
    slug = words_of(front["slug"]) if "slug" in front else bundle.name
    form = site.permalinks.get(bundle.section, f"/{bundle.section}/:slug/")
    named = re.sub(r":(?:slug|filename|slugorfilename|contentbasename|title)", slug, form)
    own = given if given.startswith("/") else named
    aliases = [words_of(node) for node in front["aliases"].items] if "aliases" in front else []
    made = [own] if ":" not in own else []
    return [re.sub(r"\s+", "-", address).casefold() for address in made] + [
        one for one in aliases if one.startswith("/")
    ]
