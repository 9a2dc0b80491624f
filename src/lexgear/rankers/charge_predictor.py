"""The interface of a model that predicts charges, which the judgment is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from numpy.typing import NDArray

from lexgear.search.scorer import LogP

if TYPE_CHECKING:
    import numpy as np

    from lexgear.docids.ids import DocIds
    from lexgear.rankers.lexgear.evidence import Evidence
    from lexgear.rankers.lexgear.features.query_features import QueryFeatures


class ChargePredictor(Protocol):
    """A model that distributes probability over the law tree for a text."""

    @property
    def ids(self) -> DocIds:
        """The law tree."""

    def read(self, text: str) -> QueryFeatures:
        """Return the features of a text, computed once for all further calls."""

    def law_log_p(self, features: QueryFeatures) -> LogP:
        """Return log P of every law node of the trie; NaN for documents."""

    def probability(self, features: QueryFeatures, log_share: float) -> float:
        """Return the calibrated probability that a charge applies, from the log of its share of the tree's mass."""

    def charge_nodes(self) -> NDArray[np.int64]:
        """Return the trie nodes of charges."""

    def evidence(self, features: QueryFeatures) -> Evidence:
        """Return which sentences of the rationale support which charge."""

    def is_familiar(self, features: QueryFeatures) -> bool:
        """Return whether a text reads like the facts of a case."""
