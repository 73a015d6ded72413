"""requirements.txt of a new site names the running Tenure and exact versions, for every kind of installation."""

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from tenure.cli import distribution, requirements
from tenure.cli.arguments import UsageError
from tenure.cli.distribution import find_release, list_release_requirements, repack_wheel
from tenure.cli.requirements import create_requirement_files, merge_requirements, pin_dependencies


def test_a_clone_gives_a_wheel_with_its_hash_and_exact_versions() -> None:
    files = create_requirement_files()
    (path,) = (name for name in files if name.startswith("vendor/"))
    wheel, text = files[path], files["requirements.txt"]
    assert isinstance(wheel, bytes)
    assert isinstance(text, str)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == f"file:{path}#sha256={hashlib.sha256(wheel).hexdigest()}"
    assert all(re.fullmatch(r"[a-z0-9-]+==[^\s;]+", line) for line in lines[1:]), lines
    assert {"jinja2", "markupsafe", "tornado", "typst", "packaging"} <= {
        line.partition("==")[0] for line in lines
    }
    assert f"pyyaml=={metadata.version('pyyaml')}" in lines
    assert "tenure==" not in text


def test_the_wheel_of_a_clone_is_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel is the same even if the saved one was deleted; changed sources give another version."""
    clone = tmp_path / "clone"
    for path in distribution._find_wheel_sources():
        copy = clone / path.relative_to(distribution.CHECKOUT_FOLDER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    monkeypatch.setattr(distribution, "CHECKOUT_FOLDER", clone)
    first = find_release()
    (names_after,) = (clone / ".cache/wheels").iterdir()
    names_after.unlink()
    assert find_release() == first
    assert find_release() == first, "taken from the cache"
    assert {path.name for path in clone.iterdir()} == {*distribution.WHEEL_SOURCES, ".cache"}, (
        "no build/ and no egg-info"
    )
    (clone / "tenure/starter/README.md").write_text("other\n", encoding="utf-8")
    assert find_release().files.keys() != first.files.keys()
    assert len([*(clone / ".cache/wheels").iterdir()]) == 1


def test_a_clone_that_cannot_be_built_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "themes/base").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = 3\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(distribution, "CHECKOUT_FOLDER", tmp_path)
    with pytest.raises(UsageError, match=r"cannot build a wheel of .*: "):
        find_release()


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[object], metadata.Distribution]:
    """Return a function that installs Tenure as an installer does, with or without a direct_url.json."""
    (built,) = find_release().files.values()

    def install_tenure(origin: object) -> metadata.Distribution:
        (tmp_path / "built.whl").write_bytes(built)
        site = tmp_path / "site-packages"
        with zipfile.ZipFile(tmp_path / "built.whl") as wheel:
            wheel.extractall(site)
        (info,) = site.glob("tenure-*.dist-info")
        added = {"INSTALLER": "pip\n", "REQUESTED": ""}
        if origin:
            added["direct_url.json"] = json.dumps(origin)
        for name, text in added.items():
            (info / name).write_text(text, encoding="utf-8")
        with (info / "RECORD").open("a", encoding="utf-8") as record:
            record.writelines(f"{info.name}/{name},,\n" for name in added)
            record.write("../../bin/tenure,,\ntenure/__pycache__/cli.cpython-311.pyc,,\n")
        result = metadata.PathDistribution(info)
        monkeypatch.setattr(distribution, "is_checkout", lambda: False)
        monkeypatch.setattr(distribution, "_find_distribution", lambda: result)
        return result

    return install_tenure


Installed = Callable[[object], metadata.Distribution]


def test_an_index_gives_the_exact_version(installer: Installed) -> None:
    version = installer(None).version
    assert find_release().requirement == f"tenure[pdf]=={version}"
    assert find_release().files == {}
    assert any(text.startswith("typst") for text in list_release_requirements())


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (
            {
                "url": "https://example.org/ada/tenure.git",
                "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": "0123abc"},
            },
            "tenure[pdf] @ git+https://example.org/ada/tenure.git@0123abc",
        ),
        (
            {
                "url": "ssh://git@example.org/all",
                "subdirectory": "tenure",
                "vcs_info": {"vcs": "git", "commit_id": "0123abc"},
            },
            "tenure[pdf] @ git+ssh://git@example.org/all@0123abc#subdirectory=tenure",
        ),
    ],
)
def test_version_control_gives_its_url_at_the_commit(origin: object, line: str, installer: Installed) -> None:
    installer(origin)
    assert find_release().requirement == line
    assert find_release().files == {}


@pytest.mark.parametrize(
    "origin",
    [
        {"url": "file:///home/ada/Downloads/tenure.whl", "archive_info": {"hashes": {"sha256": "0"}}},
        {"url": "file:///home/ada/tenure", "dir_info": {}},
        {"url": "https://example.org/tenure.whl", "archive_info": {}},
        {"url": "file:///home/ada/tenure", "vcs_info": {"vcs": "git", "commit_id": "0123abc"}},
    ],
)
def test_an_installation_from_a_file_or_folder_gives_a_wheel(
    origin: object, installer: Installed, tmp_path: Path
) -> None:
    version = installer(origin).version
    release = find_release()
    assert [*release.files] == [f"vendor/tenure-{version}-py3-none-any.whl"]
    again = tmp_path / "again.whl"
    (content,) = release.files.values()
    again.write_bytes(content)
    with zipfile.ZipFile(tmp_path / "built.whl") as item, zipfile.ZipFile(again) as other:
        assert other.testzip() is None
        assert sorted(other.namelist()) == sorted(item.namelist())
        for name in item.namelist():
            if not name.endswith("/RECORD"):
                assert other.read(name) == item.read(name)
        records = [sorted(w.read(f"tenure-{version}.dist-info/RECORD").splitlines()) for w in (item, other)]
    assert records[0] == records[1]
    assert repack_wheel(installer(origin))[1] == content, "the same bytes each time"


def test_a_distribution_without_its_list_of_files_is_an_error(installer: Installed, tmp_path: Path) -> None:
    installer({"url": "file:///home/ada/tenure", "dir_info": {}})
    for path in tmp_path.glob("site-packages/*.dist-info/RECORD"):
        path.unlink()
    with pytest.raises(UsageError, match="install it again with pip"):
        find_release()


FAKE = {
    "alpha": ("1.0", ['beta>=2 ; sys_platform == "win32"', 'gamma ; python_version < "3.13"', "delta[fast]"]),
    "gamma": ("0.3", []),
    "delta": ("4.1", ['epsilon ; extra == "fast"', 'zeta ; extra == "slow"', "alpha"]),
    "epsilon": ("5", ['eta ; sys_platform == "darwin" and python_version >= "3.14"']),
    "eta": ("6", []),
}


def test_markers_name_the_systems_that_need_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a marker, a package would be installed where it is not needed, or missing where it is."""
    monkeypatch.setattr(
        requirements, "_installed_version", lambda name: FAKE[name][0] if name in FAKE else ""
    )
    monkeypatch.setattr(
        requirements, "_installed_requirements", lambda name: tuple(FAKE[name][1]) if name in FAKE else ()
    )
    roots = ["Alpha>=1", 'theta<2,>=1 ; extra == "pdf"', 'iota ; extra == "test"']
    early = '(python_version == "3.11" or python_version == "3.12")'
    assert pin_dependencies(roots) == [
        "alpha==1.0",
        'beta>=2 ; sys_platform == "win32"  # not installed where this was written',
        "delta==4.1",
        "epsilon==5",
        'eta==6 ; (sys_platform == "darwin" and (python_version == "3.14"))',
        "gamma==0.3 ; "
        + " or ".join(f'(sys_platform == "{system}" and {early})' for system in ("linux", "darwin", "win32")),
        "theta<2,>=1  # not installed where this was written",
    ]


def test_an_upgrade_keeps_lines_of_the_site() -> None:
    new = f"{requirements.REQUIREMENTS_HEADER}file:vendor/tenure-2-py3-none-any.whl#sha256=1\njinja2==4\n{requirements.OWN_PACKAGES_MARKER}"
    old = f"{requirements.REQUIREMENTS_HEADER}tenure[pdf]==1\njinja2==3\nmarkupsafe==1\n{requirements.OWN_PACKAGES_MARKER}qrcode==7\n# mine\n"
    assert merge_requirements(old, new) == f"{new}qrcode==7\n# mine\n"
    assert merge_requirements("tenure[pdf]==0.1.0\nqrcode==7\nJinja2>=3\n", new) == f"{new}qrcode==7\n"
    assert merge_requirements(new, new) == new


def test_no_message_suggests_installing_tenure_from_an_index() -> None:
    """If the index has no such name, anyone could register it and run code on the machine of each user who follows the message."""
    expected = '"typst>=0.15,<0.16"'
    assert f"pdf = [{expected}]" in (distribution.CHECKOUT_FOLDER / "pyproject.toml").read_text(
        encoding="utf-8"
    )
    folder = distribution.PACKAGE_FOLDER
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    actual = [text for text in texts.values() if f"pip install {expected}" in text]
    assert len(actual) == 2
    assert not [path for path, text in texts.items() if re.search(r"pip install [\"']?tenure", text)]
