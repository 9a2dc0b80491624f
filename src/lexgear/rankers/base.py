"""The interface of every retrieval system: fit a collection, search it, save and load."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.privacy.neutral import Neutraliser
from lexgear.progress import Progress, silent
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.scope import Scope

if TYPE_CHECKING:
    from lexgear.model.generator.generator import Generator
    from lexgear.rankers.charge_predictor import ChargePredictor
    from lexgear.rankers.training_run import TrainingRun
    from lexgear.rationale.lexicon import Lexicon
    from lexgear.rationale.records import Rationale

EVERYTHING = Scope()


class ScoredId(NamedTuple):
    """The id of a document with its score."""

    document: str
    score: float


class Ranker(ABC):
    """Abstract base of all retrieval systems.

    `settings` is a frozen dataclass, saved beside what it produced. `fit` returns the ranker itself; methods that
    change documents or queries return a new ranker.
    """

    name: ClassVar[str]
    settings_type: ClassVar[type[Any]]
    reads_labels: ClassVar[bool] = False
    """True if the ranker reads the gold charges of a query. Only trivial baselines do."""
    training: TrainingRun | None = None
    """Log, notes and checkpoints of the training; None if the ranker is not trained in epochs."""

    def __init__(self, settings: Any = None) -> None:
        self.settings = self.settings_type() if settings is None else settings
        self.names = Neutraliser(self.keeps_names())
        self._neutral_documents: tuple[Sequence[Document], Sequence[Document]] | None = None
        """The documents that `with_queries` got last, and the same without names."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Index the documents and learn from the training queries.

        Person names are replaced by placeholders first, as in all texts that the ranker reads later.
        """
        if not self.reads_documents_in_order():
            collection = replace(collection, documents=tuple(collection.documents))
        return self._fit(self.names.collection(collection), progress)

    def reads_documents_in_order(self) -> bool:
        """Return whether `fit` reads the documents a few times from the first to the last, so that they may be on disk.

        Others get the documents in memory.
        """
        return False

    def keeps_names(self) -> bool:
        """Return whether the settings ask to read person names; rankers that cannot be asked read placeholders."""
        return False

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """Return the k best documents for each query, best first; ties are broken by document id.

        Person names and labels of the queries are removed first, labels unless the ranker declares `reads_labels`.
        """
        _check_k(k)
        return self._search([self._visible(query) for query in queries], k, scope, progress)

    def search_explained(
        self, query: Query, k: int, scope: Scope = EVERYTHING
    ) -> list[tuple[ScoredId, Explanation | None]]:
        """Return the k best documents for one query, each with an explanation if the ranker can give one.

        Offsets in explanations refer to the text of the query, with its names.
        """
        _check_k(k)
        neutral = self.names.text(query.text)
        hits = self._search_explained(replace(self._unlabelled(query), text=neutral.text), k, scope)
        return [(hit, None if why is None else why.in_original(neutral, query.text)) for hit, why in hits]

    @abstractmethod
    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Implement `fit` for a collection without person names."""

    @abstractmethod
    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        """Implement `search` for queries whose labels and person names have been removed."""

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        """Implement `search_explained`; without an override hits have no explanation."""
        [hits] = self._search([query], k, scope, silent)
        return [(hit, None) for hit in hits]

    def _visible(self, query: Query) -> Query:
        """Return the part of a query that the ranker may see."""
        return self.names.query(self._unlabelled(query))

    def _unlabelled(self, query: Query) -> Query:
        return query if self.reads_labels else Query(query.id, query.text, own_documents=query.own_documents)

    @abstractmethod
    def save(self, directory: PartsDirectory) -> None:
        """Write the ranker's parts into an existing directory."""

    @classmethod
    @abstractmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""

    def with_documents(self, collection: Collection, progress: Progress = silent) -> Self:
        """Return this ranker over other documents, without training.

        A document whose id is known is not read again: to change a document, remove it first.
        """
        return self._named_alike(self._with_documents(self.names.collection(collection), progress))

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Implement `with_documents` for a collection without person names."""
        raise InputError(
            f"{self.name} memorises its documents: it cannot add or remove any without training",
            code=ErrorCode.CANNOT_GROW,
            remedy="train it again on the changed collection, or use the ranker lexgear",
            ranker=self.name,
        )

    def save_documents(self, directory: PartsDirectory) -> None:
        """Write the parts that `with_documents` changed."""
        self.save(directory)

    def can_update_queries(self) -> bool:
        """Return whether `with_queries` reuses what was learnt from the documents."""
        return False

    def with_queries(self, collection: Collection, progress: Progress = silent) -> Self:
        """Return a ranker over the same documents that learns from other training queries.

        Documents are read without names once, as cross-validation passes the same ones with every fold.
        """
        if self._neutral_documents is None or self._neutral_documents[0] is not collection.documents:
            self._neutral_documents = collection.documents, self.names.collection(collection).documents
        queries = self.names.collection(replace(collection, documents=()))
        return self._named_alike(self._with_queries(replace(queries, documents=self._neutral_documents[1]), progress))

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Implement `with_queries` for a collection without person names."""
        return type(self)(self.settings)._fit(collection, progress)

    def _named_alike(self, other: Self) -> Self:
        """Return another ranker, which reads names as this one does."""
        other.names = self.names
        return other

    def can_judge(self) -> bool:
        """Return whether the ranker predicts charges."""
        return False

    def charge_predictor(self) -> ChargePredictor:
        """Return the model that predicts charges."""
        raise InputError(
            f"the ranker {self.name} cannot judge",
            code=ErrorCode.CANNOT_JUDGE,
            remedy="train an index of the ranker lexgear or gear",
            ranker=self.name,
        )

    def rationale(self, text: str) -> Rationale | None:
        """Return what f_R extracts from a text; None if the ranker has no f_R."""
        neutral = self.names.text(text)
        rationale = self._rationale(neutral.text)
        return None if rationale is None else rationale.in_original(neutral, text)

    def _rationale(self, text: str) -> Rationale | None:
        """Implement `rationale` for a text without person names."""
        return None

    def lexicon(self) -> Lexicon | None:
        """Return the lexicon of f_R; None if the ranker has no f_R."""
        return None

    def label(self) -> str | None:
        """Return a label for tables that says what the model started from; None for the label of the table."""
        return None

    def starts_from_other_checkpoint(self) -> bool:
        """Return True if the ranker is named after a published checkpoint and starts from a different one."""
        return False

    def indexing_accuracy(self, collection: Collection, max_documents: int = 200) -> float | None:
        """Return the share of up to `max_documents` evenly spaced documents that come first for a text they were learnt
        from; None if the ranker memorises nothing."""
        return None

    def encodes(self, *, judges: bool, ranks: bool) -> bool:
        """Return whether an encoder reads a text to judge it or to rank documents for it."""
        return False

    def generator(self) -> Generator | None:
        """Return the generator that reads queries, if there is one."""
        return None

    def with_generator(self, wrap: Callable[[Generator], Generator]) -> Self:
        """Return a copy whose generator is wrapped, for example to cache what the encoder reads."""
        return self

    def encoder_inputs(self, texts: Sequence[str]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Return token numbers and mask of each text as the encoder reads it."""
        return self._encoder_inputs([self.names.text(text).text for text in texts])

    def _encoder_inputs(self, texts: Sequence[str]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Implement `encoder_inputs` for texts without person names."""
        return []

    def close(self) -> None:  # noqa: B027 (most rankers hold nothing)
        """Release what other processes hold for the ranker."""

    def word_rarity(self, word: str) -> float:
        """Return the weight of a word by its rarity in the index; 1 if the ranker counts no words."""
        return 1.0


def _check_k(k: int) -> None:
    if k < 1:
        raise InputError(f"k is {k}", code=ErrorCode.INVALID_ARGUMENT, remedy="ask for at least one document", k=k)
