"""Scripts and styles of the page: few files, known by the checksum of their content, so that browsers may keep them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

KINDS = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "htmx.LICENSE": "text/plain; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


class Asset(NamedTuple):
    """A file of the page."""

    data: bytes
    media_type: str
    version: str


@cache
def asset(name: str) -> Asset | None:
    """A file by its name; none but those listed."""
    if name not in KINDS:
        return None
    data = files("lexgear.serve.page").joinpath("static", name).read_bytes()
    return Asset(data, KINDS[name], hashlib.sha256(data).hexdigest()[:12])


def address_of(name: str) -> str:
    """Where a browser gets a file; another version has another address."""
    found = asset(name)
    assert found is not None, name
    return f"/static/{name}?v={found.version}"
