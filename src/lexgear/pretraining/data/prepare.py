"""Preparation phase of pretraining: segment and tokenise the collections once and store arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.atomic import atomic_directory, check_output
from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, unreadable_file_error
from lexgear.law.shipped import chinese_criminal_law
from lexgear.lexical.words import segmenter
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.tokenizer import Tokens
from lexgear.model.vocabulary import prune_vocabulary
from lexgear.pretraining.charge_words import CHARGE_WORDS, ChargeWords
from lexgear.pretraining.data.gather import Case, Gathered, gather
from lexgear.pretraining.data.known_texts import NAMELESS
from lexgear.pretraining.data.neighbours import Facts
from lexgear.pretraining.data.prepared import ASKED, JUDGED, MARKER, TITLED, TOKENIZER, Prepared, read_description
from lexgear.pretraining.data.statutes import headings_of
from lexgear.pretraining.data.token_streams import Stream
from lexgear.pretraining.familiarity import familiar_rarity
from lexgear.pretraining.quantized_weights import write_weights
from lexgear.pretraining.settings import PREPARATION, STORED_NAMES, PretrainSettings
from lexgear.progress import Progress, silent

_BATCH_SIZE = 512
_HAN = re.compile("[\u4e00-\u9fff]")
_FILES = ("collection.json", "documents.jsonl", "queries.jsonl", "qrels.trec", "law.json", "exclude.json")


@dataclass(frozen=True, slots=True)
class Sources:
    """Data sources of a base model, and texts to exclude from it."""

    collections: Sequence[Path]
    """Collection directories."""
    statutes: Sequence[Path] = ()
    """Statute texts with 【captions】."""
    hold_out: Sequence[Path] = ()
    """Files and collections whose texts are excluded, in addition to the test queries of the collections."""
    documents_only: Sequence[Path] = ()
    """More collections, whose queries are not used."""

    def checksums(self) -> dict[str, str]:
        """Return the sha256 of every input file by name."""
        files = [(path.name, path) for path in self.statutes]
        for path in (*self.collections, *self.documents_only, *self.hold_out):
            if path.is_dir():
                files += [(f"{path.name}/{name}", path / name) for name in _FILES if (path / name).exists()]
            else:
                files.append((path.name, path))
        return {name: _checksum(path) for name, path in files}


def _checksum(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError as error:
        raise unreadable_file_error(path, error) from error
    return digest.hexdigest()


def prepare(sources: Sources, settings: PretrainSettings, out: Path, progress: Progress = silent) -> list[str]:
    """Write the arrays to `out` unless they exist already; return a report of accepted and refused records."""
    check_output(out, MARKER, *sources.collections, *sources.documents_only)
    row = settings.to_row()
    chosen = {name: row[name] for name in (STORED_NAMES.get(name, name) for name in PREPARATION)}
    checksums = sources.checksums()
    run = sha256(dumps([version("lexgear"), chosen, checksums]).encode()).hexdigest()
    if MARKER.exists_in(out) and (earlier := read_description(out)).get("run") == run:
        return list(earlier["report"])
    gathered = gather(
        sources.collections,
        sources.statutes,
        sources.hold_out,
        progress,
        question_holdout=settings.question_holdout,
        documents_only=sources.documents_only,
    )
    cases, kept_out = split(gathered.cases, settings)
    if not cases:
        raise InputError(
            "the collections contain no training case",
            code=ErrorCode.NOTHING_TO_LEARN,
            remedy="use collections with facts or statutory articles",
        )
    both = [*cases, *kept_out]
    ids, charges = assign_law_nodes(both, gathered, settings.max_headings)
    start = _pruned_checkpoint(both, gathered, settings, progress) if settings.start else None
    tokens = start[1] if start else _trained(both, gathered, settings, progress)
    titles = _encoded(tokens, [case.titles for case in both], settings.max_reasoning_length, progress)
    report = [*gathered.report(), f"{len(cases):,} training cases, {len(kept_out):,} held out for validation"]
    counts = {source: dict(counted) for source, counted in gathered.counts.items()}
    headings = {name: gathered.law[name].title for name in ids.names if name in gathered.law}
    about: dict[str, Any] = {"run": run, "settings": chosen, "sources": checksums, "counts": counts, "report": report}
    if start:
        about |= {"start": start[0].shape.to_row(), "frame": tokens.rows([""])[0]}
    progress(0, 1, "words of the charges")
    charge_words = _charge_words(cases, charges, ids, gathered.language)
    prepared = Prepared(
        facts=titles.beside(_encoded(tokens, [case.facts for case in both], settings.max_facts_length, progress)),
        reasoning=_encoded(tokens, [case.reasoning for case in both], settings.max_reasoning_length, progress),
        charges=charges,
        texts=_encoded(tokens, gathered.texts, settings.max_facts_length, progress),
        kinds=np.array([ASKED if case.asked else TITLED if case.is_article else JUDGED for case in both], np.uint8),
        titles=titles.lengths.astype(np.uint16),
        **_alike(cases, gathered.language, settings, progress),  # type: ignore[arg-type]
        seen=np.unique(np.array([text for case in cases for text in case.seen], dtype=np.uint64)),
        ids=ids,
        learnt=len(cases),
        words=tokens.size,
        about={**about, "titles": headings, "fingerprints": NAMELESS},
    )
    rarity = familiar_rarity(prepared, tokens, charge_words)
    prepared = replace(prepared, about={**prepared.about, "familiar_rarity": rarity})
    with atomic_directory(out, MARKER) as directory:
        tokens.save(directory / TOKENIZER)
        charge_words.save(directory / CHARGE_WORDS)
        prepared.save(directory)
        if start:
            weights = start[0].state_dict()
            write_weights(directory, {name: weights[name] for name in weights if not name.startswith("decoder.")})
    return report


def split(cases: Sequence[Case], settings: PretrainSettings) -> tuple[list[Case], list[Case]]:
    """Split off validation cases: judgments with charges, or without any, the articles of some questions."""
    judged = any(case.charges for case in cases)
    known_by = [_known_by(case, judged) for case in cases]
    able = [text for text in dict.fromkeys(known_by) if text]
    count = min(settings.validation_size, len(able) // 10)
    chosen = {able[place] for place in np.random.default_rng(settings.seed).permutation(len(able))[:count].tolist()}
    both: tuple[list[Case], list[Case]] = ([], [])
    for case, text in zip(cases, known_by, strict=True):
        both[text in chosen].append(case)
    return both


def _known_by(case: Case, judged: bool) -> str:
    """Return a key that identifies a case eligible for validation; empty if it is not eligible."""
    if judged:
        return case.facts if case.charges else ""
    return case.reasoning if case.asked else ""


def assign_law_nodes(cases: Sequence[Case], gathered: Gathered, max_headings: int) -> tuple[DocIds, Stream]:
    """Return the law and the law nodes of each case: the criminal law for Chinese, else the law of the articles."""
    if gathered.language == "zh":
        ids = law_ids(Collection("law", gathered.language, (), law=chinese_criminal_law()), whole_law=True)
        nodes = {ids.node_name(node).rsplit("/", 1)[-1]: node for node in range(1, ids.trie.node_count)}
        return ids, Stream.of(np.array([nodes[name] for name in case.charges if name in nodes]) for case in cases)
    places = list(dict.fromkeys(case.place for case in cases if case.place))
    headings = headings_of(gathered.law, places, max_headings)
    found = (headings.node(case.place) for case in cases)
    return headings.ids, Stream.of(np.array([] if node is None else [node]) for node in found)


def _trained(cases: Sequence[Case], gathered: Gathered, settings: PretrainSettings, progress: Progress) -> Tokens:
    """Return a tokenizer trained on the texts."""
    texts = _all_texts(cases, gathered, progress)
    return Tokens.train(texts, language=gathered.language, size=settings.vocab_size)


def _pruned_checkpoint(
    cases: Sequence[Case], gathered: Gathered, settings: PretrainSettings, progress: Progress
) -> tuple[Backbone, Tokens]:
    """Return the checkpoint to start from, with the tokens that the texts need and all characters of Chinese."""
    backbone, tokens = load_checkpoint(settings.start, settings.dropout, pooling=settings.pooling)
    frame = tokens.rows([""])[0]
    if backbone.shape.reader is None or len(frame) != 2:
        raise InputError(
            f"setting start: {settings.start} is not a checkpoint of the BERT family",
            code=ErrorCode.CHECKPOINT_INVALID,
            remedy="use a checkpoint whose texts begin with [CLS] and end with [SEP]",
        )
    chinese, texts = gathered.language == "zh", _all_texts(cases, gathered, progress)
    return prune_vocabulary(
        backbone, tokens, texts, lambda piece: chinese and _HAN.fullmatch(piece) is not None, settings.vocab_size
    )


def _all_texts(cases: Sequence[Case], gathered: Gathered, progress: Progress) -> Iterable[str]:
    """Yield every text once: facts, reasonings and questions, titles, statutes."""
    facts = dict.fromkeys(case.facts for case in cases)  # an article with many questions counts once
    asking = dict.fromkeys(case.reasoning for case in cases)
    every = [*facts, *asking, *gathered.texts]
    for done, text in enumerate(every, start=1):
        progress(done, len(every), "tokenizer")
        yield text


def _charge_words(cases: Sequence[Case], charges: Stream, ids: DocIds, language: str) -> ChargeWords:
    """Return the words of the judgments under each charge."""
    cut = segmenter(language)
    judged = [place for place, case in enumerate(cases) if not case.is_article]
    return ChargeWords.of(ids, ((cut(cases[place].facts), charges.row(place)) for place in judged))


def _encoded(tokens: Tokens, texts: Sequence[str], limit: int, progress: Progress) -> Stream:
    rows: list[NDArray[Any]] = []
    frame = tokens.rows([""])[0]
    for start in range(0, len(texts), _BATCH_SIZE):
        some = texts[start : start + _BATCH_SIZE]
        numbers, mask = tokens.encode(some, limit + len(frame))
        inside = slice(len(frame) // 2, -(len(frame) // 2) or None)
        rows += [row[seen][inside] if text else row[:0] for text, row, seen in zip(some, numbers, mask, strict=True)]
        progress(len(rows), len(texts), "tokens")
    return Stream.of(rows)


def _alike(
    cases: Sequence[Case], language: str, settings: PretrainSettings, progress: Progress
) -> dict[str, NDArray[Any]]:
    """Return the first case with the same facts, the nearest cases with scores, and the negatives of each case.

    Judgments are compared with judgments and articles with articles. Titles have no negatives: their words stand above
    all articles near by. The tasks of a model that starts from a checkpoint need no neighbours of articles.
    """
    cut = segmenter(language)
    known: dict[tuple[str, str], int] = {}
    first = np.array([known.setdefault((case.titles, case.facts), place) for place, case in enumerate(cases)])
    neighbours = np.full((len(cases), settings.neighbours), -1, dtype=np.int32)
    scores = np.zeros(neighbours.shape, dtype=np.float16)
    negatives = np.full((len(cases), settings.negatives), -1, dtype=np.int32)
    is_article = np.array([case.is_article for case in cases])
    for kind in (is_article, ~is_article):
        texts = np.flatnonzero(kind & (first == np.arange(len(cases))))
        if not len(texts):
            continue
        words = [cut(f"{cases[place].titles}\n{cases[place].facts}") for place in texts.tolist()]
        facts = Facts(words)
        everyone = np.flatnonzero(kind)
        if not (settings.start and kind is is_article):
            note = _with_note(progress, "neighbours")
            near, alike = facts.nearest(words, np.arange(len(texts)), settings.neighbours, note)
            rows = np.searchsorted(texts, first[everyone])
            neighbours[everyone], scores[everyone] = _named(near, texts)[rows], alike[rows]
        asking = np.array([place for place in everyone.tolist() if cases[place].asked or not is_article[place]])
        reasonings = [cut(cases[place].reasoning) for place in asking.tolist()]
        own = np.searchsorted(texts, first[asking])
        found, _ = facts.nearest(reasonings, own, settings.negatives, _with_note(progress, "negatives"))
        negatives[asking] = _named(found, texts)
    return {"first": first.astype(np.int32), "neighbours": neighbours, "scores": scores, "negatives": negatives}


def _named(found: NDArray[np.int32], cases: NDArray[Any]) -> NDArray[np.int32]:
    """Map positions within some cases to positions within all cases."""
    return np.where(found >= 0, cases[found], -1).astype(np.int32)


def _with_note(progress: Progress, note: str) -> Progress:
    def report(done: int, total: int | None, note: str = note) -> None:
        progress(done, total, note)

    return report
