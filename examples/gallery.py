"""
The gallery of the examples: `python examples/gallery.py FOLDER` writes FOLDER/index.html.

FOLDER holds built sites as FOLDER/<theme>/<example>/. Each is shown by itself, small, without script.
"""

import html
import re
import sys
from pathlib import Path

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gallery – Tenure</title>
<meta name="description" content="Each example of Tenure in each of its themes.">
<style>
:root {{ color-scheme: light dark; --ground: light-dark(#fdfcfb, #16181b); --ink: light-dark(#1a1c20, #e6e4e0);
  --quiet: light-dark(#5b6068, #a5a9b0); --line: light-dark(#d9d6d1, #3a3e44); --link: light-dark(#0b5394, #8cc3f5) }}
body {{ font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink); margin: 0 auto;
  max-width: 60rem; padding: 2rem 1rem 4rem }}
a {{ color: var(--link) }}
h1, h2 {{ line-height: 1.2; text-wrap: balance }}
h2 {{ margin: 3rem 0 0 }}
p {{ color: var(--quiet); margin: .25rem 0 1rem; max-width: 65ch }}
ul {{ display: grid; grid-template-columns: repeat(auto-fill, 288px); gap: 1.5rem; list-style: none;
  margin: 0; padding: 0 }}
.window {{ border: 1px solid var(--line); border-radius: 6px; height: 358px; overflow: hidden; width: 286px }}
iframe {{ border: 0; height: 1432px; transform: scale(.25); transform-origin: 0 0; width: 1144px }}
</style>
</head>
<body>
<main>
<h1>Gallery</h1>
<p>Each site from one set of sources, in {count} themes. <a href="../docs/">How they are made</a>.</p>
{examples}
</main>
</body>
</html>
"""
EXAMPLE = """<h2>{name}</h2>
<p>{about}</p>
<ul>
{themes}
</ul>"""
THEME = """<li><div class="window" inert><iframe src="{path}" loading="lazy" tabindex="-1" title="{name}, {theme}">\
</iframe></div><a href="{path}">{theme}<span hidden>: {name}</span></a></li>"""


def gallery(folder: Path) -> str:
    """The page for a folder of built sites."""
    homes = sorted(folder.glob("*/*/index.html"))
    themes = sorted({home.parent.parent.name for home in homes})
    examples = []
    for example in sorted({home.parent.name for home in homes}):
        text = (folder / themes[0] / example / "index.html").read_text(encoding="utf-8")
        name, about = (
            found(r"<title>(.*?)</title>", text),
            found(r'<meta name="description" content="(.*?)"', text),
        )
        shown = [
            THEME.format(path=f"{theme}/{example}/index.html", theme=theme, name=name)
            for theme in themes
            if folder / theme / example / "index.html" in homes
        ]
        examples.append(EXAMPLE.format(name=name, about=about, themes="\n".join(shown)))
    return PAGE.format(count=len(themes), examples="\n".join(examples))


def found(pattern: str, text: str) -> str:
    """What a pattern's group matches, as HTML; "" where nothing does."""
    match = re.search(pattern, text, re.DOTALL)
    return html.escape(html.unescape(match[1])) if match else ""


if __name__ == "__main__":
    place = Path(sys.argv[1])
    (place / "index.html").write_text(gallery(place), encoding="utf-8")
