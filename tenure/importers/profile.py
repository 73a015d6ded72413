"""The people of an import: the owner with role, photo and profile links, or the members of a lab."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from tenure.importers.cv_entries import MarkdownFunction, parse_web_url
from tenure.importers.samples import is_sample_portrait, is_sample_text, is_sample_url
from tenure.importers.session import (
    EntryData,
    ImportSession,
    MappingReader,
    filled,
    join_filled,
    node_to_text,
)
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.markdown.html import make_slug
from tenure.sources.schema.links import PROFILE_SERVICES, find_service

PROFILE_HOSTS: Mapping[str, str] = {
    **{
        (urlsplit(url).hostname or "").removeprefix("www."): label for label, url in PROFILE_SERVICES.values()
    },
    "academia.edu": "Academia.edu",
    "archives-ouvertes.fr": "HAL",
    "bitbucket.org": "Bitbucket",
    "codepen.io": "CodePen",
    "doi.org": "DOI",
    "dblp.uni-trier.de": "DBLP",
    "hal.science": "HAL",
    "impactstory.org": "Impactstory",
    "medium.com": "Medium",
    "ncbi.nlm.nih.gov": "PubMed",
    "publons.com": "Publons",
    "quora.com": "Quora",
    "scholar.google": "Google Scholar",
    "soundcloud.com": "SoundCloud",
    "ssrn.com": "SSRN",
    "strava.com": "Strava",
    "telegram.me": "Telegram",
    "threads.net": "Threads",
    "wikipedia.org": "Wikipedia",
    "xing.com": "XING",
}
"""Hosts of profiles, with the label of a link to each."""


SAMPLE_NAMES = frozenset(
    ["your name", "your name here", "john doe", "your sidebar name", "your name / site title", "academicpages", "earth",
     "red brick university", "home", "homepage", "home page", "about", "about me", "welcome", "website", "personal website",
     "academic website", "my website", "my site", "my new hugo site"]
)  # fmt: skip
"""Names in the configuration of templates, and titles that are no names."""


_DOMAIN = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/?", re.IGNORECASE)


def choose_owner_name(candidate_names: Sequence[str]) -> str:
    """Return the owner's name: the first candidate that is not a sample, or a fuller form of it, without academic titles."""
    page_suffix = re.compile(r"['’]s? (?:\w+ ){0,2}(?:home ?page|web ?site|page|site|blog)$", re.IGNORECASE)
    academic_title = re.compile(
        r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|PD|Ph\.?\s?D)\b\.?\s+)+|,?\s+(?:Ph\.?\s?D\.?|M\.?D\.?)$",
        re.IGNORECASE,
    )
    names = [
        re.sub(r"(?<=\w{4})\.$", "", academic_title.sub("", page_suffix.sub("", candidate)))
        for candidate in candidate_names
        if candidate and candidate.casefold() not in SAMPLE_NAMES and not _DOMAIN.fullmatch(candidate)
    ]
    first_name = names[0] if names else ""
    fuller_names = (name for name in names if name.startswith(f"{first_name} ") and len(name.split()) <= 4)
    return next(fuller_names, first_name)


def label_profile_link(url: str, default_label: str = "") -> str:
    """The label of a link: the name of a known host, else `default_label`, else the host itself."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    for profile_host, label in PROFILE_HOSTS.items():
        is_scholar = profile_host == "scholar.google" and host.startswith(profile_host)
        if is_scholar or host == profile_host or host.endswith(f".{profile_host}"):
            return label
    fallback_label = " ".join(re.sub(r"[-_/]+", " ", default_label).split())
    return f"{fallback_label[:1].upper()}{fallback_label[1:]}" if fallback_label else host


def add_email(session: ImportSession, email: str) -> None:
    """Add the e-mail address of the profile if it has none; sample content is ignored."""
    if "@" in email and not is_sample_url(email):
        session.profile.setdefault("email", email)


def add_profile_link(session: ImportSession, url: str, default_label: str, location: str) -> None:
    """Add a link of the profile, or its e-mail address; sample content and invalid URLs are reported as skipped."""
    email_match = re.fullmatch(r"(?:mailto:)?([^\s@/]+@[^\s@/]+\.[^\s@/]+)", url.strip())
    web_url = parse_web_url(url)
    if is_sample_url(url):
        session.record_sample(location, url)
    elif email_match:
        session.profile.setdefault("email", email_match[1])
    elif web_url:
        label = label_profile_link(web_url, default_label)
        if session.profile_links.get(label, web_url) != web_url:
            label = f"{label} ({urlsplit(web_url).path.strip('/').rpartition('/')[2] or default_label})"
        session.profile_links.setdefault(label, web_url)
    elif url.strip():
        description = f"a link of the profile that is not a web address: {url.strip()[:90]}"
        session.record_skipped(location, description)


PHOTO_ADVICE = "put the image into content/ and write its name under photo:"


def import_photo(reader: MappingReader, keys: Sequence[str], folders: Sequence[str] = ("",)) -> None:
    """
    Copy the owner's photo from the first folder that has it; a missing photo is reported as skipped.

    A photo with the name of the template's beside sample content is the template's: nobody has filled in this part.
    """
    image = reader.read_text(*keys)
    has_sample = any(map(is_sample_text, map(node_to_text, reader.node.mapping.values())))
    if is_sample_portrait(image) and has_sample:
        reader.session.record_sample(reader.location, f"the photo {image}; if it shows you, {PHOTO_ADVICE}")
    elif image:
        names = (folder + image for folder in folders if "://" not in image)
        add_photo(reader.session, image, reader.session.copy_first_file(names), reader.location)


def add_photo(session: ImportSession, image: str, photo: str, location: str) -> None:
    """Add the copied photo of the owner; the image is reported as skipped if it was not copied."""
    if photo:
        session.profile["photo"] = photo
    else:
        session.record_skipped(location, f"photo: {image[:90]} is not in the source; {PHOTO_ADVICE}")


def import_cv_profile(reader: MappingReader, to_markdown: MarkdownFunction) -> None:
    """Import the person of a CV in JSON Resume or RenderCV; keys that are not imported are reported."""
    session, profile = reader.session, reader.session.profile
    name = reader.read_node("name")
    name_parts = name.mapping.values() if name is not None and name.mapping else (name,)
    profile["name"] = " ".join(" ".join(map(node_to_text, name_parts)).split())
    aliases = reader.read_texts("alternateName")
    if aliases:
        profile["aliases"] = aliases
    profile["role"] = to_markdown(reader.read_text("label", "headline"), reader.location)
    addresses = reader.read_texts("email")
    profile["email"] = [address for address in addresses if "@" in address]
    for address in addresses:
        if address and "@" not in address:
            reader.record_skipped(f"not an e-mail address: {address[:90]}")
    location_node = reader.read_node("location")
    if location_node is not None and location_node.mapping:
        location = MappingReader(location_node, session)
        city, region = location.read_text("city"), location.read_text("region")
        country = location.read_text("countryCode", "country")
        profile["location"] = join_filled(city, region, country) or location.read_text("address")
        location.report_unread_keys()
    elif location_node is not None:
        profile["location"] = node_to_text(location_node)
    profile["affiliation"] = [
        {key: node_to_text(value) for key, value in node.mapping.items()}
        for node in reader.read_items("affiliations")
        if node.mapping.get("name")
    ]
    for website in reader.read_texts("url", "website"):
        if not session.profile_links and parse_web_url(website):
            session.profile_links["website"] = parse_web_url(website)
        else:
            add_profile_link(session, website, "", reader.location)
    import_photo(reader, ("image", "photo", "picture"))
    session.record_imported(reader.location, "profile")


def import_network(reader: MappingReader, kind: str) -> None:
    """Import an account of a CV: its URL, or a user name at a service that Tenure knows; others are reported as skipped."""
    session = reader.session
    network, user = reader.read_text("network", "name", "label"), reader.read_text("username", "user", "id")
    url = parse_web_url(reader.read_text("url", "link") or reader.node.text)
    if url and session.profile_links.get(network, url) == url:
        session.profile_links[network or label_profile_link(url)] = url
    elif url:
        add_profile_link(session, url, network, reader.location)
    elif user and (find_service(network) or re.fullmatch(r"@?[\w.+-]+@[\w-]+\.[\w.-]+", user)):
        session.profile_links[network] = user
    else:
        reader.skip_all(kind)
    reader.report_unread_keys()


ROLE_WORDS: Mapping[str, str] = {
    "pi": "Principal Investigator", "principal-investigator": "Principal Investigator", "postdoc": "Postdoctoral Researcher",
    "phd": "PhD Student", "masters": "Master's Student", "undergrad": "Undergraduate Student", "programmer": "Programmer",
    "mascot": "Mascot",
}  # fmt: skip
"""The words that lab-website-template shows for a role."""

FORMER_GROUP = re.compile(r"alum|former|past", re.IGNORECASE)
"""The name of a group of former members."""


def add_member(session: ImportSession, stem: str, front: EntryData, body: str, location: str) -> str:
    """
    Write a member to content/people/ and return the id.

    A former member without a date has the role "Alumni", because Tenure tells former members by their end.
    """
    if FORMER_GROUP.search(str(front.pop("group", ""))):
        role = str(front.get("role", ""))
        front |= {"role": "Alumni", "summary": role if not FORMER_GROUP.search(role) else ""}
        advice = "write end: to show the person in the table of former members"
        session.record_converted(location, f"a former member without a date; {advice}")
    name = make_slug(stem) or "person"
    text = f"---\n{format_yaml(filled(session.remove_template_tags(front, location)))}---\n{body}\n"
    path = session.add_text_file(f"content/people/{name}.md", text, location)
    session.record_imported(location, f"{path}: {front.get('name', stem)}, a member")
    return path.rpartition("/")[2].removesuffix(".md")


def read_member_links(session: ImportSession, links: Mapping[str, str], location: str) -> EntryData:
    """The links and the e-mail address of a member; the labels are those of the links of a profile."""
    kept_links, session.profile_links = session.profile_links, {}
    addresses = (url for url in links.values() if re.match(r"(?:mailto:)?[^\s/@]+@[^\s/@]+$", url))
    email = next(addresses, "").removeprefix("mailto:")
    for label, url in links.items():
        if re.match(r"https?://", url):
            add_profile_link(session, url, "" if label == "url" else label, location)
        elif url and url.removeprefix("mailto:") != email:
            session.profile_links[label] = url
    own_links: dict[str, YamlData] = session.profile_links
    session.profile_links = kept_links
    return {"email": email, "links": own_links}


def make_group_profile(session: ImportSession, name: str, head: str = "") -> None:
    """Make the profile that of a group with this name; the data about its head is in the file of the person."""
    shared = {key: value for key, value in session.profile.items() if key in ("email", "affiliation")}
    session.profile = {"name": name, "kind": "group", "head": head, **shared}
    session.record_converted("content/profile.yaml", f"the site is that of a group, {name}")
