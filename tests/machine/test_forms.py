"""Somebody who has never seen YAML makes the undergraduate example in the page “Try it”, by its forms and the keyboard alone."""

import io
import zipfile
from pathlib import Path

import pytest
from conftest import run_in, visible_text
from form_writing import TITLES_OF_TENURE, FormWriter, list_missing_facts
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.scheduled
"""Packing the page needs Node and, after a change of it, the network."""


class TabWriter(FormWriter):
    """The forms of the page “Try it”, by the keyboard alone."""

    def open_file(self, name: str) -> None:
        """Open a part of the site by its button."""
        self.press(self.page.locator(f'#sources [data-path="{name}"]'))
        self.expect_form(name)

    def add_file(self, name: str) -> None:
        """Choose what to add to the site."""
        self.press(self.page.locator("#add summary"))
        self.press(self.page.locator("#add").get_by_role("button", name=name, exact=True))


def test_the_undergraduate_example_is_made_by_forms_and_keyboard(
    chromium: Browser, page_url: str, tmp_path: Path
) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(page_url)
    expect(page.locator("#status")).to_have_text("Ready")
    page.locator("#begin-name").focus()
    page.keyboard.type("Zhuofu Chen")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Built in")
    TabWriter(page).write_example()
    heading = page.frame_locator("iframe[name=view]").get_by_role("heading", name="Zhuofu Chen")
    heading.dispatch_event(
        "click"
    )  # a click of the mouse would wait for ever if the next build replaces the frame
    expect(page.get_by_role("form", name="content/profile.yaml")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Built in")

    site = tmp_path / "site"
    zipfile.ZipFile(io.BytesIO(download_zip(page, "take-sources"))).extractall(site)
    assert run_in(site, "build") == 0
    packed = zipfile.ZipFile(io.BytesIO(download_zip(page, "take-site")))
    built = {path: (site / "output" / path).read_bytes() for path in packed.namelist() if path[-1] != "/"}
    assert {path: packed.read(path) for path in built} == built
    pages = [path.read_text(encoding="utf-8") for path in (site / "output").rglob("*.html")]
    text = " ".join([*map(visible_text, pages), *pages])
    assert list_missing_facts(text) == TITLES_OF_TENURE


def download_zip(page: Page, button: str) -> bytes:
    """Press a button of the dialog “Take it home”, and return what it downloads."""
    page.keyboard.press("Escape")
    page.locator("#open-take").focus()
    page.keyboard.press("Enter")
    with page.expect_download(timeout=90_000) as download:
        page.locator(f"#{button}").focus()
        page.keyboard.press("Enter")
    return Path(download.value.path()).read_bytes()
