"""Tags are found and rewritten by the rules of HTML: quotes, comments, and elements that contain only text."""

from tenure.markdown.html_tags import (
    Tag,
    format_tag,
    iterate_tags,
    rewrite_elements,
    rewrite_tags,
    split_text,
)


def test_a_tag_has_its_place_and_its_attributes_as_written() -> None:
    (tag,) = iterate_tags("""<p>\n<A href='x?a&amp;b="c"' hidden>d</a>""", "a")
    assert tag.attributes == {"href": "x?a&amp;b=&quot;c&quot;", "hidden": None}
    assert (tag.name, tag.start, tag.content_start) == ("a", 4, 4 + len(tag.text))


def test_a_script_is_a_whole_element() -> None:
    html_text = "<p><script async>if (a < b) '</p>'</script>c"
    (script,) = iterate_tags(html_text, "script")
    assert script.content == "if (a < b) '</p>'"
    assert html_text[script.content_start :].startswith(script.content)
    assert [tag.name for tag in iterate_tags(html_text)] == ["p", "script"]


def test_a_script_without_an_end_tag_goes_to_the_end_of_the_text() -> None:
    tags = [tag.text for tag in iterate_tags("<b><script><b><script>", "b", "script")]
    assert tags == ["<b>", "<script><b><script>"]
    assert split_text("a<code>b<i>c", "code") == ["a", "<code>b<i>c", ""]


def test_only_the_wanted_tags_are_rewritten() -> None:
    html_text = "<!-- <b> --><b>x</b><script>'<b>'</script><br><b class=y>"

    def mark_tag(tag: Tag) -> str:
        return format_tag("i", {"title": "z", **tag.attributes})

    assert rewrite_tags(html_text, mark_tag, "b") == (
        '<!-- <b> --><i title="z">x</b><script>\'<b>\'</script><br><i title="z" class="y">'
    )
    assert rewrite_elements("<pre>a</pre><p>b</p>", lambda tag: tag.content, "pre") == "a<p>b</p>"
