"""Script of the process that reads a PDF: bytes on standard input, JSON on standard output. It does not import lexgear.

python -P pdf_process.py PAGES CHARACTERS MEMORY SECONDS < file.pdf
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def limit_resources(memory: int, seconds: int) -> None:
    """Limit memory and CPU time of the process, and forbid it to write files."""
    try:
        import resource
    except ImportError:  # on Windows only the timeout of the parent process applies
        return
    for what, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(what, (limit, limit))


def read(data: bytes, most_pages: int, most_characters: int) -> dict[str, Any]:
    """Return the text per page, up to the limit, or the reason why there is none."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            return {"reason": "encrypted"}
        number = len(reader.pages)
    except DependencyError:  # a cipher that needs another package
        return {"reason": "encrypted"}
    if number > most_pages:
        return {"too_many": number}
    pages, length = [], 0
    for page in reader.pages:
        text = page.extract_text()
        pages.append(text)
        length += len(text)
        if length > most_characters:
            break
    return {"pages": pages if any(text.strip() for text in pages) else []}


def main() -> None:
    """Read a PDF from standard input."""
    import logging

    most_pages, most_characters, memory, seconds = map(int, sys.argv[1:])
    logging.disable()
    limit_resources(memory, seconds)
    answer = read(sys.stdin.buffer.read(), most_pages, most_characters)
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
