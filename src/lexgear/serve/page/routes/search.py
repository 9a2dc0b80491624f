"""Page of the answer to a search: the judgment, and the precedents by charge."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from lexgear.index.filters import in_force_on
from lexgear.serve.api.models import SearchAnswer
from lexgear.serve.api.requests import JudgeRequest, TextRequest
from lexgear.serve.api.routes.judge import judge
from lexgear.serve.api.routes.rationale import rationale
from lexgear.serve.api.serialization import facet_models, hit_of
from lexgear.serve.comparing.keyword_places import wanted_terms
from lexgear.serve.page.context import CurrentContext, HtmlPage, PageContext
from lexgear.serve.page.form import SearchForm, read_form, read_search_form, value_of
from lexgear.serve.page.models import SearchResult
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.tasks import CompareAll, FindResults
from lexgear.serve.page.views.answer import answer_view
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking
from lexgear.serve.validation import check_search

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)


@router.post("/search", response_model=None)
async def search(request: Request, context: CurrentContext) -> HtmlPage[SearchResult]:
    """Show the answer, as a whole page or as the part that htmx asks for."""
    form = await request.form()
    search_form, is_example = _search_form(form, context)
    template = {"answer": "parts/answer.html", "precedents": "parts/precedents.html"}.get(context.preferences.target)
    is_part = template is not None

    def view(result: SearchResult) -> dict[str, Any]:
        values = {"search_form": search_form, "answer": answer_view(context, search_form, result), "repost": "again"}
        return {**values, "is_part": is_part, "fill_in": is_example and is_part}

    return HtmlPage(context, template or "home.html", await _run(request, context, search_form), view)


@router.get("/search")
@exempt_from_masking("redirect")
async def redirect_home() -> Response:
    """Redirect to the start page: facts are never part of an address."""
    return RedirectResponse("/", 303)


async def _run(request: Request, context: PageContext, search_form: SearchForm) -> SearchResult:
    """Search and judge as the API does, then compare the text with every hit."""
    service, text = context.service, search_form.text
    body = JudgeRequest(text=text, date=search_form.act_date or None)
    finding = service.worker.submit(_find_results(request, context, search_form))
    if context.served_index.judges:
        page, judgment = await asyncio.gather(finding, judge(body, request, service))
        parts = judgment.rationale
    else:
        judgment = None
        page, parts = await asyncio.gather(finding, rationale(TextRequest(text=text), request, service))
    request.scope["state"]["characters"] = len(text)  # log the text once, not once per endpoint
    hits = [hit_of(one, with_text=not context.has_cases) for one in page.hits]
    terms = tuple(wanted_terms(search_form.keywords))
    compared = await service.worker.submit(CompareAll(text, tuple(hit.id for hit in hits), terms))
    offset = len(hits) if page.has_more else None
    found = SearchAnswer(hits=hits, offset=0, next_offset=offset, facets=facet_models(page.facets))
    return SearchResult(
        found=found,
        judgment=judgment,
        rationale=parts,
        comparisons=compared.comparisons,
        elements=compared.elements,
        keyword_lines=compared.keyword_lines,
        searched=page.searched,
        floors=page.floors,
    )


def _find_results(request: Request, context: PageContext, search_form: SearchForm) -> FindResults:
    """Return the search as a task. Raises ApiError if it exceeds the limits of the service."""
    settings, filters = context.service.settings, search_form.api_filters
    context.service.check_texts(request, search_form.text)
    k = min(search_form.shown, settings.k)
    check_search(settings, k=k, filters=filters)
    chosen = (*filters, *in_force_on(search_form.act_date or None))
    return FindResults(search_form.text, k, chosen, search_form.node, search_form.sort)


def _search_form(form: FormData, context: PageContext) -> tuple[SearchForm, bool]:
    """Return the form, and whether the text of an example replaces its text."""
    examples, chosen = context.examples, value_of(form, "example")
    if chosen.isascii() and chosen.isdecimal() and len(chosen) == 1 and int(chosen) < len(examples):
        return replace(read_form(form), text=examples[int(chosen)]), True
    return read_search_form(form), False
