"""Start page."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import SearchForm
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking

router = APIRouter(include_in_schema=False, route_class=MaskedRoute)


@router.get("/")
@exempt_from_masking("empty form and built-in examples")
async def home(context: CurrentContext) -> Response:
    """Show the search form and a description of the collection."""
    return await context.render("home.html", search_form=SearchForm(), answer=None)
