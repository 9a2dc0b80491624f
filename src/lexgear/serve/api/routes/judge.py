"""Endpoint for the judgment on a text."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.models import Judgment
from lexgear.serve.api.requests import JudgeRequest
from lexgear.serve.api.serialization import judgment_of
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService
from lexgear.serve.tasks import Judge

router = APIRouter(prefix=API, tags=["judge"], route_class=MaskedRoute)


@router.post(
    "/judge",
    response_model=Judgment,
    response_model_exclude_unset=True,
    responses=documented(*ASKING),
    operation_id="judge",
)
async def judge(body: JudgeRequest, request: Request, service: CurrentService) -> Judgment:
    """Predict the charges for the facts of a case, with articles, probabilities and the sentences that support each.

    What was not in force on the date of the act does not apply. `act_date`, `name_then`, `name_now` and `remark` are
    left out if there are none.
    """
    service.check_texts(request, body.text)
    return judgment_of(await service.worker.submit(Judge(body.text, body.date)))
