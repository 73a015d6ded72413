"""A theme's assets, each under a name with its content's digest."""

import hashlib
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tenure.output import Artifact

_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")


def assets_of(folders: tuple[Path, ...]) -> tuple[tuple[Artifact, ...], dict[str, str]]:
    """Every asset under a name with its content's digest; the nearest folder wins. Style sheets name the digests too."""
    found: dict[str, Path] = {}
    for folder in folders:
        base = folder / "assets"
        for path in sorted(base.rglob("*")):
            if path.is_file() and not path.name.startswith(".") and path.suffix != ".txt":
                found.setdefault(path.relative_to(base).as_posix(), path)
    bodies = {name: path.read_bytes() for name, path in found.items()}
    paths = {name: _hashed(name, body) for name, body in bodies.items() if not name.endswith(".css")}
    for name in [name for name in bodies if name.endswith(".css")]:
        css = bodies[name].decode()
        bodies[name] = _CSS_URL.sub(partial(_css_url, name, paths), css).encode()
        paths[name] = _hashed(name, bodies[name])
    artifacts = tuple(
        Artifact(paths[name], body, f"themes/{found[name].parent.name}/{name}")
        for name, body in sorted(bodies.items())
    )
    return artifacts, paths


def _css_url(name: str, paths: Mapping[str, str], found: re.Match[str]) -> str:
    target = (Path(name).parent / found[1]).as_posix()
    if target not in paths:
        return found[0]
    up = "../" * name.count("/")
    return f'url("{up}{paths[target].removeprefix("assets/")}")'


def _hashed(name: str, body: bytes) -> str:
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    stem, dot, suffix = name.rpartition(".")
    return f"assets/{stem}.{digest}{dot}{suffix}"
