"""docs/content/pages/languages.md names the languages of the package, and its examples build."""

import re

from conftest import ROOT, Make

PAGE = (ROOT / "docs/content/pages/languages.md").read_text("utf-8")


def test_the_languages_listed_are_those_of_the_package() -> None:
    listed = re.search(r"<!-- generated: languages -->(.*?)<!-- end -->", PAGE)
    assert listed
    shipped = sorted(path.stem for path in (ROOT / "themes/base/translations").glob("*.yaml"))
    assert re.findall(r"`([\w-]+)`", listed[1]) == shipped


def test_examples_build(site: Make) -> None:
    files = [
        "-- content/service.yaml --\n- role: Reviewer\n",
        "-- site.yaml --\npages: [home, {path: /all/, sections: [service]}]\n",
    ]
    for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        name = re.match(r"# (\S+)\n", block)
        assert name, block
        if name[1].startswith("themes/"):  # tests/docs/test_site.py runs the others
            files.append(f"-- {name[1]} --\n{block}")
    assert len(files) > 2
    built = site("".join(files)).build()
    assert built.problems == []
    assert "Professional activities" in built.read_words("/all/")
