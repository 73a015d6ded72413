"""
Hugo: Academic, Wowchemy, Hugo Blox and other themes.

An `Author` is a person of content/authors/: the owner, a member of a group, or somebody else. A `Widget` is a
part of the home page: it has entries of a list, shows a list, or is a text. A bundle is the folder of a page
with its files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from tenure.markdown.html import make_slug
from tenure.model.files import IMAGE_PATTERN, IMAGE_SUFFIXES
from tenure.model.identifiers import make_arxiv_url
from tenure.model.languages import find_language
from tenure.plan.kinds import PAGE_LISTS
from tenure.record import Record, replace
from tenure.sources.schema.link_forms import find_service
from tenure_import.imported_document import (
    LIST_PATTERNS,
    RESERVED_NAMES,
    Document,
    find_list,
    format_text_file,
)
from tenure_import.importer import Import, System
from tenure_import.jekyll import read_shown_bib_files
from tenure_import.owner import choose_name
from tenure_import.samples import SAMPLE_NOTE, is_sample_person, is_sample_text, is_sample_url
from tenure_import.source import (
    Data,
    Entry,
    describe_entry,
    drop_empty,
    get_entries,
    get_items,
    get_mapping,
    get_text,
    get_texts,
    join_texts,
    read_rank,
    split_front_matter,
)
from tenure_import.text import normalize_url

ROOT = r"content/(?:[a-z]{2}(?:-[a-z]{2,4})?/)?"
"""content/, or content/de/ of a further language."""

SECTIONS = r"publications?|papers?|events?|talks?|projects?|portfolio|posts?|blogs?|news|articles?|authors?"
PLACES: Sequence[tuple[str, str]] = (
    (rf"{ROOT}_index(?:\.[a-z-]+)?\.md|{ROOT}(?:home|authors?|admin|slides)/.*", "-"),
    (rf"{ROOT}(?:{SECTIONS})/_index(?:\.[a-z-]+)?\.md", "-"),
    (rf"{ROOT}(?:publications?|papers?)/.*\.md", "publications"),
    (rf"{ROOT}(?:events?|talks?)/.*\.md", "talks"),
    (rf"{ROOT}(?:projects?|portfolio)/.*\.md", "projects"),
    (rf"{ROOT}(?:posts?|blogs?|news|articles?)/.*\.(?:md|Rmd|rmd|qmd)", "posts"),
    (rf"{ROOT}(?:privacy|terms|search|archives?)(?:\.\w\w)?\.md|content/old/.*|.*/README\.md", "-"),
    (rf"{ROOT}.*\.(?:md|markdown|html)", "pages"),
)
"""The lists of files; "-" is what a step reads instead, such as content/home/, or what
Tenure makes itself."""

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {
        "image": "",
        "projects": "",
        "type": "",
        "gallery": "",
        "url_code": "code",
        "url_pdf": "pdf",
        "url_slides": "slides",
        "url_video": "video",
        "external_link": "url",
        "categories": "tags",
    },
    "education": {"company": "institution", "title": "degree"},
    "experience": {"org": "organization"},
    "projects": {"summary": "tagline", "slides": ""},
    "posts": {"subtitle": "summary", "slides": "", "description": "summary"},
    "talks": {
        "event_url": "url",
        "slides": "",
        "location": "place",
        "time_start": "date",
        "event_start": "date",
        "abstract": "summary",
        "address": "",
        "time_end": "",
        "date_end": "",
        "event_end": "",
    },
    "pages": {"date": "", "tags": "", "subtitle": "summary", "description": "summary"},
    "publications": {
        "publication": "venue",
        "publication_types": "type",
        "authors": "author",
        "url_pdf": "pdf",
        "url_code": "code",
        "url_slides": "slides",
        "url_video": "video",
        "url_poster": "poster",
        "url_project": "website",
        "url_preprint": "preprint",
        "featured": "selected",
        "publication_short": "abbr",
        "external_link": "url",
        "image": "",
    },
}

ENTRY_WIDGETS: Mapping[str, str] = {
    "experience": "experience",
    "resume-experience": "experience",
    "work": "experience",
    "accomplishments": "awards",
    "resume-awards": "awards",
    "awards": "awards",
    "certificates": "awards",
    "skills": "skills",
    "featurette": "skills",
    "features": "skills",
    "resume-skills": "skills",
    "education": "education",
    "resume-education": "education",
    "teaching": "teaching",
    "service": "service",
    "volunteering": "service",
    "resume-languages": "languages",
    "languages": "languages",
}
"""The list of each kind of widget that has its entries in itself."""


ABOUT_HEADING = re.compile(r"\A#+[ \t]+(?:Biography|About(?: me)?)[ \t]*\n+")
"""## Biography, at the beginning of a text."""


class Widget(Record):
    """A part of the home page with its kind; `name` is the same in all languages."""

    weight: float
    place: str
    name: str
    kind: str
    front: Entry
    body: str


def _read_settings(run: Import) -> Entry:
    """The values of all files of configuration, the outer keys in lower case."""
    values: Entry = {}
    pattern = (
        r"(?:config/(?:_default|production)/)?(?P<name>hugo|config|params|languages)\.(?:toml|ya?ml|json)"
    )
    for name in run.source.find(pattern):
        data = run.source.data(name)
        stem = PurePosixPath(name).stem
        # params.toml and languages.toml are the values of these keys, without the key
        own_values = {stem: data} if stem in ("params", "languages") else get_mapping(data)
        for key, value in own_values.items():
            known = values.get(key.casefold(), "")
            has_both = isinstance(known, dict) and isinstance(value, dict)
            values[key.casefold()] = {**get_mapping(known), **get_mapping(value)} if has_both else value
    return values


def read_config(run: Import) -> None:
    """Address, languages, description and contact; the owner, if a theme keeps it in the configuration."""
    values = _read_settings(run)
    params = get_mapping(values, "params")
    author = get_mapping(params, "author") or get_mapping(values, "author")
    language = get_text(values, "defaultcontentlanguage", "languagecode", "locale")[:2].lower() or "en"
    own = get_mapping(values, "languages", language)

    descriptions = (
        get_text(params, "description"),
        get_text(get_mapping(params, "marketing", "seo"), "description"),
        get_text(get_mapping(params, "hugoblox", "identity"), "tagline", "description"),
    )
    address = get_text(own, "baseURL", "baseurl") or get_text(values, "baseurl")
    run.set_site(address, language, next(filter(None, descriptions), ""))
    run.owner_candidates = [
        get_text(author, "name"),
        get_text(params, "author", "name"),
        get_text(own, "title"),
        get_text(values, "title"),
    ]

    _read_contact(run, params, author)
    run.language = language
    run.further_languages = _list_further_languages(run, values)


def _read_contact(run: Import, params: Entry, author: Entry) -> None:
    """The e-mail address, the role and the links of the owner; the telephone and the address are reported."""
    contact = get_mapping(params, "contact")
    for data in (params, contact, author):
        run.add_link(get_text(data, "email"))
    for key in ("phone", "address", "office_hours"):
        text = get_text(contact, key) or get_text(params, key)
        if text and not is_sample_text(text):
            hint = "write it as office: or location: in content/profile.yaml"
            run.note("params", f"{key}: {describe_entry(text)} ({hint})")

    roles = (get_text(data, "info", "headline", "subtitle") for data in (author, params))
    if role := next(filter(None, roles), ""):
        run.profile["role"] = run.line(role, "params")
    for link in (*get_entries(params, "socialIcons", "social"), *get_entries(author, "links")):
        run.add_link(get_text(link, "url"), get_text(link, "name", "title"))


_CODE_IN_CONTENT = re.compile(
    r"""
    content/(?P<folder>[a-z]{2}(?:-\w{2,4})?)/
    | content/.*\.(?P<suffix>[a-z]{2}(?:-\w{2,4})?)\.md$
    """,
    re.VERBOSE,
)
"""The language of content/de/post/a.md and of content/post/a.de.md."""


def _list_further_languages(run: Import, values: Entry) -> list[str]:
    """The languages of the configuration and of the files, without the main one."""
    codes = {*get_mapping(values, "languages")}
    for name in run.source.files:
        if match := _CODE_IN_CONTENT.match(name):
            codes.add(match["folder"] or match["suffix"])
    return [code for code in sorted(codes) if find_language(code) and code != run.language]


def find_code(run: Import, name: str) -> str:
    """
    The language of a file of content/: the main one, or that of its folder or its name.

    "content/de/post/a.md" or "content/post/a.de.md" -> "de", if the site has German.
    """
    match = re.match(r"content/([a-z]{2}(?:-\w{2,4})?)/", name)
    match = match or re.search(r"\.([a-z]{2}(?:-\w{2,4})?)\.\w+$", name)
    if match and match[1] in run.further_languages:
        return match[1]
    return run.language


class Author(Record):
    """A person of content/authors/: the name of the folder is `user`; the text is a biography."""

    place: str
    user: str
    name: str
    front: Entry
    body: str


def _list_authors(run: Import) -> Iterator[Author]:
    """
    The people of a site, first those in its main language; samples of the theme are noted.

    content/authors/ada/_index.md, data/authors/ada.yaml -> an Author with the user "ada"
    """
    names = run.source.find(
        rf"{ROOT}authors?/[^/]+/_?index(?:\.[a-z-]+)?\.md"
        r"|data/authors/.*\.(?:ya?ml|json|toml)"
        r"|content/authors/[^/_]+\.md"
    )
    for place in sorted(names, key=lambda name: find_code(run, name) != run.language):
        path = PurePosixPath(place)
        text = run.source.text(place) if path.suffix == ".md" else ""
        front, body = split_front_matter(text) if text else (get_mapping(run.source.data(place)), "")

        parts = front.get("name", "")
        name = get_text(parts, "display") or join_texts(parts, "given", "family")
        name = name or get_text(front, "title", "name") or join_texts(front, "first_name", "last_name")
        user = path.parent.name if "index" in path.name else path.stem
        if is_sample_person(name):
            run.note(place, SAMPLE_NOTE)
        else:
            yield Author(place, user.casefold(), name or user, front, body)


def read_authors(run: Import) -> None:
    """
    The owner to the profile and the CV, the members of a group, the names of others for publications.

    The texts of others are noted; a member in a further language is dropped.
    """
    authors = [*_list_authors(run)]
    people: dict[str, Author] = {}
    for author in authors:
        people.setdefault(author.user, author)
    for person in people.values():
        run.people_names |= {person.user: person.name, person.name.casefold(): person.name}
    owner = _find_owner(people)
    members = _find_members(people, owner)

    for author in authors:
        # the first of a user is that in the main language
        is_translation = people[author.user] is not author
        if is_translation and author.user == owner and not members:
            _read_translated_owner(run, replace(author, name=people[owner].name))
        elif is_translation:
            continue
        elif author.user in members:
            _write_member(run, author)
        elif author.user == owner and not members:
            _read_owner(run, author)
        else:
            run.note(author.place, f"{author.name}: role, biography and links of somebody else")

    title = choose_name(run.owner_candidates)
    if members:
        email = run.profile.get("email", "")
        run.profile = drop_empty({"name": title or "Group", "kind": "group", "email": email})
    elif not get_text(run.profile, "name") and title:
        run.profile["name"] = title


def _read_translated_owner(run: Import, author: Author) -> None:
    """Read the owner in another language of the site: content/de/authors/admin/_index.md."""
    code = find_code(run, author.place)
    if code != run.language:
        run.read_language(code, author.place, partial(_read_owner, author=author))


def _find_owner(people: Mapping[str, Author]) -> str:
    """The folder of the owner: the one that says so, or "admin" or "me"; "" if there is none."""
    flagged = [
        user for user, person in people.items() if get_text(person.front, "superuser", "is_owner") == "true"
    ]
    named = [user for user in ("admin", "me") if user in people]
    return next(iter([*flagged, *named]), "")


def _find_members(people: Mapping[str, Author], owner: str) -> set[str]:
    """
    The folders of the members of a group; none if the site is that of a person.

    An owner in a group, with at most one other author, is a person; three authors in groups, or two without
    the owner, are a group.
    """
    members = {user for user, person in people.items() if get_items(person.front, "user_groups")}
    if len(people) <= 2:
        members.discard(owner)
    is_group = len(members) > 2 or (len(members) > 1 and owner not in members)
    return members if is_group else set()


NAMED_ICONS = frozenset({"fab", "ai", "brands", "academicons", "custom"})
"""The sets of icons with names of services; in others, an envelope or a globe is no label."""


def _list_links(front: Entry) -> Iterator[tuple[str, str]]:
    """
    The labels and the URLs of a person's links, labelled by their icon or their host if they have no name.

    {icon: brands/linkedin-in, url: …} -> "linkedin"; {icon: fas/link, url: https://a.org/x} -> "a.org".
    """
    for key in ("social", "profiles", "links"):
        for link in get_entries(front, key):
            url = get_text(link, "link", "url")
            host = re.sub(r"https?://(?:www\.)?|[/?#].*", "", url)
            pack, _, icon = get_text(link, "icon").rpartition("/")
            is_name = (pack or get_text(link, "icon_pack")) in NAMED_ICONS or find_service(icon)
            name = icon.replace("graduation-cap", "scholar").removesuffix("-in") if is_name else ""
            yield get_text(link, "label", "name") or name or host, url


def _write_member(run: Import, author: Author) -> None:
    """Write a person of a group as a file of content/people/; the old URL authors/ada leads there."""
    front = author.front
    organizations = (get_text(item, "name") for item in get_entries(front, "organizations"))
    links: Entry = {
        label or url: url for label, url in _list_links(front) if "://" in url and not is_sample_url(url)
    }
    entry: Entry = {
        "name": author.name,
        "role": get_text(front, "role"),
        "group": next(iter(get_texts(front, "user_groups")), ""),
        "organization": ", ".join(filter(None, organizations)),
        "interests": run.value(get_items(front, "interests"), author.place),
        "image": _find_photo(run, author.place),
        "links": links,
    }
    text = "" if is_sample_text(author.body) else run.text(author.body, author.place)
    stem = make_slug(author.user) or "member"
    run.files[f"content/people/{stem}.md"] = format_text_file(drop_empty(entry), text)

    url = f"/people/{stem}/" if text else "/people/"
    for old in ("author", "authors"):
        run.urls.setdefault(f"{old}/{author.user}", url)


def _find_photo(run: Import, name: str) -> str:
    """
    The picture of an author: beside the text, in assets/media/authors/ or static/img/; "" if there is none.
    """
    folder = str(PurePosixPath(name).parent)
    user = re.escape(PurePosixPath(folder).name)
    pattern = (
        rf"{re.escape(folder)}/(?:avatar|featured|profile)\.\w+"
        rf"|assets/media/authors/{user}\.\w+"
        r"|static/img/(?:avatar|portrait|profile)\.\w+"
    )
    found = [file for file in run.source.find(pattern) if file.casefold().endswith(IMAGE_SUFFIXES)]
    return run.copy(found[0]) if found else ""


def _read_owner(run: Import, author: Author) -> None:
    """
    Read the owner from the front matter of an author: profile, links, lists of the CV and the text.

    {role: Lecturer, organizations: [{name: MIT}], education: {courses: [{course: PhD}]}}
    """
    front = author.front
    place = author.place
    is_named = author.name.casefold() not in ("admin", "me")
    # interests: {interests: [looms]}, or interests: [looms]
    interests = get_items(get_mapping(front, "interests"), "interests") or get_items(front, "interests")
    run.profile |= drop_empty(
        {
            "name": author.name if is_named else choose_name(run.owner_candidates),
            "role": run.line(get_text(front, "role"), place),
            "photo": _find_photo(run, place),
            "affiliation": _list_organizations(front),
            "interests": [run.line(_read_name(item, "name", "title"), place) for item in interests],
        }
    )

    run.add_link(get_text(front, "email"))
    for label, url in _list_links(front):
        if url.endswith(".pdf") and "://" not in url:
            run.profile["cv"] = run.copy_first(url, f"static/{url}")
        elif url.startswith("mailto:"):
            run.add_link(url)
        else:
            run.add_accounts({label: url})

    courses = get_items(get_mapping(front, "education"), "courses")
    rows = {
        "education": courses or get_entries(front, "education"),
        "experience": get_items(front, "work", "experience"),
        **{kind: get_items(front, kind) for kind in ("awards", "skills", "languages")},
    }
    for kind, items in rows.items():
        for item in items:
            add_widget_item(run, kind, kind.capitalize(), item, place)

    texts = (author.body, get_text(front, "bio"))
    body = next((text for text in texts if text.strip() and not is_sample_text(text)), "")
    run.add_about(ABOUT_HEADING.sub("", run.text(body, place)))


def _list_organizations(front: Entry) -> list[Data]:
    """The organizations of a person: a name, or a mapping of a name and a URL."""
    organizations: list[Data] = []
    for item in get_items(front, "organizations", "affiliations"):
        name = _read_name(item, "name")
        url = get_text(item, "url")
        if name:
            organizations.append({"name": name, "url": url} if re.match(r"https?://[^/]", url) else name)
    return organizations


def _read_name(item: Data, *keys: str) -> str:
    """A text, or the first text under these keys: "Graphs" or {name: Graphs} -> "Graphs"."""
    return item if isinstance(item, str) else get_text(item, *keys)


def add_widget_item(run: Import, kind: str, title: str, item: Data, place: str) -> None:
    """Add an entry of a widget: a position, an award, or a group of skills."""
    # the skills of the sample owner
    is_sample_skill = re.search(r"Photography|Statistics.*\b100 ?%|R.*\b90 ?%", str(item))
    if is_sample_skill or is_sample_text(str(item)):
        run.note(place, f"{SAMPLE_NOTE}: {describe_entry(item)}")
    elif isinstance(item, str):
        run.add_entry(kind, title, {"text": run.line(item, place)})
    elif isinstance(item, dict):
        run.add_entry(kind, title, run.entry(kind, _arrange_widget_item(item, kind), place))


DECORATION = re.compile(r"icon|company_logo|date_format|color|button|percent|level|image_style|design")
"""Keys of an entry that only change its look."""


def _arrange_widget_item(item: Entry, kind: str) -> Entry:
    """
    An entry of a widget with dates of months, and a group of skills as a title and a text.

    {name: Tools, items: [{name: R}, {name: Coq}]} -> {title: Tools, text: "R, Coq"}.
    """
    entry = {key: value for key, value in item.items() if not DECORATION.match(key)}
    title = get_text(entry, "name", "title")
    if "items" in entry and kind not in ("education", "experience"):
        texts = [
            get_text(child, "name", "title") if isinstance(child, dict) else str(child)
            for child in get_items(entry, "items")
        ]
        entry = {"title": title, "text": ", ".join(filter(None, texts))}

    for key in ("date_start", "date_end", "date"):
        # "2020-03-01" -> "2020-03"
        if re.match(r"\d{4}-\d\d-\d\d", get_text(entry, key)):
            entry[key] = get_text(entry, key)[:7]
    if kind == "experience" and entry.get("date_start") and not entry.get("date_end"):
        entry["date_end"] = "present"
    if kind == "skills":
        return {"title": title, "text": get_text(entry, "text", "description")}
    return entry


def list_widgets(run: Import, code: str) -> Iterator[Widget]:
    """
    The parts of the home page in a language: files of content/home/, and blocks of _index.md.

    A part that the old site has switched off, `active: false`, is noted.
    """
    is_main = code == run.language
    for name in run.source.find(rf"{ROOT}(?:home/[^/]+|_index(?:\.[a-z-]+)?)\.(?:md|markdown)"):
        if find_code(run, name) != code:
            continue
        front, body = split_front_matter(run.source.text(name))
        stem = PurePosixPath(name).stem.partition(".")[0]

        if stem in ("_index", "index") and "widget" not in front:
            yield from _list_blocks(run, name, front, is_main=is_main)
            # its own text is after all other parts
            rest = {key: value for key, value in front.items() if key != "sections"}
            yield Widget(5000.0, name, "introduction", "blank", rest, body)
        elif get_text(front, "active") != "false":
            rank = read_rank(get_text(front, "weight"))
            yield Widget(rank, name, stem, get_text(front, "widget") or "blank", front, body)
        elif is_main and body.strip():
            run.note(name, "a disabled part of the home page")


def _list_blocks(run: Import, name: str, front: Entry, *, is_main: bool) -> Iterator[Widget]:
    """The blocks of an _index.md, in their order."""
    for index, block in enumerate(get_entries(front, "sections")):
        kind = get_text(block, "block")
        if get_text(block, "demo") != "true":
            # blocks are after the files of content/home/
            values = {**block, **get_mapping(block, "content")}
            yield Widget(1000.0 + index, name, f"block {index}", kind or "markdown", values, "")
        elif is_main:
            run.note(name, f"a block {kind} for the demonstration of the template")


def read_home(run: Import) -> None:
    """The home page: entries to lists, texts to files of content/, and the order of its sections."""
    stems: dict[str, str] = {}
    for widget in sorted(list_widgets(run, run.language), key=lambda widget: widget.weight):
        if section := _read_widget(run, widget):
            stems[widget.name] = section
    for code in run.further_languages:
        for widget in list_widgets(run, code):
            _read_translated_widget(run, widget, code, stems.get(widget.name, ""))


def _read_translated_widget(run: Import, widget: Widget, code: str, stem: str) -> None:
    """
    Read a part of the home page in a further language, of which `stem` is the section in the main one.

    A text without a counterpart in the main language is noted.
    """
    title = get_text(widget.front, "title")
    text = "\n\n".join(filter(None, (str(widget.front.get("text", "")), widget.body)))
    if f"content/{stem}.md" in run.files and text.strip():
        front = drop_empty({"title": title if stem != "about" else ""})
        run.files[f"content/{stem}.{code}.md"] = format_text_file(front, run.text(text, widget.place))
        run.add_language(code)
    elif widget.kind in ENTRY_WIDGETS:
        run.read_language(code, widget.place, partial(_read_entries, widget=widget))
    elif text.strip() and not is_sample_text(text):
        run.note(widget.place, f"a part of the home page in another language ({code}): {title}")


ENTRY_KEYS = ("items", "item", "experience", "education", "awards", "feature", "features", "categories")
"""The keys under which a widget has its entries; the first list that is not empty is taken."""


def _read_entries(run: Import, widget: Widget) -> str:
    """Read the entries of a part of the home page; returns their list, "" if there are none."""
    front = widget.front
    place = widget.place
    title = run.line(get_text(front, "title"), place)
    kind = find_list(title)
    if kind not in ("education", "experience", "awards", "teaching", "service"):
        kind = ENTRY_WIDGETS[widget.kind]

    lists = (front.get(key) for key in ENTRY_KEYS)
    items = next((value for value in lists if isinstance(value, list) and value), [])
    # Hugo writes a format of dates as the date 2 January 2006
    has_years = re.fullmatch(r"\W*2006\W*", get_text(front, "date_format")) is not None
    for item in items:
        if has_years:
            item = _shorten_dates(get_mapping(item)) or item
        add_widget_item(run, kind, title or kind.capitalize(), item, place)
    return kind if items and run.lists.get(kind) else ""


def _shorten_dates(item: Entry) -> Entry:
    """An entry with the years of its dates: 2020-03-01 -> 2020."""
    return {key: str(value)[:4] if key.startswith("date") else value for key, value in item.items()}


def _read_widget(run: Import, widget: Widget) -> str:
    """
    Read a part of the home page; returns the section that shows it, "" if there is none.

    A text of the theme is dropped.
    """
    front = widget.front
    place = widget.place
    title = run.line(get_text(front, "title"), place)
    own_text = front.get("text", "")
    texts = (own_text if isinstance(own_text, str) else "", widget.body)
    text = "\n\n".join(filter(None, texts))
    if widget.kind in ENTRY_WIDGETS and (kind := _read_entries(run, widget)):
        return kind
    shown = _find_shown_list(widget)
    if shown and not text.strip():
        return shown

    if widget.kind.startswith("contact"):
        run.add_link(get_text(front, "email"))
    if not text.strip() or is_sample_text(text):
        return ""

    body = ABOUT_HEADING.sub("", run.text(text, place))
    # the first text without a title is the introduction; that of _index.md itself has this name
    if (not title or widget.name == "introduction") and "content/about.md" not in run.files:
        run.add_about(body)
        return "about"
    stem = make_slug(title) or make_slug(widget.name) or "more"
    if stem in {*RESERVED_NAMES, *LIST_PATTERNS, *PAGE_LISTS, *run.lists, "skills", "languages"}:
        stem = f"{stem}-text"
    run.files[f"content/{stem}.md"] = format_text_file(drop_empty({"title": title}), body)
    return stem


LIST_WIDGETS: Mapping[str, str] = {
    "publications": "publications",
    "publications_featured": "publications",
    "featured": "publications",
    "talks": "talks",
    "events": "talks",
    "talks_featured": "talks",
    "projects": "projects",
    "portfolio": "projects",
    "posts": "posts",
    "publication": "publications",
    "talk": "talks",
    "event": "talks",
    "project": "projects",
    "post": "posts",
    "blog": "posts",
    "news": "posts",
}
"""The list of each kind of widget, or of the folder, that shows other pages."""


def _find_shown_list(widget: Widget) -> str:
    """The list whose pages a part of the home page shows, by its folder or its kind; "" if it shows none."""
    front = widget.front
    folders = get_texts(get_mapping(front, "filters"), "folders", "page_type")
    folders = folders or get_texts(front, "page_type")
    name = folders[0].rpartition("/")[2] if folders else widget.kind
    return LIST_WIDGETS.get(name, "")


def read_bundles(run: Import) -> None:
    """What the folder of a page adds: its BibTeX entry, its image, names of authors, its second language."""
    documents: list[Document] = []
    for document in run.documents:
        code = find_code(run, document.name)
        if code == run.language:
            documents.append(replace(document, front=drop_empty(_read_bundle(run, document))))
            continue
        run.translations.append((code, document))
        for old in document.old_urls:
            run.urls.setdefault(normalize_url(f"{code}{old}"), document.url)
    run.documents = documents


def _read_bundle(run: Import, document: Document) -> Entry:
    """The front matter of a page with what its folder adds: featured.jpg as its image, cite.bib."""
    path = PurePosixPath(document.name)
    is_bundle = path.stem.startswith("index")
    folder = re.escape(str(path.parent))
    front = dict(document.front)
    if document.list in ("projects", "posts") and is_bundle:
        images = run.source.find(rf"{folder}/featured(?:{IMAGE_PATTERN})")
        if images:
            front["picture"] = images[0].rpartition("/")[2]
    if document.list != "publications":
        front["links"] = _read_links(front)
        return front

    front["authors"] = [
        run.people_names.get(name.casefold(), name) if isinstance(name, str) else name
        for name in get_items(front, "authors", "author")
    ]
    front.setdefault("doi", get_text(get_mapping(front, "hugoblox", "ids"), "doi"))
    for link in get_entries(front, "links"):
        number = get_text(link, "id")
        # {provider: arxiv, id: 2405.01234}
        if number and get_text(link, "provider").casefold() == "arxiv":
            front["url_preprint"] = make_arxiv_url(number)
    bibs = run.source.find(rf"{folder}/[^/]+\.bib") if is_bundle else []
    if bibs:
        front["bibtex_entry"] = run.source.text(bibs[0])
    return front


def _read_links(front: Entry) -> Entry:
    """The links of a page by their labels; without those that are neither a web address nor a path."""
    links: Entry = {}
    for link in get_entries(front, "links"):
        url = get_text(link, "url", "link")
        if re.match(r"https?://|/", url):
            links[get_text(link, "name", "label", "type") or get_text(link, "icon") or url] = url
    return links


def read_bib_files(run: Import) -> None:
    """The .bib files of a site without publications of its own; those beside pages belong to them."""
    for name in run.source.find(r"content/(?:.*/)?cite\.bib"):
        run.source.read.add(name)
    if not any(document.list == "publications" for document in run.documents):
        read_shown_bib_files(run)


def read_menu(run: Import) -> None:
    """The main menu by weight, of the first file with one; web addresses and PDFs are links of the owner."""
    language = run.language
    pattern = rf"(?:config/_default/)?(?:menus?(?:\.{language})?|config|hugo|languages)\.(?:toml|ya?ml)"
    items: list[Entry] = []
    for name in run.source.find(pattern):
        data = run.source.data(name)
        own = get_mapping(data, language) or get_mapping(data, "languages", language)
        menus = [get_mapping(values, key) for values in (own, data) for key in ("menu", "menus")]
        for menu in (*menus, data):
            items = items or get_entries(menu, "main")

    for item in sorted(items, key=lambda item: read_rank(get_text(item, "weight"))):
        url = get_text(item, "url", "URL", "pageRef", "pageref")
        title = get_text(item, "name", "title")
        if re.match(r"https?://", url) or url.endswith(".pdf"):
            run.add_link(url, title)
        elif url:
            run.menu.append((title, url))


HUGO = System(
    "Hugo",
    PLACES,
    KEYS,
    assets=(
        "",
        "static",
        "static/img",
        "static/media",
        "static/files",
        "static/uploads",
        "static/images",
        "assets",
        "assets/media",
        "assets/images",
        "content",
    ),
    steps=(read_config, read_authors, read_home, read_bundles, read_bib_files, read_menu),
    noise=(
        r"(?:config|layouts|themes|i18n|archetypes|scripts|netlify|exampleSite"
        r"|assets/(?:css|scss|js|icons|sass))"
        r"|.*_index(?:\.\w+)?\.md$"
        r"|.*\.(?:js|css|scss|sh|lock|sum|mod|xml|csl|Rproj|R|ico|webmanifest)$"
        r"|netlify|LICENSE|README|CNAME|package|theme\.toml"
        r"|(?:static|assets)/(?:.*/)?(?:icon|favicon)|data/(?:themes|fonts|i18n|page_sharer)"
    ),
)
