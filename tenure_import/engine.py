"""
One importer for all systems.

Documents and data files go to their places, their texts are converted, and the reader of sources, which knows the keys of
other systems, reads them. A `System` is the table that says where a system keeps what.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from tenure.markdown.html import make_slug, make_unique
from tenure.model.file_types import IMAGE_PATTERN, VIDEO_PATTERN
from tenure.model.languages import find_language
from tenure.model.links import parse_email
from tenure.plan.kinds import PAGE_LISTS
from tenure.record import Record, field, replace
from tenure.sources.schema.links import find_service, find_service_of_url
from tenure.sources.schema.spec import CONFIG_KEYS, fold_key
from tenure.sources.yaml_writer import YamlData, format_yaml
from tenure_import.publications import (
    COPIED_FIELDS,
    LINK_FIELDS,
    Bibliography,
    convert_publication,
    fold_title,
)
from tenure_import.samples import SAMPLE_NOTE, find_own_body, is_sample_text, is_sample_url
from tenure_import.source import (
    Data,
    Entry,
    Source,
    describe_entry,
    drop_empty,
    get_items,
    get_text,
    get_texts,
    split_front_matter,
)
from tenure_import.text import TextRules, convert_text, keep_field_tags, normalize_url


class System(Record):
    """
    Where a system keeps what.

    `places` are patterns of file names and the list of Tenure for each: "-" is nothing, "*" the name of the folder. `keys`
    are the keys of a list that the reader does not know, by list ("*" for all): our key, "" to leave it out. `layout_keys`
    are further ones to leave out. `assets` are folders of files that texts name. `steps` are what no table can say. `noise`
    are files that are no content.
    """

    name: str
    places: Sequence[tuple[str, str]] = ()
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    layout_keys: frozenset[str] = frozenset()
    assets: Sequence[str] = ("",)
    steps: "Sequence[Callable[[Import], None]]" = ()
    noise: str = r"$^"


class Document(Record):
    """A text of the source with its list, its front matter, its new URL and its old ones."""

    name: str
    list: str
    front: Entry
    body: str
    url: str = ""
    old_urls: tuple[str, ...] = ()


class ImportedSite(Record):
    """
    The result of an import.

    `files` are those of the new site except content/profile.yaml; `profile` is its data; `notes` are places in the source
    and what was not imported or changed there; `guessed_from` says where the owner's name comes from, if the source does not give it.
    """

    system: str
    files: Mapping[str, str | bytes]
    profile: Mapping[str, YamlData]
    notes: Sequence[tuple[str, str]] = ()
    files_read: int = 0
    guessed_from: str = ""


LIST_PATTERNS: Mapping[str, str] = {
    "teaching": r"(?:current |past )?teaching(?: experiences?)?|courses(?: taught)?|cours|enseignements?|lehre",
    "education": r"education(?: and training)?|formation|academic background|ausbildung|educación|educacion|degrees",
    "experience": r"(?:\w+ )?(?:experiences?|employment|employement|work|positions?|appointments?)|(?:work|professional|employment) \w+|experiencia(?: laboral)?|expérience|berufserfahrung",
    "awards": r"(?:.* )?(?:awards?|honou?rs?|grants?|fellowships?|scholarships?|prizes|accomplish\w*)(?: .*)?",
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
SHARED_KEYS = frozenset(
    ["date", "period", "start", "end", "date_start", "date_end", "term", "image", "photo", "url", "links", "email", "slides", "video", "draft", "code",
     "pdf", "tags", "publications", "name", "cv", "company_url", "organization_url", "certificate_url", "kind"]
)  # fmt: skip
"""Keys whose values are the same in all languages."""

LAYOUT_KEYS = CONFIG_KEYS | frozenset(
    """
    header inline author authors authornotes nav navrank toc sidebar classes share comments related published math breadcrumbs
    horizontal bibliography profile social announcements tabs featured pin renderwithliquid lastmodifiedat lastmod order back lang ref
    dropdown diagram dateformat view widget menu aliases cmsexclude sections design slug cover sitemap output showtoc tocopen
    hidemeta translationkey
""".split()
)
"""Keys, folded, that choose a layout, or that the import reads itself; the reader ignores most of them too."""

ACCOUNT_URLS: Mapping[str, str] = {
    "publons": "https://publons.com/a/{}", "medium": "https://medium.com/@{}", "ieee": "https://ieeexplore.ieee.org/author/{}/",
    "acm": "https://dl.acm.org/profile/{}", "hal": "https://cv.hal.science/{}", "lattes": "https://lattes.cnpq.br/{}",
    "flickr": "https://www.flickr.com/{}", "keybase": "https://keybase.io/{}",
}  # fmt: skip
"""Accounts at services that the reader does not know."""

PAGED_LISTS = frozenset({"pages", "posts", "projects", "people"})
"""Lists whose entries have pages of their own."""

PUBLICATION_KEYS = frozenset(
    {*LINK_FIELDS, *COPIED_FIELDS, "title", "author", "authors", "venue", "citation", "type", "date", "year", "doi", "tags", "selected", "abstract",
     "bibtex_entry", "links", "image", "permalink", "redirect_from", "link", "name", "releaseDate", "journal", "description", "summary", "draft", "id"}
)  # fmt: skip
"""The keys of a publication that become a field; others are reported."""

PAGE_ALIASES: Mapping[str, str] = {
    "publication": "publications", "papers": "publications", "featured": "publications", "project": "projects", "portfolio": "projects",
    "software": "projects", "talk": "talks", "event": "talks", "events": "talks", "presentations": "talks", "post": "posts", "blog": "posts",
    "blogs": "posts", "year-archive": "posts", "writing": "posts", "resume": "cv", "cv-json": "cv", "vita": "cv", "curriculum-vitae": "cv",
    "courses": "teaching", "accomplishments": "awards", "team": "people", "members": "people", "authors": "people", "profiles": "people",
    "about": "home", "home": "home", "": "home",
}  # fmt: skip
"""Tenure's page for each name that other systems use in URLs."""

_FILE = re.compile(
    rf"/?[^\s<>\"?#:]+(?:{IMAGE_PATTERN}|{VIDEO_PATTERN}|\.(?:pdf|pptx?|docx?|xlsx?|zip|bib|txt))",
    re.IGNORECASE,
)
TEXT_FILE = re.compile(
    r"(?:^|/)[^./]*$|\.(?:md|markdown|html?|qmd|rmd|ipynb|ya?ml|toml|js|css|php)$", re.IGNORECASE
)
"""A file that is not copied: a text, or a program."""

_DATE_OF_NAME = re.compile(r"(?:.*/)?(\d{4}-\d\d?-\d\d?)-?")


def find_list(heading: str) -> str:
    """The list of Tenure for a heading or a name, a list of its own for another one."""
    words = " ".join(re.sub(r"[_\W]+", " ", heading).casefold().split())
    known = next((name for name, pattern in LIST_PATTERNS.items() if re.fullmatch(pattern, words)), "")
    slug = make_slug(heading) or "more"
    return known or (f"{slug}-list" if slug in RESERVED_NAMES else slug)


class Import:
    """The new files and the report, while a source is read."""

    def __init__(self, system: System, path: Path) -> None:
        self.system, self.source = system, Source(path)
        self.files: dict[str, str | bytes] = {}
        self.notes: dict[tuple[str, str], None] = {}
        self.profile: Entry = {}
        self.links: dict[str, str] = {}
        self.settings: dict[str, Data] = {"schema": "1"}
        self.lists: dict[str, list[Entry]] = defaultdict(list)
        self.titles: dict[str, str] = {}
        self.bibliography = Bibliography()
        self.overlays: list[Entry] = []
        self.urls: dict[str, str] = {}
        self.language = "en"
        self.further_languages: Sequence[str] = ()
        self.documents: list[Document] = []
        self.menu: list[tuple[str, str]] = []
        self.introductions: dict[str, str] = {}
        self.people_names: dict[str, str] = {}
        self.translations: list[tuple[str, Document]] = []
        self.own_bibs: dict[str, list[str]] = {}
        self.owner_candidates: list[str] = []
        self.site_title = self.guessed_from = ""
        self.home_sections: list[Data] = []
        self.cards: set[str] = set()
        """The lists that the source shows as cards."""
        self._copied: dict[str, str] = {}
        self._draft_files: set[str] = set()
        self._lines: dict[str, Entry] = {}
        self._cv_entries: dict[str, list[Entry]] = {}

    def run(self) -> "ImportedSite":
        """Read the source and return the new site."""
        self.documents = [*self._place_documents()]
        for step in self.system.steps:
            step(self)
        self._cv_entries = {name: [*self.lists.get(name, [])] for name in ("talks", "projects")}
        self.documents = [self._write_document(document) for document in self.documents]
        for code, document in self.translations:
            self._write_translation(code, document)
        self._write_lists()
        self._write_settings()
        for name in self.source.files.keys() - self.source.read:
            if not re.match(self.system.noise, name):
                self.note(name, "not read")
        for name, reason in self.source.refused.items():
            self.note(name, reason)
        profile = drop_empty({**self.profile, "links": {**self.links}})
        return ImportedSite(
            self.system.name, self.files, profile, tuple(self.notes), len(self.source.read), self.guessed_from
        )

    def note(self, place: str, text: str) -> None:
        """Report something at a place of the source."""
        self.notes[place, text] = None

    # Places

    def _place_documents(self) -> Iterator[Document]:
        """The documents of the source with their lists and URLs."""
        for name in self.source.files:
            target = next((t for pattern, t in self.system.places if re.fullmatch(pattern, name)), "")
            if not target or target == "-":
                self.source.read |= {name} if target else set()
                continue
            front, body = split_front_matter(self.source.text(name))
            if get_text(front, "headless") == "true":
                continue
            front_text = " ".join(value for value in front.values() if isinstance(value, str))
            own_body = find_own_body(name, front_text, body, get_text(front, "title", "name"))
            if own_body is None:
                self.note(name, SAMPLE_NOTE)
                continue
            document = self._place_document(name, target, front, own_body)
            for address in (*document.old_urls, name):
                self.urls.setdefault(normalize_url(address), document.url)
            yield document

    def _place_document(self, name: str, target: str, front: Entry, body: str) -> Document:
        path = PurePosixPath(name)
        stem = _find_stem(name)
        if target in ("posts", "news") and stem == path.stem:
            stem = _DATE_OF_NAME.sub("", stem)
        folder_name = name.split("/", maxsplit=1)[0].strip("_")
        target = target.replace("*", find_list(folder_name))
        folder = re.sub(r"^_(?:pages|tabs)/|^_|^content/(?:[a-z]{2}/)?", "", f"{path.parent}/").strip("/.")
        date = _DATE_OF_NAME.match(name)
        default = f"/{folder}/{stem}/" if folder and not folder.endswith(stem) else f"/{folder or stem}/"
        default = f"/blog/{date[1][:4]}/{stem}/" if name.startswith("_posts/") and date else default
        permalink = get_text(front, "permalink", "url") if target == "pages" else get_text(front, "permalink")
        permalink = permalink if permalink.startswith("/") and ":" not in permalink else ""
        old_urls = [permalink or default, *get_texts(front, "redirect_from", "aliases")]
        slug = make_slug(stem) or target
        if target == "pages" and re.fullmatch(r"/[\w.-]+?(?:\.html)?/?", permalink):
            slug = make_slug(re.sub(r"\.html$", "", permalink.strip("/"))) or slug
        if target == "pages" and permalink == "/":
            target = "about"
        if target == "publications" and body.strip() and not get_text(front, "title"):
            target, slug = "pages", "publications"  # a list of papers in one text
        url = place_url(target, slug, body)
        return Document(name, target, front, body, url, tuple(old for old in old_urls if old.startswith("/")))

    def resolve(self, url: str, folder: str = "") -> str:
        """The new URL: another site's is kept, a page's is translated, a file is copied; "" if nothing is there."""
        url = url.strip()
        site = get_text(self.settings, "url")
        is_own = site and f"{url.rstrip('/')}/".startswith(site)
        url = "/" + url[len(site) :] if is_own else url
        base = re.sub(r"https?://[^/]*", "", site)  # the folder of the site: /home/
        url = url[len(base) - 1 :] if len(base) > 1 and url.startswith(base) else url
        if re.match(r"(?:https?:)?//[^/\s]+|mailto:|tel:", url):
            return re.sub(r"\s", "%20", f"https:{url}" if url.startswith("//") else url)
        if not url or url.startswith("#") or re.match(r"[a-z][a-z0-9+.-]*:", url, re.IGNORECASE):
            return ""
        if "@" in url and parse_email(url):
            return f"mailto:{parse_email(url)}"
        path = normalize_url(url)
        last = path.rpartition("/")[2]
        found = self.urls.get(normalize_url(url, folder)) or self.urls.get(path) or self.copy(url, folder)
        if not found and PAGE_ALIASES.get(last, last) in PAGE_LISTS:
            name = PAGE_ALIASES.get(last, last)
            found = f"/{name}/" if self._has_page(name) else ""
        if not found and path == "" and url.startswith("/"):
            found = "/"
        return found

    def copy(self, name: str, folder: str = "") -> str:
        """Copy a file and return its new place; "" if the source has no such file."""
        path = re.split(r"[?#]", name, maxsplit=1)[0].replace("%20", " ").lstrip("/").removeprefix("./")
        bases = (folder, *self.system.assets) if path else ()
        candidates = (posixpath.normpath(f"/{base}/{path}").lstrip("/") for base in bases)
        found = next((c for c in candidates if c in self.source.files and not TEXT_FILE.search(c)), "")
        if not found:
            return ""
        if found not in self._copied:
            content = self.source.content(found)
            if content is None:
                return ""
            stem, dot, suffix = re.sub(r"[^\w.-]+", "-", PurePosixPath(found).name).rpartition(".")
            used = {new.rpartition(".")[0] for new in self._copied.values()}
            self._copied[found] = f"{make_unique(f'files/{stem}', used)}{dot}{suffix}"
            self.files[f"content/{self._copied[found]}"] = content
        return self._copied[found]

    def copy_first(self, *names: str) -> str:
        """Copy the first of these files that exists."""
        return next(filter(None, map(self.copy, names)), "")

    # Values

    def text(self, text: str, place: str) -> str:
        """A text of a document as Markdown."""
        folder = str(PurePosixPath(place).parent).removeprefix(".")
        rules = TextRules(
            resolve=lambda url: self.resolve(url, folder),
            report=lambda note: self.note(place, note),
            read_include=self._read_include,
        )
        return convert_text(text, rules)

    def _read_include(self, name: str) -> str:
        """The text of an included part with words and without loops; "" for parts of the theme."""
        part = self.source.text(f"_includes/{name}")
        is_text = name.endswith((".md", ".markdown")) or not re.search(
            r"\{%-?\s*(?:for|assign|if)|<script|<nav|<head", part
        )
        return part if is_text else ""

    def line(self, text: str, place: str) -> str:
        """A short text as one line of Markdown."""
        return " ".join(keep_field_tags(self.text(text, place), has_blocks=False).split())

    def is_layout_key(self, key: str) -> bool:
        """Whether a key of the source says nothing about its entry."""
        return fold_key(key) in LAYOUT_KEYS or key in self.system.layout_keys

    def entry(self, kind: str, data: Entry, place: str) -> Entry:
        """An entry with our keys where the reader does not know theirs; texts and files are converted."""
        keys = {**self.system.keys.get("*", {}), **self.system.keys.get(kind, {})}
        new: Entry = {}
        for key, value in data.items():
            target = keys.get(key, "" if self.is_layout_key(key) else key)
            if not target:
                continue
            if target in ("summary", "tagline") and isinstance(value, str):
                image = re.search(r"<img\b[^<>]*src=[\"']([^\"']+)[^<>]*>", value)
                if image:
                    new.setdefault("image", self.copy(image[1], str(PurePosixPath(place).parent)))
                text = value.replace(image[0], "") if image else value
                converted = self.value(re.sub(r"<br\s*/?>", " ", text), place, target)
            else:
                converted = self.value(value, place, target)
            known = new.setdefault(target, converted)
            if known == converted or converted in ("", [], {}):
                continue
            if target == "tags":
                new[target] = [*get_items(known), *get_items(converted)]
            elif target == "summary" and isinstance(known, str) and isinstance(converted, str):
                new[target] = f"{known} {converted}".strip()
            elif target == "tagline" and "summary" not in new:
                new["summary"] = converted
            else:
                self.note(place, f"{key}: {describe_entry(value)}")
        return drop_empty(new)

    def value(self, value: Data, place: str, key: str = "") -> Data:
        """A value with converted texts, copied files and dates without a time of day."""
        if isinstance(value, dict):
            title, contents = get_text(value, "title"), get_items(value, "contents")
            if contents and title and len(value) == 2:  # nested bullets of al-folio
                return {self.line(title, place): [self.value(item, place) for item in contents]}
            return drop_empty({name: self.value(item, place, name) for name, item in value.items()})
        if isinstance(value, list):
            return [new for item in value if (new := self.value(item, place, key)) not in ("", [], {})]
        text = value.strip()
        if "date" in key or key in ("start", "end", "updated", "term"):
            match = re.fullmatch(r"(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ]\d.*)?", text)
            day = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}" if match else text
            return day.removesuffix("-01-01") if key == "term" else day
        is_image = key in ("image", "photo") and re.fullmatch(r"[\w./-]+", text)
        if (_FILE.fullmatch(text) or is_image) and "://" not in text:
            copied = self.copy(text, str(PurePosixPath(place).parent).removeprefix("."))
            if not copied:
                self.note(place, f"{key}: {text} is not in the source")
            return copied
        is_page = text.startswith("/") or re.fullmatch(r"[^\s:]+\.(?:qmd|md|html)", text)
        if key in ("url", "website", *LINK_FIELDS) and is_page:
            return self.resolve(text, str(PurePosixPath(place).parent).removeprefix("."))
        if "mail" in key and parse_email(text):
            return parse_email(text)
        is_plain = not re.search(r"[<{]|\]\(", text)
        return text if is_plain else keep_field_tags(self.text(text, place), has_blocks="\n" in text)

    # Settings and profile

    def set_site(self, url: str, language: str, description: str) -> None:
        """Set the address, the language and the description of the site, as far as they are not those of a template."""
        is_sample = re.search(
            r"//(?:www\.)?example\.(?:com|org)|academicpages\.github|alshedivat|localhost|netlify\.com$", url
        )
        if re.match(r"https?://[^/\s]", url) and not is_sample:
            self.settings["url"] = url.rstrip("/") + "/"
        code = language[:2].lower()
        if code not in ("en", "") and find_language(code):
            self.settings["language"] = code
        if description and not is_sample_text(description):
            self.settings["description"] = description

    def add_accounts(self, data: Entry) -> None:
        """Add the accounts of a person: keys that name a service, and URLs."""
        for key, value in data.items():
            if isinstance(value, dict):
                self.add_link(get_text(value, "url"), get_text(value, "title", "name") or key)
                continue
            text = value.strip() if isinstance(value, str) else ""
            if "://" not in text:
                text = re.split(r"[&#]", text)[0].strip()  # J9ofRc0AAAAJ&hl
            name = re.sub(r"[-_]?(?:username|userid|user|id|url|profile)$", "", key)
            is_sample = is_sample_url(text) or is_sample_text(text) or text == "3066"
            if not text or text in ("true", "false") or is_sample or key in ("rss_icon", "work_url"):
                continue
            if name in ACCOUNT_URLS and "://" not in text:
                self.add_link(ACCOUNT_URLS[name].format(text.lstrip("@")), name)
            elif find_service(key) or key in ("email", "mail"):
                is_path = "/@" in text and "://" not in text  # of Mastodon: example.social/@ada
                self.add_link(f"https://{text}" if is_path else text, find_service(key))
            elif re.match(r"https?://", text) and key not in ("url", "baseurl", "repository", "avatar"):
                self.add_link(text, "website" if key == "uri" else name.replace("_", " "))

    def add_link(self, url: str, label: str = "") -> None:
        """Add a link or the e-mail address of the profile; samples of templates are left out."""
        url = url.strip()
        address = parse_email(url.removeprefix("mailto:"))
        if is_sample_url(url) or not url:
            return
        if address:
            self.profile.setdefault("email", address)
            return
        service = find_service_of_url(url) if "://" in url else find_service(label)
        if "://" not in url and not service:
            copied = self.copy(url)
            if copied and re.search(r"\b(?:cv|resume|vita)\b", label, re.IGNORECASE):
                self.profile.setdefault("cv", copied)
            elif copied:
                self.links.setdefault(label or PurePosixPath(copied).name, copied)
            return
        clean_label = " ".join(re.sub(r"[-_/]+", " ", label).split())
        is_known = "://" in url and url.rstrip("/") in {known.rstrip("/") for known in self.links.values()}
        if not is_known and not (service == "x" and "twitter" in self.links):
            host = re.sub(r"https?://(?:www\.)?|[/?#].*", "", url)
            self.links.setdefault(service or clean_label or host, url)

    def add_entry(self, name: str, title: str, entry: Entry) -> None:
        """Add an entry to a list; `title` is the heading of a list that Tenure does not have."""
        entry = drop_empty(entry)
        main = {
            "education": "institution",
            "experience": "organization",
            "service": "role",
            "teaching": "course",
        }
        if name in LIST_PATTERNS and set(entry) == {"text"}:
            entry = {main.get(name, "title"): entry["text"]}
        if name not in LIST_PATTERNS and title:
            self.titles.setdefault(name, title.replace("_", " "))
        if entry:
            self.lists[name].append(entry)

    def add_about(self, text: str) -> None:
        """Add a text as the introduction of the home page."""
        known = str(self.files.get("content/about.md", ""))
        if text.strip():
            self.files["content/about.md"] = f"{known}\n{text}\n" if known else f"{text}\n"

    def add_language(self, code: str) -> None:
        """Add a further language of the site."""
        languages = self.settings.setdefault("languages", [])
        if isinstance(languages, list) and code not in languages:
            languages.append(code)

    def read_language(self, code: str, place: str, read: Callable[[], object]) -> None:
        """Read a part of the site in a further language: what `read` adds is merged into the entries and the profile of the main one."""
        main_lists, main_profile, main_links = self.lists, self.profile, self.links
        about = self.files.pop("content/about.md", "")
        self.lists, self.profile, self.links = defaultdict(list), {}, {}
        read()
        lists, profile = self.lists, self.profile
        other_about = self.files.pop("content/about.md", "")
        self.lists, self.profile, self.links = main_lists, main_profile, main_links
        self.files |= {"content/about.md": about} if about else {}
        self.files |= {f"content/about.{code}.md": other_about} if about and other_about else {}
        self.add_language(code)
        self.merge_language(self.profile, profile, code)
        for name, entries in lists.items():
            if len(entries) == len(self.lists.get(name, [])):
                for own, other in zip(self.lists[name], entries, strict=True):
                    self.merge_language(own, other, code)
            else:
                self.note(
                    place, f"{name} in another language ({code}): its entries do not have the same number"
                )

    def merge_language(self, own: Entry, other: Entry, code: str) -> None:
        """Add the texts of an entry in a further language: title: {en: On proofs, de: Über Beweise}."""
        language = get_text(self.settings, "language") or "en"
        for key, text in other.items():
            known = own.get(key, "")
            if key in SHARED_KEYS or not known or known == text:
                continue
            if isinstance(known, dict) and language in known:
                known[code] = text
            elif (
                type(known) is type(text)
                and not isinstance(text, dict)
                and _is_plain(known)
                and _is_plain(text)
            ):
                own[key] = {language: known, code: text}

    # Publications

    def add_publication(self, data: Entry, body: str, place: str) -> str:
        """Add a publication to bib/papers.bib and return its key; "" if it has no title or is known."""
        keys = self.system.keys.get("publications", {})
        values = drop_empty({keys.get(key, key): value for key, value in data.items() if value})
        folder = str(PurePosixPath(place).parent).removeprefix(".")
        if not get_text(values, "title"):
            self.note(place, "a publication without a title")
            return ""
        links = {
            key: self.resolve(get_text(values, key), folder) for key in LINK_FIELDS if get_text(values, key)
        }
        if links.get("pdf") and not re.search(r"\.pdf|/pdf/|files/", links["pdf"]):
            links["url"] = links.get("url") or links.pop("pdf")
        abstract = get_text(values, "abstract")
        values["title"] = self.line(get_text(values, "title"), place)
        publication = convert_publication(values, links, self.line(abstract, place) if abstract else "")
        if not publication.is_certain:
            self.note(
                place, "citation: its authors cannot be read with certainty; it is kept as a note, add them"
            )
        bibtex = values.get("bibtex_entry", "")
        key = self.bibliography.add(
            publication.kind, publication.fields, bibtex=bibtex if isinstance(bibtex, str) else ""
        )
        more_links = {
            label: url for link in get_items(values, "links") for label, url in self._read_link(link)
        }
        image = self.value(get_text(values, "image"), place, "image")
        for name, value in values.items():
            if (
                not name
                or name in PUBLICATION_KEYS
                or name in self.system.keys.get("*", {})
                or self.is_layout_key(name)
            ):
                continue
            if isinstance(value, str) and re.match(r"https?://", value):
                more_links.setdefault(name, value)
            else:
                self.note(place, f"{name}: {describe_entry(value)}")
        overlay = drop_empty({"image": image, "text": body, "links": {**more_links}})
        if overlay:
            self.overlays.append({"key": key, **overlay})
        return key

    def _read_link(self, link: Data) -> Iterator[tuple[str, str]]:
        url = self.resolve(get_text(link, "url", "link", "href"))
        if url:
            yield get_text(link, "name", "label", "text", "type", "icon") or "link", url

    # Writing

    def _write_document(self, document: Document) -> Document:
        """Write a document; returns it with the URL that it really has, "" if there is none. A document of the list "-" is only moved."""
        if document.list == "-":
            return document
        body = self.text(document.body, document.name)
        if document.list == "publications":
            key = self.add_publication(document.front, body, document.name)
            return replace(document, url=f"/publications/{make_slug(key)}/" if key else "")
        if document.list == "about":
            self.add_about(body)
            return document
        if document.list == "pages":
            return self._write_page(document, body)
        front = {
            key: value
            for key, value in document.front.items()
            if key not in ("permalink", "redirect_from", "aliases")
        }
        new = self.entry(document.list, front, document.name)
        if document.list in ("news", "posts") and (date := _DATE_OF_NAME.match(document.name)):
            new.setdefault("date", date[1])
        if document.list != "news" and not {"title", "name", "course"} & new.keys():
            new = {"title": self._name_untitled(document), **new}
        title = fold_title(get_text(new, "title", "name"))
        for entry in self._cv_entries.get(document.list, []):
            if title and fold_title(get_text(entry, "title", "name")) == title:
                self.lists[document.list].remove(entry)
                self._cv_entries[document.list].remove(entry)
                self.note(document.name, "the CV has it too; the entry of the CV is left out")
                break
        if is_line(document.list, document.body):
            body = keep_field_tags(body, has_blocks=document.list == "news")
            text = {"text": body} if document.list == "news" else {"summary": to_one_paragraph(body)}
            line = drop_empty({**new, **(text if body else {})})
            self.lists[document.list].append(line)
            self._lines[_find_translation_name(document)] = line
            return document
        stem = make_slug(PurePosixPath(document.url).name) or "entry"
        self.files[f"content/{document.list}/{stem}.md"] = f"---\n{format_yaml(new)}---\n{body}\n"
        return document

    def _name_untitled(self, document: Document) -> str:
        """The title of a text without one: the name of its file, or of its folder, which is reported."""
        stem = _find_stem(document.name)
        title = _DATE_OF_NAME.sub("", stem).replace("_", " ").replace("-", " ").strip()
        if stem != PurePosixPath(document.name).stem:
            self.note(document.name, f"it has no title; it has the name of its folder, “{title}”")
        return title

    def _write_page(self, document: Document, body: str) -> Document:
        """Write a page; one beside a list of the same name becomes the introduction of the list."""
        words = re.sub(r"<[^>]*>|^#.*$|^.*\n[=-]+$|[\W_]+", " ", body, flags=re.MULTILINE)
        stem = document.url.strip("/")
        name = PAGE_ALIASES.get(stem, stem)
        name = name if name in PAGE_LISTS or name in self.own_bibs else stem
        if self._has_list(name) and (name in PAGE_LISTS or name in self.own_bibs):
            title = get_text(document.front, "title")
            self.introductions[name] = drop_empty_markup(body) if re.search(r"\w{3}", words) else ""
            title = re.sub(rf"^{re.escape(self.site_title or '-')}\s*[-|:–]\s*", "", title)
            if title and make_slug(title) != name:
                self.titles.setdefault(f"page {name}", title)
            return replace(document, url=f"/{name}/")
        if not body.strip():
            self.note(document.name, "a page without a text of its own")
            return replace(document, url="")
        if stem in ("cv", "home", "index", "404"):
            stem = "vita" if stem == "cv" else f"{stem}-page"
        front = self.entry("pages", document.front, document.name)
        kept = keep_keys(front, "title", "summary", "updated", "draft")
        self._draft_files |= {f"content/pages/{stem}.md"} if get_text(kept, "draft") == "true" else set()
        file = f"content/pages/{stem}.md"
        known = self.files.get(file, "")
        if stem == "publications" and isinstance(known, str) and known:
            self.files[file] = f"{known}\n{body}\n"
            return replace(document, url=f"/{stem}/")
        stem = make_unique(
            stem, {name.removeprefix("content/pages/").removesuffix(".md") for name in self.files}
        )
        self.files[f"content/pages/{stem}.md"] = (
            f"---\n{format_yaml(kept)}---\n{body}\n" if kept else f"{body}\n"
        )
        return replace(document, url=f"/{stem}/")

    def _write_translation(self, code: str, document: Document) -> None:
        """Write the second language of a page beside it, and that of a line into it."""
        name = _find_translation_name(document)
        self.add_language(code)
        body = self.text(document.body, document.name)
        new = self.entry(document.list, document.front, document.name)
        if name in self._lines:
            line = self._lines[name]
            text_key = "text" if document.list == "news" else "summary"
            new = drop_empty({**new, text_key: to_one_paragraph(body) or new.get(text_key, "")})
            self.merge_language(line, new, code)
            return
        folder, _, stem = document.url.strip("/").rpartition("/")
        path = f"content/{document.list}/{stem}" if document.list in PAGED_LISTS or folder else ""
        if document.list == "about":
            path = "content/about"
        if document.list == "publications":
            names = {
                _find_translation_name(other) for other in self.documents if other.list == "publications"
            }
            if name not in names:  # a publication that only this language has
                self.add_publication(document.front, body, document.name)
                return
        if document.list == "publications" or not path or (not body and f"{path}.md" not in self.files):
            self.note(document.name, f"an entry in another language ({code})")
            return
        kept = keep_keys(new, "title", "summary", "tagline")
        text = f"---\n{format_yaml(kept)}---\n{body}\n" if kept else f"{body}\n"
        if f"{path}.md" in self.files:
            self.files[f"{path}.{code}.md"] = text
        else:  # a text that only this language has
            own: Entry = {**kept, **keep_keys(new, "date"), "language": code}
            if "title" not in own:
                own = {"title": self._name_untitled(document), **own}
            self.files[f"{path}.md"] = f"---\n{format_yaml(own)}---\n{body}\n"

    def _write_lists(self) -> None:
        for name, entries in self.lists.items():
            dates = [get_text(entry, "date", "term") for entry in entries]
            is_dated = name in ("talks", "news") and all(re.match(r"\d{4}", date) for date in dates)
            ranked = sorted(zip(dates, entries, strict=True), key=lambda row: row[0], reverse=is_dated)
            rows = [entry for _, entry in ranked] if is_dated else entries
            file = f"{name}-list" if name in self.own_bibs else name
            title = self.titles.get(name, "")
            self.files[f"content/{file}.yaml"] = format_yaml(
                {"title": title, "entries": rows} if title else rows
            )
        if self.bibliography.entries:
            known = str(self.files.get("bib/papers.bib", ""))
            self.files["bib/papers.bib"] = "\n".join(
                [*self.bibliography.entries.values(), *filter(None, [known])]
            )
        if self.overlays:
            self.files["content/publications.yaml"] = format_yaml(self.overlays)

    def _has_list(self, name: str) -> bool:
        """Whether the new site has entries of a list."""
        if name == "publications":
            own = {file for files in self.own_bibs.values() for file in files}
            has_file = any(n.startswith("bib/") and n.removeprefix("bib/") not in own for n in self.files)
            return has_file or bool(self.bibliography.entries) or any(d.list == name for d in self.documents)
        is_folder = any(file.startswith(f"content/{name}/") for file in self.files)
        return (
            bool(self.lists.get(name))
            or is_folder
            or name in self.own_bibs
            or any(d.list == name for d in self.documents)
        )

    def _has_page(self, name: str) -> bool:
        return self._has_list(name) or any(
            d.list == "pages" and d.url.strip("/") == name for d in self.documents
        )

    def _write_settings(self) -> None:
        free = [
            name.removeprefix("content/pages/").removesuffix(".md")
            for name in self.files
            if re.fullmatch(r"content/pages/[^/.]+\.md", name) and name not in self._draft_files
        ]
        has_cv = get_text(self.profile, "kind") != "group"
        lists = [
            name
            for name in PAGE_LISTS
            if name not in ("awards", "service") and self._has_list(name) and name not in free
        ]
        folders = {
            name.split("/")[1] for name in self.files if re.fullmatch(r"content/[^/]+/[^/]+\.md", name)
        }
        other = [name for name in sorted(folders) if name not in (*PAGE_LISTS, "pages", "files")]
        names = list(
            dict.fromkeys(["home", *lists, *self.own_bibs, *other, *free, *(["cv"] if has_cv else [])])
        )
        taken = {"", *names}
        redirects = {
            old: document.url
            for document in self.documents
            for old in document.old_urls
            if document.url
            and get_text(document.front, "draft") != "true"
            and normalize_url(old) != normalize_url(document.url)
        }
        is_path = re.compile(r"/(?!.*(?:\.\.|//))[^\s\\?#%:*\"<>|]+")
        shown = {
            old: new
            for old, new in redirects.items()
            if is_path.fullmatch(old) and normalize_url(old) not in taken and self._is_page(new, names)
        }
        if shown:
            self.settings["redirects"] = dict(shown)
        order = [name for _, url in self.menu if (name := self._find_page(url, names))]
        for title, url in self.menu:
            if not self._find_page(url, names) and "#" not in url:
                self.note("the menu", f"{title} ({url}): its page was not imported")
        cards = [name for name in names if name in self.cards]
        if not (order or self.introductions or self.own_bibs or other or cards or self.home_sections):
            pages: list[Data] = []
        else:
            menu_titles = {self._find_page(url, names): title for title, url in self.menu}
            shown_names = dict.fromkeys(["home", *order, *names])
            pages = [
                self._format_page(
                    name,
                    menu_titles.get(name, ""),
                    is_hidden=bool(order) and name not in (*order, "home", "cv"),
                    is_own=name in other,
                )
                for name in shown_names
            ]
        settings = drop_empty(
            {**self.settings, "pages": pages, "redirects": self.settings.get("redirects", {})}
        )
        self.files["site.yaml"] = format_yaml(settings)

    def _has_section(self, section: Data) -> bool:
        """Whether the new site has what a section of the home page shows."""
        name = section if isinstance(section, str) else str(next(iter(section), ""))
        if name == "publications":
            texts = [str(text) for file, text in self.files.items() if file.endswith(".bib")]
            return any(re.search(r"\bselected\s*=\s*[{\"]?\s*true", text, re.IGNORECASE) for text in texts)
        if name == "about":
            return "content/about.md" in self.files
        return self._has_list(name)

    def _is_page(self, url: str, names: Sequence[str]) -> bool:
        """Whether the new site has a page at a URL."""
        path = url.strip("/")
        return not path or path in names or ("/" in path and path.split("/")[0] in names)

    def _find_page(self, url: str, names: Sequence[str]) -> str:
        """The page of the new site for a URL of the old menu; "" if there is none."""
        path, _, fragment = url.partition("#")
        last = fragment.casefold() or normalize_url(path).rpartition("/")[2]
        moved = normalize_url(self.urls.get(normalize_url(path), "") or "") if not fragment else ""
        guesses = (
            moved,
            last,
            PAGE_ALIASES.get(last, ""),
            find_list(last) if last else "",
            "home" if not last else "",
        )
        return next((name for name in guesses if name and name in names), "")

    def _format_page(self, name: str, menu_title: str, *, is_hidden: bool, is_own: bool) -> Data:
        """The item of `pages` in site.yaml."""
        title = " ".join(
            re.sub(r"<[^<>]*>|\{[{%].*?[}%]\}", "", menu_title or self.titles.get(f"page {name}", "")).split()
        )
        title = title.upper() if title.casefold() in ("cv", "faq") else title[:1].upper() + title[1:]
        is_default = make_slug(title) in (name, "blog" if name == "posts" else name) or name in ("home", "cv")
        page: Entry = {
            "name": name,
            "title": "" if is_default else title,
            "intro": self.introductions.get(name, ""),
        }
        if name in self.own_bibs:
            page["title"] = title or name.replace("-", " ").capitalize()
            page["sections"] = [{name: {"bib": list(self.own_bibs[name]), "title": ""}}]
        elif is_own:
            page["title"] = title or self.titles.get(name, "") or name.replace("-", " ").capitalize()
            page["sections"] = [{name: {"title": ""}}]
        elif name == "home":
            page["sections"] = [*filter(self._has_section, self.home_sections)]
        elif name in self.cards:
            page["sections"] = [{name: {"title": "", "view": "cards"}}]
        page["menu"] = "false" if is_hidden else ""
        filled = {key: value for key, value in page.items() if value}
        return name if len(filled) == 1 else filled


def _find_stem(name: str) -> str:
    """The name of a document without its suffix: "a" of post/a.md and of post/a/index.md."""
    path = PurePosixPath(name)
    return path.parent.name if re.fullmatch(r"_?index(?:\.\w\w)?", path.stem) else path.stem


def keep_keys(entry: Entry, *keys: str) -> Entry:
    """The values of an entry under some keys."""
    return {key: entry[key] for key in keys if key in entry}


def _is_plain(data: Data) -> bool:
    return isinstance(data, str) or (isinstance(data, list) and all(isinstance(item, str) for item in data))


def place_url(target: str, slug: str, body: str) -> str:
    """The new URL of a document of a list: that of its own page, or of the list if it is a line there."""
    default = f"/{target}/" if is_line(target, body) else f"/{target}/{slug}/"
    fixed = {"pages": f"/{slug}/", "publications": "/publications/", "about": "/", "cv": "/cv/"}
    return fixed.get(target, default)


def is_line(target: str, body: str) -> bool:
    """Whether a document is a line in a list, and has no page: it has no text, or one paragraph."""
    if target in ("pages", "posts"):
        return False
    text = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL).strip()
    if target == "news":
        return True
    return not text or (target not in PAGED_LISTS and (target in ("talks", "teaching") or "\n\n" not in text))


def drop_empty_markup(text: str) -> str:
    """A text without empty elements, and without headings that have no text."""
    for _ in range(6):
        text = re.sub(r"<(div|span|p|ul|ol|section|center)\b[^<>]*>\s*</\1\s*>", "", text)
        text = re.sub(
            r"^(?:#{1,6}[ \t][^\n]*|[ \t]*<h([1-6])\b[^<>]*>[^<>]*</h\1>)\s*(?=#{1,6}[ \t]|</?div|<h[1-6]|\Z)",
            "",
            text,
            flags=re.MULTILINE,
        )
    words = re.sub(r"<[^<>]*>", "", text)
    return re.sub(r"\n\s*\n\s*", "\n\n", text).strip() if re.search(r"\w{3}", words) else ""


def to_one_paragraph(text: str) -> str:
    """A text as one paragraph without the marks of headings and lists."""
    lines = (re.sub(r"^(?:#+|[*+-]|\d+\.)\s+", "", line.strip()) for line in text.split("\n"))
    return " ".join(line for line in lines if line and not re.fullmatch(r"[-=*]{3,}", line))


def _find_translation_name(document: Document) -> str:
    """The name of a document without its language: post/a of content/de/post/a.md and of content/post/a.de.md."""
    name = re.sub(r"^content/(?:[a-z]{2}(?:-\w{2,4})?/)?", "", document.name)
    return re.sub(r"(?:\.[a-z]{2}(?:-\w{2,4})?)?\.\w+$", "", name)
