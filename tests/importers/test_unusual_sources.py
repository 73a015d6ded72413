"""Damaged and unusual sources are imported as far as possible, and their faults are reported."""

import os
import re
from pathlib import Path

import pytest
from conftest import Built, run_in, write_files
from test_academicpages import SITE as ACADEMICPAGES
from test_hugo import ACADEMIC as HUGO
from test_import import ALFOLIO, RENDERCV, RESUME, read_report

from tenure.build import build_site
from tenure.importers.bibliography.bibtex_writer import markdown_to_latex
from tenure.importers.bibliography.prose_references import parse_reference
from tenure.importers.detect import IMPORTERS, detect_system
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.session import ImportSession
from tenure.importers.text_converter import SourceTextConverter

SOURCES = {
    "academicpages": ACADEMICPAGES, "al-folio": ALFOLIO, "hugo": HUGO, "json-resume": RESUME, "rendercv": RENDERCV,
}  # fmt: skip


def import_and_build(folder: Path, *words: str) -> Built:
    """Import the site in old/; return the new site, built."""
    assert run_in(folder, "import", "old", *words) == 0
    return Built(build_site(folder / "site"))


@pytest.mark.parametrize("name", ["academicpages", "al-folio"])
def test_links_out_of_the_source_folder_are_not_followed(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, SOURCES[name])
    write_files(
        tmp_path,
        "-- secret/secret.md --\n---\ntitle: Hidden\n---\nSECRET\n-- secret/deep/_config.yml --\nx: SECRET\n",
    )
    for folder in ("_pages", "_publications", "content/post", "_posts", "_news"):
        place = tmp_path / "old" / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "2020-01-01-secret.md").symlink_to(tmp_path / "secret/secret.md")
        (place / "loop.md").symlink_to(place / "loop.md")
        (place / "deep").symlink_to(tmp_path / "secret", target_is_directory=True)
    (tmp_path / "old/_pages/leak.md").write_text(
        "---\ntitle: Leak\n---\n![x](../../secret/secret.md) [y](/etc/passwd)\n"
    )
    import_and_build(tmp_path)
    for path in (tmp_path / "site").rglob("*"):
        if path.is_file():
            assert b"SECRET" not in path.read_bytes(), path
    if name in ("academicpages", "al-folio"):
        assert "a link to a place outside the source" in read_report(tmp_path)


@pytest.mark.parametrize("name", SOURCES)
def test_any_file_may_be_broken(name: str, tmp_path: Path) -> None:
    """One file at a time is cut in half, emptied, or begins with bytes that are not text, or with a tab and an open quote."""
    write_files(tmp_path, SOURCES[name])
    files = sorted(
        path
        for path in (tmp_path / "old").rglob("*")
        if path.suffix in (".md", ".yml", ".yaml", ".toml", ".json", ".bib")
    )
    for path in files:
        whole = path.read_bytes()
        for broken in (whole[: len(whole) // 2], b"", b"\xff\xfe\x00\xe9" + whole, b"\t'x: [\n" + whole):
            path.write_bytes(broken)
            imported = IMPORTERS[name](tmp_path / "old")
            assert imported.system
        path.write_bytes(whole)


def test_text_of_another_encoding_is_read_and_reported(tmp_path: Path) -> None:
    write_files(tmp_path, ACADEMICPAGES)
    (tmp_path / "old/_pages/looms.md").write_bytes("---\ntitle: Café\n---\nDéjà vu.\n".encode("cp1252"))
    imported = import_and_build(tmp_path)
    assert "Déjà vu." in imported.read_words("/looms/")
    assert "`_pages/looms.md`: a text that is not UTF-8 is read as Windows-1252" in read_report(tmp_path)


def test_folders_may_be_deep_and_names_unusual(tmp_path: Path) -> None:
    write_files(tmp_path, ACADEMICPAGES)
    deep = tmp_path / "old/_publications" / "/".join("abcdefgh") / "2024-12-04 paper (02)..md"
    deep.parent.mkdir(parents=True)
    deep.write_text(
        '---\ntitle: "Deep: a &quot;quoted&quot; one"\nvenue: J\ndate: 2015-10-22 15:59:00-0400\n---\n',
        "utf-8",
    )
    imported = import_and_build(tmp_path)
    assert 'Deep: a "quoted" one' in {paper.title for paper in imported.site.publications}


@pytest.mark.parametrize("name", SOURCES)
def test_generated_files_are_not_imported(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, SOURCES[name])
    write_files(
        tmp_path,
        "-- old/node_modules/x/_config.yml --\nname: Nobody\n-- old/.git/config.yml --\nx: y\n-- old/_site/a.md --\nX\n",
    )
    import_and_build(tmp_path)
    assert "node_modules" not in read_report(tmp_path)
    assert "_site" not in read_report(tmp_path)


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[a](",
        "$a ",
        "*a **b ",
        '<a href="',
        "<a href=x ",
        "{% ",
        '{{< a "b ',
        "<img ",
        "<!-- ",
        "Aaa Bbb, ",
        "A",
    ],
)
def test_a_text_with_unclosed_markup_is_fast(piece: str, tmp_path: Path) -> None:
    """Each piece is repeated a thousand times; a pattern with much backtracking would not finish."""
    words = piece * 1000
    assert isinstance(SourceTextConverter(ImportSession(tmp_path)).convert_body(words, "a.md:1"), str)
    assert isinstance(HugoTextConverter(ImportSession(tmp_path)).convert_body(words, "a.md:1"), str)
    assert isinstance(markdown_to_latex(words), str)
    assert parse_reference(words, "A title").fields == {}


@pytest.mark.parametrize("name", ["academicpages", "al-folio", "hugo"])
def test_unread_files_are_reported_and_images_by_their_folder(name: str, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        f"{SOURCES[name]}-- old/assets/pics/a.png --\nA\n-- old/assets/pics/b.png --\nB\n"
        "-- old/notes.odd --\nX\n-- old/package.json --\n{}\n",
    )
    import_and_build(tmp_path)
    report_text = read_report(tmp_path)
    assert "- `assets/pics`: 2 files that no imported content uses\n" in report_text
    assert "- `notes.odd`: a file that is not read\n" in report_text
    assert "package.json" not in report_text


def test_invalid_yaml_settings_are_reported_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The settings name the owner; a message about a missing owner would hide the syntax error."""
    write_files(tmp_path, ALFOLIO)
    (tmp_path / "old/_config.yml").write_text("first_name: Ada\nlast_name: [Example\nurl: x\n", "utf-8")
    assert run_in(tmp_path, "import", "old") == 2
    assert re.search(
        r"_config\.yml:2:12: .* so the source does not give the name of the owner", capsys.readouterr().err
    )


def test_malformed_profiles_are_reported(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        '-- old/resume.json --\n{"basics": {"name": "Ada Example", "profiles": [null, "ada",'
        ' {"network": "GitHub"}]}, "work": ["Engine Works", null]}\n',
    )
    import_and_build(tmp_path)
    report_text = read_report(tmp_path)
    assert "- `resume.json:1`: profiles: ada\n" in report_text
    assert "- `resume.json:1`: profiles: network: GitHub\n" in report_text
    assert "- `resume.json:1`: experience: Engine Works\n" in report_text
    assert report_text.count("profiles:") == 2


def test_text_in_place_of_entries_is_shown_and_reported(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        "-- old/cv.yaml --\ncv:\n  name: Ada Example\n  social_networks: [GitHub]\n  sections:\n    education: hello\n",
    )
    imported = import_and_build(tmp_path)
    assert "hello" in imported.read_words("/cv/")
    report_text = read_report(tmp_path)
    assert "- `cv.yaml:3`: social_networks: GitHub\n" in report_text
    assert (
        "`cv.yaml:5`: education is not a list of such entries and was written to content/education-list.yaml\n"
        in report_text
    )


def test_an_empty_folder_is_not_detected_as_a_system(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    assert detect_system(tmp_path / "old") == ""
    os.mkfifo(tmp_path / "old/pipe.yaml")
    assert detect_system(tmp_path / "old") == ""
