"""One document to read."""

from __future__ import annotations

from fastapi import APIRouter, Response

from lexgear.serve.api.serialization import case_of
from lexgear.serve.page.context import CurrentContext

router = APIRouter(include_in_schema=False)


@router.get("/cases/{case_id:path}")
def case(case_id: str, context: CurrentContext) -> Response:
    """A judgment or a statutory article, names masked."""
    document = context.served_index.document(case_id)
    return context.page(
        "case.html", case=case_of(document, context.served_index), masker=context.maskers.case(document)
    )
