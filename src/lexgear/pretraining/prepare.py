"""The first phase: from collections to the arrays that learning reads. Segments and tokenises once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.errors import InputError
from lexgear.files import dumps, unreadable
from lexgear.law.shipped import chinese_criminal_law
from lexgear.lexical.words import segmenter
from lexgear.model.tokens import Tokens
from lexgear.pretraining.gather import Case, gather
from lexgear.pretraining.neighbours import Facts
from lexgear.pretraining.prepared import MARK, TOKENIZER, Prepared, described
from lexgear.pretraining.settings import PREPARED, PretrainSettings
from lexgear.pretraining.streams import Stream
from lexgear.progress import Progress, silent
from lexgear.whole import check_out, whole_directory

LANGUAGE = "zh"
_AT_ONCE = 512
_FILES = ("collection.json", "documents.jsonl", "queries.jsonl", "exclude.json")


@dataclass(frozen=True, slots=True)
class Sources:
    """What a base model is made of, and what must stay out of it."""

    collections: Sequence[Path]
    """Directories as `lexgear import` writes them."""
    statutes: Sequence[Path] = ()
    """Texts of laws with 【captions】."""
    hold_out: Sequence[Path] = ()
    """Files and collections with texts that are never learnt from, beside the test queries of the collections."""

    def checksums(self) -> dict[str, str]:
        """sha256 of every file that is read, by its name."""
        files = [(path.name, path) for path in self.statutes]
        for path in (*self.collections, *self.hold_out):
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
        raise unreadable(path, error) from error
    return digest.hexdigest()


def prepare(sources: Sources, settings: PretrainSettings, out: Path, progress: Progress = silent) -> list[str]:
    """Writes the arrays to the directory `out` unless they are there already; returns what was taken and refused."""
    check_out(out, MARK, *sources.collections)
    chosen = {name: getattr(settings, name) for name in PREPARED}
    checksums = sources.checksums()
    run = sha256(dumps([version("lexgear"), chosen, checksums]).encode()).hexdigest()
    if MARK.stands_in(out) and (about := described(out)).get("run") == run:
        return list(about["report"])
    gathered = gather(sources.collections, sources.statutes, sources.hold_out, progress)
    ids = law_ids(Collection("law", LANGUAGE, (), law=chinese_criminal_law()), whole_law=True)
    cases, kept_out = _split(gathered.cases, settings)
    if not cases:
        raise InputError("no case to learn from", remedy="name collections with facts")
    tokens = _trained([*cases, *kept_out], gathered.texts, settings, progress)
    neighbours, scores, negatives = _alike(cases, settings, progress)
    report = [*gathered.report(), f"{len(cases):,} cases to learn from, {len(kept_out):,} kept out to measure on"]
    counts = {source: dict(counted) for source, counted in gathered.counts.items()}
    both = [*cases, *kept_out]
    prepared = Prepared(
        facts=_encoded(tokens, [case.facts for case in both], settings.kept, progress),
        reasoning=_encoded(tokens, [case.reasoning for case in both], settings.reasoning, progress),
        charges=_charges(both, ids),
        texts=_encoded(tokens, gathered.texts, settings.kept, progress),
        neighbours=neighbours,
        scores=scores,
        negatives=negatives,
        ids=ids,
        learnt=len(cases),
        words=tokens.size,
        about={"run": run, "settings": chosen, "sources": checksums, "counts": counts, "report": report},
    )
    with whole_directory(out, MARK) as directory:
        tokens.save(directory / TOKENIZER)
        prepared.save(directory)
    return report


def _split(cases: Sequence[Case], settings: PretrainSettings) -> tuple[list[Case], list[Case]]:
    """Cases to learn from, and those kept out: judgments with a charge and a reasoning where there are any."""
    whole = [place for place, case in enumerate(cases) if case.charges]
    count = min(settings.validation, len(whole) // 10)
    chosen = set(np.random.default_rng(settings.seed).permutation(whole)[:count].tolist())
    return (
        [case for place, case in enumerate(cases) if place not in chosen],
        [cases[place] for place in sorted(chosen)],
    )


def _trained(cases: Sequence[Case], texts: Sequence[str], settings: PretrainSettings, progress: Progress) -> Tokens:
    every = [*(case.facts for case in cases), *(case.reasoning for case in cases), *texts]

    def watched() -> Iterable[str]:
        for done, text in enumerate(every, start=1):
            progress(done, len(every), "tokenizer")
            yield text

    return Tokens.train(watched(), language=LANGUAGE, size=settings.vocabulary)


def _encoded(tokens: Tokens, texts: Sequence[str], limit: int, progress: Progress) -> Stream:
    rows: list[NDArray[Any]] = []
    for start in range(0, len(texts), _AT_ONCE):
        some = texts[start : start + _AT_ONCE]
        numbers, mask = tokens.encode(some, limit)
        rows += [row[seen] if text else row[:0] for text, row, seen in zip(some, numbers, mask, strict=True)]
        progress(len(rows), len(texts), "tokens")
    return Stream.of(rows)


def _charges(cases: Sequence[Case], ids: DocIds) -> Stream:
    nodes = {ids.node_name(node).rsplit("/", 1)[-1]: node for node in range(1, ids.trie.node_count)}
    return Stream.of(np.array([nodes[name] for name in case.charges if name in nodes]) for case in cases)


def _alike(cases: Sequence[Case], settings: PretrainSettings, progress: Progress) -> tuple[NDArray[Any], ...]:
    """The nearest cases by facts, their scores, and the cases that each reasoning finds first."""
    cut = segmenter(LANGUAGE)
    facts, reasoning = [cut(case.facts) for case in cases], [cut(case.reasoning) for case in cases]
    known = Facts(facts)
    neighbours, scores = known.nearest(facts, settings.neighbours, _noted(progress, "neighbours"))
    negatives, _ = known.nearest(reasoning, settings.negatives, _noted(progress, "negatives"))
    return neighbours, scores, negatives


def _noted(progress: Progress, note: str) -> Progress:
    def told(done: int, total: int | None, note: str = note) -> None:
        progress(done, total, note)

    return told
