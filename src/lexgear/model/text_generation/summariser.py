"""Summaries of cases by a language model, as the paper has ChatLaw write them.

Any causal or encoder-decoder checkpoint of transformers, from a directory or a hub name. `rationale/expand.py` asks one
too, a prompt at a time on the processor; a thousand cases want batches and a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import decoders

from lexgear.errors import InputError
from lexgear.model.checkpoints import checkpoint_directory, pretrained, quiet_transformers
from lexgear.model.device import best_device
from lexgear.model.tokenizer import checkpoint_tokenizer

ANSWER = 160
"""Tokens of a summary, at most."""
READ = 2048
"""Tokens that a model reads of a prompt, at most; fewer where it has fewer places."""
PROMPTS = {
    "zh": "请用一段话概括下面的案件事实，只写认定罪名所需的内容：\n{text}\n概括：",
    "fr": "Résumez en un paragraphe ce qui, dans ce texte, décide de sa qualification juridique :\n{text}\nRésumé :",
}
_BATCH = 8


class Summariser:
    """Writes greedily, so that the same texts get the same summaries."""

    def __init__(self, model: Any, tokenizer: Any, language: str) -> None:
        if language not in PROMPTS:
            raise InputError(f"no prompt for language {language!r}", remedy=f"one of {', '.join(PROMPTS)}")
        self._prompt, self._tokenizer = PROMPTS[language], tokenizer
        # Half precision is for GPUs: processors are slower with it.
        self._model = (model if best_device().type == "cuda" else model.float()).eval().to(best_device())
        self._seq2seq = bool(model.config.is_encoder_decoder)
        places = int(getattr(model.config, "max_position_embeddings", None) or READ + ANSWER)
        self._answer = min(ANSWER, places // 2)
        self._room = min(READ, places if self._seq2seq else places - self._answer)
        tokenizer.padding_side = "left"  # what a causal model writes follows the prompt, not the filling
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """A summary of each text."""
        batches = (texts[begin : begin + _BATCH] for begin in range(0, len(texts), _BATCH))
        return [summary for batch in batches for summary in self._batch(batch)]

    @torch.inference_mode()
    def _batch(self, texts: Sequence[str]) -> list[str]:
        asked = [self._asked(text) for text in texts]
        # A chat template writes the signs that open a prompt itself.
        marks = not self._tokenizer.chat_template
        read = self._tokenizer(asked, return_tensors="pt", padding=True, add_special_tokens=marks)
        numbers, mask = (read[name][:, -self._room :].to(best_device()) for name in ("input_ids", "attention_mask"))
        with quiet_transformers():  # it would remark on every setting of the checkpoint that ours replaces
            written = self._model.generate(
                input_ids=numbers,
                attention_mask=mask,
                max_new_tokens=self._answer,
                do_sample=False,
                num_beams=1,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        answers = written if self._seq2seq else written[:, numbers.shape[1] :]
        said = self._tokenizer.batch_decode(answers, skip_special_tokens=True)
        return [" ".join(summary.split()) for summary in said]

    def _asked(self, text: str) -> str:
        """The prompt with as much of the text as there is room for, from its beginning."""
        room = self._room - self._tokens(self._filled(""))
        low, high = 0, len(text)
        while low < high:  # bisection: how many tokens a piece has, only the tokenizer knows
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
    """The language model in a directory, or of a hub name."""
    directory = checkpoint_directory(name)
    if not (directory / "config.json").is_file():
        raise InputError("no config.json in it", file=directory, remedy="name the directory of a language model")
    with quiet_transformers() as transformers:
        try:
            config = transformers.AutoConfig.from_pretrained(directory, local_files_only=True)
            tokenizer = _tokenizer(transformers, directory)
        except (OSError, ValueError, TypeError) as error:
            problem = f"not a language model that transformers can read: {str(error).strip().splitlines()[0]}"
            raise InputError(problem, file=directory, remedy="it needs config.json and a tokenizer") from error
    kind = "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"
    # Without its output layer, which encoders can do without, a model would write at random.
    return Summariser(pretrained(kind, directory, may_lack=()), tokenizer, language)


def _tokenizer(transformers: Any, directory: Path) -> Any:
    """As transformers has it; a T5's `spiece.model`, for which transformers wants protobuf, as we read it."""
    if (directory / "tokenizer.json").is_file() or not (directory / "spiece.model").is_file():
        return transformers.AutoTokenizer.from_pretrained(directory, local_files_only=True)
    pieces = checkpoint_tokenizer(directory)
    pieces.decoder = decoders.Metaspace()
    signs = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, **signs)
