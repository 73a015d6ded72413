"""Import the person of a CV in JSON Resume or RenderCV as a profile."""

from tenure.importers.entries import Phrase, address_of
from tenure.importers.gathering import Gathering, Taken, words_of


def put_person(gathering: Gathering, taken: Taken, phrase: Phrase) -> None:
    """Import name, role, location, email, affiliation and photo; keys that are not imported are reported."""
    profile = gathering.profile
    profile["name"] = " ".join(taken.words("name").split())
    profile["role"] = phrase(taken.words("label", "headline"), taken.place)
    emails = [words_of(node) for node in taken.list("email")]
    profile["email"] = [email for email in emails if "@" in email]
    where = taken.node_of("location")
    if where is not None and where.entries:
        place = Taken(where, gathering)
        city, region = place.words("city"), place.words("region")
        country = place.words("countryCode", "country")
        profile["location"] = ", ".join(part for part in (city, region, country) if part) or place.words(
            "address"
        )
        place.finish()
    elif where is not None:
        profile["location"] = words_of(where)
    houses = [node for node in taken.list("affiliations") if node.entries.get("name")]
    profile["affiliation"] = [
        {key: words_of(node) for key, node in house.entries.items()} for house in houses
    ]
    website = taken.words("url", "website")
    if address_of(website):
        gathering.links["website"] = address_of(website)
    _put_photo(gathering, taken)
    gathering.came(taken.place, "profile")


def _put_photo(gathering: Gathering, taken: Taken) -> None:
    written = taken.words("image", "photo", "picture")
    if not written:
        return
    photo = gathering.copy(written) if "://" not in written else ""
    if photo:
        gathering.profile["photo"] = photo
    else:
        gathering.left(
            taken.place,
            f"photo: {written[:70]} (put the image into content/ and write its name under photo:)",
        )
