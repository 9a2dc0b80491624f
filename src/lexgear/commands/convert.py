"""The `convert` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import progress_bar


def convert(
    source: Annotated[str, typer.Argument(help="Directory or Hugging Face name of a checkpoint.")],
    out: Annotated[Path, typer.Argument(help="Directory for the converted checkpoint.")],
    tokenizer: Annotated[
        str, typer.Option(help="Tokenizer of a checkpoint that has none: a directory, a file or a Hugging Face name.")
    ] = "",
) -> None:
    """Convert a published checkpoint to safetensors with a tokenizer.json.

    Weights are read from model.safetensors or pytorch_model.bin, in one file or several; a file with anything but
    weights in it is refused, and no code in it is run. The tokenizer is read from tokenizer.json, spiece.model,
    sentencepiece.bpe.model, vocab.txt or vocab.json, the configuration from config.json or bert_config.json.
    """
    from lexgear.model.convert import convert_checkpoint

    with progress_bar("Converting the checkpoint") as progress:
        made = convert_checkpoint(source, out, tokenizer, progress)
    sources = ", ".join(made.sources)
    print(f"{out}: {made.weights:,} weights with {made.parameters / 1e6:,.1f}M parameters, {made.tokens:,} tokens")
    print(f"read from {sources}")
