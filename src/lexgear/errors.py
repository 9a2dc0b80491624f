"""Input errors: an exception class with a code, parameters and a message for people."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class ErrorCode(StrEnum):
    """Codes of input errors. Pages and APIs translate by code; no program compares messages."""

    INVALID_INPUT = "invalid_input"
    USAGE = "usage"
    """Arguments that contradict each other."""
    FILE_MISSING = "file_missing"
    FILE_UNREADABLE = "file_unreadable"
    FILE_MALFORMED = "file_malformed"
    """A file that is not in the expected format."""
    OUTPUT_OCCUPIED = "output_occupied"
    """The output would replace something that lexgear did not write."""
    OUTPUT_UNWRITABLE = "output_unwritable"
    RECORD_INVALID = "record_invalid"
    """An unusable record of a data set or of a JSON lines file."""
    DUPLICATE_ID = "duplicate_id"
    UNKNOWN_NAME = "unknown_name"
    """Unknown name of a ranker, data set, measure, recipe, format or language."""
    UNKNOWN_SETTING = "unknown_setting"
    INVALID_SETTING = "invalid_setting"
    INVALID_ARGUMENT = "invalid_argument"
    """A value out of its range, such as k=-1."""
    INVALID_FILTER = "invalid_filter"
    UNKNOWN_CHARGE = "unknown_charge"
    UNKNOWN_DOCUMENT = "unknown_document"
    REMOVED_DOCUMENT = "removed_document"
    """A document that the index had until it was removed."""
    UNKNOWN_PLACE = "unknown_place"
    """No place of the law with that id."""
    TEXT_TOO_LONG = "text_too_long"
    TEXT_EMPTY = "text_empty"
    NOT_AN_INDEX = "not_an_index"
    NOT_A_COLLECTION = "not_a_collection"
    INDEX_DAMAGED = "index_damaged"
    INDEX_TOO_NEW = "index_too_new"
    INDEX_OUTDATED = "index_outdated"
    """An earlier version wrote a model that this version no longer has."""
    INDEX_BUSY = "index_busy"
    """Another process is changing the index."""
    CANNOT_JUDGE = "cannot_judge"
    CANNOT_GROW = "cannot_grow"
    """The ranker cannot add or remove documents without training."""
    NOTHING_TO_LEARN = "nothing_to_learn"
    """The collection lacks what training needs."""
    CHECKPOINT_INVALID = "checkpoint_invalid"
    API_KEY_MISSING = "api_key_missing"
    """The service can be reached from other machines and has no API key."""
    CANNOT_LISTEN = "cannot_listen"
    """The service cannot listen at its address."""
    CLUSTER_UNREACHABLE = "cluster_unreachable"
    SHARD_MISSING = "shard_missing"
    """A shard of an index does not answer."""
    MISSING_DEPENDENCY = "missing_dependency"
    SERVICE_FAILED = "service_failed"
    """A language model behind a URL cannot be reached or returns an error."""
    TRAINING_DIVERGED = "training_diverged"
    """A loss or a gradient is not finite."""
    BROKEN_PLUGIN = "broken_plugin"
    """A package that extends lexgear cannot be loaded, or claims a name that is taken."""


class InputError(Exception):
    """Bad input or bad usage; the command line prints one line and exits with code 2.

    `code` identifies the kind of error, `parameters` hold the values that the message mentions.

    >>> str(InputError("not a JSON object", file="cases.jsonl", line=7, remedy="write one object per line"))
    'cases.jsonl:7: not a JSON object (write one object per line)'
    """

    def __init__(
        self,
        problem: str,
        *,
        code: ErrorCode = ErrorCode.INVALID_INPUT,
        file: str | Path | None = None,
        line: int | None = None,
        remedy: str = "",
        **parameters: object,
    ) -> None:
        self.code, self.parameters = code, parameters
        self.problem, self.file, self.line, self.remedy = problem, file, line, remedy
        where = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(" ".join(f"{where}{problem}{f' ({remedy})' if remedy else ''}".split()))
