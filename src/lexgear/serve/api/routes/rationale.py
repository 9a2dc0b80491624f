"""What matters in a text."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.models import Rationale, TextRequest
from lexgear.serve.api.serialization import rationale_of
from lexgear.serve.masking_route import veiled
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Explain

router = APIRouter(prefix=API, tags=["rationale"])


@router.post("/rationale", response_model=Rationale, responses=documented(*ASKING), operation_id="rationale")
async def rationale(asked: TextRequest, request: Request, service: CurrentService) -> Rationale:
    """The words and sentences of a text that speak for a charge, with their places (f_R of the paper)."""
    service.text(request, asked.text)
    return await veiled(service, rationale_of(await service.worker.submit(Explain(asked.text))), asked.text)
