"""Several values per filter, words that must or must not occur, courts above a court, facets and orders."""

import sqlite3
from contextlib import closing

import pytest

from lexgear.corpus.records import Citation, Document, Penalty
from lexgear.errors import InputError
from lexgear.index.catalogue import Catalogue
from lexgear.index.catalogue_writing import write_catalogue
from lexgear.index.facets import count_facets
from lexgear.index.grams import write_grams
from lexgear.index.keywords import keyword_filters
from lexgear.index.sorting import Sort, sorted_ids

BASIC = "江西省南昌市青山湖区人民法院"
DOCUMENTS = (
    Document(
        "theft",
        {"fact": "被告人入户盗窃手机，主动投案自首。"},
        charges=("盗窃罪",),
        articles=(Citation("刑法", "264"),),
        penalty=Penalty("imprisonment", 8),
        court=BASIC,
        level="basic",
        region="江西",
        date="2018-03-01",
    ),
    Document(
        "robbery",
        {"fact": "被告人持刀抢劫，系累犯。"},
        title="指导案例14号：某抢劫案",
        charges=("抢劫罪",),
        penalty=Penalty("imprisonment", 132),
        court="江西省南昌市中级人民法院",
        level="intermediate",
        region="江西",
        date="2016-03-01",
    ),
    Document(
        "murder",
        {"fact": "被告人持刀杀人，自首，系累犯。"},
        authority="gazette",
        charges=("故意杀人罪",),
        penalty=Penalty("life"),
        court="福建省高级人民法院",
        level="high",
        region="福建",
        date="2020-03-01",
    ),
    Document("bail", {"text": "Le Bail est résilié par le preneur « de bonne foi »."}),
)


@pytest.fixture(scope="module", params=["small catalogue", "catalogue with grams"])
def catalogue(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    path = tmp_path_factory.mktemp("narrowing") / "catalogue.sqlite"
    write_catalogue(path, DOCUMENTS)
    if "grams" in request.param:
        with closing(sqlite3.connect(path)) as database, database:
            write_grams(database, min_size=0)
    return Catalogue(path)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["charge=盗窃罪|抢劫罪"], {"theft", "robbery"}),
        (["charge=盗窃|抢劫", "level=basic"], {"theft"}),
        (["charge!=盗窃罪|抢劫罪"], {"murder", "bail"}),
        (["date=2018|2020-03"], {"theft", "murder"}),
        (["factor=weapon|surrender"], {"theft", "robbery", "murder"}),
        (["band=6-12"], {"theft"}),
        (["band=6-12|life"], {"theft", "murder"}),
        (["band=120-180|180-"], {"robbery"}),
        (["band!=6-12"], {"robbery", "murder"}),
        (["authority=guiding"], {"robbery"}),
        (["authority=指导性案例|公报案例"], {"robbery", "murder"}),
        (["text=自首"], {"theft", "murder"}),
        (["text=自首", "text!=累犯"], {"theft"}),
        (["text=手机|抢劫"], {"theft", "robbery"}),
        (["text=bail"], {"bail"}),
        (["text=PRENEUR « De"], {"bail"}),
        (["text=a"], {"bail"}),
        (["text=ré"], {"bail"}),
        (["text=刀"], {"robbery", "murder"}),
        (["text=basic"], set()),  # nor is a code
        (["text=sections"], set()),  # a name of the format is no word of the text
        ([f"court_above={BASIC}"], {"theft", "robbery"}),
        ([f"court_above!={BASIC}"], {"murder", "bail"}),
    ],
)
def test_filters_take_any_of_their_values(catalogue: Catalogue, filters: list[str], found: set[str]) -> None:
    assert catalogue.select(filters) == found


@pytest.mark.parametrize("text", ["charge=|", "date>=2015|2016", "band=long", "authority=important", "text=", "text>a"])
def test_a_value_that_makes_no_sense_is_refused(catalogue: Catalogue, text: str) -> None:
    with pytest.raises(InputError, match="filter"):
        catalogue.select([text])


@pytest.mark.parametrize(
    ("written", "filters"),
    [
        ("自首 −累犯", ["text=自首", "text!=累犯"]),
        ('+自首 -"系 累犯"', ["text=自首", "text!=系 累犯"]),
        ("“持刀 抢劫” 「入户」", ["text=持刀 抢劫", "text=入户"]),
        ("« bonne foi » -bail", ["text=bonne foi", "text!=bail"]),
        ("自首|坦白", ["text=自首|坦白"]),
        ('  "" - + | ', []),
    ],
)
def test_keywords_are_terms_that_must_or_must_not_occur(written: str, filters: list[str]) -> None:
    assert keyword_filters(written) == filters


def test_facets_are_counted_from_columns_in_the_order_people_read(catalogue: Catalogue) -> None:
    columns = catalogue.columns(["murder", "theft", "robbery", "bail", "unknown"])
    assert [one.id for one in columns] == ["murder", "theft", "robbery", "bail"]
    facets = count_facets(columns)
    assert facets["authority"] == {"guiding": 1, "gazette": 1}
    assert list(facets["level"]) == ["high", "intermediate", "basic"]
    assert list(facets["date"]) == ["2020", "2018", "2016"]
    assert list(facets["band"]) == ["6-12", "120-180", "life"]
    assert facets["region"] == {"江西": 2, "福建": 1}
    assert facets["article"] == {"刑法264": 1}
    assert facets["factor"]["weapon"] == 2


def test_results_can_be_sorted_by_date_and_by_authority_and_court(catalogue: Catalogue) -> None:
    ids = ["bail", "theft", "murder", "robbery"]
    assert sorted_ids(catalogue, ids, Sort.RELEVANCE) == ids
    assert sorted_ids(catalogue, ids, Sort.DATE) == ["murder", "theft", "robbery", "bail"]
    assert sorted_ids(catalogue, ids, Sort.LEVEL) == ["robbery", "murder", "theft", "bail"]
