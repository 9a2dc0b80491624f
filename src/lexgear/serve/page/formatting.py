"""Formatting of values for the page: percentages, scores, places of the law, penalties."""

from __future__ import annotations

from collections.abc import Iterable

from lexgear.corpus.records import Citation, Penalty
from lexgear.law.tree import LawNode
from lexgear.report.phrases import Phrases
from lexgear.wording.factor_texts import FactorTexts
from lexgear.wording.places import place_name
from lexgear.wording.translations import Texts


class Formatter:
    """Formatter for one language."""

    def __init__(self, texts: Texts, phrases: Phrases) -> None:
        self.t, self.phrases = texts, phrases
        self.factors = FactorTexts(texts.language)

    def percent(self, share: float) -> str:
        """Return a share as a percentage; a small one as "under 0.1%"."""
        if 0 < share < 0.001:
            return self.t("percent_less", share=self.decimal("0.1"))
        return self.t("percent", share=self.decimal(f"{100 * share:.1f}" if share < 0.9995 else "100"))

    def decimal(self, written: str) -> str:
        """Return a number with the decimal and minus signs of the language."""
        return written.replace(".", self.t("decimal")).replace("-", "\N{MINUS SIGN}")

    def score(self, score: float, digits: int = 2) -> str:
        """Return a score."""
        return self.decimal(f"{score:.{digits}f}")

    def place(self, node: LawNode) -> str:
        """Return the name of a place of the law."""
        return place_name(node, self.t.language)

    def article(self, citation: Citation) -> str:
        """Return an article as lawyers cite it."""
        return self.phrases.article(citation)

    def articles(self, citations: Iterable[Citation]) -> str:
        """Return articles with one line per law, which is named once."""
        return self.phrases.articles(citations)

    def penalty(self, penalty: Penalty) -> str:
        """Return a penalty in a few words."""
        return self.phrases.penalty(penalty)

    def term(self, months: int) -> str:
        """Return a term in years and months."""
        return self.phrases.term(months)

    def day(self, date: str) -> str:
        """Return a date as the language writes it in a text."""
        return self.phrases.day(date)

    def written_day(self, date: str) -> str:
        """Return a date as people who use the language write it in a field."""
        return "/".join(reversed(date.split("-"))) if self.t.language == "fr" else date

    def moment(self, written: str) -> str:
        """Return a time in UTC, `YYYY-MM-DDThh:mm:ssZ`, to the minute."""
        return self.t("moment", day=self.day(written[:10]), clock=written[11:16])

    def in_force(self, since: str | None, until: str | None) -> str:
        """Return the days on which a statutory article is in force; empty if they are not known."""
        return self.phrases.in_force(since, until)

    def named(self, group: str, value: str) -> str:
        """Return the translation of an index value; `group` is `factor`, `penalty`, `level`, `section` or `use`."""
        if group == "factor":
            return self.factors.name(value)
        name = f"{group}.{value}"
        return self.phrases.texts(name) if name in self.phrases.texts else value

    def listed(self, values: Iterable[str]) -> str:
        """Return values as an enumeration."""
        return self.phrases.listed(values)
