"""Scope of an evaluation: which queries and documents are scored, and against which labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Collection as Ids
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from lexgear.corpus.query_files import select_split
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.store import CollectionLabels, find_collection_labels, read_document_charges
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.notes import Note
from lexgear.files import read_json
from lexgear.trec import Qrels, Run, read_qrels

Labels: TypeAlias = Qrels | Collection | Path | str
"""Labels as a mapping, a collection, or the path of a TREC qrels file or of a collection directory."""

_Value = TypeVar("_Value", int, float)


@dataclass(frozen=True, slots=True)
class Scope:
    """Labels and restrictions under which runs are scored. By default: every labelled query, all documents ranked."""

    qrels: Qrels
    pools: Mapping[str, Ids[str]] | None = None
    """Candidates of each query; other documents are ignored."""
    own: Mapping[str, Ids[str]] = field(default_factory=dict)
    """Documents from which each query was drawn; they and their labels are left out."""
    judged: bool = False
    """If true, documents without a label are ignored."""
    ranked: bool = False
    """If true, only queries that every run ranks are scored; otherwise the others count as 0."""
    queries: Ids[str] | None = None
    """Queries to score, such as those of a split; None for all."""
    relevant_from: int = 1
    """The lowest relevant grade, for measures that state none."""
    load_charges: Callable[[], Charges] | None = None
    """Reads the charges that coverage compares; called only if coverage is measured."""

    def apply(self, runs: Mapping[str, Run]) -> tuple[dict[str, Run], Qrels, list[Note]]:
        """Return runs and labels within the scope, and notes on what is outside."""
        notes: list[Note] = []
        asked = self.qrels
        if self.queries is not None:
            asked, runs = _only(asked, self.queries), {name: _only(run, self.queries) for name, run in runs.items()}
            notes.append(Note(f"{len(asked)} of {len(self.qrels)} labelled queries scored"))
        qrels = asked
        if self.ranked:
            qrels = {query: row for query, row in qrels.items() if all(query in run for run in runs.values())}
            if unranked := [query for query in asked if query not in qrels]:
                notes.append(Note(f"{_listed(unranked)} of {len(asked)} left out: not ranked by every run"))
        labels = leave_out(qrels, self.own)
        if left := _count(qrels) - _count(labels):
            notes.append(Note(f"labels of the queries' own judgments left out: {left}"))
        for name, run in runs.items():
            if not any(query in run for query in qrels):
                raise InputError(
                    f"{name} ranks none of the queries to score",
                    code=ErrorCode.INVALID_INPUT,
                    remedy="check that run and labels belong to the same collection",
                    name=name,
                )
            notes.extend(Note(text, (name,)) for text in _gaps(run, qrels, asked))
        return {name: self._restrict(run, labels) for name, run in runs.items()}, labels, notes

    def _restrict(self, run: Run, labels: Qrels) -> Run:
        run = leave_out({query: scores for query, scores in run.items() if query in labels}, self.own)
        if self.pools is not None:
            run = over_pools(run, self.pools)
        return judged_only(run, labels) if self.judged else run


def make_scope(
    labels: Labels,
    *,
    split: str | None = None,
    unseen: bool = False,
    pools: Path | None = None,
    exclude: Path | None = None,
    judged: bool = False,
    ranked: bool = False,
) -> Scope:
    """Return the scope that labels and options describe.

    A collection, or a qrels file in a collection directory, also gives the lowest relevant grade, the charges for
    coverage, and the queries' own judgments, which are left out, as are queries with incomplete labels. With `unseen`,
    only queries are scored none of whose relevant documents is relevant to a training query. `pools` and `exclude` are
    files as read by `read_id_lists`; what `exclude` names is left out in addition.
    """
    if isinstance(labels, Collection):
        scope = _collection_scope(labels, split, unseen=unseen)
    elif isinstance(labels, Mapping):
        scope = _qrels_scope(labels, split, unseen=unseen)
    else:
        scope = _file_scope(Path(labels), split, unseen=unseen)
    return replace(
        scope,
        pools=None if pools is None else read_id_lists(pools),
        own=scope.own if exclude is None else _union(scope.own, read_id_lists(exclude)),
        judged=judged,
        ranked=ranked,
    )


def over_pools(run: Run, pools: Mapping[str, Ids[str]]) -> dict[str, dict[str, float]]:
    """Return the run with each query's candidates only. Labels of other documents still count, as in trec_eval."""
    if missing := [query for query in run if query not in pools]:
        raise InputError(
            f"the pools have no candidates for {_listed(missing)}",
            code=ErrorCode.INVALID_INPUT,
            remedy="add them, or score without pools",
            queries=missing,
        )
    return {query: _among(scores, pools[query]) for query, scores in run.items()}


def judged_only(run: Run, qrels: Qrels) -> dict[str, dict[str, float]]:
    """Return the run with labelled documents only, whatever their grade."""
    return {query: _among(scores, qrels.get(query, {})) for query, scores in run.items()}


def leave_out(table: Mapping[str, Mapping[str, _Value]], own: Mapping[str, Ids[str]]) -> dict[str, dict[str, _Value]]:
    """Return a run, or labels, without the documents from which each query was drawn.

    >>> leave_out({"q": {"a": 3, "b": 1}, "r": {"a": 2}}, {"q": ["a"]})
    {'q': {'b': 1}, 'r': {'a': 2}}
    """
    return {
        query: {name: value for name, value in row.items() if name not in own.get(query, ())}
        for query, row in table.items()
    }


def read_id_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a JSON object that maps query ids to lists of document ids: pools, or own judgments."""
    lists = read_json(path)
    if not isinstance(lists, dict) or not all(isinstance(names, list) for names in lists.values()):
        raise InputError(
            "not an object of lists",
            code=ErrorCode.FILE_MALFORMED,
            file=path,
            remedy='write {"query id": ["document id", …], …}',
        )
    return {query: tuple(str(name) for name in names) for query, names in lists.items()}


def unseen_queries(qrels: Qrels, queries: Iterable[Query], relevant_from: int = 1) -> set[str]:
    """Return the labelled queries none of whose relevant documents is relevant to a training query.

    >>> queries = [Query("old", "", split="train"), Query("new", "", split="test"), Query("like", "", split="test")]
    >>> unseen_queries({"old": {"a": 1}, "new": {"b": 1}, "like": {"a": 1, "c": 1}}, queries)
    {'new'}
    """
    relevant = {query: {name for name, grade in row.items() if grade >= relevant_from} for query, row in qrels.items()}
    seen = {name for query in queries if query.split == "train" for name in relevant.get(query.id, ())}
    return {query for query, names in relevant.items() if names and not names & seen}


def _collection_scope(collection: Collection, split: str | None, *, unseen: bool) -> Scope:
    def charges() -> Charges:
        documents = {document.id: document.charges for document in collection.documents}
        return Charges({query.id: query.charges for query in collection.queries}, documents)

    labels = CollectionLabels(Path(collection.name), Path("qrels.trec"), collection.relevant_from, collection.queries)
    return _labelled_scope(collection.qrels, labels, split, charges, unseen=unseen)


def _file_scope(path: Path, split: str | None, *, unseen: bool) -> Scope:
    about = find_collection_labels(path)
    if about is None and path.is_dir():
        raise InputError(
            "not a collection directory",
            code=ErrorCode.FILE_MALFORMED,
            file=path,
            remedy="name a qrels file or a collection",
        )
    if about is None:
        return _qrels_scope(read_qrels(path), split, path, unseen=unseen)

    def charges() -> Charges:
        return Charges({query.id: query.charges for query in about.queries}, read_document_charges(about.directory))

    return _labelled_scope(read_qrels(about.qrels), about, split, charges, unseen=unseen)


def _labelled_scope(
    qrels: Qrels, about: CollectionLabels, split: str | None, charges: Callable[[], Charges], *, unseen: bool
) -> Scope:
    queries = about.queries
    chosen = None if split is None else {query.id for query in select_split(queries, split, about.directory)}
    if unseen:
        new = unseen_queries(qrels, queries, about.relevant_from)
        chosen = new if chosen is None else chosen & new
    incomplete = {query.id for query in queries if query.incomplete_labels}
    return Scope(
        {query: grades for query, grades in qrels.items() if query not in incomplete},
        own={query.id: query.own_documents for query in queries if query.own_documents},
        queries=chosen,
        relevant_from=about.relevant_from,
        load_charges=charges,
    )


def _qrels_scope(qrels: Qrels, split: str | None, path: Path | None = None, *, unseen: bool) -> Scope:
    if split is not None or unseen:
        wanted = f"belong to the split {split!r}" if split is not None else "are training queries"
        raise InputError(
            f"labels alone do not say which queries {wanted}",
            code=ErrorCode.INVALID_ARGUMENT,
            file=path,
            remedy="name the collection instead of its labels",
            split=split or "train",
        )
    return Scope(qrels)


def _union(own: Mapping[str, Ids[str]], more: Mapping[str, Ids[str]]) -> dict[str, set[str]]:
    return {query: {*own.get(query, ()), *more.get(query, ())} for query in {**own, **more}}


def _gaps(run: Run, asked: Qrels, labelled: Qrels) -> Iterable[str]:
    if unranked := [query for query in asked if query not in run]:
        yield f"{_listed(unranked)} of {len(asked)} not ranked, counted as 0"
    if unlabelled := [query for query in run if query not in labelled]:
        yield f"{_listed(unlabelled)} ranked without a label, not counted"


def _among(scores: Mapping[str, float], names: Ids[str]) -> dict[str, float]:
    allowed = set(names)
    return {name: score for name, score in scores.items() if name in allowed}


def _only(table: Mapping[str, Mapping[str, _Value]], queries: Ids[str]) -> dict[str, Mapping[str, _Value]]:
    return {query: row for query, row in table.items() if query in queries}


def _count(table: Qrels) -> int:
    return sum(map(len, table.values()))


def _listed(queries: list[str]) -> str:
    """Return `3 queries (12, 40, 77)`; of more than five, only the first five are named."""
    shown = ", ".join(queries[:5]) + (", …" if len(queries) > 5 else "")
    return f"{len(queries)} {'query' if len(queries) == 1 else 'queries'} ({shown})"
