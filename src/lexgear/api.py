"""lexgear in Python: build an index, load it, search it, and hits that say what they are."""

from __future__ import annotations

from collections.abc import Collection as Names
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgear.atomic import locked_directory
from lexgear.corpus.new_documents import check_new_documents
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.store import document_row
from lexgear.errors import InputError
from lexgear.index.manifest import read_manifest
from lexgear.index.store import StoredIndex, grow_index, undisturbed, write_index
from lexgear.law.tree import LawNode, LawTree
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Ranker, ScoredId
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.registry import ranker_type
from lexgear.rankers.scope import Scope
from lexgear.rankers.trained import TrainedRanker
from lexgear.settings import settings_from, settings_row
from lexgear.training.workspace import Workspace, fingerprint

if TYPE_CHECKING:
    from lexgear.judgment.judge import Judgment


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found: its rank and score, the document itself, and where it hangs in the law."""

    rank: int
    score: float
    document: Document
    paths: tuple[tuple[LawNode, ...], ...]
    """From the code down to each of its charges, or to the article it is."""
    explanation: Explanation | None = None
    """Why it was found; None where the ranker cannot say."""

    @property
    def places(self) -> tuple[str, ...]:
        """Each path in a line: `刑法 › 侵犯财产罪 › 264 › 盗窃罪`."""
        return tuple(" › ".join(step_name(node) for node in path) for path in self.paths)

    @property
    def sentence(self) -> str:
        """The penalty in a few words, such as `imprisonment 18 months`."""
        penalty = self.document.penalty
        if penalty is None:
            return ""
        months = f" {penalty.months} months" if penalty.months else ""
        probation = f", probation {penalty.probation_months} months" if penalty.probation_months else ""
        return f"{penalty.kind}{months}{probation}"

    def to_row(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        paths = [[node.id for node in path] for path in self.paths]
        why = self.explanation.to_row() if self.explanation else None
        own = {"rank": self.rank, "score": self.score, "paths": paths, "explanation": why}
        return {**own, **document_row(self.document)}


class Index:
    """A searchable index.

    index = Index.load("build/sample-index")
    for hit in index.search("被告人夜间翻墙进入商店，拿走现金五千余元。", k=3):
        print(hit.rank, hit.document.title, hit.places)
    """

    def __init__(self, stored: StoredIndex, ranker: Ranker) -> None:
        self.stored, self.ranker = stored, ranker

    @classmethod
    def load(cls, directory: str | Path) -> Index:
        """Opens an index that `train` wrote; damaged parts are refused."""
        return undisturbed(Path(directory), lambda: cls._load(Path(directory)))

    @classmethod
    def _load(cls, directory: Path) -> Index:
        stored = StoredIndex(directory)
        stored.check()
        kind = ranker_type(stored.manifest.ranker)
        settings = settings_from(kind.settings_type, stored.manifest.settings)
        return cls(stored, kind.load(stored.parts, settings))

    def search(self, text: str, k: int = 10, filters: Sequence[str] = ()) -> list[Hit]:
        """The k best documents for a text, best first; filters such as `charge=盗窃罪` or `date>=2015-01-01`."""
        scope = Scope(only=self.stored.catalogue.select(filters)) if filters else EVERYTHING
        hits = self.ranker.explained(Query("", text), k, scope)
        return [self.found(rank, hit, why) for rank, (hit, why) in enumerate(hits, start=1)]

    def judge(self, text: str) -> Judgment:
        """Which charges the facts lead to, how surely, and what speaks for them."""
        from lexgear.judgment.judge import judge
        from lexgear.rankers.lexgear.ranker import Lexgear

        if not isinstance(self.ranker, Lexgear):
            problem = f"an index of {self.ranker.name} cannot judge"
            raise InputError(problem, file=self.stored.directory, remedy="train one with --ranker lexgear")
        return judge(self.ranker, self.law, text)

    def add(self, documents: Sequence[Document], *, replace: bool = False, progress: Progress = silent) -> None:
        """Adds documents without training, here and on disk: the ranking is as if they had been there from the start.

        With `replace`, those whose id is there already take its place.
        """
        with self._changing() as handle:
            check_new_documents(documents, self.law)
            there = set(self.stored.catalogue.ids()) & {document.id for document in documents}
            if there and not replace:
                problem = f"the index has a document {min(there)!r} already"
                raise InputError(problem, file=self.stored.directory, remedy="add it with --replace; nothing was added")
            self._change(handle, there, documents, progress)

    def remove(self, ids: Names[str], progress: Progress = silent) -> None:
        """Removes documents without training, here and on disk: the ranking is as if they had never been there."""
        with self._changing() as handle:
            known = set(self.stored.catalogue.ids())
            if unknown := sorted(set(ids) - known):
                problem = f"the index has no document {unknown[0]!r}"
                raise InputError(problem, file=self.stored.directory, remedy="nothing was removed")
            if known == set(ids):
                problem = "an index without documents could find nothing"
                raise InputError(problem, file=self.stored.directory, remedy="keep one, or delete the directory")
            self._change(handle, ids, (), progress)

    @contextmanager
    def _changing(self) -> Iterator[int]:
        """Nobody else may change the index meanwhile; what somebody else has changed before is read again."""
        directory = self.stored.directory
        with locked_directory(directory) as handle:
            if read_manifest(directory) != self.stored.manifest:
                now = Index.load(directory)
                vars(self).clear()
                vars(self).update(vars(now))
            yield handle

    def _change(self, handle: int, gone: Names[str], new: Sequence[Document], progress: Progress) -> None:
        stored, ranker, left = self.stored, self.ranker, set(gone)
        about = stored.manifest
        kept = []
        for done, document in enumerate(stored.catalogue.documents(), start=1):
            if document.id not in left:
                kept.append(document)
            progress(done, about.documents, "reading those there")
        if left and new:  # what is to be replaced has to be forgotten first
            ranker = ranker.grown(self._collection(kept), progress)
        documents = [*kept, *new]
        ranker = ranker.grown(self._collection(documents), progress)
        packed = {name: row for name, row in stored.catalogue.packed().items() if name not in left}
        grow_index(stored, handle, documents, packed=packed, save_ranker=ranker.save_grown, progress=progress)
        self.stored, self.ranker = StoredIndex(stored.directory), ranker

    def _collection(self, documents: Sequence[Document]) -> Collection:
        about = self.stored.manifest
        return Collection(about.collection, about.language, tuple(documents), law=self.law)

    def rank(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """Document ids and scores for many queries."""
        return self.ranker.search(queries, k, scope, progress)

    def found(self, rank: int, hit: ScoredId, why: Explanation | None = None) -> Hit:
        """A hit with its document, its places in the law and why it was found."""
        document = self.stored.catalogue.document(hit.document)
        nodes = [self.law[document.node]] if document.node in self.law else []
        nodes += [node for name in document.charges for node in self._charges.get(name, ())]
        return Hit(rank, hit.score, document, tuple(self.law.path(node) for node in nodes), why)

    @cached_property
    def law(self) -> LawTree:
        """The law the documents hang under."""
        return self.stored.law()

    @cached_property
    def _charges(self) -> dict[str, list[LawNode]]:
        """Every place of a charge, which goes by the name it has in place of a number."""
        nodes: dict[str, list[LawNode]] = {}
        for node in self.law.of_kind("charge"):
            nodes.setdefault(node.number, []).append(node)
        return nodes


def judge(text: str, language: str = "zh") -> Judgment:
    """Which charges the facts lead to, by the base model that comes with the package: no index is needed."""
    from lexgear.judgment.base_judge import shipped_judge

    return shipped_judge(language).judge(text)


def train(collection: Collection, ranker: Ranker, directory: str | Path, progress: Progress = silent) -> Index:
    """Fits a ranker to a collection and writes its index; training that was stopped on the way goes on."""
    with resumable(collection, ranker, directory):
        return save(collection, ranker.fit(collection, progress), directory)


@contextmanager
def resumable(collection: Collection, ranker: Ranker, directory: str | Path) -> Iterator[Workspace | None]:
    """Keeps checkpoints beside the index to be, in `INDEX.training`, until the block that writes it is done.

    Entered again with the same collection and settings, `fit` goes on after the last epoch kept. Rankers that do
    not train in epochs have no workspace.
    """
    if not isinstance(ranker, TrainedRanker):
        yield None
        return
    run = fingerprint(collection, ranker.name, settings_row(ranker.settings))
    workspace = Workspace.beside(Path(directory), run)
    workspace.epochs_done()  # refuses another run's before hours of work
    ranker.workspace = workspace
    yield workspace
    workspace.clear()


def save(collection: Collection, ranker: Ranker, directory: str | Path, progress: Progress = silent) -> Index:
    """Writes the index of a ranker that was fitted to the collection."""
    write_index(
        Path(directory),
        collection,
        ranker=ranker.name,
        settings=settings_row(ranker.settings),
        save_ranker=lambda place: _save_parts(ranker, place),
        progress=progress,
    )
    return Index(StoredIndex(Path(directory)), ranker)


def _save_parts(ranker: Ranker, directory: Path) -> None:
    ranker.save(directory)
    if isinstance(ranker, TrainedRanker):
        ranker.save_log(directory)


def step_name(node: LawNode) -> str:
    """A place of the law as one step of a path: `5 侵犯财产罪`, `264`, `盗窃罪`."""
    if node.kind in {"law", "charge"}:
        return node.title or node.number
    return f"{node.number} {node.title}" if node.title and node.kind != "article" else node.number
