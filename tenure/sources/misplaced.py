"""Keys of the profile and of site.yaml that belong in another file, and facts that are not published."""

from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.model.scholar import Profile
from tenure.model.site import Settings
from tenure.problems import Problems
from tenure.sources.addresses import service_of
from tenure.sources.aliases import IGNORED, IGNORED_SETTINGS, fold, target_of
from tenure.sources.shapes import THEME_OPTIONS
from tenure.sources.tree import Node

TEXTS = frozenset(
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

LISTS: Mapping[str, str] = {
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

UNPUBLISHED: Mapping[str, str] = {
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

UNUSED_SETTINGS: Mapping[str, str] = {
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


@dataclass(frozen=True, slots=True)
class Divided:
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    own: Node
    elsewhere: Node


def divide_profile(node: Node, problems: Problems) -> Divided:
    """Divide a profile into its own keys and its text and lists. A fact that is not published gives a warning."""
    own, elsewhere = dict[str, Node](), dict[str, Node]()
    for key, child in node.entries.items():
        folded = fold(key)
        if target_of(key, Profile) or child.value is None:
            own[key] = child
        elif folded in TEXTS and child.words:
            elsewhere["about"] = child
        elif folded in LISTS:
            elsewhere[LISTS[folded]] = child
        elif folded in UNPUBLISHED:
            message = f'"{key}" of the profile is not published'
            problems.tell("unused-key", node.key_place(key), message, UNPUBLISHED[folded])
        else:
            own[key] = child
    return _divided(node, own, elsewhere)


def divide_settings(node: Node, problems: Problems) -> Divided:
    """Divide the settings into their own keys and keys of the profile. An unsupported setting gives a warning."""
    own, elsewhere = dict[str, Node](), dict[str, Node]()
    for key, child in node.entries.items():
        folded = fold(key)
        known = target_of(key, Settings) or folded in THEME_OPTIONS
        steering = folded in map(
            fold, (*IGNORED_SETTINGS, *IGNORED) if folded != "author" else IGNORED_SETTINGS
        )
        if folded in UNUSED_SETTINGS:
            message = f'"{key}" in site.yaml has no effect'
            problems.tell("unused-key", node.key_place(key), message, UNUSED_SETTINGS[folded])
        elif service_of(key) and child.entries:
            message = f'"{key}" in site.yaml is a setting of another system, and is ignored'
            problems.tell("ignored-key", node.key_place(key), message, "delete it")
        elif known or (steering and folded != "social"):
            own[key] = child
        elif (
            target_of(key, Profile)
            or folded in ("firstname", "lastname", "socials")
            or (service_of(key) and isinstance(child.value, str))
        ):
            elsewhere[key] = child
        else:
            own[key] = child
    return _divided(node, own, elsewhere)


def add_keys(node: Node, others: Node, problems: Problems) -> Node:
    """Return a profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    taken = {target_of(key, Profile) or service_of(key) or fold(key) for key in node.entries}
    if taken & {"firstname", "lastname"} or "name" in taken:
        taken |= {"name", "firstname", "lastname"}
    links = node.entries.get("links")
    taken |= {service_of(key) for key in (links.entries if links else ())}
    added = dict(node.entries)
    keys = dict(node.keys)
    for key, child in others.entries.items():
        field = target_of(key, Profile) or service_of(key) or fold(key)
        place = others.key_place(key)
        if field in taken:
            same = child.words and child.words in {value.words for value in node.entries.values()}
            code = "ignored-key" if same or field in ("name", "firstname", "lastname") else "unused-key"
            message = f'"{key}" in site.yaml is not used: the profile has it already'
            problems.tell(code, place, message, "delete it")
            continue
        message = f'"{key}" in site.yaml is read as a key of the profile'
        problems.tell("alias", place, message, "write it into content/profile.yaml")
        added[key], keys[key] = child, place
    return Node(added, node.place, keys)


def _divided(node: Node, own: Mapping[str, Node], elsewhere: Mapping[str, Node]) -> Divided:
    if len(own) == len(node.entries):
        return Divided(node, Node({}, node.place))
    return Divided(Node(own, node.place, node.keys), Node(elsewhere, node.place, node.keys))
