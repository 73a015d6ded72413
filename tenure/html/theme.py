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

from tenure import __version__
from tenure.cache.store import CacheStore
from tenure.html.assets import Assets, collect_assets
from tenure.html.external_services import build_policy
from tenure.html.filters import build_template_filters
from tenure.html.head import HeadRenderer
from tenure.html.kept_pages import KeptPages
from tenure.html.policy import PolicySources, allow_scripts, format_policy_tag
from tenure.html.search_index import SEARCH_SCRIPT
from tenure.html.template_inputs import TemplateInputs
from tenure.html.urls import FinishedPage, UrlResolver
from tenure.images.library import PictureLibrary
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.model.files import FileIndex
from tenure.model.languages import Language
from tenure.model.links import parse_url
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Site, ThemeColor
from tenure.plan.pages import MenuItem, Page, Plan
from tenure.problems import Place, Problems
from tenure.progress import ProgressCallback
from tenure.record import replace
from tenure.source_paths import list_used_files

JINJA_FILTERS = (
    "capitalize", "default", "first", "groupby", "join", "last", "length", "list", "lower", "map",
    "reject", "rejectattr", "replace", "reverse", "select", "selectattr", "sort", "sum", "trim", "unique",
    "upper", "safe", "e", "escape", "d", "string", "int", "xmlattr",
)  # fmt: skip
"""The filters of Jinja that a template may use. Each use of "safe" needs a comment with the reason."""

EXPRESSION_ERRORS = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
"""Exceptions that an expression in a template may raise."""


class Theme:
    """
    The loaded theme of a site, which renders the pages; `policy` is that of each page.

    A page in another language than the site has an environment of its own, which is made on first use.
    """

    def __init__(
        self,
        inputs: TemplateInputs,
        environment: jinja2.Environment,
        head: HeadRenderer,
        urls: UrlResolver,
        assets: Assets,
        policy: PolicySources,
        kept_pages: KeptPages | None,
    ) -> None:
        self.inputs = inputs
        self.site = inputs.site
        self.environment = environment
        self.head = head
        self.urls = urls
        self.assets = assets
        self.policy = policy
        self.kept_pages = kept_pages
        self._language_environments: dict[Language, jinja2.Environment] = {}
        self.load_part = cache(lambda part, page: environment.get_template(part).make_module({"page": page}))
        """Returns the macros of a part, as a page imports it."""

    def render_pages(
        self, pages: Sequence[Page], problems: Problems, progress: ProgressCallback
    ) -> list[FinishedPage | None]:
        """
        Render each page in order; None is one with a template mistake. Reports those in all theme files.
        """
        finished = []
        for number, page in enumerate(pages):
            progress("rendering pages", number, len(pages))
            finished.append(self.render_page(page, problems))

        own_folders = _list_own_folders(self.site)
        if own_folders or self.site.active_theme.style_sheet:
            self._report_own_files(own_folders, problems)
        return finished

    def render_page(self, page: Page, problems: Problems) -> FinishedPage | None:
        """Render a page, or find one that is kept. A template mistake is reported and gives None."""
        kept = self.kept_pages
        entry = kept.strip_entry(page, page.entry) if kept else None
        if kept and entry:
            return kept.finish_page(replace(page, entry=entry), problems)

        # a page with nothing but one list of the site's own may have the template of this list
        names = [section.name for section in page.sections if section.kind == "items"]
        is_list = page.kind == "page" and len(page.sections) == len(names) == 1
        try:
            environment = self._environment_for_language(page.language)
            name = _find_template(self.site, "pages", page.kind, names[0] if is_list else "")
            # no template knows where its page is written
            html = environment.get_template(name).render(page=replace(page, source=UNKNOWN_PLACE))
        except (jinja2.TemplateError, *EXPRESSION_ERRORS) as error:
            self._report_error(error, problems)
            return None

        if BROKEN_FORMULA_CLASS in html:
            from tenure.html import template_errors

            template_errors.report_bad_formulas(html, page.source, problems)

        # a host shows it at any URL, so that no relative URL leads from it
        base_path = ""
        if page.path == "/404.html":
            base_path = parse_url(self.site.settings.url).path.rstrip("/") or "/"
        source = page.source if page.source.file else Place("site.yaml")
        return self.urls.finish_page(page.output_path, page.url_path, html, source, base_path)

    def icon_color(self) -> str:
        """The color of the theme's icon, "1b6e3c": that of its frame, else of palette or accent, or ""."""
        try:
            frame = self.environment.get_template("parts/frame.html")
            block = frame.blocks.get("icon_color")
            if block:
                return "".join(block(frame.new_context())).strip()
        except (jinja2.TemplateError, *EXPRESSION_ERRORS):
            # each page has the frame, and has reported the mistake
            return ""
        theme = self.site.active_theme
        color = theme.palette or theme.options.get("accent")
        return color.light.removeprefix("#") if isinstance(color, ThemeColor) else ""

    def _environment_for_language(self, language: Language) -> jinja2.Environment:
        """Return the environment for pages in a language."""
        if language == self.site.settings.language:
            return self.environment
        if language not in self._language_environments:
            site = self.site.with_language(language)
            environment = self.environment.overlay()
            filters = build_template_filters(replace(self.inputs, site=site), self.head)
            environment.filters = self.environment.filters | filters
            environment.globals = self.environment.globals | {"t": site.active_theme.translations}
            self._language_environments[language] = environment
        return self._language_environments[language]

    def _report_own_files(self, own_folders: Sequence[Path], problems: Problems) -> None:
        """Report mistakes in the theme files of the site, also in files that no page uses."""
        from tenure.html import template_errors

        for file in template_errors.read_theme_files(own_folders, "pa*/**/*.html"):
            try:
                template = self.environment.get_template(file.theme_path)
            except jinja2.TemplateSyntaxError as error:
                self._report_error(error, problems)
                continue
            problems.add_source(file.display_path, file.text)
            body = self.environment.parse(file.text).body
            blocks = [node.name for node in body if isinstance(node, jinja2.nodes.Block)]
            template_errors.report_unknown_blocks(file, blocks, {*self._inherited_blocks(template)}, problems)
        template_errors.report_foreign_files(self.site, own_folders, problems)

    def _inherited_blocks(self, template: jinja2.Template) -> Iterator[str]:
        """The blocks of all templates that a template extends, directly or indirectly, by a fixed name."""
        visited: set[str | None] = set()
        while template.filename and template.name not in visited:
            visited.add(template.name)
            text = Path(template.filename).read_text(encoding="utf-8")
            # {% extends "base.html" %}
            parent = re.search(r"\{%[-+]?\s*extends\s+[\"']([^\"']+)[\"']", text)
            if parent is None:
                return

            try:
                name = self.environment.join_path(parent[1], template.name or "")
                template = self.environment.get_template(name)
            except jinja2.TemplateError:
                return
            yield from template.blocks

    def _report_error(self, error: Exception, problems: Problems) -> None:
        """Report a template error at its line. An error outside of templates is a bug; it is raised again."""
        # the innermost template of the traceback
        frames = [(frame.filename, frame.lineno or 1) for frame in extract_tb(error.__traceback__)]
        file, line = next((place for place in reversed(frames) if place[0].endswith(".html")), ("", 0))
        if isinstance(error, jinja2.TemplateSyntaxError):
            # the name is the path of the file if a comment or tag is never closed (jinja2.lexer.Failure)
            file = error.filename or error.name or ""
            line = error.lineno

        if not file and isinstance(error, jinja2.TemplateNotFound):
            place = Place(f"themes/{self.site.active_theme.name}")
            message = f'there is no template "{error.name}"'
            hint = "a theme has it in pages/, or extends one that has"
            problems.report("template-missing", place, message, hint)
        elif not Path(file).is_file():
            raise error
        else:
            from tenure.html import template_errors

            templates = self.environment.list_templates()
            filters = [*self.environment.filters]
            template_errors.report_error(error, Path(file), line, self.site, templates, filters, problems)


def load_plain_template(site: Site, path: Path) -> jinja2.Template:
    """The template of a file that is no page, in which nothing is escaped."""
    compiled = _open_bytecode_cache(site, site.active_theme.folders[-1].parent / ".cache")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(path.parent),
        bytecode_cache=compiled,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(path.name)


def load_theme(
    site: Site,
    plan: Plan,
    cache_folder: Path,
    pictures: PictureLibrary | None = None,
    rendered_entries: dict[object, object] | None = None,
    page_store: CacheStore | None = None,
) -> Theme:
    """
    Load the theme of a site.

    `cache_folder` is for compiled templates, `pictures` are those that pages may show. `rendered_entries` are
    entries of lists that the last build of a preview has rendered; this build adds its own. `page_store` has
    the kept pages of publications; a site with templates of its own keeps none, as they may read anything.
    """
    inputs = TemplateInputs.for_site(site, plan)
    folders = site.active_theme.folders
    assets = collect_assets(folders, site.active_theme.style_sheet)
    assets.move_file(SEARCH_SCRIPT, inputs.folder)

    # the policy allows the scripts of the templates, so it is known before the filters
    # "pa*" are pages/ and parts/
    templates = [
        path.read_text(encoding="utf-8", errors="replace")
        for folder in folders
        for path in list_used_files(folder, "pa*/**/*.html")
    ]
    policy = allow_scripts(build_policy(site.settings), templates, assets.scripts)
    compiled = _open_bytecode_cache(site, cache_folder)
    make_theme = partial(_make_theme, assets, policy, compiled, pictures)

    kept_pages = None
    if page_store and not _list_own_folders(site):
        part = inputs.select_for_publications()
        theme = make_theme(part, None, None)
        kept_pages = KeptPages(part, page_store, assets, theme.render_page, theme.load_part)
    return make_theme(inputs, _open_kept_entries(inputs, rendered_entries), kept_pages)


def _make_theme(
    assets: Assets,
    policy: PolicySources,
    compiled: jinja2.BytecodeCache | None,
    pictures: PictureLibrary | None,
    inputs: TemplateInputs,
    rendered_entries: dict[object, object] | None,
    kept_pages: KeptPages | None,
) -> Theme:
    """A theme whose templates read these inputs and nothing else."""
    site = inputs.site
    environment = _ThemeEnvironment(
        loader=_FolderLoader(site.active_theme.folders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        bytecode_cache=compiled,
    )
    environment.template_class = _PartTemplate

    head = HeadRenderer.for_site(inputs, format_policy_tag(policy))
    environment.filters = {name: environment.filters[name] for name in JINJA_FILTERS}
    environment.filters |= build_template_filters(inputs, head)
    environment.filters |= {
        # They take the context, so that Jinja does not constant-fold them into bytecode.
        "asset": jinja2.pass_context(lambda _, name: assets.locate(name)),
        "inline_asset": jinja2.pass_context(lambda _, name: assets.embed(name)),
        "place_in_menu": partial(_find_place_in_menu, inputs.menu),
        "crumbs": lambda page: _list_items_above(inputs.menu, page) if page.entry else [],
        "part_template": lambda section: _find_template(
            site, "parts", section.kind, section.name if section.kind == "items" else ""
        ),
    }

    # Values that all pages share are globals, so that Jinja imports a part once and not for each page.
    environment.globals = {
        "site": site,
        "menu": inputs.menu,
        "theme": site.active_theme.options,
        "t": site.active_theme.translations,
        "once": partial(_render_once, {}),
        "keep_entry": jinja2.pass_context(partial(_keep_entry, rendered_entries, kept_pages)),
    }
    urls = UrlResolver(FileIndex(inputs.files, inputs.page_urls), site.language_paths, pictures)
    return Theme(inputs, environment, head, urls, assets, policy, kept_pages)


def _list_own_folders(site: Site) -> list[Path]:
    """The folders of the theme that are not packaged ones."""
    folders = site.active_theme.folders
    return [folder for folder in folders if folder.parent != folders[-1].parent]


def _open_bytecode_cache(site: Site, cache_folder: Path) -> jinja2.BytecodeCache | None:
    """
    The compiled templates: beside the packaged themes, or in the cache of a site with templates of its own.

    None if neither folder can be written.
    """
    folders = [cache_folder / "templates"]
    if not _list_own_folders(site):
        folders.insert(0, site.active_theme.folders[-1].parent / ".cache")
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                pattern = f"templates-{__version__}-{jinja2.__version__}-%s"
                return jinja2.FileSystemBytecodeCache(os.fspath(folder), pattern)
    return None


def _find_template(site: Site, folder: str, kind: str, list_name: str) -> str:
    """The template of a kind; a site may have one for a list of its own, where no packaged theme has it."""
    own = f"{folder}/{list_name}.html"
    owners = [path for path in site.active_theme.folders if list_name and (path / own).is_file()]
    is_own = bool(owners) and set(owners) <= set(_list_own_folders(site))
    return own if is_own else f"{folder}/{kind}.html"


class MenuPlace(NamedTuple):
    """The path of the page if it is in the menu, else ""; and the paths in the menu above it, but for "/"."""

    current: str
    above: tuple[str, ...]


def _find_place_in_menu(menu: Sequence[MenuItem], page: Page) -> MenuPlace:
    """The item of the menu that is a page, "" if none is, and the items whose pages are above it."""
    above = tuple(item.path for item in _list_items_above(menu, page))
    is_in_menu = any(item.path == page.path for item in _list_items(menu))
    return MenuPlace(page.path if is_in_menu else "", above)


def _list_items(menu: Sequence[MenuItem]) -> list[MenuItem]:
    """The items of the menu that are pages, and those of its submenus."""
    return [item for item in menu if item.path] + [inner for item in menu for inner in item.items]


def _list_items_above(menu: Sequence[MenuItem], page: Page) -> list[MenuItem]:
    """The items of the menu whose pages are above a page: /projects/ is above /projects/tape/."""
    return [
        item
        for item in _list_items(menu)
        if item.path not in ("/", page.path) and page.path.startswith(item.path)
    ]


class _PartTemplate(jinja2.Template):
    """A part that also has the macros of the part that it overrides: a site may define a single macro."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002 - the name that Jinja gives it
    ) -> jinja2.environment.TemplateModule:
        """Return the macros of a template, and those of the overridden template that it does not define."""
        module = super().make_module(vars, shared, locals)
        loader = self.environment.loader

        # "1:parts/talks.html" overrides "2:parts/talks.html"
        index_text, _, name = (self.name or "").rpartition(":")
        index = int(index_text) + 1 if index_text.isdecimal() else 1
        if isinstance(loader, _FolderLoader) and "parts/" in name and index < len(loader.find_files(name)):
            overridden = self.environment.get_template(f"{index}:{name}").make_module(vars, shared, locals)
            for key, value in overridden.__dict__.items():
                if not key.startswith("_"):
                    module.__dict__.setdefault(key, value)
        return module


class _FolderLoader(jinja2.BaseLoader):
    """
    Loads a template from the first theme folder that has it.

    "classic/pages/home.html" is the template of the theme classic or of its base themes. "2:pages/home.html"
    is the third template with that name.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.find_files = cache(self._find_files)
        """Returns every file with a template name, the one of the nearest folder first. Cached."""

    def _find_files(self, name: str) -> list[Path]:
        """The files of a name, the nearest first; "classic/pages/home.html" also names a theme."""
        theme, *inner_segments = segments = jinja2.loaders.split_template_path(name)
        paths = [folder.joinpath(*segments) for folder in self.folders]
        names = [folder.name for folder in self.folders]
        if inner_segments and theme in names:
            paths += [folder.joinpath(*inner_segments) for folder in self.folders[names.index(theme) :]]
        return [path for path in paths if path.is_file()]

    def find_file(self, name: str) -> Path | None:
        """Return the file of a template name, or None."""
        index_text, _, template_name = name.rpartition(":")
        index = int(index_text) if index_text.isdecimal() else 0
        return next(iter(self.find_files(template_name)[index:]), None)

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
        """Return the globals of a template. Jinja copies them for each page, slowly for its ChainMap."""
        return {**self.globals, **(d or {})}

    def _parse(self, source: str, name: str | None, filename: str | None) -> jinja2.nodes.Template:
        """Parse a template; Jinja's parser calls itself for each bracket inside another one."""
        try:
            return super()._parse(source, name, filename)
        except RecursionError:
            counts = [len(re.findall(r"[(\[{]", line)) for line in source.splitlines()]
            line = counts.index(max(counts)) + 1
            message = "too many brackets are inside each other"
            raise jinja2.TemplateSyntaxError(message, line, name, filename) from None

    def join_path(self, template: str, parent: str) -> str:
        """Return the full name of a template that `parent` extends or imports."""
        loader = self.loader
        # only a template that names one of its own name can mean the one that it overrides
        if template.rpartition("/")[2] != parent.rpartition("/")[2] or not isinstance(loader, _FolderLoader):
            return template
        # folio/pages/home.html names pages/home.html: the one of the theme that folio extends
        files = loader.find_files(template)
        parent_file = loader.find_file(parent)
        next_index = files.index(parent_file) + 1 if parent_file in files else 0
        return f"{next_index}:{template}" if 0 < next_index < len(files) else template


def _render_once(rendered: dict[Any, Any], macro: Callable[..., str], *values: object) -> object:
    """
    Return the output of a macro for some values, which is rendered once in a build.

    The macro may depend on nothing else, and so must be imported without context to be the same on all pages.
    """
    return _call_macro(rendered, (macro, *values), macro, values)


def _call_macro(
    outputs: dict[Any, Any], key: object, macro: Callable[..., str], values: tuple[object, ...]
) -> object:
    """The output of a macro from `outputs`, where it is added if its key is missing."""
    try:
        output = outputs.get(key)
    except TypeError:
        # a value that cannot be hashed
        return macro(*values)
    if output is None:
        output = outputs[key] = macro(*values)
    return output


MAX_KEPT_ENTRIES = 20_000
"""Maximum number of entries that a preview keeps."""


def _open_kept_entries(
    inputs: TemplateInputs, kept: dict[object, object] | None
) -> dict[object, object] | None:
    """The entries of the last build; none if what their macros read, besides their arguments, has changed."""
    if kept is None:
        return None
    templates = [
        path.read_bytes()
        for folder in _list_own_folders(inputs.site)
        for path in list_used_files(folder, "**/*.html")
    ]
    context = (inputs.select_for_publications(), templates)
    if kept.get("context") != context or len(kept) > MAX_KEPT_ENTRIES:
        kept.clear()
        kept["context"] = context
    return kept


def _keep_entry(
    kept: dict[object, object] | None,
    kept_pages: KeptPages | None,
    context: jinja2.runtime.Context,
    macro: jinja2.runtime.Macro,
    *values: Any,
) -> object:
    """Return the output of a macro for an entry, which is kept as long as the entry is the same."""
    page: Any = context.resolve("page")
    if kept is None:
        found = kept_pages.render_entry(context.name, macro.name, page, *values) if kept_pages else None
        return macro(*values) if found is None else found
    key = (context.name, macro.name, page.kind, page.language, values)
    return _call_macro(kept, key, macro, values)
