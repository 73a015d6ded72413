"""Generate the configuration of Pages CMS, an editor in the browser, from the annotations of the types."""

import json
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

from tenure.model.dates import Period
from tenure.model.links import Link
from tenure.model.scholar import Group, Markdown, Point, Profile
from tenure.sources.addresses import SERVICES
from tenure.sources.assembly import KINDS
from tenure.sources.meanings import START, meaning_of
from tenure.sources.rules import Rule, rules
from tenure.sources.schema import is_nested

Field = dict[str, Any]

FILE = ".pages.yml"
"""The path of the configuration. Source: Pages CMS documentation, "Configuration", "Overview"."""

HEAD = """\
# Pages CMS (https://pagescms.org) edits this site in the browser by this file. `schema` writes it again.
# A key that has no field here stays in its file when you save.
"""
FOLDERS = frozenset({"projects", "posts", "pages"})
"""Collections with one Markdown file per entry. Each other collection is one list file."""

PICTURES = frozenset({"photo", "image"})


def pages_cms_file() -> dict[str, str]:
    """
    Return the text of the configuration file, by its path.

    Source: Pages CMS documentation, "Media", "Content", "Fields" and "Settings". `merge` keeps keys without a field.
    """
    top: dict[str, Any] = {
        "media": {"input": "content/images", "output": "images"},
        "settings": {"content": {"merge": True}},
    }
    lines = [f"{key}: {json.dumps(value)}" for key, value in top.items()]
    lines.append("content:")
    for entry in contents():
        fields = entry.pop("fields")
        lines += [
            f"{'- ' if n == 0 else '  '}{key}: {json.dumps(value)}"
            for n, (key, value) in enumerate(entry.items())
        ]
        lines += ["  fields:", *(f"    - {json.dumps(field, ensure_ascii=False)}" for field in fields)]
    return {FILE: HEAD + "\n".join(lines) + "\n"}


def contents() -> list[dict[str, Any]]:
    """Return the entries of `content`: the profile, the text about the person, and each collection."""
    body = {"name": "body", "label": "Text", "type": "rich-text"}
    about = {
        "name": "about",
        "label": "About",
        "type": "file",
        "path": "content/about.md",
        "format": "yaml-frontmatter",
    }
    found = [
        {
            "name": "profile",
            "label": "Profile",
            "type": "file",
            "path": "content/profile.yaml",
            "format": "yaml",
            "fields": fields_of(Profile),
        },
        {**about, "fields": [body]},
    ]
    for name, (_, cls, _) in KINDS.items():
        entry: dict[str, Any] = {"name": name, "label": name.capitalize()}
        if name in FOLDERS:
            entry |= {"type": "collection", "path": f"content/{name}", "format": "yaml-frontmatter"}
            fields = [field for field in fields_of(cls) if field["name"] != "body"]
            found.append({**entry, "filename": "{primary}.md", "fields": [*fields, body]})
        else:
            entry |= {"type": "file", "path": f"content/{name}.yaml", "format": "yaml", "list": True}
            found.append({**entry, "fields": fields_of(cls)})
    return found


def fields_of(cls: Any) -> list[Field]:
    """Return a form field for each key of a type whose values have one form: the main key, the required keys, the rest."""
    plan = [rule for rule in rules(cls) if not rule.computed and not rule.rest]
    ordered = sorted(plan, key=lambda rule: (not rule.main, not rule.required))
    return [field for rule in ordered for field in _fields(cls, rule)]


def _fields(cls: Any, rule: Rule) -> Sequence[Field]:
    if rule.kind is Period and rule.field == "period":
        return [_field(name, {"type": "string"}, meaning) for name, meaning in START.items()]
    kind = _kind(cls, rule)
    if kind is None:
        return []
    made = _field(rule.field, kind, meaning_of(cls, rule.field))
    if rule.required or rule.main:
        made["required"] = True
    if rule.many and rule.kind is not Link:
        made["list"] = True
    return [made]


def _field(name: str, kind: Field, meaning: str) -> Field:
    return {"name": name, "label": name.replace("_", " ").capitalize(), "description": meaning, **kind}


def _kind(cls: Any, rule: Rule) -> Field | None:
    """Return the type of a form field, or None if the value has several forms and is edited in the file."""
    if rule.kind is Link:
        services = [
            _field(name, {"type": "string"}, f"the user name at {label}, or the address there")
            for name, (label, _) in SERVICES.items()
        ]
        return {"type": "object", "fields": services} if cls is Profile else None
    if rule.kind in (Point, Group) or is_nested(rule.kind):
        return None
    if rule.kind is bool:
        return {"type": "boolean"}
    if rule.kind is int:
        return {"type": "number"}
    if get_origin(rule.kind) is Literal:
        return {"type": "select", "options": {"values": [*get_args(rule.kind)]}}
    if rule.field in PICTURES:
        return {"type": "image"}
    return {"type": "text" if rule.kind is Markdown and not rule.main else "string"}
