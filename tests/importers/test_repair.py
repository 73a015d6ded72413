"""Every import builds: a value that Tenure reports as an error is repaired or left out, with a line in the report."""

import re
from pathlib import Path

import pytest
from conftest import run_in, write_files

from tenure.build import build_site
from tenure.importers.repair import find_path, repair_files, unlink_url
from tenure.problems import Place, Problem, Problems
from tenure.sources.files import parse_yaml

JEKYLL = "-- old/_config.yml --\nname: Ada Example\nauthor: {name: Ada Example}\n"
ALFOLIO = "-- old/_config.yml --\nfirst_name: Ada\nlast_name: Example\nscholar: {last_name: [Example]}\n"

BROKEN_SOURCES = {
    "two entries share an id": (
        JEKYLL + "-- old/_talks/a.md --\n---\ntitle: One\ndate: 2020-01-01\n---\n"
        '<div id="x">A [link](#x)</div>\n'
        '-- old/_talks/b.md --\n---\ntitle: Two\ndate: 2021-01-01\n---\n<div id="x">B [link](#x)</div>\n',
        r"talks: Two",
    ),
    "a person is written in two ways": (
        ALFOLIO
        + '-- old/_data/coauthors.yml --\n"fröb":\n  - firstname: ["Markus", "M."]\n    url: https://f.example.org\n'
        '"frob":\n  - firstname: ["Markus", "M."]\n    url: https://f.example.org\n',
        r"Imported[^#]*co-author",
    ),
    "an element of another program names a file": (
        ALFOLIO + '-- old/_pages/works.md --\n---\ntitle: Works\n---\n<bibtex src="/files/my.bib"></bibtex>\n'
        "Text.\n",
        r"Not imported[^#]*a link to /files/my\.bib",
    ),
    "a heading has the anchor of another": (
        ALFOLIO
        + "-- old/_pages/works.md --\n---\ntitle: Works\n---\n## One {#a}\n\n## Two {#a}\n\nSee [one](#a).\n",
        r"content/pages/works\.md",
    ),
    "a drawing has a script": (
        ALFOLIO
        + "-- old/assets/img/a.svg --\n<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>\n"
        "-- old/_pages/works.md --\n---\ntitle: Works\n---\n![a drawing](/assets/img/a.svg)\n\nText.\n",
        r"Not imported[^#]*`assets/img/a\.svg`: content/files/a\.svg",
    ),
    "the language is not a language": (
        ALFOLIO.replace("first_name", "lang: zz\nfirst_name"),
        r"",
    ),
}


@pytest.mark.parametrize("case", BROKEN_SOURCES)
def test_an_import_builds_and_reports_what_was_repaired(case: str, tmp_path: Path) -> None:
    source, expected = BROKEN_SOURCES[case]
    write_files(tmp_path, source)
    assert run_in(tmp_path, "import", "old") == 0
    errors = [problem for problem in build_site(tmp_path / "site").problems if problem.level == "error"]
    assert errors == []
    report = (tmp_path / "site/import-report.md").read_text(encoding="utf-8")
    assert re.search(expected, report), report


def test_a_second_import_writes_the_same_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, BROKEN_SOURCES["a drawing has a script"][0])
    assert run_in(tmp_path, "import", "old") == 0
    capsys.readouterr()
    assert run_in(tmp_path, "import", "old") == 0
    assert "wrote 0 files" in capsys.readouterr().out


def test_videos_and_their_sources_are_copied(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        ALFOLIO + '-- old/_pages/talk.md --\n---\ntitle: Talk\n---\n<video poster="/files/p.jpg" controls>\n'
        '<source src="/files/clip.mp4" type="video/mp4"><source src="/files/no.webm"></video>\n\n'
        '<audio src="/files/a.mp3"></audio>\n\n<video src="/files/no.mp4">No video.</video>\n\n'
        '<picture><source srcset="/files/b.webp 2x"><img src="/files/a b.png" alt="A > B" width="40"></picture>\n'
        "-- old/files/clip.mp4 --\nx\n-- old/files/a.mp3 --\nx\n-- old/files/p.jpg --\nx\n",
    )
    (tmp_path / "old/files/a b.png").write_bytes(
        bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000")
        + bytes.fromhex("1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")
    )
    run_in(tmp_path, "import", "old")
    page = (tmp_path / "site/content/pages/talk.md").read_text(encoding="utf-8")
    assert '<source src="files/clip.mp4" type="video/mp4"></video>' in page
    assert '<audio src="files/a.mp3">' in page
    assert "no.webm" not in page
    assert "no.mp4" not in page
    assert '<img src="files/a-b.png" alt="A &gt; B" width="40">' in page
    assert (tmp_path / "site/content/files/clip.mp4").is_file()


UNSAFE_RESUME = """\
-- old/resume.json --
{"basics": {"name": "Ada Example"}, "../../../evil": [{"name": "z"}], "../.github/workflows/evil": [{"name": "z"}],
"..\\\\evil": [{"name": "z"}], "/tmp/evil": [{"name": "z"}]}
"""


@pytest.mark.parametrize(
    "source",
    [
        UNSAFE_RESUME,
        ALFOLIO
        + '-- old/assets/json/resume.json --\n{"basics": {"name": "A"}, "../../../evil": [{"name": "z"}]}\n',
        JEKYLL + '-- old/_data/cv.json --\n{"../../../evil": [{"name": "z"}]}\n',
        "-- old/cv.yaml --\ncv:\n  name: Ada Example\n  sections:\n    ../../evil: [One]\n    ..: [Two]\n",
        ALFOLIO + "-- old/_data/cv.yml --\n- title: ../../evil\n  type: list\n  contents: [One]\n",
    ],
)
def test_an_import_writes_nothing_outside_its_folder(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b" / "c"
    write_files(folder, source)
    run_in(folder, "import", "old", "--to", "new/site")
    entries = [
        path for path in tmp_path.rglob("*evil*") if "new/site" not in path.as_posix() and path.is_file()
    ]
    assert entries == []
    assert [*(folder / "new/site/content").glob("*evil*.yaml")] != []
    assert not [*(folder / "new/site/.github").rglob("*evil*")]


def _create_problem(file: str, line: int, column: int, message: str, code: str = "bad-value") -> Problem:
    return Problem(Place(file, line, column), "error", code, message)


PIECES = [
    ("content/talks.yaml", "- title: A\n  place: bad\n- title: B\n", "bad", "- title: A\n\n- title: B\n"),
    ("content/talks.yaml", "- bad\n", "bad", ""),
    ("content/a.md", "---\ntitle: A\nkind: bad\n---\nText\n", "bad", "---\ntitle: A\n---\nText\n"),
    ("content/a.md", "One\n\nbad two\n\nThree\n", "bad", "One\n\n\nThree\n"),
    (
        "bib/a.bib",
        "@article{a,\n  title = {A, B},\n  note = {bad},\n  year = 2020\n}\n",
        "bad",
        "@article{a,\n  title = {A, B},\n  year = 2020\n}\n",
    ),
]


@pytest.mark.parametrize(("name", "text", "bad", "expected"), PIECES)
def test_the_value_with_the_error_is_removed(name: str, text: str, bad: str, expected: str) -> None:
    def find_errors(files: object) -> list[Problem]:
        assert isinstance(files, dict)
        content = files.get(name, "")
        line = next((i for i, line in enumerate(content.split("\n"), 1) if bad in line), 0)
        return (
            [_create_problem(name, line, content.split("\n")[line - 1].index(bad) + 1, "x")] if line else []
        )

    repaired = repair_files({name: text}, [name], {}, find_errors)
    content = repaired.files.get(name, "")
    assert isinstance(content, str)
    assert content.replace("\n\n", "\n") == expected.replace("\n\n", "\n")
    assert repaired.errors == ()
    assert [note.outcome for note in repaired.notes][:1] == ["skipped"]


def test_the_report_names_the_entry_in_the_source_after_others_were_removed() -> None:
    origins = {f"content/talks.yaml#{i}": f"_talks/{i}.md" for i in range(3)}
    text = "- title: bad\n- title: bad\n- title: Good\n"

    def find_errors(files: object) -> list[Problem]:
        assert isinstance(files, dict)
        lines = files["content/talks.yaml"].split("\n")
        return [
            _create_problem("content/talks.yaml", i, 3, "x")
            for i, line in enumerate(lines, 1)
            if "bad" in line
        ]

    repaired = repair_files({"content/talks.yaml": text}, ["content/talks.yaml"], origins, find_errors)
    assert [note.location for note in repaired.notes] == ["_talks/1.md", "_talks/0.md"]


def test_other_files_are_not_changed() -> None:
    errors = [_create_problem("build.py", 1, 1, "x")]
    repaired = repair_files({"build.py": "x\n"}, ["content/a.md"], {}, lambda _: errors)
    assert (dict(repaired.files), repaired.notes, repaired.errors) == ({"build.py": "x\n"}, (), (*errors,))


def test_of_two_problems_at_one_place_the_named_redirect_is_removed() -> None:
    text = 'redirects:\n  "/a/": "/b/"\n  "/c/index.html": "/d/"\n  "/e.html": "/e/"\n'

    def find_errors(files: object) -> list[Problem]:
        assert isinstance(files, dict)
        messages = [
            f"two sources have the same URL {url}: content/x.md:2:1 and site.yaml:2:3"
            for url in ("/a/", "/c/")
        ]
        keys = ('"/a/"', '"/c/index.html"')
        return [
            _create_problem("site.yaml", 2, 3, message, "duplicate-path")
            for key, message in zip(keys, messages, strict=True)
            if key in files["site.yaml"]
        ]

    repaired = repair_files({"site.yaml": text}, ["site.yaml"], {}, find_errors)
    assert repaired.files["site.yaml"] == 'redirects:\n  "/e.html": "/e/"\n'


UNLINKED = [
    ("See [a *b*](/x) and [c](/y).", "See a *b* and [c](/y)."),
    ("![p](/x)", ""),
    ('<a href="/x" class="k">a <b>b</b></a>', "a <b>b</b>"),
    ('<video src="/x" controls></video>', "<video controls></video>"),
    ('<source src="/x"><img alt="" src="/x">', ""),
    ("[a][r]\n\n[r]: /x\n", "[a][r]\n\n"),
    (r"\href{/x}{Label}", "Label"),
    ("[a](/x/y)", "[a](/x/y)"),
]


@pytest.mark.parametrize(("text", "expected"), UNLINKED)
def test_a_link_without_a_target_becomes_its_text(text: str, expected: str) -> None:
    assert unlink_url(text, "/x") == expected


def test_a_place_gives_the_path_of_its_value() -> None:
    node = parse_yaml(
        "title: A\nentries:\n- a: 1\n  b: [x, y]\n- c: |-\n    one\n    two\n", "a.yaml", Problems()
    )
    assert node is not None
    assert find_path(node, Place("a.yaml", 4, 10)) == ("entries", 0, "b", 1)
    assert find_path(node, Place("a.yaml", 7, 5)) == ("entries", 1, "c")
    assert find_path(node, Place("a.yaml", 1, 1)) == ("title",)


def test_equal_problems_at_several_places_remove_only_their_values() -> None:
    """Each of three equal messages counted as an attempt, so that the first round removed the whole file."""
    name = "content/profile.yaml"
    text = "name: Ada\nlinks:\n  a: nora\n  b: nora\n  c: nora\n  d: https://d.example.org\n"

    def find_errors(files: object) -> list[Problem]:
        assert isinstance(files, dict)
        lines = files[name].splitlines()
        places = [i for i, line in enumerate(lines, 1) if "nora" in line]
        return [_create_problem(name, line, 6, "“nora” is no page", "broken-link") for line in places]

    repaired = repair_files({name: text}, [name], {}, find_errors)
    assert repaired.files[name] == "name: Ada\nlinks:\n  d: https://d.example.org\n"
