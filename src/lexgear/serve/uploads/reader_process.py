"""Confined process that reads one foreign file: bytes on standard input, JSON on standard output.

python -P -m lexgear.serve.uploads.reader_process KIND PAGES CHARACTERS MEMORY SECONDS < file
"""

from __future__ import annotations

import json
import sys
from typing import Any

from lexgear.serve.uploads.refusals import RefusedFileError


def limit_resources(memory: int, seconds: int) -> None:
    """Limit memory and CPU time of the process, and forbid it to write files."""
    try:
        import resource
    except ImportError:  # on Windows only the timeout of the parent process applies
        return
    for what, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(what, (limit, limit))


def read(kind: str, data: bytes, most_pages: int, most_characters: int) -> dict[str, Any]:
    """Return the text of a file, or the reason why there is none."""
    from lexgear.serve.uploads.normalization import normalize
    from lexgear.serve.uploads.pdf import pdf_text
    from lexgear.serve.uploads.word import word_text

    try:
        text = pdf_text(data, most_pages, most_characters) if kind == "pdf" else word_text(data, most_characters)
    except RefusedFileError as refusal:
        return {"status": refusal.status, "problem": refusal.problem, "parameters": refusal.parameters}
    return {"text": normalize(text)}


def main() -> None:
    """Read a file from standard input."""
    import logging

    kind, *limits = sys.argv[1:]
    most_pages, most_characters, memory, seconds = map(int, limits)
    logging.disable()
    limit_resources(memory, seconds)
    sys.stdout.write(json.dumps(read(kind, sys.stdin.buffer.read(), most_pages, most_characters)))


if __name__ == "__main__":
    main()
