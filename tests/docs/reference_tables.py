"""Generates the parts of pages between `<!-- generated: name -->` and `<!-- end -->` from the program."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from conftest import ROOT

from tenure.html.theme import JINJA_FILTERS
from tenure.model import entries as entry_classes
from tenure.model import services, site
from tenure.model.dates import Date, Period
from tenure.model.fields import END_ALIASES, PERIOD_ALIASES, PERIOD_FALLBACKS, START_ALIASES, TextForm
from tenure.model.languages import Language
from tenure.model.links import EmailAddress, Link, Url
from tenure.model.overlays import CitationCounts, Coauthor, Overlay, Work, Years
from tenure.problems import Place, Problems
from tenure.sources.schema.links import PROFILE_SERVICES
from tenure.sources.schema.spec import (
    CONFIG_KEYS,
    SETTING_CONFIG_KEYS,
    START_END_HELP,
    Field,
    help_for_field,
    read_fields,
    read_spec,
)
from tenure.sources.theme.options import ThemeOption
from tenure.sources.theme.theme import Lineage, list_themes, read_lineage

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
        yield f"\n**`{name}`**: {result.description}\n"
        own_options = {
            key: option
            for key, option in result.options.items()
            if key not in shared_options
            or (format_values(option), option.help)
            != (format_values(shared_options[key]), shared_options[key].help)
        }
        if own_options:
            yield "\n"
        yield from option_rows(own_options)
    yield "\n"


def option_rows(options: Mapping[str, ThemeOption]) -> Iterator[str]:
    """Yield the table of some options; nothing if there are none."""
    if options:
        yield "| option | values | meaning |\n|---|---|---|\n"
    for key, option in options.items():
        yield f"| `{key}` | {format_values(option)} | {option.help} |\n"


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
    yield "\n| part | macros and blocks |\n|---|---|\n"
    for path in sorted((BASE / "parts").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        macros = [f"`{matches}`" for matches in re.findall(r"\{%-? *macro (\w+\(.*?\)) *-?%\}", text)]
        blocks = [f"`{matches}`" for matches in re.findall(r"\{%-? *block (\w+)", text)]
        yield f"| `{path.stem}` | {', '.join([*macros, *(f'block {b}' for b in blocks)])} |\n"


def known_services() -> Iterator[str]:
    """Yield a table of the services whose URLs contain a user name."""
    yield "\n| key | service | address |\n|---|---|---|\n"
    for key, (label, address) in sorted(PROFILE_SERVICES.items()):
        yield f"| `{key}` | {label} | `{address.format('…')}` |\n"


TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *vars(entry_classes).values(),
        *vars(site).values(),
        *vars(services).values(),
        services.FetchConfig,
        CitationCounts,
        Work,
        Coauthor,
        Overlay,
    )
    if isinstance(kind, type)
}
WORDS = {
    str: "text",
    bool: "`true` or `false`",
    int: "a number",
    entry_classes.Markdown: "Markdown",
    Url: "a URL or a file",
    EmailAddress: "text",
    Language: "a language tag, such as `de`",
    Date: "a date",
    Period: "a date or a period",
    Link: "labels and URLs",
    entry_classes.Point: "Markdown, with nested bullets",
    entry_classes.Media: "files, or mappings with `file`, `alt`, `caption`, `poster`",
    entry_classes.ServiceGroup: "a list",
    entry_classes.Affiliation: "a name, or [keys](#profile)",
    entry_classes.PaperAffiliation: "names, or mappings with `name`, `url`, `ror`, `authors`",
    site.PageConfig: "[pages](#a-page-in-pages)",
    site.RoleHeadings: "a heading for each role: `{PhD student: PhD students}`",
    site.SectionConfig: "[sections](#a-section-of-a-page-or-a-cv)",
    site.CvConfig: "[CVs](#a-cv-in-cvs) by name",
    site.LanguageConfig: "language tags, each with `path` and `url` if needed ([languages](languages.md#where-the-pages-of-a-language-are))",
    site.ThemeConfig: "a name, or [keys](#theme-redirects-checks)",
    site.Redirects: "[pairs](#theme-redirects-checks)",
    site.Checks: "[`ignore`](#theme-redirects-checks)",
    services.FetchConfig: "[sources](fetching.md)",
    services.NamedUrls: "names and https addresses",
    Work: "a mapping of DOIs or keys to [keys](#counts)",
    Years: "years and numbers",
    Coauthor: "mappings with `name` and `affiliation`",
    services.OrcidId: "an ORCID iD",
    services.GoatCounter: "a code, or an https address",
    services.Services: "[services](services.md)",
    services.Allow: "[hosts](services.md#other-hosts)",
    services.Plausible: "a domain, or `domain` and `server`",
    services.Umami: "an id, or `id` and `server`",
    services.Giscus: "[keys](#comments)",
    services.Buttondown: "a user name, or `user` and `where`",
    services.Mailchimp: "an address, or `url` and `where`",
    services.Formspree: "an id, or `id` and `where`",
}
"""The kind of value that a key has, by its type."""


def fields_of(cls: Any) -> Iterator[str]:
    """Yield a table of the fields of a type; for a type of entry, only the fields that other types do not have."""
    yield "\n| key | meaning | value |\n|---|---|---|\n"
    common = set(read_spec(entry_classes.Entry).fields) if cls is not entry_classes.Entry else set[str]()
    for field in read_fields(cls):
        if not field.key.computed and not (issubclass(cls, entry_classes.Entry) and field.name in common):
            names = ", ".join(f"`{name}`" for name in (field.name, *field.key.names.split()))
            if field.is_period:
                names += f"; or {' and '.join(f'`{key}`' for key in START_END_HELP)}"
            if field.key.extra:
                names = "any other key"
            needed = " (required)" if field.is_required else ""
            yield f"| {names}{needed} | {help_with_code(cls, field)} | {describe_value(field)} |\n"


def help_with_code(cls: Any, rule: Field) -> str:
    """Return the help of a field, with its YAML and Markdown as code."""
    return re.sub(
        r"\{.+?\}|!?\[.*?\](?:\(\S+?\))?", lambda result: f"`{result[0]}`", help_for_field(cls, rule.name)
    )


def describe_value(rule: Field) -> str:
    if get_origin(rule.value_type) is Literal:
        description = ", ".join(f"`{name}`" for name in get_args(rule.value_type))
    else:
        form = rule.value_type
        description = form.description.replace("://", "") if isinstance(form, TextForm) else WORDS[form]
    if rule.key.commas:
        return f"{description}; separate several by commas or write a list"
    plain = rule.value_type in (Link, entry_classes.Point, entry_classes.ServiceGroup) or (
        isinstance(rule.value_type, type) and description.startswith("[")
    )
    return f"{description}, or a list" if rule.is_list and not plain else description


def format_aliases() -> Iterator[str]:
    """Yield the other names of every key, by file."""
    yield "\n| file | key | other names |\n|---|---|---|\n"
    for where, kind in ALIASED.items():
        common = set(read_spec(entry_classes.Entry).fields) if kind is not entry_classes.Entry else set[str]()
        for field in read_spec(kind).fields.values():
            names = f"{field.key.aliases} {field.key.fallbacks}".split()
            if names and not (issubclass(kind, entry_classes.Entry) and field.name in common):
                yield f"| {where} | `{field.name}` | {', '.join(f'`{name}`' for name in names)} |\n"
        if kind is entry_classes.Entry:
            periods = {
                "date": f"{PERIOD_ALIASES} {PERIOD_FALLBACKS}",
                "start": START_ALIASES,
                "end": END_ALIASES,
            }
            for key, names_of in periods.items():
                yield f"| {where} | `{key}` | {', '.join(f'`{name}`' for name in names_of.split())} |\n"


def format_ignored_keys() -> Iterator[str]:
    """Yield the keys of other systems that are ignored."""
    yield f"\nIn an entry: {', '.join(f'`{name}`' for name in sorted(CONFIG_KEYS))}.\n"
    others = sorted(SETTING_CONFIG_KEYS - CONFIG_KEYS)
    yield f"\nIn `site.yaml`, also: {', '.join(f'`{name}`' for name in others)}.\n"


ALIASED: Mapping[str, Any] = {
    "`site.yaml`": site.Settings,
    "a page in `pages`": site.PageConfig,
    "a section": site.SectionConfig,
    "a CV in `cvs`": site.CvConfig,
    "`profile.yaml`": entry_classes.Profile,
    "an affiliation": entry_classes.Affiliation,
    "every entry": entry_classes.Entry,
    "`education`": entry_classes.Education,
    "`experience`": entry_classes.Experience,
    "`projects`": entry_classes.Project,
    "`talks`": entry_classes.Talk,
    "`awards`": entry_classes.Award,
    "`service`": entry_classes.Service,
    "`teaching`": entry_classes.Course,
    "`news`": entry_classes.News,
    "`posts`": entry_classes.Post,
    "`pages`": entry_classes.Prose,
    "`people`": entry_classes.Person,
    "a list of your own": entry_classes.CustomEntry,
    "`publications.yaml`": Overlay,
    "`coauthors.yaml`": Coauthor,
    "`counts.yaml`": CitationCounts,
    "a work in `counts.yaml`": Work,
}
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
        "ignored": format_ignored_keys,
    }

    def generate_part(result: re.Match[str]) -> str:
        name, _, of = result[2].partition("_")
        lines = fields_of(TYPES[of]) if name == "fields" else makers[name]()
        return f"{result[1]}{''.join(lines)}{result[4]}"

    return MARKED.sub(generate_part, page.read_text(encoding="utf-8"))
