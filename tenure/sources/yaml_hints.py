"""Diagnoses invalid YAML: the probable mistake, its place and a repair."""

import re
from collections.abc import Callable
from functools import cached_property

from tenure.problems import Edit, Place
from tenure.record import Record

KEY_LINE = re.compile(
    r"(?P<margin>\s*(?:- +)*)(?P<key>[^\s:#'\"\[{&*!|>%@`-][^:#]*?)\s*:(?:\s+(?P<value>.*))?$"
)
GLUED_KEY_LINE = re.compile(r"(?P<margin>\s*(?:- +)*)(?P<key>[A-Za-z][\w -]*):(?P<value>\S.*)$")
MAX_EXCERPT_LENGTH = 50
CURLY_QUOTES = "“”„‟«»"


class YamlMistake(Record):
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


class ParseFailure(Record, dict=True):
    """A parse error of the YAML library: its message, its position, and the start of the unfinished construct."""

    text: str
    reason: str
    position: tuple[int, int]
    start: tuple[int, int]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, and an empty last line."""
        return [*self.text.split("\n"), ""]

    @property
    def line(self) -> str:
        """The line with the error."""
        return self.lines[min(self.position[0], len(self.lines) - 1)]

    @cached_property
    def previous_line_number(self) -> int:
        """The number (from 0) of the last line above the error that is neither empty nor a comment."""
        above = reversed(range(min(self.position[0], len(self.lines))))
        return next((number for number in above if _has_content(self.lines[number])), 0)

    def is_one_line(self, line_number: int, column: int) -> bool:
        """Whether the value of a key or hyphen at this column (from 0) does not continue in the next line."""
        following = next((line for line in self.lines[line_number + 1 :] if _has_content(line)), "")
        return not following or len(following) - len(following.lstrip()) <= column


def _build_mistake(
    position: tuple[int, int], length: int, message: str, hint: str, edits: tuple[Edit, ...] = ()
) -> YamlMistake:
    """A mistake at a line and a column that are counted from 0."""
    line, column = position
    return YamlMistake(line + 1, column + 1, max(1, length), message, hint, edits)


def diagnose_failure(failure: ParseFailure) -> YamlMistake:
    """The most probable cause of a parse error."""
    for detect in MISTAKE_DETECTORS:
        mistake = detect(failure)
        if mistake is not None:
            return mistake
    hint = "check its indentation, its colons and its quotes"
    return _build_mistake(failure.position, 1, "this line does not fit the lines above", hint)


def quote_excerpt(value: str) -> str:
    """A value in quotes for a message, shortened to MAX_EXCERPT_LENGTH characters."""
    excerpt = " ".join(value.split())
    if len(excerpt) > MAX_EXCERPT_LENGTH:
        excerpt = excerpt[: MAX_EXCERPT_LENGTH - 1] + "…"
    return quote_value(excerpt)


def build_edit(line: int, column: int, length: int, text: str) -> tuple[Edit, ...]:
    """A repair with one edit at a line and a column that are counted from 0."""
    return (Edit(Place("", line + 1, column + 1, length), text),)


def quote_value(value: str) -> str:
    """A whole value in quotes: single quotes if it has a double quote or a backslash."""
    has_sign = '"' in value or "\\" in value
    return f"'{value.replace(chr(39), chr(39) * 2)}'" if has_sign else f'"{value}"'


def strip_outer_quotes(value: str) -> str:
    """The text in single quotes whose other quotes are apostrophes: "It isn't" of 'It isn't'; else the value."""
    match = re.fullmatch(r"'((?:[^']|(?<=\w)'(?=\w))+)'\s*", value)
    return match[1] if match else value


def build_quote_edits(failure: ParseFailure, line_number: int, column: int) -> tuple[Edit, ...]:
    """
    An edit that puts the value at a line and a column, counted from 0, in quotes.

    () if the end of the value is not certain: it is in brackets, has a comment, or continues in the next line.
    """
    line = failure.lines[line_number]
    text_before, value = line[:column], line[column:].rstrip()
    key_match = re.fullmatch(r"(?P<margin>\s*(?:- +)*)(?:[^\s\"'#\[{][^\"'#\[{]*?:\s+)?", text_before)
    if key_match is None or not value or re.search(r"\s#", value):
        return ()
    margin = len(key_match["margin"]) if text_before != key_match["margin"] else text_before.rfind("-")
    if not failure.is_one_line(line_number, margin):
        return ()
    return build_edit(line_number, column, len(value), quote_value(strip_outer_quotes(value)))


def build_unescape_edits(line: str, line_number: int, column: int) -> tuple[Edit, ...]:
    """
    An edit that changes the double quotes of a value with LaTeX commands to single quotes; the value begins at `column`.

    () if one of its backslashes may be a YAML escape.
    """
    value = re.match(
        r'"((?:[^"\\]|\\(?:[A-Za-z]{2,}|[{}%$#,;()\[\]|!&]))*)"\s*(?:$|[,\]}]|\s#)', line[column:]
    )
    return build_edit(line_number, column, len(value[1]) + 2, quote_value(value[1])) if value else ()


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _detect_bad_indent_character(failure: ParseFailure) -> YamlMistake | None:
    """A line indented with tabs or special spaces."""
    match = re.match(r" *([\t\u00a0\u3000]+)[ \t\u00a0\u3000]*", failure.line)
    if match is None:
        return None
    name, hint = "a tab", "indent with spaces"
    if "\t" not in match[1]:
        name, hint = "a special space character", "type the spaces before it again"
    line = failure.position[0]
    is_certain = not re.search("[\t\u3000]", match[0])
    edits = build_edit(line, 0, len(match[0]), " " * len(match[0])) if is_certain else ()
    key_above = KEY_LINE.match(failure.lines[failure.previous_line_number])
    if match[0] == "\t" and KEY_LINE.match(failure.line) and key_above and (key_above["value"] or "").strip():
        edits = build_edit(line, 0, 1, " " * len(key_above["margin"]))
    message = f"this line is indented with {name}"
    return _build_mistake((line, match.start(1)), len(match[1]), message, hint, edits)


def _detect_hyphen_without_space(failure: ParseFailure) -> YamlMistake | None:
    for line_number in (failure.position[0], failure.previous_line_number):
        line = failure.lines[min(line_number, len(failure.lines) - 1)]
        match = re.match(r"(\s*)-([A-Za-z][\w -]*):(?:\s|$)", line)
        if match:
            hint = f'write "- {match[2]}: …"'
            edits = build_edit(line_number, len(match[1]) + 1, 0, " ")
            return _build_mistake(
                (line_number, len(match[1])), 1, "a hyphen needs a space after it", hint, edits
            )
    return None


def _detect_open_quote(failure: ParseFailure) -> YamlMistake | None:
    """A quote that is not closed, or not closed in its line."""
    reaches_end = "quoted scalar" in failure.reason and "end of stream" in failure.reason
    if not reaches_end and not re.search("expected key|block end|'-' indicator", failure.reason):
        return None
    for line_number in range(min(failure.position[0] + 1, len(failure.lines))):
        line = failure.lines[line_number]
        match = re.match(r"\s*+(?>(?:- ++)*)(?:[^\s\"'#][^\"'#]*?:\s+)?([\"'])", line)
        if match is None or (reaches_end and (line_number, match.start(1)) != failure.start):
            continue
        line_rest = line[match.end() :]
        if re.search(r'(?<!\\)"' if match[1] == '"' else r"(?<!')'(?!')", line_rest):
            continue
        text = line_rest.strip()
        hint = f'close it: "{text}"' if match[1] == '"' else f'write "{match[1]}{text}"'
        is_short_year = match[1] == "'" and re.fullmatch(r"\d\d\s*", line_rest)
        edits = build_quote_edits(failure, line_number, match.start(1)) if is_short_year else ()
        return _build_mistake(
            (line_number, match.start(1)), 1, "the quote that begins here is never closed", hint, edits
        )
    return None


def _detect_backslash(failure: ParseFailure) -> YamlMistake | None:
    if not re.search("escape|hexa?decimal", failure.reason):
        return None
    line, column = failure.line, failure.position[1]
    backslash = line.rfind("\\", 0, column + 1)
    start = failure.start[1] if failure.start[0] == failure.position[0] else line.find('"')
    end = line.find('"', start + 1)
    value = line[start + 1 : end if end > 0 else len(line)]
    hint = f"write it in single quotes: {quote_excerpt(value)}"
    message = "a backslash is not allowed in double quotes"
    edits = build_unescape_edits(line, failure.position[0], start) if start >= 0 else ()
    return _build_mistake((failure.position[0], max(0, backslash)), 2, message, hint, edits)


def _detect_open_bracket(failure: ParseFailure) -> YamlMistake | None:
    match = re.search(r"',' or '([\]}])'", failure.reason)
    line_number, column = failure.position
    if match is None and "flow node" in failure.reason:
        opened = _find_open_bracket(failure)
        sign = {"[": "]", "{": "}"}[failure.lines[opened[0]][opened[1]]] if opened else ""
        message = f"the {'bracket' if sign == ']' else 'brace'} that begins here is never closed"
        return _build_mistake(opened, 1, message, f"add a {sign} at its end") if opened else None
    if match is None:
        return None
    last_word = re.search(r"(?<![^\s,{\[])[^\s,{\[]++$", failure.line[:column])
    if line_number == failure.start[0] and failure.line[column : column + 1] == ":" and last_word:
        message = f'a comma is missing before "{last_word[0]}"'
        return _build_mistake(
            (line_number, last_word.start()), len(last_word[0]), message, "add a comma before it"
        )
    name = "bracket" if match[1] == "]" else "brace"
    message = f"the {name} that begins here is never closed, or lacks a comma"
    return _build_mistake(failure.start, 1, message, f"add a {match[1]} at its end")


def _find_open_bracket(failure: ParseFailure) -> tuple[int, int] | None:
    """The position of the innermost open bracket at the error."""
    opened: list[tuple[int, int]] = []
    for line_number, line in enumerate(failure.lines[: failure.position[0] + 1]):
        for match in re.finditer(r"[\[\]{}]", line):
            if match[0] in "[{":
                opened.append((line_number, match.start()))
            elif opened:
                opened.pop()
    return opened[-1] if opened else None


def _detect_special_start(failure: ParseFailure) -> YamlMistake | None:
    """A value that begins with a YAML indicator character."""
    if not re.search(r"cannot start|alias|anchor|block scalar|directive", failure.reason):
        return None
    line_number, column = failure.start
    line = failure.lines[line_number]
    sign = line[column : column + 1]
    if not line[:column].strip() and sign == "%":
        edits = build_edit(line_number, column, 1, "#")
        return _build_mistake(
            (line_number, column), 1, "a line cannot begin with %", "begin a comment with #", edits
        )
    if not line[:column].strip() and line[column:].startswith("* "):
        hint = f'write "- {line[column + 2 :].strip()}"'
        edits = build_edit(line_number, column, 1, "-")
        return _build_mistake(
            (line_number, column), 1, "each entry of a list begins with a hyphen", hint, edits
        )
    value = re.sub(r"\s+#\s.*", "", line[column:]).rstrip()
    if sign == "\t":
        return _build_mistake((line_number, column), 1, "there is a tab here", "write spaces")
    message = f"a value cannot begin with {sign}"
    edits = build_quote_edits(failure, line_number, column)
    return _build_mistake(
        (line_number, column), 1, message, f"put it in quotes: {quote_excerpt(value)}", edits
    )


def _detect_text_after_closing(failure: ParseFailure) -> YamlMistake | None:
    """Text after a closing quote or bracket."""
    line_number, column = failure.position
    text_before = failure.line[:column]
    match = re.match(r"(\s*(?:- +)*(?:[^\s\"'#\[{][^\"'#\[{]*?:\s+)?)([\"'\[{].*[\"'\]}])\s*$", text_before)
    if match is None:
        return None
    value = failure.line[len(match[1]) :]
    if value.startswith("{{"):
        return _build_mistake((line_number, len(match[1])), len(match[2]), *TEMPLATE_BRACES_MESSAGE)
    has_text = re.search(r"\w", failure.line[column:]) is not None
    if not has_text or (value[0] == "{" and value.count("}") > value.count("{")):
        sign_column = text_before.rstrip().rfind("}") if has_text else column
        sign = failure.line[sign_column : sign_column + 1]
        if not sign.strip():
            return None  # the line ends here
        return _build_mistake((line_number, sign_column), 1, f"there is one {sign} too many", "delete it")
    name = "quote" if value[0] in "\"'" else "bracket" if value[0] == "[" else "brace"
    message = f"there is text after the closing {name}"
    is_text = name == "quote" or match[1].endswith("- ") or re.match(r"\[[^\]]*\]\(", value)
    edits = build_quote_edits(failure, line_number, len(match[1])) if is_text else ()
    length = len(value) - len(value.lstrip())
    return _build_mistake(
        (line_number, column), length, message, f"write {quote_excerpt(strip_outer_quotes(value))}", edits
    )


TEMPLATE_BRACES_MESSAGE = ("{{ … }} has no meaning here", "write the text itself")


def _detect_unquoted_colon(failure: ParseFailure) -> YamlMistake | None:
    if "mapping values" not in failure.reason:
        return None
    line_number, column = failure.position
    match = KEY_LINE.match(failure.line)
    if match and match["value"] is not None and column >= match.start("value"):
        value = match["value"]
        if re.fullmatch(rf"[{CURLY_QUOTES}][^{CURLY_QUOTES}]*[{CURLY_QUOTES}]\s*", value):
            return _diagnose_curly_quotes(failure, line_number, match)
        if match["margin"].endswith("- ") and _KEYS_ON_ONE_LINE.fullmatch(value.rstrip()):
            return _diagnose_missing_braces(failure, line_number, match)
        hint = f"put the value in quotes: {quote_excerpt(value)}"
        has_sign = value[0] in "[{|>&*!'\""
        edits = () if has_sign else build_quote_edits(failure, line_number, match.start("value"))
        return _build_mistake((line_number, column), 1, "a value with a colon needs quotes", hint, edits)
    return _diagnose_line_above(failure)


_KEYS_ON_ONE_LINE = re.compile(r"[^,:{}\[\]\"']+(?:,\s*[a-z_]+: [^,:{}\[\]\"']+)+")


def _diagnose_curly_quotes(failure: ParseFailure, line_number: int, match: re.Match[str]) -> YamlMistake:
    """A value between curly quotes."""
    start, text = match.start("value"), match["value"].strip(f"{CURLY_QUOTES} ")
    is_certain = failure.is_one_line(line_number, match.end("margin"))
    edits = build_edit(line_number, start, len(match["value"]), quote_value(text)) if is_certain else ()
    message = "curly quotes are not quotes in YAML"
    return _build_mistake((line_number, start), 1, message, f"write {quote_excerpt(text)}", edits)


def _diagnose_missing_braces(failure: ParseFailure, line_number: int, match: re.Match[str]) -> YamlMistake:
    """Several keys with commas between them."""
    start, text = match.start("key"), failure.line[match.start("key") :].rstrip()
    is_certain = failure.is_one_line(line_number, match.start("key") - 2)
    braces = (*build_edit(line_number, start, 0, "{"), *build_edit(line_number, start + len(text), 0, "}"))
    message = "several keys on one line need braces"
    return _build_mistake(
        (line_number, start), len(text), message, f"write {{{text}}}", braces if is_certain else ()
    )


def _diagnose_line_above(failure: ParseFailure) -> YamlMistake | None:
    """A key that is not recognized because of the line above it."""
    line_number, line_above = failure.previous_line_number, failure.lines[failure.previous_line_number]
    glued_match = GLUED_KEY_LINE.match(line_above)
    if glued_match:
        return _diagnose_glued_colon(line_number, glued_match)
    key_match = KEY_LINE.match(line_above)
    margin = len(line_above) - len(line_above.lstrip())
    if key_match is None and line_above.lstrip().startswith("- ") and failure.line.lstrip().startswith("- "):
        return _diagnose_misaligned_list(failure, margin)
    if key_match is None:
        return _diagnose_missing_key(line_number, line_above)
    indent = len(failure.line) - len(failure.line.lstrip())
    current_match = KEY_LINE.match(failure.line)
    if current_match and " " in current_match["key"] and indent > len(key_match["margin"]):
        message = "a text with a colon needs quotes"
        return _build_mistake(
            failure.position, 1, message, f'put all the words of "{key_match["key"]}" in quotes'
        )
    if indent > len(key_match["margin"]):
        length = len(failure.line[indent:].partition(":")[0])
        message = "this line is indented further than the one above"
        return _build_mistake(
            (failure.position[0], indent), length, message, f'align it with "{key_match["key"]}"'
        )
    return _build_mistake(
        (line_number, margin), 1, "this line does not fit the next one", "check its indentation"
    )


def _diagnose_misaligned_list(failure: ParseFailure, margin: int) -> YamlMistake:
    """A list with hyphens in two columns, or a list without a key."""
    indent = len(failure.line) - len(failure.line.lstrip())
    if indent != margin:
        hint = f"start it in column {margin + 1}"
        return _build_mistake(
            (failure.position[0], indent), 1, "this hyphen is not aligned with the hyphen above", hint
        )
    first_line = failure.previous_line_number
    while first_line and failure.lines[first_line - 1][: margin + 2] == " " * margin + "- ":
        first_line -= 1
    return _build_mistake(
        (first_line, margin), 1, "this list has no key", "put its key above it, such as sections:"
    )


def _diagnose_glued_colon(line_number: int, match: re.Match[str]) -> YamlMistake:
    hint = f'write "{match["key"]}: {match["value"].strip()}"'
    edits = () if match["value"].startswith("//") else build_edit(line_number, match.end("key") + 1, 0, " ")
    return _build_mistake((line_number, match.end("key")), 1, "a colon needs a space after it", hint, edits)


def _diagnose_missing_key(line_number: int, line: str) -> YamlMistake:
    content = re.sub(r"^\s*(?:- +)*", "", line)
    start = len(line) - len(content)
    if content.startswith(("//", "/*", "<!--", "--")):
        edits = build_edit(line_number, start, 2, "#") if content.startswith("//") else ()
        return _build_mistake(
            (line_number, start), 2, "this is not a YAML comment", "begin a comment with #", edits
        )
    hint = "write key: value; or indent it if it continues the line above"
    return _build_mistake((line_number, start), len(content.rstrip()), "this line has no key", hint)


def _detect_incomplete_key(failure: ParseFailure) -> YamlMistake | None:
    if "simple key" not in failure.reason:
        return None
    line_number = failure.start[0]
    glued_match = GLUED_KEY_LINE.match(failure.lines[line_number])
    if glued_match:
        return _diagnose_glued_colon(line_number, glued_match)
    return _diagnose_missing_key(line_number, failure.lines[line_number])


def _detect_wrong_indentation(failure: ParseFailure) -> YamlMistake | None:
    """A key or a hyphen that is not aligned with any other."""
    if not re.search("expected key|block end|'-' indicator", failure.reason):
        return None
    line_number, column = failure.position
    line_rest = failure.line[column:]
    key_above = KEY_LINE.match(failure.lines[failure.previous_line_number])
    is_inside = key_above is not None and column >= len(key_above["margin"])
    if line_rest.startswith("- ") and (first_key := _find_key_without_margin(failure)):
        message = "this key is not indented, and so does not belong to the entry above"
        return _build_mistake((first_key[0], column), len(first_key[1]), message, first_key[2])
    if line_rest.startswith("- ") and key_above and is_inside and (key_above["value"] or "").strip():
        item = KEY_LINE.match(line_rest.removeprefix("- "))
        if item and column == len(key_above["margin"]):
            message = f'a list cannot follow the key "{key_above["key"]}"'
            hint = f'delete the hyphen before "{item["key"]}"'
            return _build_mistake((line_number, column), 1, message, hint)
        hint = f"make its value the first line of the list: - {key_above['value'].strip()}"
        return _build_mistake(
            (line_number, column), 1, f'a list cannot follow the value of "{key_above["key"]}"', hint
        )
    if line_rest.startswith("-"):
        columns = [m.end() for line in failure.lines[:line_number] if (m := re.match(r" *(?=- )", line))]
        nearest = min(columns, key=lambda other: abs(other - column), default=-1)
        column_hint = f"start it in column {nearest + 1}" if columns else ""
        return _build_mistake(
            (line_number, column), 1, "this hyphen is not aligned with a hyphen above", column_hint
        )
    if key_above is None or not line_rest.strip():
        return None
    length = len(line_rest.partition(":")[0])
    margin = key_above["margin"]
    is_mapping_start = line_rest.partition(":")[2].strip()[:1] in ("{", "")
    if margin.endswith("- ") and abs(column + 1 - len(margin)) < 2 and is_mapping_start:
        return _build_mistake(
            (line_number, column), length, "a hyphen is missing here", f'write "- {line_rest[:length]}: …"'
        )
    message = "this key is not aligned with the other keys of its entry"
    return _build_mistake((line_number, column), length, message, f'align it with "{key_above["key"]}"')


def _find_key_without_margin(failure: ParseFailure) -> tuple[int, str, str] | None:
    """The first key in the column of the hyphen above it: its line, its name, and the hint; None if there is none."""
    column = failure.position[1]
    line_number = failure.previous_line_number
    while line_number > 0 and (match := KEY_LINE.match(failure.lines[line_number])):
        entry = KEY_LINE.match(failure.lines[line_number - 1])
        if match["margin"] != " " * column:
            return None
        if entry and entry["margin"] == " " * column + "- ":
            return line_number, match["key"], f'align it with "{entry["key"]}"'
        line_number -= 1
    return None


MISTAKE_DETECTORS: tuple[Callable[[ParseFailure], YamlMistake | None], ...] = (
    _detect_bad_indent_character,
    _detect_hyphen_without_space,
    _detect_open_quote,
    _detect_backslash,
    _detect_open_bracket,
    _detect_special_start,
    _detect_text_after_closing,
    _detect_unquoted_colon,
    _detect_incomplete_key,
    _detect_wrong_indentation,
)
"""Each function detects one kind of mistake; the first result is used."""
