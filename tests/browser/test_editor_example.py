"""The undergraduate example is written in the editor of `serve`, by the keyboard alone and with the mouse; each engine edits."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from conftest import run_in, visible_text, write_files
from engines import Engine, launch_firefox, launch_webkit
from form_writing import TITLES_OF_TENURE, FormWriter, list_missing_facts
from playwright.sync_api import Browser, Page, expect
from preview_process import start_preview
from test_editor_page import PNG

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
        expect(page.locator("#status")).to_contain_text("Saved: ")
        expect(page.frame_locator("#site").get_by_text("Zhuofu Chen").first).to_be_visible()
        page.close()
    assert run_in(tmp_path, "build") == 0
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "output").rglob("*.html")]
    assert list_missing_facts(" ".join([*map(visible_text, pages), *pages])) == TITLES_OF_TENURE


NAME_OF_FOCUS = """(() => {
  let focus = document.activeElement;
  while (focus.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  const name = (focus.matches('#sources button') ? focus.querySelector('span') : focus.labels?.[0] ?? focus).textContent;
  const group = focus.closest('fieldset')?.querySelector('legend').textContent ?? '';
  return ['', `${group}: `, `${focus.type}: `].map(before => before + (name.trim() || focus.ariaLabel));
})()"""  # fmt: skip
PAPER = "@article{lee2025, title = {On Kelp}, author = {Example, Ada and Lee, Bo}, journal = {J. Sea}, year = 2025}"


class Typist:
    """Somebody without a mouse: every step is a key."""

    def __init__(self, page: Page) -> None:
        self.page = page
        # with a listener from the beginning, no choice of a file opens before Playwright waits for it
        page.on("filechooser", lambda _: None)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, name: str, key: str = "Tab") -> None:
        """Go to the control with a name, or with its group and its name: "Affiliation: Name"."""
        seen = []
        for _ in range(120):
            seen.append(self.page.evaluate(NAME_OF_FOCUS))
            if name in seen[-1]:
                return
            self.press(key)
        pytest.fail(f"no control {name} after {[names[0] for names in seen]}")

    def write(self, name: str, text: str) -> None:
        self.go(name)
        self.page.keyboard.type(text)
        self.press("Tab")

    def choose_file(self, name: str, content: bytes) -> None:
        self.go(f"file: {name}")
        with self.page.expect_file_chooser() as chooser:
            self.press("Space")
        chooser.value.set_files({"name": "kelp.png", "mimeType": "image/png", "buffer": content})
        expect(self.page.locator("#form img")).to_be_visible()

    def open_part(self, name: str) -> None:
        """Open a part in the list at the left, whose arrow keys go on."""
        for _ in range(120):
            if self.page.evaluate("document.activeElement.matches('#sources button')"):
                break
            self.press("Tab")
        self.go(name, "ArrowDown")
        self.press("Enter")

    def add(self, name: str) -> None:
        self.go("Add …", "Shift+Tab")
        self.press("Enter")
        self.go(name, "ArrowDown")
        self.press("Enter")


def test_the_whole_journey_is_made_by_the_keyboard_alone(chromium: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, "-- site.yaml --\n-- content/profile.yaml --\nname: Ada Example\n")
    with start_preview(tmp_path) as preview:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(preview.editor_address)
        expect(page.get_by_role("form")).to_be_visible()
        typist, site = Typist(page), page.frame_locator("#site")
        typist.write("Role", "Postdoc")
        typist.write("Affiliation: Name", "Example University")
        # a key goes down and up in the same form
        expect(site.get_by_text("Example University").first).to_be_visible()
        typist.choose_file("Photo", PNG)
        typist.add("Papers")
        typist.write("BibTeX", PAPER)
        typist.press("Enter")
        expect(page.locator(".cards summary", has_text="On Kelp")).to_be_visible()
        typist.add("Talks")
        typist.write("Title", "Kelp at sea")
        typist.write("Date", "May 2024")
        typist.add("Experience")
        typist.write("Role", "Research assistant")
        typist.write("Organization", "Institute of Kelp")
        typist.add("Projects")
        typist.write("Title", "KelpBot")
        expect(site.get_by_text("KelpBot").first).to_be_visible()
        typist.choose_file("Picture", PNG)
        typist.write("Picture description", "A robot in the sea")
        typist.add("News")
        typist.write("Text", "The robot swims.")
        typist.open_part("Design")
        theme = page.get_by_label("Theme", exact=True)
        expect(theme).to_be_focused()
        # each press goes to the next theme with this letter; a browser forgets the letters after a second
        for _ in range(3):
            if theme.input_value() != "plate":
                typist.press("p")
                page.wait_for_timeout(1500)
        expect(theme).to_have_value("plate")
        expect(site.locator("html[class*=plate], html[data-theme=plate], body").first).to_be_visible()
        typist.go("Keep this design")
        typist.press("Enter")
        expect(page.locator("#status")).to_have_text("Saved: Design.")
        typist.press("Escape")
        expect(page.get_by_role("form")).to_be_visible()
        typist.add("A page")
        page.keyboard.type("Field sites")
        typist.press("Enter")
        expect(page.get_by_label("Text", exact=True)).to_be_focused()
        page.keyboard.type("The bay.")
        typist.open_part("Languages")
        expect(page.get_by_role("button", name="Add to “Further languages”")).to_be_focused()
        typist.press("Enter")
        expect(page.get_by_label("Language", exact=True).last).to_be_focused()
        page.keyboard.type("German")
        typist.press("Tab")
        typist.open_part("Profile")
        expect(page.get_by_role("group", name="Role")).to_be_visible()
        typist.write("Role: German", "Postdoktorandin")
        expect(page.locator("#status")).to_have_text("Saved: Profile.")
        page.close()
    assert run_in(tmp_path, "build") == 0
    shown = {
        name: visible_text((tmp_path / "output" / name / "index.html").read_text("utf-8"))
        for name in ("", "de", "field-sites")
    }
    for fact in ("Postdoc", "Example University", "KelpBot", "The robot swims.", "On Kelp"):
        assert fact in shown[""]
    assert "Postdoktorandin" in shown["de"]
    assert "The bay." in shown["field-sites"]
    assert "theme: plate\n" in (tmp_path / "site.yaml").read_text("utf-8")
    assert "Kelp at sea" in visible_text((tmp_path / "output/talks/index.html").read_text("utf-8"))


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
        assert engine.evaluate(WRITE_ROLE) == "Saved: Profile."
    assert (tmp_path / "content/profile.yaml").read_text("utf-8") == "name: Ada Example\nrole: Postdoc\n"
