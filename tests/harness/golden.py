"""Formats a page as text that a person can read line by line."""

from html.parser import HTMLParser
from pathlib import Path

BLOCKS = {"h1", "h2", "h3", "h4", "h5", "p", "li", "dt", "dd", "summary", "pre", "tr", "figcaption", "blockquote", "main",
          "section", "nav", "header", "footer", "article", "ul", "ol", "dl", "div", "details", "table", "title"}  # fmt: skip
SHOWN = {*"h1 h2 h3 h4 h5 li dt dd summary title nav main footer section article".split()}
EVERYWHERE = ("viewport:", "color-scheme:", "theme-color:", "link apple-touch-icon:")
"""Lines that only the outline of the homepage has, as it has the menu."""


class _Outline(HTMLParser):
    """Collects the lines of a page: one for each block, links and images with their URLs, anchors as #id."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line = ""
        self._hidden = 0
        self._links: list[str] = []

    def end_line(self, start: str = "") -> None:
        line = " ".join(self._line.split())
        if line and line not in SHOWN:
            self.lines.append(line)
        self._line = start

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = {key: value or "" for key, value in attrs}
        if tag in ("script", "style", "svg"):
            self._hidden += 1
        elif tag in BLOCKS:
            anchor = f"#{result['id']}" if "id" in result else ""
            self.end_line(f"{tag if tag in SHOWN else ''}{anchor} ")
        if tag == "a":
            self._links.append(result.get("href", ""))
            self._line += "["
        elif tag == "img":
            self._line += f"![{result.get('alt')}]({result.get('src')})"
        elif tag == "meta" and "name" in result:
            self.lines.append(f"{result['name']}: {result.get('content', '')}")
        elif tag == "link" and result.get("rel") not in ("stylesheet", "preload", "icon"):
            kind = " ".join(filter(None, ("link", result.get("rel"), result.get("hreflang"))))
            self.lines.append(f"{kind}: {result.get('href')}")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "svg"):
            self._hidden -= 1
        elif tag == "a" and self._links:
            self._line += f"]({self._links.pop()})"
        elif tag in BLOCKS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._line += data


def outline_page(path: str, page: str) -> str:
    """Return a page as lines: its content in order, with the target of each link; the menu only of the homepage."""
    reader = _Outline()
    reader.feed(page)
    reader.end_line()
    lines = reader.lines
    main = next((number for number, line in enumerate(lines) if line.startswith("main#")), 0)
    if path != "index.html" and main:
        menu = next(number for number, line in enumerate(lines) if "](#page-main)" in line)
        lines = [line for line in lines[:menu] if not line.startswith(EVERYWHERE)] + lines[main:]
    return "\n".join(lines) + "\n"


def compare_with_file(path: Path, expected: str, *, update: bool) -> None:
    """Compare a text with its golden file, or write the file."""
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(expected, encoding="utf-8")
    assert path.is_file(), f"{path} does not exist; run the tests with --update and read it"
    assert expected == path.read_text(encoding="utf-8")
