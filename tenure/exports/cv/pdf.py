"""
The CVs of a site as PDF, cached by the digest of their inputs; reports problems of typesetting.

The `CvConfig` of a CV becomes the data of a `CvDocument`, which the template of a look typesets.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import unquote

from tenure import __version__
from tenure.cache.store import CacheStore
from tenure.exports.cv.document import CvDocument
from tenure.exports.cv.typst import CompiledPdf, TypstCompiler, TypstDiagnostic, typst_version, write_json
from tenure.exports.cv.typst_writer import TypstWriter, read_text
from tenure.exports.plain_text import SiteTextConverter
from tenure.images.resizing import UnreadableImageError, make_jpeg, pillow_version
from tenure.model.colors import MIN_CONTRAST, contrast_ratio, parse_colors, turn_hue
from tenure.model.entries import Publication
from tenure.model.files import FileIndex
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Collection, CvConfig, SectionConfig, Site, ThemeColor
from tenure.plan.sections import Section, make_section
from tenure.presentation.entry_lines import EntryPresenter
from tenure.problems import Place, Problems, format_count, format_suggestion, suggest_word
from tenure.publish import Artifact
from tenure.record import replace

POINTS_PER_MILLIMETRE = 72 / 25.4

ACCENT_COLORS = {
    "rust": "#a03c14",
    "crimson": "#a51c30",
    "amber": "#8a5300",
    "forest": "#1f6b3a",
    "teal": "#0b6a6e",
    "ocean": "#0b5fa5",
    "indigo": "#4348b5",
    "plum": "#8a2d7c",
    "slate": "#3f4c5a",
}
"""The named accents of CVs: those of the theme folio, on white paper."""

CACHE_FORMAT = 3
"""Increased with any change to CompiledPdf or to how a CV is typeset."""


def make_cv_pdfs(
    site: Site,
    cvs: Sequence[CvConfig],
    store: CacheStore,
    problems: Problems,
    *,
    collections: Mapping[str, Collection] | None = None,
    files: Sequence[Artifact] = (),
) -> Iterator[Artifact]:
    """
    Typeset CVs of a site, or of `collections` in place of the site's; report all problems.

    `files` are the files of content/, of which one is the photo. A CV with invalid options, or one that Typst
    cannot set, is left out; both are reported.
    """
    if not cvs:
        return
    compiler = TypstCompiler.for_folders(site.active_theme.folders)
    short_names: set[str] = set()
    for config in cvs:
        if not _check_options(config, compiler, problems):
            continue
        photo = _read_photo(site, config, files, store, problems)
        data = build_cv_data(site, config, problems, collections)
        data["photo"] = next(iter(photo), None)

        data_json = write_json(data)
        result = _typeset(compiler, config, data_json, photo, store)
        # a short form of the name takes the place of boxes
        if isinstance(result, CompiledPdf):
            name = result.find_readable_name(site.profile.name)
            if name != site.profile.name:
                data["person"]["name"] = name
                data_json = write_json(data)
                result = _typeset(compiler, config, data_json, photo, store)
                short_names.add(name)

        if isinstance(result, TypstDiagnostic):
            report_diagnostic(result, "cv-template", site, compiler, problems)
            continue
        for warning in result.warnings:
            report_diagnostic(warning, "cv-warning", site, compiler, problems)
        _report_pdf_problems(result, data_json, config, site, problems)
        place = config.source if config.source.file else Place("site.yaml")
        yield Artifact(f"{config.name}.pdf", result.body, place)

    for name in sorted(short_names):
        message = (
            f"PDFs have the name “{name}”: no font of the theme has the letters of “{site.profile.name}”"
        )
        name_place = problems.find_text(site.profile.name) or Place("content/profile.yaml")
        problems.report("cv-letters", name_place, message, _format_font_hint(site))


def _typeset(
    compiler: TypstCompiler,
    config: CvConfig,
    data_json: str,
    photo: Mapping[str, bytes],
    store: CacheStore,
) -> CompiledPdf | TypstDiagnostic:
    """The PDF of a CV, or an error of its template; stored until something that it shows changes."""
    template = compiler.look_paths[config.look] if config.look else "cv.typ"
    version = f"{CACHE_FORMAT} {__version__} {typst_version()}"
    inputs = compiler.digest, template, config.pages, data_json, *photo.values()
    compile_pdf = partial(compiler.compile_to_fit, template, data_json, config.pages, photo)
    return store.call("cvs", version, inputs, compile_pdf)


PAPER_SIZES = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes by their names in Typst."""


def build_cv_data(
    site: Site, config: CvConfig, problems: Problems, collections: Mapping[str, Collection] | None = None
) -> dict[str, Any]:
    """
    The input of a theme's cv.typ but the photo: the person, and sections with rows; all texts as markup.

    `collections` replaces the site's collections. `margins` (points: top and bottom, left and right) and
    `size` (points) are None if not configured.
    """
    shown_site = site if collections is None else replace(site, collections=collections)
    sections = _make_sections(shown_site, config, problems)
    # an entry that stands twice has the number of the first time
    numbered = [item for section in reversed(sections) for item in section.items if item.id and item.number]
    anchors = {item.entry.key: item.id for item in numbered if isinstance(item.entry, Publication)}
    w = TypstWriter(SiteTextConverter.for_site(site), anchors, links=config.links)
    presenter = EntryPresenter(
        site,
        w,
        links_to_pages=bool(site.settings.url),
        full_projects={section.kind for section in sections} <= {"projects", "prose"},
    )
    document = CvDocument(w, presenter, config)

    margins = [side * POINTS_PER_MILLIMETRE for side in config.margins[:2]]
    updated = w.date(document.t, site.settings.updated)
    language, *subtags = site.settings.language.split("-")
    return {
        "title": config.title,
        "language": language,
        "region": next((tag for tag in subtags if len(tag) == 2), None),
        "description": site.settings.description,
        "paper": PAPER_SIZES[config.paper],
        "margins": [margins[0], margins[-1]] if margins else None,
        "size": config.size or None,
        **_choose_colors(site, config),
        "person": document.describe_person(),
        "sections": [*map(document.describe_section, sections)],
        "updated": w.fill(document.t["last_updated"], {"date": updated}) if updated else "",
        "options": {name: _find_color(value) for name, value in site.active_theme.options.items()},
    }


def _make_sections(site: Site, config: CvConfig, problems: Problems) -> list[Section]:
    """The sections of a CV that are not empty; each knows the ones above it."""
    sections: list[Section] = []
    for section_config in config.sections or ():
        tagged_config = _apply_cv_tags(site, config, section_config)
        section = make_section(site, tagged_config, "cv", sections, problems)
        if section is not None:
            sections.append(section)
    return sections


def _find_color(option: object) -> object:
    """The value of an option of a theme on paper: that of a color for light pages."""
    return option.light if isinstance(option, ThemeColor) else option


def _choose_colors(site: Site, config: CvConfig) -> dict[str, str | None]:
    """
    The accent of the CV, else that of the theme for light pages, and the band of its palette with its text.

    None is a color that the look chooses, and the band of a palette that has none.
    """
    palette = site.active_theme.palette
    theme_color = palette or site.active_theme.options.get("accent")
    color = _parse_accent(config.accent) or None
    if not config.accent and isinstance(theme_color, ThemeColor):
        color = theme_color.light

    band = None
    if palette and palette.band:
        band = palette.band.light
        # in the hue of the accent that the CV itself has
        if color and config.accent:
            band = turn_hue(band, color)
    return {"accent": color, "band": band, "ink": palette.ink.light if palette else None}


def _parse_accent(text: str) -> str:
    """A color of ACCENT_COLORS or a color code, as "#a03c14"; "" for anything else."""
    return ACCENT_COLORS.get(text.casefold()) or (parse_colors(text) or ("",))[0]


def _apply_cv_tags(site: Site, config: CvConfig, section: SectionConfig) -> SectionConfig:
    """Add the tags of the whole CV to the filters of a section; a section that is a text stays as it is."""
    collection = site.collections.get(section.name)
    if collection is None:
        return section
    # a list without any of the tags is shown whole, and so is a section with tags of its own by these
    tags = {tag for entry in collection.entries for tag in entry.tags}
    selected_tags = config.tag if not section.tag and tags & set(config.tag) else ()
    if not selected_tags and not tags & set(config.without):
        return section
    # Without `source`: a section that is empty because of the tags of the whole CV is not reported.
    without = (*section.without, *config.without)
    return replace(section, tag=section.tag or selected_tags, without=without, source=UNKNOWN_PLACE)


PAPER_COLOR = "#ffffff"


def _check_options(config: CvConfig, compiler: TypstCompiler, problems: Problems) -> bool:
    """Whether margins, look and accent are valid; reports others, and a color that is hard to read."""
    if len(config.margins) > 2:
        message = f'"margins" of {config.name}.pdf has {len(config.margins)} numbers'
        hint = "write [top and bottom, left and right], or one for all"
        problems.report("bad-value", config.key_place_of("margins"), message, hint)
        return False

    if config.look and config.look not in compiler.look_paths:
        message = f'the theme has no look "{config.look}" for a CV'
        hint = format_suggestion(config.look, compiler.look_paths)
        problems.report("bad-value", config.place_of("look"), message, hint)
        return False
    accent = _parse_accent(config.accent)
    if config.accent and not accent:
        choices = f'write one of {", ".join(ACCENT_COLORS)}, or a colour in quotes: "#0b5fa5"'
        hint = suggest_word(config.accent, ACCENT_COLORS, choices)
        message = f"“{config.accent}” is not a colour of a CV"
        problems.report("bad-value", config.place_of("accent"), message, hint)
        return False

    ratio = contrast_ratio(accent, PAPER_COLOR) if accent else MIN_CONTRAST
    if ratio < MIN_CONTRAST:
        message = f"“{accent}” has a contrast of {ratio:.1f} on white paper; text needs {MIN_CONTRAST}"
        problems.report("low-contrast", config.place_of("accent"), message, "write a darker colour")
    return True


MAX_LISTED_LETTERS = 12
"""Maximum number of letters listed in a message about fonts."""


def _report_pdf_problems(
    pdf: CompiledPdf, data_json: str, config: CvConfig, site: Site, problems: Problems
) -> None:
    """Report too many pages, letters without a font, and formulas that are plain text."""
    place = config.place_of("name") if config.source.file else Place("site.yaml")
    if config.pages and pdf.pages > config.pages:
        message = f"{config.name}.pdf has {format_count(pdf.pages, 'page')}; the limit is {config.pages}"
        problems.report("cv-pages", place, message, "shorten it with limit: 5, show: selected or without: …")

    hint = _format_font_hint(site)
    # "王" that no font of the theme has
    for letters, explanation in (
        (pdf.fallback_letters, "set in a font of this computer"),
        (pdf.missing_letters, "shown as boxes because no font has them"),
    ):
        if letters:
            sample = letters
            if len(letters) > MAX_LISTED_LETTERS:
                sample = f"{letters[:MAX_LISTED_LETTERS]}…"
            message = f"letters in {config.name}.pdf are {explanation}: {sample}"
            problems.report("cv-letters", problems.find_text(letters[0]) or place, message, hint)
    # the markup is in JSON: #source[#\"x^2\"]
    for markup in re.findall(r'#source(\[#\\".*?(?<!\\)\\"\])', data_json):
        text = read_text(json.loads(f'"{markup}"'))
        found, hint = _find_formula(text, problems)
        message = f"the formula {text} in {config.name}.pdf is written as plain text"
        problems.report("cv-formula", found or place, message, hint)


def _find_formula(text: str, problems: Problems) -> tuple[Place | None, str]:
    """Where the sources may have a formula that is written as plain text, and how to repair it."""
    tag_place = problems.find_text("<math")
    if tag_place:
        return tag_place, "write it between dollar signs"
    word = re.search(r"\w+", text)
    known = re.escape(word[0] if word else text)
    place = next(problems.find_places(rf"\$[^$\n]{{0,400}}?{known}[^$\n]{{0,400}}\$"), None)
    return place, "check its commands, and what they need"


def _format_font_hint(site: Site) -> str:
    return f"add a font that has them to themes/{site.active_theme.name}/fonts/"


def report_diagnostic(
    diagnostic: TypstDiagnostic, code: str, site: Site, compiler: TypstCompiler, problems: Problems
) -> None:
    """Report a diagnostic of Typst at its position in the template nearest to the site."""
    place = Place(f"themes/{site.active_theme.name}/cv.typ")
    if diagnostic.positions:
        path, *position = min(diagnostic.positions, key=lambda found: compiler.templates[found[0]].depth)
        template = compiler.templates[path]
        place = Place(template.display_path, *position)
        problems.add_source(place.file, template.text)
    problems.report(code, place, diagnostic.message, diagnostic.hint)


def find_photo(site: Site, files: Iterable[Artifact]) -> Artifact | None:
    """The file of content/ that the profile names as its photo."""
    if not site.profile.photo:
        return None
    paths = FileIndex(site.files).find_paths(unquote(site.profile.photo))
    return next((file for file in files if paths[:1] == (file.path,)), None)


PHOTO_SIZE = (400, 480)
"""Pixels of the photo in a CV: 27 by 32 mm, the largest in a look, at 380 dots per inch; about 30 KB."""

PHOTO_CACHE_FORMAT = 1
"""Increased with any change to make_jpeg."""


def _read_photo(
    site: Site, config: CvConfig, files: Sequence[Artifact], store: CacheStore, problems: Problems
) -> dict[str, bytes]:
    """
    The photo by its file name for Typst: an SVG unchanged, any other file as a small JPEG; {} without one.

    A CV that asks for a photo that the profile does not have, and a file that cannot be read, are reported.
    """
    if not config.photo:
        return {}
    photo = find_photo(site, files)
    if photo is None:
        hint = "write photo: me.jpg in content/profile.yaml, and put the file into content/"
        message = f"{config.name}.pdf has no photo: the profile names no photo in content/"
        problems.report("missing-file", config.place_of("photo"), message, hint)
        return {}

    body = photo.read()
    if photo.path.casefold().endswith(".svg"):
        return {"photo.svg": body}
    version = f"{PHOTO_CACHE_FORMAT} {pillow_version()}"
    make_photo = partial(make_jpeg, body, PHOTO_SIZE)
    try:
        return {"photo.jpg": store.call("cv-photos", version, (PHOTO_SIZE, body), make_photo)}
    except UnreadableImageError as error:
        problems.report("unreadable-picture", photo.source, f"this image {error}", error.hint)
        return {}
