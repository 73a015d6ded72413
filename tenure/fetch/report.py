"""The report of `fetch` in Markdown: on the terminal, in fetch-report.md, and in a pull request."""

from collections.abc import Mapping, Sequence

from tenure.fetch.citation_counts import COUNTS_FILE
from tenure.fetch.findings import Finding
from tenure.fetch.plan import Addition, FetchPlan
from tenure.problems import format_count
from tenure.sources.bibtex.bib_writer import escape_markdown

REPORT_FILE = "fetch-report.md"
FINDING_HEADINGS: Mapping[str, tuple[str, str]] = {
    "now-published": (
        "Preprints that have been published",
        "Add the entry of the published version: the site then shows both as one publication.",
    ),
    "retracted": (
        "Retracted publications",
        "Say so in the entry, for example in `note`, or delete the entry.",
    ),
    "open-access": (
        "Free PDFs",
        "Add the line to the entry, or to content/publications.yaml: the site then links to the PDF.",
    ),
    "not-mine": (
        "Perhaps not yours",
        "If a spelling of your name is missing, add it to `aliases` in content/profile.yaml. If the work is"
        " not yours, delete its entry.",
    ),
}
"""The heading of each code, and what the owner can do."""


def format_report(plan: FetchPlan) -> str:
    """The report of a plan; "" if there is nothing to report."""
    parts: list[str] = []
    if plan.additions:
        lines = [*map(_format_addition, plan.additions)]
        parts.append(_format_section(f"New publications ({len(lines)})", "", lines))
    if plan.counted:
        parts.append(_format_section("Citations", "", [f"- {COUNTS_FILE}: {plan.counted}"]))
    for code, (heading, advice) in FINDING_HEADINGS.items():
        findings = [finding for finding in plan.findings if finding.code == code]
        if findings:
            name = findings[0].doi or findings[0].key
            silence = f"To silence one: `fetch: {{without: [{name}]}}` in site.yaml."
            rows = [*map(_format_finding, findings)]
            parts.append(_format_section(f"{heading} ({len(rows)})", f"{advice} {silence}", rows))

    if plan.failures:
        lines = [f"- {_escape_service_text(failure)}" for failure in plan.failures]
        parts.append(_format_section("Not read", "", lines))
    return "\n".join(parts)


def summarize_plan(plan: FetchPlan) -> str:
    """The numbers of a plan: "2 new publications, 1 changed file, 3 findings"."""
    groups = (plan.additions, "new publication"), (plan.contents, "changed file"), (plan.findings, "finding")
    return ", ".join(format_count(len(group), noun) for group, noun in groups)


def _format_section(heading: str, advice: str, lines: Sequence[str]) -> str:
    """A heading, an advice and a list in Markdown."""
    advice_lines = [advice, ""] if advice else []
    return "\n".join([f"## {heading}", "", *advice_lines, *lines, ""])


def _format_addition(addition: Addition) -> str:
    """An entry as an item of a list, with its origin."""
    title = _escape_service_text(addition.title)
    return f"- `{addition.key}` in {addition.file}: {title} ({_escape_service_text(addition.origin)})"


def _format_finding(finding: Finding) -> str:
    """A finding as an item of a list, with the BibTeX of a published version as its code."""
    message = _escape_service_text(finding.message)
    proof = _escape_service_text(finding.proof)
    line = f"- `{finding.key}` ({finding.code}): {message}. Proof: {proof}"
    if finding.code != "now-published" or not finding.bibtex:
        return line
    code = "".join(f"      {text}\n" for text in finding.bibtex.strip().splitlines())
    return f"{line}\n\n{code}"


def _escape_service_text(text: str) -> str:
    """A text of a service in one line, without markup, mentions of users or HTML."""
    return escape_markdown(" ".join(text.split())).replace("<", "&lt;").replace("@", "@\u200b")
