"""Layout of a report: the items of article 8 as blocks, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from string import Formatter
from typing import Any

from lexgear.report import model
from lexgear.report.blocks import (
    Block,
    Group,
    Heading,
    Pairs,
    Paragraph,
    Printed,
    Quotation,
    Signature,
    Table,
    printable,
)
from lexgear.report.phrases import Phrases
from lexgear.wording.translations import texts

_CASE_COLUMNS = {"rank": 8, "title": 25, "court": 18, "number": 20, "date": 15, "use": 14}
_ARTICLE_COLUMNS = {"rank": 9, "title": 29, "places": 62}
"""Columns of the table of results, with their widths in percent."""
_USE_COLUMNS = {"no": 8, "title": 30, "use": 22, "remark": 40}
_ARTICLE_USE_COLUMNS = {"no": 8, "title": 40, "remark": 52}
_FACTOR_WIDTHS = (26, 28, 28, 18)
_ARTICLE_ROWS = ("places", "in_force", "rank")
"""Rows for a statutory article, which has no court, date or sentence, and is not followed or distinguished."""


def printed(report: model.Report) -> Printed:
    """Return the report as blocks in its language; all texts are printable in every format."""
    layout = _Layout(report)
    whole = Printed(
        title=report_title(report),
        subtitle=report.pending.title,
        language=report.language,
        page=page_words(report.language),
        blocks=tuple(layout.blocks()),
    )
    clean: Printed = _clean(whole)
    return clean


def report_title(report: model.Report) -> str:
    """Return the title of a report."""
    return _Layout(report).say("title")


def page_words(language: str) -> tuple[str, str, str]:
    """Return the words before, between and after the page number and the number of pages.

    >>> page_words("en")
    ('Page ', ' of ', '')
    """
    before, between, after = [*(literal for literal, *_ in Formatter().parse(texts("report", language)("page"))), ""][
        :3
    ]
    return before, between, after


class _Layout:
    """Layout of one report."""

    def __init__(self, report: model.Report) -> None:
        self.report, self.texts = report, texts("report", report.language)
        self.phrases = Phrases(self.texts)

    def say(self, name: str, **values: str | int) -> str:
        """Return a text, that of a report on statutory articles if the results are such."""
        own = f"{name}_articles"
        return self.texts(own if self.report.only_articles and own in self.texts else name, **values)

    def blocks(self) -> Iterator[Block]:
        yield Heading(self.say("heading.search"))
        yield Pairs(tuple(self._search()))
        yield Heading(self.say("heading.pending"))
        yield Pairs(tuple(self._pending()))
        yield Heading(self.say("heading.results"))
        yield from self._results()
        yield Heading(self.say("heading.cases"))
        for number, case in enumerate(self.report.cases, start=1):
            yield from self._case(number, case)
        if not self.report.cases:
            yield Paragraph(self.texts("none"))
        yield Heading(self.say("heading.uses"))
        yield self._uses() if self.report.cases else Paragraph(self.texts("none"))
        yield Heading(self.say("heading.notes"))
        names = () if self.report.only_articles else ("masked" if self.report.masked else "unmasked",)
        for note in ("basis", "effect", "quotes", *names, "absent", "machine"):
            yield Paragraph(self.say(f"note.{note}"), is_note=True)
        yield Signature((self.texts("signature.by"), self.texts("signature.date")))

    def _search(self) -> Iterator[tuple[str, str]]:
        search, index = self.report.search, self.report.search.index
        values = {
            "by": self.phrases.entered(search.by),
            "organisation": self.phrases.entered(search.organisation),
            "at": self.phrases.time(search.at),
            "platform": search.platform,
            "method": self.say("search.method_text", ranker=index.ranker),
            "index": self.texts(
                "search.index_text",
                name=index.name,
                collection=index.collection,
                lexgear=index.lexgear,
                format=index.format,
            ),
            "sha256": index.sha256,
            "scope": self.say("search.scope_text", searched=search.searched, documents=index.documents),
            "filters": self.phrases.listed(map(self.phrases.filter, search.filters)) or self.texts("none"),
            "node": search.node_path or search.node or self.texts("none"),
            "found": self.say("search.found_text", found=search.found, k=search.k, picked=len(self.report.cases)),
            "text": search.text,
        }
        for name, value in values.items():
            yield self.texts(f"search.{name}"), value

    def _pending(self) -> Iterator[tuple[str, str]]:
        pending = self.report.pending
        for name in ("title", "number", "court"):
            yield self.say(f"pending.{name}"), self.phrases.entered(getattr(pending, name))
        label = self.say("pending.dispute")
        for number, dispute in enumerate(pending.disputes, start=1):
            yield (f"{label} {number}" if len(pending.disputes) > 1 else label), dispute
        if not pending.disputes:
            yield label, self.texts("not_entered")

    def _results(self) -> Iterator[Block]:
        """Yield the results by tier, then the reasons why some tiers are unknown."""
        if not self.report.results:
            yield Paragraph(self.texts("none"))
            return
        picked = {case.id: self.texts(f"use.{case.use}") for case in self.report.cases}
        groups, reasons = [], dict[str, None]()
        for tier in model.Tier:
            members = [one for one in self.report.results if one.tier == tier]
            if members:
                name = "" if self.report.only_articles else self.texts(f"tier.{tier}")
                groups.append(Group(name, tuple(self._row(one, picked) for one in members)))
            if tier == model.Tier.UNKNOWN:
                reasons.update(dict.fromkeys(one.tier_reason for one in members))
        columns = _ARTICLE_COLUMNS if self.report.only_articles else _CASE_COLUMNS
        header = tuple(self.say(f"column.{name}") for name in columns)
        yield Table(header, tuple(groups), tuple(columns.values()))
        if reasons:
            why = self.phrases.listed(self.texts(f"reason.{reason}") for reason in reasons)
            yield Paragraph(f"{self.texts('tier.unknown')}{self.texts('colon')}{why}", is_note=True)

    def _row(self, one: model.Result, picked: dict[str, str]) -> tuple[str, ...]:
        title = one.title or self.texts("case.untitled")
        if self.report.only_articles:
            return str(one.rank), title, self.phrases.given("\n".join(one.places))
        given = (self.phrases.given(value) for value in (one.court, one.number, one.date))
        return (str(one.rank), title, *given, picked.get(one.id, "–"))

    def _case(self, number: int, case: model.SimilarCase) -> Iterator[Block]:
        title = case.title or self.texts("case.untitled")
        yield Heading(f"{self.texts('numbered', number=number)}{title}", level=2)
        tier = f"{self.texts(f'tier.{case.tier}')} – {self.texts(f'reason.{case.tier_reason}')}"
        values = {
            "number": self.phrases.given(case.number),
            "court": self.phrases.court(case),
            "date": self.phrases.given(case.date),
            "charges": self.phrases.given(self.phrases.listed(case.charges)),
            "articles": self.phrases.given(self.phrases.articles(case.articles)),
            "penalty": self.phrases.penalties(case),
            "places": self.phrases.given("\n".join(case.places)),
            "in_force": self.phrases.in_force(case.in_force_from, case.in_force_until),
            "tier": tier,
            "rank": self.phrases.rank(case),
            "use": self._use(case),
        }
        kept = _ARTICLE_ROWS if case.tier == model.Tier.PROVISION else values
        yield Pairs(tuple((self.texts(f"case.{name}"), values[name]) for name in kept if values[name]))
        if rows := self.phrases.factor_rows(case):
            yield Paragraph(self.texts("case.factors"))
            header = tuple(self.texts(f"factor.{name}") for name in ("name", "in_search", "in_case", "result"))
            yield Table(header, (Group("", rows),), _FACTOR_WIDTHS)
        yield Paragraph(self.texts("case.key_points" if case.key_points else "case.no_key_points"))
        for quote in case.key_points:
            source = self.phrases.place(quote)
            if quote.matched:
                matched = self.texts("case.matched", words=self.phrases.listed(quote.matched))
                source = f"{source}\n{matched}"
            yield Quotation(quote.text, source)

    def _use(self, case: model.SimilarCase) -> str:
        """Return the use of a case; article 9 reserves 参照 for guiding cases."""
        chosen = self.texts(f"use.{case.use}")
        is_misnamed = case.use == model.Use.FOLLOWED and case.tier != model.Tier.GUIDING
        return f"{chosen}\n{self.texts('note.followed')}" if is_misnamed else chosen

    def _uses(self) -> Table:
        columns = _ARTICLE_USE_COLUMNS if self.report.only_articles else _USE_COLUMNS
        rows = tuple(
            tuple(self._use_cell(name, number, case) for name in columns)
            for number, case in enumerate(self.report.cases, start=1)
        )
        header = tuple(self.say(f"column.{name}") for name in columns)
        return Table(header, (Group("", rows),), tuple(columns.values()))

    def _use_cell(self, column: str, number: int, case: model.SimilarCase) -> str:
        return {
            "no": str(number),
            "title": case.title or self.texts("case.untitled"),
            "use": self.texts(f"use.{case.use}"),
            "remark": self.phrases.entered(case.remark),
        }[column]


def _clean(value: Any) -> Any:
    """Return a copy with all texts printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        return tuple(map(_clean, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _clean(getattr(value, field.name)) for field in fields(value)})
    return value
