"""Tests of `lexgear serve`: start, problems at start, stop."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from commands.conftest import Run
from lexgear.api import train
from lexgear.corpus.records import Collection, Document
from lexgear.law.shipped import chinese_criminal_law
from lexgear.rankers.words.bm25 import BM25

CASES = Collection(
    "two",
    "zh",
    (
        Document("a", {"fact": "翻墙进入商店，拿走现金。"}, charges=("盗窃罪",)),
        Document("b", {"fact": "持刀威胁店主，抢走现金。"}, charges=("抢劫罪",)),
    ),
    law=chinese_criminal_law(),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("serving") / "index"
    train(CASES, BM25(), directory)
    return directory


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_service_prints_its_address_answers_and_stops_on_a_signal(index: Path, stop: signal.Signals) -> None:
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", "serve", str(index), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"{index}: bm25 over 2 documents\n"
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address is not None
        body = json.dumps({"text": "翻墙进入商店"}).encode()
        request = urllib.request.Request(
            f"{address[0]}/api/v1/search?secret=1", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer)["hits"][0]["id"] == "a"
        process.send_signal(stop)
        _, logged = process.communicate(timeout=30)
    assert process.returncode == (0 if stop == signal.SIGINT else -signal.SIGTERM)
    [line] = [line for line in logged.splitlines() if "/api/v1/search" in line]
    assert re.search(r"[0-9a-f]{16} POST /api/v1/search 200 \d+ms characters=6$", line)
    assert "secret" not in logged
    assert "Traceback" not in logged


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere: no such index (check the path); `lexgear train` builds an index"),
        (("INDEX", "--host", "0.0.0.0"), "listen on 127.0.0.1); --api-key-file FILE or the variable LEXGEAR_API_KEY"),
        (("INDEX", "--host", "0.0.0.0", "--api-key-file", "empty"), "empty: the file has no API key"),
        (("INDEX", "--api-key-file", "missing"), "missing: no such file"),
        (("INDEX", "--set", "deadline=never"), "deadline: 'never' is not a number"),
        (("INDEX", "--set", "api_key=x"), "no setting named 'api_key'"),
        (("INDEX", "--set", "k=0"), "setting k: 0 is out of range"),
        (("INDEX", "--port", "99999"), "--port"),
    ],
)
def test_a_problem_at_start_is_a_one_line_error(
    run: Run, index: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.delenv("LEXGEAR_API_KEY", raising=False)
    Path("empty").write_text("\n")
    code, _, error = run("serve", "--port", "0", *(str(index) if one == "INDEX" else one for one in arguments))
    assert code == 2
    [line] = error.splitlines()
    assert said in line


def test_a_port_in_use_is_reported_before_the_index_is_read(run: Run, index: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, error = run("serve", str(index), "--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "Address already in use (choose another host or port); --host and --port set the address" in error


def test_without_the_extra_the_error_names_what_to_install(
    run: Run, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexgear.commands.serve.find_spec", lambda name: None)
    code, _, error = run("serve", str(index))
    needed = "fastapi, uvicorn, pydantic, jinja2, python_multipart, prometheus_client"
    assert (code, error) == (2, f"lexgear: the service needs {needed} (pip install 'lexgear[serve]')\n")


def test_a_key_comes_from_a_file_or_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from lexgear.commands.serve import _api_key

    (tmp_path / "key").write_text(" from-a-file \n")
    monkeypatch.setenv("LEXGEAR_API_KEY", "from-outside")
    assert _api_key(None) == "from-outside"
    assert _api_key(tmp_path / "key") == "from-a-file"
    monkeypatch.delenv("LEXGEAR_API_KEY")
    assert _api_key(None) == ""
    assert os.environ.get("LEXGEAR_API_KEY") is None


def test_make_serve_serves_the_sample() -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(["make", "-n", "serve"], cwd=root, capture_output=True, text=True, check=True)
    assert "lexgear serve build/sample-index --sample" in done.stdout
