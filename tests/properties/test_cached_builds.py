"""After any sequence of edits, a build from the cache equals a build without a cache."""

import contextlib
import shutil
import struct
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from conftest import Patch, read_artifacts, write_files
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from pieces import read_piece_groups, read_pieces

from tenure import parallel as spreading
from tenure.build import PageRenderer, build_site
from tenure.cache.store import CacheStore
from tenure.plan.pages import Page
from tenure.problems import format_problem
from tenure.publish import MANIFEST_NAME, publish_artifacts
from tenure.site_folder import BuildOptions, LastContents

PROFILES = read_pieces("cached builds: profiles")

ENTRIES = read_pieces("cached builds: entries")

TEXTS = read_pieces("cached builds: texts")

LISTS = read_piece_groups("cached builds: list ")

PAGES = read_pieces("cached builds: pages")

OPTIONS = read_piece_groups("cached builds: option ")

PARTS = read_piece_groups("cached builds: part ")


def encode_png(width: int) -> bytes:
    """Return a white image, one pixel high."""
    header = struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" + b"\xff" * width)
    chunks = [(b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")]
    parts = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


FILES = {
    "content/one.pdf": [b"%PDF-1.4", b"%PDF-1.5 longer"],
    "content/two/one.pdf": [b"%PDF-1.4 twin"],
    "bib/one.pdf": [b"%PDF-1.4 in bib"],
    "content/plot.png": [encode_png(3), encode_png(4), b"no picture"],
    "content/ada.png": [encode_png(600), b"no picture either"],
}

PROSE = ["content/about.md", "content/teaching.md", "content/projects/rope.md", "content/posts/first.md", "content/pages/more.md"]  # fmt: skip
FRONTS = ["", "---\ntitle: A title\ndate: 2022\n---\n", "---\ntitle: Two words\npublications: [one, two]\n---\n", "---\ndraft: true\n---\n"]  # fmt: skip


KEEPING = BuildOptions(keeps_pages=True)


class GivenUpError(Exception):
    """The build is cancelled."""


class CachedBuilds(RuleBasedStateMachine):
    """A folder of sources with random edits; its cache, its output and a cache store exist for all builds."""

    @initialize()
    def write_first_site(self) -> None:
        self.place = Path(tempfile.mkdtemp())
        self.root = self.place / "site"
        self.cached = [b""]
        self.cache = CacheStore()
        self.last_contents = LastContents()
        write_files(
            self.root,
            f"-- content/profile.yaml --\n{PROFILES[0]}-- bib/papers.bib --\n" + "\n".join(ENTRIES[:4]),
        )

    def teardown(self) -> None:
        shutil.rmtree(self.place)

    @rule(body=st.sampled_from(PROFILES))
    def replace_profile(self, body: str) -> None:
        self._write_source("content/profile.yaml", body)

    @rule(name=st.sampled_from(["papers", "other"]), entries=st.lists(st.sampled_from(ENTRIES), max_size=7))
    def replace_bibliography(self, name: str, entries: list[str]) -> None:
        self._write_source(f"bib/{name}.bib", "\n".join(entries))

    @rule(choices=st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()}),
          pages=st.sampled_from(PAGES))  # fmt: skip
    def set_options(self, choices: dict[str, str], pages: str) -> None:
        self._write_source("site.yaml", "\n".join([*filter(None, choices.values()), pages]) + "\n")

    @rule(data=st.data(), name=st.sampled_from(sorted(LISTS)))
    def replace_list(self, data: st.DataObject, name: str) -> None:
        self._write_source(
            name, "\n".join(data.draw(st.lists(st.sampled_from(LISTS[name]), unique=True))) + "\n"
        )

    @rule(name=st.sampled_from(PROSE), front=st.sampled_from(FRONTS), text=st.sampled_from(TEXTS))
    def replace_prose(self, name: str, front: str, text: str) -> None:
        self._write_source(name, front + text)

    @rule(data=st.data(), theme=st.sampled_from(["classic", "plain"]), name=st.sampled_from(sorted(PARTS)))
    def replace_theme_part(self, data: st.DataObject, theme: str, name: str) -> None:
        self._write_source(f"themes/{theme}/{name}", data.draw(st.sampled_from(PARTS[name])))

    @rule(data=st.data(), name=st.sampled_from(sorted(FILES)))
    def replace_attachment(self, data: st.DataObject, name: str) -> None:
        self._write_source(name, data.draw(st.sampled_from(FILES[name])))

    @rule(data=st.data())
    def move_down(self, data: st.DataObject) -> None:
        """Move every line of a list or a .bib file down by one."""
        path = data.draw(st.sampled_from(self._list_sources(".bib", ".yaml")))
        path.write_text("\n" + path.read_text())

    @rule(data=st.data())
    def delete_source(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self._list_sources())).unlink()

    @rule(data=st.data())
    def rename_source(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(self._list_sources()))
        path.rename(path.with_name(f"a{path.name}"))

    @rule(harm=st.integers(0, 4), share=st.floats(0, 1), bit=st.integers(0, 7))
    def damage_cache(self, harm: int, share: float, bit: int) -> None:
        """Damage every file of the cache: delete it, cut it, flip one bit, overwrite it, or restore an older version."""
        for file in sorted(path for path in (self.root / ".cache").rglob("*") if path.is_file()):
            body = file.read_bytes() or b"x"
            place = int(share * (len(body) - 1))
            flipped = body[:place] + bytes([body[place] ^ 1 << bit]) + body[place + 1 :]
            if harm == 0:
                file.unlink()
            else:
                file.write_bytes([body[:place], flipped, b"\x00damaged", self.cached[0]][harm - 1])

    @rule(most=st.integers(0, 30))
    def give_up(self, most: int) -> None:
        """Cancel a build in the middle; its results up to there are cached."""

        def stop_at_step(what: str, started: int, of: int) -> None:
            del what, of
            if started >= most:
                raise GivenUpError

        with contextlib.suppress(GivenUpError):
            build_site(self.root, options=KEEPING, store=self.cache, progress=stop_at_step)

    @invariant()
    def is_as_built_from_nothing(self) -> None:
        rendered: dict[str, bytes] = {}

        def render_first(pages: Sequence[Page], draw: PageRenderer) -> None:
            for page in pages:
                own = (artifact for artifact in draw(page) if artifact.path == page.output_path)
                rendered.update((artifact.path, artifact.read()) for artifact in own)

        previewed = build_site(
            self.root,
            options=BuildOptions(last_contents=self.last_contents, keeps_pages=True),
            store=self.cache,
        )
        cached_build = build_site(self.root, options=KEEPING, store=self.cache, on_plan=render_first)
        built = build_site(self.root, options=KEEPING)
        shutil.rmtree(self.place / "clean", ignore_errors=True)
        shutil.copytree(self.root, self.place / "clean", ignore=shutil.ignore_patterns(".cache", "output"))
        clean = build_site(self.place / "clean", store=CacheStore())
        expected = read_artifacts(clean)
        for actual in (built, cached_build):
            assert [*map(format_problem, actual.problems)] == [*map(format_problem, clean.problems)]
            assert actual.bib_counts == clean.bib_counts
            assert read_artifacts(actual) == expected
            assert [artifact.source for artifact in actual.artifacts] == [a.source for a in clean.artifacts]
        if not clean.has_errors:
            # The preview shows the last readable sources; without an error these are the current sources.
            assert {artifact.path: artifact.read() for artifact in previewed.artifacts} == expected
        if clean.is_complete:
            assert rendered == {page.output_path: expected[page.output_path] for page in clean.pages}
        if not built.has_errors:
            publish_artifacts(built.artifacts, self.root / "output")
            files = [path for path in (self.root / "output").rglob("*") if path.is_file()]
            result = {path.relative_to(self.root / "output").as_posix(): path.read_bytes() for path in files}
            result.pop(MANIFEST_NAME)
            assert result == expected
        for kept_file in (self.root / ".cache").glob("pages-*"):
            self.cached = [*self.cached[-3:], kept_file.read_bytes()]

    def _write_source(self, name: str, body: str | bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body.encode() if isinstance(body, str) else body)

    def _list_sources(self, *endings: str) -> list[Path]:
        """Return the sources with one of the suffixes, or the profile if there are none."""
        folders = [self.root / name for name in ("content", "bib", "themes")]
        files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
        result = [path for path in files if not endings or path.suffix in endings]
        if not result:
            self._write_source("content/profile.yaml", PROFILES[0])
        return result or [self.root / "content/profile.yaml"]


def test_a_cached_build_equals_a_clean_build() -> None:
    expected = settings(max_examples=6, stateful_step_count=12)
    run_state_machine_as_test(CachedBuilds, settings=expected)


def test_simultaneous_builds_share_a_cache_folder(monkeypatch: Patch) -> None:
    monkeypatch.setattr(spreading, "_count_processors", lambda: 2)
    expected = settings(max_examples=3, stateful_step_count=8)
    run_state_machine_as_test(CachedBuilds, settings=expected)
