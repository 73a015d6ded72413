"""Generate the configuration of Pages CMS, an editor in the browser, from the annotations of the types."""

import json
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

from tenure.model.dates import Period
from tenure.model.entries import Markdown, Point, Profile, ServiceGroup
from tenure.model.links import Link
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.schema.decode import is_nested_type
from tenure.sources.schema.links import PROFILE_SERVICES
from tenure.sources.schema.spec import START_END_HELP, Field, help_for_field, read_spec

FormField = dict[str, Any]

CONFIG_FILE = ".pages.yml"
"""The path of the configuration. Source: Pages CMS documentation, "Configuration", "Overview"."""

CONFIG_HEADER = """\
# Pages CMS (https://pagescms.org) edits this site in the browser by this file. `schema` writes it again.
# A key that has no field here stays in its file when you save.
"""
FOLDER_COLLECTIONS = frozenset({"projects", "posts", "pages"})
"""Collections with one Markdown file per entry. Each other collection is one list file."""

IMAGE_FIELDS = frozenset({"photo", "image"})


def build_pages_cms_file() -> dict[str, str]:
    """
    Return the text of the configuration file, by its path.

    Source: Pages CMS documentation, "Media", "Content", "Fields" and "Settings". `merge` keeps keys without a field.
    """
    settings: dict[str, Any] = {
        "media": {"input": "content/images", "output": "images"},
        "settings": {"content": {"merge": True}},
    }
    lines = [f"{key}: {json.dumps(value)}" for key, value in settings.items()]
    lines.append("content:")
    for entry in build_content_entries():
        fields = entry.pop("fields")
        lines += [
            f"{'- ' if index == 0 else '  '}{key}: {json.dumps(value)}"
            for index, (key, value) in enumerate(entry.items())
        ]
        lines += ["  fields:", *(f"    - {json.dumps(field, ensure_ascii=False)}" for field in fields)]
    return {CONFIG_FILE: CONFIG_HEADER + "\n".join(lines) + "\n"}


def build_content_entries() -> list[dict[str, Any]]:
    """Return the entries of `content`: the profile, the text about the person, and each collection."""
    body = {"name": "body", "label": "Text", "type": "rich-text"}
    content_entries = [
        {
            "name": "profile",
            "label": "Profile",
            "type": "file",
            "path": "content/profile.yaml",
            "format": "yaml",
            "fields": build_form_fields(Profile),
        },
        {
            "name": "about",
            "label": "About",
            "type": "file",
            "path": "content/about.md",
            "format": "yaml-frontmatter",
            "fields": [body],
        },
    ]
    for name, (_, cls, _) in COLLECTION_TYPES.items():
        entry: dict[str, Any] = {"name": name, "label": name.capitalize()}
        if name in FOLDER_COLLECTIONS:
            entry |= {"type": "collection", "path": f"content/{name}", "format": "yaml-frontmatter"}
            fields = [field for field in build_form_fields(cls) if field["name"] != "body"]
            content_entries.append({**entry, "filename": "{primary}.md", "fields": [*fields, body]})
        else:
            entry |= {"type": "file", "path": f"content/{name}.yaml", "format": "yaml", "list": True}
            content_entries.append({**entry, "fields": build_form_fields(cls)})
    return content_entries


def build_form_fields(cls: Any) -> list[FormField]:
    """Return a form field for each key of a type whose values have one form: the main key, the required keys, the rest."""
    ordered_rules = sorted(
        read_spec(cls).fields.values(), key=lambda rule: (not rule.key.main, not rule.is_required)
    )
    return [field for rule in ordered_rules for field in _form_fields_of_rule(cls, rule)]


def _form_fields_of_rule(cls: Any, rule: Field) -> Sequence[FormField]:
    if rule.value_type is Period and rule.name == "period":
        return [
            _build_form_field(name, {"type": "string"}, help_text)
            for name, help_text in START_END_HELP.items()
        ]
    field_type = _form_field_type(cls, rule)
    if field_type is None:
        return []
    form_field = _build_form_field(rule.name, field_type, help_for_field(cls, rule.name))
    if rule.is_required or rule.key.main:
        form_field["required"] = True
    if rule.is_list and rule.value_type is not Link:
        form_field["list"] = True
    return [form_field]


def _build_form_field(name: str, field_type: FormField, help_text: str) -> FormField:
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "description": help_text,
        **field_type,
    }


def _form_field_type(cls: Any, rule: Field) -> FormField | None:
    """Return the type of a form field, or None if the value has several forms and is edited in the file."""
    if rule.value_type is Link:
        services = [
            _build_form_field(name, {"type": "string"}, f"the user name at {label}, or the address there")
            for name, (label, _) in PROFILE_SERVICES.items()
        ]
        return {"type": "object", "fields": services} if cls is Profile else None
    if rule.value_type in (Point, ServiceGroup) or is_nested_type(rule.value_type):
        return None
    if rule.value_type is bool:
        return {"type": "boolean"}
    if rule.value_type is int:
        return {"type": "number"}
    if get_origin(rule.value_type) is Literal:
        return {"type": "select", "options": {"values": [*get_args(rule.value_type)]}}
    if rule.name in IMAGE_FIELDS:
        return {"type": "image"}
    return {"type": "text" if rule.value_type is Markdown and not rule.key.main else "string"}
