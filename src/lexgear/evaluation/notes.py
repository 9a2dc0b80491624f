"""Notes below a table: what was left out or counted as 0, and for which systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """One remark on an evaluation.

    >>> str(Note("1 query not ranked, counted as 0", ("bm25", "ours")))
    'bm25, ours: 1 query not ranked, counted as 0'
    """

    text: str
    systems: tuple[str, ...] = ()
    """The systems it applies to; empty if it applies to all."""

    def __str__(self) -> str:
        return f"{', '.join(self.systems)}: {self.text}" if self.systems else self.text

    def renamed(self, labels: Mapping[str, str]) -> Note:
        """Return the note with systems under the names that a table shows."""
        return Note(self.text, tuple(labels.get(system, system) for system in self.systems))


def merge_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return each text once, with all systems it applies to.

    >>> [str(note) for note in merge_notes([Note("slow", ("a",)), Note("fast", ("b",)), Note("slow", ("c",))])]
    ['a, c: slow', 'b: fast']
    """
    systems: dict[str, dict[str, None]] = {}
    for note in notes:
        systems.setdefault(note.text, {}).update(dict.fromkeys(note.systems))
    return tuple(Note(text, tuple(names)) for text, names in systems.items())
