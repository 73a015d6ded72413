"""
Tenure's promises, R1 to R16 and S1 to S18, as docs/content/pages/promises.md lists them.

Most are cases whose titles begin with the number of the promise: tests/cases/hostile.txt and promises.txt, and the
transcripts in this folder. Those that need several processes, other clocks or bytes are tests here and elsewhere.
"""

import contextlib
import html
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import html5lib
import pytest
from conftest import ROOT, Capture, Make, Patch, read_folder, run_in, write_files
from sample_images import create_exif, draw_picture, encode_image

import tenure.__main__
from tenure import publish
from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

EXAMPLE = ROOT / "examples" / "systems-phd-2026"
SITE = """-- content/profile.yaml --
name: Ada Example
-- content/about.md --
Hello.
-- content/talks.yaml --
- {title: A talk, date: 2024, slides: files/slides.pdf}
-- content/files/slides.pdf --
%PDF-1.4
-- content/posts/one.md --
---
title: One
date: 2024
---
Words.
"""
OTHER_TESTS = {
    "R1": "test_a_publication_that_is_killed_at_any_step_is_repaired_by_the_next",
    "S6": "test_twice_the_text_is_twice_the_work",
    "S8": "a_browser_runs_the_scripts_of_the_site_and_no_others",
    "S9": "no_other_host_learns_of_a_visit",
}
"""The tests of promises whose names have no number, because they hold more than the promise."""


def test_every_promise_has_a_sentence_and_a_test() -> None:
    page = (ROOT / "docs/content/pages/promises.md").read_text("utf-8")
    rows = re.findall(r"^\| ([RS]\d+) \| ([^|]+) \|$", page, re.MULTILINE)
    files = [path for path in (ROOT / "tests").rglob("*.*") if path.suffix in (".py", ".txt")]
    text = "\n".join(path.read_text("utf-8") for path in files)
    tests = {*re.findall(r"^def (\w+)", text, re.MULTILINE)}
    titles = re.findall(r"^=== (?:\[\w+\] )*(.+)", text, re.MULTILINE)
    numbers = {number for title in titles for number in re.findall(r"\b[RS]\d+\b", title)}
    named = [match for name in tests if (match := re.match(r"test_([rs])(\d\d)_", name))]
    numbers |= {f"{match[1].upper()}{int(match[2])}" for match in named}
    assert set(OTHER_TESTS.values()) <= tests
    assert [number for number, _ in rows] == [
        *(f"R{n}" for n in range(1, 17)),
        *(f"S{n}" for n in range(1, 19)),
    ]
    assert {number for number, _ in rows} == numbers | set(OTHER_TESTS)
    assert [number for number, promise in rows if not promise.strip().endswith(".")] == []


def start_build(folder: Path, *arguments: str, **variables: str) -> "subprocess.Popen[bytes]":
    """Build in a process of its own, with other environment variables."""
    command, pipe = [sys.executable, "-m", "tenure", "build", *arguments], subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe)


def check_next_build(root: Path, tmp_path: Path) -> None:
    """The next build of a site leaves what a first one leaves."""
    assert run_in(root) == 0
    publish_artifacts(build_site(root).artifacts, tmp_path / "clean")
    assert read_folder(root / "output") == read_folder(tmp_path / "clean")


@pytest.mark.parametrize(
    "variables",
    [
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"TZ": "America/Anchorage", "PYTHONHASHSEED": "2", "PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    ],
    ids=["Turkish", "POSIX"],
)
def test_r05_same_bytes_whatever_the_environment(tmp_path: Path, variables: dict[str, str]) -> None:
    """The time zone, language, hash seed, folder, current folder and file times differ."""
    copy, ignored = tmp_path / "elsewhere" / "site", shutil.ignore_patterns("output", ".cache")
    shutil.copytree(EXAMPLE, copy, ignore=ignored, copy_function=shutil.copyfile)
    process = start_build(tmp_path, "--site", str(copy), "--output", str(tmp_path / "out"), **variables)
    assert (process.communicate()[1], process.returncode) == (b"", 0)
    publish_artifacts(build_site(EXAMPLE, store=CacheStore()).artifacts, tmp_path / "here")
    assert read_folder(tmp_path / "out") == read_folder(tmp_path / "here")


def test_r05_same_bytes_whatever_the_order_of_files(site: Make, monkeypatch: Patch) -> None:
    sources, walk = site(SITE), os.walk
    expected = sources.build().files

    def walk_backwards(*arguments: Any, **options: Any) -> Iterator[tuple[str, list[str], list[str]]]:
        for base, folders, files in walk(*arguments, **options):
            folders.reverse()
            yield base, folders, files[::-1]

    monkeypatch.setattr(os, "walk", walk_backwards)
    assert sources.build().files == expected


FILE_NAMES = 'a b.pdf | ü.pdf | a#b.pdf | a?b.pdf | Talk: one.pdf | a%20b.pdf | a&b.pdf | 100 %.pdf | 王.pdf | O\'Brien.pdf | A "final".pdf'


def test_r07_a_file_of_any_name_is_linked(site: Make) -> None:
    """The whole name counts before it is read as a URL; in a URL, a percent sign and two digits are one character."""
    names = FILE_NAMES.split(" | ")
    written = [quote(name) if re.search(r"%\d", name) else name for name in names]
    talks = "".join(f"- {{title: A talk, date: 2024, slides: {json.dumps(name)}}}\n" for name in written)
    sources = site(f"-- content/talks.yaml --\n{talks}")
    for name in names:
        (sources.root / "content" / name).write_bytes(b"%PDF-1.4")
    built = sources.build()
    assert built.problems == []
    urls = [html.unescape(url) for url in re.findall(r'href="([^"]*)"', built.read_page("/talks/"))]
    linked = {unquote(url) for url in urls if "#" not in url and "?" not in url}
    assert [name for name in names if name not in built.paths or f"../{name}" not in linked] == []


def test_r08_a_full_disk_keeps_the_old_site(site: Make, capsys: Capture, monkeypatch: Patch) -> None:
    root = site(SITE).root
    assert run_in(root) == 0
    published = read_folder(root / "output")
    write_files(root, "-- content/about.md --\nOther words.\n")

    def refuse_replacement(_: object, target: object) -> None:
        raise OSError(28, "No space left on device", str(target))

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse_replacement)
        assert run_in(root) == 2
    assert "cannot read or write" in capsys.readouterr().err
    assert read_folder(root / "output") == published
    assert run_in(root) == 0
    assert b"Other words." in (root / "output/index.html").read_bytes()


def test_r09_two_builds_at_once_leave_what_one_build_leaves(site: Make, tmp_path: Path) -> None:
    root = site(SITE).root
    processes = [start_build(root), start_build(root)]
    outputs = [process.communicate(timeout=300) for process in processes]
    assert not any(b"Traceback" in errors for _, errors in outputs)
    check_next_build(root, tmp_path)


def test_r09_two_builds_without_a_lock_are_completed_by_the_next(
    site: Make, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Windows and some network disks cannot lock a folder."""
    monkeypatch.setattr(publish, "lock_folder", lambda _: contextlib.nullcontext())
    root = site(SITE).root
    assert run_in(root) == 0
    for title in ("Second", "Third", "Fourth"):
        post = f"-- content/posts/{title}.md --\n---\ntitle: {title}\n---\nA.\n"
        write_files(root, f"-- content/about.md --\n{title} words.\n{post}")
        processes = [multiprocessing.get_context("fork").Process(target=run_in, args=(root,)) for _ in "ab"]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
    check_next_build(root, tmp_path)


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.4])
def test_r10_after_an_interrupted_build_the_next_is_clean(site: Make, tmp_path: Path, seconds: float) -> None:
    root = site(SITE).root
    assert run_in(root) == 0
    write_files(root, "-- content/about.md --\nOther words.\n")
    process = start_build(root)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    pages = [body for name, body in read_folder(root / "output").items() if name.endswith(".html")]
    assert all(body.rstrip().endswith(b"</html>") for body in pages)
    check_next_build(root, tmp_path)


def test_r10_an_interruption_before_the_command_runs_prints_no_traceback(monkeypatch: Patch) -> None:
    def interrupt_build(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(tenure.__main__, "replay_if_unchanged", interrupt_build)
    with pytest.raises(SystemExit) as end:
        tenure.__main__.main()
    assert end.value.code == 130


@pytest.mark.scheduled
def test_r12_two_thousand_posts_have_their_pages(site: Make) -> None:
    front_matter = "-- content/posts/p{0}.md --\n---\ntitle: Post {0}\ndate: {1}\n---\nA.\n"
    built = site("".join(front_matter.format(n, 2000 + n % 25) for n in range(2000))).build()
    assert built.problems == []
    assert sum(path.startswith("posts/p") for path in built.paths) == 2000


LINKS = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "&#106;avascript:alert(1)", "java\tscript:alert(1)", "vbscript:x"),
    *("data:text/html,<script>alert(1)</script>", "javascript&colon;alert(1)", "\x01javascript:alert(1)", "file:///etc/passwd"),
]  # fmt: skip
LINK_FORMS = ("[x]({0})", "[x](<{0}>)", "[x][{1}]\n\n[{1}]: {0}", "<a href='{2}'>x</a>")


def test_s03_a_link_of_markdown_that_runs_code_is_an_error(site: Make) -> None:
    """Each form of each link is on a page of its own."""
    texts = [form.format(url, 1, html.escape(url)) for url in LINKS for form in LINK_FORMS]
    page = "-- content/pages/p{}.md --\n---\ntitle: P\n---\n{}\n"
    built = site("".join(map(page.format, range(len(texts)), texts))).build()
    reported = {problem.place.file for problem in built.build.problems if problem.code == "bad-address"}
    unreported = [
        text
        for number, text in enumerate(texts)
        for link in html5lib.parse(built.read_page(f"/p{number}/"), namespaceHTMLElements=False).iter("a")
        if re.match(
            r"[\x00-\x20]*(?i:javascript|vbscript|data|file)\s*:",
            re.sub(r"[\t\n\r]", "", link.get("href", "")),
        )
        and f"content/pages/p{number}.md" not in reported
    ]
    assert unreported == []
    assert len(reported) > len(LINKS)


EMAIL = "ada@secret.example.edu"
ADDRESSES = f"""-- site.yaml --
url: https://ada.example.edu/
search: true
footer: Write to {EMAIL}.
pages: [home, publications, talks, people, posts, referees, cv]
-- content/profile.yaml --
name: Ada Example
email: {EMAIL}
tagline: Ask {EMAIL}
links: {{email: {EMAIL}}}
-- content/about.md --
<{EMAIL}>, {EMAIL}, [write](mailto:{EMAIL}?subject=Hello), `{EMAIL}`

<abbr title="{EMAIL}">A</abbr>
<script type="application/json">["{EMAIL}"]</script>
-- content/talks.yaml --
- {{title: Talk of {EMAIL}, place: Hall of {EMAIL}, date: 2024, links: {{mail: 'mailto:{EMAIL}'}}}}
-- content/people.yaml --
- {{name: Bob, email: {EMAIL}, page: true, text: I am {EMAIL}.}}
-- content/referees.yaml --
- {{title: Carol, email: {EMAIL}, note: By {EMAIL}}}
-- content/posts/one.md --
---
title: Post of {EMAIL}
date: 2024
---
Words of {EMAIL}.
-- bib/papers.bib --
@misc{{one, title = {{Paper of {EMAIL}}}, author = {{Example, Ada}}, year = 2024,
  abstract = {{Ask {EMAIL}.}}, note = {{By {EMAIL}}}, howpublished = {{At {EMAIL}}}}}
-- themes/mine/theme.yaml --
extends: classic
-- themes/mine/pages/home.html --
{{% extends "base/pages/home.html" %}}
{{% block opening %}}
<p title="{{{{ site.profile.email[0] }}}}">{{{{ site.profile.email[0] }}}}</p>
<script type="application/json">{{{{ site.profile.email[0]|json }}}}</script>
{{% endblock %}}
"""


@pytest.mark.parametrize("theme", ["folio", "classic", "margin", "plate", "stage", "mine"])
def test_s10_no_page_and_no_script_holds_an_email_address(site: Make, theme: str) -> None:
    built = site(ADDRESSES).build(theme=theme)
    assert built.problems == []
    texts = {path: body.decode() for path, body in built.files.items() if path.endswith((".html", ".js"))}
    assert [path for path, text in texts.items() if "a@secret" in text.casefold()] == []
    for path in ("", "talks/", "people/", "people/bob/", "referees/", "posts/one/", "publications/one/"):
        assert html.unescape(texts[f"{path}index.html"]).count(EMAIL) > 1, path
    scripts = re.findall(r"<script type=\"application/\S*json\">(.*?)</script>", texts["index.html"])
    assert any(json.loads(script) in ([EMAIL], EMAIL) for script in scripts)


def test_s10_the_cv_and_its_data_show_the_address_of_the_profile(site: Make) -> None:
    sources = f"-- content/profile.yaml --\nname: Ada\nemail: {EMAIL}\n-- content/talks.yaml --\n- A talk\n"
    published = {a.path for a in site(sources).build(pdf=True).build.artifacts if EMAIL.encode() in a.read()}
    assert {"cv.txt"} <= published <= {"cv.pdf", "cv.txt", "resume.json"}


def test_s11_images_are_published_without_place_and_camera(site: Make) -> None:
    sources, kinds = site("-- content/about.md --\nHello.\n"), ("JPEG", "PNG", "WEBP")
    for kind in kinds:
        picture = encode_image(draw_picture(), kind, exif=create_exif())
        assert b"Tenure Camera" in picture
        (sources.root / f"content/photo.{kind.lower()}").write_bytes(picture)
    published = sources.build().files
    photos = {path: body for path, body in published.items() if path.startswith("photo.")}
    assert len(photos) == 3
    assert [path for path, body in photos.items() if re.search(b"Tenure Camera|Exif", body)] == []


LEFTOVERS = """.env | .DS_Store | ._photo.jpg | .htpasswd | #notes# | .#notes | notes~ | notes.txt~ | .notes.swp | notes.swp | notes.swo
    | 4913 | notes.tmp | notes.bak | notes.orig | notes.rej | notes.save | ~$cv.docx | Thumbs.db | thumbs.db | ehthumbs.db | desktop.ini
    | Desktop.ini | cv.pdf.part | cv.crdownload | id_rsa | id_ed25519 | server.pem | server.key | secrets.env | cv.pdf:Zone.Identifier
    | cv.pdf.old | cv (conflicted copy).md | cv (Ada's conflicted copy 2026-01-02).yaml | cv.sync-conflict-20260102-030405-ABC.md
    | cv.md.goutputstream-X1Y2 | cv.aux | cv.log | cv.synctex.gz | cv.out | cv.toc | cv.bbl | cv.blg | cv.fls | cv.fdb_latexmk
    | __MACOSX/cv.pdf | __pycache__/x.pyc | .git/config | .well-known/.secret"""


def test_s13_leftovers_of_editors_and_systems_are_not_published(site: Make) -> None:
    sources = site("-- content/files/cv.pdf --\n%PDF-1.4\n")
    for name in (*map(str.strip, LEFTOVERS.split("|")), "Icon\r"):
        for folder in ("content", "content/files"):
            path = sources.root / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("secret", "utf-8")
    built = sources.build()
    assert built.codes == []
    assert [a.path for a in built.build.artifacts if b"secret" in a.read()] == []
    assert "files/cv.pdf" in built.paths
