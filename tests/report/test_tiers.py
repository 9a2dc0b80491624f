"""The tier of a decision, as far as its court and title tell it."""

import pytest

from lexgear.corpus.extraction.courts import court_level, read_region
from lexgear.corpus.records import Document
from lexgear.report.model import Tier
from lexgear.report.tiers import tier_of

BASIC, COUNTY = "江西省南昌市青山湖区人民法院", "江西省永修县人民法院"


def case(court: str, title: str = "") -> Document:
    return Document("1", title=title, court=court, level=court_level(court), region=read_region(court, "", ""))


@pytest.mark.parametrize(
    ("court", "pending", "tier", "reason"),
    [
        ("最高人民法院", "", Tier.SUPREME, "court"),
        ("江西省高级人民法院", BASIC, Tier.HIGH, "province"),
        ("福建省高级人民法院", BASIC, Tier.OTHER, "other"),
        ("江西省高级人民法院", "", Tier.UNKNOWN, "pending_court_missing"),
        ("江西省高级人民法院", "某法院", Tier.UNKNOWN, "region_missing"),
        (BASIC, BASIC, Tier.ABOVE_OR_OWN, "own"),
        (BASIC, f" {BASIC}\n", Tier.ABOVE_OR_OWN, "own"),
        (COUNTY, BASIC, Tier.OTHER, "other"),
        ("江西省南昌市中级人民法院", BASIC, Tier.ABOVE_OR_OWN, "above"),
        ("江西省九江市中级人民法院", BASIC, Tier.OTHER, "other"),
        # 永修县 lies in 九江市, but its name does not say so.
        ("江西省九江市中级人民法院", COUNTY, Tier.UNKNOWN, "court_above_unknown"),
        ("福建省厦门市中级人民法院", COUNTY, Tier.OTHER, "other"),
        ("北京市第一中级人民法院", "北京市海淀区人民法院", Tier.UNKNOWN, "court_above_unknown"),
        ("江西省九江市中级人民法院", "江西省南昌市中级人民法院", Tier.OTHER, "other"),
        ("江西省高级人民法院", "江西省南昌市中级人民法院", Tier.HIGH, "province"),
        ("南昌铁路运输法院", BASIC, Tier.UNKNOWN, "court_above_unknown"),
        ("", BASIC, Tier.UNKNOWN, "court_missing"),
    ],
)
def test_the_court_tells_the_tier_or_the_reason_why_not(court: str, pending: str, tier: Tier, reason: str) -> None:
    assert tier_of(case(court), pending) == (tier, reason)


@pytest.mark.parametrize(
    ("title", "tier"),
    [
        ("指导案例14号：董某某、宋某某抢劫案", Tier.GUIDING),
        ("最高人民法院指导性案例第97号 王力军非法经营再审改判无罪案", Tier.GUIDING),
        ("最高人民检察院指导性案例 检例第45号", Tier.OTHER),
        ("最高人民法院发布涉民生执行典型案例之三", Tier.SUPREME),
        ("张某盗窃一审刑事判决书", Tier.OTHER),
    ],
)
def test_a_title_may_name_a_guiding_or_a_typical_case(title: str, tier: Tier) -> None:
    assert tier_of(case(COUNTY, title), BASIC).tier == tier


def test_a_statutory_article_is_no_case() -> None:
    assert tier_of(Document("a", node="code/1"), BASIC).tier == Tier.PROVISION
