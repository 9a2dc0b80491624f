"""Conversion of records to the response models of the API. Empty strings become null."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lexgear.api import Hit, step_name
from lexgear.corpus import records
from lexgear.corpus.authority import authority_of
from lexgear.corpus.penalties_by_charge import penalties_by_charge
from lexgear.corpus.titles import title_of
from lexgear.judgment.notes import Note
from lexgear.judgment.records import Judgment
from lexgear.law.tree import LawNode
from lexgear.rationale.records import Rationale, rationale_rows
from lexgear.serve.api import models
from lexgear.serve.served_index import ServedIndex


def hit_of(hit: Hit, *, with_text: bool) -> models.Hit:
    """Return the model of a hit."""
    document, explanation = hit.document, hit.explanation
    return models.Hit(
        **_brief(document, hit.paths),
        rank=hit.rank,
        score=hit.score,
        explanation=None if explanation is None else models.Explanation.model_validate(explanation.to_row()),
        factors=hit.factors,
        sections=dict(document.sections) if with_text else None,
        defendants=_defendants(document) if with_text else None,
    )


def case_of(document: records.Document, served_index: ServedIndex) -> models.Case:
    """Return the model of a document with its text."""
    paths = served_index.placement.paths(document, served_index.index.law)
    return models.Case(**_brief(document, paths), sections=dict(document.sections), defendants=_defendants(document))


def brief_of(document: records.Document, served_index: ServedIndex) -> models.CaseBrief:
    """Return the model of a document without its text."""
    return models.CaseBrief(**_brief(document, served_index.placement.paths(document, served_index.index.law)))


def facet_models(counted: Mapping[str, Mapping[str, int]]) -> dict[str, list[models.Facet]]:
    """Return the models of counted facets."""
    return {
        name: [models.Facet(value=value, cases=cases) for value, cases in counts.items()]
        for name, counts in counted.items()
    }


def judgment_of(judgment: Judgment) -> models.Judgment:
    """Return the model of a judgment."""
    return models.Judgment.model_validate(judgment.to_row())


def note_of(note: Note | None) -> models.Note | None:
    """Return the model of a judgment's note."""
    return None if note is None else models.Note(code=note.code, text=note.text, matter=note.matter)


def rationale_of(rationale: Rationale) -> models.Rationale:
    """Return the model of a rationale."""
    return models.Rationale.model_validate(rationale_rows(rationale))


def node_of(node: LawNode, served_index: ServedIndex) -> models.LawNodeBrief:
    """Return the model of a place of the law, with its counts."""
    return models.LawNodeBrief(
        **_step(node),
        number=node.number,
        title=node.title or None,
        cases=served_index.placement.count(node.id),
        children=len(node.children),
    )


def _brief(document: records.Document, paths: Iterable[Sequence[LawNode]]) -> dict[str, Any]:
    names = ("court", "level", "region", "date", "number", "node", "in_force_from", "in_force_until")
    return {
        "id": document.id,
        "title": title_of(document) or None,
        **{name: getattr(document, name) or None for name in names},
        "authority": authority_of(document) or None,
        "charges": list(document.charges),
        "articles": list(document.articles),
        "penalty": document.penalty,
        "penalties_by_charge": list(penalties_by_charge(document)),
        "paths": [[models.LawStep(**_step(node)) for node in path] for path in paths],
    }


def _step(node: LawNode) -> dict[str, str]:
    return {"id": node.id, "kind": node.kind, "name": step_name(node)}


def _defendants(document: records.Document) -> list[models.Defendant]:
    return [
        models.Defendant(name=one.name, charges=list(one.charges), penalty=one.penalty, counts=list(one.counts))
        for one in document.defendants
    ]
