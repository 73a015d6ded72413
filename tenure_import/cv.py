"""
CVs: RenderCV, JSON Resume and the data files of al-folio, whose sections are lists of entries; and CVs in
Markdown.

A section has a title, which names a list of Tenure, and items: an entry with keys, or a line of text.
"""

import re
from collections.abc import Mapping, Sequence

from tenure.plan.kinds import CV_ORDER, HOME_ORDER
from tenure.record import replace
from tenure_import.cv_lines import ORGANIZATION, Group, build_entries, is_organization, name_fields
from tenure_import.imported_document import LIST_PATTERNS, PAGE_ALIASES, Document, find_list
from tenure_import.importer import Import, System
from tenure_import.samples import SAMPLE_NOTE, is_einstein_entry, is_sample_text
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
)
from tenure_import.text import drop_tags

SECTION_LISTS: Mapping[str, str] = {
    "work": "experience",
    "volunteer": "service",
    "presentations": "talks",
    "portfolio": "projects",
    "experiencia_laboral": "experience",
}
"""The lists of Tenure by keys of sections that `find_list` does not read so."""

NO_SECTIONS = frozenset(
    """
    $schema basics design email image info label links locale location meta name personal phone photo sections
    settings social_networks summary url website
    """.split()
)
"""The keys of a CV that are no sections, with those of the person."""

NOT_NEEDED = "a homepage does not need it"


def read_cv(run: Import, sections: Data, place: str, page: str = "") -> None:
    """
    The sections of a CV, {Awards: [A prize]} or [{title: Awards, contents: [A prize]}], as entries of lists.

    A page, "cv" or another one such as "teaching", shows these lists in their order under their headings.
    Samples of the theme are noted, and what is no section of a CV, such as the name, is left out.
    """
    owner = get_text(run.profile, "name")
    if isinstance(sections, dict):
        rows = [(title, get_items(contents)) for title, contents in sections.items()]
    else:
        rows = [
            (get_text(section, "title"), get_items(section, "contents")) for section in get_entries(sections)
        ]

    for title, items in rows:
        if title in NO_SECTIONS:
            continue
        name = SECTION_LISTS.get(title) or find_list(title)
        # "work" of JSON Resume is a key, and no heading
        heading = title if page != "cv" or title != title.lower() else ""
        if page:
            name = run.add_page_section(page, name, heading)
        for item in items:
            text = str(item)
            if is_sample_text(text) or is_einstein_entry(text, owner):
                shown = get_text(item, "title", "name") or describe_entry(item)
                run.note(place, f"{SAMPLE_NOTE}: {shown}")
            else:
                add_cv_item(run, name, title, item, place)


def add_cv_item(run: Import, name: str, title: str, item: Data, place: str) -> None:
    """Add one entry of a section, in the spellings of all systems; a list in it is several entries."""
    # {bullet: A prize} of RenderCV -> "A prize"
    if isinstance(item, dict) and {*item} <= {"bullet", "number", "reversed_number"}:
        item = next(iter(item.values()), "")
    if isinstance(item, str):
        run.add_entry(name, title, {"text": run.line(item, place)})
    elif isinstance(item, list):
        for child in item:
            add_cv_item(run, name, title, child, place)
    elif name == "publications" or ("authors" in item and "title" in item):
        add_cv_publication(run, item, place)
    else:
        _add_cv_entry(run, name, title, item, place)


def _add_cv_entry(run: Import, name: str, title: str, item: Entry, place: str) -> None:
    """
    Add an entry with keys, or the lines of a year of al-folio: {year: 2020, items: [a, b]}.

    The full name and the birthday of the owner are noted: no list needs them.
    """
    has_name = any(item.get(key) for key in ("title", "institution", "name", "category"))
    if isinstance(item.get("items"), list) and not has_name:
        key = "title" if name == "awards" else "text"
        for line in get_items(item, "items"):
            run.add_entry(name, title, {key: run.value(line, place), "date": get_text(item, "year")})
    elif "value" in item and re.search(r"full name|birth", get_text(item, "name"), re.IGNORECASE):
        run.note(place, f"{get_text(item, 'name')}: {NOT_NEEDED}")
    else:
        run.add_entry(name, title, run.entry(name, arrange_cv_entry(item, name), place))


def arrange_cv_entry(item: Entry, name: str) -> Entry:
    """
    An entry with what the reader does not know under its own keys; the level of a language is dropped.

    {name: Languages, value: German} -> {title: Languages, text: German}; the agency of an award is its
    organization, {endDate: 2025, expected: true} ends "2025 (expected)".
    """
    item = {key: value for key, value in item.items() if key != "level_percentage"}
    if "value" in item and "name" in item:
        item = {"title": item["name"], "text": item["value"]}
    if name == "awards" and "agency" in item:
        item.setdefault("organization", item.pop("agency"))
    if item.get("expected") == "true":
        item["endDate"] = f"{get_text(item, 'endDate')} (expected)".strip()
        del item["expected"]
    return item


def add_cv_publication(run: Import, item: Entry, place: str) -> None:
    """Add a publication of a CV; one whose title a .bib file has is noted, and so are missing authors."""
    title = get_text(item, "title", "name")
    if run.bibliography.has_title(title):
        run.note(place, f"a publication that a .bib file has already: {title}")
        return

    link = get_mapping(item, "link")
    authors = item.get("authors", item.get("author", ""))
    values: Entry = {
        **item,
        "title": title,
        "venue": get_text(item, "journal", "publisher", "conference", "venue") or get_text(link, "display"),
        "date": get_text(item, "date", "releaseDate", "year"),
        "author": authors,
        "url": get_text(item, "url") or get_text(link, "url") or get_text(item, "link"),
        "link": "",
        "abstract": get_text(item, "abstract", "description", "summary"),
    }
    key = run.add_publication(values, "", place)
    if key and not authors:
        run.note(place, f"{key} has no authors in the source; add them in bib/papers.bib")


def read_resume(run: Import, resume: Entry, place: str, page: str = "") -> None:
    """JSON Resume: the person in `basics`, and sections with the names of the standard, of a page as well."""
    basics = get_mapping(resume, "basics")
    _read_person(run, basics, place)
    canonical = get_text(get_mapping(resume, "meta"), "canonical")
    if canonical.endswith("/resume.json"):
        run.settings["url"] = canonical.removesuffix("resume.json")
    _read_contact(run, basics, place)

    summary = basics.get("summary", "")
    if isinstance(summary, str) and summary and not any(d.list == "about" for d in run.documents):
        run.add_about(run.text(summary, place))
    interests = [*filter(None, map(_format_interest, get_items(resume, "interests")))]
    if interests:
        run.profile.setdefault("interests", [*interests])
    read_cv(run, {key: value for key, value in resume.items() if key != "interests"}, place, page)


def _read_person(run: Import, basics: Entry, place: str) -> None:
    """The name, the role and the organization of the owner."""
    for key, target in (("name", "name"), ("label", "role"), ("headline", "role")):
        if text := get_text(basics, key):
            run.profile.setdefault(target, run.line(text, place))
    for key, target in (
        ("alternateName", "aliases"),
        ("affiliations", "affiliation"),
        ("pronouns", "pronouns"),
    ):
        if value := basics.get(key):
            run.profile.setdefault(target, value)


def _read_contact(run: Import, basics: Entry, place: str) -> None:
    """The e-mail address, the accounts and the town of the owner; the telephone is reported."""
    profiles = get_entries(basics, "profiles")
    run.add_link(get_text(basics, "email"))
    address = get_text(basics, "url", "website")
    if address not in [get_text(item, "url") for item in profiles]:
        run.add_link(address, "website")

    where = get_mapping(basics, "location")
    texts = [get_text(where, "city"), get_text(where, "region"), get_text(where, "countryCode", "country")]
    if any(texts):
        run.profile.setdefault("location", ", ".join(filter(None, texts)))
    for item in profiles:
        run.add_link(get_text(item, "url") or get_text(item, "username"), get_text(item, "network"))
    for key in ("phone", "address"):
        if text := get_text(basics, key) or get_text(where, key):
            run.note(place, f"{key}: {text} ({NOT_NEEDED})")


def _format_interest(item: Data) -> str:
    """An interest with its keywords: "Weaving (looms, yarn)"."""
    keywords = ", ".join(get_texts(item, "keywords"))
    name = item if isinstance(item, str) else get_text(item, "name")
    return f"{name} ({keywords})" if keywords else name


ABOUT_TITLE = re.compile(r"(?:\w+ )?(?:summary|profile|objective)|about(?: me)?|welcome.*", re.IGNORECASE)
"""The title of a section with a text about the owner: Professional Summary, About me."""


def read_rendercv_file(run: Import) -> None:
    """The CV of a folder that has sections and the longest text; the others are noted."""
    found: dict[str, Entry] = {}
    for name in run.source.files:
        if name.endswith((".yaml", ".yml")):
            cv = get_mapping(run.source.data(name), "cv")
            if cv.get("sections") or cv.get("name"):
                found[name] = cv

    def rank(name: str) -> tuple[bool, int]:
        return bool(found[name].get("sections")), len(run.source.text(name))

    name = max(found, key=rank, default="")
    for other in found.keys() - {name}:
        run.note(other, "another CV; import it into a site of its own")

    cv = found.get(name, {})
    _read_rendercv_person(run, cv, name)
    sections = get_mapping(cv, "sections")
    for title in [*sections]:
        items = get_items(sections, title)
        texts = [text for text in items if isinstance(text, str)]
        if ABOUT_TITLE.fullmatch(title.replace("_", " ")) and len(texts) == len(items):
            run.add_about("\n\n".join(run.text(text, name) for text in texts))
            del sections[title]
    read_cv(run, sections, name)


def _read_rendercv_person(run: Import, cv: Entry, name: str) -> None:
    """The name, the role, the place and the accounts of the owner; the telephone is reported."""
    profile = {
        "name": get_text(cv, "name"),
        "role": get_text(cv, "label", "headline"),
        "location": get_text(cv, "location"),
    }
    run.profile |= drop_empty({key: run.line(text, name) for key, text in profile.items() if text})
    for address in (*get_texts(cv, "email"), *get_texts(cv, "website")):
        run.add_link(address, "website")
    for account in get_entries(cv, "social_networks"):
        run.add_link(get_text(account, "username", "url"), get_text(account, "network"))
    if phone := get_text(cv, "phone"):
        run.note(name, f"phone: {phone} ({NOT_NEEDED})")


def read_json_resume_file(run: Import) -> None:
    """The first file of a folder that is a JSON Resume, resume.json before others, which are not read."""
    names = [name for name in run.source.files if name.endswith((".json", ".yaml", ".yml"))]
    names.sort(key=lambda name: (not name.endswith("resume.json"), "resume" not in name, len(name)))
    for name in names:
        data = run.source.data(name)
        resume = get_mapping(data, "content") or get_mapping(data)
        people = (get_mapping(resume, key) for key in ("basics", "info", "personal"))
        if person := next(filter(None, people), None):
            read_resume(run, {**resume, "basics": person, "info": "", "personal": ""}, name)
            return


HEADING = re.compile(
    r"""
    ^(?P<marks>\#{1,6})[ \t]+(?P<atx>[^\n]+?)[ \t#]*$
    | ^(?P<setext>\S[^\n]*)\n(?:=+|-+)[ \t]*$
    | ^[ \t]*<h[1-6]\b[^<>]*>(?P<tag>(?:(?!</?h[1-6]).)*?)</h[1-6]>
    | ^[ \t]*<button\b[^<>]*>(?P<button>(?:(?!</?button).)*?)</button>
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
"""A heading: "## Education", "Education" above a line, "<h2>Education</h2>", "<button>Education</button>"."""

_MARKUP = re.compile(r"\{[%{].*?[%}]\}|\{:[^{}]*\}|<[^<>]*>|^#[^\n]*$", re.DOTALL | re.MULTILINE)
"""What is no word of a page: {% toc %}, {: .a}, <br>, # Talks."""


_ITEM = re.compile(
    r"<li\b[^<>]*>(?P<text>(?:(?!</?li\b).)*)</li\s*>|</?[uo]l\b[^<>]*>", re.DOTALL | re.IGNORECASE
)
"""An item of HTML without items in it, or a tag around items: <li>PhD</li>, <ul>."""

_SHORT: Data = {"brief": "true", "limit": "5"}
HOME_SECTIONS: list[Data] = ["about", *({name: _SHORT} for name in HOME_ORDER)]
"""What the home page has beside texts of the CV, which it would show too."""


def read_cv_pages(run: Import) -> None:
    """CVs in Markdown: a section that has only bullets becomes a list, the rest texts of the new CV."""
    has_data = "cv" in run.page_sections
    sections = run.page_sections.setdefault("cv", {})
    for document in [document for document in run.documents if document.list == "cv"]:
        body = re.sub(r"<!--.*?-->", "", document.body, flags=re.DOTALL)
        headings = [*HEADING.finditer(body)]
        starts = [*(heading.start() for heading in headings), len(body)]

        beginning = body[: starts[0]]
        if re.search(r"\w{3}", _MARKUP.sub("", beginning)):
            _add_cv_text(run, document.name, get_text(document.front, "title") or "CV", beginning)
        for heading, end in zip(headings, starts[1:], strict=True):
            section = body[heading.end() : end].strip("\n")
            title = next(filter(None, heading.group("atx", "setext", "tag", "button")), "")
            # "**Talks** {.a}:" -> Talks
            title = re.sub(r"<[^<>]*>|[*_:]|\{[^{}]*\}", "", title).strip()
            _read_cv_section(run, document.name, title, section)

    # with texts, the new CV has the order of the old one, and then what it has without them
    if any(document.list == "cv text" for document in run.documents):
        sections |= {name: "" for name in CV_ORDER if name not in sections and not has_data}
    elif not has_data:
        del run.page_sections["cv"]

    # the old address leads to the new CV
    run.documents = [
        replace(document, list="") if document.list == "cv" else document for document in run.documents
    ]


def _add_cv_text(run: Import, place: str, title: str, text: str) -> None:
    """Add a text to the CV, and not to the home page: "Aim", "I weave." -> content/aim.md."""
    name = find_list(title)
    if name in {*LIST_PATTERNS, *PAGE_ALIASES, *run.lists, "cv"}:
        name = f"{name}-text"
    run.page_sections["cv"].setdefault(name, title)
    run.home_sections = run.home_sections or HOME_SECTIONS
    run.documents.append(Document(place, "cv text", {"title": title}, text, f"/cv/#{name}"))


def _read_cv_section(run: Import, place: str, title: str, section: str) -> None:
    """
    Add the entries of a section, or its text if it is no list of bullets.

    "Awards", "- A prize, 2020" -> an entry of awards; "Aim", "I weave." -> a text.
    """
    name = find_list(title)
    run.page_sections["cv"].setdefault(name, title)
    # at an empty line, and before each bullet
    paragraphs = re.split(r"\n(?=\s*(?:\n|[*+-]\s))", section)
    section = "\n".join(paragraph for paragraph in paragraphs if not is_sample_text(paragraph))
    # no text, or a list that the site makes from its data: {% for post in site.talks %} … {% endfor %}
    without_loops = re.sub(r"\{%-?\s*for\b.*?endfor\s*-?%\}", "", section, flags=re.DOTALL)
    if not re.search(r"\w{3}", drop_tags(without_loops)):
        return

    # without lines that are only <br>, --- or ***
    section = re.sub(r"^[ \t]*(?:<br\s*/?>|-{3,}|\*{3,})[ \t]*$", "", section, flags=re.MULTILINE)
    lines = [line for line in _ITEM.sub(_format_item, section).split("\n") if line.strip()]
    # "- A prize", "1. A prize", and "  of the jury" below them
    are_bullets = all(re.match(r"[ \t]*(?:[*+-]|\d+[.)])[ \t]|[ \t]{2,}\S", line) for line in lines)
    if not are_bullets or name == "publications" or "{%" in section:
        _add_cv_text(run, place, title, section)
        return

    groups = [
        _make_group([run.line(re.sub(r"\*\*|__", "", bullet), place) for bullet in bullets])
        for bullets in _group_bullets(lines)
    ]
    own_groups = [group for group in groups if not is_sample_text(group.lines[0])]
    for entry in build_entries(own_groups, name):
        run.add_entry(name, title, name_fields(entry, name))


def _format_item(match: re.Match[str]) -> str:
    """
    An item of HTML as a bullet, and a line with a label below it: "<li>PhD,⏎2019⏎Advisor: Bo Lee</li>" ->
    "- PhD, 2019" and "  Advisor: Bo Lee".
    """
    lines = [line.strip() for line in (match["text"] or "").split("\n")]
    text = re.sub(r"\n(?![A-Z]\w+: )", " ", "\n".join(filter(None, lines))).replace("\n", "\n  ")
    return f"\n- {text}\n" if text else "\n"


def _make_group(texts: Sequence[str]) -> Group:
    """The entry of some bullets: "PhD in X", with "University of Y" below it, has two lines."""
    line_count = 2 if len(texts) > 1 and is_organization(texts[1], ORGANIZATION) else 1
    return Group([*texts[:line_count]], [*texts[line_count:]])


def _group_bullets(lines: Sequence[str]) -> list[list[str]]:
    """The bullets without their marks, each with those below it: "- a", "  - b" -> ["a", "b"]."""
    # below the items of a numbered list, bullets are details
    mark = r"[*+-]"
    if any(re.match(r"\d+[.)]", line) for line in lines):
        mark = r"\d+[.)]"
    groups: list[list[str]] = []
    for line in lines:
        bullet = re.sub(r"^[ \t]*(?:[*+-]|\d+[.)])[ \t]+", "", line).strip()
        if re.match(mark, line) or not groups:
            groups.append([bullet])
        else:
            groups[-1].append(bullet)
    return groups


RENDERCV = System("RenderCV", steps=(read_rendercv_file,))
JSON_RESUME = System("JSON Resume", steps=(read_json_resume_file,))
