"""Style sheets and scripts: linked by URL or within the page, and the files that are written for them."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import html5lib
import pytest
from conftest import ROOT, Sources
from matrix import build_sample_site

from tenure.html.assets import collect_assets

Make = Callable[[str], Sources]
FRAME = '-- themes/plain/parts/frame.html --\n{%% extends "base/parts/frame.html" %%}\n{%% block %s %%}%s{%% endblock %%}\n'
REQUESTS = re.compile(
    r"""<(?:link|script|img|source|iframe)\b[^>]*?(?:href|src)="(?!data:)([^"]*)"|url\("?(?!data:)([^)"]*)"""
)


def test_a_page_of_plain_loads_one_style_sheet_and_one_script() -> None:
    built = build_sample_site("plain", "systems-phd-2026")
    assert built.problems == ()
    pages = [a.read().decode() for a in built.artifacts if a.path.endswith(".html")]
    assert len(pages) == 15
    for page in pages:
        head = re.sub(r'<link rel="(?!stylesheet|preload|icon)', "<i", page.partition("</head>")[0])
        requested = [quoted or other for quoted, other in REQUESTS.findall(head)]
        assert [re.sub(r".*/|\.\w{10}", "", address) for address in requested] == ["style.css", "site.js"]
    names = {re.sub(r"\.\w{10}\.", ".", a.path) for a in built.artifacts if a.path.startswith("assets/")}
    assert names == {"assets/style.css", "assets/site.js"}


def test_comments_of_style_sheets_are_not_published(site: Make) -> None:
    css = "/* Two\nlines. */\n/*! A licence. */\np::after{content:'/* no comment */'}\n"
    built = site(f"-- site.yaml --\ntheme: plain\n-- themes/plain/assets/plain.css --\n{css}").build()
    (sheet,) = [path for path in built.paths if path.endswith(".css")]
    page = built.read_page(sheet)
    assert "/*! A licence. */\np::after{content:'/* no comment */'}" in page
    assert "Two\nlines" not in page


def test_the_place_of_an_asset_is_its_file() -> None:
    assets = collect_assets((ROOT / "themes/folio", ROOT / "themes/base"))
    assert assets.sources["bib.css"].file == "themes/base/assets/bib.css"
    assert all((ROOT / file.source.file).is_file() for file in assets.files)


def test_plain_takes_the_options_of_its_fonts(site: Make) -> None:
    built = site("-- site.yaml --\ntheme: {name: plain, fonts: serif}\n").build()
    assert built.problems == []
    assert '<html lang="en" data-fonts="serif">' in built.read_page("/")
    page = site("-- site.yaml --\ntheme: plain\n").build().read_page("/")
    assert "data-fonts=" not in page.partition("<head>")[0]


def test_a_style_sheet_cannot_end_its_element(site: Make) -> None:
    css = 'p::after{content:"</style><script>alert(1)</script>"}\n'
    frame = FRAME % ("style", '<style>{{ "plain.css"|inline_asset }}</style>')
    built = site(f"-- site.yaml --\ntheme: plain\n{frame}-- themes/plain/assets/plain.css --\n{css}").build()
    assert built.problems == []
    tree = html5lib.parse(built.read_page("/"), treebuilder="etree", namespaceHTMLElements=False)
    (text,) = [element.text for element in tree.iter("style") if "alert" in (element.text or "")]
    assert text.endswith(css.strip().replace("</style", r"<\/style"))
    assert [element.text for element in tree.iter("script") if "alert" in (element.text or "")] == []


def test_a_script_cannot_end_its_element(site: Make) -> None:
    js = 'document.title += "</script><!-- <script>";\n'
    frame = FRAME % ("head", '<script>{{ "mine.js"|inline_asset }}</script>')
    built = site(f"-- site.yaml --\ntheme: plain\n{frame}-- themes/plain/assets/mine.js --\n{js}").build()
    assert built.problems == []
    tree = html5lib.parse(built.read_page("/"), treebuilder="etree", namespaceHTMLElements=False)
    (text,) = [element.text for element in tree.iter("script") if "title" in (element.text or "")]
    assert text == r'document.title += "\x3C/script>\x3C!-- \x3Cscript>";'


def test_a_url_in_a_style_sheet_works_from_every_page(site: Make) -> None:
    sources = site(
        "-- site.yaml --\ntheme: plain\nurl: https://example.edu/me/\n-- content/talks.yaml --\n- event: Seminar\n"
        + FRAME % ("style", '<style>{{ "plain.css"|inline_asset }}</style>')
        + "-- themes/plain/assets/plain.css --\nbody{background:url( 'img/paper.svg' ), url(data:,x), url(gone.png)}\n"
        "-- themes/plain/assets/img/paper.svg --\n<svg xmlns='http://www.w3.org/2000/svg'/>\n"
    )
    built = sources.build()
    (paper,) = [path for path in built.paths if "paper" in path]
    assert re.fullmatch(r"assets/img/paper\.\w{10}\.svg", paper)
    for page, way in (("/", ""), ("/talks/", "../"), ("404.html", "/me/")):
        assert f'url("{way}{paper}"), url(data:,x), url(gone.png)' in built.read_page(page)


def test_a_linked_style_sheet_is_written_with_the_files_it_names() -> None:
    built = build_sample_site("classic", "systems-phd-2024")
    names = {re.sub(r"\.\w{10}\.", ".", a.path) for a in built.artifacts if a.path.startswith("assets/")}
    fonts = {f"assets/fonts/{p.name}" for p in (ROOT / "themes/classic/assets/fonts").glob("*.woff2")}
    assert names == {"assets/site.js", "assets/style.css", *fonts}


def test_the_style_sheets_of_a_site_are_one_file(site: Make) -> None:
    """Its parts are in their order; a font is found from it as from the sheet that names it."""
    sources = site("-- site.yaml --\ntheme: {name: folio, fonts: literata, photo: circle}\n")
    built = sources.build()
    (link,) = re.findall(r'<link rel="stylesheet" href="([^"]+)">', built.read_page("/"))
    assert re.fullmatch(r"assets/style\.\w{10}\.css", link)
    files = {artifact.path: artifact.read().decode("latin-1") for artifact in built.build.artifacts}
    fonts = re.findall(r'url\("([^"]+)"\)', files[link])
    assert any(font.startswith("fonts/literata.") for font in fonts)
    assert [font for font in fonts if f"assets/{font}" not in files] == []
    places = [files[link].index(part) for part in ("--rail:", "[data-photo]", "fonts/literata.")]
    assert places == sorted(places)
    sources.edit_files("-- themes/folio/assets/kits.css --\np{top:0}\n")
    assert link not in sources.build().paths, "another content has another name"


def test_an_asset_that_nothing_names_is_not_written(site: Make) -> None:
    built = site("-- themes/classic/assets/old.css --\np{color:red}\n").build()
    assert [path for path in built.paths if "old" in path] == []


@pytest.mark.parametrize(
    ("name", "says"),
    [("stile.css", "did you mean “style.css”?"), ("paper.png", "is neither a style sheet nor a script")],
)
def test_an_asset_that_cannot_be_inlined_is_reported(name: str, says: str, site: Make) -> None:
    frame = FRAME % ("head", f'<style>{{{{ "{name}"|inline_asset }}}}</style>')
    built = site(f"-- site.yaml --\ntheme: plain\n{frame}-- themes/plain/assets/paper.png --\nx\n").build()
    (reported,) = built.problems
    assert reported.startswith("themes/plain/parts/frame.html:2:")
    assert says in reported


@pytest.mark.parametrize("name", ["content/style.css", "paper.png", "search.js"])
def test_only_style_sheets_of_the_theme_are_joined(name: str, site: Make) -> None:
    frame = FRAME % ("head", f'<link rel="stylesheet" href="{{{{ ["style.css", "{name}"]|asset }}}}">')
    own = "-- themes/plain/assets/paper.png --\nx\n-- content/style.css --\np{top:0}\n"
    built = site(f"-- site.yaml --\ntheme: plain\n{frame}{own}").build()
    (reported,) = built.problems
    assert reported.startswith("themes/plain/parts/frame.html:2:")
    assert f"“{name}” is no style sheet of the theme" in reported
    assert "write its address alone" in reported


def test_a_style_sheet_includes_that_of_the_theme_that_it_extends(site: Make) -> None:
    css = '@import "base/style.css";\nh1{color:red}\n'
    for name, theme in (("base", css), ("plate", css.replace("base", "plate"))):
        built = site(f"-- site.yaml --\ntheme: {name}\n-- themes/{name}/assets/style.css --\n{theme}").build()
        assert built.problems == []
        sheets = [a.read().decode() for a in built.build.artifacts if a.path.endswith(".css")]
        assert sheets
        for sheet in sheets:
            assert "@import" not in sheet
            assert sheet.index("color-scheme:light dark") < sheet.index("h1{color:red}")
            assert ("--plate:" in sheet) == (name == "plate")


def test_the_drawings_of_the_eclipse_are_those_of_their_script(tmp_path: Path) -> None:
    """If this fails, run `python examples/eclipse_drawings.py examples/eclipse-1919/content`."""
    subprocess.run([sys.executable, ROOT / "examples/eclipse_drawings.py", tmp_path], check=True)
    drawings = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert len(drawings) == 5
    for name, text in drawings.items():
        assert (ROOT / "examples/eclipse-1919/content" / name).read_text(encoding="utf-8") == text, name
