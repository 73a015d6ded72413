"""`migrate` shows the changes that older sources need, and writes only these."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import pytest
from conftest import Sources

from tenure.cli.app import main
from tenure.model.entries import Entry, Markdown, Talk
from tenure.model.field_annotations import AlternativeNames, MainField
from tenure.presentation import entries
from tenure.sources import settings
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.migrate import plan_migration

Make = Callable[[str], Sources]
SOUND = "-- site.yaml --\nschema: 1\n"


class LaterTalk(Talk, kw_only=True):
    """A talk of a later version, in which the title has another key."""

    title: Annotated[Markdown, MainField(), AlternativeNames(deprecated=("heading", "headline"))] = Markdown(
        ""
    )


@pytest.fixture
def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COLLECTION_TYPES, "talks", ("talks", LaterTalk, "talk"))
    rows: dict[type[Entry], object] = dict(entries.PRESENT_FUNCTIONS)
    rows[LaterTalk] = rows[Talk]
    monkeypatch.setattr(entries, "PRESENT_FUNCTIONS", rows)


@pytest.mark.usefixtures("later_version")
def test_a_deprecated_key_is_read_and_reported_with_its_line(site: Make) -> None:
    built = site(f"{SOUND}-- content/talks.yaml --\n- heading: Prefix caching\n").build()
    (reported,) = built.problems
    assert reported.splitlines() == [
        'content/talks.yaml:1:3: warning: "heading" in talk 1 is called "title" now',
        "   1 | - heading: Prefix caching",
        '     |   ^^^^^^^ write "title"',
    ]
    assert "Prefix caching" in built.read_words("/talks/")


@pytest.mark.usefixtures("later_version")
def test_a_key_with_both_names_is_an_error(site: Make) -> None:
    built = site(f"{SOUND}-- content/talks.yaml --\n- heading: A\n  title: B\n").build()
    assert "key-twice" in built.codes


@pytest.mark.usefixtures("later_version")
def test_a_diff_is_shown_and_written_only_with_write(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    talks = (
        "# mine\n- heading: One   # as it was\n  date: 2024\n- {date: 2023, headline: Two, note: headline}\n"
    )
    sources = site(f"{SOUND}-- content/talks.yaml --\n{talks}")
    sources.edit_files("-- content/talks/three.md --\n---\nheading: Three\n---\nheading: unchanged\n")
    assert main(["migrate"], folder=sources.root) == 0
    out = capsys.readouterr().out
    assert "-- heading: One   # as it was\n" in out
    assert "+- title: One   # as it was\n" in out
    assert "Nothing was written. To change 2 files: tenure migrate --write" in out
    path = sources.root / "content/talks.yaml"
    assert path.read_text(encoding="utf-8") == talks
    assert main(["migrate", "--write"], folder=sources.root) == 0
    assert path.read_text(encoding="utf-8") == (
        "# mine\n- title: One   # as it was\n  date: 2024\n- {date: 2023, title: Two, note: headline}\n"
    )
    text = (sources.root / "content/talks/three.md").read_text(encoding="utf-8")
    assert text == "---\ntitle: Three\n---\nheading: unchanged\n"
    assert sources.build().problems == []
    capsys.readouterr()
    assert main(["migrate"], folder=sources.root) == 0
    assert "nothing to change" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: Mine\n", "schema: 1\ntitle: Mine\n"),
        ("# A site\n\ntitle: Mine", "# A site\n\nschema: 1\ntitle: Mine"),
        ("---\r\ntitle: Mine\r\n", "---\r\nschema: 1\r\ntitle: Mine\r\n"),
        ("\ufefftitle: Mine\n", "\ufeffschema: 1\ntitle: Mine\n"),
        ("# nothing yet", "# nothing yet\nschema: 1\n"),
        ("", "schema: 1\n"),
        ("schema: 0 # old\n", "schema: 1 # old\n"),
        ("schema: 2\n", "schema: 2\n"),
        ("{title: Mine}\n", "{title: Mine}\n"),
        ("- a list\n", "- a list\n"),
    ],
)
def test_the_version_is_written_where_it_is_missing_or_older(site: Make, before: str, after: str) -> None:
    sources = site("")
    (sources.root / "site.yaml").write_bytes(before.encode())
    changes, refusals = plan_migration(sources.root)
    actual = {change.file: (change.old_bytes.decode(), change.new_bytes.decode()) for change in changes}
    assert actual.get("site.yaml", (before, before)) == (before, after)
    assert refusals == []


def test_a_site_without_settings_gets_them(site: Make) -> None:
    sources = site("-- content/talks.yaml --\n- A talk\n")
    assert main(["migrate", "--write"], folder=sources.root) == 0
    assert (sources.root / "site.yaml").read_text(encoding="utf-8") == "schema: 1\n"


@pytest.mark.usefixtures("later_version")
def test_line_ends_and_byte_order_marks_are_preserved(site: Make) -> None:
    sources = site(SOUND)
    path = sources.root / "content/talks.yaml"
    path.write_bytes("\ufeff- heading: Zürich\r\n  date: 2024\r\n".encode())
    assert main(["migrate", "--write"], folder=sources.root) == 0
    assert path.read_bytes() == "\ufeff- title: Zürich\r\n  date: 2024\r\n".encode()


def test_an_older_version_is_reported_by_the_build(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SCHEMA_VERSION", 2)
    built = site(SOUND).build()
    assert built.codes == ["schema-version"]
    assert "run the command migrate" in built.problems[0]


def test_a_folder_without_a_site_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"], folder=tmp_path) == 2
    assert "no site" in capsys.readouterr().err
