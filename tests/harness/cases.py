r"""
Cases as text: the sources of a site, and what its build shows and reports.

    === [flag] the title of the case
    -- content/talks.yaml --
    - {title: A talk, date: someday}
    ~~~~
    shows /talks/: A talk … A prize          words in the main part of a page, or in another file; … stands for any others
    absent /talks/: someday                  words that are not there
    line /talks/: A talk                     a whole line of the page, or of a PDF
    html /talks/: <h1>Talks</h1>             text of the file (`no html`: that it does not have)
    link /talks/: https://example.org/       a URL that the page links to (`no link`: that it does not)
    files: talks/index.html                  files that are written (`no files`: that are not)
    field talks[0].title: A talk             a value of the site; of a tuple, each with " | " between them
    nowhere: secret                          text that no published file has
    codes: bad-date                          the codes of all problems, in place of their messages
    content/talks.yaml:1:25: error: …        every other line: the messages, exactly

Flags: `bytes` reads \xNN in the sources as that byte, `repeat` reads «300×ab» as "ab" 300 times, `links` turns a file of one line "-> target" into a symbolic link,
`no profile` leaves content/profile.yaml out, `info` lists the problems of level info, `any` allows other messages,
`templates` builds the site in each theme that has templates.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import Built, Sources, visible_text
from golden import outline_page
from pdfs import lines_of, links_of, words_of

from tenure.model.dates import Date, Period
from tenure.model.entries import Point
from tenure.model.links import Link
from tenure.model.names import Authors, Name

RULE = "~~~~"
"""The line between the sources of a case and its messages; neither YAML, Markdown nor BibTeX needs such a line."""

_EXPECTATION = re.compile(
    r"(?P<kind>(?:no )?(?:shows|absent|line|html|link|files|field|codes|nowhere))(?: (?P<place>[^:]+))?:(?: (?P<text>.*))?"
)


@dataclass(frozen=True)
class Case:
    """A case: its file, its title, the sources, what the site shows, and the expected messages."""

    file: str
    title: str
    flags: frozenset[str]
    sources: str
    shown: tuple[str, ...]
    expected: str


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file; the text before the first case is a comment."""
    _, *parts = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    results = []
    for part in parts:
        head, _, remainder = part.partition("\n")
        flags, title = re.findall(r"\[([\w ]+)\] ", head), re.sub(r"\[[\w ]+\] ", "", head).strip()
        sources, rule, expected = remainder.partition(f"\n{RULE}\n")
        assert rule, f"{path.name}: “{title}” has no line {RULE}"
        lines = expected.rstrip("\n").split("\n")
        shown = tuple(line for line in lines if _EXPECTATION.fullmatch(line))
        messages = "\n".join(line for line in lines if line not in shown)
        results.append(Case(path.stem, title, frozenset(flags), f"{sources}\n", shown, messages))
    return results


def prepare_sources(case: Case, sources: Sources) -> Sources:
    """Apply the flags of a case to its sources."""
    files = [path for path in sources.root.rglob("*") if path.is_file()]
    for path in files if "bytes" in case.flags else ():
        escaped = re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes.fromhex(m[1].decode()), path.read_bytes())
        path.write_bytes(escaped)
    for path in files if "repeat" in case.flags else ():
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"«(\d+)×(.*?)»", lambda m: int(m[1]) * m[2], text, flags=re.DOTALL)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in files if "links" in case.flags else ():
        target = re.fullmatch(r"-> (\S+)\n", path.read_text(encoding="utf-8"))
        if target:
            path.unlink()
            path.symlink_to(target[1])
    if "no profile" in case.flags:
        (sources.root / "content/profile.yaml").unlink()
    return sources


def list_failures(case: Case, built: Built) -> Iterator[str]:
    """Yield each line of a case that is not true of its site, with what is there instead."""
    for line in case.shown:
        match = _EXPECTATION.fullmatch(line)
        assert match
        kind, place, text = match["kind"], match["place"] or "", match["text"] or ""
        wanted = not kind.startswith("no ") and kind != "absent"
        kind = kind.removeprefix("no ")
        if kind == "files":
            if any((path in built.paths) != wanted for path in text.split()):
                yield f"{line}\n    there are {' '.join(built.paths)}"
        elif kind == "codes":
            if built.codes != text.split():
                yield f"{line}\n    it is {' '.join(built.codes)}"
        elif kind == "nowhere":
            if places := [a.path for a in built.build.artifacts if text.encode() in a.read()]:
                yield f"{line}\n    it is in {' '.join(places)}"
        elif kind == "field":
            actual = format_value(find_value(built, place), built)
            if actual.strip() != text:
                yield f"{line}\n    it is {actual}"
        else:
            pdf = read_pdf(built, place)
            page = "" if pdf else built.read_page(place)
            actual = read_pdf_part(kind, pdf) if pdf else read_part(kind, place, page)
            if kind == "line":
                is_there = f"\n{text}\n" in actual
            elif kind == "link":
                is_there = f'href="{text}"' in actual
            else:
                is_there = bool(re.search(".*?".join(map(re.escape, text.split(" … "))), actual, re.DOTALL))
            if is_there != wanted:
                yield f"{line}\n    in {actual}"


def read_pdf(built: Built, place: str) -> bytes:
    """Return the bytes of a PDF of the site; none if the file is no PDF."""
    bodies = [a.read() for a in built.build.artifacts if place.endswith(".pdf") and f"/{a.path}" == place]
    return next((body for body in bodies if body.startswith(b"%PDF-")), b"")


def read_pdf_part(kind: str, pdf: bytes) -> str:
    """Return what an expectation is sought in: the lines of a PDF, the addresses of its links, or its words."""
    if kind == "line":
        return "\n" + "".join(f"{line.strip()}\n" for line in lines_of(pdf)).replace("\xa0", " ")
    return "".join(f'href="{url}"' for url in links_of(pdf)) if kind == "link" else words_of(pdf)


def read_part(kind: str, place: str, page: str) -> str:
    """Return what an expectation is sought in: the HTML, the lines, or the words of the main part without its BibTeX."""
    if kind == "html" or not place.endswith(("/", ".html")):
        return page
    if kind == "link":
        return html.unescape(page)
    if kind == "line":
        lines = outline_page("", page)
        return "\n" + re.sub(
            r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", re.sub(r"(?m)^(?:[a-z]\w*)?(?:#\S+)? ", "", lines)
        )
    main = re.sub(r"(?s)<pre\b.*?</pre>", "", page.partition("<main")[2].partition("</main>")[0])
    return visible_text(f"<body>{main.partition('>')[2]}" if main else page)


def find_value(built: Built, path: str) -> Any:
    """Return the value at a path such as "talks[0].title" or "profile.name"."""
    name, *parts = re.findall(r"\w+|\[\d+\]", path)
    value: Any = getattr(built.site, name, None)
    if value is None:
        value = built.site.collections[name].entries
    for part in parts:
        if part.startswith("["):
            value = value[int(part[1:-1])]
        elif isinstance(value, tuple):
            value = tuple(getattr(item, part) for item in value)
        else:
            value = getattr(value, part)
    return value


def format_value(value: Any, built: Built) -> str:
    """Return a value as one line: the items of a tuple are separated by " | "."""
    if isinstance(value, tuple):
        return " | ".join(format_value(item, built) for item in value)
    if isinstance(value, Date | Period):
        return value.format_text(built.site.active_theme.translations)
    if isinstance(value, Authors):
        return " | ".join(author.name.full_name for author in value.people)
    if isinstance(value, Name):
        return value.full_name
    if isinstance(value, Point):
        return str(value.text)
    if isinstance(value, Link):
        return f"{value.label} {value.url}"
    return str(value)
