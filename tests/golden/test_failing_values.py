"""If Typst cannot compile a PDF, the message names the line of the template; no value of a field stops it in Tenure's themes."""

import json
from pathlib import Path

import hostile_site
import pytest
from conftest import Make, Patch, select_daily, write_files

from tenure.build import build_site
from tenure.cache.store import CacheStore


def test_a_failing_template_is_reported_at_its_line(site: Make) -> None:
    template = '#set document(title: "CV")\n#panic("no template for this title")\n'
    built = site(
        f"-- content/talks.yaml --\n- {{title: A, date: 2020}}\n-- themes/classic/cv.typ --\n{template}"
    ).build(pdf=True)
    (problem,) = [problem for problem in built.build.problems if problem.code == "cv-template"]
    assert f"{problem.place.file}:{problem.place.line}" == "themes/classic/cv.typ:2"
    assert "panicked with" in problem.message


HOSTILE_VALUES = {
    "control": "".join(map(chr, (*range(1, 32), *range(127, 160)))),
    "invisible": "\ufeff\u200b\u200d\u2060\u00ad\u202e\u2066\u2069\u2028\u2029\ufffe\uffff\ue000",
    "formulas": r"$\frac{a}$ $\,$ $\limits$ $\binom{a}{b}$ $$\begin{matrix}a&b\\c\end{matrix}$$ $x^{y^{z}}_{_a}$ $\hbox{}$ $\left($ $\sqrt[]{}$",
    "deep": "*" * 40 + "x" + "*" * 40 + "> " * 40 + "[" * 40 + "y" + "]" * 40 + "<b>" * 40,
    "long": "w" * 20_000,
    "blocks": "# H\n\n| a | b |\n|---|\n| c |\n\n1. x\n   - y\n\n```typ\n#panic()\n```\n\n![i](none.png)\n\n<table><tr><td></table>\n\n---\n\n[^1]\n\n[^1]: n",
    "links": "[](https://a.example) <https://a.example/"
    + "%" * 9
    + "> [x](mailto:) [y](#z) [$x$](https://b.example) ![](https://c.example/d.png)",
    "marks": "e" + "\u0301" * 60 + " \u0e33\u0e33 \u1100\u1161\u11a8 \u2620\ufe0f \ufdfa \u30a2\u3099",
}


@pytest.mark.parametrize("name", select_daily(HOSTILE_VALUES, lambda name: name != "long"))
def test_no_value_of_a_field_stops_the_pdf(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    value = HOSTILE_VALUES[name]
    monkeypatch.setattr(hostile_site, "PLAIN", f"Mark {value}")
    monkeypatch.setattr(hostile_site, "MARKDOWN", f"Mark {value}")
    monkeypatch.setattr(hostile_site, "BIBTEX", f"Mark {value.replace('#', '')}")
    monkeypatch.setattr(hostile_site, "LINES", "")
    for path, text in hostile_site.make_files():
        write_files(tmp_path, f"-- {path} --\n{text}\n")
    profile = json.loads((tmp_path / "content/profile.yaml").read_text("utf-8"))
    profile["name"] = f"Ada {value[:60]}"
    (tmp_path / "content/profile.yaml").write_text(json.dumps(profile), "utf-8")
    settings = {"checks": {"ignore": ["dead-anchor"]}, "cvs": [{"name": "cv"}]}
    (tmp_path / "site.yaml").write_text(json.dumps(settings), "utf-8")
    result = build_site(tmp_path, store=CacheStore())
    failures = [
        problem.message for problem in result.problems if problem.code in ("cv-template", "cv-warning")
    ]
    assert failures == []
    assert "cv.pdf" in {artifact.path for artifact in result.artifacts}
