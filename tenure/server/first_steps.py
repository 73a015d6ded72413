"""Suggestions for the owner of a new site, with lines to copy; only the preview shows them."""

from collections.abc import Callable

from tenure.model.site import Site
from tenure.record import Record, replace

MAX_STEPS = 5
"""The number of steps shown at once."""


class FirstStep(Record):
    """One suggestion: its title, the file, the lines to copy (OWNER is the name in the profile), and a note on what else to do."""

    title: str
    file: str
    lines: str
    note: str = ""


def has_basic_content(site: Site) -> bool:
    """Whether a site has a text about its owner, and also a list or a publication."""
    lists = [name for name in site.collections if name != "about"]
    return _has_about_text(site) and bool(lists or site.publications)


def suggest_next_steps(site: Site) -> tuple[FirstStep, ...]:
    """The missing steps, most important first; empty if the site has basic content."""
    if has_basic_content(site):
        return ()
    steps = [step for is_done, step in _FIRST_STEPS if not is_done(site)][:MAX_STEPS]
    return tuple(replace(step, lines=step.lines.replace("OWNER", site.profile.name)) for step in steps)


def _has_about_text(site: Site) -> bool:
    return "about" in site.collections


_FIRST_STEPS: tuple[tuple[Callable[[Site], bool], FirstStep], ...] = (
    (
        _has_about_text,
        FirstStep(
            "A text about you",
            "content/about.md",
            "I am a PhD student. I work\non computers that need less\nenergy, with Prof. Bo Lee.",
        ),
    ),
    (
        lambda site: bool(site.profile.role and site.profile.photo),
        FirstStep(
            "Your role and a photo",
            "content/profile.yaml",
            "role: PhD student\nphoto: photo.jpg\nphoto_alt: Portrait of me",
            "Add these lines and put the picture into content/.",
        ),
    ),
    (
        lambda site: "education" in site.collections,
        FirstStep(
            "Your education",
            "content/education.yaml",
            "- institution: University X\n  degree: M.Sc. in Physics\n  period: 2022 - 2024",
        ),
    ),
    (
        lambda site: bool(site.publications),
        FirstStep(
            "Your publications",
            "bib/papers.bib",
            "@misc{lee2025, year = 2025,\n  author = {OWNER},\n  title = {The Title}}",
            "Or put a .bib file from your reference manager into bib/.",
        ),
    ),
    (
        lambda site: bool(site.settings.url),
        FirstStep(
            "The URL of the site",
            "site.yaml",
            "# or the one that you have\nurl: https://jana.github.io/",
            "Add the line.",
        ),
    ),
    (
        lambda site: bool(site.profile.email or site.profile.links),
        FirstStep(
            "How to reach you",
            "content/profile.yaml",
            "email: name@example.edu\nlinks:\n  github: user-name",
            "Add these lines.",
        ),
    ),
    (
        lambda site: "news" in site.collections,
        FirstStep(
            "News",
            "content/news.yaml",
            "- date: May 2025\n  text: >-\n    I have started my PhD.",
        ),
    ),
    (
        lambda site: "experience" in site.collections,
        FirstStep(
            "Your experience",
            "content/experience.yaml",
            "- organization: Company X\n  role: Research intern\n  period: Jun - Sep 2024",
        ),
    ),
)
"""Pairs: whether a site has done the step, and the step."""
