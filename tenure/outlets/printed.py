"""Compiles a template and the data of a CV to PDF with Typst."""

import importlib.util
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.frozen import dataclass
from tenure.outlets.sheets import Sheets

if TYPE_CHECKING:
    from typst import Fonts, PDFStandard

ACCESSIBLE: "list[PDFStandard]" = ["ua-1"]
"""PDF/UA-1 (ISO 14289-1): headings, lists and links are tagged, and every letter has a glyph."""

SCALES = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85)
"""Scales of letters and gaps for a CV with a page limit; the first one that fits is used."""


@dataclass(frozen=True, slots=True)
class Printed:
    """
    A PDF with the number of its pages.

    `fallback_letters` are set in a font of this computer; `missing_letters` have no font and are shown as boxes.
    """

    body: bytes
    pages: int
    borrowed: str = ""
    boxes: str = ""
    doubts: tuple["Fault", ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """An error or warning of Typst; positions are (path, line, column, length), innermost first."""

    message: str
    hint: str
    places: tuple[tuple[str, int, int, int], ...]


def printable() -> bool:
    """Whether the package typst is installed; it is an optional dependency."""
    return importlib.util.find_spec("typst") is not None


def at_work() -> bool:
    """Whether Typst is loaded: a forked process does not have its threads and would wait for them forever."""
    return "typst" in sys.modules


def version() -> str:
    """Version of the installed Typst, read without importing it."""
    spec = importlib.util.find_spec("typst")
    folder = Path(spec.origin or "").parent.parent if spec else Path()
    return ",".join(sorted(path.name for path in folder.glob("typst-*.dist-info")))


def _unescaped(letter: str) -> str:
    r"""Decode a letter that Typst writes as its code point: `\\u{10fff0}`."""
    found = re.fullmatch(r"\\u\{([0-9a-f]+)\}", letter)
    return chr(int(found[1], 16)) if found else letter


@dataclass(frozen=True)
class Press:
    """Typst with the templates and fonts of a theme; fonts are loaded once for all CVs."""

    sheets: Sheets

    def fitted(self, main: str, data: Mapping[str, Any], written: str, most: int) -> Printed | Fault:
        """
        Compile at the first scale with at most `max_pages` pages, otherwise at the smallest; 0 is no limit.

        `data_json` is `data` as JSON, at scale 1.
        """
        with tempfile.TemporaryDirectory(prefix="tenure-") as folder:
            root = Path(folder).resolve()
            for path, text in self.sheets.texts.items():
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(text, encoding="utf-8", newline="\n")
            for scale in SCALES if most else SCALES[:1]:
                scaled = written if scale == 1 else json.dumps({**data, "scale": scale}, ensure_ascii=False)
                made = self._printed(root, main, scaled)
                if isinstance(made, Fault) or made.pages <= most:
                    break
        return made

    def _printed(self, root: Path, main: str, data: str) -> Printed | Fault:
        """Compile to PDF/UA with the theme's fonts; if letters are missing, with system fonts, then without PDF/UA."""
        made, lacking = self._compiled(root, main, data, self._fonts, ACCESSIBLE)
        if not lacking:
            return made
        made, missing = self._compiled(root, main, data, self._all_fonts, ACCESSIBLE)
        if missing:
            made, _ = self._compiled(root, main, data, self._all_fonts, [])
        if isinstance(made, Fault):
            return made
        borrowed = "".join(letter for letter in lacking if letter not in missing)
        return Printed(made.body, made.pages, borrowed, missing, made.doubts)

    def _compiled(
        self, root: Path, main: str, data: str, fonts: "Fonts", standards: "list[PDFStandard]"
    ) -> tuple[Printed | Fault, str]:
        """The PDF or the error, and the letters that the fonts do not have."""
        from typst import TypstError, compile_with_warnings  # noqa: PLC0415 - costs 3 ms

        try:
            body, warnings = compile_with_warnings(
                root / main,
                root=root,
                font_paths=fonts,
                format="pdf",
                sys_inputs={"cv": data},
                pdf_standards=standards,
            )
        except TypstError as error:
            letters = re.findall(r'the text `"(.+?)"` could not be displayed', error.diagnostic)
            fault = self._fault(root, error.message, error.hints, error.diagnostic)
            return fault, "".join(map(_unescaped, letters))
        doubts = tuple(self._fault(root, w.message, w.hints, w.diagnostic) for w in warnings)
        return Printed(body, len(re.findall(rb"/Type\s*/Page\b", body)), doubts=doubts), ""

    @cached_property
    def _fonts(self) -> "Fonts":
        from typst import Fonts  # noqa: PLC0415 - as above

        return Fonts(include_system_fonts=False, font_paths=self._folders)

    @cached_property
    def _all_fonts(self) -> "Fonts":
        from typst import Fonts  # noqa: PLC0415 - as above

        return Fonts(include_system_fonts=True, font_paths=self._folders)

    @property
    def _folders(self) -> list[Path]:
        return [*dict.fromkeys(font.parent for font in self.sheets.fonts)]

    def _fault(self, root: Path, message: str, hints: list[str], diagnostic: str) -> Fault:
        message = re.sub(r"^PDF/UA-1 error: ", "", message).replace(f"{root}/", "")
        return Fault(message, "; ".join(hints), tuple(self._places(root, diagnostic)))

    def _places(self, root: Path, diagnostic: str) -> Iterator[tuple[str, int, int, int]]:
        """
        Positions of a diagnostic.

        Typst writes "┌─ path:line:column" with lines from 1 and columns from 0, and carets below the line.
        """
        pattern = rf"┌─ \S*?{re.escape(root.name)}/(\S+\.typ):(\d+):(\d+)\n(?:[^^]*?\n)??(?:[^\n]*\n)??[^\n^]*?(\^+)"
        for path, line, column, carets in re.findall(pattern, diagnostic):
            if path in self.sheets.texts:
                yield path, int(line), int(column) + 1, len(carets)
