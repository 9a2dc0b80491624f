"""The Python API, the command line and the service say the same."""

import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.api import Index
from lexgear.cli import main
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.files import dumps
from lexgear.report.build import build_report
from lexgear.report.formats import format_named
from lexgear.report.model import Entries


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


def test_a_judgment_by_the_law_of_a_date_is_the_same_wherever_it_is_asked_for(
    client: TestClient,
    index: Index,
    index_dir: Path,
    unseen: list[Query],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text, day = unseen[1].text, "1999-01-01"
    served = client.post("/api/v1/judge", json={"text": text, "date": day}).json()
    assert served["act_date"] == {"date": day, "start": None, "end": None}
    assert served == json.loads(dumps(index.judge(text, day).to_row()))
    assert served == printed(capsys, monkeypatch, "judge", str(index_dir), "--text", text, "--date", day, "--json")

    refused = client.post("/api/v1/judge", json={"text": text, "date": "1999-02-29"})
    assert (refused.status_code, refused.json()["where"][0]["field"]) == (422, "body.date")


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
    save_collection(collection, tmp_path / "collection", SkippedRecords())
    served = client.post("/api/v1/rationale", json={"text": text}).json()
    assert served == index.judge(text).to_row()["rationale"]
    assert served == printed(capsys, monkeypatch, "rationale", str(tmp_path / "collection"), "--text", text, "--json")
    for part in (*served["words"], *served["sentences"]):
        assert text[part["start"] : part["end"]] == part["text"]


def test_a_report_is_the_same_wherever_it_is_asked_for(
    client: TestClient,
    index: Index,
    index_dir: Path,
    unseen: list[Query],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text, filters = unseen[3].text, ["level=basic"]
    (tmp_path / "facts.txt").write_text(text, encoding="utf-8")
    ids = [hit.document.id for hit in index.search(text, 9)][::4]
    cases = [{"id": name, "use": "referred", "remark": f"{name}相似"} for name in ids]
    about = {
        "by": "王法官助理",
        "organisation": "碧川区人民法院",
        "title": "某案",
        "number": "（2026）1号",
        "court": "碧川",
    }
    asked = {**about, "text": text, "k": 6, "filters": filters, "cases": cases, "disputes": ["一？", "二？"]}
    pending = {name: about[name] for name in ("title", "number", "court")} | {"disputes": asked["disputes"]}
    given = {name: asked[name] for name in ("text", "k", "filters", "cases", "by", "organisation")}
    in_python = build_report(
        index, Entries.model_validate({**given, "at": datetime(2026, 1, 2, tzinfo=UTC), "pending": pending})
    )
    options = [part for name, value in about.items() for part in (f"--{name}", value)]
    options += [part for name in ids for part in ("--use", f"{name}=referred", "--remark", f"{name}={name}相似")]
    options += ["--filter", filters[0], "--dispute", "一？", "--dispute", "二？", "--k", "6", "--cases", ",".join(ids)]
    for name in ("json", "csv", "md"):
        out = tmp_path / f"report.{name}"
        monkeypatch.setattr(
            sys,
            "argv",
            ["lexgear", "report", str(index_dir), "--text", str(tmp_path / "facts.txt"), "--out", str(out), *options],
        )
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code, capsys.readouterr()
        served = client.post("/api/v1/report", json={**asked, "format": name})
        assert served.status_code == 200, served.text
        told = [served.content, out.read_bytes(), format_named(None, out.name).bytes_of(in_python)]
        assert len({_without_the_time(one.decode()) for one in told}) == 1
        assert all(one in told[0].decode() for one in ids)


def _without_the_time(report: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[^\"]*|\d{4} ?年 ?\d+ ?月 ?\d+ ?日[^|]*", "", report)


def test_a_case_is_the_document_that_the_index_holds(client: TestClient, index: Index, collection: Collection) -> None:
    for document in collection.documents[:5]:
        served = client.get(f"/api/v1/cases/{document.id}").json()
        [found] = [hit for hit in index.search(document.text[:300], 160) if hit.document.id == document.id]
        of_search = {"rank", "score", "explanation", "factors"}
        expected = {name: value for name, value in found.to_row().items() if name not in of_search}
        assert plain(served) == explained(json.loads(dumps(expected)))
