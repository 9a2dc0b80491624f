"""Rationale extraction (f_R): words and sentences that indicate a charge, by the paper's two equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise, repeat

import numpy as np

from lexgear.progress import Progress, silent
from lexgear.rationale.charge_corpus import ChargeCorpus, Numbers, Scores
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.prototypes import Encoder, Prototypes
from lexgear.rationale.records import Part, Rationale, RationaleSettings
from lexgear.rationale.segmented_texts import SegmentedTexts, segment_texts
from lexgear.rationale.tokens import Integers

_TEXTS, _CHARACTERS = 64, 120_000
"""Batch limits in texts and characters: long arrays are fast (40,000 characters take a fifth longer, 400,000 a tenth),
and embeddings are computed in batches."""
_ROUNDING = 1e-6
"""Tolerance by which a cosine of 32-bit vectors may exceed 1."""
_new_part: Callable[[Iterable[object]], Part] = partial(tuple.__new__, Part)
"""Constructor of `Part` without overhead: Part(…) takes 1.7 times as long, and a text of 600 characters has 45
parts."""


class Extractor:
    """Rationale extractor.

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
        """Return the rationale of an undecided case, scored against all charges, so that no label is used."""
        return self.many([text])[0]

    def document(self, text: str, charges: Sequence[str]) -> Rationale:
        """Return the rationale of a decided case, scored against its own charges; without charges, like a query."""
        return self.many([text], [charges])[0]

    def many(
        self, texts: Sequence[str], charges: Sequence[Sequence[str]] | None = None, progress: Progress = silent
    ) -> list[Rationale]:
        """Return the rationales of queries or, given charges, of documents; texts with the same charges share a
        batch."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, names in enumerate(charges or [()] * len(texts)):
            groups.setdefault(tuple(names), []).append(place)
        found: dict[int, Rationale] = {}
        for names, places in groups.items():
            corpus = self._corpus(names)
            for some in _batches(places, texts):
                read = [texts[place] for place in some]
                segmented = segment_texts(read, self.lexicon, corpus, stating=self.settings.passages == "stated")
                found.update(zip(some, self._rationales(segmented, corpus), strict=True))
                progress(len(found), len(texts))
        return [found[place] for place in range(len(texts))]

    def _new_corpus(self, charges: tuple[str, ...]) -> ChargeCorpus:
        return self.lexicon.corpus(charges, self.settings.lambda1, self.settings.lambda2)

    def _rationales(self, segmented: SegmentedTexts, corpus: ChargeCorpus) -> Iterator[Rationale]:
        words, sentences = self._words(segmented, corpus), self._sentences(segmented, corpus)
        for first, second, chosen in zip(*words, sentences, strict=True):
            yield Rationale((*first, *second), tuple(chosen))

    def _words(self, segmented: SegmentedTexts, corpus: ChargeCorpus) -> tuple[list[list[Part]], list[list[Part]]]:
        """Return the top-k_i words of B_i by tf(w, doc) for each text and both i; ties go to the first occurrence."""
        hits = np.flatnonzero(segmented.words > 0)  # of integers it takes five times as long
        firsts = np.searchsorted(segmented.starts[hits], segmented.offsets)
        texts = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(hits)))
        words = segmented.words[hits].astype(np.min_scalar_type(len(corpus.weights)))
        first, counts = _first_and_count(texts, words)
        tokens, texts = hits[first], texts[first]
        words = segmented.words[tokens]
        # Text, frequency and position are packed into one number, so that one sort suffices.
        size = len(hits) + 1
        order = np.argsort((texts * size + size - counts) * size + first)

        def top(level: int, kind: str, k: int) -> list[list[Part]]:
            listed = order[corpus.tf[level, words[order]] > 0]
            best = listed[_ranks(texts[listed]) < k]
            charges = corpus.names(corpus.charge_of_word[level, words[best]])
            spans = segmented.starts[tokens[best]], segmented.ends[tokens[best]]
            return _parts(kind, segmented, texts[best], spans, counts[best].astype(float), charges)

        return top(0, "word1", self.settings.k1), top(1, "word2", self.settings.k2)

    def _sentences(self, segmented: SegmentedTexts, corpus: ChargeCorpus) -> list[list[Part]]:
        """Return the top-k3 sentences of each text by score; ties go to the first.

        A sentence that is selected whatever its cosine is not embedded and keeps the score of its words.
        """
        scores = segmented.sums(corpus.weights) / segmented.lengths
        nearest = np.full(len(scores), -1)
        ranking = scores
        if self.prototypes is not None:
            ranking, undecided = self._standing(segmented, scores)
            cosines = self.prototypes.cosines(segmented.pieces(*segmented.trimmed(undecided)), corpus.charges)
            scores[undecided] += self.settings.lambda3 * cosines.max(axis=1)
            ranking[undecided] = scores[undecided]
            nearest[undecided] = cosines.argmax(axis=1)
        order = _by_text(np.argsort(-ranking, kind="stable"), segmented.text_of)
        best = np.sort(order[_ranks(segmented.text_of[order]) < self.settings.k3])
        if self.settings.order == "score":
            best = best[np.lexsort((-scores[best], segmented.text_of[best]))]
        spans, charges = segmented.trimmed(best), _supported_charges(segmented, corpus, best)
        charges = np.where(charges < 0, nearest[best], charges)
        return _parts("sentence", segmented, segmented.text_of[best], spans, scores[best], corpus.names(charges))

    def _standing(self, segmented: SegmentedTexts, scores: Scores) -> tuple[Scores, Numbers]:
        """Return ∞ for sentences in the top k3 for any cosine within ±λ3 and -∞ for those out, and the undecided
        ones."""
        texts, k3 = segmented.text_of, self.settings.k3
        last_in, first_out = np.full(len(segmented.offsets), np.inf), np.full(len(segmented.offsets), -np.inf)
        order = np.lexsort((-scores, texts))
        ranks = _ranks(texts[order])
        for standing, rank in ((last_in, k3 - 1), (first_out, k3)):
            there = order[ranks == rank]
            standing[texts[there]] = scores[there]
        reach = 2 * self.settings.lambda3 + _ROUNDING
        is_in, is_out = scores > first_out[texts] + reach, scores < last_in[texts] - reach
        return np.where(is_in, np.inf, -np.inf), np.flatnonzero(~is_in & ~is_out)


def _batches(places: Sequence[int], texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield texts to process together, in order; a text above the limit forms its own batch."""
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


def _supported_charges(segmented: SegmentedTexts, corpus: ChargeCorpus, sentences: Numbers) -> Numbers:
    """Return the charge that the words of each of these sentences support most (the first on ties); -1 for none."""
    rows, words = segmented.words_of(sentences)
    rows, words = rows[words > 0], words[words > 0]
    keys = np.sort(rows * len(corpus.weights) + words)
    keys = keys[np.diff(keys, prepend=-1) > 0]  # each word of a sentence counts once
    evidence = corpus.evidence(*np.divmod(keys, len(corpus.weights)), len(sentences))
    return np.where(evidence.max(axis=1, initial=0) > 0, evidence.argmax(axis=1) if evidence.size else -1, -1)


def _first_and_count(texts: Numbers, words: Integers) -> tuple[Numbers, Numbers]:
    """Return the position of the first occurrence of each word in each text, and its count there."""
    order = _by_text(np.argsort(words, kind="stable"), texts)
    texts, words = texts[order], words[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (words[1:] != words[:-1]) | (texts[1:] != texts[:-1])
    begins = np.append(is_first.nonzero()[0], len(order))
    return order[begins[:-1]], np.diff(begins)


def _by_text(order: Numbers, texts: Numbers) -> Numbers:
    """Return positions sorted by text, and in the given order within each text.

    A stable sort of 16 bits is a radix sort; two of them take a third of the time of one sort of 64 bits.
    """
    return order[np.argsort(texts[order].astype(np.uint16), kind="stable")]


def _ranks(groups: Numbers) -> Numbers:
    """Return the rank of each member within its group; members are sorted by group."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def _parts(
    kind: str,
    segmented: SegmentedTexts,
    texts: Numbers,
    spans: tuple[Numbers, Numbers],
    scores: Scores,
    charges: list[str],
) -> list[list[Part]]:
    """Group parts by text; `texts` gives the text of each part, ascending."""
    places = ((spots - segmented.offsets[texts]).tolist() for spots in spans)
    parts = list(map(_new_part, zip(repeat(kind), segmented.pieces(*spans), *places, scores.tolist(), charges)))
    bounds = np.searchsorted(texts, np.arange(len(segmented.offsets) + 1)).tolist()
    return [parts[begin:end] for begin, end in pairwise(bounds)]
