"""
The preview in a real browser: a saved change is shown in place, problems are shown over the page.

All tests but three use one `serve`; each writes its sources anew before it starts.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Server, collect_page_errors, wait_for_expression
from conftest import read_script, read_site, write_files
from playwright.sync_api import Browser, Page, Route, expect
from preview_process import PreviewProcess, start_preview

from tenure.build import build_site
from tenure.cache.store import CacheStore

AUTHORS = " and ".join(["Example, Ada", *(f"Writer, {letter}." for letter in "ABCDEFGHIJKLMN")])
"""So many authors that the page folds their list."""

PAPERS = "".join(
    f"@misc{{p{n}, title = {{Paper {n}}}, author = {{{AUTHORS}}}, year = {2000 + n}, abstract = {{Abstract {n}.}}}}\n"
    for n in range(20)
)
SITE = f"{read_site('preview')}-- bib/papers.bib --\n{PAPERS}"
SHADOW = "document.querySelector('tenure-preview').shadowRoot"
PROBLEMS_ARE_SHOWN = f"!{SHADOW}.querySelector('.problems').hidden"


class OpenSite:
    """A site in a preview, and a browser in which `open` opens a path of it."""

    def __init__(self, root: Path, preview: PreviewProcess, browser: Browser) -> None:
        self.root = root
        self.preview = preview
        self.context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        self.errors: list[str] = []

    def write_sources(self, files: str, description: str) -> None:
        """Replace all sources, and wait until the preview shows them; the description is in no other state of the site."""
        before = len(self.preview.printed)
        for name in ("content", "themes", "bib"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        first = "-- site.yaml --\n"
        write_files(self.root, files.replace(first, f"{first}description: {description}\n"))
        for _ in range(3000):
            if description.encode() in self.preview.send_request("/~ada/llms.txt")[2]:
                self.preview.wait_for_line(" ms", before)
                return
            time.sleep(0.01)
        raise AssertionError(self.preview.printed)

    def open(self, path: str = "") -> Page:
        page = self.context.new_page()
        collect_page_errors(page, self.errors)
        page.goto(self.preview.address + path)
        wait_for_expression(page, f"{SHADOW} && document.readyState === 'complete'")
        page.evaluate("window.mark = 'never loaded anew'")
        return page

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        assert old in text
        self.write(name, text.replace(old, new))


@pytest.fixture(scope="module")
def running_preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, PreviewProcess]]:
    root = tmp_path_factory.mktemp("preview")
    write_files(root, SITE)
    with start_preview(root) as preview:
        yield root, preview


@pytest.fixture
def site(
    request: pytest.FixtureRequest, chromium: Browser, running_preview: tuple[Path, PreviewProcess]
) -> Iterator[OpenSite]:
    """Open the sources of a test, by default SITE; at the end no page may have reported an error."""
    site = OpenSite(*running_preview, chromium)
    site.write_sources(getattr(request, "param", SITE), f"Sources of {request.node.name}.")
    yield site
    assert site.errors == []


def is_same_document(page: Page) -> bool:
    """Return whether the page was not reloaded since it was opened."""
    return bool(page.evaluate("window.mark") == "never loaded anew")


def read_problems(page: Page) -> str:
    """Return the text of the preview's panel of problems."""
    return str(page.evaluate(f"{SHADOW}.querySelector('.problems').innerText"))


def test_each_saved_change_is_shown_in_place(site: OpenSite) -> None:
    page = site.open()
    details = "# Heading\n\n<details><summary>x</summary>y</details>"
    for text in ("The second words.", "The *third* words.", details):
        site.write("content/about.md", text)
        expect(page.get_by_text(re.sub(r"\*|# |\n.*", "", text), exact=True)).to_be_visible()
    for number in range(15):
        site.write("content/about.md", f"Words number {number}.")
        page.wait_for_timeout(10 * (number % 5))
    expect(page.get_by_text("Words number 14.")).to_be_visible()
    for number, name in enumerate((".goutputstream-A1B2", "about.md~", "4913")):
        site.write(f"content/{name}", f"Renamed save {number}.")
        (site.root / "content" / name).replace(site.root / "content/about.md")
        expect(page.get_by_text(f"Renamed save {number}.")).to_be_visible()
    assert is_same_document(page)


def test_only_the_changed_element_of_a_page_is_sent(site: OpenSite) -> None:
    page = site.open("publications/")
    page.evaluate(
        "() => { const load = fetch; window.loads = 0; window.fetch = (...one) => { window.loads += 1; return load(...one); }; }"
    )
    page.get_by_role("searchbox").fill("Paper 1")  # the script has added a line to each paper and hidden some
    for title in ("Paper 17 & more", "Paper $17^2$", "Paper 17 again"):
        text = (site.root / "bib/papers.bib").read_text()
        site.write("bib/papers.bib", re.sub(r"(?<=@misc\{p17, title = \{).*?(?=\}, author)", title, text))
        expect(page.locator("#p17 .pub-title")).to_contain_text(title.replace("$17^2$", "172"))
    assert page.locator("#p17 .found-topics").count() == 1
    site.replace("bib/papers.bib", "Paper 1", "Article 1")  # eleven papers in one section
    expect(page.locator("#p15 .pub-title")).to_contain_text("Article 15")
    assert page.locator(".pub:not([hidden])").count() == 11
    assert page.evaluate("window.loads") == 0
    site.replace("content/profile.yaml", "Ada Example", "Ada E. Example")  # also in the head of the page
    wait_for_expression(page, "document.title.includes('Ada E.')")
    assert page.evaluate("window.loads") == 1
    assert page.locator(".pub:not([hidden])").count() == 11
    assert is_same_document(page)


def test_scroll_open_details_and_a_filter_are_kept(site: OpenSite) -> None:
    page = site.open("publications/")
    page.locator("details summary").nth(12).click()
    page.fill("#pub-filter [name=q]", "paper 1")
    page.evaluate("scrollTo(0, 300)")
    selected = "[scrollY, [...document.querySelectorAll('details')].map(one => one.open), document.querySelectorAll('.pub:not([hidden])').length, document.activeElement.name]"
    before = page.evaluate(selected)
    assert (before[0], before[1].count(True), before[2], before[3]) == (300, 1, 11, "q")
    site.replace("bib/papers.bib", "Paper 12}", "Paper 12 has another title}")
    expect(page.get_by_role("link", name="Paper 12 has another title", exact=True)).to_be_visible()
    assert page.evaluate(selected) == before
    new_paper = f"@misc{{new, title = {{An older paper 1}}, author = {{{AUTHORS}}}, year = 1990}}\n"
    site.replace("bib/papers.bib", "@misc{p0,", f"{new_paper}@misc{{p0,")
    expect(page.get_by_role("link", name="An older paper 1", exact=True)).to_be_visible()
    wait_for_expression(page, "document.querySelectorAll('.pub:not([hidden])').length === 12")
    assert page.evaluate(selected) == [300, [*before[1], False], 12, "q"]
    page.fill("#pub-filter [name=q]", "older")
    assert page.locator(".pub:visible").count() == 1
    page.click("#theme-switch")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark", "its script has run again, once"
    assert is_same_document(page)


def test_a_style_sheet_is_replaced_without_a_flash(site: OpenSite) -> None:
    page = site.open()
    page.evaluate(read_script("count frames without the style"))
    style = (Path(__file__).parents[2] / "themes/classic/assets/style.css").read_text()
    for color in ("red", "blue", "green"):
        write_files(
            site.root, f"-- themes/classic/assets/style.css --\n{style}\nbody {{ --tested: {color} }}\n"
        )
        tested = "getComputedStyle(document.body).getPropertyValue('--tested').trim()"
        wait_for_expression(page, f"{tested} === '{color}'")
    assert page.evaluate("window.bare") == 0
    assert is_same_document(page)


def test_problems_are_shown_in_the_page_until_they_are_repaired(site: OpenSite) -> None:
    page = site.open("talks/")
    site.write("content/about.md", "![](plot.svg)")
    site.write("content/plot.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
    summary = page.locator("tenure-preview summary")
    expect(summary).to_have_text("1 warning")
    assert not page.locator("tenure-preview .warnings li").is_visible()
    summary.press("Enter")
    assert "about.md:1:" in page.locator("tenure-preview .warnings li").inner_text()
    before = len(site.preview.printed)
    site.replace("content/talks.yaml", "title: A first", "tilte: <img src=x> first")
    wait_for_expression(page, f"{SHADOW}.querySelector('.errors')")
    heading = "1 error: the site cannot be published; the preview shows the rest"
    assert page.locator("tenure-preview h1").all_inner_texts()[-1] == heading
    line = site.preview.wait_for_line("tilte", before)
    assert line.replace(": error: ", " ") in read_problems(page), "the terminal says the same"
    link = page.locator("tenure-preview .errors a").first.get_attribute("href")
    assert link == f"vscode://file{(site.root / 'content/talks.yaml').resolve()}:1:4"
    help_link = page.locator("tenure-preview .errors .help")
    assert help_link.get_attribute("href") == "/livereload/docs/problems/#unknown-key-error"
    with page.expect_popup() as documentation:
        help_link.click()
    expect(documentation.value.locator("#unknown-key-error")).to_be_in_viewport()
    documentation.value.close()
    expect(page.locator("tenure-preview .open.help")).to_have_attribute("href", "/livereload/docs/")
    classes = page.evaluate(f"[...{SHADOW}.querySelector('.problems').children].map(one => one.className)")
    assert classes == ["errors", "warnings", "close"]
    expect(page.get_by_text("A first talk", exact=True)).to_be_hidden()
    page.locator("tenure-preview .problems .close").press("Enter")
    wait_for_expression(page, f"!({PROBLEMS_ARE_SHOWN})")
    site.write("content/news.yaml", "- {date: 2024, text: Other news}\n")
    site.preview.wait_for_line("content/news.yaml: ", before)
    page.reload()
    wait_for_expression(page, f"{SHADOW}.querySelector('.problems .errors')")
    assert not page.evaluate(PROBLEMS_ARE_SHOWN), "closed until the problems change"
    hostile = "date: <img src=x onerror=alert(1)>, tilte: a"
    site.replace("content/talks.yaml", "tilte: <img src=x> first", hostile)
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    assert "<img src=x" in read_problems(page)
    assert page.evaluate(f"{SHADOW}.querySelector('img')") is None
    page.locator("tenure-preview .errors a").first.focus()
    page.keyboard.press("Escape")
    assert not page.evaluate(PROBLEMS_ARE_SHOWN)
    site.write("content/talks.yaml", "- {title: A better talk, date: 2024}\n")
    site.write("content/about.md", "Words.")
    expect(page.get_by_text("A better talk")).to_be_visible()
    wait_for_expression(page, f"!{SHADOW}.querySelector('.problems .errors')")


def test_a_running_build_is_shown(chromium: Browser, tmp_path: Path) -> None:
    """An internal error is reported, and the server continues."""
    write_files(tmp_path, SITE + read_site("slow_build"))
    with start_preview(tmp_path, script=tmp_path / "build.py") as preview:
        site = OpenSite(tmp_path, preview, chromium)
        page = site.open()
        site.write("site.yaml", "title: slow\nurl: https://example.edu/~ada/\n")
        expect(page.locator("tenure-preview .building")).to_be_visible()
        expect(page.locator("tenure-preview .building")).to_be_hidden()
        for title in ("fail", "quit"):
            site.write("site.yaml", f"title: {title}\nurl: https://example.edu/~ada/\n")
            wait_for_expression(page, PROBLEMS_ARE_SHOWN)
            assert "internal error (" in read_problems(page)
            site.write("site.yaml", "title: Well again\nurl: https://example.edu/~ada/\n")
            wait_for_expression(page, f"!({PROBLEMS_ARE_SHOWN})")


def test_an_empty_site_shows_first_steps_and_the_browser_reconnects(
    chromium: Browser, tmp_path: Path
) -> None:
    """The preview begins with an error, which can be repaired; the steps are shown until they are done."""
    write_files(tmp_path, "-- content/profile.yaml --\nnam: Ada Example\n")
    with start_preview(tmp_path) as preview:
        site = OpenSite(tmp_path, preview, chromium)
        page = site.open()
        wait_for_expression(page, PROBLEMS_ARE_SHOWN)
        site.write("content/profile.yaml", "name: Ada Example\n")
        titles = page.locator("tenure-preview .steps h2")
        expect(titles).to_have_count(5)
        assert titles.first.inner_text() == "A text about you"
        page.locator("tenure-preview .steps summary").first.click()
        button = page.locator("tenure-preview .steps li button").first
        button.click()
        expect(button).to_have_text("Copied")
        site.write("content/about.md", str(page.evaluate("navigator.clipboard.readText()")))
        expect(page.get_by_text("I am a PhD student.")).to_be_visible()
        expect(titles.first).to_have_text("Your role")
        site.write("content/talks.yaml", "- {title: A talk, date: 2024}\n")
        wait_for_expression(page, f"{SHADOW}.querySelector('.steps').hidden")
    site.write("content/about.md", "Written meanwhile.")
    with start_preview(tmp_path, port=int(preview.host.split(":")[1])):
        expect(page.get_by_text("Written meanwhile.")).to_be_visible(timeout=15000)


def test_each_warning_is_printed_once_and_each_error_each_time(site: OpenSite) -> None:
    before = len(site.preview.printed)
    write_files(site.root, "-- bib/more.bib --\n@misc{q, title={Q}, author={Example, Ada}, year={soon}}\n")
    assert site.preview.wait_for_line("bib/more.bib: ", before).endswith(" ms, 1 warning")
    site.replace("content/talks.yaml", "title", "tilte")
    assert site.preview.wait_for_line("content/talks.yaml: ", before).endswith(" ms, 1 error, 1 warning")
    site.write("content/about.md", "Other words.")
    assert site.preview.wait_for_line("content/about.md: ", before).endswith(" ms, 1 error, 1 warning")
    assert sum('unknown key "tilte"' in line for line in site.preview.printed[before:]) == 2
    assert sum("is not a year" in line for line in site.preview.printed[before:]) == 1


def test_new_and_removed_files_and_drafts_are_shown(
    site: OpenSite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = site.open("teaching/")
    expect(page.get_by_text("404").or_(page.get_by_text("not found")).first).to_be_attached()
    old = tmp_path_factory.mktemp("old") / "teaching.yaml"
    old.write_text("- {course: Ropes and Knots, term: Fall 2024, draft: true}\n")
    os.utime(old, (1e9, 1e9))
    shutil.copy2(old, site.root / "content/teaching.yaml")
    expect(page.get_by_text("Ropes and Knots").first).to_be_visible()
    banner = f"{SHADOW}.querySelector('.draft')"
    wait_for_expression(page, f"!{banner}.hidden && {banner}.innerText.includes('Ropes and Knots')")
    site.replace("content/teaching.yaml", ", draft: true", "")
    wait_for_expression(page, f"{banner}.hidden")
    (site.root / "content/teaching.yaml").unlink()
    expect(page.get_by_text("Ropes and Knots")).to_have_count(0)


def test_a_changed_image_is_shown(site: OpenSite) -> None:
    from PIL import Image

    Image.new("RGB", (40, 30), "red").save(site.root / "content/plot.png")
    page = site.open()
    site.write("content/about.md", "![A plot](plot.png)")
    color = """async () => { const image = document.querySelector('img[alt="A plot"]'); await image.decode();
      const ink = document.createElement('canvas').getContext('2d'); ink.drawImage(image, 0, 0);
      return [...ink.getImageData(5, 5, 1, 1).data].slice(0, 3).map(one => one > 128) }"""
    # An image that is being replaced cannot be decoded; then the test tries again.
    wait_for_expression(page, f"({color})().then(found => found[0] && !found[2], () => false)")
    Image.new("RGB", (40, 30), "blue").save(site.root / "content/plot.png")
    wait_for_expression(page, f"({color})().then(found => found[2] && !found[0], () => false)")


POLICY_SITE = read_site("policy")
SCRIPTS = {
    "https://gc.zgo.at/count.js": "document.documentElement.dataset.counted = document.currentScript.dataset.goatcounter",
    "https://giscus.app/client.js": read_script("comments of giscus"),
}
LAYOUT = read_script("layout")


def observe_page(page: Page, url: str) -> tuple[object, ...]:
    """Open a page without a network; return the hosts that it asks, what the policy blocks, its frames and its layout."""
    asked: set[str] = set()
    blocked: set[str] = set()
    page.on("console", lambda one: blocked.add(one.text.partition(" because")[0].partition(" directive")[0]))

    def answer_request(route: Route) -> None:
        asked.add(route.request.url.split("/")[2])
        script = SCRIPTS.get(route.request.url)
        route.fulfill(content_type="text/javascript" if script else "text/html", body=script or "A frame")

    page.route(lambda url: url.startswith("https:"), answer_request)
    page.goto(url)
    page.wait_for_selector(".giscus-frame")
    page.wait_for_load_state("networkidle")
    page.locator("iframe.video").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    page.evaluate("document.querySelector('tenure-preview')?.remove()")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.locator("#clicked").click()
    frames = [frame.url.rpartition("/")[2] for frame in page.frames if frame.parent_frame == page.main_frame]
    counted = page.evaluate("document.documentElement.dataset.counted")
    by_policy = {text for text in blocked if "Content Security Policy" in text}
    return asked, by_policy, frames, counted, page.evaluate(LAYOUT)


@pytest.mark.parametrize("site", [POLICY_SITE], ids=["policy"], indirect=True)
def test_the_preview_and_the_published_site_show_the_same(
    site: OpenSite, chromium: Browser, server: Server
) -> None:
    published_site = build_site(site.root, store=CacheStore())
    home = server.add_site("published", published_site.artifacts, under="/~ada/")
    with chromium.new_context() as first, chromium.new_context() as second:
        published = observe_page(first.new_page(), f"{home}fun/")
        assert observe_page(second.new_page(), f"{site.preview.address}fun/") == published
    asked, blocked, frames, counted, layout = published
    assert asked == {"gc.zgo.at", "giscus.app", "maps.example.org", "www.youtube-nocookie.com"}
    assert isinstance(blocked, set)
    assert len(blocked) == 3, "the script in the text, that of another host, and the listener"
    assert counted == "https://ada.goatcounter.com/count"
    assert "own.pdf" in str(frames)
    for text in ("The script of the site ran.", "Nothing ran.", "Click.", "4px"):
        assert text in str(layout)
