"""Response models of errors."""

from __future__ import annotations

from pydantic import Field

from lexgear.serve.api.models import ResponseModel


class FieldError(ResponseModel):
    """Invalid field of a request."""

    field: str = Field(examples=["body.filters.0"])
    code: str = Field(description="Kind of error, for programs: pydantic's error type, or one such as `text_too_long`.")
    problem: str = Field(description="What is wrong, in English.")
    parameters: dict[str, str | int | float] = Field(description="Values that a translation of `code` needs.")


class ErrorAnswer(ResponseModel):
    """Body of every error response."""

    code: str = Field(description="Kind of error, for programs, such as `invalid`, `invalid_filter` or `busy`.")
    message: str = Field(description="What is wrong, in English.")
    parameters: dict[str, str | int | float] = Field(description="Values that a translation of `code` needs.")
    where: list[FieldError] = Field(description="The invalid fields, if the error is about fields.")
    request_id: str = Field(description="As in the header `X-Request-Id`.")
