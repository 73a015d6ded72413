"""Services of other hosts that a site may use, and hosts that it may load from; values are safe in markup and in a policy."""

import re
from typing import Annotated, ClassVar, Literal, Self
from urllib.parse import urlsplit

from tenure.frozen import dataclass
from tenure.model.languages import Language
from tenure.model.marks import Known, Main

_HOST = (
    r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+(?::[0-9]{1,5})?"
)
_PATH = r"(?:/[A-Za-z0-9._~%+@/-]*)?"


class Checked(str):
    """
    A text of a fixed form.

    The form leaves out white space, quotes, commas and semicolons, so that the text cannot add anything to an attribute
    or to a policy.
    """

    __slots__ = ()
    PATTERN: ClassVar[str] = ""
    NOUN: ClassVar[str] = ""
    EXAMPLE: ClassVar[str] = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The text as a value; raises ValueError with a message and a hint if it does not have the form."""
        if not re.fullmatch(cls.PATTERN, text):
            raise ValueError(f"“{text}” is not {cls.NOUN}", cls.repair(text))
        return cls(text)

    @classmethod
    def repair(cls, text: str) -> str:
        """What to write instead of a text that does not have the form."""
        del text
        return f"write it like {cls.EXAMPLE}"


class Host(Checked):
    """A host that a page may load from, with `*.` for every name below it; a path narrows it (CSP Level 3, 2.3.1)."""

    __slots__ = ()
    PATTERN = rf"(?:https://)?(?:\*\.)?{_HOST}{_PATH}"
    NOUN = "an https:// host"
    EXAMPLE = "https://maps.example.org"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The address of the host, without a slash at its end; https:// may be missing."""
        host = super().parse(text).rstrip("/")
        return cls(host if host.startswith("https://") else f"https://{host}")

    @classmethod
    def repair(cls, text: str) -> str:
        """The https address of the host that the text names."""
        parts = urlsplit(text if "//" in text else f"//{text}")
        better = f"https://{parts.hostname}" if re.fullmatch(_HOST, parts.hostname or "") else ""
        return f"write {better or cls.EXAMPLE}"


class Server(Host):
    """The address of a service on a server of one's own."""

    __slots__ = ()
    PATTERN = rf"(?:https://)?{_HOST}{_PATH}"
    NOUN = "an https:// address"
    EXAMPLE = "https://stats.example.edu"


class GoatCounterSite(Checked):
    """The code of a site at goatcounter.com, or the address of a GoatCounter of one's own."""

    __slots__ = ()
    PATTERN = rf"[A-Za-z0-9-]+|{Server.PATTERN}"
    NOUN = "a code of GoatCounter"
    EXAMPLE = "ada, for https://ada.goatcounter.com"

    @property
    def origin(self) -> str:
        """Where visits are counted: "https://ada.goatcounter.com"."""
        return str(Server.parse(self)) if "." in self else f"https://{self}.goatcounter.com"

    @property
    def script(self) -> str:
        """The address of the script."""
        hosted = self.origin.endswith(".goatcounter.com")
        return "https://gc.zgo.at/count.js" if hosted else f"{self.origin}/count.js"


class Domain(Checked):
    """A domain as Plausible names a site."""

    __slots__ = ()
    PATTERN = r"[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~/-]*)?"
    NOUN = "a domain"
    EXAMPLE = "ada.example.edu"


class Identifier(Checked):
    """The letters and digits by which a service knows an account, a site or a form."""

    __slots__ = ()
    PATTERN = r"[A-Za-z0-9._=-]+"
    NOUN = "an identifier"
    EXAMPLE = "94db1cb1-74f4-4a40-ad6c-962362670409"


class Account(Identifier):
    """A user name."""

    __slots__ = ()
    NOUN = "a user name"
    EXAMPLE = "ada"


class FormId(Checked):
    """The last part of the address of a form at Formspree, or the address."""

    __slots__ = ()
    PATTERN = r"(?:https://formspree\.io/f/)?[A-Za-z0-9]+/?"
    NOUN = "the id of a form at Formspree"
    EXAMPLE = "xyzabcde"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The id alone."""
        return cls(super().parse(text).rstrip("/").rpartition("/")[2])


class Repository(Checked):
    """A repository on GitHub: owner and name, or its address."""

    __slots__ = ()
    PATTERN = r"(?:https://github\.com/)?[A-Za-z0-9._-]+/[A-Za-z0-9._-]+/?"
    NOUN = "a repository"
    EXAMPLE = "ada/ada.github.io"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Owner and name alone."""
        return cls("/".join(super().parse(text).rstrip("/").removesuffix(".git").split("/")[-2:]))


class MailchimpForm(Checked):
    """The address that a form of Mailchimp sends to; & is also read as the &amp; of the code that Mailchimp shows."""

    __slots__ = ()
    PATTERN = (
        r"https://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.list-manage\.com/subscribe/post\?[A-Za-z0-9_=&.%-]+"
    )
    NOUN = "the address of a form of Mailchimp"
    EXAMPLE = "https://example.us1.list-manage.com/subscribe/post?u=…&id=…"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The address."""
        return super().parse(text.replace("&amp;", "&"))


class PageSet(Checked):
    """The pages of a kind, or the page at a path."""

    __slots__ = ()
    KINDS: ClassVar = ("home", "posts", "pages", "projects", "publications")
    PATTERN = rf"{'|'.join(KINDS)}|/[^\s\"'<>?#]*"
    NOUN = "a kind of pages"
    EXAMPLE = "/contact/"

    @classmethod
    def repair(cls, text: str) -> str:
        """What may be written."""
        del text
        return f"write {', '.join(cls.KINDS)}, or the path of a page: {cls.EXAMPLE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plausible:
    """Statistics by Plausible: the domain as Plausible names the site, and the server if it is not plausible.io."""

    domain: Annotated[Domain, Main()]
    server: Server = Server("https://plausible.io")


@dataclass(frozen=True, slots=True, kw_only=True)
class Umami:
    """Statistics by Umami: the website id, and the server if it is not Umami Cloud."""

    id: Annotated[Identifier, Main(), Known(accepted=("website_id",))]
    server: Server = Server("https://cloud.umami.is")


@dataclass(frozen=True, slots=True, kw_only=True)
class Giscus:
    """Comments by giscus, which keeps them in the discussions of a repository on GitHub."""

    repo: Repository
    repo_id: Identifier
    category: str
    category_id: Identifier
    mapping: Literal["pathname", "url", "title", "og:title"] = "pathname"
    where: tuple[PageSet, ...] = (PageSet("posts"),)

    LANGUAGES: ClassVar = frozenset(
        ["ar", "be", "bg", "ca", "cs", "da", "de", "en", "eo", "es", "eu", "fa", "fr", "gsw", "he", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt", "ro", "ru", "th", "tr", "uk", "uz", "vi"]
    )  # fmt: skip

    def language(self, page: Language) -> str:
        """The language of the comments; giscus refuses a language that it does not have."""
        if page.startswith("zh"):
            return "zh-TW" if page.endswith(("TW", "Hant")) else "zh-CN"
        base = page.partition("-")[0]
        return base if base in self.LANGUAGES else "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buttondown:
    """A form to subscribe to a newsletter at Buttondown."""

    user: Annotated[Account, Main()]
    where: tuple[PageSet, ...] = (PageSet("home"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailchimp:
    """A form to subscribe to a newsletter at Mailchimp."""

    url: Annotated[MailchimpForm, Main()]
    where: tuple[PageSet, ...] = (PageSet("home"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Formspree:
    """A form for messages by Formspree."""

    id: Annotated[FormId, Main()]
    where: tuple[PageSet, ...] = (PageSet("home"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """`services` of `site.yaml`: what a page loads from, or sends to, a host that is known by name."""

    goatcounter: GoatCounterSite | None = None
    plausible: Plausible | None = None
    umami: Umami | None = None
    cloudflare: Identifier | None = None
    giscus: Giscus | None = None
    buttondown: Buttondown | None = None
    mailchimp: Mailchimp | None = None
    formspree: Formspree | None = None
    youtube: bool = False
    vimeo: bool = False

    @property
    def counts_visits(self) -> bool:
        """Whether a service for statistics is set."""
        return bool(self.goatcounter or self.plausible or self.umami or self.cloudflare)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """
    `allow` of `site.yaml`: hosts that pages may load from, by what is loaded.

    Frames and images of every https host are allowed where their key is missing; with it, only those listed are.
    """

    script: tuple[Host, ...] = ()
    style: tuple[Host, ...] = ()
    font: tuple[Host, ...] = ()
    connect: tuple[Host, ...] = ()
    form: tuple[Host, ...] = ()
    frame: tuple[Host, ...] | None = None
    image: tuple[Host, ...] | None = None
