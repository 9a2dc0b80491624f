"""A generator with everything it needs to read texts: IDs, inputs, tokenizer, frozen encoder, and their files.

An index holds all of it, so that searching needs neither the checkpoint a model started from nor transformers (except
for a B3 of the BERT family).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Collection, Document, Query
from lexgear.docids.ids import DocIds
from lexgear.engine.current import current_engine
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.law.tree import LawTree
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.device import best_device
from lexgear.model.encoder.frozen import BackboneEncoder, BertEncoder, FrozenEncoder
from lexgear.model.encoder.vectors import encode_texts
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.base import Base, is_base, load_base, shipped_base
from lexgear.pretraining.quantized_weights import dequantize, quantize_losslessly
from lexgear.progress import Progress, silent
from lexgear.rankers.document_ids import DocumentIds
from lexgear.rankers.generative.settings import GeneratorSettings
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.model_settings import FROM_SCRATCH_HINT, OWN, SHIPPED
from lexgear.rankers.reading import read_documents
from lexgear.rationale.lexicon import Lexicon
from lexgear.training.examples import Examples
from lexgear.training.query_split import relevant_leaves

IDS, TOKENS, LEXICON = "docids.npz", "tokenizer.json", "lexicon.json"
SHAPE, MODEL = "backbone.json", "model.safetensors"


class GeneratorParts:
    """IDs, inputs, tokenizer and generator of a ranker; the generator runs on the GPU if there is one."""

    ids: DocIds
    inputs: Inputs
    tokens: Tokens
    generator: Generator
    encoder: FrozenEncoder | None = None
    """Embeds texts for B3 and for cluster IDs."""
    base: Base | None = None
    """The base model the generator started from; known after `start`, not stored in an index."""
    has_generator: bool = True
    """False if there is neither an initial model nor an epoch to train one."""

    def __init__(
        self,
        settings: GeneratorSettings,
        *,
        reads_facts: bool = False,
        summary: bool = False,
        generator_type: type[Generator] = Generator,
    ) -> None:
        self.settings, self.generator_type = settings, generator_type
        self.max_length = settings.max_length
        """Tokens that the encoder reads of a text: `max_length`, or fewer if it cannot read as many."""
        self.reads_facts = reads_facts
        """True if a generator that started from a base model reads facts as they are, as the base does."""
        self.summary = summary
        """True if every step of the decoder also sees the mean of the encoder's states."""

    @property
    def documents(self) -> DocumentIds:
        """The ids of the documents, by position."""
        if getattr(self, "_documents_of", None) is not self.ids:
            self._documents = DocumentIds(self.ids.names[self.ids.law_symbols :])
            self._documents_of = self.ids
        return self._documents

    @property
    def from_scratch(self) -> bool:
        """True if there is neither a base model nor a checkpoint to start from."""
        return self.base is None and self.settings.backbone in ("", SHIPPED)

    def start(
        self, collection: Collection, read: Callable[[Inputs], list[str]], notes: list[str]
    ) -> tuple[list[str], Backbone | None]:
        """Set inputs and tokenizer; return what `read` makes of the documents, and the untrained model if there is one.

        Without a base model or a checkpoint the tokenizer is trained on what was read; if an encoder of the model's own
        is needed for reading, on the whole texts. Without epochs to train it there is no model then.
        """
        settings, start = self.settings, None
        self.base = base_named(settings.backbone, collection.language)
        torch.manual_seed(settings.training.seed)  # after a base was read: the first time this draws random numbers
        if self.base:
            start = self.base.backbone, self.base.tokens
        elif not self.from_scratch:
            start = load_checkpoint(
                settings.backbone, settings.size.dropout, settings.num_decoder_layers, tokenizer=settings.tokenizer
            )
        elif settings.embedder() == OWN:
            start = self._new_model(collection, read(Inputs.of(collection)))
        self.encoder = None
        if start and settings.embedder() == OWN:
            self.encoder = BackboneEncoder.of(*start)
        elif settings.embedder():
            self.encoder = BertEncoder.of_checkpoint(Path(settings.embedder()))
        plain = self.base is not None and self.reads_facts
        self.inputs = Inputs.of(collection, settings.rationale_settings(), self.encoder, plain=plain)
        texts = read(self.inputs)
        self.has_generator = start is not None or settings.training.epochs > 0
        notes += self._start_notes(collection.language) + self._rationale_notes()
        if not self.has_generator:
            return texts, None
        backbone, self.tokens = start or self._new_model(collection, texts)
        self._limit_inputs(backbone.shape)
        return read(self.inputs), backbone

    def _limit_inputs(self, shape: T5Shape) -> None:
        """Set how much of a text the encoder reads, so that rationales are made to fit."""
        self.max_length = min(self.settings.max_length, shape.max_length)
        self.inputs.fit_to(self.max_length - self.tokens.special_count, self.tokens.count)

    def build_generator(self, backbone: Backbone | None, document_symbols: int = 0) -> None:
        """Set the generator for the IDs, around an untrained model or from the base, on its device."""
        if backbone is None:
            return
        backbone.remove_head()  # IDs have a vocabulary of their own
        generator = self._new_generator(backbone, document_symbols)
        if self.base:
            documents, dropout = generator.documents.num_embeddings, self.settings.size.dropout
            started = self.base.started(self.ids, documents=documents, summary=self.summary, dropout=dropout)
            if self.generator_type is Generator:
                generator = started
            else:  # the base's generator is a plain one: take over what both have
                generator = self._new_generator(started.backbone, document_symbols)
                generator.load_state_dict(started.state_dict(), strict=False)
        self.generator = generator.eval().to(best_device())

    def copied(self) -> Self:
        """Return a copy whose generator can be trained without changing this one."""
        other = copy(self)
        other.generator = deepcopy(self.generator)
        return other

    def encode(self, texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return token numbers and mask of texts, cut at `max_length` or at what the encoder can read."""
        return self.tokens.encode(texts, self.max_length)

    def vectors(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        """Return the encoder's unit vectors of texts."""
        return encode_texts(self.generator, self.tokens, texts, self.max_length, progress)

    def document_vectors(
        self, documents: Sequence[Document], law: LawTree, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return the encoder's unit vectors of documents; of width 0 if there is no encoder."""
        if not self.has_generator:
            return np.zeros((len(documents), 0), np.float32)
        read = partial(_encode_documents, self.inputs, self._portable(), self.tokens, self.max_length, law)
        return np.concatenate(read_documents(read, documents, progress, "reading documents"))

    def _portable(self) -> Generator:
        """Return the generator, or a copy without a GPU if other processes need it."""
        shared = current_engine() is not None and self.generator.device.type != "cpu"
        return deepcopy(self.generator).cpu() if shared else self.generator

    def examples(self, texts: Sequence[str], leaves: Sequence[NDArray[Any]]) -> Examples:
        """Return texts as training examples, each with the leaves it should lead to."""
        return Examples(*self.encode(texts), leaves)

    def own_leaves(self, positions: Sequence[int]) -> list[NDArray[Any]]:
        """Return the leaves of documents, by position."""
        return [self.ids.trie.leaves_of(position) for position in positions]

    def query_examples(self, collection: Collection, queries: Sequence[Query]) -> Examples:
        """Return training queries with the leaves of their relevant documents."""
        texts = self.inputs.of_queries([query.text for query in queries])
        return self.examples(texts, relevant_leaves(collection, queries, self.ids))

    def save(self, directory: PartsDirectory) -> None:
        """Write the IDs and all that `save_learnt` writes."""
        self.ids.save(directory / IDS)
        self.save_learnt(directory)

    def save_learnt(self, directory: PartsDirectory) -> None:
        """Write lexicon and the frozen encoder of B3; for a generator also tokenizer, shape and weights."""
        lexicon = self.inputs.lexicon
        head = {"language": lexicon.language, "plain": self.inputs.plain, "terms": self.inputs.appends_terms}
        write_json_list(directory / LEXICON, [head, *lexicon.to_rows()])
        if self.has_generator:
            self.tokens.save(directory / TOKENS)
            write_json_list(directory / SHAPE, [self.generator.backbone.shape.to_row()])
            save_file(quantize_losslessly(self.generator.state_dict()), directory / MODEL)
        if self.encoder and self.settings.rationale_settings():
            self.encoder.save(directory)

    def load(self, directory: PartsDirectory, document_symbols: Callable[[DocIds], int] = lambda ids: 0) -> Self:
        """Read what `save` wrote."""
        return self.load_learnt(directory, DocIds.load(directory / IDS), document_symbols)

    def load_learnt(
        self, directory: PartsDirectory, ids: DocIds, document_symbols: Callable[[DocIds], int] = lambda ids: 0
    ) -> Self:
        """Read what `save_learnt` wrote, for given IDs."""
        self.ids, self.has_generator = ids, (directory / MODEL).exists()
        extraction, embedder = self.settings.rationale_settings(), self.settings.embedder()
        if self.has_generator:
            [row] = read_json(directory / SHAPE)
            shape, self.tokens = T5Shape.from_row(row), Tokens.load(directory / TOKENS)
            with torch.device("meta"):
                self.generator = self._new_generator(Backbone(shape), document_symbols(self.ids))
            stored = dequantize(_stored_weights(directory / MODEL))
            weights = {name: weight.clone() for name, weight in stored.items()}  # clones are aligned in memory
            self.generator.load_state_dict(weights, assign=True)
            self.generator.eval().to(best_device())
            if extraction and embedder == OWN:
                self.encoder = BackboneEncoder.load(directory, shape, self.tokens)
        if extraction and embedder not in ("", OWN):
            self.encoder = BertEncoder.load(directory)
        [head, *rows] = read_json(directory / LEXICON)
        lexicon = Lexicon.from_rows(rows, head["language"])
        terms = head.get("terms", False)  # indexes of earlier versions have none
        self.inputs = Inputs(lexicon, extraction, self.encoder, plain=head["plain"], appends_terms=terms)
        if self.has_generator:
            self._limit_inputs(shape)
        return self

    def _start_notes(self, language: str) -> list[str]:
        """Return what to tell the user about the start, unless it was asked for."""
        if self.base:
            return [f"started from a base model of {self.base.about['parameters'] / 1e6:.1f}M parameters"]
        if self.settings.backbone != SHIPPED:
            return []
        instead = f"a generator from scratch; {FROM_SCRATCH_HINT}" if self.has_generator else "words alone"
        return [f"lexgear has no base model for {language!r}: {instead}"]

    def _rationale_notes(self) -> list[str]:
        """Return a warning if f_R has charges to go by, but no definitions of them."""
        charges = self.inputs.lexicon.rows
        if self.settings.rationale_settings() is None or not charges or any(row.b2 for row in charges):
            return []
        return ["no charge of this law has a definition: f_R goes by the names of the charges alone (B2 is empty)"]

    def _new_model(self, collection: Collection, texts: list[str]) -> tuple[Backbone, Tokens]:
        size = self.settings.size
        tokens = Tokens.train(texts, language=collection.language, size=size.vocab_size)
        return Backbone(size.shape(tokens.size, self.settings.num_decoder_layers)), tokens

    def _new_generator(self, backbone: Backbone, document_symbols: int) -> Generator:
        return self.generator_type(backbone, self.ids.law_symbols, document_symbols, summary=self.summary)


def _stored_weights(path: Path) -> dict[str, torch.Tensor]:
    """Read the weights of an index. Raises ValueError if they are no weights."""
    try:
        return load_file(path)
    except SafetensorError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _encode_documents(
    inputs: Inputs,
    generator: Generator,
    tokens: Tokens,
    max_length: int,
    law: LawTree,
    documents: Sequence[Document],
    progress: Progress,
) -> NDArray[np.float32]:
    """Return the unit vectors of documents, encoded on the device of this machine."""
    texts = inputs.of_documents(documents, law, progress)
    return encode_texts(generator.to(best_device()), tokens, texts, max_length, progress)


def base_named(backbone: str, language: str) -> Base | None:
    """Return the base model that the setting `backbone` names; None if it names something else or none is shipped.

    >>> base_named("", "zh")
    """
    if backbone == SHIPPED:
        return shipped_base(language)
    return load_base(Path(backbone)) if backbone and is_base(Path(backbone)) else None
