"""
The identifiers of a publication: its DOI and its arXiv number, and the address of each.

`parse_doi` and `parse_arxiv` read a text that is an identifier, in any spelling; `find_doi` and `find_arxiv`
find the first one in a text. All give "" if there is none.

doi:10.1145/3600006 -> 10.1145/3600006; see https://arxiv.org/abs/hep-th/9901001 -> hep-th/9901001
"""

import html
import re
from urllib.parse import quote, unquote

_PREFIX = r"10\.\d{4,9}/"
"""The beginning of a DOI: 10.1000/."""

DOI_PATTERN = rf"{_PREFIX}\S+"
"""A DOI in a longer pattern. Source: DOI Handbook, section 2.2."""

_WHOLE_DOI = rf"""(?xis)
    (?: doi:?\s*                                                   # doi: 10.1145/3600006
      | (?:https?://)?(?:[\w-]+\.)*doi\.[\w.-]+/(?:doi/)? )?       # https://doi.org/10.1145/3600006
    (?P<doi> {_PREFIX}\S+? )
    (?:[,;]\s.*)?                                                  # the first of several
"""
_DOI_IN_TEXT = rf"""(?x)
    \b{_PREFIX}
    (?: [^\s"'<>()\[\]{{}}?&\#]         # a URL may go on: ?download=true
      | \([^\s()]*\) | \[[^\s\[\]]*\]   # 10.1016/0304-3975(93)90224-R; a bracket around the DOI ends it
      | <\d[^\s<>]*>                    # 10.1002/1096-9128(200005)12:7<495::AID-CPE496>3.0.CO;2-W; no tag
      | (?<=;\d-)\# )+                  # the check character of such a DOI
    (?<![.,;:*])
"""
_END_OF_PAGE = r"""(?x)
    (?:(?<=[./]\d{6})|(?<=[./]\d{8})) v\d+ (?=[./]|$)      # a version of bioRxiv: 10.1101/2020.01.01.123456v1
  | (?:[./](?:abstract|epdf|full|html|meta|pdf))+ $        # …v1.full.pdf
"""
"""What the URL of a page or a file has after the DOI."""

_ARCHIVES = """
    acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs
    dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol
    physics plasm-ph q-alg q-bio quant-ph solv-int supr-con
"""
_OLD_NUMBER = rf"(?:{'|'.join(_ARCHIVES.split())})(?:\.[a-z]{{2}})?/\d{{7}}"
"""A number of arXiv before 2007: math/0501234."""

ARXIV_PATTERN = rf"(?:\d{{4}}\.\d{{4,5}}|{_OLD_NUMBER})(?:v\d+)?"
"""
In a longer pattern: 2405.01234v2; before April 2007 with its archive: hep-th/9901001, math.GT/0309136

Source: arXiv, "Understanding the arXiv identifier".
"""

_WHOLE_ARXIV = rf"""(?xi)
    (?: (?:https?://)?(?:(?:www|export)\.)?arxiv\.org/(?:abs|pdf)/     # https://arxiv.org/pdf/2405.01234.pdf
      | 10\.48550/arxiv\. | arxiv:\s* | abs/ )?
    (?P<number> {ARXIV_PATTERN} )
    (?: \.pdf | / | \s*\[[^\[\]]*\] )?                                # 2405.01234 [cs.DC]
"""
_ARXIV_IN_TEXT = rf"(?i)arxiv(?:\.org/(?:abs|html|pdf)/|\W+)(?P<number>{ARXIV_PATTERN})(?!\d)"
"""arXiv:2405.01234, https://arxiv.org/abs/2405.01234."""


def parse_doi(text: str) -> str:
    """The bare DOI of a text that is a DOI, its URL, or has "doi:" before it; "" for other texts."""
    if "10." not in text:
        return ""
    match = re.fullmatch(_WHOLE_DOI, unquote(text.strip()))
    return match["doi"] if match else ""


def find_doi(text: str) -> str:
    """The first DOI in a text, in Markdown, in HTML, or in the URL of a page; "" if there is none."""
    match = re.search(_DOI_IN_TEXT, unquote(html.unescape(text)).replace("\\", ""))
    return re.sub(_END_OF_PAGE, "", match[0]) if match else ""


def parse_arxiv(text: str) -> str:
    """The number of a text that is an arXiv number, its URL, or its DOI; "" for other texts."""
    match = re.fullmatch(_WHOLE_ARXIV, parse_doi(text) or text.strip())
    return match["number"] if match else ""


def find_arxiv(text: str) -> str:
    """The first number after the name of arXiv in a text or a URL; "" if there is none."""
    match = re.search(_ARXIV_IN_TEXT, text)
    return match["number"] if match else ""


def make_doi_url(doi: str) -> str:
    """The URL of a DOI; "" for ""."""
    return f"https://doi.org/{quote(doi, safe='/:;()+,=@!$*')}" if doi else ""


def make_arxiv_url(number: str) -> str:
    """The page of an arXiv number; "" for ""."""
    return f"https://arxiv.org/abs/{number}" if number else ""
