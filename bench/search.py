"""Exact search against transformers' `generate`: speed, and how often `generate` misses a better document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import torch

from bench.contest import Contest
from bench.side_by_side import Measured, timed

TEXTS = 11
"""Number of texts, one round each."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Round:
    """Milliseconds for one text, and whether the list of `generate` misses a better document."""

    encoder: float
    peers_encoder: float
    exact: float
    generate: float
    missed: bool


def exact_against_generate() -> Iterator[Measured]:
    """Search one text at a time; encoders are timed separately, and each side has its best number of threads."""
    contest = Contest.of(TEXTS)
    first = contest.encoded(slice(0, 1))
    apart = contest.disagreement(first)
    if apart > 1e-3:
        raise AssertionError(f"the two sides differ by {apart} in log P: they do not solve the same problem")
    every = torch.get_num_threads()
    ours = min((1, every), key=lambda threads: _on(threads, lambda: contest.exact(first))[1])
    peers = min((1, every), key=lambda threads: _on(threads, lambda: contest.generate(first))[1])
    rounds = [_round(contest, slice(number, number + 1), ours, peers) for number in range(TEXTS)]
    torch.set_num_threads(every)
    work = f"{int(contest.tree.trie.leaf_mask.sum()):,} IDs, 512 tokens, 60M parameters"
    yield Measured(
        "search_exact_vs_generate_speedup",
        f"transformers' generate with 30 beams against exact top 30, {work} (at least 6 wanted)",
        tuple(one.generate / one.exact for one in rounds),
    )
    yield Measured(
        "generate_lists_missing_a_better_document_share",
        "share of 30-beam lists that miss a document better than one they contain, by log of its IDs' summed P",
        (sum(one.missed for one in rounds) / len(rounds),),
    )
    encoders = f"ms of our encoder; transformers' takes {median(one.peers_encoder for one in rounds):.0f}"
    yield Measured("search_encoder_ms", encoders, tuple(one.encoder for one in rounds))
    yield Measured("search_exact_ms", f"ms after the encoder, threads: {ours}", tuple(one.exact for one in rounds))
    yield Measured(
        "search_generate_ms", f"ms after the encoder, threads: {peers}", tuple(one.generate for one in rounds)
    )


def _round(contest: Contest, text: slice, ours: int, peers: int) -> Round:
    states, encoder = _on(ours, lambda: contest.encoded(text))
    _, peers_encoder = _on(peers, lambda: contest.encoded_by_peer(text))
    [hits], exact = _on(ours, lambda: contest.exact(states))
    generated, generate = _on(peers, lambda: contest.generate(states))
    return Round(encoder, peers_encoder, exact, generate, contest.misses_a_better_document(generated, hits))


def _on(threads: int, call: Callable[[], Answer]) -> tuple[Answer, float]:
    """Return the result of a call with this number of threads, and its milliseconds."""
    torch.set_num_threads(threads)
    found, seconds = timed(call)
    return found, 1000 * seconds
