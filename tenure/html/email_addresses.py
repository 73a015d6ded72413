"""E-mail addresses on a finished page, written so that most programs that collect them do not find them."""

import re

from tenure.markdown.html_tags import iterate_tags

_DOMAIN = r"[\w-]+(?:\.[\w-]+)*\.[^\W\d_][\w-]+"
"""A domain, whose last label begins with a letter: uni.example.edu, and not 0.16.9 of katex@0.16.9."""

_ADDRESS = re.compile(rf"(?:mailto:)?(?<![\w.%+-])[\w.%+-]++@{_DOMAIN}", re.IGNORECASE)
_SIGN = re.compile(rf"@(?<=[\w.%+-]@)(?={_DOMAIN})")
"""The sign of an address. A pattern that begins with a sign is found fast: most pages have no address."""


def encode_addresses(markup: str) -> str:
    """
    A page with the addresses in its texts as character references, and an escaped sign in JSON.

    A script that runs stays as it is, because the policy of the page has its digest.
    """
    if not _SIGN.search(markup):
        return markup
    parts: list[str] = []
    position = 0
    for tag in iterate_tags(markup, "script", "style"):
        is_json = "json" in tag.attributes_text
        parts.append(_write_references(markup[position : tag.start]))
        parts.append(escape_addresses(tag.text) if is_json else tag.text)
        position = tag.start + len(tag.text)
    return "".join(parts) + _write_references(markup[position:])


def escape_addresses(script: str) -> str:
    r"""JSON or JavaScript with escaped addresses: "ada@example.edu" -> "ada\u0040example.edu"."""
    return _SIGN.sub(r"\\u0040", script)


def _write_references(markup: str) -> str:
    """Each character of an address as a character reference: a@b.edu -> &#x61;&#64;&#98;…"""

    def write(address: re.Match[str]) -> str:
        characters = enumerate(map(ord, address[0]))
        return "".join(f"&#{code};" if index % 3 else f"&#x{code:x};" for index, code in characters)

    return _ADDRESS.sub(write, markup)
