"""
What `fetch` proposes: new entries, and findings that only the owner can decide.

The `_Planner` reads one source after the other, and builds the `FetchPlan` of all. Its report is in Markdown:
on the terminal, in fetch-report.md, and in a pull request.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from tenure.fetch.citation_counts import COUNTS_FILE, format_counts, request_counts
from tenure.fetch.client import Client, FetchError
from tenure.fetch.findings import (
    Finding,
    KnownWorks,
    describe_version,
    find_open_access,
    inspect_known_works,
)
from tenure.fetch.import_orcid import ORCID_BIB_FILE, convert_works
from tenure.fetch.orcid import OrcidWork, convert_registry_item, list_works
from tenure.fetch.service_requests import (
    request_bibtex,
    request_csl_item,
    request_record,
)
from tenure.model.site import Site
from tenure.problems import format_count
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.bibtex.bib_writer import escape_markdown, format_bib_entry
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY
from tenure.sources.editing.edits import UneditableError, decode_file_text
from tenure.sources.publications.collect import read_every_entry
from tenure.sources.publications.lint import ParsedPublication
from tenure.sources.publications.preprints import find_preprint_pairs

DOI_BIB_FILE = "bib/dois.bib"
MEMBER_BIB_FILE = "bib/members.bib"


class Addition(Record):
    """A new entry: its file, its key, its title, and where it comes from."""

    file: str
    key: str
    title: str
    origin: str


class FetchPlan(Record):
    """The new contents of files, the new entries, the findings, and why something could not be read."""

    contents: Mapping[str, bytes]
    additions: tuple[Addition, ...]
    findings: tuple[Finding, ...]
    failures: tuple[str, ...]
    counted: str = ""
    """The numbers of citations and publications in content/counts.yaml; "" if the file is unchanged."""


def plan_fetch(root: Path, site: Site, client: Client, on_progress: ProgressCallback) -> FetchPlan:
    """Read every source of a site; a source that cannot be read changes nothing."""
    planner = _Planner(root, site, client, on_progress)
    for orcid in site.settings.fetch.orcid:
        planner.read_orcid(orcid)
    planner.read_dois()
    planner.read_members()
    planner.inspect_works()
    planner.count_citations()
    return planner.build_plan()


class _Planner:
    """Collects the plan while the sources are read, one after the other."""

    def __init__(self, root: Path, site: Site, client: Client, on_progress: ProgressCallback) -> None:
        self.root = root
        self.config = site.settings.fetch
        self.profile = site.profile
        self.coauthors = site.coauthors
        self.client = client
        self.on_progress = on_progress
        self.known = KnownWorks(read_every_entry(root, self.profile), self.profile)
        self._excluded = frozenset(text.casefold() for text in self.config.without)
        self._old_entries = tuple(self.known.entries)
        self._contents: dict[str, bytes] = {}
        self._texts: dict[str, list[str]] = {}
        self._additions: list[Addition] = []
        self._findings: list[Finding] = []
        self._failures: list[str] = []
        self._counted = ""

    def read_orcid(self, orcid: str) -> None:
        """Add the works of an ORCID record that the site does not know."""
        try:
            works = list_works(request_record(self.client, orcid))
        except FetchError as error:
            self._failures.append(f"{ORCID_BIB_FILE} stays as it is: {error}")
            return
        unknown_works = [work for work in works if not self._is_known(work)]
        for paper in convert_works(
            self.client, orcid, unknown_works, self.profile.name, self.known.keys, self.on_progress
        ):
            if paper.delay:
                self._failures.append(f"{paper.work.doi} is not added yet: {paper.delay}")
            else:
                self._propose_entry(ORCID_BIB_FILE, paper.text, paper.work.location)

    def read_dois(self) -> None:
        """Add the works of the DOIs in site.yaml that the site does not know, and that have a title."""
        for doi in self.config.dois:
            if self.known.find_work([doi]) is not None or self._is_excluded(doi):
                continue
            try:
                item = request_csl_item(self.client, doi)
            except FetchError as error:
                self._failures.append(f"{doi} is not added: {error}")
                continue
            entry = convert_registry_item(item)
            if entry is not None:
                _, text = format_bib_entry(entry.kind, entry.key, entry.fields, self.known.keys)
                self._propose_entry(DOI_BIB_FILE, text, f"doi.org/{doi}")

    def read_members(self) -> None:
        """Add the publications of the sites of members that this site does not know."""
        for name, url in self.config.members.urls.items():
            # a site of this program has its publications there
            address = url if url.endswith(".bib") else f"{url.rstrip('/')}/publications.bib"
            try:
                text = request_bibtex(self.client, address)
            except FetchError as error:
                self._failures.append(f"the publications of {name} are not added: {error}")
                continue
            for entry in self.known.parse_entries(text):
                is_excluded = self._is_excluded(entry.publication.doi, entry.key)
                if not is_excluded and self.known.find_same_work(entry) is None:
                    new_text = _copy_entry(entry, self.known.keys)
                    self._propose_entry(MEMBER_BIB_FILE, new_text, f"{name}, {address}")

    def inspect_works(self) -> None:
        """Look up what has happened to the works that the site knows."""
        own_entries = [entry for entry in self._select_entries(self._old_entries) if entry.publication.doi]
        findings, failure = inspect_known_works(self.client, own_entries, self.known, self.on_progress)
        self._findings += findings
        if failure:
            self._failures.append(failure)

    def count_citations(self) -> None:
        """Count the citations of every work with a DOI; without an answer, the file is unchanged."""
        if self.config.counts is None:
            return
        path = self.root / COUNTS_FILE
        papers = [entry.publication for entry in self._select_entries(self.known.entries)]
        try:
            works = request_counts(self.client, papers, self.on_progress)
            old_text = path.read_text(encoding="utf-8") if path.is_file() else ""
        except (FetchError, ValueError) as error:
            self._failures.append(f"{COUNTS_FILE} stays as it is: {error}")
            return

        self._findings += find_open_access(works, self._select_entries(self.known.entries))
        result = format_counts(works, papers, self.coauthors, old_text)
        if not result.text:
            self._failures.append(f"{COUNTS_FILE} stays as it is: {result.summary}")
        elif result.text != old_text:
            self._contents[COUNTS_FILE] = result.text.encode()
            self._counted = result.summary

    def build_plan(self) -> FetchPlan:
        """The plan: new entries are appended to what their files contain."""
        for file, texts in self._texts.items():
            path = self.root / file
            try:
                old_text = decode_file_text(path.read_bytes() if path.is_file() else b"")
                # an empty line is before the new entries
                gap = "\n" if old_text.endswith("\n") else "\n\n"
                new_text = "\n".join(texts)
                if old_text:
                    new_text = f"{gap}{new_text}"
                line_end = "\r\n" if "\r\n" in old_text else "\n"
                self._contents[file] = (old_text + new_text.replace("\n", line_end)).encode()
            except UneditableError as error:
                self._failures.append(f"{file} stays as it is: {error}")
                self._additions = [addition for addition in self._additions if addition.file != file]

        return FetchPlan(
            self._contents,
            tuple(self._additions),
            tuple(dict.fromkeys(self._findings)),
            tuple(self._failures),
            self._counted,
        )

    def _is_known(self, work: OrcidWork) -> bool:
        """Whether a work is on the site, or excluded, or a lecture."""
        # the title counts only for a work without an identifier
        title = "" if work.doi or work.arxiv else work.title
        is_excluded = any(self._is_excluded(doi) for doi in work.dois)
        return work.is_talk or is_excluded or self.known.find_work(work.dois, work.arxiv, title) is not None

    def _select_entries(self, entries: Iterable[ParsedPublication]) -> list[ParsedPublication]:
        """The entries that are not excluded."""
        return [entry for entry in entries if not self._is_excluded(entry.publication.doi, entry.key)]

    def _is_excluded(self, *names: str) -> bool:
        """Whether `without` names a DOI or a key."""
        return any(name.casefold() in self._excluded for name in names if name)

    def _propose_entry(self, file: str, text: str, origin: str) -> None:
        """Append an entry, unless it is another version of a known work; then the owner decides."""
        for entry in self.known.parse_entries(text):
            same = self.known.find_same_work(entry)
            if same is not None:
                # the first of the two is the preprint of the second
                pairs = find_preprint_pairs([same.publication, entry.publication])
                if pairs and pairs[0].preprint == 0:
                    self._findings.append(describe_version(same, entry.publication.doi, origin, text))
                continue

            self.known.add_entries([entry])
            self._texts.setdefault(file, []).append(text)
            publication = entry.publication
            self._additions.append(Addition(file, entry.key, str(publication.title), origin))
            people = (*publication.authors.people, *publication.editors.people)
            if file != MEMBER_BIB_FILE and not any(person.me for person in people):
                message = f"none of its authors is {self.profile.name}"
                self._findings.append(Finding("not-mine", entry.key, publication.doi, message, origin))


_PRIVATE_FIELDS = frozenset(
    [
        "abstract",
        "bdsk-url-1",
        "bdsk-url-2",
        "date-added",
        "date-modified",
        "file",
        "keywords",
        "owner",
        "timestamp",
    ]
)
"""Fields for a reference manager's own use, and long ones that belong to the other site."""


def _copy_entry(entry: ParsedPublication, used_keys: Container[str]) -> str:
    """The entry of another site with its fields unchanged."""
    kind, key = (entry.node.mapping[name].text for name in (TYPE_KEY, CITATION_KEY))
    fields = {
        name: node.text
        for name, node in entry.node.mapping.items()
        if name[0] != "@" and name not in _PRIVATE_FIELDS
    }
    return format_bib_entry(kind, key, {}, used_keys, fields)[1]


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
