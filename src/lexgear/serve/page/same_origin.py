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
    """Return whether a page of another origin made the browser send the request. Other clients send no such header.

    `same-site` is another origin too: another port of this machine, or another host of the domain.
    """
    fetch = request.headers.get("Sec-Fetch-Site")
    if fetch is not None:
        return fetch not in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()
    except ValueError:
        return True
