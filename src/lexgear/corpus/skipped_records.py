"""Records skipped by an import, with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lexgear.errors import ErrorCode, InputError


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A record that was skipped, with its position and the reason."""

    file: Path
    line: int | None
    record: str
    reason: str


@dataclass
class SkippedRecords:
    """Collector of skipped records; if `strict`, the first one raises an error instead."""

    strict: bool = False
    remedy: str = "correct it, or read the file without strict mode to skip it"
    entries: list[SkippedRecord] = field(default_factory=list)

    def add(self, file: Path, line: int | None, record: str, reason: str) -> None:
        """Record a skipped record, or raise an InputError in strict mode."""
        if self.strict:
            raise InputError(
                f"{record}: {reason}",
                code=ErrorCode.RECORD_INVALID,
                file=file,
                line=line,
                remedy=self.remedy,
                record=record,
                reason=reason,
            )
        self.entries.append(SkippedRecord(file, line, record, reason))

    def counts(self) -> Iterable[tuple[str, int]]:
        """Return each reason with its number of records, most frequent first."""
        return Counter(skip.reason for skip in self.entries).most_common()
