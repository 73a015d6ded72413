"""`check --against FILE`: what an existing CV says and the site does not, and the other way round."""

import re
import unicodedata
from collections.abc import Container, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import UsageError
from tenure.cli.targets import display_path
from tenure.model.dates import parse_date, parse_period
from tenure.sources.reading.word import WordError, read_word_file

if TYPE_CHECKING:
    from tenure.publish import Artifact

MAX_DOCUMENT_SIZE = 50_000_000
"""Bytes of the document."""

_WORD = re.compile(r"\w[\w@/.+'&-]*[\w+]|[^\W\d]")
"""
A word, also with inner marks: "white-box", "C++", "name@example.edu", "3.95/4.00".

A single digit is none, but a label such as [1].
"""

_MONTH = re.compile(
    r"""
    \b(?: (?P<name>[^\W\d_]{3,10}) (?:\.\s?|,?\s) (?P<year>(?:19|20)\d\d)   # Sept. 2023 -> 2023-09
        | (?:19|20)\d\d [./-] (?:0[1-9]|1[0-2]) (?![./-]?\d) )        # 2020.09 -> 2020-09
    """,
    re.VERBOSE,
)

MAX_DATE_WORDS = 7
"""The words of a date: "from 1 May 2019 to 3 June 2020"."""

SHOWN_CHARACTERS = 90
"""Characters of a line in the report."""

_HIDDEN_ELEMENTS = {"script", "style", "template"}
_INLINE_ELEMENTS = {"sup", "sub", "b", "strong", "em", "i", "bdi", "abbr", "mark", "span"}
"""Elements that do not end a word; between two others there is a space."""

_MARKS = re.compile(r"https?://|</?[a-z]+>|(?<!\w)[*_`]{1,3}(?=\w)|(?<=\w)[*_`]{1,3}(?!\w)")
"""What is no word: the scheme of a URL, tags, and the marks of Markdown around a word."""


def compare_with_document(artifacts: "Sequence[Artifact]", document: Path) -> list[str]:
    """
    Lines of a report: the lines of a document with words that no page has, then those of the CV that it
    lacks.

    Words are compared without case, accents of typography and hyphens, dates by month. The document is text,
    Markdown, PDF or Word (.docx). Raises UsageError if it cannot be read.
    """
    name = display_path(document)
    document_lines = read_document(document)
    document_words = _fold_text("\n".join(document_lines))

    # a word may be on any page, but the lines to compare are those of the CV
    site_words = read_site_words(artifacts)
    cv_text = next((artifact.read().decode() for artifact in artifacts if artifact.path == "cv.txt"), "")

    report = [f"{name}: the site does not have"]
    report += _list_missing(document_lines, site_words, name)
    report.append(f"cv.txt: {name} does not have")
    report += _list_missing(cv_text.splitlines(), document_words, "cv.txt")
    return report


def read_site_words(artifacts: "Sequence[Artifact]") -> set[str]:
    """The words of all pages, in the forms in which they are compared."""
    pages = (artifact for artifact in artifacts if artifact.path.endswith(".html"))
    return set().union(*(_fold_text(_read_page(page.read().decode())) for page in pages))


def find_missing_words(line: str, known: Container[str]) -> Sequence[str]:
    """
    The words of a line that are not known.

    Those of a date are no words, because a site writes it in its own way: "seit 10/2012" -> 2012-10.
    """
    missing = [word for word in dict.fromkeys(split_words(line)) if not _is_known(word, known)]
    if not missing:
        return ()
    words = dict.fromkeys(split_words(_shorten_dates(line)))
    return [word for word in words if not _is_known(word, known)]


def _shorten_dates(line: str) -> str:
    """A line with its dates as numbers: "seit 10/2012, Rom" -> "2012-10, Rom"."""
    words = [*re.finditer(r"[^\s,;()\[\]]+", line)]
    end = len(line)
    for last in reversed(range(len(words))):
        if words[last].end() > end:
            continue
        for first in range(max(0, last - MAX_DATE_WORDS + 1), last + 1):
            start = words[first].start()
            period = parse_period(line[start : words[last].end()])
            if period is not None:
                dates = (date.iso[:7] for date in (period.start, period.end) if date)
                line = f"{line[:start]}{' '.join(dates)}{line[words[last].end() :]}"
                end = start
                break
    return line


def split_words(text: str) -> list[str]:
    """The words of a text, months as year and number: `**White-box**, Sept. 2023` -> White-box, 2023-09."""
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("’", "'")
    text = _MONTH.sub(_format_month, _MARKS.sub("", text))
    return [word.strip(".'-") for word in _WORD.findall(text)]


def fold_word(word: str) -> set[str]:
    """The forms in which a word is compared: `White-box` -> {"whitebox", "white", "box"}."""
    folded = word.casefold()
    return {folded.replace("-", ""), *(part for part in re.split(r"[\W_年月日년월일]+", folded) if part)}


def _fold_text(text: str) -> set[str]:
    return {form for word in split_words(text) for form in fold_word(word)}


def read_document(path: Path) -> list[str]:
    """The lines of a text, Markdown, PDF or Word file; raises UsageError if there is no text in it."""
    name = display_path(path)
    try:
        if path.stat().st_size > MAX_DOCUMENT_SIZE:
            raise UsageError(f"{name} is larger than {MAX_DOCUMENT_SIZE // 1_000_000} MB")
        lines = _read_lines(path)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    except UsageError:
        raise
    except WordError as error:
        raise UsageError(f"cannot read the text of {name}: {error}") from error
    except Exception as error:  # what the readers of a damaged PDF raise has no common class
        hint = "save it as text, Markdown, PDF or .docx"
        raise UsageError(f"cannot read the text of {name} ({error}); {hint}") from error

    if not any(line.strip() for line in lines):
        raise UsageError(f"there is no text in {name}; a scan must be copied as text first")
    return lines


def _read_lines(path: Path) -> list[str]:
    """The lines of a file by its suffix; raises whatever the reader of a damaged file raises."""
    suffix = path.suffix.casefold()
    if suffix == ".docx":
        file = read_word_file(path)
        lines = (*file.lines, *file.margins)
        return [paragraph.plain for line in lines for paragraph in line.list_paragraphs()]
    if suffix != ".pdf":
        return path.read_text(encoding="utf-8-sig").splitlines()

    import pypdf

    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    # a word that is hyphenated at the end of a line: "recon-\nstruction of" -> "reconstruction\nof"
    return re.sub(r"(\w)-\n(\w+) ?", r"\1\2\n", text).splitlines()


class _PageText(HTMLParser):
    """Collects the visible text, the alt texts and the addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the address of a link without its scheme, and the alternative text of an image."""
        if tag in _HIDDEN_ELEMENTS:
            self.hidden += 1
        for name, value in attrs:
            if name in ("href", "alt") and value:
                self.parts.append(f" {re.sub(r'^(?:mailto:|tel:|https?://)', '', value)} ")
        if tag not in _INLINE_ELEMENTS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN_ELEMENTS:
            self.hidden -= 1
        if tag not in _INLINE_ELEMENTS:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def _read_page(html: str) -> str:
    parser = _PageText()
    parser.feed(html)
    return " ".join("".join(parser.parts).split())


def _format_month(match: re.Match[str]) -> str:
    """A month as year and number: "Sep 2020", "2020.09" -> "2020-09"; other words are unchanged."""
    date = parse_date(match[0])
    return date.iso if date and date.month else match[0]


def _list_missing(lines: Sequence[str], known: Container[str], name: str) -> list[str]:
    """For each line with words that are not known: its number, these words, and its beginning."""
    found = []
    for number, line in enumerate(lines, 1):
        missing = find_missing_words(line, known)
        if missing:
            found.append(f"  {name}:{number}: {', '.join(missing)} | {line.strip()[:SHOWN_CHARACTERS]}")
    return found or ["  nothing is missing"]


def _is_known(word: str, known: Container[str]) -> bool:
    """
    Whether a word is known as a whole, without its hyphens, or by parts: "3.95/4.00" as 3, 95, 4 and 00.
    """
    whole = word.casefold().replace("-", "")
    parts = fold_word(word) - {whole}
    return whole in known or bool(parts) and all(part in known for part in parts)
