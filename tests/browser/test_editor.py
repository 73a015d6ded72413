"""The editor of `serve`: who may call it, what it writes, and what becomes of a file that somebody else has changed."""

import base64
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import read_site, write_files
from preview_process import PreviewProcess, start_preview

SITE = read_site("editor")


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreviewProcess]:
    """Start a preview beside a folder with a secret, to which links in the site lead."""
    root = tmp_path_factory.mktemp("place") / "site"
    write_files(root, SITE)
    write_files(root.parent, "-- secret/key.yaml --\nsecret: 1\n-- secret/talks.md --\nsecret\n")
    (root / "content" / "linked.yaml").symlink_to(root.parent / "secret" / "key.yaml")
    (root / "content" / "folder").symlink_to(root.parent / "secret")
    (root / "content" / "program.yaml").symlink_to(root / "build.py")
    (root / "content" / "vendored.yaml").symlink_to(root / "vendor" / "x.yaml")
    with start_preview(root) as running_preview:
        yield running_preview


@pytest.fixture
def root(preview: PreviewProcess) -> Path:
    """The folder of the previewed site, with its files as at first."""
    folder = Path(os.readlink(f"/proc/{preview.process.pid}/cwd"))
    write_files(folder, SITE)
    return folder


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of the site and beside it, without what a build keeps."""
    files = (path for path in folder.parent.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


EDIT: Any = ["edit", "setText", "site.yaml", "", "title: Evil\n"]
"""A call that would change site.yaml, if the text had this version."""

CSRF = {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site", "Cookie": ""}


@pytest.mark.parametrize(
    ("attack", "headers"),
    [
        ("another user, without the token", {"Cookie": ""}),
        ("another user, with a token of his own", {"Cookie": "tenure-editor-{port}=aaaaaaaaaaaaaaaaaaaaaa"}),
        ("another user, with the token of another port", {"Cookie": "tenure-editor-1={key}"}),
        ("DNS rebinding", {"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"}),
        ("DNS rebinding of a similar name", {"Host": "127.0.0.1.evil.example:{port}"}),
        ("the address of another device", {"Host": "192.168.1.2:{port}", "Origin": "http://192.168.1.2:{port}"}),
        ("a form of another site", {**CSRF, "Content_Type": "application/x-www-form-urlencoded"}),
        ("a form with a text", {**CSRF, "Content_Type": "text/plain"}),
        ("fetch of another site, as a browser sends it", CSRF),
        ("fetch of another site, with the cookie", {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"}),
        ("fetch without a CORS question", {"Content_Type": "text/plain"}),
        ("a script of the previewed site", {"Origin": "http://{site}", "Sec_Fetch_Site": "same-site"}),
        ("such a script, in a browser without Sec-Fetch-Site", {"Origin": "http://{site}", "Sec_Fetch_Site": ""}),
        ("a page in a frame with a sandbox", {"Origin": "null", "Sec_Fetch_Site": "cross-site"}),
        ("a file of this machine", {"Origin": "null", "Sec_Fetch_Site": "none"}),
        ("a navigation", {"Origin": "", "Sec_Fetch_Site": "none"}),
        ("a page of the other name of this machine", {"Origin": "http://localhost:{port}", "Sec_Fetch_Site": "cross-site"}),
        ("https", {"Origin": "https://127.0.0.1:{port}"}),
        ("no Origin", {"Origin": ""}),
        ("no Sec-Fetch-Site", {"Sec_Fetch_Site": ""}),
        ("a WebSocket", {"Upgrade": "websocket", "Connection": "Upgrade", "Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"}),
    ],
)  # fmt: skip
def test_s15_only_the_editor_can_call(
    preview: PreviewProcess, root: Path, attack: str, headers: dict[str, str]
) -> None:
    before, port = read_all(root), preview.editor_host.split(":")[1]
    sent = {
        name: value.format(port=port, key=preview.editor_key, site=preview.host)
        for name, value in headers.items()
    }
    for call in (EDIT, ["state", {}], ["read", "readText", "content/talks.yaml"], ["undo"]):
        status, answer = preview.call_editor(*call, **sent)
        assert status == 403, (attack, call)
        assert "talk" not in str(answer)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
        assert preview.send_to_editor("/call", method, None, **sent)[0] in (403, 405)
    assert read_all(root) == before


@pytest.mark.parametrize(
    "file",
    [
        *("build.py", "vendor/x.yaml", ".github/workflows/x.yaml", "themes/mine/theme.yaml", "requirements.txt"),
        *("../secret/key.yaml", "content/../../secret/key.yaml", "content/../build.py", "content/./talks.yaml", "/etc/hosts.yaml"),
        *("content//etc/x.yaml", "content/.hidden.yaml", "content/.git/x.yaml", "content/x.html", "content/talks.yaml/", "content/"),
        *("content/talks.yaml\0.md", "content/\0.yaml", "content\\talks.yaml", "CONTENT/talks.yaml", "site.yaml\n", "", "bib/a/b.bib"),
        *("content/linked.yaml", "content/folder/key.yaml", "content/folder/talks.md", "content/program.yaml", "content/vendored.yaml"),
        f"content/{'a' * 5000}.yaml",
    ],
)  # fmt: skip
def test_s15_only_sources_are_read_and_written(preview: PreviewProcess, root: Path, file: str) -> None:
    before = read_all(root)
    for call in (
        ["read", "readText", file],
        ["edit", "setText", file, "", "evil"],
        ["deletePage", file],
        ["papers", file],
    ):
        status, answer = preview.call_editor(*call)
        assert status in (400, 409) or answer == [], (call, answer)
        assert "secret: 1" not in str(answer)
    assert read_all(root) == before
    assert file not in preview.call_editor("state", {})[1]["files"]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"[" * 100_000, b"\xff", b'{"name": "state"}', b'{"name": "nothing", "values": []}'),
        *(b'{"name": "state", "values": 3}', b'{"name": "__class__", "values": []}', b'{"name": ["undo"], "values": []}'),
        b'{"name": "edit", "values": ["setValue", "content/talks.yaml", "", [' + b"[" * 20_000 + b"]" * 20_000 + b']], "a"]}',
        b'{"name": "read", "values": ["__init__", "content/talks.yaml"]}',
        b'{"name": "addFile", "values": ["../..", "a.png", "iVBORw0KGgo="]}',
        b'{"name": "addFile", "values": ["images", "a.png", "no base 64"]}',
        b'{"name": "theme", "values": [{"save": true, "choice": {"name": "../../etc", "options": {}}}]}',
        b'{"name": "theme", "values": [{"save": true, "choice": {"name": "plain", "options": {"accent": "x\\n  evil: y"}}}]}',
        b'{"name": "repair", "values": [{"file": "build.py", "line": 1, "column": 1, "message": "x", "edits": []}]}',
    ],
)  # fmt: skip
def test_an_impossible_call_changes_nothing(preview: PreviewProcess, root: Path, body: bytes) -> None:
    before = read_all(root)
    status, _, answer = preview.send_to_editor("/call", "POST", body)
    assert status in (400, 409), answer
    assert "error" in json.loads(answer)
    assert b"Traceback" not in answer
    assert read_all(root) == before


def test_a_body_that_is_too_large_is_not_read(preview: PreviewProcess) -> None:
    assert preview.send_to_editor("/call", "POST", b"", Content_Length=str(31_000_000))[0] in (400, 413)
    version = preview.call_editor("read", "readText", "content/about.md")[1]["version"]
    status, reason = preview.call_editor("edit", "setText", "content/about.md", version, "x" * 10_000_001)
    assert (status, reason) == (409, "content/about.md would have more than 10,000,000 bytes")


def test_the_token_is_in_an_address_once_and_then_in_a_cookie(preview: PreviewProcess) -> None:
    port = preview.editor_host.split(":")[1]
    for path in ("/", "/?key=", "/?key=wrong", "/edit.js", "/picture?name=photo.png", "/call"):
        status, headers, body = preview.send_to_editor(path, Cookie="")
        assert (status, "set-cookie" in headers) == (403, False), path
        assert body == "To edit, open the address that “serve” prints in its terminal.\n".encode()
    status, headers, body = preview.send_to_editor(f"/?key={preview.editor_key}", Cookie="")
    assert status == 200
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert cookie == f"tenure-editor-{port}={preview.editor_key}"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    policy = headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"} <= {
        *policy
    }
    assert f"frame-src http://{preview.host}" in policy
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert (headers["cross-origin-opener-policy"], headers["referrer-policy"]) == (
        "same-origin",
        "no-referrer",
    )
    assert b'sandbox="allow-scripts allow-same-origin' in body
    assert b"allow-top-navigation" not in body
    for path in ("/~ada/", "/~ada/talks/", "/livereload.js", "/~ada/?key=wrong"):
        status, headers, body = preview.send_request(path)
        assert (status, "set-cookie" in headers) == (200, False)
        assert preview.editor_key.encode() not in body, "no page and no script of the site has the token"
    status, headers, _ = preview.send_request(f"/~ada/?key={preview.editor_key}")
    assert (status, headers["location"], headers["set-cookie"].split(";")[0]) == (302, "/~ada/", cookie)


def test_an_address_that_is_opened_has_a_ticket_for_one_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SITE)
    opened = tmp_path / "opened.txt"
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with start_preview(tmp_path, "--open", "--edit") as preview:
        for _ in range(200):
            if opened.is_file() and opened.read_text("utf-8").count("\n") == 2:
                break
            time.sleep(0.05)
        site, editor = opened.read_text("utf-8").split()
        assert preview.editor_key not in site + editor
        assert site.startswith(f"{preview.address}?key=")
        ticket = site.partition("?")[2]
        statuses = [preview.send_request(f"/~ada/?{ticket}")[0] for _ in range(2)]
        assert statuses == [302, 200]
        path = editor.removeprefix(f"http://{preview.editor_host}")
        statuses = [preview.send_to_editor(path, Cookie="")[0] for _ in range(2)]
        assert statuses == [200, 403]


def test_another_device_has_no_editor(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    with start_preview(tmp_path, "--host") as preview:
        token = preview.wait_for_line("oken").rpartition("=")[2].rpartition(" ")[2].rstrip(".")
        elsewhere = f"192.168.7.9:{preview.host.split(':')[1]}"
        path = f"/~ada/?token={token}&key={preview.editor_key}"
        status, headers, _ = preview.send_request(path, Host=elsewhere)
        assert (status, "tenure-editor" in headers["set-cookie"]) == (302, False)
        cookie = headers["set-cookie"].split(";")[0]
        page = preview.send_request("/~ada/", Host=elsewhere, Cookie=cookie)[2]
        assert b"data-preview" in page
        assert b"&quot;edit&quot;" not in page
        own = {"Origin": f"http://{elsewhere}", "Host": elsewhere}
        assert preview.call_editor("state", {}, **own)[0] == 403


def test_a_change_is_written_at_its_place_and_taken_back(preview: PreviewProcess, root: Path) -> None:
    original = read_all(root)
    talks, paper = root / "content/talks.yaml", root / "bib/papers.bib"
    assert preview.edit_source("setValue", "content/talks.yaml", [1, "title"], "A better talk")[0] == 200
    assert talks.read_bytes() == original[str(talks)].replace(b"A second talk", b"A better talk")
    assert preview.edit_source("setPaperField", "bib/papers.bib", "lee2025", "year", "2026")[0] == 200
    assert paper.read_bytes() == original[str(paper)].replace(b"year = 2025", b"year = 2026")
    assert preview.edit_source("setText", "content/awards.yaml", "- A prize\n")[0] == 200
    assert preview.call_editor("state", {})[1]["undo"] == "content/awards.yaml"
    assert [preview.call_editor("undo")[1] for _ in range(3)] == [
        ["content/awards.yaml"], ["bib/papers.bib"], ["content/talks.yaml"],
    ]  # fmt: skip
    assert read_all(root) == original


def test_an_undo_of_a_file_that_somebody_has_changed_is_refused(preview: PreviewProcess, root: Path) -> None:
    talks = root / "content/talks.yaml"
    preview.edit_source("setValue", "content/talks.yaml", [1, "title"], "A better talk")
    edited = talks.read_bytes()
    talks.write_bytes(edited + b"# mine\n")
    assert preview.call_editor("undo") == (409, "content/talks.yaml has changed meanwhile")
    assert talks.read_bytes() == edited + b"# mine\n"
    talks.write_bytes(edited)
    assert preview.call_editor("undo")[0] == 200


def test_an_edit_of_a_file_that_somebody_has_changed_loses_nothing(
    preview: PreviewProcess, root: Path
) -> None:
    file, talks = "content/talks.yaml", root / "content/talks.yaml"
    version = preview.call_editor("read", "readForm", file)[1]["version"]
    inserted = b"- {title: A new talk, date: 2026}\n" + talks.read_bytes()
    talks.write_bytes(inserted)
    assert preview.call_editor("state", {file: version})[1]["changed"] == [file]
    assert preview.call_editor("edit", "setValue", file, version, [1, "title"], "A better talk")[0] == 200
    assert talks.read_bytes() == inserted.replace(b"A second talk", b"A better talk")
    status, reason = preview.call_editor("edit", "setValue", file, version, [1, "title"], "Another")
    assert (status, reason) == (409, "this has changed in the file meanwhile; here is the new text")
    assert preview.call_editor("edit", "setText", file, version, "")[0] == 409
    assert talks.read_bytes() == inserted.replace(b"A second talk", b"A better talk")
    preview.call_editor("undo")


def test_a_read_only_file_is_not_changed(preview: PreviewProcess, root: Path) -> None:
    about = root / "content/about.md"
    about.chmod(0o444)
    try:
        assert preview.edit_source("setBody", "content/about.md", "Other words.") == (409, "it is read-only")
    except TypeError:  # the read is refused, too
        assert preview.call_editor("read", "readText", "content/about.md") == (409, "it is read-only")
    finally:
        about.chmod(0o644)


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n one").decode()
OTHER_PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n two").decode()
PDF = base64.b64encode(b"%PDF-1.7 x").decode()


def test_a_picture_and_a_pdf_get_a_free_name(preview: PreviewProcess, root: Path) -> None:
    original = read_all(root)
    assert preview.call_editor("addFile", "images", "Élise Müller.PNG", PNG) == (
        200,
        "images/elise-muller.png",
    )
    assert (
        preview.edit_source("setValue", "content/profile.yaml", ["photo"], "images/elise-muller.png")[0]
        == 200
    )
    assert (
        preview.call_editor("addFile", "images", "Élise Müller.PNG", OTHER_PNG)[1]
        == "images/elise-muller-2.png"
    )
    assert (
        preview.edit_source("setValue", "content/profile.yaml", ["photo"], "images/elise-muller-2.png")[0]
        == 200
    )
    assert preview.call_editor("addFile", "papers", 'a/b:c*"d|e.f.pdf', PDF)[1] == "papers/a-b-c--d-e.f.pdf"
    assert (
        preview.edit_source("setPaperField", "bib/papers.bib", "lee2025", "pdf", "papers/a-b-c--d-e.f.pdf")[0]
        == 200
    )
    assert preview.call_editor("addFile", "papers", "../../x.pdf", PDF)[1] == "papers/-..-x.pdf"
    assert (
        preview.edit_source("setPaperField", "bib/papers.bib", "lee2025", "pdf", "papers/-..-x.pdf")[0] == 200
    )
    # no source names the first picture any more
    assert not (root / "content/images/elise-muller.png").exists()
    status, headers, body = preview.send_to_editor("/picture?name=images/elise-muller-2.png")
    assert (status, headers["content-type"], body[-3:]) == (200, "image/png", b"two")
    assert "sandbox" in headers["content-security-policy"]
    for name in (
        "../site.yaml",
        "talks.yaml",
        "%00",
        "folder/key.yaml",
        "/etc/passwd",
        "../../secret/key.yaml",
    ):
        assert preview.send_to_editor(f"/picture?name={name}")[2] == b""
    for kind in ("images", "papers", "files"):
        for content in (b"<html>", b"MZ", b"", b"<?xml version='1.0'?><html/>"):
            status, reason = preview.call_editor(
                "addFile", kind, "a.heic", base64.b64encode(content).decode()
            )
            assert (status, "a.heic cannot be used as it is; export it as" in reason) == (409, True)
    for _ in range(4):
        preview.call_editor("undo")
    assert read_all(root) == original


def test_a_page_is_deleted_with_its_entry_in_pages_and_both_come_back(
    preview: PreviewProcess, root: Path
) -> None:
    original = read_all(root)
    assert preview.call_editor("deletePage", "content/pages/tools.md")[0] == 200
    assert not (root / "content/pages/tools.md").exists()
    assert (root / "site.yaml").read_bytes() == original[str(root / "site.yaml")].replace(
        b"      - tools\n", b""
    )
    assert preview.call_editor("deletePage", "content/talks.yaml")[0] == 409
    assert sorted(preview.call_editor("undo")[1]) == ["content/pages/tools.md", "site.yaml"]
    assert read_all(root) == original


def test_a_click_and_the_list_of_papers_name_their_source(preview: PreviewProcess) -> None:
    click: list[Any] = ["find", "talks/index.html", ["a-second-talk"], "talks", ""]
    assert preview.call_editor(*click)[1]["file"] == "content/talks.yaml"
    papers = preview.call_editor("papers", "bib/papers.bib")[1]
    assert papers == [
        {"key": "lee2025", "title": "On Wool", "year": "2025", "selected": False, "preprints": [], "line": 1}
    ]


def test_the_panel_of_themes_writes_site_yaml(preview: PreviewProcess, root: Path) -> None:
    original = (root / "site.yaml").read_text("utf-8")
    choice = {"name": "plain", "options": {"photo": "circle"}}
    status, state = preview.call_editor("theme", {"choice": choice})
    assert (status, state["name"], state["is_saved"]) == (200, "plain", False)
    assert (root / "site.yaml").read_text("utf-8") == original
    status, state = preview.call_editor("theme", {"choice": choice, "save": True})
    assert (status, state["is_saved"]) == (200, True)
    written = (root / "site.yaml").read_text("utf-8")
    assert written == original.replace("{name: folio, accent: teal}", "{name: plain, photo: circle}")
    preview.call_editor("undo")
    assert (root / "site.yaml").read_text("utf-8") == original
