"""
Compiles the templates of a theme and data to PDF and pictures with Typst.

A `TypstCompiler` has the templates and fonts; it returns a `CompiledPdf` or a `TypstDiagnostic`.
"""

import hashlib
import importlib.util
import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tenure.model.names import list_name_forms
from tenure.record import Record, replace
from tenure.source_paths import list_used_files

if TYPE_CHECKING:
    from typst import Fonts, PDFStandard

PDF_STANDARDS: "list[PDFStandard]" = ["ua-1"]
"""PDF/UA-1 (ISO 14289-1): headings, lists and links are tagged, and every letter has a glyph."""

FONT_SCALES = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85)
"""Scales of letters and gaps for a CV with a page limit; the first one that fits is used."""

FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")

_MISSING_PACKAGE = re.compile(
    r"""
    failed\ to\ download\ package\ \(https://[^/]+/
        (?P<namespace>[^/]+)/(?P<name>\S+)-(?P<version>[\d.]+)\.tar\.gz     # …/preview/cetz-0.3.1.tar.gz
    | package\ not\ found\ \(searched\ for\ (?P<package>[^\s)]+)             # @local/letters:1.0.0
    """,
    re.VERBOSE,
)
"""Typst's message about a package: it may not download one of the namespace preview, and finds no other."""

_UNDRAWABLE_CHARACTER = re.compile(
    r"""
    (?P<backslash>\\\\)                     # the second half of it does not begin an escape
    | \\u00[01][0-9a-f]                     # \u0007
    | [\x7f-\x9f\ufeff\ufffe\uffff]
    """,
    re.VERBOSE,
)
"""A character that no PDF shows, in JSON."""


@contextmanager
def _block_downloads() -> Iterator[None]:
    """Let Typst reach no other host: its proxy is a port of this computer at which no program can answer."""
    variables = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
    previous = {name: os.environ.pop(name) for name in variables if name in os.environ}
    os.environ["https_proxy"] = "http://127.0.0.1:0"
    try:
        yield
    finally:
        del os.environ["https_proxy"]
        os.environ.update(previous)


class TypstDiagnostic(Record):
    """An error or warning of Typst; positions are (path, line, column, length), innermost first."""

    message: str
    hint: str
    positions: tuple[tuple[str, int, int, int], ...]


class CompiledPdf(Record):
    """
    A PDF with the number of its pages, and the scale of its letters and gaps.

    `fallback_letters` are set in a font of this computer; `missing_letters` have no font and are boxes.
    """

    body: bytes
    pages: int
    scale: float = 1.0
    fallback_letters: str = ""
    missing_letters: str = ""
    warnings: tuple[TypstDiagnostic, ...] = ()

    def find_readable_name(self, name: str) -> str:
        """The form of a name of which the theme's fonts have all letters; the whole name if there is none."""
        missing = {*self.fallback_letters, *self.missing_letters}
        return next((form for form in list_name_forms(name) if not missing & {*form}), name)


def is_typst_installed() -> bool:
    """Whether the package typst is installed; not every machine has it."""
    return importlib.util.find_spec("typst") is not None


TYPST_MACHINES = ("AMD64", "aarch64", "arm64", "armv7l", "ppc64le", "s390x", "x86_64")
"""The machines for which Typst has a package, as pyproject.toml lists them."""


def explain_missing_typst() -> str:
    """Why there is no PDF, if Typst is not installed, and what to do if something can be done."""
    machine = platform.machine()
    if machine in TYPST_MACHINES:
        return 'Typst is not installed (pip install "typst>=0.15,<0.16")'
    return f"Typst, which makes it, has no package for this machine ({machine})"


def is_typst_loaded() -> bool:
    """Whether Typst is loaded: a forked process does not have its threads and would wait for them forever."""
    return "typst" in sys.modules


def typst_version() -> str:
    """Version of the installed Typst, read without importing it."""
    spec = importlib.util.find_spec("typst")
    folder = Path(spec.origin or "").parent.parent if spec else Path()
    return ",".join(sorted(path.name for path in folder.glob("typst-*.dist-info")))


def write_json(data: Mapping[str, Any]) -> str:
    """Data for a template, without the control characters and noncharacters that PDF/UA refuses."""
    text = json.dumps(data, ensure_ascii=False)
    return _UNDRAWABLE_CHARACTER.sub(lambda match: match["backslash"] or "", text)


class Template(NamedTuple):
    """The text of a template, its path for messages, and the position of its theme in the chain of themes."""

    text: str
    display_path: str
    depth: int


FontState = tuple[Path, int]
"""A font file, and the time of its last change, by which a preview sees that it is another one."""


@lru_cache(maxsize=2)
def _digest_fonts(states: tuple[FontState, ...]) -> bytes:
    """The digest of fonts; it is computed once for the CVs and the pictures of a site."""
    digest = hashlib.blake2b(digest_size=16)
    for file, _ in states:
        digest.update(file.read_bytes())
    return digest.digest()


@lru_cache(maxsize=2)
def _load_fonts(states: tuple[FontState, ...], *, include_system_fonts: bool) -> "Fonts":
    """The fonts of a theme, loaded once; with those of this computer if they are asked for."""
    from typst import Fonts

    folders = [*dict.fromkeys(file.parent for file, _ in states)]
    return Fonts(include_system_fonts=include_system_fonts, font_paths=folders)


class TypstCompiler(Record, dict=True):
    """
    Typst with the templates and fonts of a theme and the themes that it extends; the nearest folder wins.

    Keys are the paths that Typst uses: "cv-parts.typ" is the nearest file with that name, "base/cv.typ" the
    file of the theme base.
    """

    templates: Mapping[str, Template]
    font_files: tuple[Path, ...]

    @classmethod
    def for_folders(cls, folders: Sequence[Path]) -> "TypstCompiler":
        """Read the templates in the folders of a theme, nearest first."""
        templates = dict[str, Template]()
        fonts = list[Path]()
        for depth, folder in enumerate(folders):
            for file in list_used_files(folder, "*.typ"):
                template = Template(file.read_text("utf-8"), f"themes/{folder.name}/{file.name}", depth)
                templates.setdefault(file.name, template)
                templates.setdefault(f"{folder.name}/{file.name}", template)
            candidates = list_used_files(folder, "fonts/*")
            fonts += [path for path in candidates if path.suffix.casefold() in FONT_SUFFIXES]
        return cls(templates, tuple(fonts))

    @cached_property
    def digest(self) -> str:
        """A digest of the templates and fonts."""
        digest = hashlib.blake2b(digest_size=16)
        for path, template in sorted(self.templates.items()):
            digest.update(f"{path}\0{template.text}\0".encode())
        digest.update(_digest_fonts(self._font_states))
        return digest.hexdigest()

    @property
    def look_paths(self) -> dict[str, str]:
        """Templates by the name of a look: "compact" is cv-compact.typ, "classic" that theme's cv.typ."""
        themes = {path.removesuffix("/cv.typ"): path for path in self.templates if path.endswith("/cv.typ")}
        # "cv-parts.typ" has what all looks share
        named = {path[3:-4]: path for path in self.templates if path.startswith("cv-")}
        return {name: path for name, path in (themes | named).items() if path != "cv-parts.typ"}

    def compile_to_fit(
        self, template: str, data_json: str, max_pages: int, files: Mapping[str, bytes] = MappingProxyType({})
    ) -> CompiledPdf | TypstDiagnostic:
        """
        Compile at the first scale with at most `max_pages` pages, otherwise at the smallest; 0 is no limit.

        `files` are images that the template shows, by their names.
        """
        scales = FONT_SCALES if max_pages else FONT_SCALES[:1]
        with self._write_files(files) as root:
            for scale in scales:
                result = self._compile_readable(root, template, {"cv": data_json, "scale": str(scale)})
                if isinstance(result, TypstDiagnostic):
                    return result
                if result.pages <= max_pages:
                    break
        return replace(result, scale=scale)

    def _compile_readable(
        self, root: Path, template: str, inputs: dict[str, str]
    ) -> CompiledPdf | TypstDiagnostic:
        """A PDF/UA with the theme's fonts; if letters are missing, with system fonts, then without PDF/UA."""
        missing = ""
        result, not_in_theme = self._compile(root, template, inputs, self._theme_fonts, PDF_STANDARDS)
        if not_in_theme:
            result, missing = self._compile(root, template, inputs, self._all_fonts, PDF_STANDARDS)
        if missing:
            result, _ = self._compile(root, template, inputs, self._all_fonts, [])
        if isinstance(result, TypstDiagnostic):
            return result
        fallback = "".join(letter for letter in not_in_theme if letter not in missing)
        return replace(result, fallback_letters=fallback, missing_letters=missing)

    def draw_picture(
        self, template: str, data: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> tuple[bytes | TypstDiagnostic, str]:
        """
        A page as PNG with a pixel for each point, and the letters that the theme's fonts do not have.

        Only a PDF/UA names these letters, so the page is first compiled to one.
        """
        from typst import compile as compile_typst

        inputs = {"cv": write_json(data)}
        fonts = self._theme_fonts
        with self._write_files(files) as root:
            result, missing = self._compile(root, template, inputs, fonts, PDF_STANDARDS)
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
            templates = {path: template.text.encode() for path, template in self.templates.items()}
            for path, body in (templates | dict(files)).items():
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_bytes(body)
            yield root

    def _compile(
        self,
        root: Path,
        template: str,
        inputs: dict[str, str],
        fonts: "Fonts",
        standards: "list[PDFStandard]",
    ) -> tuple[CompiledPdf | TypstDiagnostic, str]:
        """The PDF or the error, and the letters that the fonts do not have."""
        from typst import TypstError, compile_with_warnings

        # a folder that does not exist, so that no package of this computer is used
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
            # "\u{1f600}" -> "😀"
            return diagnostic, re.sub(r"\\u\{([0-9a-f]+)\}", lambda code: chr(int(code[1], 16)), letters)
        diagnostics = tuple(self._make_diagnostic(root, w.message, w.hints, w.diagnostic) for w in warnings)
        return CompiledPdf(body, len(re.findall(rb"/Type\s*/Page\b", body)), warnings=diagnostics), ""

    @cached_property
    def _font_states(self) -> tuple[FontState, ...]:
        return tuple((file, file.stat().st_mtime_ns) for file in self.font_files)

    @property
    def _theme_fonts(self) -> "Fonts":
        return _load_fonts(self._font_states, include_system_fonts=False)

    @property
    def _all_fonts(self) -> "Fonts":
        return _load_fonts(self._font_states, include_system_fonts=True)

    def _make_diagnostic(
        self, root: Path, message: str, hints: list[str], diagnostic: str
    ) -> TypstDiagnostic:
        """
        A diagnostic with its positions in the templates.

        Typst writes "┌─ path:line:column" with lines from 1 and columns from 0, and carets below the line.
        """
        message = re.sub(r"^PDF/UA-1 error: ", "", message).replace(f"{root}/", "")
        if match := _MISSING_PACKAGE.match(message):
            package = match["package"] or f"@{match['namespace']}/{match['name']}:{match['version']}"
            message = f"the package {package} is not available: a build downloads nothing"
            hints = ["copy the files that you need into the theme's folder"]

        pattern = rf"""
            ┌─\ \S*?{re.escape(root.name)}/(?P<path>\S+\.typ):(?P<line>\d+):(?P<column>\d+)\n
            (?:[^^]*?\n)?? (?:[^\n]*\n)?? [^\n^]*?(?P<carets>\^+)
        """
        found = re.findall(pattern, diagnostic, re.VERBOSE)
        positions = ((path, int(line), int(column) + 1, len(carets)) for path, line, column, carets in found)
        return TypstDiagnostic(
            message, "; ".join(hints), tuple(p for p in positions if p[0] in self.templates)
        )
