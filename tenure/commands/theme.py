"""`theme`: list the themes, show one, or copy one of its files into the site to change it."""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY, CallError
from tenure.commands.sites import is_site, seen
from tenure.counts import number
from tenure.frozen import dataclass
from tenure.problems import Place, Problems, suggestion, written
from tenure.sources.assembly import read_settings
from tenure.sources.options import Option
from tenure.sources.overrides import copied, files_of, meant
from tenure.sources.themes import PACKAGED, Lineage, lineage_of, themes_of

if TYPE_CHECKING:
    from tenure.pipeline import Outlet

WIDTH = 100
"""Width of the output in columns."""


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The themes of a folder, and the theme and options that its site has chosen; `chosen` is "" if there is no site."""

    root: Path
    chosen: str
    options: Mapping[str, str]

    def lineage(self, name: str, problems: Problems) -> Lineage:
        """A theme by name; raises UsageError if it does not exist."""
        found = lineage_of(self.root, name, problems, Place("site.yaml"))
        if not found.folders:
            raise CallError(f'there is no theme called "{name}"; {suggestion(name, themes_of(self.root))}')
        return found

    def own_folder(self, name: str) -> Path:
        """The folder of the site's own files of a theme."""
        return (self.root / "themes" / name).resolve()


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """List or show themes, or override a file; returns the exit status."""
    del outlets
    root = call.site or here
    if not root.is_dir():
        raise CallError(f"there is no folder {root}")
    problems = Problems()
    wish = read_settings(root, problems).theme
    shelf = _Shelf(root, wish.name, wish.options) if is_site(root) else _Shelf(root, "", {})
    lines = [*_ACTIONS[call.action](shelf, call, problems)]
    told = [problem for problem in problems.told() if problem.level != "info"]
    for problem in told:
        print(written(problem), file=sys.stderr)
    print("\n".join(lines))
    return FAULTY if any(problem.level == "error" for problem in told) else DONE


def _list(shelf: _Shelf, call: argparse.Namespace, problems: Problems) -> Iterator[str]:
    """One line for each theme."""
    del call
    names = sorted(themes_of(shelf.root))
    origins = {name: _origin(shelf, name) for name in names}
    wide, far = max(map(len, names)), max(map(len, origins.values()))
    for name in names:
        mark = "*" if name == shelf.chosen else " "
        yield f"{mark} {name:{wide}}  {origins[name]:{far}}  {shelf.lineage(name, problems).description}".rstrip()
    if shelf.chosen:
        yield "* is the theme of this site."


def _origin(shelf: _Shelf, name: str) -> str:
    """The origin of a theme: the package, the site, or both."""
    folder = shelf.own_folder(name)
    if not (PACKAGED / name).is_dir():
        return f"is in {seen(shelf.root / 'themes' / name)}"
    own = 0 if _packaged(folder) else len(files_of([folder]))
    return f"comes with Tenure, {number(own, 'file')} changed here" if own else "comes with Tenure"


def _packaged(folder: Path) -> bool:
    """Whether a theme's folder is a packaged one; in Tenure's repository, themes/ of the site has the packaged themes."""
    return folder.parent == PACKAGED.resolve()


def _show(shelf: _Shelf, call: argparse.Namespace, problems: Problems) -> Iterator[str]:
    """Description, options and files of a theme."""
    name = call.name or shelf.chosen
    if not name:
        raise CallError(f"name a theme: {', '.join(sorted(themes_of(shelf.root)))}")
    lineage = shelf.lineage(name, problems)
    yield from _wrapped(f"{name}: {lineage.description or 'without a description'}", "")
    behind = list(dict.fromkeys(folder.name for folder in lineage.folders if folder.name != name))
    yield f"It {_origin(shelf, name)}."
    if behind:
        yield f"All other files come from {' and then '.join(behind)}."
    yield ""
    if lineage.options:
        first = next(iter(lineage.options))
        yield f"Options, for site.yaml:  theme: {{name: {name}, {first}: {lineage.options[first].usual or '…'}}}"
    else:
        yield "It has no options."
    for key, option in lineage.options.items():
        yield f"  {key}: {_values(option)}{_set_to(shelf, name, key)}"
        yield from _wrapped(option.help, "      ")
    yield from _files(lineage, shelf.own_folder(name))


def _values(option: Option) -> str:
    """The values of an option, with the default marked."""
    if option.type == "text":
        return f'a text (default: "{option.default}")'
    shown = [f"{name} (default)" if name == option.usual else name for name in option.names]
    return ", ".join([*shown, "a colour of your own"] if option.type == "colour" else shown)


def _set_to(shelf: _Shelf, name: str, key: str) -> str:
    return f"; here: {shelf.options[key]}" if name == shelf.chosen and key in shelf.options else ""


def _files(lineage: Lineage, own: Path) -> Iterator[str]:
    """The files of a theme by kind, and the files that the site overrides."""
    files = files_of(lineage.folders)
    for kind in ("pages", "parts", "assets"):
        names = [
            name.partition("/")[2].removesuffix(".html") for name in files if name.startswith(f"{kind}/")
        ]
        yield ""
        yield f"{kind.capitalize()}:"
        yield from _wrapped(", ".join(sorted(names)), "  ")
    yield ""
    yield "Typeset:"
    yield from _wrapped(", ".join(sorted(name for name in files if name.endswith(".typ"))), "  ")
    changed = (
        [] if _packaged(own) else [name for name, file in files.items() if file.path.is_relative_to(own)]
    )
    if changed:
        yield ""
        yield f"Of these, in themes/{own.name} of this site:"
        yield from _wrapped(", ".join(sorted(changed)), "  ")


def _override(shelf: _Shelf, call: argparse.Namespace, problems: Problems) -> Iterator[str]:
    """Copy a file of the site's theme into the site, and explain its use."""
    if not shelf.chosen:
        raise CallError(f"there is no site in {seen(shelf.root)}; name its folder: --site DIR")
    lineage = shelf.lineage(shelf.chosen, problems)
    own = shelf.own_folder(shelf.chosen)
    if _packaged(own):
        raise CallError(f"{seen(shelf.root / 'themes')} holds the themes of Tenure itself: change them there")
    files = files_of([folder for folder in lineage.folders if folder != own])
    name = meant(call.part, [*files])
    if not name:
        near = suggestion(call.part, {Path(name).stem for name in files} | {*files})
        raise CallError(
            f'the theme {shelf.chosen} has no file "{call.part}"; {near or "theme show lists them"}'
        )
    target = shelf.root / "themes" / shelf.chosen / name
    body = copied(files[name])
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.write(body)
    except FileExistsError as error:
        raise CallError(f"{seen(target)} exists already and was not changed") from error
    except OSError as error:
        raise CallError(f"cannot write {seen(target)}: {error.strerror or error}") from error
    yield f"Copied {files[name].full_name} to {seen(target)}; the site uses your copy from now on."
    if body == files[name].path.read_bytes():
        yield "This kind of file cannot have a comment, so check cannot report when the original changes."
    else:
        yield "check uses its first line to report when the original changes."
    behind = [folder / name for folder in lineage.folders if folder != own and (folder / name).is_file()]
    texts = [path.read_text(encoding="utf-8") for path in behind if path.suffix == ".html"]
    blocks = list(dict.fromkeys(re.findall(r"\{%-?\s*block (\w+)", "".join(texts))))
    if blocks:
        yield f"To change one block alone ({', '.join(blocks)}), write these lines in its place:"
        yield f'  {{% extends "{shelf.chosen}/{name}" %}}'
        example = "head" if "head" in blocks else blocks[-1]
        yield f"  {{% block {example} %}}{{{{ super() }}}}<!-- yours -->{{% endblock %}}"


_ACTIONS = {"list": _list, "show": _show, "override": _override}


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
