"""Converts the text of Jekyll pages to Markdown: Liquid, kramdown attributes, HTML and local URLs."""

import html
import re
from collections.abc import Mapping
from typing import Self
from urllib.parse import unquote

from tenure.importers.session import ImportSession
from tenure.importers.source_folder import normalize_old_url
from tenure.markdown.html_tags import strip_tags
from tenure.model.links import is_safe_url
from tenure.record import Record, field, replace

_COMMENT_BLOCK = re.compile(r"<!--.*?-->|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL)
_URL_FILTER = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url\s*\|\s*append:\s*)?['\"]([^'\"]*)['\"]\s*(?:\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)\s*)+-?\}\}"
)
_EMPTY_LIQUID = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url|base_path)(?:\s*\|[^}]*)?\s*-?\}\}|\{%-?\s*include\s+(?:base_path|toc(?:\.html)?)\s*-?%\}"
)
"""Liquid that prints the base URL, or generates what Tenure generates by default."""

_FIGURE_INCLUDE = re.compile(r"\{%-?\s*include\s+figure\.(?:html|liquid)\s+(.*?)-?%\}", re.DOTALL)
_MEDIA_INCLUDE = re.compile(r"\{%-?\s*include\s+(?:video|audio)\.(?:html|liquid)\s+(.*?)-?%\}", re.DOTALL)
_CITE_TAG = re.compile(r"\{%-?\s*cite\s+([^%]*?)\s*-?%\}")
_HIGHLIGHT_BLOCK = re.compile(
    r"\{%-?\s*highlight\s+(\w+)[^%]*%\}\n?(.*?)\n?\{%-?\s*endhighlight\s*-?%\}", re.DOTALL
)
_RAW_TAG = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_LIQUID_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_KRAMDOWN_ATTRIBUTES = re.compile(r"\{:[^}\n]*\}")
_INCLUDE_PARAMETER = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)")
_ACTIVE_ELEMENT = re.compile(
    r"<(script|style|iframe|form|object|embed)\b.*?(?:</\1\s*>|/>|\Z)", re.DOTALL | re.IGNORECASE
)
_LINK_TARGET = r"\(\s*<?((?:[^()\"<>]|\([^()]*\))*?)>?(?:\s+[\"'][^\"')]*[\"'])?\s*\)"
_MARKDOWN_IMAGE = re.compile(r"!\[([^\]]*)\]" + _LINK_TARGET)
_MARKDOWN_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]" + _LINK_TARGET)
_HTML_IMAGE = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?([^\"'\s<>]+)[^<>]*>", re.IGNORECASE)
_HTML_LINK = re.compile(
    r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'<>]*?)[\"']?(?:\s[^<>]*)?>(.*?)</a\s*>", re.DOTALL | re.IGNORECASE
)
_LINK_DEFINITION = re.compile(r"^ {0,3}\[([^\]^]+)\]:\s*(\S+).*$", re.MULTILINE)
_CITATION = re.compile(r"\[@(?!\w+:)([^\]\s]*)")
_EMPHASIS_MARKS: Mapping[str, str] = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_GENERATING_TAG = re.compile(r"\{%-?\s*(?:for|bibliography|assign|case|if)\b")


def is_made_by_liquid(body: str) -> bool:
    """Whether Liquid generates a page from the site's data."""
    return _GENERATING_TAG.search(body) is not None


class SourceTextConverter(Record):
    """
    Converts the texts of one site to Markdown.

    `new_urls` maps old to new URLs; `citable_keys` are the bibliography's keys; `folders` are searched for files.
    """

    session: ImportSession
    new_urls: Mapping[str, str] = field(default_factory=dict)
    citable_keys: frozenset[str] = frozenset()
    site_url: str = ""
    folders: tuple[str, ...] = ("", "assets/img")

    def convert_line(self, text: str, location: str) -> str:
        """Convert a title or another short text to one line of Markdown."""
        line_markdown = html.unescape(self._convert_inline_html(self.convert_body(text, location)))
        return " ".join(line_markdown.split())

    def to_plain_text(self, text: str) -> str:
        """Return a text without markup."""
        text = strip_tags(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(text)), " ")
        text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)|\{\{.*?\}\}|\\(?=\W)", "", text)
        return " ".join(text.split()).replace(" ,", ",").strip(" ,")

    def convert_inner_text(self, text: str, location: str) -> str:
        """Convert a text within an entry: to one line, or to several if the text has several."""
        is_multiline = "\n" in text.strip()
        return self.convert_body(text, location) if is_multiline else self.convert_line(text, location)

    def convert_body(self, text: str, location: str) -> str:
        """Convert the text of a page to Markdown."""
        text = self._convert_template_tags(_COMMENT_BLOCK.sub("", text), location)
        if _KRAMDOWN_ATTRIBUTES.search(text):
            text = _KRAMDOWN_ATTRIBUTES.sub("", text)
            self.session.record_converted(location, "attributes of kramdown ({: …}) were removed")
        for match in _ACTIVE_ELEMENT.finditer(text):
            self.session.record_skipped(location, f"<{match[1]}>: {' '.join(match[0].split())[:90]}")
        text = _ACTIVE_ELEMENT.sub("", text)
        text = _HTML_LINK.sub(lambda m: self._convert_link(m[2], m[1], location, m[0]), text)
        text = _HTML_IMAGE.sub(
            lambda m: self._convert_image(m[1], _read_alt_text(m[0]), location, m[0]), text
        )
        text = _MARKDOWN_IMAGE.sub(lambda m: self._convert_image(m[2], m[1], location, m[0]), text)
        text = _MARKDOWN_LINK.sub(lambda m: self._convert_link(m[1], m[2], location, m[0]), text)
        text = _LINK_DEFINITION.sub(lambda m: self._convert_definition(m, location), text)
        text = _CITATION.sub(lambda m: m[0] if m[1] in self.citable_keys else f"\\{m[0]}", text)
        text = re.sub(r"[ \t]*\\\\[ \t]*$", "  ", text, flags=re.MULTILINE)
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def resolve_url(self, source_url: str, location: str) -> str:
        """Return the new URL of a link: the external URL, a copied file or a page; else "", and reported as skipped."""
        url = html.unescape(source_url.strip())
        if self.site_url and url.startswith(self.site_url):
            url = "/" + url.removeprefix(self.site_url).lstrip("/")
        if re.match(r"(?:[a-z][a-z0-9+.-]*:|//)", url, re.IGNORECASE):
            url = re.sub(r"\s", "%20", f"https:{url}" if url.startswith("//") else url)
            return url if is_safe_url(url) and url.split(":", 1)[1].strip("/") else ""
        if not url or url.startswith("#"):
            return ""
        path = unquote(url.partition("#")[0].partition("?")[0])
        new_url = self.new_urls.get(normalize_old_url(path)) or self.import_file(path)
        if not new_url:
            reason = "which is neither a file of the source nor an imported page"
            self.session.record_skipped(location, f"a link to {url}, {reason}")
        return new_url

    def import_file(self, name: str) -> str:
        """Copy a source file, searched in `folders`, and return its new path; "" if not found."""
        return self.session.copy_first_file(f"{folder}/{name.lstrip('/')}" for folder in self.folders)

    def with_folders(self, *folders: str) -> Self:
        """Return a converter that searches these folders for files first."""
        return replace(self, folders=(*folders, *self.folders))

    def _convert_link(self, label: str, source_url: str, location: str, source: str) -> str:
        """Return the link with its new URL, as HTML or Markdown like the source (it may be in an HTML block); else its label."""
        url = self.resolve_url(source_url, location)
        if not url or not label.strip():
            return label
        return f'<a href="{html.escape(url)}">{label}</a>' if source.startswith("<") else f"[{label}]({url})"

    def _convert_image(self, source_url: str, alt_text: str, location: str, source: str) -> str:
        url = self.resolve_url(source_url, location)
        if not url:
            return ""
        if source.startswith("<"):
            return f'<img src="{html.escape(url)}" alt="{html.escape(alt_text)}">'
        return f"![{alt_text}]({url})"

    def _convert_definition(self, match: re.Match[str], location: str) -> str:
        url = self.resolve_url(match[2], location)
        return f"[{match[1]}]: {url or 'https://example.org/'}" if url else ""

    def _convert_template_tags(self, text: str, location: str) -> str:
        text = _URL_FILTER.sub(r"\1", text)
        text = _EMPTY_LIQUID.sub("", text)
        text = _FIGURE_INCLUDE.sub(lambda m: self._convert_figure(_parse_parameters(m[1]), location), text)
        text = _MEDIA_INCLUDE.sub(lambda m: self._convert_video(_parse_parameters(m[1]), location), text)
        text = _CITE_TAG.sub(lambda m: self._convert_citation(m[1].split(), location), text)
        text = _RAW_TAG.sub("", _HIGHLIGHT_BLOCK.sub(r"\n```\1\n\2\n```\n", text))
        for match in _LIQUID_TAG.finditer(text):
            self.session.record_skipped(location, f"Liquid: {' '.join(match[0].split())[:90]}")
        return _LIQUID_TAG.sub("", text)

    def _convert_figure(self, parameters: Mapping[str, str], location: str) -> str:
        path = parameters.get("path", "")
        alt_text = parameters.get("caption") or parameters.get("alt") or parameters.get("title", "")
        self.session.record_converted(location, f"a figure of al-folio, {path}, became a Markdown image")
        return f"![{alt_text}]({path})" if path else ""

    def _convert_video(self, parameters: Mapping[str, str], location: str) -> str:
        path = parameters.get("path", "")
        self.session.record_converted(location, f"a video of al-folio, {path}, became a link")
        return f"[{parameters.get('title') or path.rpartition('/')[2]}]({path})" if path else ""

    def _convert_citation(self, keys: list[str], location: str) -> str:
        keys = [key for key in keys if not key.startswith("--")]
        unknown_keys = [key for key in keys if key not in self.citable_keys]
        if unknown_keys:
            description = f"citations of works that no .bib file has: {', '.join(unknown_keys)}"
            self.session.record_skipped(location, description)
        references = [f"@{key}" for key in keys if key in self.citable_keys]
        return f"[{'; '.join(references)}]" if references else ""

    def _convert_inline_html(self, text: str) -> str:
        """Convert the inline HTML tags of a line to Markdown and remove other tags."""
        text = _HTML_LINK.sub(r"[\2](\1)", re.sub(r"<br\s*/?>|</p>", " ", text))
        return re.sub(r"</?(\w+)[^>]*>", lambda m: _EMPHASIS_MARKS.get(m[1].casefold(), ""), text)


def _parse_parameters(source: str) -> dict[str, str]:
    return {name: value.strip("\"'") for name, value in _INCLUDE_PARAMETER.findall(source)}


def _read_alt_text(tag_html: str) -> str:
    match = re.search(r"\balt\s*=\s*[\"']([^\"']*)", tag_html)
    return match[1] if match else ""
