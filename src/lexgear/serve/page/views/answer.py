"""The whole answer as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.filters import FiltersView, filters_view
from lexgear.serve.page.form import STEP, SearchForm
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
    context: PageContext,
    search_form: SearchForm,
    found: models.SearchAnswer,
    judgment: models.Judgment | None,
    rationale: models.Rationale,
    compared: Sequence[models.Comparison],
) -> AnswerView:
    """What was answered, ready to be shown."""
    hits = found.hits
    at_limit = search_form.shown >= context.service.settings.k
    return AnswerView(
        judgment=judgment_view(context, search_form.text, judgment, rationale),
        filters=filters_view(context, search_form),
        groups=grouped(context, hits, compared, judgment, search_form.picks),
        found=len(hits),
        has_more=found.next_offset is not None and not at_limit,
        at_limit=found.next_offset is not None and at_limit,
        penalties=distribution(hit.penalty for hit in hits),
        unseen=[one for one in search_form.picks if one not in {hit.id for hit in hits}],
        first_new=search_form.shown - STEP + 1 if search_form.shown > STEP else 0,
    )
