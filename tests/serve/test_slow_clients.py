"""Connections of clients that do not finish a request are closed."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from serve.running import running

HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
PATIENCE = 30
"""Seconds after which a test gives up; the service does so after a twentieth of one."""


@pytest.fixture(scope="module")
def address(words_dir: Path) -> Iterator[tuple[str, int]]:
    with running(create_app(words_dir, ServeSettings(head_seconds=0.05))) as url:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        yield parts.hostname, parts.port


@pytest.mark.parametrize("sent", [b"", b"G", HEAD, HEAD + b"X-Endless: " + b"a" * 1000])
def test_a_half_sent_head_is_not_waited_for(address: tuple[str, int], sent: bytes) -> None:
    with socket.create_connection(address, PATIENCE) as client:
        client.sendall(sent)
        assert ended(client)


def test_a_head_sent_byte_by_byte_has_no_more_time_than_one_sent_at_once(address: tuple[str, int]) -> None:
    with socket.create_connection(address, PATIENCE) as client:
        client.settimeout(0.01)
        for _ in range(PATIENCE * 100):
            try:
                client.sendall(b"X")
                if not client.recv(1):
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    raise AssertionError("the head was still being read")


def test_a_second_half_sent_head_and_the_rest_of_a_refused_body_are_not_waited_for(address: tuple[str, int]) -> None:
    refused = b"POST /nowhere HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 900\r\n\r\n"
    for sent, status in ((HEAD + b"\r\n", b"200"), (refused, b"421")):
        with socket.create_connection(address, PATIENCE) as client:
            client.sendall(sent)
            assert client.recv(4096).split()[1] == status
            client.sendall(b"G")
            assert ended(client)


def test_a_request_in_time_is_answered_and_so_is_the_next_on_its_connection(address: tuple[str, int]) -> None:
    with socket.create_connection(address, PATIENCE) as client:
        for _ in range(3):
            client.sendall(HEAD + b"\r\n")
            answer = b""
            while b'"status"' not in answer:
                answer += client.recv(4096)
            assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("host", ["127.0.0.1", "elsewhere"])
def test_a_request_whose_end_is_ambiguous_is_refused_and_its_connection_closed(
    address: tuple[str, int], host: str
) -> None:
    head = f"POST /api/v1/search HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    smuggled = b"0\r\n\r\n" + HEAD + b"\r\n"
    with socket.create_connection(address, PATIENCE) as client:
        client.sendall(head.encode() + smuggled)
        answer = b""
        while piece := client.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1") == 1


def ended(client: socket.socket) -> bool:
    """Read until the service closes the connection."""
    try:
        while client.recv(4096):
            pass
    except ConnectionError:
        pass
    return True
