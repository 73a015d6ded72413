"""Import the person of a CV in JSON Resume or RenderCV as a profile."""

from tenure.importers.cv_entries import MarkdownFunction, parse_web_url
from tenure.importers.session import ImportSession, MappingReader, node_to_text


def import_profile(session: ImportSession, reader: MappingReader, phrase: MarkdownFunction) -> None:
    """Import name, role, location, email, affiliation and photo; keys that are not imported are reported."""
    profile = session.profile
    profile["name"] = " ".join(reader.read_text("name").split())
    profile["role"] = phrase(reader.read_text("label", "headline"), reader.location)
    emails = [node_to_text(node) for node in reader.read_items("email")]
    profile["email"] = [email for email in emails if "@" in email]
    location_node = reader.read_node("location")
    if location_node is not None and location_node.mapping:
        location_reader = MappingReader(location_node, session)
        city, region = location_reader.read_text("city"), location_reader.read_text("region")
        country = location_reader.read_text("countryCode", "country")
        profile["location"] = ", ".join(
            part for part in (city, region, country) if part
        ) or location_reader.read_text("address")
        location_reader.report_unread_keys()
    elif location_node is not None:
        profile["location"] = node_to_text(location_node)
    affiliations = [node for node in reader.read_items("affiliations") if node.mapping.get("name")]
    profile["affiliation"] = [
        {key: node_to_text(node) for key, node in affiliation.mapping.items()} for affiliation in affiliations
    ]
    website = reader.read_text("url", "website")
    if parse_web_url(website):
        session.profile_links["website"] = parse_web_url(website)
    _import_photo(session, reader)
    session.record_imported(reader.location, "profile")


def _import_photo(session: ImportSession, reader: MappingReader) -> None:
    photo_source = reader.read_text("image", "photo", "picture")
    if not photo_source:
        return
    photo = session.copy_file(photo_source) if "://" not in photo_source else ""
    if photo:
        session.profile["photo"] = photo
    else:
        session.record_skipped(
            reader.location,
            f"photo: {photo_source[:70]} (put the image into content/ and write its name under photo:)",
        )
