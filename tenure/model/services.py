"""
Third-party services, the sources of `fetch`, and allowed hosts.

Their values are safe in HTML and in a content policy.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from tenure.model.fields import COMMAS, EXTRA, MAIN, Key, TextForm
from tenure.model.identifiers import parse_doi
from tenure.model.languages import Language
from tenure.model.links import is_orcid_like, parse_orcid
from tenure.model.places import SourceRecord
from tenure.record import Record, field

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
"""A part of the name of a host, which neither begins nor ends with a hyphen: stats-1."""

_HOST = rf"{_LABEL}(?:\.{_LABEL})+(?::[0-9]{{1,5}})?"
"""stats.example.edu:8000."""

_URL = rf"(?:https://)?(?P<value>{_HOST}(?:/[A-Za-z0-9._~%+@-]+)*)/?"
"""https://stats.example.edu/a, also without https://; the value is stats.example.edu/a."""

PAGE_KINDS = ("home", "posts", "pages", "projects", "publications")

_HOST_FORM = TextForm(
    _URL.replace("<value>", r"<value>(?:\*\.)?"),
    "an https:// host",
    "https://maps.example.org",
    prefix="https://",
)
_SERVER_FORM = TextForm(_URL, "an https:// address", "https://stats.example.edu", prefix="https://")
_COUNTER_FORM = TextForm(
    rf"[A-Za-z0-9-]+|{_URL}", "a code of GoatCounter", "it like ada, for https://ada.goatcounter.com"
)
_DOMAIN_FORM = TextForm(r"[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~/-]*)?", "a domain", "it like ada.example.edu")
_ID_FORM = TextForm(r"[A-Za-z0-9._=-]+", "an identifier", "it like 94db1cb1-74f4-4a40-ad6c-962362670409")
_REPOSITORY_FORM = TextForm(
    r"(?:https://github\.com/)?(?P<value>[A-Za-z0-9._-]+/[A-Za-z0-9._-]+?)(?:\.git)?/?",
    "a repository",
    "it like ada/ada.github.io",
)
_PAGE_FORM = TextForm(
    rf"{'|'.join(PAGE_KINDS)}|/[^\s\"'<>?#]*",
    "a kind of pages",
    f"{', '.join(PAGE_KINDS)}, or the path of a page: /contact/",
)

AllowedHost = Annotated[str, _HOST_FORM]
"""A host that a page may load from; `*.` allows all subdomains, a path restricts it (CSP Level 3, 2.3.1)."""

ServiceUrl = Annotated[str, _SERVER_FORM]
PageSelector = Annotated[str, _PAGE_FORM]


class GoatCounter(Record, kw_only=True):
    """Visit statistics by GoatCounter."""

    site: Annotated[str, MAIN, _COUNTER_FORM]
    """your code there, or the URL of your own server"""

    @property
    def origin(self) -> str:
        """The origin of the counter: "https://ada.goatcounter.com"."""
        if "." in self.site:
            return f"https://{self.site}"
        return f"https://{self.site}.goatcounter.com"

    @property
    def script_url(self) -> str:
        """The URL of the counter's script."""
        is_hosted = self.origin.endswith(".goatcounter.com")
        return "https://gc.zgo.at/count.js" if is_hosted else f"{self.origin}/count.js"


class Plausible(Record, kw_only=True):
    """Visit statistics by Plausible."""

    domain: Annotated[str, MAIN, _DOMAIN_FORM]
    """the domain, as Plausible names the site"""
    server: ServiceUrl = "https://plausible.io"
    """the URL of your own Plausible server"""


class Umami(Record, kw_only=True):
    """Visit statistics by Umami; `id` is the website id."""

    id: Annotated[str, _ID_FORM, Key(main=True, names="website_id")]
    """the website id"""
    server: ServiceUrl = "https://cloud.umami.is"
    """the URL of your own Umami server"""

    @property
    def receivers(self) -> str:
        """The origins that receive the visits; that of Umami itself has two."""
        if "//cloud.umami.is" in self.server:
            return f"{self.server} https://api-gateway.umami.dev"
        return self.server


class Giscus(SourceRecord, kw_only=True):
    """Comments by giscus, which stores them in the discussions of a GitHub repository."""

    repo: Annotated[str, _REPOSITORY_FORM]
    """the repository: ada/ada.github.io"""
    repo_id: Annotated[str, _ID_FORM]
    """data-repo-id of the code that giscus.app shows"""
    category: str
    """the category of the discussions"""
    category_id: Annotated[str, _ID_FORM]
    """data-category-id of that code"""
    mapping: Literal["pathname", "url", "title", "og:title"] = "pathname"
    """how a page finds its discussion"""
    where: tuple[PageSelector, ...] = ("posts",)
    """the pages: home, posts, pages, projects, publications, or the path of a page; default: posts"""

    LANGUAGES: ClassVar = frozenset(
        """
        ar be bg ca cs da de en eo es eu fa fr gsw he hu id it ja ko
        nl pl pt ro ru th tr uk uz vi
        """.split()
    )

    def comment_language(self, page_language: Language) -> str:
        """The language of the comments; giscus rejects a language that it does not support."""
        if page_language.startswith("zh"):
            return "zh-TW" if page_language.endswith(("TW", "Hant")) else "zh-CN"
        base = page_language.partition("-")[0]
        return base if base in self.LANGUAGES else "en"


class Services(Record, kw_only=True):
    """`services` of `site.yaml`: the third-party services of the site."""

    goatcounter: GoatCounter | None = None
    """statistics by GoatCounter: your code there, or the URL of your own server"""
    plausible: Plausible | None = None
    """statistics by Plausible: the domain of the site"""
    umami: Umami | None = None
    """statistics by Umami: the website id"""
    cloudflare: Annotated[str | None, _ID_FORM] = None
    """Cloudflare Web Analytics: the token of the site"""
    giscus: Giscus | None = None
    """comments in the discussions of a GitHub repository"""
    youtube: bool = False
    """true shows videos of YouTube in the page: ![Title](https://youtu.be/…)"""
    vimeo: bool = False
    """true shows videos of Vimeo in the page: ![Title](https://vimeo.com/…)"""


class Allow(Record, kw_only=True):
    """`allow` of `site.yaml`: the other hosts that pages may load from."""

    hosts: tuple[AllowedHost, ...] | None = None
    """the only hosts of style sheets, fonts, forms, frames, images, video and audio"""
    scripts: tuple[AllowedHost, ...] = ()
    """the hosts or files of scripts, and the hosts that scripts connect to"""


class OrcidId(str):
    """An ORCID iD; its last character is a check digit."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The iD of a text that is an iD or its URL; raises ValueError for any other."""
        if orcid := parse_orcid(text):
            return cls(orcid)
        hint = "its last character does not fit the others"
        raise ValueError(
            f"“{text}” is not an ORCID iD",
            hint if is_orcid_like(text) else "write it like 0000-0002-1825-0097",
        )


class Doi(str):
    """The DOI of a published work."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The DOI of a text that is nothing else; raises ValueError for any other."""
        doi = "" if " " in text else parse_doi(text)
        if not doi:
            raise ValueError(f"“{text}” is not a DOI", "write it like 10.1145/3600006.3613163")
        return cls(doi)


class NamedUrls(SourceRecord, kw_only=True):
    """A mapping from names to URLs."""

    urls: Annotated[Mapping[str, str], EXTRA] = field(default_factory=dict)
    """a name and its URL: ada: https://ada.example.org"""


class FetchConfig(SourceRecord, kw_only=True):
    """The services from which `fetch` completes the publications. A build requests nothing from them."""

    orcid: Annotated[tuple[OrcidId, ...], COMMAS] = ()
    """your ORCID iD, or several; new works are appended to bib/orcid.bib"""
    dois: Annotated[tuple[Doi, ...], Key(commas=True)] = ()
    """DOIs whose works are appended to bib/dois.bib"""
    members: NamedUrls = field(default_factory=NamedUrls)
    """
    sites made with Tenure, by a name; their new publications are appended to bib/members.bib: {ada:
    https://ada.example.org}
    """
    counts: Literal["openalex"] | None = None
    """
    openalex writes how often each publication is cited, and the institutions of co-authors, into
    content/counts.yaml
    """
    without: Annotated[tuple[str, ...], COMMAS] = ()
    """DOIs and keys of publications that are never added and never reported"""
