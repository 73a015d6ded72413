"""Converts the text of Hugo pages to Markdown: shortcodes, and URLs of pages and files."""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping

from tenure.importers.liquid_includes import VIDEO_URLS, format_figure, format_note
from tenure.importers.session import join_filled
from tenure.importers.source_folder import normalize_old_url
from tenure.importers.text_converter import SourceTextConverter
from tenure.record import Record, field

_SHORTCODE = re.compile(
    r"\{\{[<%]-?\s*(?P<close>/?)\s*(?P<name>[\w/-]+)(?P<given>(?:(?!\{\{).)*?)/?\s*-?[>%]\}\}", re.DOTALL
)
_SHORTCODE_PARAMETER = re.compile(r"(?:([\w-]+)\s*=\s*)?(\"[^\"]*\"|'[^']*'|`[^`]*`|[^\s\"']+)")
_WRITTEN_SHORTCODE = re.compile(
    r"\{(?P<open>\{[<%])/\*(?P<hugo>(?:(?!\{\{[<%]/\*).)*?)\*/(?P<close>[>%]\})\}|\{\{(?P<quarto>\{[<%](?:(?!\{\{\{).)*?[>%]\})\}\}",
    re.DOTALL,
)
"""A shortcode that a text shows: {{</* ref */>}} of Hugo, {{{< var >}}} of Quarto."""
_ALERT_TYPES: Mapping[str, str] = {
    "warning": "WARNING",
    "tip": "TIP",
    "important": "IMPORTANT",
    "danger": "CAUTION",
}
_LAYOUT_SHORTCODES = frozenset(
    ["math", "lead", "keywordlist", "hl", "block", "toc", "icon", "anchor", "row", "column", "br", "fa", "fab", "fas", "far",
     "bi", "ai", "iconify", "cards", "pagebreak"]
)  # fmt: skip
"""Shortcodes that change only the appearance, or whose content is used unchanged."""


_HIDDEN_BRACE = "\ue002"


class _OpenShortcode(Record):
    """A shortcode that is not closed yet, with the text read within it so far."""

    name: str
    parameters: Mapping[str, str]
    source: str
    chunks: list[str]


class HugoTextConverter(SourceTextConverter):
    """
    Converts the texts of a Hugo site to Markdown.

    `keys_by_folder` has the keys of publications by the names of their folders; `page_url` is the old URL of the page.
    """

    keys_by_folder: Mapping[str, str] = field(default_factory=dict)
    page_url: str = ""

    def _find_new_url(self, path: str) -> str:
        """The new URL of a page, also named from the old URL of the page with the link; else ""."""
        url = normalize_old_url(posixpath.normpath(posixpath.join(self.page_url, path)))
        return super()._find_new_url(path) or self.new_urls.get(url.casefold(), "")

    def _convert_template_tags(self, text: str, location: str) -> str:
        text = _WRITTEN_SHORTCODE.sub(_hide_shortcode, text)
        text = re.sub(
            r"\(\s*(\{\{[<%][^(){}]*[>%]\}\})\s*\)",
            lambda m: f"({_SHORTCODE.sub(self._convert_link_target, m[1]).strip()})",
            text,
        )
        closing_counts = Counter(tag["name"] for tag in _SHORTCODE.finditer(text) if tag["close"])
        open_shortcodes: list[_OpenShortcode] = [_OpenShortcode("", {}, "", [])]
        last_end = 0
        for tag in _SHORTCODE.finditer(text):
            open_shortcodes[-1].chunks.append(text[last_end : tag.start()])
            last_end = tag.end()
            name = tag["name"]
            if tag["close"]:
                closing_counts[name] -= 1
                self._close_shortcode(open_shortcodes, name, location)
                continue
            open_shortcodes.append(_OpenShortcode(name, _parse_parameters(tag["given"]), tag[0], []))
            if closing_counts[name] <= 0:
                self._flatten_unclosed(open_shortcodes, len(open_shortcodes) - 1, location)
        open_shortcodes[-1].chunks.append(text[last_end:])
        self._flatten_unclosed(open_shortcodes, 1, location)
        return "".join(open_shortcodes[0].chunks).replace(_HIDDEN_BRACE, "{")

    def _close_shortcode(self, open_shortcodes: list["_OpenShortcode"], name: str, location: str) -> None:
        """Close the innermost open shortcode of a name; unclosed shortcodes within it count as single ones."""
        depths = range(len(open_shortcodes) - 1, 0, -1)
        index = next((depth for depth in depths if open_shortcodes[depth].name == name), 0)
        if index:
            self._flatten_unclosed(open_shortcodes, index + 1, location)
            parameters, chunks = open_shortcodes[-1].parameters, open_shortcodes.pop().chunks
            text = self._convert_paired_shortcode(name, parameters, "".join(chunks), location)
            open_shortcodes[-1].chunks.append(text)

    def _flatten_unclosed(
        self, open_shortcodes: list["_OpenShortcode"], max_depth: int, location: str
    ) -> None:
        while len(open_shortcodes) > max_depth:
            tag = open_shortcodes.pop()
            text = self._convert_single_shortcode(tag.name, tag.parameters, location, tag.source)
            open_shortcodes[-1].chunks.extend([text, *tag.chunks])

    def _convert_link_target(self, match: re.Match[str]) -> str:
        """Return the URL of a shortcode that is the target of a Markdown link."""
        parameters = _parse_parameters(match["given"])
        if match["name"] in ("ref", "relref", "staticref", "absurl", "relurl"):
            target = parameters.get("0") or parameters.get("path", "")
            path = re.sub(r"(?:/?_?index)?(?:\.\w\w)?\.md(?=#|$)", "", target)
            is_url = path.startswith(("http", "#")) or match["name"] == "staticref"
            return path if is_url else f"/{path.lstrip('/').casefold()}"
        return match[0]

    def _convert_paired_shortcode(
        self, name: str, parameters: Mapping[str, str], inner_markdown: str, location: str
    ) -> str:
        """Convert a shortcode with opening and closing tag to Markdown."""
        shortcode_type = name.casefold()
        text = inner_markdown.strip()
        if shortcode_type in ("callout", "alert", "notice", "admonition"):
            alert_type = parameters.get("0") or parameters.get("type", "note")
            return format_note(_ALERT_TYPES.get(alert_type.casefold(), "NOTE"), text)
        if shortcode_type == "staticref":
            return f"[{text}]({parameters.get('0', '')})"
        if shortcode_type in ("spoiler", "details"):
            return f"\n\n**{parameters.get('text') or parameters.get('0', '')}**\n\n{text}\n\n"
        if shortcode_type == "highlight":
            return f"\n```{parameters.get('0', '')}\n{text}\n```\n"
        if shortcode_type == "keyword":
            return f"\n- {text}"
        if shortcode_type == "button":
            return f"[{text}]({_find_button_url(parameters)})"
        if shortcode_type == "hl":
            return f"**{text}**"
        if shortcode_type not in _LAYOUT_SHORTCODES:
            self.session.record_converted(location, f"the shortcode {name} was removed; its content is kept")
        return inner_markdown

    def _convert_single_shortcode(
        self, name: str, parameters: Mapping[str, str], location: str, source: str
    ) -> str:
        """Convert a shortcode without a closing tag to Markdown."""
        shortcode_type, first_value = name.casefold(), parameters.get("0", "")
        if shortcode_type in ("figure", "img", "image"):
            caption = parameters.get("caption") or parameters.get("title", "")
            path = parameters.get("src") or first_value
            return format_figure(path, parameters.get("alt") or caption, caption)
        if shortcode_type in VIDEO_URLS:
            reason = "because pages make no third-party requests"
            self.session.record_converted(location, f"a video of {name} became a link, {reason}")
            url = VIDEO_URLS[shortcode_type].format(parameters.get("id") or first_value)
            return f"[{parameters.get('title') or name.capitalize()}]({url})"
        if shortcode_type in ("video", "audio"):
            media_path = parameters.get("src") or first_value
            self.session.record_converted(location, f"{name} {media_path} is a link")
            return f"[{parameters.get('title') or media_path.rpartition('/')[2]}]({media_path})"
        link = _convert_link_shortcode(shortcode_type, parameters)
        if link:
            return link
        if shortcode_type == "cite":
            folder = (parameters.get("page") or first_value).strip("/").rpartition("/")[2].casefold()
            if folder in self.keys_by_folder:
                return f"[@{self.keys_by_folder[folder]}]"
        if shortcode_type.strip("/") not in _LAYOUT_SHORTCODES:
            self.session.record_skipped(location, f"a shortcode: {' '.join(source.split())[:90]}")
        return ""


def _hide_shortcode(match: re.Match[str]) -> str:
    """A shortcode that the text shows, with another character for its first brace."""
    inner = match["quarto"] or f"{match['open']}{match['hugo']}{match['close']}"
    return f"{_HIDDEN_BRACE}{inner}}}"


def _find_button_url(parameters: Mapping[str, str]) -> str:
    names = ("href", "url", "link", "0")
    return next((parameters[name] for name in names if name in parameters), "")


def _convert_link_shortcode(shortcode_type: str, parameters: Mapping[str, str]) -> str:
    """The link of a shortcode that is a button or a card, which is an item of a list; "" for other shortcodes."""
    if shortcode_type == "cta":
        return f"[{parameters.get('cta_text', '')}]({parameters.get('cta_link', '')})"
    if shortcode_type == "button" and parameters.get("text"):
        return f"[{parameters['text']}]({_find_button_url(parameters)})"
    if shortcode_type == "github" and parameters.get("repo"):
        return f"[{parameters['repo']}](https://github.com/{parameters['repo']})"
    if shortcode_type != "card":
        return ""
    title, url = parameters.get("title", ""), _find_button_url(parameters)
    heading = f"[{title}]({url})" if url and title else title
    return f"\n- {join_filled(heading, parameters.get('subtitle', ''), separator=': ')}"


def _parse_parameters(source: str) -> dict[str, str]:
    """Return parameters by name; positional ones by number, from 0."""
    parameters: dict[str, str] = {}
    for name, value in _SHORTCODE_PARAMETER.findall(source or ""):
        parameters[name or str(sum(key.isdecimal() for key in parameters))] = value.strip("\"'`")
    return parameters
