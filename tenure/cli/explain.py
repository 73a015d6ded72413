"""`explain`: the documentation in the terminal: the section of a problem, a page, or the list of pages."""

import argparse

from tenure.cli.arguments import EXIT_OK, Call, UsageError, format_command
from tenure.documentation import (
    QUESTIONS_PAGE,
    find_sections,
    list_headings,
    list_pages,
    read_page,
    read_problem_sections,
    read_section,
)

MAX_HEADINGS = 10
"""The headings that are shown for a word."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `explain`."""
    names_help = (
        "the code of a problem, a page, such as going-live, with one of its headings, or any word "
        "(default: the list of pages)"
    )
    parser.add_argument("names", metavar="CODE|PAGE", nargs="*", help=names_help)


def run_command(call: Call) -> int:
    """Print what the documentation says; returns the exit status."""
    names = call.options.names
    section = read_section(*names) if len(names) == 2 and names[0] in list_pages() else ""
    texts = [section] if section else [_find_text(name.removesuffix(".md")) for name in names]
    print("\n\n".join(texts or [_format_list()]))
    return EXIT_OK


def _find_text(name: str) -> str:
    """The section of a problem, a page, or the headings of a word; raises UsageError if it is nowhere."""
    sections = read_problem_sections()
    pages = list_pages()
    if name in sections:
        return sections[name]
    if name == QUESTIONS_PAGE:
        return f"{list_headings(name)}\n\n{read_page(name).rstrip()}"
    if name in pages:
        return read_page(name).rstrip()
    found = find_sections(name)[:MAX_HEADINGS]
    if len(found) == 1:
        return read_section(*found[0])
    if found:
        return "\n".join(format_command("explain", *section) for section in found)

    from tenure.problems import suggest_word

    hint = suggest_word(name, (*sections, *pages), f"{format_command('explain')} lists the pages")
    raise UsageError(f'the documentation has neither a page nor a problem "{name}"; {hint}')


def _format_list() -> str:
    """The pages with their titles, and how to read one."""
    lines = (
        f"To read a page:          {format_command('explain', 'start')}",
        f"What a problem means:    {format_command('explain', 'unknown-key')}",
        "",
        *(f"  {name:18} {title}" for name, title in list_pages().items()),
    )
    return "\n".join(lines)
