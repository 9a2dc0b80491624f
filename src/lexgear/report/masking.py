"""Masking of the names of private persons in a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lexgear.corpus.records import Document
from lexgear.privacy.masking import NO_MASKING, Masker, document_masker
from lexgear.report import model
from lexgear.report.blocks import replace_surrogates

R = TypeVar("R", bound=model.Result)


def mask_report(report: model.Report, document: Callable[[str], Document]) -> model.Report:
    """Return the report with names masked; `document` returns a document by its id.

    The pending case has signs of its own: what the user wrote about it names its persons in the same way throughout.
    """
    language = report.search.index.language
    pending = _pending_masker(report) if language == "zh" else NO_MASKING

    def masked_result(result: model.Result) -> model.Result:
        return _mask_title(result, document_masker(document(result.id), language))

    def masked_case(case: model.SimilarCase) -> model.SimilarCase:
        source = document(case.id)
        masker = document_masker(source, language)
        quotes = tuple(_mask_quote(quote, source, masker, pending) for quote in case.key_points)
        remark = None if case.remark is None else pending.mask(case.remark).text
        return _mask_title(case, masker).model_copy(update={"key_points": quotes, "remark": remark})

    return report.model_copy(
        update={
            "masked": True,
            "search": report.search.model_copy(update={"text": pending.mask(report.search.text).text}),
            "pending": _mask_pending(report.pending, pending),
            "results": tuple(map(masked_result, report.results)),
            "cases": tuple(map(masked_case, report.cases)),
        }
    )


def _pending_masker(report: model.Report) -> Masker:
    remarks = (case.remark or "" for case in report.cases)
    return Masker.of((report.search.text, *report.pending.disputes, *remarks), title=report.pending.title)


def _mask_pending(pending: model.Pending, masker: Masker) -> model.Pending:
    disputes = tuple(masker.mask(dispute).text for dispute in pending.disputes)
    return pending.model_copy(update={"title": masker.mask(pending.title).text, "disputes": disputes})


def _mask_title(result: R, masker: Masker) -> R:
    title = None if result.title is None else masker.mask(result.title).text
    return result.model_copy(update={"title": title})


def _mask_quote(quote: model.Quote, source: Document, masker: Masker, pending: Masker) -> model.Quote:
    """Mask a quotation; words that are a masked name, or part of one, leave the list of shared words."""
    sections = {replace_surrogates(name): text for name, text in source.sections.items()}
    text, replaced = masker.mask(sections[quote.section]).quote(quote.start, quote.end)
    return quote.model_copy(
        update={
            "text": replace_surrogates(text),
            "masked": tuple(model.MaskedName(**one._asdict()) for one in replaced),
            "matched": tuple(
                word for word in quote.matched if not masker.names.touches(word) and not pending.names.touches(word)
            ),
        }
    )
