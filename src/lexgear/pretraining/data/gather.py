"""Collection of training cases and texts, with charge names masked and test queries excluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.store import load_collection
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.charges import shipped_charges
from lexgear.law.statutes import read_statute
from lexgear.law.tree import LawTree
from lexgear.pretraining.data.known_texts import nameless_fingerprint
from lexgear.pretraining.data.leak_guard import LATIN_SHINGLE_LENGTH, SHINGLE_LENGTH, LeakGuard, fingerprint
from lexgear.pretraining.data.statutes import Article, articles_of, is_article
from lexgear.privacy.neutral import neutral_document, neutralise
from lexgear.progress import Progress, silent
from lexgear.training.query_split import never_train_on

MIN_CHARACTERS = 20
"""Characters of the shortest usable text."""
MAX_CHARACTERS = 3000
"""Characters of the facts that are used: the rest mostly repeats the evidence."""
_HOLDOUT_UNITS = 1000
ACCEPTED_KINDS = ("cases", "articles", "questions", "texts")
"""Kinds of accepted records, as they are counted."""


@dataclass(frozen=True, slots=True)
class Case:
    """Training case: facts with the court's reasoning, or an article with a question or its titles.

    Charge names are masked in the texts of judgments.
    """

    facts: str
    reasoning: str = ""
    """Empty if there is none."""
    charges: tuple[str, ...] = ()
    titles: str = ""
    """Titles above an article, which precede its text."""
    place: str = ""
    """Parent law node of an article."""
    asked: bool = False
    """True if `reasoning` is a question that the article answers."""
    seen: tuple[int, ...] = ()
    """Fingerprints of the source texts."""

    @property
    def is_article(self) -> bool:
        """Return whether the case is a statutory article."""
        return bool(self.place)


@dataclass
class Gathered:
    """Collected cases and other texts, with counts of accepted, refused and skipped records per source."""

    language: str = "zh"
    law: LawTree = field(default_factory=LawTree)
    """Laws of all collections of articles."""
    cases: list[Case] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def report(self) -> list[str]:
        """Return one line per source.

        >>> str(Gathered(counts={"lecard": Counter({"cases": 9000, "refused: never_train_on": 26})}).report()[0])
        'lecard: 9,000 cases; refused: never_train_on 26'
        """
        lines = []
        for source, counts in self.counts.items():
            taken = [f"{counts[kind]:,} {kind}" for kind in ACCEPTED_KINDS if counts[kind]]
            left = [f"{kind} {count:,}" for kind, count in sorted(counts.items()) if kind not in ACCEPTED_KINDS]
            lines.append(f"{source}: {'; '.join([', '.join(taken) or 'nothing', *left])}")
        return lines


def gather(
    collections: Sequence[Path],
    statutes: Sequence[Path],
    hold_out: Sequence[Path],
    progress: Progress = silent,
    *,
    question_holdout: float = 0.0,
    documents_only: Sequence[Path] = (),
) -> Gathered:
    """Read collection directories and statutes; texts in `hold_out` are excluded like test queries.

    A share `question_holdout` of the training questions, chosen by their text, is left out, and so are all queries of
    the collections in `documents_only`.
    """
    loaded = [load_collection(directory) for directory in (*collections, *documents_only)]
    without_queries = loaded[len(collections) :]
    language = _language(loaded)
    held_out = [text for collection in loaded for text in _test_queries(collection)]
    guard = LeakGuard([*held_out, *_held_out(hold_out)], SHINGLE_LENGTH if language == "zh" else LATIN_SHINGLE_LENGTH)
    of_articles = [collection for collection in loaded if any(map(is_article, collection.documents))]
    gathered = Gathered(language, LawTree.forest(*(collection.law for collection in of_articles)))
    total = sum(len(collection.documents) + len(collection.queries) for collection in loaded)
    done = 0
    for collection in loaded:
        counts = gathered.counts.setdefault(collection.name, Counter())
        questions = []
        for record in _records(collection):
            done += 1
            progress(done, total, "reading cases")
            if isinstance(record, str):
                counts[record] += 1
            elif isinstance(record, Document):
                _take(record, guard, gathered, counts)
            elif collection in without_queries:
                counts["left out: documents only"] += 1
            elif collection not in of_articles:
                _take(Document(record.id, {"fact": record.text}, charges=record.charges), guard, gathered, counts)
            elif guard.refuses(record.text):
                counts["refused: overlaps a held-out text"] += 1
            elif fingerprint(record.text) % _HOLDOUT_UNITS < question_holdout * _HOLDOUT_UNITS:
                counts["left out: question_holdout"] += 1
            else:
                counts["questions"] += 1
                questions.append(record)
        for article in articles_of(collection, questions):
            _take_article(article, gathered, counts)
    nothing = LeakGuard([])  # test queries quote the law, so an overlap with it is not a leak
    for path in statutes:
        counts = gathered.counts.setdefault(path.name, Counter())
        for document in _statute(path):
            _take(document, nothing, gathered, counts)
    return gathered


def _language(collections: Sequence[Collection]) -> str:
    by_language = {collection.language: collection.name for collection in collections}
    if len(by_language) > 1:
        listed = ", ".join(f"{name} is {language}" for language, name in sorted(by_language.items()))
        raise InputError(
            f"collections of several languages: {listed}",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="pretrain one base model per language",
        )
    return next(iter(by_language), "zh")


def _records(collection: Collection) -> Iterator[Document | Query | str]:
    """Yield documents other than articles, and training queries; for a refused record yield the reason."""
    barred = never_train_on(collection)
    own = {name for query in collection.queries for name in query.own_documents}
    for document in collection.documents:
        if document.id in barred:
            yield "refused: never_train_on"
        elif document.id in own:
            yield "refused: a query was drawn from it"
        elif not is_article(document):
            yield document
    for query in collection.queries:
        if query.split != "train":
            yield "refused: not a training query"
        elif query.id in barred:
            yield "refused: never_train_on"
        else:
            yield query


def _take(document: Document, guard: LeakGuard, gathered: Gathered, counts: Counter[str]) -> None:
    """Add a document as a case if it has facts, else as a text; person names are neutralised."""
    facts, reasoning = (document.sections.get(name, "").strip() for name in ("fact", "reasoning"))
    text = facts or document.text.strip()
    if len(text) < MIN_CHARACTERS:
        counts["skipped: no text" if not text else f"skipped: under {MIN_CHARACTERS} characters"] += 1
        return
    if any(guard.refuses(part) for part in (text, reasoning)):
        counts["refused: overlaps a held-out text"] += 1
        return
    masked = shipped_charges().masked
    neutral = neutral_document(document, gathered.language)
    if facts:
        kept = neutral.sections["fact"].strip()[:MAX_CHARACTERS]
        reasoning = neutral.sections["reasoning"].strip() if len(reasoning) >= MIN_CHARACTERS else ""
        seen = (nameless_fingerprint(document.sections["fact"]),)
        gathered.cases.append(Case(masked(kept), masked(reasoning), document.charges, seen=seen))
        counts["cases"] += 1
    else:
        gathered.texts.append(masked(neutral.text.strip()[:MAX_CHARACTERS]))
        counts["texts"] += 1


def _take_article(article: Article, gathered: Gathered, counts: Counter[str]) -> None:
    """Add an article with its titles, and once more for each of its questions.

    Articles are exempt from the leak check: they are the public targets of test questions.
    """
    text = article.text.strip()[:MAX_CHARACTERS]
    if not text:
        counts["skipped: no text"] += 1
        return
    counts["articles"] += 1
    own = (nameless_fingerprint(article.text),)
    titled = Case(text, article.titles, titles=article.titles, place=article.place, seen=own)
    gathered.cases.append(titled)
    for question in article.questions:
        neutral = neutralise(question, gathered.language).text
        seen = (*own, nameless_fingerprint(question))
        gathered.cases.append(replace(titled, reasoning=neutral, asked=True, seen=seen))


def _statute(path: Path) -> Iterator[Document]:
    """Yield the articles of a statute as texts, and the definitions of charges as cases."""
    law = read_statute(read_text(path), code=path.stem, title="")
    for node in law:
        if node.kind == "article":
            yield Document(node.id, {"text": node.text}, node=node.id)
        elif node.kind == "charge" and (name := shipped_charges().official(node.number)):
            yield Document(node.id, {"fact": node.text}, charges=(name,), node=node.id)


def _test_queries(collection: Collection) -> list[tuple[str, str]]:
    return [(f"{collection.name} {query.id}", query.text) for query in collection.queries if query.split != "train"]


def _held_out(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the texts of JSON lines and text files, and the test queries of collection directories."""
    for path in paths:
        if path.is_dir():
            yield from _test_queries(load_collection(path))
        elif path.suffix == ".txt":
            yield path.name, read_text(path)
        else:
            for line, row in read_jsonl(path):
                for value in row.values():
                    if isinstance(value, str) and len(value) >= MIN_CHARACTERS:
                        yield f"{path.name}:{line}", value
