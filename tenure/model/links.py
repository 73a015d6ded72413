"""Links, checks of URLs, and ORCID iDs."""

import difflib
import re
from typing import NewType
from urllib.parse import SplitResult, quote, urlsplit

from tenure.limits import MAX_SEGMENT_SIZE, cache_texts
from tenure.model.files import IMAGE_PATTERN, VIDEO_PATTERN, VIDEO_SUFFIXES
from tenure.record import Record

Url = NewType("Url", str)
"""A URL as written: absolute, a path on the site, or the name of a source file."""

ALLOWED_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", "sftp", "xmpp", "matrix", "geo"})


class Link(Record, kw_only=True):
    """A URL with its label."""

    label: str
    url: Url


def url_scheme(url: str) -> str:
    """
    The scheme of a URL in lower case, or "".

    White space and control characters are removed first, as browsers do, so that they cannot hide a scheme.
    """
    if ":" not in url:
        return ""
    # most URLs need no pattern
    if url.startswith(("https:", "http:")):
        return url.partition(":")[0]
    match = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", re.sub(r"[\s\x00-\x1f\x7f]+", "", url))
    return match[1].casefold() if match else ""


def is_url_segment(text: str) -> bool:
    """
    Whether a text can be a part of a URL and the name of a file: no separator, control character, first dot.
    """
    is_name = re.fullmatch(r"(?!\.)[^/\\?#%\x00-\x1f\x7f-\x9f\u2028\u2029]+", text) is not None
    return is_name and len(text.encode(errors="replace")) <= MAX_SEGMENT_SIZE


def parse_url(url: str) -> SplitResult:
    """The parts of a URL; one that is not valid, such as https://[x (RFC 3986, 3.2.2), is a path alone."""
    return urlsplit(url) if is_valid_url(url) else SplitResult("", "", url, "", "")


def is_valid_url(url: str) -> bool:
    """Whether the host of a URL can be parsed."""
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


@cache_texts
def is_safe_url(url: str) -> bool:
    """
    Whether a URL may be linked: it is valid, and it is relative or its scheme cannot run code.

    Source: OWASP, Cross Site Scripting Prevention Cheat Sheet, on javascript: and data: URLs.
    """
    scheme = url_scheme(url)
    return (not scheme or scheme in ALLOWED_SCHEMES) and is_valid_url(url)


_DOMAINS = "com|org|net|edu|gov|io|dev|ai|info|eu|uk|de|fr|ch|at|it|nl|jp|cn|ca|au"
_HOST = rf"www\.|[\w-]+(?:\.[\w-]+)*\.(?:{_DOMAINS})(?:/|$)"
"""www., or the name of a host with a usual ending: example.org/."""


def is_bare_host_url(url: str) -> bool:
    """Whether a URL begins with a host name and has no https://."""
    return re.match(_HOST, url) is not None


def is_local_file_url(url: str) -> bool:
    """Whether a URL names a source file: no scheme, no absolute path, no query or fragment alone."""
    return bool(url) and not url_scheme(url) and not url.startswith(("/", "#", "?"))


def is_video_file(url: str) -> bool:
    """Whether a URL names a video of the site, which its pages can play; that of another host cannot."""
    is_named = url.casefold().endswith(VIDEO_SUFFIXES)  # also "Talk #2.mp4"
    return not url_scheme(url) and (is_named or re.split("[?#]", url)[0].casefold().endswith(VIDEO_SUFFIXES))


_COLON_IN_NAME = rf"[^/\\@]*: ?[^/\\@]*(?:{IMAGE_PATTERN}|{VIDEO_PATTERN}|\.(?:pdf|zip|pptx?|docx?|key))"
"""The name of a file with a colon, which is no scheme: Looms: a survey.pdf."""


def quote_colon(text: str) -> str:
    """
    The URL of a file whose name has a colon, so that no scheme is read from it; other texts are unchanged.

    "Talk: part 1.pdf" -> "Talk%3A%20part%201.pdf"
    """
    return quote(text) if re.fullmatch(_COLON_IN_NAME, text, re.IGNORECASE) else text


def suggest_safe_url(url: str) -> str:
    """The repair for a URL that may not be linked: htps://a.org -> write https://a.org."""
    scheme = url_scheme(url)
    if not is_valid_url(url):
        return "correct the host after //"
    # C:\talks\loom.pdf
    if len(scheme) == 1 or scheme == "file":
        file_name = re.split(r"[\\/]", url.strip())[-1]
        return f"put the file into content/files/, and write files/{file_name}"
    close_schemes = difflib.get_close_matches(scheme, ("https", "http", "mailto"), n=1)
    if close_schemes:
        return f"write {close_schemes[0]}:{url.partition(':')[2]}"
    return "write an https:// address"


_EMAIL = r"""(?x)
    (?: mailto: | [^<>@]* < )? \s*                   # "mailto:", or a name as in "Ada <ada@example.edu>"
    (?P<address> [^\s<>{}()@:,;/]+ @ [\w-]+ (?: \. [\w-]+ )+ )
    \s* >?
"""


EmailAddress = NewType("EmailAddress", str)
"""An e-mail address; a text that is none stays as written, and is shown without a link."""


def parse_email(text: str) -> EmailAddress:
    """
    The e-mail address of a text that is one; "" if it is none.

    "Ada <ada@example.edu>", "ada at example.edu", "ada [at] example [dot] edu" -> "ada@example.edu"
    """
    # people write "at" and "dot" to hide an address from robots; the site does that itself
    line = " ".join(text.split())
    plain = re.sub(r"(?i) ?[(\[] ?at ?[)\]] ?| at ", "@", line)
    plain = re.sub(r"(?i) ?[(\[] ?dot ?[)\]] ?| dot ", ".", plain)
    match = re.fullmatch(_EMAIL, line) or re.fullmatch(_EMAIL, plain)
    return EmailAddress(match["address"] if match else "")


def read_email_url(url: str) -> str:
    """The address of a URL, "" if it has none: mailto:ada@example.edu?subject=Hello -> ada@example.edu"""
    scheme, _, address = url.partition(":")
    return address.partition("?")[0] if scheme == "mailto" else ""


def email_url(text: str) -> str:
    """The mailto: URL of an e-mail address; "" for a text that is none."""
    address = parse_email(text)
    return f"mailto:{address}" if address else ""


_ORCID = r"(?i)(?:https?:/{1,2}(?:www\.)?)?(?:orcid\.org/|orcid:\s*)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?"
"""An iD, or its URL; a shell or a path may have removed one of the slashes after "https:"."""


def parse_orcid(text: str) -> str:
    """
    The ORCID iD of a text that is an iD or its URL; "" for another text, and for a wrong check digit.

    Source of the check digit: ISO 7064, MOD 11-2.
    """
    match = re.fullmatch(_ORCID, text.strip())
    if match is None:
        return ""

    orcid = match[1].upper()
    total = 0
    for digit in orcid[:-1].replace("-", ""):
        total = (total + int(digit)) * 2
    return orcid if orcid[-1] == "0123456789X"[(12 - total % 11) % 11] else ""


def is_orcid_like(text: str) -> bool:
    """Whether a text has the form of an ORCID iD, with a check digit that may be wrong."""
    return re.fullmatch(_ORCID, text.strip()) is not None
