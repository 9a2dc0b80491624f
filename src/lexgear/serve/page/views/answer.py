"""View of the answer to a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.page.context import PageContext
from lexgear.serve.page.filters import FiltersView, filters_view
from lexgear.serve.page.form import STEP, SearchForm
from lexgear.serve.page.models import SearchResult
from lexgear.serve.page.views.judgment import JudgmentView, judgment_view
from lexgear.serve.page.views.penalties import ChargePenalties, penalties_by_charge
from lexgear.serve.page.views.precedents import Group, group_hits


@dataclass(frozen=True)
class AnswerView:
    """Judgment and precedents."""

    judgment: JudgmentView
    filters: FiltersView
    groups: Sequence[Group]
    found: int
    searched: int
    """Number of documents that pass the filters."""
    has_more: bool
    at_limit: bool
    """True if the maximum number of hits is shown."""
    penalties: Sequence[ChargePenalties]
    unseen: Sequence[str]
    """Picked cases that are not among the hits shown."""
    first_new: int
    """Rank of the first hit that "more" has added; 0 for a first answer."""


def answer_view(context: PageContext, search_form: SearchForm, result: SearchResult) -> AnswerView:
    """Return the view of a search result."""
    hits, more = result.found.hits, result.found.next_offset is not None
    at_limit = search_form.shown >= context.service.settings.k
    return AnswerView(
        judgment=judgment_view(context, search_form.text, result.judgment, result.rationale),
        filters=filters_view(context, search_form, result.found.facets or {}),
        groups=group_hits(context, result, search_form),
        found=len(hits),
        searched=result.searched,
        has_more=more and not at_limit,
        at_limit=more and at_limit,
        penalties=penalties_by_charge(hits),
        unseen=[one for one in search_form.picks if one not in {hit.id for hit in hits}],
        first_new=search_form.shown - STEP + 1 if search_form.shown > STEP else 0,
    )
