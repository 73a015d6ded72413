"""The page “Try it” in Chromium: a site is begun, written, kept and taken home; nothing of it can run scripts in the page."""

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import collect_page_errors
from conftest import ROOT, read_files, read_script, read_site, run_in, split_files
from crawl import serve_folder
from engines import launch_firefox, launch_webkit
from npm_tools import AXE
from playwright.sync_api import Browser, Page, Route, expect
from word_files import make_word_file

pytestmark = pytest.mark.scheduled
"""Packing the page needs Node and, after a change of it, the network."""

READY = re.compile("^(Built|The CV was typeset) in")


@pytest.fixture
def page(chromium: Browser, page_url: str) -> Iterator[Page]:
    """Return the page as it opens at first, with the choice of a beginning; an error of its scripts fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    collect_page_errors(page, errors)
    page.goto(page_url)
    expect(page.locator("#begin")).to_be_visible()
    yield page
    context.close()
    assert errors == []


def begin_example(page: Page, name: str) -> None:
    page.select_option("#example", name)
    page.click("#begin-example button")
    expect(page.locator("#status")).to_have_text(READY)


def begin_files(page: Page, name: str, body: bytes) -> None:
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": body}
    page.set_input_files("#begin-files", file)
    page.click("#begin-file > button:not([id])")


def make_zip(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def open_text(page: Page, path: str) -> None:
    """Open a file as text."""
    page.click(f'#sources [data-path="{path}"]')
    page.click("#as-text")


def type_line(page: Page, line: str) -> None:
    """Write a line at the end of the open file."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(line)


def find_site(page: Page) -> Any:
    """Return the shown frame with the site."""
    return page.frame_locator("iframe[name=view]")


def find_violations(page: Page) -> list[str]:
    """Return what axe finds in the page, without its frames."""
    page.evaluate(AXE.find_file().read_text(encoding="utf-8"))
    result = page.evaluate("axe.run({exclude: ['iframe']}, {iframes: false})")
    return [f"{one['id']}: {node['html'][:200]}" for one in result["violations"] for node in one["nodes"]]


def test_a_site_is_begun_written_kept_and_taken_home(page: Page) -> None:
    assert find_violations(page) == []
    begin_example(page, "undergraduate")
    expect(find_site(page).locator("h1")).to_contain_text("Zhuofu Chen")
    open_text(page, "content/education.yaml")
    type_line(page, "- institution: Princeton University\n  degree: Ph.D.: in Physics\n  start_dat: 2026\n")
    panels = page.locator("#panels")
    expect(panels.locator(".errors small")).to_have_text("content/education.yaml")
    expect(page.locator(".cm-lintRange-error")).to_have_text("start_dat")
    panels.locator(".warnings summary").click()
    panels.get_by_role("button", name="Repair").click()
    expect(page.locator(".cm-content")).to_contain_text('degree: "Ph.D.: in Physics"')
    expect(find_site(page).locator("body")).to_contain_text("Ph.D.: in Physics")
    assert find_violations(page) == []
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    with zipfile.ZipFile(download.value.path()) as archive:
        needed = {"build.py", "README.md", "requirements.txt", ".github/workflows/pages.yml"}
        assert needed <= {*archive.namelist()}
        assert b'degree: "Ph.D.: in Physics"' in archive.read("content/education.yaml")
    expect(page.locator("#kept")).to_contain_text("Downloaded today.")
    page.reload()
    expect(page.locator("#status")).to_have_text(READY)
    expect(find_site(page).locator("body")).to_contain_text("Ph.D.: in Physics")


def test_a_click_in_the_site_leads_to_the_last_build(page: Page) -> None:
    files = {
        "site.yaml": "# settings\n",
        "content/profile.yaml": "name: Ada Byron\naffiliation: Society\n",
        "content/pages/loom.md": "---\ntitle: Loom\n---\nPunch cards.\n",
        "content/images/robot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
        "content/projects.yaml": "- title: Robot\n  image: images/robot.svg\n",
    }
    begin_files(page, "ada.zip", make_zip(files))
    expect(find_site(page).locator("h1")).to_have_text("Ada Byron")
    page.click('#sources [data-path="content/profile.yaml"]')
    page.locator('#form [data-field="name"] input').fill("Ada Lovelace")
    # a text gets a field of its own: its address
    page.locator('#form [data-field$="url"] input').first.fill("https://society.example.org")
    page.keyboard.press("Tab")
    expect(find_site(page).locator("h1")).to_have_text("Ada Lovelace")
    expect(find_site(page).locator("a", has_text="Society")).to_have_attribute(
        "href", "https://society.example.org"
    )

    find_site(page).locator("nav a", has_text="Loom").first.click()
    expect(find_site(page).locator("h1")).to_have_text("Loom")
    page.wait_for_timeout(1000)
    expect(find_site(page).locator("h1")).to_have_text("Loom")

    page.locator("#panels .warnings summary").click()
    page.locator("#panels .warnings a", has_text="no description").click()
    expect(page.locator('#form [data-at$="image_alt"]')).to_be_focused()
    picture = page.locator('#tree [data-path="content/images/robot.svg"]')
    expect(picture).to_have_count(1)
    page.locator("#form .picture .remove").first.click()
    expect(picture).to_have_count(0)
    page.click("#undo")
    expect(picture).to_have_count(1)


def test_no_script_of_a_site_runs(page: Page) -> None:
    begin_files(page, "me.zip", make_zip(split_files(read_site("scripts"))))
    page.get_by_role("button", name="I trust these").click()
    expect(page.locator("#status")).to_have_text(READY)
    body = find_site(page).locator("body")
    expect(body).to_contain_text("Hello")
    expect(page.locator("#scripts-note")).to_contain_text("Scripts of this site do not run here: assets/own.")
    page.wait_for_timeout(500)
    assert page.evaluate("JSON.stringify({...localStorage})") == "{}"
    policies = page.evaluate(read_script("policies of the kept files"))
    assert policies
    for url, policy in policies:
        assert "default-src 'none'" in policy, url
        assert "own." not in policy
        assert "unsafe-inline' " not in policy.partition("style-src")[0]


def test_python_reaches_nothing_outside(page: Page) -> None:
    begin_example(page, "undergraduate")
    (worker,) = page.workers
    reached = worker.evaluate(read_script("what the worker reaches"))
    assert reached == {"origin": "null", **dict.fromkeys(("host", "database", "files", "cache"), "refused")}


QUICK_BUILD_AND_SLOW_REST = """(() => {
  const load = fetch, later = setTimeout;
  window.setTimeout = (run, time, ...values) => later(run, time === 1000 ? 6000 : time, ...values);
  window.fetch = async (...values) => {
    if (values[0] === 'schemas.json') await new Promise(next => later(next, 9000));
    return load(...values);
  };
})()"""
"""The first build ends before the page would say that it still builds; what the page loads then takes longer."""


def test_the_first_build_has_ended_before_all_is_loaded(page: Page) -> None:
    page.evaluate(QUICK_BUILD_AND_SLOW_REST)
    begin_files(page, "me.zip", make_zip({"site.yaml": "", "content/profile.yaml": "name: Ada\n"}))
    expect(page.locator("#status")).to_have_text(READY)
    page.wait_for_timeout(7000)
    expect(page.locator("#status")).to_have_text(READY, timeout=1)


def test_templates_are_used_only_if_they_are_trusted(page: Page) -> None:
    files = {"content/profile.yaml": "name: Ada\n", "themes/classic/pages/home.html": "<p>own template</p>"}
    begin_files(page, "me.zip", make_zip(files))
    page.get_by_role("button", name="Begin without them").click()
    expect(page.locator("#status")).to_have_text(READY)
    expect(page.locator("#scripts-note")).to_contain_text("The templates of this site are not used")
    expect(find_site(page).locator("body")).not_to_contain_text("own template")


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("a.zip", b"no zip", "this zip cannot be read"),
        ("a.zip", make_zip({"../out.yaml": "x"}), "a file outside its folder: ../out.yaml"),
        ("a.zip", make_zip({f"content/{i}.md": "" for i in range(5001)}), "the zip has 5001 files"),
        ("a.docx", b"text", "cannot read a.docx: it is damaged; open it in Word"),
        ("photo.png", b"\x89PNG", "photo.png has none of the formats that can be imported"),
        (
            "me.zip",
            make_zip({"content/x.md": "x", "a.txt": ""}),
            "me.zip has none of the formats that can be imported",
        ),
        (
            "resume.json",
            b'{"basic": {"name": "Ada"}',
            "resume.json cannot be read: line 1: the JSON ends too early",
        ),
        ("x.bib", b"hello", "x.bib has nothing that can be imported: x.bib: it has no BibTeX entry"),
        (
            "cv.yaml",
            b"cv:\n  name: Ada\n  sections: [a\n",
            "cv.yaml: line 3: the bracket that begins here is never closed",
        ),
    ],  # fmt: skip
)
def test_what_cannot_be_opened_is_refused_with_a_reason(
    page: Page, name: str, body: bytes, message: str
) -> None:
    begin_files(page, name, body)
    expect(page.locator("#begin-error")).to_contain_text(message)


@pytest.mark.parametrize(
    ("name", "body", "shown"),
    [
        ("papers.bib", b"@article{a, author={Ada Lovelace}, title={The Engine}, year=1843}", "The Engine"),
        ("cv.yaml", b"cv:\n  name: Ada Lovelace\n  sections:\n    education:\n      - institution: Home\n        area: Mathematics\n", "Home"),
        ("cv.docx", make_word_file("Title> Ada Lovelace\nHeading 1> Education\nMathematics, University of London"), "University of London"),
        ("resume.json", json.dumps({"basics": {"name": "Ada Lovelace"}, "work": [{"name": "Engine Ltd", "position": "Programmer"}]}).encode(), "Engine Ltd"),
        ("old.zip", make_zip({"old/_config.yml": "first_name: Ada\nlast_name: Lovelace\ntheme: al-folio\n", "old/_pages/about.md": "---\nlayout: about\ntitle: about\npermalink: /\n---\nI count.\n", "old/_bibliography/papers.bib": "@article{a, author={Ada Lovelace}, title={The Engine}, year=1843}"}), "The Engine"),
    ],
)  # fmt: skip
def test_a_site_begins_with_what_somebody_has(page: Page, name: str, body: bytes, shown: str) -> None:
    begin_files(page, name, body)
    expect(page.locator("#status")).to_have_text(READY)
    expect(find_site(page).locator("body")).to_contain_text(shown)


OLD_SITE = {
    "old/_config.yml": "first_name: Ada\nlast_name: Lovelace\ntheme: al-folio\n",
    "old/_pages/about.md": "---\nlayout: about\npermalink: /\n---\nI count. [x](/gone/)\n",
    "old/papers.bib": "@article{a, author={Ada Lovelace}, title={The Engine}, year=1843}\n@article{b, title={Torn",
}


def test_an_import_says_what_came_and_what_did_not_until_it_is_closed(page: Page) -> None:
    begin_files(page, "old.zip", make_zip(OLD_SITE))
    expect(page.locator("#status")).to_have_text(READY)
    report = page.locator("#report")
    expect(report).to_contain_text("Came: publications (2), texts (1)")
    expect(report).to_contain_text("_pages/about.md")
    expect(report).to_contain_text("a link to /gone/: neither a file of the source nor an imported page")
    expect(report).to_contain_text("line 2: the value of title is never closed")
    assert find_violations(page) == []
    expect(page.locator("#files")).not_to_contain_text("import-report")
    page.reload()
    expect(report).to_be_visible()
    report.get_by_role("button", name="Close").click()
    page.reload()
    expect(page.locator("#status")).to_have_text(READY)
    expect(report).to_be_hidden()
    page.get_by_role("button", name="Import report").click()
    expect(report).to_contain_text("Imported from Jekyll")


def test_without_its_templates_a_site_has_the_theme_that_they_extend(page: Page) -> None:
    files = {
        "content/profile.yaml": "name: Ada\n",
        "site.yaml": "theme: mine\n",
        "themes/mine/theme.yaml": "extends: plate\n",
        "themes/mine/pages/home.html": "<p>own template</p>",
    }
    begin_files(page, "me.zip", make_zip(files))
    page.get_by_role("button", name="Begin without them").click()
    expect(page.locator("#status")).to_have_text(READY)
    expect(find_site(page).locator("h1")).to_have_text("Ada")
    expect(page.locator("#panels .errors")).to_have_count(0)
    expect(find_site(page).locator("body")).not_to_contain_text("own template")


ANSWERS = json.loads(Path(__file__).with_name("orcid_answers.json").read_text(encoding="utf-8"))
"""What ORCID and doi.org answer about an invented person."""


def test_orcid_is_asked_only_after_a_click(page: Page) -> None:
    asked: list[str] = []
    headers = {"access-control-allow-origin": "*", "content-type": "application/json"}

    def answer(route: Route) -> None:
        asked.append(route.request.url.split("/")[2])
        route.fulfill(body=json.dumps(ANSWERS[asked[-1]]), headers=headers)

    page.context.route(re.compile("orcid.org|doi.org"), answer)
    page.fill("#orcid", "0000-0002-1825-0097")
    assert asked == []
    page.click("#begin-orcid button")
    expect(page.locator("#status")).to_have_text(READY)
    expect(find_site(page).locator("body")).to_contain_text("The Analytical Engine")
    assert asked == ["pub.orcid.org", "doi.org"]


def test_the_taken_sources_build_the_site_that_is_taken(page: Page, tmp_path: Path) -> None:
    begin_example(page, "masters")
    page.click("#open-take")
    for button, folder in (("#take-sources", "sources"), ("#take-site", "site")):
        with page.expect_download(timeout=120_000) as download:
            page.click(button, timeout=120_000)
        with zipfile.ZipFile(download.value.path()) as archive:
            archive.extractall(tmp_path / folder)
    assert run_in(tmp_path / "sources", "build") == 0
    taken, built = (
        {path: body for path, body in read_files(tmp_path / folder).items() if path != ".tenure"}
        for folder in ("site", "sources/output")
    )
    assert taken.keys() >= {"index.html", "cv.pdf"}
    assert taken == built


def test_one_tab_edits_and_everything_can_be_deleted(page: Page, page_url: str) -> None:
    begin_example(page, "undergraduate")
    other = page.context.new_page()
    other.goto(page_url)
    expect(other.locator("#sorry")).to_contain_text("Your site is open in another tab")
    other.close()
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#open-take")
    page.click("#delete-all")
    expect(page.locator("#begin")).to_be_visible()
    expect(page.locator("#site-title")).to_have_text("Try it")
    assert page.evaluate(read_script("the kept files of the site")) == []


ENDLESS = "{% for _ in '0123456789' %}" * 12 + "{% endfor %}" * 12
"""A template whose page is never complete."""


def test_r15_a_build_without_an_end_is_stopped_and_not_begun_again(page: Page) -> None:
    files = {"content/profile.yaml": "name: Ada\n", "themes/classic/pages/home.html": ENDLESS}
    begin_files(page, "me.zip", make_zip(files))
    page.get_by_role("button", name="I trust these").click()
    page.wait_for_timeout(1000)
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.read("themes/classic/pages/home.html").decode() == ENDLESS
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Stop").click(timeout=60_000)
    expect(page.locator("#status")).to_contain_text("Stopped. The site is built after your next change.")
    page.reload()
    expect(page.locator("#status")).to_contain_text("The last build did not end")
    page.click("#all-files summary")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click('#tree [data-path="themes/"]')
    page.click('#tree [data-path$="home.html"]')
    page.click("#delete-file")
    expect(page.locator("#status")).to_have_text(READY)
    expect(find_site(page).locator("h1")).to_have_text("Ada")


def test_a_replaced_site_can_be_had_again(page: Page) -> None:
    begin_example(page, "undergraduate")
    open_text(page, "content/education.yaml")
    type_line(page, "- institution: Princeton University\n")
    # an example that was only looked at does not take the place of one's own site
    page.click("#open-begin")
    begin_example(page, "group")
    page.click("#open-begin")
    page.fill("#begin-name", "Élise Müller-Ng")
    page.click("#begin-empty button")
    expect(find_site(page).locator("h1")).to_have_text("Élise Müller-Ng")
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    assert download.value.suggested_filename == "elise-muller-ng.zip"
    page.keyboard.press("Escape")
    page.click("#open-begin")
    page.get_by_role("button", name="Go back to the site of Zhuofu Chen").click()
    expect(find_site(page).locator("h1")).to_contain_text("Zhuofu Chen")
    expect(find_site(page).locator("body")).to_contain_text("Princeton University")


def test_what_upgrade_does_not_replace_stays_as_the_user_has_it(page: Page) -> None:
    own = "# Packages of your own, which upgrade keeps:\n"
    files = {
        "content/profile.yaml": "name: Ada\n",
        "content/__proto__.md": "---\ntitle: Proto\n---\n",
        "__proto__": "x",
        "README.md": "mine",
        "AGENTS.md": "mine",
        "build.py": "mine",
        ".github/workflows/pages.yml": "mine",
        "vendor/tenure-0.0.1-py3-none-any.whl": "old",
        "requirements.txt": f"file:vendor/tenure-0.0.1-py3-none-any.whl\n{own}numpy==2.0\n",
    }
    begin_files(page, "me.zip", make_zip(files))
    expect(page.locator("#status")).to_have_text(READY)
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        taken = {name: archive.read(name) for name in archive.namelist()}
    kept = (
        "README.md",
        "AGENTS.md",
        "build.py",
        ".github/workflows/pages.yml",
        "__proto__",
        "content/__proto__.md",
    )
    assert [name for name in kept if taken[name].decode() != files[name]] == []
    (wheel,) = (name for name in taken if name.startswith("vendor/"))
    lines = taken["requirements.txt"].decode()
    assert wheel in lines
    assert "0.0.1" not in wheel + lines
    assert lines.endswith(f"{own}numpy==2.0\n")


def test_a_zip_of_the_page_is_one_that_python_reads(page: Page) -> None:
    files = {"a.txt": "", "content/é 你.md": "é", "__proto__": "x" * 70_000}
    written = page.evaluate(read_script("a zip of files"), [*files.items()])
    with zipfile.ZipFile(io.BytesIO(bytes(written))) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files


def wait_until_kept(page: Page) -> None:
    for _ in range(300):
        if page.evaluate(read_script("whether the page is kept")):
            return
        page.wait_for_timeout(100)
    raise AssertionError("the page is not kept")


def test_r16_the_page_works_without_a_network_as_one_packing(
    chromium: Browser, packed_page: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "try"
    shutil.copytree(packed_page, folder)
    context = chromium.new_context()
    with serve_folder(tmp_path) as home:
        url = f"{home.replace('127.0.0.1', 'localhost')}/try/"
        page = context.new_page()
        page.goto(url)
        begin_example(page, "undergraduate")
        wait_until_kept(page)
        # a newer packing is not mixed with the one that is kept
        index = folder / "index.html"
        index.write_text(index.read_text("utf-8").replace("<title>Try Tenure", "<title>Newer"), "utf-8")
        page.reload()
        expect(page).to_have_title("Try Tenure")
        page.close()
    page = context.new_page()
    page.goto(url)
    expect(page.locator("#status")).to_have_text(READY)
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert "build.py" in archive.namelist()
    context.close()


def test_the_page_stops_in_the_frame_of_another(chromium: Browser, page_url: str) -> None:
    page = chromium.new_page()
    page.set_content(f'<iframe src="{page_url}" width="900" height="500"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.locator("#sorry")).to_contain_text("This page does not work inside another page")
    expect(frame.locator("#begin")).to_be_hidden()


def test_a_theme_is_tried_and_saved(page: Page) -> None:
    begin_example(page, "undergraduate")
    page.locator("#panels").get_by_role("button", name="Design").click()
    sizes = page.evaluate("['panels', 'site'].map(id => document.getElementById(id).clientHeight)")
    assert sizes[0] <= 0.4 * sizes[1]
    page.locator("#panels").get_by_label("Theme", exact=True).select_option("folio")
    expect(page.locator("#panels [role=status]").last).to_have_text("Shown here, not kept yet.")
    page.locator("#panels").get_by_role("button", name="Keep this design").click()
    open_text(page, "site.yaml")
    expect(page.locator(".cm-content")).to_contain_text("theme: folio")


def test_keys_are_completed_from_the_schema(page: Page) -> None:
    begin_example(page, "undergraduate")
    open_text(page, "content/education.yaml")
    type_line(page, "\n- institution: Princeton\n  ")
    page.keyboard.type("deg")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("degree")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("  degree: ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_has_tabs_and_no_violation(page: Page, scheme: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    begin_example(page, "undergraduate")
    for tab in ("Parts", "Write", "Site"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert find_violations(page) == []


def test_without_script_the_page_says_what_to_do(chromium: Browser, page_url: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_url)
    expect(page.locator("noscript a")).to_have_text("start in five minutes")
    context.close()
    assert (ROOT / "docs" / "content" / "pages" / "start.md").is_file()


SHOWN = read_script("the shown heading")


@pytest.mark.usefixtures("firefox", "webkit")
@pytest.mark.parametrize("launch", [launch_firefox, launch_webkit], ids=["firefox", "webkit"])
def test_firefox_and_webkit_show_a_site(launch: Callable[..., Any], page_url: str) -> None:
    with launch() as engine:
        engine.open_page(f"{page_url}?example=undergraduate")
        assert "Zhuofu Chen" in engine.evaluate(SHOWN)
