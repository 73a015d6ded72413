"""The lengths of a CV and of its sections, for which funders set limits."""

from collections.abc import Iterator, Sequence

from tenure.exports.cv.document import CvGroup, CvRow, CvSection
from tenure.exports.cv.spans import LINE_BREAK, TextBlock, read_text
from tenure.model.site import CvConfig, SectionConfig
from tenure.problems import Problems, format_count
from tenure.record import field_names


def report_lengths(
    config: CvConfig, sections: Sequence[tuple[SectionConfig, CvSection]], problems: Problems
) -> None:
    """Report the length of a CV, and of each of its sections, that has a limit."""
    for section_config, section in sections:
        _report_length(section_config, section, problems)
    _report_length(config, tuple(section for _, section in sections), problems)


def _report_length(config: CvConfig | SectionConfig, part: object, problems: Problems) -> None:
    """Report by how much a length is over its limit, or how much is left."""
    # most have no limit
    texts = [*_list_texts(part)] if config.words or config.characters else []
    lengths = {
        "words": sum(len(text.split()) for text in texts),
        "characters": sum(map(len, texts)),
    }
    for key, length in lengths.items():
        limit: int = getattr(config, key)
        unit = key.removesuffix("s")
        message = f"“{config.name}” has {format_count(length, unit)}; the limit is {limit}"
        if 0 < limit < length:
            hint = f"shorten it by {format_count(length - limit, unit)}"
            problems.report("cv-length", config.place_of(key), message, hint)
        elif limit > 0:
            problems.report("within-limit", config.place_of(key), message)


def _list_texts(part: object) -> Iterator[str]:
    """The texts that the PDF prints of sections, of rows or of blocks, without headings and numbers."""
    match part:
        case str():
            # a break and the space after it are one space
            yield " ".join(read_text(part.replace(LINE_BREAK, " ")).split())
        case CvSection():
            yield from _list_texts((part.intro, part.text, part.groups))
        case CvGroup():
            yield from _list_texts(part.rows)
        case CvRow():
            names = (name for name in field_names(type(part)) if name not in ("id", "number"))
            yield from _list_texts(tuple(getattr(part, name) for name in names))
        case TextBlock():
            if part.kind != "subheading":
                yield from _list_texts((part.text, part.items, part.rows))
        case tuple():
            for child in part:
                yield from _list_texts(child)
