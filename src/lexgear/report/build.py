"""From an index and what the user enters to a report: what was found, and the picked cases in their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from lexgear.api import Hit, Index
from lexgear.corpus.records import Document
from lexgear.errors import InputError
from lexgear.index.manifest import manifest_sha256
from lexgear.law.tree import LawTree
from lexgear.privacy.masking import NO_MASKING, Masked, Masker, document_masker
from lexgear.rankers.base import ScoredId
from lexgear.report import model
from lexgear.report.keypoints import KeyPoint, KeyPoints
from lexgear.report.tiers import tier_of
from lexgear.wording.places import written_way

_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search gave, and how many documents it could have given."""

    hits: Sequence[Hit]
    documents: int


def search_again(index: Index, entries: model.Entries) -> Searched:
    """The search that the entries describe."""
    if entries.node:
        raise InputError("a search below a place of the law has to be given with the report")
    hits = index.search(entries.text, entries.k, entries.filters)
    catalogue = index.stored.catalogue
    return Searched(hits, len(catalogue.select(entries.filters)) if entries.filters else len(catalogue))


def build_report(
    index: Index, entries: model.Entries, searched: Searched | None = None, key_points: KeyPoints | None = None
) -> model.Report:
    """The report on a search; a picked id that the index does not have is refused.

    A search already made and key points already set up can be given; both are made otherwise.
    """
    picked = [(pick, index.stored.catalogue.document(pick.id)) for pick in entries.cases]
    searched = searched or search_again(index, entries)
    ranked = {hit.document.id: hit for hit in searched.hits}
    points = (key_points or KeyPoints.of(index)) if picked else None
    own = _pending_masker(entries, index.stored.manifest.language)
    cases = []
    for pick, document in picked:
        found = ranked.get(document.id) or index.to_hit(0, ScoredId(document.id, 0.0))
        masker = _masker(document, index, entries)
        chosen = points.find(document, entries.text) if points else ()
        quotes = tuple(_quote(point, masker.mask(document.sections[point.section]), masker, own) for point in chosen)
        result = _result(found, masker, entries).model_dump()
        remark = own.mask(pick.remark).text or None
        cases.append(model.SimilarCase(**result, use=pick.use, remark=remark, key_points=quotes))
    return model.Report(
        language=entries.language,
        masked=entries.masked,
        search=_search(index, entries, searched, own),
        pending=_pending(entries.pending, own),
        results=tuple(_result(hit, _masker(hit.document, index, entries), entries) for hit in searched.hits),
        cases=tuple(cases),
    )


def _whole(text: str) -> str:
    """The text with a sign for each half of a character: an index can hold them, no file of ours can."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)


def _masker(document: Document, index: Index, entries: model.Entries) -> Masker:
    return document_masker(document, index.stored.manifest.language) if entries.masked else NO_MASKING


def _pending_masker(entries: model.Entries, language: str) -> Masker:
    """For the persons of the pending case: what the user typed of it names them in the same way throughout."""
    if not entries.masked or language != "zh":
        return NO_MASKING
    pending = entries.pending
    remarks = (pick.remark for pick in entries.cases)
    return Masker.of((entries.text, *pending.disputes, *remarks), title=pending.title)


def _pending(pending: model.Pending, masker: Masker) -> model.Pending:
    title, disputes = masker.mask(pending.title).text, (masker.mask(one).text for one in pending.disputes)
    return pending.model_copy(update={"title": title, "disputes": tuple(disputes)})


def _search(index: Index, entries: model.Entries, searched: Searched, masker: Masker) -> model.Search:
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
        text=masker.mask(entries.text).text,
        filters=entries.filters,
        node=entries.node or None,
        node_path=_way(index.law, entries.node, entries.language),
        k=entries.k,
        searched=searched.documents,
        found=len(searched.hits),
    )


def _way(law: LawTree, node: str, language: str) -> str | None:
    return written_way(law.path(law[node]), language) if node in law else None


def _result(found: Hit, masker: Masker, entries: model.Entries) -> model.Result:
    document, placed = found.document, tier_of(found.document, entries.pending.court)
    return model.Result(
        id=document.id,
        rank=found.rank or None,
        score=found.score if found.rank else None,
        tier=placed.tier,
        tier_reason=placed.reason,
        title=_whole(masker.mask(document.title).text) or None,
        court=document.court or None,
        level=document.level or None,
        number=document.number or None,
        date=document.date or None,
        charges=document.charges,
        articles=tuple(model.Cited(law=one.law, number=one.number) for one in document.articles),
        penalty=model.Sentence(**asdict(document.penalty)) if document.penalty else None,
        places=tuple(written_way(path, entries.language) for path in found.paths),
    )


def _quote(point: KeyPoint, section: Masked, masker: Masker, own: Masker) -> model.Quote:
    """A key point cut out of its section; a word that is, or is part of, a masked name is not repeated beside it."""
    text, replaced = section.quote(point.start, point.end)
    names = (*masker.masks, *own.masks)
    matched = tuple(word for word in point.matched if not any(word in name or name in word for name in names))
    masked = tuple(model.MaskedName(**one._asdict()) for one in replaced)
    return model.Quote(
        section=_whole(point.section),
        start=point.start,
        end=point.end,
        text=_whole(text),
        masked=masked,
        matched=matched,
    )
