"""f_R: the words and the sentences of a text that speak for a charge, by the paper's two equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise, repeat

import numpy as np

from lexgear.progress import Progress, silent
from lexgear.rationale.charge_corpus import Corpus, Numbers, Scores
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.prototypes import Encoder, Prototypes
from lexgear.rationale.records import Part, Rationale, RationaleSettings
from lexgear.rationale.segmented_texts import Reading, read

_TEXTS, _CHARACTERS = 64, 40_000
"""How much is read together, at most: arrays are fast when long, and embeddings are made in batches."""
_ROUNDING = 1e-6
"""By how much a cosine of 32-bit vectors may pass 1."""
_new_part: Callable[[Iterable[object]], Part] = partial(tuple.__new__, Part)
"""Part(…) takes 1.7 times as long, and a text of 600 characters has 45 parts."""


class Extractor:
    """Picks the rationale of a text.

    >>> lexicon = Lexicon.from_charges({"盗窃罪": "窃取公私财物", "抢劫罪": "以暴力抢劫公私财物"}, "zh")
    >>> Extractor(lexicon).query("甲翻窗入户盗窃。").text()
    '盗窃 甲翻窗入户盗窃。'
    """

    def __init__(
        self, lexicon: Lexicon, settings: RationaleSettings | None = None, encoder: Encoder | None = None
    ) -> None:
        self.lexicon, self.settings = lexicon, settings or RationaleSettings()
        self.prototypes = Prototypes.of(lexicon, encoder) if encoder and lexicon.rows else None
        self._corpus = lru_cache(maxsize=256)(self._new_corpus)

    def query(self, text: str) -> Rationale:
        """The rationale of an undecided case: measured against all charges, so that no label can reach it."""
        return self.many([text])[0]

    def document(self, text: str, charges: Sequence[str]) -> Rationale:
        """The rationale of a decided case: measured against its own charges; without any, like a query."""
        return self.many([text], [charges])[0]

    def many(
        self, texts: Sequence[str], charges: Sequence[Sequence[str]] | None = None, progress: Progress = silent
    ) -> list[Rationale]:
        """The rationales of queries or, given the charges of each, of documents; those of the same charges together."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, names in enumerate(charges or [()] * len(texts)):
            groups.setdefault(tuple(names), []).append(place)
        found: dict[int, Rationale] = {}
        for names, places in groups.items():
            corpus = self._corpus(names)
            for some in _batches(places, texts):
                reading = read([texts[place] for place in some], self.lexicon, corpus)
                found.update(zip(some, self._rationales(reading, corpus), strict=True))
                progress(len(found), len(texts))
        return [found[place] for place in range(len(texts))]

    def _new_corpus(self, charges: tuple[str, ...]) -> Corpus:
        return self.lexicon.corpus(charges, self.settings.lambda1, self.settings.lambda2)

    def _rationales(self, reading: Reading, corpus: Corpus) -> Iterator[Rationale]:
        words, sentences = self._words(reading, corpus), self._sentences(reading, corpus)
        for first, second, chosen in zip(*words, sentences, strict=True):
            yield Rationale((*first, *second), tuple(chosen))

    def _words(self, reading: Reading, corpus: Corpus) -> tuple[list[list[Part]], list[list[Part]]]:
        """Of each text, top-k_i of the words of B_i by tf(w, doc), for both i; of equals, the one that occurs first."""
        hits = np.flatnonzero(reading.words)
        texts = np.searchsorted(reading.offsets, reading.starts[hits], side="right") - 1
        first, counts = _first_and_count(texts * len(corpus.weights) + reading.words[hits])
        tokens, texts = hits[first], texts[first]
        words = reading.words[tokens]
        # Text, then frequency, then place, packed into one number, so that one sort does.
        size = len(hits) + 1
        order = np.argsort((texts * size + size - counts) * size + first)

        def top(level: int, kind: str, k: int) -> list[list[Part]]:
            listed = order[corpus.tf[level, words[order]] > 0]
            best = listed[_ranks(texts[listed]) < k]
            charges = corpus.names(corpus.speaks_for[level, words[best]])
            spans = reading.starts[tokens[best]], reading.ends[tokens[best]]
            return _parts(kind, reading, texts[best], spans, counts[best].astype(float), charges)

        return top(0, "word1", self.settings.k1), top(1, "word2", self.settings.k2)

    def _sentences(self, reading: Reading, corpus: Corpus) -> list[list[Part]]:
        """Of each text, top-k3 of the sentences by their score; of equals, the first.

        A sentence that is in whatever its cosine is not embedded, and keeps the score of its words.
        """
        scores = reading.sums(corpus.weights) / reading.lengths
        charges, strength = _strongest_words(reading, corpus)
        ranking = scores
        if self.prototypes is not None:
            ranking, undecided = self._standing(reading, scores)
            cosines = self.prototypes.cosines(reading.pieces(*reading.trimmed(undecided)), corpus.charges)
            scores[undecided] += self.settings.lambda3 * cosines.max(axis=1)
            ranking[undecided] = scores[undecided]
            nearer = self.settings.lambda3 * cosines.max(axis=1) > strength[undecided]
            charges[undecided[nearer]] = cosines.argmax(axis=1)[nearer]
        order = np.lexsort((-ranking, reading.text_of))
        best = np.sort(order[_ranks(reading.text_of[order]) < self.settings.k3])
        if self.settings.order == "score":
            best = best[np.lexsort((-scores[best], reading.text_of[best]))]
        spans = reading.trimmed(best)
        return _parts("sentence", reading, reading.text_of[best], spans, scores[best], corpus.names(charges[best]))

    def _standing(self, reading: Reading, scores: Scores) -> tuple[Scores, Numbers]:
        """∞ for a sentence that is among the best k3 whatever its cosine, within ±λ3, -∞ if out; and the others."""
        texts, k3 = reading.text_of, self.settings.k3
        last_in, first_out = np.full(len(reading.offsets), np.inf), np.full(len(reading.offsets), -np.inf)
        order = np.lexsort((-scores, texts))
        ranks = _ranks(texts[order])
        for standing, rank in ((last_in, k3 - 1), (first_out, k3)):
            there = order[ranks == rank]
            standing[texts[there]] = scores[there]
        reach = 2 * self.settings.lambda3 + _ROUNDING
        is_in, is_out = scores > first_out[texts] + reach, scores < last_in[texts] - reach
        return np.where(is_in, np.inf, -np.inf), np.flatnonzero(~is_in & ~is_out)


def _batches(places: Sequence[int], texts: Sequence[str]) -> Iterator[list[int]]:
    """Texts to read together, in order; a text longer than the limit stands alone."""
    batch: list[int] = []
    characters = 0
    for place in places:
        if batch and (len(batch) == _TEXTS or characters + len(texts[place]) > _CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(place)
        characters += len(texts[place])
    if batch:
        yield batch


def _strongest_words(reading: Reading, corpus: Corpus) -> tuple[Numbers, Scores]:
    """Of each sentence, the charge its most telling word speaks for (of equals the first), and how much it tells."""
    charges, strongest = np.full(len(reading.lengths), -1), np.zeros(len(reading.lengths))
    hits = np.flatnonzero(reading.words)
    sentences = np.searchsorted(reading.first_tokens, hits, side="right") - 1
    words = reading.words[hits]
    np.maximum.at(strongest, sentences, corpus.strength[words])
    top = np.flatnonzero(corpus.strength[words] == strongest[sentences])[::-1]
    charges[sentences[top]] = corpus.tells[words[top]]  # from the last to the first: of several, the last stays
    return charges, strongest


def _first_and_count(keys: Numbers) -> tuple[Numbers, Numbers]:
    """The places where each key first occurs, and how often it does."""
    size = max(len(keys), 1)
    packed = np.sort(keys * size + np.arange(len(keys)))  # key and place in one number
    keys = packed // size
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = keys[1:] > keys[:-1]
    begins = np.append(is_first.nonzero()[0], len(keys))
    return packed[begins[:-1]] % size, begins[1:] - begins[:-1]


def _ranks(groups: Numbers) -> Numbers:
    """Of members sorted by group, each one's rank within its group."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def _parts(
    kind: str, reading: Reading, texts: Numbers, spans: tuple[Numbers, Numbers], scores: Scores, charges: list[str]
) -> list[list[Part]]:
    """The parts of each text; `texts` says which text each part belongs to, in order."""
    places = ((spots - reading.offsets[texts]).tolist() for spots in spans)
    parts = list(map(_new_part, zip(repeat(kind), reading.pieces(*spans), *places, scores.tolist(), charges)))
    bounds = np.searchsorted(texts, np.arange(len(reading.offsets) + 1)).tolist()
    return [parts[begin:end] for begin, end in pairwise(bounds)]
