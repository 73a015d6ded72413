"""
Diagnoses invalid YAML: the probable mistake, its place and a repair.
One rule for each mistake; the first that fits counts.

"title: Graphs: a survey" -> a value with a colon needs quotes;
"-title: Graphs" -> a hyphen needs a space after it.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from tenure.limits import MAX_NESTING
from tenure.problems import Edit, Place
from tenure.record import Record

KEY_LINE = r"(?P<margin>\s*(?:- +)*)(?P<key>[^\s:#'\"\[{&*!|>%@`-][^:#]*?)\s*:(?:\s+(?P<value>.*))?$"
"""A line with a key: "  - title: Graphs"."""


class YamlMistake(Record):
    """
    A probable mistake: its line, column (both from 1), length and message, and a hint with the repair.

    `edits` are the repair if it is certain; their places have no file name yet. `is_read` is true for a value
    in one line whose repair is certain: it is read as it was meant, with a warning.
    """

    line: int
    column: int
    length: int
    message: str
    hint: str
    edits: tuple[Edit, ...] = ()
    is_read: bool = False


class ParseFailure(Record, dict=True):
    """
    A parse error of the YAML library: its message, its position, and the start of the unfinished construct.
    """

    file: str
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


def find_list_name(file: str) -> str:
    """The name of the list that a file has: "talks" of content/talks.yaml; "" for other files."""
    match = re.fullmatch(r"content/(?!profile\.)([^/.]+)(?:\.[\w-]+)?\.ya?ml", file)
    return match[1] if match else ""


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def diagnose_failure(failure: ParseFailure) -> YamlMistake:
    """The most probable cause of a parse error."""
    for reason, diagnose in RULES:
        if re.search(reason, failure.reason) and (mistake := diagnose(failure)):
            return mistake
    hint = "check its indentation, its colons and its quotes"
    return _build_mistake(failure.position, 1, "this line does not fit the lines above", hint)


def quote_value(value: str) -> str:
    """A whole value in quotes: single quotes if it has a double quote or a backslash."""
    has_sign = '"' in value or "\\" in value
    if has_sign:
        return f"'{value.replace(chr(39), chr(39) * 2)}'"
    return f'"{value}"'


def quote_excerpt(value: str) -> str:
    """A value in quotes for a message, at most 50 characters."""
    excerpt = " ".join(value.split())
    return quote_value(excerpt if len(excerpt) <= 50 else excerpt[:49] + "…")


def build_edit(line: int, column: int, length: int, text: str) -> tuple[Edit, ...]:
    """A repair with one edit at a line and a column that are counted from 0."""
    return (Edit(Place("", line + 1, column + 1, length), text),)


_LATEX_IN_DOUBLE_QUOTES = re.compile(
    r"""
    "(?P<text>(?:
        [^"\\]
        | \\[A-Za-z]{2,}                    # \alpha; \t alone may be a tab of YAML
        | \\[{}%$\#,;()\[\]|!&]             # \{, which is no escape of YAML
    )*)"
    \s*(?:$|[,\]}]|\s\#)                    # nothing follows, or an item, or a comment
    """,
    re.VERBOSE,
)


def build_unescape_edits(line: str, line_number: int, column: int) -> tuple[Edit, ...]:
    r"""
    An edit that changes the double quotes of a value with LaTeX to single quotes; it begins at `column`.

    `title: "On \alpha"` -> `title: 'On \alpha'`. () if one of its backslashes may be a YAML escape: "A\tB".
    """
    value = _LATEX_IN_DOUBLE_QUOTES.match(line, column)
    if value is None:
        return ()
    text = value["text"]
    return build_edit(line_number, column, len(f'"{text}"'), quote_value(text))


def _build_mistake(
    position: tuple[int, int],
    length: int,
    message: str,
    hint: str,
    edits: tuple[Edit, ...] = (),
    *,
    is_value: bool = False,
) -> YamlMistake:
    """
    A mistake at a line and a column that are counted from 0;
    a value in one line is read if its repair is certain.
    """
    line, column = position
    is_read = is_value and bool(edits)
    return YamlMistake(line + 1, column + 1, max(1, length), message, hint, edits, is_read)


def _build_quote_edits(failure: ParseFailure, line_number: int, column: int) -> tuple[Edit, ...]:
    """
    An edit that puts the value at a line and a column, counted from 0, in quotes.

    () if the end of the value is not certain: it is in brackets,
    has a comment, or continues in the next line.
    """
    # "  - title: Graphs: a survey" -> before "  - title: ", value "Graphs: a survey"
    before = failure.lines[line_number][:column]
    value = failure.lines[line_number][column:].rstrip()
    start = re.fullmatch(r"(?P<margin>\s*(?:- +)*)(?P<key>[^\s\"'#\[{][^\"'#\[{]*?:\s+)?", before)
    if start is None or not value or re.search(r"\s#", value):
        return ()
    # a line that is indented more than the key, or than the hyphen of an item, continues the value
    margin = len(start["margin"]) if start["key"] else before.rfind("-")
    following = next(filter(_has_content, failure.lines[line_number + 1 :]), "")
    if following and len(following) - len(following.lstrip()) > margin:
        return ()
    return build_edit(line_number, column, len(value), quote_value(_strip_quotes(value)))


def _strip_quotes(value: str) -> str:
    """
    The text in single quotes with an apostrophe,
    "It isn't" of 'It isn't', or in curly quotes; else the value.
    """
    match = re.fullmatch(r"(?:'((?:[^']|(?<=\w)'(?=\w))+)'|[“„«]([^“”„«»]+)[”“»])\s*", value)
    return match[match.lastindex or 0] if match else value


def _diagnose_indent_character(failure: ParseFailure) -> YamlMistake | None:
    """A line that is indented with a tab or a special space."""
    match = re.match(r" *([\t\u00a0\u3000]+)", failure.line)
    if match is None:
        return None
    is_tab = "\t" in match[1]
    name = "a tab" if is_tab else "a special space character"
    hint = "indent with spaces" if is_tab else "type the spaces before it again"
    place = (failure.position[0], match.start(1))
    return _build_mistake(place, len(match[1]), f"this line is indented with {name}", hint)


def _diagnose_glued_hyphen(failure: ParseFailure) -> YamlMistake | None:
    """A hyphen without a space: "-title: Graphs"."""
    for number in (failure.position[0], failure.previous_line_number):
        line = failure.lines[min(number, len(failure.lines) - 1)]
        if match := re.match(r"(\s*)-([A-Za-z][\w -]*):(?:\s|$)", line):
            edits = build_edit(number, len(match[1]) + 1, 0, " ")
            message = "a hyphen needs a space after it"
            hint = f'write "- {match[2]}: …"'
            return _build_mistake((number, len(match[1])), 1, message, hint, edits)
    return None


def _diagnose_open_quote(failure: ParseFailure) -> YamlMistake | None:
    """
    The first quote that is not closed in its line: title: "Graphs.

    A single one is an apostrophe, which is read as it is: 'Tis the season, year: '25.
    """
    # the library has read to the end of the file for a quote: it is the one where it started
    reaches_end = "end of stream" in failure.reason
    for number in range(min(failure.position[0] + 1, len(failure.lines))):
        # "  - title: 'Tis the season" -> ' and "Tis the season"
        match = re.match(r"\s*+(?>(?:- ++)*)(?:[^\s\"'#][^\"'#]*?:\s+)?([\"'])(.*)", failure.lines[number])
        is_other_quote = reaches_end and match is not None and (number, match.start(1)) != failure.start
        if match is None or is_other_quote:
            continue
        # closed in its line; \" and '' close nothing
        if re.search(r'(?<!\\)"' if match[1] == '"' else r"(?<!')'(?!')", match[2]):
            continue
        text = match[2].strip()
        hint = f'close it: "{text}"' if match[1] == '"' else f'write "{match[1]}{text}"'
        edits = _build_quote_edits(failure, number, match.start(1)) if match[1] == "'" else ()
        message = "the quote that begins here is never closed"
        return _build_mistake((number, match.start(1)), 1, message, hint, edits, is_value=True)
    return None


def _diagnose_backslash(failure: ParseFailure) -> YamlMistake | None:
    r"""A formula or a path in double quotes, where YAML reads each backslash: title: "On \alpha"."""
    line = failure.line
    number = failure.position[0]
    # the opening quote, or the first quote of the line if the value began in a line above
    start = failure.start[1] if failure.start[0] == number else line.find('"')
    end = line.find('"', start + 1)
    value = line[start + 1 : end] if end > 0 else line[start + 1 :]
    hint = f"write it in single quotes: {quote_excerpt(value)}"
    edits = build_unescape_edits(line, number, start) if start >= 0 else ()
    place = (number, max(0, line.rfind("\\", 0, failure.position[1] + 1)))
    return _build_mistake(place, 2, "a backslash is not allowed in double quotes", hint, edits, is_value=True)


def _diagnose_open_bracket(failure: ParseFailure) -> YamlMistake | None:
    """A bracket or brace that is not closed, or has no comma between its items: tags: [a b: c."""
    # "did not find expected ',' or ']'" starts at its bracket; other messages start at an item in it
    opened = [failure.start]
    if "',' or" not in failure.reason:
        opened = _list_open_brackets(failure.lines[: failure.position[0] + 1])
    if not opened:
        return None
    # the innermost one
    number, column = opened[-1]
    name = "bracket"
    sign = "]"
    if failure.lines[number][column : column + 1] == "{":
        name = "brace"
        sign = "}"
    message = f"the {name} that begins here is never closed, or lacks a comma"
    return _build_mistake((number, column), 1, message, f"add a {sign} at its end")


def _list_open_brackets(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The lines and columns of the brackets and braces that no other one closes."""
    opened: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        for match in re.finditer(r"[\[\]{}]", line):
            if match[0] in "[{":
                opened.append((number, match.start()))
            elif opened:
                opened.pop()
    return opened


def _diagnose_special_start(failure: ParseFailure) -> YamlMistake | None:
    """A value or a line that begins with a sign that has a meaning in YAML."""
    number, column = failure.start
    line = failure.lines[number]
    sign = line[column : column + 1]
    if sign == "\t":
        return _build_mistake(failure.start, 1, "there is a tab here", "write spaces")

    # % a comment of LaTeX, or * an item
    is_start_of_line = not line[:column].strip()
    if is_start_of_line and (sign == "%" or line[column:].startswith("* ")):
        wanted = "-"
        hint = "begin an entry of a list with -"
        if sign == "%":
            wanted = "#"
            hint = "begin a comment with #"
        edits = build_edit(number, column, 1, wanted)
        return _build_mistake(failure.start, 1, f"a line cannot begin with {sign}", hint, edits)

    value = re.sub(r"\s+#\s.*", "", line[column:])
    hint = f"put it in quotes: {quote_excerpt(value)}"
    edits = _build_quote_edits(failure, number, column)
    return _build_mistake(failure.start, 1, f"a value cannot begin with {sign}", hint, edits, is_value=True)


TEMPLATE_BRACES_MESSAGE = ("{{ … }} has no meaning here", "write the text itself")


def _diagnose_text_after_closing(failure: ParseFailure) -> YamlMistake | None:
    """Text after a closing quote or bracket: title: "Caching" and more."""
    number, column = failure.position
    before = failure.line[:column]
    after = failure.line[column:]
    # 'title: "Caching" ' -> 'title: ' and '"Caching"'
    match = re.match(r"(\s*(?:- +)*(?:[^\s\"'#\[{][^\"'#\[{]*?:\s+)?)([\"'\[{].*[\"'\]}])\s*$", before)
    if match is None or not after.strip():
        return None

    start = match.end(1)
    value = failure.line[start:]
    if value.startswith("{{"):
        return _build_mistake((number, start), len(match[2]), *TEMPLATE_BRACES_MESSAGE)
    # {limit: 5}, title: Talks}: the first } is too many; [a, b]]: the last ]
    is_extra = value[0] == "{" and value.count("}") > value.count("{")
    if is_extra or not re.search(r"\w", after):
        sign, place = ("}", match.end(2) - 1) if is_extra else (after[0], column)
        return _build_mistake((number, place), 1, f"there is one {sign} too many", "delete it")

    name = {"[": "bracket", "{": "brace"}.get(value[0], "quote")
    # [Invited] My talk, [A link](https://example.edu), and an item of a list
    is_bracket_text = re.match(r"\[[^\],]*\]\s+\w | \[[^\]]*\]\(", value, re.VERBOSE)
    is_text = name == "quote" or match[1].endswith("- ") or is_bracket_text
    edits = _build_quote_edits(failure, number, start) if is_text else ()
    message = f"there is text after the closing {name}"
    hint = f"write {quote_excerpt(_strip_quotes(value))}"
    return _build_mistake((number, column), 1, message, hint, edits, is_value=True)


def _diagnose_colon(failure: ParseFailure) -> YamlMistake | None:
    """A value with a colon, title: Graphs: a survey, or a key that the line above makes impossible."""
    number, column = failure.position
    match = re.match(KEY_LINE, failure.line)
    if match and match["value"] is not None and column >= match.start("value"):
        value = match["value"]
        # name: Bob Roe, role: MSc, year: 2020
        if re.fullmatch(r"[^,:{}\[\]\"']+(?:,\s*[a-z_]+: [^,:{}\[\]\"']+)+", value.rstrip()):
            text = failure.line[match.start("key") :].rstrip()
            message = "several keys on one line need braces"
            return _build_mistake((number, match.start("key")), len(text), message, f"write {{{text}}}")
        # a value that begins with a sign of YAML is more than a text: {a: b: c}
        edits: tuple[Edit, ...] = ()
        if value[0] not in "[{|>&*!'\"":
            edits = _build_quote_edits(failure, number, match.start("value"))
        bare_value = _strip_quotes(value)
        is_curly = bare_value != value and value[0] in "“„«"
        hint = f"put the value in quotes: {quote_excerpt(bare_value)}"
        message = "a value with a colon needs quotes"
        if is_curly:
            message = "a value with a colon needs straight quotes; these are curly ones"
        return _build_mistake((number, column), 1, message, hint, edits, is_value=True)

    key_above = re.match(KEY_LINE, failure.lines[failure.previous_line_number])
    # a text in two lines, the second of which has a colon
    is_indented = match and key_above and len(match["margin"]) > len(key_above["margin"])
    if match and key_above and is_indented and " " in match["key"]:
        hint = f'put all the words of "{key_above["key"]}" in quotes'
        return _build_mistake(failure.position, 1, "a text with a colon needs quotes", hint)
    return _diagnose_missing_key(failure) or _diagnose_alignment(failure)


FIRST_KEYS = {
    "education": "institution",
    "experience": "organization",
    "people": "name",
    "teaching": "course",
}
"""The first key of an entry in a list, by the name of its file; "title" in other lists."""


def _diagnose_missing_key(failure: ParseFailure) -> YamlMistake | None:
    """
    A line without a key, "- Prefix caching", or without a space after its colon, "title:Graphs".

    None if the line has a key, so that another line is wrong.
    """
    # the library names the line only if it has waited for its colon; else it noticed in the line below
    number = failure.start[0] if "simple key" in failure.reason else failure.previous_line_number
    line = failure.lines[number]
    # title:Graphs -> title: Graphs, but no URL: https://…
    if glued := re.match(r"\s*(?:- +)*(?P<key>[^\W\d][\w -]*)[:：](?P<value>[^\s/].*)$", line):
        hint = f'write "{glued["key"]}: {glued["value"].strip()}"'
        edits = build_edit(number, glued.end("key"), 1, ": ")
        return _build_mistake((number, glued.end("key")), 1, "a colon needs a space after it", hint, edits)

    if re.match(KEY_LINE, line):
        return None
    # "  - Prefix caching" -> "Prefix caching", which starts in column 4
    content = re.sub(r"^\s*(?:- +)*", "", line).rstrip()
    start = len(line.rstrip()) - len(content)
    # comments of other languages
    if content.startswith(("//", "/*", "<!--", "--")):
        return _build_mistake((number, start), 2, "this is not a YAML comment", "begin a comment with #")

    hint = "write key: value; or indent it if it continues the line above"
    if line[:start].endswith("- "):
        margin = len(line) - len(line.lstrip())
        # "    - about" and "    - talks: {limit: 5}" below "  - path: /"
        if failure.line.startswith(f"{' ' * margin}- "):
            hint = "put its key above it, such as sections:"
            return _build_mistake((number, margin), 1, "this list has no key", hint)
        # " - about" and "  - talks": both are items, in two columns
        if failure.line.lstrip().startswith("- "):
            return _diagnose_alignment(failure)
        # "- title Prefix caching" and "  date: 2024" in content/talks.yaml -> title: "Prefix caching"
        if list_name := find_list_name(failure.file):
            key = FIRST_KEYS.get(list_name, "title")
            hint = f"write {key}: {quote_excerpt(content.removeprefix(f'{key} '))}"
    return _build_mistake((number, start), len(content), "this line has no key", hint)


def _diagnose_alignment(failure: ParseFailure) -> YamlMistake | None:
    """
    A key or a hyphen that is not aligned with any other, or a list below a value.

    "- title: Looms", "- title: Caches" after " - title: Looms"; None for a line that has neither.
    """
    # "  date: 2024" -> 2 and "date: 2024"
    number = failure.position[0]
    indent = len(failure.line) - len(failure.line.lstrip())
    place = (number, indent)
    rest = failure.line[indent:]
    key_above = re.match(KEY_LINE, failure.lines[failure.previous_line_number])

    if rest.startswith("-"):
        # "  technologies: Python" and "  - PyTorch"
        if key_above and indent >= len(key_above["margin"]):
            return _diagnose_list_below_key(failure, key_above)
        # the columns of all hyphens above: "- title: Looms" -> 0
        columns = [m.end() for line in failure.lines[:number] if (m := re.match(r" *(?=- )", line))]
        nearest = min(columns, key=lambda other: abs(other - indent), default=indent)
        message = "this hyphen is not aligned with a hyphen above"
        hint = f"start it in column {nearest + 1}"
        return _build_mistake(place, 1, message, hint)

    if key_above is None or not rest.strip():
        return None
    key, _, value = rest.partition(":")
    margin = key_above["margin"]
    # "education: {title: Schools}" below "- experience: {title: Work}", at its hyphen or up to two columns
    # right of it; a value that is a text would be a key of the item above
    starts_mapping = value.strip()[:1] in ("{", "")
    is_below_hyphen = abs(indent + 1 - len(margin)) < 2
    if margin.endswith("- ") and is_below_hyphen and starts_mapping:
        return _build_mistake(place, len(key), "a hyphen is missing here", f'write "- {key}: …"')
    message = "this key is not aligned with the other keys of its entry"
    return _build_mistake(place, len(key), message, f'align it with "{key_above["key"]}"')


ENTRIES_HINT = 'write "entries:" in the line above, and indent the list'


def _diagnose_list_below_key(failure: ParseFailure, key_above: re.Match[str]) -> YamlMistake:
    """
    A list below a key that has a value, "  technologies: Python" and "  - PyTorch".

    Or an entry whose further keys are at its hyphen: "- role: Postdoc", "start: 2020", "- role: Intern".
    """
    place = failure.position
    hyphen_column = place[1]
    margin = key_above["margin"]
    above = failure.lines[: failure.previous_line_number + 1]

    # the first line of the list: "- role: Postdoc", with the key below it in the column of its hyphen
    item_start = f"{' ' * hyphen_column}- "
    first = next((number for number, line in enumerate(above) if line.startswith(item_start)), len(above))
    entry = re.match(KEY_LINE, above[first]) if first < failure.previous_line_number else None
    if entry and margin == " " * hyphen_column:
        message = "this key is not indented, and so does not belong to the entry above"
        key = above[first + 1].strip().partition(":")[0]
        return _build_mistake(
            (first + 1, hyphen_column), len(key), message, f'align it with "{entry["key"]}"'
        )

    message = f'a list cannot follow the value of "{key_above["key"]}"'
    hint = f"make its value the first line of the list: - {(key_above['value'] or '').strip()}"
    # "- demo: https://…" -> "demo"
    item = re.match(KEY_LINE, failure.line[hyphen_column:].removeprefix("- "))
    # "title: Honours" and "- Prize 2020" in content/awards.yaml
    if find_list_name(failure.file) and not margin:
        hint = ENTRIES_HINT
    # "    code: https://…" and "    - demo: https://…"
    elif item and hyphen_column == len(margin):
        hint = f'delete the hyphen before "{item["key"]}"'

    return _build_mistake(place, 1, message, hint)


TOO_DEEP_MESSAGE = (f"this is nested more than {MAX_NESTING} levels deep", "write it without so many levels")


def _diagnose_depth(failure: ParseFailure) -> YamlMistake:
    """
    Too many levels for the library itself, which reads brackets ahead: libyaml of PyYAML 6.0.4 ends at 1,000.
    """
    return _build_mistake(failure.position, 1, *TOO_DEEP_MESSAGE)


RULES: tuple[tuple[str, Callable[[ParseFailure], YamlMistake | None]], ...] = (
    ("nesting depth", _diagnose_depth),
    ("", _diagnose_indent_character),
    ("", _diagnose_glued_hyphen),
    ("quoted scalar.*end of stream|expected key|block end|'-' indicator", _diagnose_open_quote),
    ("escape|hexa?decimal", _diagnose_backslash),
    ("',' or|flow node", _diagnose_open_bracket),
    ("cannot start|alias|anchor|block scalar|directive", _diagnose_special_start),
    ("", _diagnose_text_after_closing),
    ("mapping values", _diagnose_colon),
    ("simple key", _diagnose_missing_key),
    ("expected key|block end|'-' indicator", _diagnose_alignment),
)
"""The rules in their order, each with a pattern of the library's messages for which it is asked."""
