"""Segmented texts: tokens, their word numbers and sentences, as arrays over several texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.rationale.charge_corpus import ChargeCorpus, Numbers, Scores
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.passages import stating_sentences
from lexgear.rationale.sentences import sentence_ends
from lexgear.rationale.tokens import SEPARATOR, tokens

_SURROGATE = re.compile("[\ud800-\udfff]")  # lone surrogates, which UTF-8 cannot encode


@dataclass(frozen=True, slots=True)
class SegmentedTexts:
    """Tokens and sentences of some texts, in order.

    Sentences without words are left out, as are those that state no facts if only those that do are wanted.
    """

    joined: str
    """Texts with separators between them; lone surrogates are replaced one for one to keep positions."""
    offsets: Numbers
    """Start of each text in `joined`."""
    starts: Numbers
    """Start of each token in `joined`."""
    ends: Numbers
    words: Numbers
    """Word number of each token in the corpus, 0 if it is not in it or in a sentence that is left out."""
    spans: Numbers
    """Start (first row) and end (second row) of each sentence in `joined`."""
    text_of: Numbers
    """Text of each sentence."""
    first_tokens: Numbers
    """First token of each sentence."""
    lengths: Numbers
    """Number of words of each sentence."""

    def sums(self, weights: Scores) -> Scores:
        """Return the sum of the weights of each sentence's words; the weight of word 0 has to be 0."""
        return np.add.reduceat(weights[self.words], self.first_tokens) if len(self.lengths) else np.zeros(0)

    def words_of(self, sentences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the word numbers of the tokens of these sentences, and before them the place of each one's sentence
        among these."""
        starts, after = self.first_tokens[sentences], np.append(self.first_tokens, len(self.words))[sentences + 1]
        counts = after - starts
        rows = np.repeat(np.arange(len(sentences)), counts)
        return rows, self.words[np.arange(len(rows)) + np.repeat(starts - (np.cumsum(counts) - counts), counts)]

    def pieces(self, starts: Numbers, ends: Numbers) -> list[str]:
        """Return the text of each span."""
        return [self.joined[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def trimmed(self, sentences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the spans of these sentences without surrounding white space."""
        starts, ends = self.spans[:, sentences]
        pieces = self.pieces(starts, ends)
        leading = [len(piece) - len(piece.lstrip()) for piece in pieces]
        trailing = [len(piece) - len(piece.rstrip()) for piece in pieces]
        return starts + np.array(leading, np.int64), ends - np.array(trailing, np.int64)


def segment_texts(
    texts: Sequence[str], lexicon: Lexicon, corpus: ChargeCorpus, *, stating: bool = False
) -> SegmentedTexts:
    """Segment some texts against the same corpus; `stating` leaves out the sentences that state no facts."""
    language = lexicon.language
    joined = SEPARATOR.join(texts)
    try:
        cut = tokens(joined, language)
    except UnicodeEncodeError:
        joined = _SURROGATE.sub("\ufffd", joined)
        cut = tokens(joined, language)
    words = corpus.numbers[lexicon.table.numbers(cut.keys)]
    text_ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    offsets = np.concatenate(([0], text_ends[:-1] + 1))

    places = np.concatenate(([0], sentence_ends(joined, language)))
    bounds = np.searchsorted(cut.starts, places)  # first token of each sentence, and the number of tokens
    filled = np.flatnonzero(bounds[:-1] < bounds[1:])
    lengths = np.add.reduceat(cut.is_word, bounds[filled], dtype=np.int64) if len(filled) else filled
    spoken, lengths = filled[lengths > 0], lengths[lengths > 0]
    text_of = np.searchsorted(offsets, places[spoken], side="right") - 1
    spans = np.stack((places[spoken], np.minimum(places[spoken + 1], text_ends[text_of])))  # without the separator
    if stating and language == "zh" and len(spoken):
        states = stating_sentences(texts, spans, text_of)
        if not states.all():
            starts = bounds[spoken]
            words[starts[0] :][np.repeat(~states, np.diff(starts, append=len(words)))] = 0
            spoken, lengths, text_of, spans = spoken[states], lengths[states], text_of[states], spans[:, states]
    return SegmentedTexts(joined, offsets, cut.starts, cut.ends, words, spans, text_of, bounds[spoken], lengths)
