"""Load a theme and render pages with its templates."""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import jinja2
from jinja2.bccache import Bucket
from markupsafe import Markup

from tenure import __version__
from tenure.formulas import BROKEN_FORMULA
from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.model.files import Files
from tenure.model.languages import Language
from tenure.model.site import Site
from tenure.model.words import Words
from tenure.problems import Place, Problems, did_you_mean
from tenure.web.assets import Assets, assets_of
from tenure.web.filters import filters
from tenure.web.finish import Finish, Finished, tidy
from tenure.web.head import Head
from tenure.web.pages import Page, Plan
from tenure.web.pieces import Pieces
from tenure.web.sameness import Sameness
from tenure.web.services import policy_of
from tenure.web.watched import Watched

if TYPE_CHECKING:
    from tenure.web.faults import Fault, Source


@dataclass(frozen=True, slots=True)
class Theme:
    """The loaded theme of a site. It renders the pages."""

    site: Site
    environment: jinja2.Environment
    spoken: dict[Language, jinja2.Environment]
    """The environments of pages in other languages than that of the site. Each is created on first use."""

    head: Head
    files: Files
    assets: Assets
    memo: Memo
    watched: Watched
    same: Sameness
    pieces: Pieces

    def render(self, page: Page, problems: Problems) -> Finished | None:
        """Render a page. A template mistake is reported and gives None."""
        try:
            template = self._speaking(page.language).get_template(f"pages/{page.kind}.html")
            made = template.render(page=page)
        except (jinja2.TemplateError, *FAILURES) as error:
            self._tell(error, problems)
            return None
        if BROKEN_FORMULA in made:
            from tenure.web import faults  # noqa: PLC0415 - needed only for a formula that cannot be read

            faults.tell_formulas(made, page.source, problems)
        base = urlsplit(self.site.settings.url).path.rstrip("/") or "/" if page.path == "/404.html" else ""
        finish = Finish(page.path, self.files, base, policy_of(self.site.settings))
        return finish.page_html(page.file, tidy(made), page.source or "site.yaml")

    def colour(self) -> str:
        """Return the color of the theme's icon as six hexadecimal digits, or "" if the theme does not define one."""
        frame = self.environment.get_template("parts/frame.html")
        block = frame.blocks.get("icon_color")
        return "".join(block(frame.new_context())).strip() if block else ""

    def _speaking(self, language: Language) -> jinja2.Environment:
        """Return the environment for pages in a language."""
        if language == self.site.settings.language:
            return self.environment
        if language not in self.spoken:
            site = self.site.in_language(language)
            environment = self.environment.overlay()
            environment.filters = self.environment.filters | filters(site, self.head, self.watched.looked.add)
            environment.globals = self.environment.globals | {"t": site.look.words}
            self.spoken[language] = environment
        return self.spoken[language]

    def report_own_files(self, problems: Problems) -> None:
        """Report mistakes in the theme files of the site, also in files that no page uses."""
        folders = _own(self.site.look.folders)
        if not folders:
            return
        from tenure.web import theme_files  # noqa: PLC0415 - only for a site with theme files of its own

        templates = [*theme_files.own_files(folders, "pa*/**/*.html")]
        for file in templates:
            try:
                template = self.environment.get_template(file.path)
            except jinja2.TemplateSyntaxError as error:
                self._tell(error, problems)
                continue
            problems.know(file.name, file.text)
            theme_files.report_blocks(file, self._blocks_behind(template), problems)
        packaged = {
            path.relative_to(folder).as_posix()
            for folder in self.site.look.folders
            if folder not in folders
            for path in folder.glob("pa*/*.html")
        }
        theme_files.report_unused_templates(templates, packaged, self.site.collections, problems)
        allow = self.site.settings.allow
        hosts = (*allow.style, *allow.font, *(allow.image or ()))
        for file in theme_files.own_files(folders, "assets/**/*.css"):
            problems.know(file.name, file.text)
            theme_files.report_style_sheet(file, self.assets.sources, hosts, problems)

    def _blocks_behind(self, template: jinja2.Template) -> Iterator[str]:
        """Yield the blocks of all templates that a template extends, directly or indirectly, by a fixed name."""
        seen: set[str | None] = set()
        while template.filename and template.name not in seen:
            seen.add(template.name)
            text = Path(template.filename).read_text(encoding="utf-8")
            parent = re.search(r"\{%[-+]?\s*extends\s+[\"']([^\"']+)[\"']", text)
            if parent is None:
                return
            try:
                template = self.environment.get_template(
                    self.environment.join_path(parent[1], template.name or "")
                )
            except jinja2.TemplateError:
                return
            yield from template.blocks

    def _tell(self, error: Exception, problems: Problems) -> None:
        """Report a template error as a problem at its line. An error outside of templates is a bug; it is raised again."""
        file, number, inside = _met(error)
        if isinstance(error, jinja2.TemplateSyntaxError):
            file, number = error.filename or "", error.lineno
        if not file and isinstance(error, jinja2.TemplateNotFound):
            place, hint = (
                Place(f"themes/{self.site.look.name}"),
                "a theme has it in pages/, or extends one that has",
            )
            problems.tell("template-missing", place, f'there is no template "{error.name}"', hint)
            return
        if not Path(file).is_file():
            raise error
        from tenure.web import faults  # noqa: PLC0415 - needed only for a template mistake

        source = faults.Source(Path(file).read_text(encoding="utf-8"), number)
        name = _named(Path(file), self.site)
        problems.know(name, source.text)
        code, fault = self._fault(error, source, inside)
        problems.tell(code, Place(name, fault.line, fault.column, fault.length), fault.message, fault.hint)

    def _fault(self, error: Exception, source: "Source", inside: str) -> "tuple[str, Fault]":
        from tenure.web import faults  # noqa: PLC0415 - as above

        filters = self.environment.filters
        message = str(error.message) if isinstance(error, jinja2.TemplateError) else ""
        if isinstance(error, jinja2.TemplateSyntaxError) or message.startswith("No filter named"):
            return "template-syntax", faults.syntax(source, message, filters)
        if isinstance(error, jinja2.TemplateNotFound) and not isinstance(error, jinja2.TemplatesNotFound):
            known = [name for name in self.environment.list_templates() if name.endswith(".html")]
            return "template-missing", faults.missing(source, str(error.name), known)
        if isinstance(error, jinja2.TemplateError):
            parts: dict[str, str] = {}
            for path in self._parts():
                parts[path.stem] = parts.get(path.stem, "") + path.read_text(encoding="utf-8")
            return "template-name", faults.undefined(source, message, self._fields, parts)
        return "template-name", faults.failed(source, error, filters, inside)

    def _parts(self) -> Iterator[Path]:
        """Yield the files in parts/ of the base themes first and of the theme itself last."""
        for folder in reversed(self.site.look.folders):
            yield from (folder / "parts").glob("*.html")

    def _fields(self, kind: str) -> Iterable[str]:
        """Return the fields of an object by the type name in Jinja's message, or the keys of `theme` or `t`."""
        known = {"theme": self.site.look.options, "t": self.site.look.words}
        if kind in known:
            return known[kind]
        if kind.endswith(".Watched"):
            kind = f"{Site.__module__}.{Site.__name__}"
        module, _, name = kind.rpartition(".")
        found = getattr(sys.modules.get(module), name, None)
        if found is Words:
            return self.site.look.words
        if not isinstance(found, type) or not is_dataclass(found):
            return ()
        own = [field.name for field in fields(found)]
        named = [name for name in dir(found) if isinstance(getattr(found, name, None), property)]
        return dict.fromkeys((*sorted(own, key=found.__annotations__.__contains__, reverse=True), *named))


FAILURES = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
"""Exceptions that an expression in a template may raise."""


def _met(error: Exception) -> tuple[str, int, str]:
    """Return the innermost template in the traceback, the line, and the name of the filter that it called."""
    file, number, inside = "", 0, ""
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.endswith(".html"):
            file, number, inside = name, trace.tb_lineno, ""
        elif file and not inside:
            inside = trace.tb_frame.f_code.co_name.lstrip("_").removeprefix("do_")
        trace = trace.tb_next
    return file, number, inside


def _named(path: Path, site: Site) -> str:
    """Return the path of a template for messages: "themes/classic/pages/home.html"."""
    for folder in site.look.folders:
        if path.is_relative_to(folder):
            return f"themes/{folder.name}/{path.relative_to(folder).as_posix()}"
    return path.name


class _Compiled(jinja2.BytecodeCache):
    """Stores compiled templates by the digest of their text."""

    def __init__(self, memo: Memo) -> None:
        self.memo = memo

    def load_bytecode(self, bucket: Bucket) -> None:
        kept = self.memo.get(f"{bucket.key}{bucket.checksum}")
        if kept is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.memo.put(f"{bucket.key}{bucket.checksum}", bucket.bytecode_to_string())


def _compiled(folders: tuple[Path, ...], cache: Path) -> Memo:
    """
    Open the store of compiled templates.

    It is in the folder of the packaged themes if all theme folders are packaged and it is writable, else in the
    cache of the site.
    """
    names = "\0".join((__version__, sys.version, jinja2.__version__, *map(str, folders)))
    digest = hashlib.blake2b(names.encode(), digest_size=6).hexdigest()
    shared = {folder.parent for folder in folders}
    place = next(iter(shared)) / ".cache" if len(shared) == 1 else cache
    if not os.access(place.parent, os.W_OK):
        place = cache
    return Memo(place / f"templates-{digest}")


def load_theme(site: Site, plan: Plan, cache: Path, kept: Memo) -> Theme:
    """Load the theme of a site. `cache_folder` is for compiled templates, `page_store` for rendered fragments."""
    memo = _compiled(site.look.folders, cache)
    files = Files(site.files | {document.path[1:] for document in plan.documents}, plan.texts)
    assets = assets_of(site.look.folders)
    environment = _Environment(
        loader=_Folders(site.look.folders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        bytecode_cache=_Compiled(memo),
    )
    environment.filters = {name: environment.filters[name] for name in OF_JINJA}
    watched = Watched(site)
    environment.template_class = _Template
    head = Head.of(site)
    environment.filters |= filters(site, head, watched.looked.add) | _of_assets(assets)
    # Values that all pages share are globals, so that Jinja imports a part once and not for each page.
    environment.globals = {
        "site": watched,
        "menu": plan.menu,
        "theme": site.look.options,
        "t": site.look.words,
    }
    shared = (
        plan.menu,
        site.look,
        sorted(assets.paths.items()),
        head.everywhere,
        sorted(head.downloads.chosen),
    )
    identity = repr((shared, _own_templates(site.look.folders)))
    same = Sameness(site, hashlib.blake2b(identity.encode()).digest(), kept.recall)
    pieces = Pieces(same, watched, kept)
    environment.globals["kept"] = jinja2.pass_context(partial(_kept, pieces))
    return Theme(site, environment, {}, head, files, assets, memo, watched, same, pieces)


def _own_templates(folders: tuple[Path, ...]) -> list[tuple[str, bytes]]:
    """Return the path and the content of each template of the site. Packaged templates depend only on the version."""
    files = sorted(path for folder in _own(folders) for path in folder.rglob("*.html"))
    return [(path.as_posix(), path.read_bytes()) for path in files]


def _own(folders: tuple[Path, ...]) -> list[Path]:
    return [folder for folder in folders if folder.parent != folders[-1].parent]


class _Template(jinja2.Template):
    """
    A template that records which attributes of the site it reads while it is imported.

    A part also has the macros of the part that it overrides, so that a site's own part may define a single macro.
    """

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
    ) -> jinja2.environment.TemplateModule:
        """Return the macros of a template, and the macros of the overridden template that it does not define."""
        module = super().make_module(vars, shared, locals)
        behind = self._behind()
        if behind is not None:
            for name, value in _exports_of(behind.make_module(vars, shared, locals)):
                module.__dict__.setdefault(name, value)
        return module

    def _behind(self) -> jinja2.Template | None:
        """Return the overridden template: the next one with the same name, from the package or a base theme."""
        folders = self.environment.loader
        nearer, _, bare = (self.name or "").rpartition(":")
        if not isinstance(folders, _Folders) or "parts/" not in bare:
            return None
        number = int(nearer) + 1 if nearer.isdecimal() else 1
        return (
            self.environment.get_template(f"{number}:{bare}") if number < len(folders.found(bare)) else None
        )

    def _get_default_module(
        self, ctx: jinja2.runtime.Context | None = None
    ) -> jinja2.environment.TemplateModule:
        watched = self.globals["site"]
        if self._module is None and isinstance(watched, Watched):
            before = set(watched.looked)
            watched.looked.clear()
            made = super()._get_default_module(ctx)
            watched.always.update(watched.looked)
            watched.looked.update(before)
            return made
        return super()._get_default_module(ctx)


def _exports_of(module: jinja2.environment.TemplateModule) -> Iterator[tuple[str, Any]]:
    """Return the public names of a module with their values."""
    return ((name, value) for name, value in module.__dict__.items() if not name.startswith("_"))


class _Folders(jinja2.BaseLoader):
    """
    Loads a template from the first theme folder that has it.

    "classic/pages/home.html" is the template of the theme classic or of its base themes. "2:pages/home.html" is the
    third template with that name.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.found = cache(self._found)
        """Returns every file with a template name, the one of the nearest folder first. Cached."""

    def _found(self, name: str) -> list[Path]:
        first, *rest = pieces = jinja2.loaders.split_template_path(name)
        themes = [folder.name for folder in self.folders]
        named = self.folders[themes.index(first) :] if rest and first in themes else ()
        wanted = [folder.joinpath(*pieces) for folder in self.folders]
        return [path for path in (*wanted, *(folder.joinpath(*rest) for folder in named)) if path.is_file()]

    def file(self, name: str) -> Path | None:
        """Return the file of a template name, or None."""
        nearer, _, bare = name.rpartition(":")
        found = self.found(bare)
        number = int(nearer) if nearer.isdecimal() else 0
        return found[number] if number < len(found) else None

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, None]:
        """Return the text and the path of a template. Jinja calls this method."""
        del environment
        path = self.file(template)
        if path is None:
            raise jinja2.TemplateNotFound(template)
        return path.read_text(encoding="utf-8"), str(path), None

    def list_templates(self) -> list[str]:
        """Return the sorted names of all templates."""
        found = ((folder, path) for folder in self.folders for path in folder.rglob("*.html"))
        return sorted({path.relative_to(folder).as_posix() for folder, path in found})


class _Environment(jinja2.Environment):
    """A Jinja environment in which a template that names itself gets the template that it overrides."""

    def join_path(self, template: str, parent: str) -> str:
        """Return the full name of a template that `parent` extends or imports."""
        folders = self.loader
        if template.rpartition("/")[2] != parent.rpartition("/")[2] or not isinstance(folders, _Folders):
            return template
        found, own = folders.found(template), folders.file(parent)
        behind = found.index(own) + 1 if own in found else 0
        return f"{behind}:{template}" if 0 < behind < len(found) else template


OF_JINJA = [
    "capitalize",
    "default",
    "first",
    "groupby",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "select",
    "selectattr",
    "sort",
    "sum",
    "trim",
    "unique",
    "upper",
    "safe",
    "e",
    "escape",
    "d",
    "string",
    "int",
]
"""The filters of Jinja that a template may use. Each use of "safe" needs a comment with the reason."""


def _kept(
    pieces: Pieces, surroundings: jinja2.runtime.Context, macro: jinja2.runtime.Macro, *values: object
) -> Markup:
    """Return the cached output of a macro. The macro may read only the kind and the language of the page."""
    page = surroundings.resolve("page")
    return pieces.kept((surroundings.name, macro.name, page.kind, page.language), macro, *values)


def _of_assets(assets: Assets) -> dict[str, Callable[..., str]]:
    """Return the filters "asset" and "embedded". They take the context, so that Jinja does not constant-fold them into bytecode."""
    return {
        "asset": jinja2.pass_context(partial(_asset, assets)),
        "embedded": jinja2.pass_context(partial(_embedded, assets)),
    }


def _asset(assets: Assets, _: object, name: str) -> str:
    """Return the URL of an asset. An unknown name raises UndefinedError."""
    if name not in assets.paths:
        near = did_you_mean(name, assets.paths)
        raise jinja2.UndefinedError(
            f"the theme has no asset “{name}”" + (f"; did you mean “{near}”?" if near else "")
        )
    return "/" + assets.paths[name]


def _embedded(assets: Assets, surroundings: object, name: str) -> Markup:
    """Return the text of a style sheet or a script for its element. Other assets raise UndefinedError."""
    _asset(assets, surroundings, name)
    if name not in assets.within:
        raise jinja2.UndefinedError(
            f"“{name}” is neither a style sheet nor a script; write its address: {{{{ {name!r}|asset }}}}"
        )
    return assets.within[name]
