"""Texts of other systems as Markdown, authors in prose, owners in titles, and repairs: one row for each form."""

import pytest

from tenure.problems import Place, Problem
from tenure_import.owner import choose_name, find_name_in_titles, guess_name_from_host
from tenure_import.publications import split_authors
from tenure_import.repair import remove_place
from tenure_import.text import TextRules, convert_text, keep_field_tags

KNOWN = {"/a/": "/new/", "a.png": "files/a.png", "clip.mp4": "files/clip.mp4"}

TEXTS = [
    ("{% include figure.liquid path=\"a.png\" alt=\"A\" caption='<b>C</b>' %}", '![A](files/a.png "C")'),
    ('{{< figure src="a.png" title="T" >}}', '![T](files/a.png "T")'),
    ('{{< youtube "abc" >}}', "[Youtube](https://www.youtube.com/watch?v=abc)"),
    ("See {% cite one two %}.", "See [@one; @two]."),
    ("{% highlight python %}\nx = '{{ y }}'\n{% endhighlight %}", "```python\nx = '{{ y }}'\n```"),
    ("[A]({{ '/a/' | relative_url }}){:target=\"_blank\"}", "[A](/new/)"),
    ("[A]({% link a.md %})", "[A](/new/)"),
    ("[gone](/gone/) ![gone](gone.png)", "gone"),
    ("[A][a]\n\n[a]: /a/", "[A][a]\n\n[a]: /new/"),
    ("[A][b]", "A"),
    ('<a href="/a/" class="x">A</a> <a href="/gone/">B</a>', '<a href="/new/">A</a> B'),
    ('<img src="a.png" onerror="x()" id="y">', '<img src="files/a.png">'),
    ('<video src="clip.mp4" controls></video>', '<video controls src="files/clip.mp4"></video>'),
    ("<script>x</script>a<style>y</style>", "a"),
    ('<iframe src="https://www.youtube.com/embed/abc"></iframe>', '<a href="https://www.youtube.com/watch?v=abc">www.youtube.com</a>'),
    ("{% if site.x %}shown{% endif %}{% for p in ps %}{{ p }}{% endfor %}", "shown"),
    ("a <!-- b --> c {% comment %}d{% endcomment %}", "a  c"),
    ("{{% callout warning %}}\nMind *it*.\n\nNow.\n{{% /callout %}}", "> [!WARNING]\n> Mind *it*.\n>\n> Now."),
    ('{{< spoiler text="More" >}}x{{< /spoiler >}}', "<details><summary>More</summary>\n\nx\n\n</details>"),
    ("`{{ a }}` and\n```\n{% b %}\n```", "`{{ a }}` and\n```\n{% b %}\n```"),
    ("text {.lead}\n## Head {#id .x}", "text {.lead}\n## Head {#id .x}"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), TEXTS)
def test_a_text_becomes_markdown(source: str, expected: str) -> None:
    rules = TextRules(
        resolve=lambda url: (
            url
            if "://" in url
            else KNOWN.get(url, KNOWN.get(f"{url.strip('/')}", KNOWN.get(f"/{url.strip('/')}/", "")))
        ),
        report=lambda _: None,
    )
    assert convert_text(source, rules).strip() == expected


@pytest.mark.parametrize(
    ("text", "has_blocks", "expected"),
    [
        ("<p>A <b>b</b></p><p>C</p>", False, "A <b>b</b>, C"),
        ("One: <ul> <li>a</li> <li>b</li> </ul>", False, "One:  a, b"),
        ('  <div class="row">\n\n### A\n<p>b</p>\n</div>', True, "### A\n<p>b</p>"),
        ('<img src="files/a.png" alt="A"> `<T>`', True, "![A](<files/a.png>) `<T>`"),
    ],
)
def test_a_field_has_no_tag_that_would_be_shown(text: str, has_blocks: bool, expected: str) -> None:
    assert keep_field_tags(text, has_blocks=has_blocks) == expected


AUTHORS = [
    ("Doe, J. A., & Roe, R.", ["Doe, J. A.", "Roe, R."]),
    ("Ada Doe, Bo van Roe and Cy Poe", ["Ada Doe", "Bo van Roe", "Cy Poe"]),
    ("Ada Doe, Bo Roe et al.", ["Ada Doe", "Bo Roe", "others"]),
    ("W. Li, C. Zhao, and X. Li", ["W. Li", "C. Zhao", "X. Li"]),
    ("Doe JA, van Roe R", ["Doe, J. A.", "van Roe, R."]),
    ("Doe, Ada; Roe, Bo", ["Doe, Ada", "Roe, Bo"]),
    ("<b>Ada Doe</b>*, Bo Roe†", ["Ada Doe", "Bo Roe"]),
    ("The history of looms, a survey", []),
    ("In preparation.", []),
]


@pytest.mark.parametrize(("text", "names"), AUTHORS)
def test_authors_are_read_if_they_are_certain(text: str, names: list[str]) -> None:
    assert split_authors(text) == names


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        (["Ada Example | Home"], "Ada Example"),
        (["Home - Ada Example"], "Ada Example"),
        (["Ada Example's Homepage"], "Ada Example"),
        (["University of London"], ""),
    ],
)
def test_the_name_of_the_owner_is_in_a_title(titles: list[str], name: str) -> None:
    assert find_name_in_titles(titles) == name


def test_names_of_templates_are_no_owners() -> None:
    assert (
        choose_name(["Your Name", "example.org", "Dr. Ada Example", "Ada Example Lee"]) == "Ada Example Lee"
    )
    assert guess_name_from_host("https://jane-doe.github.io/", "x") == "Jane Doe"
    assert guess_name_from_host("", "user+old-site") == "Old Site"


REPAIRS = [
    ("x.yaml", "- title: A\n  date: Oct-x\n  event: B\n", "Oct-x", "invalid-date", "- title: A\n#   date: Oct-x\n  event: B\n"),
    ("x.yaml", "- date: Oct-x\n  title: A\n", "Oct-x", "invalid-date", "# - date: Oct-x\n- title: A\n"),
    ("x.yaml", "- title: A\n- role: B\n  date: 2020\n- title: C\n", "role", "missing-key", "- title: A\n# - role: B\n#   date: 2020\n- title: C\n"),
    ("x.yaml", "links:\n  a: https://[x\n  b: https://b.example.org\n", "https://[x", "bad-address", "links:\n#   a: https://[x\n  b: https://b.example.org\n"),
    ("x.yaml", "- text: |-\n    See [a](gone.html).\n", "gone.html", "broken-link", "- text: |-\n    See a.\n"),
    ("x.md", "---\ntitle: A\nimage: gone.png\n---\nText\n", "gone.png", "missing-file", "---\ntitle: A\n# image: gone.png\n---\nText\n"),
    ("x.md", "One ![a](gone.png) two\n", "gone.png", "broken-link", "One a two\n"),
    ("x.md", "See [see @nobody].\n", "@nobody", "unknown-citation", "See (see nobody).\n"),
    ("x.bib", "@misc{a,\n  url = {x},\n}\n", "x}", "bad-address", "@misc{a,\n%   url = {x},\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "marked", "code", "expected"), REPAIRS)
def test_what_cannot_be_read_becomes_a_comment(
    name: str, text: str, marked: str, code: str, expected: str
) -> None:
    before = text[: text.index(marked)]
    place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"), len(marked))
    assert remove_place(name, text, Problem(place, "error", code, "wrong"))[0] == expected
