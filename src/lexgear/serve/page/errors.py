"""Errors for people: whoever looks with a browser gets a page in their language in place of JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.page.context import PageContext, page_context
from lexgear.serve.service import API
from lexgear.serve.text_validation import TOO_LONG

OUTSIDE = frozenset({401, 421})
"""Who gets these is not told what is served."""


class ErrorPageMiddleware:
    """Makes pages of the errors that browsers get, wherever in the app they come from."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on; an error is held back until it is whole."""
        if scope["type"] != "http" or not wants_page(scope):
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_error(message):
                held.append(message)
            elif not held:
                await send(message)
            else:
                held.append(message)
                if not message.get("more_body"):
                    await _send_page(scope, held, send)

        await self.app(scope, receive, sending)


def wants_page(scope: Scope) -> bool:
    """Whether a browser asks, and not for the API."""
    headers = Headers(scope=scope)
    if scope["path"].startswith(f"{API}/"):
        return False
    return "HX-Request" in headers or "text/html" in headers.get("Accept", "")


def _is_error(start: Message) -> bool:
    return start["status"] >= 400 and MutableHeaders(scope=start).get("Content-Type") == "application/json"


async def _send_page(scope: Scope, held: list[Message], send: Send) -> None:
    start, *rest = held
    error = json.loads(b"".join(message.get("body", b"") for message in rest))
    request = Request(scope)
    body = _page(page_context(request), start["status"], error, is_part="HX-Request" in request.headers)
    headers = MutableHeaders(scope=start)
    headers["Content-Type"] = "text/html; charset=utf-8"
    headers["Content-Length"] = str(len(body))
    await send(start)
    await send({"type": "http.response.body", "body": body})


def _page(context: PageContext, status: int, error: dict[str, Any], *, is_part: bool) -> bytes:
    """What went wrong, what to do, and the id by which the log knows it."""
    code = error["code"] if f"error.{error['code']}.title" in context.t else "refused"
    places = {f"{one['field'].removeprefix('body.')}.{one['problem']}" for one in error["where"]}
    if "text.empty" in places:
        code = "empty"
    said = next((one["problem"] for one in error["where"] if one["field"] == "upload"), "")
    if any(place.startswith("text.") and place.endswith(TOO_LONG) for place in places):
        code, said = "long", context.t("error.long.text", most=context.most_characters)
    details = [error["message"], *(f"{one['field']}: {one['problem']}" for one in error["where"])]
    template = "parts/problem.html" if is_part else "error.html"
    told = {"code": code, "said": said, "details": details, "request_id": error["request_id"]}
    if status in OUTSIDE:
        told |= {"collection": "", "has_cases": False}
    return bytes(context.page(template, status, **told).body)
