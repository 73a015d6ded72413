"""The metadata in the head of a page: URL, Open Graph, citation tags, JSON-LD, signposting."""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from tenure.frozen import dataclass
from tenure.model.kinds import form_of
from tenure.model.scholar import Post, Publication
from tenure.model.site import Site
from tenure.web.citing import highwire, own_pdf
from tenure.web.downloads import RECORDS, Downloads
from tenure.web.linked_data import LinkedData, orcid, script_json
from tenure.web.pages import Page

PREVIEW = "preview.png"
"""The image of link previews, from the site's root: generated, or the site's own file of that name."""

PREVIEW_SIZE = (1200, 630)
"""Width and height in pixels: the size of large link previews (opengraphprotocol.org; 1.91 to 1)."""


@dataclass(frozen=True, slots=True)
class Head:
    """
    Renders the heads of a site's pages.

    Tags that need an absolute URL are written only if `site_url` is set; `common_tags` are the same on all pages.
    """

    site: Site
    root: str
    data: LinkedData
    downloads: Downloads
    everywhere: str

    @classmethod
    def of(cls, site: Site) -> "Head":
        """Build the renderer of a site."""
        root = site.settings.url.rstrip("/")
        downloads = Downloads.of(site)
        return cls(
            site, root, LinkedData.of(site, root), downloads, "\n".join(_everywhere(site, root, downloads))
        )

    def html(self, page: Page) -> str:
        """Render the metadata of a page's head as HTML."""
        if page.kind == "404":
            return '<meta name="robots" content="noindex">'
        lines = [self.everywhere] if self.everywhere else []
        if self.root:
            here = escape(self.root + quote(page.path))
            lines.append(f'<link rel="canonical" href="{here}">')
            lines += self._preview(page, here)
        if isinstance(page.entry, Publication):
            tags = highwire(page.entry, self.root)
            lines += [f'<meta name="{name}" content="{escape(value)}">' for name, value in tags if value]
            lines += self._signposts(page.entry, page)
        else:
            lines += [
                f'<link rel="alternate" type="{file.media}" title="{escape(self.site.look.words.called(file.label))}" href="/{file.path}">'
                for file in self.downloads.on(page)
            ]
        described = script_json(self.data.page(page))
        lines.append(f'<script type="application/ld+json">{described}</script>')
        return "\n".join(lines)

    def _preview(self, page: Page, here: str) -> Iterator[str]:
        """Open Graph tags (ogp.me), with the image of the publication or post if it has one, else the social card."""
        entry = page.entry
        yield _graph("title", page.title)
        yield _graph("description", page.description)
        yield f'<meta property="og:url" content="{here}">'
        if page.kind == "home":
            yield _graph("type", "profile")
        else:
            is_book = isinstance(entry, Publication) and form_of(entry).schema == "Book"
            yield _graph("type", "book" if is_book else "article" if entry else "website")
        if isinstance(entry, Post) and entry.date and entry.date.start and entry.date.start.iso:
            yield _graph("article:published_time", entry.date.start.iso, "")
        if entry is not None and entry.image.startswith(f"/publications/{entry.id}/"):
            yield _graph("image", f"{self.root}{entry.image}")
            yield _graph("image:alt", entry.image_alt or page.title)
        else:
            width, height = PREVIEW_SIZE
            yield _graph("image", f"{self.root}/{PREVIEW}")
            yield _graph("image:width", str(width))
            yield _graph("image:height", str(height))
            yield _graph("image:alt", self.site.title)
        yield '<meta name="twitter:card" content="summary_large_image">'

    def _signposts(self, paper: Publication, page: Page) -> Iterator[str]:
        """
        The links of FAIR Signposting, level 1 (signposting.org/FAIR).

        `cite-as` is the URL to cite instead of the page (RFC 8574, 1): the DOI, although it resolves to the publisher.
        """
        if paper.doi:
            yield f'<link rel="cite-as" href="https://doi.org/{escape(quote(paper.doi, safe="/()<>;:"))}">'
        yield f'<link rel="type" href="https://schema.org/{form_of(paper).schema}">'
        yield '<link rel="type" href="https://schema.org/AboutPage">'
        addresses = [self.data.me["@id"] if a.me else a.url for a in paper.authors.people]
        for address in dict.fromkeys(filter(None, (orcid([address]) for address in addresses))):
            yield f'<link rel="author" href="{escape(address)}">'
        for file in self.downloads.on(page):
            yield f'<link rel="describedby" type="{file.media}" title="{escape(self.site.look.words.called(file.label))}" href="/{file.path}">'
        pdf = own_pdf(paper)
        if pdf:
            yield f'<link rel="item" type="application/pdf" href="{escape(pdf)}">'


def _everywhere(site: Site, root: str, downloads: Downloads) -> Iterator[str]:
    if "atom" in downloads.chosen:
        atom = RECORDS["atom"]
        title = escape(site.title)
        yield f'<link rel="alternate" type="{atom.media}" title="{title}" href="/{atom.path}">'
    yield f'<meta name="author" content="{escape(site.profile.name)}">'
    if root:
        yield _graph("site_name", site.title)
        language, _, territory = site.settings.language.partition("-")
        if len(territory) == 2:
            yield _graph("locale", f"{language}_{territory.upper()}")


def _graph(name: str, value: str, prefix: str = "og:") -> str:
    return f'<meta property="{prefix}{name}" content="{escape(value)}">'
