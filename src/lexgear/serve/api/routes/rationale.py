"""Endpoint for the rationale of a text."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.models import Rationale
from lexgear.serve.api.requests import TextRequest
from lexgear.serve.api.serialization import rationale_of
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Explain

router = APIRouter(prefix=API, tags=["rationale"], route_class=MaskedRoute)


@router.post("/rationale", response_model=Rationale, responses=documented(*ASKING), operation_id="rationale")
async def rationale(body: TextRequest, request: Request, service: CurrentService) -> Rationale:
    """Return the words and sentences of a text that support a charge, with their offsets (f_R of the paper)."""
    service.check_texts(request, body.text)
    return rationale_of(await service.worker.submit(Explain(body.text)))
