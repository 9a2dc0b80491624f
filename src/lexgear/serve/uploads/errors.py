"""Errors of file uploads, with their texts in `wording/uploads`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.wording.translations import texts

FIELD = "file"
"""Form field of the file, and the field that error answers name."""


class UploadProblem(StrEnum):
    """Reasons why a file is refused: the keys of the catalogue `wording/uploads`."""

    BUSY = "busy"
    DAMAGED_PDF = "damaged_pdf"
    DAMAGED_TEXT = "damaged_text"
    DAMAGED_WORD = "damaged_word"
    EMPTY = "empty"
    ENCRYPTED_PDF = "encrypted_pdf"
    ENCRYPTED_WORD = "encrypted_word"
    EXPANDS = "expands"
    """Unpacks to far more bytes than its size suggests."""
    LARGE = "large"
    LONG = "long"
    MACROS = "macros"
    NO_FILE = "no_file"
    NO_TEXT = "no_text"
    OLD_WORD = "old_word"
    PAGES = "pages"
    SCANNED = "scanned"
    SLOW_PDF = "slow_pdf"
    UNSAFE_WORD = "unsafe_word"
    UNSUPPORTED = "unsupported"
    WRONG_EXTENSION = "wrong_extension"


class UploadError(ApiError):
    """File that cannot be read: 413 too large, 415 unsupported type, 422 damaged, encrypted or without text."""

    def __init__(
        self, status: int, problem: UploadProblem, *, headers: Mapping[str, str] | None = None, **parameters: str | int
    ) -> None:
        self.problem = problem
        text = texts("uploads", "en")(problem, **parameters)
        super().__init__(status, text, where=[FieldError(FIELD, problem, text, parameters)], headers=headers)
