"""Reads the .csl files that site.yaml names as citation styles, and reports those that cannot be used."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenure.csl import CSL_NAMESPACE, INSTALL_HINT, CslFormatError, format_csl_entry, is_citeproc_installed
from tenure.limits import MAX_MACRO_CALLS, MAX_NESTING, MAX_STYLE_SIZE
from tenure.model.file_index import FileIndex
from tenure.model.site import CvConfig, PageConfig, SelectedStyle, Settings
from tenure.problems import Place, Problems, suggest_word
from tenure.publish import Artifact
from tenure.record import Record, field, replace
from tenure.sources.files import read_source_text
from tenure.sources.publications.attached_files import report_several_files

USE_VALID_STYLE = "download the file again, or use another style"

TRIAL_TYPES = ("article-journal", "paper-conference", "chapter", "book", "thesis", "report")
"""The CSL types of the publications that a style must be able to format."""

TRIAL_ITEM: Mapping[str, Any] = {
    "title": "Title",
    "author": [{"family": "Family", "given": "Given"}, {"literal": "Group"}],
    "editor": [{"family": "Editor", "given": "Given"}],
    "issued": {"date-parts": [[2000, 1, 2]]},
    "container-title": "Container",
    "volume": "1",
    "issue": "2",
    "page": "3-4",
    "publisher": "Publisher",
    "DOI": "10.1000/1",
    "URL": "https://doi.org/10.1000/1",
}


class UnusableStyleError(Exception):
    """The file is not a CSL style that can be used; the arguments are a reason and a repair."""


def read_csl_styles(settings: Settings, files: Sequence[Artifact], problems: Problems) -> Settings:
    """The settings with the text of each .csl file; a style that cannot be used is reported, and is None."""
    reader = _StyleReader({file.source.file: file for file in files}, settings.language, problems)
    return replace(
        settings,
        citation_style=reader.read_style(settings.citation_style, settings.place_of("citation_style")),
        pages=settings.pages and tuple(map(reader.read_page, settings.pages)),
        cvs=settings.cvs and tuple(map(reader.read_cv, settings.cvs)),
    )


class _StyleReader(Record):
    """Reads each .csl file once."""

    files: Mapping[str, Artifact]
    language: str
    problems: Problems
    styles: dict[str, SelectedStyle | None] = field(default_factory=dict)

    def read_page(self, page: PageConfig) -> PageConfig:
        """A page or a group of pages with the texts of its styles."""
        pages = page.pages and tuple(map(self.read_page, page.pages))
        return replace(page, sections=self._read_sections(page), pages=pages)

    def read_cv(self, cv: CvConfig) -> CvConfig:
        """A CV with the texts of its styles."""
        return replace(cv, sections=self._read_sections(cv))

    def _read_sections(self, config: PageConfig | CvConfig) -> Any:
        return config.sections and tuple(
            replace(section, style=self.read_style(section.style, section.place_of("style")))
            for section in config.sections
        )

    def read_style(self, style: SelectedStyle | None, place: Place) -> SelectedStyle | None:
        """A style, with its text if it is a .csl file; None if it cannot be used, which is reported once."""
        if style is None or not style.is_csl_file:
            return style
        if style.name not in self.styles:
            self.styles[style.name] = self._read_csl_file(style.name, place)
        return self.styles[style.name]

    def _read_csl_file(self, name: str, place: Place) -> SelectedStyle | None:
        path = self._find_file(name, place)
        if path is None:
            return None
        try:
            text = self._read_text(path)
            if text is None:
                return None
            inspect_csl(text)
            self._try_style(text)
        except UnusableStyleError as error:
            reason, hint = error.args
            self.problems.report("citation-style", place, f"“{name}” cannot be used: {reason}", hint)
            return None
        return SelectedStyle(name, text)

    def _find_file(self, name: str, place: Place) -> Artifact | None:
        """The one .csl file that a name means; None and a report if there is none or several."""
        paths = [path for path in self.files if path.casefold().endswith(".csl")]
        matches = FileIndex(paths).find_paths(name)
        if len(matches) == 1:
            return self.files[matches[0]]
        if matches:
            report_several_files(name, matches, place, self.problems)
            return None
        known_names = [*paths, *(path.rpartition("/")[2] for path in paths)]
        hint = suggest_word(name, known_names, "put the file into bib/")
        self.problems.report("missing-file", place, f"there is no file “{name}” in bib/ or content/", hint)
        return None

    def _read_text(self, file: Artifact) -> str | None:
        if not isinstance(file.body, Path):
            return None
        if file.body.is_file() and file.body.stat().st_size > MAX_STYLE_SIZE:
            raise UnusableStyleError(f"it has more than {MAX_STYLE_SIZE // 1_000_000} MB", USE_VALID_STYLE)
        return read_source_text(file.body, file.source.file, self.problems)

    def _try_style(self, text: str) -> None:
        """Format publications of several types; raise UnusableStyleError if the style cannot."""
        if not is_citeproc_installed():
            raise UnusableStyleError("citeproc-py is not installed", INSTALL_HINT)
        for csl_type in TRIAL_TYPES:
            try:
                runs = format_csl_entry(text, self.language, {"type": csl_type, **TRIAL_ITEM})
            except CslFormatError as error:
                raise UnusableStyleError(f"citeproc-py cannot read it ({error})", USE_VALID_STYLE) from error
            if not runs:
                raise UnusableStyleError(
                    f"it writes nothing for a publication of the type {csl_type}", USE_VALID_STYLE
                )


def inspect_csl(text: str) -> None:
    """Raise UnusableStyleError unless a text is an independent CSL style with a bibliography, without entities."""
    from xml.parsers import expat  # noqa: PLC0415 - needed only for a site with a .csl file

    handler = _CslHandler()
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.StartDoctypeDeclHandler = handler.refuse_doctype
    parser.StartElementHandler = handler.start_element
    parser.EndElementHandler = handler.end_element
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise UnusableStyleError(f"it is not XML ({error})", USE_VALID_STYLE) from None
    if handler.root != f"{CSL_NAMESPACE} style":
        raise UnusableStyleError("it is not a CSL style", "its outermost element must be <style> of CSL 1.0")
    if handler.parent:
        raise UnusableStyleError(
            f"it contains only a link to the style {handler.parent}",
            f"put its parent {handler.parent}.csl into bib/, and write that name",
        )
    if not handler.has_layout:
        raise UnusableStyleError("it has no bibliography", "use a style with a <bibliography>")
    _check_macros(handler.macro_calls)


def _check_macros(calls: Mapping[str, Sequence[str]]) -> None:
    """Raise UnusableStyleError if a macro does not exist, uses itself, or is used too often; "" stands for everything outside of macros."""
    sizes: dict[str, int] = {}

    def measure_macro(name: str, users: tuple[str, ...]) -> int:
        if name not in calls:
            raise UnusableStyleError(f"it does not define the macro “{name}”", USE_VALID_STYLE)
        if name in users or len(users) > MAX_NESTING:
            raise UnusableStyleError(f"the macro “{name}” uses itself", USE_VALID_STYLE)
        if name not in sizes:
            sizes[name] = 1 + sum(measure_macro(used, (*users, name)) for used in calls[name])
        return sizes[name]

    if measure_macro("", ()) > MAX_MACRO_CALLS:
        raise UnusableStyleError(f"it uses macros more than {MAX_MACRO_CALLS:,} times", USE_VALID_STYLE)


class _CslHandler:
    """The expat handlers that collect what the style contains."""

    def __init__(self) -> None:
        self.root = ""
        self.parent = ""
        self.open_elements: list[str] = []
        self.has_layout = False
        self.macro_calls: dict[str, list[str]] = {"": []}
        self.macro = ""

    def refuse_doctype(self, *_: object) -> None:
        raise UnusableStyleError("it has a document type declaration", "delete <!DOCTYPE …>")

    def start_element(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.root = self.root or tag
        name = tag.rpartition(" ")[2]
        if name == "link" and attributes.get("rel") == "independent-parent":
            self.parent = attributes.get("href", "").rstrip("/").rpartition("/")[2] or "without a name"
        if name == "layout" and self.open_elements[-1:] == ["bibliography"]:
            self.has_layout = True
        if name == "macro":
            self.macro = attributes.get("name", "")
            self.macro_calls.setdefault(self.macro, [])
        elif "macro" in attributes:
            self.macro_calls[self.macro].append(attributes["macro"])
        self.open_elements.append(name)
        if len(self.open_elements) > MAX_NESTING:
            raise UnusableStyleError(f"it is nested more than {MAX_NESTING} levels deep", USE_VALID_STYLE)

    def end_element(self, _tag: str) -> None:
        if self.open_elements.pop() == "macro":
            self.macro = ""
