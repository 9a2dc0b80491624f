"""View of the hits: their charges, why they are similar, matching sentences and the parts of the score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.corpus.extraction.court_hierarchy import AT_LEAST_OWN, Relation, relation_of
from lexgear.corpus.extraction.factors.comparison import FactorComparison
from lexgear.serve.api import models
from lexgear.serve.comparing.comparison import FORMULAS
from lexgear.serve.comparing.elements import ChargeElements
from lexgear.serve.comparing.keyword_places import term_spans, wanted_terms
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.models import SearchResult
from lexgear.serve.page.views.common_ground import common_words
from lexgear.serve.page.views.judgment import looks_of
from lexgear.serve.page.views.score import ScoreView, bar_length, score_view

MAX_QUOTES = 2
"""Pairs of sentences per hit; the comparison shows all."""
MAX_ELEMENTS = 2
"""Charges per hit whose elements are shown: the most probable ones."""
_EVIDENCE = re.compile("^证[明实]|证言|供述|辨认笔录")
MAX_ARTICLE = 600
"""Characters of a statutory article that are shown."""
_CUT_WORD = re.compile(r"\s\S{0,30}\Z")


@dataclass(frozen=True)
class Precedent:
    """View of a hit."""

    hit: models.Hit
    title: str
    charges: Sequence[tuple[str, str, str]]
    """Name, colour and place in the law of each charge, the most probable first."""
    score: ScoreView
    quotes: Sequence[tuple[str, str]]
    """Sentence of the query, sentence of the case."""
    keyword_lines: Sequence[Sequence[Run]]
    """Lines of the case with keywords, which are marked."""
    key_sentence: str
    """Sentence of the case that matters most, if no sentences match."""
    reasons: Sequence[str]
    """Legal factors in which the query and the case agree or differ."""
    factors_here: Sequence[str]
    """Legal factors of the case alone."""
    elements: Sequence[ChargeElements]
    comparison: models.Comparison
    picked: bool
    court: str
    """Relation of its court to that of the pending case: `own`, `above` or `province`; empty for any other."""
    place: Sequence[str]
    """Names of the places above a statutory article within its code."""
    text: Sequence[Run]
    """Beginning of a statutory article, with similar sentences and common words marked."""


@dataclass(frozen=True)
class Group:
    """Precedents of a charge, or articles of a part of the law; without a name, all of them in one list."""

    name: str
    look: str
    node: str
    """Place in the law; empty if there is none."""
    precedents: Sequence[Precedent]


def group_hits(context: PageContext, result: SearchResult, search_form: SearchForm) -> list[Group]:
    """Return the hits in their order; if they are grouped, by charge, the group of the first hit first."""
    picks, terms = search_form.picks, wanted_terms(search_form.keywords)
    lines = {one.case: one.lines for one in result.keyword_lines}
    judgment, hits = result.judgment, result.found.hits
    probable = {charge.name: charge.probability for charge in judgment.charges} if judgment else {}
    looks = looks_of(judgment)
    best = max((bar_length(hit, result.floors) for hit in hits), default=0.0)
    groups: dict[tuple[str, str], list[Precedent]] = {}
    for hit, comparison, elements in zip(hits, result.comparisons, result.elements, strict=True):
        places = _groups(context, hit, probable)
        law, factors, texts = context.served_index.index.law, comparison.factors, context.format.factors
        made = Precedent(
            hit=hit,
            title=hit.title or "",
            charges=[(name, looks.get(name, "none"), node) for name, node in places if name in hit.charges],
            score=score_view(hit, result.floors, best),
            quotes=_quotes(comparison, lines.get(hit.id, ())),
            keyword_lines=[runs(line, (), _keywords(line, terms)) for line in lines.get(hit.id, ())],
            key_sentence=""
            if comparison.matches
            else _key_sentence(comparison, places[0][0] if places else "", lines.get(hit.id, ())),
            reasons=texts.reasons(factors) if factors else (),
            factors_here=texts.sides(FactorComparison((), (), (), factors.right_only))[2] if factors else (),
            elements=sorted(elements, key=lambda one: [name for name, _ in places].index(one.charge))[:MAX_ELEMENTS],
            comparison=comparison,
            picked=hit.id in picks,
            court=_court(hit, search_form.court),
            place=[context.place(one.id) for one in law.path(law[hit.node])[1:-1]]
            if hit.node and hit.node in law
            else (),
            text=_article(context, hit.sections, comparison) if hit.node and hit.sections else (),
        )
        groups.setdefault(places[0] if search_form.grouped and places else ("", ""), []).append(made)
    return [Group(name, looks.get(name, "none"), node, held) for (name, node), held in groups.items()]


def _court(hit: models.Hit, pending: str) -> str:
    """Return the relation of the court of a hit to the court of the pending case, if it is that court or above it."""
    if not (hit.court and pending):
        return ""
    relation = relation_of(hit.court, hit.level or "", hit.region or "", pending)
    return relation.value if relation in AT_LEAST_OWN - {Relation.SUPREME} else ""


def _groups(context: PageContext, hit: models.Hit, probable: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return name and place of the groups of a hit, the most probable charge first."""
    if hit.charges:
        ranked = sorted(hit.charges, key=lambda name: -probable.get(name, 0.0))
        places = context.served_index.placement.charges
        return [(name, places.get(name, ("",))[0]) for name in ranked]
    above = [path[-2].id for path in hit.paths if len(path) > 1]
    return [(context.place(node), node) for node in above[:1]]


def _keywords(line: str, terms: Sequence[str]) -> list[Mark]:
    return [Mark(start, end, "keyword") for start, end in term_spans(line, terms)]


def _quotes(comparison: models.Comparison, lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the most telling similar sentences by f_R, facts before evidence; common words alone quote hobbies too.

    Sentences that the keyword lines of the hit show already are left out.
    """
    sentences = [part for part in comparison.right.rationale if part.kind == "sentence"]

    def telling(match: models.Match) -> float:
        at = match.right
        same = (one for one in sentences if one.section == at.section and one.start < at.end and at.start < one.end)
        return max((one.score for one in same), default=0.0)

    ranked = sorted(comparison.matches, key=lambda one: (bool(_EVIDENCE.search(one.right.text)), -telling(one)))
    fresh = [one for one in ranked if not _is_among(lines, one.right.text)]
    return [(one.left.text, one.right.text) for one in fresh[:MAX_QUOTES]]


def _is_among(lines: Sequence[str], sentence: str) -> bool:
    """Return whether the keyword lines of a hit show a sentence, or the part around the keyword."""
    return any(sentence in line or line.strip("…") in sentence for line in lines)


def _key_sentence(comparison: models.Comparison, charge: str, lines: Sequence[str]) -> str:
    """Return the sentence of facts or reasoning that f_R scores highest, of a charge if possible.

    It is empty if there is none, or if the keyword lines of the hit show it already.
    """
    parts = comparison.right.rationale
    sentences = [part for part in parts if part.kind == "sentence" and part.section != FORMULAS]
    best = max(sentences, key=lambda part: (part.charge == charge, part.score)).text if sentences else ""
    return "" if _is_among(lines, best) else best


def _article(context: PageContext, sections: Mapping[str, str], comparison: models.Comparison) -> list[Run]:
    """Return the beginning of a statutory article, which is short enough to be read as a whole."""
    section, whole = next(iter(sections.items()))
    shown = whole if len(whole) <= MAX_ARTICLE else f"{_CUT_WORD.sub('', whole[:MAX_ARTICLE])}…"
    marks = [
        Mark(match.right.start, match.right.end, "alike", context.t("hit.like", text=match.left.text))
        for match in comparison.matches
        if match.right.section == section
    ]
    return runs(shown, marks, common_words(context, shown, comparison))
