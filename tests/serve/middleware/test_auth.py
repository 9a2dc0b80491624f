"""Authentication by API key, and the addresses that the service listens on."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lexgear.errors import InputError
from lexgear.serve.app import create_app
from lexgear.serve.server import open_socket
from lexgear.serve.settings import ServeSettings, is_loopback

KEY = "a-key-of-some-length"
PATHS = ["/metrics", "/api/v1/law", "/api/v1/index", "/api/v1/openapi.json", "/api/v1/cases/c0001", "/nowhere"]


@pytest.fixture(scope="module")
def guarded(index_dir: Path) -> Iterator[TestClient]:
    settings = ServeSettings(host="0.0.0.0", api_key=KEY)
    with TestClient(create_app(index_dir, settings), "http://law.example.org") as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
def test_without_the_key_nothing_is_told(guarded: TestClient, path: str) -> None:
    answer = guarded.get(path)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json()["code"] == "unauthorized"


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {KEY}x"},
        {"Authorization": f"Bearer {KEY[:-1]}"},
        {"Authorization": KEY},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic !!!"},
        {"Authorization": "Basic " + b64encode(KEY.encode()).decode()},
        {"X-API-Key": ""},
        {"X-API-Key": "ÿ"},
        {"Cookie": f"key={KEY}"},
    ],
)
def test_a_wrong_key_is_refused(guarded: TestClient, headers: dict[str, str]) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    assert guarded.post("/api/v1/judge", json={"text": "翻墙"}, headers=raw).status_code == 401
    assert guarded.get(f"/api/v1/law?key={KEY}", headers=raw).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bearer {KEY}"},
        {"X-API-Key": KEY},
        {"Authorization": "Basic " + b64encode(f"anybody:{KEY}".encode()).decode()},
    ],
)
def test_the_key_opens(guarded: TestClient, headers: dict[str, str]) -> None:
    assert guarded.post("/api/v1/judge", json={"text": "翻墙"}, headers=headers).status_code == 200


def test_whoever_watches_needs_no_key_and_learns_nothing_else(guarded: TestClient) -> None:
    health = guarded.get("/health").json()
    assert health.keys() == {"status", "version", "index", "warning"}
    assert health["index"].keys() == {"sha256", "written", "documents"}


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "192.168.0.7", "", "[", "localhost.evil"),
        *("127.0.0.1%2eevil.example", "localhost#.evil.example", "evil.example\\@localhost", "evil.example@localhost"),
        *("localhost/.evil.example", "localhost?.evil.example", "localhost:80:80", "[::1%25eth0]", "localhost:x"),
        *("127.0.0.1, evil.example", "user:127.0.0.1@evil.example", "localhost..", "[::1].evil.example"),
    ],
)
def test_without_a_key_only_this_machine_is_served_by_its_own_name(client: TestClient, host: str) -> None:
    answer = client.get("/health", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["code"] == "misdirected"


def test_two_host_headers_are_one_too_many(client: TestClient) -> None:
    hosts = [("Host", "127.0.0.1"), ("Host", "evil.example")]
    for headers in (hosts, hosts[::-1]):
        assert client.get("/health", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:1", "localhost."])
def test_this_machine_has_several_names(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "law.example.org", "", "128.0.0.1"])
def test_listening_to_others_needs_a_key(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(InputError, match=r"there is no API key \(set an API key"):
        ServeSettings(host=host)
    assert ServeSettings(host=host, api_key=KEY).api_key == KEY


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_needs_none(host: str) -> None:
    assert ServeSettings(host=host).host == host


def test_a_key_is_of_signs_that_a_header_can_hold_and_is_never_shown() -> None:
    for key in ("a b", "schlüssel", "a\nb", "a\0"):
        with pytest.raises(InputError, match="printable ASCII characters without spaces"):
            ServeSettings(api_key=key)
    assert KEY not in repr(ServeSettings(api_key=KEY))


def test_limits_are_checked_when_they_are_made() -> None:
    for wrong in ({"k": 0}, {"reach": 99}, {"deadline": 0}, {"queue": -1}, {"port": 70000}, {"deadline": float("nan")}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            ServeSettings(**wrong)


def test_an_address_that_is_taken_is_told_with_a_way_out() -> None:
    with open_socket(ServeSettings(port=0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            InputError, match=rf"cannot listen on 127.0.0.1:{port}: .*in use \(choose another host or port"
        ):
            open_socket(ServeSettings(port=port))
    with pytest.raises(InputError, match=r"cannot listen on nowhere\.invalid"):
        open_socket(ServeSettings(host="nowhere.invalid", api_key=KEY))


def test_headers_are_on_every_answer(client: TestClient) -> None:
    for answer in (client.get("/health"), client.get("/nowhere"), client.get("/health", headers={"Host": "evil"})):
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Request-Id"]
        assert "Access-Control-Allow-Origin" not in answer.headers
    assert client.options("/api/v1/search", headers={"Origin": "https://evil.example"}).status_code == 405
