"""Problems of a site: where they are, what is wrong, and how to repair them."""

import difflib
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from tenure.record import Record

Level = Literal["error", "warning", "info"]

PROBLEM_CODES: Mapping[str, tuple[Level, str]] = {
    # files
    "encoding": ("error", "a file is not UTF-8"),
    "unreadable": ("error", "a file cannot be read"),
    "merge-marks": ("error", "a file has both versions of a merge conflict in Git"),
    "no-profile": ("error", "content/profile.yaml is missing"),
    "unknown-file": (
        "warning",
        "a file is not read where it is, or is not published because no page links to it",
    ),
    "unlinked-file": (
        "info",
        "no page links to a file that is published, or no line names the PDF of a paper",
    ),
    "empty-text": ("warning", "a Markdown file has no words"),
    "list-name": (
        "warning",
        "a list of your own nearly has the name of a list with fields of its own, or has publications",
    ),
    "duplicate-collection": ("error", "a collection has two sources: a list and a text"),
    # YAML and front matter
    "yaml-syntax": ("error", "the text is not YAML, or has a key twice, a tag or a second document"),
    "yaml-repaired": ("warning", "the text is not YAML, and is read as it was meant"),
    "front-matter": ("error", "front matter has no closing ---"),
    # the shape of entries
    "unknown-key": ("error", "a key is unknown"),
    "alias": ("info", "a key has another name in Tenure and is read under that name"),
    "ignored-key": ("info", "a key of another system has no meaning in Tenure and is ignored"),
    "unused-key": ("warning", "a key is known, but its value is not published"),
    "published-address": ("warning", "the profile has a postal address that may be private"),
    "missing-key": ("error", "a required key is missing"),
    "wrong-shape": ("error", "a list is written where a mapping is expected, or the reverse"),
    "bad-date": ("error", "a date or period cannot be read"),
    "unread-date": ("warning", "a text begins with what looks like a date and is none"),
    "future-end": ("warning", "the end of a person is later than every other date of the site"),
    "unknown-translation": ("warning", "a text is translated into a language that the site does not have"),
    "untranslated": ("info", "a text has no translation; only check --info lists it"),
    "bad-value": ("error", "a value is no number, not one of the possible values, or has another form"),
    "bad-address": ("error", "a URL is of a kind that is never linked, such as javascript:"),
    "bad-email": ("warning", "an e-mail address cannot be read, and is shown without a link"),
    "key-twice": ("error", "one fact is given under two keys, such as period and start"),
    "duplicate-id": ("error", "two entries of a collection have the same id"),
    "unknown-publication": ("error", "a source names a publication that is in no .bib file"),
    "unknown-person": ("warning", "a name is not in content/people.yaml, or fits two people there"),
    "schema-version": ("error", "site.yaml is written for another version"),
    # pages
    "unknown-page": ("error", "site.yaml names a page that cannot be made"),
    "unknown-section": ("error", "site.yaml names a section that has no source"),
    "bad-path": ("error", "the path of a page is not valid"),
    "duplicate-path": ("error", "two pages or files have the same URL"),
    "unshown-list": ("warning", "no page and no CV shows a list"),
    "cv-only": ("info", "only the CV shows a text of your own"),
    "empty-section": ("warning", "the filters of a section match no entry"),
    # BibTeX
    "bib-syntax": (
        "warning",
        "a .bib file cannot be read completely: its syntax, keys, macros or encoding, or a field twice",
    ),
    "bib-duplicate-key": ("warning", "two entries have the same key"),
    "bib-missing-field": ("warning", "an entry has no title or no year"),
    "bib-bad-value": ("warning", "a date, a name or a URL in an entry cannot be read or linked"),
    "bib-details": ("info", "a .bib file has fields of programs that are not shown"),
    "bib-missing-entry": ("warning", "an entry inherits from, or cites, an entry that no .bib file has"),
    "bib-joined": ("info", "an entry is shown as a part of others, or once for several people"),
    "bib-unknown": ("warning", "a .bib file has fields or LaTeX commands that are not known"),
    "bib-duplicate-work": ("warning", "two entries are probably the same work, or a preprint and its paper"),
    "bib-owner": (
        "warning",
        "the site's owner is not an author of any entry, or an author who is not marked may be the owner",
    ),
    # themes
    "unknown-theme": ("error", "the theme does not exist"),
    "unknown-option": ("error", "the theme has no such option"),
    "low-contrast": ("warning", "a color is hard to read on the theme's pages"),
    "unknown-block": ("warning", "a template has a block that the one it extends does not have"),
    "style-sheet": ("warning", "a style sheet of a theme loads a file from another host"),
    "template-missing": ("error", "a template names a template that does not exist"),
    "template-syntax": ("error", "a template is not valid Jinja"),
    "template-name": ("error", "a template uses a name or field that does not exist"),
    "outdated-copy": ("warning", "the original of a copied theme file has changed"),
    "missing-labels": ("warning", "the translation of a theme is incomplete"),
    "bad-labels": ("warning", "a label of a theme is empty or has an unknown placeholder"),
    # texts
    "unknown-code-language": ("warning", "the language of a code block is unknown"),
    "footnote": ("warning", "a footnote is defined twice, or is never used"),
    "unclosed-tag": (
        "warning",
        "HTML in a text has an element or a comment without an end, or an end without a start",
    ),
    "foreign-tag": ("warning", "a text has a tag of another site generator"),
    "foreign-markup": ("warning", "a text has markup of another dialect of Markdown, or a command of LaTeX"),
    "blocked-by-policy": ("warning", "a text or a template asks for what the policy of the page blocks"),
    # CVs
    "own-cv": ("warning", "a file takes the place of the generated CV without a link, or is no PDF"),
    "cv-template": ("error", "Typst cannot make a PDF from a theme's cv.typ"),
    "cv-warning": ("warning", "Typst reports a warning about a theme's cv.typ"),
    "cv-letters": ("warning", "the theme's fonts or LaTeX lack letters that a CV needs"),
    "cv-pages": ("warning", "a CV has more pages than its limit"),
    "cv-length": ("warning", "a CV or a section of it has more words or characters than its limit"),
    "within-limit": ("info", "how long a CV or a section of it is that has a limit"),
    "pages-of-pdf": ("info", "the limit of pages holds for the PDF of a CV, and not for Word and LaTeX"),
    "cv-formula": ("warning", "a formula in a CV cannot be drawn and is written as plain text"),
    # links
    "bad-formula": ("warning", "a formula cannot be read and is shown as written"),
    "broken-link": ("error", "a link does not match any page or file of the site"),
    "dead-link": ("warning", "a link to another site does not work"),
    "missing-file": ("warning", "a source names a file that does not exist"),
    "unknown-citation": ("error", "a text cites a publication that does not exist"),
    "doubtful-citation": ("warning", "a word that begins with @ is almost the key of a publication"),
    "latex-citation": ("warning", "a text has a citation of LaTeX, which is shown as it is written"),
    "broken-anchor": ("warning", "a link names an anchor that its page does not have"),
    "ambiguous-file": ("error", "a file name matches several files"),
    "wrong-case": ("error", "a link and its file differ in upper and lower case"),
    "missing-alt": ("warning", "an image has no alt text"),
    "unreadable-picture": ("error", "an image file cannot be read"),
    "huge-picture": ("error", "an image has too many pixels to be processed safely"),
    "no-poster": ("warning", "a video has no image that is shown before it plays"),
    "large-video": ("warning", "a video that pages play is too large"),
    "unsafe-picture": ("error", "an SVG file contains a script or needs another file"),
    "picture-data": ("warning", "an image may contain its location, in a format that is not cleaned"),
    "duplicate-anchor": ("warning", "two elements of a page have the same id"),
    # output
    "foreign-file": ("error", "a file that Tenure did not write is in the way"),
}
"""The level of each problem code, and when the problem is reported."""


ENTRY_LOSING_CODES = frozenset(
    ["encoding", "unreadable", "merge-marks", "yaml-syntax", "front-matter",
     "unknown-key", "missing-key", "wrong-shape"]
)  # fmt: skip
"""Codes of problems that lose entries; references to the lost entries are then not reported."""


class Place(Record, order=True):
    """A place in a file; line, column (both from 1) and length in characters are 0 if unknown."""

    file: str
    line: int = 0
    column: int = 0
    length: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])


class Edit(Record, order=True):
    """A safe repair of a source: `text` replaces the `length` characters at `place`."""

    place: Place
    text: str


class Problem(Record, order=True):
    """
    One problem: its place, level, code and message, the repair as a hint, the source line, and safe edits.
    """

    place: Place
    level: Level
    code: str
    message: str
    hint: str = ""
    excerpt: str = ""
    edits: tuple[Edit, ...] = ()


class Problems:
    """The problems reported so far, and the texts of the sources."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[Place, str, str], Problem] = {}
        self._reported: list[Problem] = []
        self._files_with_losses: set[str] = set()
        self._sources: dict[str, str] = {}
        self._line_starts: dict[str, list[int]] = {}

    def add_source(self, file: str, text: str) -> None:
        """Store the text of a file, so that a problem can show its line."""
        self._sources[file] = text
        self._line_starts.pop(file, None)

    def source_texts(self) -> tuple[tuple[str, str], ...]:
        """The file and text of each source, sorted by file."""
        return tuple(sorted(self._sources.items()))

    def report(
        self, code: str, place: Place, message: str, hint: str = "", edits: tuple[Edit, ...] = ()
    ) -> None:
        """Report a problem; duplicates count once. `edits` are the repair if it is certain."""
        level, _ = PROBLEM_CODES[code]
        self.add([Problem(place, level, code, message, hint, self._find_source_line(place), edits)])

    def sorted_problems(self, ignore: Iterable[str] = ()) -> tuple[Problem, ...]:
        """All problems in the order in which they are shown, without warnings and infos to ignore."""
        ignored_codes = frozenset(ignore)
        kept = (p for p in self._by_key.values() if p.level == "error" or p.code not in ignored_codes)
        return tuple(order_problems(kept))

    @property
    def has_errors(self) -> bool:
        """Whether an error has been reported; then the site cannot be published."""
        return any(problem.level == "error" for problem in self._by_key.values())

    def count(self) -> int:
        """The number of reports so far, including duplicates."""
        return len(self._reported)

    def added_since(self, earlier_count: int) -> tuple[Problem, ...]:
        """The problems reported after the first `earlier_count`, in order, including duplicates."""
        return tuple(self._reported[earlier_count:])

    def add(self, problems: Iterable[Problem]) -> None:
        """Add problems that another part of the program has reported."""
        for problem in problems:
            self._reported.append(problem)
            if problem.code in ENTRY_LOSING_CODES:
                self._files_with_losses.add(problem.place.file)
            self._by_key.setdefault((problem.place, problem.code, problem.message), problem)

    def add_new(self, problems: Iterable[Problem]) -> None:
        """Add the problems of a translation: those at places without a reported problem of the same code."""
        known = {(problem.place, problem.code) for problem in self._by_key.values()}
        self.add(problem for problem in problems if (problem.place, problem.code) not in known)

    def find_text(self, text: str) -> Place | None:
        """The first place of a text in all sources, sorted by file; None if there is none."""
        return next(self.find_places(re.escape(text)), None)

    def find_places(
        self, pattern: str, file: str = "", lines: tuple[int, int] = (1, sys.maxsize)
    ) -> Iterator[Place]:
        """
        Yield each match of a pattern in some lines of a file, or in all sources sorted by file.

        `lines` are the first and the last one, from 1: (3, 5). Of a pattern with groups, it is the match of
        the first one.
        """
        compiled = re.compile(pattern)
        group = 1 if compiled.groups else 0
        files = [file] if file else sorted(self._sources)
        first, last = lines
        for source in files:
            starts = self._find_line_starts(source)
            if 0 < first <= len(starts):
                end = starts[last] if last < len(starts) else sys.maxsize
                for match in compiled.finditer(self._sources.get(source, ""), starts[first - 1], end):
                    yield self.locate(source, *match.span(group))

    def find_entry(self, key: str) -> Place | None:
        """
        The first place of the key of a BibTeX entry, also of one that cannot be read; None for no place.
        """
        return next(self.find_places(rf"@\s*\w+\s*[{{(]\s*({re.escape(key)})\s*[,\n]"), None)

    def locate(self, file: str, start: int, end: int) -> Place:
        """The place of the characters from `start` to before `end` (both from 0) of a source."""
        line_starts = self._find_line_starts(file)
        line = bisect_right(line_starts, start)
        return Place(file, line, start - line_starts[line - 1] + 1, end - start)

    def _find_line_starts(self, file: str) -> list[int]:
        """The offset of each line of a source."""
        if file not in self._line_starts:
            newlines = re.finditer("\n", self._sources.get(file, ""))
            self._line_starts[file] = [0, *(newline.end() for newline in newlines)]
        return self._line_starts[file]

    def has_source(self, *files: str) -> bool:
        """Whether one of these files has been read, with or without errors."""
        return any(file in self._sources for file in files)

    def has_losses_in(self, prefix: str) -> bool:
        """Whether a reported problem lost entries of a file whose name begins with this prefix."""
        return any(file.startswith(prefix) for file in self._files_with_losses)

    def _find_source_line(self, place: Place) -> str:
        """The line of a place without its end; "" if the source has no such line."""
        starts = self._find_line_starts(place.file)
        if not 0 < place.line <= len(starts):
            return ""
        text = self._sources.get(place.file, "")
        start = starts[place.line - 1]
        end = text.find("\n", start)
        return text[start:] if end < 0 else text[start:end]


MAX_COMPARED_WORDS = 500
"""
So many words are compared with an unknown one, those of its length first: a library has thousands of keys.
"""


def order_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Errors first, then the others, both by file, line and column."""
    return sorted(problems, key=lambda problem: (problem.level != "error", problem))


def find_similar_word(unknown: str, known: Iterable[str]) -> str:
    """The known word that begins with an unknown one or is most similar to it; "" if none is similar."""
    folded = unknown.casefold()[:100]
    words = {word.casefold(): word for word in sorted(known)}
    completions = [word for word in words if len(folded) >= 3 and word.startswith(folded)]
    if completions:
        return words[min(completions, key=len)]

    candidates = list(words)
    if len(words) > MAX_COMPARED_WORDS:
        candidates.sort(key=lambda word: abs(len(word) - len(folded)))
    matches = difflib.get_close_matches(folded, candidates[:MAX_COMPARED_WORDS], n=1, cutoff=0.66)
    return words[matches[0]] if matches else ""


def format_suggestion(unknown: str, known: Iterable[str]) -> str:
    """The hint for an unknown word: the most similar known one, else all of them if at most 24, else ""."""
    choices = sorted(known)
    listed = f"known here: {', '.join(choices)}" if 0 < len(choices) <= 24 else ""
    return suggest_word(unknown, choices, listed)


def suggest_word(unknown: str, known: Iterable[str], otherwise: str) -> str:
    """The hint for an unknown word: the most similar known one, or another hint if none is similar."""
    similar = find_similar_word(unknown, known)
    return f'did you mean "{similar}"?' if similar else otherwise


MAX_EXCERPT_WIDTH = 60
"""Columns of a source line in the terminal."""

_CONTROL_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
"""A control character -> its picture in Unicode: ␛ for Escape."""


def format_problem(problem: Problem) -> str:
    """
    The problem as lines of text: place and message, the source line, and a caret with the hint.

    Control characters are shown by their pictures, because a terminal would obey them.
    """
    lines = [f"{problem.place}: {problem.level}: {problem.message}"]
    place = problem.place
    if problem.excerpt.strip() and place.column:
        excerpt, column = _crop_line(problem.excerpt, place.column)
        start = column - 1
        marked = excerpt[start : start + max(1, place.length)]
        carets = " " * _display_width(excerpt[:start]) + "^" * max(1, _display_width(marked))
        lines.append(f"{place.line:>4} | {excerpt}")
        lines.append(f"{'':>4} | {carets} {problem.hint}".rstrip())
    elif problem.hint:
        lines.append(f"     {problem.hint}")
    return "\n".join(lines).translate(_CONTROL_PICTURES)


def _display_width(text: str) -> int:
    """The number of terminal columns of a text: two for Chinese characters, none for combining marks."""
    letters = [letter for letter in text if not unicodedata.combining(letter)]
    return len(letters) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in letters)


def _crop_line(line: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column that fits with its margin, and the new column."""
    text = line.replace("\t", " ").rstrip()
    width = MAX_EXCERPT_WIDTH - 7  # of the margin: "   8 | "
    if len(text) <= width:
        return text, min(column, len(text) + 1)

    # a third of the excerpt is before the column
    start = max(0, min(column - 1 - width // 3, len(text) - width + 1))
    excerpt = text[start : start + width]
    if start:
        excerpt = "…" + excerpt[1:]
    if start + width < len(text):
        excerpt = excerpt[:-1] + "…"
    return excerpt, column - start


def problem_as_json(problem: Problem) -> dict[str, object]:
    """The problem as a JSON object."""
    place = problem.place
    edits = [
        {
            "line": edit.place.line,
            "column": edit.place.column,
            "length": edit.place.length,
            "text": edit.text,
        }
        for edit in problem.edits
    ]

    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "level": problem.level,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "edits": edits,
    }


def format_annotation(problem: Problem, address: str = "") -> str:
    """
    The problem as a workflow command of GitHub Actions; `address` is that of its section, or "".

    Source: GitHub documentation, "Workflow commands for GitHub Actions", setting an error message.
    """
    place = problem.place
    message = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    if address:
        message = f"{message} {address}"
    level = "notice" if problem.level == "info" else problem.level

    values = {"file": place.file, "line": place.line, "col": place.column, "title": problem.code}
    escaped = {key: _escape_message(str(value)) for key, value in values.items() if value}
    properties = ",".join(
        f"{key}={value.replace(':', '%3A').replace(',', '%2C')}" for key, value in escaped.items()
    )
    return f"::{level} {properties}::{_escape_message(message)}"


def _escape_message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def format_count(count: int, singular: str, plural: str = "") -> str:
    """A count with its noun: "1 file", "2 files"; `plural` is only needed if it is not the noun with an s."""
    if count == 1:
        return f"{count} {singular}"
    return f"{count} {plural or f'{singular}s'}"
