"""
“Put it online” against a GitHub that these tests make: what is sent, what is asked first, and what stays.

Most load publish.js alone in an empty page; the last ones use the packed page. The routes of the browser answer for
api.github.com.
"""

import base64
import hashlib
import io
import itertools
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from chromium import collect_page_errors
from conftest import ROOT, read_script
from playwright.sync_api import Browser, Page, Route, expect
from sample_images import draw_picture, encode_image
from test_visit import READY, find_violations

REPOSITORY = "ada/ada.github.io"
TOKEN = "github_pat_" + "a" * 82
SCRIPT = (ROOT / "browser/page/publish.js").read_text(encoding="utf-8")
Answer = tuple[int, Any]
Files = dict[str, bytes]

BINARY = bytes(range(256))
SITE: Files = {
    "README.md": b"# A site\n",
    "content/profile.yaml": "name: Ada Lov\u00e9lace\r\n".encode(),
    "content/__proto__.md": b"Hello\n",
    "content/photo.jpg": BINARY,
    "content/empty.yaml": b"",
    ".github/workflows/pages.yml": b"name: Site\n",
}


def hash_object(kind: str, body: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(body)}\0".encode() + body, usedforsecurity=False).hexdigest()


@dataclass
class FakeGitHub:
    """One repository with the part of GitHub's interface that publishing needs, as its documentation describes it."""

    branch: str = "main"
    pages: dict[str, str] | None = None
    commits: dict[str, tuple[dict[str, str], str]] = field(default_factory=dict)
    """The files and the parent of each commit."""
    blobs: dict[str, bytes] = field(default_factory=dict)
    trees: dict[str, dict[str, str]] = field(default_factory=dict)
    head: str = ""
    asked: list[str] = field(default_factory=list)
    faults: dict[str, list[Answer | Callable[[str, Any], Answer] | None]] = field(default_factory=dict)
    """What happens at a request, such as "PATCH git/refs/heads/main", one after the other; None ends the network."""
    headers: dict[str, str] = field(default_factory=dict)

    def add_blob(self, body: bytes) -> str:
        digest = hash_object("blob", body)
        self.blobs[digest] = body
        return digest

    def add_tree(self, files: dict[str, str]) -> str:
        digest = hash_object("tree", json.dumps(sorted(files.items())).encode())
        self.trees[digest] = files
        return digest

    def add_commit(self, files: dict[str, str], parent: str) -> str:
        digest = hash_object("commit", f"{len(self.commits)} {parent}".encode())
        self.add_tree(files)
        self.commits[digest] = (files, parent)
        return digest

    def push(self, files: Files) -> None:
        """Commit as somebody else does, with Git: these files alone are in the repository."""
        self.head = self.add_commit({path: self.add_blob(body) for path, body in files.items()}, self.head)

    @property
    def files(self) -> Files:
        """What the branch has."""
        return {path: self.blobs[digest] for path, digest in self.commits[self.head][0].items()}

    @property
    def history(self) -> list[str]:
        commits = []
        commit = self.head
        while commit:
            commits.append(commit)
            commit = self.commits[commit][1]
        return commits[::-1]

    def handle(self, route: Route) -> None:
        """Answer a request of the page."""
        request = route.request
        path = request.url.removeprefix("https://api.github.com/repos/")
        assert path.startswith(REPOSITORY), request.url
        name = f"{request.method} {path.removeprefix(REPOSITORY).lstrip('/')}".strip()
        self.asked.append(name)
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
        assert TOKEN not in request.url + (request.post_data or "")
        faults = self.faults.get(name, [])
        fault = faults.pop(0) if faults else self.answer
        if fault is None:
            route.abort()
            return
        status, answer = fault(name, request.post_data_json) if callable(fault) else fault
        exposed = {"access-control-allow-origin": "*", "access-control-expose-headers": "*", **self.headers}
        self.headers = {}
        route.fulfill(status=status, body=json.dumps(answer), headers=exposed)

    def answer(self, name: str, body: Any) -> Answer:
        method, _, path = name.partition(" ")
        if not path:
            return 200, {"default_branch": self.branch}
        if path == "pages":
            return self._answer_pages(method)
        if path == f"branches/{self.branch}" and self.head:
            tree = self.add_tree(self.commits[self.head][0])
            return 200, {"commit": {"sha": self.head, "commit": {"tree": {"sha": tree}}}}
        if path.startswith("branches/"):
            return 404, {"message": "Branch not found"}
        if match := re.fullmatch(r"contents/(.+)", path):
            return self._answer_first_file(match[1], body)
        if not self.head:
            return 409, {"message": "Git Repository is empty."}
        return self._answer_git(path, body)

    def _answer_pages(self, method: str) -> Answer:
        if method == "GET":
            return (200, self.pages) if self.pages else (404, {"message": "Not Found"})
        if self.pages:
            return 409, {"message": "GitHub Pages is already enabled."}
        self.pages = {"html_url": "https://ada.github.io/", "build_type": "workflow"}
        return 201, self.pages

    def _answer_first_file(self, path: str, body: Any) -> Answer:
        files = {path: self.add_blob(base64.b64decode(body["content"]))}
        self.head = self.add_commit(files, "")
        return 201, {"commit": {"sha": self.head, "tree": {"sha": self.add_tree(files)}}}

    def _answer_git(self, path: str, body: Any) -> Answer:
        if match := re.fullmatch(r"git/trees/(\w+)\?recursive=1", path):
            entries = [{"path": p, "type": "blob", "sha": sha} for p, sha in self.trees[match[1]].items()]
            return 200, {
                "tree": [*entries, {"path": "content", "type": "tree", "sha": "0"}],
                "truncated": False,
            }
        if match := re.fullmatch(r"git/blobs/(\w+)", path):
            # GitHub breaks the lines of Base64
            return 200, {"content": base64.encodebytes(self.blobs[match[1]]).decode(), "encoding": "base64"}
        if path == "git/blobs":
            return 201, {"sha": self.add_blob(base64.b64decode(body["content"]))}
        if path == "git/trees":
            return self._answer_new_tree(body)
        if path == "git/commits":
            files = self.trees[body["tree"]]
            return 201, {"sha": self.add_commit(files, *body["parents"])}
        assert path == "git/refs/heads/main"
        assert body["force"] is False
        if self.commits[body["sha"]][1] != self.head:
            return 422, {"message": "Update is not a fast forward"}
        self.head = body["sha"]
        return 200, {}

    def _answer_new_tree(self, body: Any) -> Answer:
        files = dict(self.trees[body["base_tree"]])
        for entry in body["tree"]:
            if "content" in entry:
                files[entry["path"]] = self.add_blob(entry["content"].encode())
            elif entry["sha"] is None:
                del files[entry["path"]]
            else:
                assert entry["sha"] in self.blobs
                files[entry["path"]] = entry["sha"]
        return 201, {"sha": self.add_tree(files)}


@pytest.fixture
def github() -> FakeGitHub:
    return FakeGitHub()


@pytest.fixture
def tab(chromium: Browser, github: FakeGitHub) -> Iterator[Page]:
    """Return an empty page with publish.js and the token; each pause ends at once and is noted."""
    page = chromium.new_page()
    page.route(
        "https://tab.test/", lambda route: route.fulfill(body="<title>tab</title>", content_type="text/html")
    )
    page.route(
        "https://tab.test/publish.js",
        lambda route: route.fulfill(body=SCRIPT, content_type="text/javascript"),
    )
    page.route("https://api.github.com/**", github.handle)
    page.goto("https://tab.test/")
    page.evaluate(
        """async token => {
          const start = setTimeout, now = Date.now, request = fetch;
          let shift = 0;
          Object.assign(window, { pauses: [], times: [], said: [], known: [] });
          Date.now = () => now() + shift;
          window.setTimeout = (run, time = 0) => {
            if (time > 0) { pauses.push(time); shift += time; }
            return start(run, 0);
          };
          window.fetch = (...values) => {
            times.push(Date.now());
            return request(...values);
          };
          window.publishing = await import('/publish.js');
          publishing.keepToken(token);
        }""",
        TOKEN,
    )
    yield page
    page.close()


def publish(tab: Page, files: Files, answer: dict[str, Any] | None = None) -> Any:
    """Publish files from the page, and return its result, or the text of its error."""
    return tab.evaluate(
        """async ([repository, texts, answer]) => {
          const decode = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
          const files = new Map(texts.map(([path, text]) => [path, decode(text)]));
          const keep = async list => { window.known = structuredClone(list); };
          const say = text => said.push(text);
          try {
            const result = await publishing.publish({ repository, files, known, keep, answer, say });
            window.question = result.question;
            if (result.question) delete result.question.digests;
            return result;
          } catch (error) { return error.message; }
        }""",
        [REPOSITORY, [[path, base64.b64encode(body).decode()] for path, body in files.items()], answer],
    )


def test_an_empty_repository_gets_the_bytes_of_all_files(tab: Page, github: FakeGitHub) -> None:
    assert publish(tab, SITE) == {"url": "https://ada.github.io/", "isNew": True}
    assert github.files == SITE
    assert len(github.history) == 2
    assert len([name for name in github.asked if name != "POST git/blobs"]) <= 10
    assert github.asked.count("POST git/blobs") == 1
    times = tab.evaluate("times")
    assert len(times) == len(github.asked)
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= 1000


def test_later_at_most_five_requests_and_the_missing_binary_files_are_sent(
    tab: Page, github: FakeGitHub
) -> None:
    publish(tab, SITE)
    github.asked.clear()
    changed = SITE | {
        "content/profile.yaml": b"name: Ada\n",
        "content/copy.jpg": BINARY,
        "content/new.png": BINARY * 2,
    }
    assert publish(tab, changed) == {"url": "https://ada.github.io/", "isNew": True}
    assert github.files == changed
    assert len([name for name in github.asked if name != "POST git/blobs"]) <= 5
    assert github.asked.count("POST git/blobs") == 1
    github.asked.clear()
    assert publish(tab, changed)["isNew"] is False
    assert github.asked == ["GET branches/main"]


def test_a_file_that_is_deleted_here_is_deleted_there(tab: Page, github: FakeGitHub) -> None:
    publish(tab, SITE)
    fewer = {path: body for path, body in SITE.items() if path != "content/photo.jpg"}
    publish(tab, fewer)
    assert github.files == fewer


def test_s18_commits_of_others_are_shown_and_kept_until_somebody_decides(
    tab: Page, github: FakeGitHub
) -> None:
    publish(tab, SITE)
    theirs = SITE | {"README.md": b"# Theirs\n", "LICENSE": b"MIT\n", "CNAME": b"ada.example.org\n"}
    github.push(theirs)
    mine = SITE | {"content/talks.yaml": b"- title: A talk\n"}
    question = publish(tab, mine)["question"]
    assert question["differing"] == ["README.md"]
    assert question["onlyThere"] == ["LICENSE", "CNAME"]
    assert question["onlyHere"] == ["content/talks.yaml"]
    assert github.files == theirs
    publish(tab, mine, {"commit": question["commit"], "deleted": ["CNAME"]})
    assert github.files == mine | {"LICENSE": b"MIT\n"}
    publish(tab, SITE)  # what they alone have stays, also the next time
    assert github.files == SITE | {"LICENSE": b"MIT\n"}


def test_an_answer_holds_for_the_commit_that_was_shown(tab: Page, github: FakeGitHub) -> None:
    publish(tab, SITE)
    github.push(SITE | {"LICENSE": b"MIT\n"})
    question = publish(tab, SITE)["question"]
    newer = SITE | {"README.md": b"# Newer\n"}
    github.push(newer)
    again = publish(tab, SITE, {"commit": question["commit"], "deleted": ["LICENSE"]})
    assert again["question"]["differing"] == ["README.md"]
    assert github.files == newer


def test_theirs_can_be_opened(tab: Page, github: FakeGitHub) -> None:
    github.push({"README.md": b"# Theirs\n", "photo.png": BINARY})
    publish(tab, SITE)
    read = tab.evaluate(
        """async repository => {
          const digests = new Map(window.all);
          const files = await publishing.readTheirs(() => {}, repository, { digests }, ['photo.png']);
          return [...files].map(([path, body]) => [path, [...body]]);
        }""".replace("window.all", json.dumps([["photo.png", hash_object("blob", BINARY)]])),
        REPOSITORY,
    )
    assert read == [["photo.png", [*BINARY]]]


def test_s18_a_commit_between_the_tree_and_the_branch_is_not_overwritten(
    tab: Page, github: FakeGitHub
) -> None:
    publish(tab, SITE)
    theirs = SITE | {"LICENSE": b"MIT\n"}

    def push_first(name: str, body: object) -> Answer:
        github.push(theirs)
        return github.answer(name, body)

    github.faults["PATCH git/refs/heads/main"] = [push_first]
    mine = SITE | {"content/profile.yaml": b"name: Ada\n"}
    assert "Nothing was overwritten" in publish(tab, mine)
    assert github.files == theirs
    assert publish(tab, mine)["question"]["onlyThere"] == ["LICENSE"]


@pytest.mark.parametrize("token", ["ghp_" + "a" * 36, "gho_" + "a" * 36, "a1" * 20, "", "hello"])
def test_s17_only_a_fine_grained_token_is_used(tab: Page, github: FakeGitHub, token: str) -> None:
    message = tab.evaluate(
        "token => { try { publishing.keepToken(token); return ''; } catch (e) { return e.message; } }", token
    )
    assert message.startswith("This is a classic token" if len(token) > 30 else "A fine-grained token begins")
    assert github.asked == []


def test_a_wrong_or_expired_token_is_forgotten(tab: Page, github: FakeGitHub) -> None:
    github.faults["GET branches/main"] = [(401, {"message": "Bad credentials"})]
    assert publish(tab, SITE) == "GitHub does not know this token, or it has ended. Make a new one."
    assert tab.evaluate("publishing.hasToken()") is False
    assert github.head == ""


@pytest.mark.parametrize("name", ["GET", "POST git/trees", "POST git/commits", "PATCH git/refs/heads/main"])
def test_a_token_without_a_right_says_which_step_has_them(tab: Page, github: FakeGitHub, name: str) -> None:
    github.push({"README.md": SITE["README.md"]})
    commit = publish(tab, SITE)["question"]["commit"]
    github.faults[name] = [(403, {"message": "Resource not accessible by personal access token"})]
    error = publish(tab, SITE, {"commit": commit, "deleted": []})
    assert "Resource not accessible" in error
    assert "the rights of step 2" in error
    assert github.history == [commit]


@pytest.mark.parametrize("is_empty", [True, False])
def test_another_default_branch_is_told_before_anything_is_sent(
    tab: Page, github: FakeGitHub, is_empty: bool
) -> None:
    if not is_empty:
        github.push({"README.md": b"old"})
    github.branch = "master"
    assert "is “master”, and the workflow needs “main”" in publish(tab, SITE)
    assert {name.split()[0] for name in github.asked} == {"GET"}


@pytest.mark.parametrize(
    ("status", "headers", "message", "least"),
    [
        (429, {"retry-after": "7"}, "", 7000),
        (403, {"retry-after": "90"}, "You have exceeded a secondary rate limit", 90_000),
        (
            403,
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "NOW+600"},
            "API rate limit exceeded",
            590_000,
        ),
        (403, {}, "You have exceeded a secondary rate limit", 60_000),
    ],
)
def test_an_answer_that_asks_to_wait_is_waited_for(
    tab: Page, github: FakeGitHub, status: int, headers: dict[str, str], message: str, least: int
) -> None:
    now = int(tab.evaluate("Date.now() / 1000"))
    github.headers = {name: value.replace("NOW+600", str(now + 600)) for name, value in headers.items()}
    github.faults["GET branches/main"] = [(status, {"message": message})]
    assert publish(tab, SITE)["isNew"]
    assert max(tab.evaluate("pauses")) >= least
    assert any(text.startswith("GitHub asks to wait until") for text in tab.evaluate("said"))
    assert github.files == SITE


def test_waiting_ends(tab: Page, github: FakeGitHub) -> None:
    github.faults["GET branches/main"] = [(429, {"message": "API rate limit exceeded"})] * 9
    assert publish(tab, SITE) == "GitHub refuses this: API rate limit exceeded."
    assert github.asked == ["GET branches/main"] * 4


@pytest.mark.parametrize("status", [403, 404, 422])
def test_without_pages_the_files_are_published_and_the_address_is_asked_again(
    tab: Page, github: FakeGitHub, status: int
) -> None:
    github.faults["POST pages"] = [(status, {"message": "Resource not accessible by personal access token"})]
    assert publish(tab, SITE) == {"url": "", "isNew": True}
    assert github.files == SITE
    github.pages = {"html_url": "https://ada.github.io/", "build_type": "workflow"}
    github.asked.clear()
    assert publish(tab, SITE | {"README.md": b"# New\n"})["url"] == "https://ada.github.io/"
    assert len(github.asked) == 5


def test_pages_that_are_built_from_a_branch_need_a_click(tab: Page, github: FakeGitHub) -> None:
    github.pages = {"html_url": "https://ada.github.io/", "build_type": "legacy"}
    assert publish(tab, SITE)["url"] == ""


REQUESTS = [
    "GET branches/main",
    "GET",
    "PUT contents/README.md",
    "POST git/blobs",
    "POST git/trees",
    "POST git/commits",
]


@pytest.mark.parametrize("name", [*REQUESTS, "POST pages", "PATCH git/refs/heads/main"])
def test_s18_without_a_network_in_the_middle_there_is_never_a_half_commit(
    tab: Page, github: FakeGitHub, name: str
) -> None:
    github.faults[name] = [None]
    assert (
        publish(tab, SITE) == "GitHub does not answer. The site there is as before, or complete. Try again."
    )
    assert github.head == "" or github.files == {"README.md": SITE["README.md"]}
    publish(tab, SITE)
    assert github.files == SITE


def test_s18_a_lost_answer_of_the_branch_is_no_commit_of_others(tab: Page, github: FakeGitHub) -> None:
    publish(tab, SITE)
    newer = SITE | {"README.md": b"# New\n"}

    def lose_answer(name: str, body: object) -> Answer:
        github.answer(name, body)
        return 502, {}

    github.faults["PATCH git/refs/heads/main"] = [lose_answer]
    assert publish(tab, newer) == "GitHub refuses this: 502."
    assert github.files == newer
    assert publish(tab, newer) == {"url": "https://ada.github.io/", "isNew": False}


def test_the_comment_of_a_zip_of_github_is_its_commit(tab: Page) -> None:
    end = b"PK\x05\x06" + bytes(16)
    read = "text => publishing.readCommit(Uint8Array.from(atob(text), c => c.charCodeAt(0)))"
    commit = "0123456789abcdef" * 2 + "01234567"
    for zip_file, found in (
        (b"PK\x03\x04 files" + end + b"\x28\0" + commit.encode(), commit),
        (b"PK\x03\x04 files" + end + b"\0\0", ""),
        (end + b"\x28\0" + b"x" * 40, ""),
        (b"", ""),
    ):
        assert tab.evaluate(read, base64.b64encode(zip_file).decode()) == found


def test_an_opened_zip_of_github_is_the_base_of_the_next_commit(tab: Page, github: FakeGitHub) -> None:
    github.push({path: SITE[path] for path in SITE if path != "content/empty.yaml"} | {"LICENSE": b"MIT\n"})
    own = ["README.md", "content/profile.yaml", "content/photo.jpg"]
    tab.evaluate("([commit, own]) => { known = [{ repository: '', commit, own }]; }", [github.head, own])
    edited = {path: body for path, body in SITE.items() if path != "content/photo.jpg"}
    assert publish(tab, edited)["isNew"]
    assert github.files == edited | {"LICENSE": b"MIT\n"}
    tab.evaluate("known = []")
    assert publish(tab, SITE)["question"]["onlyThere"] == ["LICENSE"]


# ---- The packed page.

SOURCES: Files = {
    "site.yaml": b"schema: 1\n# a comment\n",
    "content/profile.yaml": b"name: Ada Lovelace\nphoto: photo.png\n",
    "content/talks.yaml": b"- {title: The Engine, date: 2024}\n- {title: A secret talk, date: 2025, draft: true}\n",
    "content/pages/plan.md": b"---\ntitle: My plan\ndraft: true\n---\nWords.\n",
    "content/photo.png": encode_image(draw_picture(40, 40), "PNG"),
    "bib/papers.bib": b"@article{a, author={Ada Lovelace}, title={Notes}, year=1843}\n",
    "letters/lee.md": b"Dear Professor Lee,\n",
}


@pytest.fixture
def page(chromium: Browser, page_url: str, github: FakeGitHub) -> Iterator[Page]:
    """Return the page “Try it” with the site of SOURCES, begun with a ZIP."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.route("https://api.github.com/**", github.handle)
    page = context.new_page()
    errors: list[str] = []
    collect_page_errors(page, errors)
    page.goto(page_url)
    open_zip(page, SOURCES)
    yield page
    context.close()
    assert errors == []


def open_zip(page: Page, files: Files, commit: str = "") -> None:
    """Begin with a ZIP; one of GitHub has the number of the commit as its comment, and a folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, body in files.items():
            archive.writestr(f"ada.github.io-main/{name}", body)
        archive.comment = commit.encode()
    file: Any = {"name": "me.zip", "mimeType": "application/zip", "buffer": buffer.getvalue()}
    expect(page.locator("#begin")).to_be_visible()
    page.set_input_files("#begin-files", file)
    page.click("#begin-file > button:not([id])")
    expect(page.locator("#begin")).to_be_hidden()
    expect(page.locator("#status")).to_have_text(READY)


def open_dialog(page: Page) -> None:
    page.click("nav .open-online")
    expect(page.locator("#online")).to_be_visible()
    expect(page.locator("#online-repository")).to_be_visible()


def send(page: Page) -> None:
    page.click("#online-github > button")


def expect_published(page: Page) -> None:
    link = page.locator("#online-status").get_by_role("link", name="https://ada.github.io/")
    expect(link).to_be_visible(timeout=60_000)


def write_profile(page: Page, name: str) -> None:
    """Change the name in the form, with the dialog closed."""
    page.click("#online .close button")
    page.click('#sources [data-path="content/profile.yaml"]')
    page.get_by_label("Name", exact=True).first.fill(name)
    page.keyboard.press("Tab")
    expect(page.frame_locator("iframe[name=view]").locator("h1")).to_contain_text(name)


@pytest.mark.scheduled
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_s17_a_site_is_published_and_the_token_is_nowhere(
    page: Page, github: FakeGitHub, scheme: Any, width: int
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    open_dialog(page)
    expect(page.locator("#online-token")).to_be_visible()
    assert find_violations(page) == []
    expect(page.locator("#online-drafts p")).to_have_text(
        "Everybody can read these files, also drafts (2) and comments."
    )
    assert sorted(page.locator("#online-drafts li").all_inner_texts()) == ["A secret talk", "My plan"]
    page.fill("#online-user", "ada")
    page.locator("#online-user").blur()
    make = page.locator("#online-make").get_attribute("href")
    assert make == "https://github.com/new?name=ada.github.io&visibility=public"

    page.fill("#online-token", "ghp_" + "a" * 36)
    dialog = page.locator("#online")
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") == 0
    assert page.locator("#frames iframe").count() == 0
    send(page)
    expect(page.locator("#online-error")).to_contain_text("This is a classic token")
    assert github.asked == []
    page.fill("#online-token", TOKEN)
    send(page)
    expect_published(page)
    assert find_violations(page) == []
    expect(page.locator("#online-token")).to_be_hidden()
    assert page.locator("#frames iframe").count() == 3
    assert len([name for name in github.asked if name != "POST git/blobs"]) <= 10
    kept = page.evaluate(read_script("what a page keeps"))
    assert REPOSITORY in kept
    assert TOKEN not in kept

    page.click("#online .close button")
    page.click("#open-take")
    with page.expect_download() as download:
        page.click("#take-sources")
    with zipfile.ZipFile(download.value.path()) as archive:
        taken = {name: archive.read(name) for name in archive.namelist()}
    assert taken.pop("letters/lee.md") == SOURCES["letters/lee.md"]
    assert taken == github.files
    assert taken.keys() >= {"build.py", ".github/workflows/pages.yml", "content/photo.png"}

    page.reload()
    expect(page.locator("#status")).to_have_text(READY)
    open_dialog(page)
    expect(page.locator("#online-token")).to_be_visible()
    expect(page.locator("#online-repository")).to_have_value("ada.github.io")
    expect(page.locator("#online-drafts")).to_be_hidden()


@pytest.mark.scheduled
def test_s18_theirs_are_opened_or_mine_are_kept(page: Page, github: FakeGitHub) -> None:
    open_dialog(page)
    page.fill("#online-user", "ada")
    page.fill("#online-token", TOKEN)
    send(page)
    expect_published(page)
    theirs = {**github.files, "content/profile.yaml": b"name: Countess Ada\n", "LICENSE": b"MIT\n"}
    del theirs["content/pages/plan.md"]
    github.push(theirs)
    write_profile(page, "Ada King")
    open_dialog(page)
    send(page)
    question = page.locator("#online-question")
    expect(question).to_be_visible(timeout=60_000)
    assert github.files == theirs
    assert find_violations(page) == []
    assert "content/profile.yaml" in question.locator("li").all_inner_texts()
    expect(question.locator("label")).to_have_text("Delete LICENSE")
    page.click("#online-theirs")
    expect(page.locator("#online-status")).to_have_text(
        re.compile("^Their files are open here"), timeout=60_000
    )
    expect(page.frame_locator("iframe[name=view]").locator("h1")).to_contain_text("Countess Ada")
    write_profile(page, "Ada Byron")
    open_dialog(page)
    send(page)
    expect_published(page)
    assert github.files["content/profile.yaml"].endswith(b"name: Ada Byron\n")
    assert github.files["LICENSE"] == b"MIT\n"
    assert "content/pages/plan.md" not in github.files

    github.push({**github.files, "LICENSE": b"new\n", "notes.txt": b"mine\n"})
    write_profile(page, "Ada")
    open_dialog(page)
    send(page)
    page.check("#online-question input[value='notes.txt']", timeout=60_000)
    page.click("#online-mine")
    expect_published(page)
    assert "notes.txt" not in github.files
    assert github.files["content/profile.yaml"].endswith(b"name: Ada\n")


@pytest.mark.scheduled
def test_a_zip_of_github_is_the_base_of_the_next_commit(page: Page, github: FakeGitHub) -> None:
    github.push(SOURCES)
    page.click("#open-begin")
    expect(page.locator("#begin-file")).to_contain_text("On GitHub: Code, Download ZIP, and open it here.")
    open_zip(page, SOURCES, github.head)
    open_dialog(page)
    page.fill("#online-user", "ada")
    page.fill("#online-token", TOKEN)
    refused = (403, {"message": "Resource not accessible by personal access token"})
    github.faults["POST pages"] = [refused]
    send(page)
    status = page.locator("#online-status")
    expect(status).to_contain_text("Source: “GitHub Actions”", timeout=60_000)
    expect(status.get_by_role("link")).to_have_text("https://github.com/ada/ada.github.io/settings/pages")
    assert SOURCES.items() <= github.files.items()
    assert ".github/workflows/pages.yml" in github.files


@pytest.mark.scheduled
def test_the_address_is_written_before_the_site_is_packed(page: Page) -> None:
    open_dialog(page)
    page.fill("#online-address", "https://www.example.edu/~ada/")
    with page.expect_download(timeout=120_000) as download:
        page.click("#online-zip button", timeout=120_000)
    assert page.locator("#frames iframe").count() == 0
    with zipfile.ZipFile(download.value.path()) as archive:
        assert b"https://www.example.edu/~ada/" in archive.read("sitemap.xml")
        everything = b"".join(map(archive.read, archive.namelist()))
    assert b"A secret talk" not in everything
    assert b"Dear Professor Lee" not in everything


def test_s17_only_the_page_may_ask_github() -> None:
    for path in [*(ROOT / "browser/page").glob("*.*"), *(ROOT / "browser/engine").glob("*.*")]:
        policies = re.findall(r"connect-src [^;\"]*", path.read_text(encoding="utf-8"))
        assert all(("api.github.com" in policy) == (path.name == "index.html") for policy in policies), path
    assert SCRIPT.count("https://") == 1
