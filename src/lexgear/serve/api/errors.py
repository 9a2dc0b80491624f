"""Error responses: `ApiError`, its JSON form, and the exception handlers that produce it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from lexgear.errors import ErrorCode, InputError
from lexgear.serve.api.error_models import ErrorAnswer

CODES = {
    400: ("malformed", "The body is not JSON, or not UTF-8."),
    401: ("unauthorized", "The API key is missing or wrong."),
    404: ("not_found", "There is no such path, case or place of the law."),
    405: ("wrong_method", "The path does not support this method."),
    410: ("removed_document", "The case was removed from the index."),
    413: ("too_large", "The body exceeds the size limit; it was not read to its end."),
    415: ("wrong_kind", "Files of this type cannot be read."),
    421: ("misdirected", "The Host header names another machine; without an API key only local requests are served."),
    422: ("invalid", "A field is missing, unknown, of the wrong type or out of range."),
    429: ("busy", "The queue is full; `Retry-After` gives the number of seconds to wait."),
    500: ("fault", "Internal error; the log has details under the request id."),
    503: ("closing", "The service is shutting down, or a shard of the index does not answer (`shard_missing`)."),
    504: ("late", "The answer was not ready before the deadline."),
}
"""HTTP status → (error code, meaning)."""
STATUSES = {
    ErrorCode.UNKNOWN_DOCUMENT: 404,
    ErrorCode.UNKNOWN_PLACE: 404,
    ErrorCode.REMOVED_DOCUMENT: 410,
    ErrorCode.SHARD_MISSING: 503,
}
"""Statuses of input errors that are not answered with 422."""
ASKING = (400, 413, 422, 429, 503)
"""Statuses of an endpoint that reads a body and queries the model, besides those of every endpoint."""


@dataclasses.dataclass(frozen=True, slots=True)
class FieldError:
    """One invalid field of a request. `code` is pydantic's error type or one of ours."""

    field: str
    code: str
    problem: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)


class ApiError(HTTPException):
    """Error that is answered as an `ErrorAnswer`. A subclass of HTTPException, which FastAPI's body parser lets pass.

    `code` defaults to the code of the status, `message` to its meaning.
    """

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        code: str = "",
        where: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        default, meaning = CODES.get(status, ("refused", HTTPStatus(status).phrase))
        self.code, self.message, self.where = code or default, message or meaning, tuple(where)
        self.parameters = dict(parameters or {})
        super().__init__(status, self.message, dict(headers or {}))

    def response(self, request_id: str) -> Response:
        """Return the JSON response, in ASCII: messages may quote lone surrogates, which UTF-8 cannot encode."""
        content = {
            "code": self.code,
            "message": self.message,
            "parameters": _plain(self.parameters),
            "where": [
                {"field": one.field, "code": one.code, "problem": one.problem, "parameters": _plain(one.parameters)}
                for one in self.where
            ],
            "request_id": request_id,
        }
        return Response(json.dumps(content), self.status_code, self.headers, "application/json")


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of an endpoint for OpenAPI, including those that every endpoint can give."""
    answers: dict[int | str, dict[str, Any]] = {}
    for status in sorted({*statuses, 401, 421, 500, 504}):
        code, meaning = CODES[status]
        example = {"code": code, "message": meaning, "parameters": {}, "where": [], "request_id": "8c1e6a0f5b7d4c32"}
        answers[status] = {
            "model": ErrorAnswer,
            "description": meaning,
            "content": {"application/json": {"example": example}},
        }
    if 429 in answers:
        answers[429]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return answers


def add_exception_handlers(app: FastAPI) -> None:
    """Answer every error of the app as an `ErrorAnswer`."""
    for kind in (InputError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _handle)


async def _handle(request: Request, error: Exception) -> Response:
    answer = to_api_error(error)
    if answer.status_code == 500:
        raise error  # the access log records where it came from
    return answer.response(request_id(request.scope))


def to_api_error(error: Exception) -> ApiError:
    """Return the ApiError for an exception. An InputError about one of our files is an internal error."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, RequestValidationError):
        if any(one["type"] == "json_invalid" for one in error.errors()):
            return ApiError(400)
        return ApiError(422, where=field_errors(error.errors()))
    if isinstance(error, HTTPException):
        return ApiError(error.status_code, headers=error.headers)
    if isinstance(error, InputError) and error.file is None:
        status = STATUSES.get(error.code, 422)
        return ApiError(status, str(error), code=error.code, parameters=error.parameters)
    return ApiError(500)


def field_errors(errors: Sequence[Any]) -> list[FieldError]:
    """Return pydantic's validation errors as field errors, such as `body.filters.0`."""
    return [
        FieldError(".".join(map(str, one["loc"])), one["type"], str(one["msg"]), one.get("ctx", {})) for one in errors
    ]


def request_id(scope: Mapping[str, Any]) -> str:
    """Return the id that the access log has given to a request."""
    return str(scope.get("state", {}).get("request_id", ""))


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that JSON can hold."""
    return {name: value for name, value in parameters.items() if isinstance(value, str | int | float)}
