"""Reasons for refusing a file. Imported by the confined process, therefore free of heavy imports."""

from __future__ import annotations

from enum import StrEnum


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
    SLOW = "slow"
    """Takes more time than is granted to one file."""
    UNSAFE_WORD = "unsafe_word"
    UNSUPPORTED = "unsupported"
    WRONG_EXTENSION = "wrong_extension"


class RefusedFileError(Exception):
    """File that a reader refuses: 413 too large, 415 unsupported type, 422 damaged, encrypted or without text."""

    def __init__(self, status: int, problem: UploadProblem, **parameters: str | int) -> None:
        self.status, self.problem, self.parameters = status, problem, parameters
        super().__init__(problem)
