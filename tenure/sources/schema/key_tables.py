"""
Tables of keys: aliases of fields, keys of other systems, and keys that belong elsewhere.

A folded key is in lower case without spaces, hyphens and underscores. `fold_key` makes it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tenure.model.entries import (
    Affiliation,
    Award,
    Course,
    CustomEntry,
    Education,
    Entry,
    Experience,
    News,
    Person,
    Post,
    Profile,
    Project,
    Prose,
    Service,
    Talk,
)
from tenure.model.overlays import Coauthor, Overlay
from tenure.model.services import Allow, Buttondown, Formspree, Giscus, Mailchimp, Plausible, Services, Umami
from tenure.model.site import CvConfig, ListHeader, PageConfig, SectionConfig, Settings


def fold_key(key: str) -> str:
    """Return a key in lower case without spaces, hyphens and underscores: "startdate" for "startDate" and "Start date"."""
    return re.sub(r"[\W_]+", "", key.casefold())


def _fold_keys(keys: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold_key, keys))


_DATE_ALIASES = "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created"

FIELD_ALIASES: Mapping[Any, Mapping[str, str]] = {
    Settings: {
        "title": "name site_title",
        "url": "baseurl site_url website homepage",
        "description": "tagline subtitle",
        "language": "lang locale default_content_language content_language",
        "updated": "last_updated last_modified",
        "footer": "footer_text copyright",
        "pages": "nav menu navigation",
        "services": "integrations",
        "allow": "csp content_security_policy",
        "redirects": "aliases redirect_from moved",
    },
    PageConfig: {
        "path": "url permalink slug link",
        "language": "lang locale",
        "pages": "children items",
    },
    SectionConfig: {
        "show": "filter",
        "kind": "type types",
        "without": "exclude",
        "limit": "max count max_items",
        "group": "group_by groupby",
        "number": "numbering numbers",
        "order": "sort sort_by",
        "bib": "bibliography file files bibfile",
    },
    CvConfig: {
        "look": "theme style template design",
        "paper": "page_size pagesize format",
        "size": "font_size fontsize",
        "pages": "max_pages",
    },
    ListHeader: {
        "language": "locale",
    },
    Profile: {
        "name": "full_name author display_name",
        "aliases": "other_names also_known_as alternate_names name_variants",
        "role": "title position label headline job job_title occupation",
        "affiliation": "organization organizations organisation institution institutions institute university school college company employer department faculty lab laboratory group research_group chair",
        "email": "mail e_mail email_address contact_email",
        "location": "address city place based_in",
        "office": "room office_address office_location",
        "photo": "image img avatar picture portrait headshot profile_picture profile_pic profile_photo profile_image",
        "photo_alt": "alt image_alt alt_text",
        "tagline": "subtitle motto slogan",
        "interests": "research_interests research_areas research areas fields topics keywords",
        "links": "socials social profiles social_networks social_links social_media",
        "cv": "resume cv_pdf cv_link vitae",
    },
    Affiliation: {
        "name": "organization organisation institution institute university school company employer title label",
        "url": "website link homepage href",
    },
    Entry: {
        "summary": "abstract excerpt description short_description overview blurb",
        "details": "highlights bullets points responsibilities items bullet_points duties tasks achievements accomplishments",
        "note": "comment remark remarks",
        "url": "website link homepage href web webpage web_page site external_link uri project_url event_url company_url organization_url",
        "links": "urls buttons",
        "tags": "categories category keywords topics labels",
        "publications": "papers paper",
        "image": "picture img thumbnail thumb preview photo cover cover_image featured_image teaser logo figure banner avatar portrait headshot profile_image",
        "image_alt": "alt alt_text image_description",
        "id": "slug",
        "language": "locale langid",
        "draft": "is_draft",
    },
    Education: {
        "institution": "school university college institute organization organisation university_name school_name",
        "degree": "program programme course study_type title qualification degree_name degree_type diploma",
        "area": "field major subject field_of_study discipline specialization concentration course_of_study studies",
        "location": "city address place where town",
        "period": "date year years when time period_of_time time_period date_range duration timeframe graduation graduation_date graduation_year graduated",
        "advisors": "supervisor supervisors adviser advisers supervised_by advised_by phd_advisor thesis_advisor phd_supervisor thesis_supervisor",
        "thesis": "dissertation thesis_title dissertation_title title_of_thesis",
        "grade": "gpa cgpa score grades mark marks final_grade",
        "rank": "ranking class_rank",
    },
    Experience: {
        "organization": "company company_name employer institution institute organisation org university school college firm workplace name",
        "unit": "department division faculty group research_group team lab laboratory",
        "role": "position job job_title function occupation designation",
        "location": "city address place where town",
        "period": "date year years when time period_of_time time_period date_range duration timeframe",
        "advisors": "supervisor supervisors adviser advisers supervised_by advised_by phd_advisor thesis_advisor phd_supervisor thesis_supervisor",
        "mentors": "mentored_by",
    },
    Project: {
        "title": "name project project_name",
        "date": _DATE_ALIASES,
        "tagline": "subtitle",
        "role": "position job job_title function",
        "features": "key_features",
        "technologies": "tech technology tech_stack stack tools skills languages built_with",
    },
    Talk: {
        "title": "name talk talk_title topic",
        "event": "conference venue occasion seminar workshop meeting event_name series",
        "place": "location where city address room town",
        "host": "hosted_by invited_by institution university organizer organiser organization organisation",
        "kind": "type talk_type",
        "date": f"{_DATE_ALIASES} period",
        "slides": "slides_url url_slides slide presentation",
        "video": "recording video_url url_video youtube",
    },
    Award: {
        "title": "name award prize honor honour scholarship fellowship bullet",
        "organization": "awarder issuer event conference venue where by awarded_by granted_by given_by awarding_body institution organisation org sponsor funder agency university organizer organiser",
        "date": _DATE_ALIASES,
        "amount": "value sum funding prize_money",
    },
    Service: {
        "role": "title name position service duty label bullet",
        "organization": "organisation institution org venue event university society",
        "date": _DATE_ALIASES,
    },
    Course: {
        "course": "title name class course_name course_title lecture subject module",
        "role": "position job job_title function",
        "institution": "school university college institute organization organisation university_name school_name",
        "term": "date dates semester semesters year years period when quarter session taught offered",
    },
    News: {
        "text": "content message headline news announcement description body item event what",
        "date": _DATE_ALIASES,
    },
    Post: {
        "title": "name headline",
        "date": _DATE_ALIASES,
        "updated": "modified last_modified last_modified_at lastmod last_updated updated_date updated_on updated_at date_updated modified_date",
    },
    CustomEntry: {
        "title": "name label",
        "text": "content bullet",
        "organization": "organizations institution organisation institutions affiliation org company employer issuer awarder publisher agency funder university school",
        "role": "position job job_title function",
        "location": "city address place where town",
        "date": _DATE_ALIASES,
    },
    Person: {
        "title": "full_name",
        "aliases": "other_names name_variants",
        "email": "mail e_mail",
        "image": "picture img thumbnail avatar portrait headshot profile_image",
        "interests": "research_interests",
        "role": "position job job_title function was former_role former_position",
        "links": "socials social profiles",
        "advisors": "supervisor supervisors adviser advisers",
        "text": "bio biography about content bullet",
        "then": "now next now_at next_position current_position",
        "thesis": "dissertation thesis_title",
        "date": "period dates years duration",
    },
    Prose: {
        "summary": "subtitle tagline lead teaser_text abstract excerpt description short_description overview blurb",
        "date": _DATE_ALIASES,
        "updated": "modified last_modified lastmod last_updated",
        "menu": "nav in_menu show_in_menu",
    },
    Overlay: {
        "key": "id citekey citation_key bibkey",
        "selected": "featured highlight",
        "awards": "award_name",
        "note": "comment remark",
        "text": "body content",
        "image": "picture img thumbnail preview teaser",
        "image_alt": "alt",
        "tags": "keywords categories topics",
        "abbr": "short venue_short acronym",
        "pdf": "url_pdf paper",
        "code": "url_code github",
        "slides": "url_slides",
        "video": "url_video recording",
        "status": "pubstate state",
        "draft": "hidden",
    },
    Coauthor: {
        "url": "website link homepage href page",
        "affiliation": "organization institution university company employer",
        "aliases": "other_names spellings",
    },
    Plausible: {"domain": "site data_domain", "server": "host url"},
    Umami: {"id": "website data_website_id", "server": "host url"},
    Giscus: {"where": "on"},
    Buttondown: {"user": "name username", "where": "on"},
    Mailchimp: {"url": "action", "where": "on"},
    Formspree: {"id": "form url", "where": "on"},
    Services: {"cloudflare": "cloudflare_web_analytics"},
    Allow: {"frame": "iframe iframes", "image": "img images"},
}  # fmt: skip
"""
The aliases of each field of a type, in lower case, separated by spaces. "_" joins the words of one alias.

An alias matches in upper and lower case, and with spaces, hyphens or nothing between its words: "start_date" also
matches "startDate" and "Start Date". A type's own field has priority over an inherited field. Sources: the schemas of
JSON Resume 1.0 and RenderCV 2, the front matter of Hugo Blox, al-folio and academicpages.
"""

START_END_KEYS: Mapping[str, tuple[str, ...]] = {
    "start": ("start_date", "from", "begin", "began", "beginning", "start_year", "started", "since", "joined", "date_start", "event_start"),
    "end": ("end_date", "to", "until", "till", "finish", "finished", "end_year", "ended", "left", "date_end", "event_end"),
}  # fmt: skip
"""The two keys that can replace a period, each with its aliases."""

IGNORED_ENTRY_KEYS = frozenset(
    ["layout", "collection", "permalink", "inline", "related_posts", "related_publications", "importance", "comments", "giscus_comments", "disqus_comments", "toc", "author", "authors", "author_profile", "read_time", "share", "header", "redirect_from", "redirect", "redirect_to", "horizontal", "featured", "hugoblox", "type", "kind", "weight", "order", "publishdate", "expirydate", "math", "mathjax", "katex", "mermaid", "selected_papers", "announcements", "latest_posts",  "sidebar", "nav", "nav_order", "icon", "icon_pack", "color", "bibtex_show", "profile", "social", "classes", "sitemap", "feed", "_styles", "pretty_table", "code_diff", "display_categories", "enable_project_categories", "og_image", "show_date", "show_reading_time", "reading_time", "view", "commentable", "editable", "url_slug", "isciteable", "is_owner", "superuser", "user_groups", "highlight_name", "company_logo", "thumbnail_caption", "widget", "headless", "active", "aliases", "cascade", "all_day", "event_all_day", "format", "listed", "search", "robots", "seo", "pin", "pinned", "sticky", "published"]
)  # fmt: skip
"""Keys of an entry that only configure other systems: layout, comments, position in a menu."""

IGNORED_SETTING_KEYS = frozenset(
    ["baseurl", "base_url", "permalink", "plugins", "gems", "markdown", "kramdown", "highlighter", "exclude", "include", "collections", "defaults", "encoding", "timezone", "sass", "paginate", "repository", "remote_theme", "future", "incremental", "liquid"]
)  # fmt: skip
"""Keys of a `_config.yml` or `hugo.yaml` that have no meaning in site.yaml, such as `baseurl`: links are relative."""

LINK_KEYS = frozenset(
    ["code", "repo", "repository", "source_code", "git", "pdf", "paper", "slides", "poster", "video", "demo", "dataset", "data", "preprint", "doi", "arxiv", "blog", "project_page", "supplement", "supplementary", "materials", "certificate", "publication_url", "website", "homepage", "app", "docs", "documentation"]
)  # fmt: skip
"""Keys of an entry that are links if their value is a URL: "code: https://…" means links: {code: https://…}."""

OWN_PAGE_KEYS: Mapping[str, str] = {
    **dict.fromkeys(("website", "homepage", "webpage", "web_page", "web", "url", "site", "personal_website", "personal_page"), "website"),
    "blog": "blog",
}  # fmt: skip
"""Keys of a profile that link to other pages of the person, with the label of each link."""

AFFILIATION_UNIT_KEYS = frozenset(
    ["department", "faculty", "institute", "lab", "laboratory", "group", "research_group", "chair"]
)
"""Keys of an affiliation that is a unit of another one. The unit is written first."""

FOLDED_IGNORED_KEYS = _fold_keys(IGNORED_ENTRY_KEYS)
FOLDED_IGNORED_SETTINGS = _fold_keys(IGNORED_SETTING_KEYS)
FOLDED_LINK_KEYS = {fold_key(name): name for name in LINK_KEYS}
FOLDED_OWN_PAGE_KEYS = {fold_key(name): label for name, label in OWN_PAGE_KEYS.items()}
FOLDED_UNIT_KEYS = _fold_keys(AFFILIATION_UNIT_KEYS)

WRAPPER_KEYS: Mapping[Any, frozenset[str]] = {
    Profile: frozenset(
        ["basics", "profile", "person", "personal", "personalinfo", "personalinformation", "personaldetails", "contact", "contacts", "contactinfo", "contactinformation", "contactdetails", "cv", "bio", "about", "me", "info", "details", "header", "general", "identity", "author", "owner"]
    ),
    Settings: frozenset(
        ["site", "website", "general", "params", "config", "configuration", "settings", "features", "meta", "metadata", "seo", "main"]
    ),
    Entry: frozenset(["contact", "meta", "metadata", "info"]),
}  # fmt: skip
"""Folded keys that wrap other keys. The inner keys are read as keys of the level above."""

SECONDARY_DATE_KEYS = frozenset(
    ["publishdate", "published", "publishedon", "publishedat", "publisheddate", "created", "createdat", "datecreated", "datepublished"]
)  # fmt: skip
"""Folded keys of dates that are ignored if the entry has another date."""

STATUS_TERMS = frozenset(
    ["forthcoming", "to appear", "in press", "in preparation", "in progress", "ongoing", "planned", "tba", "tbd", "submitted", "under review", "laufend", "in arbeit", "geplant", "in vorbereitung", "en cours", "à paraître", "em andamento", "en curso"]
)  # fmt: skip
"""Terms in place of a date that describe the status of an entry."""

NOTE_FACT_KEYS = frozenset(
    ["status", "level", "hours", "ects", "credits", "code", "number", "coursecode", "coursenumber", "courseid", "minor", "minors", "honors", "honours", "distinction", "coursework", "courses", "relevantcoursework", "amount", "funding", "funder", "budget", "grant", "location", "place", "city", "address", "venue", "size", "students", "enrollment", "enrolment", "audience", "duration", "instructor", "instructors", "coinstructor", "coinstructors", "type", "format", "placement", "dissertation", "collaborators", "team", "members", "partners", "coauthors", "client", "license", "licence", "version", "score", "subtitle", "reviews", "isbn", "publisher", "workload", "textbook", "evaluation", "rating", "committee", "room", "time", "department", "unit", "thesis", "expectedgraduation", "expectedgraduationdate", "expectedcompletion", "expectedenddate", "supervisor", "advisor", "gpa", "employmenttype", "remote", "frequency", "scope", "count", "reason", "prerequisites", "with", "host", "organizer", "organiser", "sponsor", "thesistype", "completion", "expected", "techstack", "technologies", "tools", "skills", "stack", "tech", "languages", "coadvisor", "focus", "topic", "topics", "rank", "category", "series", "prize", "country", "speaker", "speakers", "presenter", "presenters", "manager", "pi", "mentees", "attendance", "online", "hybrid"]
)  # fmt: skip
"""Folded keys of facts that have no field of their own. The note of the entry shows them, with the key as the label."""

THEME_OPTION_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("accent", "accentcolor", "accentcolour", "primarycolor", "primarycolour", "primary", "color", "colour", "themecolor", "themecolour"), "accent"),
    "fonts": "fonts",
    "publicationsview": "publications_view",
    "venuetags": "venue_tags",
}  # fmt: skip
"""Folded top-level keys that are theme options, with the option's name. Not every theme has each option."""

OTHER_THEME_OPTIONS = frozenset({"font", "fontfamily", "density", "layout", "style", "colors"})
"""Folded top-level keys of site.yaml that resemble theme options, but whose meaning is not certain."""

ABOUT_TEXT_KEYS = frozenset(
    ["bio", "biography", "shortbio", "about", "aboutme", "summary", "description", "statement", "intro", "introduction"]
)  # fmt: skip
"""Folded keys of a profile whose text belongs in content/about.md."""

_PROFILE_LISTS = {
    "education": "education degrees",
    "experience": "experience workexperience work employment positions jobs",
    "projects": "projects",
    "talks": "talks presentations",
    "awards": "awards honors honours honorsandawards awardsandhonors",
    "service": "service",
    "teaching": "teaching courses",
    "news": "news",
    "skills": "skills",
    "languages": "languages",
    "certificates": "certificates certifications",
    "volunteer": "volunteer",
    "hobbies": "hobbies",
    "students": "students",
    "grants": "grants",
    "memberships": "memberships",
    "patents": "patents",
    "software": "software",
}
PROFILE_LIST_KEYS = {key: name for name, keys in _PROFILE_LISTS.items() for key in keys.split()}
"""Folded keys of a profile that belong in a list of their own, with the name of the list."""

UNPUBLISHED_FACTS: Mapping[str, str] = {
    **dict.fromkeys(
        ("phone", "phonenumber", "officephone", "workphone", "homephone", "telephone", "telefon", "handy", "téléphone", "telefone", "teléfono", "tel", "mobile", "cell", "cellphone"),
        'to publish a phone number, write links: {Phone: "tel:+1…"}',
    ),
    **dict.fromkeys(
        ("fax", "officehours", "sprechstunde", "moreinfo", "extrainfo", "nationality", "citizenship", "staatsangehörigkeit", "nationalität", "availability", "birthplace", "geburtsort", "note", "notes", "quote", "hindex", "citations"),
        "to publish it, write it in content/about.md",
    ),
    **dict.fromkeys(
        ("wechat", "weixin", "qq", "skype", "whatsapp", "discord", "zoom", "lineid"),
        "it has no page to link to; to publish it, write it in content/about.md",
    ),
    **dict.fromkeys(
        ("birthday", "birthdate", "dateofbirth", "born", "geburtsdatum", "geburtstag", "geboren", "gender", "geschlecht", "maritalstatus", "familienstand"),
        "delete it; a CV does not need it",
    ),
    **dict.fromkeys(
        ("advisor", "advisors", "supervisor", "supervisors", "pi"),
        "write it in content/about.md, or as advisor: in content/education.yaml",
    ),
}  # fmt: skip
"""Folded keys of personal facts that are not published, with the hint for each."""

POSTAL_ADDRESS_KEYS = frozenset({"address", "adresse", "anschrift", "dirección"})
"""Folded keys of a profile under which people write a whole address, also a private one."""

UNSUPPORTED_SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("keywords", "metakeywords"), "delete it: search engines do not read it"),
    **dict.fromkeys(
        ("darkmode", "enabledarkmode", "darklight"),
        "delete it: each theme follows the light or dark setting of the reader, with a switch",
    ),
    **dict.fromkeys(("rss", "feed", "atom"), "delete it: a site with a url has an Atom feed of its posts"),
    **dict.fromkeys(("blogname", "blogdescription", "timezone"), "delete it"),
}
"""Folded keys of settings that Tenure does not support, with the hint for each."""

_NOTE_HINT = 'put it into "note"'
_NOTE_OR_TAGS_HINT = 'put it into "note", or into "tags"'
_FAVICON_HINT = "delete it, and put the picture into content/favicon.svg"
UNKNOWN_KEY_HINTS: Mapping[Any, Mapping[str, str]] = {
    Settings: {
        **dict.fromkeys(("favicon", "icon"), _FAVICON_HINT),
        **dict.fromkeys(("domain", "cname"), "write url: https://…"),
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "googlesiteverification": "put the file that Google gives you into content/",
    },
    Profile: {
        "publications": "write it in a .bib file in bib/",
        **dict.fromkeys(("theme", "url"), "its place is site.yaml"),
        **dict.fromkeys(ABOUT_TEXT_KEYS, "write it in content/about.md"),
    },
    Entry: {
        **dict.fromkeys(("status", "state"), _NOTE_OR_TAGS_HINT),
        "name": 'write it under the key of what it names, such as "institution" or "title"',
    },
    Course: dict.fromkeys(("location", "place", "room", "time", "instructor", "instructors"), _NOTE_HINT),
    Experience: {"type": _NOTE_OR_TAGS_HINT},
    PageConfig: {"href": "write path: https://… and title: …"},
}
"""The hint for an unknown key, by type and folded key. These hints replace the suggestion of the most similar key."""

CHOICE_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("center", "institute", "department"), "centre"),
    **dict.fromkeys(("lab", "laboratory", "team"), "group"),
}
"""Other words for the values that a key can have; they are in lower case."""


_FOREIGN_KEYS = """
    titel titre título titulo titolo: title; vorname prénom prenom: firstname; nachname nom apellido: lastname; nombre: name
    datum fecha data: date; jahr année annee año ano anno: year; zeitraum période periodo período: period
    von seit depuis desde: from; bis jusqu'à hasta: until; ort lieu lugar luogo: place; adresse anschrift dirección: address
    universität universitaet hochschule université universidad università universidade: university; einrichtung: institution
    abschluss diplôme titulación: degree; abschlussnote gesamtnote: grade; abschlussarbeit titelderarbeit: thesis; betreuer betreuerin directeur directrice: supervisor; fach: subject
    veranstaltung événement evento: event; rolle funktion rôle rol: role; stelle poste puesto: position; arbeitgeber: employer; firma: company
    beschreibung descripción: description; anmerkung bemerkung remarque: remark; kurs lehrveranstaltung cours curso: course
    établissement institución instituição instituto 机构 機構: institution; organisme organismo organización organização: organization
    grado grau 学位 學位: degree; cargo 职位 職位 职称 職稱 職 役職: position; função: role; orientador orientadora: supervisor
    姓名 氏名 名前: name; 邮箱 電子郵件 邮件 メール: email; 单位 單位 所属: institution; 学校 學校: school; 大学 大學: university; 公司 会社: company
    时间 時間 期间 期間: period; 日期 日付: date; 标题 標題 題目 タイトル: title; 地点 地點 場所: place; 专业 專業 専攻: subject
    preis auszeichnung prix premio: award; forschungsinteressen forschungsschwerpunkte: researchinterests; sprache: language
"""
FOREIGN_KEYS: Mapping[str, str] = {
    fold_key(word): fold_key(english)
    for words, english in (row.split(":") for row in re.split(r"[;\n]", _FOREIGN_KEYS) if row.strip())
    for word in words.split()
}
"""German, French, Spanish, Italian, Portuguese, Chinese and Japanese words for keys, folded, with the English key or alias. Words with two meanings are omitted."""


def field_aliases(cls: Any, field: str) -> tuple[str, ...]:
    """Return the aliases of a field of a type or of one of its base types, or ()."""
    tables = (FIELD_ALIASES.get(base_type, {}) for base_type in cls.__mro__)
    return next((tuple(table[field].split()) for table in tables if field in table), ())
