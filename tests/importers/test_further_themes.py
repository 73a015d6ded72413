"""The import of bibliographies in CSL of Quarto, and of Jekyll sites with Minimal Mistakes, Chirpy or a menu in an include."""

from pathlib import Path

from test_import import import_and_build, read_report

QUARTO = """\
-- old/_quarto.yml --
project: {type: website}
website:
  title: "Jana Weber"
  site-url: https://jana.example.net
  navbar:
    left:
      - index.qmd
      - href: publications.qmd
        text: Publications
      - talks.qmd
bibliography: refs.yaml
csl: apa.csl
-- old/index.qmd --
---
title: "Jana Weber"
about:
  template: jolla
  links:
    - {icon: github, text: Github, href: "https://github.com/jana-weber"}
---
I study looms.
-- old/publications.qmd --
---
title: Publications
bibliography: refs.yaml
nocite: |
  @*
---
My publications.

::: {#refs}
:::
-- old/talks.qmd --
---
title: Talks
bibliography: talks.json
nocite: |
  @talk1, @talk2
---
-- old/refs.yaml --
---
references:
- id: weber2020
  type: article-journal
  author:
  - family: Weber
    given: Jana
  - literal: The Loom Group
  issued:
    date-parts:
    - - 2020
      - 5
  title: 'On weaving: a study'
  container-title: Journal of Looms
  volume: 3
  issue: 2
  page: 1-20
  DOI: 10.1000/182
- id: weber2021
  type: chapter
  author:
  - family: Weber
    given: J.
  editor:
  - {family: Roe, given: Bob}
  issued: {year: 2021}
  title: A chapter
  container-title: Handbook of Looms
  publisher: Loom Press
  publisher-place: Basel
...
-- old/talks.json --
[{"id":"talk1","type":"speech","title":"A talk","author":[{"family":"Weber","given":"Jana"}],"issued":{"date-parts":[[2022,3,4]]},"event":"LoomConf","event-place":"Paris"},
{"id":"talk2","type":"speech","title":"Another talk","author":[{"family":"Weber","given":"Jana"}],"issued":{"raw":"2023-01-01"},"event-title":"LoomConf 23"}]
"""

MINIMAL_MISTAKES = """\
-- old/_config.yml --
minimal_mistakes_skin: "default"
locale: "en-US"
title: "Jana Weber"
title_separator: "-"
name: "Jana Weber"
description: "Site of Jana"
url: "https://jana.example.net"
baseurl:
repository: "jana-weber/site"
remote_theme: "mmistakes/minimal-mistakes"
author:
  name: "Jana Weber"
  avatar: "/assets/images/bio-photo.jpg"
  bio: "I study **looms**."
  location: "Basel"
  email: jana@example.edu
  links:
    - {label: "Website", icon: "fas fa-fw fa-link", url: "https://lab.example.edu"}
    - {label: "GitHub", icon: "fab fa-fw fa-github", url: "https://github.com/jana-weber"}
footer:
  links:
    - {label: "Bluesky", icon: "fab fa-bluesky", url: "https://bsky.app/profile/jana.example.net"}
collections:
  recipes: {output: true, permalink: "/:collection/:path/"}
  portfolio: {output: true, permalink: "/:collection/:path/"}
defaults:
  - {scope: {path: "", type: posts}, values: {layout: single, author_profile: true}}
-- old/_data/navigation.yml --
main:
  - {title: "Research", url: /research/}
  - {title: "Posts", url: /year-archive/}
  - {title: "Portfolio", url: /portfolio/}
docs:
  - title: Getting Started
    children:
      - {title: "Quick guide", url: /guide/}
-- old/_data/authors.yml --
Bob Roe: {name: "Bob Roe", bio: "A guest", links: [{label: Web, url: "https://bob.example.net"}]}
-- old/index.html --
---
layout: home
author_profile: true
---
-- old/_pages/research.md --
---
title: "Research"
layout: splash
permalink: /research/
header:
  overlay_image: /assets/images/x.jpg
  actions:
    - {label: "Read", url: "https://lab.example.edu/r"}
excerpt: "We study looms."
intro:
  - excerpt: 'Loom science is **good**.'
feature_row:
  - image_path: assets/images/a.jpg
    alt: "weft"
    title: "Weft"
    excerpt: "About the weft."
    url: "/weft/"
    btn_label: "Read More"
  - title: "Warp"
    excerpt: "About the warp."
gallery:
  - {url: /assets/images/g1.jpg, image_path: assets/images/g1.jpg, alt: "g1"}
---
{% include feature_row id="intro" type="center" %}
{% include feature_row %}

More text here.
{: .notice--info}

{% include gallery caption="Gallery of looms" %}

{% include video id="XsxDH4HcOWA" provider="youtube" %}

{% include toc title="My Table" %}

<div class="notice" markdown="1">
#### Headline
Text in a notice.
</div>
-- old/_pages/year-archive.md --
---
title: "Posts by Year"
permalink: /year-archive/
layout: posts
---
-- old/_posts/2020-01-02-first.md --
---
title: "First"
categories: [Blog]
tags: [looms]
author: Bob Roe
last_modified_at: 2021-01-01
header: {teaser: /assets/images/t.jpg}
---
Text[^1].

{% capture notice %}
#### Note
Inside capture.
{% endcapture %}
<div class="notice">{{ notice | markdownify }}</div>

[Button](https://x.example.org){: .btn .btn--primary}

[^1]: Note.
-- old/_portfolio/loomctl.md --
---
title: "Loomctl"
excerpt: "A tool"
header: {teaser: /assets/images/foo.jpg}
sidebar:
  - {title: "Role", text: "Owner"}
---
A tool text.
-- old/_recipes/cake.md --
---
title: Cake
---
Bake it.
-- old/assets/images/bio-photo.jpg --
x
"""

CHIRPY = """\
-- old/_config.yml --
theme: jekyll-theme-chirpy
lang: en
timezone: Europe/Berlin
title: Jana Weber
tagline: Weaver and researcher
description: >-
  Notes about looms.
url: "https://jana.example.net"
github: {username: jana-weber}
twitter: {username: jana_weber}
social:
  name: Jana Weber
  email: jana@example.edu
  links:
    - https://twitter.com/jana_weber
    - https://github.com/jana-weber
    - https://www.linkedin.com/in/jana-example
avatar: /assets/img/jana.jpg
collections: {tabs: {output: true, sort_by: order}}
defaults:
  - scope: {path: "", type: posts}
    values: {layout: post, permalink: "/posts/:title/"}
-- old/_tabs/about.md --
---
icon: fas fa-info-circle
order: 4
---
I am a weaver.

> A tip.
{: .prompt-tip }
-- old/_tabs/archives.md --
---
layout: archives
icon: fas fa-archive
order: 3
---
-- old/_tabs/publications.md --
---
title: Publications
icon: fas fa-book
order: 2
---
- **J. Weber**, B. Roe. On weaving. *Journal of Looms*, 12(3), 45–67, 2020.
-- old/_tabs/tags.md --
---
layout: tags
icon: fas fa-tags
order: 5
---
-- old/_posts/2020-01-02-first.md --
---
title: First
date: 2020-01-02 10:00:00 +0800
categories: [Looms, Weft]
tags: [thread]
pin: true
math: true
media_subpath: /assets/img/first/
image: {path: cover.jpg, alt: A cover}
---
Text.

![Loom](loom.png){: width="700" height="400" .w-50 .left}
_A caption_

```shell
ls
```
{: file="list.sh" }

{% include embed/youtube.html id='H-B46URT4mg' %}

`/path/to/file`{: .filepath}
-- old/_data/contact.yml --
- type: github
  icon: "fab fa-github"
- type: mastodon
  icon: "fab fa-mastodon"
  url: "https://social.example.org/@jana"
-- old/assets/img/first/loom.png --
x
"""

INCLUDED_MENU = """\
-- old/_config.yml --
title: Jana Weber
url: https://jana.example.net
theme: minima
author: {name: Jana Weber, email: jana@example.edu}
-- old/index.md --
---
layout: default
title: Home
---
I study looms.
-- old/publications.md --
---
layout: page
title: Publications
permalink: /publications/
---
### 2020

1. **J. Weber**, B. Roe, C. Doe. [On weaving](https://doi.org/10.1000/182). *Journal of Looms*, 12(3), 45–67, 2020. [[pdf]](/papers/w.pdf)
2. **Jana Weber** and Cara Doe. "Threads that bind." In *Proceedings of the Symposium on Looms*, 2020. arXiv:2001.01234

### 2019

- Weber, J., & Roe, B. (2019). Dyeing at scale. *Dye Letters*, 4(1), 1-10. https://doi.org/10.1000/183
-- old/_includes/header.html --
<header><nav>
<a class="site-title" href="{{ "/" | relative_url }}">{{ site.title }}</a>
<a href="/publications/">Papers</a>
<a href="{{ site.baseurl }}/teaching/">Teaching</a>
<a href="/cv.pdf">CV</a>
<a href="https://github.com/jana-weber">GitHub</a>
</nav></header>
-- old/teaching.md --
---
title: Teaching
---
- Looms 101
-- old/cv.pdf --
%PDF-1.4
-- old/papers/w.pdf --
%PDF-1.4
"""


def test_a_bibliography_in_csl_is_the_list_of_publications(tmp_path: Path) -> None:
    """CSL-YAML and CSL-JSON that a page of Quarto lists with `nocite`; the page becomes that of the publications."""
    built = import_and_build(tmp_path, QUARTO)
    papers = {paper.key: paper for paper in built.site.publications}
    assert [*papers] == ["talk2", "talk1", "weber2021", "weber2020"]
    assert (papers["weber2020"].title, str(papers["weber2020"].doi)) == ("On weaving: a study", "10.1000/182")
    assert "My publications." in built.read_words("/publications/")
    assert "publications-page/index.html" not in built.paths


def test_a_bibliography_in_csl_that_is_only_cited_is_reported(tmp_path: Path) -> None:
    cited = QUARTO.replace("nocite: |", "description: |").replace("::: {#refs}\n:::\n", "See @weber2020.\n")
    built = import_and_build(tmp_path, cited)
    assert not built.site.publications
    assert "`refs.yaml`: a bibliography that pages cite; no page lists it" in read_report(tmp_path)


def test_rows_and_galleries_of_minimal_mistakes(tmp_path: Path) -> None:
    """Their items are in the front matter of the page."""
    page = import_and_build(tmp_path, MINIMAL_MISTAKES).read_words("/research/")
    for text in (
        "Loom science is good.",
        "Weft",
        "About the weft.",
        "Warp",
        "Gallery of looms",
        "More text here.",
    ):
        assert text in page
    report = read_report(tmp_path)
    assert "feature_row" not in report
    assert "intro" not in report.replace("introduction", "")


def test_images_of_posts_of_chirpy(tmp_path: Path) -> None:
    """`media_subpath` is the folder of the images of a post; `image` has a path and a text."""
    import_and_build(
        tmp_path,
        CHIRPY.replace("cover.jpg", "loom.svg")
        .replace("loom.png", "loom.svg")
        .replace("\nx\n", '\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'),
    )
    post = (tmp_path / "site/content/posts/first.md").read_text("utf-8")
    assert "image: files/loom.svg" in post
    assert "![Loom](files/loom.svg)" in post
    assert "order: 4" not in read_report(tmp_path)


def test_a_menu_in_an_include_is_the_menu(tmp_path: Path) -> None:
    """Literal links, also with the filters of Liquid; files and other sites become links of the profile."""
    built = import_and_build(tmp_path, INCLUDED_MENU)
    labels = [link.label for link in built.site.profile.links]
    assert labels == ["CV", "GitHub"]
    settings = (tmp_path / "site/site.yaml").read_text("utf-8")
    assert "  - name: publications\n    title: Papers\n  - teaching\n" in settings
