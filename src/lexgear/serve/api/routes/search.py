"""Endpoints for searches."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request

from lexgear.api import Hit
from lexgear.index.filters import in_force_on
from lexgear.index.keywords import keyword_filters
from lexgear.serve.api.errors import ASKING, ApiError, FieldError, documented
from lexgear.serve.api.models import BatchAnswer, SearchAnswer
from lexgear.serve.api.requests import BatchRequest, SearchRequest
from lexgear.serve.api.serialization import facet_models, hit_of
from lexgear.serve.faceting import FacetCounts
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService, Service
from lexgear.serve.tasks import CountFacets, Search
from lexgear.serve.validation import check_search

router = APIRouter(prefix=API, tags=["search"], route_class=MaskedRoute)


@router.post("/search", response_model=SearchAnswer, responses=documented(*ASKING, 404), operation_id="search")
async def search(body: SearchRequest, request: Request, service: CurrentService) -> SearchAnswer:
    """Return the best documents for a text, best first, with an explanation of every hit."""
    [answer] = await _answers([body], [_task(body, request, service)], service)
    return answer


@router.post(
    "/search/batch", response_model=BatchAnswer, responses=documented(*ASKING, 404), operation_id="search_batch"
)
async def search_batch(body: BatchRequest, request: Request, service: CurrentService) -> BatchAnswer:
    """Run several searches."""
    limit = service.settings.batch
    if len(body.searches) > limit:
        problem = f"at most {limit} in one request"
        raise ApiError(422, where=[FieldError("body.searches", "too_long", problem, {"limit": limit})])
    tasks = [_task(one, request, service, f"searches.{place}.") for place, one in enumerate(body.searches)]
    return BatchAnswer(answers=await _answers(body.searches, tasks, service))


async def _answers(searches: Sequence[SearchRequest], tasks: list[Search], service: Service) -> list[SearchAnswer]:
    counting = [CountFacets(one.text, one.filters, one.node) for one in tasks]
    wanted = [task for search, task in zip(searches, counting, strict=True) if search.include_facets]
    found = await service.worker.submit_all([*tasks, *wanted])
    facets = iter(found[len(tasks) :])
    return [
        _answer(search, hits, next(facets) if search.include_facets else None)
        for search, hits in zip(searches, found, strict=False)
    ]


def _task(search: SearchRequest, request: Request, service: Service, prefix: str = "") -> Search:
    service.check_texts(request, search.text, field=f"{prefix}text")
    chosen = [*search.filters, *keyword_filters(search.keywords)]
    check_search(service.settings, k=search.k, offset=search.offset, filters=chosen, prefix=prefix)
    filters = (*chosen, *in_force_on(search.date))
    return Search(search.text, search.offset + search.k, filters, search.node or "", search.sort)


def _answer(search: SearchRequest, found: list[Hit], facets: FacetCounts | None) -> SearchAnswer:
    """Return one page of the hits. There may be another page if this one is full."""
    hits = [hit_of(one, with_text=search.include_text) for one in found[search.offset :]]
    next_offset = search.offset + search.k if len(hits) == search.k else None
    counted = None if facets is None else facet_models(facets)
    return SearchAnswer(hits=hits, offset=search.offset, next_offset=next_offset, facets=counted)
