"""Records left out of an import: counted, listed with the reason, or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lexgear.errors import InputError


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """One record that was left out."""

    file: Path
    line: int | None
    record: str
    reason: str


@dataclass
class SkippedRecords:
    """Collects skipped; with `strict` the first one is an error instead."""

    strict: bool = False
    remedy: str = "mend it, or leave --strict out to skip it"
    entries: list[SkippedRecord] = field(default_factory=list)

    def add(self, file: Path, line: int | None, record: str, reason: str) -> None:
        """Leaves out one record, or refuses it."""
        if self.strict:
            raise InputError(
                f"{record}: {reason}",
                file=file,
                line=line,
                remedy=self.remedy,
            )
        self.entries.append(SkippedRecord(file, line, record, reason))

    def counts(self) -> Iterable[tuple[str, int]]:
        """Reasons with how often each occurred, most frequent first."""
        return Counter(skip.reason for skip in self.entries).most_common()
