"""
What forms call, in the editor of `serve` and in the page “Try it”: the reading and the change of one source.

Each function of FORM_READS and FORM_EDITS gets a source; one of FORM_EDITS returns its new text, and raises
UneditableError if it cannot change the wanted value alone. Other arguments come from a browser: any JSON is
possible.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from tenure.markdown.html import make_slug
from tenure.model.dates import Date, Period, find_periods
from tenure.model.identifiers import find_doi, make_doi_url, parse_doi
from tenure.model.languages import find_language
from tenure.model.links import is_valid_url, url_scheme
from tenure.sources.editing.bib_edits import (
    add_entries,
    read_form_fields,
    remove_entry,
    set_form_field,
    write_names,
)
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.forms import expand_item, read_form
from tenure.sources.editing.value_edits import (
    Source,
    ValuePath,
    find_value,
    move_item,
    read_data,
    replace_source_part,
    set_markdown_body,
    set_value,
)
from tenure.sources.schema.link_forms import find_service_of_url, format_link_label


def set_field(source: Source, path: ValuePath, value: Any) -> str:
    """The source with another value at a path; None removes it."""
    return source.edit_yaml(lambda text: set_value(text, path, value))


def set_item_field(source: Source, path: ValuePath, field: str, value: str) -> str:
    """
    The list in which an entry of one line has another field: what was read from the line becomes fields.

    people.yaml, [0], "then", "Acme":
    - Bo Lee, postdoc 2020  ->  - {name: Bo Lee, role: postdoc, date: 2020, then: Acme}
    Lists are YAML files: no front matter as in `edit_yaml`. An entry that is a mapping already: `set_field`.
    """
    item = expand_item(source.file, find_value(source.read_data(), path), field, value)
    return set_value(source.text, path, item)


def set_addition(source: Source, key: str, field: str, value: Any) -> str:
    """
    content/publications.yaml with another value of one publication, as a list or a mapping, as it is.

    "lee", "pdf", "a.pdf": [{key: lee}] -> [{key: lee, pdf: a.pdf}]; {lee: {}} -> {lee: {pdf: a.pdf}}; [] -> a
    new item
    """
    text = source.text
    data = source.read_data()
    if not isinstance(data, list):
        return set_value(text, (key, field), value)
    keys = [find_value(item, ["key"]) for item in data]
    if key in keys:
        return set_value(text, (keys.index(key), field), value)
    return text if value is None else set_value(text, (len(data),), {"key": key, field: value})


def remove_page(text: str, name: str) -> str:
    """
    The text of site.yaml without a page in `pages`, or in a group of it: "name", {name: …} or {name: name}.
    """
    path = _find_page(find_value(read_data(text), ["pages"]), name)
    return set_value(text, ("pages", *path), None) if path else text


def _find_page(pages: Any, name: str) -> ValuePath:
    """
    The path of a page in a list of pages, or of the group that has no other page; () if it is not there.

    A group has a name, as a key or as a value, and its pages:
    [home, {Work: {pages: [talks, cv]}}], "cv" -> (1, "Work", "pages", 1)
    [home, {name: Work, pages: [talks, cv]}], "cv" -> (1, "pages", 1)
    [home, {name: Work, pages: [cv]}], "cv" -> (1,)
    """
    if not isinstance(pages, list):
        return ()
    for at, page in enumerate(pages):
        keys = [*page] if isinstance(page, dict) else []
        if page == name or keys == [name] or find_value(page, ["name"]) == name:
            return (at,)
        for above in (["pages"], [*keys[:1], "pages"]):
            group = find_value(page, above, [])
            found = _find_page(group, name)
            if found and len(group) == 1:
                return (at,)
            if found:
                return (at, *above, *found)
    return ()


def describe_date(text: str) -> str:
    """
    How a period is read, with each meaning of an ambiguous one: "Sep 2021 - now" -> "2021-09 – present".
    """
    return " or ".join(map(_describe_period, find_periods(text))) or "not read as a date"


def _describe_period(period: Period) -> str:
    """A period as its form repeats it: "2021-09 – present", "2019 – 2021", "2024-05-13"."""
    start = _describe_day(period.start)
    if period.ongoing:
        return f"{start} – present"
    end = _describe_day(period.end)
    return f"{start} – {end}" if end and end != start else start


def _describe_day(date: Date | None) -> str:
    return (date.iso or date.text) if date else ""


def find_doi_address(text: str) -> str:
    """The URL that says what the DOI in a text is; raises UneditableError without one."""
    doi = parse_doi(text) or find_doi(text)
    if not doi:
        raise UneditableError("this is not a DOI; one begins with 10.")
    return make_doi_url(doi)


def read_address(text: str) -> Mapping[str, str]:
    """
    The service of a pasted address, its label and the whole address; raises UneditableError for another text.

    "github.com/ada" -> github, GitHub, https://github.com/ada; "ada.example.org" -> ada.example.org
    """
    address = text.strip()
    url = address if url_scheme(address) else f"https://{address}"
    host = urlsplit(url).hostname or "" if is_valid_url(url) else ""
    if "." not in host or " " in address:
        raise UneditableError("this is not an address; one begins with https://")
    service = find_service_of_url(url) or host.removeprefix("www.")
    return {"service": service, "label": format_link_label(service), "url": url}


FORM_READS: Mapping[str, Callable[..., object]] = {
    "readForm": lambda source: read_form(source.file, source.text),
    "readText": lambda source: source.text,
    "readPaper": lambda source, key: read_form_fields(source.text, key),
}
FORM_EDITS: Mapping[str, Callable[..., str]] = {
    "addPaper": lambda source, entries: add_entries(source.text, entries),
    "moveItem": lambda source, path, to: source.edit_yaml(lambda text: move_item(text, path, to)),
    "removePaper": lambda source, key: remove_entry(source.text, key),
    "setAddition": set_addition,
    "setBody": lambda source, body: set_markdown_body(source.text, body),
    "setItemField": set_item_field,
    "setPaperField": lambda source, key, name, value: set_form_field(source.text, key, name, value),
    "setPart": lambda source, path, part: source.edit_yaml(
        lambda text: replace_source_part(text, path, part)
    ),
    "setText": lambda _, text: text,
    "setValue": set_field,
}
TEXT_CALLS: Mapping[str, Callable[[str], object]] = {
    "findDoi": find_doi_address,
    "makeSlug": make_slug,
    "readAddress": read_address,
    "readDate": describe_date,
    "readLanguage": lambda text: str(find_language(text)) or text,
    "writeNames": write_names,
}
"""What forms ask about a text that is no source."""
