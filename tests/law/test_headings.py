import pytest

from lexgear.law.headings import Heading, read_heading, roman_number


@pytest.mark.parametrize(
    ("written", "heading"),
    [
        ("第一编 总则", Heading("part", "1", "总则")),
        ("第二分编  典型合同", Heading("subpart", "2", "典型合同")),
        ("第十二章　附　则", Heading("chapter", "12", "附则")),
        ("第三节", Heading("section", "3", "")),
        ("二十二、涉外程序", Heading("division", "22", "涉外程序")),
        ("（三）期间", Heading("division", "3", "期间")),
        ("序言", Heading("division", "序言", "序言")),
    ],
)
def test_a_chinese_heading_tells_kind_number_and_title(written: str, heading: Heading) -> None:
    assert read_heading(written) == heading


@pytest.mark.parametrize(
    ("written", "heading"),
    [
        ("Livre I DES PERSONNES.", Heading("book", "1", "DES PERSONNES")),
        ("LIVRE IIIBIS. - De l'aide.", Heading("book", "3bis", "De l'aide")),
        ("Titre IV  - Du domicile", Heading("title", "4", "Du domicile")),
        ("TITRE PRELIMINAIRE. - Des effets", Heading("title", "preliminaire", "Des effets")),
        ("CHAPITRE PREMIER. _ Dispositions", Heading("chapter", "1", "Dispositions")),
        ("CHAPITRE Ier. - Dispositions", Heading("chapter", "1", "Dispositions")),
        ("CHAPITRE Ierbis. - Personnes", Heading("chapter", "1bis", "Personnes")),
        ("Section 1 bis : Du recours", Heading("section", "1bis", "Du recours")),
        ("Section 1 terrestre", Heading("section", "1", "terrestre")),
        ("Section 1re  Objectifs", Heading("section", "1", "Objectifs")),
        ("Sous-section 2 De l'acte", Heading("subsection", "2", "De l'acte")),
        ("Quatrième partie : DE LA PROCEDURE", Heading("part", "4", "DE LA PROCEDURE")),
        ("HUITIEME PARTIE -  Droit", Heading("part", "8", "Droit")),
        ("Chapitre I  ...", Heading("chapter", "1", "")),
    ],
)
def test_a_french_heading_tells_kind_number_and_title(written: str, heading: Heading) -> None:
    assert read_heading(written) == heading


def test_a_word_that_begins_like_a_roman_numeral_is_no_number() -> None:
    assert read_heading("Titre Divers") == Heading("title", "Divers", "Divers")
    assert read_heading("Section Livres") == Heading("section", "Livres", "Livres")


def test_a_heading_of_no_known_kind_keeps_its_name() -> None:
    assert read_heading("Fraude à la loi.") == Heading("division", "Fraude à la loi.", "Fraude à la loi.")


def test_roman_numerals_agree_with_the_figures_they_are_built_from() -> None:
    tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"]
    ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    for number in range(1, 100):
        written = tens[number // 10] + ones[number % 10]
        assert roman_number(written) == number
        assert read_heading(f"Titre {written}. - Du bail") == Heading("title", str(number), "Du bail")
