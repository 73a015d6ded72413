"""A site with a hostile payload in every text field of every kind of entry, and in every BibTeX field."""

import atexit
import json
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, get_args, get_type_hints

from conftest import write_files

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.model import entries as entry_classes
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.links import Link, Url, is_safe_url
from tenure.record import fields
from tenure.site_folder import BuildOptions
from tenure.sources.bibtex.bib_fields import BIB_FIELDS, LINK_FIELDS
from tenure.sources.load import COLLECTION_TYPES

LINES = "\r\nER  - \r\n\r\nTY  - EVIL\nEND:VEVENT\rBEGIN:VEVENT\nUID:evil\nEND:VCARD\nX-EVIL:1\u2028X-EVIL:2\x85X-EVIL:3\n,=1+1\n"
"""Lines that end an entry of RIS, a vCard or an event, with every kind of line end."""

TAGS = "</script></title></style></textarea><marker-x onmark=1>\"onmark=\"1'onmark='1>]]><!--"
"""Markup that ends an element or an attribute, and the tag that no page may contain."""

TYPST = '#read("/etc/passwd") #panic("evil")'
PAGE_TAGS = (
    "<meta http-equiv=refresh content='0;url=/marker'> <base href=//marker.example/> <img src=https://marker.example/i.gif onerror=onmark>"
    " <iframe src=https://marker.example/></iframe> <style>marker{}</style> <object data=https://marker.example></object>"
    " <a href=javascript:marker onmark=1 target=_blank>y</a> <b onmark=1>unclosed <form action=//marker.example> <textarea> <plaintext>"
    " *x*{onmark=1}"
)
"""Elements that load, leave or cover a page, and attributes."""

PLAIN = f"=Mark {TAGS} {PAGE_TAGS} {TYPST} {LINES}&lt;marker-x&gt; {{{{7*7}}}}{{% raw %}}"
MARKDOWN = (
    f"Mark {TAGS} {PAGE_TAGS} `{TAGS}` \"onmark=\"1 'onmark='1 {TYPST} &lt;marker-x&gt; {{{{7*7}}}} {LINES}"
)
"""As a person writes it; an owner may write HTML only in the body of a Markdown file."""

BODY = f"Mark `{TAGS}` {TYPST} &lt;marker-x&gt; {{{{7*7}}}} {LINES}"

BIBTEX = (
    r"""=Mark </script></title></style></textarea><marker-x onmark=1> "onmark="1'onmark='1> ]]> <!-- {\textless}marker-x{\textgreater}"""
    r""" &lt;marker-x&gt; \href{javascript:evil}{y} \url{data:text/html,evil} !\href{https://marker.example/i.gif}{z} $!\href{https://marker.example}{z}$ $\href{javascript:marker}{z} \style{x:marker}{z}$ <i onmark="1">z</i> <b>unclosed #read("/etc/passwd") {{7*7}}"""
)
URL = "https://example.org/\"onmark=\"1'onmark='1><marker-x>"
UNUSED = frozenset("source body publications image photo".split())
PERIODS = frozenset(["date", "period", "term", "updated"])
ADDITIONAL_KINDS: Mapping[str, type[entry_classes.Entry]] = {"patents": entry_classes.CustomEntry}


def make_value(kind: Any) -> Any:
    """Return a value with a payload for a type; None for a type without text."""
    return {
        Url: URL,
        entry_classes.Markdown: MARKDOWN,
        entry_classes.Point: MARKDOWN,
        Link: {"label": PLAIN, "url": URL},
        entry_classes.Affiliation: {"name": PLAIN, "url": URL},
        str: PLAIN,
    }.get(kind)


NUMBER = count(1)


def make_entry(record: type[Any]) -> dict[str, Any]:
    """Return an entry with a payload in each field that has text."""
    entry: dict[str, Any] = {}
    for name, kind in get_type_hints(record).items():
        if name not in {field.name for field in fields(record)} or name in UNUSED:
            continue
        parts = get_args(kind)
        value = make_value(parts[0] if parts and kind != Url and str(kind).startswith("tuple") else kind)
        if name in PERIODS:
            entry[name] = ["2024-05"] if name == "term" else "2024-05-03"
        elif name == "id":
            entry[name] = f"id-{next(NUMBER)}"
        elif name == "language":
            entry[name] = "de"
        elif value is not None:
            entry[name] = [value] if str(kind).startswith("tuple") else value
    return entry


def make_files() -> Iterator[tuple[str, str]]:
    """Yield the files of the site; JSON values are valid YAML."""
    profile = {
        **make_entry(entry_classes.Profile),
        "name": "Ada =Example",
        "aliases": [PLAIN],
        "links": [{"label": PLAIN, "url": URL}],
    }
    profile.pop("cv", None)
    yield "content/profile.yaml", json.dumps(profile)
    settings = {
        "url": "https://example.edu/~ada/",
        "title": PLAIN,
        "description": PLAIN,
        "records": list(EXPORT_FORMATS),
    }
    yield "site.yaml", json.dumps(settings)
    for name, record in {**{n: row[1] for n, row in COLLECTION_TYPES.items()}, **ADDITIONAL_KINDS}.items():
        entry = make_entry(record)
        if record is entry_classes.Talk:
            entry["id"] = f"=talk{LINES}"
        if record is entry_classes.Service:
            entry["journals"] = [MARKDOWN]
        if name in ("posts", "pages"):
            front_matter = json.dumps({key: value for key, value in entry.items() if key != "id"})
            yield f"content/{name}/one.md", f"---\n{front_matter}\n---\n{BODY}\n"
        else:
            yield f"content/{name}.yaml", json.dumps([entry])
    yield "content/coauthors.yaml", json.dumps([{"name": "Jo Berg", "url": URL, "affiliation": PLAIN}])
    yield "bib/papers.bib", make_bibliography()
    yield "content/publications.yaml", json.dumps([{"key": "field0", "note": MARKDOWN, "tags": [PLAIN]}])


def make_bibliography() -> str:
    """Return one entry for each field, so that none hides another, and an article with all its fields."""
    names = sorted({*BIB_FIELDS, "file", "annote", "acronym", "remark"})
    special = {
        "author": f"{{{BIBTEX}}} and Berg, Jo",
        "editor": f"{{{BIBTEX}}} and =Evil, Jo",
        "year": "2024",
    }
    without_text = {"crossref", "xdata", "preprint_of", "langid", "language", "selected", "execute"}
    all_fields = [f"  {name} = {{{special.get(name, BIBTEX)}}}" for name in names if name not in without_text]
    links = [f"  {name} = {{{URL}}}" for name in LINK_FIELDS]
    entries = [
        "@article{field0,\n" + ",\n".join(all_fields) + "\n}",
        "@inproceedings{field1,\n  title = {T}, author = {Berg, Jo}, year = 2024, note = {See @field0},\n"
        + ",\n".join(links)
        + "\n}",
        f"@book{{field2, title = {{{BIBTEX}}}, editor = {{{special['editor']}}}, publisher = {{{BIBTEX}}}, year = 2023}}",
        f'@{{=x"onmark=1, title = {{{BIBTEX}}}}}',
        '@misc{../.."onmark="1\'<marker-x>, title = {Key}, author = {Berg, Jo}, year = 2022}',
    ]
    return "\n".join(entries)


@cache
def build_hostile_site(theme: str) -> BuildResult:
    """Build the site with a theme."""
    folder = tempfile.TemporaryDirectory(prefix="tenure-")
    atexit.register(folder.cleanup)
    for name, text in make_files():
        write_files(Path(folder.name), f"-- {name} --\n{text}\n")
    return build_site(Path(folder.name), options=BuildOptions(theme=theme), store=CacheStore())


ATTRIBUTES_WITH_URLS = frozenset(["href", "src", "action", "formaction", "poster", "data", "cite"])
LOADING_ATTRIBUTES = ATTRIBUTES_WITH_URLS | {"srcset", "style"}


def find_injected_markup(document: Any) -> Iterator[str]:
    """Yield the elements and attributes of a parsed document that only a payload can create."""
    for element in document.iter():
        tag = str(element.tag)
        if "marker" in tag or tag in ("base", "embed", "applet", "iframe", "object", "plaintext"):
            yield tag
        if tag == "textarea" and "marker" in (element.text or ""):
            yield tag
        for name, value in element.attrib.items():
            if tag != "a" and name in LOADING_ATTRIBUTES and "marker.example" in str(value):
                yield f"{tag} {name}={value[:80]}"
            if name in ("http-equiv", "style") and "marker" in element.attrib.get("content", value):
                yield f"{tag} {name}={value[:80]}"
            if name == "target":
                yield f"{tag} {name}"
            is_icon = tag == "link" and value.startswith("data:image/svg+xml")
            if str(name).startswith("on") or (
                name in ATTRIBUTES_WITH_URLS and not is_icon and not is_safe_url(value)
            ):
                yield f"{tag} {name}={value[:80]}"
