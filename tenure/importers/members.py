"""Writes the members of a lab site to content/people/, one file each, and makes the profile that of a group."""

import re
from collections.abc import Mapping

from tenure.importers.profile import add_profile_link
from tenure.importers.session import EntryData, ImportSession, filled
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.markdown.html import make_slug

ROLE_WORDS: Mapping[str, str] = {
    "pi": "Principal Investigator", "principal-investigator": "Principal Investigator", "postdoc": "Postdoctoral Researcher",
    "phd": "PhD Student", "masters": "Master's Student", "undergrad": "Undergraduate Student", "programmer": "Programmer",
    "mascot": "Mascot",
}  # fmt: skip
"""The words that lab-website-template shows for a role."""

FORMER_GROUP = re.compile(r"alum|former|past", re.IGNORECASE)
"""The name of a group of former members."""

FORMER_ROLE = "Alumni"


def add_member(session: ImportSession, stem: str, front: EntryData, body: str, location: str) -> str:
    """
    Write a member to content/people/ and return the id.

    A former member without a date has the role "Alumni", because Tenure tells former members by their end.
    """
    if FORMER_GROUP.search(str(front.pop("group", ""))):
        role = str(front.get("role", ""))
        front |= {"role": FORMER_ROLE, "summary": role if not FORMER_GROUP.search(role) else ""}
        advice = (
            "a former member without a date; write end: to show the person in the table of former members"
        )
        session.record_converted(location, advice)
    name = make_slug(stem) or "person"
    text = f"---\n{format_yaml(filled(session.remove_template_tags(front, location)))}---\n{body}\n"
    path = session.add_text_file(f"content/people/{name}.md", text, location)
    session.record_imported(location, f"{path}: {front.get('name', stem)}, a member")
    return path.rpartition("/")[2].removesuffix(".md")


def read_member_links(session: ImportSession, links: Mapping[str, str], location: str) -> EntryData:
    """The links and the e-mail address of a member; the labels are those of the links of a profile."""
    kept_links, session.profile_links = session.profile_links, {}
    email = next(
        (
            url.removeprefix("mailto:")
            for url in links.values()
            if re.match(r"(?:mailto:)?[^\s/@]+@[^\s/@]+$", url)
        ),
        "",
    )
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
