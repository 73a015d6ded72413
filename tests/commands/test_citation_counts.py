"""Citation counts come from OpenAlex with a date, and change only with the counts; tests/cases/counts.txt shows them."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Built, Capture, Patch, Sources, read_site, run_in, write_files
from loopback import Reply, Services

from tenure.cli.app import main
from tenure.model.overlays import Work

Json = Any
COUNTED = read_site("counted")
OLD_FILE = "service: OpenAlex\nday: 2026-03-02\nworks: {10.5555/one: {citations: 12}, two: {citations: 1}}\n"


def make_site(folder: Path, sources: str = COUNTED) -> Path:
    write_files(folder / "me", sources)
    return folder / "me"


def create_openalex_work(total: Json, *authors: tuple[str, str]) -> Json:
    """Return a work in the format of OpenAlex."""
    return {
        "cited_by_count": total,
        "authorships": [
            {"author": {"display_name": name}, "raw_author_name": name, "institutions": [{"display_name": place}] if place else []}
            for name, place in authors
        ],
    }  # fmt: skip


def add_answers(services: Services) -> None:
    services.replies |= {
        "/openalex/works/doi:10.5555/one": Reply(
            create_openalex_work(12, ("Ada Example", "Here"), ("Kai Li", "Old University"))
        ),
        "/openalex/works/doi:10.5555/two": Reply(
            create_openalex_work(1, ("K. Li", "New University"), ("Ada Example", ""))
        ),
        "/openalex/works/doi:10.5555/three": Reply(
            create_openalex_work(0, ("A. García Márquez", "Universidad de Ejemplo"), ("Ada Example", ""))
        ),
    }


def read_works(built: Built) -> tuple[Work, ...]:
    """Return the works of a site that have counts."""
    assert built.site.counts is not None
    return built.site.counts.works


def test_counts_change_with_numbers(
    services: Services, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    root, file = make_site(tmp_path), tmp_path / "me/content/counts.yaml"
    add_answers(services)
    monkeypatch.setenv("OPENALEX_API_KEY", "secret")
    assert run_in(tmp_path, "fetch", "--site", "me") == 0
    proposal = capsys.readouterr().out
    assert "13 citations of 3 publications" in proposal
    assert not file.exists()
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    text = file.read_text("utf-8")
    assert re.search(r"^day: 20\d\d-\d\d-\d\d$", text, re.MULTILINE)
    assert "secret" not in text + proposal + (root / "fetch-report.md").read_text("utf-8")
    assert services.counts["/openalex/works/doi:10.5555/one"] == 1
    capsys.readouterr()
    old_text = re.sub("day: .*", "day: 2026-03-02", text)
    file.write_text(old_text, "utf-8")
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    assert capsys.readouterr().out == "The services know nothing new.\n"
    assert file.read_text("utf-8") == old_text
    built = Sources(root).build()
    assert built.problems == []
    assert [(work.work, work.citations) for work in read_works(built)] == [
        *zip(("10.5555/one", "10.5555/two", "10.5555/three"), (12, 1, 0), strict=True)
    ]


@pytest.mark.parametrize("status", [429, 500])
def test_no_answer_leaves_the_file(services: Services, tmp_path: Path, capsys: Capture, status: int) -> None:
    root = make_site(tmp_path)
    add_answers(services)
    services.replies["/openalex/works/doi:10.5555/two"] = Reply({}, status)
    (root / "content/counts.yaml").write_text(OLD_FILE, "utf-8")
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 1
    assert "content/counts.yaml stays as it is" in capsys.readouterr().out
    assert (root / "content/counts.yaml").read_text("utf-8") == OLD_FILE


@pytest.mark.parametrize("broken", [None, "many", -1, 1e300, [], {"value": 7}, "9" * 400])
def test_an_invalid_count_is_omitted(services: Services, tmp_path: Path, broken: Json) -> None:
    root = make_site(tmp_path)
    add_answers(services)
    services.replies["/openalex/works/doi:10.5555/one"] = Reply(create_openalex_work(broken))
    services.replies["/openalex/works/doi:10.5555/two"] = Reply(
        create_openalex_work(4, ("K. Li", "A: <b>\n- b"))
    )
    services.replies["/openalex/works/doi:10.5555/three"] = Reply({}, 404)
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    built = Sources(root).build()
    assert built.problems == []
    assert [(work.work, work.citations) for work in read_works(built)] == [("10.5555/two", 4)]
    assert "OpenAlex does not know 2 publications" in (root / "fetch-report.md").read_text("utf-8")


def test_affiliations_complete_the_coauthors(services: Services, tmp_path: Path, capsys: Capture) -> None:
    root = make_site(tmp_path)
    add_answers(services)
    assert run_in(tmp_path, "fetch", "--site", "me", "--write") == 0
    capsys.readouterr()

    def read_table() -> list[list[str]]:
        assert main(["export", "coauthors", "--site", str(root)]) == 0
        return [row[1:3] for row in csv.reader(io.StringIO(capsys.readouterr().out))][1:]

    assert read_table() == [["García Márquez, Ana", "Universidad de Ejemplo"], ["Li, Kai", "New University"]]
    write_files(root, "-- content/coauthors.yaml --\n- {name: Kai Li, affiliation: Corrected University}\n")
    assert read_table()[1] == ["Li, Kai", "Corrected University"]


def test_a_free_pdf_is_offered_if_there_is_none(services: Services, tmp_path: Path, capsys: Capture) -> None:
    make_site(tmp_path, COUNTED.replace("note = {Invited}", "pdf = {https://example.org/two.pdf}"))
    locations = {
        "one": {"pdf_url": "https://example.org/one.pdf", "landing_page_url": "https://example.org/one"},
        "two": {"pdf_url": "https://example.org/other.pdf"},
        "three": {"pdf_url": "javascript:alert(1)"},
    }
    for name, location in locations.items():
        work = create_openalex_work(1) | {"best_oa_location": location}
        services.replies[f"/openalex/works/doi:10.5555/{name}"] = Reply(work)
    assert run_in(tmp_path, "fetch", "--site", "me") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "(open-access)" in line]
    assert lines == [
        "- `one` (open-access): a free PDF exists: pdf = {https://example.org/one.pdf}. Proof: https://example.org/one"
    ]
