"""Static files of the page, with a checksum in their URL so that browsers can cache them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

MEDIA_TYPES = {
    "page.css": "text/css; charset=utf-8",
    "reading.css": "text/css; charset=utf-8",
    "reading.js": "text/javascript; charset=utf-8",
    "results.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "records.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "htmx.LICENSE": "text/plain; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


class Asset(NamedTuple):
    """Static file."""

    data: bytes
    media_type: str
    version: str


@cache
def asset(name: str) -> Asset | None:
    """Return a static file, or None if there is no file of that name."""
    if name not in MEDIA_TYPES:
        return None
    data = files("lexgear.serve.page").joinpath("static", name).read_bytes()
    return Asset(data, MEDIA_TYPES[name], hashlib.sha256(data).hexdigest()[:12])


def asset_url(name: str) -> str:
    """Return the URL of a static file, which changes with its content."""
    found = asset(name)
    assert found is not None, name
    return f"/static/{name}?v={found.version}"
