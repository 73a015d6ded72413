"""What the import of real sites has shown: each kind of source, and what the new site has and lacks."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Built, run_in, write_files

from tenure.build import build_site

JEKYLL = "-- old/_config.yml --\nname: Ada Example\nauthor: {name: Ada Example}\n"
ALFOLIO = "-- old/_config.yml --\nfirst_name: Ada\nlast_name: Example\nscholar: {last_name: [Example]}\n"
HUGO = "-- old/hugo.yaml --\ntitle: Ada Example\n-- old/content/authors/admin/_index.md --\n---\ntitle: Ada Example\n---\nMe.\n"
QUARTO = "-- old/_quarto.yml --\nproject: {type: website}\nwebsite: {title: Ada Example}\n"
ABOUT = "-- old/_pages/about.md --\n---\ntitle: About\npermalink: /\n---\n"
BIB = (
    "@article{{{0}, title={{{1}}}, author={{Example, Ada and Roe, Bob}}, journal={{J}}, year=2020}}\n".format
)


class Case(NamedTuple):
    """An old site, and texts that files of the new site have and do not have; "" is a file that does not exist."""

    name: str
    source: str
    has: Mapping[str, str]
    lacks: Mapping[str, str] = {}


CASES = (
    Case("co-authors in two spellings with one URL", f'{ALFOLIO}-- old/_data/coauthors.yml --\n"fröb":\n- firstname: [M.]\n  url: https://m.example.org\n"frob":\n- firstname: [M.]\n  url: https://m.example.org\n',
         {"content/coauthors.yaml": "url: https://m.example.org"}),
    Case("an id that two elements share", f'{JEKYLL}{ABOUT}<div id="x">one</div>\n\n<div id="x">two</div>\n', {"content/about.md": "two"}, {"content/about.md": 'id="x"'}),
    Case("an id to which a link leads", f'{JEKYLL}{ABOUT}<a href="#x">go</a>\n\n<h2 id="x">Head</h2>\n', {"content/about.md": 'id="x"'}),
    Case("a film of the site", f'{JEKYLL}{ABOUT}<video controls><source src="/files/clip.mp4"></video>\n-- old/files/clip.mp4 --\nx\n', {"content/about.md": "files/clip.mp4"}),
    Case("a film that is missing", f'{JEKYLL}{ABOUT}Hello.\n<video controls><source src="/files/gone.mp4"></video>\n', {"content/about.md": "Hello.", "import-report.md": "gone.mp4"}, {"content/about.md": "gone"}),
    Case("positions, degrees and awards of blocks", f"{HUGO}-- old/content/_index.md --\n---\nsections:\n- block: hero\n  demo: true\n  content: {{title: Hugo Academic Theme}}\n- block: experience\n  content:\n    title: Experience\n"
         "    items: [{title: Professor, company: Engine Works, date_start: '2024-06-01', date_end: ''}]\n- block: experience\n  content:\n    title: Education\n    items: [{title: PhD, company: University of London}]\n---\n",
         {"content/experience.yaml": "company: Engine Works", "content/education.yaml": "institution: University of London", "import-report.md": "a block hero"}, {"content/about.md": "Hugo Academic"}),
    Case("the bibliography that a page shows", f"{ALFOLIO}-- old/_bibliography/papers.bib --\n{BIB('a', 'On Looms')}-- old/_bibliography/backup.bib --\n{BIB('a', 'On Looms')}-- old/_bibliography/talks.bib --\n{BIB('t', 'A talk')}"
         "-- old/_pages/publications.md --\n---\ntitle: publications\n---\n{% bibliography %}\n-- old/_pages/talks.md --\n---\ntitle: talks\npermalink: /talks/\n---\n{% bibliography -f talks %}\n",
         {"bib/papers.bib": "On Looms", "bib/talks.bib": "A talk", "site.yaml": "- talks.bib", "import-report.md": "a bibliography that no page shows"}, {"bib/backup.bib": ""}),
    Case("a library that a script shows", f"{JEKYLL}-- old/works.bib --\n{BIB('a', 'On Looms')}{BIB('b', 'On Cards')}-- old/publications.md --\n---\ntitle: Papers\n---\n<bibtex src=\"works.bib\"></bibtex>\n", {"bib/works.bib": "On Cards"}),
    Case("a library that a page lists", f"{JEKYLL}-- old/works.bib --\n{BIB('a', 'On Looms')}{BIB('b', 'On Cards')}-- old/papers.md --\n---\ntitle: Papers\npermalink: /publications/\n---\n- On Looms, 2020\n- On Cards, 2020\n",
         {"content/pages/publications.md": "- On Cards, 2020", "import-report.md": "the page stays the list"}, {"bib/works.bib": ""}),
    Case("hidden text, and an abstract behind a click", f'{JEKYLL}{ABOUT}Shown.\n<div class="d-none">A secret</div>\n<div class="abstract" style="display: none">We weave.</div>\n',
         {"content/about.md": "We weave.", "import-report.md": "hidden text: A secret"}, {"content/about.md": "secret"}),
    Case("an owner without a name", "-- old/config.yaml --\ntitle: Luca Major's website\n-- old/content/authors/admin/_index.md --\n---\ntitle:\nsuperuser: true\n---\nMe.\n", {"content/profile.yaml": "name: Luca Major\n"}),
    Case("an owner from the name of the host", "-- old/_config.yml --\ntitle: Home\nurl: https://jane-doe.github.io\n-- old/index.md --\n---\n---\nHello there.\n", {"content/profile.yaml": "name: Jane Doe\n", "import-report.md": "name: Jane Doe is the name of the host"}),
    Case("talks in the order of their dates", f"{JEKYLL}-- old/_talks/talk-1.md --\n---\ntitle: Early\ndate: 2019-01-02\n---\n-- old/_talks/talk-10.md --\n---\ntitle: Late\ntalk_date: 2024-03-04\n---\n", {"content/talks.yaml": "- title: Late\n  date: 2024-03-04\n- title: Early"}),
    Case("lines of a subtitle", f"{ALFOLIO}-- old/_pages/about.md --\n---\npermalink: /\nsubtitle: A <br> B\nprofile: {{more_info: '<p>Room 5</p>'}}\n---\nMe.\n", {"content/profile.yaml": "role: A, B", "import-report.md": "more_info: Room 5"}),
    Case("authors in a citation", f"{JEKYLL}-- old/_publications/a.md --\n---\ntitle: On Looms\nvenue: J\ndate: 2021-02-03\ncitation: 'Doe, A. and Roe, B. (2021). On Looms. J.'\n---\n", {"bib/papers.bib": "author = {Doe, A. and Roe, B.}"}, {"bib/papers.bib": "note ="}),
    Case("a CV with other headings and a loop", f"{JEKYLL}-- old/_pages/cv.md --\n---\ntitle: CV\npermalink: /cv/\n---\n<h2>Education</h2>\n* PhD in Looms, University of London, 2019\n\n<h2>Papers</h2>\n{{% for post in site.publications %}}x{{% endfor %}}\n\n<button>Service</button>\n* Editor, 2020\n",
         {"content/education.yaml": "institution: University of London", "content/service.yaml": "role: Editor"}),
    Case("an e-mail address with a word for its sign", f"{JEKYLL}-- old/_members/jane.md --\n---\nname: Jane Roe\nlinks: {{email: jane (at) u.edu, github: jane}}\n---\n-- old/_members/template-name.md --\n---\nname: First Last\n---\n", {"content/people.yaml": "email: jane@u.edu"}, {"content/people.yaml": "First Last"}),
    Case("a project of one's own with the text of the template", f"{ALFOLIO}-- old/_projects/loom.md --\n---\ntitle: My Loom\ndescription: It weaves four cards\nredirect: https://loom.example.org\n---\nEvery project has a beautiful feature showcase page.\n",
         {"content/projects.yaml": "url: https://loom.example.org"}, {"content/projects.yaml": "beautiful"}),
    Case("data files with venues, agencies and groups", f"{JEKYLL}-- old/_data/service.yml --\n- {{role: Reviewer, year: 2025, venue: Loom Conference}}\n-- old/_data/awards.yml --\n- {{title: Grant, year: 2024, agency: Loom Fund}}\n"
         "-- old/_data/members.yml --\n- {group: Students, members: [{name: Bo Lee, role: PhD student}]}\n-- old/index.md --\n---\n---\n{{ site.data.service }} {{ site.data.awards }} {{ site.data.members }}\n",
         {"content/service.yaml": "venue: Loom Conference", "content/awards.yaml": "organization: Loom Fund", "content/people.yaml": "name: Bo Lee"}),
    Case("the authors of academicpages are no people", f"{JEKYLL}-- old/_data/authors.yml --\nAda Example:\n  name: Ada Example\n  bio: Weaver\n", {"content/profile.yaml": "name: Ada Example"}, {"content/people.yaml": ""}),
    Case("a page keeps its path", f"{JEKYLL}-- old/_pages/long-name.md --\n---\ntitle: Short\npermalink: /short/\n---\nText.\n-- old/_pages/deep.md --\n---\ntitle: Deep\npermalink: /a/deep/\n---\nText.\n",
         {"content/pages/short.md": "Text.", "site.yaml": '"/a/deep/": "/deep/"'}, {"site.yaml": "/short/"}),
    Case("the draft of Quarto has no redirect", f"{QUARTO}-- old/index.qmd --\n---\ntitle: Ada Example\n---\nHi.\n-- old/posts/a.qmd --\n---\ntitle: A\ndate: today\ndraft: true\n---\nSoon.\n-- old/blog.qmd --\n---\nlisting: posts\n---\n", {"import-report.md": "a draft"}, {"site.yaml": "posts/a"}),
    Case("the samples of lab-website-template", f"{JEKYLL}-- old/_members/jane.md --\n---\nname: Jane Roe\n---\n-- old/_data/projects.yaml --\n- title: Cool Dataset\n  description: Lorem ipsum\n- title: Buoys\n  description: Sensors\n", {"content/projects.yaml": "title: Buoys", "import-report.md": "Cool Dataset"}, {"content/projects.yaml": "Cool"}),
    Case("a second language", "-- old/hugo.yaml --\ntitle: Ada Example\ndefaultContentLanguage: en\nlanguages: {en: {}, de: {}}\n-- old/content/en/authors/admin/_index.md --\n---\ntitle: Ada Example\n---\nMe.\n"
         "-- old/content/en/post/a/index.md --\n---\ntitle: Cards\n---\nOn cards.\n-- old/content/de/post/a/index.md --\n---\ntitle: Karten\n---\nÜber Karten.\n-- old/content/en/talk/t.md --\n---\ntitle: Looms\n---\n-- old/content/de/talk/t.md --\n---\ntitle: Webstühle\n---\n",
         {"content/posts/a.de.md": "Über Karten.", "content/talks.yaml": "de: Webstühle", "site.yaml": "- de"}),
    Case("a key of a publication that nothing reads", f"{JEKYLL}-- old/_publications/a.md --\n---\ntitle: On Looms\nerrata: https://errata.example.org/1\ngrade: A\n---\n", {"content/publications.yaml": "errata: https://errata.example.org/1", "import-report.md": "grade: A"}),
    Case("one user name at several services", f"{JEKYLL}github_username: ada\nlinkedin_username: ada\ntwitter_username: ada\nx_username: ada\n{ABOUT}Hello.\n", {"content/profile.yaml": "links:\n  github: ada\n  linkedin: ada\n  twitter: ada\n"}, {"content/profile.yaml": "x: ada"}),
    Case("a talk that the CV has too", f"{JEKYLL}-- old/_talks/a.md --\n---\ntitle: On Looms\ndate: 2020-02-03\n---\n-- old/_data/cv.yml --\n- title: Talks\n  contents: [{{title: On looms, year: 2020}}, {{title: Cards, year: 2021}}]\n-- old/_pages/cv.md --\n---\nlayout: cv\ntitle: cv\n---\n",
         {"content/talks.yaml": "title: Cards", "import-report.md": "the CV has it too"}, {"content/talks.yaml": "On looms"}),
    Case("the word of an image that is no file", '-- old/resume.json --\n{"basics": {"name": "Ada Example"}, "work": [{"company": "LMT Technology", "position": "Weaver", "image": "LMT"}]}\n', {"content/experience.yaml": "company: LMT Technology", "import-report.md": "image: LMT is not in the source"}, {"content/experience.yaml": "image"}),
    Case("links with icons", "-- old/hugo.yaml --\ntitle: Ada Example\n-- old/content/authors/admin/_index.md --\n---\ntitle: Ada Example\nsocial:\n- {icon: lightbulb, icon_pack: fas, link: 'https://ideas.example.net/a'}\n- {icon: lattes, icon_pack: ai, link: 'https://lattes.example.net/1'}\n---\nMe.\n",
         {"content/profile.yaml": "ideas.example.net: https://ideas.example.net/a\n  lattes:"}),
    Case("a talk of Quarto without a text", f"{QUARTO}-- old/index.qmd --\n---\ntitle: Ada Example\n---\nHi.\n-- old/talks/a.qmd --\n---\ntitle: On Looms\ndate: 2020-02-03\n---\n", {"content/talks.yaml": "On Looms", "site.yaml": '"/talks/a.html": "/talks/"'}),
    Case("a RenderCV file with several CVs", "-- old/a.yaml --\ncv:\n  name: Ada Example\n  sections: {education: [{institution: University of London, area: Looms, degree: PhD}]}\n-- old/b.yaml --\ncv: {name: Ada Example}\n", {"content/education.yaml": "institution: University of London", "import-report.md": "another CV"}),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_source_is_imported_as_its_author_intends(case: Case, tmp_path: Path) -> None:
    write_files(tmp_path, case.source)
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    files = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text("utf-8")
        for path in (tmp_path / "site").rglob("*.*")
        if re.search(r"\.(?:md|yaml|bib)$", path.name)
    }
    assert {name: text for name, text in case.has.items() if text not in files.get(name, "")} == {}, files
    for name, text in case.lacks.items():
        assert (text not in files.get(name, "")) if text else name not in files, files[name]
