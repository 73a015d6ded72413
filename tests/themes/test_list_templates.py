"""A list of a site has its own templates: a part for its sections, and a template for its page."""

from collections.abc import Callable

from conftest import Sources

SITE = """\
-- site.yaml --
title: Ada Example
theme: mine
pages: [home, podcasts, {path: both, sections: [podcasts, menu]}]
-- content/profile.yaml --
name: Ada Example
-- content/podcasts.yaml --
- {title: On caches, date: 2026-05, url: https://podcast.example.org/}
-- content/menu.yaml --
- {title: Soup, date: 2026-06}
-- themes/mine/theme.yaml --
extends: base
-- themes/mine/parts/podcasts.html --
{% macro rows(part, listing, level) %}
{% for item in listing.items %}<p class="episode">{{ item.entry.title|inline_markdown }}</p>{% endfor %}
{% endmacro %}
"""
PAGE = """\
-- themes/mine/pages/podcasts.html --
{% extends "parts/frame.html" %}
{% import "parts/sections.html" as sections with context %}
{% block main %}<h1>All episodes</h1>{{ sections.all() }}{% endblock %}
"""

Make = Callable[[str], Sources]


def test_the_part_with_the_name_of_a_list_shows_its_sections(site: Make) -> None:
    built = site(SITE).build()
    assert built.problems == []
    for path in ("/podcasts/", "/both/"):
        assert '<p class="episode">On caches</p>' in built.read_page(path)
    assert "Soup" in built.read_words("/both/")  # parts/menu.html is the part of the menu, not of this list


def test_the_template_with_the_name_of_a_list_is_that_of_its_page(site: Make) -> None:
    built = site(SITE + PAGE).build()
    assert built.problems == []
    assert "<h1>All episodes</h1>" in built.read_page("/podcasts/")
    assert "All episodes" not in built.read_page("/both/")


def test_a_changed_template_of_a_list_is_shown(site: Make) -> None:
    sources = site(SITE)
    sources.build_cached()
    changed = sources.edit_files(
        """\
-- themes/mine/parts/podcasts.html --
{% macro rows(part, listing, level) %}<p>{{ listing.items|length }} episode</p>{% endmacro %}
"""
    )
    assert "<p>1 episode</p>" in changed.build_cached().read_page("/podcasts/")
