"""Limits on the size of request bodies and on the number of fields in forms."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError

FORM = "application/x-www-form-urlencoded"
UPLOAD = "/upload"
"""Prefix of the paths that accept files."""
MAX_FIELDS = 1000
"""Fields of a form, as Starlette allows. It does not count empty ones, of which a megabyte occupies it for a second."""


class BodyLimitMiddleware:
    """Rejects bodies that are too large, by their Content-Length or while they arrive, and forms of too many fields."""

    def __init__(self, app: ASGIApp, limit: int, upload_limit: int) -> None:
        self.app, self.limit, self.upload_limit = app, limit, upload_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request and count the bytes of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.upload_limit if scope["path"].startswith(UPLOAD) else self.limit
        headers = Headers(scope=scope)
        declared = headers.get("Content-Length", "0")
        too_large, received = declared.isdecimal() and int(declared[:20]) > limit, 0
        is_form, separators = headers.get("Content-Type", "").lower().startswith(FORM), 0

        async def receive_counted() -> Message:
            nonlocal received, separators
            message = {} if too_large else await receive()
            received += len(message.get("body", b""))
            if too_large or received > limit:
                raise _too_large(limit)
            separators += message.get("body", b"").count(b"&") if is_form else 0
            if separators >= MAX_FIELDS:
                raise _too_many_fields()
            return message

        await self.app(scope, receive_counted, send)


def _too_large(limit: int) -> ApiError:
    """Return the error. The connection is closed, or the rest of the body would be read as the next request."""
    message = f"The body is larger than {limit:,} bytes."
    return ApiError(413, message, headers={"Connection": "close"}, parameters={"limit": limit})


def _too_many_fields() -> ApiError:
    message = f"The form has more than {MAX_FIELDS:,} fields."
    return ApiError(413, message, headers={"Connection": "close"}, parameters={"limit": MAX_FIELDS})
