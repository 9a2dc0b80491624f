"""The Python API, the command line and the service say the same."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.api import Index
from lexgear.cli import main
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.skips import Skips
from lexgear.corpus.store import save_collection
from lexgear.files import dumps


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["lexgear", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    return json.loads(capsys.readouterr().out)


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A hit or a case of the service as `documents.jsonl` would have it: steps by their ids, nothing absent."""
    return explained(row | {"paths": [[step["id"] for step in path] for path in row["paths"]]})


def _without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nothing(one) for name, one in value.items() if one is not None and one != []}
    return [_without_nothing(one) for one in value] if isinstance(value, list) else value


def explained(row: dict[str, Any]) -> dict[str, Any]:
    """A hit of the API or the command line in the same shape."""
    return {**_without_nothing(row), "charges": row["charges"], "paths": row["paths"]}


@pytest.mark.parametrize("filters", [[], ["level=basic", "date>=2017"]])
def test_a_search_finds_the_same_wherever_it_is_asked_for(
    filters: list[str],
    client: TestClient,
    index: Index,
    index_dir: Path,
    unseen: list[Query],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = unseen[0].text
    asked = client.post("/api/v1/search", json={"text": text, "k": 7, "filters": filters, "include_text": True})
    served = [plain(hit) for hit in asked.json()["hits"]]
    in_python = [explained(json.loads(dumps(hit.to_row()))) for hit in index.search(text, 7, filters)]
    options = [part for one in filters for part in ("--filter", one)]
    on_screen = printed(capsys, monkeypatch, "search", str(index_dir), "--text", text, "--k", "7", "--json", *options)
    assert len(served) == 7
    assert served == in_python == [explained(hit) for hit in on_screen]
    assert any(abs(hit["explanation"]["content"]) > 0 for hit in served)


def test_a_judgment_is_the_same_wherever_it_is_asked_for(
    client: TestClient,
    index: Index,
    index_dir: Path,
    unseen: list[Query],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for text in (unseen[1].text, "今天天气很好。"):
        served = client.post("/api/v1/judge", json={"text": text}).json()
        assert served == json.loads(dumps(index.judge(text).to_row()))
        assert served == printed(capsys, monkeypatch, "judge", str(index_dir), "--text", text, "--json")


def test_a_rationale_is_that_of_the_judgment_and_of_the_command(
    client: TestClient,
    index: Index,
    collection: Collection,
    unseen: list[Query],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = unseen[2].text
    save_collection(collection, tmp_path / "collection", Skips())
    served = client.post("/api/v1/rationale", json={"text": text}).json()
    assert served == index.judge(text).to_row()["rationale"]
    assert served == printed(capsys, monkeypatch, "rationale", str(tmp_path / "collection"), "--text", text, "--json")
    for part in (*served["words"], *served["sentences"]):
        assert text[part["start"] : part["end"]] == part["text"]


def test_a_case_is_the_document_that_the_index_holds(client: TestClient, index: Index, collection: Collection) -> None:
    for document in collection.documents[:5]:
        served = client.get(f"/api/v1/cases/{document.id}").json()
        [found] = [hit for hit in index.search(document.text[:300], 160) if hit.document.id == document.id]
        expected = {
            name: value for name, value in found.to_row().items() if name not in ("rank", "score", "explanation")
        }
        assert plain(served) == explained(json.loads(dumps(expected)))
