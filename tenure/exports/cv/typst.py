"""Compiles a template and the data of a CV to PDF with Typst."""

import importlib.util
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tenure.exports.cv.theme_files import CvTemplates
from tenure.record import Record

if TYPE_CHECKING:
    from typst import Fonts, PDFStandard

PDF_STANDARDS: "list[PDFStandard]" = ["ua-1"]
"""PDF/UA-1 (ISO 14289-1): headings, lists and links are tagged, and every letter has a glyph."""

FONT_SCALES = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85)
"""Scales of letters and gaps for a CV with a page limit; the first one that fits is used."""


_MISSING_PACKAGE = re.compile(
    r"failed to download package \(https://[^/]+/(?P<namespace>[^/]+)/(?P<name>\S+)-(?P<version>[\d.]+)\.tar\.gz"
    r"|package not found \(searched for (?P<package>[^\s)]+)"
)
"""Typst's message about a package: it may not download one of the namespace preview, and finds no other."""


@contextmanager
def _block_downloads() -> Iterator[None]:
    """Let Typst reach no other host: the proxy that it uses is a port of this computer at which no program can answer."""
    variables = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
    previous = {name: os.environ.pop(name) for name in variables if name in os.environ}
    os.environ["https_proxy"] = "http://127.0.0.1:0"
    try:
        yield
    finally:
        del os.environ["https_proxy"]
        os.environ.update(previous)


class CompiledPdf(Record):
    """
    A PDF with the number of its pages.

    `fallback_letters` are set in a font of this computer; `missing_letters` have no font and are shown as boxes.
    """

    body: bytes
    pages: int
    fallback_letters: str = ""
    missing_letters: str = ""
    warnings: tuple["TypstDiagnostic", ...] = ()


class TypstDiagnostic(Record):
    """An error or warning of Typst; positions are (path, line, column, length), innermost first."""

    message: str
    hint: str
    positions: tuple[tuple[str, int, int, int], ...]


def is_typst_installed() -> bool:
    """Whether the package typst is installed; it is an optional dependency."""
    return importlib.util.find_spec("typst") is not None


def is_typst_loaded() -> bool:
    """Whether Typst is loaded: a forked process does not have its threads and would wait for them forever."""
    return "typst" in sys.modules


def typst_version() -> str:
    """Version of the installed Typst, read without importing it."""
    spec = importlib.util.find_spec("typst")
    folder = Path(spec.origin or "").parent.parent if spec else Path()
    return ",".join(sorted(path.name for path in folder.glob("typst-*.dist-info")))


_UNDRAWABLE_CHARACTER = re.compile(r"(?P<backslash>\\\\)|\\u00[01][0-9a-f]|[\x7f-\x9f\ufeff\ufffe\uffff]")
"""The JSON escape of a character that no PDF shows; the second half of an escaped backslash does not begin one."""


def write_json(data: Mapping[str, Any]) -> str:
    """Data for a template, without control characters, byte order marks and noncharacters, which PDF/UA refuses."""
    return _UNDRAWABLE_CHARACTER.sub(
        lambda match: match["backslash"] or "", json.dumps(data, ensure_ascii=False)
    )


class TypstCompiler(Record, dict=True):
    """Typst with the templates and fonts of a theme; fonts are loaded once for all CVs."""

    templates: CvTemplates

    def compile_to_fit(
        self, template: str, data_json: str, max_pages: int, files: Mapping[str, bytes] = MappingProxyType({})
    ) -> CompiledPdf | TypstDiagnostic:
        """
        Compile at the first scale with at most `max_pages` pages, otherwise at the smallest; 0 is no limit.

        `files` are images that the template shows, by their names.
        """
        with self._write_files(files) as root:
            for scale in FONT_SCALES if max_pages else FONT_SCALES[:1]:
                inputs = {"cv": data_json, "scale": str(scale)}
                result = self._compile_with_fonts(root, template, inputs)
                if isinstance(result, TypstDiagnostic) or result.pages <= max_pages:
                    break
        return result

    def draw_picture(
        self, template: str, data: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> tuple[bytes | TypstDiagnostic, str]:
        """
        A page as PNG with a pixel for each point, and the letters that the theme's fonts do not have.

        Only a PDF/UA names these letters, so the page is first compiled to one.
        """
        from typst import compile as compile_typst

        inputs, fonts = {"cv": write_json(data)}, self._theme_fonts
        with self._write_files(files) as root:
            result, missing = self._run_typst(root, template, inputs, fonts, PDF_STANDARDS)
            if isinstance(result, TypstDiagnostic):
                return result, missing
            path = root / template
            body = compile_typst(path, root=root, font_paths=fonts, format="png", ppi=72, sys_inputs=inputs)
        return body, missing

    @contextmanager
    def _write_files(self, files: Mapping[str, bytes]) -> Iterator[Path]:
        """A temporary folder with the templates and other files."""
        with tempfile.TemporaryDirectory(prefix="tenure-") as folder:
            root = Path(folder).resolve()
            for path, text in self.templates.sources.items():
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(text, encoding="utf-8", newline="\n")
            for name, body in files.items():
                (root / name).write_bytes(body)
            yield root

    def _compile_with_fonts(
        self, root: Path, template: str, inputs: dict[str, str]
    ) -> CompiledPdf | TypstDiagnostic:
        """Compile to PDF/UA with the theme's fonts; if letters are missing, with system fonts, then without PDF/UA."""
        result, not_in_theme = self._run_typst(root, template, inputs, self._theme_fonts, PDF_STANDARDS)
        if not not_in_theme:
            return result
        result, missing = self._run_typst(root, template, inputs, self._all_fonts, PDF_STANDARDS)
        if missing:
            result, _ = self._run_typst(root, template, inputs, self._all_fonts, [])
        if isinstance(result, TypstDiagnostic):
            return result
        fallback_letters = "".join(letter for letter in not_in_theme if letter not in missing)
        return CompiledPdf(result.body, result.pages, fallback_letters, missing, result.warnings)

    def _run_typst(
        self,
        root: Path,
        template: str,
        inputs: dict[str, str],
        fonts: "Fonts",
        standards: "list[PDFStandard]",
    ) -> tuple[CompiledPdf | TypstDiagnostic, str]:
        """The PDF or the error, and the letters that the fonts do not have."""
        from typst import TypstError, compile_with_warnings

        no_packages = root / "packages"
        try:
            with _block_downloads():
                body, warnings = compile_with_warnings(
                    root / template,
                    root=root,
                    font_paths=fonts,
                    format="pdf",
                    sys_inputs=inputs,
                    pdf_standards=standards,
                    package_path=no_packages,
                    package_cache_path=no_packages,
                )
        except TypstError as error:
            letters = "".join(re.findall(r'the text `"(.+?)"` could not be displayed', error.diagnostic))
            diagnostic = self._make_diagnostic(root, error.message, error.hints, error.diagnostic)
            return diagnostic, re.sub(r"\\u\{([0-9a-f]+)\}", lambda code: chr(int(code[1], 16)), letters)
        diagnostics = tuple(self._make_diagnostic(root, w.message, w.hints, w.diagnostic) for w in warnings)
        return CompiledPdf(body, len(re.findall(rb"/Type\s*/Page\b", body)), warnings=diagnostics), ""

    @cached_property
    def _theme_fonts(self) -> "Fonts":
        from typst import Fonts

        return Fonts(include_system_fonts=False, font_paths=self._font_folders)

    @cached_property
    def _all_fonts(self) -> "Fonts":
        from typst import Fonts

        return Fonts(include_system_fonts=True, font_paths=self._font_folders)

    @property
    def _font_folders(self) -> list[Path]:
        return [*dict.fromkeys(font.parent for font in self.templates.font_files)]

    def _make_diagnostic(
        self, root: Path, message: str, hints: list[str], diagnostic: str
    ) -> TypstDiagnostic:
        message = re.sub(r"^PDF/UA-1 error: ", "", message).replace(f"{root}/", "")
        if match := _MISSING_PACKAGE.match(message):
            package = match["package"] or f"@{match['namespace']}/{match['name']}:{match['version']}"
            message = f"the package {package} is not available: a build downloads nothing"
            hints = ["copy the files that you need into the theme's folder"]
        return TypstDiagnostic(message, "; ".join(hints), tuple(self._parse_positions(root, diagnostic)))

    def _parse_positions(self, root: Path, diagnostic: str) -> Iterator[tuple[str, int, int, int]]:
        """
        Positions of a diagnostic.

        Typst writes "┌─ path:line:column" with lines from 1 and columns from 0, and carets below the line.
        """
        pattern = rf"┌─ \S*?{re.escape(root.name)}/(\S+\.typ):(\d+):(\d+)\n(?:[^^]*?\n)??(?:[^\n]*\n)??[^\n^]*?(\^+)"
        for path, line, column, carets in re.findall(pattern, diagnostic):
            if path in self.templates.sources:
                yield path, int(line), int(column) + 1, len(carets)
