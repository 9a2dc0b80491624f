"""Two cases side by side."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.errors import ErrorCode
from lexgear.serve.api.errors import ASKING, ApiError, FieldError, documented
from lexgear.serve.api.models import CompareRequest, Comparison
from lexgear.serve.masking_route import veiled
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Compare

router = APIRouter(prefix=API, tags=["compare"])


@router.post("/compare", response_model=Comparison, responses=documented(*ASKING, 404), operation_id="compare")
async def compare(asked: CompareRequest, request: Request, service: CurrentService) -> Comparison:
    """A text, or a case, beside a case: what matters in each, sentences that are alike, what is shared and differs."""
    if (asked.text is None) == (asked.case is None):
        raise ApiError(422, where=[FieldError("body", ErrorCode.USAGE, "either text or case, and not both")])
    service.text(request, asked.text or "")
    comparison: Comparison = await service.worker.submit(Compare(asked.text or "", asked.case or "", asked.with_))
    return await veiled(service, comparison, asked.text or "")
