"""Somebody who has never seen YAML makes the undergraduate example in the page “Try it”, by its forms and the keyboard alone."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, read_script, run_in, visible_text
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.scheduled
"""Packing the page needs Node and, after a change of it, the network."""

EXAMPLE = ROOT / "examples" / "undergraduate" / "content"
LABEL_OF_FOCUS = read_script("the label of the focus")


def press_until(page: Page, label: str, key: str = "Tab") -> None:
    """Press a key until the control with this label has the focus."""
    seen = []
    for _ in range(80):
        seen.append(page.evaluate(LABEL_OF_FOCUS))
        if seen[-1] == label:
            return
        page.keyboard.press(key)
    pytest.fail(f"no control {label} after {seen}")


def open_file(page: Page, name: str) -> None:
    """Open a file in the tree, by the arrow keys."""
    page.locator('[role=treeitem][tabindex="0"]').focus()
    page.keyboard.press("Home")
    for _ in range(30):
        if page.evaluate("document.activeElement.dataset.path") == name:
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("form", name=name)).to_be_visible()


def add_file(page: Page, name: str) -> None:
    """Choose what to add to the site, by the first letters of its name."""
    page.locator("#add").focus()
    page.keyboard.type(name)
    press_until(page, "Add")
    page.keyboard.press("Enter")


def type_value(page: Page, value: Any) -> None:
    """Type a value into the control with the focus; a list has an item in each line."""
    page.keyboard.insert_text("\n".join(value) if isinstance(value, list) else value)


def fill_fields(page: Page, entry: Mapping[str, Any]) -> None:
    """Fill the fields of the open entry in the order of the form; the last ones are under “More fields”."""
    labels: Sequence[str] = page.evaluate(
        "[...document.querySelectorAll('.cards > li:last-child .field > label')].map(label => label.textContent)"
    )
    names = sorted(entry, key=lambda name: labels.index(name.capitalize()))
    for name in names:
        if name in ("details", "note", "links"):
            press_until(page, "More fields")
            page.keyboard.press("Enter")
        press_until(page, name.capitalize())
        type_value(page, entry[name])
    page.keyboard.press("Tab")


def add_list(page: Page, name: str) -> None:
    """Add a list with all entries of the example."""
    entries = yaml.load((EXAMPLE / f"{name}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    add_file(page, name.capitalize())
    expect(page.get_by_role("form", name=f"content/{name}.yaml")).to_be_visible()
    for number, entry in enumerate(entries, 1):
        if number > 1:
            page.locator(".add").focus()
            page.keyboard.press("Enter")
        expect(page.locator(".cards > li")).to_have_count(number)
        entry = {{"advisor": "advisors"}.get(key, key): value for key, value in entry.items()}
        fill_fields(page, entry)


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
    open_file(page, "content/profile.yaml")
    profile = yaml.load((EXAMPLE / "profile.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    page.locator("#form input").first.focus()
    for name in ("role", "affiliation", "email"):
        press_until(page, name.capitalize())
        page.keyboard.press("Control+a")
        type_value(page, profile[name])
    for service, url in zip(("github", "website"), profile["links"], strict=True):
        press_until(page, "Links")
        while page.evaluate("document.activeElement.placeholder") != "service":
            page.keyboard.press("Tab")
        page.keyboard.type(service)
        page.keyboard.press("Tab")
        page.keyboard.insert_text(url)
        page.keyboard.press("Enter")
        expect(page.locator(f'[aria-label="address of {service}"]')).to_be_visible()
    for name in ("education", "experience", "projects", "awards"):
        add_list(page, name)
    add_file(page, "A page")
    expect(page.get_by_role("form", name="content/pages/page-1.md")).to_be_visible()
    page.locator("#form input").first.focus()
    press_until(page, "Title")
    page.keyboard.press("Control+a")
    title, body = (EXAMPLE / "interests.md").read_text(encoding="utf-8").split("---\n")[1:]
    type_value(page, title.removeprefix("title: ").strip())
    press_until(page, "Text")
    type_value(page, body.strip())
    page.keyboard.press("Tab")
    expect(page.locator("#status")).to_contain_text("Built in")

    site = tmp_path / "site"
    zipfile.ZipFile(io.BytesIO(download_zip(page, "take-sources"))).extractall(site)
    assert run_in(site, "build") == 0
    packed = zipfile.ZipFile(io.BytesIO(download_zip(page, "take-site")))
    built = {path: (site / "output" / path).read_bytes() for path in packed.namelist() if path[-1] != "/"}
    assert {path: packed.read(path) for path in built} == built
    pages = [path.read_text(encoding="utf-8") for path in (site / "output").rglob("*.html")]
    text = " ".join([*map(visible_text, pages), *pages])
    facts = (
        (ROOT / "tests" / "golden" / "facts" / "undergraduate.txt").read_text(encoding="utf-8").splitlines()
    )
    missing = [fact for fact in facts if fact and not fact.startswith("#") and fact not in text]
    assert missing == ["Selected Projects", "Selected Awards"], "the titles of lists are those of Tenure"


def download_zip(page: Page, button: str) -> bytes:
    """Press a button of the dialog “Take it home”, and return what it downloads."""
    page.keyboard.press("Escape")
    page.locator("#open-take").focus()
    page.keyboard.press("Enter")
    with page.expect_download(timeout=90_000) as download:
        page.locator(f"#{button}").focus()
        page.keyboard.press("Enter")
    return Path(download.value.path()).read_bytes()
