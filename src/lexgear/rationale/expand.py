"""Descriptions of charges for B2 by a language model, used only after a person has accepted them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from lexgear.atomic import atomic_file
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, read_jsonl, read_text
from lexgear.progress import Progress, silent

_LONGEST_ANSWER = 512
"""Tokens per answer at most: one paragraph, as the prompts request."""


class LanguageModel(Protocol):
    """Language model protocol."""

    def answer(self, prompt: str) -> str:
        """Return the model's answer to a prompt."""
        ...


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One row of the review sheet."""

    charge: str
    suggestion: str
    accepted: str = ""
    """`yes` or `no`, entered by a reviewer; empty before review."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """Model behind an OpenAI-compatible API, such as http://localhost:8000/v1."""

    url: str
    model: str = "default"
    key: str = ""
    """API key, sent as a bearer token."""
    timeout: float = 120.0

    def answer(self, prompt: str) -> str:
        """Return the first choice of a chat completion at temperature 0."""
        messages = [{"role": "user", "content": prompt}]
        body = {"model": self.model, "messages": messages, "temperature": 0, "max_tokens": _LONGEST_ANSWER}
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        address = f"{self.url.rstrip('/')}/chat/completions"
        try:
            request = Request(address, json.dumps(body).encode(), headers)
            with urlopen(request, timeout=self.timeout) as response:
                return str(json.load(response)["choices"][0]["message"]["content"])
        except HTTPError as error:
            with error:
                raise InputError(
                    f"{address} responded with {error.code} {error.reason}",
                    code=ErrorCode.SERVICE_FAILED,
                    remedy="check the URL, the API key and the name of the model",
                    url=address,
                    status=error.code,
                ) from error
        except (URLError, TimeoutError, ValueError) as error:
            raise InputError(
                f"no response from {address}: {error}",
                code=ErrorCode.SERVICE_FAILED,
                remedy="check that the server is running",
                url=address,
            ) from error
        except (KeyError, IndexError, TypeError) as error:
            raise InputError(
                f"{address} does not implement the OpenAI chat API",
                code=ErrorCode.SERVICE_FAILED,
                remedy="check the URL, which usually ends in /v1",
                url=address,
            ) from error


class LocalModel:
    """Causal or encoder-decoder checkpoint in a local directory, with greedy decoding."""

    def __init__(self, directory: Path) -> None:
        if not (directory / "config.json").is_file():
            raise InputError(
                "not a checkpoint directory: no config.json",
                code=ErrorCode.CHECKPOINT_INVALID,
                file=directory,
                remedy="give the directory of a language model, or a URL",
            )
        try:
            from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
        except ImportError as error:
            raise InputError(
                "a local language model needs transformers",
                code=ErrorCode.MISSING_DEPENDENCY,
                remedy="pip install 'lexgear[hub]'",
                package="transformers",
            ) from error
        self._seq2seq = bool(AutoConfig.from_pretrained(directory, local_files_only=True).is_encoder_decoder)
        kind: Any = AutoModelForSeq2SeqLM if self._seq2seq else AutoModelForCausalLM
        self._tokenizer = AutoTokenizer.from_pretrained(directory, local_files_only=True)
        self._model = kind.from_pretrained(directory, local_files_only=True, use_safetensors=True).eval()

    def answer(self, prompt: str) -> str:
        """Return the continuation of the prompt, in the checkpoint's chat template if it has one."""
        if self._tokenizer.chat_template:
            chat = [{"role": "user", "content": prompt}]
            prompt = str(self._tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True))
        inputs = self._tokenizer(prompt, return_tensors="pt")
        output = self._model.generate(**inputs, max_new_tokens=_LONGEST_ANSWER, do_sample=False)[0]
        answer = output if self._seq2seq else output[inputs["input_ids"].shape[1] :]
        return str(self._tokenizer.decode(answer, skip_special_tokens=True))


def language_model(source: str, model: str = "default", key: str = "") -> LanguageModel:
    """Return a served model for an http(s) URL, otherwise the checkpoint in a directory."""
    if source.startswith(("http://", "https://")):
        return ServedModel(source, model, key)
    return LocalModel(Path(source))


def prompt_template(language: str, path: Path | None = None) -> Template:
    """Return the prompt with `$charge` and `$definition`: the one in the package, or the user's."""
    shipped = files("lexgear.rationale").joinpath(f"prompts/{language}.txt")
    if path is None and not shipped.is_file():
        raise InputError(
            f"no prompt for the language {language!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy="give the path of a prompt file",
            language=language,
        )
    template = Template(shipped.read_text("utf-8") if path is None else read_text(path))
    if not template.is_valid() or "charge" not in template.get_identifiers():
        raise InputError(
            "a prompt has to contain $charge, and $$ for a dollar sign", code=ErrorCode.FILE_MALFORMED, file=path
        )
    return template


def expand(
    sheet: Path,
    definitions: Mapping[str, str],
    model: LanguageModel,
    prompt: Template,
    progress: Progress = silent,
) -> int:
    """Query the model for every charge that the sheet lacks and append rows for review; return their number.

    Existing rows are kept. If the model fails, the answers so far are saved.
    """
    rows = read_sheet(sheet) if sheet.exists() else []
    known = {row.charge for row in rows}
    wanted = [charge for charge in definitions if charge not in known]
    before = len(rows)
    try:
        for number, charge in enumerate(wanted, start=1):
            answer = model.answer(prompt.safe_substitute(charge=charge, definition=definitions[charge]))
            rows.append(Suggestion(charge, " ".join(answer.split())))
            progress(number, len(wanted))
    finally:
        if len(rows) > before:
            _write_sheet(sheet, rows)
    return len(rows) - before


def accepted(sheet: Path) -> dict[str, str]:
    """Return the accepted descriptions by charge, which may enter B2."""
    found: dict[str, list[str]] = {}
    for row in read_sheet(sheet):
        if row.accepted == "yes":
            found.setdefault(row.charge, []).append(row.suggestion)
    return {charge: "\n".join(texts) for charge, texts in found.items()}


def read_sheet(path: Path) -> list[Suggestion]:
    """Read a review sheet, CSV or JSON lines depending on the file name."""
    if path.suffix == ".jsonl":
        return [_row(path, line, row) for line, row in read_jsonl(path)]
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    return [_row(path, reader.line_num, row) for row in reader]


def _row(path: Path, line: int, row: Mapping[str, Any]) -> Suggestion:
    if not row.get("charge") or row.get("suggestion") is None:
        raise InputError(
            "a row without charge or suggestion",
            code=ErrorCode.RECORD_INVALID,
            file=path,
            line=line,
            remedy="keep the columns charge, suggestion and accepted",
        )
    answer = str(row.get("accepted") or "").strip().lower()
    if answer not in ("yes", "no", ""):
        raise InputError(
            f"accepted is {answer!r}",
            code=ErrorCode.RECORD_INVALID,
            file=path,
            line=line,
            remedy="write yes, no or nothing",
            value=answer,
        )
    return Suggestion(str(row["charge"]), str(row["suggestion"]), answer)


def _write_sheet(path: Path, rows: Iterable[Suggestion]) -> None:
    with atomic_file(path) as file:
        if path.suffix == ".jsonl":
            file.writelines(dumps(asdict(row)) + "\n" for row in rows)
            return
        file.write("\ufeff")  # spreadsheet programs recognise UTF-8 CSV by this byte-order mark
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("charge", "suggestion", "accepted"))
        writer.writerows((row.charge, row.suggestion, row.accepted) for row in rows)
