"""`theme`: list the themes, or copy one of the files of the site's theme into the site to change it."""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, Call, UsageError, add_site_option, is_site_folder
from tenure.cli.targets import display_path, format_problems
from tenure.source_paths import resolve_path


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `theme`."""
    part_help = (
        "a part to copy, by its name, or any file: talks, pages/home.html, style.css"
        " (default: list the themes)"
    )
    parser.add_argument("part", metavar="PART", nargs="?", default="", help=part_help)
    add_site_option(parser)


def run_command(call: Call) -> int:
    """List the themes, or copy a file; returns the exit status."""
    from tenure.problems import Problems
    from tenure.sources.settings import read_settings

    root = call.options.site[0] if call.options.site else call.folder
    if not root.is_dir():
        raise UsageError(f"there is no folder {root}")
    problems = Problems()
    chosen = read_settings(root, problems).theme.name if is_site_folder(root) else ""
    part = call.options.part
    lines = list(_override_file(root, chosen, part) if part else _list_themes(root, chosen))

    reported = [problem for problem in problems.sorted_problems() if problem.level != "info"]
    sys.stderr.write(format_problems(reported, root))
    print("\n".join(lines))
    return EXIT_ERRORS if problems.has_errors else EXIT_OK


def _list_themes(root: Path, chosen: str) -> Iterator[str]:
    """The themes, and the files of the chosen one that can be copied."""
    from tenure.problems import Place, Problems
    from tenure.sources.theme.theme_settings import (
        PACKAGED_THEMES,
        list_theme_files,
        list_themes,
        read_lineage,
    )

    lineages = {
        name: read_lineage(root, name, Problems(), Place("site.yaml")) for name in sorted(list_themes(root))
    }
    for name, lineage in lineages.items():
        origin = "comes with Tenure"
        if not (PACKAGED_THEMES / name).is_dir():
            origin = f"is in {display_path(root / 'themes' / name)}"
        star = "*" if name == chosen else " "
        yield f"{star} {name:8}  {origin}  {lineage.description}".rstrip()
    if not chosen:
        return

    yield "* is the theme of this site. To copy one of its files into the site, name it: theme PART"
    files = list_theme_files(lineages[chosen].folders) if chosen in lineages else {}
    for kind in ("pages", "parts", "assets"):
        names = [name.removeprefix(f"{kind}/") for name in files if name.startswith(kind)]
        shown = sorted(name.removesuffix(".html") for name in names if not name.startswith("fonts/"))
        yield from textwrap.wrap(
            f"{kind}: {', '.join(shown)}",
            100,
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )


def _override_file(root: Path, chosen: str, part: str) -> Iterator[str]:
    """Copy a file of the site's theme into the site, and explain its use."""
    from tenure.problems import format_suggestion
    from tenure.sources.theme.theme_settings import build_marked_copy, list_theme_files, match_file_name

    base_folders = _list_base_folders(root, chosen)
    files = list_theme_files(base_folders)
    name = match_file_name(part, [*files])
    if not name:
        hint = format_suggestion(part, {Path(name).stem for name in files} | {*files})
        raise UsageError(f'the theme {chosen} has no file "{part}"; {hint or "the command theme lists them"}')

    copy_path = root / "themes" / chosen / name
    data = build_marked_copy(files[name])
    try:
        copy_path.parent.mkdir(parents=True, exist_ok=True)
        with copy_path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise UsageError(f"{display_path(copy_path)} exists already and was not changed") from error

    yield f"Copied {files[name].full_name} to {display_path(copy_path)}; the site uses your copy from now on."
    if data == files[name].path.read_bytes():
        yield "This kind of file cannot have a comment, so check cannot report when the original changes."
    else:
        yield "check uses its first line to report when the original changes."
    base_files = [folder / name for folder in base_folders if (folder / name).is_file()]
    yield from _explain_blocks(f"{chosen}/{name}", base_files)


def _list_base_folders(root: Path, chosen: str) -> list[Path]:
    """The folders of the files that a site's theme has besides the site's own; raises UsageError for none."""
    from tenure.problems import Place, Problems, format_suggestion
    from tenure.sources.theme.theme_settings import PACKAGED_THEMES, list_themes, read_lineage

    if not chosen:
        raise UsageError(f"there is no site in {display_path(root)}; name its folder: --site DIR")
    own_folder = resolve_path(root / "themes" / chosen)
    if own_folder.parent == PACKAGED_THEMES.resolve():
        themes = display_path(root / "themes")
        raise UsageError(f"{themes} holds the themes of Tenure itself: change them there")

    lineage = read_lineage(root, chosen, Problems(), Place("site.yaml"))
    if not lineage.folders:
        suggestion = format_suggestion(chosen, list_themes(root))
        raise UsageError(f'there is no theme called "{chosen}"; {suggestion}')
    return [folder for folder in lineage.folders if folder != own_folder]


def _explain_blocks(template: str, base_files: Iterable[Path]) -> Iterator[str]:
    """How to change one block of a template alone; nothing if it has no blocks."""
    texts = [path.read_text(encoding="utf-8") for path in base_files if path.suffix == ".html"]
    blocks = list(dict.fromkeys(re.findall(r"\{%-?\s*block (\w+)", "".join(texts))))
    if blocks:
        example = "head" if "head" in blocks else blocks[-1]
        yield f"To change one block alone ({', '.join(blocks)}), write these lines in its place:"
        yield f'  {{% extends "{template}" %}}'
        yield f"  {{% block {example} %}}{{{{ super() }}}}<!-- yours -->{{% endblock %}}"
