from lexgear.corpus.extraction.citations import read_citations
from lexgear.corpus.records import Citation


def criminal(*numbers: str) -> tuple[Citation, ...]:
    return tuple(Citation("刑法", number) for number in numbers)


def test_a_list_goes_on_with_the_law_last_named() -> None:
    text = (
        "依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款、第七十二条第一款"
        "及《最高人民法院关于盗窃的解释》第一条之规定，判决如下："
    )
    assert read_citations(text) == (*criminal("264", "67", "72"), Citation("最高人民法院关于盗窃的解释", "1"))


def test_inserted_articles_ranges_and_shared_signs() -> None:
    assert read_citations("依照《刑法》第一百三十三条之一第一款的规定") == criminal("133-1")
    assert read_citations("根据刑法第二十五条至第二十七条、第五十二、五十三条") == criminal(
        "25", "26", "27", "52", "53"
    )


def test_careless_citations_are_read_too() -> None:
    assert read_citations("依照《中华人民共和国刑法》三百四十八条、第六十七第三款") == criminal("348", "67")


def test_each_article_counts_once_and_only_after_words_of_basis() -> None:
    assert read_citations("依照刑法第六十四条，又依照刑法第六十四条。所谓刑法第一条不在此列。") == criminal("64")


def test_a_court_named_before_the_brackets_belongs_to_the_name() -> None:
    text = "依照最高人民法院、最高人民检察院《关于办理盗窃案件的解释》第二条"
    assert read_citations(text) == (Citation("最高人民法院、最高人民检察院关于办理盗窃案件的解释", "2"),)


def test_absurd_ranges_give_only_their_first_article() -> None:
    assert read_citations("依照《刑法》第一条至第九千条") == criminal("1")


def test_names_of_one_law_in_other_signs_are_one_name() -> None:
    name = "最高人民法院、最高人民检察院关于适用〈中华人民共和国刑法〉的解释"
    for written in (name, name.replace("〈", "﹤").replace("〉", "﹥"), name.replace("、", "")):
        assert read_citations(f"依照《{written}》第一条") == (Citation(name, "1"),)
