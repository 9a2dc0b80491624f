"""API-key and Host-header middleware.

Without an API key the service listens on loopback only. A page on another site could still make a local browser send
requests through a domain name of its own that resolves to this machine (DNS rebinding), so the Host header must name
this machine.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b64decode
from binascii import Error

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError, request_id
from lexgear.serve.settings import is_loopback

PUBLIC_PATHS = frozenset({"/health"})
"""Paths that need no key, for health checks."""
_HOST = re.compile(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""Host header: a name or an address, and a port."""


class AuthMiddleware:
    """Rejects requests without the API key or, if there is no key, for another host."""

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self.app, self.key = app, _digest(api_key) if api_key else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward or reject a request."""
        if scope["type"] == "http" and (error := self._rejection(scope)):
            await error.response(request_id(scope))(scope, receive, send)
        elif scope["type"] != "websocket":  # the service has none
            await self.app(scope, receive, send)

    def _rejection(self, scope: Scope) -> ApiError | None:
        headers = Headers(scope=scope)
        if not self.key:
            return None if is_loopback(_host_name(headers)) else ApiError(421)
        if scope["path"] in PUBLIC_PATHS or any(
            hmac.compare_digest(_digest(key), self.key) for key in _given_keys(headers)
        ):
            return None
        return ApiError(401, headers={"WWW-Authenticate": 'Bearer, Basic realm="lexgear", charset="UTF-8"'})


def _given_keys(headers: Headers) -> list[str]:
    """Return the keys of a request. Basic authentication is accepted so that browsers can ask for the key."""
    keys = [headers["X-API-Key"]] if "X-API-Key" in headers else []
    scheme, _, given = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        keys.append(given.strip())
    elif scheme.lower() == "basic":
        keys.append(_password(given))
    return keys


def _password(given: str) -> str:
    try:
        return b64decode(given, validate=True).decode("utf-8", "replace").partition(":")[2]
    except (Error, ValueError):
        return ""


def _digest(key: str) -> bytes:
    """Return a hash of fixed length, so that the time of the comparison reveals nothing."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def _host_name(headers: Headers) -> str:
    """Return the host name in the Host header, without the port; empty if there are several or a sign is unusual.

    Nothing is decoded: `localhost#.example` and `127.0.0.1%2eexample` are names of other machines for a browser.
    """
    given = headers.getlist("Host")
    match = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    return match[1] if match else ""
