"""The whole answer as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.api import models
from lexgear.serve.page.context import Desk
from lexgear.serve.page.filters import FiltersView, filters_view
from lexgear.serve.page.form import STEP, Question
from lexgear.serve.page.views.judgment import JudgmentView, judgment_view
from lexgear.serve.page.views.penalties import Distribution, distribution
from lexgear.serve.page.views.precedents import Group, grouped


@dataclass(frozen=True)
class AnswerView:
    """Judgment and precedents."""

    judgment: JudgmentView
    filters: FiltersView
    groups: Sequence[Group]
    found: int
    has_more: bool
    at_limit: bool
    """Whether as many are shown as an answer may have."""
    penalties: Distribution | None
    unseen: Sequence[str]
    """Picked cases that are not among those shown."""
    first_new: int
    """Rank of the first hit that a wish for more brought."""


def answer_view(
    desk: Desk,
    question: Question,
    found: models.SearchAnswer,
    judgment: models.Judgment | None,
    rationale: models.Rationale,
    compared: Sequence[models.Comparison],
) -> AnswerView:
    """What was answered, ready to be shown."""
    hits = found.hits
    at_limit = question.shown >= desk.service.settings.k
    return AnswerView(
        judgment=judgment_view(desk, question.text, judgment, rationale),
        filters=filters_view(desk, question),
        groups=grouped(desk, hits, compared, judgment, question.picks),
        found=len(hits),
        has_more=found.next_offset is not None and not at_limit,
        at_limit=found.next_offset is not None and at_limit,
        penalties=distribution(hit.penalty for hit in hits),
        unseen=[one for one in question.picks if one not in {hit.id for hit in hits}],
        first_new=question.shown - STEP + 1 if question.shown > STEP else 0,
    )
