"""Every error is one model, tells what is wrong and where, and stands in the description."""

import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.serve.api.errors import CODES
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from serve.conftest import HERE

JSON = {"Content-Type": "application/json"}
SEARCH = "/api/v1/search"


def refused(answer: Any, status: int, code: str = "") -> Any:
    """The error, whose shape is that of all errors."""
    assert answer.status_code == status, answer.text
    error = answer.json()
    assert error.keys() == {"code", "message", "parameters", "where", "request_id"}
    assert error["code"] == (code or CODES[status][0])
    assert error["request_id"] == answer.headers["X-Request-Id"]
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    return error


@pytest.mark.parametrize(
    ("body", "field", "code", "problem"),
    [
        ({}, "body.text", "missing", "required"),
        ({"text": ""}, "body.text", "string_too_short", "at least 1"),
        ({"text": 7}, "body.text", "string_type", "string"),
        ({"text": None}, "body.text", "string_type", "string"),
        ({"text": "翻墙", "k": 0}, "body.k", "greater_than_equal", "greater than or equal to 1"),
        ({"text": "翻墙", "k": 101}, "body.k", "less_than_equal", "at most 100"),
        ({"text": "翻墙", "k": "10"}, "body.k", "int_type", "integer"),
        ({"text": "翻墙", "k": True}, "body.k", "int_type", "integer"),
        ({"text": "翻墙", "k": 1.5}, "body.k", "int_type", "integer"),
        ({"text": "翻墙", "k": 10**400}, "body.k", "less_than_equal", "at most 100"),
        ({"text": "翻墙", "offset": -1}, "body.offset", "greater_than_equal", "greater than or equal to 0"),
        ({"text": "翻墙", "offset": 995}, "body.offset", "less_than_equal", "at most 1000"),
        ({"text": "翻墙", "filters": ["level=basic"] * 21}, "body.filters", "too_long", "at most 20"),
        ({"text": "翻墙", "filters": ["court=" + "x" * 500]}, "body.filters", "string_too_long", "too long"),
        ({"text": "翻墙", "filters": [1]}, "body.filters.0", "string_type", "string"),
        ({"text": "翻墙", "colour": "red"}, "body.colour", "extra_forbidden", "not permitted"),
        ({"text": "墙" * 100_001}, "body.text", "text_too_long", "100,001 characters; the limit is 100,000"),
        ([1, 2], "body", "model_attributes_type", "dictionary"),
        (None, "body", "missing", "required"),
    ],
)
def test_an_invalid_field_is_reported_with_its_code(
    client: TestClient, body: Any, field: str, code: str, problem: str
) -> None:
    error = refused(client.post(SEARCH, json=body), 422)
    assert (error["where"][0]["field"], error["where"][0]["code"]) == (field, code)
    assert problem in error["where"][0]["problem"]


def test_the_parameters_of_an_error_hold_what_a_translation_needs(client: TestClient) -> None:
    where = refused(client.post(SEARCH, json={"text": "墙" * 100_001}), 422)["where"]
    assert where[0]["parameters"] == {"length": 100_001, "limit": 100_000}
    where = refused(client.post(SEARCH, json={"text": "翻墙", "k": 0}), 422)["where"]
    assert where[0]["parameters"] == {"ge": 1}
    body = {"text": "翻墙", "filters": ["months<x"]}
    assert refused(client.post(SEARCH, json=body), 422, "invalid_filter")["parameters"] == {"filter": "months<x"}


@pytest.mark.parametrize(
    ("filters", "code", "message"),
    [
        (["colour=red"], "invalid_filter", "filter 'colour=red': cannot be read (write NAME=VALUE"),
        (["charge=无此罪"], "unknown_charge", "filter: unknown charge '无此罪'"),
        (["months<x"], "invalid_filter", "whole number"),
        (["date=2015-99"], "invalid_filter", "no such date"),
        (["level<basic"], "invalid_filter", "compared with = and != only"),
    ],
)
def test_an_invalid_filter_is_explained(client: TestClient, filters: list[str], code: str, message: str) -> None:
    assert message in refused(client.post(SEARCH, json={"text": "翻墙", "filters": filters}), 422, code)["message"]


def test_more_searches_than_a_request_takes_are_refused(client: TestClient) -> None:
    body = {"searches": [{"text": "翻墙"}] * 33}
    assert refused(client.post(f"{SEARCH}/batch", json=body), 422)["where"][0]["field"] == "body.searches"
    inside = {"searches": [{"text": "翻墙"}, {"text": "翻墙", "k": 101}]}
    assert refused(client.post(f"{SEARCH}/batch", json=inside), 422)["where"][0]["field"] == "body.searches.1.k"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/nowhere", "not_found"),
        ("/api/v1/cases/nobody", "unknown_document"),
        ("/api/v1/law/nowhere", "unknown_place"),
        ("/api/v1/cases/", "unknown_document"),
        ("/docs", "not_found"),
    ],
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str, code: str) -> None:
    refused(client.get(path), 404, code)


def test_a_case_or_a_place_that_is_not_there_cannot_be_asked_about(client: TestClient) -> None:
    refused(client.post("/api/v1/compare", json={"text": "翻墙", "with": "nobody"}), 404, "unknown_document")
    refused(client.post(SEARCH, json={"text": "翻墙", "node": "nowhere"}), 404, "unknown_place")


def test_another_method_is_refused(client: TestClient) -> None:
    assert refused(client.get(SEARCH), 405)
    assert refused(client.delete("/health"), 405)


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"k": ' + b"1" * 5000 + b"}", b'{"text": "\xc3"}']
)
def test_what_is_no_json_is_refused(client: TestClient, content: bytes) -> None:
    answer = client.post(SEARCH, content=content, headers=JSON)
    refused(answer, 400)


def test_a_body_of_another_kind_is_refused(client: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        refused(client.post(SEARCH, content=b'{"text": "a"}', headers={"Content-Type": kind}), 422)


def test_a_body_is_refused_before_it_has_come_to_its_end(client: TestClient) -> None:
    sent = 0

    def endless() -> Any:
        nonlocal sent
        for _ in range(1000):
            sent += 2**16
            yield b"a" * 2**16

    error = refused(client.post(SEARCH, content=b" " * (2**20 + 1), headers=JSON), 413)
    assert "1,048,576 bytes" in error["message"]
    fits = client.post(SEARCH, content=b'{"text": "\xe5\xa2\x99"}'.ljust(2**20), headers=JSON)
    assert fits.status_code == 200
    refused(client.post(SEARCH, content=endless(), headers=JSON), 413)


def test_a_form_of_too_many_fields_is_refused(client: TestClient) -> None:
    form, filled = {"Content-Type": "Application/X-WWW-Form-Urlencoded; charset=utf-8"}, b"text=%E5%A2%99"
    pieces = (b"&" * 2**10 for _ in range(2**10))
    assert client.post("/search", content=pieces, headers=form).status_code == 413
    assert client.post("/search", content=filled + b"&" * 999, headers=form).status_code == 200
    assert client.post("/search", content=filled + b"&" * 1000, headers=form).status_code == 413
    refused(client.post(SEARCH, content=b"&" * 2000, headers=JSON), 400)


def test_a_fault_of_ours_says_no_more_than_its_id_and_the_log_where_it_was(
    index_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(index_dir)
    with TestClient(app, HERE) as client:
        app.state.versions.current.served_index.index.stored.catalogue.close()
        with caplog.at_level(logging.INFO, "lexgear.serve"):
            error = refused(client.get("/api/v1/cases/c0001"), 500)
            del app.state.versions.current.served_index.placement
            refused(client.get("/api/v1/law"), 500)
    assert str(index_dir) not in error["message"]
    assert [record.levelname for record in caplog.records].count("ERROR") == 2
    assert "InputError at" in caplog.text
    assert "AttributeError at" in caplog.text


def test_without_a_worker_the_service_is_not_healthy(index_dir: Path) -> None:
    app = create_app(index_dir)
    with TestClient(app, HERE) as client:
        assert client.get("/health").json()["status"] == "ok"
        app.state.versions.current.worker.close()
        refused(client.get("/health"), 503)
        refused(client.post("/api/v1/judge", json={"text": "翻墙"}), 503)


def test_every_error_of_every_endpoint_stands_in_the_description(client: TestClient) -> None:
    description = client.get("/api/v1/openapi.json").json()
    for path, methods in description["paths"].items():
        for operation in methods.values():
            told = {int(status) for status in operation["responses"]}
            assert {200, 401, 421, 500, 504} <= told, path
            if "requestBody" in operation:
                assert {400, 413, 422, 429, 503} <= told, path
                assert operation["requestBody"]["content"]["application/json"]["schema"]
            for status in told - {200}:
                content = operation["responses"][str(status)]["content"]["application/json"]
                assert content["schema"]["$ref"].endswith("/ErrorAnswer")
                assert content["example"]["code"] == CODES[status][0]
    schemas = description["components"]["schemas"]
    assert "HTTPValidationError" not in schemas
    assert schemas["SearchRequest"]["properties"]["k"]["maximum"] == 100
    assert schemas["SearchRequest"]["properties"]["text"]["maxLength"] == 100_000
    assert schemas["SearchRequest"]["examples"]


def test_the_description_tells_the_limits_and_the_keys_of_this_service(index_dir: Path) -> None:
    app = create_app(index_dir, ServeSettings(k=7, text_characters=99, api_key="secret"))
    description = app.openapi()
    assert description["components"]["schemas"]["SearchRequest"]["properties"]["k"]["maximum"] == 7
    assert description["components"]["schemas"]["TextRequest"]["properties"]["text"]["maxLength"] == 99
    assert description["security"] == [{"bearer": []}, {"header": []}]
