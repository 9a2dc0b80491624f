"""lexgear retrieves legal documents and predicts the judgment in one walk down the law."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexgear.api import Hit, Index, import_dataset, judge, train
    from lexgear.corpus.records import Collection, Document, Query
    from lexgear.corpus.store import load_collection, open_collection
    from lexgear.errors import ErrorCode, InputError
    from lexgear.evaluation.evaluate import evaluate
    from lexgear.evaluation.experiment import experiment
    from lexgear.judgment.records import Judgment
    from lexgear.rankers.explanation import Explanation
    from lexgear.rankers.registry import make_ranker
    from lexgear.trec import read_run, write_run

    __version__: str

__all__ = [
    "Collection",
    "Document",
    "ErrorCode",
    "Explanation",
    "Hit",
    "Index",
    "InputError",
    "Judgment",
    "Query",
    "evaluate",
    "experiment",
    "import_dataset",
    "judge",
    "load_collection",
    "make_ranker",
    "open_collection",
    "read_run",
    "train",
    "write_run",
]

_MODULES = {
    "Collection": "corpus.records",
    "Document": "corpus.records",
    "ErrorCode": "errors",
    "Explanation": "rankers.explanation",
    "Hit": "api",
    "Index": "api",
    "InputError": "errors",
    "Judgment": "judgment.records",
    "Query": "corpus.records",
    "evaluate": "evaluation.evaluate",
    "experiment": "evaluation.experiment",
    "import_dataset": "api",
    "judge": "api",
    "load_collection": "corpus.store",
    "make_ranker": "rankers.registry",
    "open_collection": "corpus.store",
    "read_run": "trec",
    "train": "api",
    "write_run": "trec",
}
"""The module of each public name, imported when the name is first used."""

_FORMER_NAMES = {"Found": "Hit", "Opinion": "Judgment"}
"""Names before version 0.2; they go in version 0.3."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import lexgear` stays fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("lexgear")
    if name in _FORMER_NAMES:
        from warnings import warn

        now = _FORMER_NAMES[name]
        warn(f"lexgear.{name} is now lexgear.{now}", DeprecationWarning, stacklevel=2)
        name = now
    if name not in _MODULES:
        raise AttributeError(f"module 'lexgear' has no attribute {name!r}")
    return getattr(import_module(f"lexgear.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, including those not imported yet."""
    return sorted([*globals(), *__all__, "__version__"])
