"""Values of a report in words: a time, a penalty, an article, a place; what is absent says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from lexgear.corpus.records import Citation, Penalty
from lexgear.report import model
from lexgear.wording.translations import Texts

_FILTER = re.compile(r"(?P<name>\w+)(?P<sign>[<>!]?=|[<>])(?P<value>.*)", re.DOTALL)
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_NUMERALS = {str(number): sign for number, sign in enumerate("一二三四五六七八九十", start=1)}


class Phrases:
    """The phrases of one language."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def given(self, value: str | None) -> str:
        """What the search provided, or that it did not."""
        return value or self.texts("absent")

    def entered(self, value: str | None) -> str:
        """What the user entered, or that nothing was."""
        return value or self.texts("not_entered")

    def listed(self, values: Iterable[str]) -> str:
        """Values in one line."""
        return self.texts("separator").join(values)

    def time(self, at: datetime) -> str:
        """A time to the minute, with its zone."""
        offset = at.strftime("%z")
        zone = f"{offset[:3]}:{offset[3:5]}"
        parts = {"year": at.strftime("%Y"), "month": at.strftime("%m"), "day": at.strftime("%d")}
        return self.texts("time", **parts, clock=at.strftime("%H:%M"), zone=zone)

    def article(self, citation: Citation) -> str:
        """An article as lawyers write it: 刑法第133条之一."""
        number, _, sub = citation.number.partition("-")
        if not sub:
            return self.texts("article", law=citation.law, number=number)
        if self.texts.language == "zh":
            sub = _NUMERALS.get(sub, sub)
        return self.texts("article_sub", law=citation.law, number=number, sub=sub)

    def penalty(self, penalty: Penalty | None) -> str:
        """A penalty in a few words."""
        if penalty is None:
            return self.texts("absent")
        if penalty.kind == "fine" and penalty.fine:
            return self.texts("penalty.only_fine", fine=penalty.fine)
        name = f"penalty.{penalty.kind}"
        words = self.texts(name) if name in self.texts else penalty.kind
        if penalty.months:
            words += self.texts("penalty.term", term=self.term(penalty.months))
        if penalty.probation_months:
            words += self.texts("penalty.probation", term=self.term(penalty.probation_months))
        if penalty.fine:
            words += self.texts("penalty.with_fine", fine=penalty.fine)
        return words

    def term(self, months: int) -> str:
        """A length of time in years and months."""
        counts = {"year": months // 12, "month": months % 12}
        parts = (self.texts(f"term.{unit}{'s' * (n > 1)}", count=n) for unit, n in counts.items() if n)
        return self.texts("term.between").join(parts)

    def court(self, result: model.Result) -> str:
        """A court and its level."""
        if result.level is None:
            return self.given(result.court)
        return self.texts("case.court_level", court=self.given(result.court), level=self.texts(f"level.{result.level}"))

    def filter(self, written: str) -> str:
        """A filter in words: 裁判日期 ≥ 2015."""
        parts = _FILTER.fullmatch(written)
        if parts is None or f"filter.{parts['name']}" not in self.texts:
            return written
        name, sign, value = parts.groups()
        shown = self.texts(f"{name}.{value}") if f"{name}.{value}" in self.texts else value
        return f"{self.texts(f'filter.{name}')} {_SIGNS.get(sign, sign)} {shown}"

    def place(self, quote: model.Quote) -> str:
        """Where a quotation stands: people count characters from 1, and name the last one."""
        name = f"section.{quote.section}"
        section = self.texts(name) if name in self.texts else quote.section
        return self.texts("place", section=section, start=quote.start + 1, end=quote.end)

    def rank(self, result: model.Result) -> str:
        """Where the search had a case, and the id by which the index knows it."""
        if result.rank is None:
            return self.texts("rank_picked", id=result.id)
        return self.texts("rank_found", rank=result.rank, score=f"{result.score:.3f}", id=result.id)
