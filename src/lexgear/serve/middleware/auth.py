"""Who is let in: with an API key whoever shows it, without one only this machine.

Without a key the service listens on loopback alone. A page elsewhere could still make a browser of this machine ask, by
a name of its own that leads here (DNS rebinding); so the name that is asked for has to be this machine's.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode
from binascii import Error
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError, request_id
from lexgear.serve.settings import is_loopback

OPEN = frozenset({"/health"})
"""What needs no key: whoever watches over the service has none."""


class AuthMiddleware:
    """Turns away who may not ask."""

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self.app, self.key = app, _digest(api_key) if api_key else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or not."""
        if scope["type"] == "http" and (fault := self._refused(scope)):
            await fault.response(request_id(scope))(scope, receive, send)
        elif scope["type"] != "websocket":  # there are none here
            await self.app(scope, receive, send)

    def _refused(self, scope: Scope) -> ApiError | None:
        headers = Headers(scope=scope)
        if not self.key:
            return None if is_loopback(_name(headers.get("Host", ""))) else ApiError(421)
        if scope["path"] in OPEN or any(hmac.compare_digest(_digest(key), self.key) for key in _shown(headers)):
            return None
        return ApiError(401, headers={"WWW-Authenticate": 'Bearer, Basic realm="lexgear", charset="UTF-8"'})


def _shown(headers: Headers) -> list[str]:
    """The keys that a request shows; as the password of Basic, so that a browser can ask its user for it."""
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
    """Of one length whatever is shown: how long the comparison takes says nothing."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
