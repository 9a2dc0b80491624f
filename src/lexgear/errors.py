"""What lexgear says when the input is at fault: one line that names the file, the line and the remedy."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """Bad input or bad usage: the command line prints it on one line and exits with code 2.

    >>> str(InputError("not a JSON object", file="cases.jsonl", line=7, remedy="one object a line"))
    'cases.jsonl:7: not a JSON object (one object a line)'
    """

    def __init__(
        self, problem: str, *, file: str | Path | None = None, line: int | None = None, remedy: str = ""
    ) -> None:
        self.problem, self.file, self.line, self.remedy = problem, file, line, remedy
        where = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(" ".join(f"{where}{problem}{f' ({remedy})' if remedy else ''}".split()))
