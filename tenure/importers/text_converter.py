"""Converts the text of Jekyll pages to Markdown: Liquid, kramdown attributes, HTML and local URLs."""

import html
import posixpath
import re
import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import Self
from urllib.parse import unquote

from tenure.importers.liquid_blocks import extract_static_text, remove_loops
from tenure.importers.liquid_includes import convert_includes, format_figure
from tenure.importers.profile import label_profile_link
from tenure.importers.session import ImportSession
from tenure.importers.source_folder import normalize_old_url
from tenure.importers.source_html import (
    close_raw_elements,
    is_active,
    is_hidden,
    list_anchors,
    remove_elements,
    remove_empty_elements,
    remove_unclosed_links,
    remove_unused_ids,
    rewrite_outside_code,
)
from tenure.markdown.html_tags import Tag, rewrite_tags, strip_tags
from tenure.model.links import is_safe_url
from tenure.record import Record, field, replace

_COMMENT_BLOCK = re.compile(
    r"(?P<unclosed><!--(?>(?:(?!-->).)*)\Z)|<!--.*?-->|\{%-?\s*comment\s*-?%\}(?:(?!\{%-?\s*comment\b).)*?\{%-?\s*endcomment\s*-?%\}",
    re.DOTALL,
)
_URL_FILTER = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url\s*\|\s*append:\s*)?['\"]([^'\"]*)['\"]\s*(?:\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)\s*)+-?\}\}"
)
_EMPTY_LIQUID = re.compile(
    r"\{\{-?\s*(?:site\.(?:base)?url|base_path)(?:\s*\|[^}]*)?\s*-?\}\}|\{%-?\s*include\s+(?:base_path|toc(?:\.html)?)\s*-?%\}"
)
"""Liquid that prints the base URL, or generates what Tenure generates by default."""


def print_liquid_urls(text: str) -> str:
    """The text with literal URLs in place of the tags of Liquid that print one, and without those that print the base URL."""
    return _EMPTY_LIQUID.sub("", _URL_FILTER.sub(r"\1", text))


_TEXT_INCLUDE = re.compile(r"\{%-?\s*include\s+([\w./-]+\.(?:md|markdown))\s*-?%\}")
_HTML_INCLUDE = re.compile(r"\{%-?\s*include\s+(?P<name>[\w./-]+\.(?:html|liquid))\s*-?%\}")
_THEME_INCLUDES = re.compile(
    r"head|foot|nav|menu|analytic|script|search|toc|comment|social|share|meta|seo|sidebar|author|profile|page__|paginat|pager|form"
    r"|base_path|archive|icon|cookie|math|lang|css|js|sort|filter|read|gallery|feature_row",
    re.IGNORECASE,
)
"""The names of includes that are a part of a theme."""

_SCRIPT = re.compile(r"<(script|style)\b[^<>]*>(?:(?!<script|<style)[^\x00])*?</\1\s*>", re.IGNORECASE)
_SITE_VALUE = re.compile(r"\{\{-?\s*site\.([\w.-]+?)\s*(?:\|\s*(?:markdownify|strip|escape)\s*)*-?\}\}")
_DETAILS = re.compile(
    r"\{%-?\s*details\s+((?:(?!%\}).)*?)\s*-?%\}\s*((?:(?!\{%-?\s*(?:end)?details\b)[^\x00])*?)\s*\{%-?\s*enddetails\s*-?%\}"
)
_PAGE_LINK = re.compile(r"\{%-?\s*(?:link\s+([^\s%]+)|post_url\s+([^\s%]+))\s*-?%\}")
_CITE_TAG = re.compile(r"\{%-?\s*cite\s+([^%{]*?)\s*-?%\}")
_HIGHLIGHT_BLOCK = re.compile(
    r"\{%-?\s*highlight\s+(\w+)[^%]*%\}\n?((?:(?!\{%-?\s*highlight\b).)*?)\n?\{%-?\s*endhighlight\s*-?%\}",
    re.DOTALL,
)
_RAW_TAG = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_LIQUID_TAG = re.compile(r"\{%(?:(?!\{%).)*?%\}|\{\{(?:(?!\{\{).)*?\}\}", re.DOTALL)
_KRAMDOWN_ATTRIBUTES = re.compile(r"\{:[^}\n]*\}")
_ATTRIBUTE = r"""(?:[.#][\w:.-]++|[\w-]++\s*+=\s*+(?:"[^"\n]*+"|'[^'\n]*+'|[^\s{}"'=]++))"""
_ATTRIBUTE_LIST = rf"\{{(?=[^{{}}\n]*[.=])\s*+{_ATTRIBUTE}(?>(?:\s++{_ATTRIBUTE})*)\s*+\}}"
_ATTRIBUTES_AFTER_ELEMENT = re.compile(
    rf"(?<=[)\]>]){_ATTRIBUTE_LIST}|^[ \t]*{_ATTRIBUTE_LIST}[ \t]*$|(?m:^(#{{1,6}}[ \t].*?)[ \t]*{_ATTRIBUTE_LIST}[ \t]*$)",
    re.MULTILINE,
)
"""Attributes of goldmark and Pandoc after a link, an image, a span or a heading, or alone in a line."""
_LINK_TARGET = r"\(\s*<?((?:[^()\"<>]|\([^()]*\))*?)>?(?:\s+[\"'][^\"')]*[\"'])?\s*\)"
_MARKDOWN_IMAGE = re.compile(
    r"!\[([^\]]{0,2000})\]\(\s*<?((?:[^()\"<>]|\([^()]*\))*?)>?"
    r"(?:\s+(?:\"((?:[^\"\\]|\\.){0,2000})\"|'([^'\n]{0,2000})'))?\s*\)"
)
_MARKDOWN_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]{0,1000}\]){0,1000})\]" + _LINK_TARGET)
"""Longer labels are no links; without a limit, each of many brackets would be searched to the end of the text."""
_HTML_LINK = re.compile(
    r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'<>]*?)[\"']?(?:\s[^<>]*)?>((?:(?!<a\b).)*?)</a\s*>",
    re.DOTALL | re.IGNORECASE,
)
_FILE_ATTRIBUTES = frozenset({"src", "poster", "srcset", "data"})
_EMPTY_MEDIA_ELEMENT = re.compile(
    r"<(video|audio)\b(?![^>]*\ssrc\s*=)[^>]*>(?:(?!<(?:source|video|audio)\b|</\1).)*</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_LINK_DEFINITION = re.compile(r"^ {0,3}\[([^\]^]+)\]:\s*(\S+).*$", re.MULTILINE)
_REFERENCE_LINK = re.compile(
    r"(?<![\w\]\\!])\[([^\[\]\n^@]*[^\W\d][^\[\]\n]*)\][ ]?\[([^\[\]\n]*)\](?![\[(:])"
)
_CITATION = re.compile(r"\[@(?!\w+:)([^\]\s]*)")
_SPACES_IN_EMPHASIS = re.compile(
    r"(<(?:b|strong|i|em)>)(\s+)|(?<!\s)(\s+)(</(?:b|strong|i|em)>)", re.IGNORECASE
)
_EMPHASIS_MARKS: Mapping[str, str] = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_VISIBLE_LABEL = re.compile(r"<img\b|!\[", re.IGNORECASE)
_BLANK_LINES_IN_HTML = re.compile(
    r"^([ \t]+\S.*|.*>)[ \t]*\n(?:[ \t]*\n)+(?=[ \t]{4,}</?[a-zA-Z])", re.MULTILINE
)
"""Blank lines before an indented tag: kramdown continues the element, CommonMark begins a code block."""

_TABLE_ROWS = re.compile(r"(?:^\|.*\|[ \t]*(?:\n|\Z)){2,}", re.MULTILINE)
_TABLE_DELIMITER = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)+\s*")

_LINE_ALONE = re.compile(r"((?:\A|\n\n)<(?:hr|br)\s*/?>[ \t]*\n)(?= {0,3}\S)", re.IGNORECASE)
_INLINE_TAG_ALONE = re.compile(
    r"((?:\A|\n\n)<(?:span|font|small|b|i|em|strong)\b[^<>\n]*>)[ \t]*\n(?= {0,3}[^\s<])", re.IGNORECASE
)
"""Tags alone in the first line of a block: kramdown and Pandoc read the text after them as Markdown, CommonMark as HTML."""


def _label_icon_link(url: str) -> str:
    """The label of a link that the old site shows as an icon: the name of its service, else its host, its address or its file."""
    if "://" in url:
        return label_profile_link(url)
    return url.removeprefix("mailto:") if url.startswith("mailto:") else url.rstrip("/").rpartition("/")[2]


def remove_comments(text: str) -> str:
    """The text without the comments of HTML and of Liquid."""
    return _COMMENT_BLOCK.sub(lambda match: match["unclosed"] or "", text)


class SourceTextConverter(Record):
    """
    Converts the texts of one site to Markdown.

    `new_urls` maps old to new URLs; `citable_keys` are the bibliography's keys; `folders` are searched for files;
    `has_emoji_names` is true if the site replaces names such as :tada:; `site_values` are the texts of _config.yml.
    """

    session: ImportSession
    new_urls: Mapping[str, str] = field(default_factory=dict)
    citable_keys: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ("", "assets/img")
    has_emoji_names: bool = False
    site_values: Mapping[str, str] = field(default_factory=dict)

    def convert_line(self, text: str, location: str) -> str:
        """Convert a title or another short text to one line of Markdown."""
        line_markdown = html.unescape(self._convert_inline_html(self.convert_body(text, location)))
        return " ".join(line_markdown.split())

    def to_plain_text(self, text: str, location: str) -> str:
        """Return a text without markup; tags of templates are reported."""
        text = str(self.session.remove_template_tags({"text": text}, location)["text"])
        text = strip_tags(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(text)), " ")
        text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)|\{\{(?:(?!\{\{).)*?\}\}|\\(?=\W)", "", text)
        return " ".join(text.split()).replace(" ,", ",").strip(" ,")

    def convert_inner_text(self, text: str, location: str) -> str:
        """Convert a text within an entry: to one line, or to several if the text has several."""
        is_multiline = "\n" in text.strip()
        return self.convert_body(text, location) if is_multiline else self.convert_line(text, location)

    def convert_body(self, text: str, location: str) -> str:
        """Convert the text of a page to Markdown."""
        text = self._convert_template_tags(remove_comments(text), location)
        text = rewrite_outside_code(text, lambda prose: self._convert_prose(prose, location))
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def _convert_prose(self, text: str, location: str) -> str:
        """Convert a text in which code is hidden."""
        if _KRAMDOWN_ATTRIBUTES.search(text) or _ATTRIBUTES_AFTER_ELEMENT.search(text):
            text = _KRAMDOWN_ATTRIBUTES.sub("", text)
            text = _ATTRIBUTES_AFTER_ELEMENT.sub(lambda match: match[1] or "", text)
            self.session.record_converted(location, "attributes in braces ({: …}, {width=…}) were removed")
        text = remove_elements(
            close_raw_elements(text),
            lambda tag: is_active(tag) or is_hidden(tag),
            lambda tag, source: self._skip_element(tag, source, location),
        )
        text = remove_unclosed_links(text)
        anchors = list_anchors(text)
        text = _HTML_LINK.sub(lambda m: self._convert_link(m[2], m[1], location, m[0], anchors), text)
        text = rewrite_tags(text, lambda tag: self._convert_media_tag(tag, location))
        text = _EMPTY_MEDIA_ELEMENT.sub("", text)
        text = _MARKDOWN_IMAGE.sub(lambda m: self._convert_image(m, location), text)
        text = _MARKDOWN_LINK.sub(lambda m: self._convert_link(m[1], m[2], location, m[0], anchors), text)
        text = _LINK_DEFINITION.sub(lambda m: self._convert_definition(m, location), text)
        labels = {label.casefold() for label in re.findall(r"^ {0,3}\[([^\]^]+)\]:", text, re.MULTILINE)}
        text = _REFERENCE_LINK.sub(lambda m: m[0] if (m[2] or m[1]).casefold() in labels else m[1], text)
        text = _CITATION.sub(lambda m: m[0] if m[1] in self.citable_keys else f"\\{m[0]}", text)
        text = replace_emoji_names(text) if self.has_emoji_names else text
        text = _TABLE_ROWS.sub(_add_table_head, text)
        text = _BLANK_LINES_IN_HTML.sub(r"\1\n", text)
        text = _INLINE_TAG_ALONE.sub(r"\1", _LINE_ALONE.sub(r"\1\n", text))
        text = remove_unused_ids(remove_empty_elements(text))
        return re.sub(r"(?<![ \t])[ \t]*\\\\[ \t]*$", "  ", text, flags=re.MULTILINE)

    def _skip_element(self, tag: Tag, source: str, location: str) -> None:
        """Report an active element as it is written, a hidden one by its text."""
        label, text = (f"<{tag.name}>", source) if is_active(tag) else ("hidden", strip_tags(source, " "))
        self.session.record_skipped(location, f"{label}: {' '.join(text.split())[:90]}")

    def resolve_url(self, source_url: str, location: str) -> str:
        """Return the new URL of a link: the external URL, a copied file or a page; else "", and reported as skipped."""
        url = self.session.strip_own_host(html.unescape(source_url.strip()))
        if re.match(r"(?:[a-z][a-z0-9+.-]*:|//)", url, re.IGNORECASE):
            url = re.sub(r"\s", "%20", f"https:{url}" if url.startswith("//") else url)
            if is_safe_url(url) and url.split(":", 1)[1].strip("/"):
                return url
            description = f"a link to {url[:90]}, which is not a URL that can be linked"
            self.session.record_skipped(location, description)
            return ""
        if not url or url.startswith("#"):
            return ""
        path = unquote(url.partition("#")[0].partition("?")[0])
        new_url = self._find_new_url(path) or self.import_file(path)
        if not new_url:
            reason = "which is neither a file of the source nor an imported page"
            self.session.record_skipped(location, f"a link to {url}, {reason}")
        return new_url

    def _find_new_url(self, path: str) -> str:
        """The new URL of a page, named from the root of the old site or from the folder of the document; else ""."""
        own_path = posixpath.normpath(f"{self.folders[0]}/{path}") if self.folders else path
        candidates = (self.new_urls.get(normalize_old_url(candidate)) for candidate in (path, own_path))
        return next(filter(None, candidates), "")

    def import_file(self, name: str) -> str:
        """Copy a source file, searched in `folders`, and return its new path; "" if not found."""
        if name.casefold().endswith((".qmd", ".rmd", ".ipynb")):
            return ""
        return self.session.copy_first_file(f"{folder}/{name.lstrip('/')}" for folder in self.folders)

    def with_folders(self, *folders: str) -> Self:
        """Return a converter that searches these folders for files first."""
        return replace(self, folders=(*folders, *self.folders))

    def _convert_link(
        self, label: str, source_url: str, location: str, source: str, anchors: frozenset[str]
    ) -> str:
        """Return the link with its new URL, as HTML or Markdown like the source (it may be in an HTML block); else its label."""
        is_anchor = source_url.strip().removeprefix("#") in anchors and source_url.strip().startswith("#")
        url = source_url.strip() if is_anchor else self.resolve_url(source_url, location)
        if url and not is_anchor and not _VISIBLE_LABEL.search(label) and not strip_tags(label).strip():
            label = _label_icon_link(url)
        if not url or not label.strip():
            return label
        return f'<a href="{html.escape(url)}">{label}</a>' if source.startswith("<") else f"[{label}]({url})"

    def _convert_image(self, match: re.Match[str], location: str) -> str:
        caption = (match[3] or match[4] or "").replace('\\"', '"')
        return format_figure(self.resolve_url(match[2], location), match[1], caption)

    def _convert_media_tag(self, tag: Tag, location: str) -> str:
        """Return a tag with the new URLs of its files; "" for an image or a source without its file."""
        attributes = tag.attributes
        if tag.name == "img":
            source_url = html.unescape(attributes.get("src") or "")
            url = self.resolve_url(source_url, location) if source_url else ""
            values = {name: attributes.get(name) or "" for name in ("width", "height")}
            sizes = [f' {n}="{v}"' for n, v in values.items() if re.fullmatch(r"\d{1,4}(?:px|%)?", v)]
            alt_text = html.unescape(attributes.get("alt") or "")
            image = f'<img src="{html.escape(url)}" alt="{html.escape(alt_text)}"{"".join(sizes)}>'
            return image if url else ""
        if not _FILE_ATTRIBUTES & attributes.keys():
            return tag.text
        for name in [name for name in attributes if name in _FILE_ATTRIBUTES]:
            source_url = html.unescape(attributes[name] or "")
            url = self.resolve_url(source_url, location) if source_url and name != "srcset" else ""
            attributes[name] = html.escape(url)
            if not url:
                del attributes[name]
        is_empty = "src" not in attributes and tag.name in ("source", "track", "embed")
        return "" if is_empty else tag.format_with(attributes)

    def _convert_definition(self, match: re.Match[str], location: str) -> str:
        url = self.resolve_url(match[2], location)
        return f"[{match[1]}]: {url or 'https://example.org/'}" if url else ""

    def _convert_template_tags(self, text: str, location: str) -> str:
        text = print_liquid_urls(text)
        text = _HTML_INCLUDE.sub(lambda m: self._read_included_html(m["name"]) or m[0], text)
        text = _SITE_VALUE.sub(lambda m: self.site_values.get(m[1], m[0]), text)
        text = _DETAILS.sub(r"<details><summary>\1</summary>\n\n\2\n\n</details>", text)
        text = _PAGE_LINK.sub(lambda m: self._find_linked_page(m[1], m[2]), text)
        text = remove_loops(
            text,
            lambda source: self.session.record_skipped(
                location, f"a list that Liquid generates from {source[:90]}"
            ),
        )
        text = _TEXT_INCLUDE.sub(lambda m: self._read_include(m[1]) or m[0], text)
        text = convert_includes(text, partial(self.session.record_converted, location))
        text = _CITE_TAG.sub(lambda m: self._convert_citation(m[1].split(), location), text)
        text = _RAW_TAG.sub("", _HIGHLIGHT_BLOCK.sub(r"\n```\1\n\2\n```\n", text))
        for match in _LIQUID_TAG.finditer(text):
            self.session.record_skipped(location, f"Liquid: {' '.join(match[0].split())[:90]}")
        return _LIQUID_TAG.sub("", text)

    def _read_include(self, name: str) -> str:
        """The text of a file of _includes/; "" if there is none."""
        return self.session.read_source_text(self.session.find_first_file(f"_includes/{name}")) or ""

    def _read_included_html(self, name: str) -> str:
        """The own text of an HTML file of _includes/; "" if it is a part of the theme or has only lists that Liquid generates."""
        is_of_theme = _THEME_INCLUDES.search(name) is not None
        return "" if is_of_theme else extract_static_text(_SCRIPT.sub("", self._read_include(name))).strip()

    def _find_linked_page(self, path: str, post: str) -> str:
        """The old URL of a page that the tag `link` or `post_url` names; the path itself if it is not imported."""
        if path:
            return re.sub(r"^/?_pages/|^/?_(?=\w)|\.(?:md|markdown)$", "", path) if "." in path else path
        stem = re.sub(r"^(?:.*/)?\d{4}-\d\d?-\d\d?-", "", post)
        return next((f"/{url}/" for url in self.new_urls if url.rpartition("/")[2] == stem), f"/{stem}/")

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
        text = _SPACES_IN_EMPHASIS.sub(lambda m: f"{m[2]}{m[1]}" if m[1] else f"{m[4]}{m[3]}", text)
        text = _HTML_LINK.sub(r"[\2](\1)", re.sub(r"<br\s*/?>|</p>", " ", text))
        return re.sub(r"</?(\w+)[^>]*>", lambda m: _EMPHASIS_MARKS.get(m[1].casefold(), ""), text)


def _add_table_head(match: re.Match[str]) -> str:
    """The rows of a table with the line of its columns after the first row; kramdown needs none, or has it first."""
    rows = match[0].splitlines(keepends=True)
    delimiters = [row for row in rows[:2] if _TABLE_DELIMITER.fullmatch(row)]
    if delimiters and delimiters[0] is not rows[0]:
        return match[0]
    delimiter = delimiters[0] if delimiters else f"|{'---|' * (rows[0].count('|') - 1)}\n"
    first_row, *other_rows = rows[1:] if delimiters else rows
    return f"{first_row}{delimiter}{''.join(other_rows)}"


_NAMED_CHARACTERS: Mapping[str, str] = {
    "+1": "👍", "-1": "👎", "100": "💯", "airplane": "✈️", "apple": "🍎", "arrow_down": "⬇️", "arrow_forward": "▶️",
    "arrow_left": "⬅️", "arrow_right": "➡️", "arrow_up": "⬆️", "art": "🎨", "balance_scale": "⚖️", "bangbang": "‼️",
    "basketball": "🏀", "beach_umbrella": "🏖️", "bee": "🐝", "beer": "🍺", "beers": "🍻", "bike": "🚲", "biking_man": "🚴‍♂️",
    "blush": "😊", "boat": "⛵", "book": "📖", "boom": "💥", "bow": "🙇", "building_construction": "🏗️", "bulb": "💡",
    "bullettrain_side": "🚄", "cake": "🍰", "calendar": "📆", "camera_flash": "📸", "cat": "🐱", "checkered_flag": "🏁",
    "champagne": "🍾", "chart": "💹", "city_sunset": "🌆", "clap": "👏", "classical_building": "🏛️", "coffee": "☕",
    "construction": "🚧", "cool": "🆒", "copyright": "©️", "cn": "🇨🇳", "crossed_fingers": "🤞", "cry": "😢", "dart": "🎯",
    "date": "📅", "de": "🇩🇪", "desktop_computer": "🖥️", "dizzy": "💫", "dog": "🐶", "dna": "🧬", "e-mail": "📧",
    "earth_africa": "🌍", "earth_americas": "🌎", "earth_asia": "🌏", "email": "📧", "envelope": "✉️", "envelope_with_arrow": "📩",
    "es": "🇪🇸", "eu": "🇪🇺", "exclamation": "❗", "fr": "🇫🇷", "gb": "🇬🇧", "gear": "⚙️", "gift": "🎁", "grin": "😁",
    "grinning": "😀", "hammer_and_wrench": "🛠️", "headphones": "🎧", "heart": "❤️", "heart_eyes": "😍", "heavy_check_mark": "✔️",
    "heavy_exclamation_mark": "❗", "house": "🏠", "hugs": "🤗", "hushed": "😯", "information_source": "ℹ️", "it": "🇮🇹",
    "joy": "😂", "jp": "🇯🇵", "kissing": "😗", "kr": "🇰🇷", "label": "🏷️", "laughing": "😆", "link": "🔗", "mag": "🔍",
    "mailbox": "📫", "man_technologist": "👨‍💻", "medal_military": "🎖️", "medal_sports": "🏅", "mega": "📣", "mortar_board": "🎓",
    "mountain": "⛰️", "muscle": "💪", "new": "🆕", "o": "⭕", "office": "🏢", "ok_hand": "👌", "paintbrush": "🖌️",
    "partying_face": "🥳", "pen": "🖊️", "pencil": "📝", "pencil2": "✏️", "phone": "☎️", "point_down": "👇", "point_left": "👈",
    "point_right": "👉", "point_up": "☝️", "pray": "🙏", "question": "❓", "raised_hands": "🙌", "robot": "🤖",
    "rotating_light": "🚨", "running": "🏃", "smile": "😄", "smiley": "😃", "smirk": "😏", "snowflake": "❄️", "soccer": "⚽",
    "sparkle": "❇️", "star": "⭐", "star2": "🌟", "stuck_out_tongue": "😛", "sunglasses": "😎", "sunny": "☀️", "tada": "🎉",
    "tea": "🍵", "telephone": "☎️", "thinking": "🤔", "thumbsdown": "👎", "thumbsup": "👍", "tm": "™️", "train": "🚋", "tv": "📺",
    "uk": "🇬🇧", "umbrella": "☔", "us": "🇺🇸", "v": "✌️", "warning": "⚠️", "wave": "👋", "white_check_mark": "✅", "wink": "😉",
    "woman_technologist": "👩‍💻", "world_map": "🗺️", "writing_hand": "✍️", "x": "❌", "yum": "😋", "zap": "⚡",
    "1st_place_medal": "🥇", "2nd_place_medal": "🥈", "3rd_place_medal": "🥉", "man_student": "👨‍🎓", "woman_student": "👩‍🎓",
    "woman_scientist": "👩‍🔬", "man_scientist": "👨‍🔬", "computer": "💻", "relaxed": "☺️", "rofl": "🤣", "sweat_smile": "😅",
    "satellite": "📡", "mouse": "🐭", "whale": "🐳", "snowman": "⛄", "black_circle": "⚫", "white_circle": "⚪", "satisfied": "😆",
    "skier": "⛷️", "man_teacher": "👨‍🏫", "woman_teacher": "👩‍🏫", "switzerland": "🇨🇭", "canada": "🇨🇦", "india": "🇮🇳",
    "netherlands": "🇳🇱", "austria": "🇦🇹", "australia": "🇦🇺", "brazil": "🇧🇷", "sweden": "🇸🇪", "singapore": "🇸🇬",
    "hong_kong": "🇭🇰", "black_nib": "✒️", "film_strip": "🎞️", "studio_microphone": "🎙️", "computer_mouse": "🖱️",
    "spiral_calendar": "🗓️",
}  # fmt: skip
"""Names that are not the name of the character in Unicode. Source: the names of GitHub (gemoji 4)."""

_EMOJI_NAME = re.compile(r":([a-z0-9+][a-z0-9_+-]*|-1):")
_EMOJI_NAMES = re.compile(rf"(?<![\w:/])(?:{_EMOJI_NAME.pattern})+(?![\w:/])")
_FIRST_EMOJI = "\u203c"
"""The first character of Unicode that is an emoji, except for digits and the signs of copyright."""


def replace_emoji_names(text: str) -> str:
    """The text with each known name such as ":tada:" replaced by its character."""
    return _EMOJI_NAMES.sub(
        lambda names: _EMOJI_NAME.sub(lambda name: _find_character(name[1]) or name[0], names[0]), text
    )


def _find_character(name: str) -> str:
    """The character with a name, "" if there is none."""
    if name in _NAMED_CHARACTERS:
        return _NAMED_CHARACTERS[name]
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
    is_symbol = unicodedata.category(character) == "So" and character >= _FIRST_EMOJI
    return character if is_symbol else ""
