"""A running service with sockets, threads and a port of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from socket import socket
from unittest.mock import patch

from fastapi import FastAPI

from lexgear.serve.server import make_server, open_socket, url_of


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The address of an app that is served while the block runs."""
    settings = app.state.versions.current.settings
    with open_socket(replace(settings, port=0)) as sock:
        server, started = make_server(app, settings), threading.Event()
        start = server.startup

        async def startup(sockets: list[socket] | None = None) -> None:
            await start(sockets=sockets)
            started.set()

        with patch.object(server, "startup", startup):
            thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
            thread.start()
            started.wait()
        try:
            yield url_of(sock)
        finally:
            server.should_exit = True
            thread.join()
