"""A body that is too large is refused while it arrives: by what it says of its length, else by counting."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError

UPLOAD = "/upload"
"""Paths that begin so take files."""


class BodyLimitMiddleware:
    """Refuses bodies of more bytes than a path takes."""

    def __init__(self, app: ASGIApp, most: int, most_upload: int) -> None:
        self.app, self.most, self.most_upload = app, most, most_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, counting what it brings."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self.most_upload if scope["path"].startswith(UPLOAD) else self.most
        told = Headers(scope=scope).get("Content-Length", "0")
        too_large, arrived = told.isdecimal() and int(told[:20]) > most, 0

        async def counting() -> Message:
            nonlocal arrived
            message = {} if too_large else await receive()
            arrived += len(message.get("body", b""))
            if too_large or arrived > most:
                raise _too_large(most)
            return message

        await self.app(scope, counting, send)


def _too_large(most: int) -> ApiError:
    """The connection is closed, since what is left of the body would be taken for the next request."""
    return ApiError(413, f"The body is larger than {most:,} bytes.", headers={"Connection": "close"})
