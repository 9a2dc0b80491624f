"""View of two cases side by side: features aligned in a table, similar and contrary sentences linked both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lexgear.corpus.extraction.factors.comparison import FactorComparison
from lexgear.corpus.records import Citation
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark
from lexgear.serve.page.models import SideBySide
from lexgear.serve.page.views.case import ParagraphView, paragraph_views

LEFT, RIGHT = "left", "right"
SAME, PARTLY, DIFFERENT = "same", "partly", "different"
_ARTICLE = re.compile(r"(\D{1,80})(\d{1,6}(?:-\d{1,6})?)")


@dataclass(frozen=True)
class SideView:
    """View of one side."""

    name: str
    case: models.CaseBrief | None
    title: str
    """Empty for a text."""
    sections: Sequence[tuple[str, Sequence[ParagraphView]]]
    penalty: str


@dataclass(frozen=True)
class PairView:
    """Pair of sentences with words in common."""

    number: int
    left: str
    right: str
    differs: str
    """In what they contradict each other, in words; empty if they are similar."""


@dataclass(frozen=True)
class RowView:
    """Feature of both sides: a charge, an article, a penalty or a legal factor."""

    group: str
    label: str
    left: str
    right: str
    status: str
    """`same`, `partly`, `different`, `left` or `right`; empty if one side is unknown."""


@dataclass(frozen=True)
class ComparisonView:
    """View of a comparison."""

    left: SideView
    right: SideView
    pairs: Sequence[PairView]
    rows: Sequence[RowView]
    words: models.Overlap
    judged: bool


def comparison_view(context: PageContext, text: str, model: SideBySide) -> ComparisonView:
    """Return the view of a comparison; `text` is the left side if it is not a case."""
    comparison = model.comparison
    matches = sorted([*comparison.matches, *comparison.contrasts], key=lambda one: (one.left.section, one.left.start))
    return ComparisonView(
        left=_side(context, LEFT, {"text": text}, None, matches)
        if model.left is None
        else _case(context, LEFT, model.left, matches),
        right=_case(context, RIGHT, model.right, matches),
        pairs=[
            PairView(number, match.left.text, match.right.text, _differs(context, match))
            for number, match in enumerate(matches, start=1)
        ],
        rows=list(_rows(context, model)),
        words=comparison.words,
        judged=comparison.left.judged,
    )


def _case(context: PageContext, name: str, case: models.Case, matches: Sequence[models.Match]) -> SideView:
    return _side(context, name, {key: text for key, text in case.sections.items() if text}, case, matches)


def _side(
    context: PageContext, name: str, sections: dict[str, str], case: models.Case | None, matches: Sequence[models.Match]
) -> SideView:
    return SideView(
        name=name,
        case=case,
        title=context.heading(case) if case else "",
        sections=[
            (section, paragraph_views(text, section, list(_paired(context, name, section, matches))))
            for section, text in sections.items()
        ],
        penalty=context.format.penalty(case.penalty) if case and case.penalty else "",
    )


def _differs(context: PageContext, match: models.Match) -> str:
    return context.reading(f"differs.{match.differs}") if isinstance(match, models.ContrastingMatch) else ""


def _paired(context: PageContext, name: str, section: str, matches: Sequence[models.Match]) -> Iterator[Mark]:
    """Yield marks for the sentences of one side that have a counterpart on the other."""
    other = RIGHT if name == LEFT else LEFT
    for number, match in enumerate(matches, start=1):
        place = match.left if name == LEFT else match.right
        if place.section == section:
            differs = _differs(context, match)
            why = differs or context.t("compare.alike")
            anchors = (f"{name}-{number}", f"{other}-{number}")
            yield Mark(
                place.start, place.end, "contrary" if differs else "alike", why, *anchors, context.t.number(number)
            )


def _rows(context: PageContext, model: SideBySide) -> Iterator[RowView]:
    """Yield charges, articles and penalty in one row each, then every legal factor in a row of its own."""
    comparison, t = model.comparison, context.t
    decided = {"charges": model.right.charges, "articles": [f"{one.law}{one.number}" for one in model.right.articles]}
    listed: dict[str, Callable[[Iterable[str]], str]] = {
        "charges": context.format.listed,
        "articles": partial(_articles, context),
    }
    for name, overlap in (("charges", comparison.charges), ("articles", comparison.articles)):
        if overlap.shared is None:
            if decided[name]:
                right = listed[name](decided[name])
                yield RowView(name, t(f"compare.{name}"), t("compare.not_judged"), right, "")
        elif overlap.shared or overlap.left_only or overlap.right_only:
            left = [*overlap.shared, *(overlap.left_only or ())]
            theirs = [*overlap.shared, *(overlap.right_only or ())]
            row = _row(name, t(f"compare.{name}"), listed[name](left), listed[name](theirs))
            yield replace(row, status=PARTLY) if overlap.shared and row.status == DIFFERENT else row
    penalties = [
        context.format.penalty(case.penalty) if case and case.penalty else "" for case in (model.left, model.right)
    ]
    if any(penalties):
        if model.left is None:
            yield RowView("penalty", t("compare.penalty"), t("compare.undecided"), penalties[1], "")
        else:
            yield _row("penalty", t("compare.penalty"), *penalties)
    if comparison.factors:
        yield from _factor_rows(context, comparison.factors)


def _articles(context: PageContext, articles: Iterable[str]) -> str:
    """Return articles such as 刑法266 as lawyers cite them, one line per law, in its order."""
    found = [match.groups() if (match := _ARTICLE.fullmatch(one)) else (one, "") for one in articles]
    ordered = sorted(found, key=lambda one: (one[0], [int(part) for part in one[1].split("-") if part]))
    return context.format.articles(Citation(law, number) for law, number in ordered)


def _row(group: str, label: str, left: str, right: str) -> RowView:
    status = SAME if left == right else RIGHT if not left else LEFT if not right else DIFFERENT
    return RowView(group, label, left, right, status)


def _factor_rows(context: PageContext, compared: FactorComparison) -> Iterator[RowView]:
    texts, stated = context.format.factors, context.reading("stated")
    groups = (
        (SAME, compared.shared),
        (DIFFERENT, compared.different),
        (LEFT, compared.left_only),
        (RIGHT, compared.right_only),
    )
    for status, factors in groups:
        for one in factors:
            left = (texts.value(one.name, one.left) or stated) if one.left else ""
            right = (texts.value(one.name, one.right) or stated) if one.right else ""
            yield RowView("factors", texts.name(one.name), left, right, status)
