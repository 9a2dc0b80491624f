"""Public Python interface: import data sets, train rankers, search and change indexes, judge facts.

Everything here that users need can also be imported from `lexgear`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from warnings import warn

from lexgear.api.hit import Hit, step_name
from lexgear.api.index import Index
from lexgear.api.training import import_dataset, resumable, save, train

if TYPE_CHECKING:
    from datetime import date

    from lexgear.judgment.records import Judgment

__all__ = ["Hit", "Index", "import_dataset", "judge", "resumable", "save", "step_name", "train"]


def judge(text: str, language: str = "zh", date: date | str | None = None) -> Judgment:
    """Return the charges that the facts lead to, by the base model that comes with the package.

    `date` is the date of the act (`YYYY-MM-DD`), read from the facts if it is not given. No index is needed.
    An index of the ranker lexgear, trained on cases of your own, judges better.
    """
    from lexgear.judgment.base_judge import shipped_judge

    return shipped_judge(language).judge(text, date)


def __getattr__(name: str) -> Any:
    """Return a class under its former name, with a warning."""
    if name == "Found":
        warn("lexgear.api.Found is now lexgear.Hit", DeprecationWarning, stacklevel=2)
        return Hit
    if name == "Opinion":
        from lexgear.judgment.records import Judgment

        warn("lexgear.api.Opinion is now lexgear.Judgment", DeprecationWarning, stacklevel=2)
        return Judgment
    raise AttributeError(f"module 'lexgear.api' has no attribute {name!r}")
