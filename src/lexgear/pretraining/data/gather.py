"""What may be learnt from: the cases and texts of collections, charge names masked, test queries and leaks left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.store import load_collection
from lexgear.errors import InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.charges import shipped_charges
from lexgear.law.statutes import read_statute
from lexgear.law.tree import LawTree
from lexgear.pretraining.data.leak_guard import LATIN_LENGTH, LENGTH, LeakGuard, fingerprint
from lexgear.pretraining.data.statutes import Article, articles_of, is_article
from lexgear.progress import Progress, silent
from lexgear.training.query_split import never_train_on

SHORTEST = 20
"""Characters of a text that says anything."""
LONGEST = 3000
"""Characters of the facts that are learnt from: what comes after repeats the evidence."""
TAKEN = ("cases", "articles", "questions", "texts")
"""Kinds of records that are learnt from, as they are counted."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text to be found and what asks for it: facts and the court's reasoning, or an article and a question.

    No charge is named in the texts of judgments.
    """

    facts: str
    reasoning: str = ""
    """Empty where there is none."""
    charges: tuple[str, ...] = ()
    titles: str = ""
    """Of what stands above an article: they are read before its text."""
    place: str = ""
    """The law node right above an article."""
    asked: bool = False
    """Whether `reasoning` is a question that the article answers."""
    seen: tuple[int, ...] = ()
    """Fingerprints of the texts that it was made of."""

    @property
    def is_article(self) -> bool:
        """Whether it stands in the law itself."""
        return bool(self.place)


@dataclass
class Gathered:
    """Cases, and texts that are no cases; and for each source how many records were taken, or refused and why."""

    language: str = "zh"
    law: LawTree = field(default_factory=LawTree)
    """The laws of all collections of articles."""
    cases: list[Case] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def report(self) -> list[str]:
        """A line a source.

        >>> str(Gathered(counts={"lecard": Counter({"cases": 9000, "refused: never_train_on": 26})}).report()[0])
        'lecard: 9,000 cases; refused: never_train_on 26'
        """
        lines = []
        for source, counts in self.counts.items():
            taken = [f"{counts[kind]:,} {kind}" for kind in TAKEN if counts[kind]]
            left = [f"{kind} {count:,}" for kind, count in sorted(counts.items()) if kind not in TAKEN]
            lines.append(f"{source}: {'; '.join([', '.join(taken) or 'nothing', *left])}")
        return lines


def gather(
    collections: Sequence[Path], statutes: Sequence[Path], hold_out: Sequence[Path], progress: Progress = silent
) -> Gathered:
    """Reads collection directories and statutes; texts in `hold_out` are kept from learning as test queries are."""
    loaded = [load_collection(directory) for directory in collections]
    language = _language(loaded)
    held_out = [text for collection in loaded for text in _test_queries(collection)]
    guard = LeakGuard([*held_out, *_held_out(hold_out)], LENGTH if language == "zh" else LATIN_LENGTH)
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
            elif collection not in of_articles:
                _take(Document(record.id, {"fact": record.text}, charges=record.charges), guard, gathered, counts)
            elif guard.refuses(record.text):
                counts["refused: overlaps a held-out text"] += 1
            else:
                counts["questions"] += 1
                questions.append(record)
        for article in articles_of(collection, questions):
            _take_article(article, gathered, counts)
    nothing = LeakGuard([])  # test queries quote the law, which gives away none of them
    for path in statutes:
        counts = gathered.counts.setdefault(path.name, Counter())
        for document in _statute(path):
            _take(document, nothing, gathered, counts)
    return gathered


def _language(collections: Sequence[Collection]) -> str:
    by_language = {collection.language: collection.name for collection in collections}
    if len(by_language) > 1:
        said = ", ".join(f"{name} is {language}" for language, name in sorted(by_language.items()))
        raise InputError(f"collections of several languages: {said}", remedy="make a base model for each language")
    return next(iter(by_language), "zh")


def _records(collection: Collection) -> Iterator[Document | Query | str]:
    """Documents but articles, and training queries; in place of a refused one the reason."""
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
    """Adds a document as a case where it has facts, as a text where it has other text."""
    facts, reasoning = (document.sections.get(name, "").strip() for name in ("fact", "reasoning"))
    text = facts or document.text.strip()
    masked = shipped_charges().masked
    if len(text) < SHORTEST:
        counts["skipped: no text" if not text else f"skipped: under {SHORTEST} characters"] += 1
    elif any(guard.refuses(part) for part in (text, reasoning)):
        counts["refused: overlaps a held-out text"] += 1
    elif facts:
        said = masked(reasoning) if len(reasoning) >= SHORTEST else ""
        seen = (fingerprint(document.sections["fact"]),)
        gathered.cases.append(Case(masked(facts[:LONGEST]), said, document.charges, seen=seen))
        counts["cases"] += 1
    else:
        gathered.texts.append(masked(text[:LONGEST]))
        counts["texts"] += 1


def _take_article(article: Article, gathered: Gathered, counts: Counter[str]) -> None:
    """Adds an article that its titles ask for, and again for each of its questions.

    The guard does not look at it: an article is what test questions ask for, and the same to all.
    """
    text = article.text.strip()[:LONGEST]
    if not text:
        counts["skipped: no text"] += 1
        return
    counts["articles"] += 1
    own = (fingerprint(article.text),)
    titled = Case(text, article.titles, titles=article.titles, place=article.place, seen=own)
    gathered.cases.append(titled)
    for question in article.questions:
        gathered.cases.append(replace(titled, reasoning=question, asked=True, seen=(*own, fingerprint(question))))


def _statute(path: Path) -> Iterator[Document]:
    """The articles of a statute as texts; the definition of a charge as a case in the abstract."""
    law = read_statute(read_text(path), code=path.stem, title="")
    for node in law:
        if node.kind == "article":
            yield Document(node.id, {"text": node.text})
        elif node.kind == "charge" and (name := shipped_charges().official(node.number)):
            yield Document(node.id, {"fact": node.text}, charges=(name,))


def _test_queries(collection: Collection) -> list[tuple[str, str]]:
    return [(f"{collection.name} {query.id}", query.text) for query in collection.queries if query.split != "train"]


def _held_out(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Every text of every line of JSON lines files, and the test queries of collection directories."""
    for path in paths:
        if path.is_dir():
            yield from _test_queries(load_collection(path))
        elif path.suffix == ".txt":
            yield path.name, read_text(path)
        else:
            for line, row in read_jsonl(path):
                for value in row.values():
                    if isinstance(value, str) and len(value) >= SHORTEST:
                        yield f"{path.name}:{line}", value
