"""Converts a CV written in Markdown (headings with bullet lists) to collections."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tenure.counts import number
from tenure.frozen import dataclass
from tenure.importers.entries import collection_of, date_of
from tenure.importers.gathering import Entry, Gathering
from tenure.importers.jekyll import Texts, is_made_by_liquid
from tenure.importers.samples import is_sample
from tenure.importers.yaml_text import Data
from tenure.text import slug

HOUSES = re.compile(
    r"univers|\buniv\b|college|\bETH\b|\bEPFL\b|\bMIT\b|polite[ck]n|institut|school|\bacadem(?:y|ia)\b|\blaborator|\blabs?\b"
    r"|hospital|\bcent(?:er|re)\b|department|faculty|foundation|ministry|company|\b(?:inc|gmbh|ltd|corp|llc)\b|schule|大学|研究",
    re.IGNORECASE,
)
"""Parts of names of universities, companies and other organizations."""

_BULLET = re.compile(r"^([ \t]*)([-*+•]|\d+[.)])[ \t]+(.*)$")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$")
LONGEST = 45
"""Maximum length of a period with months, in characters."""

_MARKS = re.compile(r"^\W+|[*_]{2,}")
MAIN: Mapping[str, str] = {
    "awards": "title", "talks": "title", "projects": "title", "service": "role", "teaching": "course",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bullet:
    """A list item with its nested items."""

    words: str
    points: tuple["Bullet", ...] = ()


def read_cv_page(texts: Texts, body: str, name: str, line: int) -> str:
    """Import the sections that are bullet lists to collections. Returns the Markdown of all other sections."""
    gathering = texts.gathering
    left: list[str] = []
    for heading, text, at in _sections(body):
        place = f"{name}:{line + at}"
        title = texts.line(heading, place).strip(" *:#")
        if is_made_by_liquid(text):
            gathering.changed(place, f"{title or 'a part'} of the CV comes from the site's data")
            continue
        if is_sample(text) and not bullets_of(text):
            gathering.left(place, f"sample content of the template: {title or 'the text'} of the CV")
            continue
        made = texts.body(text, place)
        bullets = bullets_of(made)
        if not title or bullets is None:
            left += [f"## {title}"] if title and made else []
            left += [made] if made else []
            continue
        kept = [bullet for bullet in bullets if not is_sample(_all_words(bullet))]
        if len(kept) < len(bullets):
            gathering.left(
                place,
                f"sample content of the template: {number(len(bullets) - len(kept), 'entry', 'entries')} of {title}",
            )
        _put(gathering, title, kept, place)
    return "\n\n".join(left)


def _sections(body: str) -> Iterator[tuple[str, str, int]]:
    """Yield heading, text and line offset of each section, split at the highest heading level used more than once."""
    body = re.sub(
        r"^(\S.*)\n(={3,}|-{3,})[ \t]*$",
        lambda m: f"{'#' if m[2][0] == '=' else '##'} {m[1]}\n",
        body,
        flags=re.MULTILINE,
    )
    lines = body.split("\n")
    found = [(i, len(head[1]), head[2]) for i, text in enumerate(lines) if (head := _HEADING.match(text))]
    levels = [level for _, level, _ in found]
    level = next((one for one in sorted(set(levels)) if levels.count(one) > 1), min(levels, default=1))
    marks = [(i, words) for i, depth, words in found if depth <= level]
    starts = [(-1, ""), *marks]
    for (start, words), (end, _) in zip(starts, [*starts[1:], (len(lines), "")], strict=True):
        text = "\n".join(lines[start + 1 : end]).strip("\n")
        if text.strip():
            yield words, text, max(start, 0)


def bullets_of(text: str) -> list[Bullet] | None:
    """Parse a text that is only a bullet list; None for any other text."""
    flat: list[tuple[int, str]] = []
    numbered: frozenset[int] = frozenset()
    for line in text.split("\n"):
        found = _BULLET.match(line)
        if found:
            depth = 2 * len(found[1].expandtabs(4))
            numbered = numbered | {depth} if found[2][0].isdigit() else numbered
            beneath = depth in numbered and not found[2][0].isdigit()
            flat.append((depth + beneath, found[3].strip()))
        elif line.strip():
            if not flat or not line.startswith((" ", "\t")) or line.lstrip().startswith(("```", "<div", "|")):
                return None
            flat[-1] = (flat[-1][0], f"{flat[-1][1]} {line.strip()}")
    return _nested(flat) if flat else None


def _nested(flat: Sequence[tuple[int, str]]) -> list[Bullet]:
    made: list[Bullet] = []
    while flat:
        depth, words = flat[0]
        end = next((i for i, (other, _) in enumerate(flat[1:], 1) if other <= depth), len(flat))
        made.append(Bullet(words, tuple(_nested(flat[1:end]))))
        flat = flat[end:]
    return made


def _all_words(bullet: Bullet) -> str:
    return " ".join([bullet.words, *(_all_words(point) for point in bullet.points)])


def points_of(bullets: Sequence[Bullet]) -> list[Data]:
    """Return bullets as the `details` of an entry."""
    return [{b.words: points_of(b.points)} if b.points else b.words for b in bullets]


def _put(gathering: Gathering, title: str, bullets: Sequence[Bullet], place: str) -> None:
    """Import the entries of a section to a standard collection if each has its required field, else to a custom one."""
    known = collection_of(title)
    reader = {"education": _school, "experience": _work}.get(known) or _other(MAIN.get(known, ""))
    entries = [reader(bullet) for bullet in bullets] if known in ("education", "experience", *MAIN) else []
    collection = known
    if not entries or not all(entries) or gathering.has(known):
        collection = slug(title) or "more"
        collection = (
            f"{collection}-list"
            if collection
            in (
                "education",
                "experience",
                "publications",
                "about",
                "pages",
                "posts",
                "news",
                "profile",
                *MAIN,
            )
            else collection
        )
        entries = [_item(bullet) for bullet in bullets]
    for entry, bullet in zip(entries, bullets, strict=True):
        if bullet.points and collection != "experience":
            entry["details"] = points_of(bullet.points)
        gathering.add(collection, entry, place, "" if collection == known else title)


def dated(words: str) -> tuple[str, str]:
    """Return the date or period at the start, at the end or between commas, and the remaining text; "" without a date."""
    bare = re.sub(r"[*_]{2}|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", words).strip()
    for found in reversed([*re.finditer(r"[:,;|\])]\s*|\s[-–—]\s", bare[:LONGEST])]):
        if (when := _date(bare[: found.start()])) and bare[found.end() :]:
            return when, bare[found.end() :].lstrip(" :,;|-–—")
    for found in re.finditer(r"[,.;:(\[]?\s+|[(\[]", bare[-LONGEST:]):
        at = max(len(bare) - LONGEST, 0)
        if (when := _date(bare[at + found.end() :])) and bare[: at + found.start()]:
            return when, bare[: at + found.start()]
    parts = re.split(r",\s+", bare)
    inner = next((part for part in parts if _date(part)), "")
    return (_date(inner), ", ".join(part for part in parts if part != inner)) if inner else ("", words)


def _date(words: str) -> str:
    """Return a normalized date or period that includes a year, or ""."""
    bare = words.strip(" .,;:[]")
    bare = f"{bare})" if bare.count("(") > bare.count(")") else bare.rstrip(")") if "(" not in bare else bare
    return date_of(bare) if re.search(r"\d{4}|'\d\d|-\d\d$", bare) else ""


def _school(bullet: Bullet) -> Entry:
    when, rest = dated(bullet.words)
    before, house, after = _housed(_parts(rest))
    if not house:
        return {}
    entry = {"institution": house, "degree": before, "location": after, "period": when}
    return {key: value for key, value in entry.items() if value}


def _work(bullet: Bullet) -> Entry:
    when, rest = dated(bullet.words)
    points = list(bullet.points)
    before, house, after = _housed(_parts(rest))
    if not house and points and HOUSES.search(points[0].words) and not points[0].points:
        before, (first, house, after) = rest, _housed(_parts(points.pop(0).words))
        house = ", ".join(part for part in (first, house) if part)
    if not house:
        return {}
    more = [after] if re.match(r"(?:advis|adivs|superv|mentor|with|under)\w* ", after, re.IGNORECASE) else []
    entry: Entry = {"organization": house, "role": before, "location": "" if more else after, "period": when}
    entry["details"] = [*more, *points_of(points)]
    return {key: value for key, value in entry.items() if value}


def _housed(parts: Sequence[str]) -> tuple[str, str, str]:
    """Return the clauses before, naming and after the organizations; all "" if none names an organization."""
    found = [i for i, part in enumerate(parts) if HOUSES.search(part)]
    if (
        len(parts) > 1
        and found
        and found[0] == 0
        and len(found) > 1
        and not HOUSES.search(parts[0].split()[-1])
    ):
        found = found[1:]
    if not found:
        return "", "", ""
    first, last = found[0], found[0]
    while last + 1 in found:
        last += 1
    return ", ".join(parts[:first]), ", ".join(parts[first : last + 1]), ", ".join(parts[last + 1 :])


def _other(main: str) -> Callable[[Bullet], Entry]:
    def read(bullet: Bullet) -> Entry:
        when, rest = dated(bullet.words)
        if main == "course":
            return {main: rest, "term": when} if when else {main: rest}
        return {main: rest, "date": when} if when else {main: rest}

    return read


def _item(bullet: Bullet) -> Entry:
    return {"text": bullet.words}


def _parts(words: str) -> list[str]:
    parts = re.split(r"[,;]\s+(?![^(]*\))|(?<=\w{5})\.\s+", words)
    return [re.sub(r"(?<=\w{4})\.$", "", bare) for part in parts if (bare := _MARKS.sub("", part).strip())]
