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

HERE = os.path.dirname(os.path.realpath(__file__))
VENV = os.path.join(HERE, ".venv")
if os.name == "nt":
    PYTHON = os.path.join(VENV, "Scripts", "python.exe")
    LIBRARY = os.path.join(VENV, "Lib", "site-packages")
else:
    PYTHON = os.path.join(VENV, "bin", "python")
    LIBRARY = os.path.join(VENV, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
READY = os.path.join(VENV, "tenure-ready")
PROJECT = os.path.join(HERE, "pyproject.toml")
PACKAGES = (
    "yaml",
    "jinja2",
    "bibtexparser",
    "latex2mathml",
    "livereload",
    "markdown",
    "packaging",
    "pygments",
    "pylatexenc",
    "PIL",
)
NEEDED = {
    "": PACKAGES,
    "test": PACKAGES
    + ("pytest", "xdist", "hypothesis", "mypy", "ruff", "html5lib", "playwright", "typst", "pypdf"),
}


def enter(extra):  # type: (str) -> None
    """Continue in an interpreter that has the packages: this one, or that of .venv, which is created if needed."""
    from importlib.util import find_spec

    if all(find_spec(name) for name in NEEDED[extra]):
        return
    if os.path.realpath(sys.prefix) == VENV:
        stop(
            "packages are missing in .venv. Run build.py by a Python outside of it, which installs them: python3 build.py"
        )
    if not is_ready(state("test")) and not is_ready(state(extra)):
        set_up(extra)
    if not extra:
        # This Python created .venv: it can use the packages there without starting a second process.
        sys.path.insert(0, LIBRARY)
        return
    arguments = [PYTHON, os.path.join(HERE, "build.py")] + sys.argv[1:]
    sys.stdout.flush()
    if os.name == "nt":
        import subprocess

        raise SystemExit(subprocess.run(arguments, check=False).returncode)
    os.execv(arguments[0], arguments)


def state(extra):  # type: (str) -> str
    """A text of everything that .venv depends on: the version of Python, the extra and pyproject.toml."""
    return sys.version + "\nextra: " + extra + "\n" + read(PROJECT)


def set_up(extra):  # type: (str) -> None
    """Create .venv, or update a complete one, and install the packages."""
    import shutil
    import tomllib

    locked = lock()
    if not is_ready(state(extra)):  # false if another process has just finished it
        sys.stderr.write("Setting up " + VENV + " (once; this takes about a minute)\n")
        complete = is_ready(read(READY).partition("\n\n")[2]) and sys.version in read(READY)
        if os.path.isfile(READY):
            os.remove(READY)
        uv = shutil.which("uv")
        if not complete:
            create = (
                [uv, "venv", "--clear", "--python", sys.executable]
                if uv
                else [sys.executable, "-m", "venv", "--clear"]
            )
            run(
                create + [VENV],
                "Python cannot create a virtual environment here. Debian, Ubuntu: sudo apt install python3-venv",
                locked,
            )
        install = [uv, "pip", "install", "--python", PYTHON] if uv else [PYTHON, "-m", "pip", "install"]
        # A plain path in .venv starts faster than the import hook of newer editable installations.
        editable = install + ["--quiet", "--config-settings", "editable_mode=compat", "--editable"]
        # The build backend is installed too, so that `new` can build a wheel without a network.
        backend = tomllib.loads(read(PROJECT))["build-system"]["requires"]
        reason = (
            "cannot install the packages; check the connection to the Python Package Index and run this again"
        )
        run(editable + [HERE + "[pdf," + extra + "]" if extra else HERE] + backend, reason, locked)
        if not extra:
            # Typst does not exist for some machines; their sites are built without the PDF of the CV, and report it.
            run(editable + [HERE + "[pdf]"], "", locked)
        finish(state(extra))
    os.close(locked)


def is_ready(state):  # type: (str) -> bool
    """Whether .venv is complete for this environment, and all packages installed then still exist."""
    names, _, before = read(READY).partition("\n\n")
    return before == state and os.path.isfile(PYTHON) and set(names.split("\n")) <= set(packages())


def packages():  # type: () -> list[str]
    """The sorted names in the packages folder of .venv."""
    return sorted(set(os.listdir(LIBRARY)) - {"__pycache__"}) if os.path.isdir(LIBRARY) else []


def finish(state):  # type: (str) -> None
    """Write the file that marks .venv as complete; without it the next call creates .venv again."""
    with open(READY, "w", encoding="utf-8") as ready:
        ready.write("\n".join(packages()) + "\n\n" + state)


def read(path):  # type: (str) -> str
    """The text of a file; "" if there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def lock():  # type: () -> int
    """
    Wait until no other process sets up .venv; returns the descriptor of a locked file.

    The installer inherits it: if this process is killed, the next call waits until the installer has ended.
    """
    if not os.access(HERE, os.W_OK):
        stop("the folder " + HERE + " cannot be written. Copy it to a folder of your own")
    os.makedirs(os.path.join(HERE, ".cache"), exist_ok=True)
    descriptor = os.open(os.path.join(HERE, ".cache", "set-up"), os.O_RDWR | os.O_CREAT)
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


def run(command, reason, locked):  # type: (list[str], str, int) -> bool
    """Run a command without output; if it fails, exit with the reason and its error, or without a reason return False."""
    import subprocess

    quiet = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    inherited = () if os.name == "nt" else (locked,)
    try:
        done = subprocess.run(
            command,
            cwd=HERE,
            env=quiet,
            pass_fds=inherited,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        return stop(reason + " (" + str(error) + ")") if reason else False
    if done.returncode != 0 and reason:
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines
        stop(reason + " (" + errors[-1] + ")" if errors else reason)
    return done.returncode == 0


def stop(reason):  # type: (str) -> NoReturn
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
        stop(
            "Tenure needs Python 3.11 or newer, and this is Python %s. Install a newer one (%s), then run: %s build.py"
            % (sys.version.split()[0], source, python)
        )


if __name__ == "__main__":
    require_python()
    sys.path.insert(0, HERE)
    from tenure.stamp import said_again

    if said_again(HERE, sys.argv[1:]):
        raise SystemExit(0)
    try:
        enter("test" if sys.argv[1:2] == ["test"] and not {"-h", "--help"} & set(sys.argv) else "")
    except KeyboardInterrupt:
        raise SystemExit(130)
    from pathlib import Path

    from tenure.cli import leave, main

    leave(main(folder=Path(HERE)))
