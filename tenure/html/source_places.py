"""Where the sources write what a finished page has: the URL of a link or an image, an id, a tag."""

import html
import re
from collections.abc import Mapping
from functools import cached_property
from os.path import commonprefix

from tenure.markdown.html_tags import read_tag
from tenure.model.site import Site
from tenure.problems import Place, Problems

_BEFORE_VALUE = r"""(?xm)
    (?:
        (?P<no_alt> !\[\s*\]\(\s*<?)                                    # ![](photo.png)
        | (?P<no_alt_html>                                              # <img src="photo.png">
            (?i:<img\b(?![^>]{0,1000}\balt\s*=\s*["']?[^"'\s>])[^>]{0,1000}?\bsrc\s*=\s*["']?))
        | (?P<image> !\[[^\[\]]*\]\(\s*<?)                              # ![A photo](photo.png)
        | (?P<id> \bid\s*=\s*["']? | \{\s*\#)                           # id="top", {#top}
        | (?P<key> @\w+\s*[{(]\s*)                                      # @book{key,
        | (?P<link> \]\(\s*<? | <)                                      # [a](url), <url>
        | (?P<url> \]:\s*<? | =\s*[{"']?                               # [a]: url, href="url", url = {url}
            | \burl\(["']? | @import\s+["'] | \\(?:href|url)\{             # url("url"), \href{url}
            | (?<!email)(?<!emails):\s++(?!-\s)(?:&\w+\s+)?["']?)       # url: "url"
        | (?P<list_item> (?:^\s*-\s+ | \[ | ,\s+)["']?)                 # - url, [url, url]
    )
"""
"""The syntax before a value in a source."""

MAX_COMPARED = 300
"""The number of characters by which two elements are compared: one without an end tag is long."""

MAX_PLACES = 20
"""The number of places that are reported for equal elements."""


_REST_OF_VALUE = re.compile(r"[\w/-]|\.\w")
"""What may not follow a whole value."""

_NO_MARKUP = re.compile(
    r"""
    \A---\s*\n.*?\n---[ \t]*$                              # front matter
    | (?<!`)(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)       # `<b>`
    | <!--(?:(?!<!--).)*?-->                               # <!-- <b> -->
    """,
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
"""Text of a source in which a tag is no tag."""


class SourcePlaces:
    """The places of values in the sources of a site; each source is read once, for the first value."""

    def __init__(self, problems: Problems, site: Site | None) -> None:
        self._problems = problems
        self._site = site
        # no value of a translation is a URL
        texts = {file: text for file, text in problems.source_texts() if "/translations/" not in file}
        self._texts = {file: _blank_comments(file, text) for file, text in texts.items()}

    def find(self, value: str, *kinds: str) -> list[Place]:
        """The places where a value is written as one of the kinds, which are the groups of the pattern."""
        return [
            self._problems.locate(file, start, start + len(value))
            for kind, file, start in self._starts.get(_find_first_characters(value, 0), ())
            if kind in kinds
            and self._texts[file].startswith(value, start)
            and not _REST_OF_VALUE.match(self._texts[file], start + len(value))
        ]

    def find_url(self, url: str) -> list[Place]:
        """The places where a URL is that of a link, an image or a field; else an item of a list."""
        places = self.find(url, "no_alt", "no_alt_html", "image", "link", "url")
        # an item without these characters is a word
        if not places and re.search(r"[./:#?@%]", url):
            return self.find(url, "list_item")
        return places

    def find_entries(self, value: str) -> list[Place]:
        """The places of the entries with a value that is written with escapes."""
        bare_value = re.escape(value.replace("\\", "") or value)
        pattern = re.compile(rf"(?<![\w./-]){bare_value}(?!{_REST_OF_VALUE.pattern})")
        return [place for place, text in self._entries if pattern.search(text)]

    def find_tags(self, word: str, markup: str) -> list[Place]:
        """
        The places of a word, such as `<script`, where what follows has most in common with some HTML.

        The page has the HTML as the templates and Markdown have written it, so that it may differ.
        """
        # the length of what is equal at the best places
        length = 0
        places: list[Place] = []
        markup = markup[:MAX_COMPARED].casefold()
        # "<div class=" without its ">" is in one source alone
        never_ends = word.startswith("<") and not read_tag(markup, 0)
        for file, text in self._markup.items():
            for match in re.finditer(rf"{re.escape(word)}\b", text):
                if never_ends and read_tag(text, match.start()):
                    continue

                common = len(commonprefix([text[match.start() : match.start() + len(markup)], markup]))
                if common > length:
                    length = common
                    places = []
                if common == length and len(places) < MAX_PLACES:
                    places.append(self._problems.locate(file, *match.span()))
        return places

    def has_key(self, key: str) -> bool:
        """Whether a .bib file has an entry with this key, also one that cannot be read."""
        return key.casefold() in self._keys

    @cached_property
    def _starts(self) -> Mapping[str, list[tuple[str, str, int]]]:
        """The kind, file and offset of each value, by its first characters."""
        starts: dict[str, list[tuple[str, str, int]]] = {}
        for file, text in self._texts.items():
            for match in re.finditer(_BEFORE_VALUE, text):
                first_characters = _find_first_characters(text, match.end())
                starts.setdefault(first_characters, []).append((match.lastgroup or "", file, match.end()))
        return starts

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(
            value.casefold() for value, starts in self._starts.items() for kind, *_ in starts if kind == "key"
        )

    @cached_property
    def _markup(self) -> Mapping[str, str]:
        """Each text and template in lower case, with spaces for what is no HTML."""

        def blank(match: re.Match[str]) -> str:
            return re.sub(r"[^\n]", " ", match[0])

        files = (file for file in self._texts if file.endswith((".md", ".html")))
        return {file: _NO_MARKUP.sub(blank, self._texts[file]).lower() for file in files}

    @cached_property
    def _entries(self) -> list[tuple[Place, str]]:
        """The place and all texts of each entry, without the escapes of Markdown and HTML."""
        if not self._site:
            return []
        return [
            (entry.source, html.unescape(repr(entry).replace("\\n", " ").replace("\\", "")))
            for entry in self._site.iterate_entries()
        ]


def _blank_comments(file: str, text: str) -> str:
    """A source with spaces for the lines of YAML that are comments: what they name is no value."""
    if not file.endswith((".yaml", ".yml")):
        return text
    return re.sub(r"^[ \t]*#.*$", lambda match: " " * len(match[0]), text, flags=re.MULTILINE)


_FIRST_CHARACTERS = re.compile(r"""#?[^\s"'<>()\[\]{},#]*""")
"""The first characters of a value, by which it is found; they may be none."""


def _find_first_characters(text: str, start: int) -> str:
    """The characters by which a value is found: "talks/#top" -> "talks/"."""
    match = _FIRST_CHARACTERS.match(text, start)
    return match[0] if match else ""
