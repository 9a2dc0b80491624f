"""Rejection of requests whose end is ambiguous."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError, request_id


class FramingMiddleware:
    """Rejects requests with both Content-Length and Transfer-Encoding.

    A proxy may believe one and this server the other; the rest of the body would then be read as another request
    (RFC 9112, section 6.1). The connection is closed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward or reject a request."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if "Content-Length" in headers and "Transfer-Encoding" in headers:
                message = "The request has both Content-Length and Transfer-Encoding."
                error = ApiError(400, message, headers={"Connection": "close"})
                await error.response(request_id(scope))(scope, receive, send)
                return
        await self.app(scope, receive, send)
