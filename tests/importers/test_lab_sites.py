"""The import of lab sites with members: files of lab-website-template, groups of Hugo Blox, profiles of al-folio."""

import re
from pathlib import Path

from test_import import import_and_build, read_report

from tenure.importers.detect import detect_system
from tenure.model.entries import Person, Project
from tenure.sources.references import list_people

LAB = """\
-- old/_config.yaml --
title: Tidal Lab
description: We measure the sea.
url: https://tides.example.net
-- old/_data/types.yaml --
engineer: {icon: fas fa-wrench, description: Research Engineer}
-- old/_data/citations.yaml --
- id: doi:10.1234/tides
  title: Tides in a cache
  authors: [Ada B. Example, Bo Lee]
  publisher: Journal of Tides
  date: '2022-05-04'
  link: https://doi.org/10.1234/tides
  plugin: sources.py
  repo: tides/code
  tags: [tides]
- id: arxiv:2401.00001
  title: Buoys at night
  authors: [Bo Lee]
  publisher: arXiv
  date: '2024-01-02'
-- old/_data/projects.yaml --
- {title: Buoys, subtitle: Sensors that follow the tide, link: https://buoys.example.org, tags: [sensors]}
-- old/_members/ada-example.md --
---
name: Ada Example
role: pi
aliases: [Ada B. Example]
affiliation: Example University
links:
  home-page: https://ada.example.net
  orcid: 0000-0002-1825-0097
  email: ada@example.edu
---
Ada measures [waves](https://waves.example.org).
-- old/_members/bo-lee.md --
---
name: Bo Lee
role: engineer
---
-- old/_members/cai-moon.md --
---
name: Cai Moon
role: phd
group: alum
---
-- old/index.md --
---
---
The lab of tides.
"""


def test_members_citations_and_projects_of_lab_website_template(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, LAB)
    assert detect_system(tmp_path / "old") == "academicpages"
    ada, bo, cai = list_people(built.site.collections)
    assert (ada.id, ada.title, ada.role, ada.aliases) == (
        "ada-example",
        "Ada Example",
        "Principal Investigator",
        ("Ada B. Example",),
    )
    assert (ada.email, ada.organization) == (("ada@example.edu",), "Example University")
    assert [link.url for link in ada.links] == [
        "https://ada.example.net",
        "https://orcid.org/0000-0002-1825-0097",
    ]
    assert (bo.role, cai.role, cai.summary) == ("Research Engineer", "Alumni", "PhD Student")
    assert (built.site.profile.kind, built.site.profile.name) == ("group", "Tidal Lab")
    assert [(paper.title, paper.doi) for paper in built.site.publications] == [
        ("Buoys at night", ""),
        ("Tides in a cache", "10.1234/tides"),
    ]
    assert "Tides in a cache" in built.read_words("/people/ada-example/")
    tides = next(paper for paper in built.site.publications if str(paper.doi))
    assert ([link.label for link in tides.links], tides.tags) == (["DOI", "Code"], ("tides",))
    (project,) = built.site.collections["projects"].entries
    assert isinstance(project, Project)
    assert (project.title, project.tagline) == ("Buoys", "Sensors that follow the tide")
    lines = read_report(tmp_path)
    assert "`_members/ada-example.md`: content/people/ada-example.md: Ada Example, a member" in lines
    assert "`_members/cai-moon.md`: a former member without a date; write end:" in lines
    assert "the site is that of a group, Tidal Lab" in lines


LAB_PAGES = """\
-- old/team/index.md --
---
title: Team
nav: {order: 2, tooltip: About us}
---
# {% include icon.html icon="fa-solid fa-users" %}Team

{% include section.html %}
{% include list.html data="members" component="portrait" filter="role == 'pi'" %}

## Former members
| :--- | ---: |
| Name | Years |
| Dee Moon | 2020 |

## Latest
{% include list.html data="posts" %}
-- old/research/index.md --
---
title: Research
nav: {order: 1}
---
{% capture text %}
Buoys follow [the team](team).
{%
  include button.html
  type="email"
  link="ada@example.edu"
  text="Write"
%}
{% endcapture %}
{%
  include feature.html
  image="images/buoy.svg"
  link="team"
  title="Buoys at sea"
  text=text
%}
{% capture unused %}A text that no include shows.{% endcapture %}
{% capture col1 %}Left.{% endcapture %}
{% capture col2 %}{% include figure.html image="images/buoy.svg" caption="A *buoy*" %}{% endcapture %}
{% include cols.html col1=col1 col2=col2 %}
{% include alert.html type="warning" content="Mind the tide." %}
{% include gallery.html images="images/x.png" %}
-- old/publications/index.md --
---
title: Publications
nav: {order: 3}
---
# Publications
{% include search-box.html %}
{% include list.html data="citations" component="citation" %}
-- old/images/buoy.svg --
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>
-- old/_posts/2025-10-6-storm.md --
---
title: A storm
---
It was windy.
-- old/notes/plain.md --
No front matter: Jekyll copies this file.
"""


def test_pages_in_folders_with_the_includes_of_lab_website_template(tmp_path: Path) -> None:
    """A page with a list and a text is the page of the list, with its text; the menu is that of `nav:`."""
    built = import_and_build(tmp_path, LAB + LAB_PAGES)
    settings = (tmp_path / "site/site.yaml").read_text("utf-8")
    assert re.findall(r"^  - (?:name: )?(\w+)", settings, re.MULTILINE)[:4] == [
        "home",
        "research",
        "people",
        "publications",
    ]
    team, research = built.read_words("/people/"), built.read_words("/research/")
    assert "Former members Name Years Dee Moon 2020" in team
    assert "Team Team" not in team
    assert "Latest" not in team
    assert built.read_page("/people/").count("<th ") + built.read_page("/people/").count("<th>") == 5
    for words in (
        "Buoys at sea",
        "Write",
        "A text that no include shows.",
        "Left.",
        "A buoy",
        "Mind the tide.",
    ):
        assert words in research
    assert ">Write</a>" in built.read_page("/research/")
    assert "{%" not in research
    (post,) = built.site.collections["posts"].entries
    assert "2025-10-06" in built.read_page(f"/posts/{post.id}/")
    lines = read_report(tmp_path)
    assert "`notes/plain.md`: a file that is not read" in lines
    assert "its text came over as the introduction of the page people" in lines
    assert "Liquid: {% include gallery.html" in lines
    assert "publications/index.md" not in lines


def test_the_groups_of_users_of_hugo_blox_make_a_lab(tmp_path: Path) -> None:
    built = import_and_build(
        tmp_path,
        """\
-- old/config/_default/hugo.yaml --
title: Tidal Lab
-- old/content/authors/admin/_index.md --
---
title: Ada Example
superuser: true
role: Professor of Oceans
user_groups: [Principal Investigators]
organizations: [{name: Example University, url: https://example.org}]
email: ada@example.edu
interests: [waves]
social:
  - {icon: github, icon_pack: fab, link: https://github.com/ada-example}
---
Ada measures waves.
-- old/content/authors/bo/_index.md --
---
title: Bo Lee
user_groups: [Grad Students]
---
-- old/content/authors/cai/_index.md --
---
title: Cai Moon
role: PhD student
user_groups: [Alumni]
---
-- old/content/authors/guest/_index.md --
---
title: Dee Guest
social: [{icon: globe, link: https://dee.example.net}]
---
-- old/content/publication/tides/index.md --
---
title: Tides
authors: [admin, bo, guest]
publication_types: ["2"]
publication: Journal
date: 2022-01-01
---
""",
    )
    people = list_people(built.site.collections)
    assert [(person.id, person.title, person.role) for person in people] == [
        ("admin", "Ada Example", "Professor of Oceans"),
        ("bo", "Bo Lee", "Grad Students"),
        ("cai", "Cai Moon", "Alumni"),
    ]
    assert people[0].interests == ("waves",)
    assert (built.site.profile.kind, built.site.profile.name, built.site.profile.head) == (
        "group",
        "Tidal Lab",
        ("admin",),
    )
    assert "Tides" in built.read_words("/people/admin/")
    assert (tmp_path / "site/content/coauthors.yaml").read_text("utf-8").count("name:") == 1
    assert "content/people/bo.md: Bo Lee, a member" in read_report(tmp_path)


def test_one_person_with_a_group_of_users_is_the_owner(tmp_path: Path) -> None:
    built = import_and_build(
        tmp_path,
        """\
-- old/content/authors/admin/_index.md --
---
title: Ada Example
superuser: true
user_groups: [Researchers, Visitors]
---
I analyse.
""",
    )
    assert (built.site.profile.kind, built.site.profile.name) == ("person", "Ada Example")
    assert not list_people(built.site.collections)


def test_the_profiles_of_al_folio_are_people(tmp_path: Path) -> None:
    built = import_and_build(
        tmp_path,
        """\
-- old/_config.yml --
title: Ada Example
scholar: {last_name: [Example], first_name: [Ada]}
-- old/_pages/profiles.md --
---
layout: profiles
permalink: /people/
title: people
nav: true
profiles:
  - {align: right, image: bo.svg, content: about_bo.md, more_info: "<p>Room 5</p>"}
  - {align: left, content: about_cai_moon.md}
  - {align: left, content: missing.md}
---
-- old/_pages/about_bo.md --
# Bo Lee

Bo builds buoys.
-- old/_pages/about_cai_moon.md --
Cai builds boats.
""",
    )
    people = list_people(built.site.collections)
    assert [(person.id, person.title, person.body) for person in people] == [
        ("bo", "Bo Lee", "Bo builds buoys."),
        ("cai-moon", "Cai Moon", "Cai builds boats."),
    ]
    assert all(isinstance(person, Person) for person in people)
    assert built.site.profile.kind == "person"
    assert "Bo Lee" in built.read_words("/people/")
    lines = read_report(tmp_path)
    assert "more_info: Room 5 (write it as email: or office: of the person)" in lines
    assert "a profile without a text" in lines
    assert "it is taken from the name of the file: Cai Moon" in lines
