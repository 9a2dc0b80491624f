"""Errors of file uploads, with their texts in `wording/uploads`."""

from __future__ import annotations

from collections.abc import Mapping

from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.uploads.refusals import UploadProblem
from lexgear.wording.translations import texts

FIELD = "file"
"""Form field of the file, and the field that error answers name."""

__all__ = ["FIELD", "UploadError", "UploadProblem"]


class UploadError(ApiError):
    """File that cannot be read: 413 too large, 415 unsupported type, 422 damaged, encrypted or without text."""

    def __init__(
        self, status: int, problem: UploadProblem, *, headers: Mapping[str, str] | None = None, **parameters: str | int
    ) -> None:
        self.problem = problem
        text = texts("uploads", "en")(problem, **parameters)
        super().__init__(status, text, where=[FieldError(FIELD, problem, text, parameters)], headers=headers)
