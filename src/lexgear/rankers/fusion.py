"""Two rankers as one: their scores brought to one scale and added, or their ranks (RRF: Cormack et al., SIGIR 2009).

How much the second counts is chosen on training queries that neither has learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.files import read_json, write_json_list
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Ranker, ScoredId
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import DECIMALS
from lexgear.settings import within
from lexgear.training.query_split import relevant, split_queries
from lexgear.trec import reciprocal_rank

DEPTH = 1000
"""Documents of each ranker that are looked at."""
SOFT = 60
"""The constant of reciprocal ranks, as its authors set it."""
GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Weights of the second; with none or all of it there would be no fusion, only one of the two."""
HOW = ("scores", "ranks")
PLACES, WEIGHT = ("first-", "second-"), "weight.json"


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """Settings of `fusion`."""

    first: str = "bm25"
    second: str = "lexgear"
    """Names of two rankers; they have their default settings."""
    how: str = "scores"
    """`scores`: sum of z-scores over what each finds; `ranks`: sum of reciprocal ranks."""
    held_out: float = 0.25
    """Share of the training queries that choose the weight."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.how not in HOW:
            raise InputError(f"setting how: {self.how!r}", remedy=f"one of {', '.join(HOW)}")
        within("held_out", self.held_out, 0, 0.95)
        within("seed", self.seed, 0)


class Fusion(Ranker):
    """(1 − w) · the first + w · the second."""

    name = "fusion"
    summary = "any two rankers together, by scores or by ranks; the weight is chosen on training queries"
    settings_type = FusionSettings
    settings: FusionSettings
    parts: tuple[Ranker, Ranker]
    weight: float = 0.5
    """Of the second; both alike where no query says otherwise."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Fits both without the queries held out, then chooses the weight on these."""
        learnt, asked = self._dealt(collection)
        first, second = (self._new(name) for name in (self.settings.first, self.settings.second))
        self.parts = first.fit(learnt, progress), second.fit(learnt, progress)
        return self._weighed(collection, asked)

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """Both taught by other queries, with a weight of their own."""
        learnt, asked = self._dealt(collection)
        other = type(self)(self.settings)
        first, second = self.parts
        other.parts = first.taught(learnt, progress), second.taught(learnt, progress)
        return other._weighed(collection, asked)

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The best of what either finds; ties go by document id."""
        first, second = (part.search(queries, DEPTH, scope, progress) for part in self.parts)
        pairs = zip(first, second, strict=True)
        return [fused(*pair, self.weight, self.settings.how)[:k] for pair in pairs]

    def save(self, directory: Path) -> None:
        """Writes both, side by side in one directory, and the weight."""
        for place, part in zip(PLACES, self.parts, strict=True):
            with TemporaryDirectory(dir=directory) as aside:
                part.save(Path(aside))
                for written in Path(aside).iterdir():
                    written.rename(directory / f"{place}{written.name}")
        write_json_list(directory / WEIGHT, [{"weight": self.weight}])

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        first, second = (ranker._new(name) for name in (settings.first, settings.second))
        ranker.parts = _loaded(first, directory, PLACES[0]), _loaded(second, directory, PLACES[1])
        [row] = read_json(directory / WEIGHT)
        ranker.weight = row["weight"]
        return ranker

    def _new(self, name: str) -> Ranker:
        from lexgear.rankers.registry import ranker_type  # it knows this class too

        if name == self.name:
            raise InputError("a fusion of fusions", remedy="name two other rankers")
        kind = ranker_type(name)
        seeded = "seed" in getattr(kind.settings_type, "__dataclass_fields__", {})
        return kind(kind.settings_type(seed=self.settings.seed)) if seeded else kind()

    def _dealt(self, collection: Collection) -> tuple[Collection, list[Query]]:
        """The collection without the queries that choose the weight, and these."""
        _, asked = split_queries(collection, self.settings.held_out, self.settings.seed)
        away = {query.id for query in asked}
        queries = tuple(replace(one, split="held out") if one.id in away else one for one in collection.queries)
        return replace(collection, queries=queries), asked

    def _weighed(self, collection: Collection, asked: Sequence[Query]) -> Self:
        """The weight with the best MRR; of equals the nearest to the middle."""
        blind = [Query(query.id, query.text, own_documents=query.own_documents) for query in asked]
        first, second = (part.search(blind, DEPTH) for part in self.parts)

        def mrr(weight: float) -> float:
            total = 0.0
            for query, *pair in zip(asked, first, second, strict=True):
                hits = fused(pair[0], pair[1], weight, self.settings.how)
                total += reciprocal_rank((hit.document for hit in hits), set(relevant(collection, query)))
            return total

        if asked:
            self.weight = max(GRID, key=lambda weight: (round(mrr(weight), 9), -abs(weight - 0.5)))
        return self


def fused(first: Sequence[ScoredId], second: Sequence[ScoredId], weight: float, how: str) -> list[ScoredId]:
    """Two rankings as one; a document that only one of them finds is last in the other.

    >>> first, second = [ScoredId("a", 9), ScoredId("b", 1)], [ScoredId("b", 3), ScoredId("c", 1)]
    >>> [hit.document for hit in fused(first, second, 0.5, "ranks")]
    ['b', 'a', 'c']
    """
    scale = _z_scores if how == "scores" else _reciprocal_ranks
    parts = [(1 - weight, *scale(first)), (weight, *scale(second))]
    names = {hit.document for hits in (first, second) for hit in hits}
    scores = {name: sum(share * known.get(name, least) for share, known, least in parts) for name in names}
    rounded = [ScoredId(name, round(score, DECIMALS)) for name, score in scores.items()]
    return sorted(rounded, key=lambda hit: (-hit.score, hit.document))


def _loaded(part: Ranker, directory: Path, place: str) -> Ranker:
    """One of the two, from files that have its place in front of their names."""
    with TemporaryDirectory() as aside:
        for written in directory.resolve().glob(f"{place}*"):
            (Path(aside) / written.name.removeprefix(place)).symlink_to(written)
        return type(part).load(Path(aside), part.settings)


def _z_scores(hits: Sequence[ScoredId]) -> tuple[Mapping[str, float], float]:
    """Scores in spreads from their mean, and what a document has that is not among them: the least of them."""
    values = np.array([hit.score for hit in hits], dtype=np.float64)
    if not len(values):
        return {}, 0.0
    scaled = (values - values.mean()) / max(float(values.std()), 1e-9)
    return dict(zip((hit.document for hit in hits), scaled.tolist(), strict=True)), float(scaled.min())


def _reciprocal_ranks(hits: Sequence[ScoredId]) -> tuple[Mapping[str, float], float]:
    return {hit.document: 1 / (SOFT + rank) for rank, hit in enumerate(hits, start=1)}, 0.0
