"""The access log has id, route, length and time of a request, and nothing of its text."""

import logging
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from lexgear.serve.app import create_app
from serve.conftest import HERE

SECRET = "张三丰在松鹤楼偷走了一只青花瓷瓶"


def test_facts_are_never_logged(
    index_dir: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    app = create_app(index_dir)
    with TestClient(app, HERE) as client, caplog.at_level(logging.DEBUG):
        for path in ("search", "judge", "rationale", "compare"):
            client.post(f"/api/v1/{path}", json={"text": SECRET, **({"with": "c0001"} if path == "compare" else {})})
            client.post(f"/api/v1/{path}", json={"text": SECRET, "k": SECRET, SECRET: 1})
            client.post(f"/api/v1/{path}?text={SECRET}", content=SECRET.encode())
        client.post("/api/v1/search", json={"text": SECRET, "filters": [SECRET], "node": SECRET})
        client.get(f"/{SECRET}?{SECRET}")
        client.get(f"/api/v1/cases/{SECRET}", headers={"X-Request-Id": SECRET.encode().hex() * 9})
        client.get(f"/api/v1/law/{SECRET}", headers={"User-Agent": SECRET.encode().hex()})
        app.state.versions.current.served_index.index.stored.catalogue.close()
        client.post("/api/v1/search", json={"text": SECRET})  # fails inside
    written = capfd.readouterr()
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("lexgear", "uvicorn"))]
    assert len(ours) > 15
    everything = "\n".join(ours) + written.out + written.err + client.get("/metrics").text
    for piece in (SECRET, SECRET[:2], SECRET.encode().hex()[:20], "%E5%BC%A0"):
        assert piece not in everything
    assert f"characters={len(SECRET)}" in everything


def test_one_line_a_request(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "lexgear.serve"):
        answer = client.post("/api/v1/judge", json={"text": "翻墙"})
    [line] = [record.getMessage() for record in caplog.records if record.name == "lexgear.serve"]
    assert re.fullmatch(r"[0-9a-f]{16} POST /api/v1/judge 200 \d+ms characters=2", line)
    assert line.startswith(answer.headers["X-Request-Id"])


@pytest.mark.parametrize(("given", "kept"), [("order-7.a_B", True), ("a b", False), ("x" * 65, False), ("", False)])
def test_a_clients_own_id_is_kept_where_it_is_safe_to_print(client: TestClient, given: str, kept: bool) -> None:
    answer = client.get("/health", headers={"X-Request-Id": given})
    assert (answer.headers["X-Request-Id"] == given) is kept


def samples(client: TestClient) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """The metrics as Prometheus reads them."""
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = text_string_to_metric_families(answer.text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def test_metrics_count_by_route_and_status(client: TestClient) -> None:
    before = samples(client)
    client.post("/api/v1/judge", json={"text": "翻墙"})
    client.post("/api/v1/judge", json={})
    client.get("/api/v1/cases/nobody")
    client.request("BREW", "/nowhere")
    after = samples(client)

    def added(name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return after[key] - before.get(key, 0.0)

    for method, route, status in (
        ("POST", "/api/v1/judge", "200"),
        ("POST", "/api/v1/judge", "422"),
        ("GET", "/api/v1/cases/{case_id:path}", "404"),
        ("OTHER", "unknown", "404"),
    ):
        assert added("lexgear_requests_total", method=method, route=route, status=status) == 1
    assert added("lexgear_request_seconds_count", route="/api/v1/judge") == 2
    assert added("lexgear_request_seconds_bucket", route="/api/v1/judge", le="+Inf") == 2
    assert added("lexgear_batch_size_count") == added("lexgear_batch_size_sum") == 1
    assert after["lexgear_queue_length", frozenset()] == 0


def test_apps_in_one_process_count_apart(client: TestClient, words_dir: Path) -> None:
    client.get("/health")
    with TestClient(create_app(words_dir), HERE) as other:
        assert not [name for name, labels in samples(other) if ("route", "/health") in labels]
