"""Generates the parts of pages between `<!-- generated: name -->` and `<!-- end -->` from the program."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from conftest import ROOT, read_parts

from tenure.html.theme import JINJA_FILTERS
from tenure.model import entries as entry_classes
from tenure.model import letters, services, site
from tenure.model.fields import END_ALIASES, PERIOD_ALIASES, PERIOD_FALLBACKS, START_ALIASES
from tenure.model.links import EmailAddress
from tenure.model.overlays import CitationCounts, Coauthor, Overlay, Work
from tenure.problems import Place, Problems
from tenure.sources.schema.link_forms import PROFILE_SERVICES
from tenure.sources.schema.spec import START_END_HELP, Field, help_for_field, read_fields, read_spec
from tenure.sources.theme.options import ThemeOption
from tenure.sources.theme.theme_settings import Lineage, list_themes, read_lineage

BASE = ROOT / "themes/base"
MARKED = re.compile(r"(<!-- generated: (\w+) -->)(.*?)(<!-- end -->)", re.DOTALL)


def read_known_lineage(name: str) -> Lineage:
    problems = Problems()
    result = read_lineage(ROOT, name, problems, Place("site.yaml"))
    assert problems.sorted_problems() == ()
    return result


def format_themes() -> Iterator[str]:
    shared_options = read_known_lineage("base").options
    yield "\nEvery theme has these options:\n\n"
    yield from option_rows(shared_options)
    for name in sorted(list_themes(ROOT) - {"base"}):
        result = read_known_lineage(name)
        yield f"\n**`{name}`**: {result.description}"
        defaults = [
            f"`{key}: {option.default_value}`"
            for key, option in result.options.items()
            if key in shared_options and option.default_value != shared_options[key].default_value
        ]
        yield f" Its defaults: {', '.join(defaults)}.\n" if defaults else "\n"
        own_options = {key: option for key, option in result.options.items() if key not in shared_options}
        palette = own_options.pop("palette", None)
        if palette:
            yield f"  Palettes: {format_values(palette)}.\n"
        if own_options:
            yield "\n"
        yield from option_rows(own_options)
    yield "\n"


def option_rows(options: Mapping[str, ThemeOption]) -> Iterator[str]:
    """Yield one line for each option."""
    for key, option in options.items():
        yield f"- `{key}`: {format_values(option)}. {option.help}\n"


def format_values(option: ThemeOption) -> str:
    if option.type == "text":
        return f"a text (default: “{option.default}”)"
    choices = [
        f"`{name}`" + (" (default)" if name == option.default_value else "") for name in option.choice_names
    ]
    return ", ".join([*choices, "a colour of your own"] if option.type == "colour" else choices)


def format_jinja_filters() -> Iterator[str]:
    yield " "
    yield ", ".join(f"`{name}`" for name in sorted(set(JINJA_FILTERS)))
    yield ". "


def format_languages() -> Iterator[str]:
    yield " "
    yield ", ".join(f"`{path.stem}`" for path in sorted((BASE / "translations").glob("*.yaml")))
    yield ". "


def format_parts() -> Iterator[str]:
    yield "\n"
    for path in sorted((BASE / "parts").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"\{%-? *macro (\w+\(.*?\)) *-?%\}", text, re.DOTALL)
        lines = [re.sub(r"(?<=\()\s+|\s+(?=\))", "", macro) for macro in found]
        macros = [f"`{macro}`" for macro in lines if macro != "rows(part, listing, level)"]
        blocks = [f"block `{matches}`" for matches in re.findall(r"\{%-? *block (\w+)", text)]
        if macros + blocks:
            yield f"- `{path.stem}`: {', '.join([*macros, *blocks])}\n"


def known_services() -> Iterator[str]:
    """Yield the services whose URLs contain a user name."""
    yield f" {', '.join(f'`{key}`' for key in sorted(PROFILE_SERVICES))}. "


TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *vars(entry_classes).values(),
        *vars(site).values(),
        *vars(letters).values(),
        *vars(services).values(),
        *(services.FetchConfig, CitationCounts, Work, Coauthor, Overlay),
    )
    if isinstance(kind, type)
}


def read_pairs(title: str) -> list[list[str]]:
    """Return the lines "left => right" of a part of reference_tables.txt."""
    return [line.split(" => ") for line in read_parts("harness/reference_tables.txt")[title].splitlines()]


WORDS = dict(read_pairs("words"))
"""What a page says of a value, by the name of its type; of other types the help says it."""


def fields_of(cls: Any) -> Iterator[str]:
    """Yield a line for each field of a type; for a type of entry, only the fields that other types do not have."""
    yield "\n"
    has_common = cls is Overlay or (issubclass(cls, entry_classes.Entry) and cls is not entry_classes.Entry)
    common = set(read_spec(entry_classes.Entry).fields) if has_common else set[str]()
    if cls is entry_classes.Person:
        own = entry_classes.CustomEntry
        common |= {
            name for name in read_spec(own).fields if help_for_field(cls, name) == help_for_field(own, name)
        }
    if cls is Overlay:
        shared = [field.name for field in read_fields(cls) if field.name in common]
        yield f"- {', '.join(f'`{name}`' for name in shared)}: as in every entry\n"
    for field in read_fields(cls):
        if not field.key.computed and field.name not in common:
            names = ", ".join(f"`{name}`" for name in (field.name, *field.key.names.split()))
            if field.key.extra:
                names = "any other key"
            if field.is_period:
                yield f"- {', '.join([names, *(f'`{key}`' for key in START_END_HELP)])}: date or period\n"
                continue
            value = ", ".join(
                filter(None, ["required" if field.is_required else "", describe_value(cls, field)])
            )
            names += f" ({value})" if value else ""
            yield f"- {names}: {help_with_code(cls, field)}\n"


def help_with_code(cls: Any, rule: Field) -> str:
    """Return the help of a field, with its YAML and Markdown as code."""
    return re.sub(
        r"\{.+?\}|!?\[.*?\](?:\(\S+?\))?", lambda result: f"`{result[0]}`", help_for_field(cls, rule.name)
    )


def describe_value(cls: Any, rule: Field) -> str:
    """Return what the help of a field does not say about its value: its form, and whether it can have several."""
    if get_origin(rule.value_type) is Literal:
        known = help_for_field(cls, rule.name)
        description = ", ".join(f"`{name}`" for name in get_args(rule.value_type) if name not in known)
    else:
        description = WORDS.get(getattr(rule.value_type, "__name__", ""), "")
    number = "several" if rule.key.commas else ""
    if not number and rule.is_list and rule.value_type in (str, entry_classes.Markdown, EmailAddress):
        number = "or a list"
    return ", ".join(filter(None, [description, number]))


def format_aliases() -> Iterator[str]:
    """Yield the other names of every key, by file; names that a key has in several files come first."""
    lines: dict[str, list[str]] = {}
    for where, kind in ALIASED.items():
        common = set(read_spec(entry_classes.Entry).fields) if kind is not entry_classes.Entry else set[str]()
        for field in read_spec(kind).fields.values():
            names = f"{field.key.aliases} {field.key.fallbacks}".split()
            if names and not (issubclass(kind, entry_classes.Entry) and field.name in common):
                lines.setdefault(f"`{field.name}`: {', '.join(names)}", []).append(where)
    periods = {"date": f"{PERIOD_ALIASES} {PERIOD_FALLBACKS}", "start": START_ALIASES, "end": END_ALIASES}
    for key, names_of in periods.items():
        lines[f"`{key}`: {', '.join(names_of.split())}"] = ["every entry"]
    yield "\n"
    yield f"- several files: {'; '.join(line for line, places in lines.items() if len(places) > 1)}\n"
    for where in ALIASED:
        own = [line for line, places in lines.items() if places == [where]]
        if own:
            yield f"- {where}: {'; '.join(own)}\n"


ALIASED: Mapping[str, Any] = {where: TYPES[name] for where, name in read_pairs("files")}
"""The types whose keys have other names, by their file or their place in a file."""


def update_page(page: Path) -> str:
    """Return a page with all its generated parts up to date."""
    makers = {
        "themes": format_themes,
        "jinja": format_jinja_filters,
        "parts": format_parts,
        "languages": format_languages,
        "services": known_services,
        "aliases": format_aliases,
    }

    def generate_part(result: re.Match[str]) -> str:
        name, _, of = result[2].partition("_")
        lines = fields_of(TYPES[of]) if name == "fields" else makers[name]()
        return f"{result[1]}{''.join(lines)}{result[4]}"

    return MARKED.sub(generate_part, page.read_text(encoding="utf-8"))
