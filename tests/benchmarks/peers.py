"""
The same site for Hugo, Pelican and Eleventy, each in the usual way of the program.

Each has a homepage, publications by year, a page for each paper with abstract and BibTeX, projects, talks,
news, a feed and a sitemap.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from synthetic import EDUCATION, OWNER, Paper, Researcher, quote_text, write_files, write_tenure_site

MENU = "".join(
    f'<a href="/{path}">{title}</a> '
    for path, title in (
        ("", "Home"),
        ("publications/", "Publications"),
        ("projects/", "Projects"),
        ("talks/", "Talks"),
        ("news/", "News"),
    )
)
STYLE = "body{max-width:50rem;margin:auto;font:16px/1.5 sans-serif}\n"


@dataclass(frozen=True)
class Peer:
    """A program: its command, the function that writes its sources, and the folders that are deleted before a cold build."""

    command: tuple[str, ...]
    write: Callable[[Researcher, Path], Path]
    generated: tuple[str, ...]


def format_page(title: str, head: str, main: str) -> str:
    """Return a page in the frame that the templates of all programs share."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="/style.css">{head}</head>\n<body><nav>{MENU}</nav><main>{main}</main></body></html>\n'
    )


def format_front_matter(fields: Mapping[str, object], body: str = "") -> str:
    """Return a Markdown file with JSON as its front matter, the format that Hugo and Eleventy read fastest."""
    return json.dumps(fields, ensure_ascii=False) + "\n\n" + body + "\n"


def list_fields(paper: Paper) -> dict[str, object]:
    """Return the values that the page of a paper shows."""
    return {
        "title": paper.title,
        "date": paper.date,
        "authors": paper.authors,
        "venue": paper.venue,
        "year": paper.year,
        "pages": paper.pages,
        "doi": paper.doi,
        "pdf": paper.url,
        "selected": paper.selected,
        "bibtex": paper.bibtex,
    }


HUGO_PAPER = (
    '<li><a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ delimit .Params.authors ", " }}. <em>{{ .Params.venue }}</em>,'
    ' {{ .Params.year }}. <a href="{{ .Params.pdf }}">PDF</a> <a href="https://doi.org/{{ .Params.doi }}">DOI</a></li>\n'
)
HUGO_LIST = '{{ define "main" }}<h1>{{ .Title }}</h1><ul>{{ range .RegularPages }}<li>{{ .Date.Format "2006-01-02" }} <a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}'
HUGO_NOTE = '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}'


def write_hugo_site(who: Researcher, folder: Path) -> Path:
    """Write a Hugo site with one Markdown file for each paper, as in Hugo's academic themes."""
    education = "".join(
        f"<li>{degree}, {school} ({start}–{end})</li>" for degree, school, start, end in EDUCATION
    )
    write_files(
        folder,
        {
            "hugo.toml": f'baseURL = "https://example.org/"\ntitle = "{OWNER}"\ndisableKinds = ["taxonomy", "term"]\n',
            "layouts/baseof.html": format_page(
                "{{ .Title }}", '{{ block "head" . }}{{ end }}', '{{ block "main" . }}{{ end }}'
            ),
            "layouts/_partials/paper.html": HUGO_PAPER,
            "layouts/home.html": '{{ define "main" }}<h1>{{ site.Title }}</h1>{{ .Content }}<ul>'
            + education
            + "</ul><ul>"
            '{{ range first 5 (where site.RegularPages.ByDate.Reverse "Section" "news") }}<li>{{ .Title }}</li>{{ end }}</ul>'
            '<ul>{{ range where (where site.RegularPages "Section" "publications") "Params.selected" true }}{{ partial "paper.html" . }}{{ end }}</ul>{{ end }}',
            "layouts/publications/section.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ range .RegularPages.GroupByDate "2006" }}'
            '<h2>{{ .Key }}</h2><ul>{{ range .Pages }}{{ partial "paper.html" . }}{{ end }}</ul>{{ end }}{{ end }}',
            "layouts/publications/page.html": '{{ define "head" }}<meta name="citation_title" content="{{ .Title }}">{{ end }}'
            '{{ define "main" }}<h1>{{ .Title }}</h1><p>{{ delimit .Params.authors ", " }}</p><p><em>{{ .Params.venue }}</em>, {{ .Params.year }},'
            ' {{ .Params.pages }}</p><p><a href="{{ .Params.pdf }}">PDF</a></p>{{ .Content }}<pre><code>{{ .Params.bibtex }}</code></pre>{{ end }}',
            "layouts/section.html": HUGO_LIST,
            "layouts/page.html": HUGO_NOTE,
            "static/style.css": STYLE,
            "content/_index.md": format_front_matter({"title": "Home"}, who.bio),
            "content/publications/_index.md": format_front_matter({"title": "Publications"}),
        },
    )
    write_files(
        folder,
        {
            f"content/publications/{p.key}.md": format_front_matter(list_fields(p), p.abstract)
            for p in who.papers
        },
    )
    for name, notes in (("projects", who.projects), ("talks", who.talks), ("news", who.news)):
        write_files(folder, {f"content/{name}/_index.md": format_front_matter({"title": name.title()})})
        write_files(
            folder,
            {
                f"content/{name}/{n.slug}.md": format_front_matter({"title": n.title, "date": n.date}, n.text)
                for n in notes
            },
        )
    return folder / "content" / "publications" / f"{who.papers[len(who.papers) // 2].key}.md"


FULL_TEMPLATES = Path(__file__).resolve().parent / "hugo_full"


def write_full_hugo_site(who: Researcher, folder: Path) -> Path:
    """Write a Hugo site with all information of Tenure's pages and records, except the CV as PDF and the link check."""
    shutil.copytree(FULL_TEMPLATES, folder)
    education = [dict(zip(("degree", "school", "start", "end"), entry, strict=True)) for entry in EDUCATION]
    talks = [{"slug": talk.slug, "title": talk.title, "date": talk.date} for talk in who.talks]
    write_files(
        folder,
        {
            "static/style.css": STYLE,
            "data/education.json": json.dumps(education, ensure_ascii=False),
            "data/talks.json": json.dumps(talks, ensure_ascii=False),
            "content/_index.md": format_front_matter({"title": "Home", "description": OWNER}, who.bio),
            "content/cv.md": format_front_matter({"title": "CV", "layout": "cv", "description": "CV"}),
            "content/talks/_index.md": format_front_matter({"title": "Talks", "description": "Talks"}),
            "content/projects/_index.md": format_front_matter(
                {"title": "Projects", "description": "Projects"}
            ),
            "content/news/_index.md": format_front_matter(
                {"title": "News", "description": "News", "cascade": {"build": {"render": "never"}}}
            ),
            "content/publications/_index.md": format_front_matter(
                {
                    "title": "Publications",
                    "description": "Publications",
                    "cascade": [{"outputs": ["html", "bib"], "target": {"kind": "page"}}],
                }
            ),
        },
    )
    for name, notes in (("projects", who.projects), ("news", who.news)):
        write_files(
            folder,
            {
                f"content/{name}/{n.slug}.md": format_front_matter({"title": n.title, "date": n.date}, n.text)
                for n in notes
            },
        )
    write_files(
        folder,
        {
            f"content/publications/{p.key}.md": format_front_matter(_list_all_fields(p), p.abstract)
            for p in who.papers
        },
    )
    return folder / "content" / "publications" / f"{who.papers[len(who.papers) // 2].key}.md"


def _list_all_fields(paper: Paper) -> dict[str, object]:
    names = [name.rpartition(" ") for name in paper.authors]
    first, _, last = paper.pages.partition("--")
    return list_fields(paper) | {
        "key": paper.key,
        "keywords": paper.keywords,
        "pages": paper.pages.replace("--", "–"),
        "inverted": [f"{family}, {given}" for given, _, family in names],
        "csl": [{"family": family, "given": given} for given, _, family in names],
        "issued": paper.date[:7],
        "first": first,
        "last": last,
    }


PELICAN_PAPER = (
    '<li><a href="/{{ p.url }}">{{ p.title }}</a> {{ p.people }}. <em>{{ p.venue }}</em>, {{ p.date.year }}.'
    ' <a href="{{ p.pdf }}">PDF</a> <a href="https://doi.org/{{ p.doi }}">DOI</a></li>\n'
)
PELICAN_SETTINGS = """
SITEURL = "https://example.org"; TIMEZONE = "UTC"; DEFAULT_LANG = "en"; PATH = "content"; OUTPUT_PATH = "public"; THEME = "theme"
ARTICLE_PATHS = ["publications", "projects", "talks", "news"]; USE_FOLDER_AS_CATEGORY = True; STATIC_PATHS = []; THEME_STATIC_DIR = "."
ARTICLE_URL = "{category}/{slug}/"; ARTICLE_SAVE_AS = "{category}/{slug}/index.html"; DEFAULT_PAGINATION = False
CATEGORY_URL = "{slug}/"; CATEGORY_SAVE_AS = "{slug}/index.html"; AUTHOR_SAVE_AS = TAG_SAVE_AS = ARCHIVES_SAVE_AS = ""
DIRECT_TEMPLATES = ["index", "sitemap"]; SITEMAP_SAVE_AS = "sitemap.xml"; FEED_ALL_ATOM = "feed.xml"; FEED_MAX_ITEMS = 20
CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
"""


def write_pelican_site(who: Researcher, folder: Path) -> Path:
    """Write a Pelican site with one Markdown file for each paper; other pages that Pelican would generate are switched off, in its favour."""
    articles = '(articles|selectattr("category", "equalto", "%s"))'
    papers = "{% for p in list %}" + PELICAN_PAPER + "{% endfor %}"
    write_files(
        folder,
        {
            "pelicanconf.py": f"AUTHOR = SITENAME = {OWNER!r}\nBIO = {who.bio!r}\n" + PELICAN_SETTINGS,
            "theme/templates/index.html": format_page(
                "{{ SITENAME }}",
                "",
                "<h1>{{ SITENAME }}</h1>{{ BIO }}{% set list = "
                + articles % "publications"
                + '|selectattr("selected", "equalto", "true") %}'
                + papers,
            ),
            "theme/templates/category.html": format_page(
                "{{ category }}",
                "",
                '<h1>{{ category }}</h1>{% if category == "publications" %}{% for year, list in articles|groupby("date.year")|reverse %}<h2>{{ year }}</h2>'
                + papers
                + '{% endfor %}{% else %}{% for a in articles %}<li>{{ a.date }} <a href="/{{ a.url }}">{{ a.title }}</a></li>{% endfor %}{% endif %}',
            ),
            "theme/templates/article.html": format_page(
                "{{ article.title }}",
                '<meta name="citation_title" content="{{ article.title|striptags }}">',
                "<h1>{{ article.title }}</h1><p>{{ article.people }}</p><p><em>{{ article.venue }}</em> {{ article.pages }}</p>{{ article.content }}"
                "{% if article.bibtex %}<pre><code>{{ article.bibtex|join('\\n')|e }}</code></pre>{% endif %}",
            ),
            "theme/templates/sitemap.html": "<urlset>{% for a in articles %}<url><loc>{{ SITEURL }}/{{ a.url }}</loc></url>{% endfor %}</urlset>\n",
            "theme/static/style.css": STYLE,
        },
    )
    for p in who.papers:
        meta = {
            "Title": p.title, "Date": p.date, "Slug": p.key, "People": ", ".join(p.authors), "Venue": p.venue, "Pages": p.pages,
            "Doi": p.doi, "Pdf": p.url, "Selected": str(p.selected).lower(), "Bibtex": p.bibtex.replace("\n", "\n    ").rstrip(),
        }  # fmt: skip
        text = "".join(f"{name}: {value}\n" for name, value in meta.items()) + f"\n{p.abstract}\n"
        write_files(folder, {f"content/publications/{p.key}.md": text})
    for name, notes in (("projects", who.projects), ("talks", who.talks), ("news", who.news)):
        write_files(
            folder,
            {
                f"content/{name}/{n.slug}.md": f"Title: {n.title}\nDate: {n.date}\nSlug: {n.slug}\n\n{n.text}\n"
                for n in notes
            },
        )
    return folder / "content" / "publications" / f"{who.papers[len(who.papers) // 2].key}.md"


ELEVENTY_PAPER = (
    '<li><a href="/publications/{{ p.key }}/">{{ p.title }}</a> {{ p.authors | join(", ") }}. <em>{{ p.venue }}</em>, {{ p.year }}.'
    ' <a href="{{ p.pdf }}">PDF</a> <a href="https://doi.org/{{ p.doi }}">DOI</a></li>\n'
)
ELEVENTY_SETTINGS = """import markdownIt from "markdown-it";
const md = markdownIt();
export default function (c) {
  c.addFilter("md", s => md.render(s));
  c.addPassthroughCopy({"static": "/"});
  return {dir: {input: "src", output: "public"}, htmlTemplateEngine: "njk"};
}
"""


def write_eleventy_site(who: Researcher, folder: Path) -> Path:
    """Write an Eleventy site with one data file for all papers, and pages by pagination."""

    def format_template(header: str, main: str) -> str:
        return f"---\n{header}\n---\n" + format_page("{{ title }}", "", main)

    def format_pagination(name: str) -> str:
        return f'pagination: {{data: {name}, size: 1, alias: p, addAllPagesToCollections: true}}\npermalink: "/{name}/{{{{ p.key }}}}/"'

    papers = [{"key": p.key, "abstract": p.abstract, **list_fields(p)} for p in who.papers]
    write_files(
        folder,
        {
            "package.json": '{"private": true, "type": "module"}',
            "eleventy.config.js": ELEVENTY_SETTINGS,
            "src/_data/publications.json": json.dumps(papers, ensure_ascii=False, indent=1),
            "src/index.njk": format_template(
                f"title: {quote_text(OWNER)}",
                f"{{{{ {quote_text(who.bio)} | md | safe }}}}"
                "{% for p in publications %}{% if p.selected %}" + ELEVENTY_PAPER + "{% endif %}{% endfor %}",
            ),
            "src/publications.njk": format_template(
                'title: Publications\npermalink: "/publications/"',
                "{% for year, list in publications | groupby('year') %}<h2>{{ year }}</h2>{% for p in list %}"
                + ELEVENTY_PAPER
                + "{% endfor %}{% endfor %}",
            ),
            "src/publication.njk": format_template(
                format_pagination("publications"),
                "<h1>{{ p.title }}</h1><p>{{ p.authors | join(', ') }}</p><p><em>{{ p.venue }}</em>, {{ p.year }}, {{ p.pages }}</p>"
                "{{ p.abstract | md | safe }}<pre><code>{{ p.bibtex }}</code></pre>",
            ),
            "src/sitemap.njk": "---\npermalink: /sitemap.xml\neleventyExcludeFromCollections: true\n---\n<urlset>{% for i in collections.all %}<url><loc>{{ i.url }}</loc></url>{% endfor %}</urlset>\n",
            "src/feed.njk": "---\npermalink: /feed.xml\neleventyExcludeFromCollections: true\n---\n<feed>{% for n in news %}{% if loop.index < 21 %}<entry><title>{{ n.title }}</title></entry>{% endif %}{% endfor %}</feed>\n",
            "static/style.css": STYLE,
        },
    )
    for name, notes in (("projects", who.projects), ("talks", who.talks), ("news", who.news)):
        records = [{"key": n.slug, "title": n.title, "date": n.date, "text": n.text} for n in notes]
        write_files(
            folder,
            {
                f"src/_data/{name}.json": json.dumps(records, ensure_ascii=False),
                f"src/{name}.njk": format_template(
                    f'title: {name}\npermalink: "/{name}/"',
                    f"{{% for p in {name} %}}<li>{{{{ p.date }}}} {{{{ p.title }}}}</li>{{% endfor %}}",
                ),
                f"src/{name}-one.njk": format_template(
                    format_pagination(name), "<h1>{{ p.title }}</h1>{{ p.text | md | safe }}"
                ),
            },
        )
    return folder / "src" / "_data" / "publications.json"


TENURE_PAPER = (
    "{% macro paper(p) %}<li><a href=\"{{ p|url }}\">{{ p.title|inline_markdown }}</a> {{ p.authors.people|map(attribute='name.full_name')|join(', ') }}."
    ' <em>{{ p.venue.name|inline_markdown }}</em>, {{ p.date.year }}. <a href="{{ p.links[0].url }}">PDF</a>'
    ' <a href="https://doi.org/{{ p.doi }}">DOI</a></li>{% endmacro %}\n'
)
TENURE_LIST = (
    "<h1>{{ page.title }}</h1><ul>{% for part in page.sections %}{% for item in part.items %}"
    "<li>{{ item.entry.date|period }} {{ (item.entry.title or item.entry.text)|inline_markdown }}</li>{% endfor %}{% endfor %}</ul>"
)


def write_bare_site(who: Researcher, folder: Path) -> Path:
    """Write a Tenure site with its own theme, which shows the same as the other programs' templates, and only pages."""
    edited = write_tenure_site(who, folder)
    settings = (folder / "site.yaml").read_text(encoding="utf-8")

    def format_bare_template(main: str) -> str:
        return f'{{% extends "parts/bare.html" %}}{{% block main %}}{{% import "parts/paper.html" as papers %}}{main}{{% endblock %}}'

    write_files(
        folder,
        {
            "site.yaml": f"{settings}theme: bare\nrecords: []\npages: [home, publications, projects, talks, news]\n",
            "themes/bare/theme.yaml": "extends: base\n",
            "themes/bare/assets/style.css": STYLE,
            "themes/bare/parts/bare.html": format_page(
                "{{ page.title }}",
                '<meta name="citation_title" content="{{ page.title }}">',
                "{% block main %}{% endblock %}",
            ).replace('"/style.css"', '"{{ "style.css"|asset }}"'),
            "themes/bare/parts/paper.html": TENURE_PAPER,
            "themes/bare/pages/home.html": format_bare_template(
                "<h1>{{ site.title }}</h1>{% for part in page.sections %}{{ part.text.body|markdown if part.text }}<ul>"
                "{% for item in part.items %}{% if part.kind == 'publications' %}{{ papers.paper(item.entry) }}"
                "{% else %}<li>{{ item.entry.name|inline_markdown }}</li>{% endif %}{% endfor %}</ul>{% endfor %}"
            ),
            "themes/bare/pages/publications.html": format_bare_template(
                "<h1>{{ page.title }}</h1>{% for part in page.sections %}{% for listing in part.listings %}<h2>{{ listing.title }}</h2><ul>"
                "{% for item in listing.items %}{{ keep_entry(papers.paper, item.entry) }}{% endfor %}</ul>{% endfor %}{% endfor %}"
            ),
            "themes/bare/pages/publication.html": format_bare_template(
                "{% set p = page.entry %}<h1>{{ page.title }}</h1><p>{{ p.authors.people|map(attribute='name.full_name')|join(', ') }}</p>"
                "<p><em>{{ p.venue.name|inline_markdown }}</em>, {{ p.date.year }}, {{ p.venue.pages }}</p>"
                '<p><a href="{{ p.links[0].url }}">PDF</a></p>{{ p.abstract|markdown }}<pre><code>{{ p.bibtex }}</code></pre>'
            ),
            **{
                f"themes/bare/pages/{name}.html": format_bare_template(TENURE_LIST)
                for name in ("projects", "talks", "news")
            },
            "themes/bare/pages/404.html": format_bare_template("<h1>{{ page.title }}</h1>"),
        },
    )
    return edited


PEERS: Mapping[str, Peer] = {
    "Hugo": Peer(("hugo", "--quiet", "--noBuildLock"), write_hugo_site, ("public", "resources")),
    "Hugo, the same information": Peer(
        ("hugo", "--quiet", "--noBuildLock"), write_full_hugo_site, ("public", "resources")
    ),
    "Pelican": Peer(("pelican", "-s", "pelicanconf.py", "-q"), write_pelican_site, ("public", "__pycache__")),
    "Eleventy": Peer(("eleventy", "--quiet"), write_eleventy_site, ("public",)),
}
"""The programs with which Tenure is compared, if they are installed."""
