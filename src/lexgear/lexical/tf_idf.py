"""Term-frequency and inverse-document-frequency weights: every variant that the package uses.

`df` is the document frequency of a term, the number of documents that contain it; `count` is the number of documents.
"""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MAX_IDF = 64.0
"""Above the idf of a word in one of 2⁶⁴ documents."""


def log_tf(times: Any) -> Any:
    """Return 1 + log tf: a term that occurs twice weighs less than twice as much.

    >>> log_tf(1).item()
    1.0
    """
    return 1 + np.log(times, dtype=np.float64)  # small integer types would give half precision


def plain_idf(df: Any, count: int) -> Any:
    """Return log(N / df): 0 for a term of every document.

    >>> plain_idf(10, 10).item()
    0.0
    """
    return np.log(count / df)


def smoothed_idf(df: Any, count: int) -> Any:
    """Return log((N + 1) / (df + 1)): defined for a term of no document, 0 for a term of every document.

    >>> smoothed_idf(np.array([0, 10]), 10).round(2).tolist()
    [2.4, 0.0]
    """
    return np.log((count + 1) / (df + 1))


def positive_idf(df: Any, count: int) -> Any:
    """Return log(1 + N / df): above 0 even for a term of every document.

    >>> positive_idf(10, 10).round(2).item()
    0.69
    """
    return np.log(1 + count / df)


@overload
def bm25_idf(df: int, count: int) -> float: ...
@overload
def bm25_idf(df: NDArray[Any], count: int) -> Floats: ...
def bm25_idf(df: int | NDArray[Any], count: int) -> float | Floats:
    """Return log(1 + (N - df + 0.5) / (df + 0.5)), the variant of Lucene and bm25s.

    >>> round(bm25_idf(0, 10), 2)
    3.09
    """
    odds = (count - df + 0.5) / (df + 0.5)
    # numpy's log1p may differ from math's in the last bit; scores for single terms have always used math's.
    return np.log1p(odds) if isinstance(odds, np.ndarray) else math.log1p(odds)
