"""
Hostile and damaged sources: Tenure reports a line or publishes a complete site.

Each case begins with the letter and number of its kind. The kinds that need a server, two programs, a full
disk or a kill are in test_reliability.py, tests/browser, tests/machine and tests/commands.
"""

from pathlib import Path

import pytest
from conftest import Built, write_files

from tenure.build import build_site

PROFILE = "-- content/profile.yaml --\nname: Ada Example\n"
DIGITS = "1" * 5000
NESTED_LIST = "\n".join("  " * level + "- a" for level in range(400))
ENTRY = f"{PROFILE}-- bib/p.bib --\n@article{{a, title={{Looms}}, author={{Example, Ada}}, journal={{J}}, year=2020, FIELD}}\n"
TALK = f"{PROFILE}-- content/talks.yaml --\n"
SITE = f"{PROFILE}-- site.yaml --\n"


def _nest_text(opening: str, closing: str, count: int) -> str:
    return f"{opening * count}x{closing * count}"


ATTACKS = {
    "Low a tag of the frame that never ends": (f"{PROFILE}-- themes/classic/parts/frame.html --\n{{%\n", {"template-syntax"}),
    "Low brackets of a template inside each other": (f"{PROFILE}-- themes/classic/pages/home.html --\n{{{{ {'(' * 300}1{')' * 300} }}}}\n", {"template-syntax"}),
    "Low a comment of a template that never ends": (f"{PROFILE}-- themes/classic/pages/home.html --\n{{#a}}{{\n", {"template-syntax"}),
    "H1 a text that is empty": (f"{PROFILE}-- content/about.md --\n", {"empty-text"}),
    "H1 a text of one line end": (f"{PROFILE}-- content/about.md --\n\n", {"empty-text"}),
    "H1 a page without a text": (f"{PROFILE}-- content/pages/x.md --\n---\ntitle: X\n---\n", set()),
    "H3 an id that leads out of the site": (f"{PROFILE}-- content/projects/a.md --\n---\ntitle: A\nid: ../../../evil\n---\nBody\n", {"bad-path"}),
    "H3 an id of two dots": (f"{PROFILE}-- content/projects/a.md --\n---\ntitle: A\nid: ..\n---\nBody\n", {"bad-path"}),
    "H4 formulas without words": (ENTRY.replace("FIELD", r"subtitle={A 5$\,$GHz $\quad$ $\phantom{}$ $\limits$}"), set()),
    "H4 formulas without arguments": (ENTRY.replace("FIELD", r"subtitle={A $\frac{a}$ $\binom{a}$}"), {"cv-formula"}),
    "H4 formulas of any depth": (ENTRY.replace("FIELD", f"subtitle={{A ${_nest_text(chr(92) + 'sqrt{', '}', 60)}$}}"), {"cv-formula"}),
    "H4 bold of any depth": (ENTRY.replace("FIELD", "subtitle={" + _nest_text("{" + chr(92) + "bf ", "}", 2000) + "}"), set()),
    "H4 bold of HTML of any depth": (f"{PROFILE}-- content/about.md --\n{_nest_text('<b>', '</b>', 2000)}\n", set()),
    "M6 titles of nothing": (f"{PROFILE}-- bib/p.bib --\n" + "".join(
        f"@misc{{k{number}, title={{{title}}}, author={{Example, Ada}}, year=2020}}\n" for number, title in enumerate(["~", chr(92) + ",", "<b></b>", "$" + chr(92) + "hbox{}$"])),
        {"bib-missing-field"}),
    "M6 a number of any length": (ENTRY.replace("FIELD", f"month={{{DIGITS}}}, author+an={{{DIGITS}=me}}"), {"bib-bad-value"}),
    "M7 an apostrophe in the name of a file": (f"{TALK}- {{title: T, slides: \"O'Brien.pdf\"}}\n-- content/files/O'Brien.pdf --\nx\n", set()),
    "M8 many keys in keys": (f"{TALK}{'? ' * 32_000}\n", {"yaml-syntax"}),
    "M8 many items in items": (f"{TALK}{'-  ' * 32_000}\n", {"yaml-syntax"}),
    "M8 many items in keys": (f"{TALK}{'- ? ' * 20_000}\n", {"yaml-syntax"}),
    "M8 many keys in front matter": (f"{PROFILE}-- content/posts/a.md --\n---\n{'? ' * 32_000}\n---\nx\n", {"yaml-syntax"}),
    "M12 an empty name": ('-- content/profile.yaml --\nname: ""\n', {"missing-key"}),
    "M12 a name of a space": ('-- content/profile.yaml --\nname: "\u00a0"\n', {"missing-key"}),
    "M12 a name of signs without width": ('-- content/profile.yaml --\nname: "\u200b\u200f"\n', {"missing-key"}),
    "M12 a name of a comma": ('-- content/profile.yaml --\nname: ","\naliases: [","]\n', set()),
    "M12 a URL that cannot be parsed": (f"{SITE}url: https://[x\n", {"bad-address"}),
    "M12 a redirect that cannot be parsed": (f"{SITE}redirects: {{/a/: '//[x'}}\n", {"bad-address"}),
    "M12 the last day of the calendar": (f"{TALK}- {{title: T, date: 9999-12-31}}\n", set()),
    "M12 a drawing of absurd width": (f"{PROFILE}-- content/a.svg --\n<svg xmlns='http://www.w3.org/2000/svg' width='1e400' height='3'/>\n-- content/about.md --\n![a](a.svg)\n", set()),
    "M12 a zero character in paths": (f'{SITE}redirects: {{/%00/: /}}\npages: [{{path: "/a\\0/", sections: [about]}}]\n', {"bad-path"}),
    "a theme whose name no file can have": (SITE + 'theme: "x\\0"\n', {"unknown-theme"}),
    "a theme that extends a name that no file can have": (f'{SITE}theme: mine\n-- themes/mine/theme.yaml --\nextends: "x\\0"\n', {"unknown-theme"}),
    "M12 a theme that extends itself": (f"{SITE}theme: mine\n-- themes/mine/theme.yaml --\nextends: mine\n", {"unknown-theme"}),
    "M13 line separators in a value": (f'{PROFILE}-- content/service.yaml --\n- role: "a\u2028b\u2029c\u0085d"\n- roe: x\n', {"unknown-key"}),
    "M13 line separators and an open quotation": (f'{PROFILE}-- content/service.yaml --\n- role: a\u0085\n- roe: x\u2028: y\n  "b', {"yaml-repaired", "yaml-syntax"}),
    "Low paths of Tenure and of hidden files": (f"{SITE}redirects: {{/.: /x/, /./: /y/, /.git/: /z/, /.tenure/: /}}\n", {"bad-path"}),
    "Low a line end in a URL": ('-- content/profile.yaml --\nname: Ada Example\nlinks: {Home: "https://a.example/\\nEVIL:1"}\n', set()),
    "Low a list of any depth": (f"{PROFILE}-- content/about.md --\n{NESTED_LIST}\n", set()),
    "Low elements of any depth": (f"{PROFILE}-- content/about.md --\n" + '<div markdown="1">\n' * 400, set()),
    "Low a suffix in capitals": (f"{PROFILE}-- content/about.MD --\nHello looms\n", set()),
    "Low an encoding that the file does not have": (f"{PROFILE}-- bib/p.bib --\n% Encoding: utf-16\n@misc{{a, title={{Looms}}, author={{Example, Ada}}, year=2020}}\n", set()),
}  # fmt: skip
"""The sources of each kind, and the codes that are reported."""

SHOWN = {
    "M7 an apostrophe in the name of a file": "O%27Brien.pdf",
    "Low a suffix in capitals": "Hello looms",
    "Low an encoding that the file does not have": "Looms",
    "M6 a number of any length": "Looms",
    "H4 formulas without words": "Looms",
}
"""Text that the pages show although the source is unusual."""


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_source_is_reported_or_published(name: str, tmp_path: Path) -> None:
    sources, codes = ATTACKS[name]
    write_files(tmp_path, sources)
    built = Built(build_site(tmp_path))
    assert {*built.codes} == codes, built.problems
    for problem in built.build.problems:
        file = tmp_path / problem.place.file
        line_count = file.read_bytes().count(b"\n") + 1 if file.is_file() else 0
        assert line_count or problem.place.file == "site.yaml", "H4: the message names a source"
        assert problem.place.line <= line_count, "M13: the line exists"
        assert not problem.place.file.startswith("themes/base"), "H4: no theme is blamed"
    for path in built.paths:
        assert not {"..", ".", ".git", ".tenure"} & {*path.split("/")}, "H3"
    if built.build.has_errors:
        return  # nothing is written
    pages = [
        artifact.read().decode() for artifact in built.build.artifacts if artifact.path.endswith(".html")
    ]
    assert any(SHOWN.get(name, "") in page for page in pages)
    cards = [artifact.read().decode() for artifact in built.build.artifacts if artifact.path.endswith(".ics")]
    assert not any(line.startswith("EVIL") for card in cards for line in card.splitlines())
