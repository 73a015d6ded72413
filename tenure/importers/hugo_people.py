"""Imports the people of a Hugo site (four generations): the owner to profile and CV, others to co-authors."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import number
from tenure.frozen import dataclass
from tenure.importers.cv_markdown import bullets_of, points_of
from tenure.importers.entries import add_entry, address_of
from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.hugo_config import Hugo
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.proses import paragraph
from tenure.importers.samples import is_sample, is_sample_person
from tenure.importers.socials import put_link
from tenure.sources.files import Prose
from tenure.sources.tree import Node

ICONS: Mapping[str, str] = {
    "google-scholar": "Google Scholar", "graduation-cap": "Google Scholar", "semantic-scholar": "Semantic Scholar",
    "researchgate": "ResearchGate", "arxiv": "arXiv", "orcid": "ORCID", "dblp": "DBLP", "cv": "CV", "globe": "Website",
    "link": "Website", "house": "Website", "home": "Website", "rss": "RSS", "key": "Key",
}  # fmt: skip
"""Link label for each icon, if the URL does not give one."""

DROPPED = (
    "superuser", "is_owner", "schema", "slug", "authors", "user_groups", "highlight_name", "weight", "avatar_filename",
    "status", "icon", "first_name", "last_name", "graduation_year", "aliases", "layout", "type", "draft", "lastmod",
    "show_related", "status_icon", "date", "slug",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a file: user name and name, as used in author lists, and the file's document."""

    user: str
    name: str
    path: Path
    prose: Prose
    owner: bool


def read_people(gathering: Gathering, site: Hugo) -> list[Person]:
    """Return everyone with a file except samples. The owner is first: the one marked as owner, else admin or me."""
    found: list[Person] = []
    for folder in (
        f"{site.content}/authors",
        f"{site.content}/author",
        "data/authors",
        "content/authors",
        "content/author",
    ):
        for path in gathering.below(folder, ".md", ".yaml", ".yml", ".toml", ".json"):
            person = _person(gathering, path)
            if person is not None and person.user not in {one.user for one in found}:
                found.append(person)
    superusers = [one for one in found if one.owner] or [one for one in found if one.user in ("me", "admin")]
    main = next(
        (one for one in superusers if one.user in ("me", "admin")), superusers[0] if superusers else None
    )
    return [*([main] if main else []), *(one for one in found if one is not main)]


def _person(gathering: Gathering, path: Path) -> Person | None:
    user = path.parent.name if path.stem in ("_index", "index") else re.sub(r"[.-][a-z]{2}$", "", path.stem)
    if user in ("authors", "author"):
        return None
    if path.suffix == ".md":
        prose = gathering.prose(path)
    else:
        node = gathering.yaml(path)
        prose = Prose(node, "", 1) if node is not None else None
    if prose is None:
        return None
    front = prose.front.entries
    name = _name(prose.front)
    if is_sample_person(name):
        gathering.left(gathering.name_of(path), f"sample content of the template: {name}")
        return None
    owner = any(
        words_of(front[key]).casefold() == "true" for key in ("superuser", "is_owner") if key in front
    )
    return Person(user.casefold(), name or user, path, prose, owner)


def _name(node: Node) -> str:
    front = node.entries
    whole = front.get("name")
    if whole is not None and whole.entries:
        parts = (
            words_of(whole.entries[key]) for key in ("given", "middle", "family") if key in whole.entries
        )
        return words_of(whole.entries["display"]) if "display" in whole.entries else " ".join(parts)
    both = " ".join(words_of(front[key]) for key in ("first_name", "last_name") if key in front).strip()
    return next(
        (words for key in ("title", "name") if key in front and (words := words_of(front[key]))), both
    )


def put_owner(texts: HugoTexts, person: Person) -> None:
    """Import the owner's file to the profile, the introduction and the CV collections."""
    gathering, profile = texts.gathering, texts.gathering.profile
    taken = Taken(person.prose.front, gathering)
    taken.drop("title", "name", *DROPPED)
    profile["name"] = person.name
    whole = person.prose.front.entries.get("name")
    if whole is not None and "alternate" in whole.entries:
        profile["aliases"] = [words_of(whole.entries["alternate"])]
    role = texts.line(taken.words("role"), taken.place)
    profile["role"] = "" if "@" in role else role
    houses = taken.list("organizations", "affiliations", "organization")
    profile["affiliation"] = [house for node in houses if (house := _house(node))]
    email = taken.words("email")
    if "@" in email:
        profile["email"] = email
    profile["pronouns"] = taken.words("pronouns", "name_pronunciation")
    profile["interests"] = [texts.plain(words_of(node)) for node in taken.list("interests")]
    _put_links(texts, taken)
    _put_picture(texts, person)
    _put_introduction(texts, person, taken.words("bio"))
    gathering.came(gathering.name_of(person.path), "profile")
    put_cv(texts, taken)
    taken.finish()


def _house(node: Node) -> Entry | str:
    if not node.entries:
        return words_of(node)
    url = address_of(words_of(node.entries["url"])) if "url" in node.entries else ""
    name = words_of(node.entries["name"]) if "name" in node.entries else ""
    return {"name": name, "url": url} if url else name


def _put_links(texts: HugoTexts, taken: Taken) -> None:
    gathering = texts.gathering
    for node in (*taken.list("social"), *taken.list("profiles"), *taken.list("links")):
        one = Taken(node, gathering)
        icon = one.words("icon").rpartition("/")[2]
        url = one.words("link", "url")
        label = one.words("label", "name") or ICONS.get(icon, icon)
        one.drop("icon_pack", "display", "weight", "params")
        one.finish()
        if re.match(r"/?#|\./#|/[\w-]*/?#", url) or not url:
            continue
        if re.search(r"\.pdf$", url.partition("#")[0], re.IGNORECASE) and "://" not in url:
            found = texts.file(url)
            if found and (
                icon in ("cv", "document", "file-pdf") or re.search(r"cv|resume|vita", url, re.IGNORECASE)
            ):
                gathering.profile["cv"] = found
            elif found:
                gathering.links[label or "PDF"] = found
            else:
                gathering.left(one.place, f"{label or icon}: {url} is not in the source")
            continue
        put_link(gathering, url, label, one.place)


def _put_picture(texts: HugoTexts, person: Person) -> None:
    gathering = texts.gathering
    beside = gathering.below(gathering.name_of(person.path.parent)) if person.path.suffix == ".md" else []
    media = [path for path in gathering.below("assets/media/authors") if path.stem.casefold() == person.user]
    pictures = [
        path for path in (*beside, *media) if re.match(r"avatar|featured|profile", path.stem) or path in media
    ]
    found = next(
        (path for path in pictures if path.suffix.casefold() in (".jpg", ".jpeg", ".png", ".webp", ".gif")),
        None,
    )
    photo = gathering.copy(gathering.name_of(found)) if found is not None else ""
    if photo:
        gathering.profile["photo"] = photo


def _put_introduction(texts: HugoTexts, person: Person, bio: str) -> None:
    """Import the owner's text as introduction; `bio` becomes the site's description, or the introduction without a text."""
    gathering = texts.gathering
    place = f"{gathering.name_of(person.path)}:{person.prose.line}"
    body = "" if is_sample(person.prose.body) else texts.body(person.prose.body, place)
    if person.prose.body.strip() and is_sample(person.prose.body):
        gathering.left(place, "sample content of the template: the biography")
    words = "" if is_sample(bio) else texts.line(bio, place)
    if body or words:
        gathering.files["content/about.md"] = f"{body or words}\n"
        gathering.came(place, "introduction")
    if body and words:
        gathering.settings.setdefault("description", words)
        gathering.changed(place, "bio became the description of the site")


def put_cv(texts: HugoTexts, taken: Taken) -> None:
    """Import education, experience, awards, skills and languages of a file."""
    gathering = texts.gathering
    education = taken.node_of("education")
    courses = education.entries.get("courses", education) if education is not None else None
    for name, nodes in (
        ("education", courses.items if courses is not None else ()),
        ("experience", tuple(taken.list("work", "experience"))),
        ("awards", tuple(taken.list("awards"))),
    ):
        for node in nodes:
            put_entry(texts, name, node)
    for name, title in (("skills", "Skills"), ("languages", "Languages")):
        for node in taken.list(name):
            put_skills(gathering, name, title, node)


def put_entry(texts: HugoTexts, collection: str, node: Node) -> None:
    """Import a CV entry; the template's samples are reported as skipped."""
    gathering = texts.gathering
    if is_sample(words_of(node)):
        gathering.left(
            f"{node.place.file}:{node.place.line}",
            f"sample content of the template: an entry of {collection}",
        )
        return
    taken = Taken(node, gathering)
    taken.drop("icon", "icon_pack", "company_logo", "logo", "date_format", "color")
    button = taken.node_of("button")
    more = described(texts, taken.words("description", "summary"), taken.place)
    add_entry(gathering, collection, taken, texts.inner, more=more)
    url = words_of(button.entries["url"]) if button is not None and "url" in button.entries else ""
    if url and not re.match(r"#?$|https://(?:www\.)?example", url):
        gathering.left(taken.place, f"a button that links to {url}")


def described(texts: HugoTexts, words: str, place: str) -> Entry:
    """Convert a text to a `summary`, and its list to `details`."""
    made = texts.inner(words, place) if words else ""
    head = re.split(r"(?m)^(?=[ \t]*[-*+][ \t])", made, maxsplit=1)[0]
    rest = made[len(head) :]
    bullets = bullets_of(rest) if rest else None
    if bullets is None:
        return {"summary": paragraph(made)} if made else {}
    entry: Entry = {"details": points_of(bullets)}
    return {"summary": paragraph(head), **entry} if head.strip() else entry


def put_skills(gathering: Gathering, collection: str, title: str, node: Node) -> None:
    """Import a skill or a group of skills; a level becomes a number in the text."""
    place = f"{node.place.file}:{node.place.line}"
    if node.words:
        gathering.add(collection, {"text": node.words}, place, title)
        return
    taken = Taken(node, gathering)
    items = taken.list("items")
    taken.drop("color", "color_border", "icon", "icon_pack")
    name = taken.words("name", "label", "title", "language")
    parts = [_skill(Taken(item, gathering)) for item in items]
    text = ", ".join(part for part in parts if part) or taken.words(
        "description", "label", "level", "percent"
    )
    taken.finish()
    if name or text:
        gathering.add(
            collection,
            {key: value for key, value in {"title": name, "text": text}.items() if value},
            place,
            title,
        )


def _skill(taken: Taken) -> str:
    taken.drop("icon", "icon_pack", "color")
    name, more = taken.words("name", "label"), taken.words("description")
    level = taken.words("percent", "level")
    taken.finish()
    figure = f"{level} %" if level.isdecimal() and int(level) > 5 else f"{level}/5" if level else ""
    told = ", ".join(part for part in (more, figure) if part)
    return f"{name} ({told})" if told else name


def put_others(texts: HugoTexts, people: list[Person]) -> None:
    """Import the other people's links to coauthors.yaml; the rest of their files is reported as skipped."""
    gathering = texts.gathering
    found: list[Entry] = []
    for person in people:
        taken = Taken(person.prose.front, gathering)
        links = [
            words_of(node.entries.get("link") or node.entries.get("url") or node)
            for key in ("social", "profiles", "links")
            for node in taken.list(key)
        ]
        url = next(
            (address for link in links if (address := address_of(link)) and address.startswith("http")), ""
        )
        if url:
            found.append({"name": person.name, "url": url})
        taken.drop("title", "name", "email", *DROPPED)
        told = [words_of(node) for node in taken.rest().values() if words_of(node)]
        if told or person.prose.body.strip():
            gathering.left(
                gathering.name_of(person.path), f"{person.name}: role, biography and picture of somebody else"
            )
    if found:
        unique = [*{str(entry["name"]): entry for entry in found}.values()]
        gathering.put_list("coauthors", unique)
        gathering.came("authors", f"{number(len(unique), 'co-author')} with an address")
