"""Features of one query text: words, rationale, nearness to charges, and on demand what the models read in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lexgear.lexical.legal_terms import LegalTerm
from lexgear.pretraining.matters import Reading
from lexgear.rationale.records import Rationale
from lexgear.search.scorer import LogP, Walk

MAX_LAY_WORDS = 120
"""Words of the longest text that is read like the description of a layperson: about 200 characters."""
_PROCEEDINGS = frozenset(("被告人", "嫌疑人", "犯罪嫌疑人", "公诉"))
"""Words that only criminal proceedings use."""


@dataclass(frozen=True)
class QueryFeatures:
    """A text as `lexgear` reads it; the generator reads it when it is first needed, if at all."""

    words: Sequence[str]
    rationale: Rationale
    nearness: LogP
    """Cosine of its words with the cases at each node of the trie."""
    generate: Callable[[], tuple[Walk, LogP]]
    """Runs the generator: its walk down the law and the encoder's vector."""
    classify: Callable[[], Reading | None] = lambda: None
    """Runs the classifier of matters, if there is one."""
    legal_terms: Sequence[LegalTerm] = ()
    """Legal terms for its everyday expressions."""

    @property
    def is_of_proceedings(self) -> bool:
        """True if the text uses words of criminal proceedings: then it is a criminal matter, worded as courts do."""
        return not _PROCEEDINGS.isdisjoint(self.words)

    @property
    def is_lay(self) -> bool:
        """True if the text reads like the description of a layperson: it is short, and not of criminal proceedings."""
        return len(self.words) <= MAX_LAY_WORDS and not self.is_of_proceedings

    @property
    def legal_words(self) -> list[str]:
        """The words of the legal terms, with repetitions."""
        return [word for term in self.legal_terms for word in term.words]

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """Return the generator's log P(child | node) for each node."""
        return self._generated[0].expand(nodes)

    @property
    def vector(self) -> LogP:
        """The encoder's vector of the text."""
        return self._generated[1]

    @cached_property
    def matter(self) -> Reading | None:
        """Probabilities of the charges and of other matters; None without a classifier."""
        return self.classify()

    @cached_property
    def _generated(self) -> tuple[Walk, LogP]:
        return self.generate()
