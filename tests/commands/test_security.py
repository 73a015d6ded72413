"""Tenure's promises about hostile and private content, S1 to S14; docs/content/pages/promises.md lists them."""

import html
import json
import re
from collections.abc import Callable

import html5lib
import pytest
from conftest import Sources
from sample_images import create_exif, draw_picture, encode_image

Make = Callable[[str], Sources]
EMAIL = "ada@secret.example.edu"


@pytest.mark.parametrize(
    "value",
    ["!!python/object/apply:os.system ['true']", "!!python/name:os.system", "!!binary aGk=", "!own x"],
)
def test_s01_a_tag_of_yaml_is_an_error_and_runs_nothing(site: Make, value: str) -> None:
    for files in (
        f"-- content/talks.yaml --\n- title: {value}\n",
        f"-- content/about.md --\n---\ntitle: {value}\n---\nWords.\n",
    ):
        assert site(files).build().codes == ["yaml-syntax"]
        (site("").root / "content" / files.split("/")[1].split()[0]).unlink()


def test_s02_aliases_that_expand_without_end_are_an_error(site: Make) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert site("-- content/talks.yaml --\n" + "\n".join(lines) + "\n").build().codes == ["yaml-syntax"]


LINKS = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "&#106;avascript:alert(1)", "java\tscript:alert(1)", "vbscript:x"),
    *("data:text/html,<script>alert(1)</script>", "javascript&colon;alert(1)", "\x01javascript:alert(1)", "file:///etc/passwd"),
]  # fmt: skip


@pytest.mark.parametrize("url", LINKS)
def test_s03_a_link_of_markdown_that_runs_code_is_an_error(site: Make, url: str) -> None:
    for text in (
        f"[x]({url})",
        f"[x](<{url}>)",
        f"[x][1]\n\n[1]: {url}",
        f"<a href='{html.escape(url)}'>x</a>",
    ):
        built = site(f"-- content/about.md --\n{text}\n").build()
        runs_code = [
            link.get("href")
            for link in html5lib.parse(built.read_page("/"), namespaceHTMLElements=False).iter("a")
            if re.match(
                r"[\x00-\x20]*(?:javascript|vbscript|data|file)\s*:",
                re.sub(r"[\t\n\r]", "", link.get("href", "")),
                re.IGNORECASE,
            )
        ]
        assert not runs_code or "bad-address" in built.codes, text


def test_s05_content_is_never_a_template(site: Make) -> None:
    built = site(
        "-- content/about.md --\nA {{ 7 * 7 }} {{ site.profile.email }} {# c #}.\n"
        "-- content/talks.yaml --\n- title: '{{ 7 * 7 }}{% include \"/etc/passwd\" %}'\n  date: 2024\n"
    ).build()
    assert "{{ 7 * 7 }}" in built.read_words("/talks/")
    assert "49" not in built.read_words("/") + built.read_words("/talks/")


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "..\\..\\x", "C:\\x.pdf", "..%2fsite.yaml", "%00", "content/../../x"],
)
def test_s07_a_file_outside_the_site_is_refused(site: Make, name: str) -> None:
    for files in (
        f"-- content/talks.yaml --\n- {{title: A talk, date: 2024, slides: '{name}'}}\n",
        f"-- content/about.md --\n[x]({name}) ![y]({name})\n",
        f"-- bib/papers.bib --\n@misc{{one, title = {{One}}, author = {{Example, Ada}}, year = 2024, pdf = {{{name}}}, preview = {{{name}}}}}\n",
    ):
        built = site(files).build()
        assert built.problems, files
        assert not any(
            b"root:x:" in artifact.read() or ".." in artifact.path for artifact in built.build.artifacts
        )


def test_s08_content_security_policy(site: Make) -> None:
    built = site(
        "-- content/about.md --\n<script>alert(1)</script><img src='x.png' alt='' onerror='alert(2)'>\n"
        "-- content/x.png --\nx\n-- content/talks.yaml --\n- {title: A talk, date: 2024}\n"
    ).build()
    for path in (path for path in built.paths if path.endswith(".html")):
        (policy,) = re.findall(
            r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', built.read_page(path)
        )
        scripts = re.search(r"script-src ([^;]*)", policy)
        assert scripts
        assert not {"unsafe", "https:", "data:", "*"} & set(re.findall(r"unsafe|https:|data:|\*", scripts[1]))
        assert "base-uri 'none'" in policy
        assert "default-src 'self'" in policy


def test_s10_an_email_address_is_encoded_on_pages(site: Make) -> None:
    built = site(
        f"-- content/profile.yaml --\nname: Ada\nemail: {EMAIL}\nlinks: {{email: '{EMAIL}'}}\n"
        f"-- content/about.md --\n<{EMAIL}> [write](mailto:{EMAIL})\n"
        f"-- content/talks.yaml --\n- {{title: A talk, date: 2024, links: {{mail: 'mailto:{EMAIL}'}}}}\n"
    ).build()
    for path in (path for path in built.paths if path.endswith((".html", ".xml"))):
        assert EMAIL not in built.read_page(path), path
    assert html.unescape(built.read_page("/")).count(f"mailto:{EMAIL}") == 5
    published = {a.path for a in built.build.artifacts if EMAIL.encode() in a.read()}
    assert published <= {"cv.md", "cv.pdf", "cv.txt", "resume.json"}, (
        "the data files, as docs/content/pages/promises.md says"
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_s11_images_are_published_without_place_and_camera(site: Make, kind: str) -> None:
    sources = site("-- content/about.md --\nHello.\n")
    (sources.root / f"content/photo.{kind.lower()}").write_bytes(
        encode_image(draw_picture(), kind, exif=create_exif())
    )
    published = {artifact.path: artifact.read() for artifact in sources.build().build.artifacts}
    assert b"Canon" not in published[f"photo.{kind.lower()}"]
    assert b"Exif" not in published[f"photo.{kind.lower()}"]


def test_s12_drafts_and_remarks_are_not_published(site: Make) -> None:
    built = site(
        "-- content/talks.yaml --\n- {title: Open, date: 2024}\n- {title: SECRET1, date: 2024, draft: true}\n# SECRET2\n"
        "-- content/posts/one.md --\n---\ntitle: SECRET3\ndate: 2024\ndraft: true\n---\nSECRET4\n"
        "-- bib/papers.bib --\nSECRET5\n% SECRET6\n@comment{SECRET7}\n"
        "@misc{one, title = {One}, author = {Example, Ada}, year = 2024, annote = {SECRET8}, annotation = {SECRET18}, file = {/home/ada/SECRET9.pdf}}\n"
        "@misc{two, title = {SECRET10}, author = {Example, Ada}, year = 2024, hidden = {true}}\n"
        "@misc{three, title = {SECRET11}, author = {Example, Ada}, year = 2024}\n"
        "-- content/publications.yaml --\n- {key: three, draft: true, award: SECRET12}\n"
        "-- content/projects/one.md --\n---\ntitle: SECRET13\ndraft: true\n---\nSECRET14\n"
        "-- content/awards.yaml --\n- {title: SECRET15, date: 2024, draft: true}\n"
        "-- content/teaching.yaml --\n- {title: SECRET16, date: 2024, draft: true}\n"
        "-- content/news.yaml --\n- {text: SECRET17, date: 2024, draft: true}\n"
        "-- site.yaml --\nrecords: [bibtex, ris, csl-json, markdown, text, json-resume, calendar, atom, llms]\n"
    ).build()
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    assert [a.path for a in built.build.artifacts if b"SECRET" in a.read()] == []


PRIVATE_FIELDS = """abstractnote annote bdsk-url-1 color comment comment-ada comments date-added file groups internal-note internal_note
    local-url localfile mendeley-tags owner price priority quality rank ranking rating read readby readstatus relevance remark timestamp
    todo times-cited unique-id usera annotation-ada username x-private z9""".split()
"""Fields in which reference managers store data about the library, not about the publication."""


def test_s12_no_file_has_a_private_field_of_a_reference_manager(site: Make) -> None:
    fields = ",\n".join(f"  {name} = {{SECRET {name}}}" for name in PRIVATE_FIELDS if " " not in name)
    entry = f"@article{{one, title = {{One}}, author = {{Example, Ada}}, year = 2024, journal = {{J}},\n{fields}}}\n"
    built = site(
        f"-- site.yaml --\nrecords: [bibtex, ris, csl-json, markdown, text, json-resume, calendar, atom, llms]\n-- bib/papers.bib --\n{entry}"
    ).build()
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    assert built.site.publications[0].title == "One"
    for artifact in built.build.artifacts:
        assert sorted(set(re.findall(rb"SECRET ([\w-]+)", artifact.read()))) == [], artifact.path


def test_s14_no_link_opens_a_window(site: Make) -> None:
    built = site(
        "-- content/about.md --\n[x](https://example.org/)\n"
        "-- content/talks.yaml --\n- {title: A talk, date: 2024, url: 'https://example.org/'}\n"
    ).build()
    for path in (path for path in built.paths if path.endswith(".html")):
        assert "target=" not in built.read_page(path)


def test_s04_json_ld_of_a_page_holds_a_hostile_title_as_text(site: Make) -> None:
    title = "</script><script>alert(1)</script>"
    built = site(f"-- content/posts/one.md --\n---\ntitle: '`{title}`'\ndate: 2024\n---\nWords.\n").build()
    documents = re.findall(
        r'<script type="application/ld\+json">(.*?)</script>', built.read_page("/posts/one/"), re.DOTALL
    )
    assert any(title in json.dumps(json.loads(document)) for document in documents)


@pytest.mark.parametrize("nesting", ["[", "- ", "? ", "-  ", "- ? ", "{a: "])
def test_s02_deep_nesting_is_an_error(site: Make, nesting: str) -> None:
    codes = site(f"-- content/talks.yaml --\n{nesting * 20_000}\n").build().codes
    assert codes
    assert set(codes) <= {"yaml-syntax"}
