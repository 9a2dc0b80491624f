"""Fusion of two rankers: a weighted sum of z-scores, or of reciprocal ranks (RRF: Cormack et al., SIGIR 2009).

The weight of the second ranker is chosen on training queries that neither has learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, PrefixedDirectory, read_json, write_json_list
from lexgear.progress import Progress
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import DECIMALS
from lexgear.settings import configure, one_of, settings_of, within
from lexgear.training.query_split import split_queries
from lexgear.training.validation import mean_reciprocal_rank

DEPTH = 1000
"""Documents of each ranker that are fused."""
RRF_CONSTANT = 60
"""The constant of reciprocal ranks, as its authors set it."""
GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Candidate weights of the second ranker; 0 and 1 would leave one of the two out."""
COMBINATIONS = ("scores", "ranks")
PREFIXES, WEIGHT = ("first-", "second-"), "weight.json"


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """Settings of `fusion`."""

    first: str = "bm25"
    """Name of the first ranker; both rankers have their default settings."""
    second: str = "lexgear"
    """Name of the second ranker."""
    combine: Literal["scores", "ranks"] = "scores"
    """`scores`: sum of z-scores over what each ranker finds; `ranks`: sum of reciprocal ranks."""
    validation_share: float = 0.25
    """Share of the training queries that choose the weight."""
    seed: int = 0
    """Random seed."""

    def __post_init__(self) -> None:
        one_of("combine", self.combine, COMBINATIONS)
        within("validation_share", self.validation_share, 0, 0.95)
        within("seed", self.seed, 0)


class Fusion(Ranker):
    """(1 − w) · the first + w · the second."""

    name = "fusion"
    settings_type = FusionSettings
    settings: FusionSettings
    parts: tuple[Ranker, Ranker]
    weight: float = 0.5
    """Weight of the second ranker; both count alike if there is no query to choose it on."""

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Fit both rankers without the held-out queries, then choose the weight on these."""
        learnt, held_out = self._hold_out(collection)
        first, second = (self._new(name) for name in (self.settings.first, self.settings.second))
        self.parts = first._fit(learnt, progress), second._fit(learnt, progress)
        return self._choose_weight(collection, held_out)

    def can_update_queries(self) -> bool:
        """Return True: each part reuses what it can."""
        return True

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a fusion of both rankers trained on other queries, with a weight of its own."""
        learnt, held_out = self._hold_out(collection)
        other = type(self)(self.settings)
        first, second = self.parts
        other.parts = first._with_queries(learnt, progress), second._with_queries(learnt, progress)
        return other._choose_weight(collection, held_out)

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        first, second = (part._search(queries, DEPTH, scope, progress) for part in self.parts)
        pairs = zip(first, second, strict=True)
        return [fused(*pair, self.weight, self.settings.combine)[:k] for pair in pairs]

    def save(self, directory: PartsDirectory) -> None:
        """Write both rankers into one directory, under prefixes, and the weight."""
        for prefix, part in zip(PREFIXES, self.parts, strict=True):
            part.save(PrefixedDirectory(directory, prefix))
        write_json_list(directory / WEIGHT, [{"weight": self.weight}])

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = cls(settings)
        first, second = (
            type(part).load(PrefixedDirectory(directory, prefix), part.settings)
            for prefix, part in zip(PREFIXES, map(ranker._new, (settings.first, settings.second)), strict=True)
        )
        ranker.parts = first, second
        [row] = read_json(directory / WEIGHT)
        ranker.weight = row["weight"]
        return ranker

    def _new(self, name: str) -> Ranker:
        from lexgear.rankers.registry import ranker_type  # the registry also knows this class

        if name == self.name:
            raise InputError(
                "a fusion cannot contain a fusion", code=ErrorCode.INVALID_SETTING, remedy="name two other rankers"
            )
        kind = ranker_type(name)
        seeded = any(setting.name == "seed" for setting in settings_of(kind.settings_type))
        return kind(configure(kind.settings_type, seed=self.settings.seed)) if seeded else kind()

    def _hold_out(self, collection: Collection) -> tuple[Collection, list[Query]]:
        """Return the collection without the queries that choose the weight, and these queries."""
        _, held_out = split_queries(collection, self.settings.validation_share, self.settings.seed)
        away = {query.id for query in held_out}
        queries = tuple(replace(one, split="held out") if one.id in away else one for one in collection.queries)
        return replace(collection, queries=queries), held_out

    def _choose_weight(self, collection: Collection, held_out: Sequence[Query]) -> Self:
        """Set the weight with the best MRR; among equals, the one nearest to the middle."""
        first, second = (part.search(held_out, DEPTH) for part in self.parts)

        def mrr(weight: float) -> float:
            pairs = zip(first, second, strict=True)
            rankings = [fused(*pair, weight, self.settings.combine) for pair in pairs]
            documents = [[hit.document for hit in hits] for hits in rankings]
            return mean_reciprocal_rank(collection, held_out, documents)

        if held_out:
            self.weight = max(GRID, key=lambda weight: (round(mrr(weight), 9), -abs(weight - 0.5)))
        return self


def fused(first: Sequence[ScoredId], second: Sequence[ScoredId], weight: float, combine: str) -> list[ScoredId]:
    """Return two rankings as one; a document that only one of them finds counts as last in the other.

    >>> first, second = [ScoredId("a", 9), ScoredId("b", 1)], [ScoredId("b", 3), ScoredId("c", 1)]
    >>> [hit.document for hit in fused(first, second, 0.5, "ranks")]
    ['b', 'a', 'c']
    """
    scale = _z_scores if combine == "scores" else _reciprocal_ranks
    parts = [(1 - weight, *scale(first)), (weight, *scale(second))]
    names = {hit.document for hits in (first, second) for hit in hits}
    scores = {name: sum(share * known.get(name, least) for share, known, least in parts) for name in names}
    rounded = [ScoredId(name, round(score, DECIMALS)) for name, score in scores.items()]
    return sorted(rounded, key=lambda hit: (-hit.score, hit.document))


def _z_scores(hits: Sequence[ScoredId]) -> tuple[Mapping[str, float], float]:
    """Return z-scores, and the score of a document that is not among them: the lowest."""
    values = np.array([hit.score for hit in hits], dtype=np.float64)
    if not len(values):
        return {}, 0.0
    scaled = (values - values.mean()) / max(float(values.std()), 1e-9)
    return dict(zip((hit.document for hit in hits), scaled.tolist(), strict=True)), float(scaled.min())


def _reciprocal_ranks(hits: Sequence[ScoredId]) -> tuple[Mapping[str, float], float]:
    return {hit.document: 1 / (RRF_CONSTANT + rank) for rank, hit in enumerate(hits, start=1)}, 0.0
