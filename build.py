# -*- coding: utf-8 -*-
"""
`python3 build.py` runs Tenure for the site in this folder (Windows: `py build.py`).

The first call creates the virtual environment `.venv` beside this file and installs the packages that Tenure needs there. Later
calls use it; if it is incomplete, they create it again. This file only uses the syntax of Python 2.7, so that an old Python reports
the needed version instead of a syntax error.
To write other files, pass your own function in the last line: `main(exporters=(*EXPORTERS, your_function), ...)`.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn  # noqa: F401 - in a comment below

SITE_FOLDER = os.path.dirname(os.path.realpath(__file__))
VENV_FOLDER = os.path.join(SITE_FOLDER, ".venv")
if os.name == "nt":
    VENV_PYTHON = os.path.join(VENV_FOLDER, "Scripts", "python.exe")
    VENV_PACKAGES = os.path.join(VENV_FOLDER, "Lib", "site-packages")
else:
    VENV_PYTHON = os.path.join(VENV_FOLDER, "bin", "python")
    VENV_PACKAGES = os.path.join(VENV_FOLDER, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
READY_FILE = os.path.join(VENV_FOLDER, "tenure-ready")
PYPROJECT_FILE = os.path.join(SITE_FOLDER, "pyproject.toml")
TEST_REQUIREMENTS_FILE = os.path.join(SITE_FOLDER, "tests", "requirements.txt")
REQUIRED_MODULES = (
    "yaml",
    "jinja2",
    "bibtexparser",
    "latex2mathml",
    "livereload",
    "markdown_it",
    "mdit_py_plugins",
    "msgspec",
    "packaging",
    "pygments",
    "pylatexenc",
    "tornado",
    "watchfiles",
    "PIL",
)
MODULES_BY_EXTRA = {
    "": REQUIRED_MODULES,
    "test": REQUIRED_MODULES
    + ("pytest", "xdist", "hypothesis", "mypy", "ruff", "html5lib", "playwright", "typst", "pypdf"),
}


def ensure_packages(extra):  # type: (str) -> None
    """Continue in an interpreter that has the packages: this one, or that of .venv, which is created if needed."""
    from importlib.util import find_spec

    if all(find_spec(name) for name in MODULES_BY_EXTRA[extra]):
        return
    if os.path.realpath(sys.prefix) == VENV_FOLDER:
        exit_with_error(
            "packages are missing in .venv. Run build.py by a Python outside of it, which installs them: python3 build.py"
        )
    if not is_environment_ready(describe_environment("test")) and not is_environment_ready(
        describe_environment(extra)
    ):
        set_up_environment(extra)
    if not extra:
        # This Python created .venv: it can use the packages there without starting a second process.
        sys.path.insert(0, VENV_PACKAGES)
        return
    arguments = [VENV_PYTHON, os.path.join(SITE_FOLDER, "build.py")] + sys.argv[1:]
    sys.stdout.flush()
    if os.name == "nt":
        import subprocess

        raise SystemExit(subprocess.run(arguments, check=False).returncode)
    os.execv(arguments[0], arguments)


def describe_environment(extra):  # type: (str) -> str
    """A text of everything that .venv depends on: the version of Python, the extra, and the files that name the packages."""
    pinned_packages = read_text(TEST_REQUIREMENTS_FILE) if extra else ""
    return sys.version + "\nextra: " + extra + "\n" + read_text(PYPROJECT_FILE) + pinned_packages


def set_up_environment(extra):  # type: (str) -> None
    """Create .venv, or update a complete one, and install the packages."""
    import tomllib

    lock_descriptor = lock_setup()
    if not is_environment_ready(describe_environment(extra)):  # false if another process has just finished it
        sys.stderr.write("Setting up " + VENV_FOLDER + " (once; this takes about a minute)\n")
        is_complete = is_environment_ready(
            read_text(READY_FILE).partition("\n\n")[2]
        ) and sys.version in read_text(READY_FILE)
        if os.path.isfile(READY_FILE):
            os.remove(READY_FILE)
        if not is_complete:
            create_environment(lock_descriptor)
        # Tenure itself is not installed, because it is imported from this folder. Its build backend is, so that `new` can
        # build a wheel without a network.
        pyproject = tomllib.loads(read_text(PYPROJECT_FILE))
        requirements = pyproject["project"]["dependencies"] + pyproject["build-system"]["requires"]
        reason = (
            "cannot install the packages; check the connection to the Python Package Index and run this again"
        )
        if extra:
            # What the tests run is what the file says: these versions, with these hashes.
            arguments = ["--require-hashes", "--requirement", TEST_REQUIREMENTS_FILE]
            error = install_packages(arguments, lock_descriptor)
        else:
            pdf_requirements = pyproject["project"]["optional-dependencies"]["pdf"]
            # Typst does not exist for some machines; their sites are built without the PDF of the CV, and report it.
            error = install_packages(requirements + pdf_requirements, lock_descriptor) and install_packages(
                requirements, lock_descriptor
            )
        if error:
            exit_with_error(reason + " (" + error + ")")
        record_completion(describe_environment(extra))
    os.close(lock_descriptor)


def create_environment(lock_descriptor):  # type: (int) -> None
    """Create .venv without pip; install_packages() uses the pip of this interpreter."""
    error = run_command(
        [sys.executable, "-m", "venv", "--without-pip", "--clear", VENV_FOLDER], lock_descriptor
    )
    if error:
        exit_with_error(
            "Python cannot create a virtual environment here. Debian, Ubuntu: sudo apt install python3-venv ("
            + error
            + ")"
        )


def install_packages(arguments, lock_descriptor):  # type: (list[str], int) -> str
    """
    Install packages into .venv; returns "" or the error.

    The installer is uv, or if it fails (it cannot read the line of a wheel in vendor/), the pip of this interpreter, or, if that
    is missing or too old, the pip that comes with Python.
    Modules are compiled when they are first imported, which is faster than compiling all of them.
    """
    import shutil

    uv = shutil.which("uv")
    if uv and not run_command([uv, "pip", "install", "--python", VENV_PYTHON] + arguments, lock_descriptor):
        return ""
    pip = [sys.executable, "-m", "pip", "--python", VENV_PYTHON]
    install = ["install", "--quiet", "--no-compile"] + arguments
    error = run_command(pip + install, lock_descriptor)
    if error and run_command(pip + ["--version"], lock_descriptor):
        missing = run_command([VENV_PYTHON, "-m", "ensurepip"], lock_descriptor)
        if missing:
            return missing + ". Debian, Ubuntu: sudo apt install python3-venv"
        error = run_command([VENV_PYTHON, "-m", "pip"] + install, lock_descriptor)
    return error


def is_environment_ready(environment):  # type: (str) -> bool
    """Whether .venv is complete for this environment, and all packages installed then still exist."""
    names, _, recorded = read_text(READY_FILE).partition("\n\n")
    return (
        recorded == environment
        and os.path.isfile(VENV_PYTHON)
        and set(names.split("\n")) <= set(list_installed_packages())
    )


def list_installed_packages():  # type: () -> list[str]
    """The sorted names in the packages folder of .venv."""
    return sorted(set(os.listdir(VENV_PACKAGES)) - {"__pycache__"}) if os.path.isdir(VENV_PACKAGES) else []


def record_completion(environment):  # type: (str) -> None
    """Write the file that marks .venv as complete; without it the next call creates .venv again."""
    with open(READY_FILE, "w", encoding="utf-8") as ready:
        ready.write("\n".join(list_installed_packages()) + "\n\n" + environment)


def read_text(path):  # type: (str) -> str
    """The text of a file; "" if there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def lock_setup():  # type: () -> int
    """
    Wait until no other process sets up .venv; returns the descriptor of a locked file.

    The installer inherits it: if this process is killed, the next call waits until the installer has ended.
    """
    if not os.access(SITE_FOLDER, os.W_OK):
        exit_with_error("the folder " + SITE_FOLDER + " cannot be written. Copy it to a folder of your own")
    os.makedirs(os.path.join(SITE_FOLDER, ".cache"), exist_ok=True)
    descriptor = os.open(os.path.join(SITE_FOLDER, ".cache", "set-up"), os.O_RDWR | os.O_CREAT)
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            import errno

            if error.errno in (errno.EDEADLK, errno.EACCES):
                continue  # Windows waits ten seconds at a time
        return descriptor  # also if the file system has no locks


def run_command(command, lock_descriptor):  # type: (list[str], int) -> str
    """Run a command without output; returns "", or the error of a command that fails."""
    import subprocess

    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    inherited = () if os.name == "nt" else (lock_descriptor,)
    try:
        result = subprocess.run(
            command,
            cwd=SITE_FOLDER,
            env=environment,
            pass_fds=inherited,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        return str(error)
    if result.returncode == 0:
        return ""
    lines = [line.strip() for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return errors[-1] if errors else "exit status " + str(result.returncode)


def exit_with_error(reason):  # type: (str) -> NoReturn
    """Print one line and exit with the status of a usage error."""
    sys.stderr.write("build.py: " + reason + "\n")
    raise SystemExit(2)


def require_python():  # type: () -> None
    """Exit if Python is too old, with a link to a newer one."""
    if sys.version_info < (3, 11):
        python = "python3"
        if os.name == "nt":
            python, source = "py", "https://www.python.org/downloads/"
        elif sys.platform == "darwin":
            source = "https://www.python.org/downloads/ or, with Homebrew: brew install python"
        else:
            python = "python3.11"
            source = "Debian, Ubuntu: sudo apt install python3.11 python3.11-venv; others: https://www.python.org/downloads/"
        exit_with_error(
            "Tenure needs Python 3.11 or newer, and this is Python %s. Install a newer one (%s), then run: %s build.py"
            % (sys.version.split()[0], source, python)
        )


if __name__ == "__main__":
    require_python()
    sys.path.insert(0, SITE_FOLDER)
    try:
        from tenure.cache.up_to_date import replay_if_unchanged

        if replay_if_unchanged(SITE_FOLDER, sys.argv[1:]):
            raise SystemExit(0)
        ensure_packages("test" if sys.argv[1:2] == ["test"] and not {"-h", "--help"} & set(sys.argv) else "")
        from pathlib import Path

        from tenure.cli.app import exit_immediately, main
    except KeyboardInterrupt:
        raise SystemExit(130)
    exit_immediately(main(folder=Path(SITE_FOLDER)))
