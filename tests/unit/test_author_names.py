"""Authors and editors of a .bib file: their names, and the problems that are reported."""

import pytest

from tenure.model.names import Name, list_owner_spellings
from tenure.sources.publications.names import parse_authors


def parse_names(value: str) -> list[str]:
    return [author.name.full_name for author in parse_authors(value).authors.people]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Rui Pan", Name("Rui", "", "Pan")),
        ("Pan, Rui", Name("Rui", "", "Pan")),
        ("Francis Y. Yan", Name("Francis Y.", "", "Yan")),
        ("Madonna", Name("", "", "Madonna")),
        # particles
        ("Ludwig van Beethoven", Name("Ludwig", "van", "Beethoven")),
        ("van Beethoven, Ludwig", Name("Ludwig", "van", "Beethoven")),
        ("de la Cruz, Maria", Name("Maria", "de la", "Cruz")),
        (
            r"Charles Louis Xavier Joseph de la Vall{\'e}e Poussin",
            Name("Charles Louis Xavier Joseph", "de la", "Vallée Poussin"),
        ),
        ("Jean d'Alembert", Name("Jean", "", "d'Alembert")),
        ("d'Alembert, Jean", Name("Jean", "", "d'Alembert")),
        (r"Santiago Ram{\'o}n y Cajal", Name("Santiago", "", "Ramón y Cajal")),
        ("Juan de la Torre y Díaz", Name("Juan", "de la", "Torre y Díaz")),
        ("y Cajal", Name("", "y", "Cajal")),
        ("bell hooks", Name("", "bell", "hooks")),
        ("Maria De La Cruz", Name("Maria De La", "", "Cruz")),
        ("Maria {de la Cruz}", Name("Maria", "", "de la Cruz")),
        # Jr
        ("King, Jr., Martin Luther", Name("Martin Luther", "", "King", "Jr.")),
        ("Ranck, J. B., Jr.", Name("J. B.", "", "Ranck", "Jr.")),
        ("Martin Luther King Jr.", Name("Martin Luther", "", "King", "Jr.")),
        ("Martin Luther {King, Jr.}", Name("Martin Luther", "", "King, Jr.")),
        ("von Last, III, First", Name("First", "von", "Last", "III")),
        # braces, accents, ties
        ("{Pan}, {Rui}", Name("Rui", "", "Pan")),
        (r"Kurt G{\"o}del", Name("Kurt", "", "Gödel")),
        (r"{\'E}lie Cartan", Name("Élie", "", "Cartan")),
        (r"{\v{S}}im\v{s}a, {\'E}va", Name("Éva", "", "Šimša")),
        (r"Mu\~noz, Jo{\~a}o", Name("João", "", "Muñoz")),
        (r"Jo\~ao Mu{\~n}oz", Name("João", "", "Muñoz")),
        (r"Donald~E. Knuth", Name("Donald E.", "", "Knuth")),
        (r"{\relax Ch}arles Babbage", Name("Charles", "", "Babbage")),
        # Chinese, Japanese and Korean names begin with the family
        ("王小明", Name("", "", "王小明")),
        ("王 小明", Name("小明", "", "王")),
        ("王, 小明", Name("小明", "", "王")),
        ("김 철수", Name("철수", "", "김")),
        # groups
        ("{The ATLAS Collaboration}", Name(group="The ATLAS Collaboration")),
        ("{{Barnes and Noble}}", Name(group="Barnes and Noble")),
        (r"{{\'E}cole Polytechnique}", Name(group="École Polytechnique")),
        # emphasis that marks the site's owner
        (r"\textbf{Pan, Rui}", Name("Rui", "", "Pan")),
        (r"\underline{Rui Pan}", Name("Rui", "", "Pan")),
        (r"{\bf Rui Pan}", Name("Rui", "", "Pan")),
        (r"\textbf{Rui} \textbf{Pan}", Name("Rui", "", "Pan")),
        (r"\textbf{G{\"o}del, {\'E}va}", Name("Éva", "", "Gödel")),
        # unmatched braces
        ("Pan}, Rui", Name("Rui", "", "Pan")),
        ("Pan, {Rui", Name("Rui", "", "Pan")),
    ],
)
def test_single_names_are_parsed(written: str, name: Name) -> None:
    read = parse_authors(written)
    assert [author.name for author in read.authors.people] == [name]
    assert read.issues == ()


@pytest.mark.parametrize(
    ("value", "people"),
    [
        ("A and B", ["A", "B"]),
        ("A AND B And C", ["A", "B", "C"]),
        ("Pan, R.\n  and\tLi, K.", ["R. Pan", "K. Li"]),
        ("Andy Anderson and Sandy Land", ["Andy Anderson", "Sandy Land"]),
        ("{Barnes and Noble} and B", ["Barnes and Noble", "B"]),
        ("A {and} B", ["A and B"]),
    ],
)
def test_and_separates_authors_outside_braces(value: str, people: list[str]) -> None:
    assert parse_names(value) == people


@pytest.mark.parametrize(
    ("value", "people"),
    [
        ("Pan, Rui and others", ["Rui Pan"]),
        ("Rui Pan and Others", ["Rui Pan"]),
        ("Rui Pan and et al.", ["Rui Pan"]),
        ("Rui Pan et al.", ["Rui Pan"]),
        ("Pan, Rui, et al", ["Rui Pan"]),
        ("{ATLAS} and others", ["ATLAS"]),
    ],
)
def test_and_others_shortens_the_list(value: str, people: list[str]) -> None:
    read = parse_authors(value)
    assert read.authors.others
    assert [author.name.full_name for author in read.authors.people] == people
    assert read.issues == ()


@pytest.mark.parametrize(
    ("written", "marks", "equal"),
    [
        ("Pan*, Rui", "*", True),
        ("Pan, Rui*", "*", True),
        ("Rui Pan*", "*", True),
        ("*Rui Pan", "*", True),
        ("Rui Pan*†", "*†", True),
        ("Pan†, Rui", "†", False),
        ("Pan$^*$, Rui", "*", True),
        (r"Pan, Rui$^{\ast}$", "*", True),
        (r"Pan, Rui$^\dagger$", "†", False),
        (r"Rui Pan\textsuperscript{*}", "*", True),
        (r"\textbf{Pan*, Rui}", "*", True),
        ("Rui Pan", "", False),
    ],
)
def test_marks_are_removed_from_names(written: str, marks: str, equal: bool) -> None:
    (author,) = parse_authors(written).authors.people
    assert author.name == Name("Rui", "", "Pan")
    assert (author.marks, author.equal) == (marks, equal)


@pytest.mark.parametrize(
    ("value", "people", "complaints"),
    [
        # no name between two "and"
        ("A and and B", ["A", "B"], ["an author is empty"]),
        ("and A", ["A"], ["an author is empty"]),
        ("A and", ["A"], ["an author is empty"]),
        ("{A B} and and {C D} and", ["A B", "C D"], ["an author is empty"]),
        ("A and {} and B", ["A", "B"], ["an author is empty"]),
        ("A and , and B", ["A", "B"], ["an author is empty"]),
        ("A and * and B", ["A", "B"], ["an author is empty"]),
        (r"A and \textbf{} and B", ["A", "B"], ["an author is empty"]),
        ("", [], ["an author is empty"]),
        # commas
        ("Pan, Rui, and Li, Kai", ["Rui Pan", "Kai Li"], ["“Pan, Rui,” ends in a comma"]),
        ("Pan,", ["Pan"], ["“Pan,” ends in a comma"]),
        (
            "Rui Pan, Yinwei Dai, Kai Li",
            ["Rui Pan", "Yinwei Dai", "Kai Li"],
            ["“Rui Pan, Yinwei Dai, Kai Li” has too many commas for one name"],
        ),
        ("A. Pan, B. Li and C. Dai", ["A. Pan", "B. Li", "C. Dai"], ["“A. Pan, B. Li” has too many commas for one name"]),
        ("Rui Pan, Kai Li, and Yinwei Dai", ["Rui Pan", "Kai Li", "Yinwei Dai"], ["“Rui Pan, Kai Li,” ends in a comma"]),
        ("Pan R, Dai YW, van Dyk K", ["R Pan", "YW Dai", "K van Dyk"], ["“Pan R, Dai YW, van Dyk K” has too many commas for one name"]),
        ("Pan RS, Dai Y", ["RS Pan", "Y Dai"], ["“Pan RS, Dai Y” has too many commas for one name"]),
        ("Pan R., Van Dyk K. L.", ["R. Pan", "K. L. Van Dyk"], ["“Pan R., Van Dyk K. L.” has too many commas for one name"]),
        ("А. Б. Ван, Г. Ли", ["А. Б. Ван", "Г. Ли"], ["“А. Б. Ван, Г. Ли” has too many commas for one name"]),
        ("Pan, Rui, Li", ["Li Pan, Rui"], []),
    ],
)  # fmt: skip
def test_doubtful_names_are_reported(value: str, people: list[str], complaints: list[str]) -> None:
    read = parse_authors(value)
    assert [author.name.full_name for author in read.authors.people] == people
    assert [issue.message for issue in read.issues] == complaints


@pytest.mark.parametrize(
    ("value", "people"),
    [
        ("Pan, Rui; Li, Kai", ["Rui Pan", "Kai Li"]),
        ("Pan R; Li K", ["R Pan", "K Li"]),
        (r"Rui Pan, Yinwei Dai, Kai Li \& Ada Example", ["Rui Pan", "Yinwei Dai", "Kai Li", "Ada Example"]),
        ("森下皓文、森尾学", ["森下皓文", "森尾学"]),
        # one person, or one organization
        ("García Márquez, Gabriel José and Li, Kai", ["Gabriel José García Márquez", "Kai Li"]),
        ("St. John, M. F. and a. Bogart, K. H.", ["M. F. St. John", "K. H. a. Bogart"]),
        (r"Johnson \& Johnson", ["Johnson & Johnson"]),
        ("{Department of Health, Education and Welfare}", ["Department of Health, Education and Welfare"]),
    ],
)  # fmt: skip
def test_a_list_of_a_sentence_is_several_people(value: str, people: list[str]) -> None:
    assert [author.name.full_name for author in parse_authors(value).authors.people] == people


@pytest.mark.parametrize(
    "value",
    [
        r"{\textbf{Ada Example}}",
        r"{\textbf{Ada Example}}*",
        r"\textbf{Example, Ada}*",
        r"{\bf Ada Example}",
        r"\mkbibbold{Example, Ada}",
        r"\me{Ada Example}",
    ],
)
def test_an_emphasized_name_has_its_parts(value: str) -> None:
    assert parse_authors(value).authors.people[0].name == Name(given="Ada", family="Example")


@pytest.mark.parametrize(
    ("written", "given", "family"), [("李 伟", "伟", "李"), ("佐々木 健", "健", "佐々木")]
)
def test_a_name_in_chinese_or_japanese_begins_with_the_family_name(
    written: str, given: str, family: str
) -> None:
    (author,) = parse_authors(written).authors.people
    assert author.name == Name.parse(written) == Name(given, "", family)
    assert author.name.full_name == family + given


@pytest.mark.parametrize(
    ("owner", "author"),
    [
        ("Wei Li (李伟)", "李伟"),
        ("Wei Li (李伟)", "Li, W."),
        ("李伟 (Wei Li)", "Li, Wei"),
        ("Boqi (Percy) Chen", "Boqi Chen"),
        ("Boqi (Percy) Chen", "Chen, Percy"),
        ('William "Bill" Gosset', "Bill Gosset"),
    ],
)
def test_the_owner_is_found_by_each_form_of_a_name(owner: str, author: str) -> None:
    authors = parse_authors(f"{author} and Rui Pan").authors.with_owner_marked(
        list_owner_spellings(owner, ())
    )
    assert [person.me for person in authors.people] == [True, False]
