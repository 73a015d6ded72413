"""CVs: RenderCV, JSON Resume and the data files of al-folio, whose sections are lists of entries; and CVs in Markdown."""

import re
from collections.abc import Mapping

from tenure_import.engine import Document, Import, System, find_list
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

SECTION_LISTS: Mapping[str, str] = {
    "work": "experience", "volunteer": "service", "presentations": "talks", "portfolio": "projects", "experiencia_laboral": "experience",
}  # fmt: skip
NO_SECTIONS = frozenset(
    ["basics", "info", "personal", "$schema", "meta", "design", "locale", "settings", "name", "email", "location", "social_networks", "website",
     "phone", "image", "label", "summary", "photo", "sections", "links", "url"]
)  # fmt: skip
ABOUT_TITLE = re.compile(r"(?:\w+ )?(?:summary|profile|objective)|about(?: me)?|welcome.*", re.IGNORECASE)

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

ORGANIZATION = re.compile(
    r"univers|college|institut|school|lab\b|laborator|\bcent(?:er|re)\b|hospital|academ|\binc\b|gmbh|ltd|polytechn|\bETH\b|\bMIT\b",
    re.IGNORECASE,
)
MONTH = (
    r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Fall|Autumn|Winter)[a-z]*\.?,? )?"
)
PERIOD = rf"{MONTH}\d{{4}}(?:\s*[-–—]+\s*(?:{MONTH}\d{{4}}|present|now|current|expected)?)?(?: \(expected\))?"


def read_cv(run: Import, sections: Data, place: str) -> None:
    """The sections of a CV: a mapping of titles, or a list with `title` and `contents`."""
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
        for item in items:
            text = str(item)
            if is_sample_text(text) or is_einstein_entry(text, owner):
                shown = get_text(item, "title", "name") or describe_entry(item)
                run.note(place, f"{SAMPLE_NOTE}: {shown}")
            else:
                add_cv_item(run, name, title, item, place)


def add_cv_item(run: Import, name: str, title: str, item: Data, place: str) -> None:
    """Add one entry of a section, in the spellings of all systems."""
    if isinstance(item, dict) and {*item} <= {"bullet", "number", "reversed_number"}:
        item = next(iter(item.values()), "")
    if isinstance(item, str):
        run.add_entry(name, title, {"text": run.line(item, place)})
        return
    if not isinstance(item, dict):
        for child in item:
            add_cv_item(run, name, title, child, place)
        return
    names = {key for key in ("title", "institution", "name", "category") if item.get(key)}
    if name == "publications" or ("authors" in item and "title" in item):
        add_cv_publication(run, item, place)
    elif isinstance(item.get("items"), list) and not names:  # al-folio: a year with several lines
        for line in get_items(item, "items"):
            key = "title" if name == "awards" else "text"
            run.add_entry(name, title, {key: run.value(line, place), "date": get_text(item, "year")})
    elif re.search(r"full name|birth", get_text(item, "name"), re.IGNORECASE) and "value" in item:
        run.note(place, f"{get_text(item, 'name')}: a homepage does not need it")
    else:
        run.add_entry(name, title, run.entry(name, arrange_cv_entry(item, name), place))


def arrange_cv_entry(item: Entry, name: str) -> Entry:
    """An entry without what the reader does not know: the funder of an award, lines in `contents`, a pair of name and value."""
    item = {key: value for key, value in item.items() if key != "level_percentage"}
    if "value" in item and "name" in item:
        item = {"title": item["name"], "text": item["value"]}
    if name == "awards" and "agency" in item:
        item.setdefault("organization", item.pop("agency"))
    if item.get("expected") == "true":
        item["endDate"] = f"{get_text(item, 'endDate')} (expected)".strip()
        del item["expected"]
    if isinstance(item.get("contents"), list):
        item["details"] = [*get_items(item, "details"), *get_items(item.pop("contents"))]
    return item


def add_cv_publication(run: Import, item: Entry, place: str) -> None:
    """Add a publication of a CV, unless a .bib file has its title."""
    title = get_text(item, "title", "name")
    if run.bibliography.has_title(title):
        run.note(place, f"a publication that a .bib file has already: {title}")
        return
    venue = get_text(item, "journal", "publisher", "conference", "venue")
    date = get_text(item, "date", "releaseDate", "year")
    authors = item.get("authors", item.get("author", ""))
    url = get_text(item, "url") or get_text(get_mapping(item, "link"), "url") or get_text(item, "link")
    venue = venue or get_text(get_mapping(item, "link"), "display")
    abstract = get_text(item, "abstract", "description", "summary")
    values: Entry = {
        **item,
        "title": title,
        "venue": venue,
        "date": date,
        "author": authors,
        "url": url,
        "link": "",
        "abstract": abstract,
    }
    key = run.add_publication(values, "", place)
    if key and not authors:
        run.note(place, f"{key} has no authors in the source; add them in bib/papers.bib")


def read_resume(run: Import, resume: Entry, place: str) -> None:
    """JSON Resume: the person in `basics`, and sections with the names of the standard."""
    basics = get_mapping(resume, "basics")
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
    run.add_link(get_text(basics, "email"))
    address = get_text(basics, "url", "website")
    if address not in [get_text(item, "url") for item in get_entries(basics, "profiles")]:
        run.add_link(address, "website")
    canonical = get_text(get_mapping(resume, "meta"), "canonical")
    if canonical.endswith("/resume.json"):
        run.settings["url"] = canonical.removesuffix("resume.json")
    where = get_mapping(basics, "location")
    texts = [get_text(where, "city"), get_text(where, "region"), get_text(where, "countryCode", "country")]
    if any(texts):
        run.profile.setdefault("location", ", ".join(filter(None, texts)))
    for item in get_entries(basics, "profiles"):
        run.add_link(get_text(item, "url") or get_text(item, "username"), get_text(item, "network"))
    for key in ("phone", "address"):
        if text := get_text(basics, key) or get_text(where, key):
            run.note(place, f"{key}: {text} (a homepage does not need it)")
    summary = basics.get("summary", "")
    if isinstance(summary, str) and summary and not any(d.list == "about" for d in run.documents):
        run.add_about(run.text(summary, place))
    interests = [_format_interest(item) for item in get_items(resume, "interests")]
    if any(interests):
        run.profile.setdefault("interests", [*filter(None, interests)])
    read_cv(run, {key: value for key, value in resume.items() if key != "interests"}, place)


def _format_interest(item: Data) -> str:
    keywords = ", ".join(get_texts(item, "keywords"))
    name = item if isinstance(item, str) else get_text(item, "name")
    return f"{name} ({keywords})" if keywords else name


def read_rendercv_file(run: Import) -> None:
    """The CV with the most sections of a folder, or the CV of a file."""
    found: dict[str, Entry] = {}
    for name in run.source.files:
        if name.endswith((".yaml", ".yml")):
            cv = get_mapping(run.source.data(name), "cv")
            if cv.get("sections") or cv.get("name"):
                found[name] = cv
    name = max(found, key=lambda n: (bool(found[n].get("sections")), len(run.source.text(n))), default="")
    for other in found.keys() - {name}:
        run.note(other, "another CV; import it into a site of its own")
    cv = found.get(name, {})
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
        run.note(name, f"phone: {phone} (a homepage does not need it)")
    sections = get_mapping(cv, "sections")
    for title in [*sections]:
        texts = get_items(sections, title)
        if ABOUT_TITLE.fullmatch(title.replace("_", " ")) and all(isinstance(text, str) for text in texts):
            run.add_about("\n\n".join(run.text(text, name) for text in texts if isinstance(text, str)))
            del sections[title]
    read_cv(run, sections, name)


def read_json_resume_file(run: Import) -> None:
    """The file resume.json of a folder, or the file itself."""
    names = [name for name in run.source.files if name.endswith((".json", ".yaml", ".yml"))]
    for name in sorted(
        names, key=lambda name: (not name.endswith("resume.json"), "resume" not in name, len(name))
    ):
        data = run.source.data(name)
        resume = get_mapping(data, "content") or get_mapping(data)
        person = (
            get_mapping(resume, "basics") or get_mapping(resume, "info") or get_mapping(resume, "personal")
        )
        if person:
            read_resume(run, {**resume, "basics": person, "info": "", "personal": ""}, name)
            return


def read_cv_pages(run: Import) -> None:
    """CVs in Markdown: a section that has only bullets becomes a list, the rest a page."""
    for document in [document for document in run.documents if document.list == "cv"]:
        run.documents.remove(document)
        body = re.sub(r"<!--.*?-->", "", document.body, flags=re.DOTALL)
        headings = [*HEADING.finditer(body)]
        rest = body[: headings[0].start()] if headings else body
        for head, following in zip(headings, [*headings[1:], None], strict=False):
            section = body[head.end() : following.start() if following else len(body)].strip("\n")
            title = next(filter(None, (head["atx"], head["setext"], head["tag"], head["button"])), "")
            title = re.sub(r"<[^<>]*>|[*_:]|\{[^{}]*\}", "", title).strip()
            rest += _read_cv_section(run, document, title, section)
        if re.search(
            r"\w{3}",
            re.sub(
                r"\{[%{].*?[%}]\}|\{:[^{}]*\}|<[^<>]*>|^#[^\n]*$", "", rest, flags=re.DOTALL | re.MULTILINE
            ),
        ):
            title = get_text(document.front, "title") or "CV"
            run.documents.append(
                Document(document.name, "pages", {"title": title}, rest, "/vita/", document.old_urls)
            )


def _read_cv_section(run: Import, document: Document, title: str, section: str) -> str:
    """Add the entries of a section; returns the text of a section that is no list of bullets, for the page."""
    paragraphs = re.split(r"\n(?=\s*(?:\n|[*+-]\s))", section)
    section = "\n".join(paragraph for paragraph in paragraphs if not is_sample_text(paragraph))
    if not section.strip():
        return ""
    without_loops = re.sub(r"\{%-?\s*for\b.*?endfor\s*-?%\}", "", section, flags=re.DOTALL)
    if not re.search(r"\w{3}", re.sub(r"\{[%{].*?[%}]\}|<[^<>]*>", "", without_loops, flags=re.DOTALL)):
        return ""  # a list that the site makes from its data
    lines = [
        line
        for line in section.split("\n")
        if line.strip() and not re.fullmatch(r"\s*(?:<br\s*/?>|-{3,})\s*", line)
    ]
    name = find_list(title)
    are_bullets = all(re.match(r"[ \t]*(?:[*+-]|\d+[.)])[ \t]|[ \t]{2,}\S", line) for line in lines)
    if not are_bullets or name == "publications" or "{%" in section:
        return f"\n\n## {title}\n\n{section}"
    entries: list[tuple[str, list[Data]]] = []
    mark = r"\d+[.)]" if any(re.match(r"\d+[.)]", line) for line in lines) else r"[*+-]"
    for line in lines:
        bullet = re.sub(r"^[ \t]*(?:[*+-]|\d+[.)])[ \t]+", "", line).strip()
        if re.match(mark, line) or not entries:
            entries.append((run.line(bullet, document.name), []))
        else:
            entries[-1][1].append(run.line(bullet, document.name))
    for text, details in entries:
        if not is_sample_text(text):
            run.add_entry(*split_cv_line(text, name, title, details))
    return ""


def split_cv_line(text: str, name: str, title: str, details: list[Data]) -> tuple[str, str, Entry]:
    """
    A bullet as an entry: its list, the title of this list, and its fields.

    "PhD in X, University Y, 2019": the date is at an end, and a clause names the organization.
    """
    text = re.sub(r"\*\*|__", "", text)
    date = re.search(
        rf"[,;:(\[\s]*\(?({PERIOD})[)\]]?[.\s]*$|^[(\[]?({PERIOD})[)\]]?\s*[:,]?\s+",
        text[-200:] if len(text) > 400 else text,
        re.IGNORECASE,
    )
    when = next(filter(None, date.groups()), "") if date else ""
    if date and len(text) <= 400:
        text = f"{text[: date.start()]}{text[date.end() :]}".strip(" ,;:")
    clauses = re.split(r",\s+(?![^(\[]*[)\]])", text)
    if (
        details
        and isinstance(details[0], str)
        and not any(map(ORGANIZATION.search, clauses))
        and ORGANIZATION.search(details[0])
    ):
        clauses += re.split(r",\s+", details[0])
        details = details[1:]
    index = next((i for i, clause in enumerate(clauses) if ORGANIZATION.search(clause)), None)
    if name in ("education", "experience") and index is None:
        return f"{name}-list", title, drop_empty({"text": text, "date": when, "details": details})
    if name in ("education", "experience"):
        names = ("institution", "degree") if name == "education" else ("organization", "role")
        entry: Entry = {
            names[0]: clauses[index or 0],
            names[1]: ", ".join(clauses[: index or 0]),
            "location": ", ".join(clauses[(index or 0) + 1 :]),
            "period": when,
            "details": details,
        }
        return name, title, drop_empty(entry)
    main = {
        "service": "role",
        "teaching": "course",
        "awards": "title",
        "projects": "title",
        "talks": "title",
    }.get(name, "text")
    return (
        name,
        title,
        drop_empty({main: text, "term" if name == "teaching" else "date": when, "details": details}),
    )


RENDERCV = System("RenderCV", steps=(read_rendercv_file,))
JSON_RESUME = System("JSON Resume", steps=(read_json_resume_file,))
