"""The undergraduate example is written in the editor of `serve`, by the keyboard alone and with the mouse; each engine edits."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from conftest import run_in, visible_text, write_files
from engines import Engine, launch_firefox, launch_webkit
from form_writing import TITLES_OF_TENURE, FormWriter, list_missing_facts
from playwright.sync_api import Browser, expect
from preview_process import start_preview

pytestmark = pytest.mark.scheduled
"""Each run presses a key or a button a thousand times."""


class EditorWriter(FormWriter):
    """The forms of the editor."""

    def open_file(self, name: str) -> None:
        self.page.locator(f'#sources [data-path="{name}"]').click()
        self.expect_form(name)

    def add_file(self, name: str) -> None:
        self.press(self.page.locator("#add summary"))
        self.press(self.page.locator("#add").get_by_role("button", name=name, exact=True))


@pytest.mark.parametrize("uses_mouse", [False, True], ids=["keyboard", "mouse"])
def test_the_undergraduate_example_is_made_in_the_editor(
    chromium: Browser, tmp_path: Path, uses_mouse: bool
) -> None:
    write_files(tmp_path, "-- site.yaml --\n-- content/profile.yaml --\nname: Zhuofu Chen\n")
    with start_preview(tmp_path) as preview:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(preview.editor_address)
        expect(page.get_by_role("form")).to_be_visible()
        EditorWriter(page, uses_mouse=uses_mouse).write_example()
        expect(page.locator("#status")).to_contain_text("content/pages/page-1.md")
        expect(page.frame_locator("#site").get_by_text("Zhuofu Chen").first).to_be_visible()
        page.close()
    assert run_in(tmp_path, "build") == 0
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "output").rglob("*.html")]
    assert list_missing_facts(" ".join([*map(visible_text, pages), *pages])) == TITLES_OF_TENURE


WRITE_ROLE = """(async () => {
  const wait = async run => { for (let left = 200; left; left -= 1) { const found = run(); if (found) return found; await new Promise(next => setTimeout(next, 100)); } };
  const role = await wait(() => document.querySelector('#form [data-at="role"]'));
  role.value = 'Postdoc';
  role.dispatchEvent(new Event('change', { bubbles: true }));
  await wait(() => /Saved/.test(document.getElementById('status').textContent));
  return document.getElementById('status').textContent;
})()"""  # fmt: skip


@pytest.mark.parametrize("launch", [launch_firefox, launch_webkit])
def test_each_engine_edits(
    launch: Callable[[], AbstractContextManager[Engine]], firefox: str, webkit: str, tmp_path: Path
) -> None:
    assert firefox
    assert webkit
    write_files(tmp_path, "-- site.yaml --\n-- content/profile.yaml --\nname: Ada Example\nrole: Student\n")
    with start_preview(tmp_path) as preview, launch() as engine:
        engine.open_page(preview.editor_address)
        assert engine.evaluate(WRITE_ROLE) == "Saved: Profile (content/profile.yaml)."
    assert (tmp_path / "content/profile.yaml").read_text("utf-8") == "name: Ada Example\nrole: Postdoc\n"
