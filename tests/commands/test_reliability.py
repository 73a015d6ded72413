"""Tenure's promises about builds, R1 to R14; docs/content/pages/promises.md lists them."""

import contextlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from conftest import ROOT, Sources, run_in, write_files

import tenure.__main__
from tenure import publish
from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

Make = Callable[[str], Sources]
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


def read_folder(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def build_in_process(folder: Path, output: Path, **variables: str) -> None:
    """Build in a process of its own, with other environment variables."""
    result = subprocess.run(
        [sys.executable, "-m", "tenure", "build", "--site", str(folder), "--output", str(output)],
        cwd=output.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def start_build(folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tenure", "build"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_r02_a_deleted_source_has_no_page(site: Make) -> None:
    root = site(SITE).root
    assert run_in(root) == 0
    assert (root / "output/posts/one/index.html").is_file()
    shutil.rmtree(root / "content/posts")
    (root / "content/files/slides.pdf").unlink()
    write_files(root, "-- content/talks.yaml --\n- {title: A talk, date: 2024}\n")
    assert run_in(root) == 0
    assert not (root / "output/posts").exists()
    assert not (root / "output/files").exists()


def test_r03_files_of_the_user_stay_in_the_output_folder(site: Make) -> None:
    root = site(SITE).root
    files = {
        "google1234.html": b"verification", ".htaccess": b"Deny", ".git/config": b"[core]", "posts/own.txt": b"mine",
        "my folder/index.html": b"mine",
    }  # fmt: skip
    assert run_in(root) == 0
    for name, body in files.items():
        path = root / "output" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    shutil.rmtree(root / "content/posts")
    assert run_in(root) == 0
    published = read_folder(root / "output")
    assert {name: published[name] for name in files} == files


def test_r03_a_file_of_the_user_is_not_replaced(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    root = site(SITE).root
    write_files(root, "-- output/index.html --\nmine\n")
    assert run_in(root) == 1
    assert "this file was not written by Tenure" in capsys.readouterr().err
    assert read_folder(root / "output") == {"index.html": b"mine\n"}


@pytest.mark.parametrize(
    "variables",
    [
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"},
        {"TZ": "America/Anchorage", "PYTHONHASHSEED": "2", "LC_ALL": "C"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "3"},
        {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    ],
    ids=lambda variables: " ".join(f"{k}={v}" for k, v in variables.items()),
)
def test_r05_same_bytes_whatever_the_environment(tmp_path: Path, variables: dict[str, str]) -> None:
    """The time zone, language, hash seed, folder, current folder and file times differ."""
    copy = tmp_path / "elsewhere" / "site"
    shutil.copytree(
        EXAMPLE, copy, ignore=shutil.ignore_patterns("output", ".cache"), copy_function=shutil.copyfile
    )
    build_in_process(copy, tmp_path / "out", **variables)
    publish_artifacts(build_site(EXAMPLE, store=CacheStore()).artifacts, tmp_path / "here")
    assert read_folder(tmp_path / "out") == read_folder(tmp_path / "here")


def test_r05_a_rebuild_is_right_after_the_clock_went_backwards(site: Make, tmp_path: Path) -> None:
    """The first build has sources of the year 2100; the edit has an older time and the same length."""
    root = site(SITE).root
    sources = [path for path in (root / "content").rglob("*") if path.is_file()]
    for path in sources:
        os.utime(path, (4_102_444_800, 4_102_444_800))
    assert run_in(root) == 0
    about = root / "content/about.md"
    about.write_text("Howdy.\n", encoding="utf-8")
    for path in sources:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    assert run_in(root) == 0
    assert "Howdy." in (root / "output/index.html").read_text(encoding="utf-8")
    publish_artifacts(build_site(root).artifacts, tmp_path / "clean")
    assert read_folder(root / "output") == read_folder(tmp_path / "clean")


def test_r05_same_bytes_whatever_the_order_of_files(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = site(SITE)
    expected = {artifact.path: artifact.read() for artifact in sources.build().build.artifacts}
    walk = os.walk

    def walk_backwards(*arguments: Any, **options: Any) -> Iterator[tuple[str, list[str], list[str]]]:
        for base, folders, files in walk(*arguments, **options):
            folders.reverse()
            yield base, folders, files[::-1]

    monkeypatch.setattr(os, "walk", walk_backwards)
    assert {artifact.path: artifact.read() for artifact in sources.build().build.artifacts} == expected


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ("-- site.yaml --\nredirects: {/A.html: /talks/, /a.html: /talks/}\n", ("/A.html", "/a.html")),
        ("-- content/files/A.txt --\nx\n-- content/files/a.txt --\ny\n", ("content/files/A.txt", "content/files/a.txt")),
        ("-- content/files/\u00e9.txt --\nx\n-- content/files/e\u0301.txt --\ny\n", ("\u00e9.txt", "e\u0301.txt")),
        ("-- content/talks/index.html --\nx\n", ("content/talks/index.html", "talks")),
    ],
    ids=["redirects", "case", "normalization", "page and file"],
)  # fmt: skip
def test_r06_two_sources_of_one_path_are_an_error_that_names_both(
    site: Make, files: str, names: tuple[str, str]
) -> None:
    built = site(f"{SITE}{files}").build()
    (problem,) = [problem for problem in built.problems if "error" in problem]
    assert all(name in problem for name in names), problem


def test_r06_keys_that_differ_in_case_have_two_pages(site: Make) -> None:
    entry = "@misc{{{}, title = {{Title {}}}, author = {{Example, Ada}}, year = 2024}}\n"
    built = site(f"-- bib/papers.bib --\n{entry.format('A', 'One')}{entry.format('a', 'Two')}").build()
    pages = [path for path in built.paths if path.startswith("publications/") and path.count("/") == 2]
    assert len({path.split("/")[1].casefold() for path in pages}) == 2


@pytest.mark.parametrize(
    "name",
    [
        "a b.pdf",
        "ü.pdf",
        "a#b.pdf",
        "a?b.pdf",
        "a%20b.pdf",
        "a&b.pdf",
        "100 %.pdf",
        "王.pdf",
        "O'Brien.pdf",
        'A "final".pdf',
    ],
)
def test_r07_a_file_of_any_name_is_linked(site: Make, name: str) -> None:
    """A character with a meaning in URLs is percent-encoded in the source, as in a URL."""
    written = quote(name) if re.search(r"[#?]|%\d", name) else name
    sources = site(
        f"-- content/talks.yaml --\n- {{title: A talk, date: 2024, slides: {json.dumps(written)}}}\n"
    )
    (sources.root / "content" / name).write_bytes(b"%PDF-1.4")
    built = sources.build()
    assert built.problems == []
    assert name in built.paths
    urls = [html.unescape(url) for url in re.findall(r'href="([^"]*)"', built.read_page("/talks/"))]
    assert f"../{name}" in [unquote(url) for url in urls if "#" not in url and "?" not in url]


def test_r08_a_folder_that_cannot_be_written_keeps_the_old_site(
    site: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize("target", ["", "output", "site.yaml"])
def test_r08_a_file_or_link_in_place_of_the_output_folder_is_named(
    site: Make, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    root = site(f"{SITE}-- site.yaml --\n").root
    if target:
        (root / "output").symlink_to(target)
    else:
        write_files(root, "-- output --\nmine\n")
    assert run_in(root) == 2
    assert "output: this file is where a folder must be" in capsys.readouterr().err


def test_r09_two_builds_at_once_leave_what_one_build_leaves(site: Make, tmp_path: Path) -> None:
    root = site(SITE).root
    processes = [start_build(root), start_build(root)]
    outputs = [process.communicate(timeout=300) for process in processes]
    assert not any(b"Traceback" in errors for _, errors in outputs)
    assert run_in(root) == 0
    publish_artifacts(build_site(root).artifacts, tmp_path / "clean")
    assert read_folder(root / "output") == read_folder(tmp_path / "clean")


def test_r09_two_builds_without_a_lock_leave_what_the_next_build_completes(
    site: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Windows and some network disks cannot lock a folder."""
    monkeypatch.setattr(publish, "lock_folder", lambda _: contextlib.nullcontext())
    root = site(SITE).root
    assert run_in(root) == 0
    for title in ("Second", "Third", "Fourth"):
        write_files(
            root,
            f"-- content/about.md --\n{title} words.\n-- content/posts/{title}.md --\n---\ntitle: {title}\n---\nA.\n",
        )
        processes = []
        for _ in range(2):
            process = os.fork()
            if not process:
                try:
                    run_in(root)
                finally:
                    os._exit(0)
            processes.append(process)
        for process in processes:
            os.waitpid(process, 0)
    assert run_in(root) == 0
    publish_artifacts(build_site(root).artifacts, tmp_path / "clean")
    assert read_folder(root / "output") == read_folder(tmp_path / "clean")
    capfd.readouterr()


@pytest.mark.parametrize(
    ("texts", "page"),
    [
        ("-- bib/papers.bib --\n@misc{one, title = {One}, year = 2024, abstract = {WORDS}}\n", "/publications/one/"),
        ("-- content/posts/one.md --\n---\ntitle: One\ndate: 2024\n---\nWORDS\n", "/posts/one/"),
    ],
    ids=["abstract", "post"],
)  # fmt: skip
def test_r12_a_text_of_half_a_megabyte_is_shown_whole(site: Make, texts: str, page: str) -> None:
    text = "The value of $x^2$ is large here. " * 15_000
    built = site(texts.replace("WORDS", text)).build()
    assert built.read_words(page).count("is large here") == 15_000


def test_r12_two_thousand_posts_have_their_pages(site: Make) -> None:
    posts = "".join(
        f"-- content/posts/p{n}.md --\n---\ntitle: Post {n}\ndate: {2000 + n % 25}\n---\nA.\n"
        for n in range(2000)
    )
    built = site(posts).build()
    assert built.problems == []
    assert sum(path.startswith("posts/p") for path in built.paths) == 2000


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.4])
def test_r10_after_an_interrupted_build_the_next_one_is_clean(
    site: Make, tmp_path: Path, seconds: float
) -> None:
    root = site(SITE).root
    assert run_in(root) == 0
    write_files(root, "-- content/about.md --\nOther words.\n")
    process = start_build(root)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    pages = [body for name, body in read_folder(root / "output").items() if name.endswith(".html")]
    assert all(body.rstrip().endswith(b"</html>") for body in pages)
    assert run_in(root) == 0
    publish_artifacts(build_site(root).artifacts, tmp_path / "clean")
    assert read_folder(root / "output") == read_folder(tmp_path / "clean")


def test_r10_an_interruption_before_the_command_runs_prints_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt_build(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(tenure.__main__, "replay_if_unchanged", interrupt_build)
    with pytest.raises(SystemExit) as end:
        tenure.__main__.main()
    assert end.value.code == 130


def test_r13_a_broken_bib_entry_is_reported_with_its_line_and_the_others_stay(site: Make) -> None:
    built = site(
        "-- bib/papers.bib --\n@misc{one, title = {One}, author = {Example, Ada}, year = 2024}\n"
        "@misc{two, title = {Two, year = 2024\n\n@misc{three, title = {Three}, author = {Example, Ada}, year = 2024}\n"
    ).build()
    assert built.problems[0].startswith("bib/papers.bib:2:")
    assert {"One", "Three"} <= {paper.title for paper in built.site.publications}


@pytest.mark.parametrize(
    "value",
    ["NO", "yes", "off", "1.10", "12:30:00", "010", "0x1F", "1e3", ".inf", "=", "~5", "2024-13-99", "1_000"],
)
def test_r14_a_value_of_yaml_is_the_text_that_was_written(site: Make, value: str) -> None:
    built = site(f"-- content/talks.yaml --\n- {{title: A talk, place: {value}, date: 2024}}\n").build()
    assert built.codes == []
    assert f"{value}" in built.read_words("/talks/")


def test_r14_a_key_that_is_written_twice_is_an_error_at_its_place(site: Make) -> None:
    built = site("-- content/talks.yaml --\n- title: A talk\n  date: 2024\n  title: Another\n").build()
    assert built.codes == ["yaml-syntax"]
    assert built.problems[0].startswith("content/talks.yaml:3:")


@pytest.mark.parametrize("output", ["/", "~", ".", "..", "content", "bib/web", "themes", "linked", "used"])
def test_r04_a_dangerous_output_folder_is_refused(
    site: Make, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    sources = site(f"{SITE}-- used/notes.txt --\nmine\n-- bib/papers.bib --\n\n")
    (sources.root / "linked").symlink_to(sources.root / "content")
    before = read_folder(sources.root / "content"), sorted(sources.root.iterdir())
    assert run_in(sources.root, "build", "--output", str(Path(output).expanduser())) == 2
    assert re.search("name (?:another|a folder of its own)", capsys.readouterr().err)
    assert before == (read_folder(sources.root / "content"), sorted(sources.root.iterdir()))


def test_r11_a_link_brings_no_file_from_outside_the_site(
    site: Make, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    write_files(outside, "-- id_rsa --\nSECRET\n")
    sources = site(SITE)
    (sources.root / "content/files/key.txt").symlink_to(outside / "id_rsa")
    (sources.root / "content/images").symlink_to(outside)
    (sources.root / "content/loop").symlink_to(sources.root / "content")
    built = sources.build()
    assert set(built.codes) == {"unreadable"}
    assert len(built.codes) == 3
    assert [a.path for a in built.build.artifacts if b"SECRET" in a.read()] == []
