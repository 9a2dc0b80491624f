"""Scripts and styles."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.api.errors import ApiError
from lexgear.serve.page.assets import asset

router = APIRouter(include_in_schema=False)


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """A file of the page; its address changes with its content, so that it may be kept."""
    if (found := asset(name)) is None:
        raise ApiError(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "ETag": f'"{found.version}"'}
    return Response(found.data, headers=headers, media_type=found.media_type)
