"""The preview in a real browser: a saved change is shown."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import WAIT, wait_for_expression
from conftest import write_files
from playwright.sync_api import Browser, Page, expect
from preview_process import PreviewProcess, start_preview

AUTHORS = " and ".join(["Example, Ada", *(f"Writer, {letter}." for letter in "ABCDEFGHIJKLMN")])
"""So many authors that the page folds their list."""

PAPERS = "".join(
    f"@misc{{p{n}, title = {{Paper {n}}}, author = {{{AUTHORS}}}, year = {2000 + n}, abstract = {{Abstract {n}.}}}}\n"
    for n in range(20)
)
SITE = f"""-- site.yaml --
url: https://example.edu/~ada/
-- content/profile.yaml --
name: Ada Example
-- content/about.md --
The first words.
-- content/talks.yaml --
- {{title: A first talk, date: 2024}}
-- content/news.yaml --
- {{date: 2024, text: Old news}}
-- bib/papers.bib --
{PAPERS}"""

Open = Callable[[str], Page]


PATHS = ("", "talks/", "publications/", "publications/p3/")
"""The pages that tests open; they are the same again before the next test."""


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """Return a folder with the site for a test that starts a preview itself."""
    write_files(tmp_path, SITE)
    return tmp_path


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    write_files(folder, SITE)
    return folder


@pytest.fixture(scope="module")
def preview(shared_folder: Path) -> Iterator[PreviewProcess]:
    """One preview for the tests of this file, as a preview takes seconds to start."""
    with start_preview(shared_folder) as running_preview:
        yield running_preview


@pytest.fixture(scope="module")
def first_pages(preview: PreviewProcess) -> list[tuple[int, bytes]]:
    return read_pages(preview)


def read_pages(preview: PreviewProcess) -> list[tuple[int, bytes]]:
    """Return the status and the text of the pages that tests open, without the number of the build."""
    answers = (preview.send_request(f"/~ada/{path}") for path in PATHS)
    return [(status, re.sub(rb"&quot;build&quot;: \d+", b"", body)) for status, _, body in answers]


@pytest.fixture
def folder(
    shared_folder: Path, preview: PreviewProcess, first_pages: list[tuple[int, bytes]], tmp_path: Path
) -> Iterator[Path]:
    """Return the folder of the preview; after the test its files are restored, and shown."""
    yield shared_folder
    write_files(tmp_path, SITE)
    before, is_changed = len(preview.printed), False
    for path in [path for path in shared_folder.rglob("*") if path.is_file()]:
        name = path.relative_to(shared_folder)
        if name.parts[0] != ".cache" and not (tmp_path / name).is_file():
            path.unlink()
            is_changed = True
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        target = shared_folder / path.relative_to(tmp_path)
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            shutil.copyfile(path, target)
            is_changed = True
    end = time.monotonic() + WAIT / 1000
    while (
        is_changed and not (preview.printed[before:] and preview.printed[-1].endswith(" ms"))
    ) or read_pages(preview) != first_pages:
        assert time.monotonic() < end, preview.printed
        time.sleep(0.05)


@pytest.fixture
def open_path(chromium: Browser, preview: PreviewProcess) -> Iterator[Open]:
    """Return a function that opens a path; at the end no page may have reported an error."""
    context = chromium.new_context()
    page_errors: list[str] = []

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: page_errors.append(str(error)))
        page.goto(preview.address + path)
        wait_for_expression(page, "document.querySelector('tenure-preview')")
        page.evaluate("window.mark = 'never loaded anew'")
        return page

    yield open_page
    context.close()
    assert page_errors == []


def is_same_document(page: Page) -> bool:
    """Return whether the page was not reloaded since it was opened."""
    return bool(page.evaluate("window.mark") == "never loaded anew")


def replace_text(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def read_problems(page: Page) -> str:
    """Return the text of the preview's panel of problems; "" if it is hidden."""
    text = page.evaluate(
        "(box => box.hidden ? '' : box.innerText)(document.querySelector('tenure-preview').shadowRoot.querySelector('.problems'))"
    )
    return str(text)


PROBLEMS_ARE_SHOWN = "!document.querySelector('tenure-preview').shadowRoot.querySelector('.problems').hidden"


def test_a_saved_change_is_shown(open_path: Open, folder: Path) -> None:
    page = open_path("")
    for text in ("The second words.", "The third words.", "The *fourth* words."):
        (folder / "content/about.md").write_text(text)
        expect(page.get_by_text(text.replace("*", ""))).to_be_visible()
    assert is_same_document(page)


def test_each_of_several_quick_edits_is_shown(open_path: Open, folder: Path) -> None:
    page = open_path("")
    for number in range(15):
        (folder / "content/about.md").write_text(f"Words number {number}.")
        page.wait_for_timeout(10 * (number % 5))
    expect(page.get_by_text("Words number 14.")).to_be_visible()


def test_files_saved_together_cause_one_build(chromium: Browser, own_folder: Path) -> None:
    with start_preview(own_folder) as preview:
        page = chromium.new_page()
        page.goto(preview.address)
        wait_for_expression(page, "document.querySelector('tenure-preview')")
        save_files_together(page, own_folder, preview)
        page.close()


def save_files_together(page: Page, folder: Path, preview: PreviewProcess) -> None:
    before = len(preview.printed)
    saves = {
        "about.md": "New words.\n",
        "news.yaml": "- {date: 2024, text: New news}\n",
        "talks.yaml": "- {title: A new talk, date: 2024}\n",
    }
    for name, text in saves.items():
        (folder / f"content/.{name}").write_text(text)
    for name in saves:
        (folder / f"content/.{name}").replace(folder / f"content/{name}")
    for text in ("New words.", "New news", "A new talk"):
        expect(page.get_by_text(text).first).to_be_visible()
    line = preview.wait_for_line("content/about.md, content/news.yaml, content/talks.yaml", before)
    assert preview.printed[before:] == [line]


def test_only_the_changed_element_of_a_page_is_sent(open_path: Open, folder: Path) -> None:
    page = open_path("publications/")
    wait_for_expression(
        page, "performance.getEntriesByName(location.href, 'resource').length"
    )  # the page as it was served
    page.wait_for_timeout(300)
    page.evaluate(
        "() => { const load = fetch; window.loads = 0; window.fetch = (...one) => { window.loads += 1; return load(...one); }; }"
    )
    page.get_by_role("searchbox").fill("Paper 1")  # the script has added a line to each paper and hidden some
    bib = folder / "bib/papers.bib"
    for title in ("Paper 17 & more", "Paper $17^2$", "Paper 17 again"):
        before = bib.read_text()
        bib.write_text(re.sub(r"(?<=@misc\{p17, title = \{).*?(?=\}, author)", title, before))
        expect(page.locator("#p17 .pub-title")).to_contain_text(title.replace("$17^2$", "172"))
    assert page.locator("#p17 .pub-authors details").count()
    replace_text(bib, "Paper 1", "Article 1")  # eleven papers in one section
    expect(page.locator("#p15 .pub-title")).to_contain_text("Article 15")
    assert page.evaluate("window.loads") == 0
    replace_text(
        folder / "content/profile.yaml", "Ada Example", "Ada E. Example"
    )  # also in the head of the page
    wait_for_expression(page, "document.title.includes('Ada E.')")
    assert page.evaluate("window.loads") == 1
    assert is_same_document(page)


def test_a_new_entry_is_shown_without_reloading_the_page(open_path: Open, folder: Path) -> None:
    page = open_path("talks/")
    with (folder / "content/talks.yaml").open("a") as talks:
        talks.write("- {title: A second talk, date: 2025}\n")
    expect(page.get_by_text("A second talk")).to_be_visible()
    assert is_same_document(page)


def test_scroll_open_details_and_a_filter_are_kept(open_path: Open, folder: Path) -> None:
    page = open_path("publications/")
    page.locator("details summary").nth(12).click()
    page.fill("#pub-filter [name=q]", "paper 1")
    page.evaluate("scrollTo(0, 300)")
    selected = "[scrollY, [...document.querySelectorAll('details')].map(one => one.open), document.querySelectorAll('.pub:not([hidden])').length]"
    before = page.evaluate(selected)
    assert before[0] == 300
    assert before[1].count(True) == 1
    assert before[2] == 11
    replace_text(folder / "bib/papers.bib", "Paper 12}", "Paper 12 has another title}")
    expect(page.get_by_role("link", name="Paper 12 has another title", exact=True)).to_be_visible()
    wait_for_expression(page, "document.querySelectorAll('.pub:not([hidden])').length === 11")
    assert page.evaluate(selected) == before
    with (folder / "bib/papers.bib").open("a") as papers:
        papers.write(f"@misc{{new, title = {{An older paper 1}}, author = {{{AUTHORS}}}, year = 1990}}\n")
    expect(page.get_by_role("link", name="An older paper 1", exact=True)).to_be_visible()
    wait_for_expression(page, "document.querySelectorAll('.pub:not([hidden])').length === 12")
    assert page.evaluate(selected) == [300, [*before[1], False], 12]
    assert is_same_document(page)
    page.fill("#pub-filter [name=q]", "older")
    assert page.locator(".pub:visible").count() == 1


def test_the_color_scheme_switch_works_after_an_update(open_path: Open, folder: Path) -> None:
    page = open_path("talks/")
    with (folder / "content/talks.yaml").open("a") as talks:
        talks.write("- {title: A second talk, date: 2025}\n")
    expect(page.get_by_text("A second talk")).to_be_visible()
    page.click("#theme-switch")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_style_sheet_is_replaced_without_a_flash(open_path: Open, folder: Path) -> None:
    page = open_path("")
    page.evaluate(
        """() => { window.bare = 0; (function look() {
             if (getComputedStyle(document.body).getPropertyValue('--tested') === '' && window.styled) window.bare++;
             window.styled = getComputedStyle(document.body).getPropertyValue('--tested') !== '';
             requestAnimationFrame(look); })() }"""
    )
    style = (Path(__file__).parents[2] / "themes/classic/assets/style.css").read_text()
    for colour in ("red", "blue", "green"):
        write_files(
            folder, f"-- themes/classic/assets/style.css --\n{style}\nbody {{ --tested: {colour} }}\n"
        )
        wait_for_expression(
            page, f"getComputedStyle(document.body).getPropertyValue('--tested').trim() === '{colour}'"
        )
    assert page.evaluate("window.bare") == 0
    assert is_same_document(page)


def test_a_mistake_is_shown_in_the_page_until_it_is_repaired(
    open_path: Open, folder: Path, preview: PreviewProcess
) -> None:
    page = open_path("talks/")
    before = len(preview.printed)
    replace_text(folder / "content/talks.yaml", "title", "tilte")
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    messages = read_problems(page)
    assert 'unknown key "tilte"' in messages
    assert "<did you mean" not in messages
    line = preview.wait_for_line("tilte", before)
    assert line.replace(": error: ", " ") in messages, "the terminal says the same"
    expect(page.get_by_text("A first talk", exact=True)).to_be_hidden()
    replace_text(folder / "content/talks.yaml", "- {", "- {title: A third talk, date: 2025}\n- {")
    expect(page.get_by_text("A third talk", exact=True)).to_be_visible()
    assert page.locator("tenure-preview h1").all_inner_texts()[-1] == (
        "1 error: the site cannot be published; the preview shows the rest"
    )
    assert is_same_document(page)
    page.reload()
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    replace_text(folder / "content/talks.yaml", "tilte: A first", "title: A better")
    expect(page.get_by_text("A better talk")).to_be_visible()
    wait_for_expression(page, f"!({PROBLEMS_ARE_SHOWN})")


SHADOW = "document.querySelector('tenure-preview').shadowRoot"


def test_errors_are_listed_before_warnings_and_link_to_the_editor(open_path: Open, folder: Path) -> None:
    page = open_path("talks/")
    (folder / "content/about.md").write_text("![](plot.svg)")
    (folder / "content/plot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
    wait_for_expression(page, f"{SHADOW}.querySelector('.warnings')")
    assert page.evaluate(f"{SHADOW}.querySelector('.errors')") is None
    assert page.locator("tenure-preview summary").inner_text() == "1 warning"
    assert not page.locator("tenure-preview .warnings li").is_visible()
    page.locator("tenure-preview summary").press("Enter")
    assert "about.md:1:" in page.locator("tenure-preview .warnings li").inner_text()
    replace_text(folder / "content/talks.yaml", "title", "tilte")
    wait_for_expression(page, f"{SHADOW}.querySelector('.errors')")
    assert (
        page.locator("tenure-preview h1").all_inner_texts()[-1]
        == "1 error: the site cannot be published; the preview shows the rest"
    )
    link = page.locator("tenure-preview .errors a").get_attribute("href")
    assert link == f"vscode://file{(folder / 'content/talks.yaml').resolve()}:1:4"
    classes = page.evaluate(f"[...{SHADOW}.querySelector('.problems').children].map(one => one.className)")
    assert classes == ["errors", "warnings", "close"]


def test_a_panel_that_was_closed_stays_closed_until_the_problems_change(
    open_path: Open, folder: Path
) -> None:
    page = open_path("talks/")
    replace_text(folder / "content/talks.yaml", "title", "tilte")
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    page.locator("tenure-preview .problems .close").press("Enter")
    wait_for_expression(page, f"!({PROBLEMS_ARE_SHOWN})")
    (folder / "content/news.yaml").write_text("- {date: 2024, text: Other news}\n")
    page.reload()
    wait_for_expression(page, f"{SHADOW}.querySelector('.problems .errors')")
    assert not page.evaluate(PROBLEMS_ARE_SHOWN)
    replace_text(folder / "content/talks.yaml", "tilte: A first", "tittle: A second")
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    page.locator("tenure-preview .errors a").focus()
    page.keyboard.press("Escape")
    assert not page.evaluate(PROBLEMS_ARE_SHOWN)


def test_an_empty_site_shows_first_steps_until_they_are_done(chromium: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, "-- content/profile.yaml --\nname: Ada Example\n")
    with start_preview(tmp_path) as preview:
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(preview.address)
        titles = page.locator("tenure-preview .steps h2")
        expect(titles).to_have_count(5)
        assert titles.first.inner_text() == "A text about you"
        page.locator("tenure-preview .steps li button").first.click()
        expect(page.locator("tenure-preview .steps li button").first).to_have_text("Copied")
        (tmp_path / "content/about.md").write_text(str(page.evaluate("navigator.clipboard.readText()")))
        expect(page.get_by_text("I am a PhD student.")).to_be_visible()
        expect(titles.first).to_have_text("Your role and a photo")
        (tmp_path / "content/talks.yaml").write_text("- {title: A talk, date: 2024}\n")
        wait_for_expression(page, f"{SHADOW}.querySelector('.steps').hidden")
        context.close()


def test_each_warning_is_printed_once_and_each_error_each_time(
    own_folder: Path,
) -> None:
    folder = own_folder
    write_files(folder, "-- bib/more.bib --\n@misc{q, title={Q}, author={Example, Ada}, year={soon}}\n")
    with start_preview(folder) as preview:
        assert preview.printed.index("1 warning") > 0
        started = len(preview.printed)
        replace_text(folder / "content/about.md", "first", "second")
        assert preview.wait_for_line("content/about.md", started).endswith(" ms, 1 warning")
        replace_text(folder / "content/talks.yaml", "title", "tilte")
        assert preview.wait_for_line("content/talks.yaml: ", started).endswith(" ms, 1 error, 1 warning")
        started = len(preview.printed)
        replace_text(folder / "content/about.md", "second", "third")
        assert preview.wait_for_line("content/about.md: ", started).endswith(" ms, 1 error, 1 warning")
        assert sum('unknown key "tilte"' in line for line in preview.printed) == 2
        assert sum("is no year" in line for line in preview.printed[started:]) == 0


def test_markup_in_a_message_is_escaped(open_path: Open, folder: Path) -> None:
    page = open_path("")
    (folder / "content/talks.yaml").write_text("- {title: A talk, date: <img src=x onerror=alert(1)>}\n")
    wait_for_expression(page, PROBLEMS_ARE_SHOWN)
    assert "<img src=x" in read_problems(page)
    assert page.evaluate("document.querySelector('tenure-preview').shadowRoot.querySelector('img')") is None


def test_a_site_with_an_initial_mistake_can_be_repaired(chromium: Browser, tmp_path: Path) -> None:
    write_files(
        tmp_path, "-- content/profile.yaml --\nnam: Ada\n-- site.yaml --\nurl: https://example.edu/~ada/\n"
    )
    with start_preview(tmp_path) as preview:
        page = chromium.new_page()
        page.goto(preview.address)
        wait_for_expression(page, PROBLEMS_ARE_SHOWN)
        (tmp_path / "content/profile.yaml").write_text("name: Ada Example\n")
        expect(page.get_by_role("heading", name="Ada Example")).to_be_visible()
        assert page.url.endswith("/~ada/")
        page.close()


def test_an_internal_error_is_reported_and_the_server_continues(chromium: Browser, tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    write_files(
        tmp_path,
        "-- build.py --\nfrom tenure.cli.app import main\nfrom tenure.build import EXPORTERS\nfrom pathlib import Path\n"
        "def mine(site, pages):\n"
        "    if 'quit' in site.title: raise SystemExit(3)\n"
        "    if 'fail' in site.title: raise RuntimeError('of mine')\n"
        "    return []\n"
        "main(folder=Path(__file__).parent, exporters=(*EXPORTERS, mine))\n",
    )
    with start_preview(tmp_path, script=tmp_path / "build.py") as preview:
        page = chromium.new_page()
        page.goto(preview.address)
        for title in ("fail", "quit"):
            (tmp_path / "site.yaml").write_text(f"title: {title}\nurl: https://example.edu/~ada/\n")
            wait_for_expression(page, PROBLEMS_ARE_SHOWN)
            assert "internal error (" in read_problems(page)
            (tmp_path / "site.yaml").write_text("title: Well again\nurl: https://example.edu/~ada/\n")
            wait_for_expression(page, f"!({PROBLEMS_ARE_SHOWN})")
        page.close()


def test_a_save_by_renaming_is_shown(open_path: Open, folder: Path) -> None:
    page = open_path("")
    for number, name in enumerate((".goutputstream-A1B2", "about.md~", "4913")):
        beside = folder / "content" / name
        beside.write_text(f"Renamed save {number}.")
        beside.replace(folder / "content/about.md")
        expect(page.get_by_text(f"Renamed save {number}.")).to_be_visible()


def test_a_new_file_with_an_old_time_is_shown(
    open_path: Open, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = open_path("")
    old = tmp_path_factory.mktemp("old") / "awards.yaml"
    old.write_text("- {title: A prize of old, date: 1999}\n")
    os.utime(old, (1e9, 1e9))
    shutil.copy2(old, folder / "content/awards.yaml")
    expect(page.get_by_text("A prize of old").first).to_be_visible()


def test_a_new_page_replaces_its_404_page(open_path: Open, folder: Path) -> None:
    page = open_path("teaching/")
    expect(page.get_by_text("404").or_(page.get_by_text("not found")).first).to_be_attached()
    (folder / "content/teaching.yaml").write_text("- {course: Ropes and Knots, term: Fall 2024}\n")
    expect(page.get_by_text("Ropes and Knots")).to_be_visible()
    (folder / "content/teaching.yaml").unlink()
    expect(page.get_by_text("Ropes and Knots")).to_have_count(0)


def test_a_changed_image_is_shown(open_path: Open, folder: Path) -> None:
    from PIL import Image

    Image.new("RGB", (40, 30), "red").save(folder / "content/plot.png")
    page = open_path("")
    (folder / "content/about.md").write_text("![A plot](plot.png)")
    colour = """async () => { const image = document.querySelector('img[alt="A plot"]'); await image.decode();
      const ink = document.createElement('canvas').getContext('2d'); ink.drawImage(image, 0, 0);
      return [...ink.getImageData(5, 5, 1, 1).data].slice(0, 3).map(one => one > 128) }"""
    # An image that is being replaced cannot be decoded; then the test tries again.
    expect(page.get_by_alt_text("A plot")).to_be_visible()
    wait_for_expression(page, f"({colour})().then(found => found[0] && !found[2], () => false)")
    Image.new("RGB", (40, 30), "blue").save(folder / "content/plot.png")
    wait_for_expression(page, f"({colour})().then(found => found[2] && !found[0], () => false)")


def test_drafts_have_a_banner(open_path: Open, folder: Path) -> None:
    page = open_path("talks/")
    replace_text(folder / "content/talks.yaml", "date: 2024", "date: 2024, draft: true")
    banner = "document.querySelector('tenure-preview').shadowRoot.querySelector('.draft')"
    wait_for_expression(page, f"!{banner}.hidden && {banner}.innerText.includes('A first talk')")
    replace_text(folder / "content/talks.yaml", ", draft: true", "")
    wait_for_expression(page, f"{banner}.hidden")


def test_the_browser_reconnects_to_a_restarted_server(chromium: Browser, own_folder: Path) -> None:
    folder = own_folder
    with start_preview(folder) as first:
        page = chromium.new_page()
        page.goto(first.address)
        expect(page.get_by_text("The first words.")).to_be_visible()
    (folder / "content/about.md").write_text("Written meanwhile.")
    with start_preview(folder, port=int(first.host.split(":")[1])):
        expect(page.get_by_text("Written meanwhile.")).to_be_visible(timeout=15000)
        page.close()


def test_the_browser_stays_on_its_page(open_path: Open, folder: Path, preview: PreviewProcess) -> None:
    page = open_path("publications/p3/")
    before = len(preview.printed)
    replace_text(folder / "bib/papers.bib", "Abstract 7.", "Another abstract.")
    preview.wait_for_line("bib/papers.bib", before)
    replace_text(folder / "bib/papers.bib", "Abstract 3.", "The abstract of this page.")
    expect(page.get_by_text("The abstract of this page.", exact=True)).to_be_visible()
    assert page.url.endswith("/publications/p3/")
    assert is_same_document(page)
