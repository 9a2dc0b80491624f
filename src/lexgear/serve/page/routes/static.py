"""Scripts and style sheets."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.api.errors import ApiError
from lexgear.serve.page.assets import asset
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking

router = APIRouter(include_in_schema=False, route_class=MaskedRoute)


@router.get("/static/{name}")
@exempt_from_masking("files of the package")
async def static(name: str) -> Response:
    """Return a static file. Its URL changes with its content, so browsers may cache it for good."""
    if (found := asset(name)) is None:
        raise ApiError(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "ETag": f'"{found.version}"'}
    return Response(found.data, headers=headers, media_type=found.media_type)
