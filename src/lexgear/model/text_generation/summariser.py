"""Summaries of cases by a language model, as the paper uses ChatLaw.

Any causal or encoder-decoder checkpoint of transformers works, from a directory or a hub name. `rationale/expand.py`
also calls a language model, but one prompt at a time on the CPU; thousands of cases need batches and a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import decoders

from lexgear.errors import ErrorCode, InputError
from lexgear.model.checkpoint_tokenizer import checkpoint_tokenizer
from lexgear.model.checkpoints import checkpoint_directory, pretrained, quiet_transformers
from lexgear.model.device import best_device

MAX_NEW_TOKENS = 160
"""Tokens per summary at most."""
MAX_PROMPT_TOKENS = 2048
"""Tokens per prompt at most; fewer if the model has fewer positions."""
PROMPTS = {
    "zh": "请用一段话概括下面的案件事实，只写认定罪名所需的内容：\n{text}\n概括：",
    "fr": "Résumez en un paragraphe ce qui, dans ce texte, décide de sa qualification juridique :\n{text}\nRésumé :",
}
_BATCH = 8


class Summariser:
    """Summariser with greedy decoding, so that the same texts get the same summaries."""

    def __init__(self, model: Any, tokenizer: Any, language: str) -> None:
        if language not in PROMPTS:
            raise InputError(
                f"no prompt for the language {language!r}",
                code=ErrorCode.UNKNOWN_NAME,
                remedy=f"use one of {', '.join(PROMPTS)}",
                language=language,
            )
        self._prompt, self._tokenizer = PROMPTS[language], tokenizer
        # Half precision is slower on CPUs.
        self._model = (model if best_device().type == "cuda" else model.float()).eval().to(best_device())
        self._seq2seq = bool(model.config.is_encoder_decoder)
        places = int(getattr(model.config, "max_position_embeddings", None) or MAX_PROMPT_TOKENS + MAX_NEW_TOKENS)
        self._answer = min(MAX_NEW_TOKENS, places // 2)
        self._room = min(MAX_PROMPT_TOKENS, places if self._seq2seq else places - self._answer)
        tokenizer.padding_side = "left"  # a causal model continues the prompt, which must not end in padding
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Return one summary per text."""
        batches = (texts[begin : begin + _BATCH] for begin in range(0, len(texts), _BATCH))
        return [summary for batch in batches for summary in self._batch(batch)]

    @torch.inference_mode()
    def _batch(self, texts: Sequence[str]) -> list[str]:
        prompts = [self._prompt_for(text) for text in texts]
        # A chat template adds the special tokens of a prompt itself.
        marks = not self._tokenizer.chat_template
        read = self._tokenizer(prompts, return_tensors="pt", padding=True, add_special_tokens=marks)
        numbers, mask = (read[name][:, -self._room :].to(best_device()) for name in ("input_ids", "attention_mask"))
        with quiet_transformers():  # it would warn about every overridden setting of the checkpoint
            written = self._model.generate(
                input_ids=numbers,
                attention_mask=mask,
                max_new_tokens=self._answer,
                do_sample=False,
                num_beams=1,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        answers = written if self._seq2seq else written[:, numbers.shape[1] :]
        summaries = self._tokenizer.batch_decode(answers, skip_special_tokens=True)
        return [" ".join(summary.split()) for summary in summaries]

    def _prompt_for(self, text: str) -> str:
        """Return the prompt with as much of the text, from its beginning, as fits."""
        room = self._room - self._tokens(self._filled(""))
        low, high = 0, len(text)
        while low < high:  # bisection: only the tokenizer knows the number of tokens
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._tokens(text[:middle]) <= room else (low, middle - 1)
        return self._filled(text[:low])

    def _filled(self, text: str) -> str:
        prompt = self._prompt.format(text=text)
        if not self._tokenizer.chat_template:
            return prompt
        chat = [{"role": "user", "content": prompt}]
        return str(self._tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True))

    def _tokens(self, text: str) -> int:
        return len(self._tokenizer(text)["input_ids"])


def load_summariser(name: str, language: str) -> Summariser:
    """Load a language model from a directory or by its hub name."""
    directory = checkpoint_directory(name)
    if not (directory / "config.json").is_file():
        raise InputError(
            "not a checkpoint directory: no config.json",
            code=ErrorCode.CHECKPOINT_INVALID,
            file=directory,
            remedy="give the directory of a language model",
        )
    with quiet_transformers() as transformers:
        try:
            config = transformers.AutoConfig.from_pretrained(directory, local_files_only=True)
            tokenizer = _tokenizer(transformers, directory)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"not a language model that transformers can read: {str(error).strip().splitlines()[0]}",
                code=ErrorCode.CHECKPOINT_INVALID,
                file=directory,
                remedy="check that it contains config.json and a tokenizer",
            ) from error
    kind = "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"
    # Encoders may lack the output layer, but without it a model would generate at random.
    return Summariser(pretrained(kind, directory, may_lack=()), tokenizer, language)


def _tokenizer(transformers: Any, directory: Path) -> Any:
    """Return the tokenizer of transformers, or for a T5 with `spiece.model` only, our conversion of it."""
    if (directory / "tokenizer.json").is_file() or not (directory / "spiece.model").is_file():
        return transformers.AutoTokenizer.from_pretrained(directory, local_files_only=True)
    pieces = checkpoint_tokenizer(directory)
    pieces.decoder = decoders.Metaspace()
    special_tokens = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, **special_tokens)
