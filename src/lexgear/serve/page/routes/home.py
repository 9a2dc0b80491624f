"""Where everybody begins: a form for facts, and what is served."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.page.context import AtDesk
from lexgear.serve.page.form import Question

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(desk: AtDesk) -> Response:
    """The form."""
    return await desk.answer("home.html", question=Question(), answer=None)
