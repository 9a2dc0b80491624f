"""A service as it really runs: sockets, threads, a port of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fastapi import FastAPI

from lexgear.serve.server import make_server, open_socket, url_of


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The address of an app that is served while the block runs."""
    settings = app.state.service.settings
    with open_socket(replace(settings, port=0)) as sock:
        server = make_server(app, settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield url_of(sock)
        finally:
            server.should_exit = True
            thread.join()
