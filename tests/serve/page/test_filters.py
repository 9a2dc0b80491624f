"""Filters, places of the law and more hits: the page asks the API for what the form says, with or without a script."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.serve.page.dates import read_date
from serve.page.conftest import FACTS, HTMX
from serve.page.seen import Seen, seen


def asked(client: TestClient, target: str = "", **fields: Any) -> Seen:
    headers = {**HTMX, "HX-Target": target} if target else {}
    return seen(client.post("/search", data={"text": FACTS, **fields}, headers=headers))


def cases(page: Seen) -> list[str]:
    hits = sorted(page.all("article", class_="hit"), key=lambda one: int(one.attributes["data-rank"]))
    return [one.attributes["data-case"] for one in hits]


def by_api(client: TestClient, **fields: Any) -> list[str]:
    return [hit["id"] for hit in client.post("/api/v1/search", json={"text": FACTS, **fields}).json()["hits"]]


@pytest.mark.parametrize(
    ("field", "value", "written"),
    [
        ("charge", "盗窃罪", "charge=盗窃罪"),
        ("article", "264", "article=264"),
        ("factor", "surrender", "factor=surrender"),
        ("level", "intermediate", "level=intermediate"),
        ("region", "四川", "region=四川"),
        ("from", "2019-05-01", "date>=2019-05-01"),
        ("to", "2019-05-01", "date<=2019-05-01"),
        ("year", "2019", "date=2019"),
        ("band", "6-12", "band=6-12"),
        ("keywords", "现金", "text=现金"),
    ],
)
@pytest.mark.parametrize("target", ["", "precedents"])
def test_a_filter_is_the_apis_shown_as_a_chip_and_taken_off_again(
    browser: TestClient, field: str, value: str, written: str, target: str
) -> None:
    page = asked(browser, target, **{field: value})
    assert cases(page) == by_api(browser, filters=[written])
    assert cases(page) != by_api(browser)
    chip = page.one("button", data_chip=field)
    drop = f"{field}={written if field == 'keywords' else value}"
    assert (chip.attributes["form"], chip.attributes["name"], chip.attributes["value"]) == ("again", "drop", drop)
    assert cases(asked(browser, target, **{field: value}, drop=drop)) == by_api(browser)


@pytest.mark.parametrize(
    "written", ["2019", "2019-05", "2019年", "2019年5月", "2019-5-1", "1.5.2019", "yesterday", "5"]
)
def test_the_browser_refuses_what_is_no_date(browser: TestClient, written: str) -> None:
    page = asked(browser)
    of_days = re.compile(page.one("input", id="act-date").attributes["pattern"])
    for name in ("f-from", "f-to"):
        is_taken = bool(re.fullmatch(page.one("input", id=name).attributes["pattern"], written))
        assert is_taken == bool(read_date(written))
    assert bool(of_days.fullmatch(written)) == (len(read_date(written)) == 10)


def test_examples_of_dates_are_those_of_the_language(browser: TestClient) -> None:
    for language, pattern in (("en", "[0-9]{4}-01-01"), ("fr", "01/01/[0-9]{4}")):
        page = seen(browser.post("/search", data={"text": FACTS}, headers={"Accept-Language": language}))
        assert re.fullmatch(pattern, page.one("input", id="f-from").attributes["placeholder"])


def test_several_filters_hold_together_and_are_taken_off_together(browser: TestClient) -> None:
    both: dict[str, Any] = {"charge": "盗窃罪", "level": ["basic", "intermediate"], "keywords": "现金 -手机"}
    written = ["charge=盗窃罪", "level=basic|intermediate", "text=现金", "text!=手机"]
    assert cases(asked(browser, **both)) == by_api(browser, filters=written)
    assert cases(asked(browser, **both)) == by_api(browser, filters=written[:2], keywords="现金 -手机")
    assert cases(asked(browser, **both, drop="level=basic")) == by_api(
        browser, filters=["charge=盗窃罪", "level=intermediate", *written[2:]]
    )
    assert cases(asked(browser, **both, drop="keywords=text!=手机")) == by_api(browser, filters=written[:3])
    assert cases(asked(browser, **both, node="cn-criminal/2/5", drop="all")) == by_api(browser)


def test_only_the_court_of_the_case_and_those_above_it_are_asked_for(browser: TestClient) -> None:
    case = browser.post("/api/v1/search", json={"text": FACTS, "k": 1}).json()["hits"][0]
    page = asked(browser, court=case["court"], own_courts="1")
    assert cases(page) == by_api(browser, filters=[f"court_above={case['court']}"])
    assert case["id"] in cases(page)
    assert cases(asked(browser, court=case["court"])) == by_api(browser)
    assert page.one("button", data_chip="own_courts")


def test_filters_are_kept_for_the_same_facts_and_not_for_others(browser: TestClient) -> None:
    page = asked(browser, charge="盗窃罪")
    kept = {one.attributes["name"]: one.attributes["value"] for one in page.all("input", form="ask")}
    assert kept == {"asked": FACTS, "charge": "盗窃罪"}
    assert cases(asked(browser, **kept)) == by_api(browser, filters=["charge=盗窃罪"])
    assert not asked(browser, **{**kept, "asked": "其他案情"}).all("button", data_chip="charge")


def test_facets_count_the_best_hits_and_offer_other_values(browser: TestClient) -> None:
    page = asked(browser, level="intermediate")
    api = {"text": FACTS, "k": 1, "filters": ["level=intermediate"], "include_facets": True}
    facets = browser.post("/api/v1/search", json=api).json()["facets"]
    assert {one["value"] for one in facets["level"]} >= {"basic", "intermediate"}
    all_hits = browser.post("/api/v1/search", json={**api, "k": 100}).json()["hits"]
    regions = [one["region"] for one in all_hits]
    assert {one["value"]: one["cases"] for one in facets["region"]} == {name: regions.count(name) for name in regions}
    for field, name in {"charge": "charge", "level": "level", "band": "band", "year": "date"}.items():
        boxes = page.all("input", type="checkbox", name=field)
        assert [one.attributes["value"] for one in boxes] == [one["value"] for one in facets[name]]
        assert all(one.attributes["form"] == "again" for one in boxes)
    assert [one.attributes["value"] for one in page.all("input", name="level", checked="")] == ["intermediate"]


@pytest.mark.parametrize("order", ["date", "level"])
def test_other_orders_are_those_of_the_api_and_ranks_stay(browser: TestClient, order: str) -> None:
    page = asked(browser, sort=order)
    hits = browser.post("/api/v1/search", json={"text": FACTS, "sort": order}).json()["hits"]
    shown = [(one.attributes["data-case"], int(one.attributes["data-rank"])) for one in page.all("article")]
    assert shown == [(hit["id"], hit["rank"]) for hit in hits]
    assert [rank for _, rank in shown] != list(range(1, 11))
    if order == "date":
        assert [hit["date"] for hit in hits] == sorted((hit["date"] for hit in hits), reverse=True)


@pytest.mark.parametrize("written", ["csv", "docx"])
def test_the_list_of_results_is_a_file(browser: TestClient, written: str) -> None:
    answer = browser.post("/export", data={"text": FACTS, "charge": "盗窃罪", "format": written})
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment")
    if written == "csv":
        rows = answer.text.splitlines()[1:]
        found = by_api(browser, filters=["charge=盗窃罪"])
        assert [row.split('","')[2] for row in rows] == found
    else:
        assert answer.content.startswith(b"PK")
    assert browser.post("/export", data={"text": FACTS, "format": "exe"}).status_code == 404


def test_a_place_of_the_walk_filters_and_says_so(browser: TestClient) -> None:
    page = asked(browser)
    button = next(one for one in page.all("button", name="at") if one.attributes["value"].count("/") == 2)
    node = button.attributes["value"]
    assert button.attributes["form"] == "again"
    there = asked(browser, at=node)
    assert cases(there) == by_api(browser, node=node)
    assert there.one("button", data_chip="node")
    assert [one.attributes["value"] for one in there.all("button", name="at", aria_pressed="true")] == [node]
    assert {one.attributes["value"] for one in there.all("input", name="node")} == {node}
    assert cases(asked(browser, node=node, drop="node")) == by_api(browser)
    assert cases(asked(browser, node="cn-criminal/2/3", at=node)) == by_api(browser, node=node)


def test_more_brings_more(browser: TestClient) -> None:
    first = asked(browser)
    assert len(cases(first)) == 10
    assert first.one("button", id="more")
    shown = first.one("input", name="shown").attributes["value"]
    second = asked(browser, "precedents", shown=shown, more="1")
    assert cases(second) == by_api(browser, k=20)
    assert second.one("h3", data_focus="").attributes["id"] == "hit-title-11"
    last = asked(browser, shown="100")
    assert len(cases(last)) == 100
    assert not last.all("button", id="more")


@pytest.mark.parametrize("shown", ["0", "-1", "x", "99999", "１０", "1e3", ""])
def test_a_number_that_makes_no_sense_is_one_that_does(browser: TestClient, shown: str) -> None:
    assert len(cases(asked(browser, shown=shown))) == 10


def test_penalties_are_those_of_the_cases_shown(browser: TestClient) -> None:
    page = asked(browser)
    hits = browser.post("/api/v1/search", json={"text": FACTS, "k": 10}).json()["hits"]
    counts = [one for hit in hits for one in hit["penalties_by_charge"] if one["charge"] == "盗窃罪"]
    months = sorted(one["penalty"]["months"] for one in counts if one["penalty"]["months"])
    about = page.one("details", class_="by-charge", data_charge="盗窃罪").attributes
    assert (about["data-shown"], about["data-terms"]) == (str(len(counts)), str(len(months)))
    middle = (months[(len(months) - 1) // 2] + months[len(months) // 2]) / 2
    assert float(about["data-median"]) == middle
    assert "not a prediction" in page.one("section", id="penalties").text
    charts = page.all("svg", role="img")
    assert len(charts) == len(page.all("details", class_="by-charge"))
    assert len(page.all("text", class_="axis has-median")) == len(charts)  # its bar may have no length


def test_nothing_found_says_what_to_do(browser: TestClient) -> None:
    page = asked(browser, charge="盗窃罪", article="刑法1")
    assert not cases(page)
    assert "Remove one" in page.one("div", id="nothing").text
    assert len(page.all("button", name="drop")) == 3
    assert {one.attributes["name"] for one in page.all("input", checked="")} == {"charge", "article"}
    assert not page.all(id="penalties")


def test_picks_stay_whatever_is_shown(browser: TestClient) -> None:
    first, *_, last = cases(asked(browser))
    page = seen(browser.post("/search", data={"text": FACTS, "pick": [first, "c0001"]}))
    checked = {one.attributes["value"] for one in page.all("input", name="pick", checked="")}
    hidden = {one.attributes["value"] for one in page.all("input", name="pick", type="hidden")}
    assert checked | hidden == {first, "c0001"}
    assert last not in checked
    assert page.one("span", id="picked-count").text == "2"
