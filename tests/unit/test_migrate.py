"""`migrate` shows the changes that older sources need, and writes only these."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources

from tenure.cli.app import main
from tenure.sources import settings
from tenure.sources.migrate import plan_migration

Make = Callable[[str], Sources]
SOUND = "-- site.yaml --\nschema: 1\n"


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


def test_an_older_version_is_reported_by_the_build(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SCHEMA_VERSION", 2)
    built = site(SOUND).build()
    assert built.codes == ["schema-version"]
    assert "run the command migrate" in built.problems[0]


def test_a_folder_without_a_site_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"], folder=tmp_path) == 2
    assert "no site" in capsys.readouterr().err
