"""Prepared pretraining data: tokenised cases and texts, the law and similar cases, as plain arrays."""

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
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, read_json
from lexgear.pretraining.data.token_streams import Stream, Windows, framed
from lexgear.pretraining.quantized_weights import read_weights
from lexgear.training.examples import paths_to

TOKENIZER, LAW, ABOUT = "tokenizer.json", "law.npz", "prepared.json"
MARKER = DirectoryMarker(ABOUT, '"learnt"')
SENTINELS = 64
"""Sentinel tokens for masked spans, beyond the tokenizer's vocabulary."""
MIN_DIVIDED = 32
"""Tokens of an article from which a span can stand for a question."""
JUDGED, TITLED, ASKED = 0, 1, 2
"""Kinds of cases: a judgment, an article with its titles, an article with a question."""
_STREAMS = ("facts", "reasoning", "charges", "texts")
_ARRAYS = ("kinds", "titles", "first", "neighbours", "scores", "negatives", "seen")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Cases by position: training cases first, then validation cases."""

    facts: Stream
    """Facts of a case; or a statutory article, preceded by its titles."""
    reasoning: Stream
    """Text that asks for these facts: a court's reasoning, a question or titles; an empty row if there is none."""
    charges: Stream
    """Trie nodes of the charges of a case, or of the heading above an article."""
    texts: Stream
    """Texts that are not cases: statutes."""
    kinds: NDArray[np.uint8]
    """`JUDGED`, `TITLED` or `ASKED`."""
    titles: NDArray[np.uint16]
    """Tokens of the facts that belong to the titles above an article."""
    first: NDArray[np.int32]
    """(training cases): first case with the same facts."""
    neighbours: NDArray[np.int32]
    """(training cases, neighbours): cases with the most similar facts, nearest first, padded with −1."""
    scores: NDArray[np.float16]
    """Similarity of the neighbours; 1 for the same words."""
    negatives: NDArray[np.int32]
    """(training cases, negatives): other cases that a case's reasoning ranks first."""
    seen: NDArray[np.uint64]
    """Fingerprints of all texts of the training cases, sorted."""
    ids: DocIds
    """Law, without documents."""
    learnt: int
    """Number of training cases."""
    words: int
    """Size of the tokenizer's vocabulary."""
    about: Mapping[str, Any]
    """Content of `prepared.json`: `run` (fingerprint), `settings`, `sources` with sha256, `counts`, and the
    version of the `fingerprints` in `seen`."""
    directory: Path | None = None
    """Directory that the data was read from."""

    @property
    def start(self) -> Mapping[str, Any] | None:
        """Sizes of the checkpoint that training starts from, as `T5Shape.to_row` gives them; None from scratch."""
        shape: Mapping[str, Any] | None = self.about.get("start")
        return shape

    @property
    def frame(self) -> tuple[int, ...]:
        """Tokens before and after every text that the model reads; none from scratch."""
        return tuple(self.about.get("frame", ()))

    def start_weights(self) -> dict[str, Any]:
        """Return the weights of the checkpoint: embeddings and encoder."""
        assert self.directory is not None
        return read_weights(self.directory)

    def framed(self, windows: Windows) -> Windows:
        """Return windows with the tokens that the model expects before and after a text."""
        return framed(windows, (self.frame[0], self.frame[1])) if self.frame else windows

    def room(self, longest: int) -> int:
        """Return the tokens of a text that fit into `longest` tokens of the model."""
        return max(longest - len(self.frame), 1)

    @property
    def end(self) -> int:
        """Token that ends a generated text."""
        return self.words

    @property
    def first_sentinel(self) -> int:
        """Token of the first masked span."""
        return self.words + 1

    @property
    def vocabulary(self) -> int:
        """Size of the model's vocabulary: tokens and, from scratch, end of text and sentinels."""
        return self.words if self.start else self.words + 1 + SENTINELS

    @cached_property
    def titled_articles(self) -> NDArray[np.int64]:
        """Training cases that are articles with their titles, long enough to be divided."""
        length = self.facts.lengths[: self.learnt] - self.titles[: self.learnt]
        return np.flatnonzero((self.kinds[: self.learnt] == TITLED) & (length >= MIN_DIVIDED))

    @cached_property
    def questions(self) -> list[NDArray[np.int64]]:
        """Training cases that are answers, one array per distinct question."""
        asked = np.flatnonzero(self.kinds[: self.learnt] == ASKED)
        rows: dict[bytes, list[int]] = {}
        for case in asked.tolist():
            rows.setdefault(self.reasoning.row(case).tobytes(), []).append(case)
        return [np.array(cases) for cases in rows.values()]

    @cached_property
    def paths(self) -> NDArray[np.int64]:
        """(trie nodes, depth): path from below the root to each node, padded with −1."""
        return paths_to(self.ids, range(self.ids.trie.node_count))

    @cached_property
    def similarity_nodes(self) -> NDArray[np.int64]:
        """(trie nodes, depth): nodes that make two cases similar; for a charge itself, for a heading its whole path."""
        is_charge = np.array([self.ids.node_kind(node) == "charge" for node in range(self.ids.trie.node_count)])
        alone = np.full_like(self.paths, -1)
        alone[:, 0] = np.arange(len(alone))
        return np.where(is_charge[:, None], alone, self.paths)

    def save(self, directory: Path) -> None:
        """Write everything but the tokenizer to an existing directory."""
        for name in _STREAMS:
            getattr(self, name).save(directory, name)
        for name in _ARRAYS:
            np.save(directory / f"{name}.npy", getattr(self, name), allow_pickle=False)
        self.ids.save(directory / LAW)
        row = {**self.about, "learnt": self.learnt, "words": self.words}
        (directory / ABOUT).write_text(dumps(row) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, directory: Path) -> Prepared:
        """Read what `save` wrote."""
        about = read_description(directory)
        try:
            arrays: dict[str, Any] = {name: Stream.load(directory, name) for name in _STREAMS}
            arrays |= {name: np.load(directory / f"{name}.npy", allow_pickle=False) for name in _ARRAYS}
            return cls(
                **arrays,
                ids=DocIds.load(directory / LAW),
                learnt=int(about["learnt"]),
                words=int(about["words"]),
                about=about,
                directory=directory,
            )
        except (OSError, KeyError, ValueError) as error:
            raise _invalid("damaged prepared data", directory) from error


def read_description(directory: Path) -> Mapping[str, Any]:
    """Return the content of `prepared.json`."""
    about = read_json(directory / ABOUT)
    if not isinstance(about, dict):
        raise _invalid("not prepared data", directory)
    return about


def _invalid(problem: str, directory: Path) -> InputError:
    remedy = "remove the directory to prepare the data again"
    return InputError(problem, code=ErrorCode.FILE_MALFORMED, file=directory, remedy=remedy)
