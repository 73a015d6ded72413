"""`fetch` proposes changes, writes them, and then reports none; it reports what it cannot decide."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, Capture, Patch, Sources, read_folder, run_in, run_process, write_files
from loopback import Reply, Services
from people import ADA, create_author, create_item, create_record, create_work

from tenure.cli import source_changes

Json = Any
ME = create_author("Ada", "Example", ADA)
OLD = """\
@article{old, title = {A paper that the site knows}, author = {Example, Ada}, journal = {J}, volume = {1}, year = {2019}, doi = {10.5555/OLD}}
"""
BIBTEX, TYPED = "text/x-bibtex", "@misc{typed, title={T}}"


def make_site(folder: Path, fetch: str, bib: str = OLD) -> Path:
    """Write a site with one paper and the given sources of `fetch`; return its folder."""
    write_files(
        folder / "me",
        f"-- content/profile.yaml --\nname: Ada Example\nemail: ada@example.edu\n-- bib/papers.bib --\n{bib}"
        f"-- site.yaml --\nschema: 1\nfetch: {fetch}\n",
    )
    return folder / "me"


def add_record(services: Services, *works: Json, items: Json = None) -> None:
    """Add an ORCID record with these works; Crossref has no metadata."""
    services.add_person(create_record(ADA, "Ada", "Example", *works), items or {})


def known_work(doi: str = "10.5555/old", title: str = "A paper that the site knows") -> Json:
    return create_work(1, title, doi=doi)


def test_changes_are_proposed_then_written_once(services: Services, tmp_path: Path, capsys: Capture) -> None:
    root = make_site(tmp_path, f"{{orcid: {ADA}}}")
    new = create_item("10.5555/new", "A paper that is new to the site", ME)
    works = known_work(), create_work(2, "New", doi="10.5555/new")
    add_record(services, *works, items={"10.5555/new": new})
    before = read_folder(root)
    assert run_in(tmp_path, "fetch", "--site", "me") == 0
    proposal = capsys.readouterr().out
    assert "+  title = {A paper that is new to the site}," in proposal
    assert "fetch --site me --write" in proposal
    assert read_folder(root) == before
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    after = read_folder(root)
    assert after.keys() - before.keys() == {"bib/orcid.bib", "fetch-report.md"}
    assert after["bib/papers.bib"] == before["bib/papers.bib"]
    assert services.counts["/doi/10.5555/new"] == 1
    assert "A paper that is new to the site" in after["fetch-report.md"].decode()
    capsys.readouterr()
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    assert capsys.readouterr().out == "The services know nothing new.\n"
    assert read_folder(root).keys() == after.keys() - {"fetch-report.md"}
    assert len(Sources(root).build().site.publications) == 2
    assert services.headers["/doi/10.5555/new"]["User-Agent"].endswith("mailto:ada@example.edu)")


def test_new_works_are_appended_after_entries_the_owner_changed(services: Services, tmp_path: Path) -> None:
    root = make_site(tmp_path, f"{{orcid: {ADA}}}")
    own = '% mine\r\n@string{j = "Journal"}\r\n@article{example2020things, title = {Mine with a long title}, author = {Example, Ada}, journal = j}'
    (root / "bib/orcid.bib").write_bytes(own.encode())
    new = create_item("10.5555/new", "New things", ME)
    add_record(services, create_work(2, "New", doi="10.5555/new"), items={"10.5555/new": new})
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    text = (root / "bib/orcid.bib").read_bytes().decode()
    assert text.startswith(own)
    assert "\r\n\r\n@article{example2020things-2,\r\n" in text
    assert not re.search(r"(?<!\r)\n", text)


@pytest.mark.parametrize(
    ("bib", "work"),
    [
        (OLD, create_work(1, "Another title", doi="10.5555/old")),
        ("@misc{a, title={T}, eprint={2405.01234v2}, archiveprefix={arXiv}}", create_work(1, "X", arxiv="2405.01234")),
        ("@misc{a, title={T}, eprint={2405.01234}, archiveprefix={arXiv}}", create_work(1, "X", doi="10.48550/arXiv.2405.01234")),
        ("@book{a, title={Das große Buch der Weber}, author={Example, Ada}}", create_work(1, "Das Große Buch der Weber", kind="book")),
        ("@article{a, title={A title long enough to compare}, author={Example, Ada}, doi={10.5555/x}}", create_work(1, "A title long enough to compare", doi="10.5555/n")),
    ],
    ids=["DOI", "arXiv", "DOI of arXiv", "title", "title and author"],
)  # fmt: skip
def test_known_works_are_not_added_again(services: Services, tmp_path: Path, bib: str, work: Json) -> None:
    root = make_site(tmp_path, f"{{orcid: {ADA}}}", "")
    write_files(root, f"-- bib/other/list.bib --\n{bib}")
    add_record(
        services, work, items={"10.5555/n": create_item("10.5555/n", "A title long enough to compare", ME)}
    )
    before = {name for name in read_folder(root) if name.startswith("bib/")}
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    assert {name for name in read_folder(root) if name.startswith("bib/")} == before


def test_findings_of_crossref_are_only_reported(services: Services, tmp_path: Path, capsys: Capture) -> None:
    bib = """\
@misc{pre, title = {A preprint about looms}, author = {Example, Ada}, howpublished = {bioRxiv}, year = {2022}, doi = {10.1101/1}}
@article{gone, title = {Wrong results}, author = {Example, Ada}, journal = {J}, volume = {2}, year = {2018}, doi = {10.5555/gone}}
@article{fine, title = {Nothing to say}, author = {Example, Ada}, journal = {J}, year = {2017}, volume = {9}, doi = {10.5555/fine}}
"""
    root = make_site(tmp_path, f"{{orcid: {ADA}}}", bib)
    works = [
        create_work(i, t, doi=d)
        for i, (t, d) in enumerate([("p", "10.1101/1"), ("g", "10.5555/gone"), ("f", "10.5555/fine")])
    ]
    add_record(services, *works)
    services.replies["/doi/10.5555/pub"] = Reply(create_item("10.5555/pub", "Looms, published", ME))
    messages = {
        "10.1101/1": {"relation": {"is-preprint-of": [{"id-type": "doi", "id": "10.5555/pub"}]}},
        "10.5555/gone": {"updated-by": [{"type": "retraction", "DOI": "10.5555/notice"}, {"type": "correction", "DOI": "10.5555/c"}]},
        "10.5555/fine": {"volume": "10", "issued": {"date-parts": [[2016, 12]]}, "published-print": {"date-parts": [[2017]]}},
    }  # fmt: skip
    for doi, message in messages.items():
        services.replies[f"/crossref/works/{doi}"] = Reply({"status": "ok", "message": message})
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    report = (root / "fetch-report.md").read_text("utf-8")
    found = re.findall(r"^- `(\w+)` \(([\w-]+)\)", report, re.MULTILINE)
    assert found == [("pre", "now-published"), ("gone", "retracted")]
    assert "“Looms, published” (10.5555/pub)" in report
    assert "https://doi.org/10.5555/notice" in report
    assert {name for name in read_folder(root) if name.startswith("bib/")} == {"bib/papers.bib"}
    assert len(Sources(root).build().site.publications) == 3
    write_files(root, f"-- site.yaml --\nfetch: {{orcid: {ADA}, without: [10.1101/1, GONE]}}\n")
    capsys.readouterr()
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    assert capsys.readouterr().out == "The services know nothing new.\n"


def test_the_published_version_of_a_known_preprint_is_offered(services: Services, tmp_path: Path) -> None:
    bib = "@misc{pre, title = {Looms and their threads}, author = {Example, Ada}, year = {2020}, eprint = {2001.00001}, archiveprefix = {arXiv}}\n"
    root = make_site(tmp_path, f"{{orcid: {ADA}}}", bib)
    item = create_item("10.5555/pub", "Looms and Their Threads", ME, more={"container-title": "J"})
    add_record(services, create_work(1, "Looms", doi="10.5555/pub"), items={"10.5555/pub": item})
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    report = (root / "fetch-report.md").read_text("utf-8")
    assert "`pre` (now-published)" in report
    assert not (root / "bib/orcid.bib").exists()
    entry = "\n".join(line[6:] for line in report.splitlines() if line.startswith("      "))
    (root / "bib/papers.bib").write_text(bib + entry, "utf-8")
    assert len(Sources(root).build().site.publications) == 1


def test_a_work_without_the_owner_among_its_authors_is_reported(services: Services, tmp_path: Path) -> None:
    wiley = "10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1"
    root = make_site(tmp_path, f"{{dois: [10.5555/other, '{wiley}']}}")
    other = create_author("Eve", "Other")
    services.replies["/doi/10.5555/other"] = Reply(create_item("10.5555/other", "Not by the owner", other))
    more: Json = {"kind": "book", "more": {"editor": [ME]}}
    services.replies[f"/doi/{wiley}"] = Reply(create_item(wiley, "Edited by the owner", other, **more))
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    report = (root / "fetch-report.md").read_text("utf-8")
    assert report.count("(not-mine)") == 1
    assert "without: [10.5555/other]" in report
    assert re.findall("doi = {(.*)}", (root / "bib/dois.bib").read_text("utf-8")) == ["10.5555/other", wiley]


def test_members_give_their_new_publications_once(services: Services, tmp_path: Path) -> None:
    home = services.home
    root = make_site(tmp_path, f"{{members: {{bea: '{home}/bea/', cy: '{home}/cy/list.bib'}}}}")
    shared = '@article{old, title = "Shared by two members", author = "Healer, Bea and Fabric, Cy", journal = jj, year = 2021, month = mar}\n'
    body = f'@string{{jj = "The Journal"}}\n{shared}{OLD}'.encode()
    services.replies["/bea/publications.bib"] = Reply(body, media_type=BIBTEX)
    services.replies["/cy/list.bib"] = Reply(shared.replace("jj", "{J}").encode(), media_type="text/plain")
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    text = (root / "bib/members.bib").read_text("utf-8")
    assert text.count("@article") == 1
    assert "@article{old-2," in text
    assert "journal = {The Journal}" in text
    built = Sources(root).build()
    assert len(built.site.publications) == 2
    assert built.codes == []


GOOD = b"@misc{a, title={x}}"
BAD = [
    *(Reply(body, media_type=BIBTEX) for body in (b"no entry", b"", GOOD + b"\0", b"@misc{a, title={\xff}}")),
    *(Reply(GOOD, status, media_type=BIBTEX) for status in (404, 500)),
    *(Reply(GOOD, media_type=BIBTEX, promised=900), Reply(b"<html>@misc{a}</html>", media_type="text/html")),
]


@pytest.mark.parametrize("reply", BAD)
def test_a_bad_answer_is_refused(services: Services, tmp_path: Path, capsys: Capture, reply: Reply) -> None:
    root = make_site(tmp_path, f"{{members: {{ann: '{services.home}/a.bib'}}}}")
    services.replies["/a.bib"] = reply
    before = read_folder(root)
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 1
    assert "the publications of ann are not added" in capsys.readouterr().out
    assert {n: b for n, b in read_folder(root).items() if n != "fetch-report.md"} == before


def test_a_link_out_of_the_site_is_not_followed(services: Services, tmp_path: Path) -> None:
    root = make_site(tmp_path, f"{{members: {{ann: '{services.home}/a.bib'}}}}")
    services.replies["/a.bib"] = Reply(GOOD, media_type=BIBTEX)
    (tmp_path / "other.bib").write_text("@misc{o, title={Other}}", "utf-8")
    (root / "bib/members.bib").symlink_to(tmp_path / "other.bib")
    run_in(tmp_path, "fetch", "--site", "me", "--write")
    assert (tmp_path / "other.bib").read_text() == "@misc{o, title={Other}}"


def test_a_site_without_sources_or_with_errors_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    make_site(tmp_path, "{}")
    assert run_in(tmp_path, "fetch", "--site", "me") == 2
    assert "names no source" in capsys.readouterr().err
    make_site(tmp_path, "{orcid: 0000-0002-1825-0098}")
    assert run_in(tmp_path, "fetch", "--site", "me") == 1
    assert "its last character does not fit the others" in capsys.readouterr().err


def test_a_file_that_changes_meanwhile_stays(services: Services, tmp_path: Path, monkeypatch: Patch) -> None:
    root = make_site(tmp_path, f"{{orcid: {ADA}}}")
    items = {"10.5555/n": create_item("10.5555/n", "New", ME)}
    add_record(services, create_work(2, "New", doi="10.5555/n"), items=items)
    file = root / "bib/orcid.bib"
    show = source_changes.show_changes
    monkeypatch.setattr("tenure.cli.fetch.show_changes", lambda *a: (show(*a), file.write_text(TYPED)))
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 2
    assert file.read_text() == TYPED


def test_a_killed_call_leaves_whole_files_and_the_next_goes_on(services: Services, tmp_path: Path) -> None:
    root = make_site(tmp_path, f"{{orcid: {ADA}}}")
    items = {
        f"10.5555/{i}": create_item(f"10.5555/{i}", f"The title of the paper number {i}", ME)
        for i in range(30)
    }
    add_record(services, *[create_work(i, f"W{i}", doi=f"10.5555/{i}") for i in range(30)], items=items)
    normal = dict(services.replies)
    for doi, item in items.items():
        services.replies[f"/doi/{doi}"] = Reply(item, delay=0.02)
    before = read_folder(root)
    command = [sys.executable, "-m", "tenure", "fetch", "--site", "me", "--write"]
    process = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    for _ in range(1000):
        if services.counts["/doi/10.5555/25"]:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert read_folder(root) == before
    services.replies.update(normal)
    count = services.counts.total()
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    assert (root / "bib/orcid.bib").read_text("utf-8").count("@article") == 30
    assert services.counts.total() - count < 16


GH = (ROOT / "tests/harness/gh.txt").read_text("utf-8")
"""A replacement for the program `gh`: it has open and closed pull requests, and logs each call."""


def run_workflow(folder: Path, remote: Path, services: Services) -> None:
    """Run the commands of update.yml unchanged in a fresh clone, with a minimal environment."""
    flow = yaml.safe_load((ROOT / "tenure/starter/workflows/update.yml").read_text("utf-8"))
    shutil.rmtree(folder / "clone", ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", remote, folder / "clone"], check=True)
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    (tools / "gh").write_text(GH.format(python=sys.executable, home=str(folder)), "utf-8")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    for step in flow["jobs"]["links"]["steps"] + flow["jobs"]["fetch"]["steps"]:
        if "run" in step and not step["run"].startswith("pip install"):
            environment = {
                **services.list_variables(),
                "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin",
                "HOME": str(folder),
                "RUNNER_TEMP": str(folder),
                "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
                "GITHUB_OUTPUT": str(folder / "output"),
                "REMOTE": str(remote),
            }
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
            result = run_process(*command, folder=folder / "clone", variables=environment)
            assert result.returncode == 0, f"{step['run']}\n{result.stdout}{result.stderr}"


@pytest.mark.scheduled
def test_the_weekly_workflow_opens_one_pull_request_with_a_report(services: Services, tmp_path: Path) -> None:
    dead = f"url = {{{services.home}/gone}}, author = {{Example, Ada}}, year = {{2020}}"
    root = make_site(
        tmp_path, f"{{orcid: {ADA}}}", f"{OLD}@misc{{m, title = {{A page with a link}}, {dead}}}\n"
    )
    services.replies["/gone"] = Reply(b"", 410)
    build = "from tenure.cli.app import main\nraise SystemExit(main())\n"
    write_files(root, f"-- build.py --\n{build}-- .gitignore --\n.cache/\n")
    items = {"10.5555/n": create_item("10.5555/n", "New things of the year", ME)}
    add_record(services, known_work(), create_work(2, "New", doi="10.5555/n"), items=items)
    message = {"updated-by": [{"type": "retraction", "DOI": "10.5555/notice"}]}
    services.replies["/crossref/works/10.5555/OLD"] = Reply({"message": message})
    (tmp_path / "pulls.json").write_text('{"open": [], "closed": []}', "utf-8")
    remote = tmp_path / "remote.git"
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.edu", "-C", str(root)]
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", remote], check=True)
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "My site"], check=True)
    subprocess.run([*git, "push", "--quiet", remote, "main"], check=True)
    run_workflow(tmp_path, remote, services)
    (text,) = json.loads((tmp_path / "pulls.json").read_text("utf-8"))["open"]
    assert "New things of the year" in text
    assert "`old` (retracted)" in text
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "## Dead links\n\n- bib/papers.bib:" in summary
    assert "/gone is gone: 410\n" in summary
    assert (tmp_path / "output").read_text("utf-8") == "fetches=yes\n"
    changed = run_process("git", "-C", remote, "show", "--stat", "--format=%s", "tenure-update").stdout
    assert re.findall(r"^ (\S+) +\|", changed, re.MULTILINE) == ["bib/orcid.bib"]
    calls = (tmp_path / "gh.log").read_text("utf-8").count("\n")
    run_workflow(tmp_path, remote, services)
    assert (tmp_path / "gh.log").read_text("utf-8").count("\n") == calls + 1
    pulls = {"open": [], "closed": [text]}
    (tmp_path / "pulls.json").write_text(json.dumps(pulls), "utf-8")
    run_workflow(tmp_path, remote, services)
    assert json.loads((tmp_path / "pulls.json").read_text("utf-8")) == pulls
    assert run_process("git", "-C", remote, "log", "--format=%s", "main").stdout == "My site\n"
