"""A repair changes only what is wrong in a source, and a second repair changes nothing."""

import io
import re
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli.app import main

WORDS = st.text("abcXYZ äß北'\"\\&*{}[]#,%@!|>-", min_size=1, max_size=12)
VALUES = st.text("ab äß北'\"&*{}[],%@!|>-", min_size=1, max_size=12).map(str.strip).filter(bool)
TITLES = st.builds(
    "{}: {}".format,
    st.sampled_from(["Caches", "A view", "Zürich", "北京"]),
    WORDS.map(str.strip).filter(bool),
)
MARGINS = st.sampled_from(["", " ", "  "])
ENDS = st.sampled_from(["", "  ", "   # a comment"])


@st.composite
def draw_talk_list(draw: st.DrawFn) -> str:
    """Draw a list of talks; some have errors with a certain repair."""
    lines = ["# my talks" * draw(st.integers(0, 1))]
    margin = draw(MARGINS)
    for number in range(draw(st.integers(1, 4))):
        key = draw(st.sampled_from(["title", '"title"', "Title"]))
        colon = draw(st.sampled_from([": ", ":  "]))
        title = draw(TITLES | st.sampled_from([f"Talk {number}", "@ada at work", '"One" and two']))
        hyphen = draw(st.sampled_from(["- ", "-"])) if not key.startswith('"') else "- "
        lines.append(f"{margin}{hyphen}{key}{colon}{title}{draw(ENDS)}")
        indent = " " * (len(margin) + len(hyphen))
        date = f"{indent}date:{draw(st.sampled_from([' ', '']))}{2020 + number}{draw(ENDS)}"
        lines += [date] * draw(st.integers(0, 1))
        lines += [f"{indent}# {draw(WORDS)}"] * draw(st.integers(0, 1))
        lines += [""] * draw(st.integers(0, 1))
    return "\n".join(lines)


@settings(max_examples=40)
@given(text=draw_talk_list(), end=st.sampled_from(["\n", "\r\n"]), last=st.booleans(), mark=st.booleans())
def test_repairs_change_what_is_wrong_once(text: str, end: str, last: bool, mark: bool) -> None:
    data = ("\ufeff" * mark + text + "\n" * last).replace("\n", end).encode()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        path = root / "content/talks.yaml"
        path.parent.mkdir()
        (path.parent / "profile.yaml").write_text("name: Ada Example\n", "utf-8")
        path.write_bytes(data)
        repair_site(root)
        once = path.read_bytes()
        repair_site(root)
        assert path.read_bytes() == once
        assert lines_of(once) == lines_of(data)
        assert once.startswith(b"\xef\xbb\xbf") == mark
        assert (b"\r\n" in once) == (b"\r\n" in data)
        assert list_comments(once) == list_comments(data)
        assert keep_letters(once) == keep_letters(data)


def repair_site(root: Path) -> None:
    """Repair a site with the command."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        assert main(["check", "--fix", "--write", "--site", str(root)]) in (0, 1)


def lines_of(data: bytes) -> int:
    return data.count(b"\n")


def list_comments(data: bytes) -> list[str]:
    """Return the comments on lines of their own."""
    return [line.strip() for line in data.decode().splitlines() if line.lstrip("\ufeff ").startswith("#")]


def keep_letters(data: bytes) -> str:
    """Return the letters and digits, without what a repair may change: quotes, spaces, backslashes, and the case of keys."""
    return "".join(c for c in data.decode().casefold() if c.isalnum())


@settings(max_examples=30)
@given(value=st.builds("{}: {}".format, VALUES, VALUES))
def test_a_value_that_is_put_in_quotes_stays_the_same(value: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        path = root / "content/talks.yaml"
        path.parent.mkdir()
        (path.parent / "profile.yaml").write_text("name: Ada Example\n", "utf-8")
        path.write_text(f"- date: 2024\n  title: Of {value}\n", "utf-8")
        before = path.read_bytes()
        repair_site(root)
        after = path.read_bytes()
        if after != before:
            assert yaml.safe_load(after)[0]["title"] == f"Of {value}"


KEYS = {
    "institution": ("school", "university", "institution"),
    "degree": ("degree", "studyType"),
    "start": ("from", "start_date", "startDate", "start"),
    "end": ("to", "end_date", "until", "end"),
    "grade": ("gpa", "grade"),
    "advisor": ("supervisor", "advisor"),
}
"""Keys of an education entry, with all names that people use for each."""

VALUES_OF = dict(zip(KEYS, "MIT|PhD|2019|2024|4.0|A. B.".split("|"), strict=True))


@st.composite
def draw_education_list(draw: st.DrawFn) -> str:
    """Draw a list of education entries with any names of keys, quotes, white space, braces and comments."""
    entries: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        used = ["institution", *draw(st.lists(st.sampled_from([*KEYS][1:]), unique=True))]
        quote = draw(st.sampled_from(["", "'", '"']))
        pairs = [
            f"{quote}{draw(st.sampled_from(KEYS[key]))}{quote}{draw(st.sampled_from([': ', ' : ', ':   ']))}{VALUES_OF[key]}"
            for key in used
        ]
        if draw(st.booleans()):
            gap = draw(st.sampled_from([",", ", ", " ,  "]))
            entries.append(f"- {{{gap.join(pairs)}}}{draw(ENDS)}")
        else:
            entries.append("- " + "\n  ".join(f"{pair}{draw(ENDS)}" for pair in pairs))
    return "\n".join(entries) + "\n"


@settings(max_examples=25)
@given(text=draw_education_list(), end=st.sampled_from(["\n", "\r\n"]))
def test_canonical_key_names_give_the_same_site(text: str, end: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        path = root / "content/education.yaml"
        path.parent.mkdir()
        (path.parent / "profile.yaml").write_text("name: Ada Example\n", "utf-8")
        path.write_bytes(text.replace("\n", end).encode())
        before = build_site(root, store=CacheStore())
        repair_site(root)
        once, after = path.read_bytes(), build_site(root, store=CacheStore())
        assert after.artifacts == before.artifacts
        old_messages = {problem.message for problem in (*before.problems, *before.notes)}
        assert {problem.message for problem in (*after.problems, *after.notes)} <= old_messages
        assert re.findall(r"#[^\r\n]*", once.decode()) == re.findall(r"#[^\r\n]*", text)
        assert lines_of(once) == text.count("\n")
        repair_site(root)
        assert path.read_bytes() == once
