"""Texts read together, once: cut into words, the words looked up, the sentences told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.rationale.charge_corpus import Corpus, Numbers, Scores
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.sentences import SEPARATOR, sentence_ends
from lexgear.rationale.tokens import tokens

_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which UTF-8 cannot hold


@dataclass(frozen=True, slots=True)
class Reading:
    """Tokens and sentences of some texts as arrays, text after text; sentences without a word are left out."""

    joined: str
    """The texts, with a separator between them; lone surrogates replaced one for one, so that places stay."""
    offsets: Numbers
    """Of each text, where it starts in `joined`."""
    starts: Numbers
    """Of each token, where it starts in `joined`."""
    ends: Numbers
    words: Numbers
    """Of each token, the number of its word in the corpus, 0 where it is not in it."""
    spans: Numbers
    """Of each sentence, where it starts (first row) and ends (second row) in `joined`."""
    text_of: Numbers
    """Of each sentence, its text."""
    first_tokens: Numbers
    """Of each sentence."""
    lengths: Numbers
    """Of each sentence, in words."""

    def sums(self, weights: Scores) -> Scores:
        """Of each sentence, the sum of the weights of its words; those outside the corpus have to weigh nothing."""
        return np.add.reduceat(weights[self.words], self.first_tokens) if len(self.lengths) else np.zeros(0)

    def pieces(self, starts: Numbers, ends: Numbers) -> list[str]:
        """The text from each start to its end."""
        return [self.joined[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def trimmed(self, sentences: Numbers) -> tuple[Numbers, Numbers]:
        """Where these sentences start and end, without the space around them."""
        starts, ends = self.spans[:, sentences]
        pieces = self.pieces(starts, ends)
        leading = [len(piece) - len(piece.lstrip()) for piece in pieces]
        trailing = [len(piece) - len(piece.rstrip()) for piece in pieces]
        return starts + np.array(leading, np.int64), ends - np.array(trailing, np.int64)


def read(texts: Sequence[str], lexicon: Lexicon, corpus: Corpus) -> Reading:
    """Reads some texts against the same corpus."""
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
    bounds = np.searchsorted(cut.starts, places)  # of each sentence, its first token; last, the number of tokens
    filled = np.flatnonzero(bounds[:-1] < bounds[1:])
    lengths = np.add.reduceat(cut.is_word, bounds[filled], dtype=np.int64) if len(filled) else filled
    spoken, lengths = filled[lengths > 0], lengths[lengths > 0]
    text_of = np.searchsorted(offsets, places[spoken], side="right") - 1
    spans = np.stack((places[spoken], np.minimum(places[spoken + 1], text_ends[text_of])))  # without the separator
    return Reading(joined, offsets, cut.starts, cut.ends, words, spans, text_of, bounds[spoken], lengths)
