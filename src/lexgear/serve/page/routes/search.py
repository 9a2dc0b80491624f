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
from lexgear.serve.page.context import AtDesk, Desk
from lexgear.serve.page.form import Question, asked_of, question_of, value_of
from lexgear.serve.page.same_origin import only_from_here
from lexgear.serve.page.tasks import CompareAll
from lexgear.serve.page.views.answer import AnswerView, answer_view

router = APIRouter(include_in_schema=False, dependencies=[Depends(only_from_here)])


@router.post("/search")
async def search(request: Request, desk: AtDesk) -> Response:
    """The answer: as a whole page, or the part that htmx asks for."""
    form = await request.form()
    question, is_example = _question(form, desk)
    answer = await answered(request, desk, question)
    template = {"answer": "parts/answer.html", "precedents": "parts/precedents.html"}.get(desk.visitor.target)
    values: dict[str, Any] = {"question": question, "answer": answer, "repost": "again"}
    return await desk.answer(
        template or "home.html", **values, is_part=template is not None, fill_in=is_example and template is not None
    )


@router.get("/search")
async def begin() -> Response:
    """Facts are in no address; whoever reloads one begins again."""
    return RedirectResponse("/", 303)


async def answered(request: Request, desk: Desk, question: Question) -> AnswerView:
    """What the API answers, asked by the functions of its own routes."""
    service = desk.service
    text = models.TextRequest(text=question.text)
    found = search_api(question.search(service.settings), request, service)
    if desk.library.judges:
        hits, judgment = await asyncio.gather(found, judge(text, request, service))
        picked = judgment.rationale
    else:
        judgment = None
        hits, picked = await asyncio.gather(found, rationale(text, request, service))
    request.scope["state"]["characters"] = len(question.text)  # it was read once, whatever was asked of it
    compared = await service.engine.ask(CompareAll(question.text, tuple(hit.id for hit in hits.hits)))
    return await run_in_threadpool(answer_view, desk, question, hits, judgment, picked, compared)


def _question(form: FormData, desk: Desk) -> tuple[Question, bool]:
    """What a form asks; an example that is clicked takes the place of the text."""
    known = desk.examples
    chosen = value_of(form, "example")
    if chosen.isascii() and chosen.isdecimal() and len(chosen) == 1 and int(chosen) < len(known):
        return replace(question_of(form), text=known[int(chosen)]), True
    return asked_of(form), False
