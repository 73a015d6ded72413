"""Reads site.yaml and content/profile.yaml: the settings of a site and its owner."""

import os
import re
from pathlib import Path, PurePosixPath

from tenure.model.entries import Profile
from tenure.model.links import is_bare_host_url, is_valid_url, url_scheme
from tenure.model.names import is_name_suffix, remove_degrees, remove_titles
from tenure.model.site import Settings
from tenure.problems import PROBLEM_CODES, Place, Problems, suggest_word
from tenure.record import replace
from tenure.sources.reading.files import find_content_file, read_yaml
from tenure.sources.reading.language_selection import LanguageSelection, read_languages
from tenure.sources.reading.node import Node
from tenure.sources.schema.decode import decode_node
from tenure.sources.schema.misplaced import (
    DividedMapping,
    divide_profile,
    divide_settings,
    merge_profile_keys,
)

SCHEMA_VERSION = 1
"""The version of the format of the sources."""


def read_settings(root: Path, problems: Problems) -> Settings:
    """The settings in site.yaml; the defaults if it is missing or unreadable. Every mistake is reported."""
    return read_site_yaml(root, problems)[0] or Settings()


def read_site_yaml(
    root: Path, problems: Problems, language: str = ""
) -> tuple[Settings | None, Node, LanguageSelection]:
    """
    The settings in site.yaml (the defaults if it does not exist),
    the keys in it that belong in the profile, and the languages.

    The settings are None if the file cannot be read.
    """
    path = root / "site.yaml"
    empty_node = Node({}, Place("site.yaml"))
    if not os.path.lexists(path):
        return Settings(), empty_node, read_languages(empty_node, language)
    node = read_yaml(path, "site.yaml", problems)
    selection = read_languages(node or empty_node, language)
    if node is None:
        return None, empty_node, selection

    if node.value is None:
        return Settings(), empty_node, selection
    languages = node.mapping.get("languages")
    node = selection.select(node, problems)
    # its keys are languages, but its values are no translations
    if languages:
        node = replace(node, value={**node.mapping, "languages": languages})
    divided = DividedMapping(node, empty_node)
    if node.mapping:
        divided = divide_settings(node, problems)

    settings = decode_node(divided.remaining, Settings, problems, "site.yaml")
    if settings is None:
        return None, divided.misplaced, selection
    if settings.schema != SCHEMA_VERSION:
        place = settings.place_of("schema")
        message = (
            f"site.yaml has schema {settings.schema}; this version of Tenure reads schema {SCHEMA_VERSION}"
        )
        hint = f"write schema: {SCHEMA_VERSION}, or install another version of Tenure"
        problems.report("schema-version", place, message, hint)

    return _check_settings(settings, problems), divided.misplaced, selection


def _check_settings(settings: Settings, problems: Problems) -> Settings:
    """Settings without an invalid URL. Invalid URLs and unknown codes of warnings to ignore are reported."""
    warnings = [code for code, (level, _) in PROBLEM_CODES.items() if level == "warning"]
    for code in settings.checks.ignore:
        if code not in warnings:
            place = settings.checks.item_place_of("ignore", code)
            known = f'"{code}" is an error, and cannot be ignored', "correct what it reports"
            unknown = f'there is no warning "{code}"', suggest_word(code, warnings, "delete it")
            problems.report("bad-value", place, *(known if code in PROBLEM_CODES else unknown))
    return replace(settings, url=_check_url(settings, problems))


def _check_url(record: Settings, problems: Problems) -> str:
    """The URL of a site, "example.org" as https://example.org; "" if it is invalid, which is reported."""
    url = record.url
    is_web_address = re.match(r"https?://[^/\s]", url) and is_valid_url(url)
    if is_web_address or not url:
        return url
    if is_bare_host_url(url):
        return f"https://{url}"
    hint = f"write https://{url.rpartition('://')[2].lstrip('/')}"
    if url.startswith("/"):
        hint = "delete it, or write the whole address of the site: https://…"
    elif not is_valid_url(url):
        hint = "correct the host after //"
    problems.report("bad-address", record.place_of("url"), f"“{url}” is not the URL of a site", hint)
    return ""


def read_profile(
    root: Path, problems: Problems, moved_keys: Node, selection: LanguageSelection
) -> tuple[Profile | None, Node]:
    """The profile with `moved_keys` from site.yaml, and the lists in it that belong in separate files."""
    empty_node = Node({}, Place("content/profile.yaml"))
    path = find_content_file(root, "profile")
    if path is None:
        hint = "begin it with: name: Your Name"
        problems.report("no-profile", empty_node.place, "content/profile.yaml does not exist", hint)
        return None, empty_node

    node = read_yaml(path, f"content/{path.name}", problems)
    if node is None or not node.mapping:
        return (decode_node(node, Profile, problems, "the profile") if node else None), empty_node
    node = selection.select(node, problems)
    divided = divide_profile(node, problems)
    merged = merge_profile_keys(divided.remaining, moved_keys, problems)
    profile = decode_node(merged, Profile, problems, "the profile")

    if profile is None:
        return None, divided.misplaced
    suffix = PurePosixPath(profile.cv).suffix.casefold()
    if suffix not in ("", ".pdf") and not url_scheme(profile.cv):
        message = f'"cv" of the profile is no PDF: {profile.cv}'
        hint = "save it as PDF, or delete the line: Tenure makes a CV"
        problems.report("own-cv", profile.place_of("cv"), message, hint)

    return _write_name_in_order(profile, problems), divided.misplaced


def _write_name_in_order(profile: Profile, problems: Problems) -> Profile:
    """
    The profile with the name of its person in natural order, if it is written as "Weber, Jana".

    "Jana Weber, PhD", "King, Martin Luther, Jr." and the name of a group stay.
    """
    family, _, given = (part.strip() for part in profile.name.partition(","))
    has_title = {remove_degrees(profile.name), remove_titles(profile.name)} != {profile.name}
    if profile.is_group or has_title or not given or "," in given or is_name_suffix(given):
        return profile
    name = f"{given} {family}"
    message = f'the name of the profile is read as "{name}"'
    problems.report("alias", profile.place_of("name"), message, f"write name: {name}")
    return replace(profile, name=name)
