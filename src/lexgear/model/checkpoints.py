"""Loading of T5 and BERT checkpoints of transformers, from a directory or a hub name, into our modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from lexgear.corpus.datasets.reader import read_object
from lexgear.errors import ErrorCode, InputError
from lexgear.model.bert import KINDS as BERT_KINDS
from lexgear.model.bert import BertEncoder, BertShape, our_name
from lexgear.model.t5 import Decoder, Encoder, T5Shape
from lexgear.model.weight_files import has_safetensors, read_weights, weight_files

if TYPE_CHECKING:
    from lexgear.model.tokenizer import Tokens

KINDS = ("t5", "mt5")
"""Supported types of the T5 family. umT5 and LongT5 have other position biases or attention."""
HEAD_WIDTH = 64
"""Width of an attention head in the new decoder of a BERT."""
FEED_FORWARD = ("relu", "gated-gelu")
CONFIG, BERT_CONFIG = "config.json", "bert_config.json"
UNUSED = ("lm_head.", "pooler.")
"""Prefixes of weights that a checkpoint may lack: heads that are not used here."""
FILES = (
    *("config.json", "bert_config.json", "generation_config.json", "*.safetensors", "*.safetensors.index.json"),
    *("tokenizer*.json", "special_tokens_map.json", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model"),
    *("vocab.*", "merges.txt", "chat_template*", "1_Pooling/config.json"),
)
"""Files to download from the hub."""
PYTORCH_FILES = ("pytorch_model*.bin", "pytorch_model.bin.index.json")
"""Weights to download if there are no safetensors."""


class Backbone(nn.Module):
    """Token embeddings, the encoder of a T5 or a BERT, the decoder, and the text head if it has weights of its own."""

    head: nn.Linear | None
    """Maps decoder states to token scores; without it the token embeddings do."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.encoder = BertEncoder(shape.width, shape.reader, shape.dropout) if shape.reader else Encoder(shape)
        self.decoder = Decoder(shape)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False) if shape.own_head else None

    def remove_head(self) -> None:
        """Remove the head of its own, which a model that generates no text does not need."""
        self.head, self.shape = None, replace(self.shape, own_head=False)

    def pretrained_parts(self) -> list[nn.Module]:
        """Return the modules that a checkpoint brings: all of a T5; without the decoder of a BERT, which has none."""
        return [self.embed, self.encoder] if self.shape.reader else [self]


def checkpoint_directory(name: str) -> Path:
    """Return a checkpoint directory; a name on the Hugging Face hub is downloaded once."""
    directory = Path(name)
    if directory.is_dir():
        return directory
    problem, remedy = f"no checkpoint directory {name!r}", "give a directory, or the name of a Hugging Face checkpoint"
    if not re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", name):
        raise InputError(problem, code=ErrorCode.FILE_MISSING, remedy=remedy, name=name)
    try:
        return _downloaded(name)
    except ImportError as error:
        raise InputError(
            f"{problem}, and downloading one needs huggingface_hub",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[hub]'",
            package="huggingface_hub",
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(
            f"{problem}, and the Hugging Face hub has none of that name or cannot be reached",
            code=ErrorCode.FILE_MISSING,
            remedy=remedy,
            name=name,
        ) from error


def _downloaded(name: str) -> Path:
    """Return the directory of a hub checkpoint; PyTorch weights are fetched only if there are no safetensors."""
    from huggingface_hub import snapshot_download

    directory = Path(snapshot_download(name, allow_patterns=list(FILES)))
    if not has_safetensors(directory):
        directory = Path(snapshot_download(name, allow_patterns=[*FILES, *PYTORCH_FILES]))
    return directory


def load_checkpoint(
    name: str, dropout: float, decoder_layers: int = 1, pooling: str = "", tokenizer: str = ""
) -> tuple[Backbone, Tokens]:
    """Return the model and the tokenizer of a checkpoint of the T5 or the BERT family.

    A BERT has no decoder: it gets a new one of `decoder_layers` layers. `pooling` is read from the checkpoint unless
    it is given; so is the tokenizer, unless `tokenizer` names a directory, a file or a hub name.
    """
    directory = checkpoint_directory(name)
    kind = read_config(directory).get("model_type")
    if kind not in (*KINDS, *BERT_KINDS):
        supported = ", ".join((*KINDS, *BERT_KINDS))
        raise _invalid(f"a checkpoint of type {kind!r}", directory, f"use one of the types {supported}")
    tokens = load_tokens(directory, tokenizer)
    if kind in KINDS:
        backbone = from_transformers(pretrained("AutoModelForSeq2SeqLM", directory), dropout)
    else:
        backbone = from_bert(
            pretrained("AutoModel", directory), dropout, decoder_layers, pooling or _pooling(directory)
        )
    return backbone, tokens


def read_config(directory: Path) -> dict[str, Any]:
    """Return the configuration of a checkpoint: `config.json`, or the `bert_config.json` of early BERTs."""
    if (directory / CONFIG).is_file():
        return read_object(directory / CONFIG)
    if (directory / BERT_CONFIG).is_file():
        return {"model_type": "bert", **read_object(directory / BERT_CONFIG)}
    remedy = "give a checkpoint of the T5 or the BERT family"
    raise _invalid(f"not a checkpoint directory: no {CONFIG}", directory, remedy)


def load_tokens(directory: Path, tokenizer: str = "") -> Tokens:
    """Return the tokenizer of a checkpoint, or the one in another directory or file, which must fit the model."""
    from lexgear.model.tokenizer import Tokens  # training from prepared numbers needs no tokenizer

    config, place = read_config(directory), tokenizer_place(directory, tokenizer)
    tokens, size = Tokens.of_checkpoint(place, str(config.get("model_type"))), config.get("vocab_size")
    if isinstance(size, int) and tokens.size > size:
        problem = f"the tokenizer has {tokens.size:,} tokens, the model {size:,}"
        raise _invalid(problem, directory, "use the tokenizer that the model was trained with")
    return tokens


def tokenizer_place(directory: Path, tokenizer: str) -> Path:
    """Return the directory or file of the tokenizer that is named, by default that of the checkpoint."""
    if not tokenizer:
        return directory
    return Path(tokenizer) if Path(tokenizer).is_file() else checkpoint_directory(tokenizer)


def pretrained(kind: str, directory: Path, may_lack: tuple[str, ...] = UNUSED) -> Any:
    """Return a transformers model of an automatic class from a directory, in single precision."""
    with quiet_transformers() as transformers:
        try:
            model, found = _load(transformers, kind, directory)
        except (OSError, ValueError, RuntimeError) as error:
            problem = f"the weights cannot be loaded: {str(error).strip().splitlines()[0]}"
            raise _invalid(problem, directory, "download the checkpoint again") from error
    # transformers would initialise missing weights at random.
    missing = sorted(name for name in found["missing_keys"] if not name.startswith(may_lack))
    if missing:
        problem = f"the checkpoint lacks {missing[0]} and {len(missing) - 1} more weights"
        raise _invalid(problem, directory, "download it again")
    return model.float()  # transformers keeps the precision of the file, which may be half


def _load(transformers: Any, kind: str, directory: Path) -> Any:
    """Return a model and what was missing; transformers itself reads safetensors only, so that it unpickles nothing."""
    automatic, options = getattr(transformers, kind), {"local_files_only": True, "trust_remote_code": False}
    described, files = (directory / CONFIG).is_file(), weight_files(directory)
    if described and files[0].suffix == ".safetensors":
        return automatic.from_pretrained(directory, use_safetensors=True, output_loading_info=True, **options)
    if described:
        config = transformers.AutoConfig.from_pretrained(directory, **options)
    else:
        config = transformers.AutoConfig.for_model(**read_config(directory))
    with torch.device("meta"):
        model_type = type(automatic.from_config(config))
    weights = read_weights(directory)
    return model_type.from_pretrained(None, config=config, state_dict=weights, output_loading_info=True)


@contextmanager
def quiet_transformers() -> Iterator[Any]:
    """Return transformers with progress bars and warnings silenced: unused weights are expected here."""
    try:
        import transformers
    except ImportError as error:
        raise InputError(
            "reading a checkpoint needs transformers",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[hub]'",
            package="transformers",
        ) from error
    logging: Any = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield transformers
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def from_transformers(model: Any, dropout: float | None = None) -> Backbone:
    """Return our modules with the weights of a transformers T5 or mT5, and its dropout unless another is given."""
    config = model.config
    if config.feed_forward_proj not in FEED_FORWARD:
        raise InputError(
            f"a T5 with feed-forward layers of type {config.feed_forward_proj}",
            code=ErrorCode.CHECKPOINT_INVALID,
            remedy=f"use one with {' or '.join(FEED_FORWARD)}",
        )
    shape = T5Shape(
        vocabulary=config.vocab_size,
        width=config.d_model,
        heads=config.num_heads,
        head_width=config.d_kv,
        inner=config.d_ff,
        encoder_layers=config.num_layers,
        decoder_layers=config.num_decoder_layers,
        buckets=config.relative_attention_num_buckets,
        far=config.relative_attention_max_distance,
        gated=config.is_gated_act,
        dropout=config.dropout_rate if dropout is None else dropout,
    )
    renamed = {_our_name(name): value.detach().float() for name, value in model.state_dict().items()}
    if (head := _own_head(model, renamed["embed.weight"])) is not None:
        shape, renamed["head.weight"] = replace(shape, own_head=True), head
    with torch.device("meta"):  # the weights follow: drawing random ones first takes seconds
        backbone = Backbone(shape)
    backbone.load_state_dict({name: renamed[name] for name in backbone.state_dict()}, assign=True)
    return backbone


def _own_head(model: Any, embedded: Tensor) -> Tensor | None:
    """Return the weights of the text head unless it is that of the first T5: the token embeddings, scaled."""
    if not hasattr(model, "lm_head"):
        return None
    weights: Tensor = model.lm_head.weight.detach().float()
    if not getattr(model.config, "scale_decoder_outputs", False):  # mT5 has no such value and never scales
        return weights.clone() if weights.data_ptr() == embedded.data_ptr() else weights
    return None if torch.equal(weights, embedded) else weights * model.config.d_model**-0.5


def _pooling(directory: Path) -> str:
    """Return the pooling of a sentence-transformers checkpoint; the mean if it says nothing."""
    described = directory / "1_Pooling" / "config.json"
    first = described.is_file() and read_object(described).get("pooling_mode_cls_token")
    return "cls" if first else "mean"


def from_bert(model: Any, dropout: float, decoder_layers: int, pooling: str = "mean") -> Backbone:
    """Return a backbone whose encoder has the weights of a transformers BERT, RoBERTa or XLM-R; the decoder is new."""
    config = model.config
    width = config.hidden_size
    shape = T5Shape(
        vocabulary=config.vocab_size,
        width=width,
        heads=max(width // HEAD_WIDTH, 1),
        head_width=min(width, HEAD_WIDTH),
        inner=2 * width,
        encoder_layers=0,
        decoder_layers=decoder_layers,
        dropout=dropout,
        reader=BertShape.of_config(config, pooling),
    )
    with torch.device("meta"):
        backbone = Backbone(shape)
    backbone.decoder = Decoder(shape)
    theirs = {our_name(name): value.detach().float() for name, value in model.state_dict().items()}
    own = {name: value for name, value in theirs.items() if name}
    found = backbone.load_state_dict(own, strict=False, assign=True)
    assert all(name.startswith("decoder.") for name in found.missing_keys), found.missing_keys
    return backbone


def _invalid(problem: str, path: Path, remedy: str) -> InputError:
    return InputError(problem, code=ErrorCode.CHECKPOINT_INVALID, file=path, remedy=remedy)


_LAYERS = {
    "SelfAttention": "self_attention",
    "EncDecAttention": "cross_attention",
    "DenseReluDense.wi_0": "feed_forward.inward.0",
    "DenseReluDense.wi_1": "feed_forward.inward.1",
    "DenseReluDense.wi": "feed_forward.inward.0",
    "DenseReluDense.wo": "feed_forward.outward",
}


def _our_name(theirs: str) -> str:
    """Map `encoder.block.0.layer.1.DenseReluDense.wo.weight` to `encoder.blocks.0.feed_forward.outward.weight`."""
    name = theirs.removeprefix("model.")
    if name == "shared.weight":
        return "embed.weight"
    if "relative_attention_bias" in name:
        return f"{name.split('.')[0]}.distances.bias.weight"
    if match := re.fullmatch(r"(encoder|decoder)\.block\.(\d+)\.layer\.(\d)\.(.+)\.weight", name):
        stack, block, layer, inside = match.groups()
        last = 2 if stack == "decoder" else 1
        if inside == "layer_norm":
            kind = {0: "self", last: "feed"}.get(int(layer), "cross")
            return f"{stack}.blocks.{block}.{kind}_norm.weight"
        for part, ours in _LAYERS.items():
            if inside == part or inside.startswith(f"{part}."):
                return f"{stack}.blocks.{block}.{ours}{inside.removeprefix(part)}.weight"
    return name.replace("final_layer_norm", "norm")
