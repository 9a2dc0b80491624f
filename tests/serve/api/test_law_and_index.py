"""The law from its root, with what hangs under it, and what the service says of the index."""

import hashlib
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from lexgear.api import train
from lexgear.corpus.records import Collection
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.index.manifest import read_manifest
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from serve.conftest import HERE


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_whole_law_can_be_walked_and_every_case_is_found_below(client: TestClient, collection: Collection) -> None:
    root = get(client, "/law")
    assert root["cases"] == len(collection.documents)
    seen, todo = {}, [node["id"] for node in root["roots"]]
    while todo:
        place = get(client, f"/law/{todo.pop()}", k=100)
        seen[place["id"]] = place
        assert [step["id"] for step in place["path"]][-1] == place["id"]
        assert place["children"] == len(place["below"])
        todo += [child["id"] for child in place["below"]]
    assert seen.keys() == collection.law.nodes.keys()
    thefts = [one.id for one in collection.documents if "盗窃罪" in one.charges]
    charge = seen["cn-criminal/2/5/264/盗窃罪"]
    assert [one["id"] for one in charge["documents"]] == sorted(thefts)
    assert charge["cases"] == len(thefts)
    assert charge["text"] == collection.law["cn-criminal/2/5/264/盗窃罪"].text
    assert seen["cn-criminal/2/5/264"]["text"] is None
    inside = {
        one.id for one in collection.documents for name in one.charges if _under(collection, name, "cn-criminal/2/5")
    }
    assert seen["cn-criminal/2/5"]["cases"] == len(inside)


def _under(collection: Collection, charge: str, place: str) -> bool:
    return any(node.number == charge and node.id.startswith(f"{place}/") for node in collection.law.of_kind("charge"))


def test_documents_of_a_place_come_in_pages(client: TestClient) -> None:
    first = get(client, "/law/cn-criminal", k=3)
    second = get(client, "/law/cn-criminal", k=3, offset=first["next_offset"])
    assert [one["id"] for one in (*first["documents"], *second["documents"])] == [
        one["id"] for one in get(client, "/law/cn-criminal", k=6)["documents"]
    ]
    assert get(client, "/law/cn-criminal", k=0)["documents"] == []


def test_the_index_is_told_with_its_checksum_its_filters_and_its_limits(
    client: TestClient, index_dir: Path, collection: Collection
) -> None:
    about = get(client, "/index")
    manifest = (index_dir / "manifest.json").read_bytes()
    assert about["sha256"] == hashlib.sha256(manifest).hexdigest()
    assert about["documents"] == read_manifest(index_dir).documents
    assert about["limits"]["k"] == 100
    assert "api_key" not in about["limits"]
    for name in ("charge", "level", "region", "penalty"):
        value = about["facets"][name][0]
        found = client.post(
            "/api/v1/search",
            json={"text": "被告人某某于某日", "k": 100, "filters": [f"{name}={value['value']}"]},
        ).json()
        assert len(found["hits"]) == min(value["cases"], 100)
    years = [int(year["value"]) for year in about["facets"]["date"]]
    assert years == sorted(years)
    assert sum(year["cases"] for year in about["facets"]["date"]) == len(collection.documents)


def test_statutes_hang_at_their_own_articles_with_their_texts(tmp_path: Path) -> None:
    statutes = sample_statutes()
    train(statutes, BM25(), tmp_path / "index")
    with TestClient(create_app(tmp_path / "index"), HERE) as client:
        assert get(client, "/law")["unplaced"] == 0
        article = statutes.documents[0]
        place = get(client, f"/law/{article.node}")
        assert [one["id"] for one in place["documents"]] == [article.id]
        assert place["text"] == (statutes.law[article.node].text or None)
        case = get(client, f"/cases/{article.id}")
        assert case["sections"] == dict(article.sections)
        assert case["node"] == article.node
        assert case["paths"][0][-1]["id"] == article.node
        assert case["court"] is None
        asked = {"text": statutes.queries[0].text, "with": article.id}
        assert client.post("/api/v1/compare", json=asked).status_code == 200
        assert client.post("/api/v1/rationale", json={"text": asked["text"]}).status_code == 200
