"""Which charges the facts lead to."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.models import Judgment, TextRequest
from lexgear.serve.api.serialization import judgment_of
from lexgear.serve.masking_route import veiled
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Judge

router = APIRouter(prefix=API, tags=["judge"])


@router.post("/judge", response_model=Judgment, responses=documented(*ASKING), operation_id="judge")
async def judge(asked: TextRequest, request: Request, service: CurrentService) -> Judgment:
    """Which charges the facts lead to, by which articles, how surely, and the sentences that speak for each."""
    service.text(request, asked.text)
    return await veiled(service, judgment_of(await service.worker.submit(Judge(asked.text))), asked.text)
