"""Vocabulary pruning: a backbone and its tokenizer without the tokens that a corpus does not need.

Multilingual encoders keep most of their parameters in the token table: of the 117.5 million parameters of
multilingual-e5-small, 96 million are 250,037 tokens. Texts that were given are tokenised as before; in other texts a
removed token becomes shorter ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lexgear.errors import ErrorCode, InputError
from lexgear.model.checkpoints import Backbone
from lexgear.model.tokenizer import Tokens

Ints = NDArray[np.int64]
BATCH_SIZE = 256
"""Texts that are tokenised together."""


def prune_vocabulary(
    backbone: Backbone,
    tokens: Tokens,
    texts: Iterable[str],
    keep: Callable[[str], bool] = lambda piece: False,
    limit: int | None = None,
) -> tuple[Backbone, Tokens]:
    """Return a backbone and a tokenizer with only the tokens that occur in the texts, at most `limit`.

    Special tokens stay, and so do tokens for which `keep` is true, such as single characters of a language.
    """
    kept = needed_tokens(tokens, texts, keep, limit)
    pruned = Backbone(replace(backbone.shape, vocabulary=len(kept)))
    weights = dict(backbone.state_dict())
    for name in {"embed.weight", "head.weight"} & weights.keys():
        weights[name] = weights[name][torch.from_numpy(kept)]
    pruned.load_state_dict(weights)
    return pruned, pruned_tokenizer(tokens, kept)


def needed_tokens(
    tokens: Tokens,
    texts: Iterable[str],
    keep: Callable[[str], bool] = lambda piece: False,
    limit: int | None = None,
) -> Ints:
    """Return the numbers of the tokens that occur in the texts, of special tokens and of those to keep, ascending.

    If there are more than `limit`, single characters and the most frequent tokens are chosen: rare words are then read
    in shorter pieces.
    """
    count = np.zeros(tokens.size, dtype=np.int64)
    remaining = iter(texts)
    while some := list(islice(remaining, BATCH_SIZE)):
        for row in tokens.rows(some):
            np.add.at(count, row, 1)
    vocabulary = tokens.vocabulary()
    always = np.zeros(tokens.size, dtype=bool)
    always[[number for piece, number in vocabulary.items() if keep(piece)]] = True
    always[[number for piece, number in vocabulary.items() if count[number] and len(piece.strip("▁#")) < 2]] = True
    always[tokens.special_ids()] = True
    order = np.lexsort((-count, ~always))  # those that stay first, then by frequency
    wanted = max(int(always.sum()), min(int(((count > 0) | always).sum()), limit or tokens.size))
    return np.sort(order[:wanted])


def pruned_tokenizer(tokens: Tokens, kept: Ints) -> Tokens:
    """Return a tokenizer with some of the tokens, renumbered in their order."""
    spec = json.loads(tokens.to_json())
    number = {int(old): new for new, old in enumerate(kept.tolist())}
    model, kind = spec["model"], spec["model"]["type"]
    if kind == "WordPiece":
        model["vocab"] = {piece: number[old] for piece, old in model["vocab"].items() if old in number}
    elif kind == "Unigram":
        model["vocab"] = [row for old, row in enumerate(model["vocab"]) if old in number]
        model["unk_id"] = number[model["unk_id"]]
    else:
        raise InputError(
            f"a tokenizer of type {kind} cannot be pruned",
            code=ErrorCode.CHECKPOINT_INVALID,
            remedy="use a checkpoint with a WordPiece or Unigram tokenizer",
        )
    spec["added_tokens"] = [row | {"id": number[row["id"]]} for row in spec["added_tokens"] if row["id"] in number]
    if spec["post_processor"]:
        spec["post_processor"] = _renumbered(spec["post_processor"], number)
    return Tokens(Tokenizer.from_str(json.dumps(spec, ensure_ascii=False)))


def _renumbered(processor: Mapping[str, Any], number: Mapping[int, int]) -> dict[str, Any]:
    """Return a post-processor with the new numbers of its special tokens."""
    kind, changed = processor["type"], dict(processor)
    if kind == "Sequence":
        changed["processors"] = [_renumbered(one, number) for one in processor["processors"]]
    elif kind == "TemplateProcessing":
        special: Mapping[str, Mapping[str, Any]] = processor["special_tokens"]
        changed["special_tokens"] = {
            name: {**row, "ids": [number[old] for old in row["ids"]]} for name, row in special.items()
        }
    elif kind in {"BertProcessing", "RobertaProcessing"}:
        for name in ("sep", "cls"):
            token: Sequence[Any] = processor[name]
            changed[name] = [token[0], number[token[1]]]
    return changed
