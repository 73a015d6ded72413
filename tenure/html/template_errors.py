"""
Explain template errors: Jinja's message, the word that it is about, and a similar word that exists.

The exception becomes a `_Mistake`, which is reported at the word in the line of the template. The files of a
site's own theme are checked for what is no error of Jinja: unused blocks, and files of other hosts.
"""

import html
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tenure.html.assets import OWN_STYLE_SHEET
from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.model.places import SourceRecord
from tenure.model.site import Site
from tenure.problems import Place, Problems, find_similar_word, suggest_word
from tenure.record import Record, field_names, replace
from tenure.source_paths import list_used_files

TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "once", "keep_entry")

DROPPED_FILTERS = {"coins": "delete it; Zotero reads the page of each publication"}
"""What to write instead of a filter of an earlier version."""

TYPE_LABELS = {"dict": "theme", "Translations": "t", "TemplateModule": "this part"}

_WORD = re.compile(
    r"""
    No\ (?:filter|test)\ named\ '(?P<filter>\w+)'
    | unknown\ tag\ '(?P<tag>\w+)'
    | '(?P<name>\w+)'\ is\ undefined
    | '(?P<type>[^']*?)(?:\ object)?'\ has\ no\ attribute\ '(?P<field>[^']*)'
    | requested\ name\ '(?P<macro>\w+)'
    | “(?P<asset>[^”]*)”
    """,
    re.VERBOSE,
)
"""The word that Jinja does not know, in its message: "'Award object' has no attribute 'titel'"."""


class _Mistake(Record):
    """What is wrong in a line of a template, and the word of the line that is marked."""

    message: str
    word: str = ""
    hint: str = ""
    code: str = "template-name"


def report_error(
    error: Exception,
    path: Path,
    line: int,
    site: Site,
    templates: Iterable[str],
    filters: Iterable[str],
    problems: Problems,
) -> None:
    """
    Report an exception of Jinja or of an expression at a line of a template.

    `templates` and `filters` are all names of these. The classes of Jinja, which html/theme.py alone imports,
    are known by their attributes: an error has a message, one of syntax a line, a missing template its names.
    """
    if hasattr(error, "templates"):
        mistake = _explain_missing_template(str(getattr(error, "name", "")), templates)
    elif isinstance(error, RecursionError):
        mistake = _Mistake("this template includes itself", "include")
    elif hasattr(error, "message"):
        mistake = _explain_message(str(error.message), site, filters)
        if hasattr(error, "lineno"):
            mistake = replace(mistake, code="template-syntax")
    else:
        mistake = _Mistake(f"this cannot be computed: {error}")

    text = path.read_text(encoding="utf-8")
    folder = next((each for each in site.active_theme.folders if path.is_relative_to(each)), path.parent)
    file = f"themes/{folder.name}/{path.relative_to(folder).as_posix()}"
    problems.add_source(file, text)
    place = Place(file, line, 1, 1)
    word = mistake.word
    # the line of an error may be the one after the end of the file
    column = [*text.split("\n"), ""][line - 1].find(word)
    if word and column >= 0:
        place = Place(file, line, column + 1, len(word))
    problems.report(mistake.code, place, mistake.message, mistake.hint)


def _explain_missing_template(name: str, templates: Iterable[str]) -> _Mistake:
    """The mistake of a template that does not exist, with one of a similar name in any folder."""
    paths = {path.rpartition("/")[2].removesuffix(".html"): path for path in templates}
    similar = find_similar_word(name.rpartition("/")[2].removesuffix(".html"), paths)
    hint = f'did you mean "{paths[similar]}"?' if similar else ""
    return _Mistake(f'there is no template "{name}"', name, hint, "template-missing")


def _explain_message(text: str, site: Site, filters: Iterable[str]) -> _Mistake:
    """
    The mistake in a message of Jinja, which may have a hint of ours after a semicolon.

    "'…entries.Award object' has no attribute 'titel'" -> "… has no attribute 'titel'", did you mean "title"?
    """
    message, _, hint = text.rstrip(".").partition("; ")
    words: dict[str, str] = {}
    match = _WORD.search(message)
    if match:
        words = {name: word for name, word in match.groupdict().items() if word}
    type_name = words.pop("type", "")
    kind, word = next(iter(words.items()), ("", ""))

    known: dict[str, Iterable[str]] = {"filter": filters, "name": TEMPLATE_GLOBALS}
    known |= dict.fromkeys(("field", "macro"), _list_fields(type_name, site))
    similar = find_similar_word(word, known.get(kind, ())) if word else ""
    if not hint and word in DROPPED_FILTERS:
        hint = DROPPED_FILTERS[word]
    elif not hint and similar:
        hint = f'did you mean "{similar}"?'

    # 'tenure.model.entries.Award object' -> Award
    message = re.sub(
        r"'(?:[\w.]+\.)?(\w+) object'", lambda found: TYPE_LABELS.get(found[1], found[1]), message
    )
    return _Mistake(message, word, hint, "template-syntax" if kind == "filter" else "template-name")


def _list_fields(type_name: str, site: Site) -> Collection[str]:
    """
    The names that a value of a type can have: macros of parts, options of the theme, or fields.

    "tenure.model.entries.Talk" -> title, event, …; of any other type, () as nothing is known.
    """
    theme = site.active_theme
    module, _, name = type_name.rpartition(".")
    if name in ("TemplateModule", ""):
        parts = [path for folder in theme.folders for path in list_used_files(folder, "parts/*.html")]
        texts = [path.read_text(encoding="utf-8") for path in parts]
        return [macro for text in texts for macro in re.findall(r"\{%[-+]?\s*macro\s+(\w+)", text)]
    if name in ("dict", "Translations"):
        return (*theme.options, *theme.translations)

    record_type = getattr(sys.modules.get(module), name, None)
    if not isinstance(record_type, type) or not issubclass(record_type, Record):
        return ()
    properties = [name for name in dir(record_type) if isinstance(getattr(record_type, name, None), property)]
    fields = [name for name in field_names(record_type) if name not in field_names(SourceRecord)]
    return (*fields, *properties)


def report_bad_formulas(page_html: str, source: Place, problems: Problems) -> None:
    """Report each formula of a page that could not be parsed."""
    lines_of_bad_entries = {
        (problem.place.file, problem.place.line)
        for problem in problems.sorted_problems()
        if problem.code == "bib-syntax"
    }
    for code in iterate_elements(page_html, "code"):
        if code.attributes.get("class") != BROKEN_FORMULA_CLASS:
            continue

        formula = html.unescape(code.content)
        place = problems.find_text(f"${formula}$") or problems.find_text(formula) or source
        if (place.file, place.line) in lines_of_bad_entries:
            # the missing brace is already reported
            continue

        unescaped = re.sub(r"\\\\.", "", formula)
        is_balanced = unescaped.count("{") == unescaped.count("}")
        hint = "check its commands, and what they need" if is_balanced else "give each { its }"
        problems.report("bad-formula", place, f"the formula ${formula}$ cannot be read", hint)


# Theme files of a site

_FOREIGN_URL = re.compile(
    r"""
    /\*.*?(?:\*/|\Z)                                                   # a comment, in which nothing is loaded
    | (?:@import\s+|url\(\s*) ["']? (?P<url>(?:https?:)?//[^"')\s]+)   # url("https://example.org/photo.png")
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class ThemeFile(Record):
    """
    A theme file of a site: its path in the site ("themes/plain/parts/a.html"), that in the theme, its text.
    """

    display_path: str
    theme_path: str
    text: str
    folder: str = "assets/ of the theme"
    """where the files that it names are"""


def read_theme_files(folders: Iterable[Path], pattern: str) -> Iterator[ThemeFile]:
    """Yield the files of a site's own theme folders that match a glob pattern ("pa*/**/*.html")."""
    for folder in folders:
        for path in list_used_files(folder, pattern):
            theme_path = path.relative_to(folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            yield ThemeFile(f"themes/{folder.name}/{theme_path}", theme_path, text)


def _read_own_stylesheets(site: Site, own_folders: Iterable[Path]) -> Iterator[ThemeFile]:
    """The style sheets in the theme folders of a site, and content/style.css."""
    yield from read_theme_files(own_folders, "assets/**/*.css")
    own_css = site.active_theme.style_sheet
    if own_css:
        yield ThemeFile(OWN_STYLE_SHEET, OWN_STYLE_SHEET, own_css, folder="content/")


def report_unknown_blocks(
    file: ThemeFile, own_blocks: Iterable[str], parent_blocks: Collection[str], problems: Problems
) -> None:
    """
    Report each outermost block that no extended template has. Jinja never shows such a block.

    `parent_blocks` are those of all templates that the template extends, as far as they can be read.
    """
    for name in own_blocks:
        if parent_blocks and name not in parent_blocks:
            hint = suggest_word(name, parent_blocks, f"the blocks are {', '.join(sorted(parent_blocks))}")
            message = f'no template that this one extends has a block "{name}", so it is not shown'
            place = next(problems.find_places(rf"block\s+({name})\b", file.display_path))
            problems.report("unknown-block", place, message, hint)


def report_foreign_files(site: Site, own_folders: Iterable[Path], problems: Problems) -> None:
    """Report files that a style sheet of a site loads from a host that site.yaml does not allow."""
    allowed_hosts = site.settings.allow.hosts or ()
    for file in _read_own_stylesheets(site, own_folders):
        problems.add_source(file.display_path, file.text)

        for match in _FOREIGN_URL.finditer(file.text):
            if match["url"] and not match["url"].startswith(allowed_hosts):
                place = problems.locate(file.display_path, *match.span("url"))
                hint = f"put the file into {file.folder} and name it here"
                problems.report("style-sheet", place, "this style sheet loads a file from another host", hint)
