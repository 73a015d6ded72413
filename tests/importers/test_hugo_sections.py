"""The import of Hugo themes whose home page is made of data files (Toha) or of settings (Hugo-Profile)."""

from pathlib import Path

from test_import import import_and_build, read_report

TOHA = """\
-- old/hugo.yaml --
baseURL: https://jana.example.net
title: "Jana's Site"
languageCode: en
defaultContentLanguage: en
module:
  imports:
  - path: github.com/hugo-toha/toha/v4
languages:
  en: {languageName: English, weight: 1}
  de: {languageName: Deutsch, weight: 2}
params:
  features:
    blog: {enable: true}
-- old/data/en/site.yaml --
copyright: © 2024
description: Portfolio of Jana Weber.
customMenus:
  - {name: Lab, url: "https://lab.example.edu/", hideFromNavbar: false}
openGraph: {title: Jana's Site, type: website}
-- old/data/en/author.yaml --
name: "Jana Weber"
nickname: "Jana"
greeting: "Hi, I am"
image: "images/author/jana.png"
contactInfo:
  email: "jana@example.edu"
  phone: "+4912345"
  github: jana-weber
  linkedin: https://www.linkedin.com/in/jana-weber-example
  stackoverflow: 12/jana
summary:
  - I study looms
  - I work on distributed systems
-- old/data/en/sections/about.yaml --
section: {name: About, id: about, enable: true, weight: 1, showOnNavbar: true, template: sections/about.html}
designation: Research Scientist
company:
  name: Example Institute
  url: "https://inst.example.org/"
resume: "files/resume.pdf"
summary: "I am a researcher who studies **looms**."
socialLinks:
  - {name: Email, icon: "fas fa-envelope", url: "jana@example.edu"}
  - {name: Google Scholar, icon: "fas fa-graduation-cap", url: "https://scholar.google.com/citations?user=abc"}
badges:
  - {type: certification, name: Certified Weaver, url: "https://cert.example.org/x", badge: "https://images.example.org/x.png"}
  - {type: soft-skill-indicator, name: Leadership, percentage: 85, color: blue}
-- old/data/en/sections/experiences.yaml --
section: {name: Experiences, id: experiences, enable: true, weight: 3, showOnNavbar: true}
experiences:
- company:
    name: Weaving GmbH
    url: "https://weaving.example.org/"
    location: Munich
    overview: Weaving GmbH makes cloth.
  positions:
  - designation: Senior Scientist
    start: Jan 2022
    responsibilities:
    - Designed a loom
    - Wrote tests
  - designation: Scientist
    start: Dec 2020
    end: Dec 2021
    responsibilities:
    - Cleaned the loom
- company:
    name: Dye AG
    url: "https://dye.example.org/"
    location: Basel
  positions:
  - designation: Intern
    start: 2019
    end: 2020
-- old/data/en/sections/education.yaml --
section: {name: Education, id: education, template: sections/education.html, enable: true, weight: 4, showOnNavbar: true}
degrees:
  - name: Ph.D. in Computer Science
    icon: fa-microscope
    timeframe: 2016-2020
    institution: {name: Example University, url: "https://uni.example.edu/"}
    grade: {scale: CGPA, achieved: 3.6, outOf: 4}
    publications:
      - {title: A thesis paper, url: "https://paper.example.org/"}
    takenCourses:
      showGrades: true
      courses:
      - {name: Data Structures, achieved: 3.75, outOf: 4}
      - {name: Networks, achieved: 3.8, outOf: 4}
    extracurricularActivities:
      - Member of the choir
-- old/data/en/sections/projects.yaml --
section: {name: Projects, id: projects, enable: true, weight: 5, showOnNavbar: true}
buttons:
- {name: All, filter: all}
projects:
- name: Loomctl
  logo: /images/loom.png
  role: Owner
  timeline: "March 2020 - Present"
  repo: https://github.com/jana-weber/loomctl
  summary: A tool to control looms.
  tags: ["academic", "tools"]
- name: Dyer
  role: Contributor
  timeline: "June 2019 - Jan 2020"
  url: https://dyer.example.org/
  summary: A **dyer**.
  tags: [hobby]
-- old/data/en/sections/publications.yaml --
section: {name: Publications, id: publications, enable: true, weight: 6, showOnNavbar: true}
buttons: [{name: All, filter: all}]
publications:
  - title: On Weaving at Scale
    publishedIn: {name: 2020 Symposium on Looms, date: 7 June 2020, url: "https://sol.example.org"}
    authors:
      - {name: Jana Weber, url: "https://jana.example.net"}
      - {name: Bob Roe, url: "https://bob.example.net"}
    paper:
      summary: We weave at scale.
      url: https://doi.org/10.1000/182
    categories: [machinelearning]
    tags: ["Weaving", "Scale"]
-- old/data/en/sections/accomplishments.yaml --
section: {name: Accomplishments, id: accomplishments, enable: true, weight: 8, showOnNavbar: true}
accomplishments:
- name: Foundations of Weaving
  timeline: "Oct 2020"
  organization: {name: Loomera, url: "https://loomera.example.org"}
  courseOverview: "A course on weaving."
  certificateURL: "https://loomera.example.org/c/1"
-- old/data/en/sections/achievements.yaml --
section: {name: Achievements, id: achievements, enable: true, weight: 9}
achievements:
- title: Best Presenter
  image: /images/best.jpg
  summary: Best presenter at the Loom Conference 2020.
-- old/data/en/sections/skills.yaml --
section: {name: Skills, id: skills, enable: true, weight: 2}
skills:
- name: Go
  logo: /images/go.png
  summary: "Capable of writing scalable services."
  categories: [programming]
  url: "https://go.dev/"
-- old/data/en/sections/recent-posts.yaml --
section: {name: Recent Posts, id: recent-posts, enable: true, weight: 7}
numShow: 4
-- old/data/de/author.yaml --
name: "Jana Weber"
greeting: "Hallo, ich bin"
summary: [Ich untersuche Webstühle]
-- old/data/de/sections/about.yaml --
section: {name: Über mich, id: about, enable: true, weight: 1}
designation: Wissenschaftlerin
company: {name: Beispielinstitut}
summary: "Ich untersuche Webstühle."
-- old/data/de/sections/education.yaml --
section: {name: Ausbildung, id: education, enable: true, weight: 4}
degrees:
  - name: Dr. rer. nat.
    timeframe: 2016-2020
    institution: {name: Beispieluniversität}
-- old/content/posts/first/index.md --
---
title: "My first post"
date: 2020-06-08T06:00:20+06:00
menu: {sidebar: {name: First, identifier: first, weight: 10}}
hero: images/hero.jpg
---
Hello, this is a post about looms.
-- old/content/posts/_index.md --
---
title: Posts
---
-- old/content/notes/weaving.md --
---
title: Notes on weaving
weight: 20
---
<!-- Weft -->
{{< note title="Weft" >}}
The weft is a thread.
{{< /note >}}
-- old/static/files/resume.pdf --
%PDF-1.4
"""

HUGO_PROFILE = """\
-- old/hugo.yaml --
baseURL: "https://jana.example.net"
languageCode: "en-us"
title: "Jana Weber"
theme: hugo-profile
outputs: {home: [HTML, RSS, JSON]}
Menus:
  main:
    - {identifier: blog, name: Blog, title: Blog posts, url: /blogs, weight: 1}
    - {identifier: gallery, name: Gallery, url: /gallery, weight: 2}
params:
  title: "Jana Weber"
  description: Site of Jana Weber
  favicon: /fav.png
  navbar: {align: ms-auto}
  hero:
    enable: true
    intro: "Hi, my name is"
    title: "Jana Weber."
    subtitle: "I build looms"
    content: "A passionate weaver."
    image: /images/hero.svg
    button: {enable: true, name: "Resume", url: "files/resume.pdf"}
    socialLinks:
      fontAwesomeIcons:
        - {icon: fab fa-github, url: "https://github.com/jana-weber"}
        - {icon: fa fa-envelope, url: "mailto:jana@example.edu"}
      customIcons:
        - {icon: /fav.png, url: "https://scholar.google.com/citations?user=abc"}
  about:
    enable: true
    title: "About Me"
    image: "/images/me.jpg"
    content: |-
      I am a weaver with a passion for **looms**. I work at [Example](https://example.org).

      I also dye.
    skills:
      enable: true
      title: "Here are a few technologies I've been working with recently:"
      items: [Python, Rust]
  experience:
    enable: true
    items:
      - job: "Scientist"
        company: "Weaving GmbH"
        companyUrl: "https://weaving.example.org"
        date: "Jan 2022 - present"
        content: "I design looms."
      - company: "Dye AG"
        companyUrl: "https://dye.example.org"
        jobs:
          - name: "Intern"
            date: "Sep 2020 - Dec 2021"
            info: {content: Worked on dyes}
            content: |
              I dyed things.

              - Red things.
              - Blue things.
            featuredLink: {enable: true, name: "View my work", url: "https://dye.example.org/w"}
  education:
    enable: true
    index: false
    items:
      - title: "Master of Science"
        school: {name: "Example University", url: "https://uni.example.edu"}
        date: "2013 - 2015"
        GPA: "3.8 out of 5.0"
        content: |-
          Extracurricular Activities
            - Choir
            - Chess
        featuredLink: {enable: true, name: "My academic record", url: "https://uni.example.edu/r"}
  achievements:
    enable: true
    items:
      - {title: Loom Prize Finalist, content: Solved all problems., url: "https://prize.example.org", image: /images/a.jpg}
  projects:
    enable: true
    items:
      - title: Loomctl
        content: A tool to control looms.
        image: /images/loomctl.png
        featured: {name: Demo, link: "https://loomctl.example.org"}
        badges: [Python, Rust]
        links:
          - {icon: fab fa-github, url: "https://github.com/jana-weber/loomctl"}
  contact:
    enable: true
    content: My inbox is always open.
    btnName: Mail me
    btnLink: mailto:jana@example.edu
  footer:
    recentPosts: {path: blogs, count: 3}
    socialNetworks: {github: "https://github.com/jana-weber", linkedin: "https://linkedin.com/in/jana-example"}
-- old/content/blogs/first.md --
---
title: "On looms"
date: 2022-11-05T23:30:42+05:30
draft: false
author: "Jana Weber"
tags: [Looms]
image: /images/post.jpg
description: "About looms"
toc: true
---
A post about looms.
-- old/content/gallery/index.md --
---
title: Gallery
galleryImages:
  - {src: /images/gallery/a.jpg}
  - {src: /images/gallery/b.jpg}
---
-- old/static/files/resume.pdf --
%PDF-1.4
"""


def test_the_sections_of_toha(tmp_path: Path) -> None:
    """Each file of data/en/sections is a section; an employer with two positions is two entries."""
    built = import_and_build(tmp_path, TOHA)
    profile, home, report = built.site.profile, built.read_words("/"), read_report(tmp_path)
    assert (profile.name, profile.role, profile.cv) == (
        "Jana Weber",
        "Research Scientist",
        "files/resume.pdf",
    )
    assert profile.tagline == "I study looms, I work on distributed systems"
    assert [link.label for link in profile.links] == ["GitHub", "LinkedIn", "Google Scholar"]
    for text in (
        "I am a researcher who studies looms.",
        "Senior Scientist",
        "Designed a loom",
        "Weaving GmbH makes cloth.",
        "Ph.D. in Computer Science",
        "3.6 of 4 (CGPA)",
        "Data Structures (3.75 of 4)",
        "Member of the choir",
        "A thesis paper",
        "On Weaving at Scale",
        "Foundations of Weaving",
        "Certified Weaver",
        "Best Presenter",
        "Capable of writing scalable services.",
    ):
        assert text in home
    assert home.count("Weaving GmbH makes cloth.") == 1
    (paper,) = built.site.publications
    assert (str(paper.doi), paper.venue.name, paper.abstract) == (
        "10.1000/182",
        "2020 Symposium on Looms",
        "We weave at scale.",
    )
    assert "a soft-skill-indicator" in report
    assert "a file that is not read" not in report.replace("`data/en/site.yaml`: a file that is not read", "")


def test_the_languages_of_toha(tmp_path: Path) -> None:
    """A language is that of its data files; an affiliation with a URL in one language only is one affiliation."""
    built = import_and_build(tmp_path, TOHA)
    page = built.read_words("/de/")
    assert "Wissenschaftlerin" in page
    assert "Beispielinstitut" in page
    assert "Ich untersuche Webstühle." in page


def test_the_sections_of_hugo_profile(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, HUGO_PROFILE)
    profile, home, report = built.site.profile, built.read_words("/"), read_report(tmp_path)
    assert (profile.name, profile.tagline, profile.cv) == ("Jana Weber", "I build looms", "files/resume.pdf")
    assert [link.label for link in profile.links] == ["GitHub", "Google Scholar", "LinkedIn"]
    for text in (
        "A passionate weaver.",
        "I also dye.",
        "Intern",
        "Red things.",
        "Master of Science",
        "My academic record",
        "Loomctl",
        "Loom Prize Finalist",
        "Python",
    ):
        assert text in home
    assert "Worked on dyes" in report
    assert built.read_words("/blogs/first/")
    assert "On looms" in built.read_words("/posts/")


def test_a_section_that_is_switched_off_is_reported(tmp_path: Path) -> None:
    off = TOHA.replace(
        "id: education, template: sections/education.html, enable: true", "id: education, enable: false"
    )
    built = import_and_build(tmp_path, off)
    assert "Ph.D. in Computer Science" not in built.read_words("/")
    assert "a section that is switched off: Education" in read_report(tmp_path)


ANANKE = """\
-- old/config.toml --
title = "Jana Weber"
baseURL = "https://jana.example.net/"
languageCode = "en-us"
theme = "ananke"
[params]
  description = "Notes on looms"
  featured_image = "/images/loom.jpg"
  github = "https://github.com/jana-weber"
  twitter = "https://twitter.com/jana_weber"
  [[params.ananke_socials]]
  name = "mastodon"
  url = "https://social.example.org/@jana"
[[menu.main]]
  name = "Contact"
  url = "/contact/"
  weight = 3
-- old/content/_index.md --
---
title: "Jana Weber"
description: "I study looms."
featured_image: '/images/loom.jpg'
---
Welcome, I study looms.
-- old/content/about/index.md --
---
title: "About"
menu: {main: {weight: 1}}
featured_image: ''
omit_header_text: true
---
{{< figure src="me.svg" title="Me" >}}
I am Jana.
-- old/content/about/me.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
-- old/content/contact.md --
---
title: Contact
type: page
---
{{< form-contact action="https://example.com" >}}
Write to me.
-- old/content/post/chapter-1.md --
---
date: 2017-04-09T10:58:08-04:00
description: "The first"
featured_image: "/images/c.jpg"
tags: ["scene"]
title: "Chapter I"
show_reading_time: true
---
Text one.
-- old/content/papers/p1.md --
---
title: "On weaving"
date: 2020-01-01
authors: ["Jana Weber", "Bob Roe"]
journal: Journal of Looms
doi: 10.1000/182
---
Abstract text.
"""


def test_accounts_and_papers_of_ananke(tmp_path: Path) -> None:
    """Accounts are settings with a URL, or a list; a paper has `journal`, or a volume within the emphasis."""
    numbers = ANANKE.replace("journal: Journal of Looms", "publication: '*Journal of Looms, 12*(3), 1-9'")
    for files, expected in ((ANANKE, ("", "")), (numbers, ("12", "3"))):
        folder = tmp_path / (expected[0] or "plain")
        folder.mkdir()
        built = import_and_build(folder, files)
        venue = built.site.publications[0].venue
        assert (venue.name, venue.volume, venue.number) == ("Journal of Looms", *expected)
        links = {link.label: str(link.url) for link in built.site.profile.links}
        assert links["Twitter"] == "https://twitter.com/jana_weber"
        assert links["GitHub"] == "https://github.com/jana-weber"
        assert "Mastodon" in links
