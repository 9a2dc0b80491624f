"""Over what runs are scored: the whole corpus, pools, judged documents; never a query's own judgment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from lexgear.errors import InputError
from lexgear.files import read_json
from lexgear.trec import Qrels, Run, read_qrels

_Value = TypeVar("_Value", int, float)


def over_pools(run: Run, pools: Mapping[str, Collection[str]]) -> dict[str, dict[str, float]]:
    """The run with each query's candidates alone. Labels of other documents still count, as in trec_eval."""
    missing = [query for query in run if query not in pools]
    if missing:
        raise InputError(f"the pools name no candidates for {_listed(missing)}", remedy="add them, or drop --pools")
    return {query: _among(scores, pools[query]) for query, scores in run.items()}


def judged_only(run: Run, qrels: Qrels) -> dict[str, dict[str, float]]:
    """The run with labelled documents alone, whatever their grade."""
    return {query: _among(scores, qrels.get(query, {})) for query, scores in run.items()}


def leave_out(
    table: Mapping[str, Mapping[str, _Value]], own: Mapping[str, Collection[str]]
) -> dict[str, dict[str, _Value]]:
    """A run, or labels, without the documents a query was drawn from.

    >>> leave_out({"q": {"a": 3, "b": 1}, "r": {"a": 2}}, {"q": ["a"]})
    {'q': {'b': 1}, 'r': {'a': 2}}
    """
    return {
        query: {name: value for name, value in row.items() if name not in own.get(query, ())}
        for query, row in table.items()
    }


def read_id_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """A JSON object from query id to a list of document ids: pools, or own judgments."""
    lists = read_json(path)
    if not isinstance(lists, dict) or not all(isinstance(names, list) for names in lists.values()):
        raise InputError("not an object of lists", file=path, remedy='write {"query id": ["document id", …], …}')
    return {query: tuple(str(name) for name in names) for query, names in lists.items()}


@dataclass(frozen=True, slots=True)
class Scope:
    """What is scored. With labels alone: every labelled query, over whatever the run ranks."""

    qrels: Qrels
    pools: Mapping[str, Collection[str]] | None = None
    """Only these candidates of each query."""
    own: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Documents each query was drawn from: left out, and their labels with them."""
    judged: bool = False
    """Only labelled documents."""
    ranked: bool = False
    """Only the queries that every run ranks, instead of 0 for the others."""
    queries: Collection[str] | None = None
    """Only these queries, such as those of a split."""

    def apply(self, runs: Mapping[str, Run]) -> tuple[dict[str, Run], Qrels, list[str]]:
        """Runs and labels within the scope, and a note on everything that fell out of it."""
        notes: list[str] = []
        asked = self.qrels
        if self.queries is not None:
            asked, runs = _only(asked, self.queries), {name: _only(run, self.queries) for name, run in runs.items()}
            notes.append(f"{len(asked)} of {len(self.qrels)} labelled queries scored")
        qrels = asked
        if self.ranked:
            qrels = {query: row for query, row in qrels.items() if all(query in run for run in runs.values())}
            if unranked := [query for query in asked if query not in qrels]:
                notes.append(f"{_listed(unranked)} of {len(asked)} left out: not ranked by every run")
        labels = leave_out(qrels, self.own)
        if left := _count(qrels) - _count(labels):
            notes.append(f"labels of the queries' own judgments left out: {left}")
        for name, run in runs.items():
            if not any(query in run for query in qrels):
                raise InputError(
                    f"{name} ranks none of the queries to score",
                    remedy="are run and labels of one collection?",
                )
            notes.extend(f"{name}: {note}" for note in _gaps(run, qrels, asked))
        return {name: self._restrict(run, labels) for name, run in runs.items()}, labels, notes

    def _restrict(self, run: Run, labels: Qrels) -> Run:
        run = leave_out({query: scores for query, scores in run.items() if query in labels}, self.own)
        if self.pools is not None:
            run = over_pools(run, self.pools)
        return judged_only(run, labels) if self.judged else run


def read_scope(
    qrels: Path,
    *,
    pools: Path | None = None,
    exclude: Path | None = None,
    judged: bool = False,
    ranked: bool = False,
) -> Scope:
    """The scope from files: TREC labels; pools and own judgments as `read_id_lists` takes them."""
    return Scope(
        read_qrels(qrels),
        pools=None if pools is None else read_id_lists(pools),
        own={} if exclude is None else read_id_lists(exclude),
        judged=judged,
        ranked=ranked,
    )


def _gaps(run: Run, asked: Qrels, labelled: Qrels) -> Iterable[str]:
    if unranked := [query for query in asked if query not in run]:
        yield f"{_listed(unranked)} of {len(asked)} not ranked, counted as 0"
    if unlabelled := [query for query in run if query not in labelled]:
        yield f"{_listed(unlabelled)} ranked without a label, not counted"


def _among(scores: Mapping[str, float], names: Collection[str]) -> dict[str, float]:
    allowed = set(names)
    return {name: score for name, score in scores.items() if name in allowed}


def _only(table: Mapping[str, Mapping[str, _Value]], queries: Collection[str]) -> dict[str, Mapping[str, _Value]]:
    return {query: row for query, row in table.items() if query in queries}


def _count(table: Qrels) -> int:
    return sum(map(len, table.values()))


def _listed(queries: list[str]) -> str:
    """`3 queries (12, 40, 77)`; past five, the first five."""
    shown = ", ".join(queries[:5]) + (", …" if len(queries) > 5 else "")
    return f"{len(queries)} {'query' if len(queries) == 1 else 'queries'} ({shown})"
