"""Forms are taken from our own pages alone: another site's page could make a browser send them."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from lexgear.serve.api.errors import ApiError


def require_same_origin(request: Request) -> None:
    """Refuses what another site's page sends."""
    if request.method == "POST" and is_cross_site(request):
        raise ApiError(403, "The form was sent by a page of another site.")


def is_cross_site(request: Request) -> bool:
    """Whether another site's page made the browser ask; what is no browser says nothing of it."""
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
