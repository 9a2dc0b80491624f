"""The report over HTTP: every format, its own policy, what is refused, and input that tries to be more than text."""

import csv
import io
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import docx
import pytest
from starlette.testclient import TestClient

from lexgear.api import Index
from lexgear.corpus.records import Query
from lexgear.report.writers.markdown import escape_markdown
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from report.conftest import CONTROL, FIELD, FORMULA, MARKDOWN, MARKUP
from report.writers.test_html import ALLOWED, ATTRIBUTES, Seen
from serve.api.test_errors import refused
from serve.conftest import HERE

REPORT = "/api/v1/report"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EVERYTHING = f"{MARKUP}\n{MARKDOWN}\n{FORMULA}\n{FIELD}\n{CONTROL}"


@pytest.fixture(scope="module")
def asked(index: Index, unseen: list[Query]) -> dict[str, Any]:
    text = unseen[0].text
    first, second, third = (hit.document.id for hit in index.search(text, 3))
    cases = [
        {"id": third, "use": "distinguished", "remark": "数额悬殊"},
        {"id": first, "use": "followed"},
        {"id": second},
    ]
    return {"text": text, "k": 5, "cases": cases, "disputes": ["是否入户？"], "by": "王法官助理", "title": "某某盗窃案"}


@pytest.mark.parametrize(
    ("name", "media_type", "suffix"),
    [
        ("docx", WORD, ".docx"),
        ("html", "text/html; charset=utf-8", ".html"),
        ("md", "text/markdown; charset=utf-8", ".md"),
        ("json", "application/json", ".json"),
        ("csv", "text/csv; charset=utf-8", ".csv"),
    ],
)
def test_a_report_comes_in_every_format(
    client: TestClient, asked: dict[str, Any], name: str, media_type: str, suffix: str
) -> None:
    answer = client.post(REPORT, json={**asked, "format": name})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media_type
    kept = "inline" if name == "html" else "attachment"
    how, _, filename = answer.headers["Content-Disposition"].partition("; filename*=UTF-8''")
    assert (how, unquote(filename)[:7], unquote(filename)[-len(suffix) :]) == (kept, "类案检索报告 ", suffix)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_page_of_a_report_has_the_policy_of_its_own_style(client: TestClient, asked: dict[str, Any]) -> None:
    for language in ("zh", "fr", "en"):
        page = client.post(REPORT, json={**asked, "format": "html", "language": language})
        [own] = re.findall('<meta http-equiv="Content-Security-Policy" content="(.*?)">', page.text)
        assert page.headers["Content-Security-Policy"] == unescape(own)
    other = client.post(REPORT, json={**asked, "format": "json"})
    assert "script-src 'self'" in other.headers["Content-Security-Policy"]


def test_cases_stand_in_the_order_and_with_the_use_that_were_chosen(client: TestClient, asked: dict[str, Any]) -> None:
    report = client.post(REPORT, json={**asked, "format": "json", "organisation": "碧川区人民法院"}).json()
    assert [(case["id"], case["use"], case["remark"]) for case in report["cases"]] == [
        (asked["cases"][0]["id"], "distinguished", "数额悬殊"),
        (asked["cases"][1]["id"], "followed", None),
        (asked["cases"][2]["id"], "open", None),
    ]
    assert [case["rank"] for case in report["cases"]] == [3, 1, 2]
    assert (report["search"]["by"], report["search"]["organisation"]) == ("王法官助理", "碧川区人民法院")
    assert report["search"]["found"] == 5
    assert all(quote["text"] for case in report["cases"] for quote in case["key_points"])
    hits = client.post("/api/v1/search", json={"text": asked["text"], "k": 5}).json()["hits"]
    assert [(one["id"], one["score"]) for one in report["results"]] == [(hit["id"], hit["score"]) for hit in hits]


def test_filters_and_a_place_of_the_law_are_told_with_how_many_were_searched(
    client: TestClient, asked: dict[str, Any]
) -> None:
    narrow = {"filters": ["level=basic"], "node": "cn-criminal/2/5", "format": "json", "cases": []}
    search = client.post(REPORT, json={**asked, **narrow}).json()["search"]
    below = client.get("/api/v1/law/cn-criminal/2/5").json()["cases"]
    assert (search["node"], search["filters"]) == ("cn-criminal/2/5", ["level=basic"])
    assert 0 < search["searched"] <= below < search["index"]["documents"]


def test_names_are_masked_unless_asked_for_and_never_where_nobody_may_see_them(
    client: TestClient, index_dir: Path, asked: dict[str, Any]
) -> None:
    plain = {**asked, "text": "被告人李明辉翻墙进入商店，拿走现金。", "format": "json", "masked": False}
    assert "李明辉" not in client.post(REPORT, json={**plain, "masked": True}).text
    assert "李明辉" in client.post(REPORT, json=plain).text
    with TestClient(create_app(index_dir, ServeSettings(unmask=False)), HERE) as strict:
        error = refused(strict.post(REPORT, json=plain), 422)
        assert error["where"][0]["field"] == "body.masked"
        assert strict.post(REPORT, json={**plain, "masked": True}).status_code == 200


@pytest.mark.parametrize(
    ("change", "status", "field_or_code"),
    [
        ({"cases": [{"id": "nobody"}]}, 404, "unknown_document"),
        ({"cases": [{"id": "\0"}]}, 404, "unknown_document"),
        ({"node": "nowhere"}, 404, "unknown_place"),
        ({"cases": [{"id": "c0001"}, {"id": "c0001"}]}, 422, "body.cases"),
        ({"cases": [{"id": "c0001", "use": "obeyed"}]}, 422, "body.cases.0.use"),
        ({"cases": [{"id": f"c{at}"} for at in range(101)]}, 422, "body.cases"),
        ({"format": "pdf"}, 422, "body.format"),
        ({"language": "de"}, 422, "body.language"),
        ({"k": 101}, 422, "body.k"),
        ({"k": 0}, 422, "body.k"),
        ({"filters": ["level=basic"] * 21}, 422, "body.filters"),
        ({"filters": ["colour=red"]}, 422, "invalid_filter"),
        ({"disputes": ["?"] * 51}, 422, "body.disputes"),
        ({"disputes": ["x" * 10_001]}, 422, "body.disputes.0"),
        ({"by": "x" * 501}, 422, "body.by"),
        ({"by": "e" + "\u0301" * 400}, 422, "body.by"),
        ({"disputes": ["好", "a" + "\u0301\u0316" * 4000]}, 422, "body.disputes.1"),
        ({"text": ""}, 422, "body.text"),
        ({"text": "墙" * 100_001}, 422, "body.text"),
        ({"colour": "red"}, 422, "body.colour"),
        ({"masked": "yes"}, 422, "body.masked"),
    ],
)
def test_what_cannot_be_reported_is_refused(
    client: TestClient, asked: dict[str, Any], change: dict[str, Any], status: int, field_or_code: str
) -> None:
    is_field = field_or_code.startswith("body.")
    error = refused(client.post(REPORT, json={**asked, **change}), status, "" if is_field else field_or_code)
    assert not is_field or error["where"][0]["field"].startswith(field_or_code)


def hostile(asked: dict[str, Any]) -> dict[str, Any]:
    cases = [{"id": case["id"], "remark": EVERYTHING} for case in asked["cases"]]
    cases[1]["remark"] = FORMULA
    said = dict.fromkeys(("by", "organisation", "title", "number"), EVERYTHING[:450])
    return {**asked, **said, "text": asked["text"] + EVERYTHING, "cases": cases, "disputes": [EVERYTHING, FORMULA]}


def test_hostile_input_is_text_in_every_format(client: TestClient, asked: dict[str, Any]) -> None:
    told = {
        name: client.post(REPORT, json={**hostile(asked), "format": name})
        for name in ("docx", "html", "md", "json", "csv")
    }
    assert {answer.status_code for answer in told.values()} == {200}
    for row in csv.reader(io.StringIO(told["csv"].content.decode("utf-8-sig"), newline="")):
        assert not any(cell.lstrip().startswith(("=", "+", "@", "\t", "\r")) for cell in row)
    seen = Seen(told["html"].text)
    assert seen.tags <= ALLOWED
    assert seen.attributes <= ATTRIBUTES
    assert not set("\0\x1b\u202e") & set(told["html"].text + told["md"].text)
    assert escape_markdown(MARKDOWN) in told["md"].text
    assert not re.search(r"(?<!\\)<(?!br>)", told["md"].text)
    document = docx.Document(io.BytesIO(told["docx"].content))
    assert MARKUP in "\n".join(cell.text for table in document.tables for cell in table._cells)
    assert b'TargetMode="External"' not in told["docx"].content
    assert told["json"].json()["pending"]["disputes"] == [EVERYTHING, FORMULA]


def test_a_hundred_cases_are_reported(client: TestClient, asked: dict[str, Any], index: Index) -> None:
    cases = [{"id": hit.document.id} for hit in index.search(asked["text"], 100)]
    report = client.post(REPORT, json={**asked, "k": 100, "cases": cases, "format": "json"}).json()
    assert len(report["cases"]) == len(cases) > 90
