"""What the process that reads a PDF runs: bytes in, JSON out. It knows nothing of lexgear and asks nobody.

python -P pdf_process.py PAGES CHARACTERS MEMORY SECONDS < file.pdf
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def confine(memory: int, seconds: int) -> None:
    """Lets the process take so much and no more, and write no file."""
    try:
        import resource
    except ImportError:  # not on Windows, where the clock of who started it has to do
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(what, (most, most))


def read(data: bytes, most_pages: int, most_characters: int) -> dict[str, Any]:
    """The text of every page, until there are too many characters; or why there is none."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            return {"reason": "encrypted"}
        number = len(reader.pages)
    except DependencyError:  # a cipher that would need another package
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
    """Reads what comes in."""
    import logging

    most_pages, most_characters, memory, seconds = map(int, sys.argv[1:])
    logging.disable()
    confine(memory, seconds)
    answer = read(sys.stdin.buffer.read(), most_pages, most_characters)
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
