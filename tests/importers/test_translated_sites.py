"""The import of a Hugo site in several languages: translated texts and values; each publication exists once."""

from pathlib import Path

import pytest
import yaml
from test_import import import_and_build, read_report

from tenure.importers.detect import IMPORTERS

SITE = """\
-- old/config/_default/hugo.yaml --
title: Ada Example
baseURL: https://ada.example.net/
defaultContentLanguage: en
-- old/config/_default/languages.yaml --
en: {languageCode: en-us, contentDir: content/en}
de:
  languageCode: de-DE
  contentDir: content/de
fr: {disabled: true, contentDir: content/fr}
qq: {contentDir: content/qq}
-- old/config/_default/menus.en.yaml --
main: [{name: Writing, url: /post/, weight: 1}]
-- old/config/_default/menus.de.yaml --
main: [{name: Texte, url: /post/, weight: 1}]
-- old/content/en/authors/admin/_index.md --
---
title: Ada Example
superuser: true
role: Analyst
interests: [Looms, Engines]
email: ada@example.edu
---
I analyse.
-- old/content/de/authors/admin/_index.md --
---
title: Ada Beispiel
superuser: true
role: Analytikerin
interests: [Webstühle, Maschinen]
email: ada@example.edu
---
Ich analysiere. Mehr im [Beitrag](/de/post/cards/).
-- old/content/en/home/experience.md --
---
widget: experience
title: Posts held
weight: 20
experience:
  - {title: Analyst, company: Engine Works, date_start: "1842-01-01"}
  - {title: Writer, company: Loom House, date_start: "1840-01-01"}
---
-- old/content/de/home/experience.md --
---
widget: experience
title: Stellen
weight: 20
experience:
  - {title: Analytikerin, company: Engine Works, date_start: "1842-01-01"}
  - {title: Lehrerin, company: Dorfschule, date_start: "1839-01-01"}
  - {title: Autorin, company: Loom House, date_start: "1840-01-01"}
---
-- old/content/en/publication/notes/index.md --
---
title: Notes on the engine
authors: [admin]
publication_types: ["2"]
publication: Scientific Memoirs
date: 1843-08-01
---
-- old/content/de/publication/notes/index.md --
---
title: Notizen zur Maschine
authors: [admin]
publication_types: ["2"]
publication: Scientific Memoirs
date: 1843-08-01
---
-- old/content/de/publication/webstuhl/index.md --
---
title: Der Webstuhl
authors: [admin]
publication_types: ["2"]
publication: Zeitschrift
date: 1844-08-01
---
-- old/content/en/post/cards/index.md --
---
title: Cards
date: 1843-02-03
tags: [looms]
---
About cards.
-- old/content/de/post/cards/index.md --
---
title: Karten
date: 1843-02-03
tags: [Webstühle]
---
Über Karten.
-- old/content/de/post/nur-deutsch/index.md --
---
title: Nur auf Deutsch
date: 1844-02-03
---
Ohne Original.
-- old/content/fr/post/cards/index.md --
---
title: Cartes
---
Des cartes.
-- old/content/qq/post/cards/index.md --
---
title: Q
---
Q.
"""


def test_a_site_with_a_folder_for_each_language(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, SITE)
    site = tmp_path / "site"
    text = (site / "site.yaml").read_text("utf-8")
    assert "languages:\n  - de\n" in text
    assert "en: Writing\n" in text
    assert "de: Texte\n" in text
    profile = (site / "content/profile.yaml").read_text("utf-8")
    assert "name:\n  en: Ada Example\n  de: Ada Beispiel\n" in profile
    assert "role:\n  en: Analyst\n  de: Analytikerin\n" in profile
    assert profile.count("ada@example.edu") == 1
    assert built.site.profile.role == "Analyst"
    cards = (site / "content/posts/cards.de.md").read_text("utf-8")
    assert cards.endswith("---\ntitle: Karten\ntags:\n  - Webstühle\n---\nÜber Karten.\n")
    about = (site / "content/about.de.md").read_text("utf-8")
    assert "[Beitrag](/posts/cards/)" in about
    assert (site / "content/posts/nur-deutsch.de.md").is_file()

    assert "Karten" in built.read_page("/de/posts/cards/")
    assert 'lang="de"' in built.read_page("/posts/nur-deutsch/")
    assert "/de/posts/cards/" in text.partition("redirects:")[2]


def test_entries_are_paired_by_their_dates_if_a_language_has_more_of_them(tmp_path: Path) -> None:
    import_and_build(tmp_path, SITE)
    experience = (tmp_path / "site/content/experience.yaml").read_text("utf-8")
    assert "  role:\n    en: Writer\n    de: Autorin\n" in experience
    assert experience.count("role:") == 3
    added = experience.rpartition("\n\n")[2]
    assert "role: Lehrerin" in added
    assert "language: de" in added


def test_publications_are_shared_and_the_report_lists_what_was_imported(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, SITE)
    assert [entry.title for entry in built.site.publications] == ["Der Webstuhl", "Notes on the engine"]
    assert (tmp_path / "site/bib/papers-de.bib").is_file()
    lines = read_report(tmp_path)
    assert "content/posts/cards.de.md: the translation of content/posts/cards.md" in lines
    assert "content/posts/nur-deutsch.de.md: a text without an original in en" in lines
    assert "experience: 2 entries in de" in lines
    assert "`content/fr`: 1 file in a language that is switched off (fr)" in lines
    assert "`content/qq`: 1 file in a language without a known tag (qq)" in lines


def test_a_site_with_languages_in_the_names_of_its_files(tmp_path: Path) -> None:
    built = import_and_build(
        tmp_path,
        """\
-- old/hugo.toml --
title = "Ada Example"
defaultContentLanguage = "en"
[languages.en]
weight = 1
[languages.zh]
weight = 2
[languages.pt]
weight = 3
-- old/content/authors/admin/_index.md --
---
title: Ada Example
superuser: true
role: Analyst
---
I analyse.
-- old/content/authors/admin/_index.zh.md --
---
title: Ada Example
superuser: true
role: 分析师
---
我分析。
-- old/content/home/outreach.md --
---
widget: blank
title: Outreach
---
I speak in schools.
-- old/content/home/outreach.zh.md --
---
widget: blank
title: 科普
---
我在学校演讲。
-- old/content/talk/looms/index.md --
---
title: Looms
event: Royal Society
date: 1843-05-06
---
-- old/content/talk/looms/index.zh.md --
---
title: 织机
event: Royal Society
date: 1843-05-06
---
-- old/content/talk/looms/index.pt.md --
---
title: Teares
event: Royal Society
date: 1843-05-06
---
""",
    )
    site = tmp_path / "site"
    talks = (site / "content/talks.yaml").read_text("utf-8")
    assert "- title:\n    en: Looms\n    zh: 织机\n    pt: Teares\n  event: Royal Society\n" in talks
    assert (site / "content/outreach.zh.md").read_text("utf-8").startswith("---\ntitle: 科普\n")
    assert "zh: 分析师" in (site / "content/profile.yaml").read_text("utf-8")
    assert "languages:\n  - zh\n  - pt\n" in (site / "site.yaml").read_text("utf-8")
    assert "我在学校演讲" in built.read_page("/zh/")


ENGLISH, GERMAN = "---\ntitle: Cards\n---\nText.\n", "---\ntitle: Karten\n---\nText.\n"
FORMS: dict[str, tuple[dict[str, str], dict[str, str], list[str | dict[str, dict[str, str]]]]] = {
    "languages in hugo.toml, and languages in the names of files": (
        {"hugo.toml": "[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n"},
        {"post/cards.md": ENGLISH, "post/cards.de.md": GERMAN},
        ["de"],
    ),
    "languages.toml, and each file in a bundle names its language": (
        {"config/_default/languages.toml": "[en]\nweight = 1\n[de]\nweight = 2\n"},
        {"post/cards/index.en.md": ENGLISH, "post/cards/index.de.md": GERMAN},
        ["de"],
    ),
    "languages.yaml, and languages in the names of files": (
        {"config/_default/languages.yaml": "en: {contentDir: content}\nde: {languageCode: de-DE}\n"},
        {"post/cards.md": ENGLISH, "post/cards.de.md": GERMAN},
        ["de"],
    ),
    "a folder and a domain for each language": (
        {
            "config.toml": 'baseURL = "https://ada.example.edu/"\n[languages.en]\ncontentDir = "content/en"\n'
            '[languages.de]\ncontentDir = "content/de"\nbaseURL = "https://ada-beispiel.example.edu/"\n'
        },
        {"en/post/cards.md": ENGLISH, "de/post/cards.md": GERMAN},
        [{"de": {"url": "https://ada-beispiel.example.edu/"}}],
    ),
    "a code that is not the tag": (
        {"hugo.yaml": "languages:\n  en: {weight: 1}\n  cn: {languageCode: zh-Hans, weight: 2}\n"},
        {"post/cards.md": ENGLISH, "post/cards.cn.md": GERMAN},
        [{"zh-Hans": {"path": "cn"}}],
    ),
    "the main language is not English": (
        {
            "hugo.toml": 'defaultContentLanguage = "de"\n[languages.de]\nweight = 1\n[languages.en]\nweight = 2\n'
        },
        {"post/cards.md": GERMAN, "post/cards.en.md": ENGLISH},
        ["en"],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_languages_of_each_form_of_a_site_are_imported(form: str, tmp_path: Path) -> None:
    settings, texts, expected = FORMS[form]
    content = {f"content/{name}": text for name, text in texts.items()}
    for name, text in {**settings, **content}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = IMPORTERS["hugo"](tmp_path).files
    site = yaml.safe_load(str(files["site.yaml"]))
    assert site["languages"] == expected
    titles = ("Karten", "Cards") if site.get("language") == "de" else ("Cards", "Karten")
    (language,) = expected
    (tag,) = language if isinstance(language, dict) else (language,)
    assert f"title: {titles[0]}" in str(files["content/posts/cards.md"])
    assert f"title: {titles[1]}" in str(files[f"content/posts/cards.{tag}.md"])
    folder = "cn" if tag == "zh-Hans" else tag
    assert site["redirects"] == {
        "/post/cards/": "/posts/cards/",
        f"/{folder}/post/cards/": f"/{folder}/posts/cards/",
    }


def test_a_site_in_one_language_names_no_languages(tmp_path: Path) -> None:
    folder = tmp_path / "content/post"
    folder.mkdir(parents=True)
    (folder / "cards.md").write_text("---\ntitle: Cards\n---\nText.\n", encoding="utf-8")
    (tmp_path / "hugo.yaml").write_text("title: Ada Example\n", encoding="utf-8")
    imported = IMPORTERS["hugo"](tmp_path)
    assert "languages" not in str(imported.files["site.yaml"])
    assert not imported.owner_names
