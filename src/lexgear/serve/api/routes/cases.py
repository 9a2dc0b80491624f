"""Endpoint for one document."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from lexgear.serve.api.errors import documented
from lexgear.serve.api.models import Case
from lexgear.serve.api.serialization import case_of
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService

router = APIRouter(prefix=API, tags=["cases"], route_class=MaskedRoute)


# An id may contain slashes, so it takes the whole rest of the path.
@router.get("/cases/{case_id:path}", response_model=Case, responses=documented(404, 410, 422), operation_id="case")
def case(case_id: Annotated[str, Path(examples=["c0001"])], service: CurrentService) -> Case:
    """Return a judgment or a statutory article: text, court, charges, sentence and its place in the law."""
    return case_of(service.served_index.document(case_id), service.served_index)
