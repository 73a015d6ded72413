"""Lines of import.txt: texts and titles of other systems, and sources in which a problem becomes a comment."""

from tenure.problems import Place, Problem
from tenure_import.cv_lines import split_date, split_organization
from tenure_import.folder_import import remove_place
from tenure_import.headings import read_heading
from tenure_import.owner import find_name_in_titles
from tenure_import.text import TextRules, convert_text, keep_field_tags

KNOWN_FILES = {"/a/": "/new/", "a.png": "files/a.png", "clip.mp4": "files/clip.mp4"}


def find_known_file(url: str) -> str:
    bare = url.strip("/")
    return url if "://" in url else KNOWN_FILES.get(bare) or KNOWN_FILES.get(f"/{bare}/", "")


def import_text(text: str) -> str:
    return convert_text(text, TextRules(resolve=find_known_file, report=lambda _: None)).strip()


def list_losses(text: str) -> list[str]:
    losses: list[str] = []
    convert_text(text, TextRules(resolve=find_known_file, report=losses.append))
    return losses


def keep_line(text: str) -> str:
    return keep_field_tags(text, has_blocks=False)


def keep_blocks(text: str) -> str:
    return keep_field_tags(text, has_blocks=True)


def find_owner_in_title(text: str) -> str:
    return find_name_in_titles([text])


def repair_source(text: str) -> str:
    """Return a source after a problem has become a comment: "file|code|marked text|source"."""
    name, code, marked, source = text.split("|", 3)
    before = source[: source.index(marked)]
    place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"), len(marked))
    return remove_place(name, source, Problem(place, "error", code, "wrong"))[0]


def cut_date(line: str) -> str:
    date, rest = split_date(line, begins_with_date=False)
    return f"{date}: {rest}" if date else rest


def find_organization(line: str) -> str:
    return "; ".join(f"{key}: {value}" for key, value in split_organization(line).items())


def show_heading(heading: str) -> list[str]:
    return [f"{language} {kind}" for language, kind in read_heading(heading).items()]
