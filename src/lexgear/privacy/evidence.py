"""Evidence of a text for its person names: how often characters occur together, and what follows them."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from lexgear.privacy.surnames import ENDS_NAME, HAN, SURNAME

LONGEST_NAME = 4
"""Number of characters of a compound surname with a given name."""
_COUNTED_SINGLY = 200
"""Number of counts after which tables are made; a judgment of LeCaRD needs 20."""
_SURNAME = re.compile(rf"(?={SURNAME})")
_ONE_HAN = re.compile(HAN)


class NameEvidence:
    """Counts of possible names in a text.

    The first names are counted one by one, which is fastest for the few of a judgment. As this takes time that grows
    with the square of the length of a list of names, further ones are looked up in tables made in one pass.
    """

    def __init__(self, whole: str) -> None:
        self._whole, self._asked = whole, 0

    def count(self, name: str) -> int:
        """Return the number of times that the text contains a name."""
        self._asked += 1
        return self._whole.count(name) if self._asked <= _COUNTED_SINGLY else self._tables[0][name]

    def end_share(self, name: str) -> float:
        """Return the share of the occurrences of these characters that are followed as names are."""
        self._asked += 1
        if self._asked <= _COUNTED_SINGLY:
            ends = [_is_end(self._whole, match.end()) for match in re.finditer(re.escape(name), self._whole)]
            return sum(ends) / max(len(ends), 1)
        counts, ends_of = self._tables
        return ends_of[name] / max(counts[name], 1)

    @cached_property
    def _tables(self) -> tuple[Counter[str], Counter[str]]:
        whole, counts, ends, free_from = self._whole, Counter[str](), Counter[str](), dict[str, int]()
        for surname in _SURNAME.finditer(whole):
            start = surname.start()
            for end in range(start + 2, min(start + LONGEST_NAME, len(whole)) + 1):
                name = whole[start:end]
                if free_from.get(name, 0) <= start:  # occurrences that overlap count once, as in str.count
                    free_from[name] = end
                    counts[name] += 1
                    ends[name] += _is_end(whole, end)
        return counts, ends


def _is_end(whole: str, at: int) -> bool:
    """Return whether a name may end at a place, by the sign that follows."""
    after = whole[at : at + 1]
    return after in ENDS_NAME or not _ONE_HAN.match(after)
