"""The assets of a theme: files named by the digest of their content, or inline markup."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from markupsafe import Markup

from tenure.frozen import dataclass
from tenure.output import Artifact
from tenure.web.finish import Finished

_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")


@dataclass(frozen=True, slots=True)
class Assets:
    """
    The files in the assets/ folders of a theme, by the name that templates use.

    `output_paths` are their paths in the output, `source_paths` the files they come from, `inline_markup` the style sheets
    and scripts ready to be embedded in a page.
    """

    files: tuple[Artifact, ...]
    paths: Mapping[str, str]
    within: Mapping[str, Markup]
    sources: Mapping[str, Path]

    def asked_for(self, pages: Iterable[Finished]) -> list[Artifact]:
        """The files that a page links to, or that a style sheet of the theme names; assets only embedded in pages are omitted."""
        named = {address.rpartition("/")[2] for page in pages for address in page.links}
        sheets = [file.read().decode() for file in self.files if file.path.endswith(".css")]
        names = {file.path: Path(file.path).name for file in self.files}
        return [
            file
            for file in self.files
            if names[file.path] in named or any(names[file.path] in sheet for sheet in sheets)
        ]


def assets_of(folders: tuple[Path, ...]) -> Assets:
    """Read the assets in these folders, nearest first; URLs in style sheets get the digests too."""
    found: dict[str, Path] = {}
    for folder in folders:
        base = folder / "assets"
        for path in sorted(base.rglob("*")):
            if path.is_file() and not path.name.startswith(".") and path.suffix != ".txt":
                found.setdefault(path.relative_to(base).as_posix(), path)
    bodies = {name: path.read_bytes() for name, path in found.items()}
    paths = {name: _hashed(name, body) for name, body in bodies.items() if not name.endswith(".css")}
    within = {name: _script(body.decode()) for name, body in bodies.items() if name.endswith(".js")}
    for name in [name for name in bodies if name.endswith(".css")]:
        css = bodies[name].decode()
        within[name] = _style(_CSS_URL.sub(partial(_css_url, name, paths, "/assets/"), css))
        bodies[name] = _CSS_URL.sub(partial(_css_url, name, paths, "../" * name.count("/")), css).encode()
        paths[name] = _hashed(name, bodies[name])
    files = tuple(
        Artifact(paths[name], body, f"themes/{found[name].parent.name}/{name}")
        for name, body in sorted(bodies.items())
    )
    return Assets(files, paths, within, found)


def _css_url(name: str, paths: Mapping[str, str], up: str, found: re.Match[str]) -> str:
    target = (Path(name).parent / found[1]).as_posix()
    if target not in paths:
        return found[0]
    return f'url("{up}{paths[target].removeprefix("assets/")}")'


def _style(css: str) -> Markup:
    r"""
    Return a style sheet as the content of a style element, with the same bytes on every page.

    Only "</style" ends the element; "<\\/" means the same in CSS. Character references are not decoded in it.
    Source: HTML Standard, 13.1.2.6 "Restrictions on the contents of raw text and escapable raw text elements".
    """
    return Markup(re.sub(r"</(?=style)", r"<\\/", css.strip(), flags=re.IGNORECASE))  # noqa: S704 - escaped as described above


def _script(js: str) -> Markup:
    """
    Return a script as the content of a script element; `<` in its strings and patterns is escaped where it is dangerous.

    Source: HTML Standard, 4.12.1.3 "Restrictions for contents of script elements".
    """
    return Markup(re.sub(r"<(?=!--|/?script)", r"\\x3C", js.strip(), flags=re.IGNORECASE))  # noqa: S704 - escaped as described above


def _hashed(name: str, body: bytes) -> str:
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    stem, dot, suffix = name.rpartition(".")
    return f"assets/{stem}.{digest}{dot}{suffix}"
