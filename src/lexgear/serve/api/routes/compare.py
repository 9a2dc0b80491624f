"""Endpoint for the comparison of two cases."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.errors import ErrorCode
from lexgear.serve.api.errors import ASKING, ApiError, FieldError, documented
from lexgear.serve.api.models import Comparison
from lexgear.serve.api.requests import CompareRequest
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Compare

router = APIRouter(prefix=API, tags=["compare"], route_class=MaskedRoute)


@router.post("/compare", response_model=Comparison, responses=documented(*ASKING, 404, 410), operation_id="compare")
async def compare(body: CompareRequest, request: Request, service: CurrentService) -> Comparison:
    """Compare a text, or a case, with a case: rationale of each, similar sentences, common and different features."""
    if (body.text is None) == (body.case is None):
        raise ApiError(422, where=[FieldError("body", ErrorCode.USAGE, "either text or case, and not both")])
    service.check_texts(request, body.text or "")
    comparison: Comparison = await service.worker.submit(Compare(body.text or "", body.case or "", body.with_))
    return comparison
