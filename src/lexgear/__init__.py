"""lexgear retrieves legal documents and predicts the judgment in one walk down the law."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexgear.api import Hit, Index, judge, train
    from lexgear.corpus.records import Collection, Document, Query
    from lexgear.errors import InputError

__version__ = version("lexgear")
__all__ = ["Collection", "Document", "Hit", "Index", "InputError", "Query", "judge", "train"]

_HOME = {
    "Collection": "corpus.records",
    "Document": "corpus.records",
    "Query": "corpus.records",
    "InputError": "errors",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first asked for: `import lexgear` stays quick."""
    if name not in __all__:
        raise AttributeError(f"module 'lexgear' has no attribute {name!r}")
    return getattr(import_module(f"lexgear.{_HOME.get(name, 'api')}"), name)
