"""
Tables of values: each line of tests/values/*.txt is an input and what a function makes of it, "input => output".

A line "=== what is shown | function" begins a table; the function is one of FUNCTIONS. In a value, ⏎ is the end of a line,
⇥ a tab, ␍ a carriage return, and ␣ a space at the end. Lines that begin with % are remarks.
"""

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from conftest import ROOT
from words_writer import WordsWriter

from tenure.counts import format_count
from tenure.exports.cv.typst_writer import convert_blocks, convert_inline, write_blocks
from tenure.html.email_addresses import encode_addresses
from tenure.html.embeds import lay_out_galleries, parse_video
from tenure.html.filters import estimate_reading_minutes
from tenure.html.formulas import keep_formulas_with_words
from tenure.html.icons import find_icon
from tenure.images.svg import inspect_svg
from tenure.markdown.code import highlight_code
from tenure.markdown.html import make_slug, plain_text, render_inline, render_markdown
from tenure.markdown.html_tags import iterate_elements, iterate_tags, normalize_tags, split_text, strip_tags
from tenure.markdown.math import convert_to_mathml
from tenure.model.colors import contrast_ratio, mix_colors, parse_colors
from tenure.model.dates import MONTH_NAMES, Date, Period, parse_date, parse_period
from tenure.model.entries import Markdown, Person, Publication
from tenure.model.file_index import FileIndex
from tenure.model.identifiers import find_arxiv, find_doi, make_doi_url, parse_arxiv, parse_doi
from tenure.model.languages import Language, detect_direction, find_language, plural_category
from tenure.model.names import (
    Author,
    Authors,
    Name,
    fold_text,
    list_owner_spellings,
    name_match_key,
    parse_spellings,
)
from tenure.model.people import AuthorIndex, find_people
from tenure.model.translations import Translations
from tenure.presentation.citation import Citation
from tenure.problems import (
    Place,
    Problem,
    Problems,
    find_similar_word,
    format_annotation,
    format_problem,
    format_suggestion,
)
from tenure.source_paths import is_unread_folder
from tenure.sources.bibtex.preprint_servers import parse_preprint
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, read_bibtex
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.value_edits import set_value
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.latex.in_texts import convert_latex
from tenure.sources.publications.author_names import parse_authors
from tenure.sources.publications.public_bibtex import format_public_bibtex, remove_author_marks
from tenure_import.owner import choose_name, find_name_in_titles, guess_name_from_host
from tenure_import.publications import split_authors
from tenure_import.repair import remove_place
from tenure_import.text import TextRules, convert_text, keep_field_tags

DATE_FORMS = """date_year: {year} | date_day: {day} {month} {year} | date_month: {month} {year}
    | date_season: {season} {year} | date_period: {start} – {end} | date_until: until {date}
    | date_approximate: ~{date} | date_expected: {date} (expected) | present: Present"""
DATE_LABELS = {
    **{f"month_short_{n}": name.capitalize()[:3] for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"month_long_{n}": name.capitalize() for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"season_{name}": name.capitalize() for name in ("spring", "summer", "fall", "winter", "michaelmas")},
    **dict(form.strip().split(": ") for form in DATE_FORMS.split("|")),
}


# dates


def describe_date(date: Date | None) -> str:
    """Return a date as its season, its ISO form and its signs: "~2027-05 expected"."""
    if date is None:
        return "-"
    text = " ".join(filter(None, (date.season, date.iso or date.text)))
    return f"{'~' * date.approximate}{text}{' expected' * date.expected}"


def read_date(text: str) -> str:
    """Return the meaning of a date, also within spaces and as a period; a wrong one has a repair."""
    date = parse_date(text)
    if date is None:
        try:
            Date.parse(text)
        except ValueError as error:
            message, hint = error.args
            assert f"“{text.strip()}”" in message
            assert "Sep 2024" in hint
            return "refused"
    assert Date.parse(f"  {text}\n ") == date
    assert parse_period(text) == Period(start=date)
    return describe_date(date)


def read_period(text: str) -> str:
    try:
        period = Period.parse(text)
    except ValueError as error:
        return f"refused: {error.args[0]}"
    end = "now" if period.ongoing else describe_date(period.end) if period.end else ""
    return f"{describe_date(period.start) if period.start else ''} – {end}".strip()


def format_dates(text: str) -> str:
    """Return the short and the long form of a period."""
    period = Period.parse(text)
    return f"{period.format_text(DATE_LABELS)} / {period.format_text(DATE_LABELS, 'long')}"


def sort_periods(text: str) -> str:
    """Return periods in chronological order, in which no two are equal."""
    periods = text.split(" | ")
    keys = {written: Period.parse(written).sort_key for written in periods}
    assert len(set(keys.values())) == len(periods)
    return " | ".join(sorted(periods, key=keys.__getitem__))


# names


def describe_name(name: Name) -> str:
    """Return given name, particle, family name and suffix; a group in braces."""
    if name.group:
        return f"{{{name.group}}}"
    return "|".join((name.given, name.von, name.family, name.suffix)).rstrip("|")


def read_name(text: str) -> str:
    """Return the parts of a name, its full and its inverted form."""
    name = Name.parse(f"  {text} \n ")
    return f"{describe_name(name)} / {name.full_name} / {name.inverted_name}"


def read_authors(text: str) -> str:
    """Return the names of a BibTeX field with their marks, "others", and the problems."""
    read = parse_authors(text)
    marks = [f" {a.marks}" * bool(a.marks) + " equal" * a.equal for a in read.authors.people]
    people = [describe_name(a.name) + mark for a, mark in zip(read.authors.people, marks, strict=True)]
    others = ["others"] * read.authors.others
    return "; ".join((*people, *others, *(f"! {issue.message}" for issue in read.issues)))


def find_owner(text: str) -> str:
    """Return the owner among authors: "owner = alias : author | author"."""
    spellings, _, people = text.partition(" : ")
    owner, *aliases = spellings.split(" = ")
    authors = Authors(tuple(Author(Name.parse(name)) for name in people.split(" | ") if name.strip()))
    marked = authors.with_owner_marked(parse_spellings(owner, aliases))
    return " | ".join(author.name.full_name for author in marked.people if author.me)


def find_owner_of_profile(text: str) -> str:
    """Return whether the first author is the owner of a profile: "name of the profile : author"."""
    owner, _, author = text.partition(" : ")
    authors = parse_authors(f"{author} and Rui Pan").authors
    me, other = authors.with_owner_marked(list_owner_spellings(owner, ())).people
    assert not other.me
    return "yes" if me.me else "no"


def read_name_parts(text: str) -> str:
    """Return the full and the inverted form of a name: "given|particle|family|suffix", or "{group}"."""
    name = Name(group=text[1:-1]) if text.startswith("{") else Name(*text.split("|"))
    return f"{name.full_name} / {name.inverted_name}"


def find_first_author(text: str) -> str:
    """Return whether the owner is the first of three authors: "owner equal equal …", counted from 0."""
    me, *equal = text.split()
    people = [Author(Name.parse(f"A{n} B"), str(n) == me, str(n) in equal) for n in range(3)]
    assert Authors(tuple(people)).has_equal_contribution == bool(equal)
    return "yes" if Authors(tuple(people)).owner_is_first else "no"


def shorten_list(text: str) -> str:
    """Return the lengths of the parts of a short list, and its hidden owner: "number limit owner"."""
    count, limit, me = text.split()
    people = tuple(Author(Name.parse(f"A{n} B{n}"), str(n) == me) for n in range(int(count)))
    paper = Publication(key="", kind="article", title=Markdown("T"), authors=Authors(people))
    labels = {"comma": ", ", "more_authors": "{total} more"}
    short = Citation(paper, Translations(Language("en"), labels), WordsWriter()).credits(int(limit))
    parts = [part.split(", ") if part else [] for part in (short.head, short.hidden, short.tail)]
    assert sum(parts, []) == [author.name.full_name for author in people]
    return " ".join([*(str(len(part)) for part in parts), short.hidden_owner]).rstrip()


BO, *OTHERS = (
    Person(title=Markdown(name), id=name.casefold().replace(" ", "-"), aliases=aliases)
    for name, aliases in {"Bo Lee": ("李博",), "Cai Moon": (), "Carl Moon": (), "Bo Chen": ()}.items()
)


def find_members(text: str) -> str:
    index = AuthorIndex.from_people([BO, *OTHERS[:2]], is_group=True)
    marked = index.mark_authors(Authors(tuple(Author(Name.parse(name)) for name in text.split(" | "))))
    assert all(author.me == bool(author.person) for author in marked.people)
    return " | ".join(author.person or "-" for author in marked.people)


# LaTeX and BibTeX


def convert_latex_to_html(text: str) -> str:
    decoded = latex_to_markdown(text)
    return render_inline(decoded.text) + "".join(f" ! {name}" for name in sorted(decoded.unknown_commands))


def convert_latex_to_text(text: str) -> str:
    """Return the text, and the unknown commands, which must be those of the Markdown."""
    decoded = latex_to_text(text)
    assert sorted(decoded.unknown_commands) == sorted(latex_to_markdown(text).unknown_commands)
    return decoded.text + "".join(f" ! {name}" for name in sorted(decoded.unknown_commands))


def convert_letters(text: str) -> str:
    """Return the letters of LaTeX, the same as text and by way of Markdown."""
    result = latex_to_text(text).text
    assert plain_text(latex_to_markdown(text).text) == result
    return result


MACROS = '@string{sosp = {Symposium on Operating Systems Principles}}\n@string(nested = "ACM " # sosp)\n'


def read_bib_value(text: str) -> str:
    """Return the value of a field, with two macros."""
    problems = Problems()
    parsed = read_bibtex(f"{MACROS}@misc{{k, note = {text}, year = 1}}", "x.bib", problems)
    (node,) = parsed.entries
    assert (problems.sorted_problems(), parsed.entry_count, node.mapping["year"].text) == ((), 1, "1")
    return node.mapping["note"].text


def read_bib_entry(text: str) -> str:
    """Return the type, the key and the fields of each entry, and the codes of the problems."""
    problems = Problems()
    parsed = read_bibtex(text, "x.bib", problems)
    assert parsed.entry_count == len(parsed.entries)
    entries = [
        f"{node.mapping[TYPE_KEY].text} {node.mapping[CITATION_KEY].text} "
        + json.dumps({name: child.text for name, child in node.mapping.items() if not name.startswith("@")})
        for node in parsed.entries
    ]
    return " ".join((*entries, *(f"! {problem.code}" for problem in problems.sorted_problems())))


def print_bibtex(text: str) -> str:
    return format_public_bibtex(text, {"tocs": "ACM"} if "tocs" in text else {}).printed


def write_bibtex(text: str) -> str:
    return format_public_bibtex(text, {"me": "Weber*, J"} if "= me" in text else {}).written


def find_preprint(text: str) -> str:
    preprint = parse_preprint(text)
    return f"{preprint.server} {preprint.url}".strip() if preprint else "-"


# Markdown and HTML


def render_both(text: str) -> str:
    """Return the HTML of a line, which as a block only has <p> around it."""
    line = render_inline(text)
    assert render_markdown(text) == f"<p>{line}</p>"
    return line


def render_block_and_line(text: str) -> str:
    return f"{render_markdown(text)} / {render_inline(text)}"


def list_headings(text: str) -> str:
    """Return the headings of a Markdown text below those of a page: "level text"."""
    level, _, markdown = text.partition(" ")
    page = render_markdown(markdown, int(level))
    headings = re.findall(r"<(h\d)[^>]*>(?:<a [^>]*>)?(\w)(?:</a>)?</\1>", page)
    return " ".join(f"{tag} {title}" for tag, title in headings)


def show_formula(text: str) -> str:
    """Return the row of a formula as MathML."""
    row = convert_to_mathml(text)
    if row is None:
        return "-"
    return row.removeprefix('<math display="inline"><mrow>').removesuffix("</mrow></math>")


def render_at_level(text: str) -> str:
    level, _, markdown = text.partition(" ")
    return render_markdown(markdown, int(level))


def list_elements(text: str) -> str:
    """Return the elements with given tags: "tag tag: HTML"."""
    tags, _, markup = text.partition(": ")
    return " | ".join(f"{tag.name} {tag.content}" for tag in iterate_elements(markup, *tags.split()))


def split_markup(text: str) -> str:
    """Return text and markup in turn, with whole elements of given tags: "tag tag: HTML"."""
    tags, _, markup = text.partition(": ")
    return " | ".join(split_text(markup, *tags.split()))


GALLERY_FILES = frozenset(
    "talks/b.jpg talks/a.PNG talks/notes.pdf talks/old/c.jpg other/b.jpg moving/a.apng moving/b.jfif".split()
)


def show_gallery(text: str) -> str:
    """Return the source, the alt text (or the name of the link) and the caption of each image."""
    markup = lay_out_galleries(text, GALLERY_FILES, "Close")
    figures = re.findall(
        r'<a href="([^"]*)" data-picture[^>]*?(?: aria-label="([^"]*)")?><img[^>]*alt="([^"]*)"[^>]*></a>'
        r"(?:<figcaption>(.*?)</figcaption>)?</figure>",
        markup,
    )
    shown = " ".join(f"{src}|{alt or f'({name})'}|{caption}" for src, name, alt, caption in figures)
    return shown if markup != text else "unchanged"


def count_minutes(text: str) -> str:
    count, _, word = text.partition(" ")
    return str(estimate_reading_minutes(word * int(count)))


def write_count(text: str) -> str:
    number, *forms = text.split()
    return format_count(int(number), *forms)


# Typst


def write_typst(text: str) -> str:
    return convert_inline(render_inline(text), lambda url: url if ":" in url else "")


def write_typst_blocks(text: str) -> str:
    return write_blocks(convert_blocks(render_markdown(text, 3), str))


def read_alt_text(text: str) -> str:
    """Return the alt text of a formula, which is a tree."""
    match = re.fullmatch(r'#formula\("\[\\"math\\", \{.*, block: false\)\[#"(.*)"\]', write_typst(text))
    return match[1] if match else "-"


# problems


def show_problem(text: str) -> str:
    """Return a problem as in a terminal: "line:column:length|source line|repair"."""
    numbers, excerpt, hint = text.split("|")
    place = Place("content/talks.yaml", *map(int, numbers.split(":")))
    return format_problem(Problem(place, "error", "unknown-key", "the key is wrong", hint, excerpt))


def annotate(text: str) -> str:
    """Return a problem as GitHub reads it: "file|line|column|level|code|message|repair"."""
    file, line, column, level, code, message, hint = text.split("|")
    place = Place(file, int(line), int(column))
    return format_annotation(Problem(place, "error" if level == "error" else "warning", code, message, hint))


def suggest(text: str) -> str:
    word, _, known = text.partition(" : ")
    return format_suggestion(word, known.split())


def edit_value(text: str) -> str:
    """Return YAML after a change: the path and the value as JSON, and the YAML."""
    path, end = json.JSONDecoder().raw_decode(text)
    value, length = json.JSONDecoder().raw_decode(text[end + 1 :])
    try:
        return set_value(text[end + length + 2 :], tuple(path), value)
    except UneditableError:
        return "refused"


def list_sources(text: str) -> str:
    return " ".join(tag.attributes.get("src") or "" for tag in iterate_tags(text, "img"))


# other systems

KNOWN_FILES = {"/a/": "/new/", "a.png": "files/a.png", "clip.mp4": "files/clip.mp4"}


def find_known_file(url: str) -> str:
    bare = url.strip("/")
    return url if "://" in url else KNOWN_FILES.get(bare) or KNOWN_FILES.get(f"/{bare}/", "")


def import_text(text: str) -> str:
    return convert_text(text, TextRules(resolve=find_known_file, report=lambda _: None)).strip()


def name_host(text: str) -> str:
    """Return the name that an address and a folder have: "address folder"."""
    address, _, folder = text.partition(" ")
    return guess_name_from_host(address, folder)


def repair_source(text: str) -> str:
    """Return a source after a problem has become a comment: "file|code|marked text|source"."""
    name, code, marked, source = text.split("|", 3)
    before = source[: source.index(marked)]
    place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"), len(marked))
    return remove_place(name, source, Problem(place, "error", code, "wrong"))[0]


# languages


@cache
def load_translations(tag: str) -> Translations:
    """Return the labels of a language as a build has them."""
    file = ROOT / f"themes/base/translations/{tag}.yaml"
    result: dict[str, str] = {}
    for key, word in yaml.load(file.read_text("utf-8"), yaml.CSafeLoader).items():
        forms = word if isinstance(word, dict) else {"": word}
        result |= {f"{key}.{form}" if form else key: str(text) for form, text in forms.items()}
        result[key] = str(forms.get("", forms.get("other", "")))
    return Translations(Language(tag), result)


def read_language_tag(text: str) -> str:
    try:
        return Language.parse(text)
    except ValueError as error:
        return f"refused: {error.args[1]}"


def write_ordinals(text: str) -> str:
    tag, *numbers = text.replace(":", "").split()
    return " ".join(load_translations(tag).format_ordinal("edition_number", int(n)) for n in numbers)


def write_names(text: str) -> str:
    tag, _, names = text.partition(": ")
    return str(WordsWriter().list_names(load_translations(tag), names.split()))


def sort_words(text: str) -> str:
    """Return words in the order of a language: "tag: words"."""
    tag, _, words = text.partition(": ")
    shuffled = sorted(words.split(), key=lambda word: word[::-1])
    return " ".join(sorted(shuffled, key=load_translations(tag).alphabetical_key))


# images, colours and links


def describe_svg(text: str) -> str:
    drawing = inspect_svg(f'<svg xmlns="http://www.w3.org/2000/svg" {text}/>'.encode())
    return f"{drawing.width} × {drawing.height}"


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">\n<g>\n'


def inspect_drawing(text: str) -> str:
    """Return what an SVG image must not have."""
    issues = inspect_svg(f"{SVG}{text}</g>\n</svg>".encode()).issues
    return "; ".join(message for message, _ in issues)


def compare_colors(text: str) -> str:
    first, other = text.split()
    assert contrast_ratio(first, other) == contrast_ratio(other, first)
    return f"{contrast_ratio(first, other):.2f}"


def mix(text: str) -> str:
    color, ground, share = text.split()
    return mix_colors(color, ground, float(share))


def find_link_icon(text: str) -> str:
    url, _, label = text.partition(" ")
    return find_icon(url, label)


MATH = '<math display="inline"><mrow><mi>x</mi></mrow></math>'


def find_player(text: str) -> str:
    video = parse_video(text)
    return video.player_url if video else "-"


def show_code(text: str) -> str:
    """Return code with marks: "language|code"; no sign of it is lost."""
    language, _, code = text.partition("|")
    highlighted = highlight_code(code, language)
    if highlighted is None:
        return "-"
    assert html.unescape(strip_tags(highlighted)) == code.removesuffix("\n")
    return highlighted


PDFS = "a/x.pdf b/x.pdf b/c/y.pdf z.pdf d/z.pdf".split()
FUNCTIONS: Mapping[str, Callable[[str], str]] = {
    "DOI": lambda text: parse_doi(text) or "-",
    "DOI in a text": lambda text: find_doi(text) or "-",
    "URL of a DOI": make_doi_url,
    "alt text of typst": read_alt_text,
    "annotation": annotate,
    "arXiv number": lambda text: parse_arxiv(text) or "-",
    "arXiv number in a text": lambda text: find_arxiv(text) or "-",
    "author marks": remove_author_marks,
    "authors": read_authors,
    "authors in prose": lambda text: " | ".join(split_authors(text)),
    "bib entry": read_bib_entry,
    "bib value": read_bib_value,
    "block and line": render_block_and_line,
    "chosen name": lambda text: choose_name(text.split(" | ")),
    "chronological": sort_periods,
    "code": show_code,
    "colours": lambda text: " ".join(parse_colors(text)),
    "contrast": compare_colors,
    "count": write_count,
    "date": read_date,
    "direction": lambda tag: Language(tag).direction,
    "direction of a text": detect_direction,
    "drawing": inspect_drawing,
    "edit": edit_value,
    "elements": list_elements,
    "encoded addresses": encode_addresses,
    "environments of latex": convert_latex,
    "field of blocks": lambda text: keep_field_tags(text, has_blocks=True),
    "field of one line": lambda text: keep_field_tags(text, has_blocks=False),
    "file": lambda text: " ".join(FileIndex(PDFS).find_paths(text)),
    "first author": find_first_author,
    "folded text": fold_text,
    "formula": show_formula,
    "formulas with words": lambda text: keep_formulas_with_words(text.replace("X", MATH)).replace(MATH, "X"),
    "gallery": show_gallery,
    "headings": list_headings,
    "icon": find_link_icon,
    "image sources": list_sources,
    "imported text": import_text,
    "language by name": find_language,
    "language tag": read_language_tag,
    "latex html": convert_latex_to_html,
    "latex letters": convert_letters,
    "latex markdown": lambda text: latex_to_markdown(text).text,
    "latex text": convert_latex_to_text,
    "line": render_inline,
    "list of names": write_names,
    "markdown": render_markdown,
    "markdown of level": render_at_level,
    "members": find_members,
    "minutes": count_minutes,
    "mix": mix,
    "name": read_name,
    "name key": lambda text: " / ".join(name_match_key(Name.parse(text))),
    "name of a host": name_host,
    "name of parts": read_name_parts,
    "normal tags": normalize_tags,
    "ordinals": write_ordinals,
    "owner": find_owner,
    "owner in a title": lambda text: find_name_in_titles([text]),
    "owner of a profile": find_owner_of_profile,
    "paragraphs of latex": lambda text: render_markdown(latex_to_markdown(text).text),
    "people": lambda text: " ".join(p.id for p in find_people([BO, OTHERS[2]], text)),
    "period": read_period,
    "plain text": plain_text,
    "plain text of latex": lambda text: plain_text(latex_to_markdown(text).text),
    "plural": lambda tag: " ".join(plural_category(tag, number) for number in (0, 1, 2, 21)),
    "preprint": find_preprint,
    "printed bibtex": print_bibtex,
    "problem": show_problem,
    "repair": repair_source,
    "segments": split_markup,
    "short and long": format_dates,
    "short list": shorten_list,
    "similar word": lambda word: find_similar_word(word, "Title organization start end".split()),
    "size of svg": describe_svg,
    "slug": make_slug,
    "sorted": sort_words,
    "stripped": strip_tags,
    "suggestion": suggest,
    "text line": render_both,
    "typst": write_typst,
    "typst blocks": write_typst_blocks,
    "unread folder": lambda path: "unread" if is_unread_folder(path) else "read",
    "url of latex": latex_to_url,
    "video player": find_player,
    "written bibtex": write_bibtex,
}


class Table(NamedTuple):
    """A table: its file and title, its function, and its rows."""

    title: str
    function: str
    rows: tuple[tuple[str, str], ...]


def decode_value(text: str) -> str:
    return text.translate(str.maketrans("⏎⇥␍␣", "\n\t\r "))


def encode_value(text: str) -> str:
    return re.sub(" $|^ ", "␣", text.translate(str.maketrans("\n\t\r", "⏎⇥␍")))


def read_tables(path: Path) -> Iterator[Table]:
    for part in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, _, lines = part.partition("\n")
        title, _, function = head.rpartition(" | ")
        written = [line for line in lines.split("\n") if line and line[0] != "%"]
        rows = [re.split(" =>(?: |$)", line, maxsplit=1) for line in written]
        yield Table(f"{path.stem}: {title}", function, tuple((written, shown) for written, shown in rows))


TABLES = [table for path in sorted(Path(__file__).parent.glob("*.txt")) for table in read_tables(path)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_each_value_is_as_in_the_table(table: Table) -> None:
    convert = FUNCTIONS[table.function]
    assert table.rows
    wrong = [
        f"{written} => {actual}\n    and not {shown}"
        for written, shown in table.rows
        if (actual := encode_value(convert(decode_value(written)))) != shown
    ]
    assert wrong == [], "\n".join(wrong)


def test_every_function_has_a_table() -> None:
    assert FUNCTIONS.keys() == {table.function for table in TABLES}
