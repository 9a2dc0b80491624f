"""Formatting of report values: times, penalties, articles, places. Missing values get a phrase that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from lexgear.corpus.extraction.factors.comparison import StatedValue
from lexgear.corpus.penalty_bands import months_of_band
from lexgear.corpus.records import Citation, Penalty
from lexgear.index.filters import OR
from lexgear.report import model
from lexgear.wording.citations import chinese_date, french_date
from lexgear.wording.factor_texts import FactorTexts
from lexgear.wording.translations import Texts

_FILTER = re.compile(r"(?P<name>\w+)(?P<sign>[<>!]?=|[<>])(?P<value>.*)", re.DOTALL)
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠"}
MONTHS = 12
"""Terms up to a year are given in months."""
_NUMERALS = {str(number): sign for number, sign in enumerate("一二三四五六七八九十", start=1)}


class Phrases:
    """Formatter for one language."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._factors = FactorTexts(texts.language)

    def given(self, value: str | None) -> str:
        """Return the value, or a phrase for a value that the search did not provide."""
        return value or self.texts("absent")

    def entered(self, value: str | None) -> str:
        """Return the value, or a phrase for a value that the user did not enter."""
        return value or self.texts("not_entered")

    def listed(self, values: Iterable[str]) -> str:
        """Return values as an enumeration."""
        return self.texts("separator").join(values)

    def time(self, at: datetime) -> str:
        """Return a time to the minute, with its time zone."""
        offset = at.strftime("%z")
        zone = f"{offset[:3]}:{offset[3:5]}"
        parts = {"year": at.strftime("%Y"), "month": at.strftime("%m"), "day": at.strftime("%d")}
        return self.texts("time", **parts, clock=at.strftime("%H:%M"), zone=zone)

    def article(self, citation: Citation) -> str:
        """Return an article as lawyers cite it: 刑法第133条之一."""
        number, _, sub = citation.number.partition("-")
        if not sub:
            return self.texts("article", law=citation.law, number=number)
        if self.texts.language == "zh":
            sub = _NUMERALS.get(sub, sub)
        return self.texts("article_sub", law=citation.law, number=number, sub=sub)

    def articles(self, citations: Iterable[Citation]) -> str:
        """Return articles with one line per law: 刑法第234条、第67条."""
        by_law: dict[str, list[str]] = {}
        for one in citations:
            cited = by_law.setdefault(one.law, [])
            cited.append(self.article(Citation("", one.number) if cited else one).strip())
        return "\n".join(map(self.listed, by_law.values()))

    def penalty(self, penalty: Penalty | None) -> str:
        """Return a penalty in a few words."""
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

    def penalties(self, result: model.Result) -> str:
        """Return the heaviest penalty, and below it those of the charges alone if it is a combined one."""
        final = self.penalty(result.penalty)
        counts = result.penalties_by_charge
        if result.penalty is None or not any(count.penalty for count in counts):
            return final
        if len(counts) == 1 and counts[0].penalty == result.penalty:
            return final
        alone = (
            self.texts("case.penalty_alone", charge=count.charge, penalty=self.penalty(count.penalty))
            for count in counts
            if count.penalty
        )
        return "\n".join((final, *alone))

    def factor_rows(self, case: model.SimilarCase) -> tuple[tuple[str, str, str, str], ...]:
        """Return names, value in the search, value in the case and result of the comparison of the legal factors.

        A factor with a value has a row of its own; the others share one row per result.
        """
        if not case.factors:
            return ()
        compared = case.factors
        groups = {
            "same": compared.shared,
            "different": compared.different,
            "search": compared.left_only,
            "case": compared.right_only,
        }
        rows: dict[tuple[str, str, str], list[str]] = {}
        for result, factors in groups.items():
            for one in factors:
                sides = self._factor_value(one.name, one.left), self._factor_value(one.name, one.right)
                rows.setdefault((*sides, self.texts(f"factor.{result}")), []).append(self._factors.name(one.name))
        return tuple((self.listed(names), *row) for row, names in rows.items())

    def _factor_value(self, name: str, stated: StatedValue | None) -> str:
        return (self._factors.value(name, stated) or self.texts("factor.stated")) if stated else "–"

    def term(self, months: int) -> str:
        """Return a term in years and months."""
        counts = {"year": months // 12, "month": months % 12}
        parts = (self.texts(f"term.{unit}{'s' * (n > 1)}", count=n) for unit, n in counts.items() if n)
        return self.texts("term.between").join(parts)

    def court(self, result: model.Result) -> str:
        """Return a court with its level."""
        if result.level is None:
            return self.given(result.court)
        return self.texts("case.court_level", court=self.given(result.court), level=self.texts(f"level.{result.level}"))

    def day(self, date: str) -> str:
        """Return a date as the language writes it in a text."""
        written = {"fr": french_date, "zh": chinese_date}.get(self.texts.language)
        return written(date) if written else date

    def in_force(self, since: str | None, until: str | None) -> str:
        """Return the days on which a statutory article is in force; empty if they are not known."""
        if since and until:
            return self.texts("in_force.between", since=self.day(since), until=self.day(until))
        if since:
            return self.texts("in_force.from", date=self.day(since))
        return self.texts("in_force.until", date=self.day(until)) if until else ""

    def filter(self, written: str) -> str:
        """Return a filter in words: 裁判日期 ≥ 2015."""
        parts = _FILTER.fullmatch(written)
        if parts is None or f"filter.{parts['name']}" not in self.texts:
            return written
        name, sign, value = parts.groups()
        shown = self.texts("or").join(self._filter_value(name, one.strip()) for one in value.split(OR))
        return f"{self.texts(f'filter.{name}')} {_SIGNS.get(sign, sign)} {shown}"

    def _filter_value(self, name: str, value: str) -> str:
        if name == "factor":
            return self._factors.name(value)
        if name == "band":
            return self.band(value)
        return self.texts(f"{name}.{value}") if f"{name}.{value}" in self.texts else value

    def band(self, band: str) -> str:
        """Return a penalty band in words: 1–2 years."""
        bounds = months_of_band(band)
        if bounds is None:
            return self.texts(f"penalty.{band}") if f"penalty.{band}" in self.texts else band
        above, to = bounds
        if to is None:
            return self.texts("band.over", above=above // 12)
        unit = "months" if to <= MONTHS else "years"
        divisor = 1 if to <= MONTHS else MONTHS
        if not above:
            return self.texts(f"band.to_{unit}", to=to // divisor)
        return self.texts(f"band.{unit}", above=above // divisor, to=to // divisor)

    def place(self, quote: model.Quote) -> str:
        """Return the place of a quotation; characters are counted from 1, the last one inclusive."""
        name = f"section.{quote.section}"
        section = self.texts(name) if name in self.texts else quote.section
        return self.texts("place", section=section, start=quote.start + 1, end=quote.end)

    def rank(self, result: model.Result) -> str:
        """Return the rank of a case in the search, and its id."""
        if result.rank is None:
            return self.texts("rank_picked", id=result.id)
        return self.texts("rank_found", rank=result.rank, score=f"{result.score:.3f}", id=result.id)
