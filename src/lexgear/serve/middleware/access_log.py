"""One line a request: who asked is told its id, and nobody what was asked.

A line has the method, the pattern of the path, the status, the time and the number of characters that were read: never
a text, a query string or a path as it was typed. What goes wrong inside is told by place, since the words of an
exception may quote what was asked.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import to_api_error
from lexgear.serve.metrics import Metrics

LOG = logging.getLogger("lexgear.serve")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class AccessLogMiddleware:
    """Gives every request an id, logs and counts its answer, and answers for what fails."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 0
        name = scope.setdefault("state", {})["request_id"] = _request_id(Headers(scope=scope))

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = name
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            LOG.error("%s fault %s", name, describe_exception(error))  # noqa: TRY400, its words may quote what was asked
            if not status:
                await to_api_error(error).response(name)(scope, receive, sending)
        finally:
            self._write(scope, name, status, time.perf_counter() - begun)

    def _write(self, scope: Scope, name: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        route = getattr(scope.get("route"), "path", "unknown")
        read = scope["state"].get("characters")
        about = "" if read is None else f" characters={read}"
        LOG.info("%s %s %s %d %.0fms%s", name, method, route, status, 1000 * seconds, about)
        self.metrics.request(method, route, status, seconds)


def describe_exception(error: BaseException) -> str:
    """An exception by its kind and where it came from, without its words."""
    steps = traceback.extract_tb(error.__traceback__)[-6:]
    return f"{type(error).__name__} at " + " < ".join(f"{step.filename}:{step.lineno}" for step in reversed(steps))


def _request_id(headers: Headers) -> str:
    """The client's own where it has one that is safe to print."""
    given = headers.get("X-Request-Id", "")
    return given if _ID.fullmatch(given) else secrets.token_hex(8)
