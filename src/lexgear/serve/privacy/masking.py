"""Masking of the names of private persons in answers, and the decision who may see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, singledispatchmethod
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from starlette.requests import Request

from lexgear.corpus.records import Document
from lexgear.privacy.masking import NO_MASKING, Masked, Masker, initials
from lexgear.privacy.surnames import surname
from lexgear.report.masking import mask_report
from lexgear.report.model import Report
from lexgear.serve.api import models
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.page.preferences import read_preferences
from lexgear.serve.privacy.personal_data import PersonalData, marked_fields
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.service import API, service_of
from lexgear.serve.settings import Limits

S = TypeVar("S", models.Place, models.PlacedPart)


@dataclass(frozen=True, slots=True)
class NamePolicy:
    """Names that the client of a request may see."""

    shows_names: bool
    may_show_names: bool
    """True if this service shows names at all; a report shows them if it is asked to."""
    masks_query: bool = False
    """Mask names in the client's own text as well."""
    same_length: bool = False
    """Mask every name by a sign of the same length, so that offsets stay valid."""


def policy_for(request: Request) -> NamePolicy:
    """Decide which names a request may see: those of the API if the service allows it, elsewhere by the page's switch.

    Answers of the API refer to the client's text by offsets; pages show that text itself, as it was entered.
    """
    service = service_of(request)
    allowed = service.settings.unmask
    if request.url.path.startswith(f"{API}/"):
        return NamePolicy(allowed, allowed, masks_query=True, same_length=True)
    preferences = read_preferences(request, service.served_index.language, may_unmask=allowed)
    return NamePolicy(preferences.unmasked, allowed)


class NameMasking:
    """Masks the models of one answer."""

    def __init__(
        self, served_index: ServedIndex, policy: NamePolicy, texts: Sequence[str] = (), most_names: int = Limits.names
    ) -> None:
        self.served_index, self.policy, self.texts, self.most_names = served_index, policy, texts, most_names

    @cached_property
    def query_masker(self) -> Masker:
        """Masker of the names in the client's texts. Raises ApiError if there are too many."""
        if not self.policy.masks_query:
            return NO_MASKING
        masker = Masker.of(self.texts, language=self.served_index.language)
        if len(masker.masks) > self.most_names:
            problem = f"names {len(masker.masks):,} persons; the limit is {self.most_names:,}"
            limit = {"limit": self.most_names}
            raise ApiError(422, where=[FieldError("body.text", "too_many_names", problem, limit)])
        return masker.same_length()

    @singledispatchmethod
    def mask(self, model: BaseModel) -> BaseModel:
        """Return the model with names masked in all its marked fields."""
        return model if self.policy.shows_names else self._model(model, self.query_masker, in_case=False)

    @mask.register
    def _(self, report: Report) -> Report:
        if self.policy.may_show_names and not report.masked:
            return report
        return mask_report(report, self.served_index.document)

    def _model(self, model: BaseModel, masker: Masker, *, in_case: bool) -> BaseModel:
        if isinstance(model, models.Comparison):
            return self._comparison(model)
        marks = marked_fields(model)
        cases = [getattr(model, name) for name, mark in marks.items() if mark is PersonalData.CASE_ID]
        masker, in_case = self._with_cases(masker, cases), in_case or bool(cases)
        changed = {
            name: self._value(getattr(model, name), marks.get(name), masker, in_case=in_case)
            for name in type(model).model_fields
        }
        return model.model_copy(update=changed)

    def _value(self, value: Any, mark: PersonalData | None, masker: Masker, *, in_case: bool) -> Any:
        if isinstance(value, BaseModel):
            return self._model(value, masker, in_case=in_case)
        if isinstance(value, dict):
            return {key: self._value(one, mark, masker, in_case=in_case) for key, one in value.items()}
        if isinstance(value, list | tuple):
            kept = [one for one in value if mark is not PersonalData.WORDS or not _is_name(one, masker)]
            return type(value)(self._value(one, mark, masker, in_case=in_case) for one in kept)
        return self._text(value, mark, masker, in_case=in_case) if isinstance(value, str) else value

    def _text(self, value: str, mark: PersonalData | None, masker: Masker, *, in_case: bool) -> str:
        language = self.served_index.language
        match mark:
            case PersonalData.QUERY_TEXT:
                return masker.mask(value).text if self.policy.masks_query else value
            case PersonalData.TEXT | PersonalData.NAME if in_case:
                return masker.mask(value).text
            case PersonalData.TEXT:
                return self._with(masker, self._same_length(Masker.of([value], language=language))).mask(value).text
            case PersonalData.NAME:
                return f"{surname(value)}某" if language == "zh" else initials(value)
        return value

    def _comparison(self, comparison: models.Comparison) -> models.Comparison:
        """Mask both sides by the names of their own cases; if lengths are kept, by the names of both and the query."""
        sides = (comparison.left, comparison.right)
        cases = [[side.case.id] if side.case else [] for side in sides]
        if self.policy.same_length:
            cases = [[*cases[0], *cases[1]]] * 2
        left, right = (self._with_cases(self.query_masker, names) for names in cases)
        texts = [self._sections(side.case, masker) for side, masker in zip(sides, (left, right), strict=True)]

        def words(values: list[str] | None, *maskers: Masker) -> list[str] | None:
            return values and [word for word in values if not any(_is_name(word, masker) for masker in maskers)]

        def overlap(values: models.Overlap) -> models.Overlap:
            return models.Overlap(
                shared=words(values.shared, left, right),
                left_only=words(values.left_only, left),
                right_only=words(values.right_only, right),
            )

        def side(value: models.Side, masker: Masker, sections: dict[str, Masked]) -> models.Side:
            case = value.case and self._model(value.case, self.query_masker, in_case=True)
            parts = [_mask_span(part, masker, sections) for part in value.rationale]
            return value.model_copy(update={"case": case, "rationale": parts})

        def match(value: models.Match) -> models.Match:
            sentences = {
                "left": _mask_span(value.left, left, texts[0]),
                "right": _mask_span(value.right, right, texts[1]),
            }
            return value.model_copy(update={**sentences, "words": words(value.words, left, right)})

        return comparison.model_copy(
            update={
                "left": side(comparison.left, left, texts[0]),
                "right": side(comparison.right, right, texts[1]),
                "matches": [match(one) for one in comparison.matches],
                "contrasts": [match(one) for one in comparison.contrasts],
                **{name: overlap(getattr(comparison, name)) for name in ("charges", "articles", "words")},
            }
        )

    def _sections(self, case: models.CaseBrief | None, masker: Masker) -> dict[str, Masked]:
        """Return the masked sections of a case; none for a text of the client."""
        if case is None:
            return {}
        return {name: masker.mask(text) for name, text in self.served_index.document(case.id).sections.items()}

    def _with_cases(self, masker: Masker, cases: Iterable[str]) -> Masker:
        for case in cases:
            masker = self._with(masker, self._case_masker(self.served_index.document(case)))
        return masker

    def _case_masker(self, document: Document) -> Masker:
        return self._same_length(self.served_index.masker(document))

    def _same_length(self, masker: Masker) -> Masker:
        return masker.same_length() if self.policy.same_length else masker

    def _with(self, masker: Masker, other: Masker) -> Masker:
        return Masker({**masker.masks, **other.masks}, self.served_index.language) if masker.masks else other


def _mask_span(span: S, masker: Masker, sections: dict[str, Masked]) -> S:
    """Mask a span of a section and move it to where it stands in the masked section."""
    if (section := sections.get(span.section)) is None:
        return span.model_copy(update={"text": masker.mask(span.text).text})
    start, end = section.span(span.start, span.end)
    return span.model_copy(update={"start": start, "end": end, "text": section.text[start:end]})


def _is_name(value: Any, masker: Masker) -> bool:
    """Return whether a word, or a model of one, is a masked name or part of one."""
    word = cast(str, getattr(value, "word", value))
    return isinstance(word, str) and masker.names.touches(word)
