"""What the forms of the page “Try it” call: the values of a source, and the change of one value."""

from collections.abc import Callable, Mapping
from typing import Any

from tenure.model.dates import Date, Period, find_periods
from tenure.model.identifiers import find_doi, make_doi_url, parse_doi
from tenure.sources.editing.forms import read_form
from tenure.sources.editing.value_edits import (
    ValuePath,
    move_item,
    read_data,
    set_front_matter_value,
    set_value,
    split_front_matter,
)

Files = Mapping[str, bytes]
"""The bytes of files by their path in the site."""


def set_field(file: str, text: str, path: ValuePath, value: Any) -> Files:
    """The file with another value at a path; raises UneditableError."""
    edit = set_front_matter_value if file.endswith((".md", ".markdown")) else set_value
    return {file: edit(text, path, value).encode()}


def set_body(file: str, text: str, body: str) -> Files:
    """The Markdown file with another text below its front matter."""
    old_body = split_front_matter(text)[1]
    head = text.replace("\r\n", "\n").removesuffix(old_body)
    separator = "\n" if head and not head.endswith("\n\n") else ""
    return {file: f"{head}{separator}{body.strip()}\n".encode()}


def describe_date(text: str) -> str:
    """
    How a period is read, with each meaning of an ambiguous one: "Sep 2021 - now" -> "2021-09 – present".
    """
    return " or ".join(map(_describe_period, find_periods(text))) or "not read as a date"


def _describe_period(period: Period) -> str:
    start = _describe_day(period.start)
    if period.ongoing:
        return f"{start} – present"
    end = _describe_day(period.end)
    return f"{start} – {end}" if end and end != start else start


def _describe_day(date: Date | None) -> str:
    return (date.iso or date.text) if date else ""


def find_doi_address(text: str) -> str:
    """The URL that says what the DOI in a text is; raises ValueError without one."""
    doi = parse_doi(text) or find_doi(text)
    if not doi:
        raise ValueError("this is not a DOI; one begins with 10.")
    return make_doi_url(doi)


def set_addition(file: str, text: str, key: str, field: str, value: Any) -> Files:
    """content/publications.yaml with another value of one publication, as a list or a mapping, as it is."""
    data = read_data(text)
    if isinstance(data, list):
        position = next((i for i, item in enumerate(data) if item.get("key") == key), len(data))
        new = {"key": key, field: value} if position == len(data) and value is not None else None
        return {file: set_value(text, (position,) if new else (position, field), new or value).encode()}
    return {file: set_value(text, (key, field), value).encode()}


FORM_CALLS: Mapping[str, Callable[..., object]] = {
    "readForm": read_form,
    "setValue": set_field,
    "moveItem": lambda file, text, path, position: {file: move_item(text, path, position).encode()},
    "setBody": set_body,
    "readDate": describe_date,
    "setAddition": set_addition,
    "findDoi": find_doi_address,
}
