"""Converts the text of Quarto pages to Markdown: fenced divs, code cells, raw blocks, and the shortcodes it shares with Hugo."""

import re
from collections.abc import Mapping

from tenure.importers.hugo.markdown import HugoTextConverter

_CODE_CELL = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<language>[^}\n]*)\}[ \t]*\n(?P<code>.*?)^(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_CELL_OPTION = re.compile(r"^(?:#|//|%)\|.*\n?", re.MULTILINE)
_DIV_LINE = re.compile(r"^\s*:{3,}\s*(.*?)\s*:*\s*$")
_HIDDEN_DIV = re.compile(r"\.hidden\b|\.content-hidden\b|\.content-visible\b(?!.*html)|\.notes\b")
_SPAN_WITH_ATTRIBUTES = re.compile(r"(?<![!\]])\[([^\[\]]*)\]\{(?:\.|[\w-]+=)[^{}]*\}")
_CALLOUT_TYPES: Mapping[str, str] = {
    "note": "NOTE",
    "tip": "TIP",
    "important": "IMPORTANT",
    "warning": "WARNING",
    "caution": "CAUTION",
}


class QuartoTextConverter(HugoTextConverter):
    """Converts the texts of a Quarto site to Markdown."""

    def _convert_template_tags(self, text: str, location: str) -> str:
        text = _CODE_CELL.sub(_convert_code_cell, text)
        text = _convert_divs(text)
        text = _SPAN_WITH_ATTRIBUTES.sub(r"\1", text)
        return super()._convert_template_tags(text, location)


def _convert_code_cell(match: re.Match[str]) -> str:
    """A code block without the options of its cell; the content of raw HTML; "" if the page does not show the code."""
    language, code = match["language"].strip(), match["code"]
    if language.startswith("="):
        return code if language == "=html" else ""
    options = " ".join([language, *_CELL_OPTION.findall(code)])
    if re.search(r"\b(?:echo|include)\s*[:=]\s*(?:false|FALSE|F\b)", options):
        return ""
    name = re.sub(r"^\.", "", re.split(r"[\s,]", language)[0])
    return f"{match['fence']}{name}\n{_CELL_OPTION.sub('', code)}{match['fence']}"


def _convert_divs(text: str) -> str:
    """The text without the lines of fenced divs: callouts become quotations, hidden divs are left out."""
    lines: list[str] = []
    open_divs: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_code = is_code != bool(re.match(r"\s*(?:```|~~~)", line))
        match = None if is_code else _DIV_LINE.match(line)
        if match is None:
            if not any(map(_HIDDEN_DIV.search, open_divs)):
                prefix = "> " * sum("callout" in attributes for attributes in open_divs)
                lines.append(f"{prefix}{line}".rstrip() if prefix else line)
        elif match[1]:
            open_divs.append(match[1])
            callout = re.search(r"callout-(\w+)", match[1])
            if callout:
                title = re.search(r"title=\"([^\"]*)\"", match[1])
                lines += [
                    "",
                    f"> [!{_CALLOUT_TYPES.get(callout[1], 'NOTE')}]",
                    *([f"> **{title[1]}**", ">"] if title else []),
                ]
            else:
                lines.append("")
        elif open_divs:
            open_divs.pop()
            lines.append("")
    return "\n".join(lines)
