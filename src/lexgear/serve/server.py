"""The uvicorn server: socket, logging, shutdown."""

from __future__ import annotations

import logging
import os
import socket
import sys

import uvicorn
from fastapi import FastAPI

from lexgear.errors import ErrorCode, InputError
from lexgear.serve.settings import ServeSettings, is_loopback
from lexgear.serve.slow_clients import timed_protocol


def open_socket(settings: ServeSettings) -> socket.socket:
    """Open a socket at the address of the settings. Called before the index is loaded, so that errors come at once."""
    where = f"{settings.host}:{settings.port}"
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not settings.api_key and not is_loopback(str(address[0])):
            raise InputError(
                f"{settings.host} resolves to {address[0]}, which can be reached from other machines",
                code=ErrorCode.API_KEY_MISSING,
                remedy="set an API key",
                host=settings.host,
            )
        sock = socket.create_server(address[:2], family=family)
        # Headers and body are sent separately: without this option the body waits 40 ms for the client.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None) or 0
        problem = os.strerror(number) if number > 0 else getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen on {where}: {problem}",
            code=ErrorCode.CANNOT_LISTEN,
            remedy="choose another host or port",
            host=settings.host,
            port=settings.port,
        ) from error
    else:
        return sock


def url_of(sock: socket.socket) -> str:
    """Return the URL of a socket."""
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def make_server(app: FastAPI, settings: ServeSettings) -> uvicorn.Server:
    """Return a server that writes no log, trusts no proxy, ends slow connections and finishes requests on shutdown."""
    config = uvicorn.Config(
        app,
        http=timed_protocol(settings.head_seconds, settings.deadline),
        log_config=None,
        access_log=False,  # it contains paths and query strings; our access log does not
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=int(settings.deadline) + 1,
    )
    return uvicorn.Server(config)


def serve(app: FastAPI, sock: socket.socket, settings: ServeSettings) -> None:
    """Serve until the process is interrupted."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        make_server(app, settings).run(sockets=[sock])
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
