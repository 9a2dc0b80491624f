"""The printed report: every item of article 8, in the reader's language; missing ones are stated to be missing."""

import csv
import io
import re

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Citation, Count, Penalty
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.words.bm25 import BM25
from lexgear.report.blocks import Heading, Pairs, Paragraph, Table
from lexgear.report.build import build_report
from lexgear.report.layout import printed
from lexgear.report.model import Report, Tier, Use
from lexgear.report.phrases import Phrases
from lexgear.report.writers.csv import to_csv
from lexgear.wording.translations import LANGUAGES, texts
from report.conftest import entries

ABSENT = {"zh": "检索未提供", "fr": "non fourni par la recherche", "en": "not provided by the search"}
NOT_ENTERED = {"zh": "未填写", "fr": "non renseigné", "en": "not entered"}


def pairs(report: Report) -> list[dict[str, str]]:
    return [dict(block.rows) for block in printed(report).blocks if isinstance(block, Pairs)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_absent_fields_say_so_in_the_language_of_the_report(bare: Report, language: str) -> None:
    made = bare.model_copy(update={"language": language})
    say, (search, pending, case) = texts("report", language), pairs(made)
    for name in ("number", "court", "date", "charges", "articles", "penalty", "places"):
        assert case[say(f"case.{name}")] == ABSENT[language]
    assert search[say("search.by")] == NOT_ENTERED[language]
    assert {*pending.values()} == {NOT_ENTERED[language]}


def test_a_case_says_which_factors_it_shares_with_the_search(report: Report) -> None:
    tables = [one for one in printed(report).blocks if isinstance(one, Table) and one.header[0] == "要素"]
    assert len(tables) == len(report.cases)
    results = {row[-1] for table in tables for group in table.groups for row in group.rows}
    assert results >= {"相同", "仅该案有"}


def test_columns_of_long_texts_are_the_widest(report: Report) -> None:
    widths = {
        one.header: dict(zip(one.header, one.widths, strict=True))
        for one in printed(report).blocks
        if isinstance(one, Table)
    }
    (results,) = [one for header, one in widths.items() if "案号" in header]
    assert max(results, key=lambda name: results[name]) == "案件"
    assert results["裁判日期"] >= 15  # 2019-03-01 in one line of LibreOffice
    (factors,) = [one for header, one in widths.items() if "要素" in header]
    assert factors["该案"] == factors["本次检索"] >= factors["要素"]
    assert {sum(one.values()) for one in widths.values()} == {100}


def test_following_a_case_that_is_no_guiding_case_is_remarked(report: Report) -> None:
    followed = report.cases[0].model_copy(update={"use": Use.FOLLOWED, "tier": Tier.OTHER})
    guiding = followed.model_copy(update={"tier": Tier.GUIDING})
    misnamed, right = (pairs(report.model_copy(update={"cases": (one,)}))[2] for one in (followed, guiding))
    assert "第九条" in misnamed["运用"]
    assert "第九条" not in right["运用"]


def test_a_filter_by_factor_is_written_in_words() -> None:
    assert Phrases(texts("report", "zh")).filter("factor=weapon") == "法律要素 = 凶器"


def test_results_stand_by_tier_in_the_order_of_article_4(report: Report) -> None:
    shuffled = [
        one.model_copy(update={"tier": tier})
        for one, tier in zip(
            report.results, (Tier.OTHER, Tier.GUIDING, Tier.OTHER, Tier.HIGH, Tier.UNKNOWN), strict=True
        )
    ]
    made = report.model_copy(update={"results": tuple(shuffled)})
    table = next(block for block in printed(made).blocks if isinstance(block, Table))
    say = texts("report", "zh")
    assert [group.title for group in table.groups] == [
        say(f"tier.{tier}") for tier in (Tier.GUIDING, Tier.HIGH, Tier.OTHER, Tier.UNKNOWN)
    ]
    assert [[row[0] for row in group.rows] for group in table.groups] == [["2"], ["4"], ["1", "3"], ["5"]]


def test_why_a_tier_cannot_be_told_is_said(bare: Report) -> None:
    notes = [block.text for block in printed(bare).blocks if isinstance(block, Paragraph)]
    assert any("索引未记载裁判法院" in note for note in notes)


def test_every_item_of_article_8_has_its_part(report: Report) -> None:
    blocks = printed(report).blocks
    parts = [block.text for block in blocks if isinstance(block, Heading) and block.level == 1]
    assert [part[2:] for part in parts] == [
        *("检索基本情况", "待决案件及争议焦点", "检索结果（按层级排列）", "类案裁判要点", "类案运用情况", "说明"),
    ]
    uses = [block for block in blocks if isinstance(block, Table)][-1]
    assert [row[2:] for row in uses.groups[0].rows] == [
        ("参考", "手段相同"),
        ("参照", "未填写"),
        ("不予参照或者参考", "数额悬殊"),
    ]


def test_masking_is_told_either_way(report: Report) -> None:
    for masked in (True, False):
        notes = [
            block.text
            for block in printed(report.model_copy(update={"masked": masked})).blocks
            if isinstance(block, Paragraph)
        ]
        assert any("已作隐名处理" in note for note in notes) == masked


def test_places_count_from_1_to_the_last_character(report: Report) -> None:
    quote = report.cases[0].key_points[0]
    assert Phrases(texts("report", "zh")).place(quote) == f"事实部分，第{quote.start + 1}至{quote.end}字"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh", "有期徒刑4年6个月，缓刑5年，罚金人民币80,000元"),
        ("fr", "emprisonnement de 4 ans 6 mois, avec sursis de 5 ans, amende de 80\u202f000 yuans"),
        ("en", "imprisonment of 4 years 6 months, suspended for 5 years, fine of 80,000 yuan"),
    ],
)
def test_a_penalty_is_said_in_years_and_months(language: str, words: str) -> None:
    penalty = Penalty(kind="imprisonment", months=54, probation_months=60, fine=80_000)
    assert Phrases(texts("report", language)).penalty(penalty) == words


def test_a_combined_penalty_is_followed_by_those_of_the_charges_alone(report: Report) -> None:
    phrases, (case, *_) = Phrases(texts("report", "zh")), report.results
    final = Penalty("imprisonment", 42)
    counts = (
        Count("盗窃罪", Penalty("imprisonment", 12)),
        Count("抢劫罪", Penalty("imprisonment", 36)),
        Count("放火罪"),
    )
    combined = case.model_copy(update={"penalty": final, "penalties_by_charge": counts})
    assert phrases.penalties(combined).split("\n") == [
        "有期徒刑3年6个月",
        "其中盗窃罪：有期徒刑1年",
        "其中抢劫罪：有期徒刑3年",
    ]
    alone = case.model_copy(update={"penalty": final, "penalties_by_charge": (Count("盗窃罪", final),)})
    assert phrases.penalties(alone) == "有期徒刑3年6个月"


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh", "罚金人民币2,000元"), ("fr", "amende de 2\u202f000 yuans"), ("en", "fine of 2,000 yuan")],
)
def test_a_fine_alone_is_said_once(language: str, words: str) -> None:
    phrases = Phrases(texts("report", language))
    assert phrases.penalty(Penalty(kind="fine", months=0, probation_months=0, fine=2000)) == words
    unknown = phrases.penalty(Penalty(kind="fine", months=0, probation_months=0, fine=0))
    assert unknown == phrases.texts("penalty.fine")


def test_a_report_on_articles_of_a_french_code_knows_that_they_are_no_cases(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    index: Index = train(sample_statutes(), BM25(), tmp_path_factory.mktemp("fr") / "index")
    made = build_report(index, entries("Qui peut demander un curateur ?", {"id": "a004"}, language="fr"))
    assert {one.tier for one in (*made.results, *made.cases)} == {Tier.PROVISION}
    assert made.cases[0].key_points
    assert printed(made).title == "Rapport de recherche d’articles de loi"
    [results] = [block for block in printed(made).blocks if isinstance(block, Table)][:1]
    assert results.header == ("Rang", "Article", "Place dans la loi")
    assert not re.search("affaire|参照|Cour populaire|case|juridiction saisie", str(printed(made).blocks))
    assert "Juridiction" not in pairs(made)[-1]
    assert not any("non fourni" in value for value in pairs(made)[-1].values())
    assert "Validité" not in pairs(made)[-1]
    dated = made.cases[0].model_copy(update={"in_force_from": "2019-03-01"})
    known = made.model_copy(update={"cases": (dated,)})
    assert pairs(known)[-1]["Validité"] == "En vigueur depuis le 1er mars 2019"
    header, first, *_ = csv.reader(io.StringIO(to_csv(made)[1:], newline=""), delimiter=";")
    assert header == ["Rang", "Score", "Document", "Article", "Place dans la loi", "Validité", "Remarque"]
    assert re.fullmatch(r"-?\d+,\d{5}", first[1])


def test_articles_are_cited_by_law() -> None:
    cited = [Citation("刑法", "234"), Citation("民法通则", "119"), Citation("刑法", "67"), Citation("刑法", "133-1")]
    assert Phrases(texts("report", "zh")).articles(cited) == "刑法第234条、第67条、第133条之一\n民法通则第119条"
    assert Phrases(texts("report", "en")).articles(cited[::2]) == "刑法 art. 234, art. 67"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("date>=2015", "裁判日期 ≥ 2015"),
        ("level=basic", "法院级别 = 基层人民法院"),
        ("penalty!=imprisonment", "刑罚 ≠ 有期徒刑"),
        ("months<36", "刑期（月） < 36"),
        ("court=a=b", "法院 = a=b"),
        ("=1+1", "=1+1"),
        ("colour=red", "colour=red"),
    ],
)
def test_a_filter_is_said_in_words(written: str, words: str) -> None:
    assert Phrases(texts("report", "zh")).filter(written) == words
