"""Jekyll: al-folio, academicpages and other themes. The table of places and keys, and what no table can say."""

import re
from collections.abc import Mapping, Sequence

from tenure.markdown.html import make_slug
from tenure.model.links import parse_email
from tenure.model.names import name_match_key, parse_spellings
from tenure.sources.schema.links import find_service
from tenure.sources.schema.spec import fold_key
from tenure.sources.yaml_writer import format_yaml
from tenure_import.cv import read_cv, read_cv_pages, read_resume
from tenure_import.engine import PAGE_ALIASES, Import, System, find_list
from tenure_import.lab import read_lab
from tenure_import.owner import SAMPLE_NAMES, choose_name
from tenure_import.publications import fold_title, list_bib_titles
from tenure_import.samples import SAMPLE_NOTE, is_einstein_entry, is_sample_publication, is_sample_text
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
)

PLACES: Sequence[tuple[str, str]] = (
    (r"(?i:_pages/(?:404|sitemap|cv-json|category-archive|tag-archive|terms|markdown|talkmap|archive-layout.*|blog|search)\..*|404\.\w+|.*(?:README|LICENSE|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|INSTALL|CUSTOMIZE|FAQ).*)", "-"),
    (r"_pages/about\.(?:md|html)|index\.(?:md|markdown|html)|about\.md", "about"),
    (r"_pages/(?:cv|resume|vita)\.(?:md|html)|(?:cv|resume)\.md", "cv"),
    (r"(?:_pages|_tabs)/.*\.(?:md|markdown|html)", "pages"),
    (r"_(?:projects|portfolio)/.*\.(?:md|html)", "projects"),
    (r"_news/.*\.md", "news"),
    (r"_posts/.*\.(?:md|markdown)", "posts"),
    (r"_publications/.*\.(?:md|html)", "publications"),
    (r"_(?:talks|presentations)/.*\.md", "talks"),
    (r"_(?:teachings?|courses)/.*\.md", "teaching"),
    (r"_(?:members|people|team|alumni)/.*\.md", "people"),
    (r"_(?:includes|layouts|sass|plugins|site|drafts|bibliography|scripts|config|books|tests?)/.*|_\w+\.ya?ml", "-"),
    (r"_\w+/.*\.(?:md|markdown)", "*"),
    (r"(?!assets/|docs/|markdown_generator/|talkmap/|scripts/|files/|images/)(?:[\w-]+/)*[\w .-]+\.(?:md|markdown)", "pages"),
    (r"(?!assets/|google)[\w-]+(?:/index)?\.html", "pages"),
)  # fmt: skip

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {"redirect": "url", "img": "image", "paperurl": "url", "slidesurl": "slides", "videourl": "video", "excerpt": "summary", "categories": "tags", "type": "kind"},
    "projects": {"description": "tagline", "excerpt": "tagline", "category": "tags", "related_publications": "publications", "subtitle": "tagline", "repo": "github", "group": "", "importance": "", "author": ""},
    "talks": {"venue": "event", "location": "place", "sort_date": "date", "talk_date": "date", "slidesurl": "slides"},
    "teaching": {"venue": "institution", "type": "note", "location": "note", "date": "term"},
    "news": {"title": "", "type": "", "categories": ""},
    "pages": {"description": "summary", "kind": "", "type": "", "date": "", "excerpt": ""},
    "publications": {
        "paperurl": "pdf", "pdfurl": "pdf", "slidesurl": "slides", "codeurl": "code", "videourl": "video", "link": "url", "category": "type",
        "authors": "author", "excerpt": "abstract", "journal": "venue", "conference": "venue", "booktitle": "venue", "featured": "selected",
        "bibtex": "bibtex_entry", "github": "code", "arxiv": "preprint",
    },
}  # fmt: skip
"""Keys that the reader does not know, or reads in another way; an excerpt of a publication is its abstract."""

DATA_LISTS = re.compile(
    r"awards|honors|teaching|courses|service|talks|news|education|experience|publications?|publist|papers|people|members|team\w*|alumni\w*|projects|grants|press|software|students"
)
"""Data files that are lists of entries."""


PROFILE_KEYS = {"bio": "role", "location": "location", "employer": "affiliation", "pronouns": "pronouns"}
NO_ACCOUNTS = frozenset(
    {*PROFILE_KEYS, "name", "avatar", "google_analytics", "googlesite", "google_site_verification", "cv_pdf"}
)
"""Keys of the author that are no links."""


def read_config(run: Import) -> None:
    """Settings and owner of _config.yml and _data/socials.yml."""
    config = get_mapping(run.source.data("_config.yml", "_config.yaml"))
    author = get_mapping(config, "author")
    run.owner_candidates = [
        join_texts(config, "first_name", "middle_name", "last_name"), get_text(author, "name"),
        get_text(config, "author", "name"), get_text(config, "title"),
    ]  # fmt: skip
    if name := choose_name(run.owner_candidates):
        run.profile["name"] = name
    description = get_text(config, "description")
    is_sample = re.match(r"(?:personal )?description$|A simple, whitespace theme", description)
    run.set_site(
        f"{get_text(config, 'url').rstrip('/')}/{get_text(config, 'baseurl').strip('/')}",
        get_text(config, "lang", "locale", "language"),
        "" if is_sample else description,
    )
    for key, target in PROFILE_KEYS.items():
        text = get_text(author, key)
        if text.casefold() in SAMPLE_NAMES or is_sample_text(text):
            continue
        if target == "role":
            _read_role(run, text, "_config.yml")
        else:
            run.profile[target] = run.line(text, "_config.yml")
    photo = get_text(author, "avatar") or get_text(config, "avatar", "photo")
    if photo and not re.match(r"https?:", photo):
        run.profile["photo"] = run.value(photo, "_config.yml", "photo")
    socials = get_mapping(run.source.data("_data/socials.yml", "_data/socials.yaml"))
    accounts = {
        key: value
        for key, value in config.items()
        if find_service(key) or re.search(r"_(?:id|username|userid)$", key)
    }
    run.add_link(get_text(author, "email") or get_text(config, "email"))
    for data in (
        author,
        accounts,
        *(get_mapping(config, key) for key in ("social", "social_links", "links")),
        socials,
    ):
        run.add_accounts({key: value for key, value in data.items() if key not in NO_ACCOUNTS})
    if cv := get_text(socials, "cv_pdf") or get_text(config, "cv_pdf"):
        run.profile["cv"] = run.copy_first(cv, f"assets/pdf/{cv}")
    run.site_title = get_text(config, "title")


def read_home(run: Import) -> None:
    """The home page: subtitle and photo of al-folio; a second home page is left out."""
    homes = [document for document in run.documents if document.list == "about"]
    homes.sort(
        key=lambda home: (not re.search(r"\w{4} \w{3}", home.body), not home.name.startswith("_pages/about"))
    )
    for other in homes[1:]:
        if re.search(r"\w{4} \w{3}", re.sub(r"\{[%{].*?[%}]\}|<[^<>]*>", "", other.body, flags=re.DOTALL)):
            run.note(other.name, "a second home page")
        run.documents.remove(other)
    if not homes:
        return
    front, name = homes[0].front, homes[0].name
    subtitle = front.get("subtitle") or front.get("description") or ""
    if isinstance(subtitle, str) and subtitle.strip() and not is_sample_text(subtitle):
        _read_role(run, subtitle, name)
    _read_home_flags(run, front)
    profile = get_mapping(front, "profile")
    image = get_text(profile, "image")
    if image and not is_sample_text(str(profile)):
        run.profile["photo"] = run.value(image, name, "photo")
    info = " ".join(re.sub(r"<[^<>]*>", " ", get_text(profile, "more_info", "address")).split())
    if info and not is_sample_text(str(profile)):
        run.note(
            name, f"more_info: {describe_entry(info)} (write it as office: or email: in content/profile.yaml)"
        )


_ORGANIZATION = re.compile(
    r"""
    (?:(?!at\b|in\b|of\b|for\b|to\b)[\w&'’-]+\ )*                     # Baden-Württemberg State Institute for …
    (?:Universit\w+|Institute?|Department|Dept\.?|Cent(?:re|er)|School|College|Faculty|Laboratory)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_POSITION = re.compile(
    r"(?i)\b(?:student|candidate|prof\w*|lecturer|fellow|post-?doc\w*|researcher|scientist|director|engineer|ph\.?d)\b"
)


def _read_role(run: Import, text: str, place: str) -> None:
    """The line below a name: an e-mail address, an organization, or else the role."""
    plain = re.sub(r"\s+(?=[,;])", "", " ".join(re.sub(r"<[^<>]*>", " ", text).split())).strip(" ,.")
    if parse_email(plain) and not re.match(r"[A-Z][a-z]+ at ", plain):  # Engineer at example.com
        run.add_link(parse_email(plain))
    elif _ORGANIZATION.match(plain) and not _POSITION.search(plain):
        url = re.search(r"href=[\"'](https?://[^\"']+)", text)
        run.profile.setdefault("affiliation", drop_empty({"name": plain, "url": url[1] if url else ""}))
    else:
        run.profile["role"] = run.line(text, place).strip(" ,")


HOME_FLAGS: Mapping[str, str] = {
    "news": "news",
    "announcements": "news",
    "latestposts": "posts",
    "selectedpapers": "publications",
    "selectedpublications": "publications",
}
"""The folded keys of the home page of al-folio that say whether it shows a list, in their order on the page."""


def _read_home_flags(run: Import, front: Entry) -> None:
    """The sections of the home page: the text, and the lists that its flags turn on; none are known without flags."""
    flags = {HOME_FLAGS[fold_key(key)]: value for key, value in front.items() if fold_key(key) in HOME_FLAGS}
    sections: list[Data] = ["about"]
    for name in dict.fromkeys(HOME_FLAGS.values()):
        flag = flags.get(name, "")
        is_shown = get_text(flag, "enabled") if isinstance(flag, dict) else flag
        limit = get_text(flag, "limit")
        options: Data = {"show": "selected"} if name == "publications" else drop_empty({"limit": limit})
        if is_shown == "true":
            sections.append({name: options} if options else name)
    run.home_sections = sections if flags else []


def read_cards(run: Import) -> None:
    """The lists that a page shows as cards: projects of al-folio, and a grid of academicpages."""
    for document in run.documents:
        stem = document.url.strip("/")
        if document.list == "pages" and "include projects" in document.body:
            run.cards.add("projects")
        elif document.list == "pages" and re.search(r"type=[\"']grid", document.body):
            run.cards.add(PAGE_ALIASES.get(stem, stem))


def read_bibliographies(run: Import) -> None:
    """The .bib files as they are, and the files of their entries; one that no page shows is left out."""
    owner = get_text(run.profile, "name")
    pages = "\n".join(document.body for document in run.documents)
    named = {
        stem.removesuffix(".bib")
        for stem in re.findall(r"\{%-?\s*bibliography\b[^%]*?(?:-f|--file)[\s=]+([\w./-]+)", pages)
    }
    main = (
        get_text(get_mapping(run.source.data("_config.yml"), "scholar"), "bibliography").removesuffix(".bib")
        or "papers"
    )
    stems = {
        name: name.rpartition("/")[2].removesuffix(".bib")
        for name in run.source.find(r"_bibliography/.*\.bib")
    }
    if main not in stems.values():
        main = "papers" if "papers" in stems.values() else next(iter(stems.values()), "")
    is_known = "{% bibliography" in pages and not re.search(r"(?:-f|--file)[\s=]+\{\{", pages)
    for name, stem in stems.items():
        if stem != main and stem not in named and is_known:
            run.source.read.add(name)
            run.note(name, "a bibliography that no page shows")
            continue
        text = _read_bib_file(run, name, owner)
        if re.search(r"@\w+\s*[{(]", text):
            run.files[f"bib/{stem}.bib"] = text
            if stem != main:
                _place_own_bibliography(run, stem)
            for title in list_bib_titles(text):
                run.bibliography.add_title(title)
    if not stems:
        read_shown_bib_files(run)


def _read_bib_file(run: Import, name: str, owner: str) -> str:
    """The text of a .bib file without front matter and samples; copies the files that its entries name."""
    text = re.sub(r"\A\ufeff?---[ \t]*\n(?:(?!---).*\n)*---[ \t]*\n+", "", run.source.text(name))
    for entry in re.findall(r"^@\w+\s*\{[^@]*", text, re.MULTILINE):
        key = re.match(r"@\w+\s*\{\s*([^,\s]*)", entry)
        if key and is_sample_publication(key[1], entry, owner):
            text = text.replace(entry, "")
            run.note(name, f"{key[1]}: {SAMPLE_NOTE}")
    for field, file in re.findall(
        r"\b(pdf|slides|poster|supp|preview)\s*=\s*[{\"]\s*([^{}\"\s:]+)\s*[}\"]", text
    ):
        run.copy_first(
            file, f"assets/img/publication_preview/{file}" if field == "preview" else f"assets/pdf/{file}"
        )
    return text


def _place_own_bibliography(run: Import, stem: str) -> None:
    """A second bibliography belongs to the page that shows it, or to a list of its name."""
    shows_stem = re.compile(rf"bibliography\b[^%]*(?:-f|--file)[\s=]+{re.escape(stem)}\b")
    page = next((d for d in run.documents if d.list == "pages" and shows_stem.search(d.body)), None)
    shown = make_slug(page.url.strip("/")) if page else find_list(stem)
    is_other = page or re.search(
        r"talk|present|poster|press|media|invited|seminar|patent|software|dataset|outreach", stem
    )
    if shown not in ("publications", "papers", "research", "about", "cv") and is_other:
        run.own_bibs.setdefault(shown, []).append(f"{stem}.bib")


def read_shown_bib_files(run: Import) -> None:
    """
    The .bib files outside _bibliography/ that a script of the site shows.

    If the text of the pages has most titles already, the pages are the list, and the files stay files.
    """
    texts = [run.source.look_into(name) for name in run.source.find(r".*\.(?:html|md|markdown|qmd|yml|yaml)")]
    shown = " ".join(map(fold_title, texts))
    titles = {
        name: list_bib_titles(run.source.text(name)) for name in run.source.find(r"(?!_bibliography/).*\.bib")
    }
    single = [fold_title(title) for rows in titles.values() if len(rows) < MIN_LIBRARY for title in rows]
    for name, rows in titles.items():
        file = name.rpartition("/")[2]
        folded = [fold_title(title) for title in rows] if len(rows) >= MIN_LIBRARY else single
        is_listed = sum(bool(title) and title in shown for title in folded) * 2 >= len(folded)
        if rows and is_listed:
            run.note(name, "BibTeX of publications that a page lists; the page stays the list")
        elif rows and (len(rows) > 1 or any(file in text for text in texts)):
            run.files[f"bib/{file}"] = run.source.text(name)
            for title in rows:
                run.bibliography.add_title(title)
        elif rows:
            run.note(name, "BibTeX that no page names")


MIN_LIBRARY = 5
"""The number of entries that make a .bib file a library; smaller ones are those of single papers."""


def read_cv_data(run: Import) -> None:
    """CVs and lists in data files; those that the theme brings, and those that no page shows, are left out."""
    owner = get_text(run.profile, "name")
    resume = run.source.data("assets/json/resume.json")
    cv = run.source.data("_data/cv.yml", "_data/cv.yaml")

    def is_sample(data: Data) -> bool:
        return (
            "einstein" in str(data).casefold()
            and "einstein" not in owner.casefold()
            and is_einstein_entry(str(data), owner)
        )

    page = run.source.text("_pages/cv.md")
    if (
        isinstance(resume, dict)
        and not is_sample(resume)
        and not re.search(r"^cv_format:\s*.?rendercv", page, re.MULTILINE)
    ):
        read_resume(run, resume, "assets/json/resume.json")
    elif cv and not is_sample(cv):
        sections = get_mapping(cv, "cv", "sections") or get_mapping(cv, "cv") or cv
        read_cv(run, sections, "_data/cv.yml")
    elif cv or resume:
        run.note("_data/cv.yml" if cv else "assets/json/resume.json", SAMPLE_NOTE)
    parts = run.source.find(r"(?:(?:_pages|_includes|_layouts)/.*|[\w-]+)\.(?:md|html|liquid)")
    shown = {*re.findall(r"\bdata(?:\.|\s*=\s*[\"'])(\w+)", "".join(map(run.source.look_into, parts)))}
    for name in run.source.find(r"_data/[\w-]+\.(?:ya?ml|json)"):
        stem = name.split("/")[1].partition(".")[0]
        if not DATA_LISTS.fullmatch(stem.casefold()) or name in run.source.read:
            continue
        data = run.source.data(name)
        groups = get_mapping(data).values() if isinstance(data, dict) else [data]
        entries = [entry for group in groups for entry in get_entries(group)]
        if shown and stem not in shown:
            run.note(name, "data that no page shows")
        elif entries and all("contents" in entry for entry in entries):
            read_cv(run, data, name)
        elif entries:
            _read_data_list(run, stem, data, name)
    for name in ("_data/cv.json", "_data/resume.json"):
        data = run.source.data(name)
        if isinstance(data, dict) and not is_sample_text(str(data)) and not run.lists.get("education"):
            read_resume(run, data, name)


def _read_data_list(run: Import, stem: str, data: Data, name: str) -> None:
    """A data file with entries, or with groups of entries: {professors: [...], alumni: [...]} or [{group: A, members: [...]}]."""
    target = {"publist": "publications", "students": "people"}.get(stem) or find_list(stem)
    target = "people" if stem.startswith(("team", "alumni")) else target
    default = "alumni" if stem.startswith("alumni") else ""
    for title, items in data.items() if isinstance(data, dict) else [("", data)]:
        for item in get_entries(items):
            members = get_entries(item, "members", "people", "entries")
            group = get_text(item, "title", "name", "group") if members else title
            own_group = {"group": group or default} if target == "people" else {}
            read_cv(run, {target: [drop_empty({**own_group, **entry}) for entry in members or [item]]}, name)


def read_menu(run: Import) -> None:
    """The menu of _data/navigation.yml, or of the front matter of pages; links to other sites become links of the profile."""
    data = run.source.data("_data/navigation.yml", "_data/navigation.yaml")
    config = run.source.data("_config.yml", "_config.yaml")
    items: list[Data] = get_items(data, "main") if isinstance(data, dict) else get_items(data)
    items = items or get_items(config, "navigation", "nav", "menu")
    menu = [
        (title, url) for title, url in get_mapping(config, "navbar-links").items() if isinstance(url, str)
    ]
    for item in items:
        for entry in (item, *get_items(item, "children", "sublinks", "dropdown")):
            title = get_text(entry, "title", "name", "text")
            if title != "Guide":
                menu.append((title, get_text(entry, "url", "link", "href")))
    ranked: list[tuple[float, str, str]] = []
    for document in run.documents:
        nav = get_mapping(document.front, "nav")
        if nav or get_text(document.front, "nav") == "true":
            number = get_text(document.front, "nav_order", "nav_rank", "order") or get_text(nav, "order")
            rank = float(number) if re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", number) else 99.0
            ranked.append((rank, get_text(document.front, "title"), [*document.old_urls, document.url][0]))
    for title, url in (*menu, *((title, url) for _, title, url in sorted(ranked))):
        if "://" in url or url.endswith(".pdf"):
            run.add_link(url, title)
        elif url:
            run.menu.append((title, url))


def read_coauthors(run: Import) -> None:
    """The co-authors with their URLs; a name that several have keeps the last URL."""
    data = get_mapping(run.source.data("_data/coauthors.yml", "_data/coauthors.yaml"))
    by_name: dict[tuple[str, str], tuple[str, str]] = {}
    for family, people in data.items():
        last = family if family != family.lower() else family.title()
        for person in get_entries(people):
            url = get_text(person, "url")
            if re.match(r"https?://", url) and "einstein" not in family.casefold():
                for name in [f"{first} {last}" for first in get_texts(person, "firstname")]:
                    key = name_match_key(parse_spellings(name, ())[0])
                    by_name[key] = (by_name.get(key, (name, url))[0], url)
    by_url: dict[str, list[str]] = {}
    for name, url in by_name.values():
        by_url.setdefault(url, []).append(name)
    rows = [
        drop_empty({"name": names[0], "url": url, "aliases": [*names[1:]]}) for url, names in by_url.items()
    ]
    if rows:
        run.files["content/coauthors.yaml"] = format_yaml(rows)


ASSETS = ("", "images", "files", "assets", "assets/img", "assets/pdf", "assets/images", "assets/video", "img")
STEPS = (
    read_config, read_home, read_cards, read_bibliographies, read_lab, read_cv_data, read_cv_pages, read_coauthors, read_menu,
)  # fmt: skip
JEKYLL = System(
    "Jekyll",
    PLACES,
    KEYS,
    assets=ASSETS,
    steps=STEPS,
    noise=r"_(?:layouts|includes|sass|plugins|site|scripts|styles|config)|(?:assets/(?:css|js|fonts|jupyter|json|bibliography|libs|webfonts|plotly|html)|css|js|fonts|scripts|bin|markdown_generator|talkmap|docs|test|images/themes)/|.*\.(?:js|css|scss|rb|sh|lock|toml|liquid|py|ipynb|gemspec|xml|ico|tsv|csv)$|Gemfile|Rakefile|LICENSE|README|CNAME|Dockerfile|docker|package|_data/(?:ui-text|authors|navigation|comments|repositories|venues|types|threads|bluesky|socials|featured_)|.*(?:404|sitemap)\.|robots",
)
