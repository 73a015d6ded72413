"""
The metadata in the head of a page: URL, Open Graph, JSON-LD, and Highwire tags for reference managers.
"""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from urllib.parse import quote

from tenure.html.json_ld import JsonLdBuilder, format_script_json, start_date
from tenure.html.template_inputs import TemplateInputs
from tenure.markdown.html import plain_text
from tenure.model.entries import Entry, Media, Post, Publication
from tenure.model.export_formats import CARD_RECORD, EXPORT_FORMATS, ExportFile
from tenure.model.names import Name
from tenure.model.publications import find_reference_type
from tenure.model.site import Site
from tenure.plan.pages import Page
from tenure.plan.site_exports import SiteExports
from tenure.presentation.paper_record import PaperRecord, format_index_name, make_record
from tenure.record import Record

SOCIAL_CARD_FILE = "preview.png"
"""The image of link previews, from the site's root: generated, or the site's own file of that name."""

SOCIAL_CARD_SIZE = (1200, 630)
"""Width and height in pixels: the size of large link previews (opengraphprotocol.org; 1.91 to 1)."""

TOUCH_ICON_FILE = "apple-touch-icon.png"
"""The icon on the home screen of a phone."""


def list_pictures(site: Site) -> frozenset[str]:
    """The pictures to draw: none without a URL, and none that the author has made or left out."""
    if not site.settings.url:
        return frozenset()
    records = site.settings.records
    drawn = {SOCIAL_CARD_FILE} if records is None or CARD_RECORD in records else set()
    if not {TOUCH_ICON_FILE, "favicon.png"} & site.files:
        drawn.add(TOUCH_ICON_FILE)
    return frozenset(drawn - site.files)


class HeadRenderer(Record):
    """
    Renders the heads of a site's pages.

    Tags with an absolute URL are written only if `site_url` is set; `common_tags` are those of all pages.
    """

    site: Site
    site_url: str
    linked_data: JsonLdBuilder
    downloads: SiteExports
    common_tags: str
    policy_tag: str

    @classmethod
    def for_site(cls, inputs: TemplateInputs, policy_tag: str) -> "HeadRenderer":
        """Build the renderer of a site, whose heads begin with the policy."""
        site = inputs.site
        site_url = site.settings.url.rstrip("/")
        downloads = inputs.exports
        common_tags = "\n".join(_tags_for_all_pages(site, site_url, downloads))
        return cls(site, site_url, JsonLdBuilder(site, site_url), downloads, common_tags, policy_tag)

    def render_head(self, page: Page) -> str:
        """
        Render the metadata of a page's head as HTML.

        The page of missing addresses has none for search engines; without the URL of the site there are no
        tags with an absolute URL.
        """
        if page.kind == "404":
            return f'{self.policy_tag}\n<meta name="robots" content="noindex">'
        lines = [self.policy_tag]
        if self.common_tags:
            lines.append(self.common_tags)
        if self.site_url:
            page_url = escape(self.site.locate_path(quote(page.url_path)))
            lines.append(f'<link rel="canonical" href="{page_url}">')
            lines += self._alternate_links(page)
            lines += self._open_graph_tags(page, page_url)

        if isinstance(page.entry, Publication):
            record = make_record(page.entry)
            tags = highwire_tags(page.entry, record, self.site_url)
            lines += [f'<meta name="{name}" content="{escape(value)}">' for name, value in tags if value]
        else:
            # the feed is in the head of all pages
            files = self.downloads.files_of_page(page)
            lines += [self._file_link("alternate", f) for f in files if f != EXPORT_FORMATS["atom"].file]

        json_ld = format_script_json(self.linked_data.describe_page(page))
        lines.append(f'<script type="application/ld+json">{json_ld}</script>')
        return "\n".join(lines)

    def _file_link(self, relation: str, file: ExportFile) -> str:
        """A link to a file that says the same as the page: its media type and its label."""
        label = escape(self.site.active_theme.translations.translate_link_label(file.label))
        return f'<link rel="{relation}" type="{file.media_type}" title="{label}" href="/{file.path}">'

    def _alternate_links(self, page: Page) -> Iterator[str]:
        """Links to the page in all languages; readers of other languages get the main one."""
        urls = [(str(v.language), self.site.absolute_url(v.path)) for v in page.versions]
        if urls:
            urls.append(("x-default", urls[0][1]))
        for tag, url in urls:
            yield f'<link rel="alternate" hreflang="{tag}" href="{escape(url)}">'

    def _open_graph_tags(self, page: Page, page_url: str) -> Iterator[str]:
        """
        The tags of Open Graph (ogp.me); a site that presents one work is described as that work.

        The image is that of the entry of a page, or else the social card.
        """
        is_home = page.kind == "home"
        work = self.site.main_work if is_home else None
        title = self.site.profile.name if is_home else page.title
        site_title = self.site.title
        if work:
            title = site_title = plain_text(work.name)
        entry = work or page.entry

        yield _open_graph_tag("title", title)
        yield _open_graph_tag("description", page.description)
        yield f'<meta property="og:url" content="{page_url}">'
        yield _open_graph_tag("type", _find_page_type(page, work, self.site))
        if isinstance(entry, Post):
            day = start_date(entry.date)
            if day:
                yield f'<meta property="article:published_time" content="{day}">'

        image = _find_preview_image(entry) if entry else None
        if image is not None:
            yield _open_graph_tag("image", f"{self.site_url}{image.still}")
            yield _open_graph_tag("image:alt", image.alt or page.title)
        elif SOCIAL_CARD_FILE in self.site.files:
            width, height = SOCIAL_CARD_SIZE
            yield _open_graph_tag("image", f"{self.site_url}/{SOCIAL_CARD_FILE}")
            yield _open_graph_tag("image:width", str(width))
            yield _open_graph_tag("image:height", str(height))
            yield _open_graph_tag("image:alt", site_title)
        else:
            return
        yield '<meta name="twitter:card" content="summary_large_image">'


def _find_page_type(page: Page, work: Entry | None, site: Site) -> str:
    """The type of a page in Open Graph: "profile" for a person, "book", "article" or "website"."""
    is_of_owner = page.kind == "home" and work is None and not site.profile.is_group
    if is_of_owner or page.kind == "person":
        return "profile"
    entry = work or page.entry
    if isinstance(entry, Publication) and find_reference_type(entry).schema == "Book":
        return "book"
    return "article" if entry else "website"


def _tags_for_all_pages(site: Site, site_url: str, downloads: SiteExports) -> Iterator[str]:
    """The feed, the author and, if the URL of the site is known, its name and languages."""
    if "atom" in downloads.formats:
        feed = EXPORT_FORMATS["atom"].file
        title = escape(site.title)
        yield f'<link rel="alternate" type="{feed.media_type}" title="{title}" href="/{feed.path}">'
    yield f'<meta name="author" content="{escape(site.profile.name)}">'
    if site_url:
        yield _open_graph_tag("site_name", site.title)
        yield from _locale_tags(site)


def _locale_tags(site: Site) -> Iterator[str]:
    """The languages of a site as Open Graph names them, its own first: "de_AT"."""
    own = site.settings.language
    if not site.language_paths:
        # the locale of a language without a region would be a guess
        if len(own.partition("-")[2]) == 2 and own.locale:
            yield _open_graph_tag("locale", own.locale)
        return
    for language in (own, *(tag for tag in site.language_paths.paths if tag != own)):
        name = "locale" if language == own else "locale:alternate"
        if language.locale:
            yield _open_graph_tag(name, language.locale)


def _find_preview_image(entry: Entry) -> Media | None:
    """
    The first image of a publication that link previews can show: the services behind them draw no SVG.

    A file of the site that a publication names is copied to /publications/<id>/; other entries have the card.
    """
    for medium in (*entry.shown_media, *entry.compare):
        is_drawing = medium.still.casefold().endswith(".svg")
        if medium.still.startswith(f"/publications/{entry.id}/") and not is_drawing:
            return medium
    return None


def _open_graph_tag(name: str, value: str) -> str:
    return f'<meta property="og:{name}" content="{escape(value)}">'


TYPES_WITHOUT_VENUE_TAG = ("book", "webpage", "software", "dataset")
"""Types of CSL that get no tag for the venue, because Zotero would take them for articles."""


def highwire_tags(publication: Publication, record: PaperRecord, site_url: str) -> Iterator[tuple[str, str]]:
    """
    The names and contents of the `citation_…` tags; `site_url` has no slash at its end, and may be "".

    Source: Google Scholar, "Inclusion Guidelines for Webmasters": title, authors and date are required; the
    date is Y/M/D or the year alone; a PDF is named only if it is in the folder of the page.
    """
    texts = record.texts
    date = publication.date
    is_in_book = record.form.csl in ("chapter", "paper-conference")
    is_report = record.form.csl == "report"

    yield "citation_title", texts["title"]
    yield from _people_tags(publication)
    if date and date.year:
        month_and_day = f"/{date.month}/{date.day}" if date.month and date.day else ""
        yield "citation_publication_date", f"{date.year}{month_and_day}"
    yield from _venue_tags(record)
    yield "citation_volume", texts["volume"]
    if not is_report:
        yield "citation_issue", texts["number"]
    yield "citation_firstpage", texts["first_page"]
    yield "citation_lastpage", texts["last_page"]
    if is_in_book:
        yield "citation_series_title", texts["series"]
    yield "citation_publisher", texts["publisher"]
    yield "citation_doi", texts["doi"]
    yield "citation_arxiv_id", texts["eprint"]
    yield "citation_keywords", "; ".join(record.keywords)
    yield "citation_abstract", texts["abstract"]
    if site_url and texts["pdf"]:
        yield "citation_pdf_url", f"{site_url}{texts['pdf']}"


def _people_tags(publication: Publication) -> Iterator[tuple[str, str]]:
    """The authors, each before the institutions where they work, then the editors."""
    for author in publication.authors.people:
        yield "citation_author", highwire_name(author.name)
        for affiliation in publication.affiliations:
            if author in affiliation.select_authors(publication.authors):
                yield "citation_author_institution", plain_text(affiliation.name)
    # compilers and others who are in place of editors have no tag
    if not publication.editor_role:
        for editor in publication.editors.people:
            yield "citation_editor", highwire_name(editor.name)


def _venue_tags(record: PaperRecord) -> Iterator[tuple[str, str]]:
    """The only tag with the venue: Zotero's "Embedded Metadata" takes the type from the last one."""
    form = record.form
    name = record.texts["name"]
    # the school of a thesis, the institution of a report
    if form.csl in ("thesis", "report"):
        name = record.texts["organization"] or name
    if name and form.csl not in TYPES_WITHOUT_VENUE_TAG:
        yield form.venue_tag or "citation_journal_title", name
        if form.csl == "report":
            yield "citation_technical_report_number", record.texts["number"]


@lru_cache(4096)
def highwire_name(name: Name) -> str:
    """
    A name in the form of Highwire tags: "Steele, Guy L., Jr.".

    Zotero splits a tag into several people if its comma has a space on both sides of the name; a no-break
    space keeps "van der Berg, Jo Ann" one person.
    """
    text = format_index_name(name)
    if name.group and "," in text:
        return text.replace(" ", "\u00a0")
    if name.group:
        return text
    family_name, comma, given_name = text.partition(", ")
    if " " in given_name:
        family_name = family_name.replace(" ", "\u00a0")
    return f"{family_name}{comma}{given_name}"
