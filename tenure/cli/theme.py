"""`theme`: list the themes, show one, or copy one of its files into the site to change it."""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import resolve_path
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.targets import display_path, is_site_folder
from tenure.counts import format_count
from tenure.problems import Place, Problems, format_problem, format_suggestion
from tenure.record import Record
from tenure.sources.settings import read_settings
from tenure.sources.theme.options import ThemeOption
from tenure.sources.theme.overrides import build_marked_copy, list_theme_files, match_file_name
from tenure.sources.theme.theme import PACKAGED_THEMES, Lineage, list_themes, read_lineage

if TYPE_CHECKING:
    from tenure.build import Exporter

OUTPUT_WIDTH = 100
"""Width of the output in columns."""


class _SiteThemes(Record):
    """The themes of a folder, and the theme and options that its site has chosen; `chosen` is "" if there is no site."""

    root: Path
    chosen: str
    options: Mapping[str, str]

    def find_lineage(self, name: str, problems: Problems) -> Lineage:
        """A theme by name; raises UsageError if it does not exist."""
        lineage = read_lineage(self.root, name, problems, Place("site.yaml"))
        if not lineage.folders:
            raise UsageError(
                f'there is no theme called "{name}"; {format_suggestion(name, list_themes(self.root))}'
            )
        return lineage

    def site_theme_folder(self, name: str) -> Path:
        """The folder of the site's own files of a theme."""
        return resolve_path(self.root / "themes" / name)


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """List or show themes, or override a file; returns the exit status."""
    del exporters
    root = arguments.site or default_folder
    if not root.is_dir():
        raise UsageError(f"there is no folder {root}")
    problems = Problems()
    theme_config = read_settings(root, problems).theme
    chosen = (theme_config.name, theme_config.options) if is_site_folder(root) else ("", {})
    themes = _SiteThemes(root, *chosen)
    lines = [*_ACTION_HANDLERS[arguments.action](themes, arguments, problems)]
    reported = [problem for problem in problems.sorted_problems() if problem.level != "info"]
    for problem in reported:
        print(format_problem(problem), file=sys.stderr)
    print("\n".join(lines))
    return EXIT_ERRORS if any(problem.level == "error" for problem in reported) else EXIT_OK


def _list_themes(themes: _SiteThemes, arguments: argparse.Namespace, problems: Problems) -> Iterator[str]:
    del arguments
    names = sorted(list_themes(themes.root))
    origins = {name: _describe_origin(themes, name) for name in names}
    name_width, origin_width = max(map(len, names)), max(map(len, origins.values()))
    for name in names:
        marker = "*" if name == themes.chosen else " "
        yield f"{marker} {name:{name_width}}  {origins[name]:{origin_width}}  {themes.find_lineage(name, problems).description}".rstrip()
    if themes.chosen:
        yield "* is the theme of this site."


def _describe_origin(themes: _SiteThemes, name: str) -> str:
    """The origin of a theme: the package, the site, or both."""
    folder = themes.site_theme_folder(name)
    if not (PACKAGED_THEMES / name).is_dir():
        return f"is in {display_path(themes.root / 'themes' / name)}"
    own_count = 0 if _is_packaged_folder(folder) else len(list_theme_files([folder]))
    change_note = f", {format_count(own_count, 'file')} changed here" if own_count else ""
    return f"comes with Tenure{change_note}"


def _is_packaged_folder(folder: Path) -> bool:
    """Whether a theme's folder is a packaged one; in Tenure's repository, themes/ of the site has the packaged themes."""
    return folder.parent == PACKAGED_THEMES.resolve()


def _show_theme(themes: _SiteThemes, arguments: argparse.Namespace, problems: Problems) -> Iterator[str]:
    name = arguments.name or themes.chosen
    if not name:
        raise UsageError(f"name a theme: {', '.join(sorted(list_themes(themes.root)))}")
    lineage = themes.find_lineage(name, problems)
    yield from _wrap_text(f"{name}: {lineage.description or 'without a description'}", "")
    base_themes = list(dict.fromkeys(folder.name for folder in lineage.folders if folder.name != name))
    yield f"It {_describe_origin(themes, name)}."
    if base_themes:
        yield f"All other files come from {' and then '.join(base_themes)}."
    yield ""
    if lineage.options:
        first_key = next(iter(lineage.options))
        yield f"Options, for site.yaml:  theme: {{name: {name}, {first_key}: {lineage.options[first_key].default_value or '…'}}}"
    else:
        yield "It has no options."
    for key, option in lineage.options.items():
        is_set = name == themes.chosen and key in themes.options
        setting = f"; here: {themes.options[key]}" if is_set else ""
        yield f"  {key}: {_describe_values(option)}{setting}"
        yield from _wrap_text(option.help, "      ")
    yield from _list_files(lineage, themes.site_theme_folder(name))


def _describe_values(option: ThemeOption) -> str:
    """The values of an option, with the default marked."""
    if option.type == "text":
        return f'a text (default: "{option.default}")'
    value_names = [
        f"{name} (default)" if name == option.default_value else name for name in option.choice_names
    ]
    return ", ".join([*value_names, "a colour of your own"] if option.type == "colour" else value_names)


def _list_files(lineage: Lineage, own_folder: Path) -> Iterator[str]:
    """The files of a theme by kind, and the files that the site overrides."""
    files = list_theme_files(lineage.folders)
    for kind in ("pages", "parts", "assets"):
        names = [
            name.partition("/")[2].removesuffix(".html") for name in files if name.startswith(f"{kind}/")
        ]
        yield ""
        yield f"{kind.capitalize()}:"
        yield from _wrap_text(", ".join(sorted(names)), "  ")
    yield ""
    yield "Typeset:"
    yield from _wrap_text(", ".join(sorted(name for name in files if name.endswith(".typ"))), "  ")
    changed = (
        []
        if _is_packaged_folder(own_folder)
        else [name for name, file in files.items() if file.path.is_relative_to(own_folder)]
    )
    if changed:
        yield ""
        yield f"Of these, in themes/{own_folder.name} of this site:"
        yield from _wrap_text(", ".join(sorted(changed)), "  ")


def _override_file(themes: _SiteThemes, arguments: argparse.Namespace, problems: Problems) -> Iterator[str]:
    """Copy a file of the site's theme into the site, and explain its use."""
    if not themes.chosen:
        raise UsageError(f"there is no site in {display_path(themes.root)}; name its folder: --site DIR")
    lineage = themes.find_lineage(themes.chosen, problems)
    own_folder = themes.site_theme_folder(themes.chosen)
    if _is_packaged_folder(own_folder):
        raise UsageError(
            f"{display_path(themes.root / 'themes')} holds the themes of Tenure itself: change them there"
        )
    files = list_theme_files([folder for folder in lineage.folders if folder != own_folder])
    name = match_file_name(arguments.part, [*files])
    if not name:
        hint = format_suggestion(arguments.part, {Path(name).stem for name in files} | {*files})
        raise UsageError(
            f'the theme {themes.chosen} has no file "{arguments.part}"; {hint or "theme show lists them"}'
        )
    copy_path = themes.root / "themes" / themes.chosen / name
    data = build_marked_copy(files[name])
    try:
        copy_path.parent.mkdir(parents=True, exist_ok=True)
        with copy_path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise UsageError(f"{display_path(copy_path)} exists already and was not changed") from error
    except OSError as error:
        raise UsageError(f"cannot write {display_path(copy_path)}: {error.strerror or error}") from error
    yield f"Copied {files[name].full_name} to {display_path(copy_path)}; the site uses your copy from now on."
    if data == files[name].path.read_bytes():
        yield "This kind of file cannot have a comment, so check cannot report when the original changes."
    else:
        yield "check uses its first line to report when the original changes."
    base_files = [
        folder / name for folder in lineage.folders if folder != own_folder and (folder / name).is_file()
    ]
    texts = [path.read_text(encoding="utf-8") for path in base_files if path.suffix == ".html"]
    blocks = list(dict.fromkeys(re.findall(r"\{%-?\s*block (\w+)", "".join(texts))))
    if blocks:
        yield f"To change one block alone ({', '.join(blocks)}), write these lines in its place:"
        yield f'  {{% extends "{themes.chosen}/{name}" %}}'
        example = "head" if "head" in blocks else blocks[-1]
        yield f"  {{% block {example} %}}{{{{ super() }}}}<!-- yours -->{{% endblock %}}"


_ACTION_HANDLERS = {"list": _list_themes, "show": _show_theme, "override": _override_file}


def _wrap_text(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, OUTPUT_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
