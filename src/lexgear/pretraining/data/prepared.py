"""What learning reads: cases and texts as token numbers, the law, and which cases are alike, as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.atomic import DirectoryMarker
from lexgear.docids.ids import DocIds
from lexgear.errors import InputError
from lexgear.files import dumps, read_json
from lexgear.pretraining.data.token_streams import Stream
from lexgear.training.examples import paths_to

TOKENIZER, LAW, ABOUT = "tokenizer.json", "law.npz", "prepared.json"
MARKER = DirectoryMarker(ABOUT, '"learnt"')
SENTINELS = 64
"""Numbers that stand for a masked span each; the tokenizer knows none of them."""
JUDGED, TITLED, ASKED = 0, 1, 2
"""What a case is: a judgment, an article under its titles, an article that answers a question."""
_STREAMS = ("facts", "reasoning", "charges", "texts")
_ARRAYS = ("kinds", "titles", "first", "neighbours", "scores", "negatives", "seen")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Cases by position: those to learn from first, then those kept out to measure on."""

    facts: Stream
    """What happened; or a statutory article, after the titles above it."""
    reasoning: Stream
    """What asks for these facts: a court's reasoning, a question, titles; an empty row where there is nothing."""
    charges: Stream
    """The trie nodes of the charges of each case, or of the heading that an article stands under."""
    texts: Stream
    """What is no case: statutes."""
    kinds: NDArray[np.uint8]
    """`JUDGED`, `TITLED` or `ASKED`."""
    titles: NDArray[np.uint16]
    """Tokens of the facts that are the titles above an article."""
    first: NDArray[np.int32]
    """(cases to learn from): the first case with the same facts."""
    neighbours: NDArray[np.int32]
    """(cases to learn from, most): those with the most similar facts, nearest first; −1 where there are fewer."""
    scores: NDArray[np.float16]
    """How similar, 1 being the same words."""
    negatives: NDArray[np.int32]
    """(cases to learn from, most): other cases that the reasoning of a case finds first."""
    seen: NDArray[np.uint64]
    """Fingerprints of all texts of the cases to learn from, in order."""
    ids: DocIds
    """The law, without documents."""
    learnt: int
    """How many cases to learn from."""
    words: int
    """Tokens of the tokenizer."""
    about: Mapping[str, Any]
    """`run` (fingerprint), `settings`, `sources` with sha256, `counts`."""

    @property
    def end(self) -> int:
        """The number that ends a decoded text."""
        return self.words

    @property
    def first_sentinel(self) -> int:
        """The number of the first masked span."""
        return self.words + 1

    @property
    def vocabulary(self) -> int:
        """All numbers of a model: tokens, the end of a text, sentinels."""
        return self.words + 1 + SENTINELS

    @cached_property
    def ways(self) -> NDArray[np.int64]:
        """(trie nodes, deepest): the nodes from below the root down to each, padded with −1."""
        return paths_to(self.ids, range(self.ids.trie.node_count))

    @cached_property
    def similarity_nodes(self) -> NDArray[np.int64]:
        """(trie nodes, deepest): what makes two places alike; a charge itself, a heading and all above it."""
        is_charge = np.array([self.ids.node_kind(node) == "charge" for node in range(self.ids.trie.node_count)])
        alone = np.full_like(self.ways, -1)
        alone[:, 0] = np.arange(len(alone))
        return np.where(is_charge[:, None], alone, self.ways)

    def save(self, directory: Path) -> None:
        """Writes all but the tokenizer into an existing directory."""
        for name in _STREAMS:
            getattr(self, name).save(directory, name)
        for name in _ARRAYS:
            np.save(directory / f"{name}.npy", getattr(self, name), allow_pickle=False)
        self.ids.save(directory / LAW)
        row = {**self.about, "learnt": self.learnt, "words": self.words}
        (directory / ABOUT).write_text(dumps(row) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, directory: Path) -> Prepared:
        """What `save` wrote."""
        about = described(directory)
        try:
            arrays: dict[str, Any] = {name: Stream.load(directory, name) for name in _STREAMS}
            arrays |= {name: np.load(directory / f"{name}.npy", allow_pickle=False) for name in _ARRAYS}
            return cls(
                **arrays,
                ids=DocIds.load(directory / LAW),
                learnt=int(about["learnt"]),
                words=int(about["words"]),
                about=about,
            )
        except (OSError, KeyError, ValueError) as error:
            raise InputError("damaged", file=directory, remedy="remove it, to prepare the data again") from error


def described(directory: Path) -> Mapping[str, Any]:
    """What `prepared.json` says."""
    about = read_json(directory / ABOUT)
    if not isinstance(about, dict):
        raise InputError("not prepared data", file=directory, remedy="remove it, to prepare the data again")
    return about
