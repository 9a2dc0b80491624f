"""Records as the API sends them; what the index does not know becomes null."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lexgear.api import Hit, step_name
from lexgear.corpus import records
from lexgear.judgment.judge import Judgment, Note
from lexgear.law.tree import LawNode
from lexgear.rationale.records import Rationale, rationale_rows
from lexgear.serve.api import models
from lexgear.serve.served_index import ServedIndex


def hit_of(found: Hit, *, with_text: bool) -> models.Hit:
    """A document found."""
    document, why = found.document, found.explanation
    return models.Hit(
        **_brief(document, found.paths),
        rank=found.rank,
        score=found.score,
        explanation=None if why is None else models.Explanation.model_validate(why.to_row()),
        sections=dict(document.sections) if with_text else None,
        defendants=_defendants(document) if with_text else None,
    )


def case_of(document: records.Document, served_index: ServedIndex) -> models.Case:
    """A document, whole."""
    paths = served_index.placement.paths(document, served_index.index.law)
    return models.Case(**_brief(document, paths), sections=dict(document.sections), defendants=_defendants(document))


def brief_of(document: records.Document, served_index: ServedIndex) -> models.CaseBrief:
    """A document without its text."""
    return models.CaseBrief(**_brief(document, served_index.placement.paths(document, served_index.index.law)))


def judgment_of(opinion: Judgment) -> models.Judgment:
    """A judgment."""
    return models.Judgment.model_validate(opinion.to_row())


def note_of(note: Note | None) -> models.Note | None:
    """Return the API model of a judgment's note."""
    return None if note is None else models.Note(code=note.code, text=note.text)


def rationale_of(rationale: Rationale) -> models.Rationale:
    """What f_R picked."""
    return models.Rationale.model_validate(rationale_rows(rationale))


def node_of(node: LawNode, served_index: ServedIndex) -> models.LawNodeBrief:
    """A place of the law, with how much hangs there."""
    return models.LawNodeBrief(
        **_step(node),
        number=node.number,
        title=node.title or None,
        cases=served_index.placement.count(node.id),
        children=len(node.children),
    )


def _brief(document: records.Document, paths: Iterable[Sequence[LawNode]]) -> dict[str, Any]:
    absent = {name: getattr(document, name) or None for name in ("title", "court", "level", "region", "date", "number")}
    return {
        "id": document.id,
        **absent,
        "node": document.node or None,
        "charges": list(document.charges),
        "articles": [models.Citation(law=one.law, number=one.number) for one in document.articles],
        "penalty": _penalty(document.penalty),
        "paths": [[models.LawStep(**_step(node)) for node in path] for path in paths],
    }


def _step(node: LawNode) -> dict[str, str]:
    return {"id": node.id, "kind": node.kind, "name": step_name(node)}


def _penalty(penalty: records.Penalty | None) -> models.Penalty | None:
    if penalty is None:
        return None
    months, probation, fine = penalty.months, penalty.probation_months, penalty.fine
    return models.Penalty(kind=penalty.kind, months=months, probation_months=probation, fine=fine)


def _defendants(document: records.Document) -> list[models.Defendant]:
    return [
        models.Defendant(name=one.name, charges=list(one.charges), penalty=_penalty(one.penalty))
        for one in document.defendants
    ]
