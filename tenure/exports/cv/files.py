"""
The CVs of a site as PDF, Word and LaTeX, and a letter in the look of one; reports problems of typesetting.

The template of a look typesets the data of a CV; the PDF is cached by the digest of its inputs.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import unquote

from tenure import __version__
from tenure.cache.store import CacheStore
from tenure.exports.cv.data import ACCENT_COLORS, build_cv_data, parse_accent
from tenure.exports.cv.document import CvData
from tenure.exports.cv.layout import choose_layout
from tenure.exports.cv.letter import build_letter_data
from tenure.exports.cv.typst import (
    CompiledPdf,
    TypstCompiler,
    TypstDiagnostic,
    is_typst_installed,
    typst_version,
    write_json,
)
from tenure.exports.cv.typst_data import describe_cv
from tenure.images.resizing import UnreadableImageError, make_jpeg, pillow_version
from tenure.model.colors import MIN_CONTRAST, contrast_ratio
from tenure.model.files import FileIndex
from tenure.model.letters import Letter
from tenure.model.site import Collection, CvConfig, Site
from tenure.problems import Place, Problems, format_count, format_suggestion, suggest_word
from tenure.publish import Artifact
from tenure.record import replace

CACHE_FORMAT = 4
"""Increased with any change to CompiledPdf or to how a CV is typeset."""


def make_cv_files(
    site: Site,
    cvs: Sequence[CvConfig],
    store: CacheStore,
    problems: Problems,
    *,
    collections: Mapping[str, Collection] | None = None,
    files: Sequence[Artifact] = (),
    letter: Letter | None = None,
) -> Iterator[Artifact]:
    """
    Write CVs of a site, or of `collections` in place of the site's, in their formats; report all problems.

    With a letter, it is written in the look of each CV.

    `files` are the files of content/, of which one is the photo. A CV with invalid options, or one that Typst
    cannot set, is left out; both are reported.
    """
    if not cvs:
        return
    compiler = TypstCompiler.for_folders(site.active_theme.folders)
    # the forms of the owner's name in PDFs whose fonts lack letters of the whole: "Wei Li" of "Wei Li (李伟)"
    short_names: set[str] = set()
    for config in cvs:
        if not config.formats or not _check_options(config, compiler, problems):
            continue
        pictures = _read_pictures(site, config, files, letter, store, problems)
        if letter:
            cv = build_letter_data(site, config, letter, problems, has_picture=bool(pictures))
        else:
            cv = build_cv_data(site, config, problems, collections)
        scale = 1.0
        place = config.source if config.source.file else Place("site.yaml")

        # Word and LaTeX begin with the size with which the PDF has its pages
        if "pdf" in config.formats or (config.pages and is_typst_installed()):
            name, data_json, result = _typeset_readable(compiler, config, cv, pictures, store)
            if isinstance(result, TypstDiagnostic):
                report_diagnostic(result, "cv-template", site, compiler, problems)
                continue
            scale = result.scale
            if "pdf" in config.formats:
                short_names |= {name} - {cv.person.name}
                for warning in result.warnings:
                    report_diagnostic(warning, "cv-warning", site, compiler, problems)
                _report_pages(result.pages, config, letter, problems)
                _report_pdf_problems(result, data_json, config, site, problems)
                yield Artifact(f"{config.name}.pdf", result.body, place)

        layout = choose_layout(cv, _find_template(compiler, config), compiler.templates, scale)
        # most CVs have neither format, and loading both takes a hundredth of a small build
        if "docx" in config.formats:
            from tenure.exports.cv.word import make_word_cv

            word_pictures = _find_word_pictures(config, pictures, problems)
            body = make_word_cv(cv, layout, site.active_theme.folders, word_pictures)
            yield Artifact(f"{config.name}.docx", body, place)
        if "latex" in config.formats:
            from tenure.exports.cv.latex import make_latex_cv

            text, missing = make_latex_cv(cv, layout, site.active_theme.folders)
            _report_latex_letters(missing, config, place, problems)
            yield Artifact(f"{config.name}.tex", text.encode(), place)
        _report_pages_of_pdf(config, problems)
    _report_short_names(short_names, site, problems)


def _report_short_names(names: Iterable[str], site: Site, problems: Problems) -> None:
    """Report the forms of the owner's name that PDFs have in place of the whole one."""
    name = site.profile.name
    place = problems.find_text(name) or Place("content/profile.yaml")
    for short_name in sorted(names):
        message = f"PDFs have the name “{short_name}”: no font of the theme has the letters of “{name}”"
        problems.report("cv-letters", place, message, _format_font_hint(site))


def _find_template(compiler: TypstCompiler, config: CvConfig) -> str:
    return compiler.look_paths[config.look] if config.look else "cv.typ"


def _typeset_readable(
    compiler: TypstCompiler, config: CvConfig, cv: CvData, pictures: Mapping[str, bytes], store: CacheStore
) -> tuple[str, str, CompiledPdf | TypstDiagnostic]:
    """The name in the PDF, which is a short form in place of boxes, its data, and the PDF or an error."""
    name = cv.person.name
    data_json = write_json(describe_cv(cv, pictures))
    result = _typeset(compiler, config, data_json, pictures, store)
    if isinstance(result, CompiledPdf):
        name = result.find_readable_name(name)
        if name != cv.person.name:
            data_json = write_json(describe_cv(replace(cv, person=replace(cv.person, name=name)), pictures))
            result = _typeset(compiler, config, data_json, pictures, store)
    return name, data_json, result


def _find_word_pictures(
    config: CvConfig, pictures: Mapping[str, bytes], problems: Problems
) -> Mapping[str, bytes]:
    """The photo or the signature as JPEG; a drawing, which Word does not show, is reported."""
    if "photo.svg" in pictures:
        message = f"{config.name}.docx has no photo: Word does not show the format SVG"
        hint = "write a photo as JPEG or PNG in content/profile.yaml"
        problems.report("unreadable-picture", config.place_of("photo"), message, hint)
        return {}
    return pictures


def _report_latex_letters(missing: str, config: CvConfig, place: Place, problems: Problems) -> None:
    """Report the letters that LaTeX shows as boxes."""
    if missing:
        message = f"letters in {config.name}.tex are shown as boxes by pdfLaTeX: {_shorten_list(missing)}"
        hint = "compile it with XeLaTeX, and name a font in it that has them"
        problems.report("cv-letters", problems.find_text(missing[0]) or place, message, hint)


def _report_pages_of_pdf(config: CvConfig, problems: Problems) -> None:
    """Report that Word and LaTeX do not keep a number of pages."""
    if config.pages and set(config.formats) & {"docx", "latex"}:
        others = " and ".join(name for name in config.file_names if not name.endswith(".pdf"))
        message = f"“pages” holds for the PDF; {others} may have more pages"
        hint = "Word and LaTeX begin with the sizes of the PDF; shorten their text by hand"
        problems.report("pages-of-pdf", config.place_of("pages"), message, hint)


MAX_LISTED_LETTERS = 12
"""Maximum number of letters listed in a message about fonts."""


def _shorten_list(letters: str) -> str:
    return f"{letters[:MAX_LISTED_LETTERS]}…" if len(letters) > MAX_LISTED_LETTERS else letters


def _typeset(
    compiler: TypstCompiler,
    config: CvConfig,
    data_json: str,
    pictures: Mapping[str, bytes],
    store: CacheStore,
) -> CompiledPdf | TypstDiagnostic:
    """The PDF of a CV, or an error of its template; stored until something that it shows changes."""
    template = _find_template(compiler, config)
    version = f"{CACHE_FORMAT} {__version__} {typst_version()}"
    inputs = compiler.digest, template, config.pages, data_json, *pictures.values()
    compile_pdf = partial(compiler.compile_to_fit, template, data_json, config.pages, pictures)
    return store.call("cvs", version, inputs, compile_pdf)


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
    accent = parse_accent(config.accent)
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


def _report_pages(page_count: int, config: CvConfig, letter: Letter | None, problems: Problems) -> None:
    """Report a PDF with more pages than its limit."""
    if not 0 < config.pages < page_count:
        return
    message = f"{config.name}.pdf has {format_count(page_count, 'page')}; the limit is {config.pages}"
    if letter:
        problems.report("cv-pages", letter.source, message, "shorten its text")
        return
    hint = "shorten it with limit: 5, show: selected or without: …"
    problems.report("cv-pages", _find_place(config), message, hint)


def _find_place(config: CvConfig) -> Place:
    """The place of the name of a CV."""
    return config.place_of("name") if config.source.file else Place("site.yaml")


def _report_pdf_problems(
    pdf: CompiledPdf, data_json: str, config: CvConfig, site: Site, problems: Problems
) -> None:
    """Report letters without a font, and formulas that are plain text."""
    place = _find_place(config)
    hint = _format_font_hint(site)
    # "王" that no font of the theme has
    for letters, explanation in (
        (pdf.fallback_letters, "set in a font of this computer"),
        (pdf.missing_letters, "shown as boxes because no font has them"),
    ):
        if letters:
            message = f"letters in {config.name}.pdf are {explanation}: {_shorten_list(letters)}"
            problems.report("cv-letters", problems.find_text(letters[0]) or place, message, hint)
    # the markup is in JSON: #source[#\"x^2\"]
    for literal in re.findall(r'#source\[#(\\".*?(?<!\\)\\")\]', data_json):
        text = json.loads(json.loads(f'"{literal}"'), strict=False)
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

SIGNATURE_SIZE = (800, 240)
"""Pixels of a signature of 14 mm, of which the width is free."""

PHOTO_CACHE_FORMAT = 1
"""Increased with any change to make_jpeg."""


def _read_pictures(
    site: Site,
    config: CvConfig,
    files: Sequence[Artifact],
    letter: Letter | None,
    store: CacheStore,
    problems: Problems,
) -> dict[str, bytes]:
    """
    The photo of a CV, or the signature of a letter, by its file name for Typst; {} without one.

    An SVG is unchanged, any other photo a small JPEG. A CV that asks for a photo that the profile does not
    have, and a file that cannot be read, are reported.
    """
    if letter and letter.picture:
        place = letter.place_of("signature")
        return _make_picture("signature.jpg", letter.picture, place, store, problems)
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
    return _make_picture("photo.jpg", body, photo.source, store, problems)


def _make_picture(
    name: str, body: bytes, place: Place, store: CacheStore, problems: Problems
) -> dict[str, bytes]:
    """A small JPEG by its name: a photo cut to its size, or a whole signature; {} if it cannot be read."""
    version = f"{PHOTO_CACHE_FORMAT} {pillow_version()}"
    is_whole = name == "signature.jpg"
    size = SIGNATURE_SIZE if is_whole else PHOTO_SIZE
    make_picture = partial(make_jpeg, body, size, whole=is_whole)
    try:
        return {name: store.call("cv-photos", version, (size, body), make_picture)}
    except UnreadableImageError as error:
        problems.report("unreadable-picture", place, f"this image {error}", error.hint)
        return {}
