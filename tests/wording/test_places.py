"""Places of the law in the words of three languages, on the page and in reports alike."""

import pytest

from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.law.shipped import chinese_criminal_law
from lexgear.wording.places import path_name, place_name

THEFT = "cn-criminal/2/5/264/盗窃罪"


@pytest.mark.parametrize(
    ("language", "way"),
    [
        ("zh", "第二编 分则 › 第五章 侵犯财产罪 › 第264条 盗窃罪 › 盗窃罪"),
        ("fr", "Partie 2 分则 › Chapitre 5 侵犯财产罪 › Art. 264 盗窃罪 › 盗窃罪"),
        ("en", "Part 2 分则 › Chapter 5 侵犯财产罪 › Art. 264 盗窃罪 › 盗窃罪"),
    ],
)
def test_a_way_is_written_as_people_of_the_language_write_it(language: str, way: str) -> None:
    law = chinese_criminal_law()
    assert path_name(law.path(law[THEFT]), language).endswith(way)


def test_an_article_between_two_others_has_its_own_name() -> None:
    law = chinese_criminal_law()
    [between] = [node for node in law.of_kind("article") if node.number == "133-1"]
    assert place_name(between, "zh").startswith("第133条之一")
    assert place_name(between, "en").startswith("Art. 133-1")


def test_every_place_of_both_laws_has_a_name_in_every_language() -> None:
    for law in (chinese_criminal_law(), sample_statutes().law):
        names = {place_name(node, language) for node in law for language in ("zh", "fr", "en")}
        assert names and all(name.strip() for name in names)
