"""The assets of a theme: files named by the digest of their content, or inline markup."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from pathlib import Path

from markupsafe import Markup

from tenure.html.urls import FinishedPage
from tenure.problems import Place, find_similar_word
from tenure.publish import Artifact
from tenure.source_paths import list_used_files


class UnknownAssetError(LookupError):
    """A template names an asset that the theme does not have, or that cannot be in a page."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Assets:
    """
    The files in the assets/ folders of a theme, by the name that templates use.

    `output_paths` are their paths in the output, `sources` their places in themes, `stylesheets` the texts of
    the style sheets with what they import, `scripts` those ready to be embedded in a page. The file of
    several style sheets is `joined` for the first page that names them; compressed, it is a third smaller.
    """

    def __init__(
        self,
        files: tuple[Artifact, ...],
        output_paths: Mapping[str, str],
        sources: Mapping[str, Place],
        stylesheets: Mapping[str, str],
        scripts: Mapping[str, Markup],
    ) -> None:
        self.files = files
        self.output_paths = output_paths
        self.sources = sources
        self.stylesheets = stylesheets
        self.scripts = scripts
        self.joined: dict[tuple[str, ...], Artifact] = {}

    def locate(self, name: str | Sequence[str]) -> str:
        """
        The URL of a file, or of one file of several style sheets; raises UnknownAssetError.

        "style.css" -> "/assets/style.0123456789.css"; the name of a file has the digest of its text.
        ["style.css", "talks.css"] -> "/assets/style.9876543210.css", in which one text follows the other.
        """
        names = (name,) if isinstance(name, str) else tuple(name)
        for unknown in names:
            if unknown not in self.output_paths:
                similar = find_similar_word(unknown, self.output_paths)
                suggestion = f"; did you mean “{similar}”?" if similar else ""
                raise UnknownAssetError(f"the theme has no asset “{unknown}”{suggestion}")
        if len(names) == 1:
            return f"/{self.output_paths[names[0]]}"

        for other in names:
            if other not in self.stylesheets:
                # a font, a script, or the site's own style sheet
                repair = f"write its address alone: {{{{ {other!r}|asset }}}}"
                raise UnknownAssetError(f"“{other}” is no style sheet of the theme; {repair}")

        if names not in self.joined:
            texts = (_write_stylesheet(each, self.stylesheets[each], self.output_paths, "") for each in names)
            body = "".join(texts).encode()
            self.joined[names] = Artifact(_path_with_digest("style.css", body), body, self.sources[names[0]])
        return f"/{self.joined[names].path}"

    def embed(self, name: str) -> Markup:
        """The text of a style sheet or a script for its element; raises UnknownAssetError."""
        self.locate(name)
        if name in self.stylesheets:
            css = _write_stylesheet(name, self.stylesheets[name], self.output_paths, "/assets/")
            # Only "</style" ends the element, and "<\\/" means the same in CSS (HTML Standard, 13.1.2.6);
            # character references are not decoded in it.
            return Markup(re.sub(r"</(?=style)", r"<\\/", css.strip(), flags=re.IGNORECASE))
        if name not in self.scripts:
            repair = f"write its address: {{{{ {name!r}|asset }}}}"
            raise UnknownAssetError(f"“{name}” is neither a style sheet nor a script; {repair}")
        return self.scripts[name]

    def move_file(self, name: str, folder: str) -> None:
        """
        Give a file another URL, in a folder of the output; the caller must write the file there.

        "search.js", "de/" -> "/de/assets/search.0123456789.js", where `build_search_files` writes it: the
        script finds the texts of its language beside itself. Unchanged for the folder "".
        """
        if name in self.output_paths:
            self.output_paths = {**self.output_paths, name: f"{folder}{self.output_paths[name]}"}

    def referenced_files(self, pages: Iterable[FinishedPage]) -> list[Artifact]:
        """The files that a page or a style sheet of a page names, and not those only embedded in pages."""
        linked_names = {url.rpartition("/")[2] for page in pages for url in page.links}
        # two orders of style sheets may have one text
        files = [*{file.path: file for file in self.joined.values()}.values(), *self.files]
        names = {file.path: Path(file.path).name for file in files}

        # a font is named by a style sheet alone
        shown = [file for file in files if names[file.path] in linked_names]
        css = "\n".join(file.read().decode() for file in shown if file.path.endswith(".css"))
        return [file for file in files if names[file.path] in linked_names or names[file.path] in css]


OWN_STYLE_SHEET = "content/style.css"
"""The name in templates of the style sheet that a site has beside its texts."""


_CSS_COMMENT = re.compile(r"^[ \t]*/\*(?!!).*?\*/\s*", re.MULTILINE | re.DOTALL)
"""A comment at the start of a line; `/*!` starts one that is published, as a licence needs."""


def collect_assets(folders: tuple[Path, ...], own_css: str = "") -> Assets:
    """
    Read the assets in these folders, nearest first; URLs in style sheets get the digests too.

    `own_css` is the style sheet in content/ of the site.
    """
    paths = _find_files(folders)
    sources = {name: _find_place(name, path) for name, path in paths.items()}
    bodies = {name: path.read_bytes() for name, path in paths.items()}
    output_paths = {
        name: _path_with_digest(name, body) for name, body in bodies.items() if not name.endswith(".css")
    }

    # the digest of a style sheet depends on the names of the files in it
    stylesheets = {}
    for name in [name for name in bodies if name.endswith(".css")]:
        folder = next(folder for folder in folders if paths[name].is_relative_to(folder))
        stylesheets[name] = _CSS_COMMENT.sub("", _insert_imports(bodies[name].decode(), folder, folders))
        css = _write_stylesheet(name, stylesheets[name], output_paths, "../" * name.count("/"))
        bodies[name] = css.encode()
        output_paths[name] = _path_with_digest(name, bodies[name])

    files = tuple(Artifact(output_paths[name], body, sources[name]) for name, body in sorted(bodies.items()))
    if own_css:
        body = _move_stylesheet(own_css).encode()
        output_paths[OWN_STYLE_SHEET] = _path_with_digest("style.css", body)
        files += (Artifact(output_paths[OWN_STYLE_SHEET], body, Place(OWN_STYLE_SHEET)),)

    scripts = {name: _inline_script(body.decode()) for name, body in bodies.items() if name.endswith(".js")}
    return Assets(files, output_paths, sources, stylesheets, scripts)


def _find_files(folders: Iterable[Path]) -> dict[str, Path]:
    """The assets by their names; the nearest folder goes first. Licences (.txt) are not published."""
    paths: dict[str, Path] = {}
    for folder in folders:
        base = folder / "assets"
        for path in list_used_files(base, "**/*"):
            if path.suffix != ".txt":
                paths.setdefault(path.relative_to(base).as_posix(), path)
    return paths


def _find_place(name: str, path: Path) -> Place:
    """The place of an asset in its theme: "fonts/lora.woff2" -> themes/base/assets/fonts/lora.woff2."""
    theme = path.parents[name.count("/") + 1]
    return Place(f"themes/{theme.name}/assets/{name}")


_CSS_IMPORT = re.compile(r'@import "([\w-]+)/([^"]+)";\n?')
"""@import "base/parts.css"; -> the theme and the file."""


def _insert_imports(css: str, folder: Path, folders: tuple[Path, ...]) -> str:
    """Replace `@import "base/style.css";` by this file of base, or of the next theme that has it."""
    next_folders = folders[folders.index(folder) + 1 :]

    def read_stylesheet(match: re.Match[str]) -> str:
        # "base" is one of the next folders; from it on, the first that has the file
        for candidate in dropwhile(lambda path: path.name != match[1], next_folders):
            if (path := candidate / "assets" / match[2]).is_file():
                return _insert_imports(path.read_text(encoding="utf-8"), candidate, folders)
        return match[0]

    return _CSS_IMPORT.sub(read_stylesheet, css)


_CSS_RELATIVE_URL = re.compile(
    r"""
    (?P<start> url\(\s*["']? | @import\s+["'])   # url("
    (?! [a-z][a-z0-9+.-]*: | // | \# )            # no data:image/png, //example.org/x.png, #gradient
    (?P<url> [^"')\s]+)                           # images/sky.png
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A file of the site in its own style sheet."""


def _move_stylesheet(css: str) -> str:
    """
    The style sheet in content/ as it is published in assets/: its URLs are those of files in content/.

    url("images/sky.png") -> url("../images/sky.png")
    """
    return _CSS_RELATIVE_URL.sub(lambda match: f"{match['start']}../{match['url'].lstrip('/')}", css)


_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")
"""url("fonts/folio.woff2")."""


def _write_stylesheet(name: str, css: str, paths: Mapping[str, str], prefix: str) -> str:
    """A style sheet with the URLs of files in the output, after a prefix that leads to the folder assets/."""

    def rewrite_url(match: re.Match[str]) -> str:
        # url(fonts/folio.woff2) -> url("fonts/folio.0123456789.woff2"); url(#shadow) is no file, and stays
        path = paths.get((Path(name).parent / match[1]).as_posix())
        if path is None:
            return match[0]
        return f'url("{prefix}{path.removeprefix("assets/")}")'

    return _CSS_URL.sub(rewrite_url, css)


def _inline_script(js: str) -> Markup:
    """
    A script as the content of a script element, without a `<` that would end or open one.

    Source: HTML Standard, 4.12.1.3 "Restrictions for contents of script elements".
    """
    return Markup(re.sub(r"<(?=!--|/?script)", r"\\x3C", js.strip(), flags=re.IGNORECASE))


def _path_with_digest(name: str, body: bytes) -> str:
    """The path of an asset in the output: "fonts/folio.woff2" -> "assets/fonts/folio.0123456789.woff2"."""
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    stem, dot, suffix = name.rpartition(".")
    return f"assets/{stem}.{digest}{dot}{suffix}"
