"""
Tables of values: each line of tests/values/*.txt is an input and what a function makes of it, "input => output".

A line "=== what is shown | function" begins a table; the function is one of FUNCTIONS. In a value, ⏎ is the end of a line,
⇥ a tab, and ␣ a space at the end. Lines that begin with % are remarks.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from conftest import ROOT

from tenure.html.embeds import parse_video
from tenure.html.formulas import keep_formulas_with_words
from tenure.html.icons import find_icon
from tenure.images.svg import inspect_svg
from tenure.markdown.html import make_slug, plain_text, render_inline, render_markdown
from tenure.markdown.html_tags import iterate_tags, strip_tags
from tenure.markdown.math import convert_to_mathml
from tenure.model.colors import contrast_ratio, mix_colors, parse_colors
from tenure.model.dates import MONTH_NAMES, Date, Period, parse_date, parse_period
from tenure.model.file_index import FileIndex
from tenure.model.languages import Language, find_language, plural_category
from tenure.model.names import (
    Author,
    Authors,
    Name,
    fold_text,
    list_owner_spellings,
    name_match_key,
    parse_spellings,
)
from tenure.model.translations import Translations
from tenure.problems import Problems
from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, read_bibtex
from tenure.sources.bibtex.source_text import format_public_bibtex, remove_author_marks
from tenure.sources.latex_text import convert_latex
from tenure.sources.publications.names import parse_authors
from tenure.sources.publications.preprint_servers import parse_preprint

DATE_LABELS = {
    **{f"month_short_{n}": name.capitalize()[:3] for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"month_long_{n}": name.capitalize() for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"season_{name}": name.capitalize() for name in ("spring", "summer", "fall", "winter", "michaelmas")},
    "date_year": "{year}",
    "date_day": "{day} {month} {year}",
    "date_month": "{month} {year}",
    "date_season": "{season} {year}",
    "date_period": "{start} – {end}",
    "date_until": "until {date}",
    "date_approximate": "~{date}",
    "date_expected": "{date} (expected)",
    "present": "Present",
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
    people = [
        f"{describe_name(a.name)}{f' {a.marks}' if a.marks else ''}{' equal' * a.equal}"
        for a in read.authors.people
    ]
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
    return " ".join(
        f"{tag} {title}" for tag, title in re.findall(r"<(h\d)[^>]*>(?:<a [^>]*>)?(\w)(?:</a>)?</\1>", page)
    )


def show_formula(text: str) -> str:
    """Return the row of a formula as MathML."""
    row = convert_to_mathml(text)
    if row is None:
        return "-"
    return row.removeprefix('<math display="inline"><mrow>').removesuffix("</mrow></math>")


def list_sources(text: str) -> str:
    return " ".join(tag.attributes.get("src") or "" for tag in iterate_tags(text, "img"))


# languages


@cache
def load_translations(tag: str) -> Translations:
    """Return the labels of a language as a build has them."""
    file = ROOT / f"themes/base/translations/{tag}.yaml"
    result: dict[str, str] = {}
    for key, word in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader).items():
        forms = word if isinstance(word, dict) else {"": word}
        result |= {f"{key}.{form}" if form else key: str(text) for form, text in forms.items()}
        result[key] = str(forms.get("", forms.get("other", "")))
    return Translations(Language(tag), result)


def read_language_tag(text: str) -> str:
    try:
        return Language.parse(text)
    except ValueError as error:
        return f"refused: {error.args[1]}"


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


FUNCTIONS: Mapping[str, Callable[[str], str]] = {
    "authors": read_authors,
    "author marks": remove_author_marks,
    "bib entry": read_bib_entry,
    "bib value": read_bib_value,
    "block and line": render_block_and_line,
    "chronological": sort_periods,
    "colours": lambda text: " ".join(parse_colors(text)),
    "contrast": compare_colors,
    "date": read_date,
    "drawing": inspect_drawing,
    "file": lambda text: " ".join(
        FileIndex(["a/x.pdf", "b/x.pdf", "b/c/y.pdf", "z.pdf", "d/z.pdf"]).find_paths(text)
    ),
    "folded text": fold_text,
    "formula": show_formula,
    "formulas with words": lambda text: keep_formulas_with_words(text.replace("X", MATH)).replace(MATH, "X"),
    "headings": list_headings,
    "icon": find_link_icon,
    "image sources": list_sources,
    "language by name": find_language,
    "language tag": read_language_tag,
    "environments of latex": convert_latex,
    "latex html": convert_latex_to_html,
    "latex letters": convert_letters,
    "latex markdown": lambda text: latex_to_markdown(text).text,
    "latex text": convert_latex_to_text,
    "line": render_inline,
    "markdown": render_markdown,
    "mix": mix,
    "name": read_name,
    "name key": lambda text: " / ".join(name_match_key(Name.parse(text))),
    "owner": find_owner,
    "owner of a profile": find_owner_of_profile,
    "paragraphs of latex": lambda text: render_markdown(latex_to_markdown(text).text),
    "period": read_period,
    "plain text": plain_text,
    "plain text of latex": lambda text: plain_text(latex_to_markdown(text).text),
    "plural": lambda tag: " ".join(plural_category(tag, number) for number in (0, 1, 2, 21)),
    "preprint": find_preprint,
    "printed bibtex": print_bibtex,
    "short and long": format_dates,
    "size of svg": describe_svg,
    "slug": make_slug,
    "sorted": sort_words,
    "stripped": strip_tags,
    "text line": render_both,
    "url of latex": latex_to_url,
    "video player": find_player,
}


class Table(NamedTuple):
    """A table: its file and title, its function, and its rows."""

    title: str
    function: str
    rows: tuple[tuple[str, str], ...]


def decode_value(text: str) -> str:
    return text.replace("⏎", "\n").replace("⇥", "\t").replace("␣", " ")


def encode_value(text: str) -> str:
    return re.sub(" $|^ ", "␣", text.replace("\n", "⏎").replace("\t", "⇥"))


def read_tables(path: Path) -> Iterator[Table]:
    for part in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, lines = part.partition("\n")
        title, _, function = head.rpartition(" | ")
        rows = [
            re.split(" =>(?: |$)", line, maxsplit=1) for line in lines.split("\n") if line and line[0] != "%"
        ]
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
