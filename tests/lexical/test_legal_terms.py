import pytest

from lexgear.lexical.legal_terms import MAX_CHARACTERS, LegalTerms, shipped_legal_terms

FRENCH = LegalTerms(
    {
        "caution": ["sûreté personnelle"],
        "caution loyer | récupérer caution": ["garantie locative", "dépôt de garantie"],
        "mettre dehors": ["expulsion"],
    },
    "fr",
)
CHINESE = LegalTerms({"房东": ["出租人"], "拖欠 工资": ["劳动报酬"], "工资": ["工资支付"]}, "zh")


def terms(lexicon: LegalTerms, text: str) -> list[str]:
    return [found.term for found in lexicon.found(text)]


def test_an_expression_is_found_in_every_inflected_form_and_order() -> None:
    assert terms(FRENCH, "Il veut nous METTRE dehors !") == ["expulsion"]
    assert terms(FRENCH, "Dehors, il nous y mettra ?") == ["expulsion"]
    assert terms(CHINESE, "老板的工资一直拖欠") == ["劳动报酬"]


def test_a_longer_expression_takes_precedence_over_a_part_of_it() -> None:
    assert terms(FRENCH, "Qui est caution ?") == ["sûreté personnelle"]
    assert terms(FRENCH, "Puis-je récupérer les cautions ?") == ["garantie locative", "dépôt de garantie"]


def test_parts_of_an_expression_that_stand_far_apart_are_not_found() -> None:
    between = "la maison du village est belle et grande avec un jardin immense sous un ciel bleu"
    assert terms(FRENCH, f"Il faut mettre {between} dehors") == []


def test_a_term_that_the_text_uses_itself_is_not_added() -> None:
    assert terms(FRENCH, "La caution du loyer est une garantie locative.") == ["dépôt de garantie"]


def test_a_term_names_the_expression_and_the_words_that_are_counted() -> None:
    [first, _] = FRENCH.found("Qui rend la caution ? Le loyer est payé.")
    assert first.expression == "caution loyer"
    assert first.words == ("garant", "locat") and first.forms == ("garantie", "locative")
    assert first.part({"garant", "locat"}) == "garantie locative"
    assert first.part({"locat"}) == "locative"


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert terms(FRENCH, "x " * MAX_CHARACTERS + "récupérer caution") == []


@pytest.mark.parametrize("text", ["", "   ", "?!", "1234"])
@pytest.mark.parametrize("lexicon", [FRENCH, CHINESE])
def test_a_text_without_words_has_no_terms(lexicon: LegalTerms, text: str) -> None:
    assert terms(lexicon, text) == []


def test_other_languages_have_no_lexicon() -> None:
    assert shipped_legal_terms("en") is None


@pytest.mark.parametrize("language", ["fr", "zh"])
def test_every_shipped_expression_is_found_in_itself_and_every_term_has_words(language: str) -> None:
    lexicon = shipped_legal_terms(language)
    assert lexicon is not None
    for entry in lexicon.entries():
        expression = entry.terms[0].expression
        assert all(term.words and len(term.words) == len(term.forms) for term in entry.terms), expression
        found = {term.term for term in lexicon.found(expression)}
        own = {term.term for term in entry.terms if not set(term.words) <= set(lexicon.words(expression))}
        assert own <= found, expression


@pytest.mark.parametrize(
    ("language", "question", "term"),
    [
        ("fr", "Mon propriétaire ne veut pas me rendre la caution", "garantie locative"),
        ("fr", "Mon patron m'a viré sans raison", "employeur"),
        ("fr", "puis je desheriter mon fils", "réserve héréditaire"),
        ("zh", "房东不退押金怎么办", "出租人"),
        ("zh", "公司拖欠工资三个月了", "拖欠劳动报酬"),
        ("zh", "他成了老赖，怎么办", "失信被执行人"),
    ],
)
def test_the_shipped_lexicon_translates_everyday_questions(language: str, question: str, term: str) -> None:
    lexicon = shipped_legal_terms(language)
    assert lexicon is not None and term in terms(lexicon, question)
