"""Building of a report from an index, a search and the entries of its user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from lexgear.api import Hit, Index
from lexgear.corpus.penalties_by_charge import penalties_by_charge
from lexgear.corpus.records import Document
from lexgear.corpus.titles import title_of
from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import manifest_sha256
from lexgear.law.tree import LawTree
from lexgear.rankers.base import ScoredId
from lexgear.report import model
from lexgear.report.blocks import replace_surrogates
from lexgear.report.keypoints import KeyPoint, KeyPoints
from lexgear.report.masking import mask_report
from lexgear.report.tiers import tier_of
from lexgear.wording.places import path_name


@dataclass(frozen=True, slots=True)
class Searched:
    """Result of a search: its hits, and the number of documents that were searched."""

    hits: Sequence[Hit]
    documents: int
    charges: Sequence[str] = ()
    """Charges that the facts lead to; key points are about these if a case has them."""


def build_report(
    index: Index, entries: model.Entries, searched: Searched | None = None, key_points: KeyPoints | None = None
) -> model.Report:
    """Return the report on a search, with names masked unless `entries.masked` is false.

    The search and the key point finder can be passed in; they are made if they are missing. Raises InputError if the
    index does not have a picked case.
    """
    report = assemble_report(index, entries, searched, key_points)
    return mask_report(report, index.stored.catalogue.document) if entries.masked else report


def assemble_report(
    index: Index, entries: model.Entries, searched: Searched | None = None, key_points: KeyPoints | None = None
) -> model.Report:
    """Return the report without any masking; `Report.masked` says whether masking was asked for."""
    picked = [(pick, index.stored.catalogue.document(pick.id)) for pick in entries.cases]
    searched = searched or _search_index(index, entries)
    hits = {hit.document.id: hit for hit in searched.hits}
    points = (key_points or KeyPoints.of(index)) if picked else None
    factors = index.query_factors(entries.text)
    cases = []
    for pick, document in picked:
        hit = hits.get(document.id) or index.to_hit(0, ScoredId(document.id, 0.0), None, factors)
        quotes = tuple(
            _quote(point, document)
            for point in (points.find(document, entries.text, searched.charges) if points else ())
        )
        result = dict(_result(hit, entries))
        case = model.SimilarCase(**result, use=pick.use, remark=pick.remark or None, key_points=quotes)
        cases.append(case.model_copy(update={"factors": hit.factors}))
    return model.Report(
        language=entries.language,
        masked=entries.masked,
        search=_search(index, entries, searched),
        pending=entries.pending,
        results=tuple(_result(hit, entries) for hit in searched.hits),
        cases=tuple(cases),
    )


def _search_index(index: Index, entries: model.Entries) -> Searched:
    if entries.node:
        raise InputError(
            "a report on a search below a place of the law needs the hits of that search",
            code=ErrorCode.USAGE,
            remedy="pass searched=",
        )
    hits = index.search(entries.text, entries.k, entries.filters)
    catalogue = index.stored.catalogue
    documents = len(catalogue.select(entries.filters)) if entries.filters else len(catalogue)
    charges = index.judge(entries.text).charges if index.ranker.can_judge() else ()
    return Searched(hits, documents, tuple(charge.name for charge in charges if charge.applies))


def _search(index: Index, entries: model.Entries, searched: Searched) -> model.Search:
    manifest = index.stored.manifest
    return model.Search(
        by=entries.by or None,
        organisation=entries.organisation or None,
        at=entries.at,
        platform=f"lexgear {version('lexgear')}",
        index=model.SearchedIndex(
            name=index.stored.directory.resolve().name,
            collection=manifest.collection,
            language=manifest.language,
            ranker=manifest.ranker,
            lexgear=manifest.lexgear,
            format=manifest.format,
            sha256=manifest_sha256(manifest),
            documents=manifest.documents,
        ),
        text=entries.text,
        filters=entries.filters,
        node=entries.node or None,
        node_path=_node_path(index.law, entries.node, entries.language),
        k=entries.k,
        searched=searched.documents,
        found=len(searched.hits),
    )


def _node_path(law: LawTree, node: str, language: str) -> str | None:
    return path_name(law.path(law[node]), language) if node in law else None


def _result(hit: Hit, entries: model.Entries) -> model.Result:
    document, placed = hit.document, tier_of(hit.document, entries.pending.court)
    return model.Result(
        id=document.id,
        rank=hit.rank or None,
        score=hit.score if hit.rank else None,
        tier=placed.tier,
        tier_reason=placed.reason,
        title=replace_surrogates(title_of(document)) or None,
        court=document.court or None,
        level=document.level or None,
        number=document.number or None,
        date=document.date or None,
        charges=document.charges,
        articles=document.articles,
        penalty=document.penalty,
        penalties_by_charge=penalties_by_charge(document),
        places=tuple(path_name(path, entries.language) for path in hit.paths),
        in_force_from=document.in_force_from or None,
        in_force_until=document.in_force_until or None,
    )


def _quote(point: KeyPoint, document: Document) -> model.Quote:
    return model.Quote(
        section=replace_surrogates(point.section),
        start=point.start,
        end=point.end,
        text=replace_surrogates(document.sections[point.section][point.start : point.end]),
        matched=point.matched,
    )
