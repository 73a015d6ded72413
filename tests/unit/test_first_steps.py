"""The steps that the preview of a new site proposes: the proposed lines are valid, and a completed step disappears."""

from collections.abc import Callable
from pathlib import Path

from conftest import Sources, run_in
from PIL import Image

from tenure.server.overlay import MAX_STEPS, FirstStep, suggest_next_steps

Make = Callable[[str], Sources]


def suggest_steps(sources: Sources) -> tuple[FirstStep, ...]:
    return suggest_next_steps(sources.build().site)


def test_a_new_site_gets_five_steps_and_its_profile_and_url_are_among_them(tmp_path: Path) -> None:
    assert run_in(tmp_path, "new", "site", "--name", "Ada Example") == 0
    actual = suggest_steps(Sources(tmp_path / "site"))
    assert len(actual) == MAX_STEPS == 5
    assert [step.file for step in actual] == [
        "content/about.md",
        "content/profile.yaml",
        "content/education.yaml",
        "bib/papers.bib",
        "site.yaml",
    ]


def test_completed_steps_are_not_proposed(site: Make) -> None:
    sources = site(
        "-- site.yaml --\nurl: https://ada.example.edu/\n-- content/education.yaml --\n- institution: U\n"
    )
    files = [step.file for step in suggest_steps(sources)]
    assert "site.yaml" not in files
    assert "content/education.yaml" not in files
    assert len(files) == MAX_STEPS


def test_the_lines_of_each_step_complete_it(tmp_path: Path) -> None:
    """All steps, one after the other, give a site without a problem, and each is proposed once."""
    assert run_in(tmp_path, "new", "site", "--name", "Ada Example") == 0
    root = tmp_path / "site"
    Image.new("RGB", (60, 80), "teal").save(root / "content/photo.jpg")
    completed_steps: list[str] = []
    while open_steps := [step for step in suggest_steps(Sources(root)) if step.title not in completed_steps]:
        # The text is written last: with it the site has content, and no step is proposed.
        step = next((s for s in open_steps if s.file != "content/about.md"), open_steps[0])
        assert 2 <= step.lines.count("\n") + 1 <= 3, step.title
        path = root / step.file
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(f"{before}{step.lines}\n", encoding="utf-8")
        built = Sources(root).build()
        assert built.problems == [], step.title
        completed_steps.append(step.title)
    assert len(completed_steps) == 8
    assert suggest_steps(Sources(root)) == ()


def test_a_site_with_a_text_and_a_list_gets_no_steps(site: Make) -> None:
    sources = site("-- content/about.md --\nHello.\n")
    assert suggest_steps(sources)
    sources.edit_files("-- content/talks.yaml --\n- {title: A talk, date: 2024}\n")
    assert suggest_steps(sources) == ()
