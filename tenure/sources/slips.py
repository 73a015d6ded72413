"""Diagnoses invalid YAML: the probable mistake, its place and a repair."""

import re
from collections.abc import Callable
from functools import cached_property

from tenure.frozen import dataclass
from tenure.problems import Edit, Place

KEYED = re.compile(r"(?P<margin>\s*(?:- +)*)(?P<key>[^\s:#'\"\[{&*!|>%@`-][^:#]*?)\s*:(?:\s+(?P<value>.*))?$")
GLUED = re.compile(r"(?P<margin>\s*(?:- +)*)(?P<key>[A-Za-z][\w -]*):(?P<value>\S.*)$")
MOST_SHOWN = 50
CURLY = "“”„‟«»"


@dataclass(frozen=True, slots=True)
class Slip:
    """
    A probable mistake: its line, column (both from 1), length and message, and a hint with the repair.

    `edits` are the repair if it is certain; their places have no file name yet.
    """

    line: int
    column: int
    length: int
    message: str
    hint: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Trouble:
    """A parse error of the YAML library: its message, its position, and the start of the unfinished construct."""

    text: str
    words: str
    at: tuple[int, int]
    begun: tuple[int, int]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, and an empty last line."""
        return [*self.text.split("\n"), ""]

    @property
    def line(self) -> str:
        """The line with the error."""
        return self.lines[min(self.at[0], len(self.lines) - 1)]

    @cached_property
    def above(self) -> int:
        """The number (from 0) of the last line above the error that is neither empty nor a comment."""
        written = (n for n in range(min(self.at[0], len(self.lines)) - 1, -1, -1) if _says(self.lines[n]))
        return next(written, 0)

    def slip(  # noqa: PLR0913 - place, message and repair
        self,
        line: int,
        column: int,
        length: int,
        message: str,
        hint: str = "",
        *,
        edits: tuple[Edit, ...] = (),
    ) -> Slip:
        """A mistake at a line and a column that are counted from 0."""
        return Slip(line + 1, column + 1, max(1, length), message, hint, edits)

    def is_one_line(self, number: int, column: int) -> bool:
        """Whether the value of a key or hyphen at this column (from 0) does not continue in the next line."""
        following = next((line for line in self.lines[number + 1 :] if _says(line)), "")
        return not following or len(following) - len(following.lstrip()) <= column


def slip_of(trouble: Trouble) -> Slip:
    """The most probable cause of a parse error."""
    for reader in READERS:
        found = reader(trouble)
        if found is not None:
            return found
    line, column = trouble.at
    hint = "check its indentation, its colons and its quotes"
    return trouble.slip(line, column, 1, "this line does not fit the lines above", hint)


def quoted(value: str) -> str:
    """A value in quotes for a message, shortened to MAX_EXCERPT_LENGTH characters."""
    bare = " ".join(value.split())
    if len(bare) > MOST_SHOWN:
        bare = bare[: MOST_SHOWN - 1] + "…"
    return f"'{bare.replace(chr(39), chr(39) * 2)}'" if '"' in bare or "\\" in bare else f'"{bare}"'


def edit_at(line: int, column: int, length: int, text: str) -> tuple[Edit, ...]:
    """A repair with one edit at a line and a column that are counted from 0."""
    return (Edit(Place("", line + 1, column + 1, length), text),)


def quote_value(value: str) -> str:
    """A whole value in quotes: single quotes if it has a double quote or a backslash."""
    has_sign = '"' in value or "\\" in value
    return f"'{value.replace(chr(39), chr(39) * 2)}'" if has_sign else f'"{value}"'


def quote_edits(trouble: Trouble, number: int, column: int) -> tuple[Edit, ...]:
    """
    An edit that puts the value at a line and a column, counted from 0, in quotes.

    () if the end of the value is not certain: it is in brackets, has a comment, or continues in the next line.
    """
    line = trouble.lines[number]
    before, value = line[:column], line[column:].rstrip()
    key = re.fullmatch(r"(?P<margin>\s*(?:- +)*)(?:[^\s\"'#\[{][^\"'#\[{]*?:\s+)?", before)
    if key is None or not value or re.search(r"\s#", value):
        return ()
    margin = len(key["margin"]) if before != key["margin"] else before.rfind("-")
    return (
        edit_at(number, column, len(value), quote_value(value)) if trouble.is_one_line(number, margin) else ()
    )


def unescape_edits(line: str, number: int, column: int) -> tuple[Edit, ...]:
    """
    An edit that changes the double quotes of a value with LaTeX commands to single quotes; the value begins at `column`.

    () if one of its backslashes may be a YAML escape.
    """
    value = re.match(
        r'"((?:[^"\\]|\\(?:[A-Za-z]{2,}|[{}%$#,;()\[\]|!&]))*)"\s*(?:$|[,\]}]|\s#)', line[column:]
    )
    return edit_at(number, column, len(value[1]) + 2, quote_value(value[1])) if value else ()


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _margin(trouble: Trouble) -> Slip | None:
    """A line indented with tabs or special spaces."""
    found = re.match(r" *([\t\u00a0\u3000]+)[ \t\u00a0\u3000]*", trouble.line)
    if found is None:
        return None
    name, hint = "a tab", "indent with spaces"
    if "\t" not in found[1]:
        name, hint = "a special space character", "type the spaces before it again"
    line = trouble.at[0]
    is_certain = not re.search("[\t\u3000]", found[0])
    edits = edit_at(line, 0, len(found[0]), " " * len(found[0])) if is_certain else ()
    message = f"this line is indented with {name}"
    return trouble.slip(line, found.start(1), len(found[1]), message, hint, edits=edits)


def _hyphen(trouble: Trouble) -> Slip | None:
    for number in (trouble.at[0], trouble.above):
        line = trouble.lines[min(number, len(trouble.lines) - 1)]
        found = re.match(r"(\s*)-([A-Za-z][\w -]*):(?:\s|$)", line)
        if found:
            hint = f'write "- {found[2]}: …"'
            edits = edit_at(number, len(found[1]) + 1, 0, " ")
            return trouble.slip(
                number, len(found[1]), 1, "a hyphen needs a space after it", hint, edits=edits
            )
    return None


def _open_quote(trouble: Trouble) -> Slip | None:
    """A quote that is not closed, or not closed in its line."""
    ended = "quoted scalar" in trouble.words and "end of stream" in trouble.words
    if not ended and not re.search("expected key|block end|'-' indicator", trouble.words):
        return None
    for number in range(min(trouble.at[0] + 1, len(trouble.lines))):
        line = trouble.lines[number]
        found = re.match(r"\s*(?:- +)*(?:[^\s\"'#][^\"'#]*?:\s+)?([\"'])", line)
        if found is None or (ended and (number, found.start(1)) != trouble.begun):
            continue
        rest = line[found.end() :]
        if re.search(r'(?<!\\)"' if found[1] == '"' else r"(?<!')'(?!')", rest):
            continue
        hint = f'close it: "{rest.strip()}"' if found[1] == '"' else f'write "{found[1]}{rest.strip()}"'
        return trouble.slip(number, found.start(1), 1, "the quote that begins here is never closed", hint)
    return None


def _backslash(trouble: Trouble) -> Slip | None:
    if not re.search("escape|hexa?decimal", trouble.words):
        return None
    line, column = trouble.line, trouble.at[1]
    at = line.rfind("\\", 0, column + 1)
    start = trouble.begun[1] if trouble.begun[0] == trouble.at[0] else line.find('"')
    end = line.find('"', start + 1)
    value = line[start + 1 : end if end > 0 else len(line)]
    hint = f"write it in single quotes: {quoted(value)}"
    message = "a backslash is not allowed in double quotes"
    edits = unescape_edits(line, trouble.at[0], start) if start >= 0 else ()
    return trouble.slip(trouble.at[0], max(0, at), 2, message, hint, edits=edits)


def _bracket(trouble: Trouble) -> Slip | None:
    found = re.search(r"',' or '([\]}])'", trouble.words)
    number, column = trouble.at
    if found is None and "flow node" in trouble.words:
        opened = _open_bracket(trouble)
        sign = {"[": "]", "{": "}"}[trouble.lines[opened[0]][opened[1]]] if opened else ""
        message = f"the {'bracket' if sign == ']' else 'brace'} that begins here is never closed"
        return trouble.slip(*opened, 1, message, f"add a {sign} at its end") if opened else None
    if found is None:
        return None
    word = re.search(r"[^\s,{\[]+$", trouble.line[:column])
    if number == trouble.begun[0] and trouble.line[column : column + 1] == ":" and word:
        message = f'a comma is missing before "{word[0]}"'
        return trouble.slip(number, word.start(), len(word[0]), message, "add a comma before it")
    name = "bracket" if found[1] == "]" else "brace"
    message = f"the {name} that begins here is never closed, or lacks a comma"
    return trouble.slip(*trouble.begun, 1, message, f"add a {found[1]} at its end")


def _open_bracket(trouble: Trouble) -> tuple[int, int] | None:
    """The position of the innermost open bracket at the error."""
    opened: list[tuple[int, int]] = []
    for number, line in enumerate(trouble.lines[: trouble.at[0] + 1]):
        for found in re.finditer(r"[\[\]{}]", line):
            if found[0] in "[{":
                opened.append((number, found.start()))
            elif opened:
                opened.pop()
    return opened[-1] if opened else None


def _beginning(trouble: Trouble) -> Slip | None:
    """A value that begins with a YAML indicator character."""
    if not re.search(r"cannot start|alias|anchor|block scalar|directive", trouble.words):
        return None
    number, column = trouble.begun
    line = trouble.lines[number]
    sign = line[column : column + 1]
    if not line[:column].strip() and sign == "%":
        edits = edit_at(number, column, 1, "#")
        return trouble.slip(
            number, column, 1, "a line cannot begin with %", "begin a comment with #", edits=edits
        )
    if not line[:column].strip() and line[column:].startswith("* "):
        hint = f'write "- {line[column + 2 :].strip()}"'
        edits = edit_at(number, column, 1, "-")
        return trouble.slip(number, column, 1, "each entry of a list begins with a hyphen", hint, edits=edits)
    value = re.sub(r"\s+#\s.*", "", line[column:]).rstrip()
    if sign == "\t":
        return trouble.slip(number, column, 1, "there is a tab here", "write spaces")
    message = f"a value cannot begin with {sign}"
    edits = quote_edits(trouble, number, column)
    return trouble.slip(number, column, 1, message, f"put it in quotes: {quoted(value)}", edits=edits)


def _after_closing(trouble: Trouble) -> Slip | None:
    """Text after a closing quote or bracket."""
    number, column = trouble.at
    before = trouble.line[:column]
    found = re.match(r"(\s*(?:- +)*(?:[^\s\"'#\[{][^\"'#\[{]*?:\s+)?)([\"'\[{].*[\"'\]}])\s*$", before)
    if found is None:
        return None
    value = trouble.line[len(found[1]) :]
    if value.startswith("{{"):
        return trouble.slip(number, len(found[1]), len(found[2]), *NOT_FILLED_IN)
    if not re.search(r"\w", trouble.line[column:]) or (
        value[0] == "{" and value.count("}") > value.count("{")
    ):
        at = column if not re.search(r"\w", trouble.line[column:]) else before.rstrip().rfind("}")
        sign = trouble.line[at]
        return trouble.slip(number, at, 1, f"there is one {sign} too many", "delete it")
    name = "quote" if value[0] in "\"'" else "bracket" if value[0] == "[" else "brace"
    message = f"there is text after the closing {name}"
    is_text = name == "quote" or re.match(r"\[[^\]]*\]\(", value)
    edits = quote_edits(trouble, number, len(found[1])) if is_text else ()
    length = len(value) - len(value.lstrip())
    return trouble.slip(number, column, length, message, f"write {quoted(value)}", edits=edits)


NOT_FILLED_IN = ("{{ … }} has no meaning here", "write the text itself")


def _colon(trouble: Trouble) -> Slip | None:
    if "mapping values" not in trouble.words:
        return None
    number, column = trouble.at
    found = KEYED.match(trouble.line)
    if found and found["value"] is not None and column >= found.start("value"):
        value = found["value"]
        if value[0] in CURLY:
            message, value = "curly quotes are not quotes in YAML", value.strip(f"{CURLY} ")
            return trouble.slip(number, found.start("value"), 1, message, f"write {quoted(value)}")
        hint = f"put the value in quotes: {quoted(value)}"
        edits = quote_edits(trouble, number, found.start("value")) if value[0] not in "[{|>&*!'\"" else ()
        return trouble.slip(number, column, 1, "a value with a colon needs quotes", hint, edits=edits)
    return _line_above(trouble)


def _line_above(trouble: Trouble) -> Slip | None:
    """A key that is not recognized because of the line above it."""
    number, above = trouble.above, trouble.lines[trouble.above]
    glued = GLUED.match(above)
    if glued:
        return _glued(trouble, number, glued)
    keyed = KEYED.match(above)
    margin = len(above) - len(above.lstrip())
    if keyed is None and above.lstrip().startswith("- ") and trouble.line.lstrip().startswith("- "):
        return _two_hyphens(trouble, margin)
    if keyed is None:
        return _colonless(trouble, number, above)
    here = len(trouble.line) - len(trouble.line.lstrip())
    told = KEYED.match(trouble.line)
    if told and " " in told["key"] and here > len(keyed["margin"]):
        message = "a text with a colon needs quotes"
        return trouble.slip(*trouble.at, 1, message, f'put all the words of "{keyed["key"]}" in quotes')
    if here > len(keyed["margin"]):
        length = len(trouble.line[here:].partition(":")[0])
        message = "this line is indented further than the one above"
        return trouble.slip(trouble.at[0], here, length, message, f'align it with "{keyed["key"]}"')
    return trouble.slip(number, margin, 1, "this line does not fit the next one", "check its indentation")


def _two_hyphens(trouble: Trouble, margin: int) -> Slip:
    """A list with hyphens in two columns, or a list without a key."""
    here = len(trouble.line) - len(trouble.line.lstrip())
    if here != margin:
        hint = f"start it in column {margin + 1}"
        return trouble.slip(trouble.at[0], here, 1, "this hyphen is not aligned with the hyphen above", hint)
    first = trouble.above
    while first and trouble.lines[first - 1][: margin + 2] == " " * margin + "- ":
        first -= 1
    return trouble.slip(first, margin, 1, "this list has no key", "put its key above it, such as sections:")


def _glued(trouble: Trouble, number: int, found: re.Match[str]) -> Slip:
    hint = f'write "{found["key"]}: {found["value"].strip()}"'
    edits = () if found["value"].startswith("//") else edit_at(number, found.end("key") + 1, 0, " ")
    return trouble.slip(number, found.end("key"), 1, "a colon needs a space after it", hint, edits=edits)


def _colonless(trouble: Trouble, number: int, line: str) -> Slip:
    bare = re.sub(r"^\s*(?:- +)*", "", line)
    start = len(line) - len(bare)
    if bare.startswith(("//", "/*", "<!--", "--")):
        edits = edit_at(number, start, 2, "#") if bare.startswith("//") else ()
        return trouble.slip(
            number, start, 2, "this is not a YAML comment", "begin a comment with #", edits=edits
        )
    hint = "write key: value; or indent it if it continues the line above"
    return trouble.slip(number, start, len(bare.rstrip()), "this line has no key", hint)


def _simple_key(trouble: Trouble) -> Slip | None:
    if "simple key" not in trouble.words:
        return None
    number = trouble.begun[0]
    glued = GLUED.match(trouble.lines[number])
    return _glued(trouble, number, glued) if glued else _colonless(trouble, number, trouble.lines[number])


def _indentation(trouble: Trouble) -> Slip | None:
    """A key or a hyphen that is not aligned with any other."""
    if not re.search("expected key|block end|'-' indicator", trouble.words):
        return None
    number, column = trouble.at
    here = trouble.line[column:]
    above = KEYED.match(trouble.lines[trouble.above])
    within = above is not None and column >= len(above["margin"])
    if here.startswith("- ") and above and within and (above["value"] or "").strip():
        hint = f"make its value the first line of the list: - {above['value'].strip()}"
        return trouble.slip(number, column, 1, f'a list cannot follow the value of "{above["key"]}"', hint)
    if here.startswith("-"):
        columns = [m.end() for line in trouble.lines[:number] if (m := re.match(r" *(?=- )", line))]
        place = f"start it in column {min(columns, key=lambda c: abs(c - column)) + 1}" if columns else ""
        return trouble.slip(number, column, 1, "this hyphen is not aligned with a hyphen above", place)
    if above is None or not here.strip():
        return None
    length = len(here.partition(":")[0])
    margin = above["margin"]
    settings = here.partition(":")[2].strip()[:1] in ("{", "")
    if margin.endswith("- ") and abs(column + 1 - len(margin)) < 2 and settings:
        return trouble.slip(
            number, column, length, "a hyphen is missing here", f'write "- {here[:length]}: …"'
        )
    message = "this key is not aligned with the other keys of its entry"
    return trouble.slip(number, column, length, message, f'align it with "{above["key"]}"')


READERS: tuple[Callable[[Trouble], Slip | None], ...] = (
    _margin,
    _hyphen,
    _open_quote,
    _backslash,
    _bracket,
    _beginning,
    _after_closing,
    _colon,
    _simple_key,
    _indentation,
)
"""Each function detects one kind of mistake; the first result is used."""
