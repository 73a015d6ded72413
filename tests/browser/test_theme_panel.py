"""The panel of the preview for themes and options: it shows a choice, and writes it into site.yaml."""

import http.client
import json
from pathlib import Path

import pytest
from conftest import write_files
from playwright.sync_api import Browser, expect
from preview_process import PreviewProcess, start_preview

from tenure.server.theme_panel import ThemeChoice, plan_theme_change
from tenure.sources.edits import UneditableError

PATH = "/livereload-theme"
SITE = """-- site.yaml --
# My site.
title: A site   # not mine
theme: {name: folio, accent: teal}   # for its rail
updated: 2024
-- content/profile.yaml --
name: Ada Example
-- content/about.md --
Words.
"""
FOLIO = "link[rel=preload][href*=source-sans]"
"""What only pages of the theme folio have."""
FLOW, BLOCK = ('{name: folio, accent: "#7a2d2d"}', '\n  name: folio\n  accent: "#7a2d2d"')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"theme:{BLOCK}\n"),
        ("title: A", f"title: A\ntheme:{BLOCK}\n"),
        ("theme:\nsearch: true\n", f"theme:{BLOCK}\nsearch: true\n"),
        ("theme: {name: plain,\n  accent: teal}  # kept\n", f"theme: {FLOW}  # kept\n"),
        ("theme:\n  name: folio\n  photo: circle\n\n# end\n", f"theme:{BLOCK}\n\n# end\n"),
        ("theme:\r\n  accent: teal\r\n", f"theme:{BLOCK}\n".replace("\n", "\r\n")),
        ("theme: &look folio\ntitle: *look\n", None),
        ("title: [\n", None),
    ],
)
def test_only_the_theme_of_the_file_changes(tmp_path: Path, before: str, after: str | None) -> None:
    (tmp_path / "site.yaml").write_bytes(before.encode())
    choice = ThemeChoice("folio", {"accent": "#7a2d2d"})
    if after is None:
        with pytest.raises(UneditableError):
            plan_theme_change(tmp_path, choice)
        return
    change = plan_theme_change(tmp_path, choice)
    assert change.new_bytes.decode() == after
    (tmp_path / "site.yaml").write_bytes(change.new_bytes)
    assert plan_theme_change(tmp_path, choice).new_bytes == change.new_bytes


def post_json(preview: PreviewProcess, data: object, **headers: str) -> tuple[int, str]:
    """Send a request; return the status and the answer."""
    connection = http.client.HTTPConnection(preview.host, timeout=60)
    named = {"Host": preview.host, "Origin": f"http://{preview.host}", "Content-Type": "application/json"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    body = data if isinstance(data, str) else json.dumps(data)
    connection.request("POST", PATH, body.encode(), {name: value for name, value in named.items() if value})
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer.status, content


def test_the_panel_writes_only_what_a_page_of_the_preview_asks_for(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    with start_preview(tmp_path) as preview:
        file = tmp_path / "site.yaml"
        original = file.read_text()
        request = {"choice": {"name": "plain", "options": {"density": "airy"}}, "save": True}
        for headers in (
            *(
                {"Origin": ""},
                {"Origin": "null"},
                {"Origin": "http://evil.example"},
                {"Host": "evil.example"},
            ),
            *({"Origin": f"https://{preview.host}"}, {"Content_Type": "text/plain"}),
        ):
            assert post_json(preview, request, **headers)[0] == 403, headers
        assert preview.send_request(PATH, Host="evil.example")[0] == 403
        for body in ("", "{", "[]", "null", "1", "[" * 50_000):
            assert post_json(preview, body)[0] in (400, 409), body[:9]
        choices: list[object] = [
            {"name": name, "options": {}} for name in ("../../etc", "nothing", ["plain"])
        ]
        options = [{"density": "loose"}, {"density": 1}, {"unknown": "x"}, {"accent": "x\n  evil: y"}, []]
        for wrong in (*choices, *({"name": "plain", "options": values} for values in options), None):
            assert post_json(preview, {**request, "choice": wrong})[0] == 409, wrong
        assert file.read_text() == original
        file.write_text("title: [\n")
        status, answer = post_json(preview, request)
        assert (status, "the file has a mistake" in answer, file.read_text()) == (409, True, "title: [\n")
        file.write_text(f"{original}# mine\n")
        assert post_json(preview, request)[0] == 200
        new_text = original.replace("folio, accent: teal", "plain, density: airy")
        assert file.read_text() == f"{new_text}# mine\n"


def test_a_choice_is_shown_before_it_is_saved(chromium: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    with start_preview(tmp_path) as preview:
        file = tmp_path / "site.yaml"
        original = file.read_text(encoding="utf-8")
        page = chromium.new_page()
        page.goto(preview.address)
        button = page.get_by_role("button", name="Theme and options")
        button.focus()
        page.keyboard.press("Enter")
        theme = page.get_by_label("theme", exact=True)
        expect(theme).to_be_focused()
        page.get_by_label("density").select_option("airy")
        expect(page.locator("html[data-density=airy]")).to_have_count(1)
        page.get_by_label("photo").select_option("circle")
        expect(page.locator("html[data-photo=circle]")).to_have_count(1)
        page.get_by_label("photo").select_option("")
        expect(page.locator("html[data-photo]")).to_have_count(0)
        theme.select_option("classic")
        expect(page.locator("html[data-density=airy] header.name")).to_have_count(1)
        expect(page.locator(FOLIO)).to_have_count(0)
        assert file.read_text(encoding="utf-8") == original
        page.get_by_role("button", name="Back to site.yaml").click()
        expect(page.locator(FOLIO)).to_have_count(1)
        page.get_by_label("density").select_option("compact")
        expect(page.get_by_role("status").filter(has_text="not saved")).to_be_visible()
        page.get_by_role("button", name="Save in site.yaml").click()
        expect(page.get_by_role("status").filter(has_text="density: compact")).to_be_visible()
        assert file.read_text(encoding="utf-8") == original.replace("teal}", "teal, density: compact}")
        page.keyboard.press("Escape")
        expect(button).to_be_focused()
        expect(page.locator("html[data-density=compact]")).to_have_count(1)
        page.close()


def test_each_palette_of_a_theme_is_a_swatch_that_shows_it(chromium: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, SITE.replace("{name: folio, accent: teal}", "stage"))
    with start_preview(tmp_path) as preview, chromium.new_context(color_scheme="dark") as context:
        page = context.new_page()
        page.goto(preview.address)
        page.get_by_role("button", name="Theme and options").click()
        palettes = page.get_by_role("group", name="palette")
        expect(palettes.get_by_role("radio")).to_have_count(6)
        expect(palettes.get_by_role("radio", name="cobalt")).to_be_checked()
        palettes.get_by_role("radio", name="pine").check()
        swatch = palettes.locator("label", has_text="pine")
        expect(page.locator("header.site")).to_have_css("background-color", "rgb(13, 64, 49)")
        expect(swatch).to_have_css("border-inline-start-color", "rgb(13, 64, 49)")
        expect(swatch).to_have_css("color", "rgb(127, 214, 176)")
        ground = page.locator("html").evaluate("html => getComputedStyle(html).backgroundColor")
        expect(swatch).to_have_css("background-color", ground)
        page.get_by_label("theme", exact=True).select_option("margin")
        expect(palettes.get_by_role("radio", name="garnet")).to_be_checked()
