"""One document to read."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.api.serialization import case_of
from lexgear.serve.page.context import AtDesk

router = APIRouter(include_in_schema=False)


@router.get("/cases/{case_id:path}")
def case(case_id: str, desk: AtDesk) -> Response:
    """A judgment or a statutory article, names masked."""
    document = desk.library.document(case_id)
    return desk.page("case.html", case=case_of(document, desk.library), masker=desk.maskers.case(document))
