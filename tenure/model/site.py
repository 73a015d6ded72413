"""The Site: content collections plus the configuration of pages, sections, CVs and theme."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tenure.model.dates import Date
from tenure.model.entries import Entry, Markdown, Person, Profile, Publication
from tenure.model.export_formats import CARD_RECORD, EXPORT_FORMATS
from tenure.model.fields import COMMAS, COMPUTED, EXTRA, MAIN, NAMED, Key
from tenure.model.languages import Language, LanguagePaths
from tenure.model.overlays import CitationCounts, Coauthor
from tenure.model.places import SourceRecord
from tenure.model.services import Allow, FetchConfig, Services
from tenure.model.translations import Translations
from tenure.record import Record, field, replace

ShownEntries = Literal["all", "first_author", "selected", "rest", "current", "past"]
Grouping = Literal["none", "year", "term", "kind", "role"]
Numbering = Literal["none", "descending", "ascending"]
View = Literal["list", "cards", "table"]
CitationStyleName = Literal["apa", "mla", "chicago", "chicago-notes", "vancouver", "ieee", "acm", "economics"]


class RoleHeadings(SourceRecord, kw_only=True):
    """A mapping from the roles of people to the headings above those who have them."""

    headings: Annotated[Mapping[str, str], EXTRA] = field(default_factory=dict)
    """a role and its heading: PhD student: PhD students"""


class SectionConfig(SourceRecord, kw_only=True):
    """
    A section of a page: a collection, filters for its entries, and their presentation.

    None is the default of the collection.
    """

    name: Annotated[str, NAMED]
    """
    a list, such as publications or patents (content/patents.yaml), or a text, such as about
    (content/about.md)
    """
    title: Markdown | None = None
    """the heading; by default the name of the list"""
    show: ShownEntries = "all"
    """
    the entries to show: all; selected or first_author (publications); rest: what no earlier section of the
    page shows; current or past: by their end and `updated`
    """
    kind: Annotated[tuple[str, ...], Key(commas=True, aliases="type")] = ()
    """show only publications of these types (article, inproceedings), or talks of these kinds"""
    tag: Annotated[tuple[str, ...], COMMAS] = ()
    """show only entries with one of these tags"""
    without: Annotated[tuple[str, ...], COMMAS] = ()
    """hide entries with one of these tags"""
    year: Annotated[tuple[int, ...], COMMAS] = ()
    """show only entries of these years"""
    limit: int = 0
    """the maximum number of entries; a link leads to the page with all"""
    group: Grouping | None = None
    """headings for groups: by year, term (teaching), kind (publications, talks) or role (people)"""
    groups: RoleHeadings = RoleHeadings()
    """the headings of roles: {PhD student: Doctoral researchers}"""
    number: Numbering | None = None
    """number the entries"""
    order: Annotated[tuple[str, ...], Key(commas=True, aliases="sort")] = ()
    """
    written (as in the file), newest (default for courses and groups by year or term) or oldest; for groups by
    role: [Professor, Postdoc]
    """
    intro: Markdown = Markdown("")
    """a text above the entries"""
    brief: bool = False
    """true shows each entry as one line"""
    view: View | None = None
    """cards with images or initials (default for people), table, or list"""
    past: Literal["table", "cards", "list", "hide"] | None = None
    """how former people are shown: list by default; hide omits them"""
    by: Annotated[tuple[str, ...], COMMAS] = ()
    """show only publications of these people, and entries that name them: bo-lee, or people for all"""
    during: Literal["membership"] | None = None
    """membership shows only what was published while one of these was a member, or in the year after"""
    style: CitationStyleName | None = None
    """write each publication as one line in a citation style: apa and others, as citation_style"""
    counts: bool = False
    """true shows how often each publication is cited, as content/counts.yaml says"""
    abstracts: bool = False
    """true shows the abstract of each publication, folded"""
    bib: Annotated[tuple[str, ...], COMMAS] = ()
    """read the section only from these files in bib/; under a new name, publications does not show them"""
    words: int = 0
    """the maximum number of words of the section in a CV, without headings: 300"""
    characters: int = 0
    """the maximum number of characters of the section in a CV, with spaces and without headings: 1300"""


class PageConfig(SourceRecord, kw_only=True):
    """A page with its path, title and sections, or a group of the menu; a bare name is a default page."""

    name: Annotated[str, NAMED] = ""
    """the name of a default page: home, a list, a text in content/pages/, or cv"""
    path: Annotated[str, Key(aliases="url permalink link")] = ""
    """
    the path of the page on the site: /teaching/; or the URL of another site, with a title, for an entry of
    the menu
    """
    title: str = ""
    """the title of the page and of its menu item"""
    intro: Markdown = Markdown("")
    """a text above the sections"""
    sections: tuple[SectionConfig, ...] | None = None
    """the sections of the page, in this order"""
    menu: bool = True
    """false removes the page from the menu"""
    language: Annotated[Language, Key(names="lang")] = Language("")
    """the language of the page, if it differs from that of the site"""
    pages: Annotated["tuple[PageConfig, ...] | None", Key(aliases="children")] = None
    """the pages of a group in the menu: {title: Research, pages: [publications, talks]}"""


CvFormat = Literal["pdf", "docx", "latex"]

CV_ENDINGS: Mapping[CvFormat, str] = {
    "pdf": ".pdf",
    "docx": ".docx",
    "latex": ".tex",
}
"""The endings of the files of a CV."""


class CvConfig(SourceRecord, kw_only=True):
    """A CV as PDF, Word or LaTeX; "", 0 and () are the defaults of the theme and its layout."""

    name: Annotated[str, NAMED] = "cv"
    """the name of the files without .pdf: resume"""
    title: str = ""
    """the title of the document"""
    formats: Annotated[tuple[CvFormat, ...], COMMAS] = ("pdf",)
    """the files of the CV: pdf, docx (Word), latex; by default pdf"""
    language: Language = Language("")
    """the language of the document, if it differs from that of the site"""
    look: str = ""
    """
    the layout: base, classic, compact, modern, banking, engineering, or one of your theme; by default that of
    the theme
    """
    accent: Annotated[str, Key(names="colour")] = ""
    """
    the colour of headings and links: a name such as rust or ocean, or a code such as "#0b5fa5"; by default
    that of the theme
    """
    photo: bool = False
    """true prints the photo of the profile"""
    paper: Literal["a4", "letter"] = "a4"
    """the paper size"""
    margins: tuple[int, ...] = ()
    """the margins in millimetres: one number for all, or [top and bottom, left and right]"""
    size: int = 0
    """the font size of the text, in points"""
    pages: int = 0
    """the maximum number of pages of the PDF"""
    words: int = 0
    """the maximum number of words of all sections, without headings"""
    characters: int = 0
    """the maximum number of characters of all sections, with spaces and without headings"""
    sections: tuple[SectionConfig, ...] | None = None
    """the sections of the document; by default those of the page cv"""
    tag: Annotated[tuple[str, ...], COMMAS] = ()
    """in each section that has entries with one of these tags, show only those entries"""
    without: Annotated[tuple[str, ...], COMMAS] = ()
    """hide entries with one of these tags"""
    links: bool = False
    """true prints the links of entries, such as slides and code"""

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names of its files: "cv.pdf", "cv.tex"."""
        return tuple(f"{self.name}{CV_ENDINGS[name]}" for name in dict.fromkeys(self.formats))


class ThemeConfig(SourceRecord, kw_only=True):
    """
    The name of a theme and its options; in a trial (`--theme`), options unknown to the theme are ignored.
    """

    name: Annotated[str, MAIN] = "classic"
    """the theme: folio, classic, margin, plate, stage, or one of your own"""
    options: Annotated[Mapping[str, str], EXTRA] = field(default_factory=dict)
    """the options of the theme"""
    is_trial: Annotated[bool, COMPUTED] = False


if TYPE_CHECKING:
    RecordName = str
else:
    RecordName = Literal[(*EXPORT_FORMATS, CARD_RECORD)]  # the decoder reads the choices from the annotation


class Checks(SourceRecord, kw_only=True):
    """The warnings that are not reported."""

    ignore: Annotated[tuple[str, ...], COMMAS] = ()
    """the codes of the warnings to ignore: missing-alt, bib-unknown"""


class Redirects(SourceRecord, kw_only=True):
    """A mapping from old URLs to new ones."""

    ways: Annotated[Mapping[str, str], EXTRA] = field(default_factory=dict)
    """an old path and its new path: /cv.html: /cv/"""


class LanguageConfig(SourceRecord, kw_only=True):
    """A further language of the site, and where its pages are published."""

    language: Annotated[Language, NAMED]
    """the tag of the language: de, zh-Hant"""
    path: str = ""
    """the folder of its pages; by default the tag in lower case: /de/"""

    @property
    def folder(self) -> str:
        """The folder of the pages in the output: "de/"."""
        return f"{self.path.strip('/') or self.language.lower()}/"


class Settings(SourceRecord, kw_only=True):
    """`site.yaml`: the URL of the site, its theme, its pages and their sections."""

    schema: int = 1
    """the version of the source format"""
    title: Annotated[str, Key(aliases="name site_title")] = ""
    """the name of the site; by default your name"""
    url: Annotated[str, Key(aliases="baseurl site_url website")] = ""
    """the URL where you publish the site; feeds, search engines and link previews need it"""
    description: Annotated[str, Key(aliases="tagline")] = ""
    """one sentence about the site, for search engines"""
    language: Annotated[Language, Key(names="lang", aliases="default_content_language")] = Language("en")
    """the language of the site: en, de, pt-BR, zh"""
    languages: Annotated[tuple[LanguageConfig, ...], Key(commas=True, keyed=True)] = ()
    """further languages of the site, each with its pages in a folder: [de, zh] adds /de/ and /zh/"""
    theme: ThemeConfig = field(default_factory=ThemeConfig)
    """the name of the theme, or a name with options"""
    updated: Annotated[Date | None, Key(aliases="last_updated last_modified")] = None
    """the date of your last revision, shown at the bottom of each page"""
    footer: Annotated[Markdown, Key(aliases="footer_text copyright")] = Markdown("")
    """a text at the bottom of each page"""
    pages: Annotated[tuple[PageConfig, ...] | None, Key(aliases="nav menu navigation")] = None
    """the pages in the order of the menu; by default Tenure chooses them"""
    citation_style: CitationStyleName | None = None
    """
    the style of the line to cite a publication on its page: apa, mla, chicago, chicago-notes, vancouver,
    ieee, acm or economics
    """
    search: bool = False
    """true adds a search over all pages of the site"""
    records: tuple[RecordName, ...] | None = None
    """the data files to publish with the site, and card for the image of link previews; [] for none"""
    cvs: Annotated[tuple[CvConfig, ...] | None, Key(keyed=True)] = None
    """the CVs to typeset as PDF, by name"""
    redirects: Redirects = field(default_factory=Redirects)
    """old paths of pages, each with its new path: {/bio.html: /}"""
    services: Services = field(default_factory=Services)
    """statistics, comments, forms and video of other hosts, by name: {goatcounter: ada}"""
    allow: Allow = field(default_factory=Allow)
    """other hosts that pages may load from: {script: [https://example.org]}"""
    checks: Checks = field(default_factory=Checks)
    """the warnings to ignore"""
    fetch: FetchConfig = field(default_factory=FetchConfig)
    """the services from which the command `fetch` completes the publications"""

    @property
    def all_pages(self) -> tuple[PageConfig, ...] | None:
        """The pages in order, with groups replaced by their pages; None if site.yaml has no `pages`."""
        if self.pages is None:
            return None
        return tuple(page for entry in self.pages for page in (entry.pages or (entry,)))

    @property
    def bib_sections(self) -> tuple[SectionConfig, ...]:
        """The sections that are read from .bib files, in the order of the pages and the CVs."""
        configs: tuple[PageConfig | CvConfig, ...] = (*(self.all_pages or ()), *(self.cvs or ()))
        return tuple(section for config in configs for section in config.sections or () if section.bib)

    @property
    def all_languages(self) -> tuple[Language, ...]:
        """The language of the site, and then the further languages, each once."""
        return tuple(dict.fromkeys((self.language, *self.translations)))

    @property
    def translations(self) -> Mapping[Language, LanguageConfig]:
        """The further languages."""
        return {config.language: config for config in self.languages if config.language != self.language}


CollectionKind = Literal[
    "publications", "education", "experience", "projects", "talks", "awards", "service", "teaching",
    "news", "posts", "pages", "items", "prose",
]  # fmt: skip


class ListHeader(Record, kw_only=True):
    """The keys of a list file other than `entries`."""

    title: str = ""
    """the heading of the list, if the default one does not suit"""
    language: Annotated[Language, Key(names="lang")] = Language("")
    """the language of the entries, if it differs from that of the site"""
    order: Annotated[tuple[str, ...], COMPUTED] = ()


class Collection(Record, kw_only=True):
    """
    The entries of one collection in the order of their sources; a text such as `about.md` has one Prose.

    `order` has the roles of a list of people that is grouped by role, as they are written: "Postdocs".
    """

    name: str
    kind: CollectionKind
    entries: tuple[Entry, ...]
    title: str = ""
    language: Language = Language("")
    order: tuple[str, ...] = ()


def map_entries(
    collections: Mapping[str, Collection], change: Callable[[Entry], Entry]
) -> dict[str, Collection]:
    """The collections with each entry changed by a function."""
    return {
        name: replace(collection, entries=tuple(map(change, collection.entries)))
        for name, collection in collections.items()
    }


class ThemeColor(Record, kw_only=True):
    """A color for light pages and one for dark pages, each as "#a03c14"."""

    light: str
    dark: str


class ThemePalette(ThemeColor, kw_only=True):
    """
    The colors of links, with those of the ground and of the text, and of a band and the text on it if the
    theme has one.
    """

    ground: ThemeColor
    text: ThemeColor
    band: ThemeColor | None = None
    ink: ThemeColor


class ActiveTheme(Record, kw_only=True):
    """The theme of a site: its folders, the most specific first, its options, and its translations."""

    name: str
    folders: tuple[Path, ...]
    options: Mapping[str, str | bool | ThemeColor]
    translations: Translations
    other_translations: Mapping[str, Translations] = field(default_factory=dict)
    style_sheet: str = ""
    """the text of content/style.css, which pages load after the style sheets of the theme"""

    @property
    def palette(self) -> ThemePalette | None:
        """
        The chosen palette, with the accent of the site if it has one; None if the theme has no palettes.
        """
        return next((value for value in self.options.values() if isinstance(value, ThemePalette)), None)

    def translations_for(self, language: Language) -> Translations:
        """The translations for a page in a language, or else those of the site's language."""
        return self.other_translations.get(language, self.translations)


class Site(Record, kw_only=True):
    """The content and configuration of one site: the input of every page and exported file."""

    profile: Profile
    settings: Settings
    active_theme: ActiveTheme
    collections: Mapping[str, Collection]
    files: frozenset[str] = frozenset()
    """Paths of the published files, relative to the site's root: "files/ucsd.pdf"."""
    coauthors: tuple[Coauthor, ...] = ()
    counts: CitationCounts | None = None
    """How often the publications are cited, from content/counts.yaml."""
    language_paths: LanguagePaths | None = None
    """The paths of the pages in all languages; None if the site has one language."""

    def absolute_url(self, path: str) -> str:
        """The URL of a path from the site's root; the path itself if the site has no URL."""
        if self.language_paths:
            path = self.language_paths.resolve_path(path)
        return self.locate_path(path)

    def locate_path(self, path: str) -> str:
        """The URL of a path in the output; the path itself if the site has no URL."""
        return self.settings.url.rstrip("/") + path

    @property
    def title(self) -> str:
        """The configured title, or the name of the researcher."""
        return self.settings.title or self.profile.name

    @property
    def main_work(self) -> Entry | None:
        """The only publication or project, if the homepage is about it: the option `subject` of the theme."""
        if self.active_theme.options.get("subject") != "work":
            return None
        works = self.publications or self.entries_of("projects")
        return works[0] if len(works) == 1 else None

    def with_language(self, language: Language) -> "Site":
        """The site with another language and, if the theme has them, its translations."""
        if language == self.settings.language:
            return self
        active_theme = replace(self.active_theme, translations=self.active_theme.translations_for(language))
        return replace(self, active_theme=active_theme, settings=replace(self.settings, language=language))

    @property
    def people(self) -> tuple[Person, ...]:
        """The people of content/people.yaml and content/people/."""
        return tuple(entry for entry in self.entries_of("people") if isinstance(entry, Person))

    @property
    def publications(self) -> tuple[Publication, ...]:
        """Every publication of every .bib file, newest year first."""
        return tuple(entry for entry in self.entries_of("publications") if isinstance(entry, Publication))

    def entries_of(self, name: str) -> tuple[Entry, ...]:
        """The entries of a collection; () if the site does not have it."""
        return self.collections[name].entries if name in self.collections else ()

    def iterate_entries(self, *kinds: CollectionKind) -> Iterator[Entry]:
        """The entries of all collections, or of those of some kinds."""
        for collection in self.collections.values():
            if not kinds or collection.kind in kinds:
                yield from collection.entries
