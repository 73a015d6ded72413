"""Check the theme files of a site: unused blocks and templates, and errors in style sheets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from tenure.frozen import dataclass
from tenure.problems import Place, Problems, did_you_mean

_EXTENDS = re.compile(r"\{%[-+]?\s*extends\s+[\"']([^\"']+)[\"']")
_BLOCK = re.compile(
    r"\{%[-+]?\s*(block\s+(\w+)|endblock\b|macro\b|endmacro\b|call\b|endcall\b)|\{#.*?#\}", re.DOTALL
)
_TEMPLATE_NAME = re.compile(r"[\"']([\w./-]+\.html)[\"']")

_CSS_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|@import\s+(?:url\(\s*)?["']?(?P<sheet>[^"')\s;]+)["']?"""
    r"""|url\(\s*["']?(?P<url>[^"')]+?)["']?\s*\)|[{}]""",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A theme file of a site: its path in the site ("themes/plain/parts/talks.html"), its path in the theme, and its text."""

    name: str
    path: str
    text: str


def report_blocks(file: OwnFile, known: Iterable[str], problems: Problems) -> None:
    """
    Report each outermost block that no extended template has. Jinja never shows such a block.

    `parent_blocks` are the blocks of all templates that the template extends.
    """
    if not _EXTENDS.search(file.text):
        return
    blocks = frozenset(known)
    if not blocks:
        return  # the extended template cannot be read, which is reported separately
    depth = 0
    for match in _BLOCK.finditer(file.text):
        tag = match[1] or ""
        if tag.startswith("end"):
            depth -= 1
        elif tag:
            if depth == 0 and match[2] and match[2] not in blocks:
                near = did_you_mean(match[2], blocks)
                hint = f'did you mean "{near}"?' if near else f"the blocks are {', '.join(sorted(blocks))}"
                message = f'no template that this one extends has a block "{match[2]}", so it is not shown'
                problems.tell("unknown-block", _place(file, match.start(2), len(match[2])), message, hint)
            depth += 1


def report_unused_templates(
    files: Sequence[OwnFile], packaged: Iterable[str], sections: Iterable[str], problems: Problems
) -> None:
    """
    Report templates that no page uses: no packaged template has the same path, and no template refers to them.

    `packaged_paths` are the paths of the packaged templates; `collections` are the names of the site's collections.
    """
    known = frozenset(packaged)
    named = {name for file in files for name in _TEMPLATE_NAME.findall(file.text)}
    for file in files:
        path = PurePosixPath(file.path)
        if file.path in known or any(name.endswith(file.path) for name in named):
            continue
        near = did_you_mean(
            path.stem, [PurePosixPath(other).stem for other in known if other.startswith(path.parts[0])]
        )
        if path.stem in sections:
            hint = f'parts/items.html shows this list; ask there: {{% if part.name == "{path.stem}" %}}'
        else:
            hint = (
                f'did you mean "{path.parts[0]}/{near}.html"?'
                if near
                else "delete it, or import it where it is needed"
            )
        problems.tell("unused-template", Place(file.name), "no page uses this template", hint)


def report_style_sheet(
    file: OwnFile, assets: Mapping[str, Path], allowed: Sequence[str], problems: Problems
) -> None:
    """
    Report files that a style sheet loads from other hosts, files that the theme does not have, and unmatched braces.

    `assets` has the files of the theme by name. `allowed_hosts` are the hosts that site.yaml allows
    ("https://fonts.example.org").
    """
    opened: list[int] = []
    for match in _CSS_TOKEN.finditer(file.text):
        address = match["sheet"] or match["url"] or ""
        if address and not address.startswith(tuple(allowed)):
            _report_address(
                file, address, match.start("sheet" if match["sheet"] else "url"), assets, problems
            )
        elif address:
            continue
        elif match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            opened.pop()
        elif match[0] == "}":
            place = _place(file, match.start(), 1)
            problems.tell("style-sheet", place, "this brace closes nothing", "delete it")
    for start in opened[:1]:
        place = _place(file, start, 1)
        problems.tell("style-sheet", place, "the brace that begins here is never closed", "close it with }")


def _report_address(
    file: OwnFile, address: str, at: int, assets: Mapping[str, Path], problems: Problems
) -> None:
    place = _place(file, at, len(address))
    if re.match(r"(?:https?:)?//", address, re.IGNORECASE):
        message = "this style sheet loads a file from another host"
        problems.tell(
            "style-sheet", place, message, "put the file into assets/ of the theme and name it here"
        )
        return
    if re.match(r"[a-z]+:|[#/]", address, re.IGNORECASE):
        return
    bare = re.split(r"[?#]", address, maxsplit=1)[0]
    target = _normal((PurePosixPath(file.path.removeprefix("assets/")).parent / bare).as_posix())
    if target not in assets:
        near = did_you_mean(target, assets)
        hint = f'did you mean "{near}"?' if near else "put it into assets/ of the theme"
        problems.tell("missing-file", place, f"the theme has no file “{address}”", hint)


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _place(file: OwnFile, at: int, length: int) -> Place:
    line = file.text.count("\n", 0, at) + 1
    return Place(file.name, line, at - file.text.rfind("\n", 0, at), length)


def own_files(folders: Iterable[Path], pattern: str) -> Iterator[OwnFile]:
    """Yield the files of a site's own theme folders that match a glob pattern ("pa*/**/*.html")."""
    for folder in folders:
        for path in sorted(folder.glob(pattern)):
            inside = path.relative_to(folder).as_posix()
            yield OwnFile(
                f"themes/{folder.name}/{inside}", inside, path.read_text(encoding="utf-8", errors="replace")
            )
