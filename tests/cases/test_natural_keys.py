"""Every key that people and other systems use, on every list: its value is shown on a page, or a warning or an error names it."""

from collections.abc import Callable

import pytest
from conftest import Sources

Make = Callable[[str], Sources]

NATURAL_KEYS = ["abstract", "acronym", "address", "advisor", "adviser", "affiliation", "agency", "amount", "area", "areas", "attendees", "audience", "author", "authors", "award", "awards", "awarder", "bio", "blurb", "body", "bullet", "by", "caption", "capacity", "categories", "category", "chair", "city", "client", "code", "coauthors", "collaborators", "comment", "comments", "committee", "company", "conference", "contact", "content", "contribution", "copresenters", "country", "course", "courses", "coursework", "credits", "currency", "date", "deadline", "degree", "department", "description", "designation", "details", "director", "discipline", "dissertation", "distinction", "doi", "duration", "duties", "ects", "edition", "editor", "employer", "employment_type", "enrollment", "entity", "entries", "event", "excerpt", "expertise", "faculty", "field", "fluency", "focus", "format", "from", "funder", "funding", "gpa", "grade", "grant", "group", "headline", "highlights", "homepage", "honors", "host", "hours", "icon", "institute", "institution", "instructor", "interests", "invited", "isbn", "issuer", "items", "job", "journal", "journals", "keywords", "label", "lab", "language", "languages", "lead", "lecturer", "level", "license", "link", "location", "major", "manager", "members", "mentor", "mentors", "minor", "modules", "name", "network", "note", "notes", "number", "occasion", "office", "organization", "organizer", "organizers", "outcome", "output", "page", "partners", "people", "period", "phone", "pi", "place", "position", "prerequisites", "presenter", "presenters", "prize", "proceedings", "profile", "program", "project", "pronouns", "publication", "publications", "publisher", "quarter", "rank", "reason", "reference", "references", "region", "release", "remark", "reviewer", "reviews", "role", "room", "school", "scope", "score", "section", "semester", "seminar", "series", "session", "size", "skills", "software", "speaker", "speakers", "sponsor", "sponsors", "state", "status", "street", "student", "students", "studyType", "style", "subject", "subtitle", "summary", "supervisor", "supervisors", "syllabus", "tag", "tagline", "tags", "team", "technologies", "term", "text", "textbook", "theme", "thesis", "time", "title", "tools", "topic", "topics", "type", "unit", "university", "url", "value", "venue", "version", "video", "view", "volume", "website", "when", "where", "with", "workshop", "year", "years", "reversed_number", "certificate_url", "authority", "roles", "kind", "label2", "related_publications", "importance", "layout", "weight", "permalink"]  # fmt: skip
"""Keys of RenderCV, JSON Resume, al-folio, academicpages and Hugo Blox, and plain English words."""

CONFIG = frozenset({"related_publications", "importance", "layout", "weight", "permalink", "view", "icon"})
"""Keys that only configure another system; `check --info` counts them."""

USED = frozenset({"tags", "tag", "publication", "publications", "id"})
"""Keys that select or join entries, and are not shown by every list."""

LISTS = {
    "education": "institution: University",
    "experience": "organization: Company",
    "projects": "title: Project",
    "talks": "title: Talk",
    "awards": "title: Award",
    "service": "role: Reviewer",
    "teaching": "course: Algebra",
    "news": "text: News",
    "people": "name: Bo Lee",
    "posts": "title: Post",
    "skills": "title: Programming",
    "patents": "organization: Office",
}
"""The lists, each with the line that an entry needs."""


def find_lost_values(site: Make, name: str, keys: list[str], form: str = "{}") -> list[str]:
    """The keys whose values are neither shown nor reported by a warning or an error."""
    first = LISTS[name]
    pairs = [(key, f"Quix{number}ling") for number, key in enumerate(keys) if key != first.partition(":")[0]]
    for _ in range(2):
        entries = "".join(f"- {first}\n  {key}: {form.format(word)}\n" for key, word in pairs)
        sources = site(
            f"-- site.yaml --\npages:\n- {{path: /, sections: [{name}]}}\n- {{path: /all/, sections: [{name}]}}\n"
            f"-- content/{name}.yaml --\n{entries}"
        )
        built = sources.build()
        lines = {p.place.line for p in built.build.problems if p.place.file == f"content/{name}.yaml"}
        pairs = [pair for number, pair in enumerate(pairs) if not {2 * number + 1, 2 * number + 2} & lines]
        if not built.build.has_errors:
            break
    pages = " ".join(built.read_words(path) for path in built.paths if path.endswith(".html"))
    assert "Quix" in pages, built.problems
    return [key for key, word in pairs if word not in pages]


@pytest.mark.parametrize("name", LISTS)
def test_every_natural_key_is_shown_or_reported(site: Make, name: str) -> None:
    lost = find_lost_values(site, name, NATURAL_KEYS)
    assert [key for key in lost if key not in CONFIG | USED] == []


@pytest.mark.parametrize("name", LISTS)
def test_every_natural_key_with_a_list_is_shown_or_reported(site: Make, name: str) -> None:
    lost = find_lost_values(site, name, NATURAL_KEYS, "[{}, another]")
    assert [key for key in lost if key not in CONFIG | USED] == []
