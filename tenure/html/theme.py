"""Load a theme and render pages with its templates."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache, partial
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from tenure import __version__
from tenure.cache.up_to_date import list_used_files
from tenure.html.assets import Assets, collect_assets
from tenure.html.filters import build_template_filters
from tenure.html.head import HeadRenderer
from tenure.html.links import FinishedPage, UrlResolver
from tenure.html.policy import allow_scripts, format_policy_tag
from tenure.html.search_index import SEARCH_SCRIPT
from tenure.html.services import build_policy
from tenure.images.library import PictureLibrary
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.model.file_index import FileIndex
from tenure.model.languages import Language
from tenure.model.links import parse_url
from tenure.model.site import Site, ThemeColor
from tenure.plan.pages import MenuItem, Page, Plan
from tenure.plan.sections import Section
from tenure.plan.tags import map_tags_to_paths
from tenure.problems import Place, Problems, find_similar_word
from tenure.progress import ProgressCallback, ignore_progress
from tenure.record import Record


class Theme(Record):
    """The loaded theme of a site. It renders the pages."""

    site: Site
    environment: jinja2.Environment
    language_environments: dict[Language, jinja2.Environment]
    """The environments of pages in other languages than that of the site. Each is created on first use."""

    head: HeadRenderer
    urls: UrlResolver
    assets: Assets

    def render_pages(
        self, pages: Sequence[Page], problems: Problems, progress: ProgressCallback = ignore_progress
    ) -> list[FinishedPage | None]:
        """Render each page in order; None is a page with a template mistake. Reports mistakes in theme files of the site too."""
        finished = []
        for number, page in enumerate(pages):
            progress("rendering pages", number, len(pages))
            finished.append(self.render_page(page, problems))
        self.report_own_files(problems)
        return finished

    def render_page(self, page: Page, problems: Problems) -> FinishedPage | None:
        """Render a page. A template mistake is reported and gives None."""
        try:
            environment = self._environment_for_language(page.language)
            template = environment.get_template(_find_page_template(self.site, page))
            html = template.render(page=page)
        except (jinja2.TemplateError, *EXPRESSION_ERRORS) as error:
            self._report_error(error, problems)
            return None
        if BROKEN_FORMULA_CLASS in html:
            from tenure.html import template_errors

            template_errors.report_bad_formulas(html, page.source, problems)
        base_path = ""
        if page.path == "/404.html":
            base_path = parse_url(self.site.settings.url).path.rstrip("/") or "/"
        source = page.source if page.source.file else Place("site.yaml")
        return self.urls.finish_page(page.output_path, page.url_path, html, source, base_path)

    def icon_color(self) -> str:
        """Return the color of the theme's icon as six hexadecimal digits: that of its own frame, else of its palette or accent, else ""."""
        try:
            frame = self.environment.get_template("parts/frame.html")
            block = frame.blocks.get("icon_color")
            if block:
                return "".join(block(frame.new_context())).strip()
            theme = self.site.active_theme
            color = theme.palette or theme.options.get("accent")
            return color.light.removeprefix("#") if isinstance(color, ThemeColor) else ""
        except (jinja2.TemplateError, *EXPRESSION_ERRORS):
            return ""  # each page has the frame, and has reported the mistake

    def _environment_for_language(self, language: Language) -> jinja2.Environment:
        """Return the environment for pages in a language."""
        if language == self.site.settings.language:
            return self.environment
        if language not in self.language_environments:
            site = self.site.with_language(language)
            environment = self.environment.overlay()
            environment.filters = self.environment.filters | build_template_filters(site, self.head)
            environment.globals = self.environment.globals | {"t": site.active_theme.translations}
            self.language_environments[language] = environment
        return self.language_environments[language]

    def report_own_files(self, problems: Problems) -> None:
        """Report mistakes in the theme files of the site, also in files that no page uses."""
        folders = _own_folders(self.site.active_theme.folders)
        if not folders:
            return
        from tenure.html import theme_lint

        templates = [*theme_lint.read_theme_files(folders, "pa*/**/*.html")]
        for file in templates:
            try:
                template = self.environment.get_template(file.theme_path)
            except jinja2.TemplateSyntaxError as error:
                self._report_error(error, problems)
                continue
            problems.add_source(file.display_path, file.text)
            body = self.environment.parse(file.text).body
            blocks = [node.name for node in body if isinstance(node, jinja2.nodes.Block)]
            theme_lint.report_unknown_blocks(file, blocks, self._inherited_blocks(template), problems)
        packaged = {
            path.relative_to(folder).as_posix()
            for folder in self.site.active_theme.folders
            if folder not in folders
            for path in list_used_files(folder, "pa*/*.html")
        }
        own_lists = {name for name, listing in self.site.collections.items() if listing.kind == "items"}
        theme_lint.report_unused_templates(templates, packaged, own_lists, problems)
        allow = self.site.settings.allow
        hosts = (*allow.style, *allow.font, *(allow.image or ()))
        for file in theme_lint.read_theme_files(folders, "assets/**/*.css"):
            problems.add_source(file.display_path, file.text)
            theme_lint.report_style_sheet_errors(file, self.assets.source_paths, hosts, problems)

    def _inherited_blocks(self, template: jinja2.Template) -> Iterator[str]:
        """Yield the blocks of all templates that a template extends, directly or indirectly, by a fixed name."""
        visited: set[str | None] = set()
        while template.filename and template.name not in visited:
            visited.add(template.name)
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

    def _list_macros(self) -> Iterator[str]:
        for folder in self.site.active_theme.folders:
            for path in list_used_files(folder, "parts/*.html"):
                yield from re.findall(r"\{%[-+]?\s*macro\s+(\w+)", path.read_text(encoding="utf-8"))

    def _report_error(self, error: Exception, problems: Problems) -> None:
        """Report a template error as a problem at its line. An error outside of templates is a bug; it is raised again."""
        file, line = _locate_error(error)
        if isinstance(error, jinja2.TemplateSyntaxError):
            # Jinja gives the path of the file as the name if a comment or tag is never closed (jinja2.lexer.Failure).
            file, line = error.filename or error.name or "", error.lineno
        if not file and isinstance(error, jinja2.TemplateNotFound):
            place, hint = (
                Place(f"themes/{self.site.active_theme.name}"),
                "a theme has it in pages/, or extends one that has",
            )
            problems.report("template-missing", place, f'there is no template "{error.name}"', hint)
            return
        if not Path(file).is_file():
            raise error
        from tenure.html import template_errors

        name, text = _template_display_path(Path(file), self.site), Path(file).read_text(encoding="utf-8")
        problems.add_source(name, text)
        theme = self.site.active_theme
        keys = (*theme.options, *theme.translations)
        templates, filters = self.environment.list_templates(), self.environment.filters
        mistake = template_errors.explain_error(error, templates, filters, keys, self._list_macros())
        match = (
            re.search(re.escape(mistake.word), [*text.split("\n"), ""][line - 1]) if mistake.word else None
        )
        start, end = match.span() if match else (0, 1)
        place = Place(name, line, start + 1, end - start)
        problems.report(mistake.code, place, mistake.message, mistake.hint)


EXPRESSION_ERRORS = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
"""Exceptions that an expression in a template may raise."""


def _locate_error(error: Exception) -> tuple[str, int]:
    """Return the innermost template in the traceback, and the line."""
    frames = [(frame.filename, frame.lineno or 1) for frame in extract_tb(error.__traceback__)]
    return next((place for place in reversed(frames) if place[0].endswith(".html")), ("", 0))


def _template_display_path(path: Path, site: Site) -> str:
    """Return the path of a template for messages: "themes/classic/pages/home.html"."""
    for folder in site.active_theme.folders:
        if path.is_relative_to(folder):
            return f"themes/{folder.name}/{path.relative_to(folder).as_posix()}"
    return path.name


def _open_bytecode_cache(folders: tuple[Path, ...], cache_folder: Path) -> jinja2.BytecodeCache | None:
    """
    The compiled templates: beside the packaged themes if the site has no template of its own, else in its cache.

    None if neither folder can be written.
    """
    packaged = [folders[-1].parent / ".cache"] if not _own_folders(folders) else []
    for folder in (*packaged, cache_folder / "templates"):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                pattern = f"templates-{__version__}-{jinja2.__version__}-%s"
                return jinja2.FileSystemBytecodeCache(os.fspath(folder), pattern)
    return None


def load_theme(
    site: Site,
    plan: Plan,
    cache_folder: Path,
    pictures: PictureLibrary | None = None,
    kept: dict[object, object] | None = None,
) -> Theme:
    """
    Load the theme of a site.

    `cache_folder` is for compiled templates, `pictures` are those that pages may show, `kept` is for the entries of lists between the
    builds of a preview.
    """
    folders = site.active_theme.folders
    files = FileIndex(site.files | {document.path[1:] for document in plan.pdf_links}, plan.paths_by_source)
    assets = collect_assets(folders).move_file(SEARCH_SCRIPT, plan.folder)
    environment = _ThemeEnvironment(
        loader=_FolderLoader(folders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        bytecode_cache=_open_bytecode_cache(folders, cache_folder),
    )
    environment.filters = {name: environment.filters[name] for name in JINJA_FILTERS}
    environment.template_class = _PartTemplate
    templates = [
        path.read_text(encoding="utf-8", errors="replace")
        for folder in folders
        for path in list_used_files(folder, "pa*/**/*.html")
    ]
    policy = allow_scripts(build_policy(site.settings), templates, assets.inline_markup)
    head = HeadRenderer.for_site(site, format_policy_tag(policy))
    environment.filters |= build_template_filters(site, head) | _asset_filters(assets)
    environment.filters |= {
        "place_in_menu": partial(_find_place_in_menu, plan.menu),
        "crumbs": lambda page: _list_items_above(plan.menu, page) if page.entry else [],
        "part_template": partial(_find_part_template, site),
    }
    # Values that all pages share are globals, so that Jinja imports a part once and not for each page.
    environment.globals = {
        "site": site,
        "menu": plan.menu,
        "theme": site.active_theme.options,
        "t": site.active_theme.translations,
        "once": partial(_render_once, {}),
        "keep_entry": jinja2.pass_context(partial(_keep_entry, _open_kept_entries(site, kept))),
    }
    urls = UrlResolver(files, site.language_paths, pictures)
    return Theme(site, environment, {}, head, urls, assets)


def _find_page_template(site: Site, page: Page) -> str:
    """The template of a page: the site's own with the name of the list that the page shows, or that of its kind."""
    names = [section.name for section in page.sections if section.kind == "items"]
    is_list = page.kind == "page" and len(page.sections) == len(names) == 1
    own = f"pages/{names[0]}.html" if is_list else ""
    return own if own and _has_own_template(site, own) else f"pages/{page.kind}.html"


def _find_part_template(site: Site, section: Section) -> str:
    """The part that shows a section: the site's own for a list with its name, or that of its kind."""
    own = f"parts/{section.name}.html"
    is_own = section.kind == "items" and _has_own_template(site, own)
    return own if is_own else f"parts/{section.kind}.html"


def _has_own_template(site: Site, name: str) -> bool:
    """Whether the site has a template that no packaged theme has."""
    owners = [folder for folder in site.active_theme.folders if (folder / name).is_file()]
    return bool(owners) and owners == [
        folder for folder in _own_folders(site.active_theme.folders) if folder in owners
    ]


def _find_place_in_menu(menu: Sequence[MenuItem], page: Page) -> "MenuPlace":
    above = tuple(item.path for item in _list_items_above(menu, page))
    return MenuPlace(page.path if any(item.path == page.path for item in _list_items(menu)) else "", above)


def _list_items(menu: Sequence[MenuItem]) -> list[MenuItem]:
    return [item for item in menu if item.path] + [inner for item in menu for inner in item.items]


def _list_items_above(menu: Sequence[MenuItem], page: Page) -> list[MenuItem]:
    return [
        item
        for item in _list_items(menu)
        if item.path not in ("/", page.path) and page.path.startswith(item.path)
    ]


class MenuPlace(NamedTuple):
    """The path of the page if it is in the menu, else ""; and the paths in the menu that are above the page, without "/"."""

    current: str
    above: tuple[str, ...]


def _own_folders(folders: tuple[Path, ...]) -> list[Path]:
    return [folder for folder in folders if folder.parent != folders[-1].parent]


class _PartTemplate(jinja2.Template):
    """A part that also has the macros of the part that it overrides, so that a site's own part may define a single macro."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
    ) -> jinja2.environment.TemplateModule:
        """Return the macros of a template, and the macros of the overridden template that it does not define."""
        module = super().make_module(vars, shared, locals)
        fallback = self._next_template()
        if fallback is not None:
            for name, value in _exported_items(fallback.make_module(vars, shared, locals)):
                module.__dict__.setdefault(name, value)
        return module

    def _next_template(self) -> jinja2.Template | None:
        """Return the overridden template: the next one with the same name, from the package or a base theme."""
        loader = self.environment.loader
        index_text, _, template_name = (self.name or "").rpartition(":")
        if not isinstance(loader, _FolderLoader) or "parts/" not in template_name:
            return None
        index = int(index_text) + 1 if index_text.isdecimal() else 1
        return (
            self.environment.get_template(f"{index}:{template_name}")
            if index < len(loader.find_files(template_name))
            else None
        )


def _exported_items(module: jinja2.environment.TemplateModule) -> Iterator[tuple[str, Any]]:
    """Return the public names of a module with their values."""
    return ((name, value) for name, value in module.__dict__.items() if not name.startswith("_"))


class _FolderLoader(jinja2.BaseLoader):
    """
    Loads a template from the first theme folder that has it.

    "classic/pages/home.html" is the template of the theme classic or of its base themes. "2:pages/home.html" is the
    third template with that name.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.find_files = cache(self._find_files)
        """Returns every file with a template name, the one of the nearest folder first. Cached."""

    def _find_files(self, name: str) -> list[Path]:
        first, *inner_segments = segments = jinja2.loaders.split_template_path(name)
        theme_names = [folder.name for folder in self.folders]
        named_folders = (
            self.folders[theme_names.index(first) :] if inner_segments and first in theme_names else ()
        )
        candidates = [folder.joinpath(*segments) for folder in self.folders]
        return [
            path
            for path in (*candidates, *(folder.joinpath(*inner_segments) for folder in named_folders))
            if path.is_file()
        ]

    def find_file(self, name: str) -> Path | None:
        """Return the file of a template name, or None."""
        index_text, _, template_name = name.rpartition(":")
        files = self.find_files(template_name)
        index = int(index_text) if index_text.isdecimal() else 0
        return files[index] if index < len(files) else None

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, None]:
        """Return the text and the path of a template. Jinja calls this method."""
        del environment
        path = self.find_file(template)
        if path is None:
            raise jinja2.TemplateNotFound(template)
        return path.read_text(encoding="utf-8"), str(path), None

    def list_templates(self) -> list[str]:
        """Return the sorted names of all templates."""
        files = ((folder, path) for folder in self.folders for path in list_used_files(folder, "**/*.html"))
        return sorted({path.relative_to(folder).as_posix() for folder, path in files})


class _ThemeEnvironment(jinja2.Environment):
    """A Jinja environment in which a template that names itself gets the template that it overrides."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template. Jinja copies them for each page, which takes long for its ChainMap."""
        return {**self.globals, **(d or {})}

    def _parse(self, source: str, name: str | None, filename: str | None) -> jinja2.nodes.Template:
        """Parse a template; Jinja's parser calls itself for each bracket inside another one."""
        try:
            return super()._parse(source, name, filename)
        except RecursionError:
            lines = source.splitlines()
            line = max(range(len(lines)), key=lambda index: len(re.findall(r"[(\[{]", lines[index]))) + 1
            message = "too many brackets are inside each other"
            raise jinja2.TemplateSyntaxError(message, line, name, filename) from None

    def join_path(self, template: str, parent: str) -> str:
        """Return the full name of a template that `parent` extends or imports."""
        loader = self.loader
        if template.rpartition("/")[2] != parent.rpartition("/")[2] or not isinstance(loader, _FolderLoader):
            return template
        files, parent_file = loader.find_files(template), loader.find_file(parent)
        next_index = files.index(parent_file) + 1 if parent_file in files else 0
        return f"{next_index}:{template}" if 0 < next_index < len(files) else template


JINJA_FILTERS = (
    "capitalize", "default", "first", "groupby", "join", "last", "length", "list", "lower", "map",
    "reject", "rejectattr", "replace", "reverse", "select", "selectattr", "sort", "sum", "trim", "unique",
    "upper", "safe", "e", "escape", "d", "string", "int",
)  # fmt: skip
"""The filters of Jinja that a template may use. Each use of "safe" needs a comment with the reason."""


def _render_once(rendered: dict[tuple[object, ...], str], macro: Callable[..., str], *values: object) -> str:
    """
    Return the output of a macro for some values, which is rendered once in a build.

    The macro may depend on nothing else, and so must be imported without context to be the same on all pages.
    """
    return _call_macro(rendered, (macro, *values), macro, values)


def _call_macro(
    outputs: dict[Any, Any], key: object, macro: Callable[..., str], values: tuple[object, ...]
) -> str:
    """The output of a macro from `outputs`, where it is added if its key is missing."""
    try:
        output: str | None = outputs.get(key)
    except TypeError:  # a value that cannot be hashed
        return macro(*values)
    if output is None:
        output = outputs[key] = macro(*values)
    return output


MAX_KEPT_ENTRIES = 20_000
"""Maximum number of entries that a preview keeps."""


def _open_kept_entries(site: Site, kept: dict[object, object] | None) -> dict[object, object] | None:
    """The entries of the last build; none if what their macros read, besides their arguments, has changed."""
    if kept is None:
        return None
    theme, folders = site.active_theme, _own_folders(site.active_theme.folders)
    templates = [path.read_bytes() for folder in folders for path in list_used_files(folder, "**/*.html")]
    context = (
        *(site.settings, site.profile, site.files, site.people, site.language_paths),
        *(theme.folders, theme.options, theme.translations, map_tags_to_paths(site), templates),
    )
    if kept.get("context") != context or len(kept) > MAX_KEPT_ENTRIES:
        kept.clear()
        kept["context"] = context
    return kept


def _keep_entry(
    kept: dict[object, object] | None,
    context: jinja2.runtime.Context,
    macro: jinja2.runtime.Macro,
    *values: object,
) -> object:
    """Return the output of a macro for an entry of a list, in a preview that of the last build if the entry is the same."""
    if kept is None:
        return macro(*values)
    page = context.resolve("page")
    key = (context.name, macro.name, page.kind, page.language, values)
    return _call_macro(kept, key, macro, values)


def _asset_filters(assets: Assets) -> dict[str, Callable[..., str]]:
    """Return the filters "asset" and "inline_asset". They take the context, so that Jinja does not constant-fold them into bytecode."""
    return {
        "asset": jinja2.pass_context(partial(_asset, assets)),
        "inline_asset": jinja2.pass_context(partial(_inline_asset, assets)),
    }


def _asset(assets: Assets, context: object, name: str | list[str]) -> str:
    """Return the URL of an asset, or of one file of several style sheets. An unknown name raises UndefinedError."""
    if not isinstance(name, str):
        urls = [_asset(assets, context, each) for each in name]
        return urls[0] if len(urls) == 1 else "/" + assets.join_stylesheets(name).path
    if name not in assets.output_paths:
        similar = find_similar_word(name, assets.output_paths)
        raise jinja2.UndefinedError(
            f"the theme has no asset “{name}”" + (f"; did you mean “{similar}”?" if similar else "")
        )
    return "/" + assets.output_paths[name]


def _inline_asset(assets: Assets, context: object, name: str) -> Markup:
    """Return the text of a style sheet or a script for its element. Other assets raise UndefinedError."""
    _asset(assets, context, name)
    if name not in assets.inline_markup:
        raise jinja2.UndefinedError(
            f"“{name}” is neither a style sheet nor a script; write its address: {{{{ {name!r}|asset }}}}"
        )
    return assets.inline_markup[name]
