"""What the rankers with a generator share: how a text becomes numbers, the model, and their parts on disk.

An index holds all of it, so that searching needs neither the checkpoint a model started from nor transformers (but
for a B3 of the BERT family).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.files import read_json, write_json_list
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.device import best_device
from lexgear.model.encoders import BackboneEncoder, BertEncoder, FrozenEncoder
from lexgear.model.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.model.tokens import Tokens
from lexgear.rankers.generator_settings import OWN, GeneratorSettings
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.trained import TrainedRanker
from lexgear.rationale.lexicon import Lexicon
from lexgear.training.examples import Examples
from lexgear.training.queries import relevant_leaves

IDS, TOKENS, LEXICON = "docids.npz", "tokenizer.json", "lexicon.json"
SHAPE, MODEL = "backbone.json", "model.safetensors"


class GeneratorRanker(TrainedRanker):
    """A ranker that reads rationales and walks down its IDs; on the GPU where there is one."""

    settings: GeneratorSettings
    ids: DocIds
    encoder: FrozenEncoder | None
    """What embeds texts for B3."""
    inputs: Inputs
    tokens: Tokens
    generator: Generator

    @abstractmethod
    def _new_generator(self, backbone: Backbone) -> Generator:
        """The generator for the IDs, around an encoder and a decoder."""

    def _start(self, collection: Collection, read: Callable[[Inputs], list[str]]) -> tuple[list[str], Backbone]:
        """Sets inputs and tokens; returns what `read` makes of the documents, and the model before training.

        Without a checkpoint the tokenizer is trained on what was read; for `prototypes=own`, where reading needs it,
        on the whole texts.
        """
        settings = self.settings
        torch.manual_seed(settings.seed)
        start = None
        if settings.backbone:
            start = load_checkpoint(settings.backbone, settings.dropout)
        elif settings.prototypes == OWN:
            start = self._from_scratch(collection, read(Inputs.of(collection)))
        self.encoder = None
        if start and settings.prototypes == OWN:
            self.encoder = BackboneEncoder.of(*start)
        elif settings.prototypes:
            self.encoder = BertEncoder.of_checkpoint(Path(settings.prototypes))
        self.inputs = Inputs.of(collection, settings.extraction(), self.encoder)
        texts = read(self.inputs)
        backbone, self.tokens = start or self._from_scratch(collection, texts)
        return texts, backbone

    def _from_scratch(self, collection: Collection, texts: list[str]) -> tuple[Backbone, Tokens]:
        tokens = Tokens.train(texts, language=collection.language, size=self.settings.vocabulary)
        return Backbone(self.settings.sizes(tokens.size)), tokens

    def _place(self, backbone: Backbone) -> None:
        """Sets the generator, where it will be trained and asked."""
        self.generator = self._new_generator(backbone).to(best_device())

    def _examples(self, texts: Sequence[str], leaves: Sequence[NDArray[Any]]) -> Examples:
        return Examples(*self.tokens.encode(texts, self.settings.tokens), leaves)

    def _query_examples(self, collection: Collection, queries: Sequence[Query]) -> Examples:
        """Queries with the IDs of what is relevant to them."""
        shown = self.inputs.of_queries([query.text for query in queries])
        return self._examples(shown, relevant_leaves(collection, queries, self.ids))

    def save(self, directory: Path) -> None:
        """Writes IDs, tokenizer, lexicon, the frozen encoder of B3, the shape of the model and its weights."""
        self.ids.save(directory / IDS)
        self.tokens.save(directory / TOKENS)
        lexicon = self.inputs.lexicon
        write_json_list(directory / LEXICON, [{"language": lexicon.language}, *lexicon.to_rows()])
        write_json_list(directory / SHAPE, [asdict(self.generator.backbone.shape)])
        save_file(self.generator.state_dict(), directory / MODEL)
        if self.encoder and self.settings.extraction():
            self.encoder.save(directory)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker._load(directory)
        return ranker

    def _load(self, directory: Path) -> None:
        self.ids, self.tokens = DocIds.load(directory / IDS), Tokens.load(directory / TOKENS)
        [row] = read_json(directory / SHAPE)
        shape, extraction = T5Shape(**row), self.settings.extraction()
        self.encoder = None
        if extraction and self.settings.prototypes:
            own = self.settings.prototypes == OWN
            self.encoder = BackboneEncoder.load(directory, shape, self.tokens) if own else BertEncoder.load(directory)
        [head, *rows] = read_json(directory / LEXICON)
        self.inputs = Inputs(Lexicon.from_rows(rows, head["language"]), extraction, self.encoder)
        with torch.device("meta"):
            self.generator = self._new_generator(Backbone(shape))
        self.generator.load_state_dict(load_file(directory / MODEL), assign=True)
        self.generator.eval().to(best_device())
