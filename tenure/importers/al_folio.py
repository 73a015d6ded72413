"""Imports al-folio sites, versions 0 and 1: _config.yml, _data, _bibliography, _pages, _projects, _news and _posts."""

import html
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import number
from tenure.importers.al_folio_cv import read_cv_data
from tenure.importers.bib_text import entries_in, import_text
from tenure.importers.entries import address_of
from tenure.importers.gathering import Entry, Gathering, Imported, Taken, words_of
from tenure.importers.jekyll import Texts
from tenure.importers.jekyll_pages import put_courses, put_news, put_pages, put_posts, put_projects
from tenure.importers.json_resume import read_resume
from tenure.importers.menu import known_pages, put_menu, put_redirects
from tenure.importers.proses import proses
from tenure.importers.samples import is_sample, is_sample_work
from tenure.problems import Place
from tenure.sources.tree import Node
from tenure.text import slug

SOCIALS: Mapping[str, tuple[str, str]] = {
    "acm_id": ("ACM", "https://dl.acm.org/profile/{}/"),
    "arxiv_id": ("arxiv", "{}"),
    "blogger_url": ("Blogger", "{}"),
    "bluesky_url": ("bluesky", "{}"),
    "dblp_url": ("dblp", "{}"),
    "facebook_id": ("facebook", "{}"),
    "flickr_id": ("Flickr", "https://www.flickr.com/{}"),
    "github_username": ("github", "{}"),
    "gitlab_username": ("gitlab", "{}"),
    "hal_id": ("HAL", "https://cv.hal.science/{}/"),
    "ieee_id": ("IEEE", "https://ieeexplore.ieee.org/author/{}/"),
    "inspirehep_id": ("inspire", "{}"),
    "instagram_id": ("instagram", "{}"),
    "kaggle_id": ("kaggle", "{}"),
    "keybase_username": ("Keybase", "https://keybase.io/{}"),
    "lattes_id": ("Lattes", "https://lattes.cnpq.br/{}"),
    "leetcode_id": ("LeetCode", "https://leetcode.com/u/{}/"),
    "linkedin_username": ("linkedin", "{}"),
    "mastodon_username": ("Mastodon", "https://{}"),
    "medium_username": ("Medium", "https://medium.com/@{}"),
    "orcid_id": ("orcid", "{}"),
    "osf_id": ("osf", "{}"),
    "publons_id": ("Publons", "https://publons.com/a/{}/"),
    "quora_username": ("Quora", "https://www.quora.com/profile/{}"),
    "research_gate_profile": ("researchgate", "{}"),
    "scholar_userid": ("scholar", "{}"),
    "scopus_id": ("scopus", "{}"),
    "semanticscholar_id": ("semanticscholar", "{}"),
    "stackoverflow_id": ("stackoverflow", "{}"),
    "telegram_username": ("Telegram", "https://telegram.me/{}"),
    "twitter_username": ("twitter", "{}"),
    "wikidata_id": ("wikidata", "{}"),
    "wikipedia_id": ("Wikipedia", "https://en.wikipedia.org/wiki/User:{}"),
    "work_url": ("Work", "{}"),
    "x_username": ("x", "{}"),
    "youtube_id": ("youtube", "{}"),
    "zotero_username": ("zotero", "{}"),
}
"""Link label and URL pattern for each key of al-folio's socials; a pattern {} means that Tenure knows the account name."""

PLACEHOLDERS = frozenset({"you@example.com", "example@pdf.com", "qc6CJjYAAAAJ", "3066", "alberteinstein"})


def al_folio(source: Path) -> Imported:
    """Import an al-folio site. The import runs twice because links need the new URLs of all pages."""
    before = _gathered(source, {})  # gives the new URLs of the pages
    return _gathered(source, known_pages(before)).done("al-folio")


def _gathered(source: Path, pages: Mapping[str, str]) -> Gathering:
    gathering = Gathering(source)
    settings = gathering.yaml(gathering.root / "_config.yml")
    taken = Taken(settings or Node({}, _nowhere()), gathering)
    owner = _put_settings(gathering, taken)
    keys = _put_bibliography(gathering, owner)
    texts = Texts(gathering, pages, keys, str(gathering.settings.get("url", "")))
    _put_socials(gathering, taken)
    _put_about(gathering, texts)
    put_projects(gathering, texts)
    put_news(gathering, texts)
    put_courses(gathering, texts)
    put_posts(gathering, texts)
    _put_cv(gathering, texts, owner)
    menu = put_pages(gathering, texts, proses(gathering, "_pages"), ("about", "404"))
    _put_coauthors(gathering, owner)
    put_menu(gathering, [item for _, item in menu])
    put_redirects(gathering)
    gathering.name_the_rest(MACHINERY, ASSETS)
    return gathering


def _nowhere() -> Place:
    return Place("_config.yml", 1, 1)


def _put_settings(gathering: Gathering, taken: Taken) -> str:
    """Import name, URL, language and description from _config.yml. Returns the owner's name."""
    parts = (taken.words(key) for key in ("first_name", "middle_name", "last_name"))
    name = " ".join(" ".join(parts).split())
    title = taken.words("title")
    name = name or taken.words("name")
    scholar = taken.node_of("scholar")
    if not name and title not in ("", "blank"):
        name = title
    if not name and scholar is not None:
        last, first = (scholar.entries.get(key) for key in ("last_name", "first_name"))
        name = " ".join(_first(node) for node in (first, last) if node is not None)
    gathering.profile["name"] = name
    gathering.settings["schema"] = "1"
    url, base = taken.words("url").rstrip("/"), taken.words("baseurl").strip("/")
    if re.match(r"https?://[^/\s]", url):
        gathering.settings["url"] = f"{url}/{base}/" if base else f"{url}/"
    language = taken.words("lang")
    if re.fullmatch(r"[a-z]{2}(?:-[A-Z]{2})?", language):
        gathering.settings["language"] = language
    elif language:
        gathering.left(taken.place, f"lang: {language}")
    description = " ".join(html.unescape(re.sub(r"<[^>]*>", "", taken.words("description"))).split())
    if description and not description.startswith("A simple, whitespace theme"):
        gathering.settings["description"] = description
    contact = taken.words("contact_note")
    if contact and "You can even add a little note" not in contact:
        gathering.left(taken.place, f"contact_note: {' '.join(contact.split())[:90]}")
    gathering.came(taken.place, "name, address, language and description of the site")
    gathering.left(
        taken.place,
        "the other keys configure al-folio's look and services; “Themes” in the documentation lists Tenure's options",
    )
    return name


def _first(node: Node) -> str:
    return words_of(node.items[0]) if node.items else words_of(node)


def _put_bibliography(gathering: Gathering, owner: str) -> frozenset[str]:
    """Import every .bib file without the template's sample publications. Returns the keys that can be cited."""
    keys: set[str] = set()
    for path in gathering.below("_bibliography", ".bib"):
        text = gathering.text(path)
        if text is None:
            continue
        name = gathering.name_of(path)
        whole = text.count("\n")
        text = import_text(gathering, name, text)
        above = whole - text.count("\n")
        text = _with_files(gathering, text, name, above)
        spans = [*entries_in(text)]
        for start, end, key in reversed(spans):
            line = text.count("\n", 0, start) + 1 + above
            if is_sample_work(key, text[start:end], owner):
                gathering.left(f"{name}:{line}", f"sample content of the template: {key}")
                text = text[:start] + text[end:].lstrip("\n")
            else:
                keys |= set() if path.stem != "papers" and LISTS.search(path.stem.casefold()) else {key}
                _copy_files(gathering, text[start:end], f"{name}:{line}")
        if re.search(r"@\s*\w+\s*[{(]", text):
            gathering.write(f"bib/{path.stem}.bib", text)
            gathering.came(name, number(sum(1 for _ in entries_in(text)), "entry", "entries"))
            if path.stem != "papers":
                _put_list(gathering, path, name)
    return frozenset(keys)


LISTS = re.compile(r"talk|present|poster|press|media|invited|seminar|patent|software|dataset|outreach")
"""File names of bibliographies that are not publication lists."""


def _put_list(gathering: Gathering, path: Path, name: str) -> None:
    """Add a bibliography other than papers.bib: a separate list if its name says so, else more publications."""
    if LISTS.search(path.stem.casefold()):
        gathering.from_bib[slug(path.stem)] = f"{path.stem}.bib"
        gathering.changed(
            name, f"a separate list: sections: [{slug(path.stem)}: {{bib: {path.stem}.bib}}] in site.yaml"
        )
    else:
        gathering.changed(name, "its works are among the publications; a section can have its own .bib file")


def _with_files(gathering: Gathering, text: str, name: str, above: int) -> str:
    """Replace root-relative URLs in a bibliography by copied files; fields with missing files are removed."""

    def moved(found: re.Match[str]) -> str:
        line = text.count("\n", 0, found.start()) + 1 + above
        copied = gathering.copy(found[2])
        if not copied:
            gathering.left(f"{name}:{line}", f"{found[1]} = {found[2]}: the file is not in the source")
            return ""
        gathering.changed(f"{name}:{line}", f"{found[1]} = {found[2]} is {copied}")
        return found[0].replace(found[2], copied)

    return re.sub(r"(\w+)\s*=\s*[{\"]\s*(/[^/{}\"\s][^{}\"]*?)\s*[}\"][ \t]*(?:,[ \t]*)?", moved, text)


def _copy_files(gathering: Gathering, text: str, place: str) -> None:
    """Copy the files that an entry names from the folders where al-folio looks for them."""
    for field, written in re.findall(
        r"\b(pdf|slides|poster|supp|video|html|blog|preview)\s*=\s*[{\"]\s*([^{}\"\s][^{}\"]*?)\s*[}\"]", text
    ):
        if "://" not in written:
            folder = "assets/img/publication_preview" if field == "preview" else "assets/pdf"
            name = gathering.copy(f"{folder}/{written}") or gathering.copy(written)
            if not name:
                gathering.left(place, f"{field} = {written}: the file is not in the source")


def _put_socials(gathering: Gathering, settings: Taken) -> None:
    path = gathering.root / "_data/socials.yml"
    node = gathering.yaml(path) if path.is_file() else None
    taken = Taken(node, gathering) if node is not None else settings
    email = taken.words("email")
    if "@" in email and email not in PLACEHOLDERS:
        gathering.profile["email"] = email
    for key, (label, form) in SOCIALS.items():
        user = taken.words(key)
        if (
            user
            and user not in PLACEHOLDERS
            and (form != "{}" or not key.endswith("_url") or address_of(user))
        ):
            gathering.links[label] = form.format(user.lstrip("@"))
    cv = taken.words("cv_pdf")
    if cv and "example_pdf" not in cv:
        name = gathering.copy(cv) or gathering.copy(f"assets/pdf/{cv}")
        if name:
            gathering.profile["cv"] = name
        else:
            gathering.left(taken.place, f"cv_pdf: {cv} is not in the source")
    if node is None:
        return
    taken.drop("rss_icon")
    for key, child in node.entries.items():
        if key not in SOCIALS and "url" in child.entries:
            taken.drop(key)
            url = address_of(words_of(child.entries["url"]))
            title = child.entries.get("title")
            if url and "alberteinstein" not in url:
                gathering.links[words_of(title) if title is not None else key] = url
    taken.finish()
    gathering.came(gathering.name_of(path), number(len(gathering.links), "link"))


def _put_about(gathering: Gathering, texts: Texts) -> None:
    path = gathering.root / "_pages/about.md"
    prose = gathering.prose(path) if path.is_file() else None
    if prose is None:
        return
    name = gathering.name_of(path)
    front = Taken(prose.front, gathering)
    subtitle = front.words("subtitle")
    if subtitle and not is_sample(subtitle):
        gathering.profile["role"] = texts.line(subtitle, front.place)
    profile = front.node_of("profile")
    person = Taken(profile, gathering) if profile is not None else None
    image = person.words("image") if person is not None else ""
    if image:
        photo = gathering.copy(f"assets/img/{image}") or gathering.copy(image)
        if photo:
            gathering.profile["photo"] = photo
        else:
            gathering.left(f"{name}:{prose.front.place.line}", f"photo: {image} is not in the source")
    more = person.words("more_info", "address") if person is not None else ""
    if more and not is_sample(more):
        gathering.profile["office"] = texts.plain(re.sub(r"</p>\s*<p>|<br\s*/?>", ", ", more))
        gathering.changed(front.place, "more_info became office: in the profile")
    if is_sample(prose.body):
        gathering.left(f"{name}:{prose.line}", "sample content of the template: the introduction")
    elif prose.body.strip():
        text = texts.body(prose.body, f"{name}:{prose.line}")
        if text:
            gathering.write("content/about.md", text + "\n")
            gathering.came(f"{name}:{prose.line}", "introduction")


def _put_cv(gathering: Gathering, texts: Texts, owner: str) -> None:
    """Import assets/json/resume.json, else _data/cv.yml; the template's samples are skipped."""
    resume = gathering.root / "assets/json/resume.json"
    data = next(
        (p for p in (gathering.root / "_data/cv.yml", gathering.root / "_data/cv.yaml") if p.is_file()), None
    )
    if resume.is_file():
        text = gathering.text(resume) or ""
        if "einstein" in text.casefold() and "einstein" not in owner.casefold():
            gathering.left(gathering.name_of(resume), "sample content of the template: Einstein's CV")
        else:
            node = gathering.yaml(resume)
            if node is not None:
                _keeping_name(gathering, node)
                if data is not None:
                    gathering.left(
                        gathering.name_of(data), "resume.json has the same entries and was imported"
                    )
                return
    node = gathering.yaml(data) if data is not None else None
    if node is not None:
        if (
            "einstein" in words_of(node).casefold()
            and "einstein" not in owner.casefold()
            and "cv" in node.entries
        ):
            gathering.left(f"{node.place.file}:1", "sample content of the template: Einstein's CV")
        else:
            read_cv_data(gathering, node, texts.line, owner)


def _keeping_name(gathering: Gathering, node: Node) -> None:
    before = {key: value for key, value in gathering.profile.items() if value}
    about = gathering.files.get("content/about.md")
    read_resume(gathering, node)
    gathering.profile.update(before)
    if about is not None:
        for name in [n for n in gathering.files if re.fullmatch(r"content/about-\d+\.md", n)]:
            del gathering.files[name]
            gathering.left(
                gathering.name_of(gathering.root / "assets/json/resume.json"),
                "its summary: about.md exists already",
            )


def _put_coauthors(gathering: Gathering, owner: str) -> None:
    path = gathering.root / "_data/coauthors.yml"
    node = gathering.yaml(path) if path.is_file() else None
    made: list[Entry] = []
    for last, people in (node.entries if node is not None else {}).items():
        for person in people.items or (people,):
            taken = Taken(person, gathering)
            first = [words_of(item) for item in taken.list("firstname")]
            url = address_of(taken.words("url"))
            if not first or not url:
                gathering.left(taken.place, f"co-author {last}: a first name and an address are needed")
                continue
            family = last if last != last.lower() else last.title()
            names = [f"{given} {family}" for given in first]
            if any("einstein" in n.casefold() for n in names) and "einstein" not in owner.casefold():
                gathering.left(taken.place, f"sample content of the template: {last}")
                continue
            entry: Entry = {"name": names[0], "url": url}
            if names[1:]:
                entry["aliases"] = names[1:]
            made.append(entry)
    unique = [*{str(entry["name"]): entry for entry in made}.values()]
    if unique:
        gathering.put_list("coauthors", unique)
        gathering.came(gathering.name_of(path), number(len(unique), "co-author"))


MACHINERY = re.compile(
    r"_(?:layouts|includes|sass|plugins|scripts|site|config\w*)\b|assets/(?:css|js|fonts|webfonts|libs|jupyter|plotly|html|audio)/"
    r"|node_modules/|bin/|lighthouse_results/|readme_preview/|purgecss|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|FAQ|INSTALL"
    r"|CUSTOMIZE|CNAME$|robots\.txt$|requirements|_pages/404|.*\.(?:liquid|js|css|scss|rb|sh|toml|lock|cff)$"
)
"""Files of the theme, which are not reported."""

ASSETS = re.compile(r"^assets/")
"""Images and papers, which are reported by folder."""
