"""Error pages: browsers get HTML in the visitor's language instead of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.page.context import PageContext, page_context
from lexgear.serve.service import API
from lexgear.serve.uploads.errors import FIELD as UPLOAD_FIELD
from lexgear.wording.translations import texts

UNAUTHENTICATED = frozenset({401, 421})
"""Statuses of clients that must not learn what is served."""


class ErrorPageMiddleware:
    """Turns JSON errors into HTML for browsers, wherever in the app they come from."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request. The body of an error is held back until it is complete."""
        if scope["type"] != "http" or not wants_page(scope):
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def send_or_hold(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_error(message):
                held.append(message)
            elif not held:
                await send(message)
            else:
                held.append(message)
                if not message.get("more_body"):
                    await _send_page(scope, held, send)

        await self.app(scope, receive, send_or_hold)


def wants_page(scope: Scope) -> bool:
    """Return whether a browser makes the request, and not to the API."""
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
    """Render what went wrong, what to do about it, and the request id."""
    code, title, text = _translated(context, error)
    details = [error["message"], *(f"{one['field']}: {one['problem']}" for one in error["where"])]
    template = "parts/problem.html" if is_part else "error.html"
    values: dict[str, Any] = {"code": code, "title": title, "text": text, "details": details}
    values["request_id"] = error["request_id"]
    if status in UNAUTHENTICATED:
        values |= {"collection": "", "has_cases": False}
    return bytes(context.page(template, status, **values).body)


def _translated(context: PageContext, error: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return code, title and text for an error, by the most specific code that the catalogue has."""
    t, uploads = context.t, texts("uploads", context.preferences.language)
    code, parameters = next((one for one in _codes(error) if f"error.{one[0]}.title" in t), ("refused", {}))
    title, text = t(f"error.{code}.title"), t(f"error.{code}.text", **{"limit": context.max_characters, **parameters})
    upload = next((one for one in error["where"] if one["field"] == UPLOAD_FIELD and one["code"] in uploads), None)
    return code, title, uploads(upload["code"], **upload["parameters"]) if upload else text


def _codes(error: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the codes of an error with their parameters: those of its fields, then its own."""
    yield from ((one["code"], one["parameters"]) for one in error["where"] if one["field"] != UPLOAD_FIELD)
    yield error["code"], error["parameters"]
