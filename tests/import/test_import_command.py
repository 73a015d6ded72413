"""`import` names the owner, reports by file, keeps what exists, and refuses what it cannot read."""

import sys
from pathlib import Path

import pytest
from conftest import Capture, run_in, run_process, write_files
from word_files import write_word_file

from tenure_import.folder_import import import_folder

SITE = "-- old/_config.yml --\nname: Ada Example\n-- old/_pages/about.md --\n---\npermalink: /\n---\nHello.\n"


def read_report(folder: Path) -> str:
    return (folder / "site/import-report.md").read_text("utf-8")


def test_the_report_has_one_part_for_each_file_and_groups_the_same_notes(tmp_path: Path) -> None:
    talks = "".join(f"-- old/_talks/{n}.md --\n---\ntitle: T{n}\nimage: gone.png\n---\n" for n in range(3))
    write_files(
        tmp_path,
        f"{SITE}[x](/gone/) {{{{ site.mystery }}}}\n{talks}-- old/notes.odd --\nX\n-- old/more.odd --\nX\n",
    )
    assert run_in(tmp_path, "import", "old") == 0
    assert read_report(tmp_path) == (
        "# Import from Jekyll\n\nThis file lists what was not imported, or was changed. Delete it after reading: it can contain private data.\n\n"
        "## _pages/about.md\n\n- a tag of the template: {{ site.mystery }}\n"
        "- a link to /gone/: neither a file of the source nor an imported page; it is left out\n\n"
        "## image: gone.png is not in the source\n\n- `_talks/`: 0.md, 1.md, 2.md\n\n"
        "## Files that were not read\n\n- more.odd, notes.odd\n"
    )


def test_a_second_import_changes_nothing_and_keeps_what_was_edited(tmp_path: Path, capsys: Capture) -> None:
    write_files(tmp_path, SITE)
    assert run_in(tmp_path, "import", "old") == 0
    (tmp_path / "site/content/about.md").write_text("Mine.\n")
    assert run_in(tmp_path, "import", "old") == 0
    out = capsys.readouterr().out
    assert "kept site/content/about.md: it differs from the imported file\n" in out
    assert "wrote 0 files" in out
    assert (tmp_path / "site/content/about.md").read_text() == "Mine.\n"


def test_the_report_says_which_warnings_come_from_the_source(tmp_path: Path, capsys: Capture) -> None:
    write_files(tmp_path, "-- papers.bib --\n@book{a, title={On Looms}, author={Roth, Eva}}\n")
    assert run_in(tmp_path, "import", "papers.bib") == 0
    assert "what the source has and `check` reports: bib/papers.bib (" in read_report(tmp_path)
    assert "; import-report.md says which come from the source.\n" in capsys.readouterr().out


def test_an_import_into_a_site_keeps_both_reports_and_completes_the_profile(
    tmp_path: Path, capsys: Capture
) -> None:
    write_files(tmp_path, "-- papers.bib --\n@book{a, title={On Looms}, author={Roth, Eva}, year=2020}\n")
    write_word_file(tmp_path / "cv.docx", "Title> Eva Roth\neva@example.edu\nHeading 1> Talks\nLamps, 2019")
    assert run_in(tmp_path, "import", "papers.bib") == 0
    first = read_report(tmp_path)
    for _ in range(2):
        assert run_in(tmp_path, "import", "cv.docx") == 0
    assert read_report(tmp_path) == first
    assert sorted(path.name for path in (tmp_path / "site").glob("*.md")) == [
        *("AGENTS.md", "README.md", "import-report-2.md", "import-report.md"),
    ]
    out = capsys.readouterr().out
    assert "site/import-report-2.md has 0 lines" in out
    assert out.count("added to site/content/profile.yaml: email\n") == 1
    profile = (tmp_path / "site/content/profile.yaml").read_text("utf-8")
    assert profile.endswith("\nname: Eva Roth\nemail: eva@example.edu\n")


def test_the_report_names_the_papers_of_a_cv_that_a_bib_file_has_too(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        "-- papers.bib --\n@book{a, title={The {Night} in the Old Cities}, author={Roth, Eva}, year=2020}\n",
    )
    papers = "Roth, Eva. *The Night in the Old Cities*. 2020.\nOn Lamps, 2019"
    write_word_file(tmp_path / "cv.docx", f"Title> Eva Roth\nHeading 1> Publications\n{papers}")
    for sources in (("cv.docx", "papers.bib"), ("papers.bib", "cv.docx")):
        folder = sources[0].replace(".", "-")
        for source in sources:
            assert run_in(tmp_path, "import", source, "--to", folder) == 0
        report = (tmp_path / folder / "import-report-2.md").read_text("utf-8")
        assert report.count("both are shown") == 1
        assert "2020. has the title of a in bib/papers.bib: delete it" in report


REFUSED = [
    ("-- old/paper.txt --\nx\n", "has none of the formats that can be imported"),
    ("-- old/refs.ris --\nTY  - JOUR\n", "is a file in RIS, which cannot be imported; convert it to BibTeX"),
    ("", "old does not exist"),
    (
        "-- old/x.bib --\nhello\n",
        "old has nothing that can be imported: x.bib: it has no BibTeX entry",
    ),
    (
        '-- old/resume.json --\n{"basics": {"name": "Ada"}, "work": [',
        "resume.json: line 1: the JSON ends too early",
    ),
    (
        "-- old/cv.yaml --\ncv:\n  name: Ada\n  sections: [a\n",
        "cv.yaml: line 3: the bracket that begins here",
    ),
    (
        "-- old/a.json --\n[1,\n2}\n",
        "old/a.json cannot be read: line 2: this is not JSON (Expecting ',' delimiter)",
    ),
    ("-- old/cv.docx --\nx\n", "cannot read old/cv.docx: it is damaged; open it in Word or LibreOffice"),
]


@pytest.mark.parametrize(("files", "message"), REFUSED)
def test_what_cannot_be_read_is_refused(files: str, message: str, tmp_path: Path, capsys: Capture) -> None:
    if files:
        write_files(tmp_path, files)
    assert run_in(tmp_path, "import", "old") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_name_of_the_option_is_that_of_the_owner(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    assert run_in(tmp_path, "import", "old", "--name", "Bo Lee") == 0
    assert "name: Bo Lee\n" in (tmp_path / "site/content/profile.yaml").read_text("utf-8")


def test_a_folder_is_imported_by_a_call_that_asks_and_prints_nothing(tmp_path: Path, capsys: Capture) -> None:
    write_files(tmp_path, f"{SITE}[x](/gone/)\n")
    report = import_folder(tmp_path / "old", tmp_path / "site")
    told = report.system, report.owner, report.guessed_from, report.errors
    assert told == ("Jekyll", "Ada Example", "", ())
    assert (report.text, report.line_count) == (read_report(tmp_path), 1)
    assert "content/about.md" in report.written.created
    assert capsys.readouterr() == ("", "")


def test_a_build_loads_nothing_of_the_importers() -> None:
    names = "tenure_import", "tenure.fetch", "markdownify", "bs4", "pypdf"
    code = f"import sys, tenure.build, tenure.cli.app, tenure.cli.import_, tenure.cli.check; print([n for n in sys.modules if n.startswith({names})])"
    process = run_process(sys.executable, "-c", code)
    assert process.stdout == "[]\n"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("cv.pdf", "import the Word file that it was made from"),
        ("cv.doc", "save it as .docx in Word or LibreOffice"),
        ("cv.odt", "save it as .docx in Word or LibreOffice"),
        ("cv.pages", "in Pages, “File”, “Export To”, “Word…” writes a .docx file"),
        ("cv.tex", "pandoc can convert it to .docx"),
    ],
)
def test_a_cv_of_another_format_is_refused_with_what_to_do(
    name: str, advice: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / name).write_text("x")
    assert run_in(tmp_path, "import", name) == 2
    assert f"{name} cannot be imported: {advice}" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_a_word_file_without_headings_is_refused(tmp_path: Path, capsys: Capture) -> None:
    write_word_file(tmp_path / "letter.docx", "Dear Ada,\nthank you.")
    assert run_in(tmp_path, "import", "letter.docx") == 2
    assert "letter.docx has no heading that is known; give its headings the style" in capsys.readouterr().err


def test_the_last_lines_say_which_words_are_not_on_the_site(tmp_path: Path, capsys: Capture) -> None:
    text = "Title> Eva Roth\nTel. +39 06 555 0100\nHeading 1> Talks\nseit 10/2012\tLamps\nfooter> Page one"
    write_word_file(tmp_path / "cv.docx", text)
    assert run_in(tmp_path, "import", "cv.docx") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("not on the site: ")]
    assert lines == [
        "not on the site: personal data that a homepage does not need, and their labels: Tel, 39, 06, 555, 0100",
        "not on the site: headers and footers: one",
    ]
