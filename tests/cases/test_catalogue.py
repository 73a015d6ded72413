"""The catalogue of messages: wrong sources, and the exact messages that they cause."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
import yaml
from cases import RULE, Case, list_failures, prepare_sources, read_cases
from conftest import IS_FULL_RUN, PROFILE, Built, Patch, Sources, write_files
from yaml.scanner import ScannerError

from tenure.build import BuildResult
from tenure.problems import PROBLEM_CODES, Problem, Problems, format_problem
from tenure.sources.editing.edits import plan_changes
from tenure.sources.reading import files

HERE = Path(__file__).parent
UNREACHABLE = {
    "foreign-file": "reported when the site is written, about a file in output/",
    "large-video": "a file of more than 16 MB; tests/values/test_images.py has one",
    "untranslated": "listed by `check --info` alone; tests/golden/test_several_languages.py counts them",
}
"""Codes that no source of a site can cause, with the reason."""


Make = Callable[[str], Sources]


CASES = [case for path in sorted(HERE.glob("*.txt")) for case in read_cases(path)]
CODES_OF: dict[Case, frozenset[str]] = {}
"""The codes of each case that was built, so that none is built twice."""


def build_case(case: Case, site: Make) -> Built:
    sources = prepare_sources(case, site(case.sources))
    has_cvs = (
        "cvs:" in case.sources or "cv.typ" in case.sources or case.file in ("cvs", "cv_options", "hostile")
    )
    result = sources.build(pdf=has_cvs)
    CODES_OF[case] = frozenset(problem.code for problem in (*result.build.problems, *result.build.notes))
    return result


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}-{case.title}" for case in CASES])
def test_each_case_shows_its_lines_and_reports_exactly_its_messages(
    case: Case, site: Make, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The same build checks that the certain repairs remove their problems."""
    result = build_case(case, site)
    actual = "\n".join([*result.problems, *(result.notes if "info" in case.flags else ())])
    failures = [*list_failures(case, result), *list_wrong_places(result, tmp_path)]
    for theme in ("base", "folio", "plain") if "templates" in case.flags else ():
        failures += [f"{theme}: {line}" for line in list_failures(case, Sources(tmp_path).build(theme=theme))]
    assert failures == [], "\n".join(failures)
    if "any" in case.flags or any(line.startswith("codes:") for line in case.shown):
        return
    if request.config.getoption("--update"):
        rewrite_case(case, actual)
        return
    assert actual == case.expected
    check_repairs(result.build, Sources(tmp_path))


def list_wrong_places(result: Built, root: Path) -> Iterator[str]:
    """Yield each problem whose place is no line of a source of the site; a CV may name a font that is not there."""
    for problem in result.build.problems:
        file = root / problem.place.file
        line_count = file.read_bytes().count(b"\n") + 1 if file.is_file() else 0
        is_font = problem.level == "warning" and problem.place.file.startswith("themes/base/cv")
        if problem.place.line > line_count and not is_font:
            yield f"no such place: {format_problem(problem)}"


def check_repairs(result: BuildResult, sources: Sources) -> None:
    """A certain repair removes its problem, and causes no other problem."""
    repairable = [problem for problem in (*result.problems, *result.notes) if problem.edits]
    changes, _ = plan_changes(sources.root, [problem.edits for problem in repairable])
    if not changes:
        return
    for change in changes:
        change.path.write_bytes(change.new_bytes)
    after = sources.build().build
    left = {describe_problem(problem) for problem in (*after.problems, *after.notes)}
    assert not {describe_problem(problem) for problem in repairable} & left
    assert len(after.problems) + len(after.notes) <= len(result.problems) + len(result.notes)


def describe_problem(problem: Problem) -> tuple[str, str, str]:
    """Return a description of a problem without its line."""
    return problem.place.file, problem.code, problem.message


@pytest.mark.parametrize("case", [case for case in CASES if case.file == "yaml"], ids=lambda case: case.title)
def test_messages_are_the_same_without_the_c_parser(
    case: Case, site: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyYAML's two parsers have different error messages; Tenure's messages are the same with both."""
    with_c = report_syntax(case, site)
    monkeypatch.setattr(files, "YAML_LOADER", yaml.BaseLoader)
    assert report_syntax(case, site) == with_c


def report_syntax(case: Case, site: Make) -> list[str]:
    """Return the problems of the YAML in a case, and in a full run all problems of its site."""
    if IS_FULL_RUN:
        return build_case(case, site).problems
    problems = Problems()
    parts = re.split(r"^-- (\S+) --\n", case.sources, flags=re.MULTILINE)
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        if name.endswith(".yaml"):
            files.parse_yaml(text, name, problems)
        elif name.endswith(".md"):
            files.parse_markdown_file(text, name, problems)
    return [format_problem(problem) for problem in problems.sorted_problems()]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{a: " * 50_000,
        "[" * 900 + "]" * 900,
        "# " + "]" * 900 + "\n" + "[ # ]\n" * 20_000,
        "- " * 20_000,
        "-  " * 20_000,
        "? " * 20_000,
        "- ? " * 20_000,
        "\n".join(f"{' ' * level}{'- ' * 60}" for level in (0, 120)),
    ],
    ids=lambda text: text[:12],
)
def test_too_deep_nesting_is_reported(text: str, site: Make) -> None:
    """Nesting that would overflow the parser's stack is reported; the sources are too long for the catalogue."""
    (reported,) = site(f"-- content/talks.yaml --\n{text}\n").build().problems
    assert "this is nested more than 100 levels deep" in reported


def test_the_depth_at_which_the_parser_itself_ends_is_reported(site: Make, monkeypatch: Patch) -> None:
    """That of PyYAML 6.0.4 ends at 1,000 levels, before it gives the first bracket; that of 6.0.3 does not."""
    mark = yaml.Mark("", 0, 0, 1000, None, 0)
    error = ScannerError("while increasing flow level", mark, "exceeded maximum nesting depth", mark)
    monkeypatch.setattr(yaml, "parse", Mock(side_effect=error))
    (reported,) = site("-- content/talks.yaml --\n" + "[" * 2000 + "\n").build().problems
    assert "this is nested more than 100 levels deep" in reported


def rewrite_case(case: Case, expected: str) -> None:
    """Replace the expected lines of a case in its file."""
    path = HERE / f"{case.file}.txt"
    text = path.read_text(encoding="utf-8")
    start = re.search(rf"^=== (?:\[[\w ]+\] )*{re.escape(case.title)}$", text, re.MULTILINE)
    assert start
    rule = text.index(f"\n{RULE}\n", start.end()) + len(RULE) + 2
    end = text.find("\n=== ", rule)
    others = text[end:] if end >= 0 else ""
    lines = "\n".join((*case.shown, *expected.splitlines()))
    path.write_text(f"{text[:rule]}{lines}\n{others}", encoding="utf-8")


def test_every_case_expects_something() -> None:
    silent = [case.title for case in CASES if not case.expected and not case.shown]
    assert silent == []


def test_titles_differ() -> None:
    names = [(case.file, case.title) for case in CASES]
    assert len(names) == len(set(names))
    assert len(names) >= 80


def test_lines_are_readable_at_sixty_columns() -> None:
    """A source line with its caret has at most sixty characters; the repair after the caret may be longer."""
    wide = [
        (case.title, line)
        for case in CASES
        for line in case.expected.splitlines()
        if re.match(r" *\d+ \| ", line) and len(line) > 60
    ]
    assert wide == []


def test_messages_contain_no_words_of_libraries() -> None:
    """No message contains a term of Python or PyYAML; those about templates are Jinja's."""
    jargon = re.compile(
        r"traceback|<class|NoneType|dict object|list object|block mapping|block collection|<block end>|scalar"
        r"|while (?:parsing|scanning)|\btoken\b|tenure\.model|expected '|Errno|codec",
        re.IGNORECASE,
    )
    heads = [
        (case.title, line)
        for case in CASES
        if case.file != "templates"
        for line in case.expected.splitlines()
        if re.match(r"\S+: (?:error|warning|info): |\s+\| +\^", line) and jargon.search(line)
    ]
    assert heads == []


def test_every_code_has_a_case(tmp_path_factory: pytest.TempPathFactory) -> None:
    for case in CASES:
        if case not in CODES_OF:
            build_case(case, create_maker(tmp_path_factory.mktemp("site")))
    hit = frozenset[str]().union(*CODES_OF.values())
    assert sorted(PROBLEM_CODES.keys() - hit) == sorted(UNREACHABLE)


def create_maker(folder: Path) -> Make:
    """Return a function like the fixture `site`, for several sites in one test."""

    def make_sources(files: str) -> Sources:
        if "-- content/profile.yaml --" not in files:
            write_files(folder, f"-- content/profile.yaml --\n{PROFILE}")
        write_files(folder, files)
        return Sources(folder)

    return make_sources


def test_files_stay_short() -> None:
    """A file with too many cases must be divided."""
    assert {
        p.name: n for p in HERE.glob("*.txt") if (n := p.read_text(encoding="utf-8").count("\n")) > 900
    } == {}
