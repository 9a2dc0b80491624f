"""Legal factors in words: names, values, and the reasons why a case is similar to a query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lexgear.corpus.extraction.factors.comparison import ComparedFactor, FactorComparison, StatedValue
from lexgear.wording.translations import Texts, texts

MAX_REASONS = 6
"""Factors per list of a reason; a comparison shows all of them."""


class FactorTexts:
    """Legal factors in the words of one language."""

    def __init__(self, language: str) -> None:
        self.names: Texts = texts("factors", language)
        self.t: Texts = texts("reasons", language)

    def name(self, factor: str) -> str:
        """Return the name of a factor."""
        return self.names(factor) if factor in self.names else factor

    def stated(self, factor: str, stated: StatedValue) -> str:
        """Return a factor with its value, if it has one: `amount ¥3,000 to 10,000`."""
        value = self.value(factor, stated)
        return self.t("valued", name=self.name(factor), value=value) if value else self.name(factor)

    def value(self, factor: str, stated: StatedValue) -> str:
        """Return a value in words; an amount is shown by its band."""
        if stated.value is None or stated.band is None:
            return ""
        if factor == "amount":
            low, high = stated.band
            if high is None:
                return self.t("amount.from", low=self._yuan(low))
            if not low:
                return self.t("amount.below", high=self._yuan(high))
            return self.t("amount.between", low=self._yuan(low), high=self._yuan(high))
        number = self._number(stated.value)
        return self.t(f"value.{factor}", number=number, kind=stated.kind) if f"value.{factor}" in self.t else number

    def sides(self, comparison: FactorComparison) -> tuple[list[str], list[str], list[str]]:
        """Return what both sides state, and what is stated on the left and on the right alone or otherwise."""
        apart = (*comparison.different, *comparison.left_only, *comparison.right_only)
        return (
            [self.stated(one.name, one.left) for one in comparison.shared if one.left],
            [self.stated(one.name, one.left) for one in apart if one.left],
            [self.stated(one.name, one.right) for one in apart if one.right],
        )

    def reasons(self, comparison: FactorComparison) -> list[str]:
        """Return what a case and a query have in common and in what they differ, in one phrase each."""
        lists = {
            "both": [self._agreed(one) for one in comparison.shared],
            "differs": list(self._differences(comparison.different)),
            "missing": [self.stated(one.name, one.left) for one in comparison.left_only if one.left],
        }
        return [self.t(name, factors=self.listed(found[:MAX_REASONS])) for name, found in lists.items() if found]

    def listed(self, values: Iterable[str]) -> str:
        """Return values as an enumeration."""
        return self.t("separator").join(values)

    def _agreed(self, one: ComparedFactor) -> str:
        """Return a factor of both sides; values of the same band are both named if they are not the same."""
        ours, theirs = (self.value(one.name, side) if side else "" for side in (one.left, one.right))
        if ours and theirs and ours != theirs:
            return self.t("close", name=self.name(one.name), asked=ours, here=theirs)
        return self.stated(one.name, one.left or StatedValue())

    def _number(self, value: float) -> str:
        """Return a quantity with the signs of the language: 1,043.14."""
        whole, _, rest = f"{value:.10f}".rstrip("0").partition(".")
        return f"{self.t.number(int(whole))}{self.t('decimal') if rest else ''}{rest}"

    def _yuan(self, amount: int) -> str:
        """Return an amount as the language counts: 50万, 500,000."""
        if self.t.language == "zh" and amount >= 10_000:
            return f"{amount / 10_000:g}万"
        return self.t.number(amount)

    def _differences(self, factors: Iterable[ComparedFactor]) -> Iterator[str]:
        for one in factors:
            if one.left and one.right:
                ours, theirs = self.value(one.name, one.left), self.value(one.name, one.right)
                yield self.t("here", name=self.name(one.name), asked=ours, here=theirs)
