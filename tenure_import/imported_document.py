"""
A text of the source, and where it stands in the new site.

The name of its file and its front matter say to which list a `Document` belongs, and which URLs it had. In
its list it is a line, or a page of its own: _talks/a.md -> a line of content/talks.yaml.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from tenure.markdown.html import make_slug
from tenure.record import Record
from tenure.sources.editing.yaml_writer import format_yaml
from tenure_import.source import Entry, get_text, get_texts


class Document(Record):
    """
    A text of the source: its file, its list, its front matter, its text, its new URL and its old ones.

    `list` is a list of Tenure, "pages", "about" for the home page, "cv", or "" for one that is not written.
    """

    name: str
    list: str
    front: Entry
    body: str
    url: str = ""
    old_urls: tuple[str, ...] = ()


LIST_PATTERNS: Mapping[str, str] = {
    "teaching": (
        r"(?:current |past )?teaching(?: experiences?)?|courses(?: taught)?|cours|enseignements?|lehre"
    ),
    "education": (
        r"education(?: and training)?|formation|academic background|ausbildung|educación|educacion|degrees"
    ),
    "experience": (
        r"(?:\w+ )?(?:experiences?|employment|employement|work|positions?|appointments?)"
        r"|(?:work|professional|employment) \w+"
        r"|experiencia(?: laboral)?|expérience|berufserfahrung"
    ),
    "awards": (
        r"(?:.* )?(?:awards?|honou?rs?|grants?|fellowships?|scholarships?|prizes|accomplish\w*)(?: .*)?"
    ),
    "projects": r"(?:(?!research interests)\w+ )?projects?|portfolio",
    "talks": r"(?:.* )?(?:talks?|presentations?|lectures)",
    "service": r"(?:\w+ )?(?:service|services|volunteer(?:ing)?)(?: .*)?",
    "publications": r"(?:\w+ )?(?:publications?|papers)",
    "news": r"news|announcements",
    "people": r"people|team|members|alumni",
    "posts": r"posts?|blogs?",
}
"""The headings and names of folders that mean a list of Tenure: "Honors and Awards" -> awards."""

RESERVED_NAMES = frozenset(
    {"pages", "profile", "coauthors", "counts", "files", "publications", "about", "home", "index"}
)

PAGED_LISTS = frozenset({"pages", "posts", "projects", "people"})
"""Lists whose entries have pages of their own."""

PAGE_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("publication", "papers", "featured"), "publications"),
    **dict.fromkeys(("project", "portfolio", "software"), "projects"),
    **dict.fromkeys(("talk", "event", "events", "presentations"), "talks"),
    **dict.fromkeys(("post", "blog", "blogs", "year-archive", "writing"), "posts"),
    **dict.fromkeys(("resume", "cv-json", "vita", "curriculum-vitae"), "cv"),
    **dict.fromkeys(("team", "members", "authors", "profiles"), "people"),
    **dict.fromkeys(("about", "home", ""), "home"),
    "courses": "teaching",
    "accomplishments": "awards",
}
"""Tenure's page for each name that other systems use in URLs."""

DATE_OF_NAME = re.compile(r"(?:.*/)?(\d{4}-\d\d?-\d\d?)-?")
"""_posts/2020-01-31-proofs.md -> 2020-01-31."""


def find_list(heading: str) -> str:
    """
    The list of Tenure for a heading or a name, a list of its own for another one.

    "Teaching experience" -> "teaching"; "Lab rules" -> "lab-rules".
    """
    words = " ".join(re.sub(r"[_\W]+", " ", heading).casefold().split())
    known = next((name for name, pattern in LIST_PATTERNS.items() if re.fullmatch(pattern, words)), "")
    slug = make_slug(heading) or "more"
    own_name = f"{slug}-list" if slug in RESERVED_NAMES else slug
    return known or own_name


def place_document(
    name: str, target: str, front: Entry, body: str, permalinks: Mapping[str, str]
) -> Document:
    """
    A document of a list with its new URL and its old ones.

    "_posts/2020-01-31-proofs.md", "posts" -> /posts/proofs/, which was /blog/2020/proofs/. A `target` "*" is
    the list that the name of the first folder means. `permalinks` are the patterns of old URLs by folder.
    """
    # _posts/2020-01-31-proofs.md -> "proofs"; the name of a folder stays whole
    stem = find_stem(name)
    if target in ("posts", "news") and stem == PurePosixPath(name).stem:
        stem = DATE_OF_NAME.sub("", stem) or stem
    target = target.replace("*", find_list(name.split("/", maxsplit=1)[0].strip("_")))
    # a project that no list of al-folio shows: `nav: false`
    if target == "projects" and get_text(front, "nav") == "false":
        target = "pages"
    is_page = target == "pages"

    permalink = _read_permalink(front, is_page=is_page)
    old_urls = [
        permalink or _guess_old_url(name, stem, front, permalinks),
        *get_texts(front, "redirect_from", "aliases"),
    ]

    slug = make_slug(stem) or target
    # a server tells upper and lower case apart: /projects/RobotArm/
    old_name = PurePosixPath(old_urls[0]).stem
    if not is_page and old_name.casefold() == slug:
        slug = old_name
    # "/research.html" -> "research"
    if is_page and re.fullmatch(r"/[\w.-]+?(?:\.html)?/?", permalink):
        slug = make_slug(re.sub(r"\.html$", "", permalink.strip("/"))) or slug
    if is_page and permalink == "/":
        target = "about"
    if target == "publications" and body.strip() and not get_text(front, "title"):
        # a list of papers in one text
        target = "pages"
        slug = "publications"
    url = place_url(target, slug, body)
    if target == "news" and name.partition("/")[0] in permalinks and _has_title(front):
        url = f"/news/#{slug}"
    return Document(name, target, front, body, url, tuple(old for old in old_urls if old.startswith("/")))


def _has_title(front: Entry) -> bool:
    """Whether news of al-folio have a title on the site, and so a page: those that are `inline` have none."""
    return get_text(front, "title") != "" and get_text(front, "inline") != "true"


def _read_permalink(front: Entry, *, is_page: bool) -> str:
    """The old URL that a document sets; "" if it has none, or one with a variable: "/:year/proofs/"."""
    permalink = get_text(front, "permalink", "url") if is_page else get_text(front, "permalink")
    if permalink.startswith("/") and ":" not in permalink:
        return permalink
    return ""


def _guess_old_url(name: str, stem: str, front: Entry, permalinks: Mapping[str, str]) -> str:
    """
    The old URL of a document, by the pattern of its folder: _talks/a.md -> /talks/a/.

    A post without a pattern is in a blog: _posts/2020-01-31-a.md -> /blog/2020/a/.
    """
    folder, _, path = str(PurePosixPath(name).with_suffix("")).partition("/")
    default = "/blog/:year/:title/" if folder == "_posts" else ""
    if pattern := permalinks.get(folder) or default:
        date = DATE_OF_NAME.match(name)
        day = get_text(front, "date") or (date[1] if date else "")
        year, month, day = [*re.split(r"\D", day), "", "", ""][:3]
        values = {
            "year": year,
            "month": month.zfill(2),
            "day": day.zfill(2),
            "title": stem,
            "path": path,
            "name": PurePosixPath(name).stem,
            "collection": folder.strip("_"),
            "categories": "/".join(get_texts(front, "categories", "category")),
        }
        url = re.sub(r":(\w+)", lambda match: values.get(match[1], match[0]), pattern)
        return re.sub(r"/{2,}", "/", f"/{url}")
    parent = f"{PurePosixPath(name).parent}/"
    folder = re.sub(r"^_(?:pages|tabs)/|^_|^content/(?:[a-z]{2}/)?", "", parent).strip("/.")
    # post/proofs/index.md: the folder ends with the stem
    if folder and not folder.endswith(stem):
        return f"/{folder}/{stem}/"
    return f"/{folder or stem}/"


def place_url(target: str, slug: str, body: str) -> str:
    """The new URL of a document of a list: that of its own page, or of the list if it is a line there."""
    default = f"/{target}/" if is_line(target, body) else f"/{target}/{slug}/"
    fixed = {"pages": f"/{slug}/", "publications": "/publications/", "about": "/", "cv": "/cv/"}
    return fixed.get(target, default)


def is_line(target: str, body: str) -> bool:
    """Whether a document is a line in a list, and has no page: it has no text, or one paragraph."""
    if target in ("pages", "posts"):
        return False
    if target == "news":
        return True
    text = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL).strip()
    is_short = target in ("talks", "teaching") or "\n\n" not in text
    return not text or (target not in PAGED_LISTS and is_short)


def format_text_file(front: Entry, body: str) -> str:
    """A text with its front matter, which is left out if it has no key."""
    if front:
        return f"---\n{format_yaml(front)}---\n{body}\n"
    return f"{body}\n"


def find_stem(name: str) -> str:
    """The name of a document without its suffix: "a" of post/a.md and of post/a/index.md."""
    path = PurePosixPath(name)
    return path.parent.name if re.fullmatch(r"_?index(?:\.\w\w)?", path.stem) else path.stem


def find_folder(name: str) -> str:
    """The folder of a file: "post/a" of post/a/index.md, "" of index.md."""
    return str(PurePosixPath(name).parent).removeprefix(".")


def find_translation_name(document: Document) -> str:
    """The name of a document without its language: content/de/post/a.md, content/post/a.de.md -> post/a."""
    name = re.sub(r"^content/(?:[a-z]{2}(?:-\w{2,4})?/)?", "", document.name)
    return re.sub(r"(?:\.[a-z]{2}(?:-\w{2,4})?)?\.\w+$", "", name)


def find_translated_path(document: Document) -> str:
    """The file of a document in the new site without its suffix; "" if it has none."""
    if document.list == "about":
        return "content/about"
    folder, _, stem = document.url.strip("/").rpartition("/")
    if document.list == "publications" or (document.list not in PAGED_LISTS and not folder):
        return ""
    return f"content/{document.list}/{stem}"
