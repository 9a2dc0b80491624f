"""Endpoint for the judgment on a text."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.models import Judgment
from lexgear.serve.api.requests import TextRequest
from lexgear.serve.api.serialization import judgment_of
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Judge

router = APIRouter(prefix=API, tags=["judge"], route_class=MaskedRoute)


@router.post("/judge", response_model=Judgment, responses=documented(*ASKING), operation_id="judge")
async def judge(body: TextRequest, request: Request, service: CurrentService) -> Judgment:
    """Predict the charges for the facts of a case, with articles, probabilities and the sentences that support each."""
    service.check_texts(request, body.text)
    return judgment_of(await service.worker.submit(Judge(body.text)))
