"""Unusual and malicious texts at every endpoint: an answer or a clear error before the deadline."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from lexgear.serve.api.errors import ApiError
from lexgear.serve.validation import check_text

JSON = {"Content-Type": "application/json"}
TEXTS = {
    "nul": "翻墙\0进入\0\0商店",
    "controls": "".join(map(chr, range(32))) + "\x7f\x80\x9f翻墙进入商店\u2028\u2029\ufeff\u202e",
    "escapes": "\x1b[2J\x1b]0;翻墙\x07<script>alert(1)</script>{{7*7}}%s%n../../etc/passwd' OR 1=1 --",
    "non-characters": "\ufffe\uffff\U0010ffff翻墙",
    "nothing but space": " \t\n　" * 1000,
    "nothing but stops": "。" * 50_000,
    "no stop": "墙" * 100_000,
    "one word": "a" * 100_000,
    "emoji": "👨‍👩‍👧‍👦" * 2000,
    "right to left": "حصان" * 20_000,
    "half of NFKC's reach": "\ufdfa" * 5000,
    "marks within reason": ("墙" + "\u0301\u0316" * 15) * 2000,
    "figures": "9" * 100_000,
    "quotes": "”" * 100_000,
    "percent": "%" * 10_000,
}
REFUSED = {
    "lone surrogate": "翻墙\ud800",
    "low surrogate first": "\udc00\ud800翻墙",
    "NFKC bomb": "\ufdfa" * 100_000,
    "marks without end": "a" + "\u0301\u0316" * 49_000,
    "marks that look like letters": "\u0f40" + "\u0f73" * 90_000,
    "a million": "墙" * 300_000,
}


def requests(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The text wherever one can stand."""
    return [
        ("search", {"text": text}),
        ("search/batch", {"searches": [{"text": text, "k": 1}]}),
        ("judge", {"text": text}),
        ("rationale", {"text": text}),
        ("compare", {"text": text, "with": "c0001"}),
        ("search", {"text": "翻墙", "filters": [text]}),
        ("search", {"text": "翻墙", "filters": [f"court={text}"]}),
        ("search", {"text": "翻墙", "node": text}),
        ("compare", {"case": text, "with": "c0001"}),
        ("compare", {"case": "c0001", "with": text}),
        ("report", {"text": text, "cases": [{"id": "c0001"}], "format": "json"}),
        ("report", {"text": "翻墙", "disputes": [text], "by": text, "format": "json"}),
    ]


def ask(client: TestClient, path: str, body: dict[str, Any]) -> Any:
    from json import dumps

    answer = client.post(f"/api/v1/{path}", content=dumps(body).encode(), headers=JSON)
    assert answer.status_code < 500, (path, answer.text[:300])
    assert answer.json()
    return answer


@pytest.mark.parametrize("name", TEXTS)
def test_a_strange_text_is_answered(client: TestClient, name: str) -> None:
    answers = [ask(client, path, body) for path, body in requests(TEXTS[name])]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    for sentence in answers[3].json()["sentences"]:
        assert TEXTS[name][sentence["start"] : sentence["end"]] == sentence["text"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_that_cannot_be_read_is_refused_and_not_repeated(client: TestClient, name: str) -> None:
    for path, body in requests(REFUSED[name])[:5]:
        answer = ask(client, path, body)
        assert answer.status_code in (413, 422)
        assert len(answer.content) < 1000
    for path, body in requests(REFUSED[name])[5:]:
        assert ask(client, path, body).status_code in (404, 413, 422)


def test_two_megabytes_of_text_are_refused(client: TestClient) -> None:
    for path in ("search", "judge", "rationale"):
        assert ask(client, path, {"text": "a" * 2_000_000}).status_code == 413


@pytest.mark.parametrize(
    "name", ["%00", "%ff%fe", "%ed%a0%80", "../../etc/passwd", "%2e%2e%2f", "'--", "a" * 5000, "墙", "%0d%0aX-Evil:1"]
)
def test_strange_paths_are_not_found(client: TestClient, name: str) -> None:
    for path in ("/api/v1/cases/", "/api/v1/law/", "/"):
        answer = client.get(path + name)
        assert answer.status_code == 404
        assert "X-Evil" not in answer.headers


@pytest.mark.parametrize(
    "body", [b'{"\\ud800": 1}', b'{"text": "a", "\\udfff": {}}', b'{"text": NaN}', b'{"text": {}}']
)
def test_strange_fields_are_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/v1/judge", content=body, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["where"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("search", {"text": "x", "filters": [1] * 1000}),
        ("search", {f"k{number}": 1 for number in range(1000)}),
        ("search/batch", {"searches": [1] * 1000}),
        ("search/batch", {"searches": [{f"k{number}": 1 for number in range(1000)}] * 32}),
        ("report", {"text": "x", "cases": [{}] * 1000}),
        ("report", {"text": "x", "disputes": [1] * 1000, "filters": [1] * 1000}),
    ],
)
def test_thousands_of_wrong_values_are_not_reported_one_by_one(client: TestClient, path: str, body: object) -> None:
    """A megabyte of them took four seconds, in which nothing else was answered, and gave an answer of 36 megabytes."""
    answer = client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == 422
    assert 1 <= len(answer.json()["where"]) <= 5


def test_strange_numbers_of_a_page_are_refused(client: TestClient) -> None:
    for query in ("k=x", "k=-1", "k=101", "offset=1e9", f"offset={'9' * 5000}", "offset=-1", "k=%00"):
        assert client.get(f"/api/v1/law/cn-criminal?{query}").status_code == 422
    assert client.get(f"/api/v1/law/cn-criminal?offset={2**31}").json()["documents"] == []


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(), min_size=1, max_size=200))
def test_any_text_is_answered_or_refused(client: TestClient, text: str) -> None:
    statuses = {ask(client, path, body).status_code for path, body in requests(text)[:5]}
    assert statuses in ({200}, {422})


def test_long_runs_of_marks_are_refused_before_they_are_normalised(monkeypatch: pytest.MonkeyPatch) -> None:
    def quadratic(form: str, text: str) -> str:
        raise AssertionError("normalising takes time that grows with the square of the length")

    for text in ("a" + "\u0301\u0316" * 49_000, "\u0f40" + "\u0f73" * 90_000, "\u0344" * 90_000):
        with monkeypatch.context() as patched, pytest.raises(ApiError) as refused:
            patched.setattr("unicodedata.normalize", quadratic)
            check_text(text, 100_000)
        assert refused.value.where[0].code == "too_many_marks"
    assert check_text("e" + "\u0301" * 30, 100) == "e" + "\u0301" * 30
