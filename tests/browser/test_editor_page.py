"""The editor of `serve` in a real browser: a click on the site opens a form, and a change is on disk and on the site."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chromium import collect_page_errors
from conftest import read_script, read_site, write_files
from npm_tools import AXE
from playwright.sync_api import Browser, FrameLocator, Page, Route, expect
from preview_process import PreviewProcess, start_preview

SITE = read_site("editor")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
DROP = """([selector, name, type, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], name, { type }));
  document.querySelector(selector).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


class OpenEditor:
    """The editor in a browser: its page, the frame of the site, and the folder of the sources."""

    def __init__(self, preview: PreviewProcess, page: Page) -> None:
        self.preview = preview
        self.page = page
        self.errors: list[str] = []
        collect_page_errors(page, self.errors)
        self.root = Path(os.readlink(f"/proc/{preview.process.pid}/cwd"))

    @property
    def site(self) -> FrameLocator:
        return self.page.frame_locator("#site")

    def open(self, path: str = "") -> None:
        page = f"&at={self.preview.address}{path}" if path else ""
        self.page.goto(self.preview.editor_address + page)
        expect(self.page.get_by_role("form")).to_be_visible()
        expect(self.site.locator("tenure-preview")).to_be_attached()

    def open_file(self, file: str) -> None:
        self.page.locator(f'#sources [data-path="{file}"]').click()
        expect(self.page.get_by_role("form", name=f"Form of {file}")).to_be_visible()

    def expect_form(self, file: str) -> None:
        expect(self.page.get_by_role("form", name=f"Form of {file}")).to_be_visible()

    def expect_text(self, file: str, text: str) -> None:
        """Wait until a source has a text."""
        for _ in range(200):
            if text in (self.root / file).read_text("utf-8"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError((self.root / file).read_text("utf-8"))


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreviewProcess]:
    root = tmp_path_factory.mktemp("site")
    write_files(root, SITE)
    with start_preview(root) as running_preview:
        yield running_preview


@pytest.fixture
def editor(preview: PreviewProcess, chromium: Browser) -> Iterator[OpenEditor]:
    with use_editor(preview, chromium, SITE) as opened:
        yield opened


@contextmanager
def use_editor(preview: PreviewProcess, chromium: Browser, site: str) -> Iterator[OpenEditor]:
    """Write the site anew for its editor; at the end the page may have reported no error."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    opened = OpenEditor(preview, page)
    for folder in ("content", "bib"):
        for path in (opened.root / folder).rglob("*"):
            if path.is_file():
                path.unlink()
    write_files(opened.root, site)
    yield opened
    page.close()
    # a page of the site that is left during its transition reports that
    assert [error for error in opened.errors if "Transition" not in error] == []


def test_a_click_opens_the_form_and_a_change_is_on_the_site(editor: OpenEditor) -> None:
    editor.open()
    editor.site.get_by_role("heading", name="Ada Example").first.click()
    editor.expect_form("content/profile.yaml")
    role = editor.page.get_by_label("Role", exact=True)
    expect(editor.page.locator("#status")).to_contain_text("Changes are saved by themselves")
    role.fill("Postdoc")
    assert editor.page.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    editor.expect_text("content/profile.yaml", "role: Postdoc\n")
    expect(role).to_be_focused()
    editor.page.wait_for_function("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    role.press("Tab")
    editor.expect_text("content/profile.yaml", "name: Ada Example   # as on papers\nrole: Postdoc\n")
    expect(editor.site.get_by_text("Postdoc").first).to_be_visible()
    editor.site.get_by_text("Words.").click()
    editor.expect_form("content/about.md")
    editor.site.get_by_text("On Wool").first.click()
    editor.expect_form("bib/papers.bib")
    expect(editor.page.get_by_label("Author", exact=True)).to_have_value("Example, Ada\nLee, Bo")
    editor.page.get_by_label("Year", exact=True).fill("2031")
    editor.page.keyboard.press("Tab")
    editor.expect_text("bib/papers.bib", "year = 2031\n")
    expect(editor.site.get_by_text("2031").first).to_be_visible()
    editor.page.get_by_role("button", name="Undo").click()
    editor.expect_text("bib/papers.bib", "year = 2025\n")
    editor.site.get_by_role("link", name="Talks").first.click()
    editor.site.get_by_text("A second talk").click()
    editor.expect_form("content/talks.yaml")
    expect(editor.page.get_by_label("Title", exact=True).and_(editor.page.locator(":visible"))).to_have_value(
        "A second talk"
    )
    assert "?" not in editor.page.url, "the token has left the address"


def test_a_list_is_written_by_the_keyboard(editor: OpenEditor) -> None:
    editor.open("talks/")
    page, talks = editor.page, editor.root / "content/talks.yaml"
    editor.open_file("content/talks.yaml")
    page.get_by_role("button", name="Add a talk").press("Enter")
    expect(page.locator(".cards > li:last-child input").first).to_be_focused()
    page.keyboard.type("A third talk")
    page.keyboard.press("Tab")
    editor.expect_text("content/talks.yaml", "- title: A third talk\n")
    page.get_by_role("button", name="Move A third talk to the top").press("Enter")
    expect(page.get_by_role("button", name="Move A third talk to the top")).to_be_disabled()
    page.get_by_role("button", name="Move A third talk down").press("Enter")
    expect(page.get_by_role("button", name="Move A third talk down")).to_be_focused()
    editor.expect_text("content/talks.yaml", "2024}   # in May\n- title: A third talk\n")
    page.get_by_role("button", name="Remove A third talk").press("Enter")
    expect(page.get_by_role("button", name="Add a talk")).to_be_focused()
    expect(page.get_by_role("button", name="Remove A third talk")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("“A third talk” is removed.")
    expect(page.locator("#form details[open]")).to_have_count(0)
    assert (
        talks.read_text("utf-8").rstrip() == SITE.split("talks.yaml --\n")[1].split("-- content")[0].rstrip()
    )
    page.locator("#status").get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#status")).to_have_text("Talks: “A third talk” is back.")
    page.get_by_role("button", name="Redo").press("Enter")
    expect(page.locator("#status")).to_have_text("Talks: the last change is there again.")
    for end in ("is back", "is taken back", "is taken back", "is not there any more"):
        page.locator("#undo").press("Enter")
        expect(page.locator("#status")).to_contain_text(end)
        page.evaluate("document.getElementById('status').textContent = ''")
    assert talks.read_text("utf-8") == SITE.split("talks.yaml --\n")[1].split("-- content")[0]


def test_what_has_no_fields_is_a_text(editor: OpenEditor) -> None:
    talks = editor.root / "content/talks.yaml"
    talks.write_text("- {title: A first talk, date: 2024}\n- title: [\n", encoding="utf-8")
    editor.open()
    editor.open_file("content/talks.yaml")
    text = editor.page.get_by_label("Text", exact=True)
    expect(text).to_have_value("- {title: A first talk, date: 2024}\n- title: [\n")
    expect(editor.page.get_by_text("This file has no form: line 2 is not valid YAML")).to_be_visible()
    expect(editor.page.locator("p.problem.error").first).to_contain_text("Line 2: ")
    text.fill("- {title: A first talk, date: 2024}\n- title: A repaired talk\n")
    text.press("Tab")
    expect(editor.page.get_by_text("A repaired talk")).to_be_visible()
    assert talks.read_text("utf-8").endswith("- title: A repaired talk\n")
    (editor.root / "content/people.yaml").write_text(
        "Students:\n  - Eva Doe, PhD student 2024\nPostdocs: []\n", encoding="utf-8"
    )
    expect(editor.page.get_by_role("navigation")).to_contain_text("people.yaml")
    editor.open_file("content/people.yaml")
    editor.page.locator("summary", has_text="Students").click()
    part = editor.page.get_by_label("Text", exact=True)
    expect(part).to_have_value("- Eva Doe, PhD student 2024")
    part.fill("- Eva Doe, PhD student 2025")
    part.press("Tab")
    editor.expect_text("content/people.yaml", "Students:\n  - Eva Doe, PhD student 2025\nPostdocs: []\n")


def test_a_file_that_somebody_else_changes_is_shown(editor: OpenEditor) -> None:
    editor.open()
    editor.open_file("content/talks.yaml")
    talks = editor.root / "content/talks.yaml"
    text = talks.read_text("utf-8")
    talks.write_text(f"- {{title: A new talk, date: 2026}}\n{text}", encoding="utf-8")
    editor.page.locator("summary", has_text="A new talk").click()
    editor.page.get_by_label("Title", exact=True).and_(editor.page.locator(":visible")).fill(
        "The newest talk"
    )
    editor.page.keyboard.press("Tab")
    editor.expect_text("content/talks.yaml", "- {title: The newest talk, date: 2026}\n- {title: A first talk")


def test_what_was_typed_and_cannot_be_written_stays_in_sight(editor: OpenEditor) -> None:
    editor.open()
    editor.open_file("bib/papers.bib")
    editor.page.get_by_text("On Wool").and_(editor.page.locator("summary *")).click()
    title = editor.page.get_by_label("Title", exact=True)
    title.fill("On {Wool")
    title.press("Tab")
    expect(editor.page.locator("#status")).to_contain_text("without changing others")
    expect(editor.page.get_by_label("Not written")).to_have_value("On {Wool")
    expect(title).to_have_value("On {W}ool")


def test_pictures_pdfs_and_pasted_entries_are_taken(editor: OpenEditor) -> None:
    editor.open()
    page = editor.page
    page.evaluate(DROP, ["#form .fields", "Me & you.png", "image/png", [*PNG]])
    editor.expect_text("content/profile.yaml", "photo: images/me-you.png\n")
    assert (editor.root / "content/images/me-you.png").read_bytes().startswith(PNG[:8])
    expect(page.locator("#form img")).to_be_visible()
    page.evaluate(DROP, ["#form .fields", "photo.heic", "image/heic", [0, 1, 2]])
    expect(page.locator("#status")).to_contain_text("export it as JPEG or PNG")
    editor.open_file("content/talks.yaml")
    page.locator("summary", has_text="A first talk").click()
    expect(page.locator(".cards .fields").first).to_be_visible()
    page.evaluate(DROP, [".cards .fields", "Slides.pdf", "application/pdf", [*b"%PDF-1.7 x"]])
    editor.expect_text("content/talks.yaml", "slides: files/slides.pdf")
    editor.open_file("bib/papers.bib")
    page.get_by_text("On Wool").and_(page.locator("summary *")).click()
    expect(page.get_by_label("Author", exact=True)).to_be_visible()
    page.evaluate(DROP, [".cards .fields", "x.pdf", "application/pdf", [*b"%PDF-1.7 x"]])
    editor.expect_text("bib/papers.bib", "pdf = {papers/lee2025.pdf}")
    page.get_by_label("Choose a PDF").set_input_files(
        {"name": "y.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 y"}
    )
    editor.expect_text("bib/papers.bib", "pdf = {papers/lee2025-2.pdf}")
    bibtex = page.get_by_label("BibTeX")
    roe = "@misc{roe2024, title = {Looms}, author = {Roe, Jo and Example, Ada}, year = 2024}"
    bibtex.fill(f"{roe}\n@misc{{roe2023, title = {{Yarn}}}}")
    page.get_by_role("button", name="Add the entries").click()
    editor.expect_text("bib/papers.bib", f"\n{roe}\n\n@misc{{roe2023, title = {{Yarn}}}}\n")
    expect(page.locator(".cards summary").filter(has_text="Looms")).to_be_visible()
    bibtex.fill("@misc{roe2024, title = {Another}}")
    page.get_by_role("button", name="Add the entries").click()
    expect(page.locator("#status")).to_contain_text('the key "roe2024" is taken')
    page.get_by_label("Selected: On Wool").check()
    expect(page.locator("#status")).to_contain_text("Saved: Selected papers, extras")
    editor.expect_text("content/publications.yaml", "lee2025:\n  selected: true\n")
    editor.open_file("content/publications.yaml")
    expect(page.locator(".cards .name")).to_have_text("On Wool")


def test_a_page_is_renamed_deleted_and_brought_back(editor: OpenEditor) -> None:
    editor.open()
    page, original = editor.page, (editor.root / "site.yaml").read_text("utf-8")
    editor.open_file("content/pages/tools.md")
    page.get_by_label("Title", exact=True).fill("Instruments")
    page.get_by_text("More fields").click()
    page.get_by_label("Address on the site", exact=True).fill("/instruments/")
    page.get_by_label("Address on the site", exact=True).press("Tab")
    page.get_by_role("button", name="Add a redirect from /tools/").click()
    editor.expect_text("site.yaml", 'redirects:\n  "/tools/": "/instruments/"\n')
    expect(page.get_by_role("button", name="Add a redirect from /tools/")).to_have_count(0)
    page.get_by_role("button", name="Delete page").click()
    editor.expect_text("site.yaml", original.replace("      - tools\n", ""))
    assert not (editor.root / "content/pages/tools.md").exists()
    page.evaluate("document.getElementById('status').textContent = ''")
    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#status")).to_contain_text(re.compile("again|back"))
        page.evaluate("document.getElementById('status').textContent = ''")
    assert (editor.root / "site.yaml").read_text("utf-8") == original
    assert (editor.root / "content/pages/tools.md").read_text("utf-8") == "---\ntitle: Tools\n---\nA page.\n"


def test_a_script_of_the_site_can_change_nothing(editor: OpenEditor) -> None:
    editor.open()
    before = {
        path: path.read_bytes()
        for path in editor.root.rglob("*")
        if path.is_file() and ".cache" not in path.parts
    }
    frame = next(frame for frame in editor.page.frames if frame.parent_frame)
    answers = frame.evaluate(read_script("attacks on the editor"), f"http://{editor.preview.editor_host}")
    assert answers == {
        "fetch": "TypeError", "text": "TypeError", "read": "TypeError", "token": False, "top": "refused", "parent": "SecurityError",
    }  # fmt: skip
    editor.page.wait_for_timeout(1000)
    assert {path: path.read_bytes() for path in before} == before
    assert editor.page.url.startswith(f"http://{editor.preview.editor_host}/")
    expect(editor.page.get_by_role("form")).to_be_visible()


def test_s16_a_host_is_asked_only_after_a_click(editor: OpenEditor) -> None:
    asked: list[str] = []
    answer = "@misc{roe2024, title = {Looms}, author = {Roe, Jo and Example, Ada}, year = 2024}"

    def answer_request(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body=answer, headers={"Access-Control-Allow-Origin": "*"})

    editor.page.route(lambda url: "127.0.0.1" not in url and not url.startswith("data:"), answer_request)
    editor.open()
    for file in ("content/talks.yaml", "site.yaml", "bib/papers.bib"):
        editor.open_file(file)
    doi = editor.page.get_by_role("textbox", name="DOI", exact=True)
    doi.fill("https://doi.org/10.1145/3297858.3304013")
    doi.press("Tab")
    assert asked == []
    editor.page.get_by_role("button", name="Ask doi.org").click()
    editor.expect_text("bib/papers.bib", answer)
    assert asked == ["https://doi.org/10.1145/3297858.3304013"]
    doi.fill("lee2025")
    editor.page.get_by_role("button", name="Ask doi.org").click()
    expect(editor.page.locator("#status")).to_contain_text("this is not a DOI")


def test_without_the_token_edit_leads_to_one_sentence(editor: OpenEditor) -> None:
    editor.page.goto(editor.preview.address)
    editor.page.get_by_role("link", name="Edit", exact=True).click()
    expect(editor.page.locator("body")).to_have_text(
        "To edit, open the address that “serve” prints in its terminal."
    )
    editor.page.goto(f"{editor.preview.address}?key={editor.preview.editor_key}")
    assert editor.page.url == editor.preview.address
    editor.page.goto(f"{editor.preview.address}talks/")
    editor.page.get_by_role("link", name="Edit", exact=True).click()
    expect(editor.site.get_by_text("A second talk")).to_be_visible()


def test_a_link_to_a_pdf_or_another_site_has_a_tab_of_its_own(editor: OpenEditor) -> None:
    about = editor.root / "content/about.md"
    about.write_text("[A poster](poster.pdf) and [a page](https://example.org/).\n", encoding="utf-8")
    (editor.root / "content/poster.pdf").write_bytes(b"%PDF-1.7 x")
    editor.open()
    editor.page.context.route("https://example.org/", lambda route: route.fulfill(body="another site"))
    for name in ("A poster", "a page"):
        link = editor.site.get_by_role("link", name=name)
        with editor.page.context.expect_page():
            link.click()
    expect(editor.site.get_by_role("link", name="A poster")).to_be_visible()


def test_the_panel_tries_and_saves_a_theme(editor: OpenEditor) -> None:
    write_files(editor.root, SITE.replace("{name: folio, accent: teal}", "folio"))
    editor.open()
    page, original = editor.page, (editor.root / "site.yaml").read_text("utf-8")
    page.emulate_media(color_scheme="dark")
    button = page.get_by_role("button", name="Design")
    button.press("Enter")
    theme = page.get_by_label("Theme", exact=True)
    expect(theme).to_be_focused()
    expect(page.locator("#file-name")).to_have_text("Design")
    theme.select_option("stage")
    palettes = page.get_by_role("group", name="Palette")
    expect(palettes.get_by_role("radio")).to_have_count(6)
    palettes.get_by_role("radio", name="pine").check()
    expect(editor.site.locator("header.site")).to_have_css("background-color", "rgb(13, 64, 49)")
    swatch = palettes.locator("label", has_text="pine")
    expect(swatch).to_have_css("border-inline-start-color", "rgb(13, 64, 49)")
    expect(page.get_by_role("status").filter(has_text="not kept yet")).to_be_visible()
    assert (editor.root / "site.yaml").read_text("utf-8") == original
    page.get_by_role("button", name="Keep this design").click()
    expect(page.get_by_role("status").filter(has_text="Kept.")).to_be_visible()
    assert "palette: pine" in (editor.root / "site.yaml").read_text("utf-8")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(page.get_by_role("form")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_have_text("Pages: “Theme” is “folio” again.")
    assert (editor.root / "site.yaml").read_text("utf-8") == original


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_reports_nothing_in_each_state(
    preview: PreviewProcess, chromium: Browser, width: int, scheme: str
) -> None:
    with chromium.new_context(bypass_csp=True, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        editor = OpenEditor(preview, page)
        write_files(editor.root, SITE)
        (editor.root / "content/awards.yaml").write_text("- [\n", encoding="utf-8")
        editor.open()
        page.add_script_tag(content=AXE.find_file().read_text(encoding="utf-8"))
        found: list[str] = []
        for file in ("content/profile.yaml", "content/talks.yaml", "bib/papers.bib", "content/awards.yaml", "content/pages/tools.md", "site.yaml"):  # fmt: skip
            editor.open_file(file)
            for name in page.get_by_text("More fields").all()[:1] + page.locator(".paper summary").all()[:1]:
                name.click()
            found += page.evaluate(read_script("axe"), ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"])
            assert page.evaluate(read_script("elements that are too wide")) == []
        if width == 390:
            page.get_by_role("tab", name="Edit").press("ArrowRight")
            expect(page.get_by_role("tab", name="Site")).to_be_focused()
            expect(page.locator("#site")).to_be_visible()
            expect(page.locator("#form")).to_be_hidden()
            page.get_by_role("tab", name="Site").press("ArrowLeft")
        page.get_by_role("button", name="Design").click()
        expect(page.get_by_label("Theme", exact=True)).to_be_visible()
        found += page.evaluate(read_script("axe"), ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"])
        (editor.root / "content/awards.yaml").unlink()
        assert found == []
