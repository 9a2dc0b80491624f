"""The index: a trained ranker and its documents, opened for searching, judging and changing."""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from lexgear.api.arguments import check_k, check_text, listed, to_query
from lexgear.api.growth import changed_index
from lexgear.api.hit import Hit
from lexgear.atomic import locked_directory
from lexgear.corpus.extraction.factors.comparison import StatedValue, stated_factors
from lexgear.corpus.new_documents import check_new_documents
from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import has_surrogate
from lexgear.index.filters import in_force_on
from lexgear.index.manifest import MANIFEST, read_manifest
from lexgear.index.removed import read_removed, record_removed
from lexgear.index.shards import shard_directories, shard_of
from lexgear.index.store import CHECKED_ON_LOAD, StoredIndex, read_consistently, update_index
from lexgear.index.untrusted import check_arrays
from lexgear.law.tree import LawNode, LawTree
from lexgear.privacy.neutral import Neutraliser
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Ranker, ScoredId
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.registry import ranker_type
from lexgear.rankers.scope import Scope
from lexgear.rankers.segmented import SegmentDirectory, SegmentedRanker
from lexgear.settings import stored_settings

if TYPE_CHECKING:
    from datetime import date

    from lexgear.judgment.records import Judgment
    from lexgear.trec import Run


_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError, RuntimeError, BadZipFile)
"""Errors of loading a ranker whose parts have the right checksums and the wrong content."""


class Index:
    """A searchable index.

    index = Index.load("build/sample-index")
    for hit in index.search("被告人夜间翻墙进入商店，拿走现金五千余元。", k=3):
        print(hit.rank, hit.document.title, hit.places)
    """

    def __init__(self, stored: StoredIndex, ranker: Ranker) -> None:
        self.stored, self.ranker = stored, ranker
        self._law: LawTree | None = None
        self._charge_nodes: dict[str, list[LawNode]] | None = None

    def __repr__(self) -> str:
        manifest = self.stored.manifest
        return f"Index({str(self.stored.directory)!r}, ranker={manifest.ranker!r}, documents={manifest.documents})"

    def __len__(self) -> int:
        return self.stored.manifest.documents

    @classmethod
    def load(cls, directory: str | Path) -> Index:
        """Open an index; raise `InputError` if a part is missing or damaged."""
        return cls(*read_consistently(Path(directory), lambda: _read(Path(directory))))

    def close(self) -> None:
        """Release files, and the shards of an index that was opened on a cluster."""
        self.stored.catalogue.close()
        self.ranker.close()

    def search(
        self, text: str, k: int = 10, filters: Sequence[str] = (), *, date: date | str | None = None
    ) -> list[Hit]:
        """Return the k best documents for a text, best first, with explanations.

        `filters` restrict the documents, such as `["charge=盗窃罪", "date>=2015-01-01"]`. With a `date`
        (`YYYY-MM-DD`), statutory articles that were not in force on that day are left out before ranking.
        """
        check_text(text)
        check_k(k)
        scored = self.ranker.search_explained(Query("", text), k, self._scope(filters, date))
        return self.to_hits(text, scored)

    def search_many(
        self,
        queries: Sequence[str | Query],
        k: int = 10,
        filters: Sequence[str] = (),
        *,
        date: date | str | None = None,
        progress: Progress = silent,
    ) -> list[list[Hit]]:
        """Return the k best documents for each text or query, best first, without explanations.

        The ranking is that of `search`; documents that a `Query` was drawn from are left out of its results.
        """
        asked = [to_query(query) for query in listed(queries, "queries")]
        results = self.rank(asked, k, self._scope(filters, date), progress)
        return [[self.to_hit(rank, one) for rank, one in enumerate(hits, start=1)] for hits in results]

    def run(
        self,
        queries: Sequence[Query],
        k: int = 1000,
        filters: Sequence[str] = (),
        *,
        progress: Progress = silent,
    ) -> Run:
        """Return the results of many queries as a run, for `evaluate` and `write_run`."""
        results = self.rank(queries, k, self._scope(filters), progress)
        return {query.id: dict(hits) for query, hits in zip(queries, results, strict=True)}

    def rank(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """Return ids and scores of the k best documents for each query, without reading the documents."""
        check_k(k)
        return self.ranker.search(queries, k, scope, progress)

    def judge(self, text: str, date: date | str | None = None) -> Judgment:
        """Return the charges that the facts lead to, with probabilities, articles and evidence.

        `date` is the date of the act (`YYYY-MM-DD`), read from the facts if it is not given.
        """
        from lexgear.judgment.judge import judge

        check_text(text)
        if not self.ranker.can_judge():
            raise InputError(
                f"an index of {self.ranker.name} cannot judge",
                code=ErrorCode.CANNOT_JUDGE,
                file=self.stored.directory,
                remedy="use an index of the ranker lexgear or gear",
                ranker=self.ranker.name,
            )
        return judge(self.ranker.charge_predictor(), self.law, text, self.ranker.names, date)

    def document(self, document_id: str) -> Document:
        """Return a document by its id."""
        return self.stored.catalogue.document(document_id)

    def add(self, documents: Sequence[Document], *, replace: bool = False, progress: Progress = silent) -> None:
        """Add documents without training, in memory and on disk; the ranking is as if they had always been there.

        With `replace`, documents whose id is in the index replace the old ones.
        """
        with self._locked() as handle:
            check_new_documents(documents, self.law)
            present = self._present([document.id for document in documents])
            if present and not replace:
                raise InputError(
                    f"the index already has a document {min(present)!r}",
                    code=ErrorCode.DUPLICATE_ID,
                    file=self.stored.directory,
                    remedy="nothing was added; replace it, or give the new one another id",
                    id=min(present),
                )
            self._update(handle, present, documents, progress)

    def remove(self, ids: Ids[str], progress: Progress = silent) -> None:
        """Remove documents without training, in memory and on disk; the ranking is as if they had never been there."""
        removed = set(listed(ids, "ids"))
        with self._locked() as handle:
            removed -= self._removed_before(removed)
            if unknown := sorted(removed - self._present(removed)):
                raise InputError(
                    f"the index has no document {unknown[0]!r}",
                    code=ErrorCode.UNKNOWN_DOCUMENT,
                    file=self.stored.directory,
                    remedy="nothing was removed",
                    id=unknown[0],
                )
            if len(removed) == len(self):
                raise InputError(
                    "an index must have at least one document",
                    code=ErrorCode.INVALID_ARGUMENT,
                    file=self.stored.directory,
                    remedy="keep one document, or delete the directory",
                )
            record_removed(self.stored.directory, removed)  # first: the change of the manifest makes services reload
            self._update(handle, removed, (), progress)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Lock the index against other writers, and read it again if one of them has changed it before."""
        directory = self.stored.directory
        with locked_directory(directory) as handle:
            if read_manifest(directory) != self.stored.manifest:
                self.stored, self.ranker = read_consistently(directory, lambda: _read(directory))
                self._law = self._charge_nodes = None
            yield handle

    def compact(self, progress: Progress = silent) -> None:
        """Merge all segments into one and drop what was removed; rankings and scores stay the same."""
        with self._locked() as handle:
            ranker, segments = self.ranker, self.stored.manifest.segments
            if shards := shard_directories(self.stored.directory):
                for directory in shards:
                    Index.load(directory).compact(progress)
                self._read_shards()
            elif isinstance(ranker, SegmentedRanker) and (len(segments) != 1 or segments[0].removed):
                nothing = self._collection(())
                self.stored, self.ranker = changed_index(
                    self.stored, ranker, handle, (), nothing, compact=True, progress=progress
                )

    def _removed_before(self, ids: Ids[str]) -> set[str]:
        """Return which of these ids a removal that was interrupted between two shards has removed already."""
        directory = self.stored.directory
        left = self._present(ids) if shard_directories(directory) else set()
        return (set(ids) - left) & read_removed(directory) if left else set()

    def _present(self, ids: Ids[str]) -> set[str]:
        """Return which of these ids the index has."""
        asked = [name for name in ids if not has_surrogate(name)]  # SQLite cannot be asked for lone surrogates
        return {name for part in self.stored.catalogue.positions(asked) for name in part}

    def _update(self, handle: int, removed: Ids[str], new: Sequence[Document], progress: Progress) -> None:
        """Write what changes, or all documents again for a ranker without segments."""
        ranker = self.ranker
        if shards := shard_directories(self.stored.directory):
            self._update_shards(shards, removed, new, progress)
        elif isinstance(ranker, SegmentedRanker):
            added = self._collection(new)
            self.stored, self.ranker = changed_index(self.stored, ranker, handle, removed, added, progress=progress)
        else:
            self._write_again(handle, removed, new, progress)

    def _update_shards(
        self, shards: Sequence[Path], removed: Ids[str], new: Sequence[Document], progress: Progress
    ) -> None:
        """Change the shards one after another; the documents of a shard are safe once its manifest is in place."""
        changes = []
        for number, directory in enumerate(shards):
            gone = {name for name in removed if shard_of(name, len(shards)) == number}
            own = [document for document in new if shard_of(document.id, len(shards)) == number]
            if gone or own:
                changes.append((Index.load(directory), gone, own))
        for shard, gone, own in changes:
            if not own and len(gone) == len(shard):
                raise InputError(
                    "a shard must have at least one document",
                    code=ErrorCode.INVALID_ARGUMENT,
                    file=shard.stored.directory,
                    remedy="keep one of its documents, or make an index with fewer shards",
                )
        for shard, gone, own in changes:
            with shard._locked() as handle:
                shard._update(handle, gone, own, progress)
        self._read_shards()

    def _read_shards(self) -> None:
        """Read the changed shards, and let services notice the change by the time of the manifest."""
        directory = self.stored.directory
        (directory / MANIFEST).touch()
        self.stored, self.ranker = read_consistently(directory, lambda: _read(directory))

    def _write_again(self, handle: int, removed: Ids[str], new: Sequence[Document], progress: Progress) -> None:
        """Write all documents again."""
        stored, ranker, manifest = self.stored, self.ranker, self.stored.manifest
        kept = []
        for done, document in enumerate(stored.catalogue.documents(), start=1):
            if document.id not in removed:
                kept.append(document)
            progress(done, manifest.documents, "reading the present documents")
        if removed and new:  # a ranker does not read a document again whose id it knows
            ranker = ranker.with_documents(self._collection(kept), progress)
        documents = [*kept, *new]
        ranker = ranker.with_documents(self._collection(documents), progress)
        rows = {name: row for name, row in stored.catalogue.stored_rows().items() if name not in removed}
        update_index(stored, handle, documents, rows=rows, save_ranker=ranker.save_documents, progress=progress)
        self.stored, self.ranker = StoredIndex(stored.directory), ranker

    def _collection(self, documents: Sequence[Document]) -> Collection:
        manifest = self.stored.manifest
        return Collection(manifest.collection, manifest.language, tuple(documents), law=self.law)

    def _scope(self, filters: Sequence[str], date: date | str | None = None) -> Scope:
        chosen = [*listed(filters, "filters"), *in_force_on(date)]
        return Scope(only=self.stored.catalogue.select(chosen)) if chosen else EVERYTHING

    def to_hits(self, text: str, scored: Sequence[tuple[ScoredId, Explanation | None]]) -> list[Hit]:
        """Return the results of the search for a text as hits, with explanations and legal factors."""
        factors = self.query_factors(text)
        return [self.to_hit(rank, one, why, factors) for rank, (one, why) in enumerate(scored, start=1)]

    def query_factors(self, text: str) -> Mapping[str, StatedValue] | None:
        """Return the legal factors that a text states; None if the index is not in Chinese."""
        return stated_factors({"text": text}) if self.stored.manifest.language == "zh" else None

    def to_hit(
        self,
        rank: int,
        scored: ScoredId,
        explanation: Explanation | None = None,
        query_factors: Mapping[str, StatedValue] | None = None,
    ) -> Hit:
        """Return a hit with its document and the document's places in the law."""
        document = self.document(scored.document)
        nodes = [self.law[document.node]] if document.node in self.law else []
        nodes += [node for name in document.charges for node in self._nodes_of(name)]
        paths = tuple(self.law.path(node) for node in nodes)
        return Hit(rank, scored.score, document, paths, explanation, query_factors)

    @property
    def law(self) -> LawTree:
        """The law that the documents stand under."""
        if self._law is None:
            self._law = self.stored.law()
        return self._law

    def _nodes_of(self, charge: str) -> Sequence[LawNode]:
        """Return the law nodes of a charge; a charge has its name in place of a number."""
        if self._charge_nodes is None:
            nodes: dict[str, list[LawNode]] = {}
            for node in self.law.of_kind("charge"):
                nodes.setdefault(node.number, []).append(node)
            self._charge_nodes = nodes
        return self._charge_nodes.get(charge, ())


def _read(directory: Path) -> tuple[StoredIndex, Ranker]:
    """Read the parts of an index and its ranker."""
    stored = StoredIndex(directory)
    stored.check(largest=CHECKED_ON_LOAD)
    try:
        ranker = _read_ranker(stored)
    except _UNREADABLE as error:
        raise InputError(
            f"the parts of the index do not fit together: {error}",
            code=ErrorCode.INDEX_DAMAGED,
            file=directory,
            remedy="build the index again",
        ) from error
    ranker.names = Neutraliser(stored.manifest.keeps_names)
    return stored, ranker


def _read_ranker(stored: StoredIndex) -> Ranker:
    """Load the ranker of an index, after its arrays are checked."""
    for folder, name, part in stored.manifest.files():
        if part.size <= CHECKED_ON_LOAD:
            check_arrays(stored.directory / folder / name)
    kind = ranker_type(stored.manifest.ranker)
    settings = stored_settings(kind.settings_type, stored.manifest.settings)
    segments = stored.manifest.segments
    if segments and issubclass(kind, SegmentedRanker):
        places = [
            SegmentDirectory(stored.place(one.stored), stored.place(one.removed) if one.removed else None)
            for one in segments
        ]
        return kind.load_segments(stored.parts, places, settings)
    return kind.load(stored.parts, settings)
