"""Hints that name the option or command that helps against an error; the library itself knows no command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lexgear.errors import ErrorCode, InputError

_SETTINGS = "`lexgear settings RANKER` lists the settings of a ranker"
_TRAIN = "`lexgear train` builds an index"

HINTS: Mapping[ErrorCode, Mapping[Sequence[str], str]] = {
    ErrorCode.OUTPUT_OCCUPIED: {
        ("import", "train", "pretrain", "demo"): "--out sets the directory",
        ("annotate", "judge", "report", "tune"): "--out sets the file",
    },
    ErrorCode.OUTPUT_UNWRITABLE: {
        ("import", "train", "pretrain", "demo"): "--out sets the directory",
        ("search", "crossvalidate"): "--run sets the file",
    },
    ErrorCode.UNKNOWN_SETTING: {
        ("train", "tune", "crossvalidate"): f"{_SETTINGS}; set one with --set name=value",
        ("serve", "pretrain"): "set one with --set name=value",
    },
    ErrorCode.INVALID_SETTING: {
        ("train", "tune", "crossvalidate"): f"{_SETTINGS}; set one with --set name=value",
        ("serve", "pretrain"): "set one with --set name=value",
    },
    ErrorCode.UNKNOWN_NAME: {
        ("report",): "--format sets the format",
        ("train",): "`lexgear settings` describes the rankers",
    },
    ErrorCode.INVALID_FILTER: {("search", "report"): "give it as --filter NAME=VALUE"},
    ErrorCode.UNKNOWN_CHARGE: {("search", "report"): "give it as --filter charge=NAME"},
    ErrorCode.NOT_AN_INDEX: {
        ("search", "judge", "report", "serve", "check", "add", "remove", "crossvalidate"): _TRAIN,
    },
    ErrorCode.NOT_A_COLLECTION: {
        ("train", "tune", "crossvalidate", "pretrain", "evaluate", "rationale", "annotate", "reproduce"): (
            "`lexgear import` makes a collection from a data set"
        ),
    },
    ErrorCode.INDEX_DAMAGED: {
        ("search", "judge", "report", "serve", "add", "remove"): "`lexgear check INDEX` verifies every part",
    },
    ErrorCode.API_KEY_MISSING: {("serve",): "--api-key-file FILE or the variable LEXGEAR_API_KEY sets the key"},
    ErrorCode.CANNOT_LISTEN: {("serve",): "--host and --port set the address"},
    ErrorCode.DUPLICATE_ID: {("add",): "--replace replaces documents whose id is in the index"},
    ErrorCode.CANNOT_JUDGE: {("judge", "report"): "`lexgear train --ranker lexgear` builds an index that can judge"},
    ErrorCode.RECORD_INVALID: {("import",): "without --strict such records are skipped and listed"},
    ErrorCode.NOTHING_TO_LEARN: {("train",): "`--ranker bm25` needs nothing to learn from"},
}
"""The hint for a kind of error, by the commands that it applies to."""


def find_hint(error: InputError, command: str) -> str:
    """Return the hint for an error of a command; an empty text if there is none."""
    rows = HINTS.get(error.code, {})
    return next((hint for commands, hint in rows.items() if command in commands), "")
