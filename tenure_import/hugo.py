"""Hugo: Academic, Wowchemy, Hugo Blox and other themes. The owner, the parts of the home page, second languages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from tenure.markdown.html import make_slug
from tenure.model.file_types import IMAGE_PATTERN, IMAGE_SUFFIXES
from tenure.model.identifiers import make_arxiv_url
from tenure.model.languages import find_language
from tenure.plan.kinds import PAGE_LISTS
from tenure.record import Record, replace
from tenure.sources.schema.links import find_service
from tenure.sources.yaml_writer import format_yaml
from tenure_import.engine import (
    LIST_PATTERNS,
    RESERVED_NAMES,
    Document,
    Import,
    System,
    find_list,
)
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
    split_front_matter,
)
from tenure_import.text import normalize_url

ROOT = r"content/(?:[a-z]{2}(?:-[a-z]{2,4})?/)?"
PLACES: Sequence[tuple[str, str]] = (
    (rf"{ROOT}_index(?:\.[a-z-]+)?\.md|{ROOT}(?:home|authors?|admin|slides)/.*", "-"),
    (
        rf"{ROOT}(?:publications?|papers?|events?|talks?|projects?|portfolio|posts?|blogs?|news|articles?|authors?)/_index(?:\.[a-z-]+)?\.md",
        "-",
    ),
    (rf"{ROOT}(?:publications?|papers?)/.*\.md", "publications"),
    (rf"{ROOT}(?:events?|talks?)/.*\.md", "talks"),
    (rf"{ROOT}(?:projects?|portfolio)/.*\.md", "projects"),
    (rf"{ROOT}(?:posts?|blogs?|news|articles?)/.*\.(?:md|Rmd|rmd|qmd)", "posts"),
    (rf"{ROOT}(?:privacy|terms|search|archives?)(?:\.\w\w)?\.md|content/old/.*|.*/README\.md", "-"),
    (rf"{ROOT}.*\.(?:md|markdown|html)", "pages"),
)

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {"image": "", "projects": "", "type": "", "gallery": "", "url_code": "code", "url_pdf": "pdf", "url_slides": "slides", "url_video": "video", "external_link": "url", "categories": "tags"},
    "education": {"company": "institution", "title": "degree"},
    "experience": {"org": "organization"},
    "projects": {"summary": "tagline", "slides": ""},
    "posts": {"subtitle": "summary", "slides": "", "description": "summary"},
    "talks": {
        "event_url": "url", "slides": "", "location": "place", "time_start": "date", "event_start": "date", "abstract": "summary", "address": "", "time_end": "",
        "date_end": "", "event_end": "",
    },
    "pages": {"date": "", "tags": "", "subtitle": "summary", "description": "summary"},
    "publications": {
        "publication": "venue", "publication_types": "type", "authors": "author", "url_pdf": "pdf", "url_code": "code", "url_slides": "slides",
        "url_video": "video", "url_poster": "poster", "url_project": "website", "url_preprint": "preprint", "featured": "selected",
        "publication_short": "abbr", "external_link": "url", "image": "",
    },
}  # fmt: skip

ENTRY_WIDGETS: Mapping[str, str] = {
    "experience": "experience", "resume-experience": "experience", "work": "experience", "accomplishments": "awards", "resume-awards": "awards",
    "awards": "awards", "certificates": "awards", "skills": "skills", "featurette": "skills", "features": "skills", "resume-skills": "skills",
    "education": "education", "resume-education": "education", "teaching": "teaching", "service": "service", "volunteering": "service",
    "resume-languages": "languages", "languages": "languages",
}  # fmt: skip
"""The list of each kind of widget that has its entries in itself."""

LIST_WIDGETS: Mapping[str, str] = {
    "publications": "publications", "publications_featured": "publications", "featured": "publications", "talks": "talks", "events": "talks",
    "talks_featured": "talks", "projects": "projects", "portfolio": "projects", "posts": "posts", "publication": "publications", "talk": "talks",
    "event": "talks", "project": "projects", "post": "posts", "blog": "posts", "news": "posts",
}  # fmt: skip
"""The list of each kind of widget, or of the folder, that shows other pages."""

SKIPPED_WIDGETS = frozenset(
    {"tag_cloud", "search", "slider", "twitter", "contact", "contact-info", "people", "dev-ia", "cta-card"}
)
ENTRY_KEYS = ("items", "item", "experience", "education", "awards", "feature", "features", "categories")
ABOUT_HEADING = re.compile(r"\A#+[ \t]+(?:Biography|About(?: me)?)[ \t]*\n+")
DECORATION = re.compile(r"icon|company_logo|date_format|color|button|percent|level|image_style|design")


class Widget(Record):
    """A part of the home page: its kind, its front matter and its text; `name` is the same in all languages."""

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
        for key, value in ({stem: data} if stem in ("params", "languages") else get_mapping(data)).items():
            known = values.get(key.casefold(), "")
            has_both = isinstance(known, dict) and isinstance(value, dict)
            values[key.casefold()] = {**get_mapping(known), **get_mapping(value)} if has_both else value
    return values


def read_config(run: Import) -> None:
    """Address, languages, description and contact; the owner, if a theme keeps it in the configuration."""
    values = _read_settings(run)
    params = get_mapping(values, "params")
    language = get_text(values, "defaultcontentlanguage", "languagecode", "locale")[:2].lower() or "en"
    own = get_mapping(values, "languages", language)
    identity = get_mapping(params, "hugoblox", "identity")
    run.set_site(
        get_text(own, "baseURL", "baseurl") or get_text(values, "baseurl"),
        language,
        get_text(params, "description")
        or get_text(get_mapping(params, "marketing", "seo"), "description")
        or get_text(identity, "tagline", "description"),
    )
    contact = get_mapping(params, "contact")
    author = get_mapping(params, "author") or get_mapping(values, "author")
    for data in (params, contact, author):
        run.add_link(get_text(data, "email"))
    for key in ("phone", "address", "office_hours"):
        text = get_text(contact, key) or get_text(params, key)
        if text and not is_sample_text(text):
            hint = "write it as office: or location: in content/profile.yaml"
            run.note("params", f"{key}: {describe_entry(text)} ({hint})")
    run.owner_candidates = [
        get_text(author, "name"), get_text(params, "author", "name"), get_text(own, "title"), get_text(values, "title"),
    ]  # fmt: skip
    role = next(filter(None, (get_text(d, "info", "headline", "subtitle") for d in (author, params))), "")
    if role:
        run.profile["role"] = run.line(role, "params")
    for link in (*get_entries(params, "socialIcons", "social"), *get_entries(author, "links")):
        run.add_link(get_text(link, "url"), get_text(link, "name", "title"))
    names = [
        re.match(r"content/([a-z]{2}(?:-\w{2,4})?)/|content/.*\.([a-z]{2}(?:-\w{2,4})?)\.md$", name)
        for name in run.source.files
    ]
    codes = {*get_mapping(values, "languages"), *(match[1] or match[2] for match in names if match)}
    further = [code for code in sorted(codes) if find_language(code) and code != language]
    run.language, run.further_languages = language, further


def find_code(run: Import, name: str) -> str:
    """The language of a file of content/: the main one, or that of its folder or its name."""
    folder = re.match(r"content/([a-z]{2}(?:-\w{2,4})?)/", name)
    suffix = re.search(r"\.([a-z]{2}(?:-\w{2,4})?)\.\w+$", name)
    code = folder[1] if folder else suffix[1] if suffix else ""
    return code if code in run.further_languages else run.language


NAMED_ICONS = frozenset({"fab", "ai", "brands", "academicons", "custom"})
"""The sets of icons whose names are those of services; in others, an envelope or a globe is no label."""


class Author(Record):
    """A person of content/authors/: the file, the name of its folder, the person's name, the front matter and the biography."""

    place: str
    user: str
    name: str
    front: Entry
    body: str


def _list_authors(run: Import) -> Iterator[Author]:
    """The people of a site, first those in its main language."""
    names = run.source.find(
        rf"{ROOT}authors?/[^/]+/_?index(?:\.[a-z-]+)?\.md|data/authors/.*\.(?:ya?ml|json|toml)|content/authors/[^/_]+\.md"
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
    """The owner to the profile and the CV; the members of a group; the names of the others for lists of authors."""
    authors = [*_list_authors(run)]
    people: dict[str, Author] = {}
    for author in authors:
        people.setdefault(author.user, author)
    run.people_names = {
        key: person.name for person in people.values() for key in (person.user, person.name.casefold())
    }
    flagged = (
        user for user, person in people.items() if get_text(person.front, "superuser", "is_owner") == "true"
    )
    owner = next(flagged, next((user for user in ("admin", "me") if user in people), ""))
    members = {
        user
        for user, person in people.items()
        if get_items(person.front, "user_groups") and (user != owner or len(people) > 2)
    }
    is_group = len(members) > 2 or (len(members) > 1 and owner not in members)
    for author in authors:
        code, is_first = find_code(run, author.place), people[author.user] is author
        if is_group and author.user in members:
            if is_first:
                _write_member(run, author)
        elif author.user == owner and not is_group:
            if is_first:
                _read_owner(run, author)
            elif code != run.language:
                translated = replace(author, name=people[owner].name)
                run.read_language(code, author.place, partial(_read_owner, run, translated))
        elif is_first:
            run.note(author.place, f"{author.name}: role, biography and links of somebody else")
    title = choose_name(run.owner_candidates)
    if is_group:
        run.profile = drop_empty(
            {"name": title or "Group", "kind": "group", "email": run.profile.get("email", "")}
        )
    elif not get_text(run.profile, "name") and title:
        run.profile["name"] = title


def _list_links(front: Entry) -> Iterator[tuple[str, str]]:
    """The labels and the URLs of a person's links."""
    for link in (entry for key in ("social", "profiles", "links") for entry in get_entries(front, key)):
        url = get_text(link, "link", "url")
        pack, _, icon = get_text(link, "icon").rpartition("/")
        is_name = (pack or get_text(link, "icon_pack")) in NAMED_ICONS or find_service(icon)
        icon = icon.replace("graduation-cap", "scholar").removesuffix("-in") if is_name else ""
        host = re.sub(r"https?://(?:www\.)?|[/?#].*", "", url)
        yield get_text(link, "label", "name") or icon or host, url


def _write_member(run: Import, author: Author) -> None:
    front = author.front
    organizations = (get_text(item, "name") for item in get_entries(front, "organizations"))
    links = {
        label or url: url for label, url in _list_links(front) if "://" in url and not is_sample_url(url)
    }
    entry: Entry = {
        "name": author.name,
        "role": get_text(front, "role"),
        "group": next(iter(get_texts(front, "user_groups")), ""),
        "organization": ", ".join(filter(None, organizations)),
        "interests": run.value(get_items(front, "interests"), author.place),
        "image": _find_photo(run, author.place),
        "links": {**links},
    }
    text = "" if is_sample_text(author.body) else run.text(author.body, author.place)
    stem = make_slug(author.user) or "member"
    run.files[f"content/people/{stem}.md"] = f"---\n{format_yaml(drop_empty(entry))}---\n{text}\n"
    for old in ("author", "authors"):
        run.urls.setdefault(f"{old}/{author.user}", f"/people/{stem}/" if text else "/people/")


def _find_photo(run: Import, name: str) -> str:
    folder = str(PurePosixPath(name).parent)
    user = PurePosixPath(folder).name
    pattern = rf"{re.escape(folder)}/(?:avatar|featured|profile)\.\w+|assets/media/authors/{re.escape(user)}\.\w+|static/img/(?:avatar|portrait|profile)\.\w+"
    found = [file for file in run.source.find(pattern) if file.casefold().endswith(IMAGE_SUFFIXES)]
    return run.copy(found[0]) if found else ""


def _read_owner(run: Import, author: Author) -> None:
    front, place = author.front, author.place
    organizations: list[Data] = []
    for item in get_items(front, "organizations", "affiliations"):
        text, url = item if isinstance(item, str) else get_text(item, "name"), get_text(item, "url")
        if text:
            organizations.append({"name": text, "url": url} if re.match(r"https?://[^/]", url) else text)
    interests = get_items(get_mapping(front, "interests"), "interests") or get_items(front, "interests")
    owner: Entry = {
        "name": choose_name(run.owner_candidates)
        if author.name.casefold() in ("admin", "me")
        else author.name,
        "role": run.line(get_text(front, "role"), place),
        "photo": _find_photo(run, place),
        "affiliation": organizations,
        "interests": [
            run.line(item if isinstance(item, str) else get_text(item, "name", "title"), place)
            for item in interests
        ],
    }
    run.profile |= drop_empty(owner)
    run.add_link(get_text(front, "email"))
    for label, url in _list_links(front):
        if url.endswith(".pdf") and "://" not in url:
            run.profile["cv"] = run.copy_first(url, f"static/{url}")
        elif url.startswith("mailto:"):
            run.add_link(url)
        else:
            run.add_accounts({label: url})
    rows = {
        "education": get_items(get_mapping(front, "education"), "courses") or get_entries(front, "education"),
        "experience": get_items(front, "work", "experience"),
        **{kind: get_items(front, kind) for kind in ("awards", "skills", "languages")},
    }
    for kind, items in rows.items():
        for item in items:
            add_widget_item(run, kind, kind.capitalize(), item, place)
    body = next(
        (text for text in (author.body, get_text(front, "bio")) if text.strip() and not is_sample_text(text)),
        "",
    )
    run.add_about(ABOUT_HEADING.sub("", run.text(body, place)))


def add_widget_item(run: Import, kind: str, title: str, item: Data, place: str) -> None:
    """Add an entry of a widget: a position, an award, or a group of skills."""
    if is_sample_text(str(item)) or re.search(r"Photography|Statistics.*\b100 ?%|R.*\b90 ?%", str(item)):
        run.note(place, f"{SAMPLE_NOTE}: {describe_entry(item)}")
        return
    if not isinstance(item, dict):
        if isinstance(item, str):
            run.add_entry(kind, title, {"text": run.line(item, place)})
        return
    entry = {key: value for key, value in item.items() if not DECORATION.match(key)}
    if "items" in entry and kind not in ("education", "experience"):  # a group of skills
        texts = [
            get_text(i, "name", "title") if isinstance(i, dict) else str(i) for i in get_items(entry, "items")
        ]
        entry = {"title": get_text(entry, "name", "title"), "text": ", ".join(filter(None, texts))}
    for key in ("date_start", "date_end", "date"):
        if re.match(r"\d{4}-\d\d-\d\d", get_text(entry, key)):
            entry[key] = get_text(entry, key)[:7]
    if entry.get("date_start") and not entry.get("date_end") and kind == "experience":
        entry["date_end"] = "present"
    if kind == "skills":
        entry = {"title": get_text(entry, "name", "title"), "text": get_text(entry, "text", "description")}
    run.add_entry(kind, title, run.entry(kind, entry, place))


def list_widgets(run: Import, code: str) -> Iterator[Widget]:
    """The parts of the home page in a language: files of content/home/, and blocks of _index.md."""
    main = code == run.language
    for name in run.source.find(rf"{ROOT}(?:home/[^/]+|_index(?:\.[a-z-]+)?)\.(?:md|markdown)"):
        if find_code(run, name) != code:
            continue
        front, body = split_front_matter(run.source.text(name))
        stem = PurePosixPath(name).stem.partition(".")[0]
        if stem not in ("_index", "index") or "widget" in front:
            weight = get_text(front, "weight")
            rank = float(weight) if re.fullmatch(r"\d{1,6}", weight) else 999.0
            if get_text(front, "active") != "false":
                yield Widget(rank, name, stem, get_text(front, "widget") or "blank", front, body)
            elif main and body.strip():
                run.note(name, "a disabled part of the home page")
            continue
        for index, block in enumerate(get_entries(front, "sections")):
            if get_text(block, "demo") != "true":
                content = get_mapping(block, "content")
                yield Widget(
                    1000.0 + index,
                    name,
                    f"block {index}",
                    get_text(block, "block") or "markdown",
                    {**block, **content},
                    "",
                )
            elif main:
                run.note(name, f"a block {get_text(block, 'block')} for the demonstration of the template")
        rest = {key: value for key, value in front.items() if key != "sections"}
        yield Widget(5000.0, name, "introduction", "blank", rest, body)


def read_home(run: Import) -> None:
    """The home page: entries to lists, texts to files of content/, and the order of its sections."""
    stems: dict[str, str] = {}
    for widget in sorted(list_widgets(run, run.language), key=lambda widget: widget.weight):
        section = _read_widget(run, widget)
        if section:
            stems[widget.name] = section
    for code in run.further_languages:
        for widget in list_widgets(run, code):
            text = "\n\n".join(filter(None, (str(widget.front.get("text", "")), widget.body)))
            stem = stems.get(widget.name, "")
            if f"content/{stem}.md" in run.files and text.strip():
                title = get_text(widget.front, "title")
                front = f"---\n{format_yaml({'title': title})}---\n" if title and stem != "about" else ""
                run.files[f"content/{stem}.{code}.md"] = f"{front}{run.text(text, widget.place)}\n"
                run.add_language(code)
            elif widget.kind in ENTRY_WIDGETS:
                run.read_language(code, widget.place, partial(_read_entries, run, widget))
            elif text.strip() and not is_sample_text(text):
                run.note(
                    widget.place,
                    f"a part of the home page in another language ({code}): {get_text(widget.front, 'title')}",
                )


def _read_entries(run: Import, widget: Widget) -> str:
    """Read the entries of a part of the home page; returns their list, "" if there are none."""
    front, place = widget.front, widget.place
    title = run.line(get_text(front, "title"), place)
    items = next(
        (get_items(front, key) for key in ENTRY_KEYS if isinstance(front.get(key), list) and front[key]), []
    )
    named = find_list(title)
    kind = (
        named
        if named in ("education", "experience", "awards", "teaching", "service")
        else ENTRY_WIDGETS[widget.kind]
    )
    is_year = re.fullmatch(r"\W*2006\W*", get_text(front, "date_format")) is not None
    for item in items:
        short = {
            k: str(value)[:4] if k.startswith("date") else value for k, value in get_mapping(item).items()
        }
        add_widget_item(run, kind, title or kind.capitalize(), short if is_year and short else item, place)
    return kind if items and run.lists.get(kind) else ""


def _read_widget(run: Import, widget: Widget) -> str:
    """Read a part of the home page; returns the section that shows it, "" if there is none."""
    front, place = widget.front, widget.place
    title = run.line(get_text(front, "title"), place)
    own_text = front.get("text", "")
    text = "\n\n".join(filter(None, (own_text if isinstance(own_text, str) else "", widget.body)))
    if widget.kind in ENTRY_WIDGETS and (kind := _read_entries(run, widget)):
        return kind
    folders = get_texts(get_mapping(front, "filters"), "folders", "page_type") or get_texts(
        front, "page_type"
    )
    shown = LIST_WIDGETS.get((folders or [widget.kind])[0].rpartition("/")[2], "")
    if shown and (folders or widget.kind in LIST_WIDGETS) and not text.strip():
        return shown
    if widget.kind.startswith("contact"):
        run.add_link(get_text(front, "email"))
    if not text.strip() or is_sample_text(text) or is_sample_text(title) or widget.kind in SKIPPED_WIDGETS:
        if text.strip() and not is_sample_text(text):
            run.note(place, f"{widget.kind}: {title} {describe_entry(text)}")
        return ""
    body = ABOUT_HEADING.sub("", run.text(text, place))
    is_about = widget.kind.startswith(("about", "resume-biography")) or (
        not title and "content/about.md" not in run.files
    )
    if is_about or (widget.name == "introduction" and "content/about.md" not in run.files):
        if "content/about.md" not in run.files:
            run.add_about(body)
        interests = get_mapping(front, "interests")
        run.profile.setdefault("interests", get_items(interests, "interests"))
        for item in get_items(get_mapping(front, "education"), "courses"):
            add_widget_item(run, "education", "Education", item, place)
        return "about"
    stem = make_slug(title) or make_slug(widget.name) or "more"
    is_taken = (
        stem in RESERVED_NAMES
        or stem in LIST_PATTERNS
        or stem in PAGE_LISTS
        or stem in run.lists
        or stem in ("skills", "languages")
    )
    stem = f"{stem}-text" if is_taken else stem
    run.files[f"content/{stem}.md"] = (
        f"---\n{format_yaml({'title': title})}---\n" if title else ""
    ) + f"{body}\n"
    return stem


def read_bundles(run: Import) -> None:
    """What the folder of a page adds: its BibTeX entry, its image, the names of authors, its second language."""
    documents: list[Document] = []
    for document in run.documents:
        code = find_code(run, document.name)
        if code != run.language:
            run.translations.append((code, document))
            for old in document.old_urls:
                run.urls.setdefault(normalize_url(f"{code}{old}"), document.url)
            continue
        folder = str(PurePosixPath(document.name).parent)
        front = dict(document.front)
        is_bundle = PurePosixPath(document.name).stem.startswith("index")
        if document.list in ("projects", "posts") and is_bundle:
            image = next(iter(run.source.find(rf"{re.escape(folder)}/featured(?:{IMAGE_PATTERN})")), "")
            front |= {"picture": image.rpartition("/")[2]} if image else {}
        if document.list == "publications":
            names = get_items(front, "authors", "author")
            front["authors"] = [
                run.people_names.get(name.casefold(), name) if isinstance(name, str) else name
                for name in names
            ]
            front.setdefault("doi", get_text(get_mapping(front, "hugoblox", "ids"), "doi"))
            for link in get_entries(front, "links"):
                if get_text(link, "provider").casefold() == "arxiv" and get_text(link, "id"):
                    front["url_preprint"] = make_arxiv_url(get_text(link, "id"))
            bibs = run.source.find(rf"{re.escape(folder)}/[^/]+\.bib") if is_bundle else []
            if bibs:
                front["bibtex_entry"] = run.source.text(bibs[0])
        if document.list != "publications":
            front["links"] = _read_links(front)
        documents.append(replace(document, front=drop_empty(front)))
    run.documents = documents


def _read_links(front: Entry) -> Entry:
    """The links of a page by their labels."""
    links: Entry = {}
    for link in get_entries(front, "links"):
        url = get_text(link, "url", "link")
        if re.match(r"https?://|/", url):
            links[get_text(link, "name", "label", "type") or get_text(link, "icon") or url] = url
    return links


def read_bib_files(run: Import) -> None:
    """The .bib files of a site without publications of its own; those in the folders of pages belong to them."""
    for name in run.source.find(r"content/(?:.*/)?cite\.bib"):
        run.source.read.add(name)
    if not any(document.list == "publications" for document in run.documents):
        read_shown_bib_files(run)


def read_menu(run: Import) -> None:
    """The main menu by weight; a part of the home page is no page."""
    language = run.language
    items: list[Entry] = []
    for name in run.source.find(
        rf"(?:config/_default/)?(?:menus?(?:\.{language})?|config|hugo|languages)\.(?:toml|ya?ml)"
    ):
        data = run.source.data(name)
        own = get_mapping(data, language) or get_mapping(data, "languages", language)
        for menu in (
            get_mapping(own, "menu"),
            get_mapping(own, "menus"),
            get_mapping(data, "menu"),
            get_mapping(data, "menus"),
            data,
        ):
            items = items or get_entries(menu, "main")

    def rank(item: Entry) -> float:
        weight = get_text(item, "weight")
        return float(weight) if re.fullmatch(r"-?\d{1,9}", weight) else 999.0

    for item in sorted(items, key=rank):
        url, title = get_text(item, "url", "URL", "pageRef", "pageref"), get_text(item, "name", "title")
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
    noise=r"(?:config|layouts|themes|i18n|archetypes|scripts|netlify|exampleSite|assets/(?:css|scss|js|icons|sass))|.*_index(?:\.\w+)?\.md$|.*\.(?:js|css|scss|sh|lock|sum|mod|xml|csl|Rproj|R|ico|webmanifest)$|netlify|LICENSE|README|CNAME|package|theme\.toml|(?:static|assets)/(?:.*/)?(?:icon|favicon)|data/(?:themes|fonts|i18n|page_sharer)",
)
