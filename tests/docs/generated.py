"""What the pages on themes take from the themes themselves, between `<!-- generated: name -->` and `<!-- end -->`."""

import re
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

from tenure.problems import Place, Problems
from tenure.sources.options import Option
from tenure.sources.themes import Lineage, lineage_of, themes_of
from tenure.web.theme import OF_JINJA

BASE = ROOT / "themes/base"
MARKED = re.compile(r"(<!-- generated: (\w+) -->)(.*?)(<!-- end -->)", re.DOTALL)


def lineage(name: str) -> Lineage:
    problems = Problems()
    found = lineage_of(ROOT, name, problems, Place("site.yaml"))
    assert problems.told() == ()
    return found


def themes() -> Iterator[str]:
    for name in sorted(themes_of(ROOT)):
        found = lineage(name)
        yield f"\n**`{name}`**: {found.description}\n"
        if found.options:
            yield "\n| option | values | |\n|---|---|---|\n"
        for key, option in found.options.items():
            yield f"| `{key}` | {values(option)} | {option.help} |\n"
    yield "\n"


def values(option: Option) -> str:
    if option.type == "text":
        return f"a text (default: “{option.default}”)"
    shown = [f"`{name}`" + (" (default)" if name == option.usual else "") for name in option.names]
    return ", ".join([*shown, "a colour of your own"] if option.type == "colour" else shown)


def jinja() -> Iterator[str]:
    yield " "
    yield ", ".join(f"`{name}`" for name in sorted(set(OF_JINJA)))
    yield ". "


def parts() -> Iterator[str]:
    yield "\n| part | macros and blocks |\n|---|---|\n"
    for path in sorted((BASE / "parts").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        macros = [f"`{found}`" for found in re.findall(r"\{%-? *macro (\w+\(.*?\)) *-?%\}", text)]
        blocks = [f"`{found}`" for found in re.findall(r"\{%-? *block (\w+)", text)]
        yield f"| `{path.stem}` | {', '.join([*macros, *(f'block {b}' for b in blocks)])} |\n"


def renewed(page: Path) -> str:
    """The page with all that is generated on it as it is now."""
    makers = {"themes": themes, "jinja": jinja, "parts": parts}
    return MARKED.sub(
        lambda found: f"{found[1]}{''.join(makers[found[2]]())}{found[4]}", page.read_text(encoding="utf-8")
    )
