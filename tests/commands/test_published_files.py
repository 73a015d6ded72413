"""Files in content/ that are never published, and hidden files that are."""

from collections.abc import Callable

import pytest
from conftest import Sources

Make = Callable[[str], Sources]

LEFTOVERS = (
    *(".env", ".DS_Store", "._photo.jpg", ".htpasswd", "#notes#", ".#notes", "notes~", "notes.txt~", ".notes.swp"),
    *("notes.swp", "notes.swo", "4913", "notes.tmp", "notes.bak", "notes.orig", "notes.rej", "notes.save", "~$cv.docx"),
    *("Thumbs.db", "thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini", "Icon\r", "cv.pdf.part", "cv.crdownload"),
    *("id_rsa", "id_ed25519", "server.pem", "server.key", "secrets.env", "cv.pdf:Zone.Identifier", "cv.pdf.old"),
    *("cv (conflicted copy).md", "cv (Ada's conflicted copy 2026-01-02).yaml", "cv.sync-conflict-20260102-030405-ABC.md", "cv.md.goutputstream-X1Y2"),
    *("cv.aux", "cv.log", "cv.synctex.gz", "cv.out", "cv.toc", "cv.bbl", "cv.blg", "cv.fls", "cv.fdb_latexmk"),
    *("__MACOSX/cv.pdf", "__pycache__/x.pyc", ".git/config", ".well-known/.secret"),
)  # fmt: skip


def test_s13_leftovers_of_editors_and_systems_are_not_published(site: Make) -> None:
    sources = site("-- content/files/cv.pdf --\n%PDF-1.4\n")
    for name in LEFTOVERS:
        for folder in ("content", "content/files"):
            path = sources.root / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("secret", encoding="utf-8")
    built = sources.build()
    assert built.codes == []
    assert [a.path for a in built.build.artifacts if b"secret" in a.read()] == []
    assert "files/cv.pdf" in built.paths


def test_a_private_key_of_any_name_is_not_published_and_slides_of_keynote_are(site: Make) -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl"
    built = site(
        f"-- content/files/id_work --\n{key}\n-- content/files/work.key --\n{key}\n-- content/files/talk.key --\nPK\x03\x04\n"
        "-- content/files/LICENSE --\nText\n-- content/files/id_rsa.pub --\nssh-rsa AAAA\n"
    ).build()
    assert built.codes == []
    names = {path.removeprefix("files/") for path in built.paths if path.startswith("files/")}
    assert names == {"talk.key", "LICENSE", "id_rsa.pub"}


def test_files_in_well_known_are_published(site: Make) -> None:
    built = site(
        "-- content/.well-known/security.txt --\nContact: mailto:a@example.edu\n"
        "-- content/.well-known/did.json --\n{}\n-- content/.well-known/terms.md --\nWords.\n"
    ).build()
    assert built.codes == []
    assert {path for path in built.paths if path.startswith(".well-known/")} == {
        ".well-known/security.txt", ".well-known/did.json", ".well-known/terms.md",
    }  # fmt: skip


@pytest.mark.parametrize(
    "path", ["/.tenure", "/.", "/./", "/.git/", "/talks/.git/", "/..", "/a/../b/", "/%00/"]
)
def test_s07_a_path_cannot_name_a_hidden_file(site: Make, path: str) -> None:
    for settings in (
        f"redirects: {{'{path}': /talks/}}\n",
        f"pages: [home, {{path: '{path}', sections: [talks]}}]\n",
    ):
        sources = site(
            f"-- site.yaml --\n{settings}-- content/talks.yaml --\n- {{title: A talk, date: 2024}}\n"
        )
        built = sources.build()
        assert "bad-path" in built.codes, settings
        assert not any("/." in f"/{name}" for name in built.paths if name != ".nojekyll")


def test_a_redirect_from_well_known_is_written(site: Make) -> None:
    redirects = "redirects: {/.well-known/webfinger/: 'https://social.example/.well-known/webfinger'}\n"
    built = site(f"-- site.yaml --\n{redirects}").build()
    assert (built.codes, ".well-known/webfinger/index.html" in built.paths) == ([], True)
