"""The forms of the editor, for somebody who has never seen YAML: each value has a field, and no field shows syntax."""

import re
from collections.abc import Iterator

import pytest
from conftest import read_script, read_site, write_files
from npm_tools import AXE
from playwright.sync_api import Browser, Locator, expect
from preview_process import PreviewProcess, start_preview
from test_editor_page import PNG, OpenEditor, use_editor

SITE = read_site("forms")


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreviewProcess]:
    root = tmp_path_factory.mktemp("site")
    write_files(root, SITE)
    with start_preview(root) as running_preview:
        yield running_preview


@pytest.fixture
def editor(preview: PreviewProcess, chromium: Browser) -> Iterator[OpenEditor]:
    """Open the editor of SITE at the first page."""
    with use_editor(preview, chromium, SITE) as opened:
        opened.open()
        yield opened


def find_group(editor: OpenEditor, name: str) -> Locator:
    """Return the group of fields with a name."""
    return editor.page.get_by_role("group", name=name, exact=True)


def fill(field: Locator, text: str) -> None:
    """Write a text into a field, and leave the field."""
    field.fill(text)
    field.press("Tab")


def test_a_record_is_a_group_of_fields(editor: OpenEditor) -> None:
    group = find_group(editor, "Affiliation")
    expect(group.get_by_label("English")).to_have_value("Example University")
    fill(group.get_by_label("Homepage"), "https://example.edu/")
    editor.expect_text(
        "content/profile.yaml",
        "affiliation:\n  name: Example University\n  url: https://example.edu/\n",
    )
    expect(group.get_by_label("ROR identifier")).to_be_focused()
    group.get_by_role("button", name="Add another").click()
    expect(group.get_by_label("English")).to_have_count(2)
    fill(group.get_by_label("English").last, "ETH Zurich")
    editor.expect_text("content/profile.yaml", "    url: https://example.edu/\n  - ETH Zurich\n")
    group.get_by_role("button", name="Move ETH Zurich up").press("Enter")
    editor.expect_text("content/profile.yaml", "  - ETH Zurich\n  - name: Example University\n")
    expect(group.locator(".cards > li")).to_have_count(2)


def test_a_press_ends_although_the_form_is_drawn_again_meanwhile(editor: OpenEditor) -> None:
    page, group = editor.page, find_group(editor, "Affiliation")
    fill(group.get_by_label("Homepage"), "https://example.edu/")
    expect(group.get_by_label("ROR identifier")).to_be_focused()
    group.get_by_role("button", name="Add another").click()
    group.get_by_label("English").last.fill("ETH Zurich")
    page.get_by_text("E-mail", exact=True).hover()
    page.mouse.down()
    editor.expect_text("content/profile.yaml", "  - ETH Zurich\n")
    page.wait_for_timeout(1000)
    page.mouse.up()
    page.keyboard.insert_text("ada@example.edu")
    page.keyboard.press("Tab")
    editor.expect_text("content/profile.yaml", "email: ada@example.edu\n")

    page.get_by_label("Photo", exact=True).focus()
    profile = editor.root / "content/profile.yaml"
    with page.expect_file_chooser():
        page.keyboard.down("Space")
        profile.write_text(profile.read_text("utf-8").replace("ETH Zurich", "EPFL"), "utf-8")
        expect(editor.site.get_by_text("EPFL").first).to_be_visible()
        page.wait_for_timeout(1000)
        page.keyboard.up("Space")
    expect(group).to_contain_text("EPFL")


SLOW_FETCH = """(() => {
  const load = fetch;
  window.fetch = async (...values) => {
    await new Promise(next => setTimeout(next, 1000));
    return load(...values);
  };
})()"""


def test_what_is_typed_on_a_slow_machine_stays_in_the_form(editor: OpenEditor) -> None:
    page, group = editor.page, find_group(editor, "Affiliation")
    role = find_group(editor, "Role").get_by_label("English")
    fill(group.get_by_label("Homepage"), "https://example.edu/")
    expect(group.get_by_label("ROR identifier")).to_be_focused()
    group.get_by_role("button", name="Add another").click()
    page.evaluate(SLOW_FETCH)
    page.evaluate("document.querySelector('#form form').id = 'old-form'")
    # the form is drawn again after this, while the next two fields are written
    group.get_by_label("English").last.fill("ETH Zurich")
    role.fill("Postdoc")
    page.get_by_label("E-mail").focus()
    page.keyboard.insert_text("ada@example.edu")
    expect(page.locator("#old-form")).to_have_count(0)
    expect(page.get_by_label("E-mail")).to_have_value("ada@example.edu")
    editor.expect_text("content/profile.yaml", "email: ada@example.edu\n")
    editor.expect_text("content/profile.yaml", "role: Postdoc")
    expect(page.get_by_label("E-mail")).to_have_value("ada@example.edu")
    expect(page.get_by_label("E-mail")).to_be_focused()
    expect(role).to_have_value("Postdoc")


def test_links_and_lists_of_words_are_typed_as_people_type_them(editor: OpenEditor) -> None:
    page, links = editor.page, find_group(editor, "Links")
    box = links.get_by_label("Paste an address: Links")
    box.fill("scholar.google.com/citations?user=ada")
    expect(links.locator("output")).to_have_text("Google Scholar")
    box.press("Tab")
    editor.expect_text(
        "content/profile.yaml", "links:\n  scholar: https://scholar.google.com/citations?user=ada\n"
    )
    expect(links.get_by_label("address of scholar")).to_be_visible()
    fill(box, "ada")
    expect(links.locator("output")).to_contain_text("not an address")
    expect(box).to_have_value("ada")
    fill(find_group(editor, "Interests").get_by_label("English"), "looms, engines;  weaving")
    editor.expect_text("content/profile.yaml", "interests:\n  - looms\n  - engines\n  - weaving\n")
    fill(page.get_by_label("E-mail"), "ada@example.edu")
    editor.expect_text("content/profile.yaml", "email: ada@example.edu\n")
    expect(page.get_by_label("ROR identifier")).to_have_count(1)
    page.get_by_text("More fields").click()
    expect(find_group(editor, "Photo description")).to_be_visible()
    expect(page.get_by_text("Head of the group")).to_have_count(0)


def test_a_text_has_a_box_for_each_language(editor: OpenEditor) -> None:
    role = find_group(editor, "Role")
    expect(role.get_by_label("English")).to_have_value("PhD student")
    fill(role.get_by_label("English"), "Postdoc")
    editor.expect_text("content/profile.yaml", "role: Postdoc   # since May\n")
    fill(role.get_by_label("German"), "Postdoktorandin")
    editor.expect_text("content/profile.yaml", "role:  # since May\n  en: Postdoc\n  de: Postdoktorandin\n")
    editor.page.wait_for_timeout(1000)  # a text became a mapping, so its boxes are drawn again
    fill(role.get_by_label("English"), "Lecturer")
    editor.expect_text("content/profile.yaml", "  en: Lecturer\n  de: Postdoktorandin\n")
    expect(editor.site.get_by_text("Lecturer").first).to_be_visible()
    editor.site.get_by_role("link", name="Deutsch").first.click()
    expect(editor.site.get_by_text("Postdoktorandin").first).to_be_visible()
    editor.site.get_by_text("Words.").click()
    editor.expect_form("content/about.md")
    button = editor.page.get_by_role("button", name="Add a translation into German")
    expect(button).to_be_focused()
    button.press("Enter")
    editor.expect_form("content/about.de.md")
    fill(editor.page.get_by_label("Text", exact=True), "Worte.")
    editor.expect_text("content/about.de.md", "Worte.\n")
    expect(editor.site.get_by_text("Worte.")).to_be_visible()
    editor.page.wait_for_timeout(2000)
    editor.open_file("content/profile.yaml")
    editor.site.get_by_text("Worte.").click()
    editor.expect_form("content/about.de.md")
    expect(editor.page.get_by_role("navigation")).to_contain_text("About (German)")


def test_what_is_by_default_is_shown_and_not_written(editor: OpenEditor) -> None:
    editor.open_file("content/pages/tools.md")
    editor.page.get_by_text("More fields").click()
    menu = editor.page.get_by_label("In the menu")
    expect(menu).to_be_checked()
    menu.click()
    editor.expect_text("content/pages/tools.md", "title: Tools\nmenu: false\n")
    menu.click()
    editor.expect_text("content/pages/tools.md", "---\ntitle: Tools\n---\n")
    assert editor.page.locator("#form label:visible").all_inner_texts()[:2] == ["Title", "Text"]


def test_buttons_write_markdown(editor: OpenEditor) -> None:
    editor.open_file("content/about.md")
    text = editor.page.get_by_label("Text", exact=True)
    text.select_text()
    editor.page.get_by_role("button", name="Bold").press("Enter")
    editor.expect_text("content/about.md", "**Words.**\n")
    expect(text).to_be_focused()
    editor.page.get_by_role("button", name="Bold").press("Enter")
    expect(text).to_have_value("Words.")
    text.press("Control+z")
    expect(text).to_have_value("**Words.**")
    text.fill("Words and looms")
    text.evaluate("input => input.setSelectionRange(5, 10)")
    editor.page.get_by_role("button", name="Italic").press("Enter")
    editor.expect_text("content/about.md", "Words *and* looms\n")
    text.press("End")
    editor.page.once("dialog", lambda dialog: dialog.accept("https://example.org/"))
    editor.page.get_by_role("button", name="Link").press("Enter")
    editor.expect_text("content/about.md", "[text of the link](https://example.org/)")
    editor.page.get_by_role("button", name="List").press("Enter")
    editor.expect_text("content/about.md", "- ")


def test_pages_and_their_sections_are_fields(editor: OpenEditor) -> None:
    editor.open_file("site.yaml")
    pages = find_group(editor, "Pages")
    names = pages.locator(".cards").first.locator("> li > details > summary .name")
    expect(names).to_have_text(["Home", "Talks", "Work"])
    names.nth(1).click()
    pages.get_by_label("In the menu").click()
    editor.expect_text("site.yaml", "  - home   # the first\n  - talks\n")
    names.nth(2).click()
    sections = find_group(editor, "Sections").last
    sections.get_by_role("button", name="Add to “Sections”").click()
    name = sections.get_by_label("List or text").last
    expect(name).to_be_focused()
    expect(name).to_have_attribute("list", "known-pages")
    fill(name, "talks")
    editor.expect_text("site.yaml", "sections: [news, talks]\n")
    sections.get_by_text("News", exact=True).click()
    fill(sections.locator(".cards > li").first.get_by_label("At most", exact=True), "3")
    editor.expect_text("site.yaml", "sections: [{news: {limit: 3}}, talks]\n")
    site = editor.root / "site.yaml"
    site.write_text(site.read_text("utf-8") + "cvs:\n  resume:\n    look: modern\n", "utf-8")
    editor.open_file("content/talks.yaml")
    editor.open_file("site.yaml")
    editor.page.get_by_text("Resume", exact=True).click()
    fill(find_group(editor, "CVs as PDF").get_by_label("Look"), "")
    editor.expect_text("site.yaml", "cvs:\n  resume:\n    {}\n")
    editor.page.locator("#sources [data-path=languages]").click()
    expect(find_group(editor, "Further languages").locator("summary").first).to_be_focused()
    expect(editor.page.locator("#file-name")).to_have_text("Languages")
    editor.page.get_by_role("button", name="Add to “Further languages”").click()
    fill(find_group(editor, "Further languages").get_by_label("Language").last, "French")
    editor.expect_text("site.yaml", "languages: [de, fr]\n")


def test_choices_are_what_the_site_knows(editor: OpenEditor) -> None:
    editor.open_file("content/talks.yaml")
    editor.page.get_by_text("More fields").click()
    paper = editor.page.get_by_label("Papers 1")
    assert editor.page.locator("#known-papers option").get_attribute("value") == "lee2025"
    fill(paper, "Lee2025")
    editor.page.get_by_role("button", name="Repair this").click()
    editor.expect_text("content/talks.yaml", "publications: [lee2025]")
    expect(editor.page.locator("details.more").get_by_label("Papers 2")).to_be_visible()
    fill(editor.page.get_by_label("People 1"), "Bo Lee")
    editor.expect_text("content/talks.yaml", "people: [Bo Lee]")
    expect(editor.page.get_by_label("People 2")).to_be_visible()


def test_a_problem_stands_below_its_field_with_its_repair(editor: OpenEditor) -> None:
    editor.open_file("content/talks.yaml")
    talks = editor.root / "content/talks.yaml"
    date = editor.page.get_by_label("Date")
    fill(date, "someday 99")
    problem = editor.page.locator(".field", has=date).locator("p.problem")
    expect(problem).to_contain_text("someday 99")
    section = problem.get_by_role("link", name="What this means").get_attribute("href") or ""
    assert section.endswith("/livereload/docs/problems/#bad-date-error")
    assert section.startswith(editor.page.locator("#help").get_attribute("href") or "none")
    editor.site.locator(".problems").get_by_text("someday 99").first.click()
    expect(date).to_be_focused()
    place = find_group(editor, "Place").get_by_label("English")
    place.click()
    editor.page.keyboard.type("Par")
    talks.write_text(talks.read_text("utf-8") + "- {tilte: A second talk, date: 2025}\n", "utf-8")
    expect(editor.page.locator(".cards > li").nth(1).locator("p.problem")).to_contain_text("tilte")
    expect(place).to_be_focused()
    editor.page.keyboard.type("is")
    expect(place).to_have_value("Paris")
    place.press("Tab")
    editor.expect_text("content/talks.yaml", "place: Paris")
    (editor.root / "content/images").mkdir(exist_ok=True)
    (editor.root / "content/images/kelp.png").write_bytes(PNG)
    projects = editor.root / "content/projects.yaml"
    projects.write_text("- {title: Kelp, image: images/kelp.png}\n", encoding="utf-8")
    expect(editor.page.get_by_role("navigation")).to_contain_text("Projects")
    editor.open_file("content/projects.yaml")
    labels = editor.page.locator("#form label:visible, #form legend:visible").all_inner_texts()
    assert labels[:2] == ["Title", "English"]
    assert "Picture" in labels[:7]
    description = find_group(editor, "Picture description")
    expect(description.locator("p.problem")).to_contain_text("the image kelp.png has no description")
    description.get_by_label("Only decoration").click()
    editor.expect_text("content/projects.yaml", 'image_alt: ""')
    expect(editor.page.locator("p.problem")).to_have_count(0)
    editor.page.get_by_text("More fields").click()
    editor.page.get_by_role("button", name="Add to “More pictures and videos”").click()
    box = find_group(editor, "More pictures and videos")
    box.get_by_label("File").set_input_files({"name": "weed.png", "mimeType": "image/png", "buffer": PNG})
    expect(box.locator("p.problem")).to_contain_text("the image weed.png has no description")
    expect(box.get_by_label("File", exact=True)).to_be_visible()
    listed = editor.site.locator(".problems li").last
    expect(listed).to_contain_text("the image weed.png has no description content/projects.yaml")
    assert "alt:" not in listed.inner_text()


def test_the_parts_of_the_site_are_one_stop_of_the_keyboard(editor: OpenEditor) -> None:
    parts = editor.page.get_by_role("navigation")
    expect(parts.locator("[tabindex='0']")).to_have_count(1)
    parts.get_by_role("button", name="Profile").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        editor.page.keyboard.press(key)
    editor.expect_form("bib/papers.bib")
    expect(parts.get_by_role("button", name="Papers")).to_be_focused()
    for key in ("End", "Enter"):
        editor.page.keyboard.press(key)
    expect(editor.page.get_by_label("Theme", exact=True)).to_be_focused()
    editor.page.locator("#add summary").press("Enter")
    for key in ("ArrowDown", "ArrowUp", "End"):
        editor.page.keyboard.press(key)
    expect(editor.page.get_by_role("button", name="A page", exact=True)).to_be_focused()
    editor.page.keyboard.press("Escape")
    expect(editor.page.locator("#add summary")).to_be_focused()
    expect(editor.page.get_by_role("button", name="A page", exact=True)).to_be_hidden()


def test_the_preview_goes_to_the_page_of_what_is_edited(editor: OpenEditor) -> None:
    add = editor.page.locator("#add")
    add.locator("summary").click()
    add.get_by_role("button", name="Talks").click()
    expect(editor.site.get_by_role("heading", name="Talks").first).to_be_visible()
    expect(editor.page.locator(".entries > li:last-child input").first).to_be_focused()
    help_text = editor.page.get_by_text("It is saved as soon as you have written")
    expect(help_text).to_be_visible()
    editor.page.keyboard.type("Looms")
    editor.page.keyboard.press("Tab")
    expect(help_text).to_be_hidden()
    add.locator("summary").click()
    editor.page.locator("#file-name").click()
    expect(add.get_by_role("button", name="A page")).to_be_hidden()
    add.locator("summary").click()
    add.get_by_role("button", name="A page").click()
    editor.page.keyboard.type("Field: sites")
    editor.page.keyboard.press("Enter")
    expect(editor.page.locator("#file-name")).to_have_text("Field: sites")
    editor.expect_text("content/pages/field-sites.md", '---\ntitle: "Field: sites"\n---\n')
    expect(editor.site.get_by_role("heading", name="Field: sites").first).to_be_visible()
    expect(editor.page.get_by_label("Text", exact=True)).to_be_focused()


def test_a_paper_is_written_by_hand(editor: OpenEditor) -> None:
    editor.open_file("bib/papers.bib")
    editor.page.get_by_text("Write a paper by hand").click()
    editor.page.get_by_label("Kind of paper").select_option("Paper at a conference")
    for label, text in {
        "Title of the paper": "Looms & yarn",
        "Names of the authors": "Ada Example\nBo Lee, Eva Doe, Jo Roe",
        "Year of publication": "2024",
        "Journal, conference or publisher": "Conference on Wool",
    }.items():
        editor.page.get_by_label(label).fill(text)
    editor.page.get_by_role("button", name="Add the paper").click()
    editor.expect_text(
        "bib/papers.bib",
        "@inproceedings{example2024,\n  title = {Looms & yarn},\n  author = {Ada Example and Bo Lee and Eva Doe and Jo Roe},\n"
        "  year = {2024},\n  booktitle = {Conference on Wool}\n}\n",
    )
    expect(editor.page.get_by_label("Title of the paper")).to_have_value("")
    expect(editor.site.get_by_text("Looms & yarn").first).to_be_visible()
    editor.page.locator(".cards summary", has_text="Looms & yarn").click()
    author = editor.page.get_by_label("Author", exact=True)
    expect(author).to_have_value("Ada Example\nBo Lee\nEva Doe\nJo Roe")
    fill(author, "Ada Example\nLee, Bo; Jo Roe")
    editor.expect_text("bib/papers.bib", "author = {Ada Example and Lee, Bo and Jo Roe}")


def test_a_step_opens_a_form_and_writes_nothing(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("empty")
    write_files(root, "-- site.yaml --\n-- content/profile.yaml --\nname: Ada Example\n")
    with start_preview(root) as preview:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(preview.editor_address)
        site = page.frame_locator("#site")
        expect(site.get_by_text("This site is still empty")).to_be_visible()
        site.locator(".steps li", has_text="Your education").get_by_role("link", name="Write it").click()
        expect(page.get_by_role("form", name="Form of content/education.yaml")).to_be_visible()
        expect(page.get_by_label("Institution", exact=True)).to_be_focused()
        assert not (root / "content/education.yaml").exists()
        page.keyboard.type("ETH Zurich")
        page.keyboard.press("Tab")
        expect(site.get_by_text("You could add …")).to_be_visible()
        page.goto(preview.address)
        page.locator(".steps li", has_text="Your role").get_by_role("link", name="Write it").click()
        expect(page.get_by_label("Role", exact=True)).to_be_focused()
        page.get_by_role("button", name="As text").click()
        expect(page.get_by_label("Text", exact=True)).to_have_value(re.compile("name: Ada Example"))
        page.goto(preview.address)
        page.locator(".steps").get_by_role("button", name="Close").click()
        (root / "content/about.md").write_text("Words.\n", encoding="utf-8")
        expect(page.get_by_text("Words.", exact=True)).to_be_visible()
        expect(page.locator(".steps")).to_be_hidden()
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_reports_nothing_in_groups_and_menus(
    preview: PreviewProcess, chromium: Browser, width: int, scheme: str
) -> None:
    with chromium.new_context(bypass_csp=True, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        editor = OpenEditor(preview, page)
        write_files(editor.root, SITE)
        editor.open()
        page.add_script_tag(content=AXE.find_file().read_text(encoding="utf-8"))
        found: list[str] = []
        for file in ("content/profile.yaml", "site.yaml", "content/talks.yaml", "content/about.md", "content/people.yaml"):  # fmt: skip
            editor.open_file(file)
            for name in page.locator(".more > summary:visible").all()[:1]:
                name.click()
            for name in page.locator("#form .cards summary:visible").all()[-1:]:
                name.click()
            found += page.evaluate(read_script("axe"), ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"])
            assert page.evaluate(read_script("elements that are too wide")) == []
        page.locator("#add summary").click()
        expect(page.locator("#add button").first).to_be_visible()
        found += page.evaluate(read_script("axe"), ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"])
        assert page.evaluate(read_script("elements that are too wide")) == []
        assert found == []
