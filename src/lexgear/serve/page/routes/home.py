"""Where everybody begins: a form for facts, and what is served."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import SearchForm

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(context: CurrentContext) -> Response:
    """The form."""
    return await context.answer("home.html", search_form=SearchForm(), answer=None)
