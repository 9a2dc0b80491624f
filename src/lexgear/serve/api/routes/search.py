"""Precedents for the facts of a case, or statutory articles for a question."""

from __future__ import annotations

from fastapi import APIRouter, Request

from lexgear.api import Hit
from lexgear.serve.api.errors import ASKING, ApiError, FieldError, documented
from lexgear.serve.api.models import BatchAnswer, BatchRequest, SearchAnswer, SearchRequest
from lexgear.serve.api.serialization import hit_of
from lexgear.serve.masking_route import veiled
from lexgear.serve.service import API, CurrentService, Service
from lexgear.serve.tasks import Search
from lexgear.serve.validation import check_search

router = APIRouter(prefix=API, tags=["search"])


@router.post("/search", response_model=SearchAnswer, responses=documented(*ASKING, 404), operation_id="search")
async def search(asked: SearchRequest, request: Request, service: CurrentService) -> SearchAnswer:
    """The best documents for a text, best first; every hit says why it was found."""
    task = _task(asked, request, service)
    return await veiled(service, _answer(asked, await service.worker.submit(task)), asked.text)


@router.post(
    "/search/batch", response_model=BatchAnswer, responses=documented(*ASKING, 404), operation_id="search_batch"
)
async def search_batch(asked: BatchRequest, request: Request, service: CurrentService) -> BatchAnswer:
    """Several searches at once."""
    if len(asked.searches) > service.settings.batch:
        problem, limit = f"at most {service.settings.batch} in one request", {"limit": service.settings.batch}
        raise ApiError(422, where=[FieldError("body.searches", "too_long", problem, limit)])
    tasks = [_task(one, request, service, f"searches.{place}.") for place, one in enumerate(asked.searches)]
    found = await service.worker.submit_all(tasks)
    answers = [_answer(one, hits) for one, hits in zip(asked.searches, found, strict=True)]
    answered = zip(asked.searches, answers, strict=True)
    return BatchAnswer(answers=[await veiled(service, answer, one.text) for one, answer in answered])


def _task(asked: SearchRequest, request: Request, service: Service, inside: str = "") -> Search:
    service.text(request, asked.text, field=f"{inside}text")
    check_search(service.settings, k=asked.k, offset=asked.offset, filters=asked.filters, prefix=inside)
    return Search(asked.text, asked.offset + asked.k, tuple(asked.filters), asked.node or "")


def _answer(asked: SearchRequest, found: list[Hit]) -> SearchAnswer:
    """One page of what was found; another may follow where this one is full."""
    hits = [hit_of(one, with_text=asked.include_text) for one in found[asked.offset :]]
    return SearchAnswer(
        hits=hits, offset=asked.offset, next_offset=asked.offset + asked.k if len(hits) == asked.k else None
    )
