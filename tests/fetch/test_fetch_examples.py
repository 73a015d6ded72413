"""`fetch` on each example proposes changes, writes them, and then reports none; killed calls lose nothing."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import people
import pytest
import yaml
from conftest import ROOT, Sources, run_in
from loopback import Reply, Services

EXAMPLES = sorted(
    path.name for path in (ROOT / "examples").iterdir() if (path / "content/profile.yaml").is_file()
)
SEED = 18
KILLS = 8


def copy_example(name: str, folder: Path, services: Services) -> Path:
    """Copy an example and add a DOI, a mirrored file and counts as sources of `fetch`; no service has its papers."""
    root = folder / name
    shutil.copytree(
        ROOT / "examples" / name, root, ignore=shutil.ignore_patterns("output", ".cache", "*.pdf")
    )
    profile = yaml.safe_load((root / "content/profile.yaml").read_text(encoding="utf-8"))
    name_or_translations = profile["name"]
    owner = (
        name_or_translations
        if isinstance(name_or_translations, str)
        else next(iter(name_or_translations.values()))
    )
    given, _, family = owner.rpartition(" ")
    title = "A publication that no example has"
    item = people.create_item("10.5555/fresh", title, people.create_author(given or "The", family))
    services.add_person(people.create_record(people.ADA, "Ada", "Example"), {"10.5555/fresh": item})
    services.replies["/mirror"] = Reply(
        f"@misc{{mirrored, title = {{Mirrored from a library}}, author = {{{owner}}}, year = {{2024}}}}\n".encode(),
        media_type="text/x-bibtex",
    )
    services.replies["/openalex/works/doi:10.5555/fresh"] = Reply(
        {"cited_by_count": 3, "counts_by_year": [{"year": 2025, "cited_by_count": 3}], "authorships": []}
    )
    settings = root / "site.yaml"
    old = settings.read_text(encoding="utf-8") if settings.exists() else ""
    fetch = f"fetch: {{dois: [10.5555/fresh], bib: {{library.bib: '{services.home}/mirror'}}, counts: openalex}}\n"
    settings.write_text(f"{old}\n{fetch}", encoding="utf-8")
    return root


def read_sources(root: Path) -> dict[str, bytes]:
    """Return every file of a site except its cache."""
    paths = (path for path in root.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_completed_once(
    services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    root = copy_example(name, tmp_path, services)
    before, errors = read_sources(root), Sources(root).build().build.has_errors
    assert run_in(tmp_path, "fetch", "--site", name) == 0
    proposal = capsys.readouterr().out
    assert "+  title = {A publication that no example has}," in proposal
    assert f"fetch --site {name} --write" in proposal
    assert read_sources(root) == before
    assert run_in(tmp_path, "fetch", "--site", name, "--write") == 0
    after = read_sources(root)
    written = {"bib/dois.bib", "bib/library.bib", "content/counts.yaml"}
    assert after.keys() - before.keys() == {*written, "fetch-report.md"}
    assert {file: after[file] for file in before} == before
    capsys.readouterr()
    assert run_in(tmp_path, "fetch", "--site", name, "--write") == 0
    assert capsys.readouterr().out == "The services know nothing new.\n"
    assert {file: read_sources(root)[file] for file in written} == {file: after[file] for file in written}
    assert Sources(root).build().build.has_errors == errors


def test_calls_that_are_killed_at_any_moment_leave_old_or_new_files(
    services: Services, tmp_path: Path
) -> None:
    root = copy_example(EXAMPLES[0], tmp_path, services)
    before = read_sources(root)
    command = [sys.executable, "-m", "tenure", "fetch", "--site", root.name, "--write"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def start_command() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)

    begin = time.monotonic()
    assert start_command().wait() == 0
    duration, after = time.monotonic() - begin, read_sources(root)
    source, killed = random.Random(SEED), 0
    for _ in range(KILLS):
        for file in after.keys() - before.keys():
            (root / file).unlink(missing_ok=True)
        shutil.rmtree(root / ".cache", ignore_errors=True)
        process = start_command()
        time.sleep(source.uniform(0.5, 1.0) * duration)
        process.kill()
        killed += process.wait() < 0
        left = {file: body for file, body in read_sources(root).items() if not file.endswith(".new")}
        assert {file: left[file] for file in before} == before
        assert all(after[file] == body for file, body in left.items() if file in after)
        assert start_command().wait() == 0
        assert {
            file: read_sources(root)[file] for file in after if file.startswith(("bib/", "content/"))
        } == {file: body for file, body in after.items() if file.startswith(("bib/", "content/"))}
    assert killed
