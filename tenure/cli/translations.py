"""`check --untranslated`: the texts without a translation, and the translations that are older than their originals."""

from collections.abc import Iterator
from pathlib import Path

from tenure.build import BuildResult
from tenure.cli.questions import query_git
from tenure.counts import format_count
from tenure.problems import PROBLEM_CODES, Place, Problem
from tenure.record import replace
from tenure.sources.translations import split_language


def include_untranslated(build: BuildResult, root: Path) -> BuildResult:
    """A copy of a build whose problems include the texts without a translation and outdated translations."""
    if build.site is None:
        return build
    outdated = tuple(find_outdated_translations(root, tuple(build.site.settings.translations)))
    return replace(build, problems=tuple(sorted({*build.problems, *build.untranslated, *outdated})))


def find_outdated_translations(root: Path, languages: tuple[str, ...]) -> Iterator[Problem]:
    """
    The Markdown files whose original has a commit that the last commit of the translation does not contain.

    This compares commits, not dates, which a checkout does not keep. A file that is not committed is not outdated.
    """
    for path in sorted((root / "content").rglob("*.md")):
        stem, language = split_language(path)
        original = path.with_name(f"{stem}.md")
        if language not in languages or not original.is_file():
            continue
        last_commit = query_git("rev-list", "-1", "HEAD", "--", path.name, folder=path.parent)
        new_commits = ("rev-list", f"{last_commit}..HEAD", "--", original.name)
        changes = query_git(*new_commits, folder=path.parent) if last_commit else ""
        if changes:
            commits = format_count(len(changes.split()), "commit")
            message = f"{original.name} has {commits} since the last one of this translation"
            place = Place(path.relative_to(root).as_posix())
            hint = f"compare it with {original.name}, and commit it"
            yield Problem(
                place, PROBLEM_CODES["outdated-translation"][0], "outdated-translation", message, hint
            )


def count_untranslated(build: BuildResult) -> str:
    """A sentence for each language with its numbers of texts without a translation and of outdated translations."""
    languages = build.site.settings.translations if build.site else ()
    sentences = []
    for language in languages:
        missing = sum(problem.message.endswith(f" into {language}") for problem in build.untranslated)
        outdated = sum(
            problem.code == "outdated-translation" and problem.place.file.endswith(f".{language}.md")
            for problem in build.problems
        )
        parts = [f"{format_count(missing, 'text')} without a translation"]
        if outdated:
            parts.append(f"{format_count(outdated, 'translation')} older than the original")
        sentences.append(f"{language}: {', '.join(parts)}.")
    return " ".join(sentences) or "The site has one language; languages in site.yaml adds others."
