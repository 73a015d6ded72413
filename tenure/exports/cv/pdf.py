"""The CVs of a site as PDF, cached by the digest of their inputs; reports problems of typesetting."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import unquote

from tenure import __version__
from tenure.cache.store import CacheStore
from tenure.counts import format_count
from tenure.exports.cv.document import ACCENT_COLORS, build_cv_data, parse_accent
from tenure.exports.cv.theme_files import CvTemplates
from tenure.exports.cv.typst import CompiledPdf, TypstCompiler, TypstDiagnostic, typst_version, write_json
from tenure.exports.cv.typst_writer import read_text
from tenure.images.resizing import UnreadableImageError, make_jpeg, pillow_version
from tenure.model.colors import MIN_CONTRAST, contrast_ratio
from tenure.model.file_index import FileIndex
from tenure.model.site import Collection, CvConfig, Site
from tenure.problems import Place, Problems, format_suggestion, suggest_word
from tenure.publish import Artifact

PAPER_COLOR = "#ffffff"

CACHE_FORMAT = 3
"""Increased with any change to CompiledPdf or to how a CV is typeset."""

MAX_LISTED_LETTERS = 12
"""Maximum number of letters listed in a message about fonts."""


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

    `files` are the files of content/, of which one is the photo.
    """
    if not cvs:
        return
    templates = CvTemplates.from_folders(site.active_theme.folders)
    compiler = TypstCompiler(templates)
    version = f"{CACHE_FORMAT} {__version__} {typst_version()}"
    for config in cvs:
        template = _choose_template(templates, config, problems)
        if template is None or not _check_accent(config, problems):
            continue
        photo = read_photo(site, config, files, store, problems)
        data_json = write_json(build_cv_data(site, config, problems, collections, next(iter(photo), "")))
        inputs = templates.digest, template, config.pages, data_json, *photo.values()
        compile_pdf = partial(compiler.compile_to_fit, template, data_json, config.pages, photo)
        result = store.call("cvs", version, inputs, compile_pdf)
        if isinstance(result, TypstDiagnostic):
            report_diagnostic(result, "cv-template", site, templates, problems)
            continue
        _report_pdf_problems(result, config, site, templates, problems)
        _report_undrawable_formulas(data_json, config, problems)
        yield Artifact(
            f"{config.name}.pdf", result.body, config.source if config.source.file else Place("site.yaml")
        )


def _choose_template(templates: CvTemplates, config: CvConfig, problems: Problems) -> str | None:
    """The template of the CV's look; None if the look or the margins are invalid, which is reported."""
    if len(config.margins) > 2:
        message = f'"margins" of {config.name}.pdf has {len(config.margins)} numbers'
        hint = "write [top and bottom, left and right], or one for all"
        problems.report("bad-value", config.key_place_of("margins"), message, hint)
        return None
    if not config.look:
        return "cv.typ"
    if config.look in templates.look_paths:
        return templates.look_paths[config.look]
    message = f'the theme has no look "{config.look}" for a CV'
    hint = format_suggestion(config.look, templates.look_paths)
    problems.report("bad-value", config.place_of("look"), message, hint)
    return None


def _check_accent(config: CvConfig, problems: Problems) -> bool:
    """Whether the accent is a color or not set; reports any other value, and a color that is hard to read on paper."""
    if not config.accent:
        return True
    place, accent = config.place_of("accent"), parse_accent(config.accent)
    if not accent:
        names = ", ".join(ACCENT_COLORS)
        choices = f'write one of {names}, or a colour in quotes: "#0b5fa5"'
        hint = suggest_word(config.accent, ACCENT_COLORS, choices)
        problems.report("bad-value", place, f"“{config.accent}” is not a colour of a CV", hint)
        return False
    ratio = contrast_ratio(accent, PAPER_COLOR)
    if ratio < MIN_CONTRAST:
        message = f"“{accent}” has a contrast of {ratio:.1f} on white paper; text needs {MIN_CONTRAST}"
        problems.report("low-contrast", place, message, "write a darker colour")
    return True


def _report_pdf_problems(
    pdf: CompiledPdf, config: CvConfig, site: Site, templates: CvTemplates, problems: Problems
) -> None:
    """Report warnings of Typst, too many pages, and letters without a font."""
    for warning in pdf.warnings:
        report_diagnostic(warning, "cv-warning", site, templates, problems)
    place = config.place_of("name") if config.source.file else Place("site.yaml")
    if config.pages and pdf.pages > config.pages:
        message = f"{config.name}.pdf has {format_count(pdf.pages, 'page')}; the limit is {config.pages}"
        problems.report("cv-pages", place, message, "shorten it with limit: 5, show: selected or without: …")
    hint = f"add a font that has them to themes/{site.active_theme.name}/fonts/"
    for letters, explanation in (
        (pdf.fallback_letters, "set in a font of this computer"),
        (pdf.missing_letters, "shown as boxes because no font has them"),
    ):
        if letters:
            sample = letters[:MAX_LISTED_LETTERS] + ("…" if len(letters) > MAX_LISTED_LETTERS else "")
            letter_place = problems.find_text(letters[0]) or place
            message = f"letters in {config.name}.pdf are {explanation}: {sample}"
            problems.report("cv-letters", letter_place, message, hint)


def _report_undrawable_formulas(data_json: str, config: CvConfig, problems: Problems) -> None:
    """Report each formula that Typst cannot draw; it is shown as plain text."""
    for markup in re.findall(r'#source(\[#\\".*?(?<!\\)\\"\])', data_json):
        text = read_text(json.loads(f'"{markup}"'))
        place, hint = problems.find_text("<math"), "write it between dollar signs"
        if place is None:
            word = re.search(r"\w+", text)
            pattern = rf"\$[^$\n]{{0,400}}?{re.escape(word[0] if word else text)}[^$\n]{{0,400}}\$"
            place, hint = next(problems.find_places(pattern), None), "check its commands, and what they need"
        place = place or (config.place_of("name") if config.source.file else Place("site.yaml"))
        message = f"the formula {text} in {config.name}.pdf is written as plain text"
        problems.report("cv-formula", place, message, hint)


def report_diagnostic(
    diagnostic: TypstDiagnostic, code: str, site: Site, templates: CvTemplates, problems: Problems
) -> None:
    """Report a diagnostic of Typst at its position in the template nearest to the site."""
    position = min(diagnostic.positions, key=lambda place: templates.depths[place[0]], default=None)
    place = Place(f"themes/{site.active_theme.name}/cv.typ")
    if position:
        path, line, column, length = position
        place = Place(templates.display_paths[path], line, column, length)
        problems.add_source(place.file, templates.sources[path])
    problems.report(code, place, diagnostic.message, diagnostic.hint)


PHOTO_SIZE = (400, 480)
"""Pixels of the photo in a CV: 27 by 32 mm, the largest in a look, at 380 dots per inch; about 30 KB."""

PHOTO_CACHE_FORMAT = 1
"""Increased with any change to make_jpeg."""


def find_photo(site: Site, files: Iterable[Artifact]) -> Artifact | None:
    """The file of content/ that the profile names as its photo."""
    paths = FileIndex(site.files).find_paths(unquote(site.profile.photo)) if site.profile.photo else ()
    return next((file for file in files if paths[:1] == (file.path,)), None)


def read_photo(
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
    version, make_photo = f"{PHOTO_CACHE_FORMAT} {pillow_version()}", partial(make_jpeg, body, PHOTO_SIZE)
    try:
        return {"photo.jpg": store.call("cv-photos", version, (PHOTO_SIZE, body), make_photo)}
    except UnreadableImageError as error:
        problems.report("unreadable-picture", photo.source, f"this image {error}", error.hint)
        return {}
