"""Converts whole HTML pages, written without a generator, to Markdown: the title, the text and the links of the menu."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.record import Record

_OMITTED_ELEMENTS = frozenset(
    ["head", "script", "style", "nav", "footer", "form", "button", "select", "svg", "noscript", "template", "label", "canvas"]
)  # fmt: skip
"""Elements of the page that are no text."""

_MENU = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|topnav|sidenav|skip-?link|skip|breadcrumbs?)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""The class or the id of a menu."""

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_EMPHASIS = {"strong": "**", "b": "**", "em": "*", "i": "*", "cite": "*"}
_BLOCKS = frozenset(
    ["p", "div", "section", "article", "main", "header", "aside", "address", "figure", "figcaption", "center", "dl", "dt", "dd", "tr", "td",
     "th", "table", "tbody", "thead", "body", "details", "summary", "fieldset", "hgroup", "caption"]
)  # fmt: skip
_FRAMES = frozenset({*_HEADINGS, *_EMPHASIS, "a", "ul", "ol", "li", "blockquote", "pre", "code"})
"""Elements whose Markdown is made from the Markdown of their content."""

_MAX_DEPTH = 40
_KEPT_TAGS = frozenset({"sub", "sup", "kbd", "video", "audio", "source"})
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?:\s+[^\W\d_][\w.'’-]*){1,3}")
_NO_NAME = re.compile(
    r"\b(?:home|page|website|welcome|university|professor|research\w*|student|scientist|publications?|lab|group|phd|the|of|at)\b",
    re.IGNORECASE,
)


_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_PROTECTED_SPACES = {ord("\n"): "\ue003", ord(" "): "\ue004"}
"""Characters in place of the spaces in code, which is not tidied."""

_RESTORED_SPACES = {0xE003: "\n", 0xE004: " "}


class SourcePage(Record):
    """A page: its title, its text as Markdown, and the titles and URLs of its menu."""

    title: str
    text: str
    menu: tuple[tuple[str, str], ...] = ()


class _Frame:
    """An open element with the Markdown of its content."""

    def __init__(self, name: str, url: str = "") -> None:
        self.name = name
        self.url = url
        self.parts: list[str] = []


class _PageReader(HTMLParser):
    """Reads a page to Markdown; it never nests deeper than `_MAX_DEPTH` elements."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.menu: list[tuple[str, str]] = []
        self._frames = [_Frame("")]
        self._omitted: list[str] = []
        self._is_in_title = False
        self._is_in_menu = False
        self._is_in_menu_link = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._is_in_title = self._is_in_title or (tag == "title" and not self.title)
        if self._omitted:
            self._omitted += [tag] if tag == self._omitted[0] else []
            if tag == "a" and self._is_in_menu:
                self.menu.append(("", attributes.get("href", "").strip()))
                self._is_in_menu_link = True
            return
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        is_menu = tag == "nav" or _MENU.search(names) is not None
        is_hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
        is_omitted = tag in _OMITTED_ELEMENTS or is_menu or is_hidden
        if is_omitted and tag not in VOID_ELEMENTS and tag not in ("body", "html"):
            self._omitted, self._is_in_menu = [tag], is_menu and tag != "a"
        else:
            self._open(tag, attributes)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        parts = self._frames[-1].parts
        if tag == "br":
            parts.append("  \n")
        elif tag == "hr":
            parts.append("\n\n---\n\n")
        elif tag == "img" and attributes.get("src"):
            alt_text = " ".join(attributes.get("alt", "").split())
            parts.append(f"![{alt_text}]({attributes['src'].strip().replace(' ', '%20')})")
        elif tag in _KEPT_TAGS:
            source = f' src="{attributes["src"]}"' if attributes.get("src") else ""
            parts.append(f"<{tag}{source}>")
        elif tag in _FRAMES and len(self._frames) < _MAX_DEPTH:
            if tag == "li" and self._frames[-1].name == "li":
                self._close("li")
            self._frames.append(_Frame(tag, attributes.get("href", "").strip().replace(" ", "%20")))
        elif tag in _BLOCKS:
            parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._is_in_title = self._is_in_title and tag != "title"
        self._is_in_menu_link = self._is_in_menu_link and tag != "a"
        if self._omitted:
            if tag == self._omitted[0]:
                self._omitted.pop()
        elif tag in _FRAMES:
            self._close(tag)
        elif tag in _KEPT_TAGS and tag not in VOID_ELEMENTS:
            self._frames[-1].parts.append(f"</{tag}>")
        elif tag in _BLOCKS:
            self._frames[-1].parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if self._is_in_title:
            self.title = f"{self.title} {text}".strip()
        elif self._omitted:
            if self._is_in_menu_link and text:
                label, url = self.menu[-1]
                self.menu[-1] = (f"{label} {text}".strip(), url)
        elif any(frame.name == "pre" for frame in self._frames):
            self._frames[-1].parts.append(data)
        else:
            line = re.sub(r"\s+", " ", data)
            escaped_line = re.sub(r"([\\`*\[\]]|(?<!\w)_|_(?!\w)|<(?=[a-zA-Z/!]))", r"\\\1", line)
            self._frames[-1].parts.append(escaped_line)

    def _close(self, tag: str) -> None:
        """Close the innermost element with this name, and those in it."""
        if all(frame.name != tag for frame in self._frames[1:]):
            return
        while True:
            frame = self._frames.pop()
            self._frames[-1].parts.append(_format_frame(frame, self._frames[-1].name))
            if frame.name == tag:
                return

    def read_markdown(self, text: str) -> str:
        """The text of a page."""
        self.feed(text)
        self.close()
        while len(self._frames) > 1:
            self._close(self._frames[-1].name)
        return _tidy_blocks("".join(self._frames[0].parts)).translate(_RESTORED_SPACES)


def _tidy_blocks(markdown: str) -> str:
    """The blocks with one empty line between them, and without spaces at the start of their lines."""
    blocks = (
        block
        if block.startswith(("```", "- ", "1. ", "> "))
        else re.sub(r"^[ \t]+", "", block, flags=re.MULTILINE)
        for block in (part.strip("\n") for part in _BLANK_LINES.split(markdown))
    )
    text = "\n\n".join(block.rstrip() for block in blocks if block.strip())
    text = re.sub(r"(?<! )[ \t]$", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", text).strip()


def _format_frame(frame: _Frame, parent: str) -> str:
    """The Markdown of an element."""
    content = "".join(frame.parts)
    line = " ".join(content.split())
    if frame.name in _HEADINGS:
        return f"\n\n{_HEADINGS[frame.name]} {line}\n\n" if line else ""
    if frame.name in _EMPHASIS:
        mark = _EMPHASIS[frame.name]
        before, after = (" " if content[:1].isspace() else "", " " if content[-1:].isspace() else "")
        is_plain = not line or "\n\n" in content.strip() or line.startswith("*")
        return content if is_plain else f"{before}{mark}{line}{mark}{after}"
    if frame.name == "a":
        is_link = line and frame.url and "](" not in line.replace("![", "", 1)
        return f"[{line}]({frame.url})" if is_link else content
    if frame.name == "pre":
        code = content.strip("\n").rstrip().translate(_PROTECTED_SPACES)
        return f"\n\n```\n{code}\n```\n\n" if code else ""
    if frame.name == "code":
        return content if parent == "pre" or not line else f"`{line}`"
    block = _tidy_blocks(content)
    if frame.name == "li":
        mark = "1. " if parent == "ol" else "- "
        lines = re.sub(r"\n{2}(?![-\d>`])", "  \n", block).replace("\n\n", "\n").split("\n")
        return "\n" + mark + f"\n{' ' * len(mark)}".join(lines) if block else ""
    if frame.name == "blockquote":
        quotation = "\n".join(f"> {text}".rstrip() for text in block.split("\n"))
        return f"\n\n{quotation}\n\n" if block else ""
    items = content.strip("\n") if parent == "li" else content.strip()
    return f"\n{items}\n" if parent == "li" else f"\n\n{items}\n\n"


def is_html_document(text: str) -> bool:
    """Whether a text is a whole page, not the part of a page that a generator completes."""
    pattern = r"\s*(?:<!--(?:(?!-->).)*-->\s*)?<(?:!doctype|html|head|body)\b"
    return re.match(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def read_html_page(text: str) -> SourcePage:
    """Read a page: the content of its element <main> if it has one, else the whole body."""
    reader = _PageReader()
    markdown = reader.read_markdown(text)
    main = re.search(r"<main\b[^<>]*>", text, re.IGNORECASE)
    end = text.lower().rfind("</main")
    if main and end > main.end():
        markdown = _PageReader().read_markdown(text[main.end() : end]) or markdown
    menu = tuple((title, url) for title, url in reader.menu if title and url and not url.startswith("#"))
    return SourcePage(reader.title, markdown, menu)


def guess_owner(titles: Sequence[str]) -> str:
    """The name of a person in the titles of pages: "Ada Example | Home"; else the first title."""
    for title in titles:
        for part in re.split(r"\s*[|•·:,]\s*|\s+[-–—]+\s+|['’]s\s", title):
            if _NAME.fullmatch(part.strip()) and not _NO_NAME.search(part):
                return part.strip()
    return titles[0] if titles else ""
