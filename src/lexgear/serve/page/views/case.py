"""View of one document: paragraphs by part, outline, citation, statutes, and what matches the query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lexgear.corpus.extraction.paragraphs import Paragraph, paragraphs
from lexgear.corpus.records import Defendant, Document
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.models import ReadCase
from lexgear.serve.page.views.common_ground import CommonGround, common_ground
from lexgear.serve.page.views.statute import StatuteView, statute_view
from lexgear.wording.citations import citation

MAX_STATUTES = 5
"""Charges whose law is shown beside a case."""


@dataclass(frozen=True)
class ParagraphView:
    """Paragraph with highlights."""

    runs: Sequence[Run]
    level: int
    is_note: bool


@dataclass(frozen=True)
class PartView:
    """Part of the outline, such as the facts found by the court."""

    id: str
    title: str
    is_folded: bool
    paragraphs: Sequence[ParagraphView]


@dataclass(frozen=True)
class CaseView:
    """View of one document."""

    heading: str
    parts: Sequence[PartView]
    citation: str
    statutes: Sequence[StatuteView]
    articles: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    """Law, and numbers with the law node id of each; the id is empty if the law of the index does not have it."""
    in_force: str
    before: models.LawStep | None
    """Article before a statutory article, whose `id` is that of its document."""
    after: models.LawStep | None
    ground: CommonGround | None
    """Highlights of what the document has in common with a search; None if it was not opened from one."""


def case_view(context: PageContext, read: ReadCase, terms: Sequence[str] = ()) -> CaseView:
    """Return the view of a document; `terms` are the keywords of the search that it was opened from."""
    case = read.case
    ground = common_ground(context, read, terms) if read.comparison else None
    statutes = (statute_view(context, charge) for charge in case.charges[:MAX_STATUTES])
    return CaseView(
        heading=context.heading(case),
        parts=list(_parts(context, case, ground)),
        citation=cite(context, case),
        statutes=[one for one in statutes if one],
        articles=_articles(context, case),
        in_force=context.format.in_force(case.in_force_from, case.in_force_until),
        before=read.before,
        after=read.after,
        ground=ground,
    )


def cite(context: PageContext, case: models.Case) -> str:
    """Return how to cite a document, by its masked fields."""
    law = context.served_index.index.law
    document = Document(
        case.id,
        title=case.title or "",
        charges=tuple(case.charges),
        node=case.node or "",
        defendants=tuple(Defendant(one.name) for one in case.defendants),
        court=case.court or "",
        date=case.date or "",
        number=case.number or "",
        in_force_from=case.in_force_from or "",
        in_force_until=case.in_force_until or "",
    )
    path = law.path(law[case.node]) if case.node and case.node in law else ()
    return citation(document, path, context.served_index.language)


def paragraph_views(text: str, section: str, marks: Sequence[Mark], words: Sequence[Mark] = ()) -> list[ParagraphView]:
    """Return the paragraphs of a section with its marks; a mark that is split keeps its anchor in the first part."""
    return [_paragraph(text, one, marks, words) for one in paragraphs(text, section)]


def _paragraph(text: str, at: Paragraph, marks: Sequence[Mark], words: Sequence[Mark]) -> ParagraphView:
    def inside(given: Sequence[Mark]) -> Iterator[Mark]:
        for mark in given:
            if mark.start < at.end and at.start < mark.end:
                moved = replace(mark, start=mark.start - at.start, end=mark.end - at.start)
                yield moved if mark.start >= at.start else replace(moved, anchor="", label="")

    return ParagraphView(runs(text[at.start : at.end], inside(marks), inside(words)), at.level, at.is_note)


def _parts(context: PageContext, case: models.Case, ground: CommonGround | None) -> Iterator[PartView]:
    """Yield the parts of all sections; the facts of a judgment are split by who speaks.

    A part that returns, as facts do after evidence, is numbered: titles name the parts in the outline.
    """
    number, times = 0, Counter[str]()
    for section, text in case.sections.items():
        marks, words = (ground.sentences[section], ground.words[section]) if ground else ((), ())
        found = paragraphs(text, section)
        for speaker, group in groupby(found, key=lambda one: one.speaker):
            number += 1
            name = f"part.{speaker or section}"
            title = context.reading(name) if name in context.reading else section
            times[title] += 1
            yield PartView(
                id=f"part-{number}",
                title=title if times[title] == 1 else context.reading("again", part=title, number=times[title]),
                is_folded=speaker == "evidence",
                paragraphs=[_paragraph(text, one, marks, words) for one in group],
            )


def _articles(context: PageContext, case: models.Case) -> list[tuple[str, list[tuple[str, str]]]]:
    law = context.served_index.index.law
    known = (
        {(law.path(node)[0].title, node.number): node.id for node in law.of_kind("article")} if case.articles else {}
    )
    by_law: dict[str, list[tuple[str, str]]] = {}
    for one in case.articles:
        node = known.get((f"中华人民共和国{one.law}", one.number), "") or known.get((one.law, one.number), "")
        by_law.setdefault(one.law, []).append((one.number, node))
    return list(by_law.items())
