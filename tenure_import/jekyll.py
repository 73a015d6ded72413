"""
Jekyll: al-folio, academicpages and other themes.

The tables say where the files of a theme belong and what its keys mean; the steps read what no table can say:
the owner in _config.yml, the home page, bibliographies, CVs and lists in _data/, the menu. In a lab of
lab-website-template, a member is a document of _members/, and a citation is an item of a data file with an
identifier such as doi:10.1000/1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.markdown.html import make_slug
from tenure.model.identifiers import make_arxiv_url
from tenure.model.links import parse_email
from tenure.model.names import name_match_key, parse_spellings
from tenure.record import replace
from tenure.sources.editing.yaml_writer import format_yaml
from tenure.sources.schema.link_forms import find_service
from tenure.sources.schema.spec import fold_key
from tenure_import.cv import read_cv, read_cv_pages, read_resume
from tenure_import.cv_lines import name_position, split_organization
from tenure_import.imported_document import PAGE_ALIASES, Document, find_list, is_line
from tenure_import.importer import Import, System
from tenure_import.owner import SAMPLE_NAMES, choose_name
from tenure_import.publications import fold_title, list_bib_titles
from tenure_import.samples import SAMPLE_NOTE, is_einstein_entry, is_sample_publication, is_sample_text
from tenure_import.source import (
    Data,
    Entry,
    Source,
    cut_front_matter,
    describe_entry,
    drop_empty,
    get_entries,
    get_items,
    get_mapping,
    get_text,
    get_texts,
    join_texts,
    keep_keys,
    read_rank,
)

PLACES: Sequence[tuple[str, str]] = (
    (
        r"(?i:_pages/(?:404|sitemap|cv-json|category-archive|tag-archive|terms|markdown|talkmap"
        r"|archive-layout.*|blog|search)\..*"
        r"|404\.\w+"
        r"|.*(?:README|LICENSE|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|INSTALL|CUSTOMIZE|FAQ).*)",
        "-",
    ),
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
    (
        r"_(?:includes|layouts|sass|plugins|site|drafts|bibliography|scripts|config|books|tests?)/.*"
        r"|_\w+\.ya?ml",
        "-",
    ),
    (r"_\w+/.*\.(?:md|markdown)", "*"),
    (
        r"(?!assets/|docs/|markdown_generator/|talkmap/|scripts/|files/|images/)"
        r"(?:[\w-]+/)*[\w .-]+\.(?:md|markdown)",
        "pages",
    ),
    (r"(?!assets/|google)[\w-]+(?:/index)?\.html", "pages"),
)
"""The lists of files; "-" is what the theme makes, or what only its owner reads."""

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {
        "redirect": "url",
        "img": "image",
        "paperurl": "url",
        "slidesurl": "slides",
        "videourl": "video",
        "excerpt": "summary",
        "categories": "tags",
        "type": "kind",
    },
    "projects": {
        "description": "tagline",
        "excerpt": "tagline",
        "category": "tags",
        "related_publications": "publications",
        "subtitle": "tagline",
        "repo": "github",
        "group": "",
        "importance": "",
        "author": "",
    },
    "talks": {
        "venue": "event",
        "location": "place",
        "sort_date": "date",
        "talk_date": "date",
        "slidesurl": "slides",
    },
    "teaching": {"venue": "institution", "type": "note", "location": "note", "date": "term"},
    "news": {"type": "", "categories": ""},
    "pages": {"description": "summary", "kind": "", "type": "", "date": "", "excerpt": ""},
    "publications": {
        "paperurl": "pdf",
        "pdfurl": "pdf",
        "slidesurl": "slides",
        "codeurl": "code",
        "videourl": "video",
        "link": "url",
        "category": "type",
        "authors": "author",
        "excerpt": "abstract",
        "journal": "venue",
        "conference": "venue",
        "booktitle": "venue",
        "featured": "selected",
        "bibtex": "bibtex_entry",
        "github": "code",
        "arxiv": "preprint",
    },
}
"""Keys that the reader does not know, or reads in another way."""


PERMALINK_STYLES: Mapping[str, str] = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title.html",
}
"""The patterns of URLs to which Jekyll gives names."""


def read_permalinks(source: Source) -> Mapping[str, str]:
    """The patterns of old URLs by the folders of collections: {"_news": "/news/:path/"}."""
    config = get_mapping(source.data("_config.yml", "_config.yaml"))
    collections = get_mapping(config, "collections")
    permalinks = {f"_{name}": get_text(options, "permalink") for name, options in collections.items()}
    posts = get_text(config, "permalink")
    return {**permalinks, "_posts": PERMALINK_STYLES.get(posts, posts)}


PROFILE_KEYS = {"bio": "role", "location": "location", "employer": "affiliation", "pronouns": "pronouns"}
NO_ACCOUNTS = frozenset(
    {*PROFILE_KEYS, "name", "avatar", "google_analytics", "googlesite", "google_site_verification", "cv_pdf"}
)
"""Keys of the author that are no links."""


def read_config(run: Import) -> None:
    """Settings and owner of _config.yml and _data/socials.yml, and the kind of Markdown."""
    config = get_mapping(run.source.data("_config.yml", "_config.yaml"))
    author = get_mapping(config, "author")
    run.owner_candidates = [
        join_texts(config, "first_name", "middle_name", "last_name"),
        get_text(author, "name"),
        get_text(config, "author", "name"),
        get_text(config, "title"),
    ]
    if name := choose_name(run.owner_candidates):
        run.profile["name"] = name

    description = get_text(config, "description")
    # "personal description" of academicpages, "A simple, whitespace theme for academics" of al-folio
    is_sample = re.match(r"(?:personal )?description$|A simple, whitespace theme", description)
    run.set_site(
        f"{get_text(config, 'url').rstrip('/')}/{get_text(config, 'baseurl').strip('/')}",
        get_text(config, "lang", "locale", "language"),
        "" if is_sample else description,
    )
    _read_author(run, author)
    photo = get_text(author, "avatar") or get_text(config, "avatar", "photo")
    if photo and not re.match(r"https?:", photo):
        run.profile["photo"] = run.value(photo, "_config.yml", "photo")
    _read_accounts(run, config, author)
    _note_services(run, config)
    run.site_title = get_text(config, "title")
    run.is_kramdown = get_text(config, "markdown").casefold() in ("", "kramdown")


_SERVICE = re.compile(r"(?!enable_)\w*(?:analytics|disqus|giscus|utterances|comments)\w*")
"""A key of a service that counts visitors or shows comments: google_analytics, disqus_shortname."""


def _note_services(run: Import, config: Entry) -> None:
    """Note the services that the site uses, which are left out."""
    for key in filter(_SERVICE.fullmatch, config):
        value = get_text(config, key) or get_text(config[key], "repo", "provider")
        if value not in ("", "false"):
            run.note("_config.yml", f"{key}: {value}: a service, left out")


def _read_author(run: Import, author: Entry) -> None:
    """The role, the place and the organization of the owner."""
    for key, target in PROFILE_KEYS.items():
        text = get_text(author, key)
        if text.casefold() in SAMPLE_NAMES or is_sample_text(text):
            continue
        if target == "role":
            _read_role(run, text, "_config.yml")
        else:
            run.profile[target] = run.line(text, "_config.yml")


def _read_accounts(run: Import, config: Entry, author: Entry) -> None:
    """The e-mail address, the accounts and the CV of the owner."""
    run.add_accounts({"email": get_text(author, "email") or get_text(config, "email")})
    # github: ada, scholar_userid: J9of…
    accounts = {
        key: config[key] for key in config if find_service(key) or re.search(r"_(?:id|username|userid)$", key)
    }
    groups = [get_mapping(config, key) for key in ("social", "social_links", "links")]
    socials = get_mapping(run.source.data("_data/socials.yml", "_data/socials.yaml"))
    for data in (author, accounts, *groups, socials):
        run.add_accounts({key: value for key, value in data.items() if key not in NO_ACCOUNTS})
    if cv := get_text(socials, "cv_pdf") or get_text(config, "cv_pdf"):
        run.profile["cv"] = run.copy_first(cv, f"assets/pdf/{cv}")


def read_home(run: Import) -> None:
    """The home page: subtitle and photo of al-folio."""
    for home in run.documents:
        if home.list == "about":
            _read_home_page(run, home.front, home.name)


def _read_home_page(run: Import, front: Entry, name: str) -> None:
    """
    The front matter of the home page: the role, the lists that it shows, the photo of `profile`.

    The `more_info` of `profile`, an office or a telephone, is noted.
    """
    subtitle = front.get("subtitle") or front.get("description") or ""
    if isinstance(subtitle, str) and subtitle.strip() and not is_sample_text(subtitle):
        _read_role(run, subtitle, name)
    _read_home_flags(run, front)

    profile = get_mapping(front, "profile")
    if image := get_text(profile, "image"):
        run.profile["photo"] = run.value(image, name, "photo")
    info = " ".join(re.sub(r"<[^<>]*>", " ", get_text(profile, "more_info", "address")).split())
    if info:
        hint = "write it as role:, affiliation:, office: or email: in content/profile.yaml"
        run.note(name, f"more_info: {describe_entry(info)} ({hint})")


_ORGANIZATION = re.compile(
    r"""
    (?:(?!at\b|in\b|of\b|for\b|to\b)[\w&'’-]+\ )*
    (?:Universit\w+|Institute?|Department|Dept\.?|Cent(?:re|er)|School|College|Faculty|Laboratory)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Baden-Württemberg State Institute for …"""

_POSITION = re.compile(
    r"""
    \b(?:
        student|candidate|prof\w*|lecturer|fellow|post-?doc\w*|researcher|scientist|director|engineer|ph\.?d
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A word of a position, so that "Department of Physics, PhD student" is a role."""


def _read_role(run: Import, text: str, place: str) -> None:
    """
    The line below a name: an e-mail address, an organization, or else the role.

    "ada@example.edu" -> the address; "University of Rome" -> affiliation; "PhD student in Rome" -> role;
    "Lecturer, University of Rome" -> both
    """
    # without tags, and without the spaces that they leave: "Rome <b>,</b>" -> "Rome,"
    plain = " ".join(re.sub(r"<[^<>]*>", " ", text).split())
    plain = re.sub(r"\s+(?=[,;])", "", plain).strip(" ,.")
    address = parse_email(plain)
    # "Engineer at example.com" is no address
    if address and not re.match(r"[A-Z][a-z]+ at ", plain):
        run.add_link(address)
    elif _ORGANIZATION.match(plain) and not _POSITION.search(plain):
        url = re.search(r"href=[\"'](https?://[^\"']+)", text)
        run.profile.setdefault("affiliation", drop_empty({"name": plain, "url": url[1] if url else ""}))
    elif _POSITION.search(plain) and (fields := split_organization(plain)):
        run.profile |= name_position(fields)
    else:
        # of a link, its text
        words = re.sub(r"</?a\b[^<>]*>", "", text)
        run.profile["role"] = run.line(words, place).strip(" ,")


HOME_FLAGS: Mapping[str, str] = {
    "news": "news",
    "announcements": "news",
    "latestposts": "posts",
    "selectedpapers": "publications",
    "selectedpublications": "publications",
}
"""The folded keys of al-folio that say whether its home page shows a list, in their order there."""


def _read_home_flags(run: Import, front: Entry) -> None:
    """The sections of the home page: the text, and the lists that its flags turn on; none without flags."""
    flags = {HOME_FLAGS[fold_key(key)]: value for key, value in front.items() if fold_key(key) in HOME_FLAGS}
    config = get_mapping(run.source.data("_config.yml", "_config.yaml"))
    limits = {
        "news": get_text(config.get("announcements", ""), "limit") or get_text(config, "news_limit"),
        "posts": get_text(config.get("latest_posts", ""), "limit"),
    }
    sections: list[Data] = ["about"]
    for name in dict.fromkeys(HOME_FLAGS.values()):
        # `news: true`, or `announcements: {enabled: true, limit: 5}`
        flag = flags.get(name, "")
        is_shown = get_text(flag, "enabled") if isinstance(flag, dict) else flag
        options: Entry = drop_empty({"limit": get_text(flag, "limit") or limits.get(name, "")})
        if name == "publications":
            options = {"show": "selected"}
        if is_shown == "true":
            sections.append({name: options} if options else name)
    run.home_sections = sections if flags else []


def read_cards(run: Import) -> None:
    """The projects of al-folio, which a page shows as cards."""
    pages = (document.body for document in run.documents if document.list == "pages")
    if any("include projects" in body for body in pages):
        run.cards.add("projects")


def read_order(run: Import) -> None:
    """The projects of al-folio in the order of their `importance`; lines and pages need numbers for it."""
    projects = [document for document in run.documents if document.list == "projects"]
    ranked = sorted(projects, key=lambda document: read_rank(get_text(document.front, "importance")))
    # lines come first, then pages by their names
    default = sorted(ranked, key=lambda document: "" if is_line("projects", document.body) else document.url)
    if not any("importance" in document.front for document in projects):
        return
    if ranked != default:
        run.numbered.add("projects")
    run.documents = [*ranked, *(document for document in run.documents if document.list != "projects")]


def read_blog(run: Import) -> None:
    """The page of the posts of al-folio, which has no text: /blog/."""
    has_posts = any(document.list == "posts" for document in run.documents)
    if has_posts and read_permalinks(run.source)["_posts"].startswith("/blog/"):
        run.documents.append(Document("_pages/blog.md", "", {}, "", "/posts/", ("/blog/",)))


def read_bibliographies(run: Import) -> None:
    """
    The .bib files of _bibliography/ as they are, and the files of their entries.

    One that no page shows is left out with a note; one without entries, or with samples alone, without.
    """
    # _bibliography/talks.bib -> talks
    names = run.source.find(r"_bibliography/.*\.bib")
    stems = {name: name.rpartition("/")[2].removesuffix(".bib") for name in names}
    main = _find_main_bibliography(run, [*stems.values()])

    # {% bibliography -f talks %} shows talks.bib, and the main one if it names none
    pages = "\n".join(document.body for document in run.documents)
    shown = re.findall(r"\{%-?\s*bibliography\b[^%]*?(?:-f|--file)[\s=]+([\w./-]+)", pages)
    shown_stems = {main, *(stem.removesuffix(".bib") for stem in shown)}
    # with -f {{ page.file }} it may show each file; without any tag, a layout of the theme shows them
    is_known = "{% bibliography" in pages and not re.search(r"(?:-f|--file)[\s=]+\{\{", pages)

    for name, stem in stems.items():
        if is_known and stem not in shown_stems:
            run.source.read.add(name)
            run.note(name, "a bibliography that no page shows")
            continue
        text = _read_bib_file(run, name)
        has_entries = re.search(r"@\w+\s*[{(]", text) is not None
        if has_entries:
            run.files[f"bib/{stem}.bib"] = text
            if stem != main:
                _place_own_bibliography(run, stem)
            for title in list_bib_titles(text):
                run.bibliography.add_title(title)
    if not stems:
        read_shown_bib_files(run)


def _find_main_bibliography(run: Import, stems: Sequence[str]) -> str:
    """The name of the main .bib file: the one of the configuration, "papers", or the first one."""
    scholar = get_mapping(run.source.data("_config.yml"), "scholar")
    configured = get_text(scholar, "bibliography").removesuffix(".bib")
    guesses = (configured or "papers", "papers", *stems)
    return next((stem for stem in guesses if stem in stems), "")


_FILE_FIELD = re.compile(r"\b(pdf|slides|poster|supp|preview)\s*=\s*[{\"]\s*([^{}\"\s:]+)\s*[}\"]")
"""A field of an entry with a file: pdf = {lee2020.pdf}."""


def _read_bib_file(run: Import, name: str) -> str:
    """
    The text of a .bib file without front matter and samples; copies the files that its entries name.

    pdf = {lee2020.pdf} -> assets/pdf/lee2020.pdf; samples of the theme are noted.
    """
    owner = get_text(run.profile, "name")
    text = cut_front_matter(run.source.text(name))
    for entry in re.findall(r"^@\w+\s*\{[^@]*", text, re.MULTILINE):
        key = re.match(r"@\w+\s*\{\s*([^,\s]*)", entry)
        if key and is_sample_publication(key[1], entry, owner):
            text = text.replace(entry, "")
            run.note(name, f"{key[1]}: {SAMPLE_NOTE}")

    for field, file in _FILE_FIELD.findall(text):
        folder = "img/publication_preview" if field == "preview" else "pdf"
        run.copy_first(file, f"assets/{folder}/{file}")
    return text


_OTHER_WORKS = re.compile(r"talk|present|poster|press|media|invited|seminar|patent|software|dataset|outreach")
"""The names of bibliographies of works that are no publications."""


def _place_own_bibliography(run: Import, stem: str) -> None:
    """
    A second bibliography belongs to the page that shows it, or to a list of its name: talks.bib -> talks.

    Without both, or if the page has all publications, its entries stay among the publications.
    """
    # {% bibliography -f talks %}
    shows_stem = re.compile(rf"bibliography\b[^%]*(?:-f|--file)[\s=]+{re.escape(stem)}\b")
    page = next((d for d in run.documents if d.list == "pages" and shows_stem.search(d.body)), None)
    list_name = make_slug(page.url.strip("/")) if page else find_list(stem)
    # "research" shows all publications; "about" and "cv" are no lists
    is_other_list = page is not None or _OTHER_WORKS.search(stem) is not None
    if is_other_list and list_name not in ("publications", "papers", "research", "about", "cv"):
        run.own_bibs.setdefault(list_name, []).append(f"{stem}.bib")


MIN_LIBRARY = 5
"""The number of entries that make a .bib file a library; smaller ones are those of single papers."""


def read_shown_bib_files(run: Import) -> None:
    """
    The .bib files outside _bibliography/ that a script of the site shows.

    If the text of the pages has most titles already, the pages are the list, and the files stay files. So do
    a file without entries, and one with a single entry that no page names.
    """
    texts = [run.source.look_into(name) for name in run.source.find(r".*\.(?:html|md|markdown|qmd|yml|yaml)")]
    page_words = " ".join(map(fold_title, texts))
    names = run.source.find(r"(?!_bibliography/).*\.bib")
    titles_by_file = {name: list_bib_titles(run.source.text(name)) for name in names}
    # files of one paper each, lee2020.bib, are judged together: pages list most of them or none
    small_files = [titles for titles in titles_by_file.values() if len(titles) < MIN_LIBRARY]
    small_titles = [title for titles in small_files for title in titles]

    for name, titles in titles_by_file.items():
        file = name.rpartition("/")[2]
        if not titles:
            continue
        if _is_listed(titles if len(titles) >= MIN_LIBRARY else small_titles, page_words):
            run.note(name, "BibTeX of publications that a page lists; the page stays the list")
        elif len(titles) > 1 or any(file in text for text in texts):
            run.files[f"bib/{file}"] = run.source.text(name)
            for title in titles:
                run.bibliography.add_title(title)
        else:
            run.note(name, "BibTeX that no page names")


def _is_listed(titles: Sequence[str], shown: str) -> bool:
    """Whether a folded text has at least half of some titles."""
    folded = [fold_title(title) for title in titles]
    return sum(bool(title) and title in shown for title in folded) * 2 >= len(folded)


DATA_LISTS = re.compile(
    r"""
    awards|honors|teaching|courses|service|talks|news|education|experience|publications?|publist|papers
    |people|members|team\w*|alumni\w*|projects|grants|press|software|students
    """,
    re.VERBOSE,
)
"""Data files that are lists of entries."""


def read_cv_data(run: Import) -> None:
    """CVs and lists in data files, without those that the theme brings, and those that no page shows."""
    _read_main_cv(run)
    parts = run.source.find(r"(?:(?:_pages|_includes|_layouts)/.*|[\w-]+)\.(?:md|html|liquid)")
    texts = "".join(map(run.source.look_into, parts))
    # {% for item in site.data.awards %}, or data="awards"
    shown = re.findall(r"\bdata(?:\.|\s*=\s*[\"'])(\w+)", texts)

    for name in run.source.find(r"_data/[\w-]+\.(?:ya?ml|json)"):
        stem = name.split("/")[1].partition(".")[0]
        if DATA_LISTS.fullmatch(stem.casefold()) and name not in run.source.read:
            _read_data_file(run, stem, name, is_shown=not shown or stem in shown)
    for name in ("_data/cv.json", "_data/resume.json"):
        data = run.source.data(name)
        if isinstance(data, dict) and not is_sample_text(str(data)) and not run.lists.get("education"):
            read_resume(run, data, name)


def _read_data_file(run: Import, stem: str, name: str, *, is_shown: bool) -> None:
    """A data file with the sections of a CV, or with the entries of a list."""
    data = run.source.data(name)
    groups = get_mapping(data).values() if isinstance(data, dict) else [data]
    entries = [entry for group in groups for entry in get_entries(group)]
    if not is_shown:
        run.note(name, "data that no page shows")
    elif entries and all("contents" in entry for entry in entries):
        read_cv(run, data, name, page=PAGE_ALIASES.get(stem, stem))
    elif entries:
        _read_data_list(run, stem, data, name)


def _read_main_cv(run: Import) -> None:
    """The CV in JSON Resume, or else that of RenderCV, as the page of the CV chooses."""
    owner = get_text(run.profile, "name")
    resume = run.source.data("assets/json/resume.json")
    cv = run.source.data("_data/cv.yml", "_data/cv.yaml")
    page = run.source.text("_pages/cv.md")
    # al-folio shows one of the two: cv_format: rendercv
    is_rendercv = re.search(r"^cv_format:\s*.?rendercv", page, re.MULTILINE)
    if isinstance(resume, dict) and not is_rendercv and not _is_sample_cv(resume, owner):
        read_resume(run, resume, "assets/json/resume.json", page="cv")
    elif cv and not _is_sample_cv(cv, owner):
        # {cv: {sections: {…}}} of RenderCV, or {cv: {…}}, or a list of sections
        sections = get_mapping(cv, "cv", "sections") or get_mapping(cv, "cv") or cv
        read_cv(run, sections, "_data/cv.yml", page="cv")
    elif cv or resume:
        run.note("_data/cv.yml" if cv else "assets/json/resume.json", SAMPLE_NOTE)


def _is_sample_cv(data: Data, owner: str) -> bool:
    """Whether a CV is that of Albert Einstein, which al-folio brings."""
    text = str(data)
    return "einstein" in text.casefold() and is_einstein_entry(text, owner)


def _read_data_list(run: Import, stem: str, data: Data, name: str) -> None:
    """
    A data file with entries, or with groups of entries.

    {professors: [...], alumni: [...]} and [{group: A, members: [...]}] are groups.
    """
    target = {"publist": "publications", "students": "people"}.get(stem) or find_list(stem)
    if stem.startswith(("team", "alumni")):
        target = "people"
    default = "alumni" if stem.startswith("alumni") else ""
    groups = [*data.items()] if isinstance(data, dict) else [("", data)]
    for title, items in groups:
        for item in get_entries(items):
            # without members, the item is an entry itself
            members = get_entries(item, "members", "people", "entries")
            group = get_text(item, "title", "name", "group") if members else title
            own_group = {"group": group or default} if target == "people" else {}
            read_cv(run, {target: [drop_empty({**own_group, **entry}) for entry in members or [item]]}, name)


def read_menu(run: Import) -> None:
    """The menu of a data file, of the configuration, or of the front matter of pages, in this order."""
    data = run.source.data("_data/navigation.yml", "_data/navigation.yaml")
    config = run.source.data("_config.yml", "_config.yaml")
    links = get_mapping(config, "navbar-links")
    menu = [(title, url) for title, url in links.items() if isinstance(url, str)]

    items: list[Data] = get_items(data, "main") if isinstance(data, dict) else get_items(data)
    for item in items or get_items(config, "navigation", "nav", "menu"):
        for entry in (item, *get_items(item, "children", "sublinks", "dropdown")):
            title = get_text(entry, "title", "name", "text")
            menu.append((title, get_text(entry, "url", "link", "href")))

    ranked = sorted(_rank_pages(run), key=lambda page: page[0])
    for title, url in (*menu, *((title, url) for _, title, url in ranked)):
        if "://" in url or url.endswith(".pdf"):
            run.add_link(url, title)
        elif url:
            run.menu.append((title, url))


def _rank_pages(run: Import) -> Iterator[tuple[float, str, str]]:
    """The rank, the title and the old URL of each page of the menu, and those of the pages below it."""
    for document in run.documents:
        front = document.front
        nav = get_mapping(front, "nav")
        if nav or get_text(front, "nav") == "true":
            number = get_text(front, "nav_order", "nav_rank", "order") or get_text(nav, "order")
            rank = read_rank(number)
            yield rank, get_text(front, "title"), [*document.old_urls, document.url][0]
            for child in get_entries(front, "children"):
                yield rank, "", get_text(child, "permalink")


def read_coauthors(run: Import) -> None:
    """The co-authors with their URLs; a name that several have keeps the last. Without any, none is read."""
    files = ("_data/coauthors.yml", "_data/coauthors.yaml")
    data = get_mapping(run.source.data(*files))
    # {lee: [{firstname: [Ada, A.], url: https://a.org}]}; by the folded name, its spelling and its URL
    by_name: dict[tuple[str, str], tuple[str, str]] = {}
    for family, people in data.items():
        # "lee" -> "Lee", "de la Cruz" -> "de la Cruz"
        last = family if family != family.lower() else family.title()
        for person in get_entries(people):
            url = get_text(person, "url")
            first_names = get_texts(person, "firstname") if re.match(r"https?://", url) else []
            for first in first_names:
                name = f"{first} {last}"
                key = name_match_key(parse_spellings(name, ())[0])
                first_spelling, _ = by_name.get(key, (name, url))
                by_name[key] = (first_spelling, url)

    # names with one URL are one person: Ada Lee, with the alias A. Lee
    by_url: dict[str, list[str]] = {}
    for name, url in by_name.values():
        by_url.setdefault(url, []).append(name)
    rows = [
        drop_empty({"name": names[0], "url": url, "aliases": [*names[1:]]}) for url, names in by_url.items()
    ]
    if rows:
        run.files["content/coauthors.yaml"] = format_yaml(rows)
    else:
        run.source.read.difference_update(files)


def note_unread_keys(run: Import) -> None:
    """Note the texts of _config.yml and of data files that no step asked for, each by its key."""
    for name, data in run.source.mappings.items():
        unread = {key: data[key] for key in [*data] if key not in data.asked}
        if len(unread) == len(data):
            run.source.read.discard(name)
            continue
        # no switches and no sizes
        keys = [key for key in unread if not re.fullmatch(r"true|false|[\d.]*", get_text(unread, key))]
        if keys:
            run.note(name, f"keys that were not read: {', '.join(keys)}")


# Labs with the theme lab-website-template

ROLE_WORDS: Mapping[str, str] = {
    "pi": "Principal Investigator",
    "principal-investigator": "Principal Investigator",
    "postdoc": "Postdoctoral Researcher",
    "phd": "PhD Student",
    "masters": "Master's Student",
    "undergrad": "Undergraduate Student",
    "programmer": "Programmer",
    "mascot": "Mascot",
}
"""The words that lab-website-template shows for a role."""

GROUP_NAMES: Mapping[str, str] = {"alum": "alumni", "former": "alumni", "past": "alumni"}
MEMBER_KEYS = ("aliases", "start", "end", "interests", "advisor", "email", "url", "thesis")
SERVICE_KEYS = ("website", "orcid", "github", "twitter", "linkedin", "scholar")


def read_lab(run: Import) -> None:
    """Members and citations of a lab; the site of several members is that of a group."""
    types = get_mapping(run.source.data("_data/types.yaml", "_data/types.yml"))
    own_words = drop_empty({key: get_text(value, "description") for key, value in types.items()})
    words = {**ROLE_WORDS, **{key: str(text) for key, text in own_words.items()}}
    run.documents = [
        replace(document, front=_read_member(run, document, words)) if document.list == "people" else document
        for document in run.documents
    ]

    if sum(document.list == "people" for document in run.documents) > 1:
        run.profile["kind"] = "group"
        run.profile.pop("photo", None)
    _read_citations(run)


def _read_member(run: Import, document: Document, words: Mapping[str, str]) -> Entry:
    """The front matter of a member with Tenure's keys."""
    front = document.front
    own_links = get_mapping(front, "links")
    if text := get_text(front, "links"):
        run.note(document.name, f"links: {text}")

    role = get_text(front, "role", "position")
    default = "alumni" if document.name.startswith("_alumni/") else ""
    group = get_text(front, "group", "status") or default
    known = {key: front[key] for key in MEMBER_KEYS if key in front}
    return drop_empty(
        {
            "name": get_text(front, "name", "title"),
            "role": get_text(front, "description") or words.get(role.casefold(), role),
            # a member with an end is a former one, and needs no group for it
            "group": "" if known.get("end") else GROUP_NAMES.get(group.casefold(), group),
            "image": get_text(front, "image", "img", "photo", "avatar"),
            "organization": get_text(front, "affiliation"),
            **known,
            "email": get_text(own_links, "email", "mail") or get_text(front, "email"),
            "links": _read_links_of_member({**own_links, **keep_keys(front, *SERVICE_KEYS)}),
        }
    )


def _read_links_of_member(data: Entry) -> Entry:
    """The accounts of a member by the names of services."""
    links: Entry = {}
    for key, value in data.items():
        if isinstance(value, str) and "mail" not in key:
            text = value.strip()
            if key == "google-scholar":
                text = text.split("&")[0]
            links[key.replace("home-page", "website")] = text
    return drop_empty(links)


def _read_citations(run: Import) -> None:
    """_data/citations.yaml, which the template makes from identifiers such as doi:10.1000/1."""
    name = next(iter(run.source.find(r"_data/citations\.ya?ml")), "")
    known = {"", *run.bibliography.titles}

    for item in get_entries(run.source.data(name)):
        title = get_text(item, "title")
        if fold_title(title) in known:
            continue
        kind, _, number = get_text(item, "id").partition(":")
        values: Entry = {
            "title": title,
            "author": [*get_texts(item, "authors")],
            "venue": get_text(item, "publisher", "journal"),
            "date": get_text(item, "date"),
            "doi": number if kind == "doi" else "",
            "pmid": number if kind == "pubmed" else "",
            "preprint": make_arxiv_url(number) if kind == "arxiv" else "",
            "url": "" if kind in ("doi", "pubmed", "arxiv") else get_text(item, "link"),
            "image": get_text(item, "image"),
            "links": _list_buttons(item),
        }
        run.add_publication(values, get_text(item, "description"), name)


def _list_buttons(item: Entry) -> list[Data]:
    """The links of a citation, and that to its repository."""
    buttons: list[Data] = []
    for button in get_entries(item, "buttons"):
        name = get_text(button, "text") or get_text(button, "type").capitalize()
        buttons.append({"url": get_text(button, "link"), "name": name})
    if repository := get_text(item, "repo"):
        buttons.append({"url": f"https://github.com/{repository}", "name": "code"})
    return buttons


# The whole system

ASSETS = ("", "images", "files", "assets", "assets/img", "assets/pdf", "assets/images", "assets/video", "img")
STEPS = (
    read_config,
    read_home,
    read_cards,
    read_order,
    read_blog,
    read_bibliographies,
    read_lab,
    read_cv_data,
    read_cv_pages,
    read_coauthors,
    read_menu,
    note_unread_keys,
)
JEKYLL = System(
    "Jekyll",
    PLACES,
    KEYS,
    assets=ASSETS,
    steps=STEPS,
    read_permalinks=read_permalinks,
    noise=(
        r"_(?:layouts|includes|sass|plugins|site|scripts|styles|config)"
        r"|(?:assets/(?:css|js|fonts|jupyter|json|libs|webfonts|plotly|html)"
        r"|css|js|fonts|scripts|bin|markdown_generator|talkmap|docs|test|images/themes)/"
        r"|.*\.(?:js|css|scss|rb|sh|lock|toml|liquid|py|ipynb|gemspec|xml|ico|tsv|csv)$"
        r"|assets/bibliography/2018-12-22-distill\.bib"
        r"|Gemfile|Rakefile|LICENSE|README|CNAME|Dockerfile|docker|package"
        r"|_data/(?:ui-text|authors|navigation|comments|types|threads|bluesky|socials"
        r"|featured_)"
        r"|.*(?:404|sitemap)\.|robots"
    ),
)
