"""The programs in tests/benchmarks/ run: at their smallest size, and without the rounds that measure."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

from tenure.build import build_site

NAMES = tuple("bibliography department peers preview publications_page results sites synthetic".split())


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Import the benchmarks by their names, which other folders of the tests have too."""
    monkeypatch.syspath_prepend(str(ROOT / "tests/benchmarks"))
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    modules = {name: importlib.import_module(name) for name in NAMES}
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name)
    return modules


def test_every_benchmark_is_named_here() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in (ROOT / "tests/benchmarks").glob("*.py"))


def test_the_benchmarks_run_at_their_smallest_size(
    benchmarks: dict[str, ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bibliography, synthetic = benchmarks["bibliography"], benchmarks["synthetic"]
    file = tmp_path / "papers.bib"
    file.write_text(bibliography.write_bibliography(10), encoding="utf-8")
    for script in (bibliography.TENURE_SCRIPT, bibliography.BIBTEXPARSER_SCRIPT):
        assert bibliography.time_script(script.format(root=str(ROOT), file=str(file))) > 0
    who = synthetic.create_researcher(3)
    monkeypatch.setattr(benchmarks["sites"], "WORK", tmp_path)
    edited = synthetic.write_tenure_site(who, tmp_path / "tenure-3")
    stages = benchmarks["sites"].measure_stages(3)
    assert [stage for stage in stages if "loaded the program" in stage or "wrote the files" in stage] == [
        stages[0],
        stages[-1],
    ]
    old_text, word = (
        edited.read_text(encoding="utf-8"),
        benchmarks["preview"].Server(0, edited, "/").save_new_word(),
    )
    assert edited.read_text(encoding="utf-8").replace(f"{word} ", "") == old_text
    for name, peer in benchmarks["peers"].PEERS.items():
        assert peer.write(who, tmp_path / name).is_file()
    department = benchmarks["department"]
    department.write_department(3, department.add_members(who, 3), tmp_path / "department")
    assert build_site(tmp_path / "department").problems == ()
    monkeypatch.setattr(sys, "argv", ["benchmark", "--help"])
    for name in ("department", "preview", "sites"):
        with pytest.raises(SystemExit) as end:
            benchmarks[name].main()
        assert end.value.code == 0
    assert capsys.readouterr().out.count("usage: ") == 3
