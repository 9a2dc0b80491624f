"""What the rankers with a generator share: how a text becomes numbers, the model, and their parts on disk.

An index holds all of it, so that searching needs neither the checkpoint a model started from nor transformers (but
for a B3 of the BERT family).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.files import read_json, write_json_list
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.device import best_device
from lexgear.model.encoder.frozen import BackboneEncoder, BertEncoder, FrozenEncoder
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.base import Base, is_base, load_base, shipped_base
from lexgear.pretraining.quantized_weights import dequantize, quantize_losslessly
from lexgear.rankers.base import ScoredId
from lexgear.rankers.generative.model_settings import OWN, SHIPPED, ModelSettings
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.trained import TrainedRanker
from lexgear.rationale.lexicon import Lexicon
from lexgear.training.examples import Examples
from lexgear.training.query_split import relevant_leaves

IDS, TOKENS, LEXICON = "docids.npz", "tokenizer.json", "lexicon.json"
SHAPE, MODEL = "backbone.json", "model.safetensors"


class GeneratorRanker(TrainedRanker):
    """A ranker that reads texts and walks down its IDs; on the GPU where there is one."""

    settings: ModelSettings
    reads_facts: ClassVar[bool]
    """Whether a generator that started from a base model is shown facts as they are, as that has learnt to read."""
    summary_of_text: ClassVar[bool]
    """Whether every node of a walk is told what the text says in the mean."""
    base: Base | None = None
    """What the generator started from, after `fit`; an index has no need of it."""
    generates: bool = True
    """Whether there is a generator to ask."""
    ids: DocIds
    encoder: FrozenEncoder | None
    """What embeds texts for B3."""
    inputs: Inputs
    tokens: Tokens
    generator: Generator

    def _start(self, collection: Collection, read: Callable[[Inputs], list[str]]) -> tuple[list[str], Backbone | None]:
        """Sets inputs and tokens; returns what `read` makes of the documents, and the model before training, if any.

        Without a base model or a checkpoint the tokenizer is trained on what was read; for an encoder of its
        own, where
        reading needs it, on the whole texts. Without epochs to train it there is no model then.
        """
        settings = self.settings
        torch.manual_seed(settings.seed)
        start = None
        self.base = base_named(settings.backbone, collection.language)
        if self.base:
            start = self.base.backbone, self.base.tokens
        elif not self._from_nothing:
            start = load_checkpoint(settings.backbone, settings.dropout)
        elif settings.embedder() == OWN:
            start = self._from_scratch(collection, read(Inputs.of(collection)))
        self.encoder = None
        if start and settings.embedder() == OWN:
            self.encoder = BackboneEncoder.of(*start)
        elif settings.embedder():
            self.encoder = BertEncoder.of_checkpoint(Path(settings.embedder()))
        plain = self.base is not None and self.reads_facts
        self.inputs = Inputs.of(collection, settings.extraction(), self.encoder, plain=plain)
        texts = read(self.inputs)
        self.generates = start is not None or settings.epochs > 0
        self.notes += self._started(collection.language)
        if not self.generates:
            return texts, None
        backbone, self.tokens = start or self._from_scratch(collection, texts)
        return texts, backbone

    def _started(self, language: str) -> list[str]:
        """What to say of the beginning, unless it was asked for."""
        if self.base:
            return [f"started from a base model of {self.base.about['parameters'] / 1e6:.1f}M parameters"]
        if self.settings.backbone != SHIPPED:
            return []
        then = "a generator from scratch" if self.generates else "words alone"
        return [f"no base model for {language!r} comes with lexgear: {then}"]

    @property
    def _from_nothing(self) -> bool:
        """Whether there was neither a base model nor a checkpoint to start from."""
        return self.base is None and self.settings.backbone in ("", SHIPPED)

    def _from_scratch(self, collection: Collection, texts: list[str]) -> tuple[Backbone, Tokens]:
        tokens = Tokens.train(texts, language=collection.language, size=self.settings.vocabulary)
        return Backbone(self.settings.sizes(tokens.size)), tokens

    def _place(self, backbone: Backbone | None) -> None:
        """Sets the generator, where it will be trained and asked."""
        if backbone is None:
            return
        generator = self._new_generator(backbone)
        if self.base:
            documents, dropout = generator.documents.num_embeddings, self.settings.dropout
            summary = self.summary_of_text
            generator = self.base.started(self.ids, documents=documents, summary=summary, dropout=dropout)
        self.generator = generator.eval().to(best_device())

    def _new_generator(self, backbone: Backbone) -> Generator:
        """A generator for the IDs, around an encoder and a decoder."""
        return Generator(backbone, self.ids.law_symbols, self._document_symbols(), summary=self.summary_of_text)

    def _document_symbols(self) -> int:
        """How many documents have symbols of their own."""
        return 0

    def _examples(self, texts: Sequence[str], leaves: Sequence[NDArray[Any]]) -> Examples:
        return Examples(*self.tokens.encode(texts, self.settings.tokens), leaves)

    def _query_examples(self, collection: Collection, queries: Sequence[Query]) -> Examples:
        """Queries with the IDs of what is relevant to them."""
        shown = self.inputs.of_queries([query.text for query in queries])
        return self._examples(shown, relevant_leaves(collection, queries, self.ids))

    def indexing_accuracy(self, collection: Collection, most: int = 200) -> float:
        """Share of the documents, at most so many and evenly spaced, that come first for a text they are learnt by."""
        places = np.unique(np.linspace(0, len(collection.documents) - 1, most).round().astype(int)).tolist()
        texts = self._learnt_by(collection, places)
        first = (hits[0].document if hits else "" for hits in map(self._found_by, texts))
        return float(np.mean([name == self._names[place] for place, name in zip(places, first, strict=True)]))

    def _learnt_by(self, collection: Collection, places: Sequence[int]) -> list[str]:
        """A text that each of these documents is learnt by."""
        return self.inputs.of_documents([collection.documents[place] for place in places], collection.law)

    def _found_by(self, shown: str) -> list[ScoredId]:
        """What comes first for a text as the model is to read it."""
        return self.search([Query("", shown)], 1)[0]

    @property
    def _names(self) -> tuple[str, ...]:
        """The ids of the documents, by position."""
        return self.ids.names[self.ids.law_symbols :]

    @property
    def _tie_order(self) -> NDArray[np.int64]:
        """The place of each document among all of them in the order of their ids."""
        return np.argsort(np.argsort(np.array(self._names, dtype=object)))

    def save(self, directory: Path) -> None:
        """Writes IDs, lexicon and the frozen encoder of B3; of a generator tokenizer, shape and weights."""
        self.ids.save(directory / IDS)
        lexicon = self.inputs.lexicon
        head = {"language": lexicon.language, "plain": self.inputs.plain}
        write_json_list(directory / LEXICON, [head, *lexicon.to_rows()])
        if self.generates:
            self.tokens.save(directory / TOKENS)
            write_json_list(directory / SHAPE, [asdict(self.generator.backbone.shape)])
            save_file(quantize_losslessly(self.generator.state_dict()), directory / MODEL)
        if self.encoder and self.settings.extraction():
            self.encoder.save(directory)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker._load(directory)
        return ranker

    def _load(self, directory: Path) -> None:
        self.ids, self.generates = DocIds.load(directory / IDS), (directory / MODEL).exists()
        extraction, embedder = self.settings.extraction(), self.settings.embedder()
        self.encoder = None
        if self.generates:
            [row] = read_json(directory / SHAPE)
            shape, self.tokens = T5Shape(**row), Tokens.load(directory / TOKENS)
            with torch.device("meta"):
                self.generator = self._new_generator(Backbone(shape))
            stored = dequantize(load_file(directory / MODEL))
            weights = {name: weight.clone() for name, weight in stored.items()}  # aligned anew
            self.generator.load_state_dict(weights, assign=True)
            self.generator.eval().to(best_device())
            if extraction and embedder == OWN:
                self.encoder = BackboneEncoder.load(directory, shape, self.tokens)
        if extraction and embedder not in ("", OWN):
            self.encoder = BertEncoder.load(directory)
        [head, *rows] = read_json(directory / LEXICON)
        lexicon = Lexicon.from_rows(rows, head["language"])
        self.inputs = Inputs(lexicon, extraction, self.encoder, plain=head["plain"])


def base_named(backbone: str, language: str) -> Base | None:
    """The base model that the setting `backbone` asks for; None where it asks for something else, or none is shipped.

    >>> base_named("", "zh")
    """
    if backbone == SHIPPED:
        return shipped_base(language)
    return load_base(Path(backbone)) if backbone and is_base(Path(backbone)) else None
