"""
The documentation in the program: its pages as Markdown without pictures, and the section of each problem.

The folder is a site with the page about.md and the pages of the documentation. Their pictures are not in the
package: in each text, a picture is its alternative text.
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

PACKAGE_FOLDER = Path(__file__).resolve().parent
DOCUMENTATION_FOLDER = (
    PACKAGE_FOLDER / "docs" if (PACKAGE_FOLDER / "docs").is_dir() else PACKAGE_FOLDER.parent / "docs"
)
"""The sources: inside the package if installed, next to it in the repository."""

CHANGES_PAGE = "changes"
"""CHANGELOG.md, which is beside the folder, and a page in the terminal only."""

QUESTIONS_PAGE = "how-do-i"
"""The page whose headings are questions."""

SOURCES = ("site.yaml", "content/about.md", "content/profile.yaml", "content/pages/*.md")

_PICTURE = re.compile(
    r"""
    (?P<code> ^(?P<fence>`{3,}) .*? ^(?P=fence)$ | `[^`\n]+` )      # an example of a picture stays
    | !\[ (?P<words>[^\]]*) \] \( [^)]* \)
    | <picture> .*? \balt="(?P<alt>[^"]*)" .*? </picture>
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""![A form](editor/form.png), <picture><source …><img … alt="A form"></picture>, and code."""

_SECTION = re.compile(r"^### `(?P<code>[a-z-]+)` \(.*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
"""The section of a problem, from its heading: ### `unknown-key` (error)"""

_CODE_BLOCK = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)

_HEADING = re.compile(r"^(?P<marks>#+) (?P<title>[^\n]+?)(?: \{#[^\n]+)?\n", re.MULTILINE)
"""### Show affiliations {#show-affiliations}"""


def list_pages() -> Mapping[str, str]:
    """The titles of the pages by their names: start -> Start in five minutes"""
    titles: dict[str, str] = {}
    for path in sorted((DOCUMENTATION_FOLDER / "content/pages").glob("*.md")):
        titles[path.stem] = read_page(path.stem).partition("\n")[0].removeprefix("# ")
    return titles | {CHANGES_PAGE: "Changes"}


def read_page(name: str) -> str:
    """The text of a page: start -> # Start in five minutes …"""
    if name == CHANGES_PAGE:
        return _read_text(DOCUMENTATION_FOLDER.parent / "CHANGELOG.md")
    return _read_text(DOCUMENTATION_FOLDER / "content/pages" / f"{name}.md")


def read_problem_sections() -> Mapping[str, str]:
    """The section of each problem, by its code."""
    return {match["code"]: match[0].rstrip() for match in _SECTION.finditer(read_page("problems"))}


def read_section(page: str, heading: str) -> str:
    """The section of a page below a heading, with its parts; "" without it: how-do-i, "hide something"."""
    text = read_page(page)
    # a comment in a block of code is no heading: as many letters keep the places
    bare = _CODE_BLOCK.sub(lambda match: "-" * len(match[0]), text)
    headings = [*_HEADING.finditer(bare)]
    for number, match in enumerate(headings):
        if match["title"].casefold() == heading.casefold():
            ends = (other.start() for other in headings[number + 1 :] if other["marks"] <= match["marks"])
            return text[match.start() : next(ends, len(text))].rstrip()
    return ""


def list_headings(name: str) -> str:
    """The headings of a page below each other, indented by their level."""
    text = _CODE_BLOCK.sub("", read_page(name))
    return "\n".join(f"{'  ' * (len(marks) - 1)}{title}" for marks, title in _HEADING.findall(text))


def find_sections(word: str) -> Sequence[tuple[str, str]]:
    """The page and the heading of each section with a word, best first: draft -> how-do-i, Hide something"""
    # colors -> colour; hiding -> hide, but not "them" for "theme"
    singular = re.sub(r"(?<=\w{4})s$", "", word.casefold().replace("color", "colour"))
    stem = re.sub(r"(?<=\w{3})(?:ing|e)$", "", singular)
    endings = "(?:e?s|ing)?" if stem == singular else "(?:es?|ings?)"
    pattern = re.compile(rf"\b{re.escape(stem)}{endings}\b", re.IGNORECASE)
    found: list[tuple[int, int, str, str]] = []
    for page in list_pages():
        _, *parts = _HEADING.split(_CODE_BLOCK.sub("", read_page(page)))
        for heading, text in zip(parts[1::3], parts[2::3], strict=True):
            in_heading = len(pattern.findall(heading))
            in_text = len(pattern.findall(text))
            if in_heading or in_text:
                found.append((-in_heading, -in_text, page, heading))
    return [(page, heading) for _, _, page, heading in sorted(found)]


def name_anchor(code: str, level: str) -> str:
    """The anchor of the section of a problem in its page."""
    return f"{code}-{level}"


def write_sources(folder: Path) -> None:
    """Write the sources of the documentation into a folder, in place of older ones."""
    shutil.rmtree(folder / "content", ignore_errors=True)
    for pattern in SOURCES:
        for path in DOCUMENTATION_FOLDER.glob(pattern):
            target = folder / path.relative_to(DOCUMENTATION_FOLDER)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_read_text(path), encoding="utf-8")


def _read_text(path: Path) -> str:
    """A text with the words of its pictures in their place."""
    text = path.read_text(encoding="utf-8")
    return _PICTURE.sub(lambda match: match["code"] or match["words"] or match["alt"], text)
