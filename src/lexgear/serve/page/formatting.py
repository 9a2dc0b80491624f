"""Values as people read them on the page: shares, places of the law, penalties, levels of courts."""

from __future__ import annotations

from collections.abc import Iterable

from lexgear.law.tree import LawNode
from lexgear.report import model
from lexgear.report.phrases import Phrases
from lexgear.serve.api import models
from lexgear.wording.places import place_name
from lexgear.wording.translations import Texts


class Formatter:
    """The phrases of one language."""

    def __init__(self, texts: Texts, phrases: Phrases) -> None:
        self.t, self.phrases = texts, phrases

    def percent(self, share: float) -> str:
        """A share; what is small is not nothing."""
        if 0 < share < 0.001:
            return self.t("percent_less", share=self.decimal("0.1"))
        return self.t("percent", share=self.decimal(f"{100 * share:.1f}" if share < 0.9995 else "100"))

    def decimal(self, written: str) -> str:
        """A number with the decimal sign of the language."""
        return written.replace(".", self.t("decimal")).replace("-", "\N{MINUS SIGN}")

    def score(self, score: float, digits: int = 2) -> str:
        """A score."""
        return self.decimal(f"{score:.{digits}f}")

    def place(self, node: LawNode) -> str:
        """A place of the law as people write it."""
        return place_name(node, self.t.language)

    def article(self, cited: models.Citation) -> str:
        """An article that a judgment cites."""
        return self.phrases.article(model.Cited(law=cited.law, number=cited.number))

    def penalty(self, penalty: models.Penalty) -> str:
        """A penalty in a few words."""
        return self.phrases.penalty(model.Sentence.model_validate(penalty.model_dump()))

    def term(self, months: int) -> str:
        """A length of time in years and months."""
        return self.phrases.term(months)

    def named(self, group: str, value: str) -> str:
        """A value of the index by its name in the reports' catalogue: `penalty`, `level`, `section`, `use`."""
        name = f"{group}.{value}"
        return self.phrases.texts(name) if name in self.phrases.texts else value

    def listed(self, values: Iterable[str]) -> str:
        """Values in one line."""
        return self.phrases.listed(values)
