"""Expansion of charges, with a local HTTP server as the language model."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lexgear.errors import InputError
from lexgear.rationale.expand import (
    LocalModel,
    ServedModel,
    Suggestion,
    accepted,
    expand,
    language_model,
    prompt_template,
    read_sheet,
)
from lexgear.rationale.lexicon import Lexicon

DEFINITIONS = {"盗窃罪": "窃取公私财物", "抢劫罪": "以暴力抢劫公私财物"}


@contextmanager
def server(asked: list[dict[str, Any]], status: int = 200, fails_after: int = 99) -> Iterator[str]:
    """Run an OpenAI-compatible server that records its requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "key": self.headers["Authorization"], **body})
            content = f"第{len(asked)}个回答：\n撬锁、扒窃，入户"
            answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
            self.send_response(status if len(asked) <= fails_after else 500)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}/v1"
        finally:
            running.shutdown()
            thread.join()


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
def test_answers_wait_in_the_sheet_until_a_person_accepts_them(tmp_path: Path, name: str) -> None:
    sheet, asked = tmp_path / name, list[dict[str, Any]]()
    with server(asked) as url:
        model = language_model(url, model="law-7b", key="secret")
        assert expand(sheet, DEFINITIONS, model, prompt_template("zh")) == 2
    assert [request["path"] for request in asked] == ["/v1/chat/completions"] * 2
    assert asked[0]["model"] == "law-7b"
    assert asked[0]["key"] == "Bearer secret"
    assert "盗窃罪" in asked[0]["messages"][0]["content"]
    assert "窃取公私财物" in asked[0]["messages"][0]["content"]
    assert read_sheet(sheet)[0] == Suggestion("盗窃罪", "第1个回答： 撬锁、扒窃，入户", "")
    assert accepted(sheet) == {}

    reviewed = sheet.read_text("utf-8")
    old, new = ("入户,\n", "入户,yes\n") if name.endswith("csv") else ('"accepted": ""', '"accepted": "yes"')
    sheet.write_text(reviewed.replace(old, new, 1), "utf-8")
    assert accepted(sheet) == {"盗窃罪": "第1个回答： 撬锁、扒窃，入户"}
    lexicon = Lexicon.from_charges(DEFINITIONS, "zh", more=accepted(sheet))
    assert "扒窃" in lexicon.rows[0].b2
    assert "扒窃" not in lexicon.rows[1].b2


def test_a_reviewed_row_is_neither_asked_again_nor_overwritten(tmp_path: Path) -> None:
    sheet, asked = tmp_path / "sheet.csv", list[dict[str, Any]]()
    sheet.write_text("charge,suggestion,accepted\n盗窃罪,扒窃,No\n", "utf-8")
    with server(asked) as url:
        assert expand(sheet, DEFINITIONS, ServedModel(url), prompt_template("zh")) == 1
    assert [row.charge for row in read_sheet(sheet)] == ["盗窃罪", "抢劫罪"]
    assert read_sheet(sheet)[0] == Suggestion("盗窃罪", "扒窃", "no")


def test_what_was_answered_before_a_failure_is_kept(tmp_path: Path) -> None:
    sheet, asked = tmp_path / "sheet.csv", list[dict[str, Any]]()
    with server(asked, fails_after=1) as url, pytest.raises(InputError, match="500"):
        expand(sheet, DEFINITIONS, ServedModel(url), prompt_template("zh"))
    assert [row.charge for row in read_sheet(sheet)] == ["盗窃罪"]


def test_a_spreadsheet_sees_that_the_sheet_is_utf8(tmp_path: Path) -> None:
    with server([]) as url:
        expand(tmp_path / "sheet.csv", DEFINITIONS, ServedModel(url), prompt_template("zh"))
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbfcharge,")


def test_an_answer_of_another_kind_than_yes_or_no_is_refused_by_line(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("charge,suggestion,accepted\n盗窃罪,扒窃,yes\n抢劫罪,持刀,maybe\n", "utf-8")
    with pytest.raises(InputError, match=r"sheet\.csv:3: accepted is 'maybe'"):
        accepted(sheet)


def test_a_sheet_without_its_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("name,text\n盗窃罪,扒窃\n", "utf-8")
    with pytest.raises(InputError, match="columns"):
        read_sheet(tmp_path / "sheet.csv")


def test_a_server_that_refuses_or_is_not_there_is_said_in_one_line() -> None:
    with server([], status=401) as url, pytest.raises(InputError, match="401"):
        ServedModel(url).answer("?")
    with pytest.raises(InputError, match="no response from"):
        ServedModel("http://127.0.0.1:9/v1", timeout=5).answer("?")


def test_a_prompt_of_ones_own_needs_the_charge(tmp_path: Path) -> None:
    own = tmp_path / "prompt.txt"
    own.write_text("Décrivez $charge", "utf-8")
    assert prompt_template("fr", own).substitute(charge="le vol") == "Décrivez le vol"
    own.write_text("Décrivez", "utf-8")
    with pytest.raises(InputError, match=r"\$charge"):
        prompt_template("fr", own)


@pytest.mark.parametrize("language", ["zh", "fr"])
def test_the_shipped_prompts_name_the_charge_and_quote_its_definition(language: str) -> None:
    filled = prompt_template(language).substitute(charge="CHARGE", definition="DEFINITION")
    assert "CHARGE" in filled
    assert "DEFINITION" in filled


def test_a_local_checkpoint_answers_the_same_twice(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {sign: number for number, sign in enumerate(["<pad>", "<unk>", *"盗窃罪抢劫公私财物撬锁"])}
    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    transformers.PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>", pad_token="<pad>").save_pretrained(
        tmp_path
    )
    torch.manual_seed(7)
    shape = {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 1024}
    config = transformers.GPT2Config(vocab_size=len(vocabulary), bos_token_id=0, eos_token_id=0, **shape)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)

    model = language_model(str(tmp_path))
    assert isinstance(model, LocalModel)
    answer = model.answer("盗窃罪")
    assert answer == LocalModel(tmp_path).answer("盗窃罪")
    assert set(answer) <= {*"盗窃罪抢劫公私财物撬锁 "}
    assert expand(tmp_path / "sheet.csv", {"盗窃罪": ""}, model, prompt_template("zh")) == 1


def test_a_directory_without_a_checkpoint_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match=r"config\.json"):
        LocalModel(tmp_path)
