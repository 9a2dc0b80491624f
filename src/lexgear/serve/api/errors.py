"""What the service says when it does not answer: one model for every error, and who makes it of what went wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from lexgear.errors import InputError
from lexgear.serve.api.models import ErrorAnswer

CODES = {
    400: ("malformed", "The body is not JSON, or not UTF-8."),
    401: ("unauthorized", "The API key is missing or wrong."),
    404: ("not_found", "There is no such case, place of the law, or path."),
    405: ("wrong_method", "The path takes another method."),
    413: ("too_large", "The body is larger than the service takes; it was not read to its end."),
    415: ("wrong_kind", "The file is of a kind that is not read."),
    421: ("misdirected", "The request names another host than this machine; without an API key none but it is served."),
    422: ("invalid", "A field is missing, unknown, of another type or beyond its limit, or makes no sense."),
    429: ("busy", "Too much is waiting already; `Retry-After` says in how many seconds to come again."),
    500: ("fault", "A fault of the service's; the log has more under the request id."),
    503: ("closing", "The service is shutting down."),
    504: ("late", "The answer was not ready by the deadline."),
}
"""Status → its code, and what it means."""


class ApiError(HTTPException):
    """Why there is no answer; becomes an `ErrorAnswer`. (An HTTPException, since FastAPI lets no other pass.)"""

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        where: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.code, meaning = CODES.get(status, ("refused", HTTPStatus(status).phrase))
        self.message, self.where = message or meaning, tuple(where)
        super().__init__(status, self.message, dict(headers or {}))

    def response(self, request_id: str) -> Response:
        """As it is sent: ASCII, since what it quotes may hold half characters, which UTF-8 cannot."""
        where = [{"field": field, "problem": problem} for field, problem in self.where]
        content = {"code": self.code, "message": self.message, "where": where, "request_id": request_id}
        return Response(json.dumps(content), self.status_code, self.headers, "application/json")


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an endpoint for the OpenAPI description; those that any of them may give are added."""
    answers: dict[int | str, dict[str, Any]] = {}
    for status in sorted({*statuses, 401, 421, 500, 504}):
        code, meaning = CODES[status]
        example = {"code": code, "message": meaning, "where": [], "request_id": "8c1e6a0f5b7d4c32"}
        answers[status] = {
            "model": ErrorAnswer,
            "description": meaning,
            "content": {"application/json": {"example": example}},
        }
    if 429 in answers:
        answers[429]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return answers


ASKING = (400, 413, 422, 429, 503)
"""Beside those of any endpoint, what one may give that reads a body and asks the model."""


def add_exception_handlers(app: FastAPI) -> None:
    """Makes every error of the app an `ErrorAnswer`."""
    app.add_exception_handler(InputError, _said)
    app.add_exception_handler(RequestValidationError, _said)
    app.add_exception_handler(HTTPException, _said)


async def _said(request: Request, error: Exception) -> Response:
    fault = to_api_error(error)
    if fault.status_code == 500:
        raise error  # for the journal
    return fault.response(request_id(request.scope))


def to_api_error(error: Exception) -> ApiError:
    """The fault that an exception stands for. What names a file of ours is our fault, and nobody else's business."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, RequestValidationError):
        if any(one["type"] == "json_invalid" for one in error.errors()):
            return ApiError(400)
        return ApiError(422, where=[(_field(one["loc"]), str(one["msg"])) for one in error.errors()])
    if isinstance(error, HTTPException):
        return ApiError(error.status_code, headers=error.headers)
    if isinstance(error, InputError) and error.file is None:
        return ApiError(422, str(error).replace("--filter: ", "filters: ").replace("--filter ", "filter "))
    return ApiError(500)


def request_id(scope: Mapping[str, Any]) -> str:
    """The id that the journal gave a request."""
    return str(scope.get("state", {}).get("request_id", ""))


def _field(place: Sequence[object]) -> str:
    """Where in a request something is wrong: `body.filters.0`."""
    return ".".join(str(step) for step in place)
