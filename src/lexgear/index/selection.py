"""Documents that pass filters, as a mask over the positions of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


class Selection(Set[str]):
    """The ids of selected documents; they are read only if someone asks for them.

    >>> chosen = Selection(np.array([True, False, True]), lambda: ["a", "b", "c"])
    >>> len(chosen), "b" in chosen, {"a", "b"} & chosen
    (2, False, {'a'})
    """

    def __init__(self, mask: NDArray[np.bool_], ids: Callable[[], Sequence[str]]) -> None:
        self.mask, self._ids = mask, ids
        """True at the positions of selected documents."""

    @classmethod
    def _from_iterable(cls, ids: Iterable[str]) -> set[str]:  # type: ignore[override]
        return set(ids)

    def __len__(self) -> int:
        return int(self.mask.sum())

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    @cached_property
    def _names(self) -> frozenset[str]:
        ids = self._ids()
        return frozenset(ids[position] for position in np.flatnonzero(self.mask).tolist())
