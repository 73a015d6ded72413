"""The table of field aliases: the names that other systems use, and common names with one clear meaning."""

from collections.abc import Mapping
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
        "path": "url permalink slug",
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
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
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
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created period",
        "slides": "slides_url url_slides slide presentation",
        "video": "recording video_url url_video youtube",
    },
    Award: {
        "title": "name award prize honor honour scholarship fellowship bullet",
        "organization": "awarder issuer by awarded_by granted_by given_by awarding_body institution organisation org sponsor funder agency university organizer organiser",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
        "amount": "value sum funding prize_money",
    },
    Service: {
        "role": "title name position service duty label bullet",
        "organization": "organisation institution org venue event university society",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
    },
    Course: {
        "course": "title name class course_name course_title lecture subject module",
        "role": "position job job_title function",
        "institution": "school university college institute organization organisation university_name school_name",
        "term": "date dates semester semesters year years period when quarter session taught offered",
    },
    News: {
        "text": "content message headline news announcement description body item event what",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
    },
    Post: {
        "title": "name headline",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
        "updated": "modified last_modified last_modified_at lastmod last_updated updated_date updated_on updated_at date_updated modified_date",
    },
    CustomEntry: {
        "title": "name label",
        "text": "content bullet",
        "organization": "organizations institution organisation institutions affiliation org company employer issuer awarder publisher agency funder university school",
        "role": "position job job_title function",
        "location": "city address place where town",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
    },
    Prose: {
        "summary": "subtitle tagline lead teaser_text abstract excerpt description short_description overview blurb",
        "date": "year years dates when day published published_on publication_date date_published published_date published_at publish_date release_date released created created_at date_created",
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


def field_aliases(cls: Any, field: str) -> tuple[str, ...]:
    """Return the aliases of a field of a type or of one of its base types, or ()."""
    return next(
        (
            tuple(FIELD_ALIASES[base_type][field].split())
            for base_type in cls.__mro__
            if field in FIELD_ALIASES.get(base_type, {})
        ),
        (),
    )
