"""The lookup of a template: the first folder that has it, and the next folder for a template that extends its own name."""

from collections.abc import Callable

import pytest
from conftest import Sources

Make = Callable[[str], Sources]
HEAD = '{%% extends "%s" %%}\n{%% block head %%}{{ super() }}<meta name="%s" content="x">{%% endblock %%}\n'


@pytest.mark.parametrize("name", ["classic/parts/frame.html", "parts/frame.html"])
def test_a_part_that_extends_its_own_name_gets_the_packaged_one(name: str, site: Make) -> None:
    built = site(f"-- themes/classic/parts/frame.html --\n{HEAD % (name, 'own')}").build()
    assert built.problems == []
    assert '<meta name="own" content="x">' in built.read_page("/")
    assert 'rel="preload"' in built.read_page("/"), "the overridden frame of classic is extended"


def test_a_part_can_extend_another_base_theme(site: Make) -> None:
    built = site(f"-- themes/classic/parts/frame.html --\n{HEAD % ('base/parts/frame.html', 'own')}").build()
    assert built.problems == []
    assert '<meta name="own" content="x">' in built.read_page("/")
    assert 'rel="preload"' not in built.read_page("/")


def test_a_theme_of_the_site_uses_a_part_that_the_site_changed(site: Make) -> None:
    built = site(
        "-- site.yaml --\ntheme: mine\n-- themes/mine/theme.yaml --\nextends: classic\n"
        f"-- themes/mine/parts/frame.html --\n{HEAD % ('parts/frame.html', 'first')}"
        f"-- themes/classic/parts/frame.html --\n{HEAD % ('parts/frame.html', 'second')}"
    ).build()
    assert built.problems == []
    page = built.read_page("/")
    assert page.index("preload") < page.index('name="second"') < page.index('name="first"')


def test_a_page_template_can_extend_the_page_of_the_same_name(site: Make) -> None:
    page = '{% extends "pages/home.html" %}\n{% block main %}{{ super() }}<p>Below.</p>{% endblock %}\n'
    built = site(f"-- themes/classic/pages/home.html --\n{page}").build()
    assert built.problems == []
    assert built.read_words("/").endswith("Ada Example Below.")


def test_a_single_macro_can_be_replaced(site: Make) -> None:
    part = (
        '{% import "classic/parts/talks.html" as classic with context %}\n'
        "{% macro rows(part, listing, level) %}<p>Before.</p>{{ classic.rows(part, listing, level) }}{% endmacro %}\n"
    )
    built = site(
        f"-- themes/classic/parts/talks.html --\n{part}-- content/talks.yaml --\n- event: Seminar\n"
    ).build()
    assert built.problems == []
    assert "Before. Seminar" in built.read_words("/talks/")


def test_no_template_is_read_from_elsewhere(site: Make) -> None:
    page = '{% include "../../content/profile.yaml" %}\n'
    (reported,) = site(f"-- themes/classic/pages/home.html --\n{page}").build().problems
    assert "there is no template" in reported


@pytest.mark.parametrize("macro", ["people", "venue", "thumbnail"])
def test_a_part_that_defines_one_macro_has_the_others_of_the_packaged_one(site: Make, macro: str) -> None:
    paper = "paper" if macro == "thumbnail" else "citation.paper"
    arguments = paper.partition(".")[0] + ", a=none, b=none"
    words = f"{{% macro {macro}({arguments}) %}}<i>mine of {{{{ {paper}.key }}}}</i>{{% endmacro %}}"
    built = site(f"""-- themes/classic/parts/publications.html --
{words}
-- bib/papers.bib --
@article{{one, title={{One}}, author={{Example, Ada}}, journal={{J}}, year=2024}}
""").build()
    assert built.problems == []
    assert ("mine of one" in built.read_page("/publications/one/")) == (macro != "thumbnail")
    assert "One" in built.read_words("/publications/")


def test_a_macro_that_no_part_has_is_reported_in_the_template_that_calls_it(site: Make) -> None:
    built = site("""-- themes/classic/parts/publications.html --
{% macro people(paper, most) %}x{% endmacro %}
-- themes/classic/pages/home.html --
{% extends "classic/pages/home.html" %}
{% import "parts/publications.html" as publications %}
{% block main %}{{ publications.vanue(1) }}{% endblock %}
""").build()
    (reported,) = built.problems
    assert reported.startswith("themes/classic/pages/home.html:3:")
    assert 'did you mean "venue"?' in reported
