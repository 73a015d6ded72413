"""Converts the text of Quarto pages and notebooks to Markdown: fenced divs, code cells, raw blocks, and shortcodes."""

import json
import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.liquid_includes import EMPTY_HEADING
from tenure.importers.source_html import rewrite_outside_code
from tenure.record import field, replace

_CODE_CELL = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<language>[^}\n]*)\}[ \t]*\n(?P<code>.*?)(?:^(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_CELL_OPTION = re.compile(r"^(?:#|//|%)\|.*\n?", re.MULTILINE)
_DIV_LINE = re.compile(r"^\s*:{3,}\s*(.*?)\s*:*\s*$")
_DIV_CONDITION = re.compile(r"\b(when|unless)-(format|profile)\s*=\s*[\"']?([\w:-]+)")
_INLINE_CODE_CELL = re.compile(
    r"(?P<block>^(?P<fence>`{3,}|~{3,})[^\n`]*\n.*?(?:^(?P=fence)[ \t]*$|\Z))|`(?:(?P<knitr>r[ \t])|\{(?:r|python|julia)\})(?P<code>[^`]+)`",
    re.DOTALL | re.MULTILINE,
)
_EMPTY_REFERENCES = re.compile(
    r"^#{1,6}[ \t][^\n]*\n+(?=:{3,}[ \t]*\{[ \t]*#refs[^}\n]*\}[ \t]*:*[ \t]*\n\s*:{3,}[ \t]*$)", re.MULTILINE
)
"""The heading of the list of references, which Quarto makes."""
_TABLE_CAPTION = re.compile(
    r"(^\|.*\|[ \t]*\n(?:[ \t]*\n)?):[ \t]+(.+?)[ \t]*(\{#tbl-[^}\n]*\})?[ \t]*$", re.MULTILINE
)
_LINE_BLOCK = re.compile(r"(?:(?<=\n\n)|\A)(?:\|[ ][^|\n]*(?:\n|\Z))+")
_SUB_OR_SUPERSCRIPT = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]+\$|\]\([^()\n]*\)|<[^<>\n]*>|https?://[^\s)]+"
    r"|(?<![~\\])~(?P<sub>[^\s~]+)~(?!~)|(?<![\^\\\[])\^(?P<sup>[^\s^\[\]]+)\^",
    re.DOTALL,
)
"""Formulas, targets of links and URLs, which are left as they are, and the marks of Pandoc: H~2~O, 10^th^."""
_EXAMPLE_NUMBER = re.compile(r"^\(@[\w-]*\)(?=[ \t])", re.MULTILINE)
_SPAN_WITH_ATTRIBUTES = re.compile(r"(?<![!\]])\[([^\[\]]*)\]\{(?:\.|[\w-]+=)[^{}]*\}")
_INCLUDE = re.compile(r"^[ \t]*\{\{<\s*include\s+[\"']?([^\s\"'<>]+)[\"']?\s*>\}\}[ \t]*$", re.MULTILINE)
_INLINE_FOOTNOTE = re.compile(r"(?<!\\)\^\[((?:[^\[\]]|\[[^\[\]]*\])+)\]")
_BLOCK_TAG_ALONE = re.compile(
    r"^( {0,3}</?(?:article|aside|center|details|div|figure|footer|header|main|p|section)\b[^<>\n]*>)[ \t]*\n(?! {4,}\S)",
    re.MULTILINE,
)
_LABEL = re.compile(
    r"(?<=[)$*])[ \t]*\{#(?P<name>(?:fig|tbl|eq)-[\w-]+)[^{}\n]*\}|\{#(?P<part>sec-[\w-]+)[^{}\n]*\}"
)
_REFERENCE = re.compile(r"(?<![\w.@\\])\[?@((?:fig|tbl|eq|sec)-[\w-]+)\]?")
_CITATION_KEY = re.compile(r"-?@(?P<key>\w[\w:.#$%&+?<>~/-]*\w)")
_CITATION_GROUP = re.compile(r"(?<![\w\\\]!])\[((?:[^\[\]@]*[\s;-])?@\w[^\[\]]*)\](?![(\[])")
_MENTION = re.compile(r"(?<![\w.\\@/\[;-])@(?P<key>\w[\w:.#$%&+?<>~/-]*\w)")
_REFERENCE_WORDS: Mapping[str, str] = {"fig": "Figure", "tbl": "Table", "eq": "Equation", "sec": "Section"}
MAX_INCLUDES = 20
"""The number of files that one page may include; files that include each other would never end."""


class QuartoTextConverter(HugoTextConverter):
    """
    Converts the texts of a Quarto site to Markdown.

    `values` has the texts that `var` and `meta` print: the values of _variables.yml as "var.name", those of _quarto.yml
    and of the front matter as "meta.name"; "profile" is the profile of the project. `references` has the authors and the
    year of each work in a .bib file by its key.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def _convert_template_tags(self, text: str, location: str) -> str:
        for _ in range(MAX_INCLUDES):
            text = _INCLUDE.sub(lambda match: self._read_included_file(match, location), text)
        is_knitr = re.search(r"^`{3,}[ \t]*\{r\b", text, re.MULTILINE) is not None
        text = _CODE_CELL.sub(lambda match: self._convert_code_cell(match, location), text)
        text = self._remove_inline_cells(text, location, is_knitr=is_knitr)
        text = _convert_divs(_EMPTY_REFERENCES.sub("", text), self.values.get("profile", ""))
        text = rewrite_outside_code(text, _convert_blocks)
        text = self._convert_citations(_convert_references(_convert_footnotes(text)))
        text = _SPAN_WITH_ATTRIBUTES.sub(r"\1", text)
        return super()._convert_template_tags(text, location)

    def _convert_code_cell(self, match: re.Match[str], location: str) -> str:
        """A code block without the options of its cell; the content of raw HTML; "" if the page does not show the code."""
        language, code = match["language"].strip(), match["code"]
        if language.startswith("="):
            return code if language == "=html" else ""
        options = " ".join([language, *_CELL_OPTION.findall(code)])
        is_cell = not language.startswith(".")
        echo = re.search(r"\b(echo|include)\s*[:=]\s*(\w+)", options)
        is_shown = echo[2].casefold() not in ("false", "f") if echo else True
        if is_cell and not (echo and echo[1] == "echo") and self.values.get("meta.execute.echo") == "false":
            is_shown = False
        if not is_shown:
            if not echo or echo[1] == "echo":
                self.session.record_skipped(location, "a hidden code cell, whose result Quarto computes")
            return ""
        name = re.sub(r"^\.", "", re.split(r"[\s,]", language)[0])
        shown_code = _CELL_OPTION.sub("", code)
        end = "" if not shown_code or shown_code.endswith("\n") else "\n"
        return f"{match['fence']}{name}\n{shown_code}{end}{match['fence']}"

    def _remove_inline_cells(self, text: str, location: str, *, is_knitr: bool) -> str:
        """The text without code in a line that Quarto replaces by its result, and without headings that have no other text."""

        def remove_cell(match: re.Match[str]) -> str:
            if match["block"] or (match["knitr"] and not is_knitr):
                return match[0]
            description = f"code in a line, whose result Quarto computes: {match['code'][:70]}"
            self.session.record_skipped(location, description)
            return ""

        changed_text = _INLINE_CODE_CELL.sub(remove_cell, text)
        return changed_text if changed_text == text else EMPTY_HEADING.sub("", changed_text)

    def _convert_citations(self, text: str) -> str:
        """Citations of works that no page of the new site has, by their authors and years."""

        def convert_key(match: re.Match[str]) -> str:
            author, year = self.references.get(match["key"], ("", ""))
            return f"{author} {year}".strip() if author else match[0]

        def convert_group(match: re.Match[str]) -> str:
            keys = {*_CITATION_KEY.findall(match[1])}
            if not keys & self.references.keys() or keys & self.citable_keys:
                return match[0]
            return f"({_CITATION_KEY.sub(convert_key, match[1]).replace('; @', '; ')})"

        def convert_mention(match: re.Match[str]) -> str:
            author, year = self.references.get(match["key"], ("", ""))
            is_known = author and match["key"] not in self.citable_keys
            return f"{author} ({year})" if is_known else match[0]

        def convert_prose(prose: str) -> str:
            prose = _CITATION_GROUP.sub(convert_group, prose)
            return _MENTION.sub(convert_mention, prose)

        return rewrite_outside_code(text, convert_prose) if self.references else text

    def _read_included_file(self, match: re.Match[str], location: str) -> str:
        """The text of an included file without its front matter; "" for a missing file, which is reported."""
        names = (posixpath.normpath(f"{folder}/{match[1]}").lstrip("/") for folder in self.folders)
        path = self.session.find_first_file(match[1].lstrip("/"), *names)
        file = self.session.read_document(path)
        if file is None:
            self.session.record_skipped(location, f"an included file that is not in the source: {match[1]}")
        return file.body if file is not None else ""

    def _convert_single_shortcode(
        self, name: str, parameters: Mapping[str, str], location: str, source: str
    ) -> str:
        first_value = parameters.get("0", "")
        if name == "kbd":
            return f"`{first_value}`"
        key = f"{name}.{first_value}"
        value = parameters.get("1", "") if name == "env" else self.values.get(key, "")
        if "{{<" in value:
            other_values = {other: text for other, text in self.values.items() if other != key}
            value = replace(self, values=other_values).convert_line(value, location)
        return value or super()._convert_single_shortcode(name, parameters, location, source)


def _convert_blocks(text: str) -> str:
    """
    Blocks of Pandoc as Markdown: captions of tables, lines of verse, examples, and tags of blocks that are alone in a line.

    Pandoc reads the text between such tags as Markdown; CommonMark needs a blank line before it.
    """
    text = _TABLE_CAPTION.sub(r"\1\n*\2* \3", text)
    text = _LINE_BLOCK.sub(
        lambda match: re.sub(r"\n(?=.)", r"\\\n", re.sub(r"^\| ", "", match[0], flags=re.MULTILINE)), text
    )
    text = _EXAMPLE_NUMBER.sub("1.", text)
    text = _SUB_OR_SUPERSCRIPT.sub(_convert_script, text)
    return _BLOCK_TAG_ALONE.sub(lambda match: f"\n{_rename_paragraph(match[1])}\n\n", text)


def _convert_script(match: re.Match[str]) -> str:
    if match["sub"]:
        return f"<sub>{match['sub']}</sub>"
    return f"<sup>{match['sup']}</sup>" if match["sup"] else match[0]


def _rename_paragraph(tag: str) -> str:
    """A tag of a paragraph as that of a div, because the text within it becomes a paragraph."""
    return re.sub(r"^(\s*</?)p\b", r"\1div", tag)


def _convert_footnotes(text: str) -> str:
    """Footnotes within a sentence, ^[text], as notes at the end of the text."""
    notes: list[str] = []

    def number_note(match: re.Match[str]) -> str:
        notes.append(f"[^inline-{len(notes) + 1}]: {' '.join(match[1].split())}")
        return f"[^inline-{len(notes)}]"

    text = rewrite_outside_code(text, lambda prose: _INLINE_FOOTNOTE.sub(number_note, prose))
    return "\n\n".join([text, *notes])


def _convert_references(text: str) -> str:
    """References to figures, tables and equations by their numbers, "Figure 1", and without the labels."""
    numbers: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for match in _LABEL.finditer(text):
        name = match["name"] or match["part"]
        kind = name.partition("-")[0]
        counts[kind] += 1
        numbers.setdefault(name, f"{_REFERENCE_WORDS[kind]} {counts[kind]}" if match["name"] else "this page")
    if not numbers:
        return text
    text = rewrite_outside_code(text, lambda prose: _REFERENCE.sub(lambda m: numbers.get(m[1], m[0]), prose))
    return _LABEL.sub(lambda match: match[0] if match["part"] else "", text)


def _is_hidden_div(attributes: str, profile: str) -> bool:
    """Whether a page in HTML does not show a div, also because of the profile of the project."""
    kind = re.search(r"\.content-(visible|hidden)\b", attributes)
    if kind is None:
        return re.search(r"\.hidden\b|\.notes\b", attributes) is not None
    is_met = all(
        (value.startswith("html") if subject == "format" else value == profile) == (word == "when")
        for word, subject, value in _DIV_CONDITION.findall(attributes)
    )
    return is_met == (kind[1] == "hidden")


def _convert_divs(text: str, profile: str = "") -> str:
    """The text without the lines of fenced divs: callouts become quotations, hidden divs are left out."""
    lines: list[str] = []
    open_divs: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_code = is_code != bool(re.match(r"\s*(?:```|~~~)", line))
        match = None if is_code else _DIV_LINE.match(line)
        if match is None:
            if not any(_is_hidden_div(attributes, profile) for attributes in open_divs):
                prefix = "> " * sum("callout" in attributes for attributes in open_divs)
                lines.append(f"{prefix}{line}".rstrip() if prefix else line)
        elif match[1]:
            open_divs.append(match[1])
            callout = re.search(r"callout-(\w+)", match[1])
            if callout:
                title = re.search(r"title=\"([^\"]*)\"", match[1])
                kind = callout[1] if callout[1] in ("tip", "important", "warning", "caution") else "note"
                lines += ["", f"> [!{kind.upper()}]", *([f"> **{title[1]}**", ">"] if title else [])]
            else:
                lines.append("")
        elif open_divs:
            open_divs.pop()
            lines.append("")
    return "\n".join(lines)


class Notebook(NamedTuple):
    """The text of a notebook with its front matter, and the number of outputs of its code, which are not in the text."""

    text: str
    output_count: int


def read_notebook(source: str) -> Notebook | None:
    """
    The cells of a notebook as Markdown with code cells of Quarto; None if the text is not a notebook.

    The first cell is the front matter if it looks like it; else a heading at its start is the title, as in Quarto.
    """
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return None
    language = _find_language(data)
    texts: list[str] = []
    output_count = 0
    for cell in (cell for cell in cells if isinstance(cell, dict)):
        text = _join_lines(cell.get("source")).strip("\n")
        outputs = cell.get("outputs")
        output_count += len(outputs) if isinstance(outputs, list) else 0
        if cell.get("cell_type") == "code":
            fence = max(["```", *(f"{run}`" for run in re.findall(r"`{3,}", text))], key=len)
            texts.append(f"{fence}{{{language}}}\n{text}\n{fence}")
        elif cell.get("cell_type") == "markdown" or text.startswith("---\n"):
            texts.append(text)
    texts = list(filter(None, texts))
    heading = re.match(r"# +(.+?) *#*(?:\n|\Z)", texts[0]) if texts else None
    if heading:
        title = json.dumps(heading[1], ensure_ascii=False)
        texts[0] = f"---\ntitle: {title}\n---\n{texts[0][heading.end() :]}"
    return Notebook("\n\n".join(texts) + "\n", output_count)


def _join_lines(source: Any) -> str:
    """The text of a cell, which is stored as one text or as a list of lines."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _find_language(data: dict[str, Any]) -> str:
    """The language of the code: that of the kernel, else Python."""
    metadata = data.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = kernel.get("language") if isinstance(kernel, dict) else None
    return language.casefold() if isinstance(language, str) and re.fullmatch(r"\w+", language) else "python"
