"""Protection against cross-site request forgery: forms are accepted from our own pages only."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from lexgear.serve.api.errors import ApiError


def require_same_origin(request: Request) -> None:
    """Raise ApiError if a page of another site has sent the form."""
    if request.method == "POST" and is_cross_site(request):
        raise ApiError(403, "The form was sent by a page of another site.")


def is_cross_site(request: Request) -> bool:
    """Return whether a page of another site made the browser send the request. Other clients send no such header."""
    fetch = request.headers.get("Sec-Fetch-Site")
    if fetch in {"same-origin", "none"}:
        return False
    if fetch == "cross-site":
        return True
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()
    except ValueError:
        return True
