"""Sites whose texts and data are made to be slow or deep: each is imported, or refused with one line."""

import time
from pathlib import Path

import pytest
from conftest import run_in, write_files

from tenure.importers.bibliography.csl_json import is_csl_json
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.session import ImportSession
from tenure.importers.source_folder import SourceFolder, parse_toml
from tenure.importers.text_converter import SourceTextConverter
from tenure.problems import Problems

ALFOLIO = (
    "-- old/_config.yml --\ntitle: X\nfirst_name: Ada\nlast_name: Example\nplugins: [jekyll-scholar]\n"
    "-- old/_pages/about.md --\n---\nlayout: about\ntitle: about\npermalink: /\n---\n"
)


@pytest.mark.parametrize("opening", ["{% ", "{{< a ", "{% include figure.html "])
def test_low_tags_that_never_end_are_imported_in_good_time(opening: str, tmp_path: Path) -> None:
    """30,000 of them took half a minute."""
    write_files(tmp_path, f"{ALFOLIO}{opening * 15_000}\n")
    start = time.process_time()
    assert run_in(tmp_path, "import", "old") == 0
    assert time.process_time() - start < 5


REPEATED = [
    *('<a href="x">', '<a href="x">b</a>', '<a href="#a">', "<video>", "<video><source src=x>", "<video></video>", "<audio>"),
    *("{% highlight python %}\nx\n{% endhighlight %}\n", "{% highlight python %}\n", "{% comment %}x{% endcomment %}"),
    *("<!--", "<script>", "<script>x</script>", "<style>", "<title>", "<div hidden>", "<div hidden>x</div>", "[[a](", "[a] [", "![", "{{{< ", "{{</* "),
]  # fmt: skip
"""Text that the patterns of the importers look for, open and closed."""


@pytest.mark.parametrize("repeated", REPEATED)
def test_low_four_times_the_text_takes_four_times_the_time(repeated: str, tmp_path: Path) -> None:
    """Each of thousands of tags was searched to the end of the text: 6,000 took up to a minute."""

    def measure_conversion(count: int) -> float:
        converter_class = HugoTextConverter if "{{" in repeated else SourceTextConverter
        converter = converter_class(ImportSession(tmp_path))
        start = time.process_time()
        converter.convert_body(repeated * count, "a.md:1")
        return time.process_time() - start

    first = min(measure_conversion(1000), measure_conversion(1000))
    assert measure_conversion(4000) < 8 * first + 0.05


def test_low_data_of_any_depth_is_no_internal_error(tmp_path: Path) -> None:
    problems = Problems()
    assert parse_toml(f"[{'a.' * 5000}a]\n", "config.toml", problems) is None
    assert [problem.code for problem in problems.sorted_problems()] == ["yaml-syntax"]
    path = tmp_path / "x.json"
    path.write_text("[" * 300_000, encoding="utf-8")
    assert not is_csl_json(path)


def test_low_half_a_character_in_json_is_no_internal_error(tmp_path: Path) -> None:
    path = tmp_path / "resume.json"
    path.write_text('{"name": "\\ud83d\\udent"}', encoding="utf-8")
    node = SourceFolder(tmp_path).read_data_file(path)
    assert node is not None
    assert node.mapping["name"].text == r"\ud83d\udent"
