"""
One importer for all systems.

A `System` is the table that says where a system keeps what. Its files become a `Document` each, or data; the
steps of the system read what no table can say. `Import` gathers the new files, converts the texts, and leaves
the keys of other systems to the reader of sources, which knows them. The result is an `ImportedSite`.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path, PurePosixPath

from tenure.markdown.html import make_slug, make_unique
from tenure.model.files import IMAGE_PATTERN, VIDEO_PATTERN
from tenure.model.languages import find_language
from tenure.model.links import parse_email
from tenure.plan.kinds import PAGE_LISTS
from tenure.problems import format_count
from tenure.record import Record, field, replace
from tenure.sources.editing.yaml_writer import YamlData, format_yaml
from tenure.sources.schema.link_forms import find_service, find_service_of_url
from tenure.sources.schema.spec import CONFIG_KEYS, fold_key
from tenure_import.imported_document import (
    DATE_OF_NAME,
    LIST_PATTERNS,
    PAGE_ALIASES,
    Document,
    find_folder,
    find_list,
    find_stem,
    find_translated_path,
    find_translation_name,
    format_text_file,
    is_line,
    place_document,
)
from tenure_import.publications import (
    LINK_FIELDS,
    PUBLICATION_KEYS,
    Bibliography,
    convert_publication,
    fold_title,
)
from tenure_import.samples import (
    SAMPLE_NOTE,
    find_own_body,
    is_sample_address,
    is_sample_description,
    is_sample_text,
    is_sample_url,
)
from tenure_import.source import (
    Data,
    Entry,
    Source,
    add_second_value,
    describe_entry,
    drop_empty,
    format_date,
    get_items,
    get_text,
    is_plain,
    keep_keys,
    sort_by_date,
    split_front_matter,
)
from tenure_import.text import (
    TextRules,
    convert_text,
    drop_empty_markup,
    format_title,
    keep_field_tags,
    normalize_url,
    to_one_paragraph,
)


class System(Record):
    """
    Where a system keeps what.

    `places` are patterns of file names and the list of Tenure for each: "-" is nothing, "*" the name of the
    folder. `keys` are the keys of a list that the reader does not know, by list ("*" for all): our key, "" to
    leave it out. `layout_keys` are further ones to leave out. `assets` are folders of files that texts name.
    `steps` are what no table can say. `read_permalinks` reads the patterns of old URLs by
    folder. `noise` is a pattern of files that are no content, so that nobody misses them: layouts, README.
    """

    name: str
    places: Sequence[tuple[str, str]] = ()
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    layout_keys: frozenset[str] = frozenset()
    assets: Sequence[str] = ("",)
    steps: "Sequence[Callable[[Import], None]]" = ()
    read_permalinks: Callable[[Source], Mapping[str, str]] = lambda _: {}
    noise: str = r"$^"


class ImportedSite(Record):
    """
    The result of an import.

    `files` are those of the new site except content/profile.yaml; `profile` is its data; `notes` are places
    in the source and what was not imported or changed there; `guessed_from` says where the owner's name comes
    from, if the source does not give it. `document_lines` are those of a document whose words are searched in
    the new site, by the reason why it may lack them.
    """

    system: str
    files: Mapping[str, str | bytes]
    profile: Mapping[str, YamlData]
    notes: Sequence[tuple[str, str]] = ()
    files_read: int = 0
    guessed_from: str = ""
    document_lines: Mapping[str, Sequence[str]] = field(default_factory=dict)


MAIN_KEYS: Mapping[str, str] = {
    "education": "institution",
    "experience": "organization",
    "service": "role",
    "teaching": "course",
}
"""The key of an entry that is only a text, where it is not the title."""

SHARED_KEYS = frozenset(
    """
    certificate_url code company_url cv date date_end date_start draft email end image kind links name
    organization_url pdf period photo publications slides start tags term url video
    """.split()
)
"""Keys whose values are the same in all languages."""

LAYOUT_KEYS = CONFIG_KEYS | frozenset(
    """
    aliases announcements author authornotes authors back bibliography breadcrumbs classes cmsexclude comments
    cover dateformat design diagram dropdown featured header hidemeta horizontal inline lang lastmod
    lastmodifiedat layout math menu nav navrank order output pin profile published ref related
    renderwithliquid sections share showtoc sidebar sitemap slug social tabs toc tocopen translationkey view
    widget
    """.split()
)
"""Keys, folded, that choose a layout, or that the import reads itself; the reader ignores most of them."""

ACCOUNT_URLS: Mapping[str, str] = {
    "publons": "https://publons.com/a/{}",
    "medium": "https://medium.com/@{}",
    "ieee": "https://ieeexplore.ieee.org/author/{}/",
    "acm": "https://dl.acm.org/profile/{}",
    "hal": "https://cv.hal.science/{}",
    "lattes": "https://lattes.cnpq.br/{}",
    "flickr": "https://www.flickr.com/{}",
    "keybase": "https://keybase.io/{}",
}
"""Accounts at services that the reader does not know."""


_FILE = re.compile(
    rf"/?[^\s<>\"?#:]+(?:{IMAGE_PATTERN}|{VIDEO_PATTERN}|\.(?:pdf|pptx?|docx?|xlsx?|zip|bib|txt))",
    re.IGNORECASE,
)
"""img/loom.png, /files/cv.pdf: a value that is only the path of a file."""

TEXT_FILE = re.compile(
    r"(?:^|/)[^./]*$|\.(?:md|markdown|html?|qmd|rmd|ipynb|ya?ml|toml|js|css|php)$", re.IGNORECASE
)
"""A file that is not copied: a text, or a program."""


class Import:
    """The new files and the report, while a source is read."""

    def __init__(self, system: System, path: Path) -> None:
        self.system = system
        self.source = Source(path)
        self.files: dict[str, str | bytes] = {}
        self.notes: dict[tuple[str, str], None] = {}
        self.profile: Entry = {}
        self.links: dict[str, str] = {}
        self.settings: dict[str, Data] = {"schema": "1"}
        self.lists: dict[str, list[Entry]] = defaultdict(list)
        self.titles: dict[str, str] = {}
        """The titles of lists, and of pages: {"lab-rules": "Lab rules", "page talks": "Lectures"}."""
        self.bibliography = Bibliography()
        self.overlays: list[Entry] = []
        self.urls: dict[str, str] = {}
        self.old_folders: dict[str, str] = {}
        """The folders of the old URLs of files, to which links in them are relative."""
        self.language = "en"
        self.further_languages: Sequence[str] = ()
        self.documents: list[Document] = []
        self.menu: list[tuple[str, str]] = []
        self.introductions: dict[str, str] = {}
        self.page_sections: dict[str, dict[str, str]] = {}
        """The headings of the lists that a page shows: {"teaching": {"teaching": "Courses", "theses": …}}."""
        self.people_names: dict[str, str] = {}
        """The names of people by their short names: {"ada": "Ada Example", "ada example": "Ada Example"}."""
        self.translations: list[tuple[str, Document]] = []
        self.own_bibs: dict[str, list[str]] = {}
        """The .bib files of lists that are no publications: {"talks": ["talks.bib"]}."""
        self.owner_candidates: list[str] = []
        self.site_title = ""
        self.is_kramdown = False
        """Whether the texts are those of kramdown, in which $$x$$ in a sentence is a part of it."""
        self.guessed_from = ""
        self.home_sections: list[Data] = []
        self.cv_sections: list[Data] = []
        self.document_lines: dict[str, list[str]] = defaultdict(list)
        self.hidden_urls: set[str] = set()
        """The new URLs of documents that say that they are not in the menu: `nav: false`."""
        self.cards: set[str] = set()
        """The lists that the source shows as cards."""
        self.numbered: set[str] = set()
        """The lists whose documents are files with numbers, which keep an order of lines and pages."""
        self._missing_names: dict[str, list[str]] = defaultdict(list)
        """By file, the name of each link by a name that has no URL: ["[loom]", "[loom]"]."""
        self._left_out: list[Document] = []
        """The documents that are sample content, without a URL."""
        self._copied: dict[str, str] = {}
        self._draft_files: set[str] = set()
        self._lines: dict[str, Entry] = {}
        """The entries of documents without a page, to which translations are added: {"event/loom": {…}}."""
        self._cv_entries: dict[str, list[Entry]] = {}

    def run(self) -> "ImportedSite":
        """
        Read the source and return the new site.

        The files of the source that no step has read are in its notes, except the `noise` of the system.
        """
        self.documents = [*self._place_documents()]
        for step in self.system.steps:
            step(self)

        self._cv_entries = {name: [*self.lists.get(name, [])] for name in ("talks", "projects")}
        self.documents = [self._write_document(document) for document in self.documents]
        for code, document in self.translations:
            self._write_translation(code, document)
        self._write_lists()
        self._write_settings()

        for place, names in self._missing_names.items():
            shown = ", ".join(dict.fromkeys(names))
            self.note(place, f"{format_count(len(names), 'link')} without a target, now text: {shown}")
        for name in self.source.files.keys() - self.source.read:
            if not re.match(self.system.noise, name):
                self.note(name, "not read")
        for name, reason in self.source.refused.items():
            self.note(name, reason)
        profile = drop_empty({**self.profile, "links": {**self.links}})
        return ImportedSite(
            self.system.name,
            self.files,
            profile,
            tuple(self.notes),
            len(self.source.read),
            self.guessed_from,
            self.document_lines,
        )

    def note(self, place: str, text: str) -> None:
        """Report something at a place of the source."""
        self.notes[place, text] = None

    # Places

    def _place_documents(self) -> Iterator[Document]:
        """
        The documents of the source with their lists and URLs, "_posts/2020-01-01-proofs.md" as a post.

        Samples of the theme are noted. A file without a place in the system is left to its steps.
        """
        permalinks = self.system.read_permalinks(self.source)
        for name in self.source.files:
            target = next((t for pattern, t in self.system.places if re.fullmatch(pattern, name)), "")
            # a place "-" says that the file has nothing for the new site, so that it is no loss
            if target == "-":
                self.source.read.add(name)
            if target in ("", "-"):
                continue
            front, body = split_front_matter(self.source.text(name))
            # Hugo publishes no page for it
            if get_text(front, "headless") == "true":
                continue

            front_text = " ".join(value for value in front.values() if isinstance(value, str))
            own_body = find_own_body(name, front_text, body, get_text(front, "title", "name"))
            document = place_document(name, target, front, own_body or "", permalinks)
            if own_body is None:
                self.note(name, SAMPLE_NOTE)
                self._left_out.append(replace(document, url=""))
                continue
            if get_text(front, "nav") == "false":
                self.hidden_urls.add(document.url)
            self.old_folders[name] = next(iter(document.old_urls), "").rpartition("/")[0]
            # the first of two documents with one old URL keeps it
            for address in (*document.old_urls, name):
                self.urls.setdefault(normalize_url(address), document.url)
            yield document

    def resolve(self, url: str, folder: str = "", old_folder: str = "") -> str:
        """
        The new URL of an old one in a file of a folder, or on a page below a URL; "" if nothing is there.

        That of another site is kept, that of a page is translated, a file is copied: "https://a.org/" ->
        itself,
        "/talks.html" -> "/talks/", "img/a.png" -> "files/a.png", "#top" and "javascript:…" -> "".
        """
        url = self._cut_own_address(url.strip())
        if re.match(r"(?:https?:)?//[^/\s]+|mailto:|tel:", url):
            # "//a.org/b c" -> "https://a.org/b%20c"
            full_url = f"https:{url}" if url.startswith("//") else url
            return re.sub(r"\s", "%20", full_url)
        # such as "javascript:void(0)"
        has_other_scheme = re.match(r"[a-z][a-z0-9+.-]*:", url, re.IGNORECASE)
        if not url or url.startswith("#") or has_other_scheme:
            return ""
        if "@" in url and (address := parse_email(url)):
            return f"mailto:{address}"

        path = normalize_url(url)
        paths = (normalize_url(url, folder), path, normalize_url(url, old_folder))
        found = next((self.urls[known] for known in paths if known in self.urls), "")
        if found := found or self.copy(url, folder):
            return found
        # a page that the source makes from a list: "/year-archive/" -> "/posts/"
        last = path.rpartition("/")[2]
        name = PAGE_ALIASES.get(last, last)
        if name in PAGE_LISTS and self._has_page(name):
            return f"/{name}/"
        if path == "" and url.startswith("/"):
            return "/"
        return ""

    def resolve_at(self, place: str, url: str) -> str:
        """The new URL of an old one in a file; one of this host that the source lacks is kept, and noted."""
        found = self.resolve(url, find_folder(place), self.old_folders.get(place, ""))
        if found or not re.match(r"https?://", url.strip()):
            return found
        self.note(place, f"a link to {describe_entry(url)}: not in the source; the link is kept")
        return url.strip()

    def _cut_own_address(self, url: str) -> str:
        """A URL without the address of the site and its folder: https://a.org/home/b/ and /home/b/ -> /b/."""
        site = get_text(self.settings, "url")
        if site and f"{url.rstrip('/')}/".startswith(site):
            url = "/" + url[len(site) :]
        folder = re.sub(r"https?://[^/]*", "", site)
        if len(folder) > 1 and url.startswith(folder):
            return url[len(folder) - 1 :]
        return url

    def copy(self, name: str, folder: str = "") -> str:
        """
        Copy a file and return its new place, "img/My Loom.png" -> "files/My-Loom.png".

        "" if the source has no such file, or if it is a text, which becomes a page.
        """
        # "/img/My%20Loom.png?raw=true" -> "img/My Loom.png"
        path = re.split(r"[?#]", name, maxsplit=1)[0].replace("%20", " ").lstrip("/").removeprefix("./")
        bases = (folder, *self.system.assets) if path else ()
        candidates = (posixpath.normpath(f"/{base}/{path}").lstrip("/") for base in bases)
        found = next((c for c in candidates if c in self.source.files and not TEXT_FILE.search(c)), "")
        if not found:
            return ""
        if found in self._copied:
            return self._copied[found]

        content = self.source.content(found)
        if content is None:
            return ""
        stem, dot, suffix = re.sub(r"[^\w.-]+", "-", PurePosixPath(found).name).rpartition(".")
        used = {new.rpartition(".")[0] for new in self._copied.values()}
        new_name = f"{make_unique(f'files/{stem}', used)}{dot}{suffix}"
        # a PDF of al-folio keeps its address, which others may have cited
        if re.fullmatch(r"assets/[\w./-]+\.pdf", found):
            new_name = found
        self._copied[found] = new_name
        self.files[f"content/{new_name}"] = content
        return new_name

    def copy_first(self, *names: str) -> str:
        """Copy the first of these files that exists."""
        return next(filter(None, map(self.copy, names)), "")

    # Values

    def text(self, text: str, place: str) -> str:
        """A text of a document as Markdown."""
        rules = TextRules(
            resolve=lambda url: self.resolve_at(place, url),
            report=lambda note: self.note(place, note),
            report_name=lambda name: self._missing_names[place].append(f"[{name}]"),
            read_include=self._read_include,
            is_kramdown=self.is_kramdown,
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
        """
        An entry with our keys where the reader does not know theirs; texts and files are converted.

        {img: loom.png, layout: page} -> {image: files/loom.png}. Keys of the layout are dropped; of two keys
        for one field, a second value that cannot be added is noted.
        """
        keys = {**self.system.keys.get("*", {}), **self.system.keys.get(kind, {})}
        new: Entry = {}
        for key, value in data.items():
            # a key with the target "" is one of the layout too
            target = keys.get(key, "" if self.is_layout_key(key) else key)
            if not target:
                continue
            own_value = value
            # <img src="loom.png"> A loom -> image: files/loom.png, summary: A loom
            if target in ("summary", "tagline") and isinstance(value, str):
                own_value = self._take_image(value, new, place)
            converted = self.value(own_value, place, target)
            known = new.setdefault(target, converted)
            is_first_or_same = known == converted
            if is_first_or_same or converted in ("", [], {}):
                continue
            if not add_second_value(new, target, converted):
                self.note(place, f"{key}: {describe_entry(value)}")

        return drop_empty(new)

    def _take_image(self, text: str, entry: Entry, place: str) -> str:
        """A summary without the image in it, which becomes that of the entry, and without line breaks."""
        image = re.search(r"<img\b[^<>]*src=[\"']([^\"']+)[^<>]*>", text)
        if image:
            entry.setdefault("image", self.copy(image[1], find_folder(place)))
            text = text.replace(image[0], "")
        return re.sub(r"<br\s*/?>", " ", text)

    def value(self, value: Data, place: str, key: str = "") -> Data:
        """A value with converted texts, copied files and dates without a time of day."""
        if isinstance(value, list):
            return [new for item in value if (new := self.value(item, place, key)) not in ("", [], {})]
        if isinstance(value, str):
            return self._convert_scalar(value.strip(), place, key)

        # nested bullets of al-folio: {title: A, contents: [b]} -> {A: [b]}
        title = get_text(value, "title")
        contents = get_items(value, "contents")
        if contents and title and len(value) == 2:
            return {self.line(title, place): [self.value(item, place) for item in contents]}
        return drop_empty({name: self.value(item, place, name) for name, item in value.items()})

    def _convert_scalar(self, text: str, place: str, key: str) -> str:
        """
        A text, a date, the new place of a file or the new URL of a page, as the key and the text say.

        "image", "me.jpg" -> "files/me.jpg"; "url", "loom.qmd" -> "/loom/"; "date", "2020/3/1" -> 2020-03-01.
        """
        if "date" in key or key in ("start", "end", "updated", "term"):
            return format_date(text, is_term=key == "term")
        # "me.jpg" of any key, and "img/me" of one for images
        is_image = key in ("image", "photo") and re.fullmatch(r"[\w./-]+", text)
        if (_FILE.fullmatch(text) or is_image) and "://" not in text:
            copied = self.copy(text, find_folder(place))
            if not copied:
                self.note(place, f"{key}: {text} is not in the source")
            return copied

        is_page = text.startswith("/") or re.fullmatch(r"[^\s:]+\.(?:qmd|md|html)", text)
        if key in ("url", "website", *LINK_FIELDS) and is_page:
            return self.resolve(text, find_folder(place))
        if "mail" in key and (address := parse_email(text)):
            return address
        # no tag and no link, so that there is nothing to convert
        is_plain = not re.search(r"[<{]|\]\(", text)
        if is_plain:
            return text
        return keep_field_tags(self.text(text, place), has_blocks="\n" in text)

    # Settings and profile

    def set_site(self, url: str, language: str, description: str) -> None:
        """
        Set the address, the language and the description of the site.

        What the theme has brought is left out: https://alshedivat.github.io, "A simple theme".
        """
        is_sample = is_sample_address(url)
        if re.match(r"https?://[^/\s]", url) and not is_sample:
            self.settings["url"] = url.rstrip("/") + "/"
        # "de-AT" -> "de"; English is the default
        code = language[:2].lower()
        if code not in ("en", "") and find_language(code):
            self.settings["language"] = code
        if description and not is_sample_text(description):
            self.settings["description"] = description

    def add_accounts(self, data: Entry) -> None:
        """Add the accounts of a person, {github: ada, page: https://a.org}; other keys are none."""
        for key, value in data.items():
            if isinstance(value, dict):
                self.add_link(get_text(value, "url"), get_text(value, "title", "name") or key)
            elif isinstance(value, str) and key not in ("rss_icon", "work_url"):
                self._add_account(key, value.strip())

    def _add_account(self, key: str, text: str) -> None:
        """Add an account: "github_username" and "ada", or "uri" and a URL; samples and switches are none."""
        is_url = "://" in text
        if not is_url:
            # "J9ofRc0AAAAJ&hl" -> "J9ofRc0AAAAJ"
            text = re.split(r"[&#]", text)[0].strip()
        # `rss: true`; 3066 is a sample of an account
        if text in ("", "true", "false", "3066") or is_sample_url(text) or is_sample_text(text):
            return

        if key in ("email", "mail") and not is_url and not parse_email(text.removeprefix("mailto:")):
            self.note("content/profile.yaml", f"email: {text} cannot be read; write the address")
            return
        name = re.sub(r"[-_]?(?:username|userid|user|id|url|profile)$", "", key)
        if name in ACCOUNT_URLS and not is_url:
            self.add_link(ACCOUNT_URLS[name].format(text.lstrip("@")), name)
        elif find_service(key) or key in ("email", "mail"):
            # of Mastodon: example.social/@ada
            is_path = "/@" in text and not is_url
            self.add_link(f"https://{text}" if is_path else text, find_service(key))
        # these are the URLs of the site, of its source and of a picture
        elif re.match(r"https?://", text) and key not in ("url", "baseurl", "repository", "avatar"):
            self.add_link(text, "website" if key == "uri" else name.replace("_", " "))

    def add_link(self, url: str, label: str = "") -> None:
        """
        Add a link or the e-mail address of the profile: "https://github.com/ada" -> {github: …}.

        Samples of templates, a second address, and a second URL of one service are left out.
        """
        url = url.strip()
        if not url or is_sample_url(url):
            return
        if address := parse_email(url.removeprefix("mailto:")):
            self.profile.setdefault("email", address)
            return
        is_url = "://" in url
        service = find_service_of_url(url) if is_url else find_service(label)
        if not is_url and not service:
            self._add_file(url, label)
            return

        is_known = is_url and url.rstrip("/") in {known.rstrip("/") for known in self.links.values()}
        is_old_name_known = service == "x" and "twitter" in self.links
        if is_known or is_old_name_known:
            return
        # "lab-page" -> "lab page"; without a label, "https://www.example.org/a" -> "example.org"
        clean_label = " ".join(re.sub(r"[-_/]+", " ", label).split())
        host = re.sub(r"https?://(?:www\.)?|[/?#].*", "", url)
        self.links.setdefault(service or clean_label or host, url)

    def _add_file(self, name: str, label: str) -> None:
        """Add a file of the source as the CV, or as a link of the profile."""
        copied = self.copy(name)
        if copied and re.search(r"\b(?:cv|resume|vita)\b", label, re.IGNORECASE):
            self.profile.setdefault("cv", copied)
        elif copied:
            self.links.setdefault(label or PurePosixPath(copied).name, copied)

    def add_entry(self, name: str, title: str, entry: Entry) -> None:
        """Add an entry to a list, unless it is empty; `title` is the heading of a list that Tenure lacks."""
        entry = drop_empty(entry)
        # {text: Best paper award} -> {title: Best paper award}
        if name in LIST_PATTERNS and set(entry) == {"text"}:
            entry = {MAIN_KEYS.get(name, "title"): entry["text"]}
        if name not in LIST_PATTERNS and title:
            self.titles.setdefault(name, title.replace("_", " "))
        if entry:
            self.lists[name].append(entry)

    def add_page_section(self, page: str, name: str, title: str) -> str:
        """
        Add a list to a page and return its name, which is its own if the site may have other entries of it.

        A second list "teaching" has the name of its title; "talks" on a page "teaching" -> "teaching-talks".
        """
        sections = self.page_sections.setdefault(page, {})
        if name in LIST_PATTERNS and page not in (name, "cv"):
            name = f"{page}-{name}"
        if name in sections and title:
            name = make_slug(title)
        sections[name] = title
        return name

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

    def read_language(self, code: str, place: str, read: "Callable[[Import], object]") -> None:
        """
        Read a part of the site in a further language.

        What `read` adds is merged into the entries and the profile of the main one. A list whose entries are
        not as many as those of the main language is noted: nothing says which belong together.
        """
        part = copy(self)
        part.lists = defaultdict(list)
        part.profile = {}
        part.links = {}
        part.files = {}
        read(part)

        about = part.files.pop("content/about.md", "")
        self.files |= part.files
        if about and "content/about.md" in self.files:
            self.files[f"content/about.{code}.md"] = about
        self.add_language(code)
        self.merge_language(self.profile, part.profile, code)
        for name, entries in part.lists.items():
            if len(entries) == len(self.lists.get(name, [])):
                for own, other in zip(self.lists[name], entries, strict=True):
                    self.merge_language(own, other, code)
            else:
                note = f"{name} in another language ({code}): its entries do not have the same number"
                self.note(place, note)

    def merge_language(self, own: Entry, other: Entry, code: str) -> None:
        """
        Add the texts of an entry in a further language: title: {en: On proofs, de: Über Beweise}.

        A text that the main language lacks, has too, or has as a list is dropped.
        """
        language = get_text(self.settings, "language") or "en"
        for key, text in other.items():
            known = own.get(key, "")
            if key in SHARED_KEYS or not known or known == text:
                continue
            if isinstance(known, dict) and language in known:
                known[code] = text
            elif type(known) is type(text) and is_plain(known) and is_plain(text):
                own[key] = {language: known, code: text}

    # Publications

    def add_publication(self, data: Entry, body: str, place: str) -> str:
        """
        Add a publication to bib/papers.bib and return its key; "" if it has no title.

        Its links, image and text go to content/publications.yaml; other values are noted.
        """
        keys = self.system.keys.get("publications", {})
        values = drop_empty({keys.get(key, key): value for key, value in data.items() if value})
        if not get_text(values, "title"):
            self.note(place, "a publication without a title")
            return ""

        links = {
            key: self.resolve_at(place, get_text(values, key)) for key in LINK_FIELDS if get_text(values, key)
        }
        # a page under the key of the PDF, "https://doi.org/10.1/x", is the URL, or a second link
        if links.get("pdf") and not re.search(r"\.pdf|/pdf/|files/", links["pdf"]):
            links["url"] = links.get("url") or links.pop("pdf")
        values["title"] = self.line(get_text(values, "title"), place)
        publication = convert_publication(values, links, self.line(get_text(values, "abstract"), place))
        if not publication.is_certain:
            note = "citation: its authors cannot be read with certainty; it is kept as a note, add them"
            self.note(place, note)
        bibtex = values.get("bibtex_entry", "")
        own_bibtex = bibtex if isinstance(bibtex, str) else ""
        key = self.bibliography.add(publication.kind, publication.fields, bibtex=own_bibtex)

        more_links = self._read_links(values, place)
        image = self.value(get_text(values, "image"), place, "image")
        for name, value in values.items():
            if self._is_publication_key(name):
                continue
            if isinstance(value, str) and re.match(r"https?://", value):
                more_links.setdefault(name, value)
            else:
                self.note(place, f"{name}: {describe_entry(value)}")
        overlay = drop_empty({"image": image, "text": body, "links": more_links})
        if overlay:
            self.overlays.append({"key": key, **overlay})
        return key

    def _is_publication_key(self, name: str) -> bool:
        """Whether a key of a publication is read, or says nothing about it."""
        is_known = name in PUBLICATION_KEYS or name in self.system.keys.get("*", {})
        return not name or is_known or self.is_layout_key(name)

    def _read_links(self, values: Entry, place: str) -> Entry:
        """The links of a publication by their labels, without those that lead nowhere on the new site."""
        links: Entry = {}
        for link in get_items(values, "links"):
            label = get_text(link, "name", "label", "text", "type", "icon") or "link"
            if url := self.resolve_at(place, get_text(link, "url", "link", "href")):
                links[label] = url
        return links

    # Writing

    def _write_document(self, document: Document) -> Document:
        """
        Write a document; returns it with the URL that it really has, "" if there is none.

        A document without a list, such as a page that only shows one, has a new URL alone.
        """
        if not document.list:
            return document
        body = self.text(document.body, document.name)
        if document.list == "publications":
            key = self.add_publication(document.front, body, document.name)
            return replace(document, url=f"/publications/{make_slug(key)}/" if key else "")
        if document.list == "about":
            self.add_about(body)
            return document
        if document.list == "cv text":
            return self._write_cv_text(document, body)
        if document.list == "pages":
            return self._write_page(document, body)

        entry = self._read_entry(document)
        self._drop_cv_entry(document, get_text(entry, "title", "name"))
        if is_line(document.list, document.body):
            self._write_line(document, entry, body)
            return document
        address = PurePosixPath(document.url).name
        stem = make_slug(address) or "entry"
        is_numbered = document.list in self.numbered
        if is_numbered or address != stem:
            entry = {**entry, "id": address or stem}
        if is_numbered:
            stem = self._number_file(document)
        self.files[f"content/{document.list}/{stem}.md"] = format_text_file(entry, body)
        return document

    def _write_cv_text(self, document: Document, body: str) -> Document:
        """Write a text of the CV, /cv/#aim -> content/aim.md, below another one of its name."""
        file = f"content/{document.url.partition('#')[2]}.md"
        known = str(self.files.get(file, ""))
        if body.strip():
            title = get_text(document.front, "title")
            self.note(document.name, f"{title}: no list of entries; it is a text of the CV, {file}")
            self.files[file] = f"{known}\n{body}\n" if known else format_text_file(document.front, body)
        return document

    def _number_file(self, document: Document) -> str:
        """The name of a file in the order of its list: "_projects/loom.md" -> "03-loom"."""
        number = 1 + sum(name.startswith(f"content/{document.list}/") for name in self.files)
        return f"{number:02}-{re.sub(r'^[0-9]+-', '', make_slug(find_stem(document.name)))}"

    def _read_entry(self, document: Document) -> Entry:
        """The front matter of a document as an entry of its list, which has a date or a title of its file."""
        # `place_document` has read them; al-folio shows the title of news only on their pages
        hidden = ["permalink", "redirect_from", "aliases"]
        if document.list == "news" and get_text(document.front, "inline") == "true":
            hidden.append("title")
        front = {key: value for key, value in document.front.items() if key not in hidden}
        entry = self.entry(document.list, front, document.name)
        # _posts/2020-01-31-proofs.md -> 2020-01-31
        date = DATE_OF_NAME.match(document.name)
        if document.list in ("news", "posts") and date:
            entry.setdefault("date", date[1])
        if document.list == "news" or {"title", "name", "course"} & entry.keys():
            return entry
        return {"title": self._name_untitled(document), **entry}

    def _drop_cv_entry(self, document: Document, title: str) -> None:
        """Leave out the entry of the CV that has the title of a document too."""
        folded = fold_title(title)
        entries = self._cv_entries.get(document.list, [])
        for entry in entries:
            if folded and fold_title(get_text(entry, "title", "name")) == folded:
                self.lists[document.list].remove(entry)
                entries.remove(entry)
                self.note(document.name, "the CV has it too; the entry of the CV is left out")
                break

    def _write_line(self, document: Document, entry: Entry, body: str) -> None:
        """Add a document without a page as a line of its list."""
        text = keep_field_tags(body, has_blocks=document.list == "news")
        if text and document.list == "news":
            entry = {**entry, "text": text}
        elif text:
            entry = {**entry, "summary": to_one_paragraph(text)}
        line = drop_empty(entry)
        if document.list in self.numbered:
            file = f"content/{document.list}/{self._number_file(document)}.yaml"
            self.files[file] = format_yaml([line])
            return
        # /news/#loom: the anchor of the line
        if anchor := document.url.partition("#")[2]:
            line = {**line, "id": anchor}
        self.lists[document.list].append(line)
        self._lines[find_translation_name(document)] = line

    def _name_untitled(self, document: Document) -> str:
        """The title of a text without one: the name of its file, or of its folder, which is reported."""
        stem = find_stem(document.name)
        title = DATE_OF_NAME.sub("", stem).replace("_", " ").replace("-", " ").strip()
        if stem != PurePosixPath(document.name).stem:
            self.note(document.name, f"it has no title; it has the name of its folder, “{title}”")
        return title

    def _write_page(self, document: Document, body: str) -> Document:
        """
        Write a page; one beside a list of the same name becomes the introduction of the list.

        Of its front matter, the title, the summary, its date and `draft` stay. One without a text is noted.
        """
        stem = document.url.strip("/")
        names = (PAGE_ALIASES.get(stem, stem), stem)
        name = next((name for name in names if name in PAGE_LISTS or name in self.own_bibs), "")
        if name and self._has_list(name):
            self._write_introduction(name, document, body)
            return replace(document, url=f"/{name}/")
        if not body.strip():
            self.note(document.name, "a page without a text of its own")
            return replace(document, url="")

        # Tenure makes pages of these names itself
        if stem in ("cv", "home", "index", "404"):
            stem = "vita" if stem == "cv" else f"{stem}-page"
        front = self.entry("pages", document.front, document.name)
        kept = keep_keys(front, "title", "summary", "updated", "draft")
        file = f"content/pages/{stem}.md"
        if get_text(kept, "draft") == "true":
            self._draft_files.add(file)

        # several pages are lists of publications, such as those of each year: they become one
        known = self.files.get(file, "")
        if stem == "publications" and isinstance(known, str) and known:
            self.files[file] = f"{known}\n{body}\n"
            return replace(document, url=f"/{stem}/")
        used = {name.removeprefix("content/pages/").removesuffix(".md") for name in self.files}
        stem = make_unique(stem, used)
        self.files[f"content/pages/{stem}.md"] = format_text_file(kept, body)
        return replace(document, url=f"/{stem}/")

    def _write_introduction(self, name: str, document: Document, body: str) -> None:
        """
        Keep the texts and the title of a page for the page of a list; a text of headings alone is dropped.

        The texts are its summary and its body, below those of another page for the same list.
        """
        # without tags, "# Talks", "Talks" above a line, and signs
        words = re.sub(r"<[^>]*>|^#.*$|^.*\n[=-]+$|[\W_]+", " ", body, flags=re.MULTILINE)
        text = drop_empty_markup(body) if re.search(r"\w{3}", words) else ""
        summary = get_text(self.entry("pages", document.front, document.name), "summary")
        own_summary = "" if is_sample_description(summary) else summary
        texts = (self.introductions.get(name, ""), own_summary, text)
        self.introductions[name] = "\n\n".join(filter(None, texts))
        # "Ada Example | Papers" -> "Papers"; of a site without a title, nothing is cut
        site_title = re.escape(self.site_title or "-")
        title = re.sub(rf"^{site_title}\s*[-|:–]\s*", "", get_text(document.front, "title"))
        if title and make_slug(title) != name:
            self.titles.setdefault(f"page {name}", title)

    def _write_translation(self, code: str, document: Document) -> None:
        """
        Write the second language of a page beside it, talks/loom.de.md, and that of a line into its list.

        What only this language has is written with its language. A publication that the main language has
        too, and an entry that has a text in no language, is noted.
        """
        name = find_translation_name(document)
        self.add_language(code)
        body = self.text(document.body, document.name)
        new = self.entry(document.list, document.front, document.name)
        if name in self._lines:
            text_key = "text" if document.list == "news" else "summary"
            new = drop_empty({**new, text_key: to_one_paragraph(body) or new.get(text_key, "")})
            self.merge_language(self._lines[name], new, code)
            return

        papers = [other for other in self.documents if other.list == "publications"]
        if document.list == "publications" and name not in map(find_translation_name, papers):
            # only this language has it
            self.add_publication(document.front, body, document.name)
            return
        path = find_translated_path(document)
        has_main = f"{path}.md" in self.files
        if not path or (not body and not has_main):
            self.note(document.name, f"an entry in another language ({code})")
            return

        front = keep_keys(new, "title", "summary", "tagline")
        if has_main:
            self.files[f"{path}.{code}.md"] = format_text_file(front, body)
            return
        # only this language has it
        front = {**front, **keep_keys(new, "date"), "language": code}
        if "title" not in front:
            front = {"title": self._name_untitled(document), **front}
        self.files[f"{path}.md"] = format_text_file(front, body)

    def _write_lists(self) -> None:
        """Write the lists, the bibliography and the additions to publications."""
        for name, entries in self.lists.items():
            # talks and news may come in the order of their files; other lists have that of the source
            rows = sort_by_date(entries) if name in ("talks", "news") else entries
            file = f"{name}-list" if name in self.own_bibs else name
            title = self.titles.get(name, "")
            data: Data = {"title": title, "entries": [*rows]} if title else [*rows]
            self.files[f"content/{file}.yaml"] = format_yaml(data)

        if self.bibliography.entries:
            texts = [*self.bibliography.entries.values(), str(self.files.get("bib/papers.bib", ""))]
            self.files["bib/papers.bib"] = "\n".join(filter(None, texts))
        if self.overlays:
            self.files["content/publications.yaml"] = format_yaml(self.overlays)

    def _has_list(self, name: str) -> bool:
        """Whether the new site has entries of a list."""
        if any(document.list == name for document in self.documents):
            return True
        if name == "publications":
            # a .bib file of talks is no list of publications
            own = {f"bib/{file}" for files in self.own_bibs.values() for file in files}
            has_file = any(file.startswith("bib/") and file not in own for file in self.files)
            # a CV in Word has a place for those that come later
            return has_file or bool(self.bibliography.entries) or name in self.cv_sections
        is_folder = any(file.startswith(f"content/{name}/") for file in self.files)
        is_text = f"content/{name}.md" in self.files
        is_page = name in self.own_bibs or name in self.page_sections
        return bool(self.lists.get(name)) or is_folder or is_text or is_page

    def _has_page(self, name: str) -> bool:
        """Whether the new site has a page of this name: that of a list with entries, or a text."""
        urls = (document.url.strip("/") for document in self.documents if document.list == "pages")
        return self._has_list(name) or name in urls

    def _write_settings(self) -> None:
        """
        Write site.yaml with the pages of the menu: home, the lists with entries, other texts, and the CV.
        """
        free = self._list_free_pages()
        lists = [name for name in PAGE_LISTS if self._has_list(name)]
        # the CV shows awards and service
        lists = [name for name in lists if name not in ("awards", "service", *free)]
        # content/recipes/bread.md -> "recipes"
        matches = (re.fullmatch(r"content/([^/]+)/[^/]+\.md", name) for name in self.files)
        folders = {match[1] for match in matches if match}
        other = sorted(folders.difference(PAGE_LISTS, ("pages", "files")))
        cv = [] if get_text(self.profile, "kind") == "group" else ["cv"]
        names = list(dict.fromkeys(["home", *lists, *self.own_bibs, *other, *free, *cv]))

        if redirects := self._list_redirects(names):
            self.settings["redirects"] = {**redirects}
        settings = drop_empty({**self.settings, "pages": self._list_pages(names, other)})
        self.files["site.yaml"] = format_yaml(settings)

    def _list_free_pages(self) -> list[str]:
        """
        The names of the pages with a text of their own, without drafts: content/pages/tools.md -> "tools".
        """
        matches = (re.fullmatch(r"content/pages/([^/.]+)\.md", name) for name in self.files)
        return [match[1] for match in matches if match and match[0] not in self._draft_files]

    def _list_redirects(self, names: Sequence[str]) -> dict[str, str]:
        """
        The old URLs of documents that have a page in the new site, where they differ: /a.html -> /pages/a/.

        Without those of drafts, and those at which the new site has a page of its own. Those that
        lead nowhere are noted.
        """
        # "/blog/proofs.html", but not "/../proofs", "//proofs" or "/?p=12"
        is_path = re.compile(r"/(?!.*(?:\.\.|//))[^\s\\?#%:*\"<>|]+")
        redirects: dict[str, str] = {}
        for document in (*self.documents, *self._left_out):
            if get_text(document.front, "draft") == "true":
                continue
            new_path = normalize_url(document.url)
            for old in document.old_urls:
                is_old = is_path.fullmatch(old) and normalize_url(old) not in ("", new_path, *names)
                # of two documents with one old URL, that with a page keeps it
                if is_old and (document.url or old not in redirects):
                    redirects[old] = document.url
        kept = {old: new for old, new in redirects.items() if new and self._is_page(new, names)}
        if ended := redirects.keys() - kept:
            self.note("site.yaml", f"old addresses that end: {', '.join(sorted(ended))}")
        return kept

    def _list_pages(self, names: Sequence[str], other: Sequence[str]) -> list[Data]:
        """
        The items of `pages` in site.yaml, in the order of the old menu;
        none if nothing differs from the default.

        `other` are the lists that Tenure does not have.
        """
        order: list[str] = []
        titles: dict[str, str] = {}
        for title, url in self.menu:
            name = self._find_page(url, names)
            titles[name] = title
            if name:
                order.append(name)
            elif "#" not in url:
                self.note("the menu", f"{title} ({url}): its page was not imported".lstrip())
        has_cards = not self.cards.isdisjoint(names)
        hidden = {self._find_page(url, names) for url in self.hidden_urls}.difference(order, ("",))
        sections = (*self.home_sections, *self.cv_sections)
        texts = (self.introductions, self.own_bibs, self.page_sections)
        if not (any(texts) or order or other or has_cards or hidden or sections):
            return []

        return [
            self._format_page(
                name,
                titles.get(name, ""),
                is_hidden=name in hidden or (bool(order) and name not in (*order, "home", "cv")),
                is_own=name in other,
            )
            for name in dict.fromkeys(["home", *order, *names])
        ]

    def _has_section(self, section: Data) -> bool:
        """Whether the new site has what a section of the home page shows."""
        name = section if isinstance(section, str) else str(next(iter(section), ""))
        # its section has only papers with selected = {true}
        if name == "publications" and "selected" in str(section):
            texts = [str(text) for file, text in self.files.items() if file.endswith(".bib")]
            return any(re.search(r"\bselected\s*=\s*[{\"]?\s*true", text, re.IGNORECASE) for text in texts)
        if name == "about":
            return "content/about.md" in self.files
        return self._has_list(name)

    def _is_page(self, url: str, names: Sequence[str]) -> bool:
        """Whether the new site has a page at a URL: "/", "/talks/", and "/talks/proofs/" in a list."""
        path = url.strip("/")
        is_entry = "/" in path and path.split("/")[0] in names
        return not path or path in names or is_entry

    def _find_page(self, url: str, names: Sequence[str]) -> str:
        """
        The page of the new site for a URL of the old menu; "" if there is none.

        "/year-archive/" -> "posts", "/#publications" -> "publications", "/" -> "home".
        """
        path, _, fragment = url.partition("#")
        old_path = normalize_url(path)
        last = fragment.casefold() or old_path.rpartition("/")[2]
        moved = "" if fragment else normalize_url(self.urls.get(old_path, ""))
        # the surest guess first: where the page has gone, its last name, and what that name may mean
        guesses = [moved, last, PAGE_ALIASES.get(last, "")]
        guesses.append(find_list(last) if last else "home")
        return next((name for name in guesses if name and name in names), "")

    def _format_page(self, name: str, menu_title: str, *, is_hidden: bool, is_own: bool) -> Data:
        """The item of `pages` in site.yaml: "talks", or {name: talks, title: Lectures} if more is to say."""
        title = format_title(menu_title or self.titles.get(f"page {name}", ""))
        # a title that Tenure gives the page itself need not be written
        default = "blog" if name == "posts" else name
        is_default = make_slug(title) in (name, default) or name in ("home", "cv")
        if name == "cv":
            title = self.titles.get("page cv", "")
        elif is_own or name in self.own_bibs:
            title = title or self.titles.get(name, "") or name.replace("-", " ").capitalize()
        elif is_default:
            title = ""
        page: Entry = {
            "name": name,
            "title": title,
            "intro": self.introductions.get(name, ""),
            "sections": self._list_page_sections(name, is_own=is_own),
            "menu": "false" if is_hidden else "",
        }
        filled = {key: value for key, value in page.items() if value}
        return name if len(filled) == 1 else filled

    def _list_page_sections(self, name: str, *, is_own: bool) -> list[Data]:
        """The sections of a page, where they are not those that Tenure gives it."""
        if name == "home":
            return [*filter(self._has_section, self.home_sections)]
        if name == "cv" and self.cv_sections:
            return self.cv_sections
        if lists := self.page_sections.get(name):
            if name == "cv":
                lists = {**lists, **self._find_lists_without_page()}
            # content/talks-list.yaml is beside bib/talks.bib; a list of one's own has its title in its file
            return [
                {self._name_file(own): {"title": title}} if title and own in LIST_PATTERNS else own
                for own, title in lists.items()
                if self._has_list(own)
            ]
        options: Entry = {"title": ""}
        if name in self.own_bibs:
            options = {"bib": list(self.own_bibs[name]), "title": ""}
        elif name in self.cards and not is_own:
            options["view"] = "cards"
        elif not is_own:
            return []
        return [{name: options}]

    def _name_file(self, name: str) -> str:
        """The file of a list, which has another name beside a .bib file: "talks" -> "talks-list"."""
        return f"{name}-list" if name in self.own_bibs and self.lists.get(name) else name

    def _find_lists_without_page(self) -> dict[str, str]:
        """The lists that neither a page nor the CV of the source shows; the new CV does, which is noted."""
        shown = {own for lists in self.page_sections.values() for own in lists}
        # the CV shows awards and service
        paged = {*PAGE_LISTS}.difference(("awards", "service"))
        rest = [own for own, entries in self.lists.items() if entries and own not in {*shown, *paged}]
        if rest:
            self.note("site.yaml", f"the CV also has the lists that no page shows: {', '.join(rest)}")
        return dict.fromkeys(rest, "")
