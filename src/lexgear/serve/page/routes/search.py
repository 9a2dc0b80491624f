"""The answer to facts: the judgment, and the precedents by charge."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from lexgear.serve.api import models
from lexgear.serve.api.routes.judge import judge
from lexgear.serve.api.routes.rationale import rationale
from lexgear.serve.api.routes.search import search as search_api
from lexgear.serve.page.context import CurrentContext, PageContext
from lexgear.serve.page.form import SearchForm, read_form, read_search_form, value_of
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.tasks import CompareAll
from lexgear.serve.page.views.answer import AnswerView, answer_view

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)])


@router.post("/search")
async def search(request: Request, context: CurrentContext) -> Response:
    """The answer: as a whole page, or the part that htmx asks for."""
    form = await request.form()
    search_form, is_example = _question(form, context)
    answer = await answered(request, context, search_form)
    template = {"answer": "parts/answer.html", "precedents": "parts/precedents.html"}.get(context.preferences.target)
    values: dict[str, Any] = {"search_form": search_form, "answer": answer, "repost": "again"}
    return await context.answer(
        template or "home.html", **values, is_part=template is not None, fill_in=is_example and template is not None
    )


@router.get("/search")
async def begin() -> Response:
    """Facts are in no address; whoever reloads one begins again."""
    return RedirectResponse("/", 303)


async def answered(request: Request, context: PageContext, search_form: SearchForm) -> AnswerView:
    """What the API answers, asked by the functions of its own routes."""
    service = context.service
    text = models.TextRequest(text=search_form.text)
    found = search_api(search_form.search(service.settings), request, service)
    if context.served_index.judges:
        hits, judgment = await asyncio.gather(found, judge(text, request, service))
        picked = judgment.rationale
    else:
        judgment = None
        hits, picked = await asyncio.gather(found, rationale(text, request, service))
    request.scope["state"]["characters"] = len(search_form.text)  # it was read once, whatever was asked of it
    compared = await service.worker.submit(CompareAll(search_form.text, tuple(hit.id for hit in hits.hits)))
    return await run_in_threadpool(answer_view, context, search_form, hits, judgment, picked, compared)


def _question(form: FormData, context: PageContext) -> tuple[SearchForm, bool]:
    """What a form asks; an example that is clicked takes the place of the text."""
    known = context.examples
    chosen = value_of(form, "example")
    if chosen.isascii() and chosen.isdecimal() and len(chosen) == 1 and int(chosen) < len(known):
        return replace(read_form(form), text=known[int(chosen)]), True
    return read_search_form(form), False
