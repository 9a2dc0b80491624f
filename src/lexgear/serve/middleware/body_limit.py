"""Limit on the size of request bodies."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError

UPLOAD = "/upload"
"""Prefix of the paths that accept files."""


class BodyLimitMiddleware:
    """Rejects bodies that are too large, by their Content-Length or while they arrive."""

    def __init__(self, app: ASGIApp, limit: int, upload_limit: int) -> None:
        self.app, self.limit, self.upload_limit = app, limit, upload_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request and count the bytes of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.upload_limit if scope["path"].startswith(UPLOAD) else self.limit
        declared = Headers(scope=scope).get("Content-Length", "0")
        too_large, received = declared.isdecimal() and int(declared[:20]) > limit, 0

        async def receive_counted() -> Message:
            nonlocal received
            message = {} if too_large else await receive()
            received += len(message.get("body", b""))
            if too_large or received > limit:
                raise _too_large(limit)
            return message

        await self.app(scope, receive_counted, send)


def _too_large(limit: int) -> ApiError:
    """Return the error. The connection is closed, or the rest of the body would be read as the next request."""
    message = f"The body is larger than {limit:,} bytes."
    return ApiError(413, message, headers={"Connection": "close"}, parameters={"limit": limit})
