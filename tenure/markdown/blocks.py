"""Kinds of admonitions, and the labels in the HTML of a text."""

from collections.abc import Mapping

from tenure.record import Record

ADMONITION_TITLES: Mapping[str, str] = {
    kind: kind.capitalize()
    for kind in (
        "note tip important warning caution"
        " example question definition theorem lemma proposition corollary proof remark"
    ).split()
}
"""Admonition kinds with their English titles. Source of the first five: GitHub Docs, "Alerts"."""

THEOREM_LIKE_KINDS = frozenset(ADMONITION_TITLES) - {"note", "tip", "important", "warning", "caution"}
"""Kinds whose name is shown even if they have a title: “Theorem (Cantor)”."""


class MarkdownLabels(Record):
    """The labels in the HTML of a Markdown text, in the language of the text."""

    table: str = "Table"
    footnotes: str = "Footnotes"
    back_to_text: str = "Back to the text"
    task_done: str = "done"
    task_open: str = "to do"
    admonition_titles: tuple[tuple[str, str], ...] = tuple(ADMONITION_TITLES.items())


ENGLISH_LABELS = MarkdownLabels()


def title_admonition(kind: str, title: str, labels: MarkdownLabels) -> str:
    """The title of an admonition in the language of the text; `title` is as the author wrote it, or ""."""
    name = dict(labels.admonition_titles).get(kind, kind.capitalize())
    if not title:
        return name
    return f"{name} ({title})" if kind in THEOREM_LIKE_KINDS else title
