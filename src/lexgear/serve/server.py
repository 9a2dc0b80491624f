"""The server itself: where it listens, what it logs, how it stops."""

from __future__ import annotations

import logging
import os
import socket
import sys

import uvicorn
from fastapi import FastAPI

from lexgear.errors import InputError
from lexgear.serve.settings import ServeSettings, is_loopback


def open_socket(settings: ServeSettings) -> socket.socket:
    """A socket at the address of the settings; taken before the index is read, so that a wrong one is told at once."""
    where = f"{settings.host}:{settings.port}"
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not settings.api_key and not is_loopback(str(address[0])):
            raise InputError(f"{settings.host} leads to {address[0]}, which others can reach", remedy="give an API key")
        sock = socket.create_server(address[:2], family=family)
        # Head and body of an answer are sent one after the other: without this the body waits 40 ms for the client.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None) or 0
        problem = os.strerror(number) if number > 0 else getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {where}: {problem}", remedy="choose another --port or --host") from error
    else:
        return sock


def address_of(sock: socket.socket) -> str:
    """What to type into a browser."""
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def make_server(app: FastAPI, settings: ServeSettings) -> uvicorn.Server:
    """A server that writes no log of its own, trusts no proxy, and on its way out finishes what is being answered."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # it has paths and query strings; the journal has neither
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=int(settings.deadline) + 1,
    )
    return uvicorn.Server(config)


def serve(app: FastAPI, sock: socket.socket, settings: ServeSettings) -> None:
    """Serves until it is stopped."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        make_server(app, settings).run(sockets=[sock])
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
