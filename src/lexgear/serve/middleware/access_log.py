"""Access log and request ids.

A line has the request id, method, route pattern, status, time and number of characters of the texts; never a text, a
query string or the path itself. Exceptions are logged by type and location, since their messages may quote the request.
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
    """Gives every request an id, logs and counts its response, and answers unexpected exceptions with 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0
        name = scope.setdefault("state", {})["request_id"] = _request_id(Headers(scope=scope))

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = name
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        except Exception as error:
            LOG.error("%s fault %s", name, describe_exception(error))  # noqa: TRY400, the message may quote the request
            if not status:
                await to_api_error(error).response(name)(scope, receive, send_with_id)
        finally:
            self._write(scope, name, status, time.perf_counter() - started)

    def _write(self, scope: Scope, name: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        route = getattr(scope.get("route"), "path", "unknown")
        read = scope["state"].get("characters")
        about = "" if read is None else f" characters={read}"
        LOG.info("%s %s %s %d %.0fms%s", name, method, route, status, 1000 * seconds, about)
        self.metrics.record_request(method, route, status, seconds)


def describe_exception(error: BaseException) -> str:
    """Return type and location of an exception, without its message."""
    steps = traceback.extract_tb(error.__traceback__)[-6:]
    return f"{type(error).__name__} at " + " < ".join(f"{step.filename}:{step.lineno}" for step in reversed(steps))


def _request_id(headers: Headers) -> str:
    """Return the id that the client has sent if it is safe to print, else a new one."""
    given = headers.get("X-Request-Id", "")
    return given if _ID.fullmatch(given) else secrets.token_hex(8)
