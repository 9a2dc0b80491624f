"""Names masked in every answer of the API, where nobody may see them; sign for sign, so that offsets stay true."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from lexgear.privacy.masking import Masker, document_masker
from lexgear.serve.api.models import CaseBrief, Comparison, Defendant, SharedWord
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.service import Service

M = TypeVar("M", bound=BaseModel)
_TEXTS = frozenset({"title", "text", "sections"})
_WORDS = frozenset({"words", "shared", "left_only", "right_only"})
"""Of which a name, or a part of one, is left out: alone it would stand there unmasked."""


def veil(service: Service, answer: M, *texts: str) -> M:
    """An answer about these texts as this service may give it: as it is, or with names masked."""
    return answer if service.settings.unmask else _Veil(service.served_index, texts).over(answer)


async def veiled(service: Service, answer: M, *texts: str) -> M:
    """The same beside the event loop: to find the names of a hundred cases takes a while."""
    return answer if service.settings.unmask else await asyncio.to_thread(veil, service, answer, *texts)


class _Veil:
    """What is masked in the answers to one request."""

    def __init__(self, served_index: ServedIndex, texts: Sequence[str]) -> None:
        self.served_index = served_index
        self.asked = Masker.of(texts, language=served_index.language).same_length()

    def over(self, answer: M) -> M:
        """The answer with its names masked."""
        if isinstance(answer, Comparison):
            sides = (side.case for side in (answer.left, answer.right) if side.case)
            return self._model(answer, self._with(self.asked, *(side.id for side in sides)))
        return self._model(answer, self.asked)

    def _with(self, masker: Masker, *cases: str) -> Masker:
        """The names of cases beside those that are masked already."""
        documents = [self.served_index.document(case) for case in cases]
        language = self.served_index.language
        own = [document_masker(document, language).same_length().masks for document in documents]
        return Masker({name: sign for masks in (masker.masks, *own) for name, sign in masks.items()}, language)

    def _model(self, model: M, masker: Masker) -> M:
        if isinstance(model, CaseBrief):
            masker = self._with(masker, model.id)
        changed = {name: self._value(name, getattr(model, name), masker) for name in type(model).model_fields}
        if isinstance(model, Defendant):
            changed["name"] = masker.mask(model.name).text
        return model.model_copy(update=changed)

    def _value(self, name: str, value: Any, masker: Masker) -> Any:
        if isinstance(value, BaseModel):
            return self._model(value, masker)
        if isinstance(value, dict):
            return {key: self._value(name, one, masker) for key, one in value.items()}
        if isinstance(value, list):
            kept = [one for one in value if name not in _WORDS or not _is_named(one, masker)]
            return [self._value(name, one, masker) for one in kept]
        return masker.mask(value).text if name in _TEXTS and isinstance(value, str) else value


def _is_named(one: Any, masker: Masker) -> bool:
    word = one.word if isinstance(one, SharedWord) else one
    return isinstance(word, str) and any(word in name or name in word for name in masker.masks)
