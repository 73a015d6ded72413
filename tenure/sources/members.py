"""Members of a group whose own Tenure sites are the sources of their entries and publications."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from tenure.cache.up_to_date import resolve_path
from tenure.markdown.html import make_slug, plain_text
from tenure.model.entries import Markdown, Person, Profile
from tenure.model.languages import Language
from tenure.model.links import Link, Url, is_valid_url, url_scheme
from tenure.model.people import is_remote_site, member_folder, member_photo_name
from tenure.model.publication_links import escape_text
from tenure.problems import Place, Problems
from tenure.publish import Artifact
from tenure.record import Record, field, replace
from tenure.sources.files import find_files, read_yaml
from tenure.sources.node import Node
from tenure.sources.schema.decode import decode_node
from tenure.sources.schema.links import build_link
from tenure.sources.settings import read_profile, read_site_yaml
from tenure.sources.translations import LanguageSelection

RESUME_FILE, BIB_FILE = "resume.json", "publications.bib"
"""The files of a built site that a group reads."""


class MemberSite(Record):
    """
    The site of a member: its profile and its .bib files, by their names in messages.

    `root` is the folder of its sources, None for a built site; `photo` is the file to publish, None if there is none.
    """

    profile: Profile
    bib_files: Mapping[str, Path]
    url: str = ""
    root: Path | None = None
    photo: Artifact | None = None
    separate_files: frozenset[str] = field(default_factory=frozenset)
    """The .bib files of lists that are not publications, such as press."""


def read_member_sites(
    root: Path, people: Iterable[Person], language: Language, problems: Problems
) -> dict[str, MemberSite]:
    """
    The sites of people by `site`. One that cannot be read is reported.

    Errors in the sources of a member are reported when that site is built, those in a copied resume.json as warnings.
    """
    sites: dict[str, MemberSite] = {}
    for person in people:
        if person.site and person.site not in sites:
            try:
                member = _read_member_site(root, person.site, language, problems)
            except OSError:  # the path is longer than the system allows; it is reported below
                member = None
            if member is not None:
                sites[person.site] = member
                continue
            place = person.place_of("site")
            if is_remote_site(person.site):
                message, hint = f"{person.site} has not been read yet", "run the command fetch with --write"
            else:
                message = f"{person.site} is not the folder of a site made with Tenure"
                hint = f"correct the path to a folder with content/profile.yaml, or with {RESUME_FILE}"
            problems.report("missing-file", place, message, hint)
    return sites


def complete_member(person: Person, member: MemberSite) -> Person:
    """A person; the profile of their own site gives the values that the entry does not have."""
    profile, labels = member.profile, {link.label for link in person.links}
    own_links = _list_shared_links(member)
    links = [*person.links, *(link for link in own_links if link.label not in labels)]
    website = build_link("website", member.url)[0] if member.url else None
    if (
        website
        and _WEB_URL.match(website.url)
        and website.label not in labels
        and website.url not in {link.url for link in links}
    ):
        links.append(website)
    return replace(
        person,
        title=person.title or Markdown(profile.name),
        aliases=tuple(dict.fromkeys((*person.aliases, *profile.aliases))),
        role=person.role or _unlink_text(profile.role),
        image=person.image or (member.photo.path if member.photo else ""),
        email=person.email or profile.email,
        interests=person.interests or tuple(_unlink_text(Markdown(text)) for text in profile.interests),
        links=tuple(links),
    )


_WEB_URL = re.compile(r"https?://[^/]")


def _list_shared_links(member: MemberSite) -> Iterator[Link]:
    """The links of a member's profile on another site: those to pages of the member's site, whose URL is known, are absolute."""
    for link in member.profile.links:
        if url_scheme(link.url) or link.url.startswith("//"):
            yield link
        elif _WEB_URL.match(member.url) and is_valid_url(member.url):
            yield replace(link, url=Url(urljoin(f"{member.url.rstrip('/')}/", link.url.lstrip("/"))))


def _unlink_text(text: Markdown) -> Markdown:
    """A text of a member's profile on another site, to whose pages its links do not belong."""
    return escape_text(plain_text(text)) if re.search(r"\]\(|\]:|[<$]", text) else text


def _read_member_site(root: Path, site: str, language: Language, problems: Problems) -> MemberSite | None:
    name = member_folder(site)
    folder = root / name
    if (folder / "content/profile.yaml").is_file() or (folder / "content/profile.yml").is_file():
        return _read_sources(folder, name, language)
    bib_files = {f"{name}/{BIB_FILE}": folder / BIB_FILE} if (folder / BIB_FILE).is_file() else {}
    resume = folder / RESUME_FILE
    own_problems = Problems()
    node = read_yaml(resume, f"{name}/{RESUME_FILE}", own_problems) if resume.is_file() else None
    basics = node.mapping.get("basics") if node else None
    url = site if is_remote_site(site) else ""
    if node is None or basics is None:
        problems.add(replace(problem, level="warning") for problem in own_problems.sorted_problems())
        return MemberSite(Profile(name=""), bib_files, url) if bib_files else None
    profile = decode_node(_convert_resume(node, basics), Profile, own_problems, RESUME_FILE)
    own_url = basics.child("url")
    website = build_link("website", own_url.text)[0]
    is_web_url = website is not None and _WEB_URL.match(website.url) is not None
    if own_url.text and not is_web_url:
        message = f"“{own_url.text}” is not the URL of a site, and is not linked"
        problems.report("bib-bad-address", own_url.place, message, "write an https:// address")
    problems.add(replace(p, level="warning") for p in own_problems.sorted_problems() if p.level == "error")
    if profile is None:
        return None
    photo = _find_published_photo(folder, name, site, basics)
    return MemberSite(profile, bib_files, own_url.text if is_web_url else url, photo=photo)


def _find_published_photo(folder: Path, name: str, site: str, basics: Node) -> Artifact | None:
    """The photo that a resume.json names: the copy that `fetch` wrote, or the file in the folder of a built site."""
    image = basics.child("image").text
    local_file = unquote(image.removeprefix(basics.child("url").text)).lstrip("/")
    return _make_photo(folder, name, member_photo_name(image) if is_remote_site(site) else local_file)


def _make_photo(folder: Path, name: str, file: str) -> Artifact | None:
    path = resolve_path(folder / file)
    if not file or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return None
    return Artifact(
        f"members/{make_slug(name.removeprefix('members/'))}/{path.name}", path, Place(f"{name}/{file}")
    )


def _read_sources(folder: Path, name: str, language: Language) -> MemberSite | None:
    problems = Problems()
    settings, moved_keys, own_selection = read_site_yaml(folder, problems, language)
    languages = tuple(dict.fromkeys((*own_selection.languages, language)))
    selection = LanguageSelection(language, languages)
    profile, _ = read_profile(folder, problems, moved_keys, selection)
    if profile is None:
        return None
    bib_paths = {
        path.relative_to(folder).as_posix(): path for path in find_files(folder / "bib", "bib", problems)
    }
    bib_files = {f"{name}/{file}": path for file, path in bib_paths.items() if path.suffix == ".bib"}
    sections = settings.bib_sections if settings else ()
    separate = {f"/{file}" for section in sections if section.name != "publications" for file in section.bib}
    separate_files = frozenset(file for file in bib_files if file.endswith(tuple(separate)))
    content_folder = resolve_path(folder / "content")
    is_in_content = resolve_path(content_folder / profile.photo).is_relative_to(content_folder)
    photo_file = f"content/{profile.photo}" if profile.photo and is_in_content else ""
    return MemberSite(
        profile,
        bib_files,
        settings.url if settings else "",
        folder,
        _make_photo(folder, name, photo_file),
        separate_files,
    )


def _convert_resume(node: Node, basics: Node) -> Node:
    """The profile in a resume.json, as in profile.yaml; its texts are shown unchanged, and not read as Markdown."""
    values: dict[str, Any] = {
        "name": escape_text(basics.child("name").text),
        "role": escape_text(basics.child("label").text),
        "aliases": tuple(alias for alias in basics.child("alternateName").items if alias.text),
        "email": basics.child("email").text,
        "interests": tuple(
            Node(escape_text(item.child("name").text), item.place) for item in node.child("interests").items
        ),
        "links": {
            item.child("network").text: Node(item.child("url").text, item.place)
            for item in basics.child("profiles").items
            if item.child("network").text
        },
    }
    return Node({key: Node(value, basics.place) for key, value in values.items() if value}, basics.place)
