"""Why a file is not read, in the words of `wording/uploads`."""

from __future__ import annotations

from collections.abc import Mapping

from lexgear.serve.api.errors import ApiError
from lexgear.wording.translations import texts


class UploadError(ApiError):
    """A file that is not read: 413 too much of it, 415 of another kind, 422 damaged, locked or without text."""

    def __init__(
        self, status: int, reason: str, *, headers: Mapping[str, str] | None = None, **values: str | int
    ) -> None:
        self.reason, self.values = reason, values
        super().__init__(status, self.message_in("en"), headers=headers)

    def message_in(self, language: str) -> str:
        """What is wrong and what to do, to whoever sent the file.

        >>> UploadError(422, "empty").message_in("fr")
        'Le fichier est vide.'
        """
        return texts("uploads", language)(self.reason, **self.values)
