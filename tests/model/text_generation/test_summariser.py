"""Summaries by tiny language models with random weights in the published layout."""

import json
from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.model.text_generation.summariser import MAX_NEW_TOKENS, load_summariser
from random_checkpoints import random_t5

SIGNS = "盗窃罪抢劫公私财物撬锁请用一段话概括下面的案件事实，只写认定名所需内容：\n"
TEXTS = ["盗窃公私财物", "抢劫", "撬锁盗窃财物" * 30, "盗"]


def random_gpt(directory: Path, places: int = 512, template: str = "") -> Path:
    """Write a GPT with one layer and a vocabulary of a few characters."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    torch = pytest.importorskip("torch")
    vocabulary = {sign: number for number, sign in enumerate(["<pad>", "<unk>", *dict.fromkeys(SIGNS)])}
    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>", eos_token="<pad>")
    if template:
        tokenizer.chat_template = template
    tokenizer.save_pretrained(directory)
    torch.manual_seed(7)
    shape = {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": places}
    config = transformers.GPT2Config(vocab_size=len(vocabulary), bos_token_id=0, eos_token_id=0, **shape)
    transformers.GPT2LMHeadModel(config).save_pretrained(directory)
    return directory


def test_a_causal_model_summarises_each_text_as_if_it_were_alone(tmp_path: Path) -> None:
    summarise = load_summariser(str(random_gpt(tmp_path)), "zh")
    together = summarise(TEXTS)
    assert together == [summarise([text])[0] for text in TEXTS]
    assert together == load_summariser(str(tmp_path), "zh")(TEXTS)
    assert all(0 < len(summary) <= 2 * MAX_NEW_TOKENS for summary in together)
    assert not any("概括下面" in summary for summary in together)  # the prompt is not part of the summary


def test_a_text_longer_than_the_model_reads_is_cut_and_the_question_stays(tmp_path: Path) -> None:
    summarise = load_summariser(str(random_gpt(tmp_path, places=64)), "zh")
    assert summarise._answer == 32
    asked = summarise._prompt_for("盗窃" * 500)
    assert asked.endswith("\n概括：")
    assert summarise._tokens(asked) <= 32
    assert summarise(["盗窃" * 500])[0]


def test_a_chat_template_is_used_where_the_checkpoint_has_one(tmp_path: Path) -> None:
    template = (
        "{% for message in messages %}锁{{ message.content }}{% endfor %}{% if add_generation_prompt %}物{% endif %}"
    )
    summarise = load_summariser(str(random_gpt(tmp_path, template=template)), "zh")
    assert summarise._prompt_for("盗窃") == f"锁{summarise._prompt.format(text='盗窃')}物"
    assert summarise(["盗窃"])[0]


def test_an_encoder_decoder_writes_too(tmp_path: Path) -> None:
    sizes = {"d_model": 32, "d_ff": 64, "d_kv": 16, "num_heads": 2, "num_layers": 1, "num_decoder_layers": 1}
    summarise = load_summariser(str(random_t5(tmp_path, vocab_size=1500, **sizes)), "zh")
    together = summarise(TEXTS)
    assert together == [summarise([text])[0] for text in TEXTS]
    assert not any("▁" in summary or "</s>" in summary for summary in together)


def test_a_checkpoint_without_its_output_layer_is_refused(tmp_path: Path) -> None:
    config = random_gpt(tmp_path) / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"tie_word_embeddings": False}))
    with pytest.raises(InputError, match=r"lacks lm_head\.weight"):
        load_summariser(str(tmp_path), "zh")


def test_what_is_no_language_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match=r"config\.json"):
        load_summariser(str(tmp_path), "zh")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no such model"}))
    with pytest.raises(InputError, match="not a language model"):
        load_summariser(str(tmp_path), "zh")
    with pytest.raises(InputError, match="no prompt for the language 'de'"):
        load_summariser(str(random_gpt(tmp_path)), "de")
