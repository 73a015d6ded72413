"""Third-party services, the sources of `fetch`, and allowed hosts; validated values are safe in HTML and in a content policy."""

import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from tenure.model.fields import COMMAS, EXTRA, MAIN, Key
from tenure.model.languages import Language
from tenure.model.links import parse_orcid, parse_url
from tenure.model.places import SourceRecord
from tenure.record import Record, field

_HOST_PATTERN = (
    r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+(?::[0-9]{1,5})?"
)
_PATH_PATTERN = r"(?:/[A-Za-z0-9._~%+@/-]*)?"


class ValidatedText(str):
    """
    A text that matches PATTERN.

    The patterns exclude white space, quotes, commas and semicolons, so that a value cannot add anything to an
    attribute or to a policy.
    """

    __slots__ = ()
    PATTERN: ClassVar[str] = ""
    DESCRIPTION: ClassVar[str] = ""
    EXAMPLE: ClassVar[str] = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Validate a text; raise ValueError with a message and a hint if it does not match."""
        if not re.fullmatch(cls.PATTERN, text):
            raise ValueError(f"“{text}” is not {cls.DESCRIPTION}", cls.suggest_repair(text))
        return cls(text)

    @classmethod
    def suggest_repair(cls, text: str) -> str:
        """The hint for a text that does not match."""
        del text
        return f"write it like {cls.EXAMPLE}"


class AllowedHost(ValidatedText):
    """A host that a page may load from; `*.` allows all subdomains, a path restricts it (CSP Level 3, 2.3.1)."""

    __slots__ = ()
    PATTERN = rf"(?:https://)?(?:\*\.)?{_HOST_PATTERN}{_PATH_PATTERN}"
    DESCRIPTION = "an https:// host"
    EXAMPLE = "https://maps.example.org"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The https URL of the host without a trailing slash; https:// may be missing in the text."""
        host = super().parse(text).rstrip("/")
        return cls(host if host.startswith("https://") else f"https://{host}")

    @classmethod
    def suggest_repair(cls, text: str) -> str:
        """The hint with the https URL of the host in the text."""
        url_parts = parse_url(text if "//" in text else f"//{text}")
        host_url = (
            f"https://{url_parts.hostname}" if re.fullmatch(_HOST_PATTERN, url_parts.hostname or "") else ""
        )
        return f"write {host_url or cls.EXAMPLE}"


class ServiceUrl(AllowedHost):
    """The URL of a self-hosted service."""

    __slots__ = ()
    PATTERN = rf"(?:https://)?{_HOST_PATTERN}{_PATH_PATTERN}"
    DESCRIPTION = "an https:// address"
    EXAMPLE = "https://stats.example.edu"


class GoatCounterSite(ValidatedText):
    """The code of a site at goatcounter.com, or the URL of a self-hosted GoatCounter."""

    __slots__ = ()
    PATTERN = rf"[A-Za-z0-9-]+|{ServiceUrl.PATTERN}"
    DESCRIPTION = "a code of GoatCounter"
    EXAMPLE = "ada, for https://ada.goatcounter.com"

    @property
    def origin(self) -> str:
        """The origin of the counter: "https://ada.goatcounter.com"."""
        return str(ServiceUrl.parse(self)) if "." in self else f"https://{self}.goatcounter.com"

    @property
    def script_url(self) -> str:
        """The URL of the counter's script."""
        is_hosted = self.origin.endswith(".goatcounter.com")
        return "https://gc.zgo.at/count.js" if is_hosted else f"{self.origin}/count.js"


class Domain(ValidatedText):
    """A domain, as Plausible identifies a site."""

    __slots__ = ()
    PATTERN = r"[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~/-]*)?"
    DESCRIPTION = "a domain"
    EXAMPLE = "ada.example.edu"


class Identifier(ValidatedText):
    """An identifier that a service gave to an account, a site or a form."""

    __slots__ = ()
    PATTERN = r"[A-Za-z0-9._=-]+"
    DESCRIPTION = "an identifier"
    EXAMPLE = "94db1cb1-74f4-4a40-ad6c-962362670409"


class UserName(Identifier):
    """A user name."""

    __slots__ = ()
    DESCRIPTION = "a user name"
    EXAMPLE = "ada"


class FormId(ValidatedText):
    """The id of a form at Formspree, or its URL."""

    __slots__ = ()
    PATTERN = r"(?:https://formspree\.io/f/)?[A-Za-z0-9]+/?"
    DESCRIPTION = "the id of a form at Formspree"
    EXAMPLE = "xyzabcde"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The id without the URL."""
        return cls(super().parse(text).rstrip("/").rpartition("/")[2])


class GithubRepository(ValidatedText):
    """A repository on GitHub: owner and name, or its URL."""

    __slots__ = ()
    PATTERN = r"(?:https://github\.com/)?[A-Za-z0-9._-]+/[A-Za-z0-9._-]+/?"
    DESCRIPTION = "a repository"
    EXAMPLE = "ada/ada.github.io"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Owner and name without the URL."""
        return cls("/".join(super().parse(text).rstrip("/").removesuffix(".git").split("/")[-2:]))


class MailchimpForm(ValidatedText):
    """The URL that a Mailchimp form posts to. `&amp;`, as in Mailchimp's embed code, is read as `&`."""

    __slots__ = ()
    PATTERN = (
        r"https://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.list-manage\.com/subscribe/post\?[A-Za-z0-9_=&.%-]+"
    )
    DESCRIPTION = "the address of a form of Mailchimp"
    EXAMPLE = "https://example.us1.list-manage.com/subscribe/post?u=…&id=…"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The URL."""
        return super().parse(text.replace("&amp;", "&"))


class PageSelector(ValidatedText):
    """A kind of page, or the path of one page."""

    __slots__ = ()
    PAGE_KINDS: ClassVar = ("home", "posts", "pages", "projects", "publications")
    PATTERN = rf"{'|'.join(PAGE_KINDS)}|/[^\s\"'<>?#]*"
    DESCRIPTION = "a kind of pages"
    EXAMPLE = "/contact/"

    @classmethod
    def suggest_repair(cls, text: str) -> str:
        """The hint with all allowed values."""
        del text
        return f"write {', '.join(cls.PAGE_KINDS)}, or the path of a page: {cls.EXAMPLE}"


class Plausible(Record, kw_only=True):
    """Visit statistics by Plausible."""

    domain: Annotated[Domain, MAIN]
    """the domain, as Plausible names the site"""
    server: ServiceUrl = ServiceUrl("https://plausible.io")
    """the URL of your own Plausible server"""


class Umami(Record, kw_only=True):
    """Visit statistics by Umami; `id` is the website id."""

    id: Annotated[Identifier, Key(main=True, names="website_id")]
    """the website id"""
    server: ServiceUrl = ServiceUrl("https://cloud.umami.is")
    """the URL of your own Umami server"""


class Giscus(SourceRecord, kw_only=True):
    """Comments by giscus, which stores them in the discussions of a GitHub repository."""

    repo: GithubRepository
    """the repository: ada/ada.github.io"""
    repo_id: Identifier
    """data-repo-id of the code that giscus.app shows"""
    category: str
    """the category of the discussions"""
    category_id: Identifier
    """data-category-id of that code"""
    mapping: Literal["pathname", "url", "title", "og:title"] = "pathname"
    """how a page finds its discussion"""
    where: tuple[PageSelector, ...] = (PageSelector("posts"),)
    """the pages: home, posts, pages, projects, publications, or the path of a page; default: posts"""

    LANGUAGES: ClassVar = frozenset(
        ["ar", "be", "bg", "ca", "cs", "da", "de", "en", "eo", "es", "eu", "fa", "fr", "gsw", "he", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt", "ro", "ru", "th", "tr", "uk", "uz", "vi"]
    )  # fmt: skip

    def comment_language(self, page_language: Language) -> str:
        """The language of the comments; giscus rejects a language that it does not support."""
        if page_language.startswith("zh"):
            return "zh-TW" if page_language.endswith(("TW", "Hant")) else "zh-CN"
        base = page_language.partition("-")[0]
        return base if base in self.LANGUAGES else "en"


class Buttondown(SourceRecord, kw_only=True):
    """A subscription form for a newsletter at Buttondown."""

    user: Annotated[UserName, MAIN]
    """your user name at Buttondown"""
    where: tuple[PageSelector, ...] = (PageSelector("home"),)
    """the pages: home, posts, pages, projects, publications, or the path of a page; default: home"""


class Mailchimp(SourceRecord, kw_only=True):
    """A subscription form for a newsletter at Mailchimp."""

    url: Annotated[MailchimpForm, MAIN]
    """the URL to which the form sends its data: `https://….list-manage.com/subscribe/post?u=…&id=…`"""
    where: tuple[PageSelector, ...] = (PageSelector("home"),)
    """the pages: home, posts, pages, projects, publications, or the path of a page; default: home"""


class Formspree(SourceRecord, kw_only=True):
    """A contact form by Formspree."""

    id: Annotated[FormId, MAIN]
    """the id at the end of the URL of the form: xyzabcde in https://formspree.io/f/xyzabcde"""
    where: tuple[PageSelector, ...] = (PageSelector("home"),)
    """the pages: home, posts, pages, projects, publications, or the path of a page; default: home"""


class Services(Record, kw_only=True):
    """`services` of `site.yaml`: the third-party services of the site."""

    goatcounter: GoatCounterSite | None = None
    """statistics by GoatCounter: your code there, or the URL of your own server"""
    plausible: Plausible | None = None
    """statistics by Plausible: the domain of the site"""
    umami: Umami | None = None
    """statistics by Umami: the website id"""
    cloudflare: Identifier | None = None
    """Cloudflare Web Analytics: the token of the site"""
    giscus: Giscus | None = None
    """comments in the discussions of a GitHub repository"""
    buttondown: Buttondown | None = None
    """a form to subscribe to your newsletter at Buttondown: your user name there"""
    mailchimp: Mailchimp | None = None
    """a form to subscribe to your newsletter at Mailchimp: the URL to which the form sends its data"""
    formspree: Formspree | None = None
    """a contact form by Formspree: the id of the form"""
    youtube: bool = False
    """true shows videos of YouTube in the page: ![Title](https://youtu.be/…)"""
    vimeo: bool = False
    """true shows videos of Vimeo in the page: ![Title](https://vimeo.com/…)"""


class Allow(Record, kw_only=True):
    """
    `allow` of `site.yaml`: the hosts that pages may load from, by resource type.

    Without the key, frames and images from every https host are allowed; with it, only the listed hosts.
    """

    script: tuple[AllowedHost, ...] = ()
    """hosts of scripts"""
    style: tuple[AllowedHost, ...] = ()
    """hosts of style sheets"""
    font: tuple[AllowedHost, ...] = ()
    """hosts of fonts"""
    connect: tuple[AllowedHost, ...] = ()
    """hosts that scripts may connect to"""
    form: tuple[AllowedHost, ...] = ()
    """hosts that may receive forms"""
    frame: tuple[AllowedHost, ...] | None = None
    """the only hosts of frames; every https host if the key is missing"""
    image: tuple[AllowedHost, ...] | None = None
    """the only hosts of images; every https host if the key is missing"""


class OrcidId(ValidatedText):
    """An ORCID iD; its last character is a check digit."""

    __slots__ = ()
    PATTERN = r"(?:https?://orcid\.org/)?\d{4}-\d{4}-\d{4}-\d{3}[0-9Xx]"
    DESCRIPTION = "an ORCID iD"
    EXAMPLE = "0000-0002-1825-0097"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The iD without the URL; raise ValueError if the check digit does not fit."""
        orcid = parse_orcid(super().parse(text))
        if not orcid:
            raise ValueError(
                f"“{text}” is not {cls.DESCRIPTION}", "its last character does not fit the others"
            )
        return cls(orcid)


class Doi(ValidatedText):
    """A DOI, also as URL."""

    __slots__ = ()
    PATTERN = r"(?:https?://(?:dx\.)?doi\.org/|doi:)?10\.\d{4,9}/[^\s\"'<>]+"
    DESCRIPTION = "a DOI"
    EXAMPLE = "10.1145/3600006.3613163"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The DOI without a resolver."""
        doi = super().parse(text)
        return cls(doi[doi.index("10.") :])


class NamedUrls(SourceRecord, kw_only=True):
    """A mapping from names to URLs."""

    urls: Annotated[Mapping[str, str], EXTRA] = field(default_factory=dict)
    """a name and its URL: zotero.bib: https://…"""


class FetchConfig(SourceRecord, kw_only=True):
    """The services from which `fetch` completes the publications. A build requests nothing from them."""

    orcid: Annotated[tuple[OrcidId, ...], COMMAS] = ()
    """your ORCID iD, or several; new works are appended to bib/orcid.bib"""
    dois: Annotated[tuple[Doi, ...], Key(commas=True)] = ()
    """DOIs whose works are appended to bib/dois.bib"""
    bib: NamedUrls = field(default_factory=NamedUrls)
    """files in bib/ that are copies of a URL: {zotero.bib: https://…}"""
    members: NamedUrls = field(default_factory=NamedUrls)
    """sites made with Tenure, by a name; their new publications are appended to bib/members.bib: {ada: https://ada.example.org}"""
    counts: Literal["openalex"] | None = None
    """openalex writes how often each publication is cited, and the institutions of co-authors, into content/counts.yaml"""
    without: Annotated[tuple[str, ...], COMMAS] = ()
    """DOIs and keys of publications that are never added and never reported"""
