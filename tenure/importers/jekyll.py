"""Converts the text of Jekyll pages to Markdown: Liquid, kramdown attributes, HTML and local URLs."""

import html
import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Self
from urllib.parse import unquote

from tenure.frozen import dataclass
from tenure.importers.gathering import Gathering
from tenure.importers.places import bare_address
from tenure.model.links import is_safe

_COMMENT = re.compile(r"<!--.*?-->|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL)
_ADDRESS = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url\s*\|\s*append:\s*)?['\"]([^'\"]*)['\"]\s*(?:\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)\s*)+-?\}\}"
)
_NOTHING = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url|base_path)(?:\s*\|[^}]*)?\s*-?\}\}|\{%-?\s*include\s+(?:base_path|toc(?:\.html)?)\s*-?%\}"
)
"""Liquid that prints the base URL, or generates what Tenure generates by default."""

_FIGURE = re.compile(r"\{%-?\s*include\s+figure\.(?:html|liquid)\s+(.*?)-?%\}", re.DOTALL)
_VIDEO = re.compile(r"\{%-?\s*include\s+(?:video|audio)\.(?:html|liquid)\s+(.*?)-?%\}", re.DOTALL)
_CITE = re.compile(r"\{%-?\s*cite\s+([^%]*?)\s*-?%\}")
_HIGHLIGHT = re.compile(
    r"\{%-?\s*highlight\s+(\w+)[^%]*%\}\n?(.*?)\n?\{%-?\s*endhighlight\s*-?%\}", re.DOTALL
)
_RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_ATTRIBUTES = re.compile(r"\{:[^}\n]*\}")
_PARAMETER = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)")
_MACHINERY = re.compile(
    r"<(script|style|iframe|form|object|embed)\b.*?(?:</\1\s*>|/>|\Z)", re.DOTALL | re.IGNORECASE
)
_TARGET = r"\(\s*<?((?:[^()\"<>]|\([^()]*\))*?)>?(?:\s+[\"'][^\"')]*[\"'])?\s*\)"
_PICTURE = re.compile(r"!\[([^\]]*)\]" + _TARGET)
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]" + _TARGET)
_IMG = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?([^\"'\s<>]+)[^<>]*>", re.IGNORECASE)
_A = re.compile(
    r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'<>]*?)[\"']?(?:\s[^<>]*)?>(.*?)</a\s*>", re.DOTALL | re.IGNORECASE
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\]^]+)\]:\s*(\S+).*$", re.MULTILINE)
_MARKS: Mapping[str, str] = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_HEAVY = re.compile(r"\{%-?\s*(?:for|bibliography|assign|case|if)\b")


def is_made_by_liquid(body: str) -> bool:
    """Whether Liquid generates a page from the site's data."""
    return _HEAVY.search(body) is not None


@dataclass(frozen=True, slots=True)
class Texts:
    """
    Converts the texts of one site to Markdown.

    `new_urls` maps old to new URLs; `citable_keys` are the bibliography's keys; `folders` are searched for files.
    """

    gathering: Gathering
    pages: Mapping[str, str] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    url: str = ""
    folders: tuple[str, ...] = ("", "assets/img")

    def line(self, words: str, place: str) -> str:
        """Convert a title or another short text to one line of Markdown."""
        made = html.unescape(self._light(self.body(words, place)))
        return " ".join(made.split())

    def plain(self, words: str) -> str:
        """Return a text without markup."""
        bare = re.sub(r"<[^>]*>", " ", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(words)))
        return (
            " ".join(re.sub(r"\*+|(?<!\w)_+|_+(?!\w)|\{\{.*?\}\}|\\(?=\W)", "", bare).split())
            .replace(" ,", ",")
            .strip(" ,")
        )

    def inner(self, words: str, place: str) -> str:
        """Convert a text within an entry: to one line, or to several if the text has several."""
        return self.body(words, place) if "\n" in words.strip() else self.line(words, place)

    def body(self, text: str, place: str) -> str:
        """Convert the text of a page to Markdown."""
        text = self._tags(_COMMENT.sub("", text), place)
        if _ATTRIBUTES.search(text):
            text = _ATTRIBUTES.sub("", text)
            self.gathering.changed(place, "attributes of kramdown ({: …}) were removed")
        for found in _MACHINERY.finditer(text):
            self.gathering.left(place, f"<{found[1]}>: {' '.join(found[0].split())[:90]}")
        text = _A.sub(lambda m: self._anchor(m[2], m[1], place, m[0]), _MACHINERY.sub("", text))
        text = _IMG.sub(lambda m: self._picture(m[1], _alt(m[0]), place, m[0]), text)
        text = _PICTURE.sub(lambda m: self._picture(m[2], m[1], place, m[0]), text)
        text = _LINK.sub(lambda m: self._anchor(m[1], m[2], place, m[0]), text)
        text = _DEFINITION.sub(lambda m: self._definition(m, place), text)
        text = re.sub(r"\[@(?!\w+:)([^\]\s]*)", lambda m: m[0] if m[1] in self.keys else f"\\{m[0]}", text)
        text = re.sub(r"[ \t]*\\\\[ \t]*$", "  ", text, flags=re.MULTILINE)
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def address(self, written: str, place: str) -> str:
        """Return the new URL of a link: the external URL, a copied file or a page; else "", and reported as skipped."""
        address = html.unescape(written.strip())
        if self.url and address.startswith(self.url):
            address = "/" + address.removeprefix(self.url).lstrip("/")
        if re.match(r"(?:[a-z][a-z0-9+.-]*:|//)", address, re.IGNORECASE):
            address = re.sub(r"\s", "%20", f"https:{address}" if address.startswith("//") else address)
            return address if is_safe(address) and address.split(":", 1)[1].strip("/") else ""
        if not address or address.startswith("#"):
            return ""
        bare = unquote(address.partition("#")[0].partition("?")[0])
        page = self.pages.get(bare_address(bare))
        found = page or self.file(bare)
        if not found:
            self.gathering.left(
                place, f"a link to {address}, which is neither a file of the source nor an imported page"
            )
        return found

    def file(self, name: str) -> str:
        """Copy a source file, searched in `folders`, and return its new path; "" if not found."""
        names = (f"{folder}/{name.lstrip('/')}" for folder in self.folders)
        return next((found for path in names if (found := self.gathering.copy(path))), "")

    def at(self, *folders: str) -> Self:
        """Return a converter that searches these folders for files first."""
        return replace(self, folders=(*folders, *self.folders))

    def _anchor(self, words: str, written: str, place: str, whole: str) -> str:
        """Return the link with its new URL, as HTML or Markdown like the source (it may be in an HTML block); else its label."""
        address = self.address(written, place)
        if not address or not words.strip():
            return words
        return (
            f'<a href="{html.escape(address)}">{words}</a>'
            if whole.startswith("<")
            else f"[{words}]({address})"
        )

    def _picture(self, written: str, words: str, place: str, whole: str) -> str:
        address = self.address(written, place)
        if not address:
            return ""
        if whole.startswith("<"):
            return f'<img src="{html.escape(address)}" alt="{html.escape(words)}">'
        return f"![{words}]({address})"

    def _definition(self, found: re.Match[str], place: str) -> str:
        address = self.address(found[2], place)
        return f"[{found[1]}]: {address or 'https://example.org/'}" if address else ""

    def _tags(self, text: str, place: str) -> str:
        text = _ADDRESS.sub(r"\1", text)
        text = _NOTHING.sub("", text)
        text = _FIGURE.sub(lambda m: self._figure(_parameters(m[1]), place), text)
        text = _VIDEO.sub(lambda m: self._video(_parameters(m[1]), place), text)
        text = _CITE.sub(lambda m: self._cited(m[1].split(), place), text)
        text = _RAW.sub("", _HIGHLIGHT.sub(r"\n```\1\n\2\n```\n", text))
        for found in _TAG.finditer(text):
            self.gathering.left(place, f"Liquid: {' '.join(found[0].split())[:90]}")
        return _TAG.sub("", text)

    def _figure(self, given: Mapping[str, str], place: str) -> str:
        path = given.get("path", "")
        words = given.get("caption") or given.get("alt") or given.get("title", "")
        self.gathering.changed(place, f"a figure of al-folio, {path}, became a Markdown image")
        return f"![{words}]({path})" if path else ""

    def _video(self, given: Mapping[str, str], place: str) -> str:
        path = given.get("path", "")
        self.gathering.changed(place, f"a video of al-folio, {path}, became a link")
        return f"[{given.get('title') or path.rpartition('/')[2]}]({path})" if path else ""

    def _cited(self, keys: list[str], place: str) -> str:
        keys = [key for key in keys if not key.startswith("--")]
        lost = [key for key in keys if key not in self.keys]
        if lost:
            self.gathering.left(place, f"citations of works that no .bib file has: {', '.join(lost)}")
        kept = [f"@{key}" for key in keys if key in self.keys]
        return f"[{'; '.join(kept)}]" if kept else ""

    def _light(self, text: str) -> str:
        """Convert the inline HTML tags of a line to Markdown and remove other tags."""
        text = _A.sub(r"[\2](\1)", re.sub(r"<br\s*/?>|</p>", " ", text))
        return re.sub(r"</?(\w+)[^>]*>", lambda m: _MARKS.get(m[1].casefold(), ""), text)


def _parameters(written: str) -> dict[str, str]:
    return {name: value.strip("\"'") for name, value in _PARAMETER.findall(written)}


def _alt(tag: str) -> str:
    found = re.search(r"\balt\s*=\s*[\"']([^\"']*)", tag)
    return found[1] if found else ""
