"""Keys of the profile and of site.yaml that belong in another file, and facts that are not published."""

from collections.abc import Mapping

from tenure.model.entries import Profile
from tenure.model.site import Settings
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.aliases import IGNORED_ENTRY_KEYS, IGNORED_SETTING_KEYS, canonical_key, fold_key
from tenure.sources.schema.links import find_service
from tenure.sources.schema.normalize import THEME_OPTION_NAMES

ABOUT_TEXT_KEYS = frozenset(
    [
        "bio",
        "biography",
        "shortbio",
        "about",
        "aboutme",
        "summary",
        "description",
        "statement",
        "intro",
        "introduction",
    ]
)
"""Folded keys of a profile whose text belongs in content/about.md."""

PROFILE_LIST_KEYS: Mapping[str, str] = {
    "education": "education",
    "degrees": "education",
    **dict.fromkeys(
        ("experience", "workexperience", "work", "employment", "positions", "jobs"), "experience"
    ),
    "projects": "projects",
    "talks": "talks",
    "presentations": "talks",
    **dict.fromkeys(("awards", "honors", "honours", "honorsandawards", "awardsandhonors"), "awards"),
    "service": "service",
    "teaching": "teaching",
    "courses": "teaching",
    "news": "news",
    "skills": "skills",
    "languages": "languages",
    "certificates": "certificates",
    "certifications": "certificates",
    "volunteer": "volunteer",
    "hobbies": "hobbies",
    "students": "students",
    "grants": "grants",
    "memberships": "memberships",
    "patents": "patents",
    "software": "software",
}
"""Folded keys of a profile that belong in a list of their own, with the name of the list."""

UNPUBLISHED_FACTS: Mapping[str, str] = {
    **dict.fromkeys(
        ("phone", "phonenumber", "telephone", "telefon", "téléphone", "telefone", "teléfono", "tel", "mobile", "cell", "cellphone"),
        'to publish a phone number, write links: {Phone: "tel:+1…"}',
    ),
    **dict.fromkeys(
        ("fax", "officehours", "moreinfo", "nationality", "citizenship", "availability", "birthplace"),
        "to publish it, write it in content/about.md",
    ),
    **dict.fromkeys(
        ("birthday", "birthdate", "dateofbirth", "born", "gender", "maritalstatus"),
        "delete it; a CV does not need it",
    ),
    **dict.fromkeys(
        ("advisor", "advisors", "supervisor", "supervisors", "pi"),
        "write it in content/about.md, or as advisor: in content/education.yaml",
    ),
}  # fmt: skip
"""Folded keys of personal facts that are not published, with the hint for each."""

UNSUPPORTED_SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("keywords", "metakeywords"), "delete it: search engines do not read it"),
    **dict.fromkeys(
        ("darkmode", "enabledarkmode", "darklight"),
        "delete it: each theme follows the light or dark setting of the reader, with a switch",
    ),
    **dict.fromkeys(("rss", "feed", "atom"), "delete it: a site with a url has an Atom feed of its posts"),
    **dict.fromkeys(("blogname", "blogdescription", "timezone"), "delete it"),
    "languages": "write language: for the language of the site; a page can have its own language",
}
"""Folded keys of settings that Tenure does not support, with the hint for each."""


class DividedMapping(Record):
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    remaining: Node
    misplaced: Node


def divide_profile(node: Node, problems: Problems) -> DividedMapping:
    """Divide a profile into its own keys and its text and lists. A fact that is not published gives a warning."""
    remaining, misplaced = dict[str, Node](), dict[str, Node]()
    for key, child in node.mapping.items():
        folded_key = fold_key(key)
        if canonical_key(key, Profile) or child.value is None:
            remaining[key] = child
        elif folded_key in ABOUT_TEXT_KEYS and child.text:
            misplaced["about"] = child
        elif folded_key in PROFILE_LIST_KEYS:
            misplaced[PROFILE_LIST_KEYS[folded_key]] = child
        elif folded_key in UNPUBLISHED_FACTS:
            message = f'"{key}" of the profile is not published'
            problems.report("unused-key", node.key_place(key), message, UNPUBLISHED_FACTS[folded_key])
        else:
            remaining[key] = child
    return _build_divided_mapping(node, remaining, misplaced)


def divide_settings(node: Node, problems: Problems) -> DividedMapping:
    """Divide the settings into their own keys and keys of the profile. An unsupported setting gives a warning."""
    remaining, misplaced = dict[str, Node](), dict[str, Node]()
    for key, child in node.mapping.items():
        folded_key = fold_key(key)
        is_known = canonical_key(key, Settings) or folded_key in THEME_OPTION_NAMES
        is_ignored = folded_key in map(
            fold_key,
            (*IGNORED_SETTING_KEYS, *IGNORED_ENTRY_KEYS) if folded_key != "author" else IGNORED_SETTING_KEYS,
        )
        if folded_key in UNSUPPORTED_SETTINGS:
            message = f'"{key}" in site.yaml has no effect'
            problems.report("unused-key", node.key_place(key), message, UNSUPPORTED_SETTINGS[folded_key])
        elif find_service(key) and child.mapping:
            message = f'"{key}" in site.yaml is a setting of another system, and is ignored'
            problems.report("ignored-key", node.key_place(key), message, "delete it")
        elif is_known or (is_ignored and folded_key != "social"):
            remaining[key] = child
        elif (
            canonical_key(key, Profile)
            or folded_key in ("firstname", "lastname", "socials")
            or (find_service(key) and isinstance(child.value, str))
        ):
            misplaced[key] = child
        else:
            remaining[key] = child
    return _build_divided_mapping(node, remaining, misplaced)


def merge_profile_keys(node: Node, misplaced: Node, problems: Problems) -> Node:
    """Return a profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    present_fields = {
        canonical_key(key, Profile) or find_service(key) or fold_key(key) for key in node.mapping
    }
    if present_fields & {"firstname", "lastname"} or "name" in present_fields:
        present_fields |= {"name", "firstname", "lastname"}
    links = node.mapping.get("links")
    present_fields |= {find_service(key) for key in (links.mapping if links else ())}
    entries = dict(node.mapping)
    key_places = dict(node.keys)
    for key, child in misplaced.mapping.items():
        field = canonical_key(key, Profile) or find_service(key) or fold_key(key)
        place = misplaced.key_place(key)
        if field in present_fields:
            is_equal = child.text and child.text in {value.text for value in node.mapping.values()}
            code = "ignored-key" if is_equal or field in ("name", "firstname", "lastname") else "unused-key"
            message = f'"{key}" in site.yaml is not used: the profile has it already'
            problems.report(code, place, message, "delete it")
            continue
        message = f'"{key}" in site.yaml is read as a key of the profile'
        problems.report("alias", place, message, "write it into content/profile.yaml")
        entries[key], key_places[key] = child, place
    return Node(entries, node.place, key_places)


def _build_divided_mapping(
    node: Node, remaining: Mapping[str, Node], misplaced: Mapping[str, Node]
) -> DividedMapping:
    if len(remaining) == len(node.mapping):
        return DividedMapping(node, Node({}, node.place))
    return DividedMapping(Node(remaining, node.place, node.keys), Node(misplaced, node.place, node.keys))
