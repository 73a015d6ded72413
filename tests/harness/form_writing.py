"""Somebody who has never seen YAML writes the undergraduate example by forms, with the keyboard alone or with the mouse."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "undergraduate" / "content"
FACTS = ROOT / "tests" / "golden" / "facts" / "undergraduate.txt"
LABEL_OF_FOCUS = """(() => {
  const focus = document.activeElement, field = focus.closest('.field');
  if (focus.matches('summary, button')) return focus.textContent;
  return field?.querySelector('label')?.textContent ?? focus.getAttribute('aria-label') ?? focus.id;
})()"""


LABELS = {
    "unit": "Department or group",
    "rank": "Rank in the class",
    "details": "Points",
    "email": "E-mail",
    "url": "Address",
}
"""The labels of fields that are not their keys."""


def find_label(name: str) -> str:
    """Return the label of a field by its key."""
    return LABELS.get(name, name.capitalize())


class FormWriter:
    """The forms of a page; a page says how a source is opened and added."""

    def __init__(self, page: Page, *, uses_mouse: bool = False) -> None:
        self.page = page
        self._uses_mouse = uses_mouse

    def open_file(self, name: str) -> None:
        raise NotImplementedError

    def add_file(self, name: str) -> None:
        raise NotImplementedError

    def reach(self, label: str) -> None:
        """Go to the control with a label: by the Tab key, or by a click."""
        if self._uses_mouse:
            self.page.get_by_text(label, exact=True).locator("visible=true").last.click()
            return
        seen = []
        for _ in range(80):
            seen.append(self.page.evaluate(LABEL_OF_FOCUS))
            if seen[-1] == label:
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"no control {label} after {seen}")

    def press(self, button: Locator) -> None:
        """Press a button."""
        if self._uses_mouse:
            button.click()
        else:
            button.focus()
            self.page.keyboard.press("Enter")

    def expect_form(self, file: str) -> None:
        expect(self.page.get_by_role("form", name=file)).to_be_visible()

    def type_value(self, value: Any) -> None:
        """Type a value into the control with the focus; a list has an item in each line."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text("\n".join(value) if isinstance(value, list) else value)

    def fill_fields(self, entry: Mapping[str, Any]) -> None:
        """Fill the fields of the open entry in the order of the form; the last ones are under “More fields”."""
        fields = "[...document.querySelectorAll('.entries > li:last-child :is(.field > label, legend)')]"
        labels: Sequence[str] = self.page.evaluate(f"{fields}.map(label => label.textContent)")
        is_open = False
        for name in sorted(entry, key=lambda name: labels.index(find_label(name))):
            if name in ("details", "note", "links") and not is_open:
                self.reach("More fields")
                if not self._uses_mouse:
                    self.page.keyboard.press("Enter")
                is_open = self._uses_mouse
            self.reach(find_label(name))
            self.type_value(entry[name])
            if name == "advisors":
                # the form is drawn again with a box for the next name; a person is slower than that
                self.page.evaluate("document.querySelector('#form form').id = 'old-form'")
                self.page.keyboard.press("Tab")
                expect(self.page.locator("#old-form")).to_have_count(0)
        self.page.keyboard.press("Tab")

    def add_list(self, name: str) -> None:
        """Add a list with all entries of the example."""
        entries = yaml.load((EXAMPLE / f"{name}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
        self.add_file(name.capitalize())
        self.expect_form(f"content/{name}.yaml")
        for number, entry in enumerate(entries, 1):
            if number > 1:
                self.press(self.page.locator("[data-at=add]"))
            expect(self.page.locator(".entries > li")).to_have_count(number)
            self.fill_fields({{"advisor": "advisors"}.get(key, key): value for key, value in entry.items()})

    def write_example(self) -> None:
        """Write all that the example says."""
        self.open_file("content/profile.yaml")
        profile = yaml.load((EXAMPLE / "profile.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
        self.page.locator("#form input").first.focus()
        for name in ("role", "affiliation", "email"):
            self.reach("Name" if name == "affiliation" else find_label(name))
            self.type_value(profile[name])
        for url in profile["links"]:
            self.page.locator('[aria-label="Paste an address: Links"]').focus()
            self.page.keyboard.insert_text(url)
            self.page.keyboard.press("Enter")
            expect(self.page.locator(f'[aria-label="name of {url}"]')).to_be_visible()
        for name in ("education", "experience", "projects", "awards"):
            self.add_list(name)
        title, body = (EXAMPLE / "interests.md").read_text(encoding="utf-8").split("---\n")[1:]
        self.add_file("A page")
        self.type_value(title.removeprefix("title: ").strip())
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#form [data-at=body]")).to_be_focused()
        self.type_value(body.strip())
        self.page.keyboard.press("Tab")


def list_missing_facts(text: str) -> list[str]:
    """The facts of the example that a text does not have."""
    facts = FACTS.read_text(encoding="utf-8").splitlines()
    return [fact for fact in facts if fact and not fact.startswith("#") and fact not in text]


TITLES_OF_TENURE = ["Selected Projects", "Selected Awards"]
"""What the forms do not write: the titles of lists are those of Tenure."""
