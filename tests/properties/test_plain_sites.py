"""Small sites without `pages`, as people begin them: each builds, shows what was written, and each mistake has its line."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from conftest import PROFILE, Sources, scale_examples
from hypothesis import given, settings
from hypothesis import strategies as st

LISTS = ("news", "talks", "awards", "education", "experience", "teaching", "service", "posts")
"""The lists whose entries have what is drawn; `posts` are files."""

OPTIONS = (
    "tags: [x]",
    "category: award",
    "draft: true",
    "place: Paris",
    "url: https://a.example/",
)
THEMES = ("classic", "folio", "margin", "plate", "stage", "plain")

Entries = list[tuple[int, set[str]]]
ENTRIES = st.lists(
    st.tuples(st.integers(2000, 2027), st.sets(st.sampled_from(OPTIONS), max_size=2)), max_size=7
)
SITES = st.dictionaries(st.sampled_from(LISTS), ENTRIES, min_size=1, max_size=4)


def write_entry(name: str, index: int, year: int, options: set[str]) -> str:
    """The lines of an entry, whose words are found on its page: "words of news 3"."""
    words = f"words of {name} {index}"
    key = {"news": "text", "education": "degree", "experience": "role", "teaching": "course"}.get(
        name, "title"
    )
    place = "institution: U\n" if name in ("education", "experience") else ""
    return (
        "".join(f"{line}\n" for line in (f"{key}: {words}", f"date: {year}-05-01", *sorted(options))) + place
    )


def write_site(root: Path, lists: Mapping[str, Entries], settings_text: str) -> None:
    """Write the files of a site; a list is one YAML file, and posts are Markdown files."""
    (root / "content/posts").mkdir(parents=True)
    (root / "content/profile.yaml").write_text(PROFILE)
    (root / "site.yaml").write_text(settings_text)
    for name, entries in lists.items():
        texts = [write_entry(name, index, *entry) for index, entry in enumerate(entries)]
        if name == "posts":
            for index, text in enumerate(texts):
                (root / f"content/posts/{index}.md").write_text(f"---\n{text}---\nText.\n")
        elif texts:
            items = ["- " + text.rstrip("\n").replace("\n", "\n  ") for text in texts]
            (root / f"content/{name}.yaml").write_text("\n".join(items) + "\n")


@settings(max_examples=scale_examples(100))
@given(SITES, st.sampled_from(THEMES), st.sampled_from(("", "language: de\n", "languages: [en, de]\n")))
def test_a_plain_site_builds_and_shows_each_entry(
    lists: Mapping[str, Entries], theme: str, language: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder), lists, f"theme: {theme}\n{language}")
        built = Sources(Path(folder)).build()
    assert not built.build.has_errors, built.problems

    pages = "".join(text.decode() for path, text in built.files.items() if path.endswith(".html"))
    for name, entries in lists.items():
        for index, (_, options) in enumerate(entries):
            assert (f"words of {name} {index}" in pages) == ("draft: true" not in options), (name, index)


FIELDS = ("links", "photo", "cv", "email", "orcid", "affiliation", "tagline", "interests", "website")
SHAPES = ('{}: "{}"\n', '{}:\n  - "{}"\n', "{}: [{}]\n", '{}:\n  blog: "{}"\n', '{}:\n  - blog: "{}"\n')
VALUES = ("my blog", "me.jpg", "a/b.pdf", "http:/x", "/nowhere/", "#top")


@settings(max_examples=scale_examples(150))
@given(st.sampled_from(FIELDS), st.sampled_from(SHAPES), st.sampled_from(VALUES))
def test_an_error_about_a_value_of_the_profile_has_its_line(field: str, shape: str, value: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "content").mkdir()
        text = PROFILE + shape.format(field, value)
        (root / "content/profile.yaml").write_text(text)
        problems = Sources(root).build().build.problems

    for problem in problems:
        quoted = re.findall("“(.+?)”", problem.message)
        is_written = any(value in text for value in quoted)
        assert problem.level != "error" or problem.place.line or not is_written, problem
